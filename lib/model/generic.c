// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Profiles for machines that nobody observed. What a struct page's initialisation costs on real machines is
 * published; of the rest, emulated kernels tell how it compares with that.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "model/fit.h"
#include "model/profile_edit.h"

/* Published costs of a struct page, warm, of one path, lie within a factor of two of their middle (4 to 17 ns). */
static const double other_machine = 2;
/* What was only seen under emulation, or of another page kind. */
static const double carried_width = 3;
/* Clearing runs at 0.5 to 3 times the plain store bandwidth of one CPU: cached, or with non-temporal stores. */
static const double clearing_width = 3;

/* Struct page costs in order of preference: what others are carried over by, and stand in for. */
static const struct {
	enum stage_id stage;
	enum page_kind kind;
} page_costs[] = {
	{STAGE_MEMMAP_INIT,     KIND_ZD_BASE    },
        {STAGE_MEMMAP_INIT,     KIND_ZD_COMPOUND},
	{STAGE_HUGETLB_TAILS,   KIND_HUGETLB    },
        {STAGE_MEMMAP_EARLY,    KIND_ORDINARY   },
	{STAGE_MEMMAP_DEFERRED, KIND_ORDINARY   },
};

/* And where struct pages of each kind are paid for. */
static const struct {
	enum stage_id stage;
	enum page_kind kind;
} page_payers[] = {
	{STAGE_MOVE_ZONE,       KIND_ORDINARY   },
        {STAGE_MEMMAP_INIT,     KIND_ZD_BASE    },
	{STAGE_MEMMAP_INIT,     KIND_ZD_COMPOUND},
        {STAGE_ONLINE_PAGES,    KIND_ORDINARY   },
	{STAGE_MEMMAP_EARLY,    KIND_ORDINARY   },
        {STAGE_MEMMAP_DEFERRED, KIND_ORDINARY   },
	{STAGE_HUGETLB_TAILS,   KIND_HUGETLB    },
        {STAGE_HUGETLB_ALLOC,   KIND_HUGETLB    },
	{STAGE_HUGEPAGE_ALLOC,  KIND_HUGETLB    },
        {STAGE_HUGEPAGE_FREE,   KIND_HUGETLB    },
};

static const struct cost *page_cost(const struct profile *profile)
{
	for (size_t i = 0; i < ARRAY_SIZE(page_costs); i++) {
		const struct cost *cost = profile_find_cost(profile, page_costs[i].stage, UNIT_STRUCT_PAGES,
							    page_costs[i].kind, PATH_BASELINE);

		if (cost && cost->ns > 0)
			return cost;
	}
	return NULL;
}

static struct cost *new_cost(struct profile *profile, const struct cost *like, double ns, double width)
{
	struct cost *cost = array_grow(&profile->costs, &profile->nr_costs, sizeof(*cost));

	if (!cost)
		return NULL;
	*cost = (struct cost){
		.stage = like->stage, .unit = like->unit, .kind = like->kind, .path = like->path};
	cost->ns = ns;
	cost->low_ns = ns / width;
	cost->high_ns = ns * width;
	cost->prior = true;
	return cost;
}

/* A wait is as long under emulation as anywhere: it is a timer's, not the CPU's. */
static bool is_wait(const struct cost *cost)
{
	return cost->unit == UNIT_GRACE_PERIODS;
}

static int carry_over_cost(struct profile *out, const struct cost *from, const struct cost *page_there,
			   const struct cost *page_here)
{
	double share = from->ns / page_there->ns;
	double ns = is_wait(from) ? from->ns : share * page_here->ns;
	struct cost *cost;
	int len;

	if (from->unit == UNIT_ZEROED_BYTES) /* emulators exaggerate it: see clearing() */
		return 0;
	cost = new_cost(out, from, ns, carried_width);
	if (!cost)
		return -ENOMEM;
	/* held at zero there: what it might have cost at most is what is known */
	if (from->ns <= 0)
		cost->high_ns = from->high_ns / page_there->ns * page_here->ns;
	if (is_wait(from))
		len = asprintf(&cost->source, "a wait, as long as under emulation (%s); /3 to x3",
			       from->source);
	else
		len = asprintf(&cost->source,
			       "carried over from emulation (%s), where it is %.3g times the %s struct page; "
			       "/3 to x3",
			       from->source, share, kind_name(page_there->kind));
	if (len < 0)
		cost->source = NULL;
	return cost->source ? 0 : -ENOMEM;
}

