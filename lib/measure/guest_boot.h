/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boot, as the guest's own kernel saw it. */
#ifndef MEMMAPCTL_MEASURE_GUEST_BOOT_H
#define MEMMAPCTL_MEASURE_GUEST_BOOT_H

#include "base/diag.h"
#include "base/root.h"
#include "host/host.h"
#include "measure/observations.h"

/*
 * Add a run for boot as a whole (the kernel's start to init_ns on its monotonic clock, the start of /init). 0 or a
 * negative errno.
 */
int guest_boot_measure(const struct root *root, const struct host *host, double init_ns,
		       struct observations *obs, struct diags *diags);

#endif
