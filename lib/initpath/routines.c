// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The init paths: each page kind field by field, and from a template by each copy routine of the architecture.
 * Compiled once a codegen (INITPATH_BUILD and INITPATH_CODEGEN name it, CMakeLists.txt has the list).
 *
 * As in the kernel, hot helpers are static inline: hints, which a compiler heeds up to its limits. The other builds force
 * them in, raise the limit, or keep them out. All code of a build is in a section of its own, so that its size
 * is known.
 */
#define NAME_(a, b)   a##b
#define NAME(a, b)    NAME_(a, b)
#define STRING_(a)    #a
#define STRING(a)     STRING_(a)
#define IN_SECTION    __attribute__((section("initpath_text_" STRING(INITPATH_BUILD))))
#define ALWAYS_INLINE static inline __attribute__((always_inline, unused))

#if defined(INITPATH_HOT_ALWAYS_INLINE)
#define HOT          IN_SECTION ALWAYS_INLINE
#define HOT_FUNCTION HOT
#elif defined(INITPATH_HOT_OUT_OF_LINE)
#define HOT          IN_SECTION __attribute__((noinline, unused)) static
#define HOT_FUNCTION HOT
#else
#define HOT          IN_SECTION __attribute__((unused)) static inline
#define HOT_FUNCTION IN_SECTION __attribute__((unused)) static
#endif

#include "initpath/sequence.h"

#include "initpath/routines.h"

typedef void copy_fn(void *dst, const void *src);
typedef void fill_fn(void *dst, size_t bytes, const void *pattern);

ALWAYS_INLINE struct sequence sequence_of(const struct initpath_args *args)
{
	bool device = args->kind == KIND_ZD_BASE || args->kind == KIND_ZD_COMPOUND;

	return (struct sequence){
		.version = args->version,
		.base = args->vmemmap_base ? args->vmemmap_base
					   : (uintptr_t)args->memmap - (args->start_pfn << STRUCT_PAGE_SHIFT),
		.zone = device ? PAGE_ZONE_DEVICE : PAGE_ZONE_NORMAL,
		.node = PAGE_NODE,
		.order = args->order,
		.count_zero = args->kind == KIND_ZD_BASE && args->version->fsdax_refcount_zero,
	};
}

/* The part in range of the buddy block that pfn is in. */
ALWAYS_INLINE uint64_t block_pages(uint64_t pfn, uint64_t end_pfn)
{
	uint64_t block_end = (pfn | ((1ull << BUDDY_ORDER) - 1)) + 1;

	return (block_end < end_pfn ? block_end : end_pfn) - pfn;
}

/* ---- field by field ---- */

ALWAYS_INLINE void fields_zd_base(struct page *page, uint64_t pfn, uint64_t nr_pages,
				  const struct sequence *s)
{
	for (uint64_t i = 0; i < nr_pages; i++)
		init_zone_device_page(page + i, pfn + i, s);
}

/* memmap_init_compound */
ALWAYS_INLINE void fields_zd_compound(struct page *head, uint64_t pfn, const struct sequence *s)
{
	uint64_t nr_pages = 1ull << s->order;

	init_zone_device_page(head, pfn, s);
	page_set_head(head);
	for (uint64_t i = 1; i < nr_pages; i++)
		init_zone_device_tail(head + i, pfn + i, pfn, s);
	prep_compound_head(head, s);
}

/* 6.1: memblock_free_all initialises all as reserved, hugetlb_init goes over them again. */
ALWAYS_INLINE void fields_hugetlb_two_passes(struct page *head, uint64_t pfn, const struct sequence *s)
{
	uint64_t nr_pages = 1ull << s->order;

	for (uint64_t i = 0; i < nr_pages; i++)
		init_reserved_page(head + i, pfn + i, s);
	page_set_head(head);
	for (uint64_t i = 0; i < nr_pages; i++) {
		unreserve_hugetlb_page(head + i, s);
		if (i)
			page_set_compound_info(head + i, compound_info(pfn, s));
	}
	prep_compound_head(head, s);
}

