// SPDX-License-Identifier: GPL-2.0-or-later
/* Measuring, on clocks that are made up: the runner, splitting, placement, windows and simulated runs. */
#include "support/check.h"

#include <errno.h>
#include <stdatomic.h>

#include "base/units.h"
#include "measure/budget.h"
#include "measure/placement.h"
#include "measure/simulated.h"
#include "measure/simulated_task.h"
#include "measure/workers.h"

/* ---- a clock that moves by a fixed step at each reading ---- */

struct mock_clock {
	uint64_t now_ns, step_ns;
};

static uint64_t mock_now(void *ctx)
{
	struct mock_clock *mock = ctx;

	mock->now_ns += mock->step_ns;
	return mock->now_ns;
}

static struct clock_source clock_on(struct mock_clock *mock)
{
	return (struct clock_source){"mock", mock_now, mock};
}

/* ---- runner ---- */

enum { MAX_PASSES = 8, NR_JOBS = 5 };

struct mock_job {
	struct mock_clock *clock;
	uint64_t costs_ns; /* moves the clock while it runs */
	uint64_t results_ns[MAX_PASSES];
	unsigned int nr_results, nr_before, nr_after;
	unsigned int fail_at; /* pass; 0: never */
	size_t *at;           /* position in the order of all runs */
	size_t positions[MAX_PASSES];
};

static int job_before(void *ctx, unsigned int pass)
{
	struct mock_job *job = ctx;

	job->nr_before++;
	job->clock->now_ns += 1000000; /* must not show in any result */
	job->positions[pass] = (*job->at)++;
	return 0;
}

static void job_run(void *ctx)
{
	struct mock_job *job = ctx;

	job->clock->now_ns += job->costs_ns;
}

static int job_result(void *ctx, unsigned int pass, uint64_t ns)
{
	struct mock_job *job = ctx;

	assert_int_equal(pass, job->nr_results);
	job->results_ns[job->nr_results++] = ns;
	return 0;
}

static int job_after(void *ctx, unsigned int pass)
{
	struct mock_job *job = ctx;

	job->nr_after++;
	job->clock->now_ns += 5000000;
	return job->fail_at && pass == job->fail_at ? -EIO : 0;
}

static void make_jobs(struct mock_job jobs[NR_JOBS], struct runner_job runner_jobs[NR_JOBS],
		      struct mock_clock *clock, size_t *at)
{
	for (size_t i = 0; i < NR_JOBS; i++) {
		jobs[i] = (struct mock_job){.clock = clock, .costs_ns = 100 * (i + 1), .at = at};
		runner_jobs[i] = (struct runner_job){&jobs[i], job_before, job_after, job_run, job_result};
	}
}

static void runner_times(void **state)
{
	struct mock_clock mock = {.step_ns = 7};
	struct clock_source clock = clock_on(&mock);
	struct runner runner = {.clock = &clock, .passes = 6};
	struct runner_job runner_jobs[NR_JOBS];
	struct mock_job jobs[NR_JOBS];
	size_t at = 0, moved = 0;

	(void)state;
	make_jobs(jobs, runner_jobs, &mock, &at);
	assert_int_equal(runner_run(&runner, runner_jobs, NR_JOBS), 0);
	for (size_t i = 0; i < NR_JOBS; i++) {
		check_u64(jobs[i].nr_results, 6, "job %zu: passes", i);
		check_u64(jobs[i].nr_before, 6, "job %zu: before", i);
		check_u64(jobs[i].nr_after, 6, "job %zu: after", i);
		for (unsigned int pass = 0; pass < 6; pass++) {
			check_u64(jobs[i].results_ns[pass], 100 * (i + 1) + 7, "job %zu, pass %u", i, pass);
			/* Interleaved: the runs of a pass all come before those of the next. */
			check_u64(jobs[i].positions[pass] / NR_JOBS, pass, "job %zu, pass %u: its turn", i,
				  pass);
			moved += jobs[i].positions[pass] % NR_JOBS != i;
		}
		check_u64(jobs[i].positions[0], i, "job %zu: the first pass is in the order given", i);
	}
	assert_true(moved > 0);
}

struct stopper {
	volatile sig_atomic_t stop;
	size_t after, calls, last_done, last_total;
};

