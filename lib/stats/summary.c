// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/summary.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <string.h>

#include "base/util.h"

static const double median_tail = 0.025; /* left out at each end: a 95 % interval */

double quantile_sorted(const double *sorted, size_t n, double q)
{
	return gsl_stats_quantile_from_sorted_data(sorted, 1, n, q);
}

/*
 * The median lies below the k-th smallest of n samples with the probability of fewer than k heads in n tosses.
 * The largest k that keeps it within the tail bounds the median from below, its mirror image from above.
 */
static void bound_median(const double *sorted, size_t n, struct summary *out)
{
	unsigned int tosses = (unsigned int)n, k = 0;

	while (k < tosses / 2 && gsl_cdf_binomial_P(k, 0.5, tosses) <= median_tail)
		k++;
	if (!k)
		return;
	out->median_low = sorted[k - 1];
	out->median_high = sorted[n - k];
	out->has_interval = 1;
}

int summary_of(const double *samples, size_t n, struct summary *out)
{
	_cleanup_free_ double *sorted = NULL;
	struct summary s = {.n = n};

	if (!n) {
		*out = s;
		return 0;
	}
	sorted = reallocarray(NULL, n, sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, samples, n * sizeof(*sorted));
	gsl_sort(sorted, 1, n);
	s.min = sorted[0];
	s.max = sorted[n - 1];
	s.median = quantile_sorted(sorted, n, 0.5);
	s.p95 = quantile_sorted(sorted, n, 0.95);
	s.mean = gsl_stats_mean(sorted, 1, n);
	if (n > 1)
		s.stddev = gsl_stats_sd_m(sorted, 1, n, s.mean);
	bound_median(sorted, n, &s);
	*out = s;
	return 0;
}
