// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of struct facts, in the order they are printed. */
#include "probe/facts.h"

#define ROW_IF(name_, type_, struct_, member_, has_, help_)                                                  \
	{                                                                                                    \
		.name = name_, .type = KEY_##type_, .offset = offsetof(struct struct_, member_),             \
		.has_offset = offsetof(struct struct_, has_), .help = help_                                  \
	}
#define ROW(name_, type_, struct_, member_, help_)                                                           \
	{                                                                                                    \
		.name = name_, .type = KEY_##type_, .offset = offsetof(struct struct_, member_),             \
		.help = help_                                                                                \
	}
#define LIST(name_, rows_, member_, struct_, help_)                                                          \
	{                                                                                                    \
		.name = name_, .type = KEY_LIST, .keys = rows_, .offset = offsetof(struct facts, member_),   \
		.nr_offset = offsetof(struct facts, nr_##member_), .item_size = sizeof(struct struct_),      \
		.help = help_                                                                                \
	}

static const struct key cache_keys[] = {
	ROW_IF("level", COUNT, fact_cache, level, has_level, "1 is nearest to the CPU"),
	ROW("type", TEXT, fact_cache, type, "Data, Instruction or Unified"),
	ROW("size", SIZE, fact_cache, size_bytes, "of one"),
	ROW("shared_cpus", TEXT, fact_cache, shared_cpus, "CPUs that share it with CPU 0"),
	{0},
};

static const struct key node_keys[] = {
	ROW("id", COUNT32, fact_node, id, "number of the NUMA node"),
	ROW("kind", TEXT, fact_node, kind, "what it has"),
	ROW("distances", TEXT, fact_node, distances, "to the nodes in order, as the firmware says"),
	{0},
};

static const struct key option_keys[] = {
	ROW("name", TEXT, fact_option, name, "of the option"),
	ROW("value", TEXT, fact_option, value, "as written"),
	{0},
};

static const struct key pool_keys[] = {
	ROW("size", SIZE, fact_pool, size_bytes, "of one hugepage"),
	ROW("node", INDEX, fact_pool, node, "-1: the whole host"),
	ROW("pages", COUNT, fact_pool, pages, "nr_hugepages"),
	ROW_IF("free", COUNT, fact_pool, free_pages, has_free, "free_hugepages"),
	ROW_IF("surplus", COUNT, fact_pool, surplus_pages, has_surplus, "surplus_hugepages"),
	{0},
};

static const struct key bus_keys[] = {
	ROW("name", TEXT, fact_bus, name, "ndbus0"),
	ROW("provider", TEXT, fact_bus, provider, "what registered it"),
	{0},
};

static const struct key dimm_keys[] = {
	ROW("name", TEXT, fact_dimm, name, "nmem0"),
	ROW("handle", TEXT, fact_dimm, handle, "NFIT device handle"),
	ROW("phys_id", TEXT, fact_dimm, phys_id, "SMBIOS handle"),
	ROW("state", TEXT, fact_dimm, state, "idle or active"),
	ROW("flags", TEXT, fact_dimm, flags, "of its health"),
	{0},
};

static const struct key region_keys[] = {
	ROW("name", TEXT, fact_region, name, "region0"),
	ROW("type", TEXT, fact_region, type, "pmem or volatile"),
	ROW_IF("size", SIZE, fact_region, size_bytes, has_size, "of the region"),
	ROW_IF("available", SIZE, fact_region, available_bytes, has_available, "not in a namespace"),
	ROW_IF("align", SIZE, fact_region, align_bytes, has_align, "of namespaces in it"),
	ROW("node", INDEX, fact_region, node, "near to it"),
	ROW("target_node", INDEX, fact_region, target_node, "it becomes when onlined"),
	ROW_IF("start", SIZE, fact_region, start_bytes, has_start, "physical address"),
	ROW_IF("mappings", COUNT, fact_region, mappings, has_mappings, "DIMMs it is interleaved over"),
	{0},
};

static const struct key namespace_keys[] = {
	ROW("name", TEXT, fact_namespace, name, "namespace0.0"),
	ROW("region", TEXT, fact_namespace, region, "that it is in"),
	ROW("device", TEXT, fact_namespace, device, "its block or dax device"),
	ROW("claim", TEXT, fact_namespace, claim, "pfn, dax or btt device on it"),
	ROW("mode", TEXT, fact_namespace, mode, "as ndctl calls it"),
	ROW("map", TEXT, fact_namespace, map, "where the memmap lies"),
	ROW_IF("raw_size", SIZE, fact_namespace, raw_bytes, has_raw, "of the namespace"),
	ROW_IF("usable", SIZE, fact_namespace, usable_bytes, has_usable, "size as ndctl list shows it"),
	ROW_IF("align", SIZE, fact_namespace, align_bytes, has_align, "of its info block"),
	ROW_IF("sector_size", SIZE, fact_namespace, sector_bytes, has_sector, "of its block device"),
	ROW("node", INDEX, fact_namespace, node, "near to it"),
	ROW("target_node", INDEX, fact_namespace, target_node, "it becomes when onlined"),
	ROW("in_use", TEXT, fact_namespace, in_use, "mounted, swap, held"),
	{0},
};

static const struct key dax_keys[] = {
	ROW("name", TEXT, fact_dax, name, "dax0.0"),
	ROW("driver", TEXT, fact_dax, driver, "device_dax or kmem (system-ram)"),
	ROW("size", SIZE, fact_dax, size_bytes, "of the device"),
	ROW_IF("align", SIZE, fact_dax, align_bytes, has_align, "of its mappings"),
	ROW("node", INDEX, fact_dax, node, "near to it"),
	ROW("target_node", INDEX, fact_dax, target_node, "it becomes when onlined"),
	ROW_IF("total_blocks", COUNT, fact_dax, blocks_total, has_blocks, "memory blocks that it makes"),
	ROW_IF("online_blocks", COUNT, fact_dax, blocks_online, has_blocks, "of them online"),
	ROW_IF("memmap_on_memory", BOOL, fact_dax, memmap_on_memory, has_memmap_on_memory,
	       "memmap of each block in the block"),
	{0},
};

static const struct key accelerator_keys[] = {
	ROW("address", TEXT, fact_accelerator, address, "on the PCI bus"),
	ROW("class", TEXT, fact_accelerator, class, "of the device"),
	ROW("vendor", TEXT, fact_accelerator, vendor, "PCI vendor"),
	ROW("device", TEXT, fact_accelerator, device, "PCI device"),
	ROW("driver", TEXT, fact_accelerator, driver, "bound to it"),
	ROW_IF("largest_bar", SIZE, fact_accelerator, bar_bytes, has_bar, "its largest BAR"),
	ROW("bars", TEXT, fact_accelerator, bars, "sizes of all of them that are memory"),
	ROW("node", INDEX, fact_accelerator, node, "near to it"),
	ROW("registers", TEXT, fact_accelerator, registers, "device memory that the driver registers"),
	{0},
};

static const struct key function_keys[] = {
	ROW("name", TEXT, fact_function, name, "of the function"),
	ROW("present", BOOL, fact_function, present, "in the kernel BTF, so not inlined"),
	{0},
};

const struct key facts_keys[] = {
	ROW("virtualization", TEXT, facts, virtualization, "the hypervisor, or none"),
	ROW_IF("kvm", BOOL, facts, kvm, has_kvm, "/dev/kvm is there"),
	ROW("cpu", TEXT, facts, cpu, "model of CPU 0"),
	ROW("struct_page_members", TEXT, facts, page_members, "members of struct page and their offsets"),
	ROW_IF("device_private", BOOL, facts, device_private, has_device_private, "CONFIG_DEVICE_PRIVATE"),
	ROW_IF("memory_block", SIZE, facts, block_bytes, has_block_size, "size of a memory block"),
	ROW_IF("blocks_online", COUNT, facts, blocks_online, has_blocks, "memory blocks"),
	ROW_IF("blocks_offline", COUNT, facts, blocks_offline, has_blocks, "memory blocks"),
	ROW("auto_online_blocks", TEXT, facts, auto_online, "what happens to hot-added blocks"),
	ROW("udev_onlines", TEXT, facts, udev_onlines, "udev rule that puts hot-added blocks online"),
	ROW("online_policy", TEXT, facts, online_policy, "memory_hotplug.online_policy"),
	ROW("memmap_on_memory", TEXT, facts, memmap_on_memory, "memory_hotplug.memmap_on_memory"),
	ROW("hvo_option", TEXT, facts, hvo_option, "hugetlb_free_vmemmap= of the command line"),
	ROW("hvo_sysctl", TEXT, facts, hvo_sysctl, "vm.hugetlb_optimize_vmemmap"),
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
	{0},
};

void facts_free(struct facts *facts)
{
	keys_free(facts_keys, facts);
}
