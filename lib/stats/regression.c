// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The normal equations with the prior added, solved for non-negative coefficients by the active-set method of
 * Lawson and Hanson. Columns are scaled to unit length first, so that a cost of nanoseconds a struct page and
 * one of milliseconds a grace period meet on equal terms.
 */
#include "stats/regression.h"

#include <errno.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "base/util.h"

/* A column whose part orthogonal to the others is shorter than this share of it is not told apart from them. */
static const double independent_share = 1e-5;
/* A coefficient that explains less than this share of what the largest does is rounding, and zero. */
static const double rounding_share = 1e-12;
/* Slopes as near to each other as this are those of columns that the rows do not tell apart. */
static const double same_slope_share = 1e-9;
enum { MAX_SCALE_ROUNDS = 20 };

struct solver {
	const struct regression *r;
	size_t nr;          /* columns */
	double noise_scale; /* what sigma is multiplied by */
	double *col_scale;
	gsl_matrix *data;   /* X'WX of scaled columns, at noise scale 1 */
	gsl_matrix *normal; /* data / noise_scale^2 + prior */
	gsl_vector *rhs;
	gsl_vector *b;
	enum coefficient_state *state;
	size_t *active; /* the free columns, ascending */
	size_t nr_active;
};

static void matrix_free(gsl_matrix **m)
{
	if (*m)
		gsl_matrix_free(*m);
}

static void vector_free(gsl_vector **v)
{
	if (*v)
		gsl_vector_free(*v);
}

#define _cleanup_matrix_ _cleanup_(matrix_free)
#define _cleanup_vector_ _cleanup_(vector_free)

static void solver_free(struct solver *s)
{
	matrix_free(&s->data);
	matrix_free(&s->normal);
	vector_free(&s->rhs);
	vector_free(&s->b);
	free(s->col_scale);
	free(s->state);
	free(s->active);
}

double interval_90_factor(double dof)
{
	return isinf(dof) ? gsl_cdf_ugaussian_Pinv(0.95) : gsl_cdf_tdist_Pinv(0.95, dof);
}

static double prior_weight(const struct solver *s, size_t j)
{
	const struct regression *r = s->r;
	double sd;

	if (!r->prior_sd || isinf(r->prior_sd[j]))
		return 0;
	sd = r->prior_sd[j] / s->col_scale[j];
	return 1 / (sd * sd);
}

/* Row i's entry in scaled column j, weighted. */
static double weighted(const struct solver *s, size_t i, size_t j)
{
	return s->r->x[i * s->nr + j] * s->col_scale[j] / s->r->sigma[i];
}

/* Scale columns to unit length; one that no row uses keeps its prior's scale. */
static void scale_columns(struct solver *s)
{
	const struct regression *r = s->r;

	for (size_t j = 0; j < s->nr; j++) {
		double length = 0;

		for (size_t i = 0; i < r->nr_rows; i++)
			length = hypot(length, r->x[i * s->nr + j] / r->sigma[i]);
		if (length > 0)
			s->col_scale[j] = 1 / length;
		else if (r->prior_sd && isfinite(r->prior_sd[j]) && r->prior_sd[j] > 0)
			s->col_scale[j] = r->prior_sd[j];
		else
			s->col_scale[j] = 1;
	}
	for (size_t j = 0; j < s->nr; j++) {
		for (size_t k = 0; k < s->nr; k++) {
			double sum = 0;

			for (size_t i = 0; i < r->nr_rows; i++)
				sum += weighted(s, i, j) * weighted(s, i, k);
			gsl_matrix_set(s->data, j, k, sum);
		}
	}
}

static void build_normal(struct solver *s)
{
	const struct regression *r = s->r;
	double data_weight = 1 / (s->noise_scale * s->noise_scale);

	gsl_matrix_memcpy(s->normal, s->data);
	gsl_matrix_scale(s->normal, data_weight);
	for (size_t j = 0; j < s->nr; j++) {
		double weight = prior_weight(s, j), sum = 0;

		for (size_t i = 0; i < r->nr_rows; i++)
			sum += weighted(s, i, j) * r->y[i] / r->sigma[i];
		sum *= data_weight;
		if (weight > 0) {
			gsl_matrix_set(s->normal, j, j, gsl_matrix_get(s->normal, j, j) + weight);
			sum += weight * r->prior_mean[j] / s->col_scale[j];
		}
		gsl_vector_set(s->rhs, j, sum);
	}
}

