/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Geometry: from a host and the kernel's rules to work, i.e. to how many units each stage has. Pure
 * arithmetic, exact to the page and the byte; no I/O, no clock.
 */
#ifndef MEMMAPCTL_GEOMETRY_GEOMETRY_H
#define MEMMAPCTL_GEOMETRY_GEOMETRY_H

#include "base/diag.h"
#include "base/vocab.h"
#include "host/host.h"

/*
 * What differs between kernel versions and architectures, looked up once per host (geometry/rules.c, a table
 * with the version each rule came with and the kernel function that has it).
 */
struct kernel_rules {
	uint64_t page_bytes;
	uint64_t pmd_bytes;        /* memory that one PMD leaf maps: 2 MiB at 4K pages; a pageblock, too */
	uint64_t pud_bytes;        /* 0: no PUD-sized devdax */
	uint64_t section_bytes;    /* 128 MiB; 512 MiB with 64K pages on arm64 */
	uint64_t subsection_bytes; /* 2 MiB */
	bool vmemmap_pmds;         /* whole sections of vmemmap are mapped by PMD leaves (4K pages) */
	bool altmap_backs_pieces;  /* arm64: partial sections take their vmemmap from the altmap, too */
	bool dax_optimizable; /* ARCH_WANT_OPTIMIZE_DAX_VMEMMAP, and not switched off in the description */
	bool early_section_full_init; /* compounds in a boot-time section are initialised in full */
	bool pte_direct_map;          /* arm64: the direct map is mapped by base pages */
	bool memmap_on_memory;        /* kmem: a memmap of its own in each memory block */
	bool hvo_available;           /* the architecture has HVO in this version */
	bool hvo_pre_init;        /* SPARSEMEM_VMEMMAP_PREINIT: 1G pages are optimised before they are made */
	bool hvo_grace_period;    /* a synchronize_rcu for each batch of pages that HVO remaps */
	bool hugetlb_skips_tails; /* 63 tails first, the rest only where HVO fails */
	bool hugetlb_gather_early;     /* called from page_alloc_init_late, not from hugetlb_init */
	unsigned int hugetlb_passes;   /* struct page writes per struct page of a boot-time gigantic page */
	bool hugetlb_parallel;         /* gather_bootmem_prealloc by padata, one thread a node with memory */
	bool hugepage_threads_by_node; /* 2M pages at boot: two threads a node with memory */
	bool hugepage_threads_by_cpu;  /* or, newer, a quarter of the CPUs */
	bool deferred_all_cpus;        /* deferred init uses all CPUs of a node (6.1 on arm64: one) */
	bool tail_info_is_mask;        /* tail pages do not depend on the PFN (compound_info) */
};

/*
 * The rules for a host. 0; a version older than any row gets the oldest row and newer ones the newest, with a note
 * in diags. (-EINVAL: a page size the architecture does not have.)
 */
int kernel_rules_for(const struct host *host, struct diags *diags, struct kernel_rules *out);

/* One addend of a stage's work. */
struct work_term {
	enum stage_id stage;
	enum unit_id unit;
	enum page_kind kind; /* for UNIT_STRUCT_PAGES, else KIND_NONE */
	uint64_t units;
	unsigned int parallel; /* threads that share the units; at least 1 */
	const char *
		formula; /* static; in the names that facts are printed with ("ceil((M/P)/C) * min(C, 2K)") */
	const char *rule; /* static; the kernel function that this mirrors, with its file */
};

struct work_terms {
	struct work_term *items;
	size_t nr;
};

/* A named input of the formulas, for --explain: {"M", 107374182400, "range that the memmap covers, bytes"}. */
struct geometry_fact {
	const char *symbol; /* static */
	uint64_t value;
	const char *what; /* static */
};

enum { GEOMETRY_MAX_FACTS = 16 };

