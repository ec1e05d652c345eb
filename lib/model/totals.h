/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums of times with their intervals; for this directory.
 *
 * One cost is uncertain in the same direction wherever it is used. So a total first adds the units that share a cost (a
 * cell), and only then puts the cells' half-widths together: costs that were fitted together by their correlations,
 * because what is known of their sum is known better than either; all others in quadrature, lower and upper ones apart.
 * What the profile's fit left unexplained comes on top, independent for each stage of each device.
 */
#ifndef MEMMAPCTL_MODEL_TOTALS_H
#define MEMMAPCTL_MODEL_TOTALS_H

#include "model/forecast.h"

/* One cost in use, and what the total being summed takes of it. */
struct cell {
	enum stage_id stage;
	enum unit_id unit;
	enum page_kind kind;
	struct cost_answer cost;
	double units;      /* units / parallel */
	double wide_units; /* the same, each widened as far as it is extrapolated */
	double half_90;    /* of a cost fitted here: 90 % half-width from its standard error; else 0 */
};

struct totals {
	const struct profile *profile;
	enum memmap_path path;
	double bytes_per_struct_page;
	struct cell *cells;
	size_t nr_cells;
	struct cell **cell_of_cost; /* for each of the profile's costs; NULL: not in use */
	double residual_sum;        /* of squares, of the total being summed */
};

/* Room for the cells of so many terms. 0 or -ENOMEM; free with totals_free in any case. */
int totals_init(struct totals *totals, const struct profile *profile, enum memmap_path path,
		double bytes_per_struct_page, size_t nr_terms);
void totals_free(struct totals *totals);

/* Forecast one term: its cost, time and cell. */
void totals_price(struct totals *totals, const struct work_term *term, struct term_forecast *out);

/* Start a sum; add a stage of so many copies of a device; end it. */
void totals_start(struct totals *totals);
void totals_add(struct totals *totals, const struct stage_forecast *stage, double copies);
struct estimate totals_end(const struct totals *totals);

#endif
