// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Comparison statistics: p-values of published examples and of full enumerations done elsewhere (Python's fractions),
 * and studies with known truth for what can only be checked by repeating it.
 */
#include "support/check.h"

#include <errno.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "base/util.h"
#include "model/comparison.h"
#include "stats/compare.h"

struct case_ {
	const char *name;
	double a[20], b[20];
	size_t nr_a, nr_b;
	double u, p;
};

static void rank_tests(void **state)
{
	static const struct case_ cases[] = {
  /* Hollander & Wolfe 1973, permeability: W = 35, one-sided p 0.1272 (R's wilcox.test); b is their x */
		{"permeability",
		 {1.15, 0.88, 0.90, 0.74, 1.21},
		 {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46},
		 5,							       10,
		 35,									0.254412254412254},
 /* Mann & Whitney's table: with 3 and 3, U = 0 has probability 1/20 on each side */
		{"all below, 3 and 3", {1, 2, 3},       {4, 5, 6},             3, 3,  9,    0.1              },
		{"all above, 4 and 4", {5, 6, 7, 8},    {1, 2, 3, 4},          4, 4,  0,    2.0 / 70         },
		{"one and one",        {1},             {2},                   1, 1,  1,    1                },
		{"all equal",          {7, 7, 7},       {7, 7, 7},             3, 3,  4.5,  1                },
 /* 62 of the 462 ways to choose 5 of 11 mean ranks are as far out, enumerated elsewhere */
		{"ties",               {1, 2, 2, 3, 5}, {2, 3, 4, 4, 6, 7},    5, 6,  23.5, 62.0 / 462       },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct two_samples s = {cases[i].a, cases[i].b, cases[i].nr_a, cases[i].nr_b};
		const struct two_samples mirrored = {s.b, s.a, s.nr_b, s.nr_a};
		struct rank_test test;

		assert_int_equal(rank_test(&s, &test), 0);
		check_near(test.u, cases[i].u, 1e-12, "%s: u", cases[i].name);
		check_near(test.p, cases[i].p, 1e-9, "%s: p", cases[i].name);
		check_int(test.exact, true, "%s", cases[i].name);
		assert_int_equal(rank_test(&mirrored, &test), 0);
		check_near(test.p, cases[i].p, 1e-9, "%s, sides changed: p", cases[i].name);
	}
}

/* 30 and 30 in groups of three: z = 2.39756445372 by hand, the p-value from the error function. */
static void rank_test_of_many(void **state)
{
	double a[30], b[30];
	const struct two_samples s = {a, b, 30, 30};
	struct rank_test test;

	(void)state;
	for (size_t i = 0; i < 30; i++) {
		a[i] = (double)(i / 3) + 10;
		b[i] = (double)(i / 3) + 12;
	}
	assert_int_equal(rank_test(&s, &test), 0);
	check_near(test.u, 612, 1e-12, "u");
	check_near(test.p, 0.016504477012993086, 1e-9, "p");
	check_int(test.exact, false, "approximate");
	for (size_t i = 0; i < 30; i++)
		a[i] = b[i] = 4;
	assert_int_equal(rank_test(&s, &test), 0);
	check_near(test.p, 1, 0, "p of equal samples");
}

/* Holm 1979: each p times the number not yet rejected, never below the one before. */
static void holm(void **state)
{
	double p[] = {0.01, 0.04, 0.03, 0.005}, large[] = {0.9, 0.6};
	static const double want[] = {0.03, 0.06, 0.06, 0.02};

	(void)state;
	assert_int_equal(holm_adjust(p, ARRAY_SIZE(p)), 0);
	for (size_t i = 0; i < ARRAY_SIZE(p); i++)
		check_near(p[i], want[i], 1e-12, "p[%zu]", i);
	assert_int_equal(holm_adjust(large, 2), 0);
	check_near(large[0], 1, 0, "no p above 1");
	assert_int_equal(holm_adjust(NULL, 0), 0);
}

