// SPDX-License-Identifier: GPL-2.0-or-later
/* Raw sizes from usable ones: sizes that people printed, with the raw size that they say they asked for. */
#include "support/check.h"

#include <errno.h>

#include "base/units.h"
#include "base/util.h"
#include "geometry/geometry.h"
#include "geometry/raw_size.h"

struct published {
	const char *source;
	uint64_t usable_bytes;
	enum namespace_map map;
	uint64_t raw_bytes;
};

/* All of align 2 MiB at 4 KiB pages; raw sizes stated, or the round one that fits. */
static const struct published published[] = {
	{"pmem/ndctl#243: -s 256M",                      262144000,         MAP_DEV, 256 * MIB },
	{"ndctl-list(1), -X",                            4225761280,        MAP_DEV, 4 * GIB   },
	{"pmem/ndctl#260",			       133175443456,      MAP_DEV, 126 * GIB },
	{"pmem/ndctl#115",			       4292870144,        MAP_MEM, 4 * GIB   },
	{"pmem/ndctl#28: --size 64M",                    65011712,          MAP_MEM, 64 * MIB  },
	{"dmesg of 5.10: 2063872 pages",                 2063872 * 4096ULL, MAP_DEV, 8 * GIB   },
	{"pmem/ndctl#211: region of 1082331758592 full", 1065418227712,     MAP_DEV, 1008 * GIB},
	{"pmem/ndctl#97",				1623495540736,     MAP_MEM, 1512 * GIB},
	{"facts: 100 GiB fsdax map=dev",                 105694363648,      MAP_DEV, 100 * GIB },
	{"facts: 100 GiB devdax map=mem",                107372085248,      MAP_MEM, 100 * GIB },
};

static void published_sizes(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(published); i++) {
		const struct published *p = &published[i];
		struct raw_layout layout = {0, 2 * MIB, p->map, 4 * KIB};
		struct raw_sizes raw = {0};

		check_int(raw_sizes_for(&layout, p->usable_bytes, p->usable_bytes, &raw), 0, "%s", p->source);
		check_u64(raw.round_bytes, p->raw_bytes, "%s", p->source);
	}
}

/* "124.03 GiB (133.18 GB)", "1476.56 GiB", "496.12 GiB": two digits behind the point, half of the last either way. */
static void printed_sizes(void **state)
{
	static const struct {
		const char *source;
		double gib;
		uint64_t raw_bytes;
	} rows[] = {
		{"pmem/ndctl#260",                   124.03,       126 * GIB },
		{"intel/pmem-csi#933: -s 1500G",     1476.56,      1500 * GIB},
		{"pmem/ndctl#162: half of 1008 GiB", 496.12,       504 * GIB },
		{"pmem/ndctl#243",                   250.0 / 1024, 256 * MIB },
	};
	struct raw_layout layout = {0, 2 * MIB, MAP_DEV, 4 * KIB};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		double half = 0.005 * (rows[i].gib < 1 ? MIB : GIB);
		uint64_t usable = (uint64_t)(rows[i].gib * GIB);
		struct raw_sizes raw = {0};

		check_int(raw_sizes_for(&layout, usable - (uint64_t)half, usable + (uint64_t)half, &raw), 0,
			  "%s", rows[i].source);
		check_u64(raw.round_bytes, rows[i].raw_bytes, "%s", rows[i].source);
		assert_true(raw.min_bytes <= raw.round_bytes && raw.round_bytes <= raw.max_bytes);
	}
}

