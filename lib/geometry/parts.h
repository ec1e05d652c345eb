/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts that work_new puts together; for this directory and its tests. */
#ifndef MEMMAPCTL_GEOMETRY_PARTS_H
#define MEMMAPCTL_GEOMETRY_PARTS_H

#include "geometry/geometry.h"
#include "host/pages.h"

/*
 * 0 and *end = start + size, or -EOVERFLOW above MAX_PHYSICAL_BYTES. Checked where a size enters, so that nothing behind
 * that check can overflow: the largest product, struct pages times their size, stays below 2^52 as well.
 */
int physical_end(uint64_t start_bytes, uint64_t size_bytes, uint64_t *end);

/* What every part needs; err is sticky, so that terms can be added without a check after each. */
struct builder {
	const struct host *host;
	const struct kernel_rules *rules;
	struct diags *diags;
	int err;
};

/* Add a term unless units is 0: struct pages of a kind, or any other unit, shared by so many threads. */
void pages_add(struct builder *b, struct work_terms *terms, enum stage_id stage, enum page_kind kind,
	       uint64_t units, unsigned int threads, const char *formula, const char *rule);
void units_add(struct builder *b, struct work_terms *terms, enum stage_id stage, enum unit_id unit,
	       uint64_t units, unsigned int threads, const char *formula, const char *rule);

/* Add a fact; more than GEOMETRY_MAX_FACTS is a programming error. */
void fact_add(struct geometry_fact *facts, size_t *nr, const char *symbol, uint64_t value, const char *what);

/* P, SP, K, SEC, PMD: the same for every device. */
void common_facts(struct builder *b, struct geometry_fact *facts, size_t *nr);

/* A diagnostic at the place of a member of the host, or of one of its lists. Returns err. */
int complain(struct builder *b, enum diag_level level, const void *field, int err, const char *fmt, ...)
	_printf_(5, 6);

/* A range of memory that gets struct pages after boot. */
struct hotplug_range {
	uint64_t start_bytes;
	uint64_t size_bytes;     /* M */
	uint64_t compound_bytes; /* C * P; a page: order-0 struct pages */
	bool altmap;             /* the memmap comes from the range itself */
	uint64_t altmap_free_pages;
	uint64_t data_offset_bytes; /* of the first struct page that memmap_init_zone_device initialises */
	bool direct_map;
	/*
	 * Whether the sections that the range's first and last byte lie in were there at boot, because RAM shares
	 * them (early_section). Such a section's vmemmap exists already.
	 */
	bool first_section_early, last_section_early;
};

/* What vmemmap_populate does for a range. Pages and PTEs count base pages; PMDs pmd_bytes each. */
struct vmemmap_counts {
	uint64_t sections;
	uint64_t pmds;      /* PMD leaves; from the altmap when the range has one, else from RAM */
	uint64_t ptes;      /* PTEs set, aliases of a tail page included */
	uint64_t pages_ram; /* base pages allocated from RAM */
	uint64_t pages_altmap;
	uint64_t tables; /* PTE tables, from RAM */
};

/* Whether vmemmap_can_optimize holds for the range. */
bool vmemmap_optimized(const struct kernel_rules *rules, const struct hotplug_range *range,
		       uint64_t struct_page_bytes);
void vmemmap_count(const struct kernel_rules *rules, const struct hotplug_range *range,
		   uint64_t struct_page_bytes, struct vmemmap_counts *out);

/* Struct pages that memmap_init_zone_device really initialises: mm/mm_init.c: memmap_init_compound. */
uint64_t zone_device_initialized(const struct kernel_rules *rules, const struct hotplug_range *range,
				 uint64_t struct_page_bytes);

/* Bytes of the range in sections that were there at boot. */
uint64_t early_bytes(const struct kernel_rules *rules, const struct hotplug_range *range);

/*
 * Infer first_section_early and last_section_early: RAM as large as the host's reaches at least to the address
 * of its size, so a range that starts below that was carved out of RAM and shares the sections it cuts.
 */
void infer_early_sections(const struct host *host, const struct kernel_rules *rules, bool has_start,
			  struct hotplug_range *range);

/* Fill the counts that come from the vmemmap, and add the add_memory, first_touch and remove_memory terms. */
void hotplug_work(struct builder *b, const struct hotplug_range *range, unsigned int unbind_grace_periods,
		  struct device_work *out);
/* The same and what memremap_pages does beside it: move_zone, memmap_init. */
void zone_device_work(struct builder *b, const struct hotplug_range *range, struct device_work *out);

/* One device each; 0 or a negative errno with diagnostics. */
int namespace_work(struct builder *b, const struct host_namespace *ns, struct device_work *out);
int host_device_work(struct builder *b, const struct host_device *dev, struct device_work *out);
int system_ram_work(struct builder *b, const struct host_device *dev, struct device_work *out);

int pool_work_for(struct builder *b, const struct host_hugepages *pool, struct pool_work *out);
int boot_work_for(struct builder *b, struct boot_work *out);

/* The memory block size that the kernel would choose: arch/x86/mm/init_64.c: probe_memory_block_size. */
uint64_t default_block_bytes(const struct host *host, const struct kernel_rules *rules);

/* Gigantic pages do not come from the buddy allocator: mm/hugetlb.c: hstate_is_gigantic. */
bool pool_is_gigantic(const struct kernel_rules *rules, const struct host_hugepages *pool);
/* HVO is on, exists here and saves something for pages of this size. */
bool pool_has_hvo(const struct builder *b, const struct host_hugepages *pool);
/* The memmap of the pool's pages never exists in full: mm/hugetlb_vmemmap.c: hugetlb_vmemmap_init_early. */
bool pool_is_pre_optimized(const struct builder *b, const struct host_hugepages *pool);
/* Nodes that have memory; 1 when the description states no node's. */
unsigned int nodes_with_memory(const struct host *host);
/* RAM of the host in bytes: its own figure, or the sum of its nodes. -EOVERFLOW. */
int ram_bytes(const struct host *host, uint64_t *out);

#endif
