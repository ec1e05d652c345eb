/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure --mode simulated: the init paths race on a replica of the memmap in user space, each against the store
 * bandwidth that the same memory showed in the same run.
 */
#ifndef MEMMAPCTL_MEASURE_SIMULATED_H
#define MEMMAPCTL_MEASURE_SIMULATED_H

#include "initpath/initpath.h"
#include "measure/clock.h"
#include "measure/observations.h"
#include "measure/runner.h"

struct simulated_options {
	const struct initpath_version *version;
	uint64_t nr_pages;
	/* Bit masks by enum page_kind, memmap_path and initpath_codegen. */
	unsigned int kinds, paths, codegens;
	const char *const *routines; /* names, NULL-ended; NULL: all */
	unsigned int order; /* 0: 9 for zd-compound; 18 for hugetlb, 9 where nr_pages is below that */
	unsigned int reps;  /* not counting the first pass */
	unsigned int threads;
	int node, cpu;         /* -1: as it comes */
	uint64_t memory_bytes; /* 0: chosen, see budget_window_bytes() */
};

struct simulated_hooks {
	const struct clock_source *clock;
	const struct clock_source
		*cpu_clock; /* of this thread; NULL: how busy the machine is is not looked at */
	const volatile sig_atomic_t *stop;
	void (*progress)(void *ctx, size_t done, size_t total);
	void *progress_ctx;
};

/*
 * Measure. 0 and *out. With *out set as well: -EINTR, stopped: what was measured until then, marked incomplete;
 * -EBADMSG, a routine left other bytes than the baseline (its run is not verified; diags names the page). With *out
 * untouched and the reason in diags: -EINVAL, nothing to run or too few pages; -ENODEV, no such node or CPU;
 * -ENOMEM.
 */
int simulated_measure(const struct simulated_options *options, const struct simulated_hooks *hooks,
		      struct diags *diags, struct observations **out);

#endif
