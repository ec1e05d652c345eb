// SPDX-License-Identifier: GPL-2.0-or-later
/* Namespaces from ndctl's lists: raw sizes from usable ones, the same namespace in several lists. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "geometry/geometry.h"
#include "geometry/raw_size.h"
#include "probe/import_finish.h"

static const char *label(const struct found_namespace *ns)
{
	return ns->name ? ns->name : ns->dev;
}

static uint64_t align_of(const struct finish *f, const struct found_namespace *ns)
{
	if (ns->align_bytes)
		return ns->align_bytes;
	return f->sizes->pmd_bytes;
}

static uint64_t round_up_to(uint64_t x, uint64_t unit)
{
	return div_round_up(x, unit) * unit;
}

/* How the raw size came about, behind it. */
static void say_range(struct finish *f, const struct host_namespace *ns, const struct found_namespace *found,
		      const struct raw_sizes *raw)
{
	char min[UNITS_STR], max[UNITS_STR];

	if (raw->min_bytes == raw->max_bytes)
		finish_from(f, &ns->size_bytes, &found->at, "raw, of what is left to use");
	else
		finish_from(f, &ns->size_bytes, &found->at,
			    "raw, the roundest from %s to %s that leaves what is listed",
			    size_exact(min, raw->min_bytes), size_exact(max, raw->max_bytes));
}

/* The namespace fills its region: no need to search. */
static bool is_region(const struct found_namespace *ns, const struct raw_sizes *raw)
{
	return ns->region_bytes && ns->region_bytes >= raw->min_bytes && ns->region_bytes <= raw->max_bytes;
}

static void set_mapped_size(struct finish *f, struct host_namespace *ns, const struct found_namespace *found)
{
	struct raw_layout layout = {ns->start_bytes, ns->align_bytes, ns->map, f->host->page_size_bytes};
	struct raw_sizes raw;
	char size[UNITS_STR], align[UNITS_STR];

	if (raw_sizes_for(&layout, found->size.min, found->size.max, &raw)) {
		finish_warn(
			f, &found->at,
			"%s: no raw size leaves %s with map=%s and align=%s: the raw size is taken as that, "
			"rounded up",
			ns->name, size_exact(size, found->size.max), namespace_map_name(ns->map),
			size_exact(align, ns->align_bytes));
		ns->size_bytes = round_up_to(found->size.max, MAX(ns->align_bytes, 2 * MIB));
	} else if (is_region(found, &raw)) {
		ns->size_bytes = found->region_bytes;
		finish_from(f, &ns->size_bytes, &found->at, "its region's, which it fills");
	} else {
		ns->size_bytes = raw.round_bytes;
		say_range(f, ns, found, &raw);
	}
}

/* A BTT takes a little for itself, and has no memmap: its raw size decides nothing here. */
static void set_size(struct finish *f, struct host_namespace *ns, const struct found_namespace *found)
{
	if (ns->mode == NS_FSDAX || ns->mode == NS_DEVDAX)
		set_mapped_size(f, ns, found);
	else
		ns->size_bytes = round_up_to(found->size.max, 16 * MIB);
}

static void say_defaults(struct finish *f, const struct host_namespace *ns,
			 const struct found_namespace *found)
{
	char align[UNITS_STR];

	finish_from(f, &ns->name, &found->at, "%s", found->dev);
	if (ns->mode == NS_RAW || ns->mode == NS_SECTOR)
		return;
	if (!found->has_map)
		finish_unknown(f, &ns->map, "taken as dev, ndctl's default (a newer ndctl list)");
	if (!found->align_bytes)
		finish_unknown(f, &ns->align_bytes, "taken as %s (ndctl list -v)",
			       size_exact(align, ns->align_bytes));
	if (!found->has_start)
		finish_unknown(f, &ns->start_bytes, "taken as aligned (/proc/iomem as root)");
}

static void add(struct finish *f, const struct found_namespace *found)
{
	struct host *h = f->host;
	struct host_namespace *ns = array_grow(&h->namespaces, &h->nr_namespaces, sizeof(*ns));

	if (!ns) {
		f->err = -ENOMEM;
		return;
	}
	*ns = (struct host_namespace){
		.name = finish_name(f, "%s", label(found)),
		.mode = found->mode,
		.map = found->map,
		.align_bytes = align_of(f, found),
		.has_start = found->has_start,
		.start_bytes = found->start_bytes,
		.node = found->node,
	};
	if (f->err)
		return;
	set_size(f, ns, found);
	say_defaults(f, ns, found);
	if (found->node != NODE_ANY)
		finish_node(f, (uint32_t)found->node);
}

