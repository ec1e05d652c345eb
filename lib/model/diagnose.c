// SPDX-License-Identifier: GPL-2.0-or-later
/* Hot-plugged memory: RAM for its memmap, blocks for it, blocks and sections of its own. */
#include "model/diagnose.h"

#include <inttypes.h>

#include "base/units.h"
#include "model/diagnose_parts.h"

void diagnose_warn(const struct host *host, struct diags *diags, const void *field, const char *fmt, ...)
{
	struct host_place at = host_place_of(host, field);
	va_list ap;

	va_start(ap, fmt);
	diag_addv(diags, DIAG_WARNING, host->file, at.line, at.col, fmt, ap);
	va_end(ap);
}

const void *diagnose_size_field(const struct device_work *d)
{
	return d->ns ? &d->ns->size_bytes : &d->dev->size_bytes;
}

static int node_of(const struct device_work *d)
{
	return d->ns ? d->ns->node : d->dev->node;
}

/* Its memmap is there already, as far as a probe saw. */
static bool is_bound(const struct device_work *d)
{
	return d->ns ? d->ns->is_bound : d->dev->is_bound;
}

/* RAM that all devices of a row need for their memmap. */
static uint64_t ram_needed(const struct device_work *d)
{
	return d->count * (d->memmap_ram_bytes + d->page_table_bytes);
}

static uint64_t sub(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static uint64_t host_ram(const struct host *h)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < h->nr_nodes; i++)
		sum += h->nodes[i].memory_bytes;
	return h->memory_bytes ? h->memory_bytes : sum;
}

/* RAM that hugepages take: of the host, or (node_id not NODE_ANY) of a node. */
static uint64_t taken_by_hugepages(const struct work *w, int node_id)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < w->nr_pools; i++) {
		const struct host_hugepages *pool = w->pools[i].pool;
		uint64_t bytes = pool->count * pool->size_bytes;

		if (node_id == NODE_ANY || pool->node == node_id)
			sum += sub(bytes, w->pools[i].saved_bytes);
	}
	return sum;
}

static const struct host_node *find_node(const struct host *h, int id)
{
	for (size_t i = 0; i < h->nr_nodes; i++) {
		if (id != NODE_ANY && h->nodes[i].id == (uint32_t)id)
			return &h->nodes[i];
	}
	return NULL;
}

/* RAM that memmaps of bound devices take. They fit, whatever the sizes seen would say. */
static uint64_t ram_taken(const struct work *w, uint64_t left)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < w->nr_devices; i++)
		sum += is_bound(&w->devices[i]) ? ram_needed(&w->devices[i]) : 0;
	return MIN(sum, left);
}

/* mm/sparse-vmemmap.c: vmemmap_alloc_block: GFP_KERNEL, from other nodes when its own has none. False: too little. */
static bool check_host_ram(const struct work *w, struct diags *diags)
{
	uint64_t ram = host_ram(w->host), hugepages = taken_by_hugepages(w, NODE_ANY), sum, left;
	char need[UNITS_STR], have[UNITS_STR], all[UNITS_STR];

	if (!ram)
		return true;
	left = sub(sub(ram, w->boot.memmap_bytes), hugepages);
	sum = ram_taken(w, left);
	for (size_t i = 0; i < w->nr_devices; i++) {
		const struct device_work *d = &w->devices[i];

		if (is_bound(d))
			continue;
		sum += ram_needed(d);
		if (sum <= left || sum - ram_needed(d) > left)
			continue;
		diagnose_warn(w->host, diags, diagnose_size_field(d),
			      "%s: its memmap takes %s of RAM%s; of %s its own memmap and hugepages leave "
			      "%s: the bind "
			      "fails with \"vmemmap alloc failure\" and -ENOMEM, or starves the host%s",
			      d->name, size_human(need, ram_needed(d)),
			      sum > ram_needed(d) ? ", beside those of other devices" : "",
			      size_human(all, ram), size_human(have, left),
			      d->ns ? "; map=dev keeps it on the device" : "");
	}
	return sum <= left;
}

static void check_node_ram(const struct work *w, const struct host_node *node, struct diags *diags)
{
	uint64_t own = node->memory_bytes / w->rules.page_bytes * w->host->struct_page_bytes;
	uint64_t left = sub(sub(node->memory_bytes, own), taken_by_hugepages(w, (int)node->id)), sum = 0;
	bool is_free_known = node->has_free && node->free_bytes < left;
	char need[UNITS_STR], have[UNITS_STR];

	if (is_free_known)
		left = node->free_bytes;
	for (size_t i = 0; node->memory_bytes && i < w->nr_devices; i++) {
		const struct device_work *d = &w->devices[i];

		if (node_of(d) != (int)node->id || (is_free_known && is_bound(d)))
			continue;
		sum += ram_needed(d);
		if (is_bound(d) || sum <= left || sum - ram_needed(d) > left)
			continue;
		diagnose_warn(w->host, diags, diagnose_size_field(d),
			      "%s: memmaps on node %" PRIu32
			      " take %s of RAM, and %s %s there: the kernel takes the "
			      "rest from other nodes, far from the memory%s",
			      d->name, node->id, size_human(need, sum), size_human(have, left),
			      is_free_known ? "are free" : "are left",
			      d->ns ? "; map=dev keeps it on the device" : "");
	}
}

