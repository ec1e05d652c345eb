// SPDX-License-Identifier: GPL-2.0-or-later
/* DAX devices, CXL memory, and the devices that only the kernel's log shows. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "geometry/geometry.h"
#include "geometry/raw_size.h"
#include "probe/import_finish.h"

static struct host_device *add_device(struct finish *f, const struct found_at *at, const char *name,
				      enum device_type type, uint64_t bytes)
{
	struct host *h = f->host;
	struct host_device *dev = array_grow(&h->devices, &h->nr_devices, sizeof(*dev));

	if (!dev) {
		f->err = -ENOMEM;
		return NULL;
	}
	*dev = (struct host_device){.name = finish_name(f, "%s", name),
				    .type = type,
				    .size_bytes = bytes,
				    .count = 1,
				    .node = NODE_ANY};
	finish_from(f, &dev->name, at, "%s", "");
	return dev;
}

static struct host_namespace *find_namespace(const struct host *h, const char *name)
{
	for (size_t i = 0; i < h->nr_namespaces; i++) {
		if (!strcmp(h->namespaces[i].name, name))
			return &h->namespaces[i];
	}
	return NULL;
}

/* Blocks that are online were counted as RAM when lsmem was run; they are none of the boot's. */
static void take_from_ram(struct finish *f, const struct found_dax *dax)
{
	struct host *h = f->host;
	uint64_t bytes = MIN(dax->online_blocks * f->block_bytes, h->memory_bytes);
	struct host_node *node;
	char size[UNITS_STR];

	if (!f->has_memory_from_blocks || !bytes)
		return;
	h->memory_bytes -= bytes;
	node = dax->has_target ? finish_node(f, (uint32_t)dax->target) : NULL;
	if (node)
		node->memory_bytes -= MIN(bytes, node->memory_bytes);
	finish_note(f, &dax->at,
		    "%s: its %" PRIu64 " memory blocks that are online (%s) are not counted as RAM at boot",
		    dax->name, dax->online_blocks, size_exact(size, bytes));
}

/* kmem leaves out what is less than a block at either end, and blocks are powers of two. */
static uint64_t block_of(const struct finish *f, const struct found_dax *dax)
{
	uint64_t block = 1;

	if (f->block_bytes || !dax->total_blocks)
		return f->block_bytes;
	while (block <= dax->size.max / dax->total_blocks / 2)
		block *= 2;
	return block;
}

static void add_system_ram(struct finish *f, const struct found_dax *dax)
{
	struct host_device *dev = add_device(f, &dax->at, dax->name, DEV_SYSTEM_RAM,
					     roundest_size(dax->size.min, dax->size.max));

	if (!dev)
		return;
	dev->block_bytes = block_of(f, dax);
	dev->memmap_on_memory = dax->origin == DAX_CXL && f->memmap_on_memory;
	dev->has_start = dax->has_start;
	dev->start_bytes = dax->start_bytes;
	if (dax->has_target) {
		dev->node = dax->target;
		finish_node(f, (uint32_t)dax->target);
	}
	take_from_ram(f, dax);
}

/*
 * A plain `daxctl list` does not say what the device lies on. People ask for round sizes: the roundest of the size
 * itself (soft-reserved memory, CXL) and the raw sizes behind it tells.
 */
static uint64_t guess_origin(const struct finish *f, const struct found_dax *dax, uint64_t align,
			     bool *is_mapped, enum namespace_map *map)
{
	struct raw_layout layout = {0, align, MAP_DEV, f->host->page_size_bytes};
	uint64_t best = roundest_size(dax->size.min, dax->size.max);
	struct raw_sizes raw;

	*is_mapped = false;
	for (int m = MAP_DEV; m <= MAP_MEM; m++) {
		layout.map = (enum namespace_map)m;
		if (dax->origin == DAX_CXL || dax->origin == DAX_OTHER ||
		    raw_sizes_for(&layout, dax->size.min, dax->size.max, &raw))
			continue;
		if (dax->origin == DAX_UNKNOWN || *is_mapped) {
			if ((raw.round_bytes & -raw.round_bytes) <= (best & -best))
				continue;
		}
		best = raw.round_bytes;
		*is_mapped = true;
		*map = layout.map;
	}
	return best;
}

static void add_devdax(struct finish *f, const struct found_dax *dax)
{
	struct host *h = f->host;
	struct host_namespace *ns = array_grow(&h->namespaces, &h->nr_namespaces, sizeof(*ns));
	bool is_mapped = false;
	char size[UNITS_STR];

	if (!ns) {
		f->err = -ENOMEM;
		return;
	}
	*ns = (struct host_namespace){
		.name = finish_name(f, "%s", dax->name),
		.mode = NS_DEVDAX,
		.map = MAP_MEM, /* of hmem and CXL: no info block, struct pages as with map=mem */
		.align_bytes = dax->align_bytes ? dax->align_bytes : f->sizes->pmd_bytes,
		.has_start = dax->has_start,
		.start_bytes = dax->start_bytes,
		.node = NODE_ANY,
	};
	finish_from(f, &ns->name, &dax->at, "%s", "");
	if (!dax->align_bytes)
		finish_unknown(f, &ns->align_bytes, "taken as %s (a newer daxctl list)",
			       size_exact(size, ns->align_bytes));
	ns->size_bytes = guess_origin(f, dax, ns->align_bytes, &is_mapped, &ns->map);
	if (is_mapped)
		finish_from(
			f, &ns->size_bytes, &dax->at,
			"raw, the roundest that leaves what is listed, with map=%s (ndctl list tells both)",
			namespace_map_name(ns->map));
	else if (dax->origin == DAX_UNKNOWN)
		finish_from(f, &ns->size_bytes, &dax->at,
			    "round, so taken as soft-reserved or CXL memory (daxctl list -RD tells)");
}

