// SPDX-License-Identifier: GPL-2.0-or-later
/* GPUs, coherent memory, BARs and hot-added system RAM, against what drivers and guests reported. */
#include <errno.h>

#include "support/geometry.h"

#define X ARCH_X86_64
#define A ARCH_AARCH64

static const struct {
	const char *what;
	enum arch_id arch;
	enum device_type type;
	uint64_t size_bytes;
	uint64_t struct_pages, memmap_bytes, sections;
	uint64_t direct_map_ptes;
} ranges[] = {
	{"192 GiB of VRAM",                      X, DEV_PRIVATE,  192 * GIB,   50331648, 3 * GIB,             1536, 0       },
	{"MI100: 32752 MiB of HMM memory",       X, DEV_PRIVATE,  32752 * MIB, 8388608,  512 * MIB,           256,  0       },
	{"nouveau, 8192 MiB",                    X, DEV_PRIVATE,  8192 * MIB,  2097152,  128 * MIB,           64,   0       },
	{"amdgpu APU, 2 GiB",                    X, DEV_PRIVATE,  2 * GIB,     524288,   32 * MIB,            16,   0       },
	{"amdgpu APU, 512 MiB",                  X, DEV_PRIVATE,  512 * MIB,   131072,   8 * MIB,             4,    0       },
	{"nouveau's chunk before 7.3: 2 MiB",    X, DEV_PRIVATE,  2 * MIB,     32768,    2 * MIB,             1,    0       },
	{"private memory has no direct map",     A, DEV_PRIVATE,  64 * GIB,    16777216, 1 * GIB,             512,  0       },
	{"coherent memory has one",              A, DEV_COHERENT, 64 * GIB,    16777216, 1 * GIB,             512,  16777216},
	{"x86 maps it by large leaves",          X, DEV_COHERENT, 64 * GIB,    16777216, 1 * GIB,             512,  0       },
	{"coherent memory ends on a subsection", X, DEV_COHERENT, 1 * GIB + 1, 262656,   16 * MIB + 32 * KIB, 9,
	 0														  },
	{"Kata's NVDIMM as a BAR, 128 MiB",      X, DEV_P2PDMA,   128 * MIB,   32768,    2 * MIB,             1,    0       },
};

static void device_ranges(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++) {
		struct host host = plain_host(ranges[i].arch, "7.3.4");
		struct host_device dev = {.name = (char *)"gpu",
					  .type = ranges[i].type,
					  .size_bytes = ranges[i].size_bytes,
					  .count = 8};
		const char *what = ranges[i].what;

		host.devices = &dev;
		host.nr_devices = 1;
		_cleanup_work_ struct work *work = must_work(&host, NULL);
		const struct device_work *got = &work->devices[0];

		check_u64(got->count, 8, "%s: count", what);
		check_u64(got->struct_pages, ranges[i].struct_pages, "%s: struct pages", what);
		check_u64(got->struct_pages_initialized, ranges[i].struct_pages, "%s: initialised", what);
		check_u64(got->struct_pages_logged, ranges[i].struct_pages, "%s: logged", what);
		check_u64(got->memmap_ram_bytes, ranges[i].memmap_bytes, "%s: memmap", what);
		check_u64(got->sections, ranges[i].sections, "%s: sections", what);
		check_u64(term_units(&got->terms, STAGE_ADD_MEMORY, UNIT_DIRECT_MAP_PTES),
			  ranges[i].direct_map_ptes, "%s: direct map", what);
		check_u64(term_units(&got->terms, STAGE_REMOVE_MEMORY, UNIT_DIRECT_MAP_PTES),
			  ranges[i].direct_map_ptes, "%s: direct map, removed", what);
		check_int(find_term(&got->terms, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES)->kind, KIND_ZD_BASE,
			  "%s: kind", what);
		check_u64(term_units(&got->terms, STAGE_MOVE_ZONE, UNIT_STRUCT_PAGES), 0, "%s: altmap", what);
	}
}

/* 64K pages: a table of base-page entries covers 512 MiB, and a range that starts 256 MiB off touches one more. */
static void direct_map_tables(void **state)
{
	static const struct {
		uint64_t start_bytes, size_bytes, tables;
	} rows[] = {
		{600 * GIB,             1 * GIB,   2},
		{600 * GIB + 256 * MIB, 1 * GIB,   3},
		{600 * GIB + 510 * MIB, 4 * MIB,   2},
		{600 * GIB,             514 * MIB, 2},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host host = plain_host(A, "7.3.4");
		struct host_device dev = {.name = (char *)"gpu",
					  .type = DEV_COHERENT,
					  .size_bytes = rows[i].size_bytes,
					  .has_start = true,
					  .start_bytes = rows[i].start_bytes,
					  .count = 1};

		host.page_size_bytes = 64 * KIB;
		host.devices = &dev;
		host.nr_devices = 1;
		_cleanup_work_ struct work *work = must_work(&host, NULL);

		check_u64(work->devices[0].direct_map_table_bytes, rows[i].tables * 64 * KIB, "row %zu", i);
	}
}

