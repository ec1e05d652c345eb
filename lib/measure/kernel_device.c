// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/kernel_device.h"

#include <daxctl/libdaxctl.h>
#include <errno.h>
#include <limits.h>
#include <ndctl/libndctl.h>
#include <string.h>

#include "base/util.h"

const char *kernel_device_kind_name(enum kernel_device_kind kind)
{
	static const char *const names[] = {"fsdax", "devdax", "system-ram", "raw"};

	return (size_t)kind < ARRAY_SIZE(names) ? names[kind] : "?";
}

void kernel_device_free(struct kernel_device *device)
{
	free(device->name);
	free(device->bound);
	free(device->device_dir);
	free(device->driver_dir);
	free(device->node_name);
	*device = (struct kernel_device){0};
}

/* Where it is and what it is bound to: `driver` is a link that ends in the driver's name. */
static int set_place(struct kernel_device *d, const char *bus, const char *bound, struct diags *diags)
{
	_cleanup_free_ char *link = NULL;
	char target[PATH_MAX];
	ssize_t len;

	d->bound = strdup(bound);
	if (!d->bound || asprintf(&d->device_dir, "/sys/bus/%s/devices/%s", bus, bound) < 0 ||
	    asprintf(&link, "%s/driver", d->device_dir) < 0)
		return -ENOMEM;
	len = readlink(link, target, sizeof(target) - 1);
	if (len < 0)
		return diag_error(diags, -ENODEV,
				  "%s: %s is not bound to a driver: there is nothing to rebind", d->name,
				  bound);
	target[len] = 0;
	const char *driver = strrchr(target, '/');

	if (asprintf(&d->driver_dir, "/sys/bus/%s/drivers/%s", bus, driver ? driver + 1 : target) < 0)
		return -ENOMEM;
	return 0;
}

static const char *map_name(enum ndctl_pfn_loc location)
{
	return location == NDCTL_PFN_LOC_RAM ? "mem" : location == NDCTL_PFN_LOC_PMEM ? "dev" : NULL;
}

/* The dax device of a devdax namespace. */
static struct daxctl_dev *dax_of(struct ndctl_dax *dax)
{
	struct daxctl_region *region = dax ? ndctl_dax_get_daxctl_region(dax) : NULL;

	return region ? daxctl_dev_get_first(region) : NULL;
}

