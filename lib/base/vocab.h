/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one vocabulary: architectures, init paths, page kinds, events, stages and units of work.
 *
 * Geometry counts units for each stage, a measurement says how long those units took, a profile says
 * what one unit costs and a forecast multiplies the two. All of them name stages and units by the rows
 * of the tables behind this header, so a forecast and a measurement line up row by row.
 */
#ifndef MEMMAPCTL_BASE_VOCAB_H
#define MEMMAPCTL_BASE_VOCAB_H

#include <stdbool.h>
#include <stddef.h>

enum arch_id {
	ARCH_X86_64,
	ARCH_AARCH64,
	NR_ARCHES,
};

/* How struct pages are written. */
enum memmap_path {
	PATH_BASELINE,    /* every field of every struct page, as the stock kernel does */
	PATH_TEMPLATE,    /* one prepared struct page copied by plain stores */
	PATH_TEMPLATE_NT, /* the same with non-temporal stores */
	NR_PATHS,
	PATH_ANY = NR_PATHS, /* in a profile: the cost does not depend on the path */
};
#define PATH_NAMES "baseline", "template", "template-nt", "any"

/* Which sequence of struct page writes. */
enum page_kind {
	KIND_ZD_BASE,     /* ZONE_DEVICE base pages */
	KIND_ZD_COMPOUND, /* ZONE_DEVICE head and tails */
	KIND_HUGETLB,     /* tails of a bootmem gigantic page */
	KIND_ORDINARY,    /* boot-time RAM, initialised and then freed */
	NR_KINDS,
	KIND_NONE = NR_KINDS, /* the unit is not a struct page */
};
#define KIND_NAMES "zd-base", "zd-compound", "hugetlb", "ordinary", "none"

enum event_id {
	EVENT_BIND,       /* every bind; a rebind is this and nothing more */
	EVENT_FIRST_BIND, /* what only the first bind after boot pays, on top of EVENT_BIND */
	EVENT_UNBIND,
	EVENT_ONLINE, /* memory blocks of a device used as system RAM */
	EVENT_BOOT,
	EVENT_HUGEPAGE, /* run-time growth and shrinkage of hugepage pools */
	NR_EVENTS,
};

enum stage_id {
	STAGE_ADD_MEMORY,
	STAGE_MOVE_ZONE,
	STAGE_MEMMAP_INIT,
	STAGE_DRIVER,
	STAGE_FIRST_TOUCH,
	STAGE_REMOVE_MEMORY,
	STAGE_RELEASE,
	STAGE_ONLINE_PAGES,
	STAGE_MEMMAP_EARLY,
	STAGE_MEMMAP_DEFERRED,
	STAGE_HUGETLB_ALLOC,
	STAGE_HUGETLB_TAILS,
	STAGE_HVO_REMAP,
	STAGE_BOOT_REST,
	STAGE_HUGEPAGE_ALLOC,
	STAGE_HUGEPAGE_FREE,
	NR_STAGES,
	STAGE_TOTAL = NR_STAGES, /* in an observation: all stages of the event together */
};

/* What a stage's time scales with. */
enum unit_id {
	UNIT_ONCE,
	UNIT_STRUCT_PAGES,    /* really initialised, by page kind */
	UNIT_PAGEBLOCKS,      /* migratetype writes; onlining: looked at by set_zone_contiguous */
	UNIT_SECTIONS,        /* sparse_add_section or sparse_remove_section calls */
	UNIT_VMEMMAP_PMDS,    /* vmemmap mapped by a PMD leaf (2 MiB at 4K pages) */
	UNIT_VMEMMAP_PTES,    /* vmemmap mapped by a PTE */
	UNIT_VMEMMAP_PAGES,   /* base pages allocated for vmemmap and its page tables */
	UNIT_ZEROED_BYTES,    /* memory cleared at allocation (init_on_alloc, huge pages) */
	UNIT_DIRECT_MAP_PTES, /* arm64's 4K direct map */
	UNIT_GRACE_PERIODS,   /* RCU grace periods waited for */
	UNIT_TOUCHED_PAGES,   /* base pages of vmemmap backing touched for the first time */
	UNIT_MEMORY_BLOCKS,   /* sysfs memory blocks, with their uevents */
	UNIT_HUGEPAGES,
	UNIT_DISKS, /* block devices that come and go with the device, with their uevents and queues */
	UNIT_ONLY_DISKS, /* those that are the only one of their driver: the kernel turns something on and off for them */
	UNIT_FREED_BYTES, /* memory given back to the buddy allocator */
	NR_UNITS,
};

/* A row of the stage table. */
struct stage {
	const char *name; /* stable: in JSON, profiles and tables */
	enum event_id event;
	enum unit_id unit;    /* the unit named first when a stage has several */
	bool memmap;          /* part of the memory map's time (boot_rest is not) */
	const char *what;     /* a line for help and --explain */
	const char *timed_by; /* the kernel functions or log lines that time it */
};

extern const struct stage stages[NR_STAGES];

/*
 * The stable name of a row ("zd-base", "template-nt", "struct pages"...); "any", "none" or "total" for
 * the values just past the end. The strings are static.
 */
const char *arch_name(enum arch_id arch);
const char *path_name(enum memmap_path path);
const char *kind_name(enum page_kind kind);
const char *event_name(enum event_id event);
const char *stage_name(enum stage_id stage);
const char *unit_name(enum unit_id unit);

/* The reverse: 0 and *out set, or -EINVAL with *out untouched. */
int arch_from_name(const char *name, enum arch_id *out);
int path_from_name(const char *name, enum memmap_path *out);

#endif
