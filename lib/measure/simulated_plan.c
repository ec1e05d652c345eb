// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/simulated_internal.h"

#include <errno.h>
#include <string.h>

#include "measure/budget.h"

enum { CACHE_LOOP_PAGES = 1 << 19 }; /* a timed run in the cache: a few milliseconds */

/* Where x86-64's vmemmap starts (any address would do, as long as it is always the same) and a PFN above 4 GiB that every compound order divides. */
#define VMEMMAP_BASE 0xffffea0000000000ULL
#define START_PFN    (16ULL << SIMULATED_ORDER_1G)

static bool can_run(const struct initpath_routine *routine, enum page_kind kind)
{
	return routine->kinds & (1u << kind) && (!routine->usable || routine->usable());
}

static bool is_wanted(const struct simulated_options *o, const struct initpath_routine *r,
		      enum page_kind kind)
{
	if (!(o->paths & (1u << r->path)) || !(o->codegens & (1u << r->codegen)) || !can_run(r, kind))
		return false;
	if (!o->routines)
		return true;
	for (const char *const *name = o->routines; *name; name++) {
		if (!strcmp(*name, r->name))
			return true;
	}
	return false;
}

static const struct initpath_routine *baseline_of(enum page_kind kind)
{
	size_t nr;
	const struct initpath_routine *routines = initpath_routines(&nr);

	for (size_t i = 0; i < nr; i++) {
		if (routines[i].path == PATH_BASELINE && routines[i].codegen == CODEGEN_DEFAULT &&
		    can_run(&routines[i], kind))
			return &routines[i];
	}
	return NULL;
}

static bool is_compound(enum page_kind kind)
{
	return kind == KIND_ZD_COMPOUND || kind == KIND_HUGETLB;
}

/* A bootmem gigantic page is 1 GiB; a description or a window too small for one is simulated with 2 MiB pages. */
unsigned int simulated_order(const struct simulated_options *o, enum page_kind kind, uint64_t nr_pages)
{
	if (!is_compound(kind))
		return 0;
	if (o->order)
		return o->order;
	return kind == KIND_HUGETLB && nr_pages >> SIMULATED_ORDER_1G ? SIMULATED_ORDER_1G
								      : SIMULATED_ORDER_2M;
}

enum stage_id simulated_stage(enum page_kind kind)
{
	switch (kind) {
	case KIND_HUGETLB:
		return STAGE_HUGETLB_TAILS;
	case KIND_ORDINARY:
		return STAGE_MEMMAP_DEFERRED;
	default:
		return STAGE_MEMMAP_INIT;
	}
}

static struct task *add_task(struct simulation *sim, struct initpath_args args, unsigned int loops)
{
	struct task *task = array_grow(&sim->tasks, &sim->nr_tasks, sizeof(*task));

	if (!task)
		return NULL;
	task->arena = &sim->arena;
	task->args = args;
	task->loops = loops;
	task->scale = 1;
	task->workers = sim->arena.workers;
	return task;
}

struct initpath_args simulated_args(const struct simulation *sim, enum page_kind kind, unsigned int order,
				    uint64_t nr_pages)
{
	return (struct initpath_args){
		.version = sim->options->version,
		.kind = kind,
		.memmap = sim->arena.memmap,
		.start_pfn = START_PFN,
		.nr_pages = nr_pages,
		.order = order,
		.vmemmap_base = VMEMMAP_BASE,
	};
}

/* Runs are added before any task points at one: adding may move them. */
static int add_run(struct simulation *sim, const struct task *task, enum obs_window window, uint64_t units)
{
	struct obs_run *run = observations_add_run(sim->obs);

	if (!run)
		return -ENOMEM;
	run->routine = strdup(task->routine->name);
	run->codegen = strdup(codegen_name(task->routine->codegen));
	run->path = task->routine->path;
	run->kind = task->args.kind;
	run->stage = simulated_stage(task->args.kind);
	run->event = stages[run->stage].event;
	run->unit = UNIT_STRUCT_PAGES;
	run->window = window;
	run->order = task->args.order;
	run->units = units;
	run->measured_units = task->args.nr_pages * task->loops;
	run->threads = task->split.workers;
	run->text_bytes = task->routine->text_bytes;
	return run->routine && run->codegen ? 0 : -ENOMEM;
}

