// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/simulated.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "base/units.h"
#include "measure/budget.h"
#include "measure/buffer.h"
#include "measure/machine.h"
#include "measure/placement.h"
#include "measure/simulated_task.h"

enum {
	ORDER_2M = 9,
	ORDER_1G = 18,
	PAGES_PER_SECTION = 32768,  /* 128 MiB of 4K pages: what padata deals out */
	CACHE_LOOP_PAGES = 1 << 19, /* a timed run in the cache: a few milliseconds */
	HARNESS_PASSES = 64,
	DEFAULT_SCRATCH_PAGES = 16384,
};

/* Where the kernel's direct vmemmap starts and a PFN above 4 GiB that every compound order divides. */
#define VMEMMAP_BASE 0xffffea0000000000ULL
#define START_PFN    (16ULL << ORDER_1G)

struct simulation {
	const struct simulated_options *options;
	const struct simulated_hooks *hooks;
	struct diags *diags;
	struct machine_memory memory;
	struct placement placement;
	struct buffer buffer, scratch;
	struct arena arena;
	struct observations *obs;
	struct task *tasks;
	size_t nr_tasks;
	struct obs_run *stream_runs; /* of the streams, kept for the limits only */
	size_t nr_stream_runs;
};

const char *simulated_obstacle(const struct initpath_routine *routine, enum page_kind kind)
{
	if (!(routine->kinds & (1u << kind)))
		return "not for this page kind";
	if (routine->usable && !routine->usable())
		return "this CPU lacks the instructions";
	return NULL;
}

static bool is_wanted(const struct simulated_options *o, const struct initpath_routine *r,
		      enum page_kind kind)
{
	if (!(o->paths & (1u << r->path)) || !(o->codegens & (1u << r->codegen)) ||
	    simulated_obstacle(r, kind))
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
		    !simulated_obstacle(&routines[i], kind))
			return &routines[i];
	}
	return NULL;
}

static bool is_compound(enum page_kind kind)
{
	return kind == KIND_ZD_COMPOUND || kind == KIND_HUGETLB;
}

/* A bootmem gigantic page is 1 GiB; a description or a window too small for one is simulated with 2 MiB pages. */
static unsigned int order_of(const struct simulated_options *o, enum page_kind kind, uint64_t nr_pages)
{
	if (!is_compound(kind))
		return 0;
	if (o->order)
		return o->order;
	return kind == KIND_HUGETLB && nr_pages >> ORDER_1G ? ORDER_1G : ORDER_2M;
}

static enum stage_id stage_of(enum page_kind kind)
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

/* ---- what to run ---- */

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

static struct initpath_args args_for(const struct simulation *sim, enum page_kind kind, unsigned int order,
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
	run->stage = stage_of(task->args.kind);
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
	unsigned int order = order_of(sim->options, kind, window);
	uint64_t units = round_down_pow2(sim->options->nr_pages, 1ULL << order);
	uint64_t pages = round_down_pow2(window, 1ULL << order);
	struct task *task = add_task(sim, args_for(sim, kind, order, pages), 1);

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
	unsigned int order = is_compound(kind) ? ORDER_2M : 0;
	uint64_t pages = budget_cache_pages(order, &sim->memory);
	struct task *task;

	if (routine->path == PATH_TEMPLATE_NT || pages > sim->buffer.bytes / STRUCT_PAGE_BYTES)
		return 0;
	task = add_task(sim, args_for(sim, kind, order, pages),
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
		task = add_task(sim, args_for(sim, KIND_NONE, 0, pages), 1);
		if (!task || !array_grow(&sim->stream_runs, &sim->nr_stream_runs, sizeof(*sim->stream_runs)))
			return -ENOMEM;
		task->stream = &arch_ops.streams[i];
		task->split = split_range(pages, PAGES_PER_SECTION, sim->options->threads);
	}
	return 0;
}

static int plan(struct simulation *sim)
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

/* ---- where to run it ---- */

static int check_pages(const struct simulated_options *o, struct diags *diags)
{
	unsigned int order = 0;

	for (int kind = 0; kind < NR_KINDS; kind++) {
		if (o->kinds & (1u << kind))
			order = MAX(order, order_of(o, (enum page_kind)kind, o->nr_pages));
	}
	if (o->nr_pages >= 1ULL << order && o->nr_pages)
		return 0;
	return diag_error(diags, -EINVAL, "%" PRIu64 " struct pages are too few: a compound page has %llu",
			  o->nr_pages, 1ULL << order);
}