/*
 * The median of a resample of 1..n is at most k with the probability of a majority of n draws at or below k: for
 * n = 5, P(1) = 0.058; for n = 9, P(1) = 0.0014 and P(2) = 0.031. So the 2.5 % quantiles are 1 and 2. For n = 12 the
 * mean of the two in the middle: P(3) = 0.016 and P(3.5) = 0.036, counted with Python's fractions.
 */
static void bootstrap_of_known_medians(void **state)
{
	static const double ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, counted[9] = {9, 3, 1, 7, 5, 2, 8, 6, 4};
	static const double five[5] = {4, 1, 5, 2, 3}, twelve[12] = {12, 1, 11, 2, 10, 3, 9, 4, 8, 5, 7, 6};
	struct median_ratio ratio;

	(void)state;
	assert_int_equal(median_ratio(&(struct two_samples){ones, five, 5, 5}, &ratio), 0);
	check_near(ratio.ratio, 3, 0, "5: ratio");
	check_near(ratio.low, 1, 0, "5: low");
	check_near(ratio.high, 5, 0, "5: high");
	assert_int_equal(median_ratio(&(struct two_samples){ones, counted, 9, 9}, &ratio), 0);
	check_near(ratio.low, 2, 0, "9: low");
	check_near(ratio.high, 8, 0, "9: high");
	assert_int_equal(median_ratio(&(struct two_samples){ones, twelve, 9, 12}, &ratio), 0);
	check_near(ratio.ratio, 6.5, 0, "12: ratio");
	check_near(ratio.low, 3.5, 0, "12: low");
	check_near(ratio.high, 9.5, 0, "12: high");
	assert_int_equal(median_ratio(&(struct two_samples){counted, ones, 9, 9}, &ratio), 0);
	check_near(ratio.ratio, 0.2, 1e-12, "the other way around");
	assert_int_equal(median_ratio(
				 &(struct two_samples){
					 (double[]){0, 1},
                                         ones, 2, 9
        },
				 &ratio),
			 -EINVAL);
	assert_int_equal(median_ratio(&(struct two_samples){ones, ones, 0, 9}, &ratio), -EINVAL);
}

/* Times with a long tail to the right, as interrupted ones have. */
static double draw_time(gsl_rng *rng, double scatter)
{
	return 1e8 * exp(gsl_ran_gaussian(rng, scatter) + gsl_ran_exponential(rng, scatter / 2));
}

static void interval_coverage(void **state)
{
	static const size_t sizes[] = {COMPARISON_MIN_SAMPLES, 10, 30};
	enum { STUDIES = 300 };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		int covered = 0;

		for (int study = 0; study < STUDIES; study++) {
			double a[30], b[30];
			struct median_ratio ratio;

			for (size_t k = 0; k < sizes[i]; k++) {
				a[k] = draw_time(rng, 0.04);
				b[k] = 1.3 * draw_time(rng, 0.04);
			}
			assert_int_equal(
				median_ratio(&(struct two_samples){a, b, sizes[i], sizes[i]}, &ratio), 0);
			covered += ratio.low <= 1.3 && ratio.high >= 1.3;
		}
		/* 95 % of 300 are 285 +- 3.8 */
		if (covered < 274)
			fail_msg("%zu samples: only %d of %d intervals cover", sizes[i], covered, STUDIES);
	}
	gsl_rng_free(rng);
}

