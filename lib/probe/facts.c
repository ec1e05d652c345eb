// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of struct facts, in the order they are printed. */
#include "probe/facts.h"

#define AT(type_, member)  .offset = offsetof(struct type_, member)
#define HAS(type_, member) .has_offset = offsetof(struct type_, member)

static const struct key cache_keys[] = {
	{.name = "level",                    .type = KEY_COUNT, AT(fact_cache, level), .help = "1 is nearest to the CPU"},
	{.name = "type",                     .type = KEY_TEXT, AT(fact_cache, type), .help = "Data, Instruction or Unified"},
	{.name = "size", .type = KEY_SIZE, AT(fact_cache, size_bytes), .help = "of one"},
	{.name = "shared_cpus",
	 .type = KEY_TEXT,
	 AT(fact_cache, shared_cpus),
	 .help = "CPUs that share it with CPU 0"},
	{0		    },
};

static const struct key node_keys[] = {
	{.name = "id",		       .type = KEY_COUNT32, AT(fact_node, id), .help = "number of the NUMA node"},
	{.name = "kind",                      .type = KEY_TEXT, AT(fact_node, kind), .help = "what it has"},
	{.name = "distances",
	 .type = KEY_TEXT,
	 AT(fact_node, distances),
	 .help = "to the nodes in order, as the firmware says"},
	{0		    },
};

static const struct key option_keys[] = {
	{.name = "name",           .type = KEY_TEXT, AT(fact_option, name), .help = "of the option"},
	{.name = "value",          .type = KEY_TEXT, AT(fact_option, value), .help = "as written"},
	{0},
};

static const struct key pool_keys[] = {
	{.name = "size",                .type = KEY_SIZE, AT(fact_pool, size_bytes), .help = "of one hugepage"},
	{.name = "node",                 .type = KEY_INDEX, AT(fact_pool, node), .help = "-1: the whole host"},
	{.name = "pages",    .type = KEY_COUNT, AT(fact_pool, pages), .help = "nr_hugepages"},
	{.name = "free",                .type = KEY_COUNT, AT(fact_pool, free_pages), .help = "free_hugepages"},
	{.name = "surplus",                 .type = KEY_COUNT, AT(fact_pool, surplus_pages), .help = "surplus_hugepages"},
	{0},
};

static const struct key bus_keys[] = {
	{.name = "name",    .type = KEY_TEXT, AT(fact_bus, name), .help = "ndbus0"},
	{.name = "provider",      .type = KEY_TEXT, AT(fact_bus, provider), .help = "what registered it"},
	{0},
};

static const struct key dimm_keys[] = {
	{.name = "name",                .type = KEY_TEXT, AT(fact_dimm, name), .help = "nmem0"},
	{.name = "handle",                 .type = KEY_TEXT, AT(fact_dimm, handle), .help = "NFIT device handle"},
	{.name = "phys_id",              .type = KEY_TEXT, AT(fact_dimm, phys_id), .help = "SMBIOS handle"},
	{.name = "state",              .type = KEY_TEXT, AT(fact_dimm, state), .help = "idle or active"},
	{.name = "flags",                 .type = KEY_TEXT, AT(fact_dimm, flags), .help = "of its health"},
	{0},
};

static const struct key region_keys[] = {
	{.name = "name",              .type = KEY_TEXT, AT(fact_region, name), .help = "region0"},
	{.name = "type",             .type = KEY_TEXT, AT(fact_region, type), .help = "pmem or volatile"},
	{.name = "size",
	 .type = KEY_SIZE,
	 AT(fact_region, size_bytes),
	 HAS(fact_region, has_size),
	 .help = "of the region"},
	{.name = "available",
	 .type = KEY_SIZE,
	 AT(fact_region, available_bytes),
	 HAS(fact_region, has_available),
	 .help = "not in a namespace"},
	{.name = "align",
	 .type = KEY_SIZE,
	 AT(fact_region, align_bytes),
	 HAS(fact_region, has_align),
	 .help = "of namespaces in it"},
	{.name = "node", .type = KEY_INDEX, AT(fact_region, node), .help = "near to it"},
	{.name = "target_node",
	 .type = KEY_INDEX,
	 AT(fact_region, target_node),
	 .help = "it becomes when onlined"},
	{.name = "start",
	 .type = KEY_SIZE,
	 AT(fact_region, start_bytes),
	 HAS(fact_region, has_start),
	 .help = "physical address"},
	{.name = "mappings",
	 .type = KEY_COUNT,
	 AT(fact_region, mappings),
	 HAS(fact_region, has_mappings),
	 .help = "DIMMs it is interleaved over"},
	{0    },
};

