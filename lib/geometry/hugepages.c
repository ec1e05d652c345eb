// SPDX-License-Identifier: GPL-2.0-or-later
/* HugeTLB pools, at boot and at run time, with and without HVO: mm/hugetlb.c, mm/hugetlb_vmemmap.c. */
#include <errno.h>
#include <inttypes.h>

#include "base/util.h"
#include "geometry/parts.h"

bool pool_is_gigantic(const struct kernel_rules *rules, const struct host_hugepages *pool)
{
	/* No huge page size lies between a PMD and the largest buddy order, at any page size here. */
	return pool->size_bytes > rules->pmd_bytes;
}

/* mm/hugetlb_vmemmap.h: hugetlb_vmemmap_optimizable_size: all but one page. */
static uint64_t hvo_saving(const struct builder *b, const struct host_hugepages *pool)
{
	uint64_t page = b->rules->page_bytes, sp = b->host->struct_page_bytes;
	uint64_t vmemmap = pool->size_bytes / page * sp;

	if (!b->rules->hvo_available || !b->host->hvo_supported || !is_pow2(sp) || vmemmap <= page)
		return 0;
	return vmemmap - page;
}

bool pool_has_hvo(const struct builder *b, const struct host_hugepages *pool)
{
	return b->host->hvo_enabled && hvo_saving(b, pool) > 0;
}

bool pool_is_pre_optimized(const struct builder *b, const struct host_hugepages *pool)
{
	const struct kernel_rules *r = b->rules;
	uint64_t pmd_covers = r->pmd_bytes / b->host->struct_page_bytes * r->page_bytes;

	return r->hvo_pre_init && pool->when == HUGEPAGES_BOOT && pool_has_hvo(b, pool) &&
	       pool->size_bytes % r->section_bytes == 0 && pool->size_bytes % pmd_covers == 0;
}

/* No more threads than CPUs to run them and pages to share. */
static unsigned int useful_threads(const struct builder *b, uint64_t threads, uint64_t items)
{
	if (b->host->cpus)
		threads = MIN(threads, b->host->cpus);
	return (unsigned int)MAX(MIN(threads, items), 1);
}

/* gather_bootmem_prealloc: a chunk for each node's list of pages. */
static unsigned int gather_threads(const struct builder *b, const struct host_hugepages *pool)
{
	if (!b->rules->hugetlb_parallel || pool->node != NODE_ANY)
		return 1;
	return useful_threads(b, nodes_with_memory(b->host), pool->count);
}

/* hugetlb_hstate_alloc_pages: a pool for one node is filled serially. */
static unsigned int boot_threads(const struct builder *b, const struct host_hugepages *pool)
{
	if (pool->node != NODE_ANY)
		return 1;
	if (b->rules->hugepage_threads_by_cpu)
		return useful_threads(b, b->host->cpus / 4, pool->count);
	if (b->rules->hugepage_threads_by_node)
		return useful_threads(b, 2ULL * nodes_with_memory(b->host), pool->count);
	return 1;
}

static const char formula_remaps[] = "count * (h*SP/P - 1)";
static const char formula_tails[] = "count * (HVO: min(h, P/SP), else h)";
static const char formula_cleared[] = "count * hugepage size";
static const char rule_compound[] = "mm/page_alloc.c: prep_compound_page; gigantic: alloc_contig_pages";
static const char rule_cleared[] = "mm/page_alloc.c: post_alloc_hook under init_on_alloc";
static const char rule_grace_period[] =
	"mm/hugetlb_vmemmap.c: hugetlb_vmemmap_optimize_folios -> synchronize_rcu";

struct pool_terms {
	uint64_t count;
	uint64_t pages;   /* struct pages of the pool */
	uint64_t remaps;  /* PTEs that HVO turns to the kept page */
	uint64_t freed;   /* pages that HVO gives back */
	uint64_t cleared; /* bytes, under init_on_alloc */
	unsigned int threads;
};

