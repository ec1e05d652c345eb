/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a probe sees beyond the host description: for whoever reads it, for -f json, and for rules about
 * what will go wrong. One table of rows (facts_keys) drives the JSON, the comments of the YAML and the
 * memory of it.
 *
 * Texts that are NULL, indexes that are -1 and numbers whose has_ flag is not set were not seen.
 */
#ifndef MEMMAPCTL_PROBE_FACTS_H
#define MEMMAPCTL_PROBE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/keys.h"

struct fact_cache {
	bool has_level;
	uint64_t level;
	char *type;
	uint64_t size_bytes;
	char *shared_cpus;
};

struct fact_node {
	uint32_t id;
	char *kind;      /* "CPUs and memory", "memory only", "CPUs only", "empty" */
	char *distances; /* as in sysfs, to the online nodes in order */
};

/* An option of the kernel command line that concerns memory. */
struct fact_option {
	char *name;
	char *value; /* NULL: without one */
};

struct fact_pool {
	uint64_t size_bytes;
	int node; /* -1: the host's total */
	uint64_t pages;
	bool has_free, has_surplus;
	uint64_t free_pages, surplus_pages;
};

struct fact_bus {
	char *name, *provider;
};

struct fact_dimm {
	char *name, *handle, *phys_id, *state, *flags;
};

struct fact_region {
	char *name, *type;
	bool has_size;
	uint64_t size_bytes;
	bool has_available;
	uint64_t available_bytes;
	bool has_align;
	uint64_t align_bytes;
	int node, target_node;
	bool has_start;
	uint64_t start_bytes;
	bool has_mappings;
	uint64_t mappings; /* interleaved DIMMs */
};

struct fact_namespace {
	char *name;   /* namespace0.0 */
	char *region; /* region0 */
	char *device; /* pmem0, dax0.0; NULL: not enabled */
	char *claim;  /* pfn0.0, dax0.0, btt0.0 */
	char *mode, *map;
	bool has_raw;
	uint64_t raw_bytes;
	bool has_usable;
	uint64_t usable_bytes;
	bool has_align;
	uint64_t align_bytes;
	bool has_sector;
	uint64_t sector_bytes;
	int node, target_node;
	char *in_use; /* "no", "mounted on /mnt", "swap", "held by dm-0" */
};

struct fact_dax {
	char *name, *driver;
	uint64_t size_bytes;
	bool has_align;
	uint64_t align_bytes;
	int node, target_node;
	bool has_blocks;
	uint64_t blocks_total, blocks_online;
	bool has_memmap_on_memory;
	bool memmap_on_memory;
};

struct fact_accelerator {
	char *address, *class, *vendor, *device, *driver;
	bool has_bar;
	uint64_t bar_bytes; /* the largest */
	char *bars;         /* sizes of all that are memory: "256GiB, 2MiB" */
	int node;
	char *registers; /* what the driver registers as device memory, and when */
};

struct fact_function {
	char *name;
	bool present;
};

struct facts {
	char *virtualization;
	bool has_kvm, kvm;
	char *cpu;
	char *page_members; /* of struct page: "flags 0, ..." in bytes */
	bool has_block_size;
	uint64_t block_bytes;
	bool has_blocks;
	uint64_t blocks_online, blocks_offline;
	char *auto_online, *online_policy, *memmap_on_memory;
	char *udev_onlines; /* a rule's file */
	char *hvo_option, *hvo_sysctl;
	bool has_device_private, device_private;

	struct fact_cache *caches;
	size_t nr_caches;
	struct fact_node *nodes;
	size_t nr_nodes;
	struct fact_option *options;
	size_t nr_options;
	struct fact_pool *pools;
	size_t nr_pools;
	struct fact_bus *buses;
	size_t nr_buses;
	struct fact_dimm *dimms;
	size_t nr_dimms;
	struct fact_region *regions;
	size_t nr_regions;
	struct fact_namespace *namespaces;
	size_t nr_namespaces;
	struct fact_dax *dax;
	size_t nr_dax;
	struct fact_accelerator *accelerators;
	size_t nr_accelerators;
	struct fact_function *functions;
	size_t nr_functions;
};

extern const struct key facts_keys[];

void facts_free(struct facts *facts);

#endif