/*
 * Factor the normal matrix of some columns. The last of them is judged: its pivot is the squared length of what
 * the others leave of it. 0, or -EDOM when that is nothing.
 */
static int factor(const struct solver *s, const size_t *cols, size_t nr, gsl_matrix **out)
{
	_cleanup_matrix_ gsl_matrix *m = gsl_matrix_alloc(nr, nr);
	double pivot, whole;

	if (!m)
		return -ENOMEM;
	for (size_t a = 0; a < nr; a++)
		for (size_t b = 0; b < nr; b++)
			gsl_matrix_set(m, a, b, gsl_matrix_get(s->normal, cols[a], cols[b]));
	whole = gsl_matrix_get(m, nr - 1, nr - 1);
	if (gsl_linalg_cholesky_decomp1(m))
		return -EDOM;
	pivot = gsl_matrix_get(m, nr - 1, nr - 1);
	if (!(pivot > independent_share * sqrt(whole)))
		return -EDOM;
	*out = take_ptr(m);
	return 0;
}

/* The unconstrained solution over the active columns, into solution (nr_active). */
static int solve_active(const struct solver *s, gsl_vector **solution)
{
	_cleanup_matrix_ gsl_matrix *m = NULL;
	_cleanup_vector_ gsl_vector *rhs = gsl_vector_alloc(s->nr_active);
	int err;

	if (!rhs)
		return -ENOMEM;
	err = factor(s, s->active, s->nr_active, &m);
	if (err)
		return err;
	for (size_t a = 0; a < s->nr_active; a++)
		gsl_vector_set(rhs, a, gsl_vector_get(s->rhs, s->active[a]));
	gsl_linalg_cholesky_svx(m, rhs);
	*solution = take_ptr(rhs);
	return 0;
}

static void list_active(struct solver *s, size_t last)
{
	s->nr_active = 0;
	for (size_t j = 0; j < s->nr; j++) {
		if (s->state[j] == COEF_FREE && j != last)
			s->active[s->nr_active++] = j;
	}
	if (last < s->nr)
		s->active[s->nr_active++] = last; /* where factor() looks */
}

/* Walk from b towards the solution until the first coefficient hits zero, and hold that one there. */
static void step_to_bound(struct solver *s, const gsl_vector *solution, double least)
{
	double step = 1;
	size_t first = s->nr;

	for (size_t a = 0; a < s->nr_active; a++) {
		double from = gsl_vector_get(s->b, s->active[a]), to = gsl_vector_get(solution, a);

		if (to > least)
			continue;
		if (first == s->nr || from / (from - to) < step) {
			step = from - to > 0 ? from / (from - to) : 0;
			first = s->active[a];
		}
	}
	for (size_t a = 0; a < s->nr_active; a++) {
		double from = gsl_vector_get(s->b, s->active[a]), to = gsl_vector_get(solution, a);

		gsl_vector_set(s->b, s->active[a], fmax(0, from + step * (to - from)));
	}
	gsl_vector_set(s->b, first, 0);
	s->state[first] = COEF_AT_ZERO;
}

/* Re-solve over the free columns, giving up those that turn negative. */
static int settle(struct solver *s, size_t added)
{
	for (;;) {
		_cleanup_vector_ gsl_vector *solution = NULL;
		double least;
		int err;

		list_active(s, added < s->nr && s->state[added] == COEF_FREE ? added : s->nr);
		if (!s->nr_active)
			return 0;
		err = solve_active(s, &solution);
		if (err)
			return err;
		least = rounding_share * fmax(0, gsl_vector_max(solution)); /* columns are of like length */
		if (gsl_vector_min(solution) > least) {
			for (size_t a = 0; a < s->nr_active; a++)
				gsl_vector_set(s->b, s->active[a], gsl_vector_get(solution, a));
			return 0;
		}
		step_to_bound(s, solution, least);
	}
}

/*
 * Which of two columns grows first? The one that lowers the sum of squares faster; of columns that are multiples of each
 * other, where rounding would choose, and differently on another machine, the one of the finer unit.
 */
static bool grows_first(const struct solver *s, size_t j, double slope, size_t best, double most)
{
	if (fabs(slope - most) > same_slope_share * most)
		return slope > most;
	return s->col_scale[j] < s->col_scale[best] * (1 - same_slope_share);
}

