// SPDX-License-Identifier: GPL-2.0-or-later
/* Terms of hot-plug and its undoing: mm/memremap.c: memremap_pages, memunmap_pages, and what they call. */
#include "base/util.h"
#include "geometry/parts.h"

/* One bind waits in mem_hotplug_begin: a percpu_rwsem's write side. */
enum { BIND_GRACE_PERIODS = 1 };

static const char formula_sections[] = "ceil((A0+M)/SEC) - floor(A0/SEC)";
static const char formula_pmds[] = "whole sections * (SEC/P)*SP / PMD";
static const char formula_ptes[] = "(bytes not mapped by PMDs)/P * SP/P; all of M when optimised";
static const char formula_pages[] = "base pages from RAM + PTE tables; optimised: 2 a compound + 1 a PMD";

static uint64_t backing_pages(const struct kernel_rules *rules, const struct vmemmap_counts *v)
{
	return v->pages_ram + v->pages_altmap + v->pmds * (rules->pmd_bytes / rules->page_bytes);
}

static void memory_counts(struct builder *b, const struct hotplug_range *range,
			  const struct vmemmap_counts *v, struct device_work *out)
{
	const struct kernel_rules *r = b->rules;
	uint64_t pmd_bytes = v->pmds * r->pmd_bytes, end = range->start_bytes + range->size_bytes;

	out->sections = v->sections;
	out->memmap_ram_bytes = v->pages_ram * r->page_bytes + (range->altmap ? 0 : pmd_bytes);
	out->memmap_device_bytes = v->pages_altmap * r->page_bytes + (range->altmap ? pmd_bytes : 0);
	out->page_table_bytes = v->tables * r->page_bytes;
	if (vmemmap_optimized(r, range, b->host->struct_page_bytes))
		out->memmap_saved_bytes = (v->ptes - v->pages_ram) * r->page_bytes;
	/* One table of base-page entries for each PMD of memory that the range touches. */
	if (range->direct_map && r->pte_direct_map)
		out->direct_map_table_bytes =
			(div_round_up(end, r->pmd_bytes) - range->start_bytes / r->pmd_bytes) * r->page_bytes;
}

static uint64_t direct_map_ptes(const struct kernel_rules *rules, const struct hotplug_range *range)
{
	return range->direct_map && rules->pte_direct_map ? range->size_bytes / rules->page_bytes : 0;
}

static void add_memory_terms(struct builder *b, const struct hotplug_range *range,
			     const struct vmemmap_counts *v, struct device_work *out)
{
	uint64_t zeroed = b->host->kernel.init_on_alloc ? out->memmap_ram_bytes : 0;
	struct work_terms *t = &out->terms;

	units_add(b, t, STAGE_ADD_MEMORY, UNIT_ONCE, 1, 1, "1",
		  "mm/memremap.c: arch_add_memory or add_pages, whatever it adds; x86: the direct map's few "
		  "leaves");
	units_add(b, t, STAGE_ADD_MEMORY, UNIT_SECTIONS, v->sections, 1, formula_sections,
		  "mm/memory_hotplug.c: __add_pages -> sparse_add_section");
	units_add(b, t, STAGE_ADD_MEMORY, UNIT_VMEMMAP_PMDS, v->pmds, 1, formula_pmds,
		  "mm/sparse-vmemmap.c: vmemmap_populate_hugepages");
	units_add(b, t, STAGE_ADD_MEMORY, UNIT_VMEMMAP_PTES, v->ptes, 1, formula_ptes,
		  "mm/sparse-vmemmap.c: vmemmap_populate_basepages, vmemmap_populate_compound_pages");
	units_add(b, t, STAGE_ADD_MEMORY, UNIT_VMEMMAP_PAGES, v->pages_ram + v->tables, 1, formula_pages,
		  "mm/sparse-vmemmap.c: vmemmap_alloc_block");
	units_add(b, t, STAGE_ADD_MEMORY, UNIT_ZEROED_BYTES, zeroed, 1, "memmap bytes from RAM",
		  "mm/page_alloc.c: post_alloc_hook under init_on_alloc; an altmap is not zeroed");
	units_add(b, t, STAGE_ADD_MEMORY, UNIT_DIRECT_MAP_PTES, direct_map_ptes(b->rules, range), 1, "M/P",
		  "arch/arm64/mm/mmu.c: __create_pgd_mapping, can_set_direct_map; 7.3: unless BBML3");
	/* Waited for before arch_add_memory and add_pages, which time add_memory, are called. */
	units_add(b, t, STAGE_DRIVER, UNIT_GRACE_PERIODS, BIND_GRACE_PERIODS, 1, "1",
		  "mm/memory_hotplug.c: mem_hotplug_begin");
	units_add(b, t, STAGE_FIRST_TOUCH, UNIT_TOUCHED_PAGES, backing_pages(b->rules, v), 1,
		  "memmap bytes allocated / P", "mm/sparse-vmemmap.c: vmemmap_alloc_block_buf");
}

static void remove_memory_terms(struct builder *b, const struct hotplug_range *range,
				const struct vmemmap_counts *v, unsigned int grace_periods,
				struct device_work *out)
{
	struct work_terms *t = &out->terms;

