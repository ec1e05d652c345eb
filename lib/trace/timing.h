/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timing what the kernel does for one write of ours: bind, unbind, online. Of several sources the best that works
 * here is chosen by trying; what each needed is put back by the undo file's steps.
 */
#ifndef MEMMAPCTL_TRACE_TIMING_H
#define MEMMAPCTL_TRACE_TIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/root.h"
#include "trace/spans.h"
#include "trace/undo.h"

/* Best first. */
enum timing_source {
	TIMING_GRAPH,  /* ftrace function_graph */
	TIMING_KPROBE, /* a kprobe and a kretprobe on each function */
	TIMING_DYNDBG, /* memmap_init_zone_device's debug line, in jiffies; else wall clock */
	TIMING_CLOCK,  /* wall clock of the whole write only */
	NR_TIMING_SOURCES,
	TIMING_AUTO = NR_TIMING_SOURCES,
};

/* "graph", "kprobe", "dyndbg", "clock", "auto" */
const char *timing_source_name(enum timing_source source);
int timing_source_from_name(const char *name, enum timing_source *out); /* 0 or -EINVAL */

struct timing;

/* What happened between timing_begin and timing_end in one thread. */
struct timing_result {
	struct role_time roles[NR_ROLES];
	uint64_t lost_events; /* of all threads: records were overwritten, the times may be too small */
};

/*
 * Set one source up, or with TIMING_AUTO the best that can be; why a better one cannot is a note in diags. root is
 * this system. What is changed is noted in undo first, and undone by timing_close. 0 and *out; -EPERM, -ENOENT,
 * -EBUSY (somebody else is tracing) with the reason in diags; TIMING_CLOCK always works.
 */
int timing_open(const struct root *root, enum timing_source source, struct undo *undo, struct diags *diags,
		struct timing **out);

/* Put everything back. 0 or what could not be (in diags). */
int timing_close(struct timing *timing, struct diags *diags);

const char *timing_description(const struct timing *timing); /* "ftrace function_graph, own instance" */
double timing_resolution_ns(const struct timing *timing);

/* Can this kernel's time for a role be had at all with this source? */
bool timing_has(const struct timing *timing, enum span_role role);

/* Around the write to be timed, in the thread that does it. 0 or a negative errno. */
int timing_begin(struct timing *timing);
int timing_end(struct timing *timing, struct timing_result *out);

/* A warning in diags when records were lost: the stages of a device may be too short. */
void timing_tell_lost(const char *device, uint64_t lost_events, struct diags *diags);

#endif
