/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Summaries of samples. No I/O, no clock. */
#ifndef MEMMAPCTL_STATS_SUMMARY_H
#define MEMMAPCTL_STATS_SUMMARY_H

#include <stddef.h>

struct summary {
	size_t n;
	double min, median, mean, stddev, p95, max; /* stddev: of the sample (n - 1); 0 for n < 2 */
	/*
	 * 95 % interval of the median by order statistics (binomial, no assumption on the distribution);
	 * has_interval is 0 when so few samples cannot bound it (n < 6).
	 */
	double median_low, median_high;
	int has_interval;
};

/* Summarise n samples, in any order (they are not changed). n == 0 gives all zero. 0 or -ENOMEM. */
int summary_of(const double *samples, size_t n, struct summary *out);

/*
 * Quantile q in [0,1] of n > 0 sorted samples, linear interpolation between order statistics (type 7, as GSL's
 * gsl_stats_quantile_from_sorted_data).
 */
double quantile_sorted(const double *sorted, size_t n, double q);

#endif
