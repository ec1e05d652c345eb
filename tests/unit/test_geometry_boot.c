// SPDX-License-Identifier: GPL-2.0-or-later
/* Hugepage pools and the boot's own memmap, against published figures and the kernel's log lines. */
#include <errno.h>

#include "support/geometry.h"

#define X ARCH_X86_64
#define A ARCH_AARCH64

/* 500 pages of 1G, or 64 on arm64, at boot: "HugeTLB: 16380 KiB vmemmap can be freed for a 1.00 GiB page". */
static const struct {
	const char *what;
	enum arch_id arch;
	const char *release;
	bool hvo, deferred;
	uint64_t initialized, saved_pages; /* for each */
	uint64_t saved_kib, saveable_kib;
	uint64_t remaps, freed;
} gigantic[] = {
	{"6.1 off",               X, "6.1.192",  false, true,  524288, 0,      0,     16380, 0,    0   },
	{"6.1 on",                X, "6.1.192",  true,  true,  524288, 0,      16380, 16380, 4095, 4095},
	{"6.1 off, not deferred", X, "6.1.192",  false, false, 262144, 0,      0,     16380, 0,    0   },
	{"6.12 off",              X, "6.12.117", false, true,  262144, 0,      0,     16380, 0,    0   },
	{"6.12 on",               X, "6.12.117", true,  true,  64,     262080, 16380, 16380, 4095, 4095},
	{"7.3 off",               X, "7.3.4",    false, true,  262144, 0,      0,     16380, 0,    0   },
 /* The memmap was never made in full: nothing to free. */
	{"7.3 on",                X, "7.3.4",    true,  true,  64,     262080, 16380, 16380, 4095, 0   },
	{"arm64, 7.3",            A, "7.3.4",    true,  true,  262144, 0,      0,     0,     0,    0   },
	{"arm64, 6.1.15",         A, "6.1.15",   true,  true,  524288, 0,      16380, 16380, 4095, 4095},
	{"arm64, 6.1.16",         A, "6.1.16",   true,  true,  524288, 0,      0,     0,     0,    0   },
};

static void gigantic_pages_at_boot(void **state)
{
	enum { COUNT = 500 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(gigantic); i++) {
		struct host host = plain_host(gigantic[i].arch, gigantic[i].release);
		struct host_hugepages pool = {
			.size_bytes = 1 * GIB, .count = COUNT, .when = HUGEPAGES_BOOT, .node = NODE_ANY};
		const char *what = gigantic[i].what;

		host.hvo_enabled = gigantic[i].hvo;
		host.kernel.deferred_struct_page_init = gigantic[i].deferred;
		host.hugepages = &pool;
		host.nr_hugepages = 1;
		_cleanup_work_ struct work *work = must_work(&host, NULL);
		const struct pool_work *got = &work->pools[0];
		const struct work_terms *t = &got->terms;

		check_u64(got->struct_pages_per_hugepage, 262144, "%s: struct pages", what);
		check_u64(got->struct_pages_initialized, gigantic[i].initialized, "%s: initialised", what);
		check_u64(got->struct_pages_saved_by_hvo, gigantic[i].saved_pages, "%s: saved", what);
		check_u64(got->saved_bytes, COUNT * gigantic[i].saved_kib * KIB, "%s: bytes saved", what);
		check_u64(got->saveable_bytes, COUNT * gigantic[i].saveable_kib * KIB, "%s: saveable", what);
		check_u64(term_units(t, STAGE_HUGETLB_ALLOC, UNIT_HUGEPAGES), COUNT, "%s: hugepages", what);
		check_u64(term_units(t, STAGE_HUGETLB_ALLOC, UNIT_ZEROED_BYTES), 0, "%s: not cleared", what);
		check_u64(term_units(t, STAGE_HUGETLB_TAILS, UNIT_STRUCT_PAGES),
			  COUNT * gigantic[i].initialized, "%s: tails", what);
		check_u64(term_units(t, STAGE_HVO_REMAP, UNIT_HUGEPAGES), gigantic[i].remaps ? COUNT : 0,
			  "%s: remapped", what);
		check_u64(term_units(t, STAGE_HVO_REMAP, UNIT_VMEMMAP_PTES), COUNT * gigantic[i].remaps,
			  "%s: PTEs", what);
		check_u64(term_units(t, STAGE_HVO_REMAP, UNIT_VMEMMAP_PAGES), COUNT * gigantic[i].freed,
			  "%s: pages freed", what);
	}
}

