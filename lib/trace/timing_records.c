// SPDX-License-Identifier: GPL-2.0-or-later
/* What function_graph and kprobes have in common: a tracefs, an instance, records read from its buffers. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/util.h"
#include "trace/timing_internal.h"

static const char instance_name[] = "memmapctl";

char *path_join(const char *dir, const char *file)
{
	char *path;

	return asprintf(&path, "%s/%s", dir, file) < 0 ? NULL : path;
}

static void note_roles(struct timing *t)
{
	for (size_t i = 0; i < t->symbols.nr; i++)
		t->roles |= 1U << t->symbols.items[i].role;
}

int trace_prepare(struct timing *t, struct diags *diags)
{
	const char *dir;
	int err;

	/* Never mount it: that, too, would change the host. */
	if (tracefs_tracing_dir_is_mounted(false, &dir) <= 0 || !dir || !*dir)
		return diag_error(
			diags, -ENOENT,
			"tracefs is not mounted (mount -t tracefs nodev /sys/kernel/tracing), or this "
			"kernel has none");
	t->tracefs = strdup(dir);
	if (!t->tracefs)
		return -ENOMEM;
	if (access(t->tracefs, R_OK | W_OK | X_OK))
		return diag_error(diags, -errno, "%s: %s", t->tracefs, strerror(errno));
	if (tracefs_set_tracing_dir(t->tracefs))
		return diag_error(diags, -EIO, "%s cannot be used", t->tracefs);
	err = symbols_find(t->root, t->tracefs, traced_functions, &t->symbols);
	if (err)
		return diag_error(diags, err, "this kernel shows no function that could be timed");
	note_roles(t);
	return 0;
}

int trace_make_instance(struct timing *t)
{
	_cleanup_free_ char *instances = path_join(t->tracefs, "instances");
	int err;

	t->instance = instances ? path_join(instances, instance_name) : NULL;
	if (!t->instance)
		return -ENOMEM;
	err = undo_rmdir(t->undo, t->instance);
	if (err)
		return err;
	if (mkdir(t->instance, 0700) && errno != EEXIST)
		return -errno;
	t->handle = tracefs_instance_alloc(t->tracefs, instance_name);
	return t->handle ? 0 : -ENOMEM;
}

/* Not libtracefs's own loading of formats: that reads the kernel's symbols, too, which takes longer than many a bind. */
static int new_tep(struct timing *t)
{
	_cleanup_free_ char *header = NULL;
	int err = root_read(t->root, &header, "%s/events/header_page", t->tracefs);

	if (err)
		return err;
	t->tep = tep_alloc();
	if (!t->tep)
		return -ENOMEM;
	tep_set_page_size(t->tep, (int)sysconf(_SC_PAGESIZE));
	tep_set_long_size(t->tep, sizeof(long));
	tep_set_local_bigendian(t->tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_file_bigendian(t->tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	return tep_parse_header_page(t->tep, header, strlen(header), sizeof(long)) ? -EPROTO : 0;
}

int trace_add_event(struct timing *t, const char *system, const char *event)
{
	_cleanup_free_ char *format = NULL;
	int err = t->tep ? 0 : new_tep(t);

	if (!err)
		err = root_read(t->root, &format, "%s/events/%s/%s/format", t->tracefs, system, event);
	if (err)
		return err;
	return tep_parse_event(t->tep, format, strlen(format), system) ? -EPROTO : 0;
}

static int set_tracing(struct timing *t, const char *on)
{
	return pwrite(t->tracing_on, on, 1, 0) == 1 ? 0 : -errno;
}

/* Off until begun, and empty: from then on all is read, so that it need not be cleared again, which takes a grace period. */
static int clear(struct timing *t)
{
	_cleanup_free_ char *trace = path_join(t->instance, "trace");
	int err = set_tracing(t, "0");

	if (err)
		return err;
	return trace ? clear_file(trace) : -ENOMEM;
}

int trace_ready(struct timing *t, struct diags *diags)
{
	_cleanup_free_ char *on = path_join(t->instance, "tracing_on");

	t->tracing_on = on ? open(on, O_WRONLY | O_CLOEXEC) : -1;
	if (t->tracing_on < 0)
		return diag_error(diags, -errno, "%s/tracing_on: %s", t->instance, strerror(errno));
	int err = clear(t);

	return err ? diag_error(diags, err, "%s/trace: %s", t->instance, strerror(-err)) : 0;
}

int trace_begin(struct timing *t)
{
	return set_tracing(t, "1");
}

int trace_call_begin(struct timing *t, size_t symbol, uint64_t ns)
{
	struct open_call *call = array_grow(&t->open_calls, &t->nr_open, sizeof(*call));

	if (!call)
		return -ENOMEM;
	*call = (struct open_call){symbol, ns};
	return 0;
}

int trace_call_end(struct timing *t, size_t symbol, uint64_t ns)
{
	/* The innermost call of it; calls whose end was lost are above it on the stack. */
	for (size_t i = t->nr_open; i-- > 0;) {
		if (t->open_calls[i].symbol != symbol)
			continue;
		t->nr_open = i;
		return trace_add_span(t, symbol, t->open_calls[i].start_ns, ns);
	}
	return 0;
}

int trace_add_span(struct timing *t, size_t symbol, uint64_t start_ns, uint64_t end_ns)
{
	struct span *span;

	if (end_ns < start_ns) /* clocks of two CPUs */
		return 0;
	span = array_grow(&t->spans, &t->nr_spans, sizeof(*span));
	if (!span)
		return -ENOMEM;
	*span = (struct span){t->symbols.items[symbol].role, start_ns, end_ns};
	return 0;
}

struct reading {
	struct timing *t;
	trace_record_fn callback;
};

static int read_record(struct tep_event *event, struct tep_record *record, int cpu, void *context)
{
	struct reading *r = context;

	(void)cpu;
	if (record->missed_events)
		r->t->result->lost_events += record->missed_events > 0 ? (uint64_t)record->missed_events : 1;
	if (tep_data_pid(event->tep, record) != r->t->thread)
		return 0;
	r->t->error = r->callback(r->t, event, record);
	return r->t->error ? -1 : 0;
}

int trace_end(struct timing *t, trace_record_fn callback)
{
	struct reading reading = {t, callback};
	int err = set_tracing(t, "0");

	if (err)
		return err;
	if (tracefs_iterate_raw_events(t->tep, t->handle, NULL, 0, read_record, &reading) < 0 && !t->error)
		return -EIO;
	return t->error;
}
