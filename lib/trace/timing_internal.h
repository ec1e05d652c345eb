/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the sources of timing share. */
#ifndef MEMMAPCTL_TRACE_TIMING_INTERNAL_H
#define MEMMAPCTL_TRACE_TIMING_INTERNAL_H

#include <event-parse.h>
#include <tracefs.h>

#include "trace/symbols.h"
#include "trace/timing.h"

/* One call that has begun and not ended yet. */
struct open_call {
	size_t symbol;
	uint64_t start_ns;
};

struct timing {
	enum timing_source source;
	const struct timing_backend *backend;
	const struct root *root;
	struct undo *undo;
	size_t undo_mark; /* steps before this one are not ours */
	char *description;
	double resolution_ns;
	unsigned int roles; /* bit set of those that can be timed */

	/* graph and kprobe */
	char *tracefs;  /* where it is mounted */
	char *instance; /* the directory traced in: ours, or tracefs itself */
	struct symbols symbols;
	struct tracefs_instance *handle; /* NULL: the top level */
	struct tep_handle *tep;
	int tracing_on; /* fd */

	/* dyndbg */
	int kmsg; /* fd */

	/* a measurement under way */
	int thread;
	struct open_call *open_calls;
	size_t nr_open;
	struct span *spans;
	size_t nr_spans;
	struct timing_result *result;
	int error; /* of the record callback */
};

struct timing_backend {
	int (*open)(struct timing *t, struct diags *diags);
	int (*begin)(struct timing *t);
	int (*end)(struct timing *t); /* fills t->result */
};

extern const struct timing_backend timing_graph, timing_kprobe, timing_dyndbg;

/* Find tracefs and the functions to trace. 0 or a negative errno, said in diags. */
int trace_prepare(struct timing *t, struct diags *diags);

/* Make the instance to trace in. 0, or a negative errno without words: where there are none, the caller knows better. */
int trace_make_instance(struct timing *t);

/* Read the format of an event whose records are to be read. 0; -ENOENT: there is none; -EPROTO and others. */
int trace_add_event(struct timing *t, const char *system, const char *event);

/* Open tracing_on, stop and empty the trace, once everything to trace exists. */
int trace_ready(struct timing *t, struct diags *diags);

int trace_begin(struct timing *t);

/* Stop and give each record of this thread to callback (0, or -1 with t->error set). */
typedef int (*trace_record_fn)(struct timing *t, struct tep_event *event, struct tep_record *record);
int trace_end(struct timing *t, trace_record_fn callback);

/* A call of symbols.items[symbol] began or ended. -ENOMEM or 0. */
int trace_call_begin(struct timing *t, size_t symbol, uint64_t ns);
int trace_call_end(struct timing *t, size_t symbol, uint64_t ns);
int trace_add_span(struct timing *t, size_t symbol, uint64_t start_ns, uint64_t end_ns);

/* "DIR/FILE"; NULL: no memory. */
char *path_join(const char *dir, const char *file);

#endif
