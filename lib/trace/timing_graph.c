// SPDX-License-Identifier: GPL-2.0-or-later
/* ftrace's function_graph tracer: every call of the chosen functions leaves a record with both its times. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "base/util.h"
#include "trace/timing_internal.h"

/* One write for each function: one that cannot be traced fails alone. */
static int write_filter(struct timing *t, const char *path, bool by_index)
{
	_cleanup_fd_ int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	size_t nr_set = 0;

	if (fd < 0)
		return -errno;
	for (size_t i = 0; i < t->symbols.nr; i++) {
		const struct symbol *symbol = &t->symbols.items[i];
		_cleanup_free_ char *word = NULL;
		int len = by_index ? asprintf(&word, "%" PRIu32 "\n", symbol->index)
				   : asprintf(&word, "%s\n", symbol->name);

		if (len < 0) {
			word = NULL;
			return -ENOMEM;
		}
		nr_set += write(fd, word, (size_t)len) == len;
	}
	return nr_set ? 0 : -ENOENT;
}

static bool is_ours(const struct timing *t, const char *name, size_t len)
{
	for (size_t i = 0; i < t->symbols.nr; i++) {
		if (!strncmp(t->symbols.items[i].name, name, len) && !t->symbols.items[i].name[len])
			return true;
	}
	return false;
}

/* Is what the filter holds, a name a line, what was meant? Indexes change when a module comes or goes. */
static bool filter_is_ours(struct timing *t, const char *path)
{
	_cleanup_free_ char *text = NULL;
	size_t nr = 0;

	if (root_read(t->root, &text, "%s", path))
		return false;
	for (const char *line = text; *line; nr++) {
		const char *end = strchrnul(line, '\n');

		if (!is_ours(t, line, strcspn(line, " \t\n")))
			return false;
		line = *end ? end + 1 : end;
	}
	return nr == t->symbols.nr;
}

/*
 * By their indexes first: for each name the kernel looks through all its functions, which takes longer than many a bind.
 */
static int set_filter(struct timing *t)
{
	_cleanup_free_ char *path = path_join(t->instance, "set_ftrace_filter");
	int err;

	if (!path)
		return -ENOMEM;
	if (t->symbols.items[0].index && !write_filter(t, path, true) && filter_is_ours(t, path))
		return 0;
	err = clear_file(path);
	return err ? err : write_filter(t, path, false);
}

static int set_tracer(struct timing *t, const char *tracer)
{
	_cleanup_free_ char *path = path_join(t->instance, "current_tracer");

	return path ? write_file(path, tracer) : -ENOMEM;
}

static int graph_in_instance(struct timing *t)
{
	int err = trace_make_instance(t);

	if (!err)
		err = set_filter(t);
	return err ? err : set_tracer(t, "function_graph");
}

/* Is a file of the top level as it is when nobody traces? */
static bool top_is(struct timing *t, const char *file, const char *idle)
{
	_cleanup_free_ char *text = NULL;

	return !root_read(t->root, &text, "%s/%s", t->tracefs, file) && !strncmp(text, idle, strlen(idle));
}

static int note_top(struct timing *t)
{
	static const struct {
		const char *file, *value; /* NULL: cleared */
	} steps[] = {
		{"set_ftrace_filter", NULL },
                {"tracing_on",        NULL },
                {"current_tracer",    "nop"}
        };
	int err = 0;

	for (size_t i = 0; !err && i < ARRAY_SIZE(steps); i++) {
		_cleanup_free_ char *path = path_join(t->tracefs, steps[i].file);

		if (!path)
			return -ENOMEM;
		if (!strcmp(steps[i].file, "tracing_on"))
			err = undo_write(t->undo, path, top_is(t, "tracing_on", "1") ? "1" : "0");
		else
			err = steps[i].value ? undo_write(t->undo, path, steps[i].value)
					     : undo_clear(t->undo, path);
	}
	return err;
}

/*
 * Older kernels (6.1) have this tracer at the top level only. Changing a tracer empties the buffer and the
 * filters are everybody's, so only when nobody uses any of it.
 */
