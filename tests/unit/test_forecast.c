// SPDX-License-Identifier: GPL-2.0-or-later
/* Forecasts of hosts small enough to work out on paper; every expected value is written as that calculation. */
#include "model/forecast.h"

#include "support/check.h"

static struct cost cost_rows[] = {
  /* 10 ns a struct page, 8 to 14 */
	{STAGE_MEMMAP_INIT,    UNIT_STRUCT_PAGES,  KIND_ZD_BASE,  PATH_BASELINE, 10,  8,  14,  0, 4, 0, 0,  NULL,
	 false													 },
 /* 100 ns a section, 70 to 160, fitted on 2 to 16 of them */
	{STAGE_ADD_MEMORY,     UNIT_SECTIONS,      KIND_NONE,     PATH_ANY,      100, 70, 160, 0, 4, 2, 16, NULL, false},
	{STAGE_FIRST_TOUCH,    UNIT_TOUCHED_PAGES, KIND_NONE,     PATH_ANY,      50,  40, 60,  0, 2, 0, 0,  NULL, false},
	{STAGE_REMOVE_MEMORY,  UNIT_SECTIONS,      KIND_NONE,     PATH_ANY,      30,  20, 50,  0, 2, 0, 0,  NULL, false},
	{STAGE_MEMMAP_EARLY,   UNIT_STRUCT_PAGES,  KIND_ORDINARY, PATH_BASELINE, 5,   4,  7,   0, 2, 0, 0,  NULL,
	 false													 },
	{STAGE_HUGETLB_TAILS,  UNIT_STRUCT_PAGES,  KIND_HUGETLB,  PATH_ANY,      6,   5,  8,   0, 2, 0, 0,  NULL, false},
	{STAGE_HUGETLB_ALLOC,  UNIT_HUGEPAGES,     KIND_NONE,     PATH_ANY,      40,  30, 60,  0, 2, 0, 0,  NULL, false},
	{STAGE_HUGEPAGE_ALLOC, UNIT_HUGEPAGES,     KIND_NONE,     PATH_ANY,      20,  10, 30,  0, 2, 0, 0,  NULL, false},
};
static struct path_ratio ratio_rows[] = {
	{KIND_ZD_BASE, PATH_TEMPLATE_NT, 0.4, 0.2, 0.8, NULL}
};
static struct cpu_cost cpu_rows[] = {
	{KIND_ZD_BASE,     PATH_TEMPLATE, 3, NULL},
	{KIND_ZD_COMPOUND, PATH_TEMPLATE, 9, NULL},
};

static struct profile test_profile(void)
{
	static char name[] = "hand-made";

	return (struct profile){
		.name = name,
		.store_gbps = 16, /* 64 bytes: 4 ns */
		.costs = cost_rows,
		.nr_costs = ARRAY_SIZE(cost_rows),
		.ratios = ratio_rows,
		.nr_ratios = ARRAY_SIZE(ratio_rows),
		.cpu = cpu_rows,
		.nr_cpu = ARRAY_SIZE(cpu_rows),
	};
}

static struct work_term pages(uint64_t units, unsigned int parallel)
{
	return (struct work_term){.stage = STAGE_MEMMAP_INIT,
				  .unit = UNIT_STRUCT_PAGES,
				  .kind = KIND_ZD_BASE,
				  .units = units,
				  .parallel = parallel};
}

static struct work_term units_of(enum stage_id stage, enum unit_id unit, uint64_t units)
{
	return (struct work_term){
		.stage = stage, .unit = unit, .kind = KIND_NONE, .units = units, .parallel = 1};
}

static struct device_work device_of(struct work_term *terms, size_t nr, uint32_t count)
{
	return (struct device_work){
		.name = "dev", .count = count, .terms = {terms, nr}
        };
}

static const struct host plain_host = {.struct_page_bytes = 64};

static struct host_forecast *forecast_with(const struct host *host, struct profile *profile,
					   enum memmap_path path, struct device_work *devices, size_t nr)
{
	static struct work work;
	struct host_forecast *f = NULL;

