// SPDX-License-Identifier: GPL-2.0-or-later
/* For people: what was forecast, what was measured, and how far apart they are. */
#include <errno.h>
#include <string.h>

#include "base/util.h"
#include "report/columns.h"
#include "report/validation_report.h"

static enum look error_look(const struct validation_row *row)
{
	if (row->nr_missing)
		return LOOK_BAD;
	return row->inside ? LOOK_GOOD : LOOK_DOUBTFUL;
}

/* "-44.5 %\ninside\nextrapolated": how far off, and what to think of it. */
static const char *error_text(char buf[TEXT_STR], const struct validation_row *row)
{
	char error[32] = "";

	if (row->has_error)
		snprintf(error, sizeof(error), "%+.1f %%\n", row->error_pct);
	if (row->nr_missing)
		snprintf(buf, TEXT_STR, "%s%zu cost%s missing", error, row->nr_missing,
			 row->nr_missing == 1 ? "" : "s");
	else
		snprintf(buf, TEXT_STR, "%s%s%s", error, row->inside ? "inside" : "outside",
			 row->extrapolated ? "\nextrapolated" : "");
	return buf;
}

static void put_row(struct columns *table, const struct style *style, const struct validation_row *row)
{
	const char *what = row->row->what;
	bool has_scenario = row->scenario && strcmp(row->scenario, what);
	char text[TEXT_STR];

	columns_row(table);
	snprintf(text, sizeof(text), "%s%s%s", has_scenario ? row->scenario : "", has_scenario ? "\n" : "",
		 what);
	columns_cell(table, 0, text, LOOK_PLAIN);
	snprintf(text, sizeof(text), "%s\n%s", stage_name(row->row->stage), path_name(row->row->path));
	columns_cell(table, 1, text, LOOK_PLAIN);
	columns_cell(table, 2, estimate_cell(text, style, &row->forecast), LOOK_STRONG);
	columns_cell(table, 3, duration_human(text, row->row->ns), LOOK_STRONG);
	columns_cell(table, 4, error_text(text, row), error_look(row));
}

static int put_rows(FILE *out, const struct style *style, const struct validation *validation)
{
	static const struct column_spec specs[] = {
		{"WHAT",     false},
                {"STAGE",    false},
                {"FORECAST", false},
                {"MEASURED", true },
                {"ERROR",    false},
	};
	_cleanup_columns_ struct columns table = {0};
	int err = columns_open(&table, style, specs, ARRAY_SIZE(specs));

	if (err)
		return err;
	for (size_t i = 0; i < validation->nr; i++)
		put_row(&table, style, &validation->rows[i]);
	return columns_print(&table, out);
}

int validation_table(FILE *out, const struct style *style, const struct validation *validation,
		     const char *const *notes)
{
	int err = put_rows(out, style, validation);
	const char *emulation;
	char text[TEXT_STR];

	if (err)
		return err;
	snprintf(text, sizeof(text),
		 "%zu row%s: median error %.1f %%, worst %.1f %%; %.0f %% of measurements inside the 90 %% "
		 "interval",
		 validation->nr, validation->nr == 1 ? "" : "s", validation->median_abs_pct,
		 validation->max_abs_pct, validation->within_interval_pct);
	print_wrapped(out, style, "\n", 0, text);
	emulation = obs_emulation(&validation->rows[0].row->from->env);
	if (emulation)
		fprintf(out, "%s: what it says is how well times carry over, not how long they are.\n",
			emulation);
	for (; *notes; notes++) {
		putc('\n', out);
		print_wrapped(out, style, "", 0, *notes);
	}
	return 0;
}
