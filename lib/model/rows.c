// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "model/described.h"

struct adding {
	struct obs_rows *rows;
	const struct observations *obs;
	struct diags *diags;
	struct described_hosts hosts;
};

static int reject(const struct adding *a, const struct obs_run *run, int err, const char *fmt, ...)
	_printf_(4, 5);

static int reject(const struct adding *a, const struct obs_run *run, int err, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = text_formatv(fmt, ap);
	va_end(ap);
	diag_add(a->diags, DIAG_ERROR, a->obs->file, 0, 0, ".runs[%td]: %s", run - a->obs->runs,
		 text ? text : "out of memory");
	return err;
}

static int add_term(struct work_terms *terms, const struct work_term *term)
{
	struct work_term *copy = array_grow(&terms->items, &terms->nr, sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	*copy = *term;
	return 0;
}

static bool wanted(const struct obs_run *run, const struct work_term *term)
{
	if (run->stage == STAGE_TOTAL)
		return stages[term->stage].event == run->event;
	/* A boot's log shows when both are done: what makes hugepages optimises them before it ends. */
	if ((run->stage == STAGE_HUGETLB_TAILS || run->stage == STAGE_HUGETLB_ALLOC) &&
	    run->unit == UNIT_HUGEPAGES && term->stage == STAGE_HVO_REMAP)
		return true;
	return term->stage == run->stage;
}

static int add_wanted(struct work_terms *terms, const struct obs_run *run, const struct work_terms *from)
{
	for (size_t i = 0; i < from->nr; i++) {
		if (wanted(run, &from->items[i]) && add_term(terms, &from->items[i]))
			return -ENOMEM;
	}
	return 0;
}

/* What happens between kernel start and /init beside the memory map: once, however large the host. */
static const struct work_term boot_rest = {
	.stage = STAGE_BOOT_REST,
	.unit = UNIT_ONCE,
	.kind = KIND_NONE,
	.units = 1,
	.parallel = 1,
	.formula = "1",
	.rule = "what is left of kernel start to /init",
};

/* Beside the map of RAM, arm64 maps all of it by base pages: a part of kernel start that grows with RAM. */
static struct work_term boot_direct_map(const struct work *work)
{
	return (struct work_term){
		.stage = STAGE_BOOT_REST,
		.unit = UNIT_DIRECT_MAP_PTES,
		.kind = KIND_NONE,
		.units = work->rules.pte_direct_map ? work->boot.struct_pages : 0,
		.parallel = 1,
		.formula = "RAM/P",
		.rule = "arch/arm64/mm/mmu.c: map_mem, can_set_direct_map",
	};
}

static int boot_terms(const struct obs_run *run, const struct work *work, struct work_terms *terms)
{
	const struct work_term direct_map = boot_direct_map(work);
	int err = add_wanted(terms, run, &work->boot.terms);

	for (size_t i = 0; !err && i < work->nr_pools; i++)
		err = add_wanted(terms, run, &work->pools[i].terms);
	if (!err && wanted(run, &boot_rest))
		err = add_term(terms, &boot_rest);
	if (!err && wanted(run, &direct_map) && direct_map.units)
		err = add_term(terms, &direct_map);
	return err;
}

static int device_terms(const struct adding *a, const struct obs_run *run, const struct work *work,
			struct work_terms *terms)
{
	const struct device_work *device;

	if (!run->device)
		return reject(a, run, -EINVAL, "names a host but no device");
	device = described_device(work, run->device);
	if (device)
		return add_wanted(terms, run, &device->terms);
	return reject(a, run, -EINVAL, "%s has no device \"%s\"", run->host, run->device);
}

/* Is the work that the run states what the description's geometry says? A description of another host shows here. */
static void compare_units(const struct adding *a, const struct obs_run *run, const struct work_terms *terms)
{
	uint64_t units = 0;

	if (run->unit == UNIT_ONCE || !run->units)
		return;
	for (size_t i = 0; i < terms->nr; i++) {
		if (terms->items[i].unit == run->unit &&
		    (run->kind == KIND_NONE || terms->items[i].kind == run->kind))
			units += terms->items[i].units;
	}
	/* the units stated may be others than those that costs are known for */
	if (units && units != run->units)
		diag_add(a->diags, DIAG_WARNING, a->obs->file, 0, 0,
			 ".runs[%td]: states %" PRIu64 " %s, but %s has %" PRIu64 " there; that is taken",
			 run - a->obs->runs, run->units, unit_name(run->unit), run->host, units);
}

static int described_terms(struct adding *a, const struct obs_run *run, struct obs_row *row)
{
	struct described d;
	int err = described_host(&a->hosts, a->obs, run->host, a->diags, &d);

	if (err)
		return err;
	row->bytes_per_struct_page = (double)d.host->struct_page_bytes;
	if (run->event == EVENT_BOOT || run->event == EVENT_HUGEPAGE)
		err = boot_terms(run, d.work, &row->terms);
	else
		err = device_terms(a, run, d.work, &row->terms);
	if (err)
		return err;
	if (!row->terms.nr)
		return reject(a, run, -EINVAL, "%s%s%s has no work in the stage %s", run->host,
			      run->device ? ": " : "", run->device ? run->device : "",
			      stage_name(run->stage));
	compare_units(a, run, &row->terms);
	return 0;
}

static int stated_terms(const struct adding *a, const struct obs_run *run, struct obs_row *row)
{
	struct work_term term = {
		.stage = run->stage,
		.unit = run->unit,
		.kind = run->unit == UNIT_STRUCT_PAGES ? run->kind : KIND_NONE,
		.units = run->units,
		.parallel = MAX(run->threads, 1u),
		.formula = "as stated in the observations",
		.rule = "",
	};

	row->bytes_per_struct_page = 64;
	if (run->stage == STAGE_TOTAL)
		return reject(a, run, -EINVAL, "a total needs the host's description to be told apart");
	if (!run->units)
		return reject(a, run, -EINVAL, "no units and no host's description to count them from");
	return add_term(&row->terms, &term);
}

static double how_well_known(const struct observations *obs, const struct obs_run *run)
{
	/* a reading is off by up to one step of the clock, evenly; averaging shrinks that */
	double step = obs->env.resolution_ns / sqrt(12. * run->nr_averaged * (double)run->nr_samples);

	return hypot(step, run->summary.stddev / sqrt((double)run->nr_samples));
}

/* A device, else the host ("gpu-node" of "../hosts/gpu-node.yaml"), else what was counted. */
static char *name_of(const struct obs_run *run)
{
	const char *slash = run->host ? strrchr(run->host, '/') : NULL, *name, *dot;

	if (run->device)
		return strdup(run->device);
	if (!run->host)
		return strdup(run->unit == UNIT_STRUCT_PAGES ? kind_name(run->kind) : unit_name(run->unit));
	name = slash ? slash + 1 : run->host;
	dot = strrchr(name, '.');
	return strndup(name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

/* A new row at the end, or NULL; what it has is freed by obs_rows_free even when it is never finished. */
static struct obs_row *new_row(struct adding *a, const struct obs_run *run)
{
	struct obs_row *row = array_grow(&a->rows->items, &a->rows->nr, sizeof(*row));

	if (!row)
		return NULL;
	*row = (struct obs_row){.from = a->obs, .run = run, .stage = run->stage, .event = run->event};
	row->path = run->path;
	row->what = name_of(run);
	row->nr_samples = run->nr_averaged * run->nr_samples;
	return row->what ? row : NULL;
}

static int terms_of(struct adding *a, const struct obs_run *run, struct obs_row *row)
{
	return run->host ? described_terms(a, run, row) : stated_terms(a, run, row);
}

static int add_run(struct adding *a, const struct obs_run *run)
{
	struct obs_row *row;

	if (!run->nr_samples)
		return 0;
	row = new_row(a, run);
	if (!row)
		return -ENOMEM;
	row->ns = run->summary.median;
	row->sd_ns = how_well_known(a->obs, run);
	return terms_of(a, run, row);
}

static bool same_device(const struct obs_run *a, const struct obs_run *b)
{
	return a->path == b->path && a->device && b->device && a->host && b->host &&
	       !strcmp(a->device, b->device) && !strcmp(a->host, b->host);
}

static bool has_first_bind(const struct obs_run *run)
{
	return run->event == EVENT_BIND && run->first_ns > 0 && run->nr_samples && run->host && run->device;
}

/* Of the stages of a bind and their total, only the total counts where both were timed. */
static bool counts_for_first_touch(const struct observations *obs, const struct obs_run *run)
{
	/* the fault that a first touch costs is the machine's below: none of the guest's instructions */
	if (!has_first_bind(run) || obs->env.instruction_clock)
		return false;
	for (size_t i = 0; run->stage != STAGE_TOTAL && i < obs->nr_runs; i++) {
		if (obs->runs[i].stage == STAGE_TOTAL && has_first_bind(&obs->runs[i]) &&
		    same_device(run, &obs->runs[i]))
			return false;
	}
	return true;
}

static struct obs_row *first_touch_row(struct adding *a, size_t first, const struct obs_run *run)
{
	for (size_t i = first; i < a->rows->nr; i++) {
		struct obs_row *row = &a->rows->items[i];

		if (row->stage == STAGE_FIRST_TOUCH && row->run->stage != STAGE_FIRST_TOUCH &&
		    same_device(row->run, run))
			return row;
	}
	return NULL;
}

static int add_first_touch(struct adding *a, size_t first, const struct obs_run *run)
{
	struct obs_run touch = *run; /* a view: nothing of it is freed */
	struct obs_row *row = first_touch_row(a, first, run);
	double extra_ns = fmax(0, run->first_ns - run->summary.median);

	if (row) {
		row->ns += extra_ns;
		row->sd_ns = hypot(row->sd_ns, how_well_known(a->obs, run));
		return 0;
	}
	row = new_row(a, run);
	if (!row)
		return -ENOMEM;
	row->stage = touch.stage = STAGE_FIRST_TOUCH;
	row->event = touch.event = EVENT_FIRST_BIND;
	touch.unit = UNIT_ONCE; /* the run's own units are another stage's */
	row->nr_samples = 1;
	row->ns = extra_ns;
	/* one first bind says nothing about how much the next one would differ: the clock's step is what is known */
	row->sd_ns = hypot(a->obs->env.resolution_ns / sqrt(12), how_well_known(a->obs, run));
	return described_terms(a, &touch, row);
}

static bool is_baseline_in_memory(const struct obs_run *run)
{
	return run->path == PATH_BASELINE && run->window == OBS_WINDOW_MEMORY && run->threads <= 1 &&
	       (!run->codegen || !strcmp(run->codegen, "default"));
}

/* The first baseline of a page kind is the kernel's own sequence; others are variations on it. */
static bool is_kernels_own_sequence(const struct observations *obs, const struct obs_run *run)
{
	if (!is_baseline_in_memory(run))
		return false;
	for (const struct obs_run *r = obs->runs; r < run; r++) {
		if (is_baseline_in_memory(r) && r->kind == run->kind)
			return false;
	}
	return true;
}

int obs_rows_add(struct obs_rows *rows, const struct observations *obs, struct diags *diags)
{
	struct adding a = {.rows = rows, .obs = obs, .diags = diags};
	bool race = observations_are_race(obs);
	size_t first = rows->nr;
	int err = 0;

	for (size_t i = 0; !err && i < obs->nr_runs; i++) {
		if (race && !is_kernels_own_sequence(obs, &obs->runs[i]))
			continue;
		err = add_run(&a, &obs->runs[i]);
	}
	for (size_t i = 0; !err && i < obs->nr_runs; i++) {
		if (counts_for_first_touch(obs, &obs->runs[i]))
			err = add_first_touch(&a, first, &obs->runs[i]);
	}
	described_hosts_free(&a.hosts);
	return err;
}

static void row_free(struct obs_row *row)
{
	free(row->what);
	free(row->terms.items);
}

void obs_rows_keep_path(struct obs_rows *rows, enum memmap_path path)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows->nr; i++) {
		if (rows->items[i].path == path)
			rows->items[kept++] = rows->items[i];
		else
			row_free(&rows->items[i]);
	}
	rows->nr = kept;
}

void obs_rows_free(struct obs_rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++)
		row_free(&rows->items[i]);
	free(rows->items);
	*rows = (struct obs_rows){0};
}
