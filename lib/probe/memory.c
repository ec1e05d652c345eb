// SPDX-License-Identifier: GPL-2.0-or-later
/* RAM, NUMA nodes and memory blocks. */
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "probe/prober.h"

#define MEMORY "sys/devices/system/memory"
#define NODES  "sys/devices/system/node"

struct blocks {
	uint64_t online, offline;
};

static bool is_offline(const struct prober *p, uint64_t block)
{
	_cleanup_free_ char *state = NULL;

	return !root_read(p->root, &state, MEMORY "/memory%" PRIu64 "/state", block) &&
	       !strcmp(state, "offline");
}

/* Memory blocks that a folder names: of all memory, or of a node. */
static struct blocks count_blocks(const struct prober *p, const char *dir)
{
	_cleanup_(root_names_free) char **names = NULL;
	struct blocks nr = {0};
	uint64_t block;

	if (root_list(p->root, &names, "%s", dir))
		return nr;
	for (char **name = names; *name; name++) {
		if (!numbered(*name, "memory", &block))
			continue;
		if (is_offline(p, block))
			nr.offline++;
		else
			nr.online++;
	}
	return nr;
}

/* "MemTotal:  123 kB", in a node's file after "Node 0 ". false: not there. */
static bool mem_total(const char *meminfo, uint64_t *bytes)
{
	const char *line = strstr(meminfo, "MemTotal:");

	if (!line)
		return false;
	*bytes = strtoull(line + strlen("MemTotal:"), NULL, 10) * KIB;
	return true;
}

/* What is used and free changes all the time, and is not looked at. */
static void keep_total(char *meminfo)
{
	char *line = strstr(meminfo, "MemTotal:");
	size_t len;

	if (!line) {
		*meminfo = 0;
		return;
	}
	len = strcspn(line, "\n");
	memmove(meminfo, line, len);
	meminfo[len] = 0;
}

static bool read_total(const struct prober *p, const char *path, uint64_t *bytes)
{
	_cleanup_free_ char *meminfo = NULL;

	return !root_read_part(p->root, &meminfo, keep_total, "%s", path) && mem_total(meminfo, bytes);
}

static void read_node_memory(struct prober *p, struct host_node *node, bool by_blocks)
{
	char dir[64], path[80];

	snprintf(dir, sizeof(dir), NODES "/node%" PRIu32, node->id);
	snprintf(path, sizeof(path), "%s/meminfo", dir);
	if (by_blocks) {
		uint64_t nr = count_blocks(p, dir).online;

		node->memory_bytes = nr * p->block_bytes;
		prober_found(p, &node->memory_bytes, "/%s/memory*: %" PRIu64 " blocks online", dir, nr);
	} else if (read_total(p, path, &node->memory_bytes)) {
		prober_found(p, &node->memory_bytes, "/%s: MemTotal", path);
	} else {
		prober_unknown(p, &node->memory_bytes, "memory of a node", "there is no /%s", path);
	}
}

static void read_node_cpus(struct prober *p, struct host_node *node)
{
	char dir[64];

	snprintf(dir, sizeof(dir), NODES "/node%" PRIu32, node->id);
	_cleanup_free_ char *list = NULL, *map = NULL;

	/* An empty list is a node without CPUs; a missing one is not. */
	if (!root_read(p->root, &list, "%s/cpulist", dir)) {
		node->cpus = cpulist_count(list);
		prober_found(p, &node->cpus, "/%s/cpulist", dir);
	} else if (!root_read(p->root, &map, "%s/cpumap", dir)) {
		node->cpus = cpumap_count(map);
		prober_found(p, &node->cpus, "/%s/cpumap", dir);
	} else {
		prober_unknown(p, &node->cpus, "CPUs of a node", "there is no /%s/cpulist", dir);
	}
}

static void add_node_fact(struct prober *p, const struct host_node *node)
{
	static const char *const kinds[] = {"empty", "CPUs only", "memory only", "CPUs and memory"};
	struct fact_node *fact = prober_add(p, p->facts->nodes, p->facts->nr_nodes);
	char dir[64];

	if (!fact)
		return;
	snprintf(dir, sizeof(dir), NODES "/node%" PRIu32, node->id);
	fact->id = node->id;
	fact->distances = attr_text(p, dir, "distance");
	if (!host_is_unknown(p->host, &node->memory_bytes) && !host_is_unknown(p->host, &node->cpus))
		fact->kind = prober_text(p, "%s", kinds[(node->memory_bytes > 0) * 2 + (node->cpus > 0)]);
}

static void probe_nodes(struct prober *p, bool by_blocks)
{
	_cleanup_(root_names_free) char **names = NULL;
	uint64_t id;

	if (root_list(p->root, &names, NODES))
		return;
	for (char **name = names; *name; name++) {
		struct host_node *node;

		if (!numbered(*name, "node", &id) || id > 1023)
			continue;
		node = prober_add(p, p->host->nodes, p->host->nr_nodes);
		if (!node)
			return;
		node->id = (uint32_t)id;
		prober_found(p, &node->id, "/" NODES "/%s", *name);
		read_node_memory(p, node, by_blocks);
		read_node_cpus(p, node);
		add_node_fact(p, node);
	}
}

