// SPDX-License-Identifier: GPL-2.0-or-later
/* Fitting profiles: from made-up observations with known costs, and from the published ones. */
#include "model/fit.h"

#include <dirent.h>
#include <errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "base/util.h"
#include "model/forecast.h"
#include "model/validate.h"
#include "support/check.h"

static struct observations *observations_of(const char *mode, bool emulated)
{
	struct observations *obs = observations_new(mode);

	assert_non_null(obs);
	obs->env.arch = strdup("x86_64");
	obs->env.kernel = strdup("7.3.4");
	obs->env.cpu = strdup("a CPU");
	obs->env.emulated = emulated;
	obs->file = strdup("somewhere/made-up.json");
	return obs;
}

static struct obs_run *add_run(struct observations *obs, enum stage_id stage, enum unit_id unit,
			       enum page_kind kind, uint64_t units, double ns)
{
	struct obs_run *run = observations_add_run(obs);

	assert_non_null(run);
	run->stage = stage;
	run->event = stages[stage].event;
	run->unit = unit;
	run->kind = kind;
	run->path = PATH_BASELINE;
	run->units = run->measured_units = units;
	run->threads = run->nr_averaged = 1;
	run->verified = true;
	assert_int_equal(obs_run_add_sample(run, ns), 0);
	assert_int_equal(obs_run_summarize(run), 0);
	return run;
}

static struct profile *fit(const struct observations *obs, const struct profile *prior)
{
	_cleanup_obs_rows_ struct obs_rows rows = {0};
	_cleanup_diags_ struct diags diags = {0};
	struct profile *profile = NULL;

	assert_int_equal(obs_rows_add(&rows, obs, &diags), 0);
	assert_int_equal(fit_profile(&rows, "made", "by test", prior, &diags, &profile), 0);
	return profile;
}

static const struct cost *section_cost(const struct profile *p)
{
	return profile_find_cost(p, STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, PATH_ANY);
}

static void test_one_cost(void **state)
{
	_cleanup_observations_ struct observations *obs = observations_of("guest", false);
	_cleanup_profile_ struct profile *p = NULL;

	(void)state;
	add_run(obs, STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, 100, 99e3);
	add_run(obs, STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, 400, 400e3);
	add_run(obs, STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, 800, 808e3);
	p = fit(obs, NULL);
	check_near(section_cost(p)->ns, 1000, 1e-3, "ns a section");
	assert_true(section_cost(p)->low_ns < 1000 && section_cost(p)->high_ns > 1000);
	/* residuals of -1, 0, +1 %: standard deviation 1 % on 2 degrees of freedom, t(0.95, 2) = 2.92 */
	check_near(p->residual_pct, 2.92, 0.01, "residual");
	check_u64(section_cost(p)->n, 3, "observations");
	check_near(section_cost(p)->units_min, 100, 0, "fewest");
	check_near(section_cost(p)->units_max, 800, 0, "most");
	check_str(section_cost(p)->source, "fitted: 3 observations of made-up", "source");
	check_str(p->obtained, "fitted", "obtained");
	check_str(p->kernel, "7.3.4", "kernel");
	assert_false(section_cost(p)->prior);
}

/* One row that took three times as long: it is named, and the others decide. */
static void test_outlier_is_named_and_counts_for_less(void **state)
{
	static const uint64_t units[] = {100, 200, 300, 400, 500, 600, 700, 800};
	_cleanup_observations_ struct observations *obs = observations_of("guest", false);
	_cleanup_obs_rows_ struct obs_rows rows = {0};
	_cleanup_profile_ struct profile *p = NULL;
	_cleanup_diags_ struct diags diags = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		double ns = 1000. * (double)units[i] * (i == 3 ? 3 : i % 2 ? 1.01 : 0.99);

		add_run(obs, STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, units[i], ns);
	}
	assert_int_equal(obs_rows_add(&rows, obs, &diags), 0);
	assert_int_equal(fit_profile(&rows, "made", "by test", NULL, &diags, &p), 0);
	/* the plain weighted mean would be 1250 */
	check_near(section_cost(p)->ns, 1000, 0.03, "what the seven others say");
	check_u64(diags.nr, 1, "one row named");
	assert_non_null(strstr(diags.items[0].text, "add_memory: 1.20 ms, where the others say"));
}

