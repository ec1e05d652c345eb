// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a namespace's data starts and ends: drivers/nvdimm/pfn_devs.c: nd_pfn_init. */
#include <errno.h>

#include "base/util.h"
#include "geometry/parts.h"

/* drivers/nvdimm/nd.h: info block, MAX_STRUCT_PAGE_SIZE; mm/memremap.c: memremap_compat_align. */
enum {
	INFO_BLOCK_BYTES = 8192,
	ALTMAP_BYTES_PER_PAGE = 64,
	COMPAT_ALIGN_BYTES = 2 << 20,
};

int physical_end(uint64_t start_bytes, uint64_t size_bytes, uint64_t *end)
{
	uint64_t e;

	if (add_u64(start_bytes, size_bytes, &e) || e > MAX_PHYSICAL_BYTES)
		return -EOVERFLOW;
	*end = e;
	return 0;
}

int pfn_layout_for(uint64_t start_bytes, uint64_t size_bytes, uint64_t align_bytes, enum namespace_map map,
		   uint64_t page_bytes, struct pfn_layout *out)
{
	uint64_t end, metadata, align = MAX(align_bytes, COMPAT_ALIGN_BYTES);
	struct pfn_layout l = {0};
	int err = physical_end(start_bytes, size_bytes, &end);

	if (err)
		return err;
	if (!is_pow2(page_bytes) || !is_pow2(align_bytes) || align_bytes < page_bytes ||
	    align > MAX_PHYSICAL_BYTES)
		return -EINVAL;
	if (size_bytes <= INFO_BLOCK_BYTES)
		return -ENXIO;
	metadata = INFO_BLOCK_BYTES;
	if (map == MAP_DEV)
		metadata += ALTMAP_BYTES_PER_PAGE * ((size_bytes - INFO_BLOCK_BYTES) / page_bytes);
	l.data_offset_bytes = round_up_pow2(start_bytes + metadata, align) - start_bytes;
	l.end_trunc_bytes = end - round_down_pow2(end, align);
	/* Both compared first: the sum of an offset and a truncation may exceed a small namespace. */
	if (l.data_offset_bytes >= size_bytes || l.end_trunc_bytes >= size_bytes - l.data_offset_bytes)
		return -ENXIO;
	l.usable_bytes = size_bytes - l.data_offset_bytes - l.end_trunc_bytes;
	if (map == MAP_DEV) {
		l.altmap_reserve_pages = div_round_up(INFO_BLOCK_BYTES, page_bytes);
		l.altmap_free_pages = l.data_offset_bytes / page_bytes - l.altmap_reserve_pages;
	}
	*out = l;
	return 0;
}
