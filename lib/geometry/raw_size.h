/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layout of a namespace backwards: from the usable size, which tools print, to the raw size, which they are given.
 * Pure arithmetic on pfn_layout_for, by search: the layout rounds, so more than one raw size may leave the same.
 */
#ifndef MEMMAPCTL_GEOMETRY_RAW_SIZE_H
#define MEMMAPCTL_GEOMETRY_RAW_SIZE_H

#include <stdint.h>

#include "host/host.h"

/* How a namespace is laid out, whatever its size; all in bytes. */
struct raw_layout {
	uint64_t start_bytes; /* physical; 0 stands for any aligned one */
	uint64_t align_bytes;
	enum namespace_map map;
	uint64_t page_bytes;
};

struct raw_sizes {
	uint64_t min_bytes, max_bytes; /* multiples of the align, at least of 2 MiB */
	uint64_t round_bytes;          /* the one between them that the largest power of two divides */
};

/* Of the numbers from min to max (not 0) the one that the largest power of two divides: what people ask for. */
uint64_t roundest_size(uint64_t min, uint64_t max);

/*
 * Raw sizes that leave at least usable_min and at most usable_max. 0; -ENXIO: no raw size does; -EINVAL or
 * -EOVERFLOW as pfn_layout_for.
 */
int raw_sizes_for(const struct raw_layout *layout, uint64_t usable_min, uint64_t usable_max,
		  struct raw_sizes *out);

/* The smallest multiple of unit_bytes (itself a multiple of the align) that leaves at least so much. Errors as above. */
int raw_size_to_request(const struct raw_layout *layout, uint64_t usable_bytes, uint64_t unit_bytes,
			uint64_t *out);

#endif