static void detectable(void **state)
{
	static const double a[4] = {1, 2, 3, 4}, b[5] = {1, 2, 3, 4, 5};
	static const struct median_ratio ratio = {1, 1, 1};
	double tight[60], wide[60], change, wider, stricter, fewer;

	(void)state;
	/* 4 against 5 samples: 2 of 126 ways are the most extreme, 0.016 */
	assert_int_equal(detectable_change(&(struct two_samples){a, b, 4, 5}, &ratio, 0.01, &change), 0);
	check_int(isinf(change), true, "nothing can be shown at 0.01");
	assert_int_equal(detectable_change(&(struct two_samples){a, b, 4, 5}, &ratio, 0.02, &change), 0);
	check_int(isfinite(change), true, "but at 0.02");

	for (size_t i = 0; i < 60; i++) {
		tight[i] = 100 * (1 + 0.001 * (double)(i % 20));
		wide[i] = 100 * (1 + 0.01 * (double)(i % 20));
	}
	detectable_change(&(struct two_samples){tight, tight, 60, 60}, &ratio, 0.01, &change);
	detectable_change(&(struct two_samples){wide, wide, 60, 60}, &ratio, 0.01, &wider);
	detectable_change(&(struct two_samples){tight, tight, 60, 60}, &ratio, 0.0001, &stricter);
	detectable_change(&(struct two_samples){tight, tight, 20, 20}, &ratio, 0.01, &fewer);
	check_int(change > 0 && change < 0.02, true, "within the scatter");
	check_int(wider > 5 * change, true, "ten times the scatter");
	check_int(stricter > change && fewer > change, true, "a stricter level, fewer samples");
}

struct pair {
	struct observations *a, *b;
};

static struct observations *observed(const char *mode)
{
	struct observations *obs = observations_new(mode);

	assert_non_null(obs);
	obs->env = (struct obs_environment){.arch = strdup("x86_64"),
					    .cpu = strdup("a CPU"),
					    .kernel = strdup("7.3.4"),
					    .timing_source = strdup("function_graph"),
					    .resolution_ns = 100};
	return obs;
}

static struct obs_run *add_run(struct observations *obs, enum stage_id stage, uint64_t units)
{
	struct obs_run *run = observations_add_run(obs);

	assert_non_null(run);
	run->device = strdup("dax0.0");
	run->event = EVENT_BIND;
	run->stage = stage;
	run->unit = UNIT_STRUCT_PAGES;
	run->path = PATH_BASELINE;
	run->units = run->measured_units = units;
	return run;
}

static void pair_make(struct pair *pair)
{
	pair->a = observed("kernel");
	pair->b = observed("kernel");
}

static void pair_free(struct pair *pair)
{
	observations_free(pair->a);
	observations_free(pair->b);
}

static void resample(gsl_rng *rng, const double *pool, size_t nr, double factor, struct obs_run *run)
{
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(obs_run_add_sample(run, factor * pool[gsl_rng_uniform_int(rng, nr)]), 0);
}

/* One measurement, resampled on both sides: nothing has changed, and nothing may be found. */
static void a_kernel_with_itself(void **state)
{
	enum { RUNS = 100, SAMPLES = 30 };
	static const enum stage_id measured[] = {STAGE_ADD_MEMORY, STAGE_MOVE_ZONE, STAGE_MEMMAP_INIT,
						 STAGE_DRIVER, STAGE_REMOVE_MEMORY};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int quiet = 0;

	(void)state;
	for (int i = 0; i < RUNS; i++) {
		struct comparison *comparison;
		bool found = false;
		struct pair pair;

		pair_make(&pair);
		for (size_t stage = 0; stage < ARRAY_SIZE(measured); stage++) {
			double pool[SAMPLES];

			for (size_t k = 0; k < SAMPLES; k++)
				pool[k] = draw_time(rng, 0.03);
			resample(rng, pool, SAMPLES, 1, add_run(pair.a, measured[stage], 1));
			resample(rng, pool, SAMPLES, 1, add_run(pair.b, measured[stage], 1));
		}
		assert_int_equal(comparison_new(pair.a, pair.b, false, NULL, &comparison), 0);
		check_u64(comparison->nr, ARRAY_SIZE(measured), "rows");
		for (size_t row = 0; row < comparison->nr; row++)
			found |= comparison->rows[row].verdict != VERDICT_NO_CHANGE;
		quiet += !found;
		comparison_free(comparison);
		pair_free(&pair);
	}
	if (quiet < 95)
		fail_msg("a change was found in %d of %d", RUNS - quiet, RUNS);
	gsl_rng_free(rng);
}

