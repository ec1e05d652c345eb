// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/advise.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/util.h"

enum {
	MAX_SETS = 4096,    /* up to so many sets all are tried */
	MAX_TRIALS = 20000, /* of a search change by change */
};

/* Which lever of each group a set has: an index, or NONE. */
#define NONE SIZE_MAX

struct group {
	size_t *levers; /* indices */
	size_t nr;
};

struct candidate {
	size_t *chosen; /* for each group */
	struct outcome after;
	unsigned int price[NR_EFFORTS];
	size_t nr_changes;
};

struct search {
	struct advice *advice;
	struct trial trial;
	struct group *groups;
	size_t nr_groups;
	const struct change **changes; /* room for a set of one of each group */
	struct candidate best, next;
	size_t nr_trials;
};

static void search_free(struct search *s)
{
	for (size_t i = 0; i < s->nr_groups; i++)
		free(s->groups[i].levers);
	free(s->groups);
	free(s->changes);
	free(s->best.chosen);
	free(s->next.chosen);
}

static int group_levers(struct search *s)
{
	const struct levers *levers = s->advice->levers;
	size_t nr = 0;

	for (size_t i = 0; i < levers->nr; i++)
		nr = MAX(nr, levers->items[i].change.group + 1);
	s->groups = calloc(MAX(nr, (size_t)1), sizeof(*s->groups));
	s->changes = calloc(MAX(nr, (size_t)1), sizeof(*s->changes));
	s->best.chosen = calloc(MAX(nr, (size_t)1), sizeof(*s->best.chosen));
	s->next.chosen = calloc(MAX(nr, (size_t)1), sizeof(*s->next.chosen));
	if (!s->groups || !s->changes || !s->best.chosen || !s->next.chosen)
		return -ENOMEM;
	s->nr_groups = nr;
	for (size_t i = 0; i < levers->nr; i++) {
		struct group *group = &s->groups[levers->items[i].change.group];
		size_t *slot = array_grow(&group->levers, &group->nr, sizeof(*slot));

		if (!slot)
			return -ENOMEM;
		*slot = i;
	}
	return 0;
}

/* One reboot does for all parameters and one kernel for all that needs one; namespaces and users are counted. */
static void count_price(struct search *s, struct candidate *c)
{
	memset(c->price, 0, sizeof(c->price));
	for (size_t i = 0; i < c->nr_changes; i++) {
		enum effort effort = s->changes[i]->effort;

		if (effort == EFFORT_RECREATE || effort == EFFORT_USERS)
			c->price[effort]++;
		else
			c->price[effort] = 1;
	}
}

/* Forecast a set. -EINVAL when the changes do not go together. */
static int try_set(struct search *s, struct candidate *c)
{
	c->nr_changes = 0;
	for (size_t i = 0; i < s->nr_groups; i++) {
		if (c->chosen[i] != NONE)
			s->changes[c->nr_changes++] = &s->advice->levers->items[c->chosen[i]].change;
	}
	count_price(s, c);
	s->nr_trials++;
	return trial_run(&s->trial, s->changes, c->nr_changes, &c->after);
}

static bool is_met(const struct candidate *c)
{
	return c->after.excess <= 0;
}

static int compare_prices(const struct candidate *x, const struct candidate *y)
{
	for (int effort = NR_EFFORTS - 1; effort >= 0; effort--) {
		if (x->price[effort] != y->price[effort])
			return x->price[effort] < y->price[effort] ? -1 : 1;
	}
	if (x->nr_changes != y->nr_changes)
		return x->nr_changes < y->nr_changes ? -1 : 1;
	return 0;
}

static double time_ns(const struct outcome *outcome)
{
	return outcome->hotplug.mid_ns + outcome->boot.mid_ns;
}

/* In steps of 1 %: less brings nothing nearer that a change would be made for. */
static double steps_over(const struct candidate *c)
{
	return is_met(c) ? 0 : ceil(100 * c->after.excess);
}

static bool is_better(const struct candidate *x, const struct candidate *y)
{
	int price = compare_prices(x, y);

	if (steps_over(x) != steps_over(y))
		return steps_over(x) < steps_over(y);
	if (price)
		return price < 0;
	return time_ns(&x->after) < time_ns(&y->after);
}

static void take(struct search *s, const struct candidate *from)
{
	size_t *chosen = s->best.chosen;

	memcpy(chosen, from->chosen, s->nr_groups * sizeof(*chosen));
	s->best = *from;
	s->best.chosen = chosen;
}

static void start_from_nothing(struct search *s)
{
	for (size_t i = 0; i < s->nr_groups; i++)
		s->best.chosen[i] = s->next.chosen[i] = NONE;
	s->best.after = s->advice->before;
	s->best.nr_changes = 0;
	memset(s->best.price, 0, sizeof(s->best.price));
}

static bool few_sets(const struct search *s)
{
	uint64_t nr = 1;

	for (size_t i = 0; i < s->nr_groups; i++) {
		if (mul_u64(nr, s->groups[i].nr + 1, &nr) || nr > MAX_SETS)
			return false;
	}
	return true;
}

