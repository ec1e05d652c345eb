// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory that drivers hot-added as RAM: "System RAM (NVIDIA)" in /proc/iomem is a coherent GPU's, "System
 * RAM (virtio_mem)" a balloon's. They look like nodes' memory, and cost what hot-adding costs. kmem's is
 * found as dax devices.
 */
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "probe/prober.h"

static const char marker[] = "System RAM (";

/* The rest of the physical map is nobody's business. */
static void keep_hot_added(char *iomem)
{
	char *to = iomem;

	for (char *line = iomem; *line;) {
		size_t len = strcspn(line, "\n");
		char *name = memmem(line, len, marker, strlen(marker));

		if (name) {
			memmove(to, line, len);
			to += len;
			*to++ = '\n';
		}
		line += len;
		line += *line == '\n';
	}
	*to = 0;
}

/* The node of the memory block that an address lies in. */
static int node_of_address(const struct prober *p, uint64_t address)
{
	_cleanup_(root_names_free) char **names = NULL;
	uint64_t node;

	if (!p->block_bytes ||
	    root_list(p->root, &names, "sys/devices/system/memory/memory%" PRIu64, address / p->block_bytes))
		return NODE_ANY;
	for (char **name = names; *name; name++) {
		if (numbered(*name, "node", &node) && node <= 1023)
			return (int)node;
	}
	return NODE_ANY;
}

static struct host_device *device_for(struct prober *p, const char *driver, int node, uint64_t start)
{
	_cleanup_free_ char *name =
		node == NODE_ANY ? prober_text(p, "%s", driver) : prober_text(p, "%s-node%d", driver, node);
	struct host_device *dev;

	for (size_t i = 0; name && i < p->host->nr_devices; i++) {
		if (!strcmp(p->host->devices[i].name, name))
			return &p->host->devices[i];
	}
	dev = name ? prober_add(p, p->host->devices, p->host->nr_devices) : NULL;
	if (!dev)
		return NULL;
	dev->name = take_ptr(name);
	dev->type = DEV_SYSTEM_RAM;
	dev->is_bound = true;
	dev->count = 1;
	dev->node = known_node(p, node);
	dev->block_bytes = p->block_bytes;
	dev->has_start = true;
	dev->start_bytes = start;
	prober_found(p, &dev->type, "/proc/iomem: System RAM (%s)", driver);
	prober_found(p, &dev->size_bytes, "/proc/iomem");
	prober_found(p, &dev->start_bytes, "/proc/iomem");
	return dev;
}

static void add_range(struct prober *p, const char *line)
{
	const char *name = strstr(line, marker) + strlen(marker);
	char driver[32];
	uint64_t start, end;
	struct host_device *dev;
	int node;

	snprintf(driver, sizeof(driver), "%.*s", (int)strcspn(name, ")\n"), name);
	if (!strcmp(driver, "kmem") || sscanf(line, " %" SCNx64 "-%" SCNx64, &start, &end) != 2)
		return;
	if (end <= start) { /* zeros for all but root */
		prober_unknown(p, &p->host->devices, "hot-added memory",
			       "of %s: /proc/iomem shows addresses to root only", driver);
		return;
	}
	node = node_of_address(p, start);
	dev = device_for(p, driver, node, start);
	if (!dev)
		return;
	dev->size_bytes += end - start + 1;
	take_from_node(p, end - start + 1, node);
}

void probe_iomem(struct prober *p)
{
	_cleanup_free_ char *text = NULL;

	if (root_read_part(p->root, &text, keep_hot_added, "proc/iomem"))
		return;
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
		add_range(p, line);
}