	work = (struct work){.host = host, .devices = devices, .nr_devices = nr};
	assert_int_equal(forecast_new(host, &work, profile, path, &f), 0);
	assert_non_null(f);
	return f;
}

static void check_estimate(struct estimate got, double mid, double low, double high, const char *what)
{
	check_near(got.mid_ns, mid, 1e-12, "%s, mid", what);
	check_near(got.low_ns, low, 1e-12, "%s, low", what);
	check_near(got.high_ns, high, 1e-12, "%s, high", what);
}

/* One cost on two devices errs the same way on both: half-widths add up. */
static void test_shared_cost_adds(void **state)
{
	struct work_term a = pages(100, 1), b = pages(50, 1);
	struct device_work devices[] = {device_of(&a, 1, 1), device_of(&b, 1, 1)};
	struct profile profile = test_profile();
	_cleanup_forecast_ struct host_forecast *f =
		forecast_with(&plain_host, &profile, PATH_BASELINE, devices, 2);

	(void)state;
	check_estimate(f->devices[0].rebind, 1000, 800, 1400, "first device");
	check_estimate(f->devices[1].rebind, 500, 400, 700, "second device");
	check_estimate(f->hotplug, 1500, 1500 - 150 * 2, 1500 + 150 * 4, "both");
}

/* Different costs err independently: half-widths add in quadrature, the lower and the upper ones apart. */
static void test_independent_costs_in_quadrature(void **state)
{
	struct work_term terms[] = {pages(150, 1), units_of(STAGE_ADD_MEMORY, UNIT_SECTIONS, 4)};
	struct device_work device = device_of(terms, 2, 1);
	struct profile profile = test_profile();
	_cleanup_forecast_ struct host_forecast *f =
		forecast_with(&plain_host, &profile, PATH_BASELINE, &device, 1);

	(void)state;
	check_estimate(f->devices[0].rebind, 1900, 1900 - hypot(150 * 2, 4 * 30),
		       1900 + hypot(150 * 4, 4 * 60), "rebind");
	check_u64(f->devices[0].stages.nr, 2, "stages");
	check_int(f->devices[0].stages.items[0].stage, STAGE_ADD_MEMORY, "table order");
	check_int(f->devices[0].stages.items[1].stage, STAGE_MEMMAP_INIT, "table order");
	check_u64(f->devices[0].stages.items[1].units, 150, "units of memmap_init");
	check_u64(f->nr_missing, 0, "missing costs");
}

/*
 * Two costs of one stage fitted together, each known to 1 and 2 ns a unit (90 %: 1.645 of that), off the other way by
 * r = -0.8: var = (3*1)^2 + (4*2)^2 - 2*0.8*(3*1)(4*2) = 34.6 for 3 units of the one and 4 of the other. The noise was
 * taken at its word (dof 0).
 */
static void test_correlated_costs(void **state)
{
	struct work_term terms[] = {units_of(STAGE_ADD_MEMORY, UNIT_SECTIONS, 3),
				    units_of(STAGE_ADD_MEMORY, UNIT_VMEMMAP_PTES, 4)};
	struct device_work device = device_of(terms, 2, 1);
	struct cost costs[] = {
		{.stage = STAGE_ADD_MEMORY, .unit = UNIT_SECTIONS,     .kind = KIND_NONE, .path = PATH_ANY},
		{.stage = STAGE_ADD_MEMORY, .unit = UNIT_VMEMMAP_PTES, .kind = KIND_NONE, .path = PATH_ANY},
	};
	struct cost_correlation pair = {.a = 0, .b = 1, .r = 0.8, .opposite = true};
	struct stage_fit stage = {.stage = STAGE_ADD_MEMORY, .n = 2};
	struct profile profile = test_profile();

	(void)state;
	costs[0].ns = costs[0].low_ns = costs[0].high_ns = 100;
	costs[1].ns = costs[1].low_ns = costs[1].high_ns = 200;
	costs[0].se_ns = 1;
	costs[1].se_ns = 2;
	profile.costs = costs;
	profile.nr_costs = 2;
	profile.correlations = &pair;
	profile.nr_correlations = 1;
	profile.fits = &stage;
	profile.nr_fits = 1;
	for (int opposite = 0; opposite < 2; opposite++) {
		double half = 1.6448536269514722 * sqrt(9 + 64 + (opposite ? -1 : 1) * 2 * 0.8 * 3 * 8);

		pair.opposite = opposite;
		_cleanup_forecast_ struct host_forecast *f =
			forecast_with(&plain_host, &profile, PATH_BASELINE, &device, 1);
		check_near(f->devices[0].rebind.mid_ns, 1100, 1e-12, "mid");
		check_near(f->devices[0].rebind.high_ns - 1100, half, 1e-9, "above");
		check_near(1100 - f->devices[0].rebind.low_ns, half, 1e-9, "below");
	}
}

