/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The host descriptions that observations refer to, each read once, with their geometry. */
#ifndef MEMMAPCTL_MODEL_DESCRIBED_H
#define MEMMAPCTL_MODEL_DESCRIBED_H

#include "geometry/geometry.h"
#include "measure/observations.h"

struct described {
	char *path;
	const char
		*release;  /* of the kernel observed; belongs to the observations, which must outlive this */
	struct host *host; /* stays where it is while others are added */
	struct work *work;
};

/* Zero-initialise ({0}). */
struct described_hosts {
	struct described *items;
	size_t nr;
};

/*
 * The description that observations call `name`, relative to their file. One that states no kernel release has the
 * observations'. 0 and *out, whose pointers belong to hosts; host_load's and work_new's errors, with diags told; -ENOMEM.
 */
int described_host(struct described_hosts *hosts, const struct observations *obs, const char *name,
		   struct diags *diags, struct described *out);
void described_hosts_free(struct described_hosts *hosts);

/* A device of the description, or NULL. */
const struct device_work *described_device(const struct work *work, const char *name);

#endif
