/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runner of every measurement: repetitions of a list of jobs, interleaved, so that a machine that gets slower
 * or faster meanwhile does so to all of them alike. Each pass after the first has an order of its own: no job always
 * follows the same one, with the caches that it leaves. The first pass is kept apart from the later ones.
 */
#ifndef MEMMAPCTL_MEASURE_RUNNER_H
#define MEMMAPCTL_MEASURE_RUNNER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/clock.h"

struct runner_job {
	void *ctx;
	/* Before and after each run, not timed; NULL: nothing to do. A negative errno ends the measurement. */
	int (*before)(void *ctx, unsigned int pass);
	int (*after)(void *ctx, unsigned int pass);
	void (*run)(void *ctx); /* timed */
	/* What a pass took; pass 0 is the first. 0 or a negative errno, which ends the measurement. */
	int (*result)(void *ctx, unsigned int pass, uint64_t ns);
};

struct runner {
	const struct clock_source *clock;
	unsigned int passes;               /* the first one included */
	const volatile sig_atomic_t *stop; /* NULL: cannot be stopped. Looked at between runs. */
	/* Called before each run with how many of all runs are done; NULL: nobody wants to know. */
	void (*progress)(void *ctx, size_t done, size_t total);
	void *progress_ctx;
};

/* 0, -EINTR when stopped (results so far were handed out), or what a job returned. */
int runner_run(const struct runner *runner, const struct runner_job *jobs, size_t nr_jobs);

#endif