/* A stage that says how well it was fitted is as sure as that; others are as sure as the whole profile. */
static void test_residual_of_a_stage(void **state)
{
	struct work_term terms[] = {pages(100, 1), units_of(STAGE_ADD_MEMORY, UNIT_SECTIONS, 4)};
	struct device_work device = device_of(terms, 2, 1);
	struct stage_fit fit = {.stage = STAGE_ADD_MEMORY, .n = 9, .dof = 8, .residual_pct = 50};
	struct profile profile = test_profile();

	(void)state;
	profile.residual_pct = 10;
	profile.fits = &fit;
	profile.nr_fits = 1;
	_cleanup_forecast_ struct host_forecast *f =
		forecast_with(&plain_host, &profile, PATH_BASELINE, &device, 1);
	/* 4 sections of 100 (to 160) ns, 100 struct pages of 10 (to 14) */
	check_near(f->devices[0].stages.items[0].time.high_ns, 400 + hypot(4 * 60, 200), 1e-9, "add_memory");
	check_near(f->devices[0].stages.items[1].time.high_ns, 1000 + hypot(400, 100), 1e-9, "memmap_init");
}

static void test_count_and_threads(void **state)
{
	struct work_term term = pages(100, 4);
	struct device_work device = device_of(&term, 1, 3);
	struct profile profile = test_profile();
	_cleanup_forecast_ struct host_forecast *f =
		forecast_with(&plain_host, &profile, PATH_BASELINE, &device, 1);

	(void)state;
	check_estimate(f->devices[0].rebind, 250, 200, 350, "one of three, four threads");
	check_estimate(f->hotplug, 750, 600, 1050, "three");
}

/* 10 % of each stage's time, independent between stages, the same for the copies of one device. */
static void test_residual(void **state)
{
	struct work_term terms[] = {pages(100, 1), units_of(STAGE_ADD_MEMORY, UNIT_SECTIONS, 4)};
	struct device_work device = device_of(terms, 2, 2);
	struct profile profile = test_profile();
	double rows_down = 200. * 200 + 120 * 120, rows_up = 400. * 400 + 240 * 240;
	double left = 100. * 100 + 40 * 40;

	profile.residual_pct = 10;
	_cleanup_forecast_ struct host_forecast *f =
		forecast_with(&plain_host, &profile, PATH_BASELINE, &device, 1);

	(void)state;
	check_estimate(f->devices[0].rebind, 1400, 1400 - sqrt(rows_down + left), 1400 + sqrt(rows_up + left),
		       "one");
	check_estimate(f->hotplug, 2800, 2800 - 2 * sqrt(rows_down + left), 2800 + 2 * sqrt(rows_up + left),
		       "two alike");
}