/* A change of 5 % is planted: where the comparison says that it would show, it does. */
static void a_planted_change(void **state)
{
	enum { RUNS = 50 };
	static const struct {
		double scatter;
		size_t nr;
		int least_promised, most_promised; /* of RUNS */
	} rows[] = {
		{0.005, 10, 45, RUNS},
		{0.01,  30, 45, RUNS},
		{0.02,  20, 1,  RUNS},
		{0.10,  30, 0,  0   },
	};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int promised = 0, found = 0;

		for (int run = 0; run < RUNS; run++) {
			struct comparison *comparison;
			struct pair pair;

			pair_make(&pair);
			add_run(pair.a, STAGE_MEMMAP_INIT, 1);
			add_run(pair.b, STAGE_MEMMAP_INIT, 1);
			for (size_t k = 0; k < rows[i].nr; k++) {
				obs_run_add_sample(&pair.a->runs[0], draw_time(rng, rows[i].scatter));
				obs_run_add_sample(&pair.b->runs[0], 1.05 * draw_time(rng, rows[i].scatter));
			}
			assert_int_equal(comparison_new(pair.a, pair.b, false, NULL, &comparison), 0);
			if (comparison->rows[0].detectable <= 0.05) {
				promised++;
				found += comparison->rows[0].verdict == VERDICT_SLOWER;
			}
			comparison_free(comparison);
			pair_free(&pair);
		}
		if (promised < rows[i].least_promised || promised > rows[i].most_promised)
			fail_msg("scatter %g, n = %zu: promised %d times", rows[i].scatter, rows[i].nr,
				 promised);
		if (found < 0.95 * promised)
			fail_msg("scatter %g, n = %zu: promised %d, found %d", rows[i].scatter, rows[i].nr,
				 promised, found);
	}
	gsl_rng_free(rng);
}

static enum comparison_verdict verdict_of(struct pair *pair, size_t row)
{
	struct comparison *comparison;
	enum comparison_verdict verdict;

	assert_int_equal(comparison_new(pair->a, pair->b, false, NULL, &comparison), 0);
	verdict = comparison->rows[row].verdict;
	comparison_free(comparison);
	return verdict;
}

static void verdicts(void **state)
{
	struct pair pair;

	(void)state;
	pair_make(&pair);
	add_run(pair.a, STAGE_MEMMAP_INIT, 1)->first_ns = 2e6;
	add_run(pair.b, STAGE_MEMMAP_INIT, 1)->first_ns = 1e6;
	obs_run_add_sample(&pair.a->runs[0], 200);
	for (int i = 0; i < 9; i++)
		obs_run_add_sample(&pair.b->runs[0], 1000 + i);
	check_int(verdict_of(&pair, 0), VERDICT_ONE_SAMPLE, "one against nine");
	check_int(verdict_of(&pair, 1), VERDICT_ONE_SAMPLE, "first binds");
	obs_run_add_sample(&pair.a->runs[0], 201);
	check_int(verdict_of(&pair, 0), VERDICT_TOO_FEW, "two against nine");
	for (int i = 2; i < 9; i++)
		obs_run_add_sample(&pair.a->runs[0], 200 + i);
	check_int(verdict_of(&pair, 0), VERDICT_SLOWER, "nine against nine");
	/* the same samples, of a clock that ticks once a microsecond: no time is known to better than that */
	pair.b->env.resolution_ns = 1000;
	check_int(verdict_of(&pair, 0), VERDICT_NO_CHANGE, "below the clock's step");
	obs_run_add_sample(&pair.a->runs[0], 0);
	check_int(verdict_of(&pair, 0), VERDICT_BELOW_CLOCK, "a time of 0");
	pair_free(&pair);
}

static int compare_status(struct pair *pair, bool force)
{
	struct comparison *comparison = NULL;
	int err = comparison_new(pair->a, pair->b, force, NULL, &comparison);

	comparison_free(comparison);
	return err;
}

static void set_text(char **text, const char *value)
{
	free(*text);
	*text = strdup(value);
}