/* What boot does once for all pools is counted with the first one made at boot. */
static bool is_first_boot_pool(const struct builder *b, const struct host_hugepages *pool)
{
	size_t i = 0;

	while (i < b->host->nr_hugepages && b->host->hugepages[i].when != HUGEPAGES_BOOT)
		i++;
	return i < b->host->nr_hugepages && &b->host->hugepages[i] == pool;
}

static void hvo_terms(struct builder *b, struct pool_work *out, const struct pool_terms *p)
{
	struct work_terms *t = &out->terms;

	units_add(b, t, STAGE_HVO_REMAP, UNIT_ONCE, is_first_boot_pool(b, out->pool), 1, "1",
		  "mm/hugetlb_vmemmap.c: hugetlb_optimize_vmemmap_key: the first page patches the kernel's "
		  "text");

	units_add(b, t, STAGE_HVO_REMAP, UNIT_HUGEPAGES, p->count, p->threads, "count",
		  "mm/hugetlb_vmemmap.c: hugetlb_vmemmap_optimize_folios");
	units_add(b, t, STAGE_HVO_REMAP, UNIT_VMEMMAP_PTES, p->remaps, p->threads, formula_remaps,
		  "mm/hugetlb_vmemmap.c: vmemmap_remap_pte; vmemmap_wrprotect_hvo where pre-optimised");
	units_add(b, t, STAGE_HVO_REMAP, UNIT_VMEMMAP_PAGES, p->freed, p->threads, formula_remaps,
		  "mm/hugetlb_vmemmap.c: free_vmemmap_page_list; none where pre-optimised");
	/* Each thread has a batch, and they wait side by side. */
	if (b->rules->hvo_grace_period)
		units_add(b, t, STAGE_HVO_REMAP, UNIT_GRACE_PERIODS, p->threads, p->threads,
			  "1 a batch, a batch a thread", rule_grace_period);
}

static void gigantic_boot_terms(struct builder *b, struct pool_work *out, const struct pool_terms *p)
{
	uint64_t pages = p->count * out->struct_pages_initialized;
	struct work_terms *t = &out->terms;

	units_add(b, t, STAGE_HUGETLB_ALLOC, UNIT_HUGEPAGES, p->count, 1, "count",
		  "mm/hugetlb.c: alloc_bootmem_huge_page, from memblock, not cleared");
	/* Where the pages are initialised while boot memory is freed, what is timed has that in it. */
	if (!b->rules->hugetlb_gather_early)
		units_add(b, t, STAGE_HUGETLB_TAILS, UNIT_ONCE, is_first_boot_pool(b, out->pool), 1, "1",
			  "mm/memblock.c: memblock_free_all; mm/hugetlb.c: the rest of hugetlb_init");
	if (!b->rules->hugetlb_skips_tails)
		pages_add(
			b, t, STAGE_HUGETLB_TAILS, KIND_HUGETLB, pages, p->threads, "count * passes * h",
			"mm/mm_init.c: reserve_bootmem_region; mm/hugetlb.c: __prep_compound_gigantic_page");
	else if (b->rules->hugetlb_gather_early)
		pages_add(b, t, STAGE_HUGETLB_TAILS, KIND_HUGETLB, pages, p->threads, formula_tails,
			  "mm/hugetlb.c: hugetlb_bootmem_struct_page_init (in page_alloc_init_late)");
	else
		pages_add(b, t, STAGE_HUGETLB_TAILS, KIND_HUGETLB, pages, p->threads, formula_tails,
			  "mm/hugetlb.c: gather_bootmem_prealloc (in hugetlb_init)");
}