/* Rows that scatter as rows do are none. */
static void test_no_outliers_in_noise(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int named = 0;

	(void)state;
	for (int draw = 0; draw < 200; draw++) {
		_cleanup_observations_ struct observations *obs = observations_of("guest", false);
		_cleanup_obs_rows_ struct obs_rows rows = {0};
		_cleanup_profile_ struct profile *p = NULL;
		_cleanup_diags_ struct diags diags = {0};

		for (uint64_t units = 100; units <= 1200; units += 100)
			add_run(obs, STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, units,
				1000. * (double)units * (1 + gsl_ran_gaussian(rng, 0.05)));
		assert_int_equal(obs_rows_add(&rows, obs, &diags), 0);
		assert_int_equal(fit_profile(&rows, "made", "by test", NULL, &diags, &p), 0);
		named += diags.nr > 0;
	}
	assert_true(named <= 4); /* 2,400 rows, beyond 4 standard deviations each */
	gsl_rng_free(rng);
}

/* What a stage is forecast to take, rows of these units in it: with a cost for a call and one for a section. */
static struct estimate forecast_units(const struct profile *p, uint64_t sections, uint64_t ptes)
{
	struct work_term items[] = {
		{.stage = STAGE_ADD_MEMORY,
		 .unit = UNIT_SECTIONS,
		 .kind = KIND_NONE,
		 .units = sections,
		 .parallel = 1},
		{.stage = STAGE_ADD_MEMORY,
		 .unit = UNIT_VMEMMAP_PTES,
		 .kind = KIND_NONE,
		 .units = ptes,
		 .parallel = 1},
	};
	const struct work_terms terms = {items, ARRAY_SIZE(items)};
	struct estimate time;
	size_t missing;
	bool extrapolated;

	assert_int_equal(forecast_terms(p, PATH_BASELINE, 64, &terms, &time, &missing, &extrapolated), 0);
	check_u64(missing, 0, "missing");
	return time;
}

/*
 * The simulation study, to its end: known costs plus 4 % of noise are fitted, and a further measurement with the same
 * noise, of units between those fitted, lies in its 90 % interval in 85 to 95 % of 1,000 draws. Two costs that come
 * nearly in step are badly told apart, but what they make together is known: without their correlation the intervals
 * would hold nearly everything.
 */
static void test_forecast_coverage(void **state)
{
	enum { DRAWS = 1000, ROWS = 10 };
	const double section_ns = 20e3, pte_ns = 150;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int inside = 0;

	(void)state;
	for (int draw = 0; draw < DRAWS; draw++) {
		_cleanup_observations_ struct observations *obs = observations_of("guest", false);
		_cleanup_obs_rows_ struct obs_rows rows = {0};
		_cleanup_profile_ struct profile *p = NULL;
		const double truth_ns = 300 * section_ns + 300 * 480 * pte_ns;
		double measured_ns = truth_ns * (1 + gsl_ran_gaussian(rng, 0.04));
		struct estimate forecast;

		for (uint64_t i = 0; i < ROWS; i++) {
			struct obs_row *row = array_grow(&rows.items, &rows.nr, sizeof(*row));
			uint64_t sections = 50 * (i + 1), ptes = sections * (i % 2 ? 512 : 448);

			assert_non_null(row);
			*row = (struct obs_row){.from = obs, .stage = STAGE_ADD_MEMORY, .event = EVENT_BIND};
			row->what = strdup("made up");
			row->terms.items = calloc(2, sizeof(*row->terms.items));
			row->terms.nr = 2;
			row->terms.items[0] = (struct work_term){.stage = STAGE_ADD_MEMORY,
								 .unit = UNIT_SECTIONS,
								 .kind = KIND_NONE,
								 .units = sections,
								 .parallel = 1};
			row->terms.items[1] = (struct work_term){.stage = STAGE_ADD_MEMORY,
								 .unit = UNIT_VMEMMAP_PTES,
								 .kind = KIND_NONE,
								 .units = ptes,
								 .parallel = 1};
			row->ns = ((double)sections * section_ns + (double)ptes * pte_ns) *
				  (1 + gsl_ran_gaussian(rng, 0.04));
			row->nr_samples = 1;
		}
		assert_int_equal(fit_profile(&rows, "made", "by test", NULL, NULL, &p), 0);
		forecast = forecast_units(p, 300, 300 * 480);
		inside += forecast.low_ns <= measured_ns && measured_ns <= forecast.high_ns;
	}
	if (inside < 850 || inside > 950)
		print_error("%d of %d inside\n", inside, DRAWS);
	assert_true(inside >= 850 && inside <= 950);
	gsl_rng_free(rng);
}

