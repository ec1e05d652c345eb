// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/kernel_rebind.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "measure/kernel_counts.h"
#include "measure/kernel_log_tail.h"

/* One of the two halves of a cycle. Samples are kept as they come; runs are made of them at the end. */
struct half {
	enum event_id event;
	const char *verb; /* "bind" */
	char *file;       /* what the device's name is written to */
	double *total_ns;
	double *role_ns[NR_ROLES];
	uint64_t role_calls[NR_ROLES];
	uint32_t log_lines, log_lines_apart; /* as in struct obs_run */
	size_t nr;                           /* samples in each of them */
};

struct rebind {
	const struct kernel_device *device;
	const struct kernel_rebind_options *o;
	struct diags *diags;
	struct half unbind, bind;
	uint64_t lost_events;
	struct kernel_counts *counts; /* NULL: not counted */
	bool miscounted;              /* and not what geometry says */
	int kmsg;                     /* what the kernel says while we work */
};

static void free_half(struct half *h)
{
	free(h->file);
	free(h->total_ns);
	for (int r = 0; r < NR_ROLES; r++)
		free(h->role_ns[r]);
}

static int init_half(struct half *h, const struct rebind *r, enum event_id event, const char *verb)
{
	*h = (struct half){.event = event, .verb = verb};
	h->total_ns = calloc(r->o->cycles, sizeof(*h->total_ns));
	for (int role = 0; role < NR_ROLES; role++) {
		h->role_ns[role] = calloc(r->o->cycles, sizeof(*h->role_ns[role]));
		if (!h->role_ns[role])
			return -ENOMEM;
	}
	if (asprintf(&h->file, "%s/%s", r->device->driver_dir, verb) < 0) {
		h->file = NULL;
		return -ENOMEM;
	}
	return h->total_ns ? 0 : -ENOMEM;
}

static int refused(struct rebind *r, const struct half *h, int err)
{
	_cleanup_free_ char *said = kernel_log_tail(r->kmsg, r->device->bound);

	return diag_error(r->diags, -EIO, "%s: the kernel refused to %s %s: %s%s%s", r->device->name, h->verb,
			  r->device->bound, strerror(-err), said ? "; it says: " : "", said ? said : "");
}

/* Against the kernel's own line: it counts in jiffies, so that each is true to one of them. */
static void compare_log(const struct rebind *r, struct half *h, const struct role_time *log, double traced_ns)
{
	if (!log->calls)
		return;
	h->log_lines++;
	if (fabs((double)log->ns - traced_ns) > timing_resolution_ns(r->o->log) * log->calls)
		h->log_lines_apart++;
}

static int begin(struct rebind *r)
{
	int err = r->o->log ? timing_begin(r->o->log) : 0;

	if (!err)
		err = timing_begin(r->o->timing);
	return err ? diag_error(r->diags, err, "tracing cannot be started: %s", strerror(-err)) : 0;
}

/*
 * A half ends with a grace period, and so with a timer tick: begun there, the next would find every wait in it as long
 * as in the cycle before, and all samples would be wrong by the same part of a tick. Pauses that divide the longest tick
 * evenly make each a draw of its own; the golden ratio's multiples do. Not slept: where timers are coarse, as in an
 * emulated guest, a sleep ends with a tick; and not before tracing starts, which ends with a grace period as well.
 */
static void leave_the_tick(const struct rebind *r, size_t nth)
{
	const double share = fmod(0.6180339887498949 * (double)(nth + 1), 1);
	const uint64_t start = clock_now_ns(r->o->clock), longest_tick_ns = 10 * NS_PER_MS;

	while (clock_now_ns(r->o->clock) - start < (uint64_t)(share * (double)longest_tick_ns))
		;
}

static int run_half(struct rebind *r, struct half *h)
{
	struct timing_result result = {0}, log = {0};
	uint64_t start, end;
	int err = begin(r), ended;

	if (err)
		return err;
	leave_the_tick(r, 2 * h->nr + (h == &r->bind));
	start = clock_now_ns(r->o->clock);
	err = write_file(h->file, r->device->bound);
	end = clock_now_ns(r->o->clock);
	ended = timing_end(r->o->timing, &result);
	if (!ended && r->o->log)
		ended = timing_end(r->o->log, &log);
	if (err)
		return refused(r, h, err);
	if (ended)
		return diag_error(r->diags, ended, "the trace cannot be read: %s", strerror(-ended));
	h->total_ns[h->nr] = (double)(end - start);
	for (int role = 0; role < NR_ROLES; role++) {
		h->role_ns[role][h->nr] = (double)result.roles[role].ns;
		h->role_calls[role] += result.roles[role].calls;
	}
	if (timing_has(r->o->timing, ROLE_MEMMAP_INIT))
		compare_log(r, h, &log.roles[ROLE_MEMMAP_INIT], (double)result.roles[ROLE_MEMMAP_INIT].ns);
	h->nr++;
	r->lost_events += result.lost_events;
	return 0;
}

static bool stopped(const struct rebind *r)
{
	return r->o->stop && *r->o->stop;
}

