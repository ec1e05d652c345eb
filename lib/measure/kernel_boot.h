/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a boot's log tells of the memory part of that boot, as observations. No reboot, no privilege but to read it. */
#ifndef MEMMAPCTL_MEASURE_KERNEL_BOOT_H
#define MEMMAPCTL_MEASURE_KERNEL_BOOT_H

#include "base/diag.h"
#include "measure/observations.h"
#include "trace/boot_trace.h"
#include "trace/klog.h"

/*
 * Add a run to obs for each stage that the log times: bound devices, deferred init of each node, boot-time hugepages
 * and their struct pages, kernel start to the first program. hz: of the kernel that wrote the log, 0 when not known.
 * What the boot's function trace (NULL: there is none) times is taken from there.
 * What counted in jiffies says so in the run's note and is never better than one jiffy. What else the log says of
 * memory maps (allocations that fell short, refused hot-plugs, devices' memory) goes to diags with file (a name for
 * messages, may be NULL) and line.
 *
 * obs->env: kernel from the log; timing source and resolution. 0, -ENODATA when the log times nothing, -ENOMEM.
 */
int kernel_boot_observe(const struct klog *klog, const struct boot_trace *trace, unsigned int hz,
			const char *file, struct diags *diags, struct observations *obs);

#endif
