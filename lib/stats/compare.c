// SPDX-License-Identifier: GPL-2.0-or-later
/* Ratios of medians and what could have been seen, by resampling. */
#include "stats/compare.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/util.h"
#include "stats/ranks.h"
#include "stats/summary.h"

static const uint64_t seed = 20260101; /* any; the same for every comparison */
static const double interval_tail = 0.025;
static const double wanted_power = 0.95;
enum { POWER_DRAWS = 499 };

/* SplitMix64. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* One side: its samples sorted, and a resample of them, sorted too. */
struct side {
	size_t nr;
	double *sorted;
	double *drawn;
	unsigned int *times; /* that each of sorted was drawn */
};

static void side_free(struct side *side)
{
	free(side->sorted);
	free(side->drawn);
	free(side->times);
}

static int side_make(const double *samples, size_t nr, struct side *out)
{
	if (!nr)
		return -EINVAL;
	out->nr = nr;
	out->sorted = reallocarray(NULL, nr, sizeof(*out->sorted));
	out->drawn = reallocarray(NULL, nr, sizeof(*out->drawn));
	out->times = calloc(nr, sizeof(*out->times));
	if (!out->sorted || !out->drawn || !out->times)
		return -ENOMEM;
	memcpy(out->sorted, samples, nr * sizeof(*samples));
	gsl_sort(out->sorted, 1, nr);
	return out->sorted[0] > 0 ? 0 : -EINVAL;
}

/* As many as there are, with replacement; counted, so that they need no sorting. */
static void draw(struct side *side, uint64_t *state)
{
	memset(side->times, 0, side->nr * sizeof(*side->times));
	for (size_t i = 0; i < side->nr; i++)
		side->times[((next_random(state) >> 32) * side->nr) >> 32]++;
}

/* What was drawn, one by one, smallest first. */
static void list_drawn(struct side *side)
{
	size_t at = 0;

	for (size_t i = 0; i < side->nr; i++) {
		for (unsigned int times = side->times[i]; times; times--)
			side->drawn[at++] = side->sorted[i];
	}
}

static double median_drawn(const struct side *side)
{
	size_t i = 0, upto = side->times[0], half = (side->nr + 1) / 2;
	double lower;

	while (upto < half)
		upto += side->times[++i];
	lower = side->sorted[i];
	if (side->nr % 2 || upto > half)
		return lower;
	while (!side->times[++i])
		;
	return (lower + side->sorted[i]) / 2;
}

struct sides {
	struct side a, b;
};

static void sides_free(struct sides *sides)
{
	side_free(&sides->a);
	side_free(&sides->b);
}

static int sides_make(const struct two_samples *samples, struct sides *out)
{
	int err = side_make(samples->a, samples->nr_a, &out->a);

	return err ? err : side_make(samples->b, samples->nr_b, &out->b);
}

int median_ratio(const struct two_samples *samples, struct median_ratio *out)
{
	_cleanup_(sides_free) struct sides s = {0};
	_cleanup_free_ double *ratios = reallocarray(NULL, COMPARE_DRAWS, sizeof(*ratios));
	uint64_t state = seed;
	int err = ratios ? sides_make(samples, &s) : -ENOMEM;

	if (err)
		return err;
	for (size_t i = 0; i < COMPARE_DRAWS; i++) {
		draw(&s.a, &state);
		draw(&s.b, &state);
		ratios[i] = median_drawn(&s.b) / median_drawn(&s.a);
	}
	gsl_sort(ratios, 1, COMPARE_DRAWS);
	out->ratio = quantile_sorted(s.b.sorted, s.b.nr, 0.5) / quantile_sorted(s.a.sorted, s.a.nr, 0.5);
	out->low = quantile_sorted(ratios, COMPARE_DRAWS, interval_tail);
	out->high = quantile_sorted(ratios, COMPARE_DRAWS, 1 - interval_tail);
	return 0;
}

/*
 * Few samples may scatter less than what they were drawn from, and those would promise too much. So their scatter is
 * taken at the upper end of what they leave open: 90 % confidence, as for normal logarithms.
 */
static double scatter_factor(const struct sides *s)
{
	double dof = (double)(s->a.nr + s->b.nr - 2);

	return dof > 0 ? sqrt(dof / gsl_cdf_chisq_Pinv(0.1, dof)) : 1;
}

/* Replace samples by how far their logarithms are from the median's, widened. */
static void center(struct side *side, double widen)
{
	double middle = log(quantile_sorted(side->sorted, side->nr, 0.5));

	for (size_t i = 0; i < side->nr; i++)
		side->sorted[i] = widen * (log(side->sorted[i]) - middle);
}

/* Pairs of what was drawn in which b, shifted, is not below a. */
static double pairs_reached(const struct sides *s, double shift)
{
	double pairs = 0;
	size_t below = 0;

	for (size_t j = 0; j < s->b.nr; j++) {
		while (below < s->a.nr && s->a.drawn[below] <= s->b.drawn[j] + shift)
			below++;
		pairs += (double)below;
	}
	return pairs;
}

/* The shift of b, no less than `least`, at which so many pairs have it above a: what the test needs of this draw. */
static double shift_for(const struct sides *s, double pairs, double least)
{
	double low = s->a.drawn[0] - s->b.drawn[s->b.nr - 1];
	double high = s->a.drawn[s->a.nr - 1] - s->b.drawn[0];

	if (pairs_reached(s, least) >= pairs)
		return least;
	for (int i = 0; i < 30 && low < high; i++) {
		double middle = (low + high) / 2;

		if (pairs_reached(s, middle) >= pairs)
			high = middle;
		else
			low = middle;
	}
	return high;
}

int detectable_change(const struct two_samples *samples, const struct median_ratio *ratio, double level,
		      double *out)
{
	_cleanup_(sides_free) struct sides s = {0};
	double shifts[POWER_DRAWS], pairs, widen, below = log(ratio->ratio / ratio->low);
	uint64_t state = seed;
	int err = sides_make(samples, &s);

	if (!err)
		err = rank_test_critical(samples->nr_a, samples->nr_b, level, &pairs);
	if (err == -ERANGE) {
		*out = INFINITY;
		return 0;
	}
	if (err)
		return err;
	widen = scatter_factor(&s);
	center(&s.a, widen);
	center(&s.b, widen);
	for (size_t i = 0; i < POWER_DRAWS; i++) {
		draw(&s.a, &state);
		draw(&s.b, &state);
		list_drawn(&s.a);
		list_drawn(&s.b);
		/* the interval's lower end has to be above 1 as well */
		shifts[i] = shift_for(&s, pairs, widen * below - (median_drawn(&s.b) - median_drawn(&s.a)));
	}
	gsl_sort(shifts, 1, POWER_DRAWS);
	*out = exp(fmax(quantile_sorted(shifts, POWER_DRAWS, wanted_power), 0)) - 1;
	return 0;
}

int holm_adjust(double *p, size_t n)
{
	_cleanup_free_ size_t *order = reallocarray(NULL, MAX(n, (size_t)1), sizeof(*order));
	double largest = 0;

	if (!order)
		return -ENOMEM;
	gsl_sort_index(order, p, 1, n);
	for (size_t i = 0; i < n; i++) {
		largest = fmax(largest, fmin(1, p[order[i]] * (double)(n - i)));
		p[order[i]] = largest;
	}
	return 0;
}
