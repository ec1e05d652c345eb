/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile held against observations: forecast, measured, error, row by row. */
#ifndef MEMMAPCTL_MODEL_VALIDATE_H
#define MEMMAPCTL_MODEL_VALIDATE_H

#include "model/forecast.h"
#include "model/rows.h"

struct validation_row {
	const struct obs_row *row; /* belongs to the rows validated */
	struct estimate forecast;
	double error_pct;  /* (forecast - measured) / measured * 100 */
	bool inside;       /* the measured time is inside the forecast's 90 % interval */
	bool extrapolated; /* beyond what a cost was fitted on */
	size_t nr_missing; /* units without a cost: the forecast is too short, and counts as not inside */
};

struct validation {
	struct validation_row *rows;
	size_t nr;
	double median_abs_pct, max_abs_pct, within_interval_pct;
};

/*
 * Forecast each row on its own path. rows must outlive the result. 0 and *out filled, freed with validation_free;
 * -EINVAL without rows, -ENOMEM.
 */
int validate_rows(const struct profile *profile, const struct obs_rows *rows, struct validation *out);
void validation_free(struct validation *validation);
#define _cleanup_validation_ _cleanup_(validation_free)

#endif
