// SPDX-License-Identifier: GPL-2.0-or-later
/* A kprobe and a kretprobe on each function: for kernels without function_graph, or where somebody else uses it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "trace/timing_internal.h"

static const char group[] = "memmapctl";

/* Define one probe. What can be traced cannot always be probed: then it is left out. */
static int define(struct timing *t, const char *kprobe_events, const char *kind, size_t symbol)
{
	_cleanup_free_ char *definition = NULL, *removal = NULL, *event = NULL;
	const char *type = *kind == 'i' ? "p" : "r";
	int err;

	if (asprintf(&definition, "%s:%s/%s_%zu %s\n", type, group, kind, symbol,
		     t->symbols.items[symbol].name) < 0 ||
	    asprintf(&removal, "-:%s/%s_%zu\n", group, kind, symbol) < 0 ||
	    asprintf(&event, "%s/events/%s/%s_%zu", t->tracefs, group, kind, symbol) < 0)
		return -ENOMEM;
	err = undo_write_if(t->undo, event, kprobe_events, removal);
	if (!err)
		err = write_file(kprobe_events, definition);
	return err ? err : trace_add_event(t, group, strrchr(event, '/') + 1);
}

static int define_all(struct timing *t, struct diags *diags)
{
	_cleanup_free_ char *path = path_join(t->tracefs, "kprobe_events");
	int err = path ? 0 : -ENOMEM, first = 0;

	t->roles = 0;
	for (size_t i = 0; !err && i < t->symbols.nr; i++) {
		err = define(t, path, "in", i);
		if (!err)
			err = define(t, path, "out", i);
		if (err == -ENOMEM)
			return err;
		if (!err)
			t->roles |= 1U << t->symbols.items[i].role;
		first = first ? first : err;
		err = 0;
	}
	if (!t->roles)
		return diag_error(diags, first ? first : -ENOENT, "no kprobe can be set here: %s",
				  strerror(-first));
	return 0;
}

static int enable_all(struct timing *t)
{
	_cleanup_free_ char *path = path_join(t->instance, "events/memmapctl/enable");

	return path ? write_file(path, "1") : -ENOMEM;
}

/* Probes first, the instance second: undone in reverse, as a probe in use cannot be removed. */
static int kprobe_open(struct timing *t, struct diags *diags)
{
	int err = trace_prepare(t, diags);

	if (!err)
		err = define_all(t, diags);
	if (err)
		return err;
	err = trace_make_instance(t);
	if (!err)
		err = enable_all(t);
	if (err)
		return diag_error(diags, err, "a trace instance of our own: %s", strerror(-err));
	t->resolution_ns = 1;
	t->description = strdup("kprobes");
	return t->description ? trace_ready(t, diags) : -ENOMEM;
}

static int kprobe_record(struct timing *t, struct tep_event *event, struct tep_record *record)
{
	size_t symbol;

	if (strcmp(event->system, group))
		return 0;
	if (sscanf(event->name, "in_%zu", &symbol) == 1 && symbol < t->symbols.nr)
		return trace_call_begin(t, symbol, record->ts);
	if (sscanf(event->name, "out_%zu", &symbol) == 1 && symbol < t->symbols.nr)
		return trace_call_end(t, symbol, record->ts);
	return 0;
}

static int kprobe_end(struct timing *t)
{
	return trace_end(t, kprobe_record);
}

const struct timing_backend timing_kprobe = {kprobe_open, trace_begin, kprobe_end};
