// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/fit.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "base/util.h"
#include "model/fit_part.h"
#include "model/profile_edit.h"

/* A posterior as wide as this share of its prior was not fitted in any sense worth the word. */
static const double hardly_moved = 0.9;

/* Two columns' correlation, until their costs have their places. */
struct column_pair {
	const struct fit_column *a, *b;
	double r;
};

/* What was left unexplained of the rows of one stage, or of all. */
struct residual {
	uint32_t n;
	double squares, dof;
};

struct fitter {
	struct obs_rows rows; /* those that tell something of their own; a view: nothing of it is owned */
	const struct profile *prior;
	struct diags *diags;
	struct profile *profile;
	struct fit_columns columns; /* of all stages */
	struct fit_problem problem;
	struct column_pair *pairs;
	size_t nr_pairs;
	struct residual left[NR_STAGES], left_of_all;
	double dof[NR_STAGES]; /* of the fit that a stage was part of */
};

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

	for (size_t i = 0; text && i < f->rows.nr; i++) {
		const struct obs_row *row = &f->rows.items[i];
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
	const struct cost *prior = fit_prior_of(&f->problem, c);
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

static int add_cost(struct fitter *f, const struct fit_part *p, size_t j)
{
	const struct fit_column *c = &f->columns.items[p->columns[j]];
	const struct coefficient *coef = &p->fit.coef[j];
	struct cost *cost = array_grow(&f->profile->costs, &f->profile->nr_costs, sizeof(*cost));
	bool moved = !(coef->se > hardly_moved * p->prior_sd[j]);

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
		.se_ns = sqrt(p->fit.covariance[j * p->nr_columns + j]),
		.n = c->n,
		.units_min = c->units_min,
		.units_max = c->units_max,
		.prior = !moved,
	};
	return describe_source(f, c, coef, moved, cost);
}

static int add_pairs(struct fitter *f, const struct fit_part *p)
{
	const double nothing = 1e-6;

	for (size_t j = 0; j < p->nr_columns; j++) {
		for (size_t k = j + 1; k < p->nr_columns; k++) {
			const double *cov = p->fit.covariance;
			double variances = cov[j * p->nr_columns + j] * cov[k * p->nr_columns + k];
			double r = variances > 0 ? cov[j * p->nr_columns + k] / sqrt(variances) : 0;
			struct column_pair *pair;

			if (fabs(r) < nothing)
				continue;
			pair = array_grow(&f->pairs, &f->nr_pairs, sizeof(*pair));
			if (!pair)
				return -ENOMEM;
			*pair = (struct column_pair){&f->columns.items[p->columns[j]],
						     &f->columns.items[p->columns[k]], fmax(-1, fmin(r, 1))};
		}
	}
	return 0;
}

static void warn_about(const struct fitter *f, const struct fit_part *p)
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

static void note_outliers(const struct fitter *f, const struct fit_part *p)
{
	char measured[UNITS_STR], fitted[UNITS_STR];

	for (size_t i = 0; i < p->nr_rows; i++) {
		const struct obs_row *row = &f->rows.items[p->rows[i]];

		if (p->doubt[i] <= 1)
			continue;
		diag_add(f->diags, DIAG_WARNING, row->from->file, 0, 0,
			 "%s, %s: %s, where the others say %s: counted for less, as one that is off by %.0f "
			 "%%",
			 row->what, stage_name(row->stage), duration_human(measured, row->ns),
			 duration_human(fitted, fit_part_ns(p, i)), 100 * fit_part_residual(p, i));
	}
}

static void note_residual(struct residual *left, double share, double dof)
{
	left->n++;
	left->squares += share * share;
	left->dof += dof;
}

/* The fit's degrees of freedom are shared evenly by its rows. */
static void note_residuals(struct fitter *f, const struct fit_part *p)
{
	double dof = p->fit.dof / (double)p->nr_rows;

	for (size_t j = 0; j < p->nr_columns; j++)
		f->dof[f->columns.items[p->columns[j]].stage] = fmax(0, p->fit.dof);
	if (p->fit.dof < 1)
		return;
	for (size_t i = 0; i < p->nr_rows; i++) {
		enum stage_id stage = f->rows.items[p->rows[i]].stage;
		double share = fit_part_residual(p, i) / p->doubt[i];

		note_residual(&f->left_of_all, share, dof);
		if (stage != STAGE_TOTAL)
			note_residual(&f->left[stage], share, dof);
	}
}