static bool equal(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

static bool is_named(struct ndctl_namespace *ns, const char *name)
{
	struct ndctl_pfn *pfn = ndctl_namespace_get_pfn(ns);

	return equal(ndctl_namespace_get_devname(ns), name) ||
	       equal(ndctl_namespace_get_block_device(ns), name) ||
	       (pfn &&
		(equal(ndctl_pfn_get_block_device(pfn), name) || equal(ndctl_pfn_get_devname(pfn), name)));
}

static int fill_fsdax(struct ndctl_pfn *pfn, struct kernel_device *d, struct diags *diags)
{
	d->kind = KERNEL_FSDAX;
	d->node_name = strdup(ndctl_pfn_get_block_device(pfn));
	d->size_bytes = ndctl_pfn_get_size(pfn);
	d->align_bytes = ndctl_pfn_get_align(pfn);
	d->map = map_name(ndctl_pfn_get_location(pfn));
	return d->node_name ? set_place(d, "nd", ndctl_pfn_get_devname(pfn), diags) : -ENOMEM;
}

static int fill_nd_devdax(struct ndctl_dax *dax, struct kernel_device *d, struct diags *diags)
{
	struct daxctl_dev *dev = dax_of(dax);

	d->kind = KERNEL_DEVDAX;
	if (!dev)
		return diag_error(diags, -ENODEV, "%s has no dax device: it is not bound", d->name);
	d->node_name = strdup(daxctl_dev_get_devname(dev));
	d->size_bytes = ndctl_dax_get_size(dax);
	d->align_bytes = ndctl_dax_get_align(dax);
	d->map = map_name(ndctl_dax_get_location(dax));
	return d->node_name ? set_place(d, "nd", ndctl_dax_get_devname(dax), diags) : -ENOMEM;
}

static int fill_namespace(struct ndctl_namespace *ns, struct kernel_device *d, struct diags *diags)
{
	struct ndctl_pfn *pfn = ndctl_namespace_get_pfn(ns);
	struct ndctl_dax *dax = ndctl_namespace_get_dax(ns);
	const char *block;

	d->node = ndctl_namespace_get_numa_node(ns);
	if (pfn)
		return fill_fsdax(pfn, d, diags);
	if (dax)
		return fill_nd_devdax(dax, d, diags);
	if (ndctl_namespace_get_btt(ns))
		return diag_error(diags, -ENODEV, "%s is in sector mode: it has no memory map", d->name);
	d->kind = KERNEL_RAW;
	block = ndctl_namespace_get_block_device(ns);
	d->node_name = strdup(block ? block : "");
	d->size_bytes = ndctl_namespace_get_size(ns);
	return d->node_name ? set_place(d, "nd", ndctl_namespace_get_devname(ns), diags) : -ENOMEM;
}

/* The namespace that a test accepts. */
typedef bool (*namespace_test)(struct ndctl_namespace *ns, const char *name);

static struct ndctl_namespace *find_namespace(struct ndctl_ctx *ctx, const char *name, namespace_test test)
{
	struct ndctl_bus *bus;
	struct ndctl_region *region;
	struct ndctl_namespace *ns;

	ndctl_bus_foreach(ctx, bus)
	{
		ndctl_region_foreach(bus, region)
		{
			ndctl_namespace_foreach(region, ns)
			{
				if (test(ns, name))
					return ns;
			}
		}
	}
	return NULL;
}

static bool has_dax(struct ndctl_namespace *ns, const char *name)
{
	struct daxctl_dev *dev = dax_of(ndctl_namespace_get_dax(ns));

	return dev && equal(daxctl_dev_get_devname(dev), name);
}

static struct daxctl_dev *find_dax(struct daxctl_ctx *ctx, const char *name)
{
	struct daxctl_region *region;
	struct daxctl_dev *dev;

	daxctl_region_foreach(ctx, region)
	{
		daxctl_dev_foreach(region, dev)
		{
			if (equal(daxctl_dev_get_devname(dev), name))
				return dev;
		}
	}
	return NULL;
}

/* Which driver a dax device has decides what it is. */
static int fill_dax(struct daxctl_dev *dev, struct ndctl_ctx *nd, struct kernel_device *d,
		    struct diags *diags)
{
	struct ndctl_namespace *ns = find_namespace(nd, d->name, has_dax);
	struct daxctl_memory *memory = daxctl_dev_get_memory(dev);
	int err, online;

	d->kind = KERNEL_DEVDAX;
	d->node_name = strdup(d->name);
	d->size_bytes = daxctl_dev_get_size(dev);
	d->align_bytes = daxctl_dev_get_align(dev);
	d->node = ns ? ndctl_namespace_get_numa_node(ns) : daxctl_dev_get_target_node(dev);
	if (ns)
		d->map = map_name(ndctl_dax_get_location(ndctl_namespace_get_dax(ns)));
	err = d->node_name ? set_place(d, "dax", d->name, diags) : -ENOMEM;
	if (err || !equal(strrchr(d->driver_dir, '/'), "/kmem"))
		return err;
	d->kind = KERNEL_SYSTEM_RAM;
	online = memory ? daxctl_memory_is_online(memory) : 0;
	if (online < 0)
		return diag_error(diags, online, "%s: the state of its memory blocks cannot be read",
				  d->name);
	d->nr_blocks = memory ? (unsigned int)daxctl_memory_num_sections(memory) : 0;
	d->nr_online_blocks = (unsigned int)online;
	return 0;
}

static int find(struct ndctl_ctx *nd, struct daxctl_ctx *dax, struct kernel_device *d, struct diags *diags)
{
	struct daxctl_dev *dev = find_dax(dax, d->name);
	struct ndctl_namespace *ns;

	if (dev)
		return fill_dax(dev, nd, d, diags);
	ns = find_namespace(nd, d->name, is_named);
	if (ns)
		return fill_namespace(ns, d, diags);
	return diag_error(
		diags, -ENODEV,
		"%s: there is no such namespace, pmem or dax device here (ndctl list -Ni, daxctl list)",
		d->name);
}

int kernel_device_find(const char *name, struct diags *diags, struct kernel_device *out)
{
	_cleanup_kernel_device_ struct kernel_device d = {.node = -1};
	struct ndctl_ctx *nd = NULL;
	struct daxctl_ctx *dax = NULL;
	int err;

	name = strncmp(name, "/dev/", 5) ? name : name + 5;
	d.name = strdup(name);
	if (!d.name || ndctl_new(&nd) < 0)
		return -ENOMEM;
	err = daxctl_new(&dax) < 0 ? -ENOMEM : find(nd, dax, &d, diags);
	if (dax)
		daxctl_unref(dax);
	ndctl_unref(nd);
	if (err)
		return err;
	*out = d;
	d = (struct kernel_device){0};
	return 0;
}
