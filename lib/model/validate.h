/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles held against observations: forecast, measured, error, row by row. */
#ifndef MEMMAPCTL_MODEL_VALIDATE_H
#define MEMMAPCTL_MODEL_VALIDATE_H

#include "model/forecast.h"
#include "model/rows.h"

struct validation_row {
	const struct obs_row *row;     /* belongs to the rows validated */
	const struct profile *profile; /* that forecast it */
	const char *scenario;          /* of a published result; or NULL */
	struct estimate forecast;
	bool has_error;    /* false where the clock read 0: there is nothing to be a percentage of */
	double error_pct;  /* (forecast - measured) / measured * 100 */
	bool inside;       /* the measured time is inside the forecast's 90 % interval */
	bool extrapolated; /* beyond what a cost was fitted on */
	size_t nr_missing; /* units without a cost: the forecast is too short, and counts as not inside */
};

/* Zero-initialise; free with validation_free. */
struct validation {
	struct validation_row *rows;
	size_t nr;
	/* set by validation_finish */
	double median_abs_pct, max_abs_pct, within_interval_pct;
};

/*
 * Forecast each row on its own path and append it. What is passed must outlive the validation. 0 or -ENOMEM.
 */
int validation_add(struct validation *validation, const struct profile *profile, const char *scenario,
		   const struct obs_rows *rows);

/* Sum up all rows; errors of those that have one. 0; -EINVAL when there are none; -ENOMEM. */
int validation_finish(struct validation *validation);
void validation_free(struct validation *validation);
#define _cleanup_validation_ _cleanup_(validation_free)

#endif
