/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Devices of the nd bus, and what becomes of each. For lib/probe only. */
#ifndef MEMMAPCTL_PROBE_ND_H
#define MEMMAPCTL_PROBE_ND_H

#include "probe/prober.h"

struct nd_device {
	char *name; /* namespace0.0, pfn0.1, region0 */
	char *dir;  /* its folder */
};

struct nd_devices {
	struct nd_device *items;
	size_t nr;
};

void nd_devices_find(struct prober *p, struct nd_devices *devices);
void nd_devices_free(struct nd_devices *devices);

/* A namespace with what claims it. */
void add_namespace(struct prober *p, const struct nd_devices *devices, const struct nd_device *d);

/*
 * A claim (pfn, dax, btt) whose namespace has no folder of its own in a saved tree: what the claim says,
 * with the raw size that the kernel's layout rule gives it. Claims of namespaces that are there, and seeds,
 * are left alone.
 */
void add_orphan(struct prober *p, const struct nd_devices *devices, const struct nd_device *d);

#endif