static const struct key namespace_keys[] = {
	{.name = "name",			 .type = KEY_TEXT, AT(fact_namespace, name), .help = "namespace0.0"},
	{.name = "region",                     .type = KEY_TEXT, AT(fact_namespace, region), .help = "that it is in"},
	{.name = "device",                .type = KEY_TEXT, AT(fact_namespace, device), .help = "its block or dax device"},
	{.name = "claim",
	 .type = KEY_TEXT,
	 AT(fact_namespace, claim),
	 .help = "pfn, dax or btt device on it"},
	{.name = "mode",                     .type = KEY_TEXT, AT(fact_namespace, mode), .help = "as ndctl calls it"},
	{.name = "map",               .type = KEY_TEXT, AT(fact_namespace, map), .help = "where the memmap lies"},
	{.name = "raw_size",
	 .type = KEY_SIZE,
	 AT(fact_namespace, raw_bytes),
	 HAS(fact_namespace, has_raw),
	 .help = "of the namespace"},
	{.name = "usable",
	 .type = KEY_SIZE,
	 AT(fact_namespace, usable_bytes),
	 HAS(fact_namespace, has_usable),
	 .help = "size as ndctl list shows it"},
	{.name = "align",
	 .type = KEY_SIZE,
	 AT(fact_namespace, align_bytes),
	 HAS(fact_namespace, has_align),
	 .help = "of its info block"},
	{.name = "sector_size",
	 .type = KEY_SIZE,
	 AT(fact_namespace, sector_bytes),
	 HAS(fact_namespace, has_sector),
	 .help = "of its block device"},
	{.name = "node",                      .type = KEY_INDEX, AT(fact_namespace, node), .help = "near to it"},
	{.name = "target_node",
	 .type = KEY_INDEX,
	 AT(fact_namespace, target_node),
	 .help = "it becomes when onlined"},
	{.name = "in_use",                         .type = KEY_TEXT, AT(fact_namespace, in_use), .help = "mounted, swap, held"},
	{0		    },
};

static const struct key dax_keys[] = {
	{.name = "name",			     .type = KEY_TEXT, AT(fact_dax, name), .help = "dax0.0"},
	{.name = "driver",			       .type = KEY_TEXT, AT(fact_dax, driver), .help = "device_dax or kmem (system-ram)"},
	{.name = "size",			  .type = KEY_SIZE, AT(fact_dax, size_bytes), .help = "of the device"},
	{.name = "align",
	 .type = KEY_SIZE,
	 AT(fact_dax, align_bytes),
	 HAS(fact_dax, has_align),
	 .help = "of its mappings"},
	{.name = "node",			       .type = KEY_INDEX, AT(fact_dax, node), .help = "near to it"},
	{.name = "target_node",
	 .type = KEY_INDEX,
	 AT(fact_dax, target_node),
	 .help = "it becomes when onlined"},
	{.name = "total_blocks",
	 .type = KEY_COUNT,
	 AT(fact_dax, blocks_total),
	 HAS(fact_dax, has_blocks),
	 .help = "memory blocks that it makes"},
	{.name = "online_blocks",
	 .type = KEY_COUNT,
	 AT(fact_dax, blocks_online),
	 HAS(fact_dax, has_blocks),
	 .help = "of them online"},
	{.name = "memmap_on_memory",
	 .type = KEY_BOOL,
	 AT(fact_dax, memmap_on_memory),
	 HAS(fact_dax, has_memmap_on_memory),
	 .help = "memmap of each block in the block"},
	{0			   },
};

static const struct key accelerator_keys[] = {
	{.name = "address",         .type = KEY_TEXT, AT(fact_accelerator, address), .help = "on the PCI bus"},
	{.name = "class",      .type = KEY_TEXT, AT(fact_accelerator, class), .help = "of the device"},
	{.name = "vendor", .type = KEY_TEXT, AT(fact_accelerator, vendor), .help = "PCI vendor"},
	{.name = "device",           .type = KEY_TEXT, AT(fact_accelerator, device), .help = "PCI device"},
	{.name = "driver",      .type = KEY_TEXT, AT(fact_accelerator, driver), .help = "bound to it"},
	{.name = "largest_bar",
	 .type = KEY_SIZE,
	 AT(fact_accelerator, bar_bytes),
	 HAS(fact_accelerator, has_bar),
	 .help = "its largest BAR"},
	{.name = "node",          .type = KEY_INDEX, AT(fact_accelerator, node), .help = "near to it"},
	{.name = "registers",
	 .type = KEY_TEXT,
	 AT(fact_accelerator, registers),
	 .help = "device memory that the driver registers"},
	{0    },
};