	units_add(b, t, STAGE_REMOVE_MEMORY, UNIT_SECTIONS, v->sections, 1, formula_sections,
		  "mm/sparse.c: sparse_remove_section");
	units_add(b, t, STAGE_REMOVE_MEMORY, UNIT_VMEMMAP_PMDS, v->pmds, 1, formula_pmds,
		  "arch/<arch>/mm: vmemmap_free");
	units_add(b, t, STAGE_REMOVE_MEMORY, UNIT_VMEMMAP_PTES, v->ptes, 1, formula_ptes,
		  "arch/<arch>/mm: vmemmap_free, entry by entry");
	units_add(b, t, STAGE_REMOVE_MEMORY, UNIT_VMEMMAP_PAGES, v->pages_ram + v->tables, 1, formula_pages,
		  "arch/<arch>/mm: vmemmap_free");
	units_add(b, t, STAGE_REMOVE_MEMORY, UNIT_FREED_BYTES, out->memmap_ram_bytes, 1,
		  "memmap bytes from RAM", "arch/<arch>/mm: free_pagetable; an altmap's are only counted");
	units_add(b, t, STAGE_REMOVE_MEMORY, UNIT_DIRECT_MAP_PTES, direct_map_ptes(b->rules, range), 1, "M/P",
		  "arch/arm64/mm/mmu.c: __remove_pgd_mapping");
	units_add(b, t, STAGE_REMOVE_MEMORY, UNIT_GRACE_PERIODS, grace_periods, 1,
		  "3 for memremap_pages; 1 for add_memory",
		  "mm/memremap.c: memunmap_pages (percpu_ref_kill, mem_hotplug_begin, pgmap_array_delete)");
}

void hotplug_work(struct builder *b, const struct hotplug_range *range, unsigned int unbind_grace_periods,
		  struct device_work *out)
{
	struct vmemmap_counts v;

	vmemmap_count(b->rules, range, b->host->struct_page_bytes, &v);
	out->range_bytes = range->size_bytes;
	out->struct_pages = range->size_bytes / b->rules->page_bytes;
	memory_counts(b, range, &v, out);
	add_memory_terms(b, range, &v, out);
	remove_memory_terms(b, range, &v, unbind_grace_periods, out);
}

/* memmap_init_range visits the altmap behind its reserve, so that the block of the reserve is not among these. */
static uint64_t altmap_pageblocks(const struct kernel_rules *rules, const struct hotplug_range *range)
{
	uint64_t end = range->start_bytes + range->data_offset_bytes;
	uint64_t begin = end - range->altmap_free_pages * rules->page_bytes;

	return div_round_up(end, rules->pmd_bytes) - div_round_up(begin, rules->pmd_bytes);
}

static uint64_t data_pageblocks(const struct kernel_rules *rules, const struct hotplug_range *range)
{
	uint64_t begin = range->start_bytes + (range->altmap ? range->data_offset_bytes : 0);
	uint64_t end = range->start_bytes + range->size_bytes;

	return div_round_up(end, rules->pmd_bytes) - begin / rules->pmd_bytes;
}

static const char *initialized_formula(const struct hotplug_range *range, bool optimized)
{
	if (optimized)
		return "ceil((M/P)/C) * min(C, 2*K), and C for a head in a boot-time section";
	return range->altmap ? "size/P" : "M/P";
}

void zone_device_work(struct builder *b, const struct hotplug_range *range, struct device_work *out)
{
	enum { UNBIND_GRACE_PERIODS = 3 };
	const struct kernel_rules *r = b->rules;
	enum page_kind kind = range->compound_bytes > r->page_bytes ? KIND_ZD_COMPOUND : KIND_ZD_BASE;
	bool optimized = vmemmap_optimized(r, range, b->host->struct_page_bytes);
	struct work_terms *t = &out->terms;

	hotplug_work(b, range, UNBIND_GRACE_PERIODS, out);
	out->struct_pages_altmap = range->altmap ? range->altmap_free_pages : 0;
	out->struct_pages_logged =
		out->struct_pages - (range->altmap ? range->data_offset_bytes / r->page_bytes : 0);
	out->struct_pages_initialized = zone_device_initialized(r, range, b->host->struct_page_bytes);
	if (range->altmap) {
		pages_add(b, t, STAGE_MOVE_ZONE, KIND_ORDINARY, out->struct_pages_altmap, 1, "(off - R)/P",
			  "mm/mm_init.c: memmap_init_range, the altmap's own struct pages");
		units_add(b, t, STAGE_MOVE_ZONE, UNIT_PAGEBLOCKS, altmap_pageblocks(r, range), 1,
			  "off/PMD - 1", "mm/mm_init.c: memmap_init_range -> set_pageblock_migratetype");
	}
	pages_add(b, t, STAGE_MEMMAP_INIT, kind, out->struct_pages_initialized, 1,
		  initialized_formula(range, optimized),
		  "mm/mm_init.c: memmap_init_zone_device -> compound_nr_pages, memmap_init_compound");
	units_add(b, t, STAGE_MEMMAP_INIT, UNIT_PAGEBLOCKS, data_pageblocks(r, range), 1,
		  range->altmap ? "size/PMD" : "M/PMD", "mm/mm_init.c: pageblock_migratetype_init_range");
}