static int add_memory_task(struct simulation *sim, const struct initpath_routine *routine,
			   enum page_kind kind)
{
	uint64_t window = sim->buffer.bytes / STRUCT_PAGE_BYTES;
	unsigned int order = simulated_order(sim->options, kind, window);
	uint64_t units = round_down_pow2(sim->options->nr_pages, 1ULL << order);
	uint64_t pages = round_down_pow2(window, 1ULL << order);
	struct task *task = add_task(sim, simulated_args(sim, kind, order, pages), 1);

	if (!task)
		return -ENOMEM;
	task->routine = routine;
	task->baseline = baseline_of(kind);
	task->scale = (double)units / (double)pages;
	task->split = split_range(pages, MAX(1ULL << order, PAGES_PER_SECTION), sim->options->threads);
	return add_run(sim, task, OBS_WINDOW_MEMORY, units);
}

/*
 * What the CPU alone needs for a struct page: the same array over and over, in the cache. Non-temporal stores go
 * past the cache, so there is nothing of theirs to see. The order is the small one: a 1 GiB page's struct pages do not
 * fit in a second-level cache, and but for the head its tails cost the same.
 */
static int add_cache_task(struct simulation *sim, const struct initpath_routine *routine, enum page_kind kind)
{
	unsigned int order = is_compound(kind) ? SIMULATED_ORDER_2M : 0;
	uint64_t pages = budget_cache_pages(order, &sim->memory);
	struct task *task;

	if (routine->path == PATH_TEMPLATE_NT || pages > sim->buffer.bytes / STRUCT_PAGE_BYTES)
		return 0;
	task = add_task(sim, simulated_args(sim, kind, order, pages),
			(unsigned int)div_round_up(CACHE_LOOP_PAGES, pages));
	if (!task)
		return -ENOMEM;
	task->routine = routine;
	task->baseline = baseline_of(kind);
	task->workers = sim->arena.one_worker;
	task->split = split_range(pages, 1, 1);
	return add_run(sim, task, OBS_WINDOW_CACHE, pages * task->loops);
}

static int add_routines(struct simulation *sim, enum page_kind kind)
{
	size_t nr;
	const struct initpath_routine *routines = initpath_routines(&nr);

	for (size_t i = 0; i < nr; i++) {
		int err = 0;

		if (is_wanted(sim->options, &routines[i], kind))
			err = add_memory_task(sim, &routines[i], kind);
		if (!err && is_wanted(sim->options, &routines[i], kind))
			err = add_cache_task(sim, &routines[i], kind);
		if (err)
			return err;
	}
	return 0;
}

static int add_streams(struct simulation *sim)
{
	uint64_t pages = sim->buffer.bytes / STRUCT_PAGE_BYTES;

	for (size_t i = 0; i < arch_ops.nr_streams; i++) {
		struct task *task;

		if (!arch_stream_usable(&arch_ops.streams[i]))
			continue;
		task = add_task(sim, simulated_args(sim, KIND_NONE, 0, pages), 1);
		if (!task || !array_grow(&sim->stream_runs, &sim->nr_stream_runs, sizeof(*sim->stream_runs)))
			return -ENOMEM;
		task->stream = &arch_ops.streams[i];
		task->split = split_range(pages, PAGES_PER_SECTION, sim->options->threads);
	}
	return 0;
}

int simulated_plan(struct simulation *sim)
{
	size_t stream = 0, run = 0;
	int err = add_streams(sim);

	for (int kind = 0; !err && kind < NR_KINDS; kind++) {
		if (sim->options->kinds & (1u << kind))
			err = add_routines(sim, (enum page_kind)kind);
	}
	if (err)
		return err;
	if (!sim->obs->nr_runs)
		return diag_error(sim->diags, -EINVAL,
				  "no routine is left to run: --kind, --path, --routine and --codegen "
				  "exclude each other "
				  "(--list shows what there is)");
	for (size_t i = 0; i < sim->nr_tasks; i++)
		sim->tasks[i].run =
			sim->tasks[i].stream ? &sim->stream_runs[stream++] : &sim->obs->runs[run++];
	return 0;
}