/* One thread a node with memory since padata, and never more than lists, pages or CPUs. */
static void gather_threads(void **state)
{
	static const struct {
		const char *release;
		int node;
		uint32_t cpus;
		uint64_t count;
		unsigned int threads;
	} rows[] = {
		{"6.1.192",  NODE_ANY, 64, 400, 1},
                {"7.3.4",    NODE_ANY, 64, 400, 4},
		{"6.12.117", NODE_ANY, 64, 400, 4},
                {"7.3.4",    2,        64, 100, 1},
		{"7.3.4",    NODE_ANY, 64, 3,   3},
                {"7.3.4",    NODE_ANY, 2,  400, 2},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host_node nodes[5] = {
			{.id = 0,     .memory_bytes = 128 * GIB, .cpus = 16},
			{.id = 1, .memory_bytes = 128 * GIB, .cpus = 16},
			{.id = 2,     .memory_bytes = 128 * GIB, .cpus = 16},
			{.id = 3, .memory_bytes = 128 * GIB, .cpus = 16},
			{.id = 4    },
		};
		struct host_hugepages pool = {.size_bytes = 1 * GIB,
					      .count = rows[i].count,
					      .when = HUGEPAGES_BOOT,
					      .node = rows[i].node};
		struct host host = plain_host(X, rows[i].release);

		host.nodes = nodes;
		host.nr_nodes = ARRAY_SIZE(nodes);
		host.cpus = rows[i].cpus;
		host.hugepages = &pool;
		host.nr_hugepages = 1;
		_cleanup_work_ struct work *work = must_work(&host, NULL);
		const struct work_terms *t = &work->pools[0].terms;

		check_int(find_term(t, STAGE_HUGETLB_TAILS, UNIT_STRUCT_PAGES)->parallel, rows[i].threads,
			  "row %zu", i);
		check_int(find_term(t, STAGE_HUGETLB_ALLOC, UNIT_HUGEPAGES)->parallel, 1, "row %zu: memblock",
			  i);
	}
}

/* "HugeTLB: allocation took ... with hugepage_allocation_threads=": a quarter of the CPUs, before that 2 a node. */
static void small_pages_at_boot(void **state)
{
	static const struct {
		const char *release;
		int node;
		unsigned int threads;
	} rows[] = {
		{"6.1.192",  NODE_ANY, 1 },
		{"6.12.117", NODE_ANY, 4 },
		{"7.3.4",    NODE_ANY, 16},
		{"7.3.4",    1,        1 }
        };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host_node nodes[] = {
			{.id = 0, .memory_bytes = 256 * GIB, .cpus = 32},
			{.id = 1, .memory_bytes = 256 * GIB, .cpus = 32}
                };
		struct host_hugepages pool = {
			.size_bytes = 2 * MIB, .count = 4096, .when = HUGEPAGES_BOOT, .node = rows[i].node};
		struct host host = plain_host(X, rows[i].release);

		host.nodes = nodes;
		host.nr_nodes = ARRAY_SIZE(nodes);
		host.hvo_enabled = true;
		host.hugepages = &pool;
		host.nr_hugepages = 1;
		_cleanup_work_ struct work *work = must_work(&host, NULL);
		const struct pool_work *got = &work->pools[0];
		const struct work_terms *t = &got->terms;

		check_int(find_term(t, STAGE_HUGETLB_ALLOC, UNIT_HUGEPAGES)->parallel, rows[i].threads,
			  "row %zu", i);
		check_u64(term_units(t, STAGE_HUGETLB_ALLOC, UNIT_ZEROED_BYTES), 8 * GIB, "row %zu: cleared",
			  i);
		check_u64(got->saved_bytes, 4096 * 28 * KIB, "row %zu: saved", i);
		check_u64(term_units(t, STAGE_HVO_REMAP, UNIT_VMEMMAP_PTES), 4096 * 7, "row %zu: remaps", i);
		/* 2M is never pre-optimised: smaller than a section. */
		check_u64(term_units(t, STAGE_HVO_REMAP, UNIT_VMEMMAP_PAGES), 4096 * 7, "row %zu: freed", i);
		check_u64(got->struct_pages_initialized, 0, "row %zu: RAM's already", i);
	}
}