/* The held column whose growth from zero would lower the sum of squares fastest; nr when none would. */
static size_t steepest(const struct solver *s)
{
	double most = 0;
	size_t best = s->nr;

	for (size_t j = 0; j < s->nr; j++) {
		double slope = gsl_vector_get(s->rhs, j);

		if (s->state[j] != COEF_AT_ZERO)
			continue;
		for (size_t k = 0; k < s->nr; k++)
			slope -= gsl_matrix_get(s->normal, j, k) * gsl_vector_get(s->b, k);
		if (slope <= 1e-10 * fabs(gsl_vector_get(s->rhs, j)))
			continue;
		if (best == s->nr || grows_first(s, j, slope, best, most)) {
			most = slope;
			best = j;
		}
	}
	return best;
}

static int solve(struct solver *s)
{
	gsl_vector_set_zero(s->b);
	for (size_t j = 0; j < s->nr; j++)
		s->state[j] = COEF_AT_ZERO;
	build_normal(s);
	/* Each round lowers the sum of squares, so no set of free columns comes twice; the bound is for rounding. */
	for (size_t round = 0; round < 10 * s->nr + 10; round++) {
		size_t j = steepest(s);
		int err;

		if (j == s->nr)
			break;
		s->state[j] = COEF_FREE;
		err = settle(s, j);
		if (err == -EDOM)
			s->state[j] = COEF_UNDETERMINED;
		else if (err)
			return err;
	}
	return 0;
}

static double residual_squares(const struct solver *s)
{
	const struct regression *r = s->r;
	double sum = 0;

	for (size_t i = 0; i < r->nr_rows; i++) {
		double left = r->y[i] / r->sigma[i];

		for (size_t j = 0; j < s->nr; j++)
			left -= weighted(s, i, j) * gsl_vector_get(s->b, j);
		sum += left * left;
	}
	return sum;
}

/* Inverse of the normal matrix over the active columns. */
static int covariance(const struct solver *s, gsl_matrix **out)
{
	_cleanup_matrix_ gsl_matrix *m = NULL;
	int err = factor(s, s->active, s->nr_active, &m);

	if (err)
		return err;
	gsl_linalg_cholesky_invert(m);
	*out = take_ptr(m);
	return 0;
}

/* How many coefficients the rows determined: the trace of (normal^-1 * data) over the free columns. */
static int determined(struct solver *s, double *out)
{
	_cleanup_matrix_ gsl_matrix *cov = NULL;
	double trace = 0;
	int err;

	*out = 0;
	list_active(s, s->nr);
	if (!s->nr_active)
		return 0;
	err = covariance(s, &cov);
	if (err)
		return err;
	for (size_t a = 0; a < s->nr_active; a++)
		for (size_t b = 0; b < s->nr_active; b++)
			trace += gsl_matrix_get(cov, a, b) *
				 gsl_matrix_get(s->data, s->active[b], s->active[a]);
	*out = trace / (s->noise_scale * s->noise_scale);
	return 0;
}

/* Solve at one noise scale and count what the rows determined. */
static int solve_at(struct solver *s, double noise_scale, struct regression_fit *out)
{
	double params;
	int err;

	s->noise_scale = noise_scale;
	err = solve(s);
	if (!err)
		err = determined(s, &params);
	if (err)
		return err;
	out->dof = (double)s->r->nr_rows - params;
	return 0;
}

/* Estimate the noise from what is left, and solve again: with a prior the solution depends on the noise. */
static int solve_with_noise(struct solver *s, struct regression_fit *out)
{
	double scale, before;
	int err = solve_at(s, 1, out);

	for (int round = 0; !err && out->dof >= 1 && round < MAX_SCALE_ROUNDS; round++) {
		before = s->noise_scale;
		/* never exactly 0: that would divide the data's weight by nothing */
		scale = fmax(fmax(1e-6, s->r->least_scale), sqrt(residual_squares(s) / out->dof));
		err = solve_at(s, scale, out);
		if (fabs(scale / before - 1) < 1e-6)
			break;
	}
	if (err)
		return err;
	out->scale_estimated = out->dof >= 1;
	return out->scale_estimated ? 0 : solve_at(s, 1, out);
}

/*
 * The most that a column can cost: with the others at no less than zero, no row may exceed what was observed by
 * more than three times its noise. The Gaussian interval does not know that.
 */
static double most_possible(const struct solver *s, size_t j)
{
	const struct regression *r = s->r;
	double most = INFINITY;

	for (size_t i = 0; i < r->nr_rows; i++) {
		if (r->x[i * s->nr + j] > 0)
			most = fmin(most, (r->y[i] + 3 * s->noise_scale * r->sigma[i]) / r->x[i * s->nr + j]);
	}
	return fmax(0, most);
}