static void eight_gpus_cost_24_gib(void **state)
{
	struct host host = plain_host(X, "7.3.4");
	struct host_device dev = {
		.name = (char *)"gpu", .type = DEV_PRIVATE, .size_bytes = 192 * GIB, .count = 8};

	(void)state;
	host.kernel.init_on_alloc = false;
	host.devices = &dev;
	host.nr_devices = 1;
	_cleanup_work_ struct work *work = must_work(&host, NULL);

	check_u64(work->devices[0].count * work->devices[0].memmap_ram_bytes, 24 * GIB, "DRAM");
	check_u64(term_units(&work->devices[0].terms, STAGE_ADD_MEMORY, UNIT_ZEROED_BYTES), 0,
		  "nothing is zeroed without init_on_alloc");
}

static const struct {
	const char *what;
	enum arch_id arch;
	const char *release;
	uint64_t page_bytes, memory_bytes, size_bytes, block_bytes, start_bytes;
	bool memmap_on_memory;
	uint64_t blocks, onlined_bytes, ram_bytes, device_bytes;
} onlined[] = {
  /* An 8 GiB devdax less its info block: 63 blocks in a guest. */
	{"8190 MiB",                 X, "7.3.4",   4 * KIB,  6 * GIB,        8190 * MIB, 0,         0,                  false, 63,   8064 * MIB, 126 * MIB,  0},
	{"the same, with its start", X, "7.3.4",   4 * KIB,  6 * GIB,        8190 * MIB, 0,         16 * GIB + 2 * MIB, false,
	 63,															 8064 * MIB, 126 * MIB,  0},
 /* A large machine has blocks of 2 GiB. */
	{"CXL",		      X, "7.3.4",   4 * KIB,  64 * GIB,       256 * GIB,  0,         0,                  false, 128,  256 * GIB,  4 * GIB,    0},
	{"CXL, small host",          X, "7.3.4",   4 * KIB,  64 * GIB - MIB, 256 * GIB,  0,         0,                  false, 2048, 256 * GIB,
	 4 * GIB,																	    0},
	{"CXL, blocks stated",       X, "7.3.4",   4 * KIB,  512 * GIB,      255 * GIB,  256 * MIB, 0,                  false, 1020,
	 255 * GIB,															      4080 * MIB, 0},
	{"memmap on memory",         X, "7.3.4",   4 * KIB,  512 * GIB,      256 * GIB,  0,         0,                  true,  128,  252 * GIB,  0,
	 4 * GIB																	      },
	{"not yet in 6.1",           X, "6.1.192", 4 * KIB,  512 * GIB,      256 * GIB,  0,         0,                  true,  128,  256 * GIB,  4 * GIB,
	 0																		    },
	{"arm64",		    A, "7.3.4",   4 * KIB,  512 * GIB,      16 * GIB,   0,         0,                  false, 128,  16 * GIB,   256 * MIB,  0},
	{"arm64, 64K",               A, "7.3.4",   64 * KIB, 512 * GIB,      16 * GIB,   0,         0,                  false, 32,   16 * GIB,   16 * MIB,   0},
	{"arm64, 16K: no whole PMD", A, "7.3.4",   16 * KIB, 512 * GIB,      16 * GIB,   0,         0,                  true,  128,  16 * GIB,
	 64 * MIB,																	   0},
};

static void system_ram(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(onlined); i++) {
		struct host host = plain_host(onlined[i].arch, onlined[i].release);
		struct host_device dev = {.name = (char *)"cxl",
					  .type = DEV_SYSTEM_RAM,
					  .size_bytes = onlined[i].size_bytes,
					  .count = 1,
					  .memmap_on_memory = onlined[i].memmap_on_memory,
					  .block_bytes = onlined[i].block_bytes,
					  .has_start = onlined[i].start_bytes > 0,
					  .start_bytes = onlined[i].start_bytes};
		const char *what = onlined[i].what;
		uint64_t page = onlined[i].page_bytes, blocks = onlined[i].blocks, pages;
		_cleanup_diags_ struct diags diags = {0};

		host.page_size_bytes = page;
		host.memory_bytes = onlined[i].memory_bytes;
		host.devices = &dev;
		host.nr_devices = 1;
		_cleanup_work_ struct work *work = must_work(&host, &diags);
		const struct device_work *got = &work->devices[0];
		const struct work_terms *t = &got->terms;

		pages = (onlined[i].onlined_bytes + onlined[i].device_bytes) / page;
		check_u64(got->memory_blocks, blocks, "%s: blocks", what);
		check_u64(got->usable_bytes, onlined[i].onlined_bytes, "%s: onlined", what);
		check_u64(got->memmap_ram_bytes, onlined[i].ram_bytes, "%s: RAM", what);
		check_u64(got->memmap_device_bytes, onlined[i].device_bytes, "%s: on memory", what);
		check_u64(got->struct_pages_initialized, pages, "%s: struct pages", what);
		check_u64(term_units(t, STAGE_ONLINE_PAGES, UNIT_MEMORY_BLOCKS), blocks, "%s: onlines", what);
		check_u64(term_units(t, STAGE_ONLINE_PAGES, UNIT_STRUCT_PAGES), pages, "%s: term", what);
		check_u64(term_units(t, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES), 0, "%s: not when bound", what);
		check_u64(term_units(t, STAGE_ADD_MEMORY, UNIT_MEMORY_BLOCKS), blocks, "%s: devices", what);
		/* 1 + 2 + ... + n blocks looked through. */
		uint64_t scanned = 0;

		for (uint64_t n = 1; n <= blocks; n++)
			scanned += n * (got->range_bytes / blocks / work->rules.pmd_bytes);
		check_u64(term_units(t, STAGE_ONLINE_PAGES, UNIT_PAGEBLOCKS), scanned, "%s: rescans", what);
		assert_int_equal(diags_mention(&diags, DIAG_WARNING, "memmap_on_memory has no effect"),
				 onlined[i].memmap_on_memory && !onlined[i].device_bytes);
	}
}