/* Threads share the units: 800 in 4 threads take as long as 200 in one. */
static void test_threads(void **state)
{
	_cleanup_observations_ struct observations *obs = observations_of("kernel", false);
	_cleanup_profile_ struct profile *p = NULL;

	(void)state;
	add_run(obs, STAGE_MEMMAP_DEFERRED, UNIT_STRUCT_PAGES, KIND_ORDINARY, 800, 2000)->threads = 4;
	p = fit(obs, NULL);
	check_near(
		profile_find_cost(p, STAGE_MEMMAP_DEFERRED, UNIT_STRUCT_PAGES, KIND_ORDINARY, PATH_BASELINE)
			->ns,
		10, 1e-3, "ns a struct page and thread");
}

/* The noise of one observation is not known: it is assumed, and the interval is no point. */
static void test_single_observation(void **state)
{
	_cleanup_observations_ struct observations *obs = observations_of("guest", false);
	_cleanup_profile_ struct profile *p = NULL;

	(void)state;
	add_run(obs, STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, 100, 100e3);
	p = fit(obs, NULL);
	/* 3 % assumed, 1.645 of it for 90 % */
	check_near(section_cost(p)->high_ns, 1000 * (1 + 0.03 * 1.645), 1e-3, "high");
	check_near(p->residual_pct, 3 * 1.645, 1e-3, "residual");
}

static void test_prior(void **state)
{
	static char prior_name[] = "before", source[] = "old figures";
	struct cost rows[] = {
		{STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, PATH_ANY, 2000, 500, 3500, 0, 0, 0, 0, source,
		 false											   },
		{STAGE_DRIVER,     UNIT_ONCE,     KIND_NONE, PATH_ANY, 7,    6,   8,    0, 0, 0, 0, source, false},
	};
	struct path_ratio ratio = {KIND_ZD_BASE, PATH_TEMPLATE, 0.9, 0.8, 1, source};
	const struct profile prior = {
		.name = prior_name, .costs = rows, .nr_costs = 2, .ratios = &ratio, .nr_ratios = 1};
	_cleanup_observations_ struct observations *obs = observations_of("guest", false);
	_cleanup_profile_ struct profile *p = NULL;
	const struct cost *once;

	(void)state;
	add_run(obs, STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, 100, 100e3);
	p = fit(obs, &prior);
	/* sd 912 before, 30 from the observation: the mean moves to within 0.2 % of it */
	check_near(section_cost(p)->ns, 1001, 1e-3, "the observation decides");
	check_str(section_cost(p)->source, "fitted: 1 observation of made-up; prior before", "source");
	once = profile_find_cost(p, STAGE_DRIVER, UNIT_ONCE, KIND_NONE, PATH_ANY);
	assert_non_null(once);
	check_near(once->ns, 7, 0, "taken over");
	assert_true(once->prior);
	check_str(once->source, "prior before: old figures", "source");
	check_near(profile_find_ratio(p, KIND_ZD_BASE, PATH_TEMPLATE)->ratio, 0.9, 0, "ratio taken over");
}

/* Nothing, without an interval: no figure that an observation would have to give way to. */
static void test_prior_of_nothing(void **state)
{
	static char prior_name[] = "before", source[] = "none";
	struct cost row = {STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, PATH_ANY, 0, 0, 0, 0, 0, 0, 0,
			   source,           false};
	const struct profile prior = {.name = prior_name, .costs = &row, .nr_costs = 1};
	_cleanup_observations_ struct observations *obs = observations_of("guest", false);
	_cleanup_profile_ struct profile *p = NULL;

	(void)state;
	add_run(obs, STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, 100, 100e3);
	p = fit(obs, &prior);
	check_near(section_cost(p)->ns, 1000, 1e-3, "what was observed");
}