static bool overlap(const struct found_size *a, const struct found_size *b)
{
	return a->min <= b->max && b->min <= a->max;
}

/* The same in another list: it may only say the same. */
static void compare(struct finish *f, const struct found_namespace *first,
		    const struct found_namespace *again)
{
	const char *what = NULL;

	if (first->mode != again->mode)
		what = "mode";
	else if (first->has_map && again->has_map && first->map != again->map)
		what = "map";
	else if (first->align_bytes && again->align_bytes && first->align_bytes != again->align_bytes)
		what = "align";
	else if (!overlap(&first->size, &again->size))
		what = "size";
	if (what)
		finish_warn(f, &again->at, "%s: another %s than in %s:%u: that one is taken", label(again),
			    what, first->at.file, first->at.line);
}

/* What one list leaves out the other may tell. */
static void complete(struct found_namespace *ns, const struct found_namespace *other)
{
	if (!ns->name)
		ns->name = other->name;
	if (!ns->has_map && other->has_map) {
		ns->has_map = true;
		ns->map = other->map;
	}
	if (!ns->align_bytes)
		ns->align_bytes = other->align_bytes;
	if (!ns->region_bytes)
		ns->region_bytes = other->region_bytes;
	if (ns->node == NODE_ANY)
		ns->node = other->node;
	if (overlap(&ns->size, &other->size)) {
		ns->size.min = MAX(ns->size.min, other->size.min);
		ns->size.max = MIN(ns->size.max, other->size.max);
	}
}

static bool is_first(const struct import *import, size_t i)
{
	for (size_t j = 0; j < i; j++) {
		if (!strcmp(import->namespaces[j].dev, import->namespaces[i].dev))
			return false;
	}
	return true;
}

/* DAX devices that daxctl lists as used as RAM have no struct pages of a namespace. */
static bool is_used_as_ram(const struct import *import, const struct found_namespace *ns)
{
	for (size_t i = 0; i < import->nr_dax && ns->name; i++) {
		if (import->dax[i].is_system_ram && !strcmp(import->dax[i].name, ns->name))
			return true;
	}
	return false;
}

/* What a region has left, and what one namespace there would leave to use: pmem/ndctl#162. */
static void say_free(struct finish *f, const struct found_region *region)
{
	uint64_t align = f->sizes->pmd_bytes;
	uint64_t extent = (region->extent.max ? region->extent : region->available).min / align * align;
	char free_size[UNITS_STR], piece[UNITS_STR], dev[UNITS_STR], mem[UNITS_STR];
	struct pfn_layout by_map[2];

	if (!region->available.max ||
	    pfn_layout_for(0, extent, align, MAP_DEV, f->host->page_size_bytes, &by_map[MAP_DEV]) ||
	    pfn_layout_for(0, extent, align, MAP_MEM, f->host->page_size_bytes, &by_map[MAP_MEM]))
		return;
	finish_note(f, &region->at,
		    "%s: %s are free, the largest piece %s: a namespace there leaves %s with map=dev, %s "
		    "with map=mem",
		    region->name, size_human(free_size, region->available.max), size_human(piece, extent),
		    size_human(dev, by_map[MAP_DEV].usable_bytes),
		    size_human(mem, by_map[MAP_MEM].usable_bytes));
}

void finish_namespaces(struct finish *f)
{
	const struct import *import = f->import;

	for (size_t i = 0; i < import->nr_namespaces && !f->err; i++) {
		struct found_namespace ns = import->namespaces[i]; /* its texts stay the import's */

		if (!is_first(import, i))
			continue;
		for (size_t j = i + 1; j < import->nr_namespaces; j++) {
			if (strcmp(import->namespaces[j].dev, ns.dev))
				continue;
			compare(f, &ns, &import->namespaces[j]);
			complete(&ns, &import->namespaces[j]);
		}
		if (ns.is_disabled || !ns.size.max)
			finish_note(f, &ns.at, "%s is disabled or empty: left out", label(&ns));
		else if (!is_used_as_ram(import, &ns))
			add(f, &ns);
	}
	for (size_t i = 0; i < import->nr_regions; i++)
		say_free(f, &import->regions[i]);
}
