// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/validate.h"

#include <errno.h>
#include <math.h>

#include "base/util.h"

static int validate_row(const struct profile *profile, const struct obs_row *row, struct validation_row *out)
{
	int err;

	out->row = row;
	err = forecast_terms(profile, row->path, row->bytes_per_struct_page, &row->terms, &out->forecast,
			     &out->nr_missing, &out->extrapolated);
	if (err)
		return err;
	/* A clock that read 0 leaves nothing to be a percentage of: the row is judged by its interval alone. */
	if (row->ns > 0)
		out->error_pct = 100 * (out->forecast.mid_ns - row->ns) / row->ns;
	out->inside = !out->nr_missing && out->forecast.low_ns <= row->ns && row->ns <= out->forecast.high_ns;
	return 0;
}

static int summarise(struct validation *v)
{
	_cleanup_free_ double *errors = calloc(v->nr, sizeof(*errors));
	struct summary summary;
	size_t inside = 0;
	int err;

	if (!errors)
		return -ENOMEM;
	for (size_t i = 0; i < v->nr; i++) {
		errors[i] = fabs(v->rows[i].error_pct);
		inside += v->rows[i].inside;
	}
	err = summary_of(errors, v->nr, &summary);
	if (err)
		return err;
	v->median_abs_pct = summary.median;
	v->max_abs_pct = summary.max;
	v->within_interval_pct = 100. * (double)inside / (double)v->nr;
	return 0;
}

int validate_rows(const struct profile *profile, const struct obs_rows *rows, struct validation *out)
{
	_cleanup_validation_ struct validation v = {0};
	int err = 0;

	if (!rows->nr)
		return -EINVAL;
	v.rows = calloc(rows->nr, sizeof(*v.rows));
	if (!v.rows)
		return -ENOMEM;
	for (; !err && v.nr < rows->nr; v.nr++)
		err = validate_row(profile, &rows->items[v.nr], &v.rows[v.nr]);
	if (!err)
		err = summarise(&v);
	if (err)
		return err;
	*out = v;
	v.rows = NULL;
	return 0;
}

void validation_free(struct validation *validation)
{
	free(validation->rows);
	*validation = (struct validation){0};
}