static int run_cycles(struct rebind *r)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < r->o->cycles; i++) {
		if (stopped(r))
			return -EINTR;
		if (r->o->progress)
			r->o->progress(r->o->progress_ctx, i, r->o->cycles,
				       i ? r->unbind.total_ns[i - 1] + r->bind.total_ns[i - 1] : 0);
		err = run_half(r, &r->unbind);
		if (!err)
			err = run_half(r, &r->bind);
	}
	if (!err && r->o->progress)
		r->o->progress(r->o->progress_ctx, r->o->cycles, r->o->cycles, 0);
	return err;
}

static int plain_half(struct rebind *r, const struct half *h)
{
	int err = write_file(h->file, r->device->bound);

	return err ? refused(r, h, err) : 0;
}

/* A rebind of its own: each counted call costs time. That it cannot be had here is worth knowing, but no error. */
static int count_once(struct rebind *r)
{
	_cleanup_diags_ struct diags why = {0};
	int err = kernel_counts_open(r->o->root, r->o->undo, &why, &r->counts), ended;

	if (err) {
		for (size_t i = 0; i < why.nr; i++)
			diag_add(r->diags, DIAG_NOTE, NULL, 0, 0, "%s: calls cannot be counted: %s",
				 r->device->name, why.items[i].text);
		return err == -ENOMEM ? err : 0;
	}
	err = plain_half(r, &r->unbind);
	if (!err)
		err = plain_half(r, &r->bind);
	ended = kernel_counts_end(r->counts, r->diags);
	return err ? err : ended;
}

/* The addend of geometry's that a stage is counted in: the one in the stage's own unit, or else the first. */
static const struct work_term *term_of(const struct device_work *work, enum stage_id stage)
{
	const struct work_term *first = NULL;

	for (size_t i = 0; work && i < work->terms.nr; i++) {
		const struct work_term *t = &work->terms.items[i];

		if (t->stage != stage || !t->units)
			continue;
		if (t->unit == stages[stage].unit)
			return t;
		first = first ? first : t;
	}
	return first;
}

static struct obs_run *add_run(struct rebind *r, struct observations *obs, const struct half *h,
			       enum stage_id stage)
{
	const struct work_term *term = stage == STAGE_TOTAL ? NULL : term_of(r->o->work, stage);
	struct obs_run *run = observations_add_run(obs);

	if (!run)
		return NULL;
	run->device = strdup(r->device->name);
	run->event = h->event;
	run->stage = stage;
	run->unit = term ? term->unit : UNIT_ONCE;
	run->kind = term ? term->kind : KIND_NONE;
	run->units = run->measured_units = term ? term->units : 1;
	return run->device ? run : NULL;
}

/* The first bind apart: it may touch memory that the later ones find warm. */
static int set_samples(struct obs_run *run, const double *ns, size_t nr)
{
	int err = 0;

	run->first_ns = nr ? ns[0] : 0;
	for (size_t i = 1; !err && i < nr; i++)
		err = obs_run_add_sample(run, ns[i]);
	return err ? err : obs_run_summarize(run);
}

/* The median of the later ones, or the only one. */
static int median_of(const double *ns, size_t nr, double *out)
{
	struct summary s;
	int err = nr > 1 ? summary_of(ns + 1, nr - 1, &s) : 0;

	*out = nr > 1 ? s.median : nr ? ns[0] : 0;
	return err;
}

struct stage_of_role {
	enum span_role role;
	enum stage_id stage;
};

/* What a half consists of. */
struct half_stages {
	const struct stage_of_role *items;
	size_t nr;
	enum stage_id
		rest; /* what the rest is called; STAGE_TOTAL: no stage of its own, the total's note names it */
};

/* What a rest consists of, in medians: named, not lumped. */
static int note_parts(const struct half *h, const double *outside, struct obs_run *run)
{
	char ns[4][UNITS_STR];
	double part, calls = h->nr ? (double)h->role_calls[ROLE_GRACE_PERIOD] / (double)h->nr : 0;
	int err = 0;

	for (int role = ROLE_GRACE_PERIOD; !err && role < NR_ROLES; role++) {
		err = median_of(h->role_ns[role], h->nr, &part);
		duration_human(ns[role - ROLE_GRACE_PERIOD], part);
	}
	if (!err)
		err = median_of(outside, h->nr, &part);
	if (err)
		return err;
	run->unnamed_ns = fmax(part, 0);
	return obs_run_set_note(
		run,
		"beside the stages, median: %s in %.3g grace periods, %s in devices and uevents, %s in "
		"drivers and their core, "
		"%s outside them",
		ns[0], calls, ns[1], ns[2], duration_human(ns[3], part));
}

