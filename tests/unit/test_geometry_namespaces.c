// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Namespaces against figures from elsewhere: field reports (what ndctl, daxctl and dmesg printed), kprobe hit
 * counts on guests of 6.1, 6.12 and 7.3, and the worked example of a 100 GiB namespace.
 */
#include <errno.h>

#include "support/geometry.h"

#define X ARCH_X86_64
#define A ARCH_AARCH64

/* Raw sizes and what was left of them, as people reported it. */
static const struct {
	const char *source;
	uint64_t raw_bytes, align_bytes;
	enum namespace_map map;
	uint64_t usable_bytes, memmap_bytes;
} capacities[] = {
	{"pmem/ndctl#243",         256 * MIB,  2 * MIB, MAP_DEV, 262144000,                   4 * MIB    },
	{"ndctl-list(1)",          4 * GIB,    2 * MIB, MAP_DEV, 4225761280,                  64 * MIB   },
	{"pmem/ndctl#260",         126 * GIB,  2 * MIB, MAP_DEV, 133175443456,                2016 * MIB },
	{"pmem/ndctl#115",         4 * GIB,    2 * MIB, MAP_MEM, 4292870144,                  64 * MIB   },
	{"pmem/ndctl#28",          64 * MIB,   2 * MIB, MAP_MEM, 62 * MIB,                    1 * MIB    },
	{"linux-nvdimm, 5.10-rc3", 8 * GIB,    2 * MIB, MAP_DEV, 2063872ULL * 4096,           128 * MIB  },
	{"pmem-csi#933",           1500 * GIB, 2 * MIB, MAP_DEV, (1500 * 1024 - 24002) * MIB, 24000 * MIB},
	{"1 TiB at 1G",            1 * TIB,    1 * GIB, MAP_DEV, (1024 * 1024 - 17408) * MIB, 16 * GIB   },
	{"1 TiB at 2M",            1 * TIB,    2 * MIB, MAP_DEV, (1024 * 1024 - 16386) * MIB, 16 * GIB   },
};

static void capacities_in_the_field(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(capacities); i++) {
		struct host host = plain_host(X, "7.3.4");
		struct host_namespace ns = {.name = (char *)"pmem0",
					    .mode = NS_FSDAX,
					    .map = capacities[i].map,
					    .align_bytes = capacities[i].align_bytes,
					    .size_bytes = capacities[i].raw_bytes};
		const char *what = capacities[i].source;

		host.namespaces = &ns;
		host.nr_namespaces = 1;
		_cleanup_work_ struct work *work = must_work(&host, NULL);
		const struct device_work *dev = &work->devices[0];

		check_u64(dev->usable_bytes, capacities[i].usable_bytes, "%s: usable", what);
		check_u64(dev->struct_pages_logged,
			  (capacities[i].map == MAP_DEV ? dev->usable_bytes : capacities[i].raw_bytes) / 4096,
			  "%s: logged", what);
		/* A piece of a section takes its vmemmap from RAM on x86 whatever the map. */
		check_u64(dev->memmap_ram_bytes + dev->memmap_device_bytes, capacities[i].memmap_bytes,
			  "%s: memmap", what);
	}
}