/* The next set, like counting: one digit a group. False after the last. */
static bool count_on(struct search *s, size_t *digits)
{
	for (size_t i = 0; i < s->nr_groups; i++) {
		digits[i] = digits[i] == s->groups[i].nr ? 0 : digits[i] + 1;
		s->next.chosen[i] = digits[i] ? s->groups[i].levers[digits[i] - 1] : NONE;
		if (digits[i])
			return true;
	}
	return false;
}

static int try_every_set(struct search *s)
{
	_cleanup_free_ size_t *digits = calloc(MAX(s->nr_groups, (size_t)1), sizeof(*digits));

	if (!digits)
		return -ENOMEM;
	while (count_on(s, digits)) {
		int err = try_set(s, &s->next);

		if (err == -ENOMEM)
			return err;
		if (!err && is_better(&s->next, &s->best))
			take(s, &s->next);
	}
	return 0;
}

/* The best one change to best, of those that take no more than an effort. *found tells whether there was one. */
static int improve(struct search *s, enum effort most, bool *found)
{
	_cleanup_free_ size_t *start = calloc(MAX(s->nr_groups, (size_t)1), sizeof(*start));
	const struct levers *levers = s->advice->levers;

	if (!start)
		return -ENOMEM;
	memcpy(start, s->best.chosen, s->nr_groups * sizeof(*start));
	*found = false;
	for (size_t i = 0; i < s->nr_groups; i++) {
		for (size_t k = 0; k < s->groups[i].nr && s->nr_trials < MAX_TRIALS; k++) {
			size_t lever = s->groups[i].levers[k];
			int err;

			if (levers->items[lever].change.effort > most || start[i] == lever)
				continue;
			memcpy(s->next.chosen, start, s->nr_groups * sizeof(*start));
			s->next.chosen[i] = lever;
			err = try_set(s, &s->next);
			if (err == -ENOMEM)
				return err;
			if (err || s->next.after.excess >= s->best.after.excess)
				continue;
			take(s, &s->next);
			*found = true;
		}
	}
	return 0;
}

/* Take back, the dearest first, what the limits are met without. */
static int take_back(struct search *s)
{
	for (int effort = NR_EFFORTS - 1; effort >= 0; effort--) {
		for (size_t i = 0; i < s->nr_groups; i++) {
			size_t lever = s->best.chosen[i];
			int err;

			if (lever == NONE ||
			    s->advice->levers->items[lever].change.effort != (enum effort)effort)
				continue;
			memcpy(s->next.chosen, s->best.chosen, s->nr_groups * sizeof(lever));
			s->next.chosen[i] = NONE;
			err = try_set(s, &s->next);
			if (err == -ENOMEM)
				return err;
			if (!err && steps_over(&s->next) <= steps_over(&s->best))
				take(s, &s->next);
		}
	}
	return 0;
}

/* With more sets than can be tried: effort by effort, always the change that brings the limits nearest. */
static int go_change_by_change(struct search *s)
{
	int err = 0;

	for (int most = EFFORT_NONE; most < NR_EFFORTS && !err && !is_met(&s->best); most++) {
		bool found = true;

		while (!err && found && !is_met(&s->best) && s->nr_trials < MAX_TRIALS)
			err = improve(s, (enum effort)most, &found);
	}
	return err ? err : take_back(s);
}

static int find_plan(struct search *s)
{
	struct advice *advice = s->advice;
	int err = group_levers(s);

	if (err)
		return err;
	start_from_nothing(s);
	advice->met_already = is_met(&s->best);
	advice->is_exhaustive = few_sets(s);
	if (!advice->met_already)
		err = advice->is_exhaustive ? try_every_set(s) : go_change_by_change(s);
	if (err)
		return err;
	advice->is_met = is_met(&s->best);
	advice->plan.changes = s->changes;
	s->changes = NULL;
	advice->plan.after = s->best.after;
	memcpy(advice->plan.price, s->best.price, sizeof(s->best.price));
	for (size_t i = 0; i < s->nr_groups; i++) {
		if (s->best.chosen[i] != NONE)
			advice->plan.changes[advice->plan.nr++] =
				&advice->levers->items[s->best.chosen[i]].change;
	}
	return 0;
}

int advice_new(const struct host_forecast *base, const struct limits *limits, struct advice **out)
{
	const struct ways ways = {.path = base->path};
	_cleanup_advice_ struct advice *advice = calloc(1, sizeof(*advice));
	_cleanup_(search_free) struct search search = {.advice = advice};
	int err;

	if (!advice)
		return -ENOMEM;
	advice->base = base;
	advice->before = outcome_of(base, &ways, limits);
	err = levers_new(base, limits, &advice->levers);
	if (!err)
		err = trial_begin(base, limits, &search.trial);
	if (!err)
		err = find_plan(&search);
	if (err)
		return err;
	*out = take_ptr(advice);
	return 0;
}

void advice_free(struct advice *advice)
{
	if (!advice)
		return;
	levers_free(advice->levers);
	free(advice->plan.changes);
	free(advice);
}
