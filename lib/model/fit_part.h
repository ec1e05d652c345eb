/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stages that are fitted together, as one regression; for this directory. */
#ifndef MEMMAPCTL_MODEL_FIT_PART_H
#define MEMMAPCTL_MODEL_FIT_PART_H

#include "model/fit_columns.h"
#include "model/profile.h"
#include "stats/regression.h"

/* How far a stage's time is from its model for reasons the model does not have, before the data say otherwise. */
extern const double fit_assumed_residual;
/* Of a normal distribution's 90 %, in standard deviations. */
extern const double fit_half_width_90;

/* Rows and unknowns of a fit, and which stages go together: those that only a total was timed of. Nothing is owned. */
struct fit_problem {
	const struct obs_rows *rows;
	const struct fit_columns *columns;
	const struct profile *prior; /* or NULL */
	int group[NR_STAGES];        /* stages with the same number are fitted together */
};

struct fit_part {
	size_t *rows, *columns; /* of the problem's */
	size_t nr_rows, nr_columns;
	double *x, *y, *sigma, *prior_mean, *prior_sd;
	double *doubt; /* 1, or by how much more than others a row is off: its error counts as so much larger */
	struct regression_fit fit;
};

/* Which stages must be fitted together. */
void fit_group_stages(struct fit_problem *problem);

/*
 * The rows and columns of a group, and their fit. A row that is further from what the others say than their scatter
 * explains counts for less (Huber's weights), so that one does not bend all costs. No rows or no columns: no fit.
 * 0, -ENOMEM, or regression_fit's. Free with fit_part_free in any case.
 */
int fit_part_solve(const struct fit_problem *problem, int group, struct fit_part *part);
void fit_part_free(struct fit_part *part);
#define _cleanup_fit_part_ _cleanup_(fit_part_free)

/* What the costs found say of the part's row i. */
double fit_part_ns(const struct fit_part *part, size_t i);

/* The share of the time by which row i is off, of the time fitted. */
double fit_part_residual(const struct fit_part *part, size_t i);

/* The prior's cost for a column, or NULL. */
const struct cost *fit_prior_of(const struct fit_problem *problem, const struct fit_column *column);

#endif
