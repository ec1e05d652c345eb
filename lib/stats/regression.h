/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weighted least squares with coefficients that cannot be negative, with or without a Gaussian prior. No I/O, no
 * clock.
 */
#ifndef MEMMAPCTL_STATS_REGRESSION_H
#define MEMMAPCTL_STATS_REGRESSION_H

#include <stdbool.h>
#include <stddef.h>

/* y[i] = sum over j of x[i * nr_cols + j] * b[j], known to within sigma[i] > 0. Nothing is owned. */
struct regression {
	size_t nr_rows, nr_cols;
	const double *x;
	const double *y;
	const double *sigma;
	/*
	 * Both NULL: no prior. Else b[j] is prior_mean[j] to within prior_sd[j] before anything is observed; an
	 * sd of INFINITY says nothing about b[j].
	 */
	const double *prior_mean, *prior_sd;
	/*
	 * The noise is not estimated as less than this multiple of sigma, however small the residuals: what of sigma
	 * is known, such as a clock's step. 0: nothing is.
	 */
	double least_scale;
};

enum coefficient_state {
	COEF_FREE,
	COEF_AT_ZERO,      /* the best value would be negative */
	COEF_UNDETERMINED, /* not told apart from the others by these rows: left at 0 and to them */
};

struct coefficient {
	enum coefficient_state state;
	double value;
	double se; /* standard error, noise scale included; of an undetermined one: INFINITY */
	/*
	 * 90 % interval: Student's t where the noise was estimated from the residuals, and no more than the rows
	 * leave room for when all others are zero.
	 */
	double low, high;
};

struct regression_fit {
	struct coefficient *coef; /* nr_cols */
	/*
	 * nr_cols times nr_cols, noise included: how the coefficients are off together. One that the rows do not tell
	 * apart from others counts as known to within the most that they leave room for, and the others with it: what
	 * is known of their sum stays known.
	 */
	double *covariance;
	double dof; /* rows minus the coefficients that the rows (not the prior) determined */
	/*
	 * Noise, as a multiple of sigma: from the residuals when dof is 1 or more; else 1, i.e. sigma is taken at
	 * its word.
	 */
	double scale;
	bool scale_estimated;
};

/* 0 and *out freed with regression_fit_free; -EINVAL: no rows or no columns; -ENOMEM. */
int regression_fit(const struct regression *r, struct regression_fit *out);
void regression_fit_free(struct regression_fit *fit);
#define _cleanup_regression_fit_ _cleanup_(regression_fit_free)

/* How many standard errors the half-width of a 90 % interval is: Student's t; INFINITY: the noise is known. */
double interval_90_factor(double dof);

#endif