static int graph_at_top(struct timing *t, struct diags *diags)
{
	static const struct {
		const char *file, *idle;
	} idle[] = {
		{"current_tracer",     "nop"                            },
		{"events/enable",      "0"                              },
		{"set_ftrace_filter",  "#### all functions enabled ####"},
		{"set_graph_function", "#### all functions enabled ####"},
	};
	int err;

	for (size_t i = 0; i < ARRAY_SIZE(idle); i++) {
		if (!top_is(t, idle[i].file, idle[i].idle))
			return diag_error(
				diags, -EBUSY,
				"this kernel has function_graph only at the top level, and somebody is "
				"tracing there (%s/%s is not at rest)",
				t->tracefs, idle[i].file);
	}
	free(t->instance);
	t->instance = strdup(t->tracefs);
	if (!t->instance)
		return -ENOMEM;
	err = note_top(t);
	if (!err)
		err = set_filter(t);
	if (!err)
		err = set_tracer(t, "function_graph");
	return err ? diag_error(diags, err, "function_graph: %s", strerror(-err)) : 0;
}

/* Time asleep must count: a grace period is nothing else. The option is global, and there since the tracer is set. */
static int count_sleep(struct timing *t)
{
	_cleanup_free_ char *path = path_join(t->tracefs, "options/sleep-time");

	if (!path)
		return -ENOMEM;
	if (!top_is(t, "options/sleep-time", "0"))
		return 0;
	int err = undo_write(t->undo, path, "0");

	return err ? err : write_file(path, "1");
}

static int add_events(struct timing *t, struct diags *diags)
{
	static const char *const events[] = {"funcgraph_entry", "funcgraph_exit"};
	int err = 0;

	for (size_t i = 0; !err && i < ARRAY_SIZE(events); i++)
		err = trace_add_event(t, "ftrace", events[i]);
	return err ? diag_error(diags, err, "the event formats in %s cannot be read: %s", t->tracefs,
				strerror(-err))
		   : 0;
}

static int graph_open(struct timing *t, struct diags *diags)
{
	int err = trace_prepare(t, diags);
	bool own = true;

	if (err)
		return err;
	if (!t->symbols.items[0].address)
		return diag_error(diags, -EPERM,
				  "the kernel hides its functions' addresses (kernel.kptr_restrict)");
	if (!tracefs_tracer_available(t->tracefs, "function_graph"))
		return diag_error(diags, -ENOENT, "this kernel has no function_graph tracer");
	err = graph_in_instance(t);
	if (err) {
		tracefs_instance_free(t->handle);
		t->handle = NULL;
		own = false;
		err = undo_to(t->undo, t->undo_mark, diags);
		if (!err)
			err = graph_at_top(t, diags);
	}
	if (!err)
		err = count_sleep(t);
	if (!err)
		err = add_events(t, diags);
	if (!err)
		err = trace_ready(t, diags);
	if (err)
		return err;
	t->resolution_ns = 1;
	t->description = strdup(own ? "ftrace function_graph, own instance" : "ftrace function_graph");
	return t->description ? 0 : -ENOMEM;
}

static int graph_record(struct timing *t, struct tep_event *event, struct tep_record *record)
{
	unsigned long long address, start, end;
	bool is_exit = !strcmp(event->name, "funcgraph_exit");
	const struct symbol *symbol;

	if (!is_exit && strcmp(event->name, "funcgraph_entry"))
		return 0;
	if (tep_get_field_val(NULL, event, "func", record, &address, 0))
		return -EPROTO;
	symbol = symbols_at(&t->symbols, address);
	if (!symbol)
		return 0;
	size_t at = (size_t)(symbol - t->symbols.items);

	if (!is_exit)
		return trace_call_begin(t, at, record->ts);
	/* Some versions keep both times in the last record, others only the difference of the two records. */
	if (!tep_get_field_val(NULL, event, "calltime", record, &start, 0) &&
	    !tep_get_field_val(NULL, event, "rettime", record, &end, 0))
		return trace_add_span(t, at, start, end);
	return trace_call_end(t, at, record->ts);
}

static int graph_end(struct timing *t)
{
	return trace_end(t, graph_record);
}

const struct timing_backend timing_graph = {graph_open, trace_begin, graph_end};
