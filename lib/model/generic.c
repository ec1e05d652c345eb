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

/* A cost that nobody observed, and the one that stands in for it. Struct pages are the page_cost() ones. */
static const struct {
	enum stage_id stage;
	enum unit_id unit;
	enum page_kind kind;
	enum stage_id like; /* same unit */
} stand_ins[] = {
	{STAGE_MOVE_ZONE,       UNIT_STRUCT_PAGES,  KIND_ORDINARY,    STAGE_MEMMAP_INIT   },
	{STAGE_MEMMAP_INIT,     UNIT_STRUCT_PAGES,  KIND_ZD_BASE,     STAGE_MEMMAP_INIT   },
	{STAGE_MEMMAP_INIT,     UNIT_STRUCT_PAGES,  KIND_ZD_COMPOUND, STAGE_MEMMAP_INIT   },
	{STAGE_ONLINE_PAGES,    UNIT_STRUCT_PAGES,  KIND_ORDINARY,    STAGE_MEMMAP_INIT   },
	{STAGE_MEMMAP_EARLY,    UNIT_STRUCT_PAGES,  KIND_ORDINARY,    STAGE_MEMMAP_INIT   },
	{STAGE_MEMMAP_DEFERRED, UNIT_STRUCT_PAGES,  KIND_ORDINARY,    STAGE_MEMMAP_INIT   },
	{STAGE_HUGETLB_ALLOC,   UNIT_STRUCT_PAGES,  KIND_HUGETLB,     STAGE_MEMMAP_INIT   },
	{STAGE_HUGETLB_TAILS,   UNIT_STRUCT_PAGES,  KIND_HUGETLB,     STAGE_MEMMAP_INIT   },
	{STAGE_HUGEPAGE_ALLOC,  UNIT_STRUCT_PAGES,  KIND_HUGETLB,     STAGE_MEMMAP_INIT   },
	{STAGE_HUGEPAGE_FREE,   UNIT_STRUCT_PAGES,  KIND_HUGETLB,     STAGE_MEMMAP_INIT   },
	{STAGE_MOVE_ZONE,       UNIT_PAGEBLOCKS,    KIND_NONE,        STAGE_MEMMAP_INIT   },
	{STAGE_HUGETLB_ALLOC,   UNIT_HUGEPAGES,     KIND_NONE,        STAGE_HUGEPAGE_ALLOC},
	{STAGE_ADD_MEMORY,      UNIT_ZEROED_BYTES,  KIND_NONE,        STAGE_HUGETLB_ALLOC },
	{STAGE_HUGEPAGE_ALLOC,  UNIT_ZEROED_BYTES,  KIND_NONE,        STAGE_HUGETLB_ALLOC },
	{STAGE_HUGEPAGE_FREE,   UNIT_ZEROED_BYTES,  KIND_NONE,        STAGE_HUGETLB_ALLOC },
	{STAGE_HVO_REMAP,       UNIT_GRACE_PERIODS, KIND_NONE,        STAGE_REMOVE_MEMORY },
	{STAGE_HUGEPAGE_ALLOC,  UNIT_GRACE_PERIODS, KIND_NONE,        STAGE_REMOVE_MEMORY },
};

