/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host forecast made by hand, for tests of reports: round figures, so that every printed number can be checked by
 * eye. One devdax namespace, two GPUs, boot with two stages, a run-time pool, two windows.
 */
#ifndef MEMMAPCTL_TESTS_FORECAST_FIXTURE_H
#define MEMMAPCTL_TESTS_FORECAST_FIXTURE_H

#include "base/util.h"
#include "base/units.h"
#include "model/forecast.h"

#define MS(mid, low, high)                                                                                   \
	{                                                                                                    \
		(mid) * 1e6, (low)*1e6, (high)*1e6                                                           \
	}

struct fixture {
	struct host_namespace ns;
	struct host_device gpu;
	struct host_hugepages hugepages;
	struct host host;
	struct cost cost;
	struct profile profile;
	struct work_term terms[6];
	struct term_forecast term_forecasts[6];
	struct stage_forecast dax_stages[3], gpu_stages[1], boot_stages[2], pool_stages[1];
	struct device_work device_works[2];
	struct pool_work pool_work;
	struct work work;
	struct device_forecast devices[2];
	struct pool_forecast pool;
	struct host_forecast forecast;
};

static void fixture_term(struct fixture *f, size_t i, enum stage_id stage, enum unit_id unit,
			 enum page_kind kind, uint64_t units, double cost_ns)
{
	f->terms[i] = (struct work_term){
		.stage = stage,
		.unit = unit,
		.kind = kind,
		.units = units,
		.parallel = 1,
		.formula = "M / S",
		.rule = "a_kernel_function (mm/file.c)",
	};
	f->term_forecasts[i] = (struct term_forecast){
		.term = &f->terms[i],
		.cost = {COST_MEASURED, cost_ns, 0.9 * cost_ns, 1.1 * cost_ns, &f->cost, NULL, NULL},
		.time = {(double)units * cost_ns,     0.9 * (double)units * cost_ns,
			 1.1 * (double)units * cost_ns                },
	};
}

static struct stage_forecast fixture_stage(struct fixture *f, size_t i)
{
	return (struct stage_forecast){
		.stage = f->terms[i].stage,
		.unit = f->terms[i].unit,
		.units = f->terms[i].units,
		.time = f->term_forecasts[i].time,
		.terms = &f->term_forecasts[i],
		.nr_terms = 1,
	};
}

static void fixture_host(struct fixture *f)
{
	f->ns = (struct host_namespace){
		.name = (char *)"dax0.0",
		.mode = NS_DEVDAX,
		.map = MAP_MEM,
		.align_bytes = 2 * MIB,
		.size_bytes = 100 * GIB,
		.node = NODE_ANY,
	};
	f->gpu = (struct host_device){.name = (char *)"gpu",
				      .type = DEV_PRIVATE,
				      .size_bytes = 80 * GIB,
				      .count = 2,
				      .node = NODE_ANY};
	f->hugepages = (struct host_hugepages){
		.size_bytes = 2 * MIB, .count = 1024, .when = HUGEPAGES_RUNTIME, .node = NODE_ANY};
	f->host = (struct host){
		.file = (char *)"node-a.yaml",
		.name = (char *)"node-a",
		.arch = ARCH_X86_64,
		.page_size_bytes = 4096,
		.struct_page_bytes = 64,
		.memory_bytes = 512 * GIB,
		.cpus = 64,
		.kernel = {.release = (char *)"7.3.4", .version = KVER(7, 3, 4)},
		.hvo_enabled = true,
		.hvo_supported = true,
		.hugepages = &f->hugepages,
		.nr_hugepages = 1,
		.namespaces = &f->ns,
		.nr_namespaces = 1,
		.devices = &f->gpu,
		.nr_devices = 1,
	};
	f->cost = (struct cost){.source = (char *)"a bench, \"quoted\"", .n = 30};
	f->profile = (struct profile){
		.name = (char *)"test-profile",
		.machine = (char *)"a test machine",
		.obtained = (char *)"fitted",
		.provenance = (char *)"made by hand",
	};
}

