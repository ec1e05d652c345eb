// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/advise.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/util.h"

enum {
	MAX_SETS = 4096, /* up to so many sets all are tried */
	MAX_PASSES = 3,  /* over all levers, of a search change by change */
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

/* Levers by what is left over windows and limits with each alone. */
struct ranked {
	size_t lever;
	double excess;
};

static int by_excess(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->excess != y->excess)
		return x->excess < y->excess ? -1 : 1;
	return x->lever < y->lever ? -1 : 1; /* the most time saved first */
}

static int rank_levers(const struct levers *levers, struct ranked **out)
{
	struct ranked *ranked = calloc(MAX(levers->nr, (size_t)1), sizeof(*ranked));

	if (!ranked)
		return -ENOMEM;
	for (size_t i = 0; i < levers->nr; i++)
		ranked[i] = (struct ranked){i, levers->items[i].after.excess};
	qsort(ranked, levers->nr, sizeof(*ranked), by_excess);
	*out = ranked;
	return 0;
}

/*
 * Nearer to the limits; or as near and faster: where several devices miss the window for each of them, nothing is
 * gained before the last is changed.
 */
static bool is_progress(const struct candidate *next, const struct candidate *best)
{
	if (next->after.excess != best->after.excess)
		return next->after.excess < best->after.excess;
	return time_ns(&next->after) < time_ns(&best->after);
}

/* Add levers that take no more than an effort, in order, each where it is progress. */
static int add_levers(struct search *s, const struct ranked *ranked, enum effort most, bool *found)
{
	const struct levers *levers = s->advice->levers;

	*found = false;
	for (size_t i = 0; i < levers->nr && !is_met(&s->best); i++) {
		const struct change *change = &levers->items[ranked[i].lever].change;
		int err;

		if (change->effort > most || s->best.chosen[change->group] == ranked[i].lever)
			continue;
		memcpy(s->next.chosen, s->best.chosen, s->nr_groups * sizeof(*s->next.chosen));
		s->next.chosen[change->group] = ranked[i].lever;
		err = try_set(s, &s->next);
		if (err == -ENOMEM)
			return err;
		if (err || !is_progress(&s->next, &s->best))
			continue;
		take(s, &s->next);
		*found = true;
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

/* With more sets than can be tried: effort by effort, always what brings the limits nearest first. */
static int go_change_by_change(struct search *s)
{
	_cleanup_free_ struct ranked *ranked = NULL;
	int err = rank_levers(s->advice->levers, &ranked);

	for (int most = EFFORT_NONE; most < NR_EFFORTS && !err && !is_met(&s->best); most++) {
		bool found = true;

		for (int pass = 0; pass < MAX_PASSES && found && !err && !is_met(&s->best); pass++)
			err = add_levers(s, ranked, (enum effort)most, &found);
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
	_cleanup_advice_ struct advice *advice = calloc(1, sizeof(*advice));
	_cleanup_(search_free) struct search search = {.advice = advice};
	int err;

	if (!advice)
		return -ENOMEM;
	advice->base = base;
	err = levers_new(base, limits, &advice->levers);
	if (!err)
		err = trial_begin(base, limits, &search.trial);
	if (err)
		return err;
	advice->before = search.trial.before;
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
