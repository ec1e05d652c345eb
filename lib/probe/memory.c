// SPDX-License-Identifier: GPL-2.0-or-later
/* RAM, nodes and hugepage pools. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "host/pages.h"
#include "probe/prober.h"

/* "memory12" under a node or under memory/: 12; false for anything else. */
static bool block_number(const char *name, unsigned long *out)
{
	char *end;

	if (strncmp(name, "memory", 6) || !isdigit((unsigned char)name[6]))
		return false;
	*out = strtoul(name + 6, &end, 10);
	return !*end;
}

/* Bytes in memory blocks that are not offline, of a node or (dir "memory") of all. 0 when there are no blocks. */
static uint64_t online_blocks_bytes(const struct prober *p, const char *dir)
{
	_cleanup_(root_names_free) char **names = NULL;
	uint64_t nr = 0;
	unsigned long block;

	if (root_list(p->root, &names, "sys/devices/system/%s", dir))
		return 0;
	for (char **name = names; *name; name++) {
		_cleanup_free_ char *state = NULL;

		if (!block_number(*name, &block))
			continue;
		if (!root_read(p->root, &state, "sys/devices/system/memory/memory%lu/state", block) &&
		    !strcmp(state, "offline"))
			continue;
		nr++;
	}
	return nr * p->block_bytes;
}

/* "MemTotal:  123 kB", in a node's file after "Node 0 ". Bytes, 0 when not there. */
static uint64_t mem_total(const char *meminfo)
{
	const char *line = strstr(meminfo, "MemTotal:");

	return line ? strtoull(line + strlen("MemTotal:"), NULL, 10) * KIB : 0;
}

static uint64_t node_bytes(const struct prober *p, const char *node, bool by_blocks)
{
	_cleanup_free_ char *meminfo = NULL;
	char dir[64];

	if (by_blocks) {
		snprintf(dir, sizeof(dir), "node/%s", node);
		return online_blocks_bytes(p, dir);
	}
	return root_read(p->root, &meminfo, "sys/devices/system/node/%s/meminfo", node) ? 0
											: mem_total(meminfo);
}

static int probe_node(struct prober *p, const char *name, bool by_blocks)
{
	_cleanup_free_ char *cpus = NULL;
	struct host_node *node;
	char *end;

	if (strncmp(name, "node", 4) || !isdigit((unsigned char)name[4]))
		return 0;
	node = array_grow(&p->host->nodes, &p->host->nr_nodes, sizeof(*node));
	if (!node)
		return -ENOMEM;
	node->id = (uint32_t)strtoul(name + 4, &end, 10);
	node->memory_bytes = node_bytes(p, name, by_blocks);
	if (!root_read(p->root, &cpus, "sys/devices/system/node/%s/cpulist", name))
		node->cpus = cpulist_count(cpus);
	return 0;
}

static int probe_nodes(struct prober *p, bool by_blocks)
{
	_cleanup_(root_names_free) char **names = NULL;
	int err = 0;

	if (root_list(p->root, &names, "sys/devices/system/node"))
		return 0;
	for (char **name = names; *name && !err; name++)
		err = probe_node(p, *name, by_blocks);
	return err;
}

int probe_memory(struct prober *p)
{
	_cleanup_free_ char *block = NULL, *meminfo = NULL;
	struct host *h = p->host;
	uint64_t by_blocks, by_nodes = 0;
	int err;

	if (!root_read(p->root, &block, "sys/devices/system/memory/block_size_bytes"))
		p->block_bytes = strtoull(block, NULL, 16); /* hexadecimal without a prefix */
	by_blocks = online_blocks_bytes(p, "memory");
	err = probe_nodes(p, by_blocks > 0);
	if (err)
		return err;
	for (size_t i = 0; i < h->nr_nodes; i++)
		by_nodes += h->nodes[i].memory_bytes;
	h->memory_bytes = by_nodes ? by_nodes : by_blocks;
	if (!h->memory_bytes && !root_read(p->root, &meminfo, "proc/meminfo"))
		h->memory_bytes = mem_total(meminfo);
	if (!h->memory_bytes)
		prober_note(p, "RAM not known: no forecast of boot");
	else if (!by_blocks)
		prober_note(p, "RAM taken from MemTotal, which leaves out what the kernel reserves at boot");
	return 0;
}

/* Is this size asked for on the command line? hugepages= counts for the hugepagesz= before it. */
static bool is_boot_pool(const struct prober *p, uint64_t bytes)
{
	const struct page_sizes *sizes = page_sizes_of(p->host->arch, p->host->page_size_bytes);
	uint64_t size = sizes ? sizes->pmd_bytes : 0, parsed;
	char text[32];

	if (cmdline_value(p->cmdline, "default_hugepagesz", text, sizeof(text)) && !size_parse(text, &parsed))
		size = parsed;
	for (const char *arg = p->cmdline; *arg; arg += strcspn(arg, " ")) {
		arg += strspn(arg, " ");
		if (!strncmp(arg, "hugepagesz=", 11)) {
			snprintf(text, sizeof(text), "%.*s", (int)strcspn(arg + 11, " "), arg + 11);
			size = size_parse(text, &parsed) ? 0 : parsed;
		}
		if (!strncmp(arg, "hugepages=", 10) && size == bytes)
			return true;
	}
	return false;
}

static int add_pool(struct prober *p, const char *name, const char *dir, int node)
{
	struct host_hugepages *pool;
	uint64_t kib, count;

	if (sscanf(name, "hugepages-%" SCNu64 "kB", &kib) != 1 || kib >= UINT64_MAX / KIB)
		return 0;
	if (root_read_u64(p->root, &count, "%s/%s/nr_hugepages", dir, name) || !count)
		return 0;
	pool = array_grow(&p->host->hugepages, &p->host->nr_hugepages, sizeof(*pool));
	if (!pool)
		return -ENOMEM;
	pool->size_bytes = kib * KIB;
	pool->count = count;
	pool->node = node;
	pool->when = is_boot_pool(p, pool->size_bytes) ? HUGEPAGES_BOOT : HUGEPAGES_RUNTIME;
	return 0;
}

static int probe_pools(struct prober *p, const char *dir, int node)
{
	_cleanup_(root_names_free) char **names = NULL;
	int err = 0;

	if (root_list(p->root, &names, "%s", dir))
		return 0;
	for (char **name = names; *name && !err; name++)
		err = add_pool(p, *name, dir, node);
	return err;
}

int probe_hugepages(struct prober *p)
{
	const struct host *h = p->host;
	char dir[96];
	int err = 0;

	if (!root_exists(p->root, "sys/kernel/mm/hugepages"))
		prober_note(p, "no hugepages in /sys/kernel/mm: taken as none");
	if (h->nr_nodes < 2)
		return probe_pools(p, "sys/kernel/mm/hugepages", NODE_ANY);
	for (size_t i = 0; i < h->nr_nodes && !err; i++) {
		snprintf(dir, sizeof(dir), "sys/devices/system/node/node%" PRIu32 "/hugepages",
			 h->nodes[i].id);
		err = probe_pools(p, dir, (int)h->nodes[i].id);
	}
	return err;
}
