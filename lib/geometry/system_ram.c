// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory hot-added as system RAM: drivers/dax/kmem.c and mm/memory_hotplug.c. Adding it populates the vmemmap;
 * its struct pages are initialised when a memory block is onlined.
 */
#include <errno.h>

#include "base/units.h"
#include "base/util.h"
#include "geometry/parts.h"

uint64_t default_block_bytes(const struct host *host, const struct kernel_rules *rules)
{
	enum { MAX_BLOCK_BYTES = 1u << 31 };

	/* Whether x86 runs on bare metal is not stated: a VM's block may be smaller when RAM is not a multiple of 2 GiB. */
	if (host->arch != ARCH_X86_64 || host->memory_bytes < 64 * GIB)
		return rules->section_bytes;
	return MAX_BLOCK_BYTES;
}

struct blocks {
	uint64_t start_bytes, block_bytes, nr;
	uint64_t memmap_bytes; /* at the start of each; 0: the memmap is in RAM */
};

/* mm/memory_hotplug.c: mhp_supports_memmap_on_memory: a block's vmemmap must be whole PMDs and pageblocks. */
static uint64_t block_memmap(struct builder *b, const struct host_device *dev, uint64_t block_bytes)
{
	uint64_t bytes = block_bytes / b->rules->page_bytes * b->host->struct_page_bytes;

	if (!dev->memmap_on_memory)
		return 0;
	if (b->rules->memmap_on_memory && bytes % b->rules->pmd_bytes == 0)
		return bytes;
	complain(b, DIAG_WARNING, &dev->memmap_on_memory, 0, "%s: memmap_on_memory has no effect: %s",
		 dev->name,
		 b->rules->memmap_on_memory ? "the memmap of a memory block is not a multiple of a PMD"
					    : "kmem asks for it since Linux 6.8");
	return 0;
}

static int trim_to_blocks(struct builder *b, const struct host_device *dev, struct blocks *out)
{
	uint64_t start = dev->has_start ? dev->start_bytes : 0, end = start + dev->size_bytes;
	uint64_t block = dev->block_bytes ? dev->block_bytes : default_block_bytes(b->host, b->rules);
	char size[UNITS_STR];

	/* host_check says what is wrong with a block. */
	if (block < b->rules->section_bytes || !is_pow2(block) || block > MAX_PHYSICAL_BYTES)
		return complain(b, DIAG_ERROR, &dev->block_bytes, -EINVAL, "%s: no memory block is of %s",
				dev->name, size_exact(size, block));
	out->block_bytes = block;
	out->start_bytes = round_up_pow2(start, block);
	end = round_down_pow2(end, block);
	if (end <= out->start_bytes)
		return complain(b, DIAG_ERROR, &dev->size_bytes, -EINVAL,
				"%s: holds no whole memory block of %s: kmem has nothing to add", dev->name,
				size_exact(size, block));
	out->nr = (end - out->start_bytes) / block;
	out->memmap_bytes = block_memmap(b, dev, block);
	return 0;
}

/* page_alloc.c: set_zone_contiguous looks at every pageblock up to the newest one, each time a block comes online. */
static uint64_t pageblocks_rescanned(const struct kernel_rules *rules, const struct blocks *blocks)
{
	return blocks->nr * (blocks->nr + 1) / 2 * (blocks->block_bytes / rules->pmd_bytes);
}

static void block_terms(struct builder *b, const struct blocks *blocks, struct device_work *out)
{
	struct work_terms *t = &out->terms;

	units_add(b, t, STAGE_DRIVER, UNIT_ONCE, 1, 1, "1",
		  "drivers/dax/kmem.c: dev_dax_kmem_probe, minus the stages above");
	units_add(b, t, STAGE_RELEASE, UNIT_ONCE, 1, 1, "1",
		  "drivers/dax/kmem.c: dev_dax_kmem_remove, minus the stages above");
	units_add(b, t, STAGE_ADD_MEMORY, UNIT_MEMORY_BLOCKS, blocks->nr, 1, "M/B",
		  "drivers/base/memory.c: create_memory_block_devices");
	units_add(b, t, STAGE_REMOVE_MEMORY, UNIT_MEMORY_BLOCKS, blocks->nr, 1, "M/B",
		  "drivers/base/memory.c: remove_memory_block_devices");
	units_add(b, t, STAGE_ONLINE_PAGES, UNIT_MEMORY_BLOCKS, blocks->nr, 1, "M/B",
		  "mm/memory_hotplug.c: online_pages");
	pages_add(b, t, STAGE_ONLINE_PAGES, KIND_ORDINARY, out->struct_pages_initialized, 1, "M/P",
		  "mm/memory_hotplug.c: move_pfn_range_to_zone -> memmap_init_range");
	units_add(b, t, STAGE_ONLINE_PAGES, UNIT_PAGEBLOCKS, pageblocks_rescanned(b->rules, blocks), 1,
		  "n*(n+1)/2 * B/PMD with n = M/B: a zone without holes",
		  "mm/page_alloc.c: set_zone_contiguous");
}

static void block_facts(struct builder *b, const struct blocks *blocks, struct device_work *out)
{
	struct geometry_fact *f = out->facts;
	size_t *nr = &out->nr_facts;

	fact_add(f, nr, "S", out->raw_bytes, "memory of one device, bytes");
	fact_add(f, nr, "A0", blocks->start_bytes, "start of the first block; 0 when not stated, bytes");
	fact_add(f, nr, "M", blocks->nr * blocks->block_bytes,
		 "whole memory blocks, which the memmap covers, bytes");
	fact_add(f, nr, "B", blocks->block_bytes, "memory block, bytes");
	fact_add(f, nr, "memmap", blocks->memmap_bytes,
		 "bytes of each block that hold its memmap; 0: it is in RAM");
	common_facts(b, f, nr);
}

int system_ram_work(struct builder *b, const struct host_device *dev, struct device_work *out)
{
	enum { REMOVE_GRACE_PERIODS = 1 };
	struct hotplug_range range = {.compound_bytes = b->rules->page_bytes, .direct_map = true};
	struct blocks blocks = {0};
	int err = trim_to_blocks(b, dev, &blocks);

	if (err)
		return err;
	range.start_bytes = blocks.start_bytes;
	range.size_bytes = blocks.nr * blocks.block_bytes;
	range.altmap = blocks.memmap_bytes > 0;
	out->memory_blocks = blocks.nr;
	out->usable_bytes = blocks.nr * (blocks.block_bytes - blocks.memmap_bytes);
	out->struct_pages_initialized = range.size_bytes / b->rules->page_bytes;
	block_facts(b, &blocks, out);
	hotplug_work(b, &range, REMOVE_GRACE_PERIODS, out);
	block_terms(b, &blocks, out);
	return 0;
}
