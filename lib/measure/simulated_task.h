/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One thing that a simulated measurement times over and over: an init routine or a store stream on one array. */
#ifndef MEMMAPCTL_MEASURE_SIMULATED_TASK_H
#define MEMMAPCTL_MEASURE_SIMULATED_TASK_H

#include "arch/arch.h"
#include "base/diag.h"
#include "initpath/initpath.h"
#include "measure/observations.h"
#include "measure/runner.h"
#include "measure/workers.h"

/* Shared by all tasks: where they write, who does the work, and a place to build what must come out. */
struct arena {
	struct page *memmap;
	uint64_t memmap_bytes;
	struct page *scratch;
	uint64_t scratch_bytes;
	struct workers *workers, *one_worker;
	struct diags *diags;
	const struct clock_source *cpu_clock; /* or NULL */
	uint64_t timed_ns, cpu_ns;            /* of all timed runs: by the clock, and with a CPU */
};

struct task {
	struct arena *arena;
	uint64_t cpu_start_ns;
	const struct initpath_routine *routine, *baseline; /* NULL: a stream */
	const struct arch_stream *stream;                  /* NULL: a routine */
	struct initpath_args args;
	struct split split;
	struct workers *workers;
	unsigned int loops;  /* times over the array in one timed run */
	double scale;        /* units described / units run */
	struct obs_run *run; /* where results go */
	bool differs;        /* from the baseline; reported in the arena's diags */
};

/* A job for the runner. The first pass starts on poisoned memory and is compared with the baseline afterwards. */
struct runner_job task_job(struct task *task);

#endif
