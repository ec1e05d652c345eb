/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A device of this machine whose memory map can be torn down and built again. */
#ifndef MEMMAPCTL_MEASURE_KERNEL_DEVICE_H
#define MEMMAPCTL_MEASURE_KERNEL_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/root.h"

enum kernel_device_kind {
	KERNEL_FSDAX,
	KERNEL_DEVDAX,
	KERNEL_SYSTEM_RAM,
	KERNEL_RAW, /* struct pages only on some regions */
};

struct kernel_device {
	char *name;       /* as given: "namespace0.0", "pmem0", "dax0.0" */
	char *bound;      /* what is written to unbind and bind: "pfn0.0", "dax0.0" */
	char *device_dir; /* "/sys/bus/dax/devices/dax0.0"; its link `driver` is there while it is bound */
	char *driver_dir; /* "/sys/bus/dax/drivers/device_dax" */
	char *node_name;  /* in /dev, and in a probed host: "pmem0", "dax0.0" */
	enum kernel_device_kind kind;
	uint64_t size_bytes; /* what can be used of it */
	uint64_t align_bytes;
	const char *map;                          /* "mem", "dev"; NULL: not a namespace's */
	int node;                                 /* -1: not known */
	unsigned int nr_blocks, nr_online_blocks; /* system-ram: memory blocks */
};

/*
 * Find a bound device by the name of its namespace, block device or dax device (libndctl, libdaxctl). A dax device is
 * rebound on the dax bus, to the driver it has; a namespace on the nd bus, by its second probe, the one that
 * builds the memory map. 0 and *out; -ENODEV: no such device, or not bound, or none with a memory map; said in diags.
 */
int kernel_device_find(const char *name, struct diags *diags, struct kernel_device *out);
void kernel_device_free(struct kernel_device *device);
#define _cleanup_kernel_device_ _cleanup_(kernel_device_free)

const char *kernel_device_kind_name(enum kernel_device_kind kind); /* "fsdax", "devdax"... */

/*
 * Is it used by anybody? Mounted, swapped on, held by device-mapper or MD, open in or mapped into a process, or RAM
 * with blocks online. All that is found is an error in diags, which says what uses it and how to end that. 0: nobody;
 * -EBUSY; other negative errnos: it could not be told.
 */
int kernel_device_unused(const struct root *root, const struct kernel_device *device, struct diags *diags);

#endif
