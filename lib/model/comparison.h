/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two sets of observations held against each other, run by run: two kernels, or two configurations, on the same
 * machine. Reads the host descriptions that the runs refer to, nothing else; no clock.
 */
#ifndef MEMMAPCTL_MODEL_COMPARISON_H
#define MEMMAPCTL_MODEL_COMPARISON_H

#include "geometry/geometry.h"
#include "measure/observations.h"
#include "model/described.h"
#include "stats/compare.h"

/*
 * A change is called one when the rank test, after Holm's correction over all rows that have one, is at or below
 * COMPARISON_LEVEL, the interval of the ratio does not contain 1, and the medians are further apart than the clock's
 * resolution. So in all but 1 of 100 comparisons of a kernel with itself nothing is called a change.
 */
#define COMPARISON_LEVEL 0.01
/* With fewer samples on a side there is no interval: that of 4 covers less than it says. */
enum { COMPARISON_MIN_SAMPLES = 5 };

enum comparison_verdict {
	VERDICT_FASTER,
	VERDICT_SLOWER,
	VERDICT_NO_CHANGE,   /* none shown; detectable says how large one could have hidden */
	VERDICT_TOO_FEW,     /* samples to call anything a change */
	VERDICT_ONE_SAMPLE,  /* on a side at least */
	VERDICT_BELOW_CLOCK, /* a time of 0 was measured: there is no ratio */
};

struct comparison_row {
	const struct obs_run *a, *b;      /* belong to the observations */
	const struct device_work *device; /* a's, where a description has it; else NULL */
	const struct host *host;          /* the host of a's description, or NULL */
	bool first;                       /* the first bind, kept apart from the later ones */
	size_t nr_a, nr_b;                /* samples */
	double a_ns, b_ns;                /* medians */
	double ratio;                     /* b over a; 0 with VERDICT_BELOW_CLOCK */

	/* Only with COMPARISON_MIN_SAMPLES on both sides, has_interval: */
	bool has_interval;
	double low, high; /* 95 %, of the ratio */
	struct rank_test test;
	double p_holm;     /* test.p after correction */
	double detectable; /* fraction: the smallest change that would have shown; INFINITY: none would */

	enum comparison_verdict verdict;
};

struct comparison {
	const struct observations *a, *b;
	struct comparison_row *rows; /* in a's order */
	size_t nr;
	size_t nr_tests;             /* rows that Holm's correction is over */
	size_t nr_only_a, nr_only_b; /* runs without a partner */
	struct described_hosts hosts;
};

/*
 * Compare b with a; both must outlive the result. Runs match when device, event, stage, kind, path, routine, build,
 * window, order and threads are the same; outside of simulations a kernel has one path, so there path and kind may
 * differ. What is not comparable (another CPU or architecture, emulated against real times, another way of measuring,
 * another simulated version, another amount of work) is an error in diags; with force a warning.
 *
 * 0 and *out freed with comparison_free; -EINVAL: not comparable, or nothing matches; -ENOMEM.
 */
int comparison_new(const struct observations *a, const struct observations *b, bool force,
		   struct diags *diags, struct comparison **out);
void comparison_free(struct comparison *comparison);

/* Is a change for the worse, of more than so many percent, shown? */
bool comparison_has_regression(const struct comparison *comparison, double percent);

/* "faster", "no-change": static. */
const char *comparison_verdict_name(enum comparison_verdict verdict);

static inline void comparison_free_ptr(struct comparison **comparison)
{
	comparison_free(*comparison);
}
#define _cleanup_comparison_ _cleanup_(comparison_free_ptr)

#endif