static void test_too_little_data_is_said(void **state)
{
	_cleanup_obs_rows_ struct obs_rows rows = {0};
	_cleanup_diags_ struct diags diags = {0};
	struct profile *profile = NULL;

	(void)state;
	assert_int_equal(fit_profile(&rows, "made", "by test", NULL, &diags, &profile), -EINVAL);
	check_u64(diags.nr_errors, 1, "errors");
}

/* What is published is what was read: the first bind's extra is a row of its own. */
static void test_published_rows(void **state)
{
	static const struct {
		enum stage_id stage;
		double ms;
	} want[] = {
		{STAGE_MEMMAP_INIT, 273.52       },
		{STAGE_MEMMAP_INIT, 313.45       },
		{STAGE_FIRST_TOUCH, 1486 - 273.52},
		{STAGE_FIRST_TOUCH, 1515 - 313.45},
	};
	_cleanup_observations_ struct observations *obs = NULL;
	_cleanup_obs_rows_ struct obs_rows rows = {0};
	_cleanup_diags_ struct diags diags = {0};

	(void)state;
	assert_int_equal(observations_load(TEST_SOURCE_DIR
					   "/configs/observations/published-zone-device-template.json",
					   &diags, &obs),
			 0);
	assert_int_equal(obs_rows_add(&rows, obs, &diags), 0);
	check_u64(rows.nr, ARRAY_SIZE(want), "rows");
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		check_int(rows.items[i].stage, want[i].stage, "row %zu", i);
		check_near(rows.items[i].ns / 1e6, want[i].ms, 1e-9, "row %zu", i);
	}
	/* 100 GiB, map=dev, 2M: 25804288 struct pages beside the altmap's own */
	check_u64(rows.items[0].terms.items[0].units, 25804288, "struct pages");
	check_u64(diags.nr, 0, "the units stated are the geometry's");
}

/*
 * By hand, from the published totals of two boots: with c the cost of a struct page and two passes over
 * 500 * 262144 of them, both boots have boot_rest + 2 * 131.072e6 * c, and one has HVO's 0.32 s on top.
 */
static void test_published_boot_totals(void **state)
{
	_cleanup_observations_ struct observations *obs = NULL;
	_cleanup_obs_rows_ struct obs_rows rows = {0};
	_cleanup_diags_ struct diags diags = {0};
	uint64_t tails[2] = {0}, hugepages[2] = {0}, rest[2] = {0};

	(void)state;
	assert_int_equal(observations_load(TEST_SOURCE_DIR
					   "/configs/observations/published-hvo-skip-tail-init.json",
					   &diags, &obs),
			 0);
	assert_int_equal(obs_rows_add(&rows, obs, &diags), 0);
	check_u64(rows.nr, 2, "rows");
	for (size_t i = 0; i < 2; i++) {
		for (size_t t = 0; t < rows.items[i].terms.nr; t++) {
			const struct work_term *term = &rows.items[i].terms.items[t];

			tails[i] += term->stage == STAGE_HUGETLB_TAILS && term->unit == UNIT_STRUCT_PAGES
					    ? term->units
					    : 0;
			hugepages[i] += term->stage == STAGE_HVO_REMAP && term->unit == UNIT_HUGEPAGES
						? term->units
						: 0;
			rest[i] += term->stage == STAGE_BOOT_REST ? term->units : 0;
		}
		check_u64(tails[i], 2 * 500 * 262144ULL, "row %zu, two passes", i);
		check_u64(rest[i], 1, "row %zu, the rest of boot", i);
	}
	check_u64(hugepages[0], 500, "HVO on");
	check_u64(hugepages[1], 0, "HVO off");
}

static struct obs_run *add_race_run(struct observations *obs, enum memmap_path path, const char *routine,
				    double ns_per_page)
{
	struct obs_run *run =
		add_run(obs, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, KIND_ZD_BASE, 1000, 1000 * ns_per_page);

	run->path = path;
	run->routine = strdup(routine);
	return run;
}