/* What nothing stands in for either: guesses, and said to be. The interval says how bad a guess. */
static const struct {
	enum stage_id stage;
	enum unit_id unit;
	double ns, width;
	const char *what;
} estimates[] = {
	{STAGE_DRIVER,        UNIT_ONCE,          5e6,  4, "probes and uevents of a bind"                           },
	{STAGE_DRIVER,        UNIT_DISKS,         1e5,  4, "a disk and its uevents (0.5e6 instructions in a guest)" },
	{STAGE_ADD_MEMORY,    UNIT_ONCE,          4e3,  4, "a call of arch_add_memory (2e4 instructions in a guest)"},
	{STAGE_RELEASE,       UNIT_ONCE,          1e4,  4, "a device taken down (5e4 instructions in a guest)"      },
	{STAGE_RELEASE,       UNIT_DISKS,         1e7,  4, "a disk's queue drained (6 to 24 ms, waits, in guests)"  },
	{STAGE_DRIVER,        UNIT_ONLY_DISKS,    3e4,  4,
	 "the first disk of its driver (0.1e6 instructions in a guest)"                                             },
	{STAGE_RELEASE,       UNIT_ONLY_DISKS,    1e7,  4,
	 "the last disk of its driver (24 ms, waits, in a guest of 7.2; none in 6.1)"                               },
	{STAGE_REMOVE_MEMORY, UNIT_FREED_BYTES,   2e-3, 4,
	 "memory given back (0.007 instructions a byte in a guest)"                                                 },
	{STAGE_REMOVE_MEMORY, UNIT_DISKS,         2e6,  4, "half a timer tick (2 ms of 4)"                          },
	{STAGE_HUGETLB_ALLOC, UNIT_ONCE,          3e6,  4,
	 "hugetlb_init beside the pages (1.5e7 instructions in guests)"                                             },
	{STAGE_HUGETLB_TAILS, UNIT_ONCE,          2e7,  4, "boot memory freed (1e8 instructions in guests)"         },
	{STAGE_HVO_REMAP,     UNIT_ONCE,          4e6,  4, "the kernel's text patched (2e7 instructions in guests)" },
	{STAGE_ADD_MEMORY,    UNIT_MEMORY_BLOCKS, 15e3, 4,
	 "a memory block's device (1.96 s for 131072 on POWER9)"                                                    },
	{STAGE_REMOVE_MEMORY, UNIT_MEMORY_BLOCKS, 15e3, 4,
	 "a memory block's device (1.96 s for 131072 on POWER9)"                                                    },
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

/*
 * A cost taken over from another, times scale: by a factor of width uncertain either way, and no less than that one
 * is. Of a cost held at zero its upper end is all that is known.
 */
static struct cost *new_cost(struct profile *profile, const struct cost *key, const struct cost *from,
			     double scale, double width)
{
	const struct cost like = *from; /* may be in the array that moves */
	struct cost *cost = array_grow(&profile->costs, &profile->nr_costs, sizeof(*cost));

	if (!cost)
		return NULL;
	*cost = (struct cost){.stage = key->stage, .unit = key->unit, .kind = key->kind, .path = key->path};
	cost->ns = scale * like.ns;
	cost->low_ns = fmin(cost->ns / width, scale * like.low_ns);
	cost->high_ns = fmax(cost->ns * width, scale * like.high_ns);
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
	double scale = is_wait(from) ? 1 : page_here->ns / page_there->ns;
	struct cost *cost;
	int len;

	if (from->unit == UNIT_ZEROED_BYTES) /* emulators exaggerate clearing */
		return 0;
	cost = new_cost(out, from, from, scale, carried_width);
	if (!cost)
		return -ENOMEM;
	if (is_wait(from))
		len = asprintf(&cost->source, "a wait, not scaled (%s); at least /3 to x3", from->source);
	else
		len = asprintf(&cost->source, "%.3g times the %s struct page there (%s); at least /3 to x3",
			       from->ns / page_there->ns, kind_name(page_there->kind), from->source);
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

static const struct cost *model_for(const struct profile *profile, enum stage_id like, enum unit_id unit)
{
	if (unit == UNIT_STRUCT_PAGES)
		return page_cost(profile);
	return profile_find_cost(profile, like, unit, KIND_NONE, PATH_ANY);
}

static int stand_in(struct profile *profile, size_t i)
{
	bool pages = stand_ins[i].unit == UNIT_STRUCT_PAGES;
	const struct cost key = {
		.stage = stand_ins[i].stage,
		.unit = stand_ins[i].unit,
		.kind = stand_ins[i].kind,
		.path = pages ? PATH_BASELINE : PATH_ANY,
	};
	const struct cost *like = model_for(profile, stand_ins[i].like, key.unit);
	struct cost *cost;

	if (profile_find_cost(profile, key.stage, key.unit, key.kind, key.path) || !like)
		return 0;
	cost = new_cost(profile, &key, like, 1, carried_width);
	like = model_for(profile, stand_ins[i].like, key.unit); /* where the array is now */
	if (!cost ||
	    asprintf(&cost->source, "not observed: taken as that of %s%s%s; at least /3 to x3",
		     stage_name(like->stage), pages ? ", " : "", pages ? kind_name(like->kind) : "") < 0)
		return -ENOMEM;
	return 0;
}

static int estimate(struct profile *profile, size_t i)
{
	const struct cost key = {
		.stage = estimates[i].stage,
		.unit = estimates[i].unit,
		.kind = KIND_NONE,
		.path = PATH_ANY,
		.ns = estimates[i].ns,
		.low_ns = estimates[i].ns,
		.high_ns = estimates[i].ns,
	};
	struct cost *cost;

	if (profile_find_cost(profile, key.stage, key.unit, key.kind, key.path))
		return 0;
	cost = new_cost(profile, &key, &key, 1, estimates[i].width);
	if (!cost || asprintf(&cost->source, "estimate, not observed: %s; /%g to x%g", estimates[i].what,
			      estimates[i].width, estimates[i].width) < 0)
		return -ENOMEM;
	return 0;
}

/* What the observations do not have: first by likeness, then from the other profile, then by estimate. */
static int fill_in(struct profile *profile, const struct profile *other)
{
	int err = 0;

	for (size_t i = 0; !err && i < ARRAY_SIZE(stand_ins); i++)
		err = stand_in(profile, i);
	for (size_t i = 0; !err && other && i < other->nr_costs; i++) {
		const struct cost *cost = &other->costs[i];

		if (!profile_find_cost(profile, cost->stage, cost->unit, cost->kind, cost->path))
			err = profile_copy_cost(profile, cost, other->name);
	}
	for (size_t i = 0; !err && i < ARRAY_SIZE(estimates); i++)
		err = estimate(profile, i);
	return err;
}

static void widen(struct profile *profile)
{
	for (size_t i = 0; i < profile->nr_costs; i++) {
		struct cost *cost = &profile->costs[i];

		/* bare metal does not fault on a page's first touch: only a VM whose memory is not there yet does */
		cost->low_ns =
			cost->unit == UNIT_TOUCHED_PAGES ? 0 : fmin(cost->low_ns, cost->ns / other_machine);
		cost->high_ns = fmax(cost->high_ns, cost->ns * other_machine);
		/* the range fitted on is the observed machines', not a limit of what this stands for */
		cost->units_min = cost->units_max = 0;
		cost->se_ns = 0;
	}
	/* nor are the correlations of the observed machines' costs those of other machines' */
	profile->nr_correlations = profile->nr_fits = 0;
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
		const char *provenance, const struct observations *simulated, const struct profile *other,
		struct diags *diags, struct profile **out)
{
	_cleanup_profile_ struct profile *prior = NULL, *profile = NULL;
	int err = carried_prior(real, emulated, diags, &prior);

	if (!err)
		err = fit_profile(real, name, provenance, prior, diags, &profile);
	if (!err && simulated)
		err = fit_ratios(profile, simulated, diags);
	if (!err && other && !simulated)
		err = profile_copy_paths(profile, other, other->name);
	if (!err)
		err = fill_in(profile, other);
	if (!err)
		err = profile_set_text(&profile->obtained, "uncalibrated");
	if (!err)
		err = profile_set_text(&profile->machine, NULL);
	if (!err)
		err = profile_set_text(&profile->kernel, NULL);
	if (err)
		return err;
	widen(profile);
	profile->residual_pct = 0; /* how machines differ is in the costs' own intervals */
	profile_sort(profile);
	profile_round(profile);
	*out = take_ptr(profile);
	return 0;
}