static void pools_at_run_time(void **state)
{
	struct host host = plain_host(X, "6.12.117");
	struct host_hugepages pools[] = {
		{.size_bytes = 2 * MIB, .count = 500000, .when = HUGEPAGES_RUNTIME, .node = NODE_ANY},
		{.size_bytes = 1 * GIB, .count = 4,      .when = HUGEPAGES_RUNTIME, .node = NODE_ANY},
	};

	(void)state;
	host.hvo_enabled = true;
	host.hugepages = pools;
	host.nr_hugepages = ARRAY_SIZE(pools);
	_cleanup_work_ struct work *work = must_work(&host, NULL);
	const struct work_terms *small = &work->pools[0].terms, *large = &work->pools[1].terms;

	check_u64(term_units(small, STAGE_HUGEPAGE_ALLOC, UNIT_HUGEPAGES), 500000, "alloc");
	check_u64(term_units(small, STAGE_HUGEPAGE_ALLOC, UNIT_ZEROED_BYTES), 500000 * 2 * MIB, "cleared");
	check_u64(term_units(small, STAGE_HUGEPAGE_ALLOC, UNIT_VMEMMAP_PTES), 3500000, "HVO");
	check_u64(term_units(small, STAGE_HUGEPAGE_ALLOC, UNIT_GRACE_PERIODS), 1, "a batch");
	check_u64(term_units(small, STAGE_HUGEPAGE_FREE, UNIT_HUGEPAGES), 500000, "free");
	check_u64(term_units(small, STAGE_HUGEPAGE_FREE, UNIT_VMEMMAP_PAGES), 3500000, "restored");
	check_u64(work->pools[0].saved_bytes, 500000ULL * 28 * KIB, "saved");
	/* Unlike at boot, gigantic pages are cleared: alloc_contig_pages. */
	check_u64(term_units(large, STAGE_HUGEPAGE_ALLOC, UNIT_ZEROED_BYTES), 4 * GIB, "1G cleared");
	check_u64(term_units(large, STAGE_HUGEPAGE_ALLOC, UNIT_STRUCT_PAGES), 4 * 262144, "1G tails");
	check_u64(term_units(large, STAGE_HUGETLB_TAILS, UNIT_STRUCT_PAGES), 0, "not a boot stage");

	host.hvo_enabled = false;
	host.kernel.init_on_alloc = false;
	_cleanup_work_ struct work *plain = must_work(&host, NULL);

	check_u64(term_units(&plain->pools[0].terms, STAGE_HUGEPAGE_ALLOC, UNIT_ZEROED_BYTES), 0,
		  "not cleared");
	check_u64(term_units(&plain->pools[0].terms, STAGE_HUGEPAGE_ALLOC, UNIT_VMEMMAP_PTES), 0, "no HVO");
	check_u64(plain->pools[0].saved_bytes, 0, "nothing saved");
	check_u64(plain->pools[0].saveable_bytes, 500000ULL * 28 * KIB, "saveable");
}

static void pools_refused(void **state)
{
	static const struct {
		uint64_t size_bytes, count;
		int err;
	} rows[] = {
		{4096,       1,                -EINVAL   },
		{3 * MIB,    1,                -EINVAL   },
		{0,          1,                -EINVAL   },
		{1 * GIB,    UINT64_MAX,       -EOVERFLOW},
		{1ULL << 63, 2,                -EOVERFLOW},
		{1 * GIB,    (1ULL << 22) + 1, -EOVERFLOW},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host host = plain_host(X, "7.3.4");
		struct host_hugepages pool = {.size_bytes = rows[i].size_bytes,
					      .count = rows[i].count,
					      .when = HUGEPAGES_BOOT,
					      .node = NODE_ANY};
		struct work *work = NULL;
		_cleanup_diags_ struct diags diags = {0};

		host.hugepages = &pool;
		host.nr_hugepages = 1;
		check_int(work_new(&host, &diags, &work), rows[i].err, "row %zu", i);
		check_int(diags.nr_errors, 1, "row %zu", i);
	}
}

