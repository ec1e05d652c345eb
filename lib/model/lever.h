/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Levers: every change that an operator can make and the forecast knows, each tried on a copy of the host on its
 * own, forecast, and ranked by what it saves. No I/O, no clock.
 */
#ifndef MEMMAPCTL_MODEL_LEVER_H
#define MEMMAPCTL_MODEL_LEVER_H

#include "model/forecast.h"

enum lever_kind {
	LEVER_ALIGN,            /* a devdax namespace with another align */
	LEVER_MAP,              /* a namespace with its memmap elsewhere */
	LEVER_MEMMAP_ON_MEMORY, /* system-ram with its memmap in itself, or not */
	LEVER_HVO,              /* HugeTLB vmemmap optimisation on, or off */
	LEVER_DEFERRED,         /* deferred struct page initialisation on */
	LEVER_DAX_OPTIMIZATION, /* DAX vmemmap optimisation on, or off */
	LEVER_PATH,             /* a kernel with a faster init path */
	NR_LEVER_KINDS,
};

struct lever {
	enum lever_kind kind;
	const char *device; /* belongs to the host; NULL: the whole host */
	char change[64];    /* "align=1GiB" */
	const char *price;  /* static: what it costs the operator */
	bool new_kernel;    /* needs a kernel that the host does not have */

	/* The forecast with the change alone. */
	struct estimate hotplug, hotplug_first, boot;
	uint64_t memmap_ram_bytes, memmap_device_bytes;
	bool windows_fit;

	/* Against the host as it is; negative: worse. */
	double hotplug_saved_ns, boot_saved_ns;
	int64_t ram_saved_bytes, device_saved_bytes;
};

struct levers {
	struct lever *items; /* by time saved, the most first; equal ones by RAM saved */
	size_t nr;
};

/*
 * Try every change to base->host with base's profile and path. Changes that the host's rules refuse or that alter
 * nothing are left out; those that only make things worse are kept, at the end. 0 and *out freed by
 * levers_free, or -ENOMEM.
 */
int levers_new(const struct host_forecast *base, struct levers **out);
void levers_free(struct levers *levers);

/*
 * The one worth naming: the most time saved, at least 2 % of the host's hot-plug and boot time together, or else the
 * most RAM saved, at least 1 % of the memmaps' RAM. without_new_kernel leaves out those that need another
 * kernel. NULL: none is.
 */
const struct lever *levers_biggest(const struct levers *levers, const struct host_forecast *base,
				   bool without_new_kernel);

/* Does every window fit? True without windows. */
bool windows_fit(const struct host_forecast *forecast);

static inline void levers_free_ptr(struct levers **levers)
{
	levers_free(*levers);
}
#define _cleanup_levers_ _cleanup_(levers_free_ptr)

#endif
