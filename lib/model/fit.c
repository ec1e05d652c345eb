// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/fit.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "model/profile_edit.h"
#include "stats/regression.h"

/* How far a stage's time is from its model for reasons the model does not have, before the data say otherwise. */
static const double assumed_residual = 0.03;
static const double half_width_90 = 1.6448536269514722; /* of a normal distribution, in standard deviations */
/* A posterior as wide as this share of its prior was not fitted in any sense worth the word. */
static const double hardly_moved = 0.9;

struct column {
	enum stage_id stage;
	enum unit_id unit;
	enum page_kind kind;
	enum memmap_path path;
	uint32_t n; /* rows that have it */
	double units_min, units_max;
};

struct fitter {
	const struct obs_rows *rows;
	const struct profile *prior;
	struct diags *diags;
	struct profile *profile;
	struct column *columns; /* of all stages */
	size_t nr_columns;
	int group[NR_STAGES]; /* stages with the same number are fitted together */
	double residual_squares, residual_dof;
};

/* The stages that are fitted together, and the rows and columns that belong to them. */
struct part {
	size_t *rows, *columns;
	size_t nr_rows, nr_columns;
	double *x, *y, *sigma, *prior_mean, *prior_sd;
	struct regression_fit fit;
};

static enum memmap_path path_of(const struct obs_row *row, const struct work_term *term)
{
	return term->unit == UNIT_STRUCT_PAGES ? row->path : PATH_ANY;
}

static bool is_column(const struct column *c, const struct obs_row *row, const struct work_term *term)
{
	return c->stage == term->stage && c->unit == term->unit && c->kind == term->kind &&
	       c->path == path_of(row, term);
}

static double units_in_row(const struct obs_row *row, const struct column *c, double *raw)
{
	double units = 0;

	*raw = 0;
	for (size_t i = 0; i < row->terms.nr; i++) {
		const struct work_term *term = &row->terms.items[i];

		if (!is_column(c, row, term))
			continue;
		units += (double)term->units / MAX(term->parallel, 1u);
		*raw += (double)term->units;
	}
	return units;
}

static int add_column(struct fitter *f, const struct obs_row *row, const struct work_term *term)
{
	struct column *c;

	for (size_t i = 0; i < f->nr_columns; i++) {
		if (is_column(&f->columns[i], row, term))
			return 0;
	}
	c = array_grow(&f->columns, &f->nr_columns, sizeof(*c));
	if (!c)
		return -ENOMEM;
	*c = (struct column){.stage = term->stage, .unit = term->unit, .kind = term->kind};
	c->path = path_of(row, term);
	return 0;
}

static void measure_column(struct fitter *f, struct column *c)
{
	for (size_t i = 0; i < f->rows->nr; i++) {
		double raw;

		if (units_in_row(&f->rows->items[i], c, &raw) <= 0)
			continue;
		c->units_min = c->n ? fmin(c->units_min, raw) : raw;
		c->units_max = fmax(c->units_max, raw);
		c->n++;
	}
}

static int by_table_order(const void *a, const void *b)
{
	const struct column *x = a, *y = b;

	if (x->stage != y->stage)
		return x->stage < y->stage ? -1 : 1;
	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->path < y->path ? -1 : x->path > y->path;
}

static int list_columns(struct fitter *f)
{
	for (size_t i = 0; i < f->rows->nr; i++) {
		const struct obs_row *row = &f->rows->items[i];

		for (size_t t = 0; t < row->terms.nr; t++) {
			if (row->terms.items[t].units && add_column(f, row, &row->terms.items[t]))
				return -ENOMEM;
		}
	}
	for (size_t i = 0; i < f->nr_columns; i++)
		measure_column(f, &f->columns[i]);
	if (f->nr_columns)
		qsort(f->columns, f->nr_columns, sizeof(*f->columns), by_table_order);
	return 0;
}

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
	p->columns = calloc(f->nr_columns, sizeof(*p->columns));
	if (!p->rows || !p->columns)
		return -ENOMEM;
	for (size_t i = 0; i < f->rows->nr; i++) {
		const struct work_terms *terms = &f->rows->items[i].terms;

		if (terms->nr && f->group[terms->items[0].stage] == group)
			p->rows[p->nr_rows++] = i;
	}
	for (size_t i = 0; i < f->nr_columns; i++) {
		if (f->group[f->columns[i].stage] == group)
			p->columns[p->nr_columns++] = i;
	}
	return 0;
}