/* pmem/ndctl#260: without a node of its own the memory cannot become RAM. */
static void check_target(struct finish *f, const struct found_dax *dax)
{
	if (dax->has_mode && !dax->is_system_ram && !dax->has_target)
		finish_warn(f, &dax->at,
			    "%s has no target_node: daxctl reconfigure-device --mode=system-ram says \"No "
			    "such device\"",
			    dax->name);
}

static void check_blocks(struct finish *f, const struct found_dax *dax)
{
	if (dax->has_blocks && dax->online_blocks > dax->total_blocks)
		finish_warn(f, &dax->at, "%s: %" PRIu64 " memory blocks online of %" PRIu64, dax->name,
			    dax->online_blocks, dax->total_blocks);
	else if (dax->is_system_ram && dax->has_blocks && dax->online_blocks < dax->total_blocks)
		finish_note(f, &dax->at, "%s: %" PRIu64 " of %" PRIu64 " memory blocks are online", dax->name,
			    dax->online_blocks, dax->total_blocks);
}

/* ndctl's list has the same device: sizes have to agree. */
static void compare(struct finish *f, const struct found_dax *dax)
{
	const struct import *import = f->import;
	char size[UNITS_STR];

	for (size_t i = 0; i < import->nr_namespaces; i++) {
		const struct found_namespace *ns = &import->namespaces[i];

		if (!ns->name || strcmp(ns->name, dax->name) ||
		    (ns->size.min <= dax->size.max && dax->size.min <= ns->size.max))
			continue;
		finish_warn(f, &dax->at, "%s: another size (%s) than in %s:%u: that one is taken", dax->name,
			    size_exact(size, dax->size.max), ns->at.file, ns->at.line);
	}
}

static bool is_known_dax(const struct import *import, size_t i)
{
	for (size_t j = 0; j < i; j++) {
		if (!strcmp(import->dax[j].name, import->dax[i].name))
			return true;
	}
	return false;
}

static void take_dax(struct finish *f, const struct found_dax *dax)
{
	const struct host_namespace *ns = find_namespace(f->host, dax->name);

	compare(f, dax);
	check_target(f, dax);
	check_blocks(f, dax);
	if (ns || !dax->size.max)
		return;
	if (dax->is_system_ram)
		add_system_ram(f, dax);
	else
		add_devdax(f, dax);
}

static void take_cxl(struct finish *f, const struct found_cxl *cxl)
{
	struct host_device *dev;

	if (cxl->has_dax || !cxl->size.max)
		return;
	if (cxl->is_pmem) {
		finish_note(f, &cxl->at, "%s: persistent CXL memory: ndctl list -NRv tells its namespaces",
			    cxl->name);
		return;
	}
	dev = add_device(f, &cxl->at, cxl->name, DEV_SYSTEM_RAM, roundest_size(cxl->size.min, cxl->size.max));
	if (!dev)
		return;
	dev->block_bytes = f->block_bytes;
	dev->memmap_on_memory = f->memmap_on_memory;
	dev->has_start = cxl->has_start;
	dev->start_bytes = cxl->start_bytes;
	finish_from(f, &dev->type, &cxl->at, "without a DAX device: taken as this (cxl list -Rv)");
}

static void take_all_cxl(struct finish *f)
{
	const struct import *import = f->import;
	bool has_region = false;
	char size[UNITS_STR];

	for (size_t i = 0; i < import->nr_cxl; i++)
		has_region = has_region || !import->cxl[i].is_memdev;
	for (size_t i = 0; i < import->nr_cxl && !f->err; i++) {
		const struct found_cxl *cxl = &import->cxl[i];

		if (!cxl->is_memdev)
			take_cxl(f, cxl);
		else if (!has_region && cxl->size.max)
			finish_note(f, &cxl->at,
				    "%s: cxl list -R and daxctl list tell what its %s are used for",
				    cxl->name, size_human(size, cxl->size.max));
	}
}

void finish_dax(struct finish *f)
{
	const struct import *import = f->import;

	for (size_t i = 0; i < import->nr_dax && !f->err; i++) {
		if (!is_known_dax(import, i))
			take_dax(f, &import->dax[i]);
	}
	if (!f->err)
		take_all_cxl(f);
}

