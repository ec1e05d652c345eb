/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a namespace has to be created with to leave so much to use, and what that costs. */
#ifndef MEMMAPCTL_GEOMETRY_USABLE_H
#define MEMMAPCTL_GEOMETRY_USABLE_H

#include "geometry/geometry.h"

/* All in bytes. */
struct usable_plan {
	uint64_t request_bytes;   /* for ndctl's -s: a multiple of the align and of a region's usual 16 MiB */
	uint64_t usable_bytes;    /* what that leaves, at least what is wanted */
	uint64_t ram_bytes;       /* of its memmap, page tables included */
	uint64_t as_wanted_bytes; /* what is left of a namespace created with the wanted size; 0: nothing */
};

/*
 * For a namespace like ns (its mode, align and start) on the host, with the map given. 0, -EOVERFLOW beyond the largest
 * physical address, -EINVAL for what work_new refuses, -ENOMEM.
 */
int usable_plan_for(const struct host *host, const struct host_namespace *ns, enum namespace_map map,
		    uint64_t want_bytes, struct usable_plan *out);

#endif