static void buddy_boot_terms(struct builder *b, struct pool_work *out, const struct pool_terms *p)
{
	struct work_terms *t = &out->terms;

	units_add(b, t, STAGE_HUGETLB_ALLOC, UNIT_ONCE, is_first_boot_pool(b, out->pool), 1, "1",
		  "mm/hugetlb.c: the rest of hugetlb_init");
	units_add(b, t, STAGE_HUGETLB_ALLOC, UNIT_HUGEPAGES, p->count, p->threads, "count",
		  "mm/hugetlb.c: hugetlb_pages_alloc_boot_node; 6.1: alloc_pool_huge_page");
	pages_add(b, t, STAGE_HUGETLB_ALLOC, KIND_HUGETLB, p->pages, p->threads, "count * h", rule_compound);
	units_add(b, t, STAGE_HUGETLB_ALLOC, UNIT_ZEROED_BYTES, p->cleared, p->threads, formula_cleared,
		  rule_cleared);
}

static void alloc_terms(struct builder *b, struct pool_work *out, const struct pool_terms *p)
{
	struct work_terms *t = &out->terms;

	units_add(b, t, STAGE_HUGEPAGE_ALLOC, UNIT_HUGEPAGES, p->count, 1, "count",
		  "mm/hugetlb.c: set_max_huge_pages");
	pages_add(b, t, STAGE_HUGEPAGE_ALLOC, KIND_HUGETLB, p->pages, 1, "count * h", rule_compound);
	units_add(b, t, STAGE_HUGEPAGE_ALLOC, UNIT_ZEROED_BYTES, p->cleared, 1, formula_cleared,
		  rule_cleared);
	units_add(b, t, STAGE_HUGEPAGE_ALLOC, UNIT_VMEMMAP_PTES, p->remaps, 1, formula_remaps,
		  "mm/hugetlb_vmemmap.c: vmemmap_remap_pte");
	units_add(b, t, STAGE_HUGEPAGE_ALLOC, UNIT_VMEMMAP_PAGES, p->freed, 1, formula_remaps,
		  "mm/hugetlb_vmemmap.c: free_vmemmap_page_list");
	if (b->rules->hvo_grace_period && p->remaps)
		units_add(b, t, STAGE_HUGEPAGE_ALLOC, UNIT_GRACE_PERIODS, 1, 1, "1 a batch",
			  rule_grace_period);
}

static void free_terms(struct builder *b, struct pool_work *out, const struct pool_terms *p)
{
	uint64_t restored = b->host->kernel.init_on_alloc ? p->freed * b->rules->page_bytes : 0;
	struct work_terms *t = &out->terms;

	units_add(b, t, STAGE_HUGEPAGE_FREE, UNIT_HUGEPAGES, p->count, 1, "count",
		  "mm/hugetlb.c: update_and_free_hugetlb_folio");
	pages_add(b, t, STAGE_HUGEPAGE_FREE, KIND_HUGETLB, p->pages, 1, "count * h",
		  "mm/page_alloc.c: free_pages_prepare; gigantic: free_contig_range");
	units_add(b, t, STAGE_HUGEPAGE_FREE, UNIT_VMEMMAP_PTES, p->remaps, 1, formula_remaps,
		  "mm/hugetlb_vmemmap.c: vmemmap_restore_pte");
	units_add(b, t, STAGE_HUGEPAGE_FREE, UNIT_VMEMMAP_PAGES, p->freed, 1, formula_remaps,
		  "mm/hugetlb_vmemmap.c: alloc_vmemmap_page_list");
	units_add(b, t, STAGE_HUGEPAGE_FREE, UNIT_ZEROED_BYTES, restored, 1, "count * (h*SP - P)",
		  rule_cleared);
}