static void fixture_work(struct fixture *f)
{
	f->device_works[0] = (struct device_work){
		.name = f->ns.name,
		.ns = &f->ns,
		.count = 1,
		.raw_bytes = 100 * GIB,
		.usable_bytes = 100 * GIB - 2 * MIB,
		.struct_pages = 26214400,
		.struct_pages_logged = 26214400,
		.struct_pages_initialized = 6553600,
		.memmap_ram_bytes = 419430400,
		.page_table_bytes = 3276800,
		.memmap_saved_bytes = 1258291200,
		.sections = 800,
		.facts = {{"M", 107374182400, "range that the memmap covers, bytes"}},
		.nr_facts = 1,
	};
	f->device_works[1] = (struct device_work){
		.name = f->gpu.name,
		.dev = &f->gpu,
		.count = 2,
		.raw_bytes = 80 * GIB,
		.usable_bytes = 80 * GIB,
		.struct_pages = 20971520,
		.struct_pages_logged = 20971520,
		.struct_pages_initialized = 20971520,
		.memmap_ram_bytes = 1342177280,
		.sections = 640,
	};
	f->pool_work = (struct pool_work){
		.pool = &f->hugepages,
		.struct_pages_per_hugepage = 512,
		.struct_pages_saved_by_hvo = 448,
		.saved_bytes = 1024 * 28 * KIB,
	};
	f->work = (struct work){
		.host = &f->host,
		.devices = f->device_works,
		.nr_devices = 2,
		.pools = &f->pool_work,
		.nr_pools = 1,
		.boot = {.struct_pages = 134217728,
			 .struct_pages_early = 524288,
			 .struct_pages_deferred = 133693440,
			 .memmap_bytes = 8 * GIB},
	};
}

static void fixture_forecast(struct fixture *f)
{
	f->devices[0] = (struct device_forecast){
		.work = &f->device_works[0],
		.rebind = MS(1000, 900, 1100),
		.first_bind = MS(1500, 1300, 1700),
		.unbind = MS(0, 0, 0),
		.stages = {f->dax_stages, 3},
	};
	f->devices[1] = (struct device_forecast){
		.work = &f->device_works[1],
		.rebind = MS(250, 200, 800),
		.first_bind = MS(250, 200, 800),
		.stages = {f->gpu_stages, 1},
	};
	f->pool = (struct pool_forecast){
		.work = &f->pool_work,
		.alloc = MS(102.4, 92.16, 112.64),
		.free = MS(10, 9.5, 10.5),
		.stages = {f->pool_stages, 1}
        };
	f->forecast = (struct host_forecast){
		.host = &f->host,
		.work = &f->work,
		.profile = &f->profile,
		.devices = f->devices,
		.nr_devices = 2,
		.pools = &f->pool,
		.nr_pools = 1,
		.hotplug = MS(1500, 1350, 2600),
		.hotplug_first = MS(2000, 1800, 3200),
		.boot = {.early = MS(2.5, 2, 3),
			 .deferred = MS(300, 270, 330),
			 .total = MS(302.5, 272, 333),
			 .stages = {f->boot_stages, 2}},
		.windows = {{"hotplug", NULL, NS_PER_S, MS(1500, 1350, 2600), false, false, 0},
                         {"per_device", "dax0.0", 1050 * NS_PER_MS, MS(1000, 900, 1100), true, false, 0},
                         {"boot", NULL, 500 * NS_PER_MS, MS(302.5, 272, 333), true, true, 0}     },
		.nr_windows = 3,
		.memmap_ram_bytes = 11696865280,
		.saved_bytes = 1258291200 + 1024 * 28 * KIB,
	};
}

/* Fill in place: the parts point at each other. */
static void fixture_make(struct fixture *f)
{
	*f = (struct fixture){0};
	fixture_host(f);
	fixture_term(f, 0, STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, 800, 1e6);
	fixture_term(f, 1, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, KIND_ZD_COMPOUND, 6553600, 30.517578125);
	fixture_term(f, 2, STAGE_FIRST_TOUCH, UNIT_TOUCHED_PAGES, KIND_NONE, 102400, 4882.8125);
	fixture_term(f, 3, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, KIND_ZD_BASE, 20971520, 11.920928955078125);
	fixture_term(f, 4, STAGE_MEMMAP_DEFERRED, UNIT_STRUCT_PAGES, KIND_ORDINARY, 133693440, 2.243939036);
	fixture_term(f, 5, STAGE_HUGEPAGE_ALLOC, UNIT_HUGEPAGES, KIND_NONE, 1024, 1e5);
	fixture_work(f);
	for (size_t i = 0; i < 3; i++)
		f->dax_stages[i] = fixture_stage(f, i);
	f->gpu_stages[0] = fixture_stage(f, 3);
	f->gpu_stages[0].extrapolated = true;
	f->boot_stages[0] = (struct stage_forecast){.stage = STAGE_MEMMAP_EARLY,
						    .unit = UNIT_STRUCT_PAGES,
						    .units = 524288,
						    .time = MS(2.5, 2, 3)};
	f->boot_stages[1] = fixture_stage(f, 4);
	f->pool_stages[0] = fixture_stage(f, 5);
	fixture_forecast(f);
}

#endif