/* Counts of struct pages; kprobe hits on the 4 GiB ones. */
static const struct {
	const char *what;
	enum arch_id arch;
	const char *release;
	enum namespace_mode mode;
	enum namespace_map map;
	uint64_t align_bytes, raw_bytes;
	uint64_t offset_bytes, usable_bytes;
	uint64_t logged, initialized, altmap;
	uint64_t ram_bytes, table_pages, ptes;
} counts[] = {
	{"4G fsdax mem",              X, "6.1.192",  NS_FSDAX,  MAP_MEM, 2 * MIB, 4 * GIB,   2 * MIB,    4094 * MIB,   1048576,
	 1048576,															  0,      64 * MIB,       0,   0     },
	{"4G fsdax dev",              X, "6.12.117", NS_FSDAX,  MAP_DEV, 2 * MIB, 4 * GIB,   66 * MIB,   4030 * MIB,   1031680,
	 1031680,															  16894,  0,              0,   0     },
	{"4G fsdax dev, arm64",       A, "6.12.117", NS_FSDAX,  MAP_DEV, 2 * MIB, 4 * GIB,   66 * MIB,   4030 * MIB,
	 1031680,														1031680,  16894,  0,              0,   0     },
	{"4G devdax mem 4K",          X, "7.3.4",    NS_DEVDAX, MAP_MEM, 4 * KIB, 4 * GIB,   2 * MIB,    4094 * MIB,   1048576,
	 1048576,															  0,      64 * MIB,       0,   0     },
	{"4G devdax mem 2M",          X, "6.1.192",  NS_DEVDAX, MAP_MEM, 2 * MIB, 4 * GIB,   2 * MIB,    4094 * MIB,   1048576,
	 262144,															   0,      4096 * 4 * KIB, 32,  16384 },
	{"4G devdax mem 2M",          X, "7.3.4",    NS_DEVDAX, MAP_MEM, 2 * MIB, 4 * GIB,   2 * MIB,    4094 * MIB,   1048576,
	 262144,															   0,      4096 * 4 * KIB, 32,  16384 },
	{"4G devdax mem 2M, arm64",   A, "7.3.4",    NS_DEVDAX, MAP_MEM, 2 * MIB, 4 * GIB,   2 * MIB,    4094 * MIB,
	 1048576,														1048576,  0,      64 * MIB,       0,   0     },
	{"4G devdax mem 1G",          X, "7.3.4",    NS_DEVDAX, MAP_MEM, 1 * GIB, 4 * GIB,   1 * GIB,    3 * GIB,      1048576,  512,
	 0,																	8 * 4 * KIB,    32,  16384 },
	{"4G devdax dev 4K",          X, "7.3.4",    NS_DEVDAX, MAP_DEV, 4 * KIB, 4 * GIB,   66 * MIB,   4030 * MIB,   1031680,
	 1031680,															  16894,  0,              0,   0     },
	{"4G devdax dev 2M",          X, "7.3.4",    NS_DEVDAX, MAP_DEV, 2 * MIB, 4 * GIB,   66 * MIB,   4030 * MIB,   1031680,
	 1031680,															  16894,  0,              0,   0     },
	{"4G devdax dev 1G",          X, "6.1.192",  NS_DEVDAX, MAP_DEV, 1 * GIB, 4 * GIB,   1 * GIB,    3 * GIB,      786432,
	 786432,															   262142, 0,              0,   0     },
	{"100G fsdax mem",            X, "7.3.4",    NS_FSDAX,  MAP_MEM, 2 * MIB, 100 * GIB, 2 * MIB,    102398 * MIB, 26214400,
	 26214400,															 0,      1600 * MIB,     0,   0     },
	{"100G fsdax mem, arm64",     A, "7.3.4",    NS_FSDAX,  MAP_MEM, 2 * MIB, 100 * GIB, 2 * MIB,    102398 * MIB,
	 26214400,													       26214400, 0,      1600 * MIB,     0,   0     },
	{"100G fsdax dev 2M",         X, "7.3.4",    NS_FSDAX,  MAP_DEV, 2 * MIB, 100 * GIB, 1679818752, 105694363648,
	 25804288,													       25804288, 410110, 0,              0,   0     },
	{"100G fsdax dev 2M, arm64",  A, "7.3.4",    NS_FSDAX,  MAP_DEV, 2 * MIB, 100 * GIB, 1679818752,
	 105694363648,												 25804288, 25804288, 410110, 0,              0,   0     },
	{"100G devdax mem 4K",        X, "7.3.4",    NS_DEVDAX, MAP_MEM, 4 * KIB, 100 * GIB, 2 * MIB,    102398 * MIB,
	 26214400,													       26214400, 0,      1600 * MIB,     0,   0     },
	{"100G devdax mem 2M",        X, "7.3.4",    NS_DEVDAX, MAP_MEM, 2 * MIB, 100 * GIB, 2 * MIB,    107372085248,
	 26214400,													       6553600,  0,      400 * MIB,      800, 409600},
	{"100G devdax mem 2M, arm64", A, "7.3.4",    NS_DEVDAX, MAP_MEM, 2 * MIB, 100 * GIB, 2 * MIB,
	 107372085248,												 26214400, 26214400, 0,      1600 * MIB,     0,   0     },
	{"100G devdax mem 1G",        X, "7.3.4",    NS_DEVDAX, MAP_MEM, 1 * GIB, 100 * GIB, 1 * GIB,    99 * GIB,
	 26214400,													       12800,    0,      200 * 4 * KIB,  800, 409600},
	{"100G devdax dev 2M",        X, "7.3.4",    NS_DEVDAX, MAP_DEV, 2 * MIB, 100 * GIB, 1602 * MIB, 100798 * MIB,
	 25804288,													       25804288, 410110, 0,              0,   0     },
	{"100G devdax dev 1G",        X, "7.3.4",    NS_DEVDAX, MAP_DEV, 1 * GIB, 100 * GIB, 2 * GIB,    98 * GIB,
	 25690112,													       25690112, 524286, 0,              0,   0     },
};

