/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice: every change on its own, ranked, and the cheapest set of changes with which all windows and limits are met.
 * No I/O, no clock.
 */
#ifndef MEMMAPCTL_MODEL_ADVISE_H
#define MEMMAPCTL_MODEL_ADVISE_H

#include "model/lever.h"

/* A set of changes. */
struct plan {
	const struct change **changes; /* of advice.levers; the array is owned */
	size_t nr;
	struct outcome after;
	unsigned int
		price[NR_EFFORTS]; /* how often each effort: namespaces created again, 1 for a reboot... */
};

struct advice {
	const struct host_forecast *base;
	struct outcome before;
	struct levers *levers;
	bool met_already; /* plan is empty */
	bool is_met;      /* by plan; else plan is what comes nearest */
	/*
	 * Every set of the levers was tried, so that plan is the cheapest there is. Else the search went change by
	 * change and took back what was not needed: it may miss a cheaper set.
	 */
	bool is_exhaustive;
	struct plan plan;
};

/*
 * Of two sets that meet the limits the cheaper one has less of the highest effort (effort by effort, from
 * EFFORT_KERNEL down), then fewer changes, then the shorter time. limits may be NULL and is
 * not kept. Where no set meets them, the one nearest to it, to 1 %, is the plan. 0 and *out
 * freed with advice_free, before base; -ENOMEM.
 */
int advice_new(const struct host_forecast *base, const struct limits *limits, struct advice **out);
void advice_free(struct advice *advice);

static inline void advice_free_ptr(struct advice **advice)
{
	advice_free(*advice);
}
#define _cleanup_advice_ _cleanup_(advice_free_ptr)

#endif