/* The tails that HVO would keep, the head, and then, HVO having failed, the others. */
ALWAYS_INLINE void fields_hugetlb(struct page *head, uint64_t pfn, const struct sequence *s)
{
	uint64_t nr_pages = 1ull << s->order;
	uint64_t nr_first = nr_pages < HUGETLB_RESERVE_PAGES ? nr_pages : HUGETLB_RESERVE_PAGES;

	if (s->version->hugetlb_two_passes) {
		fields_hugetlb_two_passes(head, pfn, s);
		return;
	}
	init_hugetlb_head(head, pfn, s);
	for (uint64_t i = 1; i < nr_first; i++)
		init_hugetlb_tail(head + i, pfn + i, pfn, s);
	prep_compound_head(head, s);
	for (uint64_t i = nr_first; i < nr_pages; i++)
		init_hugetlb_tail(head + i, pfn + i, pfn, s);
}

/* deferred_init_memmap: a block is initialised and then freed, while it is in the cache. */
ALWAYS_INLINE void fields_ordinary(struct page *page, uint64_t pfn, uint64_t nr_pages,
				   const struct sequence *s)
{
	uint64_t end = pfn + nr_pages;

	while (pfn < end) {
		uint64_t now = block_pages(pfn, end);

		for (uint64_t i = 0; i < now; i++)
			init_single_page(page + i, pfn + i, s);
		free_block(page, pfn, now);
		page += now;
		pfn += now;
	}
}

IN_SECTION static void run_fields(const struct initpath_args *args)
{
	const struct sequence s = sequence_of(args);
	uint64_t compound = 1ull << args->order;

	switch (args->kind) {
	case KIND_ZD_BASE:
		fields_zd_base(args->memmap, args->start_pfn, args->nr_pages, &s);
		break;
	case KIND_ZD_COMPOUND:
		for (uint64_t i = 0; i < args->nr_pages; i += compound)
			fields_zd_compound(args->memmap + i, args->start_pfn + i, &s);
		break;
	case KIND_HUGETLB:
		for (uint64_t i = 0; i < args->nr_pages; i += compound)
			fields_hugetlb(args->memmap + i, args->start_pfn + i, &s);
		break;
	case KIND_ORDINARY:
		fields_ordinary(args->memmap, args->start_pfn, args->nr_pages, &s);
		break;
	default:
		break;
	}
}

/* Ordinary pages in two loops: all initialised, then all freed. */
IN_SECTION static void run_fields_split(const struct initpath_args *args)
{
	const struct sequence s = sequence_of(args);
	uint64_t end = args->start_pfn + args->nr_pages;
	struct page *page = args->memmap;

	for (uint64_t i = 0; i < args->nr_pages; i++)
		init_single_page(page + i, args->start_pfn + i, &s);
	for (uint64_t pfn = args->start_pfn; pfn < end;) {
		uint64_t now = block_pages(pfn, end);

		free_block(page, pfn, now);
		page += now;
		pfn += now;
	}
}

/* ---- from a template ---- */

typedef struct page template_page __attribute__((aligned(ARCH_BLOCK_BYTES)));

/* Pages that are all alike. */
ALWAYS_INLINE void copy_pages(struct page *page, uint64_t nr_pages, template_page *template, copy_fn *copy)
{
	for (uint64_t i = 0; i < nr_pages; i++) {
		page_refresh(template);
		copy(page + i, template);
	}
}

ALWAYS_INLINE void template_zd_base(struct page *page, uint64_t pfn, uint64_t nr_pages,
				    const struct sequence *s, copy_fn *copy)
{
	template_page template;

	init_zone_device_page(&template, pfn, s);
	copy_pages(page, nr_pages, &template, copy);
}

/* The first tail goes through the normal sequence and is the template of the others, before the head's order is in it. */
ALWAYS_INLINE void template_zd_compound(struct page *head, uint64_t pfn, template_page *head_template,
					const struct sequence *s, copy_fn *copy)
{
	template_page tail_template;

	copy_pages(head, 1, head_template, copy);
	init_zone_device_tail(head + 1, pfn + 1, pfn, s);
	tail_template = head[1];
	copy_pages(head + 2, (1ull << s->order) - 2, &tail_template, copy);
	prep_compound_head(head, s);
}