static void test_events(void **state)
{
	struct work_term terms[] = {
		pages(100, 1), units_of(STAGE_FIRST_TOUCH, UNIT_TOUCHED_PAGES, 10),
		units_of(STAGE_REMOVE_MEMORY, UNIT_SECTIONS, 2),
		units_of(STAGE_ADD_MEMORY, UNIT_SECTIONS, 0), /* no work, no stage */
	};
	struct device_work device = device_of(terms, 4, 1);
	struct profile profile = test_profile();
	_cleanup_forecast_ struct host_forecast *f =
		forecast_with(&plain_host, &profile, PATH_BASELINE, &device, 1);

	(void)state;
	check_estimate(f->devices[0].rebind, 1000, 800, 1400, "rebind");
	check_estimate(f->devices[0].first_bind, 1500, 1500 - hypot(200, 100), 1500 + hypot(400, 100),
		       "first bind");
	check_estimate(f->devices[0].unbind, 60, 40, 100, "unbind");
	check_u64(f->devices[0].stages.nr, 3, "stages");
	check_estimate(f->hotplug, 1000, 800, 1400, "hot-plug");
	check_near(f->hotplug_first.mid_ns, 1500, 1e-12, "hot-plug, first");
}

/* Four times the largest count fitted on: the interval is sqrt(4) as wide. Up to 1.25 times it is not touched. */
static void test_extrapolation(void **state)
{
	static const struct {
		uint64_t sections;
		double widening;
		bool extrapolated;
	} cases[] = {
		{16, 1,       false},
                {20, 1,       false},
                {64, 2,       true },
                {2,  1,       false},
                {1,  M_SQRT2, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct work_term term = units_of(STAGE_ADD_MEMORY, UNIT_SECTIONS, cases[i].sections);
		struct device_work device = device_of(&term, 1, 1);
		struct profile profile = test_profile();
		_cleanup_forecast_ struct host_forecast *f =
			forecast_with(&plain_host, &profile, PATH_BASELINE, &device, 1);
		double n = (double)cases[i].sections, wide = n * cases[i].widening;

		check_estimate(f->devices[0].rebind, 100 * n, 100 * n - 30 * wide, 100 * n + 60 * wide,
			       "rebind");
		check_int(f->devices[0].stages.items[0].extrapolated, cases[i].extrapolated, "%g sections",
			  n);
		check_int(f->devices[0].stages.items[0].terms[0].extrapolated, cases[i].extrapolated,
			  "term, %g sections", n);
	}
}

/* What the profile does not know is counted and named; no window is said to fit without it. */
static void test_missing_cost(void **state)
{
	struct work_term terms[] = {pages(100, 1), units_of(STAGE_MOVE_ZONE, UNIT_PAGEBLOCKS, 7)};
	struct device_work device = device_of(terms, 2, 1);
	struct profile profile = test_profile();
	struct host host = plain_host;

	host.has_hotplug_window = true;
	host.hotplug_window_ns = 5000;
	_cleanup_forecast_ struct host_forecast *f =
		forecast_with(&host, &profile, PATH_BASELINE, &device, 1);

	(void)state;
	check_u64(f->nr_missing, 1, "missing");
	check_int(f->missing_unit, UNIT_PAGEBLOCKS, "unit");
	check_int(f->missing_stage, STAGE_MOVE_ZONE, "stage");
	check_near(f->devices[0].rebind.mid_ns, 1000, 1e-12, "what is known");
	check_u64(f->windows[0].nr_missing, 1, "missing in the window");
	assert_false(f->windows[0].fits);
	assert_false(f->windows[0].sure);
}

/* The basis of a struct page's cost on each path, and its interval. */
static void test_cost_basis(void **state)
{
	static const struct {
		const char *what;
		enum stage_id stage;
		enum page_kind kind;
		enum memmap_path path;
		enum cost_basis basis;
		double ns, low, high;
	} cases[] = {
		{"own row",                STAGE_MEMMAP_INIT,   KIND_ZD_BASE,     PATH_BASELINE,    COST_MEASURED, 10, 8, 14               },
 /* down: 8/10 and 1/2, up: 14/10 and 2, as logarithms in quadrature */
		{"ratio",                  STAGE_MEMMAP_INIT,   KIND_ZD_BASE,     PATH_TEMPLATE_NT, COST_RATIO,    4,
		 1.9311475238865565,										      8.643365042507499},
 /* 3 ns of CPU against 64 B at 16 GB/s: the memory's 4 ns; both one after the other at worst */
		{"roofline, memory-bound", STAGE_MEMMAP_INIT,   KIND_ZD_BASE,     PATH_TEMPLATE,    COST_ROOFLINE, 4,
		 4,												       7                },
		{"roofline, CPU-bound",    STAGE_MEMMAP_INIT,   KIND_ZD_COMPOUND, PATH_TEMPLATE,    COST_ROOFLINE, 9,
		 9,												       13               },
 /* no NT bandwidth, no ratio for this kind */
		{"nothing",                STAGE_MEMMAP_INIT,   KIND_ZD_COMPOUND, PATH_TEMPLATE_NT, COST_MISSING,  0,  0, 0                },
		{"any path",               STAGE_HUGETLB_TAILS, KIND_HUGETLB,     PATH_TEMPLATE_NT, COST_MEASURED, 6,  5, 8                },
	};
	struct profile profile = test_profile();

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct cost_answer got;

		profile_cost(&profile, cases[i].stage, UNIT_STRUCT_PAGES, cases[i].kind, cases[i].path, 64,
			     &got);
		check_int(got.basis, cases[i].basis, "%s", cases[i].what);
		check_near(got.ns, cases[i].ns, 1e-12, "%s", cases[i].what);
		check_near(got.low_ns, cases[i].low, 1e-9, "%s, low", cases[i].what);
		check_near(got.high_ns, cases[i].high, 1e-9, "%s, high", cases[i].what);
	}
}

