/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A user-space struct page: 64 bytes with the fields where the kernels of 6.1 to 7.3 have them on 64-bit
 * architectures with SPARSEMEM_VMEMMAP (flags 0, a union 8..47, _mapcount or page_type 48, _refcount 52, memcg_data 56).
 *
 * Which bit of flags means what, where a first tail keeps its counts and the numbers below differ between versions and
 * configurations. None of them changes how many stores are made or where a line is touched, so one choice serves all:
 * that of an x86-64 kernel for 8192 CPUs and 1024 nodes.
 */
#ifndef MEMMAPCTL_INITPATH_REPLICA_H
#define MEMMAPCTL_INITPATH_REPLICA_H

#include <stddef.h>
#include <stdint.h>

struct page {
	uint64_t flags;
	union {
		struct { /* ordinary pages; mapping and private of tails too */
			uint64_t lru_next, lru_prev, mapping, index, private;
		};
		struct { /* ZONE_DEVICE */
			uint64_t pgmap, zone_device_data;
		};
		struct { /* tails; the counts are those of the first tail */
			uint64_t compound_info;
			uint32_t large_mapcount, entire_mapcount, nr_pages_mapped, pincount, nr_pages;
		};
	};
	union {
		uint32_t mapcount;
		uint32_t page_type;
	};
	uint32_t refcount;
	uint64_t memcg_data;
};

_Static_assert(sizeof(struct page) == 64, "a struct page is one cache line");
_Static_assert(offsetof(struct page, lru_next) == 8 && offsetof(struct page, private) == 40,
	       "the union is 8..47");
_Static_assert(offsetof(struct page, mapcount) == 48 && offsetof(struct page, refcount) == 52, "counts");
_Static_assert(offsetof(struct page, memcg_data) == 56, "memcg_data is last");

/* The flags word: node, zone, last CPU and process, flags. */
#define PAGE_FLAG_HEAD     (1ull << 6)
#define PAGE_FLAG_RESERVED (1ull << 13)
#define PAGE_CPUPID_MASK   (0x1fffffull << 30)

enum {
	PAGE_ZONE_SHIFT = 51,
	PAGE_NODE_SHIFT = 54,
	PAGE_NODE = 1, /* not 0, so that a link that was not written shows */
	PAGE_ZONE_NORMAL = 2,
	PAGE_ZONE_DEVICE = 4,
};

#define PAGE_PGMAP        0xffff888104c1a000ull /* where a struct dev_pagemap might be */
#define PAGE_TAIL_MAPPING 0xdead000000000400ull /* an address that faults */
#define PAGE_TYPE_BUDDY   0xf0000000u

#endif
