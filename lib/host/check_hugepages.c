// SPDX-License-Identifier: GPL-2.0-or-later
/* HugeTLB pools: sizes that the architecture has, and whether they fit. */
#include <inttypes.h>

#include "base/units.h"
#include "host/check.h"

static void check_size(struct checker *c, const struct host_hugepages *pool)
{
	char shown[UNITS_STR], page[UNITS_STR], all[SIZES_STR];

	if (!c->sizes || !pool->size_bytes)
		return;
	for (int i = 0; i < MAX_HUGEPAGE_SIZES; i++) {
		if (pool->size_bytes == c->sizes->hugepage_bytes[i])
			return;
	}
	check_bad(c, &pool->size_bytes, "hugepages of %s do not exist with %s pages on %s: use %s",
		  size_exact(shown, pool->size_bytes), size_exact(page, c->sizes->page_bytes),
		  arch_name(c->sizes->arch), check_sizes(all, c->sizes->hugepage_bytes));
}

/* The kernel: "HugeTLB: hugepages=... specified twice" keeps one of the two. */
static void check_twice(struct checker *c, size_t i)
{
	const struct host_hugepages *pools = c->host->hugepages, *pool = &pools[i];
	char size[UNITS_STR], where[UNITS_STR];

	for (size_t j = 0; j < i && pool->size_bytes; j++) {
		if (pools[j].size_bytes != pool->size_bytes || pools[j].when != pool->when ||
		    pools[j].node != pool->node)
			continue;
		check_bad(c, &pool->size_bytes, "%s hugepages of %s are listed twice, first %s",
			  hugepage_when_name(pool->when), size_exact(size, pool->size_bytes),
			  check_where(c, &pools[j].size_bytes, where));
		return;
	}
}

static const struct host_node *find_node(const struct host *h, int id)
{
	for (size_t i = 0; i < h->nr_nodes; i++) {
		if (id != NODE_ANY && h->nodes[i].id == (uint32_t)id)
			return &h->nodes[i];
	}
	return NULL;
}

/* All pools up to and including the i-th that must fit where it must. */
static uint64_t bytes_so_far(const struct host *h, size_t i, bool of_node)
{
	uint64_t sum = 0, bytes;

	for (size_t j = 0; j <= i; j++) {
		const struct host_hugepages *pool = &h->hugepages[j];

		if (of_node && pool->node != h->hugepages[i].node)
			continue;
		if (mul_u64(pool->size_bytes, pool->count, &bytes) || add_u64(sum, bytes, &sum))
			return UINT64_MAX;
	}
	return sum;
}

/* True after a complaint. The first pool that is too many is to blame, not those after it. */
static bool check_fit(struct checker *c, size_t i, uint64_t room, bool of_node)
{
	const struct host_hugepages *pool = &c->host->hugepages[i];
	uint64_t bytes = pool->size_bytes * pool->count, sum = bytes_so_far(c->host, i, of_node);
	char size[UNITS_STR], ram[UNITS_STR], all[UNITS_STR], where[UNITS_STR] = "RAM";

	if (sum <= room)
		return false;
	if (of_node)
		snprintf(where, sizeof(where), "node %d", pool->node);
	if (bytes > room)
		check_bad(c, &pool->count, "%" PRIu64 " hugepages of %s do not fit in %s of %s", pool->count,
			  size_exact(size, pool->size_bytes), size_exact(ram, room), where);
	else if (sum - bytes <= room)
		check_bad(c, &pool->count, "with these, hugepages take %s: more than the %s of %s",
			  size_exact(all, sum), size_exact(ram, room), where);
	return true;
}

static bool nodes_state_memory(const struct host *h)
{
	for (size_t i = 0; i < h->nr_nodes; i++) {
		if (h->nodes[i].memory_bytes)
			return true;
	}
	return false;
}

void check_hugepages(struct checker *c)
{
	const struct host *h = c->host;

	for (size_t i = 0; i < h->nr_hugepages; i++) {
		const struct host_hugepages *pool = &h->hugepages[i];
		const struct host_node *node = nodes_state_memory(h) ? find_node(h, pool->node) : NULL;
		uint64_t bytes;

		check_size(c, pool);
		check_twice(c, i);
		check_node_index(c, &pool->node);
		if (mul_u64(pool->size_bytes, pool->count, &bytes))
			check_bad(c, &pool->count,
				  "%" PRIu64 " hugepages of this size are more than 64 bits hold",
				  pool->count);
		else if (!(node && check_fit(c, i, node->memory_bytes, true)) && h->memory_bytes)
			check_fit(c, i, h->memory_bytes, false);
	}
}
