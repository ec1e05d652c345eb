/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Observations as rows that costs can be fitted to and forecasts held against: the work that a host's geometry
 * says was done, and the time it took.
 */
#ifndef MEMMAPCTL_MODEL_ROWS_H
#define MEMMAPCTL_MODEL_ROWS_H

#include "geometry/geometry.h"
#include "measure/observations.h"

struct obs_row {
	char *what; /* "dax0.0"; without a device the host's name: what a table calls it */
	const struct observations *from;
	const struct obs_run *run;
	enum stage_id stage; /* or STAGE_TOTAL */
	enum event_id event;
	enum memmap_path path;
	double bytes_per_struct_page;
	struct work_terms terms; /* owned; formula and rule are static */
	double ns;               /* median of the samples */
	double sd_ns;            /* how well that is known: resolution and scatter of the samples */
	uint64_t nr_samples;     /* averaged ones counted in */
};

struct obs_rows {
	struct obs_row *items;
	size_t nr;
};

/*
 * Add the rows of a set of observations, which must outlive them. A run with a host description has the work of
 * its device there (the description is read, from beside obs->file); one without has just the units it states.
 * A run whose first bind was kept apart makes a row of the stage first_touch as well: the first bind minus the
 * later ones, all stages of the device together. Simulated runs count only where they are the kernel's own
 * sequence on memory: baseline, the compiler's default inlining, one thread.
 *
 * What is wrong goes to diags. 0; -EINVAL, -ENOENT and the like; -ENOMEM. Free with obs_rows_free in any case.
 */
int obs_rows_add(struct obs_rows *rows, const struct observations *obs, struct diags *diags);
/* Keep only the rows of one path. */
void obs_rows_keep_path(struct obs_rows *rows, enum memmap_path path);
void obs_rows_free(struct obs_rows *rows);
#define _cleanup_obs_rows_ _cleanup_(obs_rows_free)

#endif