static const struct cost *prior_of(const struct fitter *f, const struct column *c)
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

static void fill_prior(const struct fitter *f, struct part *p)
{
	for (size_t j = 0; j < p->nr_columns; j++) {
		const struct cost *cost = prior_of(f, &f->columns[p->columns[j]]);

		p->prior_mean[j] = cost ? cost->ns : 0;
		p->prior_sd[j] = cost ? (cost->high_ns - cost->low_ns) / (2 * half_width_90) : INFINITY;
		/* a cost given without an interval is no more certain than the model is */
		if (cost && p->prior_sd[j] <= 0)
			p->prior_sd[j] = fmax(assumed_residual * cost->ns, 1e-9);
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
			p->x[i * p->nr_columns + j] = units_in_row(row, &f->columns[p->columns[j]], &raw);
		p->y[i] = row->ns;
		p->sigma[i] = fmax(1, hypot(assumed_residual * row->ns, row->sd_ns));
	}
	fill_prior(f, p);
	return 0;
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
static char *files_of(const struct fitter *f, const struct column *c)
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
		if (row->from == last || units_in_row(row, c, &raw) <= 0)
			continue;
		last = row->from;
		file_stem(last, &stem, &len);
		before = text;
		if (asprintf(&text, "%s%s%.*s", before, *before ? ", " : "", len, stem) < 0)
			text = NULL;
	}
	return text;
}

static int describe_source(const struct fitter *f, const struct column *c, const struct coefficient *coef,
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

static int add_cost(struct fitter *f, const struct column *c, const struct coefficient *coef, double prior_sd)
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
	const struct column *first = &f->columns[p->columns[0]];

	if (f->prior)
		return;
	if (p->nr_rows < p->nr_columns)
		diag_add(f->diags, DIAG_WARNING, NULL, 0, 0,
			 "%s: %zu observation%s for %zu costs: too few to tell them apart; a --prior would "
			 "help",
			 stage_name(first->stage), p->nr_rows, p->nr_rows == 1 ? "" : "s", p->nr_columns);
	for (size_t j = 0; j < p->nr_columns; j++) {
		const struct column *c = &f->columns[p->columns[j]];

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
		double left = p->y[i];

		for (size_t j = 0; j < p->nr_columns; j++)
			left -= p->x[i * p->nr_columns + j] * p->fit.coef[j].value;
		f->residual_squares += left * left / (p->y[i] * p->y[i]);
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
	const struct regression r = {
		.nr_rows = p.nr_rows,
		.nr_cols = p.nr_columns,
		.x = p.x,
		.y = p.y,
		.sigma = p.sigma,
		.prior_mean = f->prior ? p.prior_mean : NULL,
		.prior_sd = f->prior ? p.prior_sd : NULL,
	};
	err = regression_fit(&r, &p.fit);
	if (err)
		return err;
	warn_about(f, &p);
	note_residuals(f, &p);
	for (size_t j = 0; !err && j < p.nr_columns; j++)
		err = add_cost(f, &f->columns[p.columns[j]], &p.fit.coef[j], p.prior_sd[j]);
	return err;
}

/* What all rows have in common; what they do not stays unset. */
static int describe_machine(struct fitter *f)
{
	const struct obs_environment *first = &f->rows->items[0].from->env;
	bool one_arch = true, one_cpu = first->cpu, one_kernel = first->kernel, simulated = true;
	struct profile *profile = f->profile;

	for (size_t i = 0; i < f->rows->nr; i++) {
		const struct obs_environment *env = &f->rows->items[i].from->env;

		one_arch = one_arch && !strcmp(env->arch, first->arch);
		one_cpu = one_cpu && env->cpu && !strcmp(env->cpu, first->cpu);
		one_kernel = one_kernel && env->kernel && !strcmp(env->kernel, first->kernel);
		simulated = simulated && !strcmp(f->rows->items[i].from->mode, "simulated");
		profile->emulated |= env->emulated;
	}
	if (!one_arch)
		return diag_error(f->diags, -EINVAL, "observations of more than one architecture");
	profile->has_arch = !arch_from_name(first->arch, &profile->arch);
	if (profile_set_text(&profile->machine, one_cpu ? first->cpu : "several") ||
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
	int err = list_columns(f);

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
	free(f.columns);
	if (err)
		return err;
	profile_sort(profile);
	profile_round(profile);
	*out = take_ptr(profile);
	return 0;
}