static void struct_page_counts(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		struct host host = plain_host(counts[i].arch, counts[i].release);
		struct host_namespace ns = {.name = (char *)"ns",
					    .mode = counts[i].mode,
					    .map = counts[i].map,
					    .align_bytes = counts[i].align_bytes,
					    .size_bytes = counts[i].raw_bytes};
		const char *what = counts[i].what;

		host.namespaces = &ns;
		host.nr_namespaces = 1;
		_cleanup_work_ struct work *work = must_work(&host, NULL);
		const struct device_work *dev = &work->devices[0];
		const struct work_terms *t = &dev->terms;
		uint64_t pages = counts[i].raw_bytes / 4096;
		bool compound = counts[i].mode == NS_DEVDAX && counts[i].align_bytes > 4096;

		check_u64(dev->data_offset_bytes, counts[i].offset_bytes, "%s: offset", what);
		check_u64(dev->usable_bytes, counts[i].usable_bytes, "%s: usable", what);
		check_u64(dev->struct_pages, pages, "%s: struct pages", what);
		check_u64(dev->struct_pages_logged, counts[i].logged, "%s: logged", what);
		check_u64(dev->struct_pages_initialized, counts[i].initialized, "%s: initialised", what);
		check_u64(dev->struct_pages_altmap, counts[i].altmap, "%s: altmap", what);
		check_u64(dev->memmap_ram_bytes, counts[i].ram_bytes, "%s: RAM", what);
		check_u64(dev->memmap_device_bytes, counts[i].map == MAP_DEV ? pages * 64 : 0, "%s: device",
			  what);
		check_u64(dev->page_table_bytes, counts[i].table_pages * 4096, "%s: tables", what);
		check_u64(dev->memmap_saved_bytes, counts[i].ptes ? pages * 64 - counts[i].ram_bytes : 0,
			  "%s: saved", what);
		check_u64(dev->sections, counts[i].raw_bytes / (128 * MIB), "%s: sections", what);
		check_u64(term_units(t, STAGE_ADD_MEMORY, UNIT_VMEMMAP_PTES), counts[i].ptes, "%s: PTEs",
			  what);
		check_u64(term_units(t, STAGE_ADD_MEMORY, UNIT_VMEMMAP_PMDS),
			  counts[i].ptes ? 0 : counts[i].raw_bytes / (128 * MIB), "%s: PMDs", what);
		check_u64(term_units(t, STAGE_ADD_MEMORY, UNIT_ZEROED_BYTES), counts[i].ram_bytes,
			  "%s: zeroed", what);
		check_u64(term_units(t, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES), counts[i].initialized,
			  "%s: term", what);
		check_int(find_term(t, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES)->kind,
			  compound ? KIND_ZD_COMPOUND : KIND_ZD_BASE, "%s: kind", what);
		/* One block fewer with an altmap: its first is behind the reserve. */
		check_u64(term_units(t, STAGE_MEMMAP_INIT, UNIT_PAGEBLOCKS) +
				  term_units(t, STAGE_MOVE_ZONE, UNIT_PAGEBLOCKS),
			  pages / 512 - (counts[i].map == MAP_DEV), "%s: pageblocks", what);
		check_u64(term_units(t, STAGE_ADD_MEMORY, UNIT_DIRECT_MAP_PTES),
			  counts[i].arch == A ? pages : 0, "%s: direct map", what);
		check_u64(dev->direct_map_table_bytes, counts[i].arch == A ? pages / 512 * 4096 : 0,
			  "%s: direct map tables", what);
		check_u64(term_units(t, STAGE_DRIVER, UNIT_GRACE_PERIODS), 1, "%s: bind", what);
		check_u64(term_units(t, STAGE_REMOVE_MEMORY, UNIT_GRACE_PERIODS), 3, "%s: unbind", what);
		check_u64(term_units(t, STAGE_DRIVER, UNIT_ONCE), 1, "%s: driver", what);
		check_u64(term_units(t, STAGE_FIRST_TOUCH, UNIT_TOUCHED_PAGES),
			  (dev->memmap_ram_bytes + dev->memmap_device_bytes) / 4096, "%s: touched", what);
	}
}

