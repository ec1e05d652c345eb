// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Levers. Expected bytes and pages are the kernel's: 8 KiB of memmap a compound page with the DAX optimisation, 128
 * struct pages of each initialised, 64 bytes a page without it, 16380 KiB saved by HVO for each 1G page. Costs are
 * 10 ns a struct page and nothing else, so that times can be worked out by hand.
 */
#include "support/check.h"
#include "support/lever_bench.h"

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
	check_near(lever->after.hotplug.mid_ns, 100 * 128 * 10.0, 1e-9, "align=1GiB");
	check_near(lever->hotplug_saved_ns, (6553600 - 12800) * 10.0, 1e-9, "align=1GiB saves");
	check_int(lever->ram_saved_bytes, (51200 - 100) * 8 * (long long)KIB, "align=1GiB saves RAM");
	check_int(outcome_fits(&lever->after), true, "align=1GiB meets the window");
	check_int(lever_needs_kernel(lever), false, "align=1GiB");

	/* base pages: every struct page is initialised, and nothing is shared */
	lever = find(&b, "dax0.0", "align=4KiB");
	assert_non_null(lever);
	check_near(lever->after.hotplug.mid_ns, 26214400 * 10.0, 1e-9, "align=4KiB");
	check_int(outcome_fits(&lever->after), false, "align=4KiB misses the window");
	/* memmap 1600 MiB instead of 400 MiB; PTE tables (4 KiB a section) go, as PMDs map whole sections */
	check_int(lever->ram_saved_bytes, -(1200 * (long long)MIB) + 800 * 4 * (long long)KIB,
		  "align=4KiB takes RAM");

	lever = find(&b, "dax0.0", "map=dev");
	assert_non_null(lever);
	check_int(lever->device_saved_bytes < -1590 * (long long)MIB, true, "map=dev: memmap on the device");
	check_int(lever->ram_saved_bytes > 400 * (long long)MIB, true, "map=dev: and not in RAM");

	lever = find(&b, NULL, "memmap_path=template-nt");
	assert_non_null(lever);
	check_near(lever->after.hotplug.mid_ns, 6553600 * 5.0, 1e-9, "template-nt");
	check_int(lever_needs_kernel(lever), true, "template-nt");

	if (find(&b, NULL, "memmap_path=template"))
		fail_msg("a path that the profile has no costs of is no lever");
	if (find(&b, NULL, "dax_vmemmap_optimization=on") || find(&b, NULL, "hugetlb_free_vmemmap=on"))
		fail_msg("what is on, or has nothing to act on, is no lever");
	check_str(levers_biggest(b.levers, b.forecast, true)->change.text, "align=1GiB", "the biggest");
	check_u64(b.host->namespaces[0].align_bytes, 2 * MIB, "the host is left as it was");
	bench_free(&b);
}

