// SPDX-License-Identifier: GPL-2.0-or-later
/* The simulation study: known coefficients plus noise come back, within the errors that the fit states. */
#include "stats/regression.h"

#include <errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "base/util.h"
#include "support/check.h"

enum { ROWS = 12, COLS = 3 };

/* Shaped like an unbind: a constant, sections, PTEs that not every device has. */
static const double truth[COLS] = {30e6, 20e3, 150};

static void fill_design(double x[ROWS * COLS])
{
	static const double gib[ROWS] = {1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 192, 256};

	for (int i = 0; i < ROWS; i++) {
		x[i * COLS + 0] = 3;
		x[i * COLS + 1] = gib[i] * 8;
		x[i * COLS + 2] = i % 2 ? gib[i] * 4096 : 0;
	}
}

static void fill_times(const double *x, const double *b, double noise, gsl_rng *rng, double *y, double *sigma)
{
	for (int i = 0; i < ROWS; i++) {
		y[i] = 0;
		for (int j = 0; j < COLS; j++)
			y[i] += x[i * COLS + j] * b[j];
		sigma[i] = 0.01 * y[i];
		y[i] += gsl_ran_gaussian(rng, noise * y[i]);
	}
}

static void test_exact_without_noise(void **state)
{
	double x[ROWS * COLS], y[ROWS], sigma[ROWS];
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct regression r = {ROWS, COLS, x, y, sigma, NULL, NULL, 0};
	_cleanup_regression_fit_ struct regression_fit fit = {0};

	(void)state;
	fill_design(x);
	fill_times(x, truth, 0, rng, y, sigma);
	assert_int_equal(regression_fit(&r, &fit), 0);
	for (int j = 0; j < COLS; j++)
		check_near(fit.coef[j].value, truth[j], 1e-6, "coefficient %d", j);
	check_near(fit.dof, ROWS - COLS, 1e-6, "degrees of freedom");
	gsl_rng_free(rng);
}

/*
 * 2,000 draws: the 90 % intervals hold the truth in 85 to 95 % of them. (Seeded, so it passes or fails alike
 * everywhere; the standard error of the share is 0.7 %.)
 */
static void test_interval_coverage(void **state)
{
	enum { DRAWS = 2000 };
	double x[ROWS * COLS], y[ROWS], sigma[ROWS];
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct regression r = {ROWS, COLS, x, y, sigma, NULL, NULL, 0};
	int inside[COLS] = {0};
	double mean[COLS] = {0};

	(void)state;
	fill_design(x);
	for (int draw = 0; draw < DRAWS; draw++) {
		_cleanup_regression_fit_ struct regression_fit fit = {0};

		fill_times(x, truth, 0.03, rng, y, sigma);
		assert_int_equal(regression_fit(&r, &fit), 0);
		for (int j = 0; j < COLS; j++) {
			inside[j] += fit.coef[j].low <= truth[j] && truth[j] <= fit.coef[j].high;
			mean[j] += fit.coef[j].value / DRAWS;
		}
	}
	for (int j = 0; j < COLS; j++) {
		double share = (double)inside[j] / DRAWS;

		if (share < 0.85 || share > 0.95)
			print_error("coefficient %d: %.1f %% inside\n", j, 100 * share);
		assert_true(share >= 0.85 && share <= 0.95);
		check_near(mean[j], truth[j], 0.01, "mean of coefficient %d", j);
	}
	gsl_rng_free(rng);
}

/* Noise is estimated: sigma says 1 %, the data scatter by 4 %. */
static void test_noise_scale(void **state)
{
	double x[ROWS * COLS], y[ROWS], sigma[ROWS], sum = 0;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct regression r = {ROWS, COLS, x, y, sigma, NULL, NULL, 0};
	enum { DRAWS = 400 };

	(void)state;
	fill_design(x);
	for (int draw = 0; draw < DRAWS; draw++) {
		_cleanup_regression_fit_ struct regression_fit fit = {0};

		fill_times(x, truth, 0.04, rng, y, sigma);
		assert_int_equal(regression_fit(&r, &fit), 0);
		assert_true(fit.scale_estimated);
		sum += fit.scale * fit.scale;
	}
	check_near(sqrt(sum / DRAWS), 4, 0.05, "noise, as a multiple of sigma");
	gsl_rng_free(rng);
}