/*
 * Each tail's list head is refreshed in the template just before the copy. A copy by words takes the new word from the store
 * buffer; a wider load cannot, and waits until the store is in the cache: here MOVNTI beats the vector stores.
 */
ALWAYS_INLINE void template_hugetlb(struct page *head, uint64_t pfn, const struct sequence *s, copy_fn *copy)
{
	uint64_t nr_pages = 1ull << s->order;
	template_page template;

	init_hugetlb_head(head, pfn, s);
	init_hugetlb_tail(head + 1, pfn + 1, pfn, s);
	template = head[1];
	for (uint64_t i = 2; i < nr_pages; i++) {
		page_refresh(&template);
		page_init_lru_prev(&template, memmap_address(s, pfn + i));
		copy(head + i, &template);
	}
	prep_compound_head(head, s);
}

ALWAYS_INLINE void template_ordinary(struct page *page, uint64_t pfn, uint64_t nr_pages,
				     const struct sequence *s, copy_fn *copy)
{
	uint64_t end = pfn + nr_pages;
	template_page template;

	init_single_page(&template, pfn, s);
	while (pfn < end) {
		uint64_t now = block_pages(pfn, end);

		for (uint64_t i = 0; i < now; i++) {
			page_refresh(&template);
			page_init_lru(&template, memmap_address(s, pfn + i));
			copy(page + i, &template);
		}
		free_block(page, pfn, now);
		page += now;
		pfn += now;
	}
}

ALWAYS_INLINE void run_template(const struct initpath_args *args, copy_fn *copy)
{
	const struct sequence s = sequence_of(args);
	uint64_t compound = 1ull << args->order;
	template_page head_template;

	switch (args->kind) {
	case KIND_ZD_BASE:
		template_zd_base(args->memmap, args->start_pfn, args->nr_pages, &s, copy);
		break;
	case KIND_ZD_COMPOUND:
		init_zone_device_page(&head_template, args->start_pfn, &s);
		page_set_head(&head_template);
		for (uint64_t i = 0; i < args->nr_pages; i += compound)
			template_zd_compound(args->memmap + i, args->start_pfn + i, &head_template, &s, copy);
		break;
	case KIND_HUGETLB:
		for (uint64_t i = 0; i < args->nr_pages; i += compound)
			template_hugetlb(args->memmap + i, args->start_pfn + i, &s, copy);
		break;
	case KIND_ORDINARY:
		template_ordinary(args->memmap, args->start_pfn, args->nr_pages, &s, copy);
		break;
	default:
		break;
	}
}

/* ---- from a block: a run of equal struct pages, the template kept in registers ---- */

ALWAYS_INLINE void block_zd_base(struct page *page, uint64_t pfn, uint64_t nr_pages, const struct sequence *s,
				 fill_fn *fill)
{
	template_page template;

	init_zone_device_page(&template, pfn, s);
	fill(page, nr_pages * sizeof(*page), &template);
}

struct compound_templates {
	struct page first[2], tail; /* head and first tail; the others */
} __attribute__((aligned(ARCH_BLOCK_BYTES)));

ALWAYS_INLINE void prepare_compound(struct compound_templates *t, uint64_t pfn, const struct sequence *s)
{
	init_zone_device_page(&t->first[0], pfn, s);
	page_set_head(&t->first[0]);
	init_zone_device_tail(&t->tail, pfn + 1, pfn, s);
	init_zone_device_tail(&t->first[1], pfn + 1, pfn, s);
	prep_compound_head(t->first, s);
}

/*
 * Nothing in the memmap is stored to plainly or read: non-temporal stores would queue up behind the line that has to be
 * fetched. For the same reason the templates of a compound are prepared before the one in front of it is filled:
 * read back at once, they would have to wait until all stores before them have left the CPU.
 */