/* Every raw size is among those that its own usable size leads back to, and the ends of the range leave the same. */
static void there_and_back(void **state)
{
	static const uint64_t pages[] = {4 * KIB, 16 * KIB, 64 * KIB};
	static const uint64_t aligns[] = {4 * KIB, 2 * MIB, 32 * MIB, 512 * MIB, GIB};

	(void)state;
	for (size_t p = 0; p < ARRAY_SIZE(pages); p++) {
		for (size_t a = 0; a < ARRAY_SIZE(aligns); a++) {
			for (int map = MAP_DEV; map <= MAP_MEM; map++) {
				struct raw_layout l = {0, MAX(aligns[a], pages[p]), (enum namespace_map)map,
						       pages[p]};
				uint64_t unit = MAX(l.align_bytes, 2 * MIB);

				for (uint64_t n = 3; n < 1000000; n = n * 3 + 1) {
					struct pfn_layout forward, ends;
					struct raw_sizes raw;

					if (n * unit > 1ULL << 51)
						break;
					check_int(pfn_layout_for(0, n * unit, l.align_bytes, l.map,
								 l.page_bytes, &forward),
						  0, "%" PRIu64 " units", n);
					check_int(raw_sizes_for(&l, forward.usable_bytes,
								forward.usable_bytes, &raw),
						  0, "%" PRIu64 " units", n);
					assert_in_range(n * unit, raw.min_bytes, raw.max_bytes);
					pfn_layout_for(0, raw.max_bytes, l.align_bytes, l.map, l.page_bytes,
						       &ends);
					check_u64(ends.usable_bytes, forward.usable_bytes, "the largest");
					pfn_layout_for(0, raw.min_bytes, l.align_bytes, l.map, l.page_bytes,
						       &ends);
					check_u64(ends.usable_bytes, forward.usable_bytes, "the smallest");
				}
			}
		}
	}
}

/* 1500 GiB usable: the size asked for leaves it, and a region's unit less does not. */
static void requests(void **state)
{
	static const struct {
		uint64_t align_bytes, usable_bytes;
		enum namespace_map map;
	} rows[] = {
		{2 * MIB, 1500 * GIB, MAP_DEV},
                {2 * MIB, 1500 * GIB, MAP_MEM},
                {GIB,     1500 * GIB, MAP_DEV},
		{GIB,     1500 * GIB, MAP_MEM},
                {2 * MIB, 1,          MAP_DEV},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct raw_layout l = {0, rows[i].align_bytes, rows[i].map, 4 * KIB};
		uint64_t unit = MAX(16 * MIB, l.align_bytes), raw = 0;
		struct pfn_layout forward = {0};

		check_int(raw_size_to_request(&l, rows[i].usable_bytes, unit, &raw), 0, "row %zu", i);
		check_u64(raw % unit, 0, "row %zu", i);
		check_int(pfn_layout_for(0, raw, l.align_bytes, l.map, l.page_bytes, &forward), 0, "row %zu",
			  i);
		assert_true(forward.usable_bytes >= rows[i].usable_bytes);
		forward.usable_bytes = 0;
		pfn_layout_for(0, raw - unit, l.align_bytes, l.map, l.page_bytes, &forward);
		assert_true(forward.usable_bytes < rows[i].usable_bytes);
	}
}

static void impossible(void **state)
{
	struct raw_layout dev = {0, 2 * MIB, MAP_DEV, 4 * KIB}, odd = {0, 3 * MIB, MAP_DEV, 4 * KIB};
	struct raw_sizes raw = {1, 2, 3};
	uint64_t request = 7;

	(void)state;
	check_int(raw_sizes_for(&dev, 4225761281, 4225761281, &raw), -ENXIO, "not whole aligns");
	check_int(raw_sizes_for(&dev, 0, 0, &raw), -ENXIO, "nothing");
	check_int(raw_sizes_for(&dev, 2 * MIB, MIB, &raw), -ENXIO, "an empty interval");
	check_int(raw_sizes_for(&odd, GIB, GIB, &raw), -EINVAL, "no align");
	check_int(raw_sizes_for(&dev, UINT64_MAX, UINT64_MAX, &raw), -EOVERFLOW, "too much");
	check_int(raw_size_to_request(&dev, 1ULL << 52, 16 * MIB, &request), -EOVERFLOW, "too much");
	check_u64(raw.round_bytes, 3, "untouched");
	check_u64(request, 7, "untouched");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_sizes), cmocka_unit_test(printed_sizes),
		cmocka_unit_test(there_and_back),  cmocka_unit_test(requests),
		cmocka_unit_test(impossible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
