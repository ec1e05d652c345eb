// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/validate.h"

#include <errno.h>
#include <math.h>

#include "base/util.h"

static int validate_row(const struct profile *profile, const struct obs_row *row, struct validation_row *out)
{
	int err;

	out->row = row;
	out->profile = profile;
	err = forecast_terms(profile, row->path, row->bytes_per_struct_page, &row->terms, &out->forecast,
			     &out->nr_missing, &out->extrapolated);
	if (err)
		return err;
	/* Such a row is judged by its interval alone. */
	out->has_error = row->ns > 0;
	if (out->has_error)
		out->error_pct = 100 * (out->forecast.mid_ns - row->ns) / row->ns;
	out->inside = !out->nr_missing && out->forecast.low_ns <= row->ns && row->ns <= out->forecast.high_ns;
	return 0;
}

int validation_add(struct validation *validation, const struct profile *profile, const char *scenario,
		   const struct obs_rows *rows)
{
	int err = 0;

	for (size_t i = 0; !err && i < rows->nr; i++) {
		struct validation_row *row = array_grow(&validation->rows, &validation->nr, sizeof(*row));

		if (!row)
			return -ENOMEM;
		row->scenario = scenario;
		err = validate_row(profile, &rows->items[i], row);
	}
	return err;
}

int validation_finish(struct validation *v)
{
	_cleanup_free_ double *errors = calloc(MAX(v->nr, 1u), sizeof(*errors));
	struct summary summary;
	size_t inside = 0, nr_errors = 0;
	int err;

	if (!errors)
		return -ENOMEM;
	if (!v->nr)
		return -EINVAL;
	for (size_t i = 0; i < v->nr; i++) {
		if (v->rows[i].has_error)
			errors[nr_errors++] = fabs(v->rows[i].error_pct);
		inside += v->rows[i].inside;
	}
	err = summary_of(errors, nr_errors, &summary);
	if (err)
		return err;
	v->median_abs_pct = summary.median;
	v->max_abs_pct = summary.max;
	v->within_interval_pct = 100. * (double)inside / (double)v->nr;
	return 0;
}

void validation_free(struct validation *validation)
{
	free(validation->rows);
	*validation = (struct validation){0};
}
