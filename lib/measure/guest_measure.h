/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside the guest: the measurements of a running kernel, on the devices that were made for it. */
#ifndef MEMMAPCTL_MEASURE_GUEST_MEASURE_H
#define MEMMAPCTL_MEASURE_GUEST_MEASURE_H

#include "base/diag.h"
#include "base/root.h"
#include "measure/guest_job.h"
#include "measure/guest_namespaces.h"
#include "measure/observations.h"

struct guest_measure {
	const struct root *root;
	const struct host *host; /* as described */
	const struct guest_job *job;
	void (*progress)(void *ctx, const char *text);
	void *ctx;
};

/*
 * Add the boot's stages to obs, from the kernel's log and function trace, and boot as a whole; when the log tells nothing, the latter alone,
 * as the kernel's start to init_ns, the start of /init on its monotonic clock. 0 or a negative errno, in diags.
 */
int guest_measure_boot(const struct root *root, double init_ns, struct diags *diags,
		       struct observations *obs);

/*
 * Rebind each device that has a memory map job->reps times, stage by stage. Devices have the names of the description;
 * units are those of the kernel that runs here. The first bind of the total is the one that made the device. 0 or a
 * negative errno, in diags.
 */
int guest_measure_devices(const struct guest_measure *m, const struct guest_devices *devices,
			  struct diags *diags, struct observations *obs);

/* Grow and shrink the pools of huge pages that the description takes at run time, as often. 0 or a negative errno, in diags. */
int guest_measure_hugepages(const struct guest_measure *m, struct diags *diags, struct observations *obs);

#endif
