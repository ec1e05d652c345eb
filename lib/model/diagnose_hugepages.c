// SPDX-License-Identifier: GPL-2.0-or-later
/* Hugepages that the command line will not get, and HVO that is not there. */
#include <inttypes.h>

#include "base/units.h"
#include "model/diagnose.h"
#include "model/diagnose_parts.h"

/*
 * What kernels kept beside hugepages and memmap where all the rest was asked for: 0.7 % of 256 GiB (128074 of 128512
 * pages of 2 MiB came), 0.5 % of 768 GiB (385296 of 385920); 0.78 % of 512 GiB was enough for 500 of 1 GiB.
 */
enum { REST_SHARE = 136 };

static uint64_t boot_bytes(const struct host_hugepages *pool)
{
	return pool->when == HUGEPAGES_BOOT ? pool->count * pool->size_bytes : 0;
}

static void check_rest(const struct work *w, struct diags *diags)
{
	uint64_t ram = w->boot.struct_pages * w->rules.page_bytes,
		 rest = w->boot.memmap_bytes + ram / REST_SHARE;
	uint64_t sum = 0, before;
	char left[UNITS_STR];

	for (size_t i = 0; ram > rest && i < w->nr_pools; i++) {
		const struct host_hugepages *pool = w->pools[i].pool;

		before = sum;
		sum += boot_bytes(pool);
		/* More than RAM is host_check's. */
		if (!boot_bytes(pool) || sum <= ram - rest || before > ram - rest || sum > ram)
			continue;
		diagnose_warn(w->host, diags, &pool->count,
			      "hugepages and the memmap leave %s for everything else: about %" PRIu64
			      " of these %" PRIu64 " come into being (\"Only allocated ... hugepages\")%s",
			      size_human(left, ram - MIN(ram, sum + w->boot.memmap_bytes)),
			      (ram - rest - before) / pool->size_bytes, pool->count,
			      w->pools[i].saved_bytes ? "; what HVO frees, it frees too late for them" : "");
	}
}

/* mm/hugetlb.c: pages without a node are spread evenly; a node that cannot hold its share leaves it to the others. */
static void check_shares(const struct work *w, const struct host_hugepages *pool, struct diags *diags)
{
	const struct host *h = w->host;
	uint64_t nr = 0, share;
	char shown[UNITS_STR], memory[UNITS_STR];

	for (size_t i = 0; i < h->nr_nodes; i++)
		nr += h->nodes[i].memory_bytes > 0;
	if (pool->node != NODE_ANY || pool->when != HUGEPAGES_BOOT || nr < 2)
		return;
	share = pool->count / nr * pool->size_bytes;
	for (size_t i = 0; i < h->nr_nodes; i++) {
		const struct host_node *node = &h->nodes[i];

		if (!node->memory_bytes || share <= node->memory_bytes - node->memory_bytes / 32)
			continue;
		diagnose_warn(h, diags, &pool->count,
			      "each of %" PRIu64 " nodes is to hold %s of these hugepages, and node %" PRIu32
			      " has %s: the others get its share, or fewer are allocated",
			      nr, size_exact(shown, share), node->id, size_exact(memory, node->memory_bytes));
		return;
	}
}

/* What is stated as supported, and this version does not have. host_check knows of what is stated as not. */
static void check_hvo(const struct work *w, struct diags *diags)
{
	const struct host *h = w->host;

	if (!h->hvo_enabled || !h->hvo_supported)
		return;
	if (h->kernel.release && kver_cmp(h->kernel.version, KVER(5, 14, 0)) < 0)
		diagnose_warn(h, diags, &h->hvo_enabled,
			      "hvo.enabled: hugetlb_free_vmemmap= came with Linux 5.14: %s has none",
			      h->kernel.release);
	else if (!w->rules.hvo_available)
		diagnose_warn(
			h, diags, &h->hvo_enabled,
			"hvo.enabled: %s %s has no HVO (\"0 KiB vmemmap can be freed\"): nothing is saved",
			arch_name(h->arch), h->kernel.release ? h->kernel.release : "here");
}

void diagnose_hugepages(const struct work *work, struct diags *diags)
{
	check_rest(work, diags);
	for (size_t i = 0; i < work->nr_pools; i++)
		check_shares(work, work->pools[i].pool, diags);
	check_hvo(work, diags);
}
