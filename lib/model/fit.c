// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/fit.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "model/fit_columns.h"
#include "model/profile_edit.h"
#include "stats/regression.h"

/* How far a stage's time is from its model for reasons the model does not have, before the data say otherwise. */
static const double assumed_residual = 0.03;
static const double half_width_90 = 1.6448536269514722; /* of a normal distribution, in standard deviations */
/* A posterior as wide as this share of its prior was not fitted in any sense worth the word. */
static const double hardly_moved = 0.9;

struct fitter {
	const struct obs_rows *rows;
	const struct profile *prior;
	struct diags *diags;
	struct profile *profile;
	struct fit_columns columns; /* of all stages */
	int group[NR_STAGES];       /* stages with the same number are fitted together */
	double residual_squares, residual_dof;
};

/* The stages that are fitted together, and the rows and columns that belong to them. */
struct part {
	size_t *rows, *columns;
	size_t nr_rows, nr_columns;
	double *x, *y, *sigma, *prior_mean, *prior_sd;
	struct regression_fit fit;
};

static void join(struct fitter *f, enum stage_id a, enum stage_id b)
{
	int from = f->group[b], to = f->group[a];

	for (int i = 0; i < NR_STAGES; i++) {
		if (f->group[i] == from)
			f->group[i] = to;
	}
}

static void group_stages(struct fitter *f)
{
	for (int i = 0; i < NR_STAGES; i++)
		f->group[i] = i;
	for (size_t i = 0; i < f->rows->nr; i++) {
		const struct work_terms *terms = &f->rows->items[i].terms;

		for (size_t t = 1; t < terms->nr; t++)
			join(f, terms->items[0].stage, terms->items[t].stage);
	}
}

static void part_free(struct part *p)
{
	free(p->rows);
	free(p->columns);
	free(p->x);
	free(p->y);
	free(p->sigma);
	free(p->prior_mean);
	free(p->prior_sd);
	regression_fit_free(&p->fit);
}

static int part_init(const struct fitter *f, int group, struct part *p)
{
	p->rows = calloc(f->rows->nr, sizeof(*p->rows));
	p->columns = calloc(f->columns.nr, sizeof(*p->columns));
	if (!p->rows || !p->columns)
		return -ENOMEM;
	for (size_t i = 0; i < f->rows->nr; i++) {
		const struct work_terms *terms = &f->rows->items[i].terms;

		if (terms->nr && f->group[terms->items[0].stage] == group)
			p->rows[p->nr_rows++] = i;
	}
	for (size_t i = 0; i < f->columns.nr; i++) {
		if (f->group[f->columns.items[i].stage] == group)
			p->columns[p->nr_columns++] = i;
	}
	return 0;
}

static const struct cost *prior_of(const struct fitter *f, const struct fit_column *c)
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
	double sd = cost ? (cost->high_ns - cost->low_ns) / (2 * half_width_90) : 0;

	if (cost && sd <= 0)
		sd = assumed_residual * cost->ns;
	return sd > 0 ? sd : INFINITY;
}

static void fill_prior(const struct fitter *f, struct part *p)
{
	for (size_t j = 0; j < p->nr_columns; j++) {
		const struct cost *cost = prior_of(f, &f->columns.items[p->columns[j]]);

		p->prior_mean[j] = cost ? cost->ns : 0;
		p->prior_sd[j] = prior_sd(cost);
	}
}

static int fill_part(const struct fitter *f, struct part *p)
{
	p->x = calloc(p->nr_rows * p->nr_columns, sizeof(*p->x));
	p->y = calloc(p->nr_rows, sizeof(*p->y));
	p->sigma = calloc(p->nr_rows, sizeof(*p->sigma));
	p->prior_mean = calloc(p->nr_columns, sizeof(*p->prior_mean));
	p->prior_sd = calloc(p->nr_columns, sizeof(*p->prior_sd));
	if (!p->x || !p->y || !p->sigma || !p->prior_mean || !p->prior_sd)
		return -ENOMEM;
	for (size_t i = 0; i < p->nr_rows; i++) {
		const struct obs_row *row = &f->rows->items[p->rows[i]];
		double raw;

		for (size_t j = 0; j < p->nr_columns; j++)
			p->x[i * p->nr_columns + j] =
				column_units(row, &f->columns.items[p->columns[j]], &raw);
		p->y[i] = row->ns;
	}
	fill_prior(f, p);
	return 0;
}

static double fitted_ns(const struct part *p, size_t i)
{
	double ns = 0;

	for (size_t j = 0; j < p->nr_columns; j++)
		ns += p->x[i * p->nr_columns + j] * p->fit.coef[j].value;
	return ns;
}

