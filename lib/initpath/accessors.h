/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the sequences do to a struct page, one field at a time. The routines of lib/initpath know struct page by these
 * only; a kernel module brings the same names over the kernel's own accessors (its include path has the header).
 *
 * In user space every access is volatile: each is made, once, in the order written. The kernel's helpers are a mix of
 * WRITE_ONCE and atomics (counts, lists), which compilers keep, bit operations in assembly, and plain stores, of which a
 * compiler drops those that a later one overwrites (a zeroed word that is then set) if it sees both, so that what
 * is left depends on compiler and inlining. Keeping all of them makes each build run the same stores, so that a
 * difference between builds is that of calls and not of stores lost; and no vector instruction, which the kernel
 * cannot use here, sneaks in. The price: at most the few stores that land on the line being written anyway.
 */
#ifndef MEMMAPCTL_INITPATH_ACCESSORS_H
#define MEMMAPCTL_INITPATH_ACCESSORS_H

#ifdef __KERNEL__
#include "initpath_kernel_accessors.h"
#else

#include <stdbool.h>
#include <stdint.h>

#include "initpath/replica.h"

#define ACCESSOR static inline __attribute__((always_inline, unused))

#define page_store(field, value) (*(volatile __typeof__(field) *)&(field) = (value))
#define page_load(field)         (*(volatile __typeof__(field) *)&(field))

typedef uint64_t __attribute__((may_alias)) page_word;

ACCESSOR void page_zero(struct page *page)
{
	volatile page_word *word = (page_word *)page;

	word[0] = 0;
	word[1] = 0;
	word[2] = 0;
	word[3] = 0;
	word[4] = 0;
	word[5] = 0;
	word[6] = 0;
	word[7] = 0;
}

ACCESSOR void page_set_links(struct page *page, unsigned int zone, unsigned int node)
{
	page_store(page->flags, (uint64_t)zone << PAGE_ZONE_SHIFT | (uint64_t)node << PAGE_NODE_SHIFT);
}

ACCESSOR void page_reset_cpupid(struct page *page)
{
	page_store(page->flags, page_load(page->flags) | PAGE_CPUPID_MASK);
}

ACCESSOR void page_set_reserved(struct page *page)
{
	page_store(page->flags, page_load(page->flags) | PAGE_FLAG_RESERVED);
}

ACCESSOR void page_clear_reserved(struct page *page)
{
	page_store(page->flags, page_load(page->flags) & ~PAGE_FLAG_RESERVED);
}

ACCESSOR void page_set_head(struct page *page)
{
	page_store(page->flags, page_load(page->flags) | PAGE_FLAG_HEAD);
}

ACCESSOR void page_set_count(struct page *page, int count)
{
	page_store(page->refcount, (uint32_t)count);
}

/* One to zero, atomically; true when it was one. */
ACCESSOR bool page_freeze_count(struct page *page)
{
	uint32_t one = 1;

	return __atomic_compare_exchange_n(&page->refcount, &one, 0, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_RELAXED);
}

ACCESSOR void page_reset_mapcount(struct page *page)
{
	page_store(page->mapcount, (uint32_t)-1);
}

/* self: the address that this struct page has in the memmap. */
ACCESSOR void page_init_lru(struct page *page, uint64_t self)
{
	page_store(page->lru_next, self + offsetof(struct page, lru_next));
	page_store(page->lru_prev, self + offsetof(struct page, lru_next));
}

/* Of a tail only the second half of the list head is left: the first is its compound_info. */
ACCESSOR void page_init_lru_prev(struct page *page, uint64_t self)
{
	page_store(page->lru_prev, self + offsetof(struct page, lru_next));
}

ACCESSOR void page_set_pgmap(struct page *page, uint64_t pgmap)
{
	page_store(page->pgmap, pgmap);
}

ACCESSOR void page_clear_zone_device_data(struct page *page)
{
	page_store(page->zone_device_data, 0);
}

ACCESSOR void page_set_tail_mapping(struct page *page)
{
	page_store(page->mapping, PAGE_TAIL_MAPPING);
}

ACCESSOR void page_set_compound_info(struct page *page, uint64_t info)
{
	page_store(page->compound_info, info);
}

ACCESSOR void page_set_private(struct page *page, uint64_t value)
{
	page_store(page->private, value);
}

ACCESSOR void page_set_buddy_type(struct page *page)
{
	page_store(page->page_type, PAGE_TYPE_BUDDY);
}

/* The first tail keeps what belongs to the whole compound: its order in the low byte of flags, and counts. */
ACCESSOR void page_set_order(struct page *first_tail, unsigned int order)
{
	page_store(first_tail->flags, (page_load(first_tail->flags) & ~0xffull) | order);
	page_store(first_tail->nr_pages, 1u << order);
}

ACCESSOR void page_reset_compound_counts(struct page *first_tail)
{
	page_store(first_tail->large_mapcount, (uint32_t)-1);
	page_store(first_tail->entire_mapcount, (uint32_t)-1);
	page_store(first_tail->nr_pages_mapped, 0);
	page_store(first_tail->pincount, 0);
}

/*
 * Refresh what of a template depends on the PFN in every page: section bits and page->virtual, of which
 * 64-bit kernels with SPARSEMEM_VMEMMAP have neither. What is left is that a copy reads the template anew.
 */
ACCESSOR void page_refresh(struct page *template)
{
	asm volatile("" : "+m"(*template));
}

#endif
#endif