static void stop_after(void *ctx, size_t done, size_t total)
{
	struct stopper *s = ctx;

	check_u64(done, s->calls, "progress counts runs");
	s->calls++;
	s->last_done = done;
	s->last_total = total;
	if (done == s->after)
		s->stop = 1;
}

static void runner_stops(void **state)
{
	struct mock_clock mock = {.step_ns = 1};
	struct clock_source clock = clock_on(&mock);
	struct stopper stopper = {.after = 7};
	struct runner runner = {.clock = &clock,
				.passes = 3,
				.stop = &stopper.stop,
				.progress = stop_after,
				.progress_ctx = &stopper};
	struct runner_job runner_jobs[NR_JOBS];
	struct mock_job jobs[NR_JOBS];
	size_t at = 0, results = 0;

	(void)state;
	make_jobs(jobs, runner_jobs, &mock, &at);
	assert_int_equal(runner_run(&runner, runner_jobs, NR_JOBS), -EINTR);
	for (size_t i = 0; i < NR_JOBS; i++)
		results += jobs[i].nr_results;
	check_u64(results, 8, "the run in progress ends, no other starts");
	check_u64(stopper.last_total, 15, "total");

	stopper = (struct stopper){.after = SIZE_MAX};
	at = 0;
	make_jobs(jobs, runner_jobs, &mock, &at);
	assert_int_equal(runner_run(&runner, runner_jobs, NR_JOBS), 0);
	check_u64(stopper.last_done, 15, "progress ends at the total");

	stopper = (struct stopper){.after = SIZE_MAX};
	at = 0;
	make_jobs(jobs, runner_jobs, &mock, &at);
	jobs[3].fail_at = 1;
	assert_int_equal(runner_run(&runner, runner_jobs, NR_JOBS), -EIO);
	check_u64(jobs[3].nr_results, 2, "what a job returns ends the run");
}

static void clock_resolution(void **state)
{
	struct mock_clock mock = {.step_ns = 25};
	struct clock_source clock = clock_on(&mock);

	(void)state;
	check_near(clock_resolution_ns(&clock), 25, 0, "step of the clock");
	mock.step_ns = 0;
	check_near(clock_resolution_ns(&clock), 0, 0, "a clock that stands still");
	assert_true(clock_now_ns(&clock_system) > 0);
}

/* ---- splitting ---- */