static void incomparable(void **state)
{
	static const size_t texts[] = {offsetof(struct obs_environment, arch),
				       offsetof(struct obs_environment, cpu),
				       offsetof(struct obs_environment, simulated_version)};
	struct pair pair;

	(void)state;
	pair_make(&pair);
	set_text(&pair.a->env.simulated_version, "7.3");
	set_text(&pair.b->env.simulated_version, "7.3");
	obs_run_add_sample(add_run(pair.a, STAGE_MEMMAP_INIT, 100), 5);
	obs_run_add_sample(add_run(pair.b, STAGE_MEMMAP_INIT, 100), 5);
	check_int(compare_status(&pair, false), 0, "the same");
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		char **text = (char **)((char *)&pair.b->env + texts[i]), *old = *text;

		*text = (char *)"another";
		check_int(compare_status(&pair, false), -EINVAL, "text %zu", i);
		check_int(compare_status(&pair, true), 0, "text %zu, forced", i);
		*text = old;
	}
	pair.b->env.emulated = true;
	check_int(compare_status(&pair, false), -EINVAL, "emulated");
	pair.b->env.emulated = false;
	set_text(&pair.b->mode, "guest");
	check_int(compare_status(&pair, false), -EINVAL, "mode");
	set_text(&pair.b->mode, "kernel");
	set_text(&pair.b->env.kernel, "7.4");
	check_int(compare_status(&pair, false), 0, "another kernel is what is compared");
	pair.b->runs[0].units = 200;
	check_int(compare_status(&pair, false), -EINVAL, "units");
	check_int(compare_status(&pair, true), 0, "units, forced");
	set_text(&pair.b->runs[0].device, "dax1.0");
	check_int(compare_status(&pair, true), -EINVAL, "nothing matches");
	pair_free(&pair);
}

/* A run looks for one of its own path and work first; outside of simulations a kernel's path may be another. */
static void partners(void **state)
{
	struct comparison *comparison;
	struct pair pair;

	(void)state;
	pair_make(&pair);
	obs_run_add_sample(add_run(pair.a, STAGE_MEMMAP_INIT, 100), 5);
	obs_run_add_sample(add_run(pair.a, STAGE_MEMMAP_INIT, 200), 5);
	obs_run_add_sample(add_run(pair.b, STAGE_MEMMAP_INIT, 200), 7);
	obs_run_add_sample(add_run(pair.b, STAGE_MEMMAP_INIT, 100), 6);
	obs_run_add_sample(add_run(pair.b, STAGE_DRIVER, 1), 6);
	assert_int_equal(comparison_new(pair.a, pair.b, false, NULL, &comparison), 0);
	check_near(comparison->rows[0].b_ns, 6, 0, "100 units");
	check_near(comparison->rows[1].b_ns, 7, 0, "200 units");
	check_u64(comparison->nr_only_b, 1, "without a partner");
	comparison_free(comparison);
	pair.b->runs[0].path = pair.b->runs[1].path = PATH_TEMPLATE;
	check_int(compare_status(&pair, false), -EINVAL, "another path, the first of other work");
	pair.b->runs[0].units = 100;
	pair.b->runs[1].units = 200;
	check_int(compare_status(&pair, false), 0, "a kernel with another path");
	set_text(&pair.a->mode, "simulated");
	set_text(&pair.b->mode, "simulated");
	check_int(compare_status(&pair, false), -EINVAL, "simulated paths are told apart");
	pair_free(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rank_tests),
		cmocka_unit_test(rank_test_of_many),
		cmocka_unit_test(holm),
		cmocka_unit_test(bootstrap_of_known_medians),
		cmocka_unit_test(interval_coverage),
		cmocka_unit_test(detectable),
		cmocka_unit_test(a_kernel_with_itself),
		cmocka_unit_test(a_planted_change),
		cmocka_unit_test(verdicts),
		cmocka_unit_test(incomparable),
		cmocka_unit_test(partners),
	};

	return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