static void test_ratios(void **state)
{
	_cleanup_observations_ struct observations *obs = observations_of("simulated", false);
	_cleanup_profile_ struct profile *p = profile_new("p");
	_cleanup_diags_ struct diags diags = {0};
	const struct path_ratio *nt;

	(void)state;
	add_race_run(obs, PATH_BASELINE, "fields", 10);
	add_race_run(obs, PATH_BASELINE, "fields-split", 8); /* not the kernel's own sequence */
	add_race_run(obs, PATH_TEMPLATE_NT, "slow", 6);
	add_race_run(obs, PATH_TEMPLATE_NT, "fast", 4);
	add_race_run(obs, PATH_TEMPLATE_NT, "wrong", 1)->verified = false;
	add_race_run(obs, PATH_TEMPLATE_NT, "shared", 2)->threads = 2;
	add_race_run(obs, PATH_TEMPLATE_NT, "cached", 3)->window = OBS_WINDOW_CACHE;
	obs->has_limits = true;
	obs->store_gbps = 5;
	obs->nt_store_gbps = 11;
	assert_int_equal(fit_ratios(p, obs, &diags), 0);
	check_u64(p->nr_ratios, 1, "ratios");
	nt = profile_find_ratio(p, KIND_ZD_BASE, PATH_TEMPLATE_NT);
	check_near(nt->ratio, 0.4, 1e-9, "the fastest verified routine against the first baseline");
	/* one sample each: only the allowance for another machine, of 2 either way for a non-temporal path */
	check_near(nt->low, 0.4 / 2, 1e-3, "low");
	check_near(nt->high, 0.4 * 2, 1e-3, "high");
	assert_non_null(strstr(nt->source, "fast against fields"));
	check_near(profile_find_cpu(p, KIND_ZD_BASE, PATH_TEMPLATE_NT)->ns, 3, 0, "CPU side");
	check_near(p->nt_store_gbps, 11, 0, "bandwidth");
	check_near(p->store_gbps, 5, 0, "bandwidth");
}

/* A template row is fitted as that path's own cost; simulated baselines make a profile of their own. */
static void test_paths_and_simulated_costs(void **state)
{
	_cleanup_observations_ struct observations *kernel = observations_of("kernel", false);
	_cleanup_observations_ struct observations *simulated = observations_of("simulated", false);
	_cleanup_profile_ struct profile *a = NULL, *b = NULL;

	(void)state;
	add_race_run(kernel, PATH_BASELINE, "", 10);
	add_race_run(kernel, PATH_TEMPLATE_NT, "", 4);
	a = fit(kernel, NULL);
	check_near(profile_find_cost(a, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, KIND_ZD_BASE, PATH_TEMPLATE_NT)
			   ->ns,
		   4, 1e-3, "template-nt");
	add_race_run(simulated, PATH_BASELINE, "fields", 10);
	add_race_run(simulated, PATH_BASELINE, "fields-split", 20);
	add_race_run(simulated, PATH_TEMPLATE, "stores", 5);
	b = fit(simulated, NULL);
	check_u64(b->nr_costs, 1, "only the kernel's own sequence");
	check_near(b->costs[0].ns, 10, 1e-3, "baseline");
	check_str(b->obtained, "simulated", "obtained");
}