/* y = 2a - b cannot be had with b >= 0: b is held at zero and a takes the best value without it. */
static void test_nonnegative(void **state)
{
	static const double x[] = {1, 0, 1, 1, 1, 2, 1, 3}, y[] = {2, 1, 0.5, 0.5}, sigma[] = {1, 1, 1, 1};
	struct regression r = {4, 2, x, y, sigma, NULL, NULL, 0};
	_cleanup_regression_fit_ struct regression_fit fit = {0};

	(void)state;
	assert_int_equal(regression_fit(&r, &fit), 0);
	check_int(fit.coef[1].state, COEF_AT_ZERO, "b");
	check_near(fit.coef[1].value, 0, 0, "b");
	check_near(fit.coef[1].low, 0, 0, "b, low");
	assert_true(fit.coef[1].high > 0);
	check_near(fit.coef[0].value, 1, 1e-9, "a: the mean of y");
	check_near(fit.dof, 3, 1e-9, "degrees of freedom");
}

/* Two columns that always come together: one takes their sum, the other says that it is not told apart. */
static void test_undetermined(void **state)
{
	static const double x[] = {1, 2, 2, 4, 3, 6}, y[] = {10, 20, 30}, sigma[] = {1, 1, 1};
	struct regression r = {3, 2, x, y, sigma, NULL, NULL, 0};
	_cleanup_regression_fit_ struct regression_fit fit = {0};
	int undetermined;

	(void)state;
	assert_int_equal(regression_fit(&r, &fit), 0);
	undetermined = fit.coef[0].state == COEF_UNDETERMINED ? 0 : 1;
	check_int(fit.coef[undetermined].state, COEF_UNDETERMINED, "one of the two");
	check_int(fit.coef[!undetermined].state, COEF_FREE, "the other");
	check_near(fit.coef[0].value + 2 * fit.coef[1].value, 10, 1e-9, "together");
	/* all of the first row could be this column's: 10 a unit of the first, 5 of the second */
	check_near(fit.coef[undetermined].high, undetermined ? 5 : 10, 0.01, "its upper bound");
	assert_true(isinf(fit.coef[undetermined].se));
}

/*
 * One row and two costs. Prior a = 10 +- 1, b = 20 +- 2; a + b is seen to be 33 +- 2. The posterior mean moves by
 * the share of the variance: gain = var / (1 + 4 + 4), innovation 3, so a = 10 + 3/9, b = 20 + 12/9.
 */
/* Columns in each order and of ratios that rounding takes either way: the finer unit has the cost. */
static void test_multiples(void **state)
{
	static const double ratios[] = {3, 7, 500, 262144, 1e6 / 3, 4095};

	(void)state;
	for (size_t i = 0; i < 2 * ARRAY_SIZE(ratios); i++) {
		const double ratio = ratios[i / 2];
		size_t fine = i % 2;
		double x[3 * 2], y[3] = {30, 60.1, 89.7}, sigma[3] = {0.3, 0.7, 0.9};
		struct regression r = {3, 2, x, y, sigma, NULL, NULL, 0};
		_cleanup_regression_fit_ struct regression_fit fit = {0};

		for (size_t row = 0; row < 3; row++) {
			x[row * 2 + fine] = ratio * (double)(row + 1);
			x[row * 2 + 1 - fine] = (double)(row + 1);
		}
		assert_int_equal(regression_fit(&r, &fit), 0);
		check_near(fit.coef[fine].value * ratio, 30, 0.01, "ratio %g, column %zu", ratio, fine);
		check_near(fit.coef[1 - fine].value, 0, 0, "ratio %g, column %zu", ratio, 1 - fine);
	}
}

