/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The unknowns of a fit: every cost that the work of the rows needs; for this directory. */
#ifndef MEMMAPCTL_MODEL_FIT_COLUMNS_H
#define MEMMAPCTL_MODEL_FIT_COLUMNS_H

#include "model/rows.h"

struct fit_column {
	enum stage_id stage;
	enum unit_id unit;
	enum page_kind kind;
	enum memmap_path path;
	uint32_t n; /* rows that have it */
	double units_min, units_max;
};

struct fit_columns {
	struct fit_column *items; /* in the order of the stage and unit tables */
	size_t nr;
};

/* All columns of the rows; the caller frees out->items, also on failure. 0 or -ENOMEM. */
int columns_list(const struct obs_rows *rows, struct fit_columns *out);

/* Units that a row has of a column, shared by its threads; *raw: not shared. 0 where it has none. */
double column_units(const struct obs_row *row, const struct fit_column *c, double *raw);

#endif
