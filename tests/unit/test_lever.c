// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Levers. Expected bytes and pages are the kernel's: 8 KiB of memmap a compound page with the DAX optimisation, 128
 * struct pages of each initialised, 64 bytes a page without it, 16380 KiB saved by HVO for each 1G page. Costs are
 * 10 ns a struct page and nothing else, so that times can be worked out by hand.
 */
#include "support/check.h"

#include "base/units.h"
#include "base/util.h"
#include "model/lever.h"

enum { MAX_COSTS = NR_STAGES * (NR_UNITS + NR_KINDS) };

static struct cost costs[MAX_COSTS];
static struct path_ratio ratios[NR_KINDS];
static struct profile profile = {.name = (char *)"ten", .costs = costs, .ratios = ratios};

static void add_cost(enum stage_id stage, enum unit_id unit, enum page_kind kind, double ns)
{
	costs[profile.nr_costs++] = (struct cost){.stage = stage,
						  .unit = unit,
						  .kind = kind,
						  .path = kind == KIND_NONE ? PATH_ANY : PATH_BASELINE,
						  .ns = ns,
						  .low_ns = ns,
						  .high_ns = ns};
}

/* template-nt halves every kind of page; of template the profile knows nothing. */
static int make_profile(void **state)
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

static void bench_make(struct bench *b, const char *yaml)
{
	struct diags diags = {0};

	if (host_load_text(yaml, strlen(yaml), "test.yaml", &diags, &b->host) ||
	    work_new(b->host, &diags, &b->work)) {
		diags_print(&diags, stderr);
		fail();
	}
	assert_int_equal(forecast_new(b->host, b->work, &profile, b->host->kernel.memmap_path, &b->forecast),
			 0);
	assert_int_equal(levers_new(b->forecast, &b->levers), 0);
	diags_free(&diags);
}

static void bench_free(struct bench *b)
{
	levers_free(b->levers);
	forecast_free(b->forecast);
	work_free(b->work);
	host_free(b->host);
}

static const struct lever *find(const struct bench *b, const char *device, const char *change)
{
	for (size_t i = 0; i < b->levers->nr; i++) {
		const struct lever *lever = &b->levers->items[i];

		if (strcmp(lever->change, change) || !lever->device != !device)
			continue;
		if (!device || !strcmp(lever->device, device))
			return lever;
	}
	return NULL;
}

#define HOST(arch, kernel)                                                                                   \
	"memmapctl: 1\nhost:\n  name: h\n  arch: " arch                                                      \
	"\n  memory: 512GiB\n  cpus: 16\n  kernel: {release: " kernel "}\n"

static void devdax(void **state)
{
	struct bench b = {0};
	const struct lever *lever;

	(void)state;
	bench_make(&b, HOST("x86_64", "7.3.4") "namespaces:\n  - {name: dax0.0, mode: devdax, map: mem, "
					       "align: 2MiB, size: 100GiB}\n"
					       "windows: {hotplug: 1ms}\n");
	check_near(b.forecast->hotplug.mid_ns, 6553600 * 10.0, 1e-9, "as it is");

	lever = find(&b, "dax0.0", "align=1GiB");
	assert_non_null(lever);
	check_near(lever->hotplug.mid_ns, 100 * 128 * 10.0, 1e-9, "align=1GiB");
	check_near(lever->hotplug_saved_ns, (6553600 - 12800) * 10.0, 1e-9, "align=1GiB saves");
	check_int(lever->ram_saved_bytes, (51200 - 100) * 8 * (long long)KIB, "align=1GiB saves RAM");
	check_int(lever->windows_fit, true, "align=1GiB meets the window");
	check_int(lever->new_kernel, false, "align=1GiB");

	/* base pages: every struct page is initialised, and nothing is shared */
	lever = find(&b, "dax0.0", "align=4KiB");
	assert_non_null(lever);
	check_near(lever->hotplug.mid_ns, 26214400 * 10.0, 1e-9, "align=4KiB");
	check_int(lever->windows_fit, false, "align=4KiB misses the window");
	/* memmap 1600 MiB instead of 400 MiB; PTE tables (4 KiB a section) go, as PMDs map whole sections */
	check_int(lever->ram_saved_bytes, -(1200 * (long long)MIB) + 800 * 4 * (long long)KIB,
		  "align=4KiB takes RAM");

	lever = find(&b, "dax0.0", "map=dev");
	assert_non_null(lever);
	check_int(lever->device_saved_bytes < -1590 * (long long)MIB, true, "map=dev: memmap on the device");
	check_int(lever->ram_saved_bytes > 400 * (long long)MIB, true, "map=dev: and not in RAM");

	lever = find(&b, NULL, "memmap_path=template-nt");
	assert_non_null(lever);
	check_near(lever->hotplug.mid_ns, 6553600 * 5.0, 1e-9, "template-nt");
	check_int(lever->new_kernel, true, "template-nt");

	if (find(&b, NULL, "memmap_path=template"))
		fail_msg("a path that the profile has no costs of is no lever");
	if (find(&b, NULL, "dax_vmemmap_optimization=on") || find(&b, NULL, "hugetlb_free_vmemmap=on"))
		fail_msg("what is on, or has nothing to act on, is no lever");
	check_str(levers_biggest(b.levers, b.forecast, true)->change, "align=1GiB", "the biggest");
	check_u64(b.host->namespaces[0].align_bytes, 2 * MIB, "the host is left as it was");
	bench_free(&b);
}