static int choose_window(const struct simulation *sim, uint64_t *bytes)
{
	const struct simulated_options *o = sim->options;
	uint64_t memmap, window, least = (1ULL << MAX(o->order, (unsigned int)ORDER_2M)) * STRUCT_PAGE_BYTES;
	char text[2][UNITS_STR];

	if (mul_u64(o->nr_pages, STRUCT_PAGE_BYTES, &memmap))
		return diag_error(sim->diags, -EINVAL, "%" PRIu64 " struct pages are more than 2^64 bytes",
				  o->nr_pages);
	window = budget_window_bytes(memmap, o->memory_bytes, &sim->memory);
	window = round_down_pow2(window, STRUCT_PAGE_BYTES);
	if (window < MIN(memmap, least))
		return diag_error(sim->diags, -ENOMEM, "%s of memory is too little: want at least %s",
				  size_human(text[0], window), size_human(text[1], least));
	if (sim->memory.available_bytes && window > sim->memory.available_bytes)
		return diag_error(sim->diags, -ENOMEM, "%s of memory wanted, %s available",
				  size_human(text[0], window),
				  size_human(text[1], sim->memory.available_bytes));
	if (budget_cached(window, &sim->memory))
		diag_add(sim->diags, DIAG_WARNING, NULL, 0, 0,
			 "%s of struct pages against a last-level cache of %s: plain stores may look faster "
			 "than memory is",
			 size_human(text[0], window), size_human(text[1], sim->memory.llc_bytes));
	*bytes = window;
	return 0;
}

