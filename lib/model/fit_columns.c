// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/fit_columns.h"

#include <errno.h>
#include <math.h>

#include "base/util.h"

static enum memmap_path path_of(const struct obs_row *row, const struct work_term *term)
{
	return term->unit == UNIT_STRUCT_PAGES ? row->path : PATH_ANY;
}

static bool is_column(const struct fit_column *c, const struct obs_row *row, const struct work_term *term)
{
	return c->stage == term->stage && c->unit == term->unit && c->kind == term->kind &&
	       c->path == path_of(row, term);
}

double column_units(const struct obs_row *row, const struct fit_column *c, double *raw)
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

static int add_column(struct fit_columns *columns, const struct obs_row *row, const struct work_term *term)
{
	struct fit_column *c;

	for (size_t i = 0; i < columns->nr; i++) {
		if (is_column(&columns->items[i], row, term))
			return 0;
	}
	c = array_grow(&columns->items, &columns->nr, sizeof(*c));
	if (!c)
		return -ENOMEM;
	*c = (struct fit_column){.stage = term->stage, .unit = term->unit, .kind = term->kind};
	c->path = path_of(row, term);
	return 0;
}

static void measure_column(const struct obs_rows *rows, struct fit_column *c)
{
	for (size_t i = 0; i < rows->nr; i++) {
		double raw;

		if (column_units(&rows->items[i], c, &raw) <= 0)
			continue;
		c->units_min = c->n ? fmin(c->units_min, raw) : raw;
		c->units_max = fmax(c->units_max, raw);
		c->n++;
	}
}

static int by_table_order(const void *a, const void *b)
{
	const struct fit_column *x = a, *y = b;

	if (x->stage != y->stage)
		return x->stage < y->stage ? -1 : 1;
	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->path < y->path ? -1 : x->path > y->path;
}

int columns_list(const struct obs_rows *rows, struct fit_columns *out)
{
	for (size_t i = 0; i < rows->nr; i++) {
		const struct obs_row *row = &rows->items[i];

		for (size_t t = 0; t < row->terms.nr; t++) {
			if (row->terms.items[t].units && add_column(out, row, &row->terms.items[t]))
				return -ENOMEM;
		}
	}
	for (size_t i = 0; i < out->nr; i++)
		measure_column(rows, &out->items[i]);
	if (out->nr)
		qsort(out->items, out->nr, sizeof(*out->items), by_table_order);
	return 0;
}