/* 4 GiB that start 16 MiB into a section: 545 calls of vmemmap_alloc_block, 514 of them from RAM with an altmap. */
static void partial_sections(void **state)
{
	static const struct {
		const char *what;
		enum arch_id arch;
		enum namespace_map map;
		uint64_t ram_allocations; /* base pages and tables */
		uint64_t ram_bytes, device_bytes;
	} rows[] = {
		{"x86, RAM",      X, MAP_MEM, 514, 31 * 2 * MIB + 512 * 4096, 0                        },
		{"x86, altmap",   X, MAP_DEV, 514, 512 * 4096,                31 * 2 * MIB             },
		{"arm64, altmap", A, MAP_DEV, 2,   0,                         31 * 2 * MIB + 512 * 4096},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host host = plain_host(rows[i].arch, "7.3.4");
		struct host_namespace ns = {.name = (char *)"ns",
					    .mode = NS_FSDAX,
					    .map = rows[i].map,
					    .align_bytes = 2 * MIB,
					    .size_bytes = 4 * GIB,
					    .has_start = true,
					    .start_bytes = 600 * GIB + 16 * MIB};

		host.namespaces = &ns;
		host.nr_namespaces = 1;
		_cleanup_work_ struct work *work = must_work(&host, NULL);
		const struct device_work *dev = &work->devices[0];
		const struct work_terms *t = &dev->terms;

		check_u64(term_units(t, STAGE_ADD_MEMORY, UNIT_VMEMMAP_PMDS), 31, "%s: PMDs", rows[i].what);
		check_u64(term_units(t, STAGE_ADD_MEMORY, UNIT_VMEMMAP_PTES), 512, "%s: PTEs", rows[i].what);
		check_u64(term_units(t, STAGE_ADD_MEMORY, UNIT_VMEMMAP_PAGES), rows[i].ram_allocations,
			  "%s: pages", rows[i].what);
		check_u64(dev->page_table_bytes, 2 * 4096, "%s: tables", rows[i].what);
		check_u64(dev->memmap_ram_bytes, rows[i].ram_bytes, "%s: RAM", rows[i].what);
		check_u64(dev->memmap_device_bytes, rows[i].device_bytes, "%s: device", rows[i].what);
		check_u64(dev->sections, 33, "%s: sections", rows[i].what);
	}
}

