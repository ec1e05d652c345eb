/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The description's namespaces, made in the guest: labels initialised, regions divided, memory maps set up. */
#ifndef MEMMAPCTL_MEASURE_GUEST_NAMESPACES_H
#define MEMMAPCTL_MEASURE_GUEST_NAMESPACES_H

#include <stdint.h>

#include "base/diag.h"
#include "host/host.h"

struct guest_device {
	const struct host_namespace *ns; /* the host's */
	char name[32];        /* whose binding makes the memory map: "pfn0.1"; "dax0.0", on the dax bus */
	uint64_t start_bytes; /* physical address of the namespace */
	double first_bind_ns; /* wall clock of the bind that made it, its first; libnvdimm's info block is written in it */
};

struct guest_devices {
	struct guest_device *items;
	size_t nr;
};

/*
 * Create all namespaces of host on the NVDIMMs that guest_nvdimms_plan placed them on, in that order. Overwrites the
 * labels: for a guest's own NVDIMMs only. 0, or a negative errno with what failed in diags; *out is freed by the
 * caller, points into host, and is untouched on failure.
 */
int guest_namespaces_create(const struct host *host, struct diags *diags, struct guest_devices *out);

#endif