ALWAYS_INLINE void block_zd_compound(const struct initpath_args *args, const struct sequence *s,
				     copy_fn *copy, fill_fn *fill)
{
	uint64_t compound = 1ull << s->order;
	struct compound_templates templates[2];

	prepare_compound(&templates[0], args->start_pfn, s);
	for (uint64_t i = 0, k = 0; i < args->nr_pages; i += compound, k ^= 1) {
		struct page *head = args->memmap + i;

		prepare_compound(&templates[k ^ 1], args->start_pfn + i + compound, s);
		copy(head, &templates[k].first[0]);
		copy(head + 1, &templates[k].first[1]);
		fill(head + 2, (compound - 2) * sizeof(*head), &templates[k].tail);
	}
}

ALWAYS_INLINE void run_block(const struct initpath_args *args, copy_fn *copy, fill_fn *fill)
{
	const struct sequence s = sequence_of(args);

	if (args->kind == KIND_ZD_BASE)
		block_zd_base(args->memmap, args->start_pfn, args->nr_pages, &s, fill);
	else
		block_zd_compound(args, &s, copy, fill);
}

#define TEMPLATE(id, name, what, nontemporal, usable)                                                        \
	IN_SECTION static void run_##id(const struct initpath_args *args)                                    \
	{                                                                                                    \
		run_template(args, arch_copy_##id);                                                          \
		arch_finish_##id();                                                                          \
	}                                                                                                    \
	IN_SECTION static void run_block_##id(const struct initpath_args *args)                              \
	{                                                                                                    \
		run_block(args, arch_copy_##id, arch_fill_##id);                                             \
		arch_finish_##id();                                                                          \
	}
ARCH_COPIES(TEMPLATE)

#define DEVICE_KINDS (1u << KIND_ZD_BASE | 1u << KIND_ZD_COMPOUND)
#define ALL_KINDS    (DEVICE_KINDS | 1u << KIND_HUGETLB | 1u << KIND_ORDINARY)

#define ROUTINE(name, what, path, kinds, usable, run)                                                        \
	{name, what, path, kinds, INITPATH_CODEGEN, usable, run, 0},
#define PATH_OF(nontemporal) ((nontemporal) ? PATH_TEMPLATE_NT : PATH_TEMPLATE)
#define PAGE_AT_A_TIME(id, name, what, nontemporal, usable)                                                  \
	ROUTINE(name, "a page at a time: " what, PATH_OF(nontemporal), ALL_KINDS, usable, run_##id)
/* Only ZONE_DEVICE: the list heads that other kinds leave behind hold the page's own address. */
#define BLOCK_AT_A_TIME(id, name, what, nontemporal, usable)                                                 \
	ROUTINE("block-" name, "a run of equal pages at a time: " what, PATH_OF(nontemporal), DEVICE_KINDS,  \
		usable, run_block_##id)

/* clang-format off */
static const struct initpath_routine routines[] = {
	ROUTINE("fields", "field by field, as the stock kernel does", PATH_BASELINE, ALL_KINDS, NULL, run_fields)
	ROUTINE("fields-split", "field by field, all initialised before any is freed", PATH_BASELINE,
		1u << KIND_ORDINARY, NULL, run_fields_split)
	ARCH_COPIES(PAGE_AT_A_TIME)
	ARCH_COPIES(BLOCK_AT_A_TIME)
};
/* clang-format on */
_Static_assert(sizeof(routines) / sizeof(routines[0]) == NR_ROUTINES_PER_BUILD,
	       "routines.h counts the table");

/* The linker's names for the ends of a section. */
extern const char NAME(__start_initpath_text_, INITPATH_BUILD)[],
	NAME(__stop_initpath_text_, INITPATH_BUILD)[];

const struct initpath_build NAME(initpath_build_, INITPATH_BUILD) = {
	.routines = routines,
	.text_start = NAME(__start_initpath_text_, INITPATH_BUILD),
	.text_end = NAME(__stop_initpath_text_, INITPATH_BUILD),
};