static struct host_node *node_numbered(struct prober *p, uint32_t id)
{
	struct host_node *node;

	for (size_t i = 0; i < p->host->nr_nodes; i++) {
		if (p->host->nodes[i].id == id)
			return &p->host->nodes[i];
	}
	node = prober_add(p, p->host->nodes, p->host->nr_nodes);
	if (node)
		node->id = id;
	return node;
}

/* A tree gathered for lsmem has memory blocks and no nodes: each block has a link to its node. */
static void probe_nodes_of_blocks(struct prober *p)
{
	_cleanup_(root_names_free) char **names = NULL;
	uint64_t block, id;

	if (root_list(p->root, &names, MEMORY))
		return;
	for (char **name = names; *name; name++) {
		_cleanup_(root_names_free) char **links = NULL;

		if (!numbered(*name, "memory", &block) || is_offline(p, block) ||
		    root_list(p->root, &links, MEMORY "/%s", *name))
			continue;
		for (char **link = links; *link; link++) {
			struct host_node *node;

			if (!numbered(*link, "node", &id) || id > 1023)
				continue;
			node = node_numbered(p, (uint32_t)id);
			if (node)
				node->memory_bytes += p->block_bytes;
		}
	}
	for (size_t i = 0; i < p->host->nr_nodes; i++) {
		struct host_node *node = &p->host->nodes[i];

		prober_found(p, &node->memory_bytes, "/" MEMORY "/memory*/node%" PRIu32, node->id);
		prober_unknown(p, &node->cpus, "CPUs of a node", "there is no /" NODES);
		add_node_fact(p, node);
	}
}

static void read_policies(struct prober *p)
{
	static const char module[] = "sys/module/memory_hotplug/parameters";

	p->facts->auto_online = attr_text(p, MEMORY, "auto_online_blocks");
	p->facts->online_policy = attr_text(p, module, "online_policy");
	p->facts->memmap_on_memory = attr_text(p, module, "memmap_on_memory");
}

static struct blocks read_blocks(struct prober *p)
{
	_cleanup_free_ char *size = attr_text(p, MEMORY, "block_size_bytes");
	struct blocks nr = {0};

	if (size)
		p->block_bytes = strtoull(size, NULL, 16); /* hexadecimal without a prefix */
	/*
	 * No kernel has other sizes (MIN_MEMORY_BLOCK_SIZE is a section), and what is computed with them
	 * would be nonsense.
	 */
	if (p->block_bytes < MIB || p->block_bytes > TIB || (p->block_bytes & (p->block_bytes - 1)))
		p->block_bytes = 0;
	if (!p->block_bytes)
		return nr;
	nr = count_blocks(p, MEMORY);
	p->facts->has_block_size = p->facts->has_blocks = true;
	p->facts->block_bytes = p->block_bytes;
	p->facts->blocks_online = nr.online;
	p->facts->blocks_offline = nr.offline;
	return nr;
}

static void add_up(struct prober *p, uint64_t by_blocks)
{
	struct host *h = p->host;
	const char *from = "the nodes' memory";
	bool exact = by_blocks > 0;

	for (size_t i = 0; i < h->nr_nodes; i++)
		h->memory_bytes += h->nodes[i].memory_bytes;
	if (!h->memory_bytes && by_blocks) {
		from = "/" MEMORY "/memory*: blocks online";
		h->memory_bytes = by_blocks;
	}
	if (!h->memory_bytes && read_total(p, "proc/meminfo", &h->memory_bytes))
		from = "/proc/meminfo: MemTotal";
	if (!h->memory_bytes) {
		prober_unknown(p, &h->memory_bytes, "RAM", "no forecast of boot");
		return;
	}
	prober_found(p, &h->memory_bytes, "%s%s", from,
		     exact ? "" : ", which leaves out what the kernel reserves at boot");
	if (!exact)
		prober_note(p, "RAM taken from MemTotal, which leaves out what the kernel reserves at boot");
}

void probe_memory(struct prober *p)
{
	struct blocks blocks = read_blocks(p);

	probe_nodes(p, blocks.online > 0);
	if (!p->host->nr_nodes && blocks.online)
		probe_nodes_of_blocks(p);
	add_up(p, blocks.online * p->block_bytes);
	read_policies(p);
}

void take_from_node(struct prober *p, uint64_t bytes, int id)
{
	struct host *h = p->host;

	for (size_t i = 0; i < h->nr_nodes; i++) {
		struct host_node *node = &h->nodes[i];

		if (node->id != (uint32_t)id || !bytes)
			continue;
		bytes = MIN(bytes, node->memory_bytes);
		node->memory_bytes -= bytes;
		h->memory_bytes -= MIN(bytes, h->memory_bytes);
		prober_found(p, &node->memory_bytes,
			     "/" NODES "/node%" PRIu32 ", without what a device brought after boot",
			     node->id);
	}
}
