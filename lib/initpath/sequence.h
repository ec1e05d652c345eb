/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel does to the struct pages of each kind, field by field and in its order: the building blocks
 * of the baseline, and of the one page that seeds a template. Included once by each build of routines.c, which says
 * by HOT how the helpers are to be inlined.
 */
#ifndef MEMMAPCTL_INITPATH_SEQUENCE_H
#define MEMMAPCTL_INITPATH_SEQUENCE_H

#include "initpath/accessors.h"
#include "initpath/initpath.h"

enum {
	BUDDY_ORDER = 10,           /* the largest block of the buddy allocator: MAX_ORDER, MAX_PAGE_ORDER */
	HUGETLB_RESERVE_PAGES = 64, /* HUGETLB_VMEMMAP_RESERVE_PAGES: one base page of struct pages */
	STRUCT_PAGE_SHIFT = 6,
};

/* What stays the same over a call. */
struct sequence {
	const struct initpath_version *version;
	uint64_t base; /* vmemmap: address of the struct page of pfn 0 */
	uint32_t zone, node;
	uint32_t order;
	bool count_zero; /* base pages end at refcount 0 */
};

HOT uint64_t memmap_address(const struct sequence *s, uint64_t pfn)
{
	return s->base + (pfn << STRUCT_PAGE_SHIFT);
}

/* __init_single_page */
HOT_FUNCTION void init_single_page(struct page *page, uint64_t pfn, const struct sequence *s)
{
	page_zero(page);
	page_set_links(page, s->zone, s->node);
	page_set_count(page, 1);
	page_reset_mapcount(page);
	page_reset_cpupid(page);
	page_init_lru(page, memmap_address(s, pfn));
}

/* __init_zone_device_page */
HOT_FUNCTION void init_zone_device_page(struct page *page, uint64_t pfn, const struct sequence *s)
{
	init_single_page(page, pfn, s);
	page_set_reserved(page);
	page_set_pgmap(page, PAGE_PGMAP);
	page_clear_zone_device_data(page);
	if (s->count_zero)
		page_set_count(page, 0);
}

/* How a tail finds its head: the head's address, or a mask that takes a tail's own address to it; bit 0 marks tails. */
HOT uint64_t compound_info(uint64_t head_pfn, const struct sequence *s)
{
	if (s->version->tail_info_is_mask)
		return ~0ull << (s->order + STRUCT_PAGE_SHIFT) | 1;
	return memmap_address(s, head_pfn) | 1;
}

/* prep_compound_tail */
HOT void prep_compound_tail(struct page *page, uint64_t head_pfn, const struct sequence *s)
{
	page_set_tail_mapping(page);
	page_set_compound_info(page, compound_info(head_pfn, s));
	if (s->version->tail_private_written)
		page_set_private(page, 0);
}

/* prep_compound_head; after the first tail was initialised, or that would wipe it out. */
HOT void prep_compound_head(struct page *head, const struct sequence *s)
{
	page_set_order(head + 1, s->order);
	page_reset_compound_counts(head + 1);
}

/* A tail in memmap_init_compound. */
HOT_FUNCTION void init_zone_device_tail(struct page *page, uint64_t pfn, uint64_t head_pfn,
					const struct sequence *s)
{
	init_zone_device_page(page, pfn, s);
	prep_compound_tail(page, head_pfn, s);
	page_set_count(page, 0);
}

HOT void drop_first_reference(struct page *page, const struct sequence *s)
{
	if (s->version->hugetlb_freezes)
		page_freeze_count(page);
	else
		page_set_count(page, 0);
}

/* init_reserved_page: what memblock hands over at boot. */
HOT_FUNCTION void init_reserved_page(struct page *page, uint64_t pfn, const struct sequence *s)
{
	init_single_page(page, pfn, s);
	page_set_reserved(page);
}

/* A page in __prep_compound_gigantic_page (6.1), initialised as a reserved one before; later kernels do so with heads. */
HOT_FUNCTION void unreserve_hugetlb_page(struct page *page, const struct sequence *s)
{
	page_clear_reserved(page);
	drop_first_reference(page, s);
}

/* A tail in hugetlb_folio_init_tail_vmemmap (6.12 and later); in 6.1 the two passes over it, at once. */
HOT_FUNCTION void init_hugetlb_tail(struct page *page, uint64_t pfn, uint64_t head_pfn,
				    const struct sequence *s)
{
	if (s->version->hugetlb_two_passes) {
		init_reserved_page(page, pfn, s);
		unreserve_hugetlb_page(page, s);
		page_set_compound_info(page, compound_info(head_pfn, s));
		return;
	}
	init_single_page(page, pfn, s);
	prep_compound_tail(page, head_pfn, s);
	drop_first_reference(page, s);
}

HOT_FUNCTION void init_hugetlb_head(struct page *page, uint64_t pfn, const struct sequence *s)
{
	init_reserved_page(page, pfn, s);
	unreserve_hugetlb_page(page, s);
	page_set_head(page);
}

/*
 * __free_pages_core over one block of the buddy allocator, or the part of it in range: the second touch of every struct
 * page. The block's first page is marked free as the whole; putting it on a free list is left out (two stores in 1024
 * pages, and what they write would depend on the order in which threads free).
 */
HOT_FUNCTION void free_block(struct page *page, uint64_t pfn, uint64_t nr_pages)
{
	for (uint64_t i = 0; i < nr_pages; i++) {
		page_clear_reserved(page + i);
		page_set_count(page + i, 0);
	}
	if (pfn & ((1ull << BUDDY_ORDER) - 1))
		return;
	page_set_private(page, BUDDY_ORDER);
	page_set_buddy_type(page);
}

#endif