static void refused(void **state)
{
	static const struct {
		const char *what;
		struct host_device dev;
		int err;
		const char *message;
	} rows[] = {
		{"nothing",           {.type = DEV_PRIVATE},                                 -EINVAL,    "dev: size is 0"},
		{"less than a block",
		 {.type = DEV_SYSTEM_RAM, .size_bytes = 1 * GIB, .block_bytes = 2 * GIB},
		 -EINVAL,
		 "dev: holds no whole memory block of 2GiB"							      },
		{"an odd block",
		 {.type = DEV_SYSTEM_RAM, .size_bytes = 1 * GIB, .block_bytes = 384 * MIB},
		 -EINVAL,
		 "dev: no memory block is of 384MiB"								     },
		{"a block of 2^63",
		 {.type = DEV_SYSTEM_RAM, .size_bytes = 1 * GIB, .block_bytes = 1ULL << 63},
		 -EINVAL,
		 "dev: no memory block is of"									    },
		{"2^64 - 1 bytes",    {.type = DEV_PRIVATE, .size_bytes = UINT64_MAX},       -EOVERFLOW, "2^52 bytes"    },
		{"2^52 bytes",        {.type = DEV_PRIVATE, .size_bytes = 1ULL << 52},       -EOVERFLOW, "2^52 bytes"    },
		{"an end that wraps",
		 {.type = DEV_SYSTEM_RAM,
		  .size_bytes = 8 * GIB,
		  .has_start = true,
		  .start_bytes = UINT64_MAX - GIB + 1},
		 -EOVERFLOW,
		 "2^52 bytes"											    },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host host = plain_host(X, "7.3.4");
		struct host_device dev = rows[i].dev;
		struct work *work = NULL;
		_cleanup_diags_ struct diags diags = {0};

		dev.name = (char *)"dev";
		host.devices = &dev;
		host.nr_devices = 1;
		check_int(work_new(&host, &diags, &work), rows[i].err, "%s", rows[i].what);
		assert_null(work);
		check_int(diags.nr_errors, 1, "%s: errors", rows[i].what);
		if (!diags_mention(&diags, DIAG_ERROR, rows[i].message))
			check_str(diags.items[0].text, rows[i].message, "%s", rows[i].what);
	}
}

/* What Debian's kernels of an age lack is said where the device stands. */
static void missing_configs(void **state)
{
	static const struct {
		enum arch_id arch;
		const char *release;
		enum device_type type;
		const char *option;
	} rows[] = {
		{A, "6.1.0-53-arm64",       DEV_COHERENT, "CONFIG_ZONE_DEVICE"   },
		{X, "6.1.0-53-amd64",       DEV_PRIVATE,  "CONFIG_DEVICE_PRIVATE"},
		{X, "6.12.117+deb13-amd64", DEV_P2PDMA,   "CONFIG_PCI_P2PDMA"    },
		{X, "6.1.0-53-amd64",       DEV_COHERENT, NULL                   },
		{A, "7.3.4+deb14-arm64",    DEV_PRIVATE,  NULL                   },
		{A, "6.1.192",              DEV_COHERENT, NULL                   },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host host = plain_host(rows[i].arch, rows[i].release);
		struct host_device dev = {
			.name = (char *)"dev", .type = rows[i].type, .size_bytes = 1 * GIB, .count = 1};
		_cleanup_diags_ struct diags diags = {0};

		host.devices = &dev;
		host.nr_devices = 1;
		work_free(must_work(&host, &diags));
		const char *option = rows[i].option;

		if (option && !diags_mention(&diags, DIAG_WARNING, option))
			fail_msg("%s: no warning about %s", rows[i].release, option);
		if (!option && diags_mention(&diags, DIAG_WARNING, "CONFIG_"))
			fail_msg("%s: a warning about an option", rows[i].release);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(device_ranges),
		cmocka_unit_test(direct_map_tables),
		cmocka_unit_test(eight_gpus_cost_24_gib),
		cmocka_unit_test(system_ram),
		cmocka_unit_test(refused),
		cmocka_unit_test(missing_configs),
	};

	return cmocka_run_group_tests_name("geometry: devices", tests, NULL, NULL);
}