/* The whole less its stages, and what of that lies outside all traced functions. */
static int add_rest(struct rebind *r, struct observations *obs, const struct half *h,
		    const struct half_stages *parts)
{
	_cleanup_free_ double *rest = calloc(h->nr + 1, sizeof(*rest));
	_cleanup_free_ double *outside = calloc(h->nr + 1, sizeof(*outside));
	struct obs_run *run = rest && outside ? add_run(r, obs, h, parts->rest) : NULL;
	int err;

	if (!run)
		return -ENOMEM;
	for (size_t i = 0; i < h->nr; i++) {
		rest[i] = h->total_ns[i];
		for (size_t s = 0; s < parts->nr; s++)
			rest[i] -= h->role_ns[parts->items[s].role][i];
		outside[i] = rest[i];
		for (int role = ROLE_GRACE_PERIOD; role < NR_ROLES; role++)
			outside[i] -= h->role_ns[role][i];
	}
	err = note_parts(h, outside, run);
	return err ? err : set_samples(run, parts->rest == STAGE_TOTAL ? h->total_ns : rest, h->nr);
}

static int add_total(struct rebind *r, struct observations *obs, const struct half *h)
{
	struct obs_run *run = add_run(r, obs, h, STAGE_TOTAL);

	return run ? set_samples(run, h->total_ns, h->nr) : -ENOMEM;
}

/* What the kernel itself says of a stage. Another count is reported, and the stages after it are added all the same. */
static int add_opinions(struct rebind *r, const struct half *h, enum span_role role, struct obs_run *run)
{
	int err = r->counts ? kernel_counts_apply(r->counts, r->diags, run) : 0;

	if (role == ROLE_MEMMAP_INIT) {
		run->log_lines = h->log_lines;
		run->log_lines_apart = h->log_lines_apart;
	}
	if (err != -EBADMSG)
		return err;
	r->miscounted = true;
	return 0;
}

static int add_stages(struct rebind *r, struct observations *obs, const struct half *h,
		      const struct half_stages *parts)
{
	bool all = true;
	int err = 0;

	for (size_t s = 0; !err && s < parts->nr; s++) {
		const struct stage_of_role *stage = &parts->items[s];
		struct obs_run *run;

		if (!timing_has(r->o->timing, stage->role)) {
			diag_add(r->diags, DIAG_NOTE, NULL, 0, 0, "%s: %s cannot be timed here by %s",
				 r->device->name, role_name(stage->role), timing_description(r->o->timing));
			all = false;
			continue;
		}
		run = add_run(r, obs, h, stage->stage);
		err = run ? set_samples(run, h->role_ns[stage->role], h->nr) : -ENOMEM;
		if (!err)
			err = add_opinions(r, h, stage->role, run);
	}
	if (!err && all)
		err = add_rest(r, obs, h, parts);
	if (!err && (!all || parts->rest != STAGE_TOTAL))
		err = add_total(r, obs, h);
	return err;
}

static int add_runs(struct rebind *r, struct observations *obs)
{
	static const struct stage_of_role of_bind[] = {
		{ROLE_ADD_MEMORY,  STAGE_ADD_MEMORY },
		{ROLE_MOVE_ZONE,   STAGE_MOVE_ZONE  },
		{ROLE_MEMMAP_INIT, STAGE_MEMMAP_INIT}
        };
	static const struct stage_of_role of_unbind[] = {
		{ROLE_REMOVE_MEMORY, STAGE_REMOVE_MEMORY}
        };
	static const struct half_stages bind = {of_bind, ARRAY_SIZE(of_bind), STAGE_DRIVER};
	static const struct half_stages unbind = {of_unbind, ARRAY_SIZE(of_unbind), STAGE_TOTAL};
	int err = 0;

	timing_tell_lost(r->device->name, r->lost_events, r->diags);
	if (r->bind.nr)
		err = add_stages(r, obs, &r->bind, &bind);
	if (!err && r->unbind.nr)
		err = add_stages(r, obs, &r->unbind, &unbind);
	return err;
}

/* How to bind again outlives us: written down before anything is touched. */
static int note_undo(struct rebind *r)
{
	_cleanup_free_ char *driver = NULL;

	if (asprintf(&driver, "%s/driver", r->device->device_dir) < 0) {
		driver = NULL;
		return -ENOMEM;
	}
	return undo_write_unless(r->o->undo, driver, r->bind.file, r->device->bound);
}

int kernel_rebind(const struct kernel_device *device, const struct kernel_rebind_options *options,
		  struct diags *diags, struct observations *obs)
{
	struct rebind r = {.device = device, .o = options, .diags = diags};
	size_t mark = undo_pending(options->undo);
	int err = init_half(&r.unbind, &r, EVENT_UNBIND, "unbind"), added = 0, put_back;

	r.kmsg = kernel_log_tail_open();
	if (!err)
		err = init_half(&r.bind, &r, EVENT_BIND, "bind");
	if (!err)
		err = note_undo(&r);
	if (!err) {
		err = run_cycles(&r);
		if (!err && options->count)
			err = count_once(&r);
		added = add_runs(&r, obs);
	}
	if (err)
		obs->incomplete = true;
	put_back = undo_to(options->undo, mark, diags);
	kernel_log_complaints(r.kmsg, diags);
	kernel_counts_free(r.counts);
	free_half(&r.unbind);
	free_half(&r.bind);
	close_fd(&r.kmsg);
	err = err ? err : added ? added : put_back;
	return !err && r.miscounted ? -EBADMSG : err;
}
