// SPDX-License-Identifier: GPL-2.0-or-later
/* CSV: a line a run; columns are the keys of the JSON form, so that the two name things alike. */
#include <errno.h>
#include <inttypes.h>

#include "measure/observations_fields.h"
#include "report/csv.h"
#include "report/observations_report.h"

static void put_field(FILE *out, const struct obs_field *field, const void *source)
{
	const void *at = (const char *)source + field->offset;

	switch (field->type) {
	case OBS_STRING:
		csv_text(out, *(char *const *)at);
		break;
	case OBS_BOOL:
		fputs(*(const bool *)at ? "true" : "false", out);
		break;
	case OBS_U32:
		fprintf(out, "%" PRIu32, *(const uint32_t *)at);
		break;
	case OBS_U64:
		fprintf(out, "%" PRIu64, *(const uint64_t *)at);
		break;
	case OBS_REAL:
		fprintf(out, "%.15g", *(const double *)at);
		break;
	case OBS_ENUM:
		csv_text(out, field->names->name(*(const unsigned int *)at));
		break;
	}
}

static void put_keys(FILE *out, const struct obs_field *fields)
{
	for (; fields->key; fields++)
		fprintf(out, "%s,", fields->key);
}

static void put_fields(FILE *out, const struct obs_field *fields, const void *source)
{
	for (; fields->key; fields++) {
		put_field(out, fields, source);
		putc(',', out);
	}
}

int observations_write_csv(const struct observations *obs, FILE *out)
{
	put_keys(out, obs_run_fields);
	put_keys(out, obs_summary_fields);
	fputs("median_low_ns,median_high_ns,n\n", out);
	for (size_t i = 0; i < obs->nr_runs; i++) {
		const struct summary *s = &obs->runs[i].summary;

		put_fields(out, obs_run_fields, &obs->runs[i]);
		put_fields(out, obs_summary_fields, s);
		if (s->has_interval)
			fprintf(out, "%.15g,%.15g,", s->median_low, s->median_high);
		else
			fputs(",,", out);
		fprintf(out, "%zu\n", s->n);
	}
	return ferror(out) ? -EIO : 0;
}
