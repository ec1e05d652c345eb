// SPDX-License-Identifier: GPL-2.0-or-later
/* For people: what was forecast, what was measured, and how far apart they are. */
#include <errno.h>
#include <math.h>

#include "base/util.h"
#include "report/columns.h"
#include "report/validation_report.h"

static enum look error_look(const struct validation_row *row)
{
	if (row->nr_missing)
		return LOOK_BAD;
	return row->inside ? LOOK_GOOD : LOOK_DOUBTFUL;
}

static const char *remark(char buf[TEXT_STR], const struct validation_row *row)
{
	const char *s = row->nr_missing == 1 ? "" : "s";

	if (row->nr_missing)
		snprintf(buf, TEXT_STR, "%zu cost%s missing", row->nr_missing, s);
	else
		snprintf(buf, TEXT_STR, "%s%s", row->inside ? "inside" : "outside",
			 row->extrapolated ? ", extrapolated" : "");
	return buf;
}

static void put_row(struct columns *table, const struct style *style, const struct validation_row *row,
		    bool with_scenario)
{
	char text[TEXT_STR];
	unsigned int column = 0;

	columns_row(table);
	if (with_scenario)
		columns_cell(table, column++, row->scenario ? row->scenario : "", LOOK_PLAIN);
	columns_cell(table, column++, row->row->what, LOOK_PLAIN);
	columns_cell(table, column++, stage_name(row->row->stage), LOOK_PLAIN);
	columns_cell(table, column++, path_name(row->row->path), LOOK_PLAIN);
	columns_cell(table, column++, duration_human(text, row->forecast.mid_ns), LOOK_STRONG);
	columns_cell(table, column++, interval_text(text, style, &row->forecast), LOOK_PLAIN);
	columns_cell(table, column++, duration_human(text, row->row->ns), LOOK_STRONG);
	snprintf(text, sizeof(text), "%+.1f %%", row->error_pct);
	columns_cell(table, column++, row->has_error ? text : "", error_look(row));
	columns_cell(table, column, remark(text, row), error_look(row));
}

static int put_rows(FILE *out, const struct style *style, const struct validation *validation)
{
	static const struct column_spec all[] = {
		{"SCENARIO",      false},
                {"WHAT",          false},
                {"STAGE",         false},
		{"PATH",          false},
                {"FORECAST",      true },
                {NULL,            false},
		{"MEASURED",      true },
                {"ERROR",         true },
                {"90 % INTERVAL", false},
	};
	bool with_scenario = validation->nr && validation->rows[0].scenario;
	size_t skipped = with_scenario ? 0 : 1;
	_cleanup_columns_ struct columns table = {0};
	int err = columns_open(&table, style, all + skipped, ARRAY_SIZE(all) - skipped);

	if (err)
		return err;
	for (size_t i = 0; i < validation->nr; i++)
		put_row(&table, style, &validation->rows[i], with_scenario);
	return columns_print(&table, out);
}

int validation_table(FILE *out, const struct style *style, const struct validation *validation,
		     const char *const *notes)
{
	int err = put_rows(out, style, validation);

	if (err)
		return err;
	fprintf(out,
		"\n%zu row%s: median error %.1f %%, worst %.1f %%; %.0f %% of measurements inside the 90 %% "
		"interval\n",
		validation->nr, validation->nr == 1 ? "" : "s", validation->median_abs_pct,
		validation->max_abs_pct, validation->within_interval_pct);
	for (; *notes; notes++) {
		putc('\n', out);
		print_wrapped(out, style, "", 0, *notes);
	}
	return 0;
}