/* Struct pages that binding a namespace logs: facts of pagemap_range. */
static bool logs_pages(const struct host *h, const struct host_namespace *ns, uint64_t pages)
{
	struct pfn_layout layout;

	if (pfn_layout_for(ns->has_start ? ns->start_bytes : 0, ns->size_bytes, ns->align_bytes, ns->map,
			   h->page_size_bytes, &layout))
		return false;
	return pages == (ns->map == MAP_DEV ? layout.usable_bytes : ns->size_bytes - layout.end_trunc_bytes) /
				h->page_size_bytes;
}

/* A driver says after its memory was registered how much it is; the range is rounded up to sections. */
static bool is_driver_memory(const struct finish *f, const struct klog *klog, size_t i)
{
	uint64_t bytes = klog->records[i].pages * f->host->page_size_bytes;

	for (size_t j = i + 1; j < klog->nr && j <= i + 2; j++) {
		const struct klog_record *r = &klog->records[j];

		if (r->type == KLOG_DEVICE_MEMORY && r->bytes <= bytes && bytes - r->bytes < 512 * MIB)
			return true;
	}
	return false;
}

/* A bind that nothing else explains: round sizes tell the map. */
static void add_logged_namespace(struct finish *f, const struct found_at *at, const struct klog_record *r)
{
	struct host *h = f->host;
	struct raw_layout layout = {0, f->sizes->pmd_bytes, MAP_DEV, h->page_size_bytes};
	uint64_t bytes = r->pages * h->page_size_bytes;
	struct raw_sizes raw = {.round_bytes = bytes};
	struct host_namespace *ns;

	if (raw_sizes_for(&layout, bytes, bytes, &raw) ||
	    (raw.round_bytes & -raw.round_bytes) <= (bytes & -bytes)) {
		layout.map = MAP_MEM;
		raw.round_bytes = bytes;
	}
	ns = array_grow(&h->namespaces, &h->nr_namespaces, sizeof(*ns));
	if (!ns) {
		f->err = -ENOMEM;
		return;
	}
	*ns = (struct host_namespace){
		.name = r->name ? finish_name(f, "%s", r->name)
				: finish_name(f, "bind%zu", h->nr_namespaces - 1),
		.mode = NS_FSDAX,
		.map = layout.map,
		.align_bytes = layout.align_bytes,
		.size_bytes = raw.round_bytes,
		.node = NODE_ANY,
	};
	finish_from(f, &ns->name, at, "%" PRIu64 " struct pages; mode, map and align are not in a log",
		    r->pages);
	finish_from(f, &ns->size_bytes, at, "the roundest raw size that logs so many");
}

static bool is_explained(const struct finish *f, const struct klog *klog, size_t i)
{
	const struct klog_record *r = &klog->records[i];
	const struct host *h = f->host;

	if (is_driver_memory(f, klog, i) || (r->name && find_namespace(h, r->name)))
		return true;
	for (size_t j = 0; j < h->nr_namespaces && f->import->nr_namespaces + f->import->nr_dax; j++) {
		if (logs_pages(h, &h->namespaces[j], r->pages))
			return true;
	}
	return false;
}

static void take_binds(struct finish *f, const struct found_log *log)
{
	bool has_lists = f->import->nr_namespaces + f->import->nr_dax > 0;
	size_t nr_before = f->host->nr_namespaces;

	for (size_t i = 0; i < log->klog->nr && !f->err; i++) {
		const struct klog_record *r = &log->klog->records[i];
		struct found_at at = {log->file, r->line, 0};

		if (r->type != KLOG_ZONE_DEVICE || is_explained(f, log->klog, i))
			continue;
		if (has_lists)
			finish_warn(f, &at,
				    "%" PRIu64
				    " struct pages were initialised, and no device listed has so many",
				    r->pages);
		else if (r->pages * f->host->page_size_bytes >= 2 * MIB && r->pages < 1ULL << 40)
			add_logged_namespace(f, &at, r);
	}
	if (f->host->nr_namespaces > nr_before)
		finish_note(
			f, NULL,
			"a rebind in a log looks like another device (ndctl list -NRv tells what there is)");
}

/* GPUs that are alike make one row. */
static void take_device_memory(struct finish *f, const struct klog_record *r, const struct found_at *at)
{
	struct host *h = f->host;
	struct host_device *dev, *last = h->nr_devices ? &h->devices[h->nr_devices - 1] : NULL;
	char name[UNITS_STR];

	if (!r->bytes)
		return;
	if (!r->name && last && last->type == DEV_PRIVATE && last->size_bytes == r->bytes) {
		last->count++;
		return;
	}
	snprintf(name, sizeof(name), "gpu%zu", h->nr_devices);
	dev = add_device(f, at, r->name ? r->name : name, DEV_PRIVATE, r->bytes);
	if (dev)
		finish_from(f, &dev->type, at, "taken as a discrete GPU's");
}

void finish_logged_devices(struct finish *f)
{
	const struct import *import = f->import;
	const struct klog_record *r;
	struct klog_cursor c = {0};
	struct found_at at;

	for (size_t i = 0; i < import->nr_logs && !f->err; i++)
		take_binds(f, &import->logs[i]);
	while (!f->err && (r = finish_next_record(f, KLOG_DEVICE_MEMORY, &c, &at)))
		take_device_memory(f, r, &at);
}
