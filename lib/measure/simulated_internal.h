/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What simulated.c (where to run, running, summing up), simulated_plan.c (what to run) and kernel_paths.c share. */
#ifndef MEMMAPCTL_MEASURE_SIMULATED_INTERNAL_H
#define MEMMAPCTL_MEASURE_SIMULATED_INTERNAL_H

#include "measure/buffer.h"
#include "measure/machine.h"
#include "measure/placement.h"
#include "measure/simulated.h"
#include "measure/simulated_task.h"

enum {
	SIMULATED_ORDER_2M = 9,
	SIMULATED_ORDER_1G = 18,
	PAGES_PER_SECTION = 32768, /* 128 MiB of 4K pages: what padata deals out */
};

struct simulation {
	const struct simulated_options *options;
	const struct simulated_hooks *hooks;
	struct diags *diags;
	struct machine_memory memory;
	struct placement placement;
	struct buffer buffer, scratch;
	struct arena arena;
	struct observations *obs;
	struct task *tasks;
	size_t nr_tasks;
	struct obs_run *stream_runs; /* of the streams, kept for the limits only */
	size_t nr_stream_runs;
};

/* The compound order that a kind is simulated with when nr_pages struct pages are written; 0: base pages. */
unsigned int simulated_order(const struct simulated_options *options, enum page_kind kind, uint64_t nr_pages);

/* The stage that writes the struct pages of a kind. */
enum stage_id simulated_stage(enum page_kind kind);

/*
 * Fill in sim->tasks, and sim->obs with a run for each: the streams first, then every routine that was asked for.
 * Needs buffer, memory and arena. 0; -EINVAL (nothing to run, in diags); -ENOMEM.
 */
int simulated_plan(struct simulation *sim);

/* The arguments to write nr_pages struct pages of a kind from the start of the array. */
struct initpath_args simulated_args(const struct simulation *sim, enum page_kind kind, unsigned int order,
				    uint64_t nr_pages);

#endif
