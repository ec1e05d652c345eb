// SPDX-License-Identifier: GPL-2.0-or-later
/* Hugepage pools, per size and node. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "host/cmdline.h"
#include "probe/prober.h"

/* Is this size asked for on the command line? */
static bool is_boot_pool(const struct cmdline *cmdline, uint64_t bytes)
{
	for (size_t i = 0; i < cmdline->nr_pools; i++) {
		if (cmdline->pools[i].size_bytes == bytes)
			return true;
	}
	return false;
}

/* "hugepages-2048kB" */
static bool pool_size(const char *name, uint64_t *bytes)
{
	uint64_t kib;

	if (sscanf(name, "hugepages-%" SCNu64 "kB", &kib) != 1 || !kib || kib >= UINT64_MAX / KIB)
		return false;
	*bytes = kib * KIB;
	return true;
}

static void add_fact(struct prober *p, const char *dir, uint64_t size_bytes, uint64_t pages, int node)
{
	struct fact_pool *pool = prober_add(p, p->facts->pools, p->facts->nr_pools);

	if (!pool)
		return;
	pool->size_bytes = size_bytes;
	pool->node = node;
	pool->pages = pages;
	pool->has_free = attr_u64(p, dir, "free_hugepages", &pool->free_pages);
	pool->has_surplus = attr_u64(p, dir, "surplus_hugepages", &pool->surplus_pages);
}

static void add_pool(struct prober *p, const char *name, const char *parent, int node)
{
	struct host_hugepages *pool;
	uint64_t bytes, count;
	char dir[160];

	snprintf(dir, sizeof(dir), "%s/%s", parent, name);
	if (!pool_size(name, &bytes))
		return;
	if (!attr_u64(p, dir, "nr_hugepages", &count)) {
		prober_unknown(p, &p->host->hugepages, "hugepages",
			       "taken as none: there is no /%s/nr_hugepages", dir);
		return;
	}
	add_fact(p, dir, bytes, count, node);
	if (!count)
		return;
	pool = prober_add(p, p->host->hugepages, p->host->nr_hugepages);
	if (!pool)
		return;
	pool->size_bytes = bytes;
	pool->count = count;
	pool->node = node;
	pool->when = is_boot_pool(p->options, bytes) ? HUGEPAGES_BOOT : HUGEPAGES_RUNTIME;
	prober_found(p, &pool->count, "/%s/nr_hugepages", dir);
	if (node != NODE_ANY)
		prober_found(p, &pool->node, "the pool's folder");
	prober_found(p, &pool->when, "hugepages= of this size is %son the kernel command line",
		     pool->when == HUGEPAGES_BOOT ? "" : "not ");
}

/* False: there are no sizes there, not even without pages. */
static bool probe_pools(struct prober *p, const char *dir, int node)
{
	_cleanup_(root_names_free) char **names = NULL;

	if (root_list(p->root, &names, "%s", dir) || !*names)
		return false;
	for (char **name = names; *name; name++)
		add_pool(p, *name, dir, node);
	return true;
}

void probe_hugepages(struct prober *p)
{
	const struct host *h = p->host;
	bool seen = false;
	char dir[96];

	for (size_t i = 0; h->nr_nodes > 1 && i < h->nr_nodes; i++) {
		snprintf(dir, sizeof(dir), "sys/devices/system/node/node%" PRIu32 "/hugepages",
			 h->nodes[i].id);
		seen = probe_pools(p, dir, (int)h->nodes[i].id) || seen;
	}
	if (!seen && !probe_pools(p, "sys/kernel/mm/hugepages", NODE_ANY))
		prober_unknown(p, &h->hugepages, "hugepages",
			       "taken as none: there is nothing in /sys/kernel/mm/hugepages");
}
