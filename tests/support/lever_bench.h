/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile of 10 ns a struct page that is initialised and nothing else, so that times can be worked out by hand, and
 * hosts forecast with it.
 */
#ifndef MEMMAPCTL_TESTS_LEVER_BENCH_H
#define MEMMAPCTL_TESTS_LEVER_BENCH_H

#include "base/units.h"
#include "base/util.h"
#include "model/lever.h"
#include "support/check.h"

enum { MAX_COSTS = NR_STAGES * (NR_UNITS + NR_KINDS) };

static struct cost costs[MAX_COSTS];
static struct path_ratio ratios[NR_KINDS];
static struct profile profile = {.name = (char *)"ten", .costs = costs, .ratios = ratios};

static inline void add_cost(enum stage_id stage, enum unit_id unit, enum page_kind kind, double ns)
{
	costs[profile.nr_costs++] = (struct cost){.stage = stage,
						  .unit = unit,
						  .kind = kind,
						  .path = kind == KIND_NONE ? PATH_ANY : PATH_BASELINE,
						  .ns = ns,
						  .low_ns = ns,
						  .high_ns = ns};
}

/* What a unit costs from now on. */
static inline void set_cost(enum stage_id stage, enum unit_id unit, enum page_kind kind, double ns)
{
	for (size_t i = 0; i < profile.nr_costs; i++) {
		struct cost *cost = &costs[i];

		if (cost->stage == stage && cost->unit == unit && cost->kind == kind)
			cost->ns = cost->low_ns = cost->high_ns = ns;
	}
}

/* template-nt halves every kind of page; of template the profile knows nothing. */
static inline int make_profile(void **state)
{
	(void)state;
	for (int stage = 0; stage < NR_STAGES; stage++) {
		bool counts = stage == STAGE_MEMMAP_INIT || stage == STAGE_HUGETLB_TAILS;

		for (int unit = 0; unit < NR_UNITS; unit++) {
			if (unit != UNIT_STRUCT_PAGES)
				add_cost((enum stage_id)stage, (enum unit_id)unit, KIND_NONE, 0);
		}
		for (int kind = 0; kind < NR_KINDS; kind++)
			add_cost((enum stage_id)stage, UNIT_STRUCT_PAGES, (enum page_kind)kind,
				 counts ? 10 : 0);
	}
	for (int kind = 0; kind < NR_KINDS; kind++)
		ratios[profile.nr_ratios++] =
			(struct path_ratio){(enum page_kind)kind, PATH_TEMPLATE_NT, 0.5, 0.5, 0.5, NULL};
	return 0;
}

/* A host, its forecast and its levers. */
struct bench {
	struct host *host;
	struct work *work;
	struct host_forecast *forecast;
	struct levers *levers;
};

static inline void bench_make(struct bench *b, const char *yaml)
{
	struct diags diags = {0};

	if (host_load_text(yaml, strlen(yaml), "test.yaml", &diags, &b->host) ||
	    work_new(b->host, &diags, &b->work)) {
		diags_print(&diags, stderr);
		fail();
	}
	assert_int_equal(forecast_new(b->host, b->work, &profile, b->host->kernel.memmap_path, &b->forecast),
			 0);
	assert_int_equal(levers_new(b->forecast, NULL, &b->levers), 0);
	diags_free(&diags);
}

static inline void bench_free(struct bench *b)
{
	levers_free(b->levers);
	forecast_free(b->forecast);
	work_free(b->work);
	host_free(b->host);
}

static inline const struct lever *find(const struct bench *b, const char *device, const char *change)
{
	for (size_t i = 0; i < b->levers->nr; i++) {
		const struct lever *lever = &b->levers->items[i];

		if (strcmp(lever->change.text, change) || !lever->change.device != !device)
			continue;
		if (!device || !strcmp(lever->change.device, device))
			return lever;
	}
	return NULL;
}

#define HOST(arch, kernel)                                                                                   \
	"memmapctl: 1\nhost:\n  name: h\n  arch: " arch                                                      \
	"\n  memory: 512GiB\n  cpus: 16\n  kernel: {release: " kernel "}\n"

/* Devdax of 100 GiB with 6553600 struct pages to initialise, of 50 GiB with 13107200, and fsdax of 10 GiB. */
#define THREE_NAMESPACES                                                                                     \
	HOST("x86_64", "7.3.4")                                                                              \
	"namespaces:\n  - {name: dax0.0, mode: devdax, map: mem, align: 2MiB, size: 100GiB}\n"               \
	"  - {name: dax1.0, mode: devdax, map: mem, align: 4KiB, size: 50GiB}\n"                             \
	"  - {name: pmem2, mode: fsdax, map: dev, size: 10GiB}\n"

#endif
