// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/fit_part.h"

#include <errno.h>
#include <math.h>

#include "base/util.h"
#include "stats/summary.h"

const double fit_assumed_residual = 0.03;
const double fit_half_width_90 = 1.6448536269514722;

static void join(struct fit_problem *f, enum stage_id a, enum stage_id b)
{
	int from = f->group[b], to = f->group[a];

	for (int i = 0; i < NR_STAGES; i++) {
		if (f->group[i] == from)
			f->group[i] = to;
	}
}

void fit_group_stages(struct fit_problem *f)
{
	for (int i = 0; i < NR_STAGES; i++)
		f->group[i] = i;
	for (size_t i = 0; i < f->rows->nr; i++) {
		const struct work_terms *terms = &f->rows->items[i].terms;

		for (size_t t = 1; t < terms->nr; t++)
			join(f, terms->items[0].stage, terms->items[t].stage);
	}
}

void fit_part_free(struct fit_part *p)
{
	free(p->rows);
	free(p->columns);
	free(p->x);
	free(p->y);
	free(p->sigma);
	free(p->prior_mean);
	free(p->prior_sd);
	free(p->doubt);
	regression_fit_free(&p->fit);
}

static int part_init(const struct fit_problem *f, int group, struct fit_part *p)
{
	p->rows = calloc(f->rows->nr, sizeof(*p->rows));
	p->columns = calloc(f->columns->nr, sizeof(*p->columns));
	if (!p->rows || !p->columns)
		return -ENOMEM;
	for (size_t i = 0; i < f->rows->nr; i++) {
		const struct work_terms *terms = &f->rows->items[i].terms;

		if (terms->nr && f->group[terms->items[0].stage] == group)
			p->rows[p->nr_rows++] = i;
	}
	for (size_t i = 0; i < f->columns->nr; i++) {
		if (f->group[f->columns->items[i].stage] == group)
			p->columns[p->nr_columns++] = i;
	}
	return 0;
}

const struct cost *fit_prior_of(const struct fit_problem *f, const struct fit_column *c)
{
	const struct cost *cost;

	if (!f->prior)
		return NULL;
	cost = profile_find_cost(f->prior, c->stage, c->unit, c->kind, c->path);
	/* a prior may not tell a stage's paths apart */
	if (!cost && c->path == PATH_BASELINE)
		cost = profile_find_cost(f->prior, c->stage, c->unit, c->kind, PATH_ANY);
	return cost;
}

/* How well a cost was known before; one given without an interval no better than the model is, and 0 not at all. */
static double prior_sd(const struct cost *cost)
{
	double sd = cost ? (cost->high_ns - cost->low_ns) / (2 * fit_half_width_90) : 0;

	if (cost && sd <= 0)
		sd = fit_assumed_residual * cost->ns;
	return sd > 0 ? sd : INFINITY;
}

static void fill_prior(const struct fit_problem *f, struct fit_part *p)
{
	for (size_t j = 0; j < p->nr_columns; j++) {
		const struct cost *cost = fit_prior_of(f, &f->columns->items[p->columns[j]]);

		p->prior_mean[j] = cost ? cost->ns : 0;
		p->prior_sd[j] = prior_sd(cost);
	}
}

static int fill_part(const struct fit_problem *f, struct fit_part *p)
{
	p->x = calloc(p->nr_rows * p->nr_columns, sizeof(*p->x));
	p->y = calloc(p->nr_rows, sizeof(*p->y));
	p->sigma = calloc(p->nr_rows, sizeof(*p->sigma));
	p->prior_mean = calloc(p->nr_columns, sizeof(*p->prior_mean));
	p->prior_sd = calloc(p->nr_columns, sizeof(*p->prior_sd));
	p->doubt = calloc(p->nr_rows, sizeof(*p->doubt));
	if (!p->x || !p->y || !p->sigma || !p->prior_mean || !p->prior_sd || !p->doubt)
		return -ENOMEM;
	for (size_t i = 0; i < p->nr_rows; i++) {
		const struct obs_row *row = &f->rows->items[p->rows[i]];
		double raw;

		for (size_t j = 0; j < p->nr_columns; j++)
			p->x[i * p->nr_columns + j] =
				column_units(row, &f->columns->items[p->columns[j]], &raw);
		p->y[i] = row->ns;
		p->doubt[i] = 1;
	}
	fill_prior(f, p);
	return 0;
}