static void ranked(void **state)
{
	struct bench b = {0};
	const struct lever *last = NULL;

	(void)state;
	bench_make(&b, THREE_NAMESPACES);
	for (size_t i = 0; i < b.levers->nr; i++) {
		const struct lever *lever = &b.levers->items[i];

		if (last && last->hotplug_saved_ns + last->boot_saved_ns <
				    lever->hotplug_saved_ns + lever->boot_saved_ns)
			fail_msg("%s before %s", last->change.text, lever->change.text);
		last = lever;
	}
	/* 13107200 pages with 4K align become 50 compounds; the path halves 19660800 + 2621440 + some */
	check_str(levers_biggest(b.levers, b.forecast, false)->change.text, "align=1GiB",
		  "the biggest of all");
	check_str(levers_biggest(b.levers, b.forecast, false)->change.device, "dax1.0", "the biggest of all");
	check_str(levers_biggest(b.levers, b.forecast, true)->change.device, "dax1.0",
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
	check_str(levers_biggest(b.levers, b.forecast, true)->change.text, "hugetlb_free_vmemmap=on",
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

/*
 * Struct pages are initialised outside of memory hotplug's lock, so the longest decides; sections are added inside,
 * one device after another: 800, 400 and 80 of 128 MiB.
 */
static void devices_at_once(void **state)
{
	const struct lever *lever;
	struct bench b = {0};

	(void)state;
	bench_make(&b, THREE_NAMESPACES);
	lever = find(&b, NULL, "3 devices at once");
	assert_non_null(lever);
	check_near(lever->after.hotplug.mid_ns, 13107200 * 10.0, 1e-9, "the longest");
	check_int(lever->change.effort, EFFORT_NONE, "nothing is moved");
	bench_free(&b);
	set_cost(STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, 50000);
	bench_make(&b, THREE_NAMESPACES);
	lever = find(&b, NULL, "3 devices at once");
	assert_non_null(lever);
	check_near(lever->after.hotplug.mid_ns, 13107200 * 10.0 + 1280 * 50000.0, 1e-9, "and all sections");
	check_near(lever->hotplug_saved_ns, b.forecast->hotplug.mid_ns - lever->after.hotplug.mid_ns, 1e-9,
		   "saved");
	bench_free(&b);
	set_cost(STAGE_ADD_MEMORY, UNIT_SECTIONS, KIND_NONE, 0);
	/* four of 64 GiB each, on three CPUs: not side by side */
	bench_make(&b,
		   "memmapctl: 1\nhost: {name: h, arch: x86_64, memory: 64GiB, cpus: 3, kernel: {release: "
		   "7.3.4}}\ndevices:\n  - {name: gpu, type: private, size: 64GiB, count: 4}\n");
	if (find(&b, NULL, "4 devices at once"))
		fail_msg("more binds than CPUs");
	bench_free(&b);
}

/*
 * Two fitted costs that differ by 5 % are the same cost, and a namespace is not created again for that; with any
 * difference 4 KiB pages are their users' business first. (arm64 has no DAX optimisation: all pages are initialised.)
 */
static void noise(void **state)
{
	static const struct {
		double base_ns;
		const char *what;
	} rows[] = {
		{9.5, "5 %" },
                {5,   "half"}
        };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bench b = {0};
		const struct lever *lever;

		set_cost(STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, KIND_ZD_BASE, rows[i].base_ns);
		bench_make(&b, HOST("aarch64", "7.3.4") "namespaces:\n  - {name: dax0.0, mode: devdax, map: "
							"dev, align: 2MiB, size: 100GiB}\n");
		lever = find(&b, "dax0.0", "align=4KiB");
		assert_non_null(lever);
		check_near(lever->hotplug_saved_ns, 25804288 * (10 - rows[i].base_ns), 1e-9, "%s",
			   rows[i].what);
		check_int(lever->change.effort, EFFORT_USERS, "%s", rows[i].what);
		if (!strstr(lever->change.price, "folios of 4KiB, no huge mappings"))
			fail_msg("the price of 4 KiB pages: %s", lever->change.price);
		assert_null(levers_biggest(b.levers, b.forecast, true));
		bench_free(&b);
	}
	set_cost(STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, KIND_ZD_BASE, 10);
}

/* Devdax of 2 MiB pages has 65536 of 262144 struct pages a GiB to initialise: 2 of 10 GiB are 6 % of all, 4 are 14 %. */
static void worth_naming(void **state)
{
	static const struct {
		const char *sizes;
		const char *biggest;
	} rows[] = {
		{"2GiB}\n  - {name: b, mode: fsdax, map: mem, size: 8GiB", NULL        },
		{"4GiB}\n  - {name: b, mode: fsdax, map: mem, size: 6GiB", "align=1GiB"}
        };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bench b = {0};
		const struct lever *lever;
		char yaml[512];

		snprintf(yaml, sizeof(yaml),
			 "memmapctl: 1\nhost: {name: h, arch: x86_64, memory: 512GiB, cpus: 1, kernel: "
			 "{release: "
			 "7.3.4}}\nnamespaces:\n  - {name: a, mode: devdax, map: mem, align: 2MiB, size: "
			 "%s}\n",
			 rows[i].sizes);
		bench_make(&b, yaml);
		lever = levers_biggest(b.levers, b.forecast, true);
		check_str(lever ? lever->change.text : NULL, rows[i].biggest, "row %zu", i);
		bench_free(&b);
	}
}

/* 1 GiB pages of a namespace that does not start at one: the kernel takes it, but heads overlap (kernel.md 2.4). */
static void no_trap(void **state)
{
	struct bench b = {0};

	(void)state;
	bench_make(&b,
		   HOST("x86_64", "7.3.4") "namespaces:\n  - {name: dax0.0, mode: devdax, map: mem, align: "
					   "2MiB, size: 4GiB, start: 4112MiB}\n");
	if (find(&b, "dax0.0", "align=1GiB"))
		fail_msg("a trap is offered");
	assert_non_null(find(&b, "dax0.0", "align=4KiB"));
	bench_free(&b);
}

static void hugepage_size(void **state)
{
	struct bench b = {0};
	const struct lever *lever;

	(void)state;
	bench_make(&b, HOST("x86_64", "7.3.4") "hugepages:\n  - {size: 1GiB, count: 300, when: boot}\n");
	lever = find(&b, NULL, "153600 hugepages of 2MiB for 300 of 1GiB");
	assert_non_null(lever);
	check_int(lever->change.effort, EFFORT_USERS, "its users ask for it");
	bench_free(&b);
	bench_make(&b, HOST("x86_64", "7.3.4") "hugepages:\n  - {size: 2MiB, count: 700, when: boot}\n");
	for (size_t i = 0; i < b.levers->nr; i++)
		check_int(b.levers->items[i].change.kind != CHANGE_HUGEPAGE_SIZE, true,
			  "1400 MiB are no whole 1 GiB pages");
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
		cmocka_unit_test(devices_at_once),
		cmocka_unit_test(noise),
		cmocka_unit_test(worth_naming),
		cmocka_unit_test(no_trap),
		cmocka_unit_test(hugepage_size),
		cmocka_unit_test(nothing_to_change),
	};

	return cmocka_run_group_tests_name("lever", tests, make_profile, NULL);
}