static int describe(struct solver *s, const struct regression_fit *fit, size_t j, struct coefficient *out)
{
	double factor_90 = fit->scale_estimated ? interval_90_factor(fit->dof) : gsl_cdf_ugaussian_Pinv(0.95);
	_cleanup_matrix_ gsl_matrix *cov = NULL;
	double variance;
	int err;

	out->state = s->state[j];
	out->value = gsl_vector_get(s->b, j) * s->col_scale[j];
	list_active(s, j); /* j last, itself once */
	err = out->state == COEF_UNDETERMINED ? -EDOM : covariance(s, &cov);
	if (err == -EDOM) {
		out->state = COEF_UNDETERMINED;
		out->se = INFINITY;
		out->low = 0;
		out->high = fmax(out->value, most_possible(s, j));
		return 0;
	}
	if (err)
		return err;
	variance = gsl_matrix_get(cov, s->nr_active - 1, s->nr_active - 1);
	out->se = sqrt(variance) * s->col_scale[j];
	out->low = fmax(0, out->value - factor_90 * out->se);
	out->high = fmin(out->value + factor_90 * out->se, fmax(out->value, most_possible(s, j)));
	return 0;
}

/* Inverse of the normal matrix of all columns, those not told apart made certain enough to have one. */
static int covariance_of_all(const struct solver *s, double *out)
{
	_cleanup_matrix_ gsl_matrix *m = gsl_matrix_alloc(s->nr, s->nr);

	if (!m)
		return -ENOMEM;
	gsl_matrix_memcpy(m, s->normal);
	for (size_t j = 0; j < s->nr; j++) {
		double most = most_possible(s, j) / s->col_scale[j], at = gsl_matrix_get(m, j, j);

		if (s->state[j] != COEF_FREE)
			gsl_matrix_set(m, j, j, isfinite(most) ? at + 1 / fmax(most * most, 1e-12) : at + 1);
	}
	if (gsl_linalg_cholesky_decomp1(m) || gsl_linalg_cholesky_invert(m))
		return -EDOM;
	for (size_t j = 0; j < s->nr; j++)
		for (size_t k = 0; k < s->nr; k++)
			out[j * s->nr + k] = gsl_matrix_get(m, j, k) * s->col_scale[j] * s->col_scale[k];
	return 0;
}

static int solver_init(struct solver *s, const struct regression *r)
{
	s->r = r;
	s->nr = r->nr_cols;
	s->noise_scale = 1;
	s->col_scale = calloc(s->nr, sizeof(*s->col_scale));
	s->state = calloc(s->nr, sizeof(*s->state));
	s->active = calloc(s->nr, sizeof(*s->active));
	s->data = gsl_matrix_alloc(s->nr, s->nr);
	s->normal = gsl_matrix_alloc(s->nr, s->nr);
	s->rhs = gsl_vector_alloc(s->nr);
	s->b = gsl_vector_alloc(s->nr);
	if (!s->col_scale || !s->state || !s->active || !s->data || !s->normal || !s->rhs || !s->b)
		return -ENOMEM;
	scale_columns(s);
	return 0;
}

int regression_fit(const struct regression *r, struct regression_fit *out)
{
	_cleanup_(solver_free) struct solver s = {0};
	_cleanup_regression_fit_ struct regression_fit fit = {0};
	gsl_error_handler_t *handler;
	int err;

	if (!r->nr_rows || !r->nr_cols)
		return -EINVAL;
	/* GSL's default handler ends the program; every call here that can fail is checked. */
	handler = gsl_set_error_handler_off();
	err = solver_init(&s, r);
	fit.coef = calloc(r->nr_cols, sizeof(*fit.coef));
	fit.covariance = calloc(r->nr_cols * r->nr_cols, sizeof(*fit.covariance));
	if (!fit.coef || !fit.covariance)
		err = -ENOMEM;
	if (!err)
		err = solve_with_noise(&s, &fit);
	/* The noise of the last round is what the covariance was built with. */
	fit.scale = s.noise_scale;
	if (!err)
		build_normal(&s);
	for (size_t j = 0; !err && j < r->nr_cols; j++)
		err = describe(&s, &fit, j, &fit.coef[j]);
	if (!err)
		err = covariance_of_all(&s, fit.covariance);
	gsl_set_error_handler(handler);
	if (err)
		return err;
	*out = fit;
	fit = (struct regression_fit){0};
	return 0;
}

void regression_fit_free(struct regression_fit *fit)
{
	free(fit->coef);
	free(fit->covariance);
	*fit = (struct regression_fit){0};
}