/* Worked by hand after padata_do_multithreaded(): four chunks a worker, rounded up to the alignment. */
static void splits(void **state)
{
	static const struct {
		uint64_t size, align;
		unsigned int max;
		uint64_t chunk, nr_chunks, last;
		unsigned int workers;
	} rows[] = {
		{26214400, 32768,  1,  26214400, 1,   26214400, 1 },
		{26214400, 32768,  2,  3276800,  8,   3276800,  2 },
		{26214400, 32768,  4,  1638400,  16,  1638400,  4 },
		{26214400, 32768,  64, 131072,   200, 131072,   64},
		{26214400, 262144, 64, 262144,   100, 262144,   64},
		{12582912, 262144, 64, 262144,   48,  262144,   48},
		{100000,   32768,  8,  32768,    4,   1696,     3 },
		{32768,    32768,  8,  32768,    1,   32768,    1 },
		{1000,     32768,  8,  1000,     1,   1000,     1 },
		{7,        1,      3,  1,        7,   1,        3 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct split split = split_range(rows[i].size, rows[i].align, rows[i].max);
		uint64_t start, count = 0, nr = 0, next = 0;

		check_u64(split.workers, rows[i].workers, "row %zu: workers", i);
		check_u64(split.chunk, rows[i].chunk, "row %zu: chunk", i);
		while (split_chunk(&split, nr, &start, &count)) {
			check_u64(start, next, "row %zu, chunk %" PRIu64 ": no gap, no overlap", i, nr);
			next = start + count;
			nr++;
		}
		check_u64(nr, rows[i].nr_chunks, "row %zu: chunks", i);
		check_u64(next, rows[i].size, "row %zu: all of the range", i);
		check_u64(count, rows[i].last, "row %zu: last chunk", i);
	}
}

enum { WORK_UNITS = 1000 };

static void count_visits(void *arg, uint64_t start, uint64_t count)
{
	atomic_uint *visits = arg;

	for (uint64_t i = start; i < start + count; i++)
		atomic_fetch_add(&visits[i], 1);
}

static void workers_visit_all_once(void **state)
{
	(void)state;
	for (unsigned int nr = 1; nr <= 4; nr++) {
		static atomic_uint visits[WORK_UNITS];
		struct split split = split_range(WORK_UNITS, 8, nr);
		struct workers *workers = NULL;

		for (size_t i = 0; i < WORK_UNITS; i++)
			atomic_store(&visits[i], 0);
		assert_int_equal(workers_new(nr, NULL, &workers), 0);
		for (unsigned int round = 0; round < 20; round++) {
			workers_ready(workers, &split, count_visits, visits);
			check_u64(atomic_load(&visits[0]), round, "nothing starts before the signal");
			workers_go(workers);
		}
		workers_free(workers);
		for (size_t i = 0; i < WORK_UNITS; i++)
			check_u64(atomic_load(&visits[i]), 20, "%u workers, unit %zu", nr, i);
	}
}

static void placements(void **state)
{
	static const struct cpu_place cpus[] = {
		{0, 0},
                {1, 0},
                {2, 1},
                {3, 1},
                {6, 0},
                {7, 1}
        };
	static const struct {
		unsigned int first;
		size_t want, found;
		unsigned int picked[6];
	} rows[] = {
		{0, 1, 1, {0}               },
		{1, 3, 3, {1, 6, 0}         },
		{6, 4, 4, {6, 0, 1, 7}      },
		{3, 6, 6, {3, 7, 2, 6, 0, 1}},
		{2, 9, 6, {2, 3, 7, 6, 0, 1}},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		unsigned int picked[9];
		size_t found = placement_pick(cpus, ARRAY_SIZE(cpus), rows[i].first, rows[i].want, picked);

		check_u64(found, rows[i].found, "row %zu: found", i);
		for (size_t k = 0; k < found; k++)
			check_u64(picked[k], rows[i].picked[k], "row %zu, thread %zu", i, k);
	}
}

/* ---- windows ---- */

static void windows(void **state)
{
	static const struct {
		uint64_t memmap, budget, available, llc, window;
		int cached;
	} rows[] = {
  /* a 100 GiB device: twice the last-level cache is enough */
		{1600 * MIB, 0,         24 * GIB, 260 * MIB, 520 * MIB,  0},
		{1600 * MIB, 0,         24 * GIB, 32 * MIB,  64 * MIB,   0},
		{1600 * MIB, 0,         24 * GIB, 8 * MIB,   64 * MIB,   0},
		{1600 * MIB, 0,         24 * GIB, 0,         64 * MIB,   0},
 /* a quarter of what is available bounds it */
		{1600 * MIB, 0,         1 * GIB,  260 * MIB, 256 * MIB,  1},
 /* smaller than the window: all of it */
		{16 * MIB,   0,         24 * GIB, 32 * MIB,  16 * MIB,   1},
 /* as asked */
		{1600 * MIB, 4 * GIB,   24 * GIB, 260 * MIB, 1600 * MIB, 0},
		{1600 * MIB, 600 * MIB, 24 * GIB, 260 * MIB, 600 * MIB,  0},
		{1600 * MIB, 100 * MIB, 24 * GIB, 260 * MIB, 100 * MIB,  1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct machine_memory memory = {.available_bytes = rows[i].available,
						.llc_bytes = rows[i].llc};
		uint64_t window = budget_window_bytes(rows[i].memmap, rows[i].budget, &memory);

		check_u64(window, rows[i].window, "row %zu: window", i);
		check_int(window < budget_uncached_bytes(&memory), rows[i].cached, "row %zu: cached", i);
	}
}

/* Half of the second-level cache in struct pages of 64 bytes, whole compound pages. */
static void cache_windows(void **state)
{
	static const struct {
		uint64_t l2;
		unsigned int order;
		uint64_t pages;
	} rows[] = {
		{2 * MIB,    0, 16384},
                {2 * MIB,    9, 16384},
                {1280 * KIB, 9, 10240},
		{48 * KIB,   9, 512  },
                {0,          0, 4096 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct machine_memory memory = {.l2_bytes = rows[i].l2};

		check_u64(budget_cache_pages(rows[i].order, &memory), rows[i].pages, "row %zu", i);
	}
}

/* ---- simulated ---- */

static struct simulated_options small_options(void)
{
	return (struct simulated_options){.version = &initpath_versions[nr_initpath_versions - 1],
					  .nr_pages = 65536,
					  .kinds = (1u << NR_KINDS) - 1,
					  .paths = (1u << NR_PATHS) - 1,
					  .codegens = (1u << NR_CODEGENS) - 1,
					  .reps = 3,
					  .threads = 1,
					  .node = -1,
					  .cpu = -1};
}

static size_t count_runs(const struct observations *obs, enum page_kind kind, enum obs_window window)
{
	size_t nr = 0;

	for (size_t i = 0; i < obs->nr_runs; i++)
		nr += obs->runs[i].kind == kind && obs->runs[i].window == window;
	return nr;
}

/* Every reading is 1000 ns after the last, so each run takes 1000 ns however long it took. */
static void simulated_all(void **state)
{
	struct mock_clock mock = {.step_ns = 1000};
	struct clock_source clock = clock_on(&mock);
	struct simulated_hooks hooks = {.clock = &clock};
	struct simulated_options options = small_options();
	_cleanup_observations_ struct observations *obs = NULL;
	_cleanup_diags_ struct diags diags = {0};
	size_t nr_routines, expected[NR_KINDS] = {0};
	const struct initpath_routine *routines = initpath_routines(&nr_routines);

	(void)state;
	for (size_t i = 0; i < nr_routines; i++) {
		for (int kind = 0; kind < NR_KINDS; kind++)
			expected[kind] += (routines[i].kinds >> kind & 1) &&
					  (!routines[i].usable || routines[i].usable());
	}
	assert_int_equal(simulated_measure(&options, &hooks, &diags, &obs), 0);
	check_u64(diags.nr_errors, 0, "errors");
	check_str(obs->mode, "simulated", "mode");
	check_str(obs->env.timing_source, "mock", "timing source");
	check_near(obs->env.resolution_ns, 1000, 0, "resolution");
	check_near(obs->harness_ns_per_call, 1000, 0, "harness");
	assert_false(obs->incomplete);
	for (int kind = 0; kind < NR_KINDS; kind++)
		check_u64(count_runs(obs, (enum page_kind)kind, OBS_WINDOW_MEMORY), expected[kind],
			  "runs of %s", kind_name((enum page_kind)kind));
	for (size_t i = 0; i < obs->nr_runs; i++) {
		const struct obs_run *run = &obs->runs[i];

		assert_true(run->verified);
		check_u64(run->nr_samples, 3, "run %zu: samples", i);
		check_near(run->first_ns, 1000, 0, "run %zu: first", i);
		check_near(run->summary.median, 1000, 0, "run %zu: median", i);
		check_u64(run->measured_units, run->units, "run %zu: all of it", i);
		check_int(run->path == PATH_TEMPLATE_NT && run->window == OBS_WINDOW_CACHE, 0,
			  "run %zu: non-temporal stores past the cache are not measured in it", i);
	}
	/* 65536 struct pages of 64 bytes in 1000 ns: 4194.304 bytes a nanosecond. */
	assert_true(obs->has_limits);
	check_near(obs->store_gbps, 4194.304, 1e-12, "store ceiling");
}

static void simulated_window(void **state)
{
	struct mock_clock mock = {.step_ns = 1000};
	struct clock_source clock = clock_on(&mock);
	struct simulated_hooks hooks = {.clock = &clock};
	struct simulated_options options = small_options();
	const char *const routines[] = {"fields", NULL};
	_cleanup_observations_ struct observations *obs = NULL;

	(void)state;
	options.memory_bytes = 1 * MIB; /* 16384 struct pages: a quarter */
	options.kinds = 1u << KIND_ZD_COMPOUND | 1u << KIND_ORDINARY;
	options.routines = routines;
	options.codegens = 1u << CODEGEN_ALWAYS_INLINE;
	options.threads = 3;
	assert_int_equal(simulated_measure(&options, &hooks, NULL, &obs), 0);
	for (size_t i = 0; i < obs->nr_runs; i++) {
		const struct obs_run *run = &obs->runs[i];

		check_str(run->codegen, codegen_name(CODEGEN_ALWAYS_INLINE), "run %zu: codegen", i);
		assert_true(run->verified);
		if (run->window != OBS_WINDOW_MEMORY)
			continue;
		check_u64(run->units, 65536, "run %zu: units", i);
		check_u64(run->measured_units, 16384, "run %zu: measured", i);
		check_near(run->summary.median, 4000, 0, "run %zu: scaled to all units", i);
		check_u64(run->order, run->kind == KIND_ZD_COMPOUND ? 9 : 0, "run %zu: order", i);
		check_int(run->stage, run->kind == KIND_ORDINARY ? STAGE_MEMMAP_DEFERRED : STAGE_MEMMAP_INIT,
			  "run %zu: stage", i);
	}
	check_u64(count_runs(obs, KIND_ZD_COMPOUND, OBS_WINDOW_MEMORY), 1, "one routine, one kind, one run");
}

static void simulated_threads(void **state)
{
	struct mock_clock mock = {.step_ns = 1000};
	struct clock_source clock = clock_on(&mock);
	struct simulated_hooks hooks = {.clock = &clock};
	struct simulated_options options = small_options();
	_cleanup_observations_ struct observations *obs = NULL;

	(void)state;
	options.nr_pages = 4 * 32768; /* four sections */
	options.threads = 3;
	options.reps = 1;
	options.codegens = 1u << CODEGEN_DEFAULT;
	assert_int_equal(simulated_measure(&options, &hooks, NULL, &obs), 0);
	for (size_t i = 0; i < obs->nr_runs; i++) {
		assert_true(obs->runs[i].verified);
		check_u64(obs->runs[i].threads, obs->runs[i].window == OBS_WINDOW_CACHE ? 1 : 3,
			  "run %zu: threads", i);
	}
}

static void simulated_stopped(void **state)
{
	struct mock_clock mock = {.step_ns = 1000};
	struct clock_source clock = clock_on(&mock);
	struct stopper stopper = {0};
	struct simulated_hooks hooks = {
		.clock = &clock, .stop = &stopper.stop, .progress = stop_after, .progress_ctx = &stopper};
	struct simulated_options options = small_options();
	static const size_t after[] = {0, 20, 200};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(after); i++) {
		_cleanup_observations_ struct observations *obs = NULL;
		size_t results = 0;

		stopper = (struct stopper){.after = after[i]};
		assert_int_equal(simulated_measure(&options, &hooks, NULL, &obs), -EINTR);
		assert_true(obs->incomplete);
		for (size_t r = 0; r < obs->nr_runs; r++) {
			results += obs->runs[r].nr_samples + 1;
			check_near(obs->runs[r].first_ns, 1000, 0, "run %zu: what is kept was measured", r);
		}
		assert_true(results <= after[i] + 1);
		check_int(results > 0, after[i] > 0, "stopped after %zu runs", after[i]);
	}
}

static void simulated_refusals(void **state)
{
	static const char *const nothing[] = {"fields-split", NULL};
	struct simulated_hooks hooks = {.clock = &clock_system};
	struct simulated_options rows[6];
	static const struct {
		int err;
		const char *text;
	} wanted[] = {
		{-EINVAL, "511 struct pages are too few: a compound page has 512"     },
		{-EINVAL, "no routine is left to run: --kind, --path, --routine and --codegen exclude each "
			  "other (--list shows "
			  "what there is)"                   },
		{-EINVAL, "18446744073709551615 struct pages are more than 2^64 bytes"},
		{-ENOMEM, "4 KiB of memory is too little: want at least 32 KiB"       },
		{-ENODEV, "--cpu 8000: not a CPU this program may run on"             },
		{-EINVAL, "65536 struct pages are too few: a compound page has 262144"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		rows[i] = small_options();
	rows[0].nr_pages = 511;
	rows[1].kinds = 1u << KIND_ZD_BASE;
	rows[1].routines = nothing;
	rows[2].nr_pages = UINT64_MAX;
	rows[3].memory_bytes = 4096;
	rows[4].cpu = 8000;
	rows[5].order = 18;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_diags_ struct diags diags = {0};
		struct observations *obs = NULL;
		bool found = false;

		check_int(simulated_measure(&rows[i], &hooks, &diags, &obs), wanted[i].err, "row %zu", i);
		assert_null(obs);
		for (size_t d = 0; d < diags.nr; d++)
			found |= !strncmp(diags.items[d].text, wanted[i].text, strlen(wanted[i].text));
		if (!found)
			print_error("row %zu: got %s, want %s\n", i,
				    diags.nr ? diags.items[0].text : "(nothing)", wanted[i].text);
		assert_true(found);
	}
}

/* ---- verification notices ---- */

static void run_nothing(const struct initpath_args *args)
{
	(void)args;
}

static const struct initpath_routine *real_baseline;

/* The baseline, but for one byte of the struct page before the last. */
static void run_almost(const struct initpath_args *args)
{
	real_baseline->run(args);
	((unsigned char *)args->memmap)[(args->nr_pages - 2) * STRUCT_PAGE_BYTES + 63] ^= 1;
}

static void verification_notices(void **state)
{
	static const struct {
		void (*run)(const struct initpath_args *args);
		bool differs;
		const char *text;
	} rows[] = {
		{NULL,        false, NULL},
		{run_nothing, true,
		 "zd-base, template, routine bad (default): struct page 0 of 3000 is not what the baseline "
		 "writes"                },
		{run_almost,  true,
		 "zd-base, template, routine bad (default): struct page 2998 of 3000 is not what the "
		 "baseline writes"       },
	};
	size_t nr;

	(void)state;
	real_baseline = initpath_routines(&nr);
	assert_true(real_baseline->path == PATH_BASELINE);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_diags_ struct diags diags = {0};
		_cleanup_free_ void *memmap = aligned_alloc(64, 3000 * STRUCT_PAGE_BYTES);
		_cleanup_free_ void *scratch = aligned_alloc(64, 1024 * STRUCT_PAGE_BYTES);
		struct arena arena = {.memmap = memmap,
				      .scratch = scratch,
				      .diags = &diags,
				      .memmap_bytes = 3000 * STRUCT_PAGE_BYTES,
				      .scratch_bytes = 1024 * STRUCT_PAGE_BYTES};
		struct initpath_routine bad = {.name = "bad", .path = PATH_TEMPLATE, .run = rows[i].run};
		struct obs_run run = {0};
		struct task task = {.arena = &arena,
				    .baseline = real_baseline,
				    .loops = 1,
				    .scale = 1,
				    .run = &run,
				    .routine = rows[i].run ? &bad : real_baseline,
				    .split = split_range(3000, 1, 1)};
		struct runner_job job = task_job(&task);
		struct mock_clock mock = {.step_ns = 1};
		struct clock_source clock = clock_on(&mock);
		struct runner runner = {.clock = &clock, .passes = 1};

		task.args = (struct initpath_args){.version = &initpath_versions[0],
						   .kind = KIND_ZD_BASE,
						   .memmap = memmap,
						   .start_pfn = 1 << 20,
						   .nr_pages = 3000,
						   .vmemmap_base = 0xffffea0000000000};
		assert_int_equal(workers_new(1, NULL, &arena.one_worker), 0);
		task.workers = arena.one_worker;
		assert_int_equal(runner_run(&runner, &job, 1), 0);
		workers_free(arena.one_worker);
		check_int(task.differs, rows[i].differs, "row %zu", i);
		check_int(run.verified, !rows[i].differs, "row %zu", i);
		check_str(diags.nr ? diags.items[0].text : NULL, rows[i].text, "row %zu", i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runner_times),
		cmocka_unit_test(runner_stops),
		cmocka_unit_test(clock_resolution),
		cmocka_unit_test(splits),
		cmocka_unit_test(workers_visit_all_once),
		cmocka_unit_test(placements),
		cmocka_unit_test(windows),
		cmocka_unit_test(cache_windows),
		cmocka_unit_test(simulated_all),
		cmocka_unit_test(simulated_window),
		cmocka_unit_test(simulated_threads),
		cmocka_unit_test(simulated_stopped),
		cmocka_unit_test(simulated_refusals),
		cmocka_unit_test(verification_notices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
