// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The struct pages of RAM at boot: mm/mm_init.c: memmap_init, deferred_init_memmap. What is below the deferral
 * point of each node, and what is reserved above it, one CPU writes; the rest all CPUs of the node.
 */
#include <errno.h>

#include "base/units.h"
#include "base/util.h"
#include "geometry/parts.h"

/*
 * RAM below 4 GiB, the rest of which is a hole for devices. Not in a description: x86-64 servers and QEMU's machine have
 * 2 GiB there; on arm64 RAM starts at 1 GiB in virtual machines (seen in guests: deferred pages of 4 to 100 GiB) and at
 * 2 GiB on many servers, where one more is little of the whole. It lies outside the last zone of a larger node, so it is
 * never deferred.
 */
static const uint64_t assumed_low_bytes[NR_ARCHES] = {[ARCH_X86_64] = 2 * GIB, [ARCH_AARCH64] = 3 * GIB};
/* arch/x86/include/asm/dma.h: MAX_DMA_PFN: where ZONE_DMA32 starts. */
static const uint64_t x86_dma_bytes = 16 * MIB;

static unsigned int nodes_that_state_memory(const struct host *host)
{
	unsigned int n = 0;

	for (size_t i = 0; i < host->nr_nodes; i++)
		n += host->nodes[i].memory_bytes > 0;
	return n;
}

unsigned int nodes_with_memory(const struct host *host)
{
	return MAX(nodes_that_state_memory(host), 1u);
}

int ram_bytes(const struct host *host, uint64_t *out)
{
	uint64_t sum = 0, end;

	for (size_t i = 0; !host->memory_bytes && i < host->nr_nodes; i++) {
		if (add_u64(sum, host->nodes[i].memory_bytes, &sum))
			return -EOVERFLOW;
	}
	if (host->memory_bytes)
		sum = host->memory_bytes;
	if (physical_end(0, sum, &end))
		return -EOVERFLOW;
	*out = sum;
	return 0;
}

/* A node's part of the work, in struct pages. */
struct node_pages {
	uint64_t total, early, huge, deferred;
	unsigned int threads;
};

/*
 * defer_init: in a node's last zone one section, or what is left of the first one and another, is initialised
 * before the rest is put off. The first node's lower zones are not put off at all.
 */
static uint64_t early_ram_bytes(const struct builder *b, uint64_t node_bytes, bool first_node)
{
	uint64_t section = b->rules->section_bytes;

	if (!first_node)
		return section;
	if (node_bytes > assumed_low_bytes[b->host->arch])
		return assumed_low_bytes[b->host->arch] + section;
	/* The last zone is ZONE_DMA32, which starts in the middle of a section: that one and the next. */
	if (b->host->arch == ARCH_X86_64)
		return x86_dma_bytes + 2 * section - x86_dma_bytes % section;
	return section;
}

/* Struct pages of boot-time gigantic pages on a node, as hugetlb_hstate_alloc_pages spreads them, and their saving. */
static void huge_on_node(const struct builder *b, const struct host_node *node, size_t index, uint64_t *pages,
			 uint64_t *never_allocated)
{
	unsigned int nr_nodes = nodes_with_memory(b->host);
	bool has_all_ram = !nodes_that_state_memory(b->host);

	*pages = *never_allocated = 0;
	for (size_t i = 0; i < b->host->nr_hugepages; i++) {
		const struct host_hugepages *pool = &b->host->hugepages[i];
		uint64_t h = pool->size_bytes / b->rules->page_bytes, n;

		if (pool->when != HUGEPAGES_BOOT || !pool_is_gigantic(b->rules, pool))
			continue;
		if (pool->node == NODE_ANY)
			n = pool->count / nr_nodes + (index < pool->count % nr_nodes);
		else
			n = has_all_ram || pool->node == (int)node->id ? pool->count : 0;
		*pages += n * h;
		if (pool_is_pre_optimized(b, pool))
			*never_allocated += n * (h * b->host->struct_page_bytes / b->rules->page_bytes - 1);
	}
}

/* deferred_page_init_max_threads. */
static unsigned int node_threads(const struct builder *b, uint32_t cpus)
{
	return b->rules->deferred_all_cpus ? MAX(cpus, 1u) : 1;
}

static struct node_pages node_pages(const struct builder *b, const struct host_node *node, size_t index)
{
	uint64_t page = b->rules->page_bytes, reserved, not_reserved;
	struct node_pages n = {.total = node->memory_bytes / page, .threads = node_threads(b, node->cpus)};

	if (!b->host->kernel.deferred_struct_page_init) {
		n.early = n.total;
		return n;
	}
	huge_on_node(b, node, index, &n.huge, &not_reserved);
	n.huge = MIN(n.huge, n.total);
	/* memblock_free_all -> reserve_bootmem_region; the memmap itself is the largest thing reserved. */
	reserved = n.total * b->host->struct_page_bytes / page;
	reserved -= MIN(reserved, not_reserved);
	n.early = early_ram_bytes(b, node->memory_bytes, index == 0) / page + reserved;
	n.early = MIN(n.early, n.total - n.huge);
	n.deferred = n.total - n.huge - n.early;
	return n;
}