static void test_windows(void **state)
{
	struct work_term small = pages(100, 1), large = pages(300, 1);
	struct device_work devices[] = {device_of(&small, 1, 2), device_of(&large, 1, 1)};
	struct profile profile = test_profile();
	struct host host = plain_host;
	static const struct {
		uint64_t limit_ns;
		bool fits, sure;
	} cases[] = {
  /* all devices: 5000, up to 7000 */
		{4999, false, false},
		{5000, true,  false},
		{7000, true,  true },
	};

	(void)state;
	devices[0].name = "small";
	devices[1].name = "large";
	host.has_hotplug_window = host.has_per_device_window = host.has_boot_window = true;
	host.per_device_window_ns = 3000;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		host.hotplug_window_ns = cases[i].limit_ns;
		_cleanup_forecast_ struct host_forecast *f =
			forecast_with(&host, &profile, PATH_BASELINE, devices, 2);

		check_u64(f->nr_windows, 3, "windows");
		check_str(f->windows[0].name, "hotplug", "name");
		check_int(f->windows[0].fits, cases[i].fits, "limit %" PRIu64, cases[i].limit_ns);
		check_int(f->windows[0].sure, cases[i].sure, "limit %" PRIu64, cases[i].limit_ns);
		check_str(f->windows[1].name, "per_device", "name");
		check_str(f->windows[1].device, "large", "the worst device");
		check_int(f->windows[1].fits, true, "3000 ns for one");
		check_str(f->windows[2].name, "boot", "name");
		check_int(f->windows[2].fits, true, "no boot work");
	}
}

/* The device that takes longest by its middle is sure to fit; another, less well known, is not. */
static void test_window_of_each_device(void **state)
{
	struct work_term known = pages(100, 1), vague = units_of(STAGE_ADD_MEMORY, UNIT_SECTIONS, 9);
	struct device_work devices[] = {device_of(&known, 1, 1), device_of(&vague, 1, 1)};
	struct profile profile = test_profile();
	struct host host = plain_host;

	(void)state;
	devices[0].name = "known";
	devices[1].name = "vague";
	host.has_per_device_window = true;
	host.per_device_window_ns = 1420;
	_cleanup_forecast_ struct host_forecast *f =
		forecast_with(&host, &profile, PATH_BASELINE, devices, 2);

	check_estimate(f->devices[0].rebind, 1000, 800, 1400, "known");
	check_estimate(f->devices[1].rebind, 900, 630, 1440, "vague");
	check_str(f->windows[0].device, "known", "the longest middle");
	check_estimate(f->windows[0].forecast, 1000, 800, 1440, "the longest");
	assert_true(f->windows[0].fits);
	assert_false(f->windows[0].sure);
}

