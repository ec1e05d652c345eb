/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unbind and bind a libnvdimm device through sysfs, by wall clock. */
#ifndef MEMMAPCTL_MEASURE_GUEST_REBIND_H
#define MEMMAPCTL_MEASURE_GUEST_REBIND_H

#include "measure/guest_agent.h"

/* A guest_agent_ops.measure_device: a bind run and an unbind run, each as a whole. */
int guest_rebind_measure(const struct guest_device *device, const struct guest_job *job,
			 struct observations *obs, struct diags *diags);

#endif
