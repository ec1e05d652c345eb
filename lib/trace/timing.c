// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/timing.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/util.h"
#include "trace/timing_internal.h"

static const char *const source_names[] = {"graph", "kprobe", "dyndbg", "clock", "auto"};
_Static_assert(ARRAY_SIZE(source_names) == NR_TIMING_SOURCES + 1, "a name for every source, and auto");

const char *timing_source_name(enum timing_source source)
{
	return (size_t)source < ARRAY_SIZE(source_names) ? source_names[source] : "?";
}

int timing_source_from_name(const char *name, enum timing_source *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(source_names); i++) {
		if (!strcmp(source_names[i], name)) {
			*out = (enum timing_source)i;
			return 0;
		}
	}
	return -EINVAL;
}

static int clock_open(struct timing *t, struct diags *diags)
{
	(void)diags;
	t->description = strdup("wall clock");
	t->resolution_ns = 1;
	return t->description ? 0 : -ENOMEM;
}

static int clock_begin_end(struct timing *t)
{
	(void)t;
	return 0;
}

static const struct timing_backend timing_clock = {clock_open, clock_begin_end, clock_begin_end};

static const struct timing_backend *const backends[] = {
	[TIMING_GRAPH] = &timing_graph,
	[TIMING_KPROBE] = &timing_kprobe,
	[TIMING_DYNDBG] = &timing_dyndbg,
	[TIMING_CLOCK] = &timing_clock,
};
_Static_assert(ARRAY_SIZE(backends) == NR_TIMING_SOURCES, "a backend for every source");

static void free_timing(struct timing *t)
{
	free(t->description);
	free(t->tracefs);
	free(t->instance);
	symbols_free(&t->symbols);
	tracefs_instance_free(t->handle);
	tep_free(t->tep);
	close_fd(&t->tracing_on);
	close_fd(&t->kmsg);
	free(t->open_calls);
	free(t->spans);
	free(t);
}

static struct timing *new_timing(const struct root *root, enum timing_source source, struct undo *undo)
{
	struct timing *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->source = source;
	t->backend = backends[source];
	t->root = root;
	t->undo = undo;
	t->undo_mark = undo ? undo_pending(undo) : 0;
	t->tracing_on = t->kmsg = -1;
	return t;
}

static int open_source(const struct root *root, enum timing_source source, struct undo *undo,
		       struct diags *diags, struct timing **out)
{
	struct timing *t = new_timing(root, source, undo);
	int err;

	if (!t)
		return -ENOMEM;
	err = t->backend->open(t, diags);
	if (err) {
		timing_close(t, diags);
		return err;
	}
	*out = t;
	return 0;
}

/* What kept a better source from working is worth knowing, but no error. */
static void as_notes(struct diags *why, enum timing_source source, struct diags *diags)
{
	for (size_t i = 0; i < why->nr; i++)
		diag_add(diags, DIAG_NOTE, NULL, 0, 0, "timing by %s is not possible: %s",
			 timing_source_name(source), why->items[i].text);
}

int timing_open(const struct root *root, enum timing_source source, struct undo *undo, struct diags *diags,
		struct timing **out)
{
	int err = -ENOENT;

	if (source != TIMING_AUTO)
		return open_source(root, source, undo, diags, out);
	for (int s = 0; s < NR_TIMING_SOURCES; s++) {
		_cleanup_diags_ struct diags why = {0};

		err = open_source(root, (enum timing_source)s, undo, &why, out);
		if (!err || err == -ENOMEM)
			return err;
		as_notes(&why, (enum timing_source)s, diags);
	}
	return err;
}

int timing_close(struct timing *timing, struct diags *diags)
{
	int err = 0;

	if (!timing)
		return 0;
	/* An instance cannot be removed while a file of it is open. */
	close_fd(&timing->tracing_on);
	timing->tracing_on = -1;
	tracefs_instance_free(timing->handle);
	timing->handle = NULL;
	if (timing->undo)
		err = undo_to(timing->undo, timing->undo_mark, diags);
	free_timing(timing);
	return err;
}

const char *timing_description(const struct timing *timing)
{
	return timing->description;
}

double timing_resolution_ns(const struct timing *timing)
{
	return timing->resolution_ns;
}

bool timing_has(const struct timing *timing, enum span_role role)
{
	return timing->roles >> role & 1;
}

int timing_begin(struct timing *timing)
{
	timing->thread = (int)syscall(SYS_gettid);
	timing->nr_open = timing->nr_spans = 0;
	timing->error = 0;
	return timing->backend->begin(timing);
}

int timing_end(struct timing *timing, struct timing_result *out)
{
	struct timing_result result = {0};
	int err;

	timing->result = &result;
	err = timing->backend->end(timing);
	timing->result = NULL;
	if (err)
		return err;
	if (timing->nr_spans)
		spans_attribute(timing->spans, timing->nr_spans, result.roles);
	*out = result;
	return 0;
}

void timing_tell_lost(const char *device, uint64_t lost_events, struct diags *diags)
{
	if (lost_events)
		diag_add(diags, DIAG_WARNING, NULL, 0, 0,
			 "%s: %" PRIu64 " trace records were lost: stages may be too short", device,
			 lost_events);
}
