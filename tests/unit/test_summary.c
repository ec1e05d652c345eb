// SPDX-License-Identifier: GPL-2.0-or-later
/* Summaries of samples, against values worked out elsewhere. */
#include "support/check.h"

#include "base/util.h"
#include "stats/summary.h"

/* Python's statistics module and, for p95, statistics.quantiles(method="inclusive"), which is type 7. */
static void known_values(void **state)
{
	static const struct {
		double samples[10];
		size_t n;
		double min, median, mean, stddev, p95, max;
	} rows[] = {
		{{7},								       1, 7,       7,   7,       0,                   7,           7},
		{{4, 2},								    2, 2,       3,   3,       1.41421356237309515, 3.9,         4},
		{{5, 1, 3},								 3, 1,       3,   3,       2,                   4.8,         5},
		{{2, 4, 4, 4, 5, 5, 7, 9},						  8, 2,       4.5, 5,       2.13808993529939507, 8.3,         9},
		{{273.52, 104.59, 313.45, 116.93, 191.2, 176.87, 318.4, 202.4, 1486, 1272},
		 10,									   104.59,
		 237.96,										     445.536,
		 499.890795834449,													 1389.7,
		 1486																    },
		{{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16},
		 4,									    1e9 + 4,
		 1e9 + 10,
		 1e9 + 10,
		 5.47722557505166119,												      1e9 + 15.55,
		 1e9 + 16																},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct summary s;

		assert_int_equal(summary_of(rows[i].samples, rows[i].n, &s), 0);
		check_u64(s.n, rows[i].n, "row %zu: n", i);
		check_near(s.min, rows[i].min, 0, "row %zu: min", i);
		check_near(s.median, rows[i].median, 1e-12, "row %zu: median", i);
		check_near(s.mean, rows[i].mean, 1e-12, "row %zu: mean", i);
		check_near(s.stddev, rows[i].stddev, 1e-9, "row %zu: stddev", i);
		check_near(s.p95, rows[i].p95, 1e-12, "row %zu: p95", i);
		check_near(s.max, rows[i].max, 0, "row %zu: max", i);
	}
}

/* The order statistics that bound a median with 95 % confidence, as printed in tables of the sign test. */
static void median_interval(void **state)
{
	static const struct {
		size_t n;
		int has_interval;
		double low, high;
	} rows[] = {
		{1,   0, 0,  0 },
                {5,   0, 0,  0 },
                {6,   1, 1,  6 },
                {8,   1, 1,  8 },
		{9,   1, 2,  8 },
                {10,  1, 2,  9 },
                {11,  1, 2,  10},
                {12,  1, 3,  10},
		{15,  1, 4,  12},
                {20,  1, 6,  15},
                {25,  1, 8,  18},
                {30,  1, 10, 21},
		{40,  1, 14, 27},
                {50,  1, 18, 33},
                {70,  1, 27, 44},
                {100, 1, 40, 61},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		double samples[100];
		struct summary s;

		/* The k-th smallest is k. */
		for (size_t k = 0; k < rows[i].n; k++)
			samples[k] = (double)(rows[i].n - k);
		assert_int_equal(summary_of(samples, rows[i].n, &s), 0);
		check_int(s.has_interval, rows[i].has_interval, "n = %zu: interval", rows[i].n);
		check_near(s.median_low, rows[i].low, 0, "n = %zu: low", rows[i].n);
		check_near(s.median_high, rows[i].high, 0, "n = %zu: high", rows[i].n);
	}
}

static void nothing_and_order(void **state)
{
	double samples[] = {3, 1, 2};
	struct summary s = {.n = 9, .max = 9};

	(void)state;
	assert_int_equal(summary_of(NULL, 0, &s), 0);
	assert_int_equal(s.n, 0);
	check_near(s.max, 0, 0, "max of nothing");
	assert_int_equal(summary_of(samples, 3, &s), 0);
	check_near(samples[0], 3, 0, "the caller's samples keep their order");
	check_near(quantile_sorted((double[]){1, 2, 4}, 3, 0.25), 1.5, 1e-15, "first quartile");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_values),
		cmocka_unit_test(median_interval),
		cmocka_unit_test(nothing_and_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
