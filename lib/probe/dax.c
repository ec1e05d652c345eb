// SPDX-License-Identifier: GPL-2.0-or-later
/* Devices on the dax bus: of namespaces, of soft-reserved memory, of CXL. As daxctl lists them. */
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "probe/prober.h"

#define DAX    "sys/bus/dax/devices"
#define MEMORY "sys/devices/system/memory"

bool dax_is_kmem(const struct prober *p, const char *dir)
{
	_cleanup_free_ char *driver = attr_link(p, dir, "driver");

	return driver && !strcmp(driver, "kmem");
}

struct blocks {
	bool known;
	uint64_t total, online;
};

/* Memory blocks wholly inside the device: those that kmem adds (drivers/dax/kmem.c trims the rest). */
static struct blocks count_blocks(const struct prober *p, const char *dir, uint64_t size_bytes)
{
	_cleanup_(root_names_free) char **names = NULL;
	uint64_t unit = p->block_bytes, start, first, end, block;
	struct blocks nr = {0};

	if (!unit || !attr_u64(p, dir, "resource", &start) || add_u64(start, size_bytes, &end))
		return nr;
	nr.known = true;
	first = div_round_up(start, unit);
	end /= unit;
	nr.total = end > first ? end - first : 0;
	if (root_list(p->root, &names, MEMORY))
		return nr;
	/* Over the blocks that there are: a size may be any number. */
	for (char **name = names; *name; name++) {
		_cleanup_free_ char *state = NULL;

		nr.online += numbered(*name, "memory", &block) && block >= first && block < end &&
			     !root_read(p->root, &state, MEMORY "/%s/state", *name) &&
			     !strcmp(state, "online");
	}
	return nr;
}

static void add_fact(struct prober *p, const char *name, const char *dir, uint64_t size_bytes)
{
	struct fact_dax *dax = prober_add(p, p->facts->dax, p->facts->nr_dax);
	uint64_t value;

	if (!dax)
		return;
	dax->name = prober_text(p, "%s", name);
	dax->driver = attr_link(p, dir, "driver");
	dax->size_bytes = size_bytes;
	dax->has_align = attr_u64(p, dir, "align", &dax->align_bytes);
	dax->node = attr_node(p, dir, "numa_node");
	dax->target_node = attr_node(p, dir, "target_node");
	dax->has_memmap_on_memory = attr_u64(p, dir, "memmap_on_memory", &value);
	dax->memmap_on_memory = dax->has_memmap_on_memory && value;
	if (dax->driver && !strcmp(dax->driver, "kmem")) {
		struct blocks nr = count_blocks(p, dir, size_bytes);

		dax->has_blocks = nr.known;
		dax->blocks_total = nr.total;
		dax->blocks_online = nr.online;
	}
}

/*
 * Its blocks that are online count as the node's memory. Where its place is not known: as many as fit in
 * its size.
 */
static void take_blocks(struct prober *p, const char *dir, uint64_t size_bytes, int target)
{
	struct blocks nr = count_blocks(p, dir, size_bytes);

	if (p->block_bytes)
		take_from_node(p, (nr.known ? nr.online : size_bytes / p->block_bytes) * p->block_bytes,
			       target);
}

void add_system_ram(struct prober *p, const char *name, const char *dir, uint64_t size_bytes)
{
	struct host_device *dev = prober_add(p, p->host->devices, p->host->nr_devices);
	int target = attr_node(p, dir, "target_node");
	uint64_t on_memory;

	if (!dev)
		return;
	dev->name = prober_text(p, "%s", name);
	dev->type = DEV_SYSTEM_RAM;
	dev->is_bound = true;
	prober_found(p, &dev->type, "bound to kmem: /%s/driver", dir);
	dev->size_bytes = size_bytes;
	prober_found(p, &dev->size_bytes, "/%s/size", dir);
	dev->count = 1;
	dev->block_bytes = p->block_bytes;
	if (p->block_bytes)
		prober_found(p, &dev->block_bytes, "/" MEMORY "/block_size_bytes");
	dev->node = known_node(p, target);
	if (dev->node != NODE_ANY)
		prober_found(p, &dev->node, "/%s/target_node", dir);
	else if (target != NODE_ANY)
		host_remark(p->host, &dev->name, "its target node, %d, is not online", target);
	if (attr_u64(p, dir, "memmap_on_memory", &on_memory)) {
		dev->memmap_on_memory = on_memory;
		prober_found(p, &dev->memmap_on_memory, "/%s/memmap_on_memory", dir);
	}
	describe_start(p, name, dir, &dev->has_start, &dev->start_bytes);
	take_blocks(p, dir, size_bytes, target);
}

/* hmem and CXL: a devdax without an info block, whose struct pages count like those of map=mem. */
static void add_devdax(struct prober *p, const char *name, const char *dir, uint64_t size_bytes)
{
	struct host_namespace *ns = prober_add(p, p->host->namespaces, p->host->nr_namespaces);
	_cleanup_free_ char *driver = attr_link(p, dir, "driver");

	if (!ns)
		return;
	ns->name = prober_text(p, "%s", name);
	ns->mode = NS_DEVDAX;
	ns->map = MAP_MEM;
	prober_found(p, &ns->map, "a dax device without an info block");
	ns->is_bound = driver != NULL;
	ns->size_bytes = size_bytes;
	prober_found(p, &ns->size_bytes, "/%s/size", dir);
	ns->node = known_node(p, attr_node(p, dir, "numa_node"));
	if (ns->node != NODE_ANY)
		prober_found(p, &ns->node, "/%s/numa_node", dir);
	describe_align(p, ns, dir);
	describe_start(p, name, dir, &ns->has_start, &ns->start_bytes);
	trim_size(p, ns);
}

/* It is -1 where the firmware names no node for the memory: drivers/dax/kmem.c: dev_dax_kmem_probe wants one. */
static void note_target(struct prober *p, const char *name, const char *dir)
{
	if (attr_node(p, dir, "target_node") == NODE_ANY && root_exists(p->root, "%s/target_node", dir))
		prober_note(
			p,
			"%s has no target_node: daxctl reconfigure-device --mode=system-ram says \"No such "
			"device\"",
			name);
}

/* A DAX device on a namespace was met as that namespace. */
static bool is_of_namespace(const struct prober *p, const char *name)
{
	_cleanup_free_ char *link = NULL;

	for (size_t i = 0; i < p->facts->nr_namespaces; i++) {
		const char *device = p->facts->namespaces[i].device;

		if (device && !strcmp(device, name))
			return true;
	}
	return !root_readlink(p->root, &link, DAX "/%s", name) && strstr(link, "/ndbus");
}

void probe_dax(struct prober *p)
{
	_cleanup_(root_names_free) char **names = NULL;
	char dir[128];

	if (root_list(p->root, &names, DAX)) {
		prober_note(p, "dax devices not known: there is no /" DAX);
		return;
	}
	for (char **name = names; *name; name++) {
		uint64_t size;

		snprintf(dir, sizeof(dir), DAX "/%s", *name);
		if (!attr_u64(p, dir, "size", &size) || !size)
			continue;
		add_fact(p, *name, dir, size);
		note_target(p, *name, dir);
		if (is_of_namespace(p, *name))
			continue;
		if (dax_is_kmem(p, dir))
			add_system_ram(p, *name, dir, size);
		else
			add_devdax(p, *name, dir, size);
	}
}