static const struct key function_keys[] = {
	{.name = "name",             .type = KEY_TEXT, AT(fact_function, name), .help = "of the function"},
	{.name = "present",
	 .type = KEY_BOOL,
	 AT(fact_function, present),
	 .help = "in the kernel BTF, so not inlined"},
	{0},
};

#define LIST(name_, rows_, member, type_, help_)                                                             \
	{                                                                                                    \
		.name = name_, .type = KEY_LIST, .keys = rows_, AT(facts, member),                           \
		.nr_offset = offsetof(struct facts, nr_##member), .item_size = sizeof(struct type_),         \
		.help = help_                                                                                \
	}

const struct key facts_keys[] = {
	{.name = "virtualization",
	 .type = KEY_TEXT,
	 AT(facts, virtualization),
	 .help = "the hypervisor, or none"},
	{.name = "kvm",					   .type = KEY_BOOL, AT(facts, kvm), HAS(facts, has_kvm), .help = "/dev/kvm is there"},
	{.name = "cpu",                  .type = KEY_TEXT, AT(facts, cpu), .help = "model of CPU 0"},
	{.name = "struct_page_members",
	 .type = KEY_TEXT,
	 AT(facts, page_members),
	 .help = "members of struct page and their offsets"},
	{.name = "device_private",
	 .type = KEY_BOOL,
	 AT(facts, device_private),
	 HAS(facts, has_device_private),
	 .help = "CONFIG_DEVICE_PRIVATE"},
	{.name = "memory_block",
	 .type = KEY_SIZE,
	 AT(facts, block_bytes),
	 HAS(facts, has_block_size),
	 .help = "size of a memory block"},
	{.name = "blocks_online",
	 .type = KEY_COUNT,
	 AT(facts, blocks_online),
	 HAS(facts, has_blocks),
	 .help = "memory blocks"},
	{.name = "blocks_offline",
	 .type = KEY_COUNT,
	 AT(facts, blocks_offline),
	 HAS(facts, has_blocks),
	 .help = "memory blocks"},
	{.name = "auto_online_blocks",
	 .type = KEY_TEXT,
	 AT(facts, auto_online),
	 .help = "what happens to hot-added blocks"},
	{.name = "online_policy",
	 .type = KEY_TEXT,
	 AT(facts, online_policy),
	 .help = "memory_hotplug.online_policy"},
	{.name = "memmap_on_memory",
	 .type = KEY_TEXT,
	 AT(facts, memmap_on_memory),
	 .help = "memory_hotplug.memmap_on_memory"},
	{.name = "hvo_option",
	 .type = KEY_TEXT,
	 AT(facts, hvo_option),
	 .help = "hugetlb_free_vmemmap= of the command line"},
	{.name = "hvo_sysctl",
	 .type = KEY_TEXT,
	 AT(facts, hvo_sysctl),
	 .help = "vm.hugetlb_optimize_vmemmap"},
	LIST("caches", cache_keys, caches, fact_cache, "of CPU 0"),
	LIST("nodes", node_keys, nodes, fact_node, "NUMA nodes"),
	LIST("options", option_keys, options, fact_option,
	     "kernel command line, as far as it is about memory"),
	LIST("hugepage_pools", pool_keys, pools, fact_pool, "per size and node"),
	LIST("nd_buses", bus_keys, buses, fact_bus, "libnvdimm"),
	LIST("dimms", dimm_keys, dimms, fact_dimm, "NVDIMMs"),
	LIST("regions", region_keys, regions, fact_region, "of NVDIMMs"),
	LIST("nd_namespaces", namespace_keys, namespaces, fact_namespace, "libnvdimm namespaces"),
	LIST("dax_devices", dax_keys, dax, fact_dax, "on the dax bus"),
	LIST("accelerators", accelerator_keys, accelerators, fact_accelerator,
	     "PCI devices with memory of their own"),
	LIST("functions", function_keys, functions, fact_function, "that timing needs"),
	{0			  },
};

void facts_free(struct facts *facts)
{
	keys_free(facts_keys, facts);
}
