// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/kernel_boot_trace.h"

#include <errno.h>

#include "base/util.h"

/* Of what boot allocates, the interval is the stage's only where the pools are as said. */
enum when { ALWAYS, WITH_GIGANTIC, WITHOUT_GIGANTIC };

/*
 * From the call of one function to that of another. The first interval of a stage that was seen is taken. Kernels before
 * 6.12.114 initialise gigantic pages in two places, of which only hugetlb_init runs late enough to be traced.
 */
static const struct interval {
	enum stage_id stage;
	enum when when;
	enum boot_call from, to;
} intervals[] = {
	{STAGE_MEMMAP_DEFERRED, ALWAYS,           CALL_DEFERRED_INIT_MEMMAP, CALL_HUGETLB_BOOTMEM_INIT},
	{STAGE_MEMMAP_DEFERRED, ALWAYS,           CALL_DEFERRED_INIT_MEMMAP, CALL_BUFFER_INIT         },
	{STAGE_HUGETLB_TAILS,   WITH_GIGANTIC,    CALL_HUGETLB_BOOTMEM_INIT, CALL_BUFFER_INIT         },
	{STAGE_HUGETLB_ALLOC,   WITHOUT_GIGANTIC, CALL_HUGETLB_INIT,         CALL_HUGETLB_CGROUP_INIT },
};

static bool was_seen(const struct boot_trace *t, const struct interval *i)
{
	return t->calls[i->from] && t->calls[i->to] && t->first_ns[i->to] > t->first_ns[i->from];
}

static bool fits(const struct interval *i, const struct boot_pools *pools)
{
	if (i->when == WITH_GIGANTIC)
		return pools->gigantic > 0;
	return i->when == ALWAYS || (!pools->gigantic && pools->smaller);
}

static const struct interval *find(const struct boot_trace *t, const struct boot_pools *pools,
				   enum stage_id stage)
{
	for (size_t i = 0; i < ARRAY_SIZE(intervals); i++) {
		if (intervals[i].stage == stage && was_seen(t, &intervals[i]) && fits(&intervals[i], pools))
			return &intervals[i];
	}
	return NULL;
}

bool kernel_boot_trace_has(const struct boot_trace *trace, const struct boot_pools *pools,
			   enum stage_id stage)
{
	return find(trace, pools, stage) != NULL;
}

static int add_run(const struct boot_trace *t, const struct interval *i, uint64_t hugepages,
		   struct observations *obs)
{
	struct obs_run *run = observations_add_run(obs);
	int err;

	if (!run)
		return -ENOMEM;
	run->event = EVENT_BOOT;
	run->stage = i->stage;
	run->unit = hugepages ? UNIT_HUGEPAGES : UNIT_ONCE;
	run->units = run->measured_units = hugepages ? hugepages : 1;
	err = obs_run_set_note(run, "by the boot's function trace, true to 1 us: from %s to %s",
			       boot_call_name(i->from), boot_call_name(i->to));
	return err ? err : obs_run_add_sample(run, (double)(t->first_ns[i->to] - t->first_ns[i->from]));
}

static uint64_t hugepages_of(const struct interval *i, const struct boot_pools *pools)
{
	switch (i->when) {
	case WITH_GIGANTIC:
		return pools->gigantic;
	case WITHOUT_GIGANTIC:
		return pools->smaller;
	default:
		return 0;
	}
}

int kernel_boot_trace_observe(const struct boot_trace *trace, const struct boot_pools *pools,
			      struct observations *obs)
{
	static const enum stage_id stages_seen[] = {STAGE_MEMMAP_DEFERRED, STAGE_HUGETLB_TAILS,
						    STAGE_HUGETLB_ALLOC};
	int err = 0;

	for (size_t s = 0; !err && s < ARRAY_SIZE(stages_seen); s++) {
		const struct interval *i = find(trace, pools, stages_seen[s]);

		if (i)
			err = add_run(trace, i, hugepages_of(i, pools), obs);
	}
	return err;
}
