/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a rebind did, counted by the calls of the kernel's own functions: what geometry says is held to it. */
#ifndef MEMMAPCTL_MEASURE_KERNEL_COUNTS_H
#define MEMMAPCTL_MEASURE_KERNEL_COUNTS_H

#include "measure/observations.h"
#include "trace/calls.h"

struct kernel_counts;

/* Set probes up; the next unbind and bind are counted. As calls_open. */
int kernel_counts_open(const struct root *root, struct undo *undo, struct diags *diags,
		       struct kernel_counts **out);

/* Read what was counted and take the probes away. 0 or a negative errno, said in diags. */
int kernel_counts_end(struct kernel_counts *counts, struct diags *diags);

/*
 * Put the count of a run's event, stage and unit into run->counted_units and say by which function in its note. A
 * stage that has no such function, in this kernel, is left as it is. 0; -EBADMSG when it is not run->units, with both
 * numbers in diags; -ENOMEM.
 */
int kernel_counts_apply(const struct kernel_counts *counts, struct diags *diags, struct obs_run *run);

void kernel_counts_free(struct kernel_counts *counts);

static inline void kernel_counts_free_ptr(struct kernel_counts **counts)
{
	kernel_counts_free(*counts);
}
#define _cleanup_kernel_counts_ _cleanup_(kernel_counts_free_ptr)

#endif
