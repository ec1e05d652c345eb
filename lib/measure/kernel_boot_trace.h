/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boot's stages by the kernel's own function trace: to a microsecond, where the log counts jiffies. */
#ifndef MEMMAPCTL_MEASURE_KERNEL_BOOT_TRACE_H
#define MEMMAPCTL_MEASURE_KERNEL_BOOT_TRACE_H

#include "measure/observations.h"
#include "trace/boot_trace.h"

/* Hugepages that the boot allocated, as its log tells; 0: none, or not known. */
struct boot_pools {
	uint64_t gigantic, smaller;
};

/* Does the trace time this stage? Then what a log says of it, in jiffies, is not wanted. */
bool kernel_boot_trace_has(const struct boot_trace *trace, const struct boot_pools *pools,
			   enum stage_id stage);

/* Add a run for each stage that the trace times. 0 or -ENOMEM. */
int kernel_boot_trace_observe(const struct boot_trace *trace, const struct boot_pools *pools,
			      struct observations *obs);

#endif