static int describe_memory(struct simulation *sim)
{
	char window[UNITS_STR], llc[UNITS_STR], node[32] = "";
	const struct simulated_options *o = sim->options;

	if (sim->buffer.node >= 0)
		snprintf(node, sizeof(node), "node %d, ", sim->buffer.node);
	if (asprintf(&sim->obs->env.memory, "%s on %s, %s%s %u; last-level cache %s",
		     size_human(window, sim->buffer.bytes), sim->buffer.backing, node,
		     !sim->placement.pinned ? "not pinned, threads"
		     : o->threads > 1       ? "threads pinned from CPU"
					    : "CPU",
		     sim->placement.pinned ? sim->placement.cpus[0] : o->threads,
		     sim->memory.llc_bytes ? size_human(llc, sim->memory.llc_bytes) : "not known") < 0) {
		sim->obs->env.memory = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int describe_environment(struct simulation *sim, const struct root *root)
{
	struct obs_environment *env = &sim->obs->env;
	int err = machine_environment(root, env);

	if (!err)
		err = describe_memory(sim);
	env->timing_source = strdup(sim->hooks->clock->name);
	env->simulated_version = strdup(sim->options->version->name);
	env->resolution_ns = clock_resolution_ns(sim->hooks->clock);
	return !err && env->timing_source && env->simulated_version ? 0 : -ENOMEM;
}

/* The largest piece a comparison needs is one compound page. */
static uint64_t scratch_bytes(const struct simulation *sim)
{
	uint64_t pages = sim->buffer.bytes / STRUCT_PAGE_BYTES, piece = DEFAULT_SCRATCH_PAGES;

	for (int kind = 0; kind < NR_KINDS; kind++) {
		if (sim->options->kinds & (1u << kind))
			piece = MAX(piece, 1ULL << order_of(sim->options, (enum page_kind)kind, pages));
	}
	return piece * STRUCT_PAGE_BYTES;
}

static int set_up(struct simulation *sim, const struct root *root)
{
	const struct simulated_options *o = sim->options;
	uint64_t bytes = 0;
	int err = check_pages(o, sim->diags);

	if (!err)
		err = placement_choose(o->node, o->cpu, o->threads, sim->diags, &sim->placement);
	if (err)
		return err;
	machine_memory_read(root, sim->placement.cpus[0], &sim->memory);
	err = choose_window(sim, &bytes);
	/* Threads first: the caller is pinned then, and touches the memory from where it will write it. */
	if (!err)
		err = workers_new(1, NULL, &sim->arena.one_worker);
	if (!err)
		err = workers_new(o->threads, sim->placement.pinned ? sim->placement.cpus : NULL,
				  &sim->arena.workers);
	if (!err)
		err = buffer_map(bytes, sim->placement.node, sim->diags, &sim->buffer);
	if (!err)
		err = buffer_map(scratch_bytes(sim), sim->placement.node, sim->diags, &sim->scratch);
	if (err)
		return err;
	sim->arena.memmap = sim->buffer.data;
	sim->arena.memmap_bytes = sim->buffer.bytes;
	sim->arena.scratch = sim->scratch.data;
	sim->arena.scratch_bytes = sim->scratch.bytes;
	sim->arena.diags = sim->diags;
	return describe_environment(sim, root);
}

static void tear_down(struct simulation *sim)
{
	workers_free(sim->arena.workers);
	workers_free(sim->arena.one_worker);
	buffer_unmap(&sim->buffer);
	buffer_unmap(&sim->scratch);
	placement_free(&sim->placement);
	for (size_t i = 0; i < sim->nr_stream_runs; i++)
		free(sim->stream_runs[i].samples_ns);
	free(sim->stream_runs);
	free(sim->tasks);
	observations_free(sim->obs);
}

/* ---- running and summing up ---- */

/* An empty path through the same calls, as often as it takes for a steady median. */
static int measure_harness(struct simulation *sim)
{
	struct obs_run run = {0};
	struct task empty = {.arena = &sim->arena,
			     .routine = &initpath_empty,
			     .args = args_for(sim, KIND_ZD_BASE, 0, PAGES_PER_SECTION),
			     .workers = sim->arena.one_worker,
			     .loops = 1,
			     .scale = 1,
			     .run = &run};
	struct runner_job job = task_job(&empty);
	struct runner runner = {.clock = sim->hooks->clock, .passes = HARNESS_PASSES};
	int err;

	empty.split = split_range(PAGES_PER_SECTION, 1, 1);
	err = runner_run(&runner, &job, 1);
	if (!err)
		err = obs_run_summarize(&run);
	sim->obs->harness_ns_per_call = run.summary.median;
	free(run.samples_ns);
	return err;
}

static int run_tasks(struct simulation *sim)
{
	_cleanup_free_ struct runner_job *jobs = calloc(sim->nr_tasks, sizeof(*jobs));
	struct runner runner = {.clock = sim->hooks->clock,
				.passes = sim->options->reps + 1,
				.stop = sim->hooks->stop,
				.progress = sim->hooks->progress,
				.progress_ctx = sim->hooks->progress_ctx};

	if (!jobs)
		return -ENOMEM;
	for (size_t i = 0; i < sim->nr_tasks; i++)
		jobs[i] = task_job(&sim->tasks[i]);
	return runner_run(&runner, jobs, sim->nr_tasks);
}

/* The best of each sort is the ceiling. */
static int sum_up_streams(struct simulation *sim)
{
	struct observations *obs = sim->obs;
	const char *best[2] = {NULL, NULL};

	for (size_t i = 0; i < sim->nr_tasks; i++) {
		struct task *task = &sim->tasks[i];
		double *limit, gbps;

		if (!task->stream)
			continue;
		if (obs_run_summarize(task->run))
			return -ENOMEM;
		if (!task->run->nr_samples)
			continue;
		limit = task->stream->nontemporal ? &obs->nt_store_gbps : &obs->store_gbps;
		gbps = (double)sim->buffer.bytes / task->run->summary.median;
		if (gbps <= *limit)
			continue;
		*limit = gbps;
		best[task->stream->nontemporal] = task->stream->name;
		obs->has_limits = true;
	}
	obs->store_routine = best[0] ? strdup(best[0]) : NULL;
	obs->nt_store_routine = best[1] ? strdup(best[1]) : NULL;
	return (best[0] && !obs->store_routine) || (best[1] && !obs->nt_store_routine) ? -ENOMEM : 0;
}

static int sum_up(struct simulation *sim)
{
	int err = sum_up_streams(sim);

	for (size_t i = 0; !err && i < sim->obs->nr_runs; i++)
		err = obs_run_summarize(&sim->obs->runs[i]);
	observations_drop_empty(sim->obs);
	return err;
}

static int verdict(const struct simulation *sim)
{
	for (size_t i = 0; i < sim->nr_tasks; i++) {
		if (sim->tasks[i].differs)
			return -EBADMSG;
	}
	return 0;
}

static int measure(struct simulation *sim)
{
	_cleanup_(root_close) struct root root = {.fd = -1};
	int err = root_open("/", &root), stopped = 0;

	sim->obs = observations_new("simulated");
	if (!sim->obs)
		return -ENOMEM;
	if (!err)
		err = set_up(sim, &root);
	if (!err)
		err = plan(sim);
	if (!err)
		err = measure_harness(sim);
	if (err)
		return err;
	err = run_tasks(sim);
	if (err == -EINTR)
		stopped = err;
	else if (err)
		return err;
	sim->obs->incomplete = stopped;
	err = sum_up(sim);
	return err ? err : stopped ? stopped : verdict(sim);
}

int simulated_measure(const struct simulated_options *options, const struct simulated_hooks *hooks,
		      struct diags *diags, struct observations **out)
{
	struct simulation sim = {.options = options, .hooks = hooks, .diags = diags};
	cpu_set_t affinity;
	bool had_affinity = !pthread_getaffinity_np(pthread_self(), sizeof(affinity), &affinity);
	int err = measure(&sim);

	if (!err || err == -EINTR || err == -EBADMSG)
		*out = take_ptr(sim.obs);
	tear_down(&sim);
	if (had_affinity)
		pthread_setaffinity_np(pthread_self(), sizeof(affinity), &affinity);
	return err;
}