/* PAGES_PER_SECTION is 32768; a reserved memmap is a 64th of RAM. */
static void ram(void **state)
{
	static const struct {
		const char *what;
		enum arch_id arch;
		const char *release;
		uint64_t memory_bytes;
		uint32_t cpus;
		bool deferred;
		uint64_t early, put_off;
		unsigned int threads;
	} rows[] = {
		{"512 GiB",               X, "7.3.4",    512 * GIB, 64, true,  524288 + 32768 + 2097152,
		 134217728 - 524288 - 32768 - 2097152,									  64},
		{"512 GiB, not deferred", X, "7.3.4",    512 * GIB, 64, false, 134217728,                0,                     0 },
 /* ZONE_DMA's 4096 pages, and 2 * 32768 - 4096 of ZONE_DMA32, which starts inside a section. */
		{"1 GiB",                 X, "7.3.4",    1 * GIB,   4,  true,  65536 + 4096,             262144 - 65536 - 4096, 4 },
		{"1 GiB, arm64",          A, "7.3.4",    1 * GIB,   4,  true,  32768 + 4096,             262144 - 32768 - 4096, 4 },
 /* arm64 had one thread a node before it took all CPUs; 3 GiB of its RAM lie below 4 GiB. */
		{"128 GiB, arm64, 6.1",   A, "6.1.192",  128 * GIB, 32, true,  786432 + 32768 + 524288,
		 33554432 - 786432 - 32768 - 524288,									    1 },
		{"128 GiB, arm64, 6.12",  A, "6.12.117", 128 * GIB, 32, true,  786432 + 32768 + 524288,
		 33554432 - 786432 - 32768 - 524288,									    32},
		{"128 GiB, x86, 6.1",     X, "6.1.192",  128 * GIB, 32, true,  524288 + 32768 + 524288,
		 33554432 - 524288 - 32768 - 524288,									    32},
		{"64 MiB",                X, "7.3.4",    64 * MIB,  1,  true,  16384,                    0,                     0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host host = plain_host(rows[i].arch, rows[i].release);
		const char *what = rows[i].what;

		host.memory_bytes = rows[i].memory_bytes;
		host.cpus = rows[i].cpus;
		host.kernel.deferred_struct_page_init = rows[i].deferred;
		_cleanup_work_ struct work *work = must_work(&host, NULL);
		const struct boot_work *boot = &work->boot;
		const struct work_term *late =
			find_term(&boot->terms, STAGE_MEMMAP_DEFERRED, UNIT_STRUCT_PAGES);

		check_u64(boot->struct_pages, rows[i].memory_bytes / 4096, "%s: struct pages", what);
		check_u64(boot->struct_pages_early, rows[i].early, "%s: early", what);
		check_u64(boot->struct_pages_deferred, rows[i].put_off, "%s: deferred", what);
		check_u64(boot->memmap_bytes, rows[i].memory_bytes / 64, "%s: memmap", what);
		check_u64(term_units(&boot->terms, STAGE_MEMMAP_EARLY, UNIT_STRUCT_PAGES), rows[i].early,
			  "%s", what);
		check_u64(late ? late->units : 0, rows[i].put_off, "%s: term", what);
		check_int(late ? late->parallel : 0, rows[i].threads, "%s: threads", what);
	}
}

/* Nodes run side by side: the one with most struct pages a thread is the stage. */
static void nodes(void **state)
{
	struct host host = plain_host(X, "7.3.4");
	struct host_node list[] = {
		{.id = 0, .memory_bytes = 256 * GIB, .cpus = 32},
		{.id = 1, .memory_bytes = 128 * GIB, .cpus = 8 },
		{.id = 2, .memory_bytes = 0,         .cpus = 8 }
        };
	uint64_t section = 32768;

	(void)state;
	host.memory_bytes = 0;
	host.nodes = list;
	host.nr_nodes = ARRAY_SIZE(list);
	_cleanup_work_ struct work *work = must_work(&host, NULL);
	const struct boot_work *boot = &work->boot;
	const struct work_term *late = find_term(&boot->terms, STAGE_MEMMAP_DEFERRED, UNIT_STRUCT_PAGES);

	check_u64(boot->struct_pages, 384 * GIB / 4096, "struct pages");
	check_u64(boot->struct_pages_early, 524288 + 2 * section + 384 * GIB / 4096 / 64, "early");
	check_u64(late->units, 33554432 - section - 524288, "of node 1");
	check_int(late->parallel, 8, "threads of node 1");
}

/* Nodes that list CPUs only leave open where RAM is, not how much there is. */
static void nodes_without_memory(void **state)
{
	struct host host = plain_host(X, "7.3.4");
	struct host_node list[] = {
		{.id = 0, .cpus = 32},
                {.id = 7, .cpus = 32}
        };
	struct host_hugepages pool = {.size_bytes = 1 * GIB, .count = 4, .when = HUGEPAGES_BOOT, .node = 7};
	_cleanup_diags_ struct diags diags = {0};

	(void)state;
	host.nodes = list;
	host.nr_nodes = ARRAY_SIZE(list);
	host.hugepages = &pool;
	host.nr_hugepages = 1;
	_cleanup_work_ struct work *work = must_work(&host, &diags);
	const struct boot_work *boot = &work->boot;
	const struct work_term *late = find_term(&boot->terms, STAGE_MEMMAP_DEFERRED, UNIT_STRUCT_PAGES);

	assert_true(diags_mention(&diags, DIAG_NOTE, "memory of the nodes not stated"));
	check_u64(boot->struct_pages, 512 * GIB / 4096, "struct pages");
	check_u64(boot->memmap_bytes, 8 * GIB, "memmap");
	check_u64(boot->struct_pages_hugepages, 4 * 262144, "hugepages of node 7");
	assert_non_null(late);
	check_u64(late->units, boot->struct_pages_deferred, "of the one node");
	check_int(late->parallel, 64, "threads");
}

/* Deferred init visits free memory; boot-time gigantic pages are reserved. */
static void hugepages_are_not_deferred(void **state)
{
	struct host host = plain_host(X, "6.12.117");
	struct host_node list[] = {
		{.id = 0, .memory_bytes = 256 * GIB, .cpus = 32},
		{.id = 1, .memory_bytes = 256 * GIB, .cpus = 32}
        };
	struct host_hugepages pool = {
		.size_bytes = 1 * GIB, .count = 401, .when = HUGEPAGES_BOOT, .node = NODE_ANY};

	(void)state;
	host.nodes = list;
	host.nr_nodes = ARRAY_SIZE(list);
	host.hugepages = &pool;
	host.nr_hugepages = 1;
	_cleanup_work_ struct work *work = must_work(&host, NULL);
	const struct boot_work *boot = &work->boot;

	check_u64(boot->struct_pages_hugepages, 401ULL * 262144, "hugepages");
	check_u64(boot->struct_pages, 134217728, "all");
	check_u64(boot->struct_pages_early + boot->struct_pages_deferred, 111ULL * 262144, "the rest");

	/* Pre-HVO leaves 4095 of each page's 4096 memmap pages out of what is reserved. */
	host.hvo_enabled = true;
	host.kernel.release = (char *)"7.3.4";
	host.kernel.version = KVER(7, 3, 4);
	_cleanup_work_ struct work *pre = must_work(&host, NULL);

	check_u64(boot->struct_pages_early - pre->boot.struct_pages_early, 401ULL * 4095, "not reserved");
	pool.node = 1;
	pool.count = 255;
	_cleanup_work_ struct work *bound = must_work(&host, NULL);
	const struct work_term *late =
		find_term(&bound->boot.terms, STAGE_MEMMAP_DEFERRED, UNIT_STRUCT_PAGES);

	check_u64(late->units, 67108864 - 524288 - 32768 - 1048576, "node 0 has nothing reserved");
}

/* 63 of 64 GiB in hugepages: less is left than lies below the deferral point, and nothing is put off. */
static void hugepages_take_all(void **state)
{
	struct host host = plain_host(X, "6.12.117");
	struct host_hugepages pool = {
		.size_bytes = 1 * GIB, .count = 63, .when = HUGEPAGES_BOOT, .node = NODE_ANY};

	(void)state;
	host.memory_bytes = 64 * GIB;
	host.hugepages = &pool;
	host.nr_hugepages = 1;
	_cleanup_work_ struct work *work = must_work(&host, NULL);

	check_u64(work->boot.struct_pages_hugepages, 63 * 262144, "hugepages");
	check_u64(work->boot.struct_pages_early, 262144, "early");
	check_u64(work->boot.struct_pages_deferred, 0, "deferred");
	check_u64(work->boot.memmap_bytes, 1 * GIB, "memmap");
}

static void too_much_ram(void **state)
{
	struct host host = plain_host(X, "7.3.4");
	struct host_node list[] = {{.memory_bytes = UINT64_MAX}, {.memory_bytes = UINT64_MAX}};
	struct work *work = NULL;
	_cleanup_diags_ struct diags diags = {0};

	(void)state;
	host.memory_bytes = UINT64_MAX;
	check_int(work_new(&host, &diags, &work), -EOVERFLOW, "RAM");
	host.memory_bytes = 0;
	host.nodes = list;
	host.nr_nodes = ARRAY_SIZE(list);
	check_int(work_new(&host, &diags, &work), -EOVERFLOW, "nodes");
	check_int(diags.nr_errors, 2, "errors");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gigantic_pages_at_boot),
		cmocka_unit_test(gather_threads),
		cmocka_unit_test(small_pages_at_boot),
		cmocka_unit_test(pools_at_run_time),
		cmocka_unit_test(pools_refused),
		cmocka_unit_test(ram),
		cmocka_unit_test(nodes),
		cmocka_unit_test(nodes_without_memory),
		cmocka_unit_test(hugepages_are_not_deferred),
		cmocka_unit_test(hugepages_take_all),
		cmocka_unit_test(too_much_ram),
	};

	return cmocka_run_group_tests_name("geometry: boot", tests, NULL, NULL);
}
