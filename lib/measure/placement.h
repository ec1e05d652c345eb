/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which CPUs run a measurement and which node its memory is on. */
#ifndef MEMMAPCTL_MEASURE_PLACEMENT_H
#define MEMMAPCTL_MEASURE_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

struct cpu_place {
	unsigned int cpu;
	int node; /* -1: not known */
};

struct placement {
	unsigned int *cpus; /* one a thread, the first one the caller's; freed with placement_free */
	bool pinned;        /* false: more threads than CPUs, so they go where the scheduler likes */
	int node;           /* to bind memory to; -1: none was asked for */
};

/*
 * Pick CPUs for threads: first, then the others of its node in turn, then those of other nodes. cpus are in
 * ascending order. Returns how many of want were found.
 */
size_t placement_pick(const struct cpu_place *cpus, size_t nr, unsigned int first, size_t want,
		      unsigned int *out);

/*
 * Choose for a node and a CPU as asked for (-1: not asked) among the CPUs this thread may use. 0; -ENODEV: no such
 * CPU or node here, the reason in diags; -ENOMEM.
 */
int placement_choose(int node, int cpu, unsigned int threads, struct diags *diags, struct placement *out);
void placement_free(struct placement *placement);
#define _cleanup_placement_ _cleanup_(placement_free)

#endif
