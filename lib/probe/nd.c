// SPDX-License-Identifier: GPL-2.0-or-later
/* libnvdimm: buses, DIMMs, regions and namespaces, as ndctl list -BDRN shows them. */
#include "probe/nd.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/units.h"

#define ND_DEVICES "sys/bus/nd/devices"

static void add_nd_device(struct prober *p, struct nd_devices *devices, const char *dir, const char *name)
{
	struct nd_device *d = prober_add(p, devices->items, devices->nr);

	if (!d)
		return;
	d->name = prober_text(p, "%s", name);
	d->dir = prober_text(p, "%s/%s", dir, name);
}

/* "…/ndbus0/region1/dax1.0/dax1.3": "…/ndbus0"; false: no such part. */
static bool cut_at_bus(char *path)
{
	char *bus = strstr(path, "/ndbus");

	if (!bus)
		return false;
	bus[1 + strcspn(bus + 1, "/")] = 0;
	return true;
}

static bool has_dir(const struct nd_devices *devices, const char *dir)
{
	for (size_t i = 0; i < devices->nr; i++) {
		if (devices->items[i].dir && !strcmp(devices->items[i].dir, dir))
			return true;
	}
	return false;
}

static void add_bus_folder(struct prober *p, struct nd_devices *devices, const char *bus)
{
	_cleanup_(root_names_free) char **regions = NULL;
	const char *name = strrchr(bus, '/') + 1;
	char parent[PATH_MAX];

	snprintf(parent, sizeof(parent), "%.*s", (int)(name - 1 - bus), bus);
	add_nd_device(p, devices, parent, name);
	if (root_list(p->root, &regions, "%s", bus))
		return;
	for (char **region = regions; *region; region++) {
		_cleanup_(root_names_free) char **names = NULL;
		char dir[PATH_MAX];

		if (strncmp(*region, "region", 6) && strncmp(*region, "nmem", 4))
			continue;
		add_nd_device(p, devices, bus, *region);
		snprintf(dir, sizeof(dir), "%s/%s", bus, *region);
		if (root_list(p->root, &names, "%s", dir))
			continue;
		for (char **n = names; *n; n++) {
			if (strchr(*n, '.'))
				add_nd_device(p, devices, dir, *n);
		}
	}
}

/* A tree may have been gathered without the nd bus's own folder: block and dax devices lead into it. */
static void find_by_users(struct prober *p, struct nd_devices *devices)
{
	static const char *const users[] = {"sys/bus/dax/devices", "sys/class/block"};

	for (size_t i = 0; i < ARRAY_SIZE(users); i++) {
		_cleanup_(root_names_free) char **names = NULL;

		if (root_list(p->root, &names, "%s", users[i]))
			continue;
		for (char **name = names; *name; name++) {
			_cleanup_free_ char *path = NULL;

			if (strncmp(*name, "dax", 3) && strncmp(*name, "pmem", 4))
				continue;
			if (root_realpath(p->root, &path, "%s/%s", users[i], *name) || !cut_at_bus(path) ||
			    has_dir(devices, path))
				continue;
			add_bus_folder(p, devices, path);
		}
	}
}

void nd_devices_find(struct prober *p, struct nd_devices *devices)
{
	_cleanup_(root_names_free) char **names = NULL;

	if (root_list(p->root, &names, ND_DEVICES) || !*names) {
		find_by_users(p, devices);
		return;
	}
	for (char **name = names; *name; name++)
		add_nd_device(p, devices, ND_DEVICES, *name);
}

void nd_devices_free(struct nd_devices *devices)
{
	for (size_t i = 0; i < devices->nr; i++) {
		free(devices->items[i].name);
		free(devices->items[i].dir);
	}
	free(devices->items);
	*devices = (struct nd_devices){0};
}

static void add_bus(struct prober *p, const struct nd_device *d)
{
	struct fact_bus *bus = prober_add(p, p->facts->buses, p->facts->nr_buses);

	if (!bus)
		return;
	bus->name = prober_text(p, "%s", d->name);
	bus->provider = attr_text(p, d->dir, "provider");
}

/* Serial numbers and unique ids are left where they are. */
static void add_dimm(struct prober *p, const struct nd_device *d)
{
	struct fact_dimm *dimm = prober_add(p, p->facts->dimms, p->facts->nr_dimms);

	if (!dimm)
		return;
	dimm->name = prober_text(p, "%s", d->name);
	dimm->handle = attr_text(p, d->dir, "nfit/handle");
	dimm->phys_id = attr_text(p, d->dir, "nfit/phys_id");
	dimm->state = attr_text(p, d->dir, "state");
	dimm->flags = attr_text(p, d->dir, "nfit/flags");
}

/* Without its prefix: "nd_pmem", "nd_volatile". */
static char *region_type(struct prober *p, const char *dir)
{
	_cleanup_free_ char *devtype = attr_text(p, dir, "devtype");

	if (!devtype)
		return NULL;
	return prober_text(p, "%s", strncmp(devtype, "nd_", 3) ? devtype : devtype + 3);
}

static void add_region(struct prober *p, const struct nd_device *d)
{
	struct fact_region *region = prober_add(p, p->facts->regions, p->facts->nr_regions);

	if (!region)
		return;
	region->name = prober_text(p, "%s", d->name);
	region->type = region_type(p, d->dir);
	region->has_size = attr_u64(p, d->dir, "size", &region->size_bytes);
	region->has_available = attr_u64(p, d->dir, "available_size", &region->available_bytes);
	region->has_align = attr_u64(p, d->dir, "align", &region->align_bytes);
	region->node = attr_node(p, d->dir, "numa_node");
	region->target_node = attr_node(p, d->dir, "target_node");
	region->has_start = attr_u64(p, d->dir, "resource", &region->start_bytes);
	region->has_mappings = attr_u64(p, d->dir, "mappings", &region->mappings);
}

void probe_namespaces(struct prober *p)
{
	_cleanup_(nd_devices_free) struct nd_devices devices = {0};

	nd_devices_find(p, &devices);
	if (!devices.nr && !root_exists(p->root, ND_DEVICES))
		prober_unknown(p, &p->host->namespaces, "namespaces",
			       "taken as none: there is no /" ND_DEVICES " (libnvdimm is not loaded)");
	for (size_t i = 0; i < devices.nr && !p->err; i++) {
		const struct nd_device *d = &devices.items[i];
		uint64_t nr;

		if (numbered(d->name, "ndbus", &nr))
			add_bus(p, d);
		else if (numbered(d->name, "nmem", &nr))
			add_dimm(p, d);
		else if (numbered(d->name, "region", &nr))
			add_region(p, d);
		else if (!strncmp(d->name, "namespace", 9))
			add_namespace(p, &devices, d);
		else if (!strncmp(d->name, "pfn", 3) || !strncmp(d->name, "dax", 3) ||
			 !strncmp(d->name, "btt", 3))
			add_orphan(p, &devices, d);
	}
}
