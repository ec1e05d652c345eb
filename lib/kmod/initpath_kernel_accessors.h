/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The accessors of lib/initpath over the kernel's own struct page, by the kernel's own helpers (set_page_links,
 * page_cpupid_reset_last, __SetPageReserved...). Where a helper is private to mm/ (prep_compound_head, folio_set_order) it
 * is the field that it writes.
 *
 * The pages are an array in vmalloc memory and not the memmap: nothing here may ask for a page's PFN, zone or
 * section. What a helper stores that depends on the address comes in as an argument.
 */
#ifndef MEMMAPCTL_INITPATH_KERNEL_ACCESSORS_H
#define MEMMAPCTL_INITPATH_KERNEL_ACCESSORS_H

#include <linux/list.h>
#include <linux/memremap.h>
#include <linux/mm.h>
#include <linux/page-flags.h>
#include <linux/page_ref.h>
#include <linux/poison.h>

#define ACCESSOR static __always_inline __maybe_unused

_Static_assert(sizeof(struct page) == 64,
	       "memmapctl knows kernels whose struct page has 64 bytes; this one has another size");

#ifdef CONFIG_ZONE_DEVICE
#define PAGE_ZONE_DEVICE ZONE_DEVICE
#else
#define PAGE_ZONE_DEVICE ZONE_MOVABLE /* no such zone here: the same store of another number */
#endif
#define PAGE_ZONE_NORMAL ZONE_NORMAL
#define PAGE_NODE        0
#define PAGE_PGMAP       0xffff888104c1a000ull /* where a struct dev_pagemap might be; never followed */

ACCESSOR void page_zero(struct page *page)
{
	mm_zero_struct_page(page);
}

ACCESSOR void page_set_links(struct page *page, unsigned int zone, unsigned int node)
{
	set_page_links(page, zone, node, 0);
}

ACCESSOR void page_reset_cpupid(struct page *page)
{
	page_cpupid_reset_last(page);
}

ACCESSOR void page_set_reserved(struct page *page)
{
	__SetPageReserved(page);
}

ACCESSOR void page_clear_reserved(struct page *page)
{
	__ClearPageReserved(page);
}

ACCESSOR void page_set_head(struct page *page)
{
	__SetPageHead(page);
}

ACCESSOR void page_set_count(struct page *page, int count)
{
	set_page_count(page, count);
}

ACCESSOR bool page_freeze_count(struct page *page)
{
	return page_ref_freeze(page, 1);
}

ACCESSOR void page_reset_mapcount(struct page *page)
{
	atomic_set(&page->_mapcount, -1);
}

/* INIT_LIST_HEAD of the page that self is the address of. */
ACCESSOR void page_init_lru_prev(struct page *page, uint64_t self)
{
	WRITE_ONCE(page->lru.prev, (struct list_head *)(self + offsetof(struct page, lru)));
}

ACCESSOR void page_init_lru(struct page *page, uint64_t self)
{
	WRITE_ONCE(page->lru.next, (struct list_head *)(self + offsetof(struct page, lru)));
	page_init_lru_prev(page, self);
}

ACCESSOR void page_set_pgmap(struct page *page, uint64_t pgmap)
{
#ifdef FOLIO_HAS_PGMAP
	page_folio(page)->pgmap = (struct dev_pagemap *)pgmap;
#else
	page->pgmap = (struct dev_pagemap *)pgmap;
#endif
}

ACCESSOR void page_clear_zone_device_data(struct page *page)
{
	page->zone_device_data = NULL;
}

ACCESSOR void page_set_tail_mapping(struct page *page)
{
	page->mapping = TAIL_MAPPING;
}

/* set_compound_head */
ACCESSOR void page_set_compound_info(struct page *page, uint64_t info)
{
#ifdef PAGE_HAS_COMPOUND_INFO
	WRITE_ONCE(page->compound_info, info);
#else
	WRITE_ONCE(page->compound_head, info);
#endif
}

ACCESSOR void page_set_private(struct page *page, uint64_t value)
{
	set_page_private(page, value);
}

ACCESSOR void page_set_buddy_type(struct page *page)
{
	__SetPageBuddy(page);
}

/* folio_set_order; before it, set_compound_order. */
ACCESSOR void page_set_order(struct page *first_tail, unsigned int order)
{
	struct folio *folio = (struct folio *)(first_tail - 1);

#ifdef FOLIO_HAS_LARGE_MAPCOUNT
	folio->_flags_1 = (folio->_flags_1 & ~0xffUL) | order;
#else
	folio->_folio_order = order;
#endif
#ifdef NR_PAGES_IN_LARGE_FOLIO
	folio->_nr_pages = 1U << order;
#else
	folio->_folio_nr_pages = 1U << order;
#endif
}

/* prep_compound_head */
ACCESSOR void page_reset_compound_counts(struct page *first_tail)
{
	struct folio *folio = (struct folio *)(first_tail - 1);

#ifdef FOLIO_HAS_LARGE_MAPCOUNT
	atomic_set(&folio->_large_mapcount, -1);
	atomic_set(&folio->_entire_mapcount, -1);
	atomic_set(&folio->_nr_pages_mapped, 0);
#else
	atomic_set(&first_tail->compound_mapcount, -1);
#endif
	atomic_set(&folio->_pincount, 0);
}

/* Nothing of a template depends on the PFN in every page (no section bits, no page->virtual): a copy reads it anew. */
ACCESSOR void page_refresh(struct page *template)
{
	asm volatile("" : "+m"(*template));
}

#endif
