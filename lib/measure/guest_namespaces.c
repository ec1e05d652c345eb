// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/guest_namespaces.h"

#include <errno.h>
#include <inttypes.h>
#include <ndctl/libndctl.h>
#include <ndctl/ndctl.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/units.h"
#include "measure/guest_machine.h"

struct creation {
	const struct host *host;
	struct diags *diags;
	struct ndctl_ctx *ctx;
	struct ndctl_region **regions; /* of pmem, by physical address: in the order of the plan */
	size_t nr_regions;
	struct guest_devices devices;
};

static double clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * NS_PER_S + (double)ts.tv_nsec;
}

static void make_uuid(unsigned char uuid[16])
{
	if (getrandom(uuid, 16, 0) != 16)
		memset(uuid, 0x5a, 16); /* it only has to differ from none */
	uuid[6] = (uuid[6] & 0x0f) | 0x40;
	uuid[8] = (uuid[8] & 0x3f) | 0x80;
}

static int compare_regions(const void *a, const void *b)
{
	uint64_t ra = ndctl_region_get_resource(*(struct ndctl_region *const *)a);
	uint64_t rb = ndctl_region_get_resource(*(struct ndctl_region *const *)b);

	return ra < rb ? -1 : ra > rb;
}

static int find_regions(struct creation *c)
{
	struct ndctl_bus *bus;

	ndctl_bus_foreach(c->ctx, bus)
	{
		struct ndctl_region *region;

		ndctl_bus_wait_probe(bus);
		ndctl_region_foreach(bus, region)
		{
			struct ndctl_region **slot;

			if (ndctl_region_get_type(region) != ND_DEVICE_REGION_PMEM)
				continue;
			slot = array_grow(&c->regions, &c->nr_regions, sizeof(*slot));
			if (!slot)
				return -ENOMEM;
			*slot = region;
		}
	}
	if (c->nr_regions)
		qsort(c->regions, c->nr_regions, sizeof(*c->regions), compare_regions);
	return 0;
}

/* The kernel has read the labels when a dimm was enabled, and a region holds them: both are taken down around the writing. */
static int init_labels(struct creation *c, struct ndctl_region *region)
{
	const char *name = ndctl_region_get_devname(region);
	struct ndctl_dimm *dimm;
	int err = ndctl_region_disable_invalidate(region);

	if (err)
		return diag_error(c->diags, err, "%s: cannot be disabled: %s", name, strerror(-err));
	ndctl_dimm_foreach_in_region(region, dimm)
	{
		struct ndctl_cmd *labels = ndctl_dimm_read_label_index(dimm);
		int slots = labels ? ndctl_dimm_init_labels(dimm, NDCTL_NS_VERSION_1_2) : -ENXIO;

		if (labels)
			ndctl_cmd_unref(labels);
		if (slots < 0)
			return diag_error(c->diags, slots, "%s: labels cannot be initialised: %s",
					  ndctl_dimm_get_devname(dimm), strerror(-slots));
		err = ndctl_dimm_disable(dimm);
		if (!err)
			err = ndctl_dimm_enable(dimm);
		if (err)
			return diag_error(c->diags, err, "%s: cannot be enabled again: %s",
					  ndctl_dimm_get_devname(dimm), strerror(-err));
	}
	err = ndctl_region_enable(region);
	return err ? diag_error(c->diags, err, "%s: cannot be enabled again: %s", name, strerror(-err)) : 0;
}

static int init_all_labels(struct creation *c)
{
	for (size_t i = 0; i < c->nr_regions; i++) {
		int err = init_labels(c, c->regions[i]);

		if (err)
			return err;
	}
	return 0;
}

/* Give the region's empty namespace its size: it comes to be a namespace, without a memory map. */
static int divide(struct creation *c, struct ndctl_region *region, const struct host_namespace *ns,
		  struct ndctl_namespace **out)
{
	struct ndctl_namespace *seed = ndctl_region_get_namespace_seed(region);
	unsigned char uuid[16];
	char size[UNITS_STR];
	int err;

	if (!seed)
		return diag_error(c->diags, -ENXIO, "%s: %s cannot be divided: it has no labels", ns->name,
				  ndctl_region_get_devname(region));
	make_uuid(uuid);
	err = ndctl_namespace_set_uuid(seed, uuid);
	if (!err)
		err = ndctl_namespace_set_size(seed, ns->size_bytes);
	if (err)
		return diag_error(c->diags, err, "%s: the kernel takes no namespace of %s in %s: %s",
				  ns->name, size_exact(size, ns->size_bytes),
				  ndctl_region_get_devname(region), strerror(-err));
	*out = seed;
	return 0;
}

