// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rank test. Ranks are doubled, so that the mean rank of ties is a whole number and sums can be counted.
 */
#include "stats/ranks.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdint.h>

#include "base/util.h"
#include "stats/compare.h"

struct ranks {
	size_t *doubled; /* of a's samples first, then b's */
	double ties;     /* sum of t^3 - t over groups of t equal samples */
};

static void free_ranks(struct ranks *ranks)
{
	free(ranks->doubled);
}

static int rank_samples(const struct two_samples *s, struct ranks *out)
{
	size_t nr = s->nr_a + s->nr_b, end;
	_cleanup_free_ double *all = reallocarray(NULL, nr, sizeof(*all));
	_cleanup_free_ size_t *order = reallocarray(NULL, nr, sizeof(*order));

	out->doubled = reallocarray(NULL, nr, sizeof(*out->doubled));
	if (!all || !order || !out->doubled)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		all[i] = i < s->nr_a ? s->a[i] : s->b[i - s->nr_a];
	gsl_sort_index(order, all, 1, nr);
	for (size_t start = 0; start < nr; start = end) {
		double t;

		for (end = start + 1; end < nr && all[order[end]] == all[order[start]]; end++)
			;
		/* ranks start + 1 to end */
		for (size_t i = start; i < end; i++)
			out->doubled[order[i]] = start + 1 + end;
		t = (double)(end - start);
		out->ties += t * t * t - t;
	}
	return 0;
}

/*
 * In how many of all ways to give nr_chosen of nr doubled ranks to one side they sum up to each value, as a share of
 * all ways. *shares has nr * (nr + 1) + 1 elements: the sum of all doubled ranks is the largest.
 */
static int sum_shares(const size_t *doubled, size_t nr, size_t nr_chosen, double **shares)
{
	size_t nr_sums = nr * (nr + 1) + 1, top = 0;
	_cleanup_free_ double *ways = calloc((nr_chosen + 1) * nr_sums, sizeof(*ways));
	double all = 0;

	if (!ways)
		return -ENOMEM;
	ways[0] = 1;
	for (size_t i = 0; i < nr; i++) {
		top += doubled[i];
		for (size_t k = MIN(i + 1, nr_chosen); k; k--) {
			double *to = ways + k * nr_sums;
			const double *from = to - nr_sums;

			for (size_t sum = doubled[i]; sum <= top; sum++)
				to[sum] += from[sum - doubled[i]];
		}
	}
	*shares = calloc(nr_sums, sizeof(**shares));
	if (!*shares)
		return -ENOMEM;
	for (size_t sum = 0; sum < nr_sums; sum++)
		all += ways[nr_chosen * nr_sums + sum];
	for (size_t sum = 0; sum < nr_sums; sum++)
		(*shares)[sum] = ways[nr_chosen * nr_sums + sum] / all;
	return 0;
}

/* The share of ways whose sum is at least as far from the middle as the one seen. */
static int exact_p(const struct ranks *ranks, size_t nr_a, size_t nr, size_t sum_a, double *p)
{
	_cleanup_free_ double *shares = NULL;
	int64_t middle = (int64_t)(nr_a * (nr + 1)), distance = llabs((int64_t)sum_a - middle);
	int err = sum_shares(ranks->doubled, nr, nr_a, &shares);
	double total = 0;

	if (err)
		return err;
	for (size_t sum = 0; sum <= nr * (nr + 1); sum++) {
		if (llabs((int64_t)sum - middle) >= distance)
			total += shares[sum];
	}
	*p = fmin(total, 1);
	return 0;
}

static double u_variance(double nr_a, double nr_b, double ties)
{
	double nr = nr_a + nr_b;

	return nr_a * nr_b / 12 * (nr + 1 - ties / (nr * (nr - 1)));
}

static double normal_p(double u, double nr_a, double nr_b, double ties)
{
	double variance = u_variance(nr_a, nr_b, ties);
	double distance = fmax(fabs(u - nr_a * nr_b / 2) - 0.5, 0);

	if (variance <= 0)
		return 1; /* all samples are equal */
	return fmin(2 * gsl_cdf_ugaussian_Q(distance / sqrt(variance)), 1);
}

int rank_test(const struct two_samples *s, struct rank_test *out)
{
	_cleanup_(free_ranks) struct ranks ranks = {0};
	size_t nr = s->nr_a + s->nr_b, sum_a = 0;
	struct rank_test test = {0};
	int err;

	if (!s->nr_a || !s->nr_b)
		return -EINVAL;
	err = rank_samples(s, &ranks);
	if (err)
		return err;
	for (size_t i = 0; i < s->nr_a; i++)
		sum_a += ranks.doubled[i];
	/* pairs with a the larger are a's ranks above the least they could be */
	test.u = (double)s->nr_a * (double)s->nr_b -
		 ((double)sum_a / 2 - (double)s->nr_a * (double)(s->nr_a + 1) / 2);
	test.exact = nr <= RANK_TEST_EXACT_MAX;
	if (test.exact)
		err = exact_p(&ranks, s->nr_a, nr, sum_a, &test.p);
	else
		test.p = normal_p(test.u, (double)s->nr_a, (double)s->nr_b, ranks.ties);
	if (!err)
		*out = test;
	return err;
}

static int exact_critical(size_t nr_a, size_t nr_b, double level, double *pairs)
{
	size_t nr = nr_a + nr_b, doubled[RANK_TEST_EXACT_MAX] = {0}, sum, most = 0;
	_cleanup_free_ double *shares = NULL;
	double tail = 0;
	int err;

	for (size_t i = 0; i < nr; i++)
		doubled[i] = 2 * (i + 1);
	err = sum_shares(doubled, nr, nr_b, &shares);
	if (err)
		return err;
	for (size_t i = nr - nr_b; i < nr; i++)
		most += doubled[i];
	for (sum = most; 2 * (tail + shares[sum]) <= level; sum -= 2)
		tail += shares[sum];
	if (sum == most)
		return -ERANGE;
	*pairs = (double)(sum + 2) / 2 - (double)nr_b * (double)(nr_b + 1) / 2;
	return 0;
}

int rank_test_critical(size_t nr_a, size_t nr_b, double level, double *pairs)
{
	double a = (double)nr_a, b = (double)nr_b, critical;

	if (nr_a + nr_b <= RANK_TEST_EXACT_MAX)
		return exact_critical(nr_a, nr_b, level, pairs);
	critical = ceil(a * b / 2 + 0.5 + gsl_cdf_ugaussian_Qinv(level / 2) * sqrt(u_variance(a, b, 0)));
	if (critical > a * b)
		return -ERANGE;
	*pairs = critical;
	return 0;
}
