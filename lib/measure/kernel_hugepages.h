/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hugepages at run time: pools of the running kernel grown and shrunk, by wall clock; needs no tracing. */
#ifndef MEMMAPCTL_MEASURE_KERNEL_HUGEPAGES_H
#define MEMMAPCTL_MEASURE_KERNEL_HUGEPAGES_H

#include <signal.h>
#include <stdint.h>

#include "base/diag.h"
#include "measure/clock.h"
#include "measure/observations.h"
#include "trace/undo.h"

/* How much a pool grows by. */
struct hugepage_growth {
	uint64_t size_bytes; /* of a page: a size that the kernel has */
	uint64_t count;      /* at least 1 */
	int node;            /* -1: wherever the kernel takes them from */
};

enum hvo_setting {
	HVO_AS_IS,
	HVO_OFF,
	HVO_ON,
};

struct kernel_hugepages_options {
	const char *sysroot; /* "" is this system; a prefix of all paths */
	const struct clock_source *clock;
	struct undo *undo;   /* how to restore pools and HVO is noted before they are changed */
	unsigned int cycles; /* of growing and shrinking, the first one included; at least 1 */
	const volatile sig_atomic_t *stop;
	void (*progress)(void *ctx, unsigned int done, unsigned int total, double cycle_ns);
	void *progress_ctx;
};

/*
 * Grow and shrink one pool with one setting of HVO, and add a run for each to obs, the first cycle apart. Units are
 * the hugepages really obtained: fewer than asked for is a warning, and the later cycles ask for as many. What the
 * pool had before, and HVO's setting, are put back before returning.
 *
 * 0; -EINVAL: no such page size, or no such node; -ENOTSUP: HVO cannot be switched here; -ENOMEM: not one page could
 * be had; -EINTR when stopped (obs has what was measured, marked incomplete); -EACCES and the like. All in diags.
 */
int kernel_hugepages_measure(const struct hugepage_growth *growth, enum hvo_setting hvo,
			     const struct kernel_hugepages_options *options, struct diags *diags,
			     struct observations *obs);

#endif