double fit_part_ns(const struct fit_part *p, size_t i)
{
	double ns = 0;

	for (size_t j = 0; j < p->nr_columns; j++)
		ns += p->x[i * p->nr_columns + j] * p->fit.coef[j].value;
	return ns;
}

double fit_part_residual(const struct fit_part *p, size_t i)
{
	double scale = fmax(fit_part_ns(p, i), p->y[i] / 10);

	return scale > 0 ? (p->y[i] - fit_part_ns(p, i)) / scale : 0;
}

/* A share of the time, of the observed one at first. */
static void set_sigma(const struct fit_problem *f, struct fit_part *p, bool fitted)
{
	for (size_t i = 0; i < p->nr_rows; i++) {
		double ns = fitted ? fmax(fit_part_ns(p, i), p->y[i] / 10) : p->y[i];

		p->sigma[i] = fmax(1, hypot(fit_assumed_residual * ns, f->rows->items[p->rows[i]].sd_ns));
	}
}

/* How much further than usual rows are off, beyond what hardly ever happens by chance; the largest change of that. */
static int doubt_rows(struct fit_part *p, double *change)
{
	const double beyond = 4; /* standard deviations */
	_cleanup_free_ double *off = calloc(p->nr_rows, sizeof(*off));
	struct summary summary;
	double usual;
	int err;

	if (!off)
		return -ENOMEM;
	for (size_t i = 0; i < p->nr_rows; i++)
		off[i] = fabs(p->y[i] - fit_part_ns(p, i)) / p->sigma[i];
	err = summary_of(off, p->nr_rows, &summary);
	if (err)
		return err;
	usual = fmax(1,
		     summary.median / 0.6744897501960817); /* half of a normal distribution is within that */
	*change = 0;
	for (size_t i = 0; i < p->nr_rows; i++) {
		double doubt = fmax(1, off[i] / (beyond * usual));

		*change = fmax(*change, fabs(doubt - p->doubt[i]));
		p->doubt[i] = doubt;
	}
	return 0;
}

/* The share of sigma that readings and their scatter account for: the rest is assumed, and may turn out smaller. */
static double known_share(const struct fit_problem *f, const struct fit_part *p)
{
	double squares = 0;

	for (size_t i = 0; i < p->nr_rows; i++)
		squares += pow(f->rows->items[p->rows[i]].sd_ns / p->sigma[i], 2);
	return sqrt(squares / (double)p->nr_rows);
}

static int solve_once(const struct fit_problem *f, struct fit_part *p)
{
	struct regression r = {
		.nr_rows = p->nr_rows,
		.nr_cols = p->nr_columns,
		.x = p->x,
		.y = p->y,
		.sigma = p->sigma,
		.prior_mean = f->prior ? p->prior_mean : NULL,
		.prior_sd = f->prior ? p->prior_sd : NULL,
	};

	for (size_t i = 0; i < p->nr_rows; i++)
		p->sigma[i] *= p->doubt[i];
	r.least_scale = known_share(f, p);
	regression_fit_free(&p->fit);
	return regression_fit(&r, &p->fit);
}

/*
 * Errors in proportion to the observed time would make what was observed too short count for more than what was
 * observed too long, and every cost too low: so in proportion to the fitted time, once there is one.
 */
static int solve_part(const struct fit_problem *f, struct fit_part *p)
{
	enum { ROUNDS = 3, MOST_ROUNDS = 30 };
	double change = 0;
	int err = 0;

	for (int round = 0; !err && (round < ROUNDS || (change > 1e-3 && round < MOST_ROUNDS)); round++) {
		set_sigma(f, p, round > 0);
		if (round > 0)
			err = doubt_rows(p, &change);
		if (!err)
			err = solve_once(f, p);
	}
	return err;
}

int fit_part_solve(const struct fit_problem *f, int group, struct fit_part *p)
{
	int err = part_init(f, group, p);

	if (err || !p->nr_rows || !p->nr_columns)
		return err;
	err = fill_part(f, p);
	return err ? err : solve_part(f, p);
}
