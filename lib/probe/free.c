// SPDX-License-Identifier: GPL-2.0-or-later
/* RAM that is free, and in which blocks: what memmaps of devices that are not bound yet will be taken from. */
#include <string.h>

#include "probe/buddyinfo.h"
#include "probe/live.h"
#include "probe/prober.h"

static struct free_ram *free_of_node(struct prober *p, uint32_t node)
{
	struct probed *out = p->out;
	struct free_ram *free;

	for (size_t i = 0; i < out->nr_free; i++) {
		if (out->free[i].node == node)
			return &out->free[i];
	}
	free = prober_add(p, out->free, out->nr_free);
	if (free)
		free->node = node;
	return free;
}

static void add_zone(struct prober *p, const struct buddy_zone *zone)
{
	struct free_ram *free = free_of_node(p, zone->node);

	if (!free)
		return;
	free->bytes += zone->free_pages * p->host->page_size_bytes;
	free->order9 += zone->order9_free;
}

void probe_free(struct prober *p)
{
	_cleanup_free_ char *text = NULL;
	struct buddy_zone zone;

	if (root_read(p->root, &text, "proc/buddyinfo"))
		return;
	for (const char *line = text; *line; line += *line == '\n') {
		size_t len = strcspn(line, "\n");

		if (buddy_zone_parse(line, len, &zone))
			add_zone(p, &zone);
		line += len;
	}
}

void probed_set_free(struct probed *probed)
{
	struct host *h = probed->host;

	for (size_t i = 0; i < probed->nr_free; i++) {
		const struct free_ram *free = &probed->free[i];

		for (size_t j = 0; j < h->nr_nodes; j++) {
			struct host_node *node = &h->nodes[j];

			if (node->id != free->node)
				continue;
			node->has_free = node->has_free_order9 = true;
			node->free_bytes = free->bytes;
			node->free_order9 = free->order9;
		}
	}
}
