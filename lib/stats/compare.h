/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two sets of samples compared without assuming how they are distributed: how much larger one is, how sure that is,
 * and how small a change so many samples could have shown. No I/O, no clock; random numbers come from a fixed seed,
 * so the same samples give the same answer.
 */
#ifndef MEMMAPCTL_STATS_COMPARE_H
#define MEMMAPCTL_STATS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

/* Before and after; in any order, not changed, not owned. Where a ratio is taken all are above 0. */
struct two_samples {
	const double *a, *b;
	size_t nr_a, nr_b;
};

/*
 * Mann-Whitney (Wilcoxon rank sum), two-sided. Exact up to RANK_TEST_EXACT_MAX samples together, by counting all
 * ways to deal out the ranks, ties at their mean ranks; beyond that the normal approximation with correction for
 * ties and for continuity.
 */
enum { RANK_TEST_EXACT_MAX = 50 };
struct rank_test {
	double u; /* pairs in which b is the larger, ties counted half */
	double p;
	bool exact;
};

/* 0; -EINVAL: a side has no samples; -ENOMEM. */
int rank_test(const struct two_samples *samples, struct rank_test *out);

/*
 * Median of b over median of a, with a 95 % interval by the percentile bootstrap (COMPARE_DRAWS resamples of each
 * side). Not BCa: its acceleration comes from the jackknife, which fails for medians; and percentiles, unlike
 * standard errors, are the same whether one asks for the ratio or its logarithm.
 */
enum { COMPARE_DRAWS = 4999 };
struct median_ratio {
	double ratio, low, high;
};

/* 0; -EINVAL: a side has no samples, or one that is not above 0; -ENOMEM. */
int median_ratio(const struct two_samples *samples, struct median_ratio *out);

/*
 * The smallest change, as a fraction (0.05: b 5 % above a), that samples so many and so scattered would have shown
 * in 95 of 100 measurements: rank_test at or below `level`, and the interval of median_ratio clear of 1. By resampling
 * what scatters around each side's median, widened by what so few samples may have missed of the scatter. INFINITY: so few samples cannot reach the level, whatever the change.
 * ratio is the one of these samples. 0; -EINVAL as median_ratio; -ENOMEM.
 */
int detectable_change(const struct two_samples *samples, const struct median_ratio *ratio, double level,
		      double *out);

/*
 * Holm's correction: replace n p-values by adjusted ones, so that calling those below a level wrongly calls any,
 * over all n together, with no more than that probability. 0 or -ENOMEM (p untouched).
 */
int holm_adjust(double *p, size_t n);

#endif
