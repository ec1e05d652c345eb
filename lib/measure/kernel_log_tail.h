/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel says while something is done to it: its words belong in our message when it refuses. */
#ifndef MEMMAPCTL_MEASURE_KERNEL_LOG_TAIL_H
#define MEMMAPCTL_MEASURE_KERNEL_LOG_TAIL_H

#include "base/diag.h"

/* From now on. A descriptor, or -1 when the log cannot be read (kernel_log_tail takes that, too). */
int kernel_log_tail_open(void);

/*
 * The last message since then that names the device, else the last one at all, without stamp; NULL: none. The caller
 * frees. What was read is gone.
 */
char *kernel_log_tail(int fd, const char *device);

/*
 * A kernel that warned or found a bug of its own meanwhile is a warning in diags, with its words: a measurement
 * survives that, but must not hide it. What was read is gone.
 */
void kernel_log_complaints(int fd, struct diags *diags);

#endif