static int fit_part(struct fitter *f, int group)
{
	_cleanup_fit_part_ struct fit_part p = {0};
	int err = fit_part_solve(&f->problem, group, &p);

	if (err || !p.nr_rows || !p.nr_columns)
		return err;
	warn_about(f, &p);
	note_outliers(f, &p);
	note_residuals(f, &p);
	for (size_t j = 0; !err && j < p.nr_columns; j++)
		err = add_cost(f, &p, j);
	return err ? err : add_pairs(f, &p);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* What all rows have in common; what they do not stays unset. */
static int describe_machine(struct fitter *f)
{
	const struct obs_environment *first = &f->rows.items[0].from->env;
	bool one_arch = true, one_cpu = true, one_kernel = true, simulated = true;
	struct profile *profile = f->profile;

	for (size_t i = 0; i < f->rows.nr; i++) {
		const struct obs_environment *env = &f->rows.items[i].from->env;

		one_arch = one_arch && !strcmp(env->arch, first->arch);
		one_cpu = one_cpu && same_text(env->cpu, first->cpu);
		one_kernel = one_kernel && same_text(env->kernel, first->kernel);
		simulated = simulated && observations_are_race(f->rows.items[i].from);
		profile->emulated |= env->emulated;
		profile->instruction_clock |= env->instruction_clock;
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

/* Is this stage of the row's device and event timed by its own? */
static bool is_timed(const struct obs_rows *rows, const struct obs_row *total, enum stage_id stage)
{
	for (size_t i = 0; i < rows->nr; i++) {
		const struct obs_row *row = &rows->items[i];

		if (row->from == total->from && row->stage == stage && row->event == total->event &&
		    row->path == total->path && same_text(row->run->device, total->run->device))
			return true;
	}
	return false;
}

/* A total whose every stage was timed too is their sum: it tells nothing of its own, and would tie them together. */
static bool is_mere_sum(const struct obs_rows *rows, const struct obs_row *row)
{
	if (row->stage != STAGE_TOTAL)
		return false;
	for (size_t i = 0; i < row->terms.nr; i++) {
		if (!is_timed(rows, row, row->terms.items[i].stage))
			return false;
	}
	return true;
}

static int choose_rows(struct fitter *f, const struct obs_rows *rows)
{
	f->rows.items = calloc(rows->nr, sizeof(*f->rows.items));
	if (!f->rows.items)
		return -ENOMEM;
	for (size_t i = 0; i < rows->nr; i++) {
		if (!is_mere_sum(rows, &rows->items[i]))
			f->rows.items[f->rows.nr++] = rows->items[i];
	}
	return 0;
}

static double residual_pct(double variance, double dof)
{
	return 100 * interval_90_factor(dof) * sqrt(variance);
}

/*
 * What is left unexplained of a stage: few observations may fit by chance, so that the residuals of all other stages
 * count as one more observation of it.
 */
static double stage_residual_pct(const struct fitter *f, const struct residual *stage)
{
	const struct residual *all = &f->left_of_all;
	double others_dof = all->dof - stage->dof;

	if (stage->dof < 1)
		return f->profile->residual_pct;
	if (others_dof < 1)
		return residual_pct(stage->squares / stage->dof, stage->dof);
	return residual_pct(((all->squares - stage->squares) / others_dof + stage->squares) /
				    (1 + stage->dof),
			    1 + stage->dof);
}

static bool has_column(const struct fit_columns *columns, enum stage_id stage)
{
	for (size_t i = 0; i < columns->nr; i++) {
		if (columns->items[i].stage == stage)
			return true;
	}
	return false;
}

static int add_fits(struct fitter *f)
{
	const struct residual *all = &f->left_of_all;
	struct profile *profile = f->profile;

	profile->residual_pct = all->dof >= 1 ? residual_pct(all->squares / all->dof, all->dof)
					      : 100 * fit_half_width_90 * fit_assumed_residual;
	for (int stage = 0; stage < NR_STAGES; stage++) {
		struct stage_fit *fit;

		if (!has_column(&f->columns, (enum stage_id)stage))
			continue;
		fit = array_grow(&profile->fits, &profile->nr_fits, sizeof(*fit));
		if (!fit)
			return -ENOMEM;
		*fit = (struct stage_fit){
			.stage = (enum stage_id)stage,
			.n = f->left[stage].n,
			.dof = f->dof[stage],
			.residual_pct = stage_residual_pct(f, &f->left[stage]),
		};
	}
	return 0;
}

static uint32_t place_of(const struct profile *profile, const struct fit_column *c)
{
	return (uint32_t)(profile_find_cost(profile, c->stage, c->unit, c->kind, c->path) - profile->costs);
}

/* Once the costs are in their places. */
static int add_correlations(const struct fitter *f)
{
	struct profile *profile = f->profile;

	for (size_t i = 0; i < f->nr_pairs; i++) {
		const struct column_pair *pair = &f->pairs[i];
		struct cost_correlation *c =
			array_grow(&profile->correlations, &profile->nr_correlations, sizeof(*c));

		if (!c)
			return -ENOMEM;
		*c = (struct cost_correlation){
			.a = place_of(profile, pair->a),
			.b = place_of(profile, pair->b),
			.r = fabs(pair->r),
			.opposite = pair->r < 0,
		};
	}
	return 0;
}

static int fit_all(struct fitter *f)
{
	int err = columns_list(&f->rows, &f->columns);

	f->problem = (struct fit_problem){.rows = &f->rows, .columns = &f->columns, .prior = f->prior};
	fit_group_stages(&f->problem);
	for (int group = 0; !err && group < NR_STAGES; group++)
		err = fit_part(f, group);
	if (!err)
		err = add_fits(f);
	if (!err)
		err = describe_machine(f);
	if (!err && f->prior)
		err = take_over_prior(f);
	profile_sort(f->profile);
	return err ? err : add_correlations(f);
}

int fit_profile(const struct obs_rows *rows, const char *name, const char *provenance,
		const struct profile *prior, struct diags *diags, struct profile **out)
{
	_cleanup_profile_ struct profile *profile = profile_new(name);
	struct fitter f = {.prior = prior, .diags = diags, .profile = profile};
	int err;

	if (!profile || profile_set_text(&profile->provenance, provenance))
		return -ENOMEM;
	if (!rows->nr)
		return diag_error(diags, -EINVAL, "no observations to fit");
	err = choose_rows(&f, rows);
	if (!err)
		err = fit_all(&f);
	free(f.rows.items);
	free(f.columns.items);
	free(f.pairs);
	if (err)
		return err;
	profile_round(profile);
	*out = take_ptr(profile);
	return 0;
}