/* One device of the description: a namespace, or one of `count` devices. */
struct device_work {
	const char *name; /* belongs to the host */
	const struct host_namespace *ns;
	const struct host_device *dev; /* one of the two is NULL */
	uint32_t count;                /* how many the same */
	uint64_t raw_bytes;
	uint64_t usable_bytes;        /* what ndctl and daxctl report as size; onlined bytes for system-ram */
	uint64_t data_offset_bytes;   /* off of nd_pfn_init */
	uint64_t range_bytes;         /* M: what the memmap covers */
	uint64_t struct_pages;        /* M / P */
	uint64_t struct_pages_logged; /* what the kernel's debug line prints */
	uint64_t struct_pages_initialized; /* really, in memmap_init_zone_device (system-ram: when onlined) */
	uint64_t struct_pages_altmap;      /* and those of the altmap, in memmap_init_range */
	uint64_t memmap_ram_bytes;         /* vmemmap pages from RAM, page tables not counted */
	uint64_t memmap_device_bytes;      /* vmemmap pages from the altmap, or from the memory itself */
	uint64_t page_table_bytes;         /* PTE tables made for the vmemmap (from RAM) */
	uint64_t direct_map_table_bytes;   /* and for the direct map where base pages map it (arm64) */
	uint64_t memmap_saved_bytes;       /* what the DAX vmemmap optimisation did not have to allocate */
	uint64_t sections;
	uint64_t memory_blocks;  /* system-ram */
	struct work_terms terms; /* bind, first bind, unbind and online stages, for one device */
	struct geometry_fact facts[GEOMETRY_MAX_FACTS];
	size_t nr_facts;
};

/* One row of `hugepages:`. */
struct pool_work {
	const struct host_hugepages *pool;
	uint64_t struct_pages_per_hugepage;
	uint64_t
		struct_pages_initialized; /* per hugepage, all passes; 0 from the buddy allocator: RAM's were */
	uint64_t
		struct_pages_saved_by_hvo; /* per hugepage, not initialised because of HVO: 262080 of 262144 for 1G */
	uint64_t saved_bytes;              /* by HVO, the whole pool: 16380 KiB a 1G page, 28 KiB a 2M page */
	uint64_t saveable_bytes;           /* what HVO would save were it on (and available) */
	struct work_terms terms;           /* boot or hugepage stages, the whole pool */
	struct geometry_fact facts[GEOMETRY_MAX_FACTS];
	size_t nr_facts;
};

struct boot_work {
	uint64_t struct_pages;       /* of RAM */
	uint64_t struct_pages_early; /* by one CPU: below the deferral point, and reserved memory above it */
	uint64_t struct_pages_deferred;  /* by all CPUs of each node, nodes side by side */
	uint64_t struct_pages_hugepages; /* of boot-time gigantic pages above it: counted with their pool */
	uint64_t memmap_bytes;           /* of RAM, before HVO */
	uint64_t memory_blocks;          /* of RAM, each with a device in sysfs and a uevent at coldplug */
	struct work_terms terms;         /* memmap_early, memmap_deferred */
	struct geometry_fact facts[GEOMETRY_MAX_FACTS];
	size_t nr_facts;
};

struct work {
	const struct host *host; /* not owned; outlives the work */
	struct kernel_rules rules;
	struct device_work *devices;
	size_t nr_devices;
	struct pool_work *pools;
	size_t nr_pools;
	struct boot_work boot;
};

/*
 * The work of a host that host_check accepts: what it refuses is not refused again here, except where nothing could
 * be computed. Traps that the kernel takes but should not (a 1G devdax with map=mem whose start is not 1G-aligned)
 * become warnings in diags, with the place in the description. 0 and *out a new work that the caller frees with
 * work_free; -EINVAL when a device cannot exist (its reserve exceeds its size, say), or its stated usable size is
 * wrong; -EOVERFLOW beyond 2^52 bytes of physical addresses. What is wrong with each device and pool is in diags,
 * and the first error is returned. -ENOMEM. *out untouched on failure.
 */
int work_new(const struct host *host, struct diags *diags, struct work **out);
void work_free(struct work *work);

static inline void work_free_ptr(struct work **work)
{
	work_free(*work);
}
#define _cleanup_work_ _cleanup_(work_free_ptr)

/*
 * Namespace layout (drivers/nvdimm/pfn_devs.c: nd_pfn_init), on its own because checks and advice need it:
 * offset of the data, usable size and truncation at the end for a raw size, start, align and map. All sizes are
 * bytes; align is a power of two of at least a page, and less than 2 MiB counts as 2 MiB. -ENXIO when no data
 * remains ("unable to satisfy requested alignment"), -EOVERFLOW above 2^52, -EINVAL for the align.
 */
struct pfn_layout {
	uint64_t data_offset_bytes;
	uint64_t end_trunc_bytes;
	uint64_t usable_bytes;
	uint64_t altmap_reserve_pages; /* R / P */
	uint64_t altmap_free_pages;    /* (off - R) / P; 0 for map=mem */
};
int pfn_layout_for(uint64_t start_bytes, uint64_t size_bytes, uint64_t align_bytes, enum namespace_map map,
		   uint64_t page_bytes, struct pfn_layout *out);

#endif
