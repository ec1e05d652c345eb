/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The agent: what memmapctl does when it is a guest's /init. It mounts, loads modules, makes the namespaces, has each
 * device measured, sends the observations out and powers off.
 */
#ifndef MEMMAPCTL_MEASURE_GUEST_AGENT_H
#define MEMMAPCTL_MEASURE_GUEST_AGENT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "measure/guest_job.h"
#include "measure/guest_namespaces.h"
#include "measure/observations.h"

/* The layers above the agent, and how a device is measured, are handed in. */
struct guest_agent_ops {
	/*
	 * Unbind and bind device job->reps times and add runs to obs, as they are for any device of a running kernel; the
	 * agent has bound it once (device->first_bind_ns). 0 or a negative errno with the reason in diags.
	 */
	int (*measure_device)(const struct guest_device *device, const struct guest_job *job,
			      struct observations *obs, struct diags *diags);
	/* Write a record as JSON. 0 or a negative errno. */
	int (*save)(const struct observations *obs, FILE *out);
};

/* Is this process a guest's /init? Touches nothing. */
bool guest_agent_is_wanted(void);

/* Do all of the above. Does not return: the guest is off afterwards. */
void guest_agent_main(const struct guest_agent_ops *ops) __attribute__((noreturn));

#endif