static void pool_facts(struct builder *b, struct pool_work *out)
{
	uint64_t page = b->rules->page_bytes, sp = b->host->struct_page_bytes,
		 h = out->struct_pages_per_hugepage;
	struct geometry_fact *f = out->facts;
	size_t *nr = &out->nr_facts;

	fact_add(f, nr, "count", out->pool->count, "hugepages");
	fact_add(f, nr, "h", h, "struct pages of a hugepage");
	fact_add(f, nr, "P", page, "page size, bytes");
	fact_add(f, nr, "SP", sp, "sizeof(struct page), bytes");
	fact_add(f, nr, "P/SP", page / sp,
		 "struct pages in the vmemmap page that HVO keeps, the head's included");
	fact_add(f, nr, "h*SP/P", h * sp / page, "vmemmap pages of a hugepage; HVO keeps one");
	fact_add(f, nr, "passes", b->rules->hugetlb_passes, "writes of each struct page without HVO");
	fact_add(f, nr, "initialised", out->struct_pages_initialized,
		 "struct pages written for each, in all passes");
	if (out->struct_pages_saved_by_hvo)
		fact_add(f, nr, "h - P/SP", out->struct_pages_saved_by_hvo,
			 "never written thanks to HVO; the patch's text says one more (262144 - 63 = "
			 "262081): it "
			 "subtracts the 63 tails but not the head");
}

static int check_pool(struct builder *b, const struct host_hugepages *pool)
{
	uint64_t size = pool->size_bytes, total, end;

	if (size < 2 * b->rules->page_bytes || !is_pow2(size))
		return complain(b, DIAG_ERROR, &pool->size_bytes, -EINVAL,
				"a hugepage is a power of two of more than one page, not %" PRIu64 " bytes",
				size);
	if (mul_u64(size, pool->count, &total) || physical_end(0, total, &end))
		return complain(b, DIAG_ERROR, &pool->count, -EOVERFLOW,
				"%" PRIu64 " hugepages of %" PRIu64 " bytes exceed 2^52 bytes", pool->count,
				size);
	return 0;
}

static uint64_t initialized_each(const struct builder *b, const struct host_hugepages *pool, uint64_t h)
{
	if (pool->when != HUGEPAGES_BOOT || !pool_is_gigantic(b->rules, pool))
		return 0;
	if (!b->rules->hugetlb_skips_tails)
		return h * b->rules->hugetlb_passes;
	return pool_has_hvo(b, pool) ? MIN(h, b->rules->page_bytes / b->host->struct_page_bytes) : h;
}

int pool_work_for(struct builder *b, const struct host_hugepages *pool, struct pool_work *out)
{
	bool boot = pool->when == HUGEPAGES_BOOT, gigantic = pool_is_gigantic(b->rules, pool);
	bool hvo = pool_has_hvo(b, pool);
	uint64_t h = pool->size_bytes / b->rules->page_bytes, saving;
	struct pool_terms p = {.count = pool->count, .pages = pool->count * h, .threads = 1};
	int err = check_pool(b, pool);

	if (err)
		return err;
	saving = hvo_saving(b, pool);
	out->pool = pool;
	out->struct_pages_per_hugepage = h;
	out->struct_pages_initialized = initialized_each(b, pool, h);
	if (hvo && boot && gigantic && b->rules->hugetlb_skips_tails)
		out->struct_pages_saved_by_hvo = h - out->struct_pages_initialized;
	out->saveable_bytes = saving * pool->count;
	out->saved_bytes = hvo ? out->saveable_bytes : 0;
	p.remaps = out->saved_bytes / b->rules->page_bytes;
	p.freed = pool_is_pre_optimized(b, pool) ? 0 : p.remaps;
	if (b->host->kernel.init_on_alloc && !(boot && gigantic))
		p.cleared = pool->count * pool->size_bytes;
	pool_facts(b, out);
	if (!boot) {
		alloc_terms(b, out, &p);
		free_terms(b, out, &p);
		return 0;
	}
	p.threads = gigantic ? gather_threads(b, pool) : boot_threads(b, pool);
	if (gigantic)
		gigantic_boot_terms(b, out, &p);
	else
		buddy_boot_terms(b, out, &p);
	if (hvo)
		hvo_terms(b, out, &p);
	return 0;
}