static void test_prior_decides_the_split(void **state)
{
	static const double x[] = {1, 1}, y[] = {33}, sigma[] = {2}, mean[] = {10, 20}, sd[] = {1, 2};
	struct regression r = {1, 2, x, y, sigma, mean, sd, 0};
	_cleanup_regression_fit_ struct regression_fit fit = {0};

	(void)state;
	assert_int_equal(regression_fit(&r, &fit), 0);
	assert_false(fit.scale_estimated);
	check_near(fit.coef[0].value, 10 + 1. / 3, 1e-9, "a");
	check_near(fit.coef[1].value, 20 + 4. / 3, 1e-9, "b");
	check_near(fit.coef[0].se, sqrt(1 - 1. / 9), 1e-9, "a, standard error");
	check_near(fit.coef[1].se, sqrt(4 - 16. / 9), 1e-9, "b, standard error");
	/* 1.6449 standard errors are 90 % of a normal distribution */
	check_near(fit.coef[0].high - fit.coef[0].value, 1.6448536 * sqrt(8. / 9), 1e-6, "a, half-width");
}

/* A column that no row has keeps its prior as it was; one without a prior takes what the rows say. */
static void test_prior_alone_and_none(void **state)
{
	static const double x[] = {1, 0, 2, 0, 3, 0}, y[] = {5, 10, 15}, sigma[] = {.1, .1, .1};
	static const double mean[] = {0, 7}, sd[] = {INFINITY, 3};
	struct regression r = {3, 2, x, y, sigma, mean, sd, 0};
	_cleanup_regression_fit_ struct regression_fit fit = {0};

	(void)state;
	assert_int_equal(regression_fit(&r, &fit), 0);
	check_near(fit.coef[0].value, 5, 1e-9, "fitted");
	check_near(fit.coef[1].value, 7, 1e-6, "prior");
	check_near(fit.coef[1].se, 3, 1e-6, "prior's sd");
}

/* a + b = 10 +- 0.1 with nothing known of either: neither can be more than 10.3, three times the noise away. */
static void test_upper_bound(void **state)
{
	static const double x[] = {1, 1}, y[] = {10}, sigma[] = {.1}, mean[] = {5, 5}, sd[] = {100, 100};
	struct regression r = {1, 2, x, y, sigma, mean, sd, 0};
	_cleanup_regression_fit_ struct regression_fit fit = {0};

	(void)state;
	assert_int_equal(regression_fit(&r, &fit), 0);
	for (int j = 0; j < 2; j++) {
		check_near(fit.coef[j].value, 5, 1e-6, "value %d", j);
		check_near(fit.coef[j].low, 0, 0, "low %d", j);
		check_near(fit.coef[j].high, 10.3, 1e-6, "high %d", j);
	}
}

/* Three times 0, by a clock whose step is all of sigma: no residuals, and yet no sure nothing. */
static void test_below_the_clock(void **state)
{
	static const double x[] = {10, 10, 10}, y[] = {0, 0, 0}, sigma[] = {2, 2, 2};
	struct regression r = {3, 1, x, y, sigma, NULL, NULL, 1};
	_cleanup_regression_fit_ struct regression_fit fit = {0};

	(void)state;
	assert_int_equal(regression_fit(&r, &fit), 0);
	check_near(fit.coef[0].value, 0, 0, "value");
	check_near(fit.scale, 1, 0, "scale");
	/* se 2 / 10 / sqrt(3), Student's t of 3 degrees of freedom 2.3533634348 */
	check_near(fit.coef[0].high, 2.3533634348 * 0.2 / sqrt(3), 1e-6, "high");
}

static void test_nothing_to_fit(void **state)
{
	struct regression r = {0};
	struct regression_fit fit;

	(void)state;
	assert_int_equal(regression_fit(&r, &fit), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact_without_noise),  cmocka_unit_test(test_interval_coverage),
		cmocka_unit_test(test_noise_scale),          cmocka_unit_test(test_nonnegative),
		cmocka_unit_test(test_undetermined),         cmocka_unit_test(test_prior_decides_the_split),
		cmocka_unit_test(test_prior_alone_and_none), cmocka_unit_test(test_upper_bound),
		cmocka_unit_test(test_below_the_clock),      cmocka_unit_test(test_multiples),
		cmocka_unit_test(test_nothing_to_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