static void ranked(void **state)
{
	struct bench b = {0};
	const struct lever *last = NULL;

	(void)state;
	bench_make(&b, HOST("x86_64",
			    "7.3.4") "namespaces:\n  - {name: dax0.0, mode: devdax, map: mem, align: 2MiB, "
				     "size: 100GiB}\n"
				     "  - {name: dax1.0, mode: devdax, map: mem, align: 4KiB, size: 50GiB}\n"
				     "  - {name: pmem2, mode: fsdax, map: dev, size: 10GiB}\n");
	for (size_t i = 0; i < b.levers->nr; i++) {
		const struct lever *lever = &b.levers->items[i];

		if (last && last->hotplug_saved_ns + last->boot_saved_ns <
				    lever->hotplug_saved_ns + lever->boot_saved_ns)
			fail_msg("%s before %s", last->change, lever->change);
		last = lever;
	}
	/* 13107200 pages with 4K align become 50 compounds; the path halves 19660800 + 2621440 + some */
	check_str(levers_biggest(b.levers, b.forecast, false)->change, "align=1GiB", "the biggest of all");
	check_str(levers_biggest(b.levers, b.forecast, false)->device, "dax1.0", "the biggest of all");
	check_str(levers_biggest(b.levers, b.forecast, true)->device, "dax1.0",
		  "the biggest without a new kernel");
	if (find(&b, "pmem2", "align=1GiB"))
		fail_msg("the align of fsdax changes nothing: its pages are base pages");
	bench_free(&b);
}

static void hvo(void **state)
{
	static const char *const text =
		HOST("x86_64", "7.3.4") "hugepages:\n  - {size: 1GiB, count: 300, when: boot}\n";
	struct bench b = {0};
	const struct lever *lever;

	(void)state;
	bench_make(&b, text);
	lever = find(&b, NULL, "hugetlb_free_vmemmap=on");
	assert_non_null(lever);
	check_int(lever->ram_saved_bytes, 300 * 16380 * (long long)KIB, "HVO saves RAM");
	check_int(lever->boot_saved_ns > 0, true, "HVO saves the tails that are never initialised");
	check_str(levers_biggest(b.levers, b.forecast, true)->change, "hugetlb_free_vmemmap=on",
		  "the biggest");
	bench_free(&b);
}

static void hvo_not_there(void **state)
{
	struct bench b = {0};

	(void)state;
	bench_make(&b, HOST("aarch64", "7.3.4") "hugepages:\n  - {size: 1GiB, count: 300, when: boot}\n");
	if (find(&b, NULL, "hugetlb_free_vmemmap=on"))
		fail_msg("arm64 has no HVO");
	bench_free(&b);
}

static void memmap_on_memory(void **state)
{
	struct bench b = {0};
	const struct lever *lever;

	(void)state;
	bench_make(&b, HOST("x86_64",
			    "7.3.4") "devices:\n  - {name: cxl, type: system-ram, size: 256GiB, count: 2}\n");
	lever = find(&b, "cxl", "memmap_on_memory=on");
	assert_non_null(lever);
	check_int(lever->ram_saved_bytes, 2 * 4 * (long long)GIB, "2 x 256 GiB at 64 bytes a 4 KiB page");
	check_int(lever->device_saved_bytes, -2 * 4 * (long long)GIB, "and on the devices");
	bench_free(&b);
}

static void nothing_to_change(void **state)
{
	struct bench b = {0};

	(void)state;
	bench_make(&b,
		   "memmapctl: 1\nhost: {name: h, arch: x86_64, memory: 64GiB, kernel: {release: 7.3.4}}\n");
	assert_null(levers_biggest(b.levers, b.forecast, true));
	bench_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devdax),
		cmocka_unit_test(ranked),
		cmocka_unit_test(hvo),
		cmocka_unit_test(hvo_not_there),
		cmocka_unit_test(memmap_on_memory),
		cmocka_unit_test(nothing_to_change),
	};

	return cmocka_run_group_tests_name("lever", tests, make_profile, NULL);
}
