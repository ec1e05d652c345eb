// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/vocab.h"

#include <errno.h>
#include <string.h>

#include "base/util.h"

const struct stage stages[NR_STAGES] = {
	[STAGE_ADD_MEMORY] = {"add_memory",      EVENT_BIND,       UNIT_SECTIONS,      true,
			      "sections added, vmemmap and direct map populated, under the hotplug lock",             "arch_add_memory, add_pages"                               },
	[STAGE_MOVE_ZONE] = {"move_zone",       EVENT_BIND,       UNIT_STRUCT_PAGES,  true,
			      "the range joins ZONE_DEVICE; the altmap's own struct pages are initialised",           "move_pfn_range_to_zone"                                   },
	[STAGE_MEMMAP_INIT] = {"memmap_init",     EVENT_BIND,       UNIT_STRUCT_PAGES,  true,
                              "struct pages initialised, outside the hotplug lock",				   "memmap_init_zone_device"                                  },
	[STAGE_DRIVER] =
		{"driver",          EVENT_BIND,       UNIT_ONCE,          true,
			      "the rest of the bind: a grace period, probes, uevents, the second asynchronous probe",
			      "nd_pmem_probe, dev_dax_probe, minus the stages above"											     },
	[STAGE_FIRST_TOUCH] = {"first_touch",     EVENT_FIRST_BIND, UNIT_TOUCHED_PAGES, true,
                              "backing of the memmap touched for the first time (a VM faults on each page)",          "first bind minus a rebind"                                },
	[STAGE_REMOVE_MEMORY] = {"remove_memory",   EVENT_UNBIND,     UNIT_SECTIONS,      true,
                              "sections removed, vmemmap and direct map torn down",                                   "memunmap_pages"                                           },
	[STAGE_RELEASE] = {"release",         EVENT_UNBIND,     UNIT_ONCE,          true,
			      "the rest of the unbind: the driver's own device, and its disk, are taken down",        "unbind minus memunmap_pages"                              },
	[STAGE_ONLINE_PAGES] = {"online_pages",    EVENT_ONLINE,     UNIT_MEMORY_BLOCKS, true,
                              "memory blocks onlined; their struct pages are initialised here",                       "online_memory_block, online_pages"                        },
	[STAGE_MEMMAP_EARLY] = {"memmap_early",    EVENT_BOOT,       UNIT_STRUCT_PAGES,  true,
                              "struct pages of RAM initialised by one CPU before the others start",                   "printk stamps around memmap_init (not traceable)"         },
	[STAGE_MEMMAP_DEFERRED] = {"memmap_deferred", EVENT_BOOT,       UNIT_STRUCT_PAGES,  true,
                              "struct pages of RAM initialised by all CPUs of each node",                             "deferred_init_memmap, 'deferred pages initialised in'"    },
	[STAGE_HUGETLB_ALLOC] = {"hugetlb_alloc",   EVENT_BOOT,       UNIT_HUGEPAGES,     true,
                              "boot-time hugepages taken from memblock or the buddy allocator",                       "hugetlb_hstate_alloc_pages, 'HugeTLB: allocation took'"   },
	[STAGE_HUGETLB_TAILS] = {"hugetlb_tails",   EVENT_BOOT,       UNIT_STRUCT_PAGES,  true,
                              "struct pages of boot-time hugepages initialised",				      "gather_bootmem_prealloc, hugetlb_bootmem_struct_page_init"},
	[STAGE_HVO_REMAP] = {"hvo_remap",       EVENT_BOOT,       UNIT_HUGEPAGES,     true,
			      "vmemmap of boot-time hugepages remapped and freed (HVO)",			      "hugetlb_vmemmap_optimize_folios"                          },
	[STAGE_BOOT_REST] = {"boot_rest",       EVENT_BOOT,       UNIT_ONCE,          false,
			      "the rest of kernel start to /init, not the memory map's",			      "kernel start to /init minus the stages above"             },
	[STAGE_HUGEPAGE_ALLOC] = {"hugepage_alloc",  EVENT_HUGEPAGE,   UNIT_HUGEPAGES,     true,
                              "hugepages allocated at run time, cleared, HVO applied",                                "__nr_hugepages_store_common"                              },
	[STAGE_HUGEPAGE_FREE] = {"hugepage_free",   EVENT_HUGEPAGE,   UNIT_HUGEPAGES,     true,
                              "hugepages freed at run time, vmemmap restored where HVO took it",                      "__nr_hugepages_store_common"                              },
};

static const char *const arch_names[] = {"x86_64", "aarch64"};
static const char *const path_names[] = {PATH_NAMES};
static const char *const kind_names[] = {KIND_NAMES};
static const char *const event_names[] = {"bind", "first-bind", "unbind", "online", "boot", "hugepage"};
static const char *const unit_names[] = {
	[UNIT_ONCE] = "once",
	[UNIT_STRUCT_PAGES] = "struct pages",
	[UNIT_PAGEBLOCKS] = "pageblocks",
	[UNIT_SECTIONS] = "sections",
	[UNIT_VMEMMAP_PMDS] = "vmemmap PMDs",
	[UNIT_VMEMMAP_PTES] = "vmemmap PTEs",
	[UNIT_VMEMMAP_PAGES] = "vmemmap pages",
	[UNIT_ZEROED_BYTES] = "zeroed bytes",
	[UNIT_DIRECT_MAP_PTES] = "direct map PTEs",
	[UNIT_GRACE_PERIODS] = "grace periods",
	[UNIT_TOUCHED_PAGES] = "touched pages",
	[UNIT_MEMORY_BLOCKS] = "memory blocks",
	[UNIT_HUGEPAGES] = "hugepages",
	[UNIT_DISKS] = "disks",
	[UNIT_ONLY_DISKS] = "only disks",
	[UNIT_FREED_BYTES] = "freed bytes",
};

_Static_assert(ARRAY_SIZE(arch_names) == NR_ARCHES, "a name for every architecture");
_Static_assert(ARRAY_SIZE(path_names) == NR_PATHS + 1, "a name for every path, and any");
_Static_assert(ARRAY_SIZE(kind_names) == NR_KINDS + 1, "a name for every kind, and none");
_Static_assert(ARRAY_SIZE(event_names) == NR_EVENTS, "a name for every event");
_Static_assert(ARRAY_SIZE(unit_names) == NR_UNITS, "a name for every unit");

static int index_of(const char *const *names, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(names[i], name))
			return (int)i;
	}
	return -EINVAL;
}

#define NAMED(type, prefix)                                                                                  \
	const char *prefix##_name(type value)                                                                \
	{                                                                                                    \
		return (size_t)value < ARRAY_SIZE(prefix##_names) ? prefix##_names[value] : "?";             \
	}
#define READ_BACK(type, prefix)                                                                              \
	int prefix##_from_name(const char *name, type *out)                                                  \
	{                                                                                                    \
		int i = index_of(prefix##_names, ARRAY_SIZE(prefix##_names), name);                          \
		if (i < 0)                                                                                   \
			return i;                                                                            \
		*out = (type)i;                                                                              \
		return 0;                                                                                    \
	}

NAMED(enum arch_id, arch)
NAMED(enum memmap_path, path)
NAMED(enum page_kind, kind)
NAMED(enum event_id, event)
NAMED(enum unit_id, unit)
READ_BACK(enum arch_id, arch)
READ_BACK(enum memmap_path, path)

const char *stage_name(enum stage_id stage)
{
	if (stage == STAGE_TOTAL)
		return "total";
	return (size_t)stage < NR_STAGES ? stages[stage].name : "?";
}