/* A 1G devdax 16 MiB off: 512 struct pages initialised, but only two pages of vmemmap for all four heads. */
static void misaligned_1g(void **state)
{
	struct host host = plain_host(X, "7.3.4");
	struct host_namespace ns = {
		.name = (char *)"dax0.0",
		.place = {14, 5},
		.mode = NS_DEVDAX,
		.map = MAP_MEM,
		.align_bytes = 1 * GIB,
		.size_bytes = 4 * GIB,
		.has_start = true,
		.start_bytes = 4 * GIB + 16 * MIB
        };
	_cleanup_diags_ struct diags diags = {0};

	(void)state;
	host.memory_bytes = 3 * GIB;
	host.namespaces = &ns;
	host.nr_namespaces = 1;
	_cleanup_work_ struct work *work = must_work(&host, &diags);
	const struct device_work *dev = &work->devices[0];

	check_u64(dev->range_bytes, 4080 * MIB, "M");
	check_u64(dev->struct_pages_initialized, 512, "initialised");
	check_u64(dev->memmap_ram_bytes, 2 * 4096, "vmemmap pages");
	check_u64(term_units(&dev->terms, STAGE_ADD_MEMORY, UNIT_VMEMMAP_PTES), 16320, "PTEs");
	assert_true(diags_mention(&diags, DIAG_WARNING, "start 4112MiB is not aligned to 1GiB"));
	check_int(diags.nr_errors, 0, "errors");

	/* The same with map=dev is fine: its heads start with the data. */
	_cleanup_diags_ struct diags none = {0};

	ns.map = MAP_DEV;
	_cleanup_work_ struct work *dev_work = must_work(&host, &none);

	check_u64(none.nr, 0, "warnings with map=dev");
	check_u64(dev_work->devices[0].struct_pages_initialized, dev_work->devices[0].usable_bytes / 4096,
		  "map=dev");
	ns.map = MAP_MEM;
	ns.start_bytes = 5 * GIB;
	_cleanup_work_ struct work *aligned = must_work(&host, &none);

	check_u64(none.nr, 0, "warnings when aligned");
	check_u64(aligned->devices[0].memmap_ram_bytes, 8 * 4096, "two pages a compound");
}

/* memmap=1008M!4112M: the first section is shared with RAM, its 56 compounds are initialised in full. */
static void early_section(void **state)
{
	static const struct {
		const char *release;
		uint64_t initialized;
	} rows[] = {
		{"6.1.192",  86016},
                {"6.12.117", 86016},
                {"7.3.4",    86016},
                {"6.1.183",  64512},
		{"6.1.184",  86016},
                {"6.12.96",  64512},
                {"6.12.97",  86016},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host host = plain_host(X, rows[i].release);
		struct host_namespace ns = {.name = (char *)"ns",
					    .mode = NS_DEVDAX,
					    .map = MAP_MEM,
					    .align_bytes = 2 * MIB,
					    .size_bytes = 1008 * MIB,
					    .has_start = true,
					    .start_bytes = 4112 * MIB};

		host.memory_bytes = 6 * GIB;
		host.namespaces = &ns;
		host.nr_namespaces = 1;
		_cleanup_work_ struct work *work = must_work(&host, NULL);
		const struct device_work *dev = &work->devices[0];

		check_u64(dev->struct_pages_initialized, rows[i].initialized, "%s", rows[i].release);
		check_u64(dev->struct_pages_logged, 258048, "%s: logged", rows[i].release);
		/* The early piece's vmemmap is there already: 7 sections of 64 compounds with 2 pages each. */
		check_u64(dev->memmap_ram_bytes, 448 * 2 * 4096, "%s: RAM", rows[i].release);
		check_u64(dev->page_table_bytes, 7 * 4096, "%s: tables", rows[i].release);

		/* Beyond the end of RAM nothing is shared. */
		host.memory_bytes = 3 * GIB;
		_cleanup_work_ struct work *beyond = must_work(&host, NULL);

		check_u64(beyond->devices[0].struct_pages_initialized, 504 * 128, "%s: beyond",
			  rows[i].release);
	}
}

static void without_struct_pages(void **state)
{
	static const enum namespace_mode modes[] = {NS_RAW, NS_SECTOR};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		struct host host = plain_host(X, "7.3.4");
		struct host_namespace ns = {.name = (char *)"ns",
					    .mode = modes[i],
					    .align_bytes = 2 * MIB,
					    .size_bytes = 100 * GIB};

		host.namespaces = &ns;
		host.nr_namespaces = 1;
		_cleanup_work_ struct work *work = must_work(&host, NULL);

		check_u64(work->devices[0].struct_pages, 0, "struct pages");
		check_u64(work->devices[0].memmap_ram_bytes + work->devices[0].memmap_device_bytes, 0,
			  "memmap");
		check_u64(work->devices[0].terms.nr, 1, "only the driver");
	}
}