/* RAM's early part, two boot pools whose stages are one row each, and a run-time pool that boot does not pay. */
static void test_boot_and_pools(void **state)
{
	static const struct host_hugepages at_boot = {.when = HUGEPAGES_BOOT},
					   later = {.when = HUGEPAGES_RUNTIME};
	struct work_term early = {STAGE_MEMMAP_EARLY, UNIT_STRUCT_PAGES, KIND_ORDINARY, 200, 1, NULL, NULL};
	struct work_term pool_a[] = {
		{STAGE_HUGETLB_TAILS, UNIT_STRUCT_PAGES, KIND_HUGETLB, 100, 2, NULL, NULL},
		units_of(STAGE_HUGETLB_ALLOC, UNIT_HUGEPAGES, 2),
	};
	struct work_term pool_b[] = {
		{STAGE_HUGETLB_TAILS, UNIT_STRUCT_PAGES, KIND_HUGETLB, 60, 1, NULL, NULL},
	};
	struct work_term pool_c[] = {units_of(STAGE_HUGEPAGE_ALLOC, UNIT_HUGEPAGES, 5)};
	struct pool_work pools[] = {
		{.pool = &at_boot, .terms = {pool_a, 2}, .saved_bytes = 1000},
		{.pool = &at_boot,                .terms = {pool_b, 1}                    },
		{.pool = &later,                .terms = {pool_c, 1}  },
	};
	struct device_work device = {.name = "dev",
				     .count = 2,
				     .memmap_ram_bytes = 300,
				     .page_table_bytes = 20,
				     .memmap_device_bytes = 7,
				     .memmap_saved_bytes = 11};
	struct work work = {
		.host = &plain_host,
		.devices = &device,
		.nr_devices = 1,
		.pools = pools,
		.nr_pools = 3,
		.boot = {.terms = {&early, 1}, .memmap_bytes = 5000}
        };
	struct profile profile = test_profile();
	_cleanup_forecast_ struct host_forecast *f = NULL;

	(void)state;
	assert_int_equal(forecast_new(&plain_host, &work, &profile, PATH_BASELINE, &f), 0);
	check_u64(f->boot.stages.nr, 3, "boot stages");
	check_estimate(f->boot.early, 1000, 800, 1400, "early");
	/* 100 in two threads and 60 in one: 110 after one another, at 6 [5, 8]; 2 hugepages at 40 [30, 60] */
	check_estimate(f->boot.hugetlb, 740, 740 - hypot(110, 20), 740 + hypot(220, 40), "hugetlb");
	check_u64(f->boot.stages.items[2].units, 160, "struct pages of both pools");
	check_near(f->boot.total.mid_ns, 1740, 1e-12, "boot");
	check_near(f->boot.deferred.mid_ns, 0, 0, "nothing deferred");
	check_u64(f->nr_pools, 1, "run-time pools");
	check_estimate(f->pools[0].alloc, 100, 50, 150, "five hugepages");
	check_u64(f->memmap_ram_bytes, 5000 - 1000 + 2 * 320, "memmap in RAM");
	check_u64(f->memmap_device_bytes, 14, "memmap on devices");
	check_u64(f->saved_bytes, 1022, "saved");
}

static void test_empty_host(void **state)
{
	struct profile profile = test_profile();
	_cleanup_forecast_ struct host_forecast *f =
		forecast_with(&plain_host, &profile, PATH_BASELINE, NULL, 0);

	(void)state;
	check_estimate(f->hotplug, 0, 0, 0, "no devices");
	check_u64(f->nr_windows, 0, "windows");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shared_cost_adds),
		cmocka_unit_test(test_independent_costs_in_quadrature),
		cmocka_unit_test(test_correlated_costs),
		cmocka_unit_test(test_residual_of_a_stage),
		cmocka_unit_test(test_count_and_threads),
		cmocka_unit_test(test_residual),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_extrapolation),
		cmocka_unit_test(test_missing_cost),
		cmocka_unit_test(test_cost_basis),
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_window_of_each_device),
		cmocka_unit_test(test_boot_and_pools),
		cmocka_unit_test(test_empty_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
