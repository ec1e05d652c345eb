/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often the kernel calls some of its functions, by the hit counts of probes; nothing is recorded, nothing timed. */
#ifndef MEMMAPCTL_TRACE_CALLS_H
#define MEMMAPCTL_TRACE_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/root.h"
#include "trace/undo.h"

struct calls;

/*
 * Set a kprobe on each of nr functions, in whatever copies this kernel has of it (".constprop.0"), in an own trace
 * instance that records nothing. What is changed is noted in undo first, and undone by calls_close. A function that
 * cannot be probed here is left out. names outlive the result. 0 and *out; -ENOENT (no tracefs, none of the
 * functions), -EPERM and the like, with the reason in diags.
 */
int calls_open(const struct root *root, struct undo *undo, const char *const *names, size_t nr,
	       struct diags *diags, struct calls **out);

/* Put everything back. 0 or what could not be (in diags). */
int calls_close(struct calls *calls, struct diags *diags);

/* The name under which this kernel has names[i] ("f.constprop.0"); NULL: it cannot be counted here. */
const char *calls_symbol(const struct calls *calls, size_t i);

struct call_count {
	uint64_t hits;
	uint64_t missed; /* calls that the probe could not take; hits and these are all there were */
};

/* Since the probes were set: one for each name, all zero where it is not counted. 0 or a negative errno. */
int calls_read(const struct calls *calls, struct call_count *out);

#endif
