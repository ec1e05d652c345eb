/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What will go wrong on a host, told before it does: what is allowed and does not work out, each with the kernel's
 * own reason. What is not allowed is host_check's and work_new's. No I/O, no clock.
 */
#ifndef MEMMAPCTL_MODEL_DIAGNOSE_H
#define MEMMAPCTL_MODEL_DIAGNOSE_H

#include "geometry/geometry.h"
#include "model/forecast.h"

/*
 * Sizes: RAM for memmaps, free blocks, hugepages, HVO, memory blocks, sections; bugs of certain kernels. Warnings with
 * their places.
 */
void diagnose_work(const struct work *work, struct diags *diags);

/* Times: binds against udev's event timeout, registration of memory blocks against the memory map. */
void diagnose_times(const struct host_forecast *forecast, struct diags *diags);

/* A warning about the value of a member of the host or of one of its lists, at its place. For lib/model. */
void diagnose_warn(const struct host *host, struct diags *diags, const void *field, const char *fmt, ...)
	_printf_(4, 5);

#endif