/* Order-9 blocks that adding a row's memory takes: one for each section's memmap that is mapped by a PMD. */
static uint64_t order9_needed(const struct device_work *d)
{
	uint64_t sum = 0;

	if (d->memmap_device_bytes)
		return 0;
	for (size_t i = 0; i < d->terms.nr; i++) {
		const struct work_term *t = &d->terms.items[i];

		if (t->stage == STAGE_ADD_MEMORY && t->unit == UNIT_VMEMMAP_PMDS)
			sum += t->units;
	}
	return sum * d->count;
}

/* Of its node or, where that has no RAM of its own yet, of all. False: not known. */
static bool free_order9(const struct host *h, int node_id, uint64_t *out)
{
	const struct host_node *own = find_node(h, node_id);
	bool is_known = false;

	*out = 0;
	for (size_t i = 0; i < h->nr_nodes; i++) {
		const struct host_node *node = &h->nodes[i];

		if (!node->has_free_order9 || (own && own->memory_bytes && node != own))
			continue;
		*out += node->free_order9;
		is_known = true;
	}
	return is_known;
}

/* "vmemmap alloc failure: order:9": arch/x86/mm/init_64.c: vmemmap_populate_hugepages falls back to base pages. */
static void check_order9(const struct work *w, const struct device_work *d, struct diags *diags)
{
	uint64_t need = order9_needed(d), ram = host_ram(w->host), have;
	const char *advice =
		d->dev && d->dev->type == DEV_SYSTEM_RAM ? "; memmap_on_memory=true needs none" : "";

	if (!need || is_bound(d))
		return;
	if (free_order9(w->host, node_of(d), &have)) {
		if (need > have)
			diagnose_warn(
				w->host, diags, diagnose_size_field(d),
				"%s: its memmap needs %" PRIu64 " free blocks of order 9, and %" PRIu64
				" are free: the kernel logs \"vmemmap alloc failure: order:9\" and uses base "
				"pages, slower and more scattered%s",
				d->name, need, have, advice);
	} else if (need * w->rules.pmd_bytes >= ram / 8 && need * w->rules.pmd_bytes < ram) {
		diagnose_warn(
			w->host, diags, diagnose_size_field(d),
			"%s: its memmap needs %" PRIu64 " free blocks of order 9, %" PRIu64
			" %% of RAM: on a host that has run for a while the kernel logs \"vmemmap alloc "
			"failure: order:9\"%s",
			d->name, need, need * w->rules.pmd_bytes * 100 / ram, advice);
	}
}

/* drivers/dax/kmem.c trims to whole blocks. host_check knows of those that are stated. */
static void check_block_loss(const struct work *w, const struct device_work *d, struct diags *diags)
{
	uint64_t block, used;
	char lost[UNITS_STR], size[UNITS_STR];

	if (!d->memory_blocks || d->dev->block_bytes)
		return;
	used = d->struct_pages * w->rules.page_bytes;
	block = used / d->memory_blocks;
	if (d->raw_bytes > used && d->raw_bytes % w->rules.section_bytes == 0)
		diagnose_warn(w->host, diags, &d->dev->size_bytes,
			      "%s: %s are lost: memory blocks here are of %s, and kmem adds whole ones "
			      "(\"truncated\")",
			      d->name, size_exact(lost, d->raw_bytes - used), size_exact(size, block));
}

/* Sub-section hot-plug came with Linux 5.3; before, memremap_pages padded a namespace to sections, or failed. */
static void check_old_sections(const struct work *w, const struct device_work *d, struct diags *diags)
{
	const struct host_kernel *kernel = &w->host->kernel;
	uint64_t section = w->rules.section_bytes;
	char size[UNITS_STR];

	if (!kernel->release || kver_cmp(kernel->version, KVER(5, 3, 0)) >= 0 || !d->ns || !d->struct_pages)
		return;
	if (d->ns->size_bytes % section == 0 && (!d->ns->has_start || d->ns->start_bytes % section == 0))
		return;
	diagnose_warn(
		w->host, diags, &d->ns->size_bytes,
		"%s: %s hot-plugs whole sections of %s only: a namespace that shares one with its neighbour "
		"fails to bind (\"Conflicting mapping in same section\") or loses the rest",
		d->name, kernel->release, size_exact(size, section));
}

/* systemd-udevd coldplugs every block: systemd/systemd#16910. */
static void check_uevents(const struct work *w, struct diags *diags)
{
	enum { MANY = 10000 };
	char count[UNITS_STR];

	if (w->boot.memory_blocks > MANY)
		diagnose_warn(w->host, diags, &w->host->memory_bytes,
			      "%s memory blocks of RAM: as many uevents at coldplug, which delay every "
			      "device behind "
			      "them",
			      count_human(count, w->boot.memory_blocks));
	for (size_t i = 0; i < w->nr_devices; i++) {
		const struct device_work *d = &w->devices[i];

		if (d->memory_blocks * d->count > MANY)
			diagnose_warn(w->host, diags, diagnose_size_field(d),
				      "%s: %s memory blocks: as many uevents when it is added", d->name,
				      count_human(count, d->memory_blocks * d->count));
	}
}

void diagnose_work(const struct work *work, struct diags *diags)
{
	const struct host *h = work->host;

	bool has_room = check_host_ram(work, diags); /* else where and in what blocks is no question */

	for (size_t i = 0; has_room && i < h->nr_nodes; i++)
		check_node_ram(work, &h->nodes[i], diags);
	for (size_t i = 0; i < work->nr_devices; i++) {
		if (has_room)
			check_order9(work, &work->devices[i], diags);
		check_block_loss(work, &work->devices[i], diags);
		check_old_sections(work, &work->devices[i], diags);
	}
	check_uevents(work, diags);
	diagnose_hugepages(work, diags);
	diagnose_bugs(work, diags);
}