/* A share of the time, of the observed one at first. */
static void set_sigma(const struct fitter *f, struct part *p, bool fitted)
{
	for (size_t i = 0; i < p->nr_rows; i++) {
		double ns = fitted ? fmax(fitted_ns(p, i), p->y[i] / 10) : p->y[i];

		p->sigma[i] = fmax(1, hypot(assumed_residual * ns, f->rows->items[p->rows[i]].sd_ns));
	}
}

/* The share of sigma that readings and their scatter account for: the rest is assumed, and may turn out smaller. */
static double known_share(const struct fitter *f, const struct part *p)
{
	double squares = 0;

	for (size_t i = 0; i < p->nr_rows; i++)
		squares += pow(f->rows->items[p->rows[i]].sd_ns / p->sigma[i], 2);
	return sqrt(squares / (double)p->nr_rows);
}

/*
 * Errors in proportion to the observed time would make what was observed too short count for more than what was
 * observed too long, and every cost too low: so in proportion to the fitted time, once there is one.
 */
static int solve_part(const struct fitter *f, struct part *p)
{
	enum { ROUNDS = 3 };
	int err = 0;

	for (int round = 0; !err && round < ROUNDS; round++) {
		struct regression r = {
			.nr_rows = p->nr_rows,
			.nr_cols = p->nr_columns,
			.x = p->x,
			.y = p->y,
			.sigma = p->sigma,
			.prior_mean = f->prior ? p->prior_mean : NULL,
			.prior_sd = f->prior ? p->prior_sd : NULL,
		};

		set_sigma(f, p, round > 0);
		r.least_scale = known_share(f, p);
		regression_fit_free(&p->fit);
		err = regression_fit(&r, &p->fit);
	}
	return err;
}

/* "dir/published-a.json" is called published-a. */
static void file_stem(const struct observations *obs, const char **stem, int *len)
{
	const char *file = obs->file ? obs->file : "these observations";
	const char *slash = strrchr(file, '/'), *dot;

	*stem = slash ? slash + 1 : file;
	dot = strrchr(*stem, '.');
	*len = (int)(dot && dot > *stem ? (size_t)(dot - *stem) : strlen(*stem));
}

/* Where the rows that have a column came from: "published-a, published-b". */
static char *files_of(const struct fitter *f, const struct fit_column *c)
{
	const struct observations *last = NULL;
	char *text = strdup("");

	for (size_t i = 0; text && i < f->rows->nr; i++) {
		const struct obs_row *row = &f->rows->items[i];
		_cleanup_free_ char *before = NULL;
		const char *stem;
		double raw;
		int len;

		/* rows come file by file */
		if (row->from == last || column_units(row, c, &raw) <= 0)
			continue;
		last = row->from;
		file_stem(last, &stem, &len);
		before = text;
		if (asprintf(&text, "%s%s%.*s", before, *before ? ", " : "", len, stem) < 0)
			text = NULL;
	}
	return text;
}

