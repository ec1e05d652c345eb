// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/totals.h"

#include <errno.h>
#include <math.h>

#include "base/util.h"
#include "stats/regression.h"

/* A cost fitted on at most 100 units says something about 125 as well; further out its interval grows. */
static const double extrapolation_slack = 1.25;

int totals_init(struct totals *b, const struct profile *profile, enum memmap_path path,
		double bytes_per_struct_page, size_t nr_terms)
{
	*b = (struct totals){
		.profile = profile, .path = path, .bytes_per_struct_page = bytes_per_struct_page};
	b->cells = calloc(MAX(nr_terms, 1u), sizeof(*b->cells));
	b->cell_of_cost = calloc(MAX(profile->nr_costs, 1u), sizeof(struct cell *));
	return b->cells && b->cell_of_cost ? 0 : -ENOMEM;
}

void totals_free(struct totals *b)
{
	free(b->cells);
	free(b->cell_of_cost);
}

/* How many standard errors 90 % are: the noise of the fit was estimated, or assumed. */
static double half_width_factor(const struct profile *profile, enum stage_id stage)
{
	const struct stage_fit *fit = profile_find_fit(profile, stage);

	return interval_90_factor(fit && fit->dof >= 1 ? fit->dof : INFINITY);
}

static struct cell *cell_for(struct totals *b, const struct work_term *term)
{
	struct cell *cell;

	for (size_t i = 0; i < b->nr_cells; i++) {
		cell = &b->cells[i];
		if (cell->stage == term->stage && cell->unit == term->unit && cell->kind == term->kind)
			return cell;
	}
	cell = &b->cells[b->nr_cells++];
	*cell = (struct cell){.stage = term->stage, .unit = term->unit, .kind = term->kind};
	profile_cost(b->profile, term->stage, term->unit, term->kind, b->path, b->bytes_per_struct_page,
		     &cell->cost);
	if (cell->cost.basis == COST_MEASURED && cell->cost.row->se_ns > 0) {
		cell->half_90 = half_width_factor(b->profile, term->stage) * cell->cost.row->se_ns;
		b->cell_of_cost[cell->cost.row - b->profile->costs] = cell;
	}
	return cell;
}

/* How far outside the fitted range, as a factor; 1 inside it. */
static double range_distance(const struct cost *row, double units)
{
	if (!row || row->units_max <= 0)
		return 1;
	if (units > row->units_max)
		return units / row->units_max;
	if (units < row->units_min)
		return row->units_min / units;
	return 1;
}

static double term_units(const struct work_term *term)
{
	return (double)term->units / MAX(term->parallel, 1u);
}

static double term_widening(const struct term_forecast *term)
{
	double distance = range_distance(term->cost.row, (double)term->term->units);

	return distance > extrapolation_slack ? sqrt(distance) : 1;
}

void totals_start(struct totals *b)
{
	for (size_t i = 0; i < b->nr_cells; i++)
		b->cells[i].units = b->cells[i].wide_units = 0;
	b->residual_sum = 0;
}

/* 90 % half-width, as a share of the stage's time. */
static double stage_residual(const struct profile *profile, enum stage_id stage)
{
	const struct stage_fit *fit = profile_find_fit(profile, stage);

	return (fit ? fit->residual_pct : profile->residual_pct) / 100;
}

void totals_add(struct totals *b, const struct stage_forecast *stage, double copies)
{
	double residual = stage_residual(b->profile, stage->stage);
	double mid_ns = 0, widening = 1;

	for (size_t i = 0; i < stage->nr_terms; i++) {
		const struct term_forecast *term = &stage->terms[i];
		struct cell *cell = &b->cells[term->cell];
		double units = term_units(term->term);

		cell->units += copies * units;
		cell->wide_units += copies * units * term_widening(term);
		mid_ns += term->time.mid_ns;
		widening = fmax(widening, term_widening(term));
	}
	residual *= widening;
	b->residual_sum += copies * copies * residual * residual * mid_ns * mid_ns;
}

/* What the costs fitted together leave uncertain, squared. */
static double fitted_squares(const struct totals *b)
{
	const struct profile *profile = b->profile;
	double sum = 0;

	for (size_t i = 0; i < b->nr_cells; i++)
		sum += pow(b->cells[i].wide_units * b->cells[i].half_90, 2);
	for (size_t i = 0; i < profile->nr_correlations; i++) {
		const struct cost_correlation *c = &profile->correlations[i];
		const struct cell *x = b->cell_of_cost[c->a], *y = b->cell_of_cost[c->b];

		if (x && y)
			sum += (c->opposite ? -2 : 2) * c->r * x->wide_units * x->half_90 * y->wide_units *
			       y->half_90;
	}
	return fmax(0, sum);
}

struct estimate totals_end(const struct totals *b)
{
	double fitted = fitted_squares(b);
	double down = b->residual_sum + fitted, up = b->residual_sum + fitted;
	struct estimate total = {0};

	for (size_t i = 0; i < b->nr_cells; i++) {
		const struct cell *cell = &b->cells[i];
		double below = cell->wide_units * (cell->cost.ns - cell->cost.low_ns);
		double above = cell->wide_units * (cell->cost.high_ns - cell->cost.ns);

		total.mid_ns += cell->units * cell->cost.ns;
		if (cell->half_90 > 0)
			continue;
		down += below * below;
		up += above * above;
	}
	total.low_ns = fmax(0, total.mid_ns - sqrt(down));
	total.high_ns = total.mid_ns + sqrt(up);
	return total;
}

void totals_price(struct totals *b, const struct work_term *term, struct term_forecast *out)
{
	struct cell *cell = cell_for(b, term);
	double units = term_units(term), widening;

	*out = (struct term_forecast){.term = term, .cost = cell->cost, .cell = (size_t)(cell - b->cells)};
	widening = term_widening(out);
	out->extrapolated = widening > 1;
	out->time.mid_ns = units * cell->cost.ns;
	out->time.low_ns = fmax(0, out->time.mid_ns - widening * units * (cell->cost.ns - cell->cost.low_ns));
	out->time.high_ns = out->time.mid_ns + widening * units * (cell->cost.high_ns - cell->cost.ns);
}