/* arm64's larger pages: base-page vmemmap, larger sections and pageblocks, one info block page. */
static void large_pages(void **state)
{
	static const struct {
		uint64_t page, align, offset, memmap, sections, pageblocks;
	} rows[] = {
  /* off = ALIGN(8K + 64 * (100G - 8K)/P, align) */
		{16 * KIB, 32 * MIB,  416 * MIB, 400 * MIB, 800, 3200},
		{64 * KIB, 512 * MIB, 512 * MIB, 100 * MIB, 200, 200 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host host = plain_host(A, "7.3.4");
		struct host_namespace ns = {.name = (char *)"ns",
					    .mode = NS_DEVDAX,
					    .map = MAP_DEV,
					    .align_bytes = rows[i].align,
					    .size_bytes = 100 * GIB};

		host.page_size_bytes = rows[i].page;
		host.namespaces = &ns;
		host.nr_namespaces = 1;
		_cleanup_work_ struct work *work = must_work(&host, NULL);
		const struct device_work *dev = &work->devices[0];
		int kib = (int)(rows[i].page / KIB);

		check_u64(dev->data_offset_bytes, rows[i].offset, "%dK: offset", kib);
		check_u64(dev->memmap_device_bytes, rows[i].memmap, "%dK: memmap", kib);
		check_u64(dev->memmap_ram_bytes, 0, "%dK: RAM", kib);
		check_u64(dev->sections, rows[i].sections, "%dK: sections", kib);
		check_u64(dev->struct_pages_initialized, dev->usable_bytes / rows[i].page, "%dK: all", kib);
		check_u64(term_units(&dev->terms, STAGE_ADD_MEMORY, UNIT_VMEMMAP_PMDS), 0, "%dK: PMDs", kib);
		check_u64(term_units(&dev->terms, STAGE_ADD_MEMORY, UNIT_VMEMMAP_PTES),
			  rows[i].memmap / rows[i].page, "%dK: PTEs", kib);
		check_u64(term_units(&dev->terms, STAGE_MEMMAP_INIT, UNIT_PAGEBLOCKS) +
				  term_units(&dev->terms, STAGE_MOVE_ZONE, UNIT_PAGEBLOCKS),
			  rows[i].pageblocks - 1, "%dK: pageblocks", kib);
	}
}

static void refused(void **state)
{
	static const struct {
		const char *what;
		struct host_namespace ns;
		uint64_t struct_page_bytes;
		int err;
		const char *message;
	} rows[] = {
		{"no room beside the memmap",
		 {.mode = NS_FSDAX, .map = MAP_DEV, .align_bytes = 1 * GIB, .size_bytes = 1 * GIB},
		 64, -EINVAL,
		 "ns: 1GiB holds no data at align 1GiB beside its memmap"             },
		{"smaller than the info block",
		 {.mode = NS_FSDAX, .map = MAP_MEM, .align_bytes = 4 * KIB, .size_bytes = 8 * KIB},
		 64, -EINVAL,
		 "holds no data"						      },
		{"a stated size that is wrong",
		 {.mode = NS_FSDAX,
		  .map = MAP_DEV,
		  .align_bytes = 2 * MIB,
		  .size_bytes = 256 * MIB,
		  .has_usable = true,
		  .usable_bytes = 252 * MIB},
		 64, -EINVAL,
		 "ns: usable is stated as 252MiB, but 250MiB are left to use"         },
		{"2^64 - 1 bytes",
		 {.mode = NS_FSDAX, .map = MAP_DEV, .align_bytes = 2 * MIB, .size_bytes = UINT64_MAX},
		 64, -EOVERFLOW,
		 "ends above 2^52 bytes"					      },
		{"an end that wraps",
		 {.mode = NS_DEVDAX,
		  .map = MAP_MEM,
		  .align_bytes = 2 * MIB,
		  .size_bytes = 4 * GIB,
		  .has_start = true,
		  .start_bytes = UINT64_MAX - 2 * MIB + 1},
		 64, -EOVERFLOW,
		 "ends above 2^52 bytes"					      },
		{"raw, too large",
		 {.mode = NS_RAW, .align_bytes = 2 * MIB, .size_bytes = UINT64_MAX},
		 64, -EOVERFLOW,
		 "ends above 2^52 bytes"					      },
		{"no align",
		 {.mode = NS_FSDAX, .size_bytes = 1 * GIB},
		 64, -EINVAL,
		 "align 0 is not a power of two from a page to 2^52"                  },
		{"align of 2^63",
		 {.mode = NS_FSDAX, .align_bytes = 1ULL << 63, .size_bytes = 1 * GIB},
		 64, -EINVAL,
		 "align 9223372036854775808 is not a power of two from a page to 2^52"},
		{"align below a page",
		 {.mode = NS_DEVDAX, .align_bytes = 2 * KIB, .size_bytes = 1 * GIB},
		 64, -EINVAL,
		 "align 2048 is not"						  },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host host = plain_host(X, "7.3.4");
		struct host_namespace ns = rows[i].ns;
		struct work *work = NULL;
		_cleanup_diags_ struct diags diags = {0};

		ns.name = (char *)"ns";
		host.struct_page_bytes = rows[i].struct_page_bytes;
		host.namespaces = &ns;
		host.nr_namespaces = 1;
		check_int(work_new(&host, &diags, &work), rows[i].err, "%s", rows[i].what);
		assert_null(work);
		check_int(diags.nr_errors, 1, "%s: errors", rows[i].what);
		if (!diags_mention(&diags, DIAG_ERROR, rows[i].message))
			check_str(diags.items[0].text, rows[i].message, "%s", rows[i].what);
	}
}

static void stated_usable_is_right(void **state)
{
	struct host host = plain_host(X, "7.3.4");
	struct host_namespace ns = {.name = (char *)"ns",
				    .mode = NS_FSDAX,
				    .map = MAP_DEV,
				    .align_bytes = 2 * MIB,
				    .size_bytes = 256 * MIB,
				    .has_usable = true,
				    .usable_bytes = 250 * MIB};

	(void)state;
	host.namespaces = &ns;
	host.nr_namespaces = 1;
	_cleanup_work_ struct work *work = must_work(&host, NULL);

	check_u64(work->devices[0].usable_bytes, 250 * MIB, "usable");
}

/* Where geometry objects it points at the value, as the loader does. */
static void places(void **state)
{
	static const char text[] =
		"memmapctl: 1\n"
		"host: {name: h, arch: x86_64, memory: 64GiB, cpus: 8, kernel: {release: 7.3.4}}\n"
		"namespaces:\n"
		"  - {name: dax0.0, mode: devdax, map: mem, align: 1GiB, size: 4GiB,\n"
		"     start: 69273124864}\n"
		"  - name: pmem0\n"
		"    mode: fsdax\n"
		"    size: 256MiB\n"
		"    usable: 252MiB\n";
	_cleanup_host_ struct host *host = NULL;
	_cleanup_diags_ struct diags diags = {0};
	struct work *work = NULL;

	(void)state;
	assert_int_equal(host_load_text(text, strlen(text), "h.yaml", &diags, &host), 0);
	check_u64(diags.nr, 0, "the loader's");
	check_int(work_new(host, &diags, &work), -EINVAL, "usable");
	check_u64(diags.nr, 2, "geometry's");
	check_int(diags.items[0].level, DIAG_WARNING, "the trap");
	check_str(diags.items[0].file, "h.yaml", "file");
	check_int(diags.items[0].line, 5, "line of start");
	check_int(diags.items[0].col, 13, "column of start");
	check_int(diags.items[1].level, DIAG_ERROR, "a mistake");
	check_int(diags.items[1].line, 9, "line of usable");
	check_int(diags.items[1].col, 13, "column of usable");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(capacities_in_the_field),
		cmocka_unit_test(struct_page_counts),
		cmocka_unit_test(partial_sections),
		cmocka_unit_test(misaligned_1g),
		cmocka_unit_test(early_section),
		cmocka_unit_test(without_struct_pages),
		cmocka_unit_test(large_pages),
		cmocka_unit_test(refused),
		cmocka_unit_test(stated_usable_is_right),
		cmocka_unit_test(places),
	};

	return cmocka_run_group_tests_name("geometry: namespaces", tests, NULL, NULL);
}