static int describe_source(const struct fitter *f, const struct fit_column *c, const struct coefficient *coef,
			   bool moved, struct cost *out)
{
	const struct cost *prior = prior_of(f, c);
	_cleanup_free_ char *files = files_of(f, c);
	const char *s = c->n == 1 ? "" : "s";
	int len;

	if (!files)
		return -ENOMEM;
	if (coef->state == COEF_UNDETERMINED)
		len = asprintf(&out->source,
			       "not told apart from the stage's other costs by %u observation%s of %s", c->n,
			       s, files);
	else if (prior && !moved)
		len = asprintf(&out->source, "prior %s, hardly moved by %u observation%s of %s",
			       f->prior->name, c->n, s, files);
	else
		len = asprintf(&out->source, "fitted: %u observation%s of %s%s%s", c->n, s, files,
			       prior ? "; prior " : "", prior ? f->prior->name : "");
	if (len < 0) {
		out->source = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int add_cost(struct fitter *f, const struct fit_column *c, const struct coefficient *coef,
		    double prior_sd)
{
	struct cost *cost = array_grow(&f->profile->costs, &f->profile->nr_costs, sizeof(*cost));
	bool moved = !(coef->se > hardly_moved * prior_sd);

	if (!cost)
		return -ENOMEM;
	*cost = (struct cost){
		.stage = c->stage,
		.unit = c->unit,
		.kind = c->kind,
		.path = c->path,
		.ns = coef->value,
		.low_ns = coef->low,
		.high_ns = coef->high,
		.n = c->n,
		.units_min = c->units_min,
		.units_max = c->units_max,
		.prior = !moved,
	};
	return describe_source(f, c, coef, moved, cost);
}

static void warn_about(const struct fitter *f, const struct part *p)
{
	const struct fit_column *first = &f->columns.items[p->columns[0]];

	if (f->prior)
		return;
	if (p->nr_rows < p->nr_columns)
		diag_add(f->diags, DIAG_WARNING, NULL, 0, 0,
			 "%s: %zu observation%s for %zu costs: too few to tell them apart; a --prior would "
			 "help",
			 stage_name(first->stage), p->nr_rows, p->nr_rows == 1 ? "" : "s", p->nr_columns);
	for (size_t j = 0; j < p->nr_columns; j++) {
		const struct fit_column *c = &f->columns.items[p->columns[j]];

		if (p->fit.coef[j].state == COEF_UNDETERMINED)
			diag_add(f->diags, DIAG_WARNING, NULL, 0, 0,
				 "%s: these observations do not tell the cost of %s apart from the others': "
				 "it is "
				 "counted there",
				 stage_name(c->stage), unit_name(c->unit));
	}
}

static void note_residuals(struct fitter *f, const struct part *p)
{
	if (p->fit.dof < 1)
		return;
	for (size_t i = 0; i < p->nr_rows; i++) {
		double left = p->y[i] - fitted_ns(p, i), scale = fmax(fitted_ns(p, i), p->y[i] / 10);

		if (scale > 0)
			f->residual_squares += left * left / (scale * scale);
	}
	f->residual_dof += p->fit.dof;
}

static int fit_part(struct fitter *f, int group)
{
	_cleanup_(part_free) struct part p = {0};
	int err = part_init(f, group, &p);

	if (err || !p.nr_rows || !p.nr_columns)
		return err;
	err = fill_part(f, &p);
	if (err)
		return err;
	err = solve_part(f, &p);
	if (err)
		return err;
	warn_about(f, &p);
	note_residuals(f, &p);
	for (size_t j = 0; !err && j < p.nr_columns; j++)
		err = add_cost(f, &f->columns.items[p.columns[j]], &p.fit.coef[j], p.prior_sd[j]);
	return err;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* What all rows have in common; what they do not stays unset. */
static int describe_machine(struct fitter *f)
{
	const struct obs_environment *first = &f->rows->items[0].from->env;
	bool one_arch = true, one_cpu = true, one_kernel = true, simulated = true;
	struct profile *profile = f->profile;

	for (size_t i = 0; i < f->rows->nr; i++) {
		const struct obs_environment *env = &f->rows->items[i].from->env;

		one_arch = one_arch && !strcmp(env->arch, first->arch);
		one_cpu = one_cpu && same_text(env->cpu, first->cpu);
		one_kernel = one_kernel && same_text(env->kernel, first->kernel);
		simulated = simulated && observations_are_race(f->rows->items[i].from);
		profile->emulated |= env->emulated;
	}
	profile->has_arch = one_arch && !arch_from_name(first->arch, &profile->arch);
	if (profile_set_text(&profile->machine, one_cpu ? first->cpu : "several machines") ||
	    profile_set_text(&profile->kernel, one_kernel ? first->kernel : NULL) ||
	    profile_set_text(&profile->obtained, simulated ? "simulated" : "fitted"))
		return -ENOMEM;
	return 0;
}

/* Costs that no row has, ratios and bandwidths: from the prior, saying so. */
static int take_over_prior(struct fitter *f)
{
	const struct profile *prior = f->prior;

	for (size_t i = 0; i < prior->nr_costs; i++) {
		const struct cost *cost = &prior->costs[i];

		if (profile_find_cost(f->profile, cost->stage, cost->unit, cost->kind, cost->path))
			continue;
		if (profile_copy_cost(f->profile, cost, prior->name))
			return -ENOMEM;
	}
	return profile_copy_paths(f->profile, prior, prior->name);
}

static int fit_all(struct fitter *f)
{
	int err = columns_list(f->rows, &f->columns);

	group_stages(f);
	for (int group = 0; !err && group < NR_STAGES; group++)
		err = fit_part(f, group);
	if (!err)
		err = describe_machine(f);
	if (!err && f->prior)
		err = take_over_prior(f);
	if (f->residual_dof >= 1)
		f->profile->residual_pct = 100 * interval_90_factor(f->residual_dof) *
					   sqrt(f->residual_squares / f->residual_dof);
	else
		f->profile->residual_pct = 100 * half_width_90 * assumed_residual;
	return err;
}

int fit_profile(const struct obs_rows *rows, const char *name, const char *provenance,
		const struct profile *prior, struct diags *diags, struct profile **out)
{
	_cleanup_profile_ struct profile *profile = profile_new(name);
	struct fitter f = {.rows = rows, .prior = prior, .diags = diags, .profile = profile};
	int err;

	if (!profile || profile_set_text(&profile->provenance, provenance))
		return -ENOMEM;
	if (!rows->nr)
		return diag_error(diags, -EINVAL, "no observations to fit");
	err = fit_all(&f);
	free(f.columns.items);
	if (err)
		return err;
	profile_sort(profile);
	profile_round(profile);
	*out = take_ptr(profile);
	return 0;
}