static int set_up_fsdax(struct ndctl_region *region, struct ndctl_namespace *ndns,
			const struct host_namespace *ns, struct guest_device *device)
{
	struct ndctl_pfn *pfn = ndctl_region_get_pfn_seed(region);
	enum ndctl_pfn_loc location = ns->map == MAP_DEV ? NDCTL_PFN_LOC_PMEM : NDCTL_PFN_LOC_RAM;
	unsigned char uuid[16];
	int err;

	if (!pfn)
		return -ENXIO;
	snprintf(device->name, sizeof(device->name), "%s", ndctl_pfn_get_devname(pfn));
	make_uuid(uuid);
	err = ndctl_pfn_set_uuid(pfn, uuid);
	if (!err)
		err = ndctl_pfn_set_location(pfn, location);
	if (!err)
		err = ndctl_pfn_set_align(pfn, ns->align_bytes);
	if (!err)
		err = ndctl_pfn_set_namespace(pfn, ndns);
	if (err)
		return err;
	device->first_bind_ns = -clock_ns();
	err = ndctl_pfn_enable(pfn);
	device->first_bind_ns += clock_ns();
	return err;
}

static int set_up_devdax(struct ndctl_region *region, struct ndctl_namespace *ndns,
			 const struct host_namespace *ns, struct guest_device *device)
{
	struct ndctl_dax *dax = ndctl_region_get_dax_seed(region);
	enum ndctl_pfn_loc location = ns->map == MAP_DEV ? NDCTL_PFN_LOC_PMEM : NDCTL_PFN_LOC_RAM;
	unsigned char uuid[16];
	int err;

	if (!dax)
		return -ENXIO;
	/* The device on the dax bus has the namespace's numbers, not those of libnvdimm's own "daxX.Y". */
	snprintf(device->name, sizeof(device->name), "dax%s",
		 ndctl_namespace_get_devname(ndns) + strlen("namespace"));
	make_uuid(uuid);
	err = ndctl_dax_set_uuid(dax, uuid);
	if (!err)
		err = ndctl_dax_set_location(dax, location);
	if (!err)
		err = ndctl_dax_set_align(dax, ns->align_bytes);
	if (!err)
		err = ndctl_dax_set_namespace(dax, ndns);
	if (err)
		return err;
	device->first_bind_ns = -clock_ns();
	err = ndctl_dax_enable(dax);
	device->first_bind_ns += clock_ns();
	return err;
}

/* No memory map: bound like the others, so that the rest of the host is as described. */
static int set_up_plain(struct ndctl_namespace *ndns, struct guest_device *device)
{
	int err;

	snprintf(device->name, sizeof(device->name), "%s", ndctl_namespace_get_devname(ndns));
	device->first_bind_ns = -clock_ns();
	err = ndctl_namespace_enable(ndns);
	device->first_bind_ns += clock_ns();
	return MIN(err, 0); /* positive: enabled already */
}

static int set_up(struct ndctl_region *region, struct ndctl_namespace *ndns, struct guest_device *device)
{
	switch (device->ns->mode) {
	case NS_FSDAX:
		return set_up_fsdax(region, ndns, device->ns, device);
	case NS_DEVDAX:
		return set_up_devdax(region, ndns, device->ns, device);
	case NS_RAW:
	case NS_SECTOR: /* a translation layer's own structures, and no memory map either */
		return set_up_plain(ndns, device);
	}
	return -EINVAL;
}

static int create_one(struct creation *c, struct ndctl_region *region, const struct host_namespace *ns)
{
	struct guest_device *device = array_grow(&c->devices.items, &c->devices.nr, sizeof(*device));
	struct ndctl_namespace *ndns = NULL;
	int err;

	if (!device)
		return -ENOMEM;
	device->ns = ns;
	err = divide(c, region, ns, &ndns);
	if (err)
		return err;
	device->start_bytes = ndctl_namespace_get_resource(ndns);
	err = set_up(region, ndns, device);
	if (err)
		return diag_error(c->diags, err, "%s: the kernel does not take %s map=%s: %s", ns->name,
				  namespace_mode_name(ns->mode), namespace_map_name(ns->map), strerror(-err));
	return 0;
}

static int create_planned(struct creation *c, const struct guest_nvdimms *plan)
{
	if (c->nr_regions < plan->nr)
		return diag_error(c->diags, -ENODEV,
				  "the kernel shows %zu of %zu NVDIMMs: has it the modules libnvdimm and "
				  "nfit, and ACPI?",
				  c->nr_regions, plan->nr);
	for (size_t i = 0; i < plan->nr; i++) {
		for (size_t j = 0; j < plan->items[i].nr_namespaces; j++) {
			int err = create_one(c, c->regions[i],
					     &c->host->namespaces[plan->items[i].namespaces[j]]);

			if (err)
				return err;
		}
	}
	return 0;
}

int guest_namespaces_create(const struct host *host, struct diags *diags, struct guest_devices *out)
{
	_cleanup_guest_nvdimms_ struct guest_nvdimms plan = {0};
	struct creation c = {.host = host, .diags = diags};
	int err = guest_nvdimms_plan(host, &plan);

	if (!err)
		err = ndctl_new(&c.ctx);
	if (!err)
		err = find_regions(&c);
	if (!err)
		err = init_all_labels(&c);
	if (!err)
		err = create_planned(&c, &plan);
	if (c.ctx)
		ndctl_unref(c.ctx);
	free(c.regions);
	if (err) {
		free(c.devices.items);
		return err;
	}
	*out = c.devices;
	return 0;
}