/* Emulated costs count as multiples of a struct page: 300 : 30 there, so 100 where a struct page costs 10. */
static void test_generic_carries_over(void **state)
{
	_cleanup_observations_ struct observations *real = observations_of("published", false);
	_cleanup_observations_ struct observations *emulated = observations_of("guest", true);
	_cleanup_obs_rows_ struct obs_rows real_rows = {0}, emulated_rows = {0};
	_cleanup_diags_ struct diags diags = {0};
	_cleanup_profile_ struct profile *p = NULL;
	const struct cost *page, *wait;

	(void)state;
	add_run(real, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, KIND_ZD_BASE, 1000, 10e3);
	add_run(emulated, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, KIND_ZD_BASE, 1000, 30e3);
	add_run(emulated, STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, 100, 30e3);
	add_run(emulated, STAGE_REMOVE_MEMORY, UNIT_GRACE_PERIODS, KIND_NONE, 3, 30e6);
	assert_int_equal(obs_rows_add(&real_rows, real, &diags), 0);
	assert_int_equal(obs_rows_add(&emulated_rows, emulated, &diags), 0);
	assert_int_equal(fit_generic(&real_rows, &emulated_rows, "g", "by test", NULL, NULL, &diags, &p), 0);
	check_str(p->obtained, "uncalibrated", "obtained");
	assert_false(p->emulated);
	check_near(section_cost(p)->ns, 100, 1e-3, "a section");
	check_near(section_cost(p)->low_ns, 100. / 3, 1e-3, "a section, low");
	check_near(section_cost(p)->high_ns, 300, 1e-3, "a section, high");
	assert_true(section_cost(p)->prior);
	page = profile_find_cost(p, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, KIND_ZD_BASE, PATH_BASELINE);
	check_near(page->ns, 10, 1e-2, "a struct page");
	check_near(page->low_ns, 5, 1e-2, "other machines may be twice as fast");
	/* a wait is not work: it is not shorter on a faster machine */
	wait = profile_find_cost(p, STAGE_REMOVE_MEMORY, UNIT_GRACE_PERIODS, KIND_NONE, PATH_ANY);
	check_near(wait->ns, 10e6, 1e-3, "a grace period");
}

/*
 * A clock of 4 ms that read 0 of 100 units: nothing, and at most three times 4 ms / sqrt(12), 34641 ns a unit. What
 * is taken from such a cost is no better known: a third of it where a struct page takes a third of the time, all of
 * it for a wait, and all of it where it stands in for another.
 */
static void test_generic_keeps_bounds_of_nothing(void **state)
{
	_cleanup_observations_ struct observations *real = observations_of("published", false);
	_cleanup_observations_ struct observations *emulated = observations_of("guest", true);
	_cleanup_obs_rows_ struct obs_rows real_rows = {0}, emulated_rows = {0};
	static const struct {
		enum stage_id stage;
		enum unit_id unit;
		double high_ns;
	} rows[] = {
		{STAGE_ONLINE_PAGES,   UNIT_PAGEBLOCKS,    34641. / 3},
		{STAGE_REMOVE_MEMORY,  UNIT_GRACE_PERIODS, 34641     },
		{STAGE_HUGEPAGE_ALLOC, UNIT_HUGEPAGES,     34641     },
		{STAGE_HUGETLB_ALLOC,  UNIT_HUGEPAGES,     34641     },
	};
	_cleanup_diags_ struct diags diags = {0};
	_cleanup_profile_ struct profile *p = NULL;

	(void)state;
	add_run(real, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, KIND_ZD_BASE, 1000, 10e3);
	add_run(emulated, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, KIND_ZD_BASE, 1000, 30e3);
	add_run(emulated, STAGE_ONLINE_PAGES, UNIT_PAGEBLOCKS, KIND_NONE, 100, 0);
	add_run(emulated, STAGE_REMOVE_MEMORY, UNIT_GRACE_PERIODS, KIND_NONE, 100, 0);
	add_run(real, STAGE_HUGEPAGE_ALLOC, UNIT_HUGEPAGES, KIND_NONE, 100, 0);
	real->env.resolution_ns = emulated->env.resolution_ns = 4e6;
	assert_int_equal(obs_rows_add(&real_rows, real, &diags), 0);
	assert_int_equal(obs_rows_add(&emulated_rows, emulated, &diags), 0);
	assert_int_equal(fit_generic(&real_rows, &emulated_rows, "g", "by test", NULL, NULL, &diags, &p), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct cost *cost =
			profile_find_cost(p, rows[i].stage, rows[i].unit, KIND_NONE, PATH_ANY);

		assert_non_null(cost);
		check_near(cost->ns, 0, 0, "%s", stage_name(rows[i].stage));
		check_near(cost->high_ns, rows[i].high_ns, 1e-3, "%s, high", stage_name(rows[i].stage));
	}
}