/* Nodes run side by side, so that the wall time is the slowest one's: a / b > c / d without division. */
static bool slower(const struct node_pages *a, const struct node_pages *b)
{
	return a->deferred * b->threads > b->deferred * a->threads;
}

static void boot_facts(struct builder *b, const struct boot_work *out, const struct node_pages *slowest,
		       struct geometry_fact *facts, size_t *nr)
{
	fact_add(facts, nr, "P", b->rules->page_bytes, "page size, bytes");
	fact_add(facts, nr, "SP", b->host->struct_page_bytes, "sizeof(struct page), bytes");
	fact_add(facts, nr, "SEC", b->rules->section_bytes, "section, bytes");
	fact_add(facts, nr, "RAM/P", out->struct_pages, "struct pages of RAM");
	fact_add(facts, nr, "low", assumed_low_bytes[b->host->arch],
		 "RAM below 4 GiB, assumed: never deferred, bytes");
	fact_add(facts, nr, "early", out->struct_pages_early,
		 "struct pages below the deferral points, and of the memmap's own pages");
	fact_add(facts, nr, "huge", out->struct_pages_hugepages,
		 "struct pages of boot-time gigantic pages: counted with their pool");
	fact_add(facts, nr, "deferred", out->struct_pages_deferred, "struct pages put off, on all nodes");
	fact_add(facts, nr, "slowest", slowest->deferred, "of these, on the node with most for each thread");
	fact_add(facts, nr, "threads", slowest->threads, "threads of that node");
}

static void boot_terms(struct builder *b, struct boot_work *out, const struct node_pages *slowest)
{
	struct work_terms *t = &out->terms;

	if (!b->host->kernel.deferred_struct_page_init) {
		pages_add(b, t, STAGE_MEMMAP_EARLY, KIND_ORDINARY, out->struct_pages_early, 1, "RAM/P",
			  "mm/mm_init.c: memmap_init_range");
		return;
	}
	pages_add(b, t, STAGE_MEMMAP_EARLY, KIND_ORDINARY, out->struct_pages_early, 1,
		  "low/P + SEC/P a node + RAM/P*SP/P", "mm/mm_init.c: defer_init, reserve_bootmem_region");
	pages_add(b, t, STAGE_MEMMAP_DEFERRED, KIND_ORDINARY, slowest->deferred, slowest->threads,
		  "of the slowest node: RAM/P - early - huge",
		  "mm/mm_init.c: deferred_init_memmap, deferred_page_init_max_threads");
}

/* One size for all memory blocks: a device that is used as RAM may state it. */
static uint64_t boot_block_bytes(const struct builder *b)
{
	for (size_t i = 0; i < b->host->nr_devices; i++) {
		if (b->host->devices[i].block_bytes)
			return b->host->devices[i].block_bytes;
	}
	return default_block_bytes(b->host, b->rules);
}

int boot_work_for(struct builder *b, struct boot_work *out)
{
	struct host_node whole = {.cpus = b->host->cpus};
	bool by_node = nodes_that_state_memory(b->host) > 0;
	struct node_pages slowest = {.threads = 1};
	size_t index = 0;
	int err = ram_bytes(b->host, &whole.memory_bytes);

	if (err)
		return diag_error(b->diags, err, "RAM of more than 2^52 bytes: the largest physical address");
	if (b->host->nr_nodes && !by_node)
		complain(b, DIAG_NOTE, &b->host->nodes[0].memory_bytes, 0,
			 "memory of the nodes not stated: RAM is taken as that of one node with all CPUs");
	for (size_t i = 0; i < (by_node ? b->host->nr_nodes : 1); i++) {
		const struct host_node *node = by_node ? &b->host->nodes[i] : &whole;
		struct node_pages n;
		uint64_t end;

		if (!node->memory_bytes)
			continue;
		if (physical_end(0, node->memory_bytes, &end))
			return complain(b, DIAG_ERROR, &node->memory_bytes, -EOVERFLOW,
					"node %u: memory exceeds 2^52 bytes", node->id);
		n = node_pages(b, node, index++);
		out->struct_pages_early += n.early;
		out->struct_pages_hugepages += n.huge;
		out->struct_pages_deferred += n.deferred;
		if (slower(&n, &slowest))
			slowest = n;
	}
	out->struct_pages =
		out->struct_pages_early + out->struct_pages_hugepages + out->struct_pages_deferred;
	out->memmap_bytes = out->struct_pages * b->host->struct_page_bytes;
	out->memory_blocks = div_round_up(whole.memory_bytes, boot_block_bytes(b));
	boot_facts(b, out, &slowest, out->facts, &out->nr_facts);
	boot_terms(b, out, &slowest);
	return 0;
}