static int carry_over(const struct profile *emulated, const struct cost *page_here, struct profile **out)
{
	const struct cost *page_there = page_cost(emulated);
	_cleanup_profile_ struct profile *carried = profile_new("emulated kernels");
	int err = 0;

	if (!carried)
		return -ENOMEM;
	for (size_t i = 0; !err && page_there && i < emulated->nr_costs; i++)
		err = carry_over_cost(carried, &emulated->costs[i], page_there, page_here);
	if (err)
		return err;
	*out = take_ptr(carried);
	return 0;
}

static int stand_in(struct profile *profile, enum stage_id stage, enum page_kind kind)
{
	const struct cost *page = page_cost(profile);
	const struct cost like = {
		.stage = stage, .unit = UNIT_STRUCT_PAGES, .kind = kind, .path = PATH_BASELINE};
	double ns = page->ns;
	const char *of = kind_name(page->kind);
	struct cost *cost;

	if (profile_find_cost(profile, stage, UNIT_STRUCT_PAGES, kind, PATH_BASELINE))
		return 0;
	cost = new_cost(profile, &like, ns, carried_width);
	if (!cost ||
	    asprintf(&cost->source, "not observed: taken as that of a %s struct page; /3 to x3", of) < 0)
		return -ENOMEM;
	return 0;
}

/* Stages that clear memory pay for it by the byte, at the bandwidth of plain stores. */
static int clearing(struct profile *profile)
{
	static const enum stage_id payers[] = {STAGE_ADD_MEMORY, STAGE_HUGETLB_ALLOC, STAGE_HUGEPAGE_ALLOC};

	for (size_t i = 0; profile->store_gbps > 0 && i < ARRAY_SIZE(payers); i++) {
		const struct cost like = {
			.stage = payers[i], .unit = UNIT_ZEROED_BYTES, .kind = KIND_NONE, .path = PATH_ANY};
		struct cost *cost;

		if (profile_find_cost(profile, payers[i], UNIT_ZEROED_BYTES, KIND_NONE, PATH_ANY))
			continue;
		cost = new_cost(profile, &like, 1 / profile->store_gbps, clearing_width);
		if (!cost || asprintf(&cost->source,
				      "clearing at the simulated plain store bandwidth, %.3g GB/s; /3 to x3",
				      profile->store_gbps) < 0)
			return -ENOMEM;
	}
	return 0;
}

static void widen(struct profile *profile)
{
	for (size_t i = 0; i < profile->nr_costs; i++) {
		struct cost *cost = &profile->costs[i];

		cost->low_ns = fmin(cost->low_ns, cost->ns / other_machine);
		cost->high_ns = fmax(cost->high_ns, cost->ns * other_machine);
		/* the range fitted on is the observed machines', not a limit of what this stands for */
		cost->units_min = cost->units_max = 0;
	}
}

/* What the real rows alone say a struct page costs, and its like from the emulated ones. */
static int carried_prior(const struct obs_rows *real, const struct obs_rows *emulated, struct diags *diags,
			 struct profile **out)
{
	_cleanup_profile_ struct profile *here = NULL, *there = NULL;
	const struct cost *page;
	int err = fit_profile(real, "real", "", NULL, NULL, &here);

	if (err)
		return err;
	page = page_cost(here);
	if (!page)
		return diag_error(
			diags, -EINVAL,
			"no observation of a baseline struct page on a real machine: nothing to carry "
			"the emulated ones over by");
	if (!emulated->nr) {
		*out = profile_new("nothing");
		return *out ? 0 : -ENOMEM;
	}
	err = fit_profile(emulated, "emulated", "", NULL, diags, &there);
	return err ? err : carry_over(there, page, out);
}

int fit_generic(const struct obs_rows *real, const struct obs_rows *emulated, const char *name,
		const char *provenance, const struct observations *simulated, struct diags *diags,
		struct profile **out)
{
	_cleanup_profile_ struct profile *prior = NULL, *profile = NULL;
	int err = carried_prior(real, emulated, diags, &prior);

	if (!err)
		err = fit_profile(real, name, provenance, prior, diags, &profile);
	if (!err && simulated)
		err = fit_ratios(profile, simulated, diags);
	if (!err)
		err = clearing(profile);
	for (size_t i = 0; !err && i < ARRAY_SIZE(page_payers); i++)
		err = stand_in(profile, page_payers[i].stage, page_payers[i].kind);
	if (!err)
		err = profile_set_text(&profile->obtained, "uncalibrated");
	if (!err)
		err = profile_set_text(&profile->machine, NULL);
	if (!err)
		err = profile_set_text(&profile->kernel, NULL);
	if (err)
		return err;
	widen(profile);
	profile_sort(profile);
	profile_round(profile);
	*out = take_ptr(profile);
	return 0;
}