/* The built-in profiles know the cost of everything that any example host has to do. */
static void test_generic_profiles_are_complete(void **state)
{
	const char *dir = TEST_SOURCE_DIR "/configs/hosts";
	DIR *d = opendir(dir);
	struct dirent *entry;
	size_t nr = 0;

	(void)state;
	assert_non_null(d);
	while ((entry = readdir(d))) {
		_cleanup_diags_ struct diags diags = {0};
		_cleanup_profile_ struct profile *p = NULL;
		_cleanup_host_ struct host *host = NULL;
		_cleanup_work_ struct work *work = NULL;
		char path[512];

		if (!strstr(entry->d_name, ".yaml"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		assert_int_equal(host_load(path, &diags, &host), 0);
		assert_int_equal(work_new(host, &diags, &work), 0);
		assert_int_equal(profile_load(profile_generic_name(host->arch), &diags, &p), 0);
		for (int on_path = 0; on_path < NR_PATHS; on_path++) {
			_cleanup_forecast_ struct host_forecast *f = NULL;

			assert_int_equal(forecast_new(host, work, p, on_path, &f), 0);
			if (f->nr_missing)
				print_error("%s: %s, %s\n", entry->d_name, stage_name(f->missing_stage),
					    unit_name(f->missing_unit));
			check_u64(f->nr_missing, 0, "%s, %s", entry->d_name, path_name(on_path));
		}
		nr++;
	}
	closedir(d);
	assert_true(nr >= 5);
}

static void test_validation(void **state)
{
	static char name[] = "p";
	struct cost cost = {
		STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, PATH_ANY, 100, 90, 110, 0, 1, 0, 0, NULL, 0};
	const struct profile profile = {.name = name, .costs = &cost, .nr_costs = 1};
	_cleanup_observations_ struct observations *obs = observations_of("guest", false);
	_cleanup_obs_rows_ struct obs_rows rows = {0};
	_cleanup_diags_ struct diags diags = {0};
	_cleanup_validation_ struct validation v = {0};

	(void)state;
	add_run(obs, STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, 10, 1000);    /* as forecast */
	add_run(obs, STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, 10, 1250);    /* 20 % too short, outside */
	add_run(obs, STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, 10, 952.381); /* 5 % too long, inside */
	add_run(obs, STAGE_MOVE_ZONE, UNIT_PAGEBLOCKS, KIND_NONE, 10, 50);     /* no cost */
	assert_int_equal(obs_rows_add(&rows, obs, &diags), 0);
	assert_int_equal(validation_add(&v, &profile, NULL, &rows), 0);
	assert_int_equal(validation_finish(&v), 0);
	check_u64(v.nr, 4, "rows");
	check_near(v.rows[0].error_pct, 0, 0, "exact");
	check_near(v.rows[1].error_pct, -20, 1e-9, "too short");
	check_near(v.rows[2].error_pct, 5, 1e-5, "too long");
	assert_true(v.rows[0].inside && !v.rows[1].inside && v.rows[2].inside && !v.rows[3].inside);
	check_u64(v.rows[3].nr_missing, 1, "no cost");
	check_near(v.max_abs_pct, 100, 1e-9, "worst");
	check_near(v.median_abs_pct, 12.5, 1e-5, "median of 0, 5, 20, 100");
	check_near(v.within_interval_pct, 50, 0, "inside");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_cost),
		cmocka_unit_test(test_outlier_is_named_and_counts_for_less),
		cmocka_unit_test(test_no_outliers_in_noise),
		cmocka_unit_test(test_forecast_coverage),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_single_observation),
		cmocka_unit_test(test_prior),
		cmocka_unit_test(test_prior_of_nothing),
		cmocka_unit_test(test_too_little_data_is_said),
		cmocka_unit_test(test_published_rows),
		cmocka_unit_test(test_published_boot_totals),
		cmocka_unit_test(test_ratios),
		cmocka_unit_test(test_paths_and_simulated_costs),
		cmocka_unit_test(test_generic_carries_over),
		cmocka_unit_test(test_generic_keeps_bounds_of_nothing),
		cmocka_unit_test(test_generic_profiles_are_complete),
		cmocka_unit_test(test_validation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
