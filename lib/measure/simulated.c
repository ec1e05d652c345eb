// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/simulated_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "base/units.h"
#include "measure/budget.h"

enum {
	HARNESS_PASSES = 64,
	DEFAULT_SCRATCH_PAGES = 16384,
};

static const double least_cpu_share = 0.95;

static int check_pages(const struct simulated_options *o, struct diags *diags)
{
	unsigned int order = 0;

	for (int kind = 0; kind < NR_KINDS; kind++) {
		if (o->kinds & (1u << kind))
			order = MAX(order, simulated_order(o, (enum page_kind)kind, o->nr_pages));
	}
	if (o->nr_pages >= 1ULL << order && o->nr_pages)
		return 0;
	return diag_error(diags, -EINVAL, "%" PRIu64 " struct pages are too few: a compound page has %llu",
			  o->nr_pages, 1ULL << order);
}

static int choose_window(const struct simulation *sim, uint64_t *bytes)
{
	const struct simulated_options *o = sim->options;
	uint64_t memmap, window,
		least = (1ULL << MAX(o->order, (unsigned int)SIMULATED_ORDER_2M)) * STRUCT_PAGE_BYTES;
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
	if (window < budget_uncached_bytes(&sim->memory))
		diag_add(sim->diags, DIAG_WARNING, NULL, 0, 0,
			 "%s of struct pages against a last-level cache of %s: plain stores may look faster "
			 "than memory "
			 "is (with %" PRIu64 " pages or more, memory is what is measured)",
			 size_human(text[0], window), size_human(text[1], sim->memory.llc_bytes),
			 budget_uncached_bytes(&sim->memory) / STRUCT_PAGE_BYTES);
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
			piece = MAX(piece,
				    1ULL << simulated_order(sim->options, (enum page_kind)kind, pages));
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
	sim->arena.cpu_clock = sim->hooks->cpu_clock;
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

/* An empty path through the same calls, as often as it takes for a steady median. */
static int measure_harness(struct simulation *sim)
{
	struct obs_run run = {0};
	struct task empty = {.arena = &sim->arena,
			     .routine = &initpath_empty,
			     .args = simulated_args(sim, KIND_ZD_BASE, 0, PAGES_PER_SECTION),
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

/* What another program took is in the times: better said than discovered. */
static void judge_noise(struct simulation *sim)
{
	const struct arena *arena = &sim->arena;
	double share;

	if (!arena->timed_ns)
		return;
	share = MIN((double)arena->cpu_ns / (double)arena->timed_ns, 1.0);
	sim->obs->env.cpu_share = share;
	if (share < least_cpu_share)
		diag_add(sim->diags, DIAG_WARNING, NULL, 0, 0,
			 "the machine is busy: this program had its CPU for %.0f %% of the timed time, so "
			 "times are too long "
			 "and uneven; stop what else runs, or choose another CPU with --cpu",
			 100 * share);
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
		err = simulated_plan(sim);
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
	judge_noise(sim);
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
