// SPDX-License-Identifier: GPL-2.0-or-later
/* "memmapctl.validation/1" and its rows as CSV: keys that scripts depend on, so only ever add. */
#include "report/csv.h"
#include "report/validation_report.h"

static void put_row(struct doc *doc, const struct validation_row *row)
{
	doc_object(doc, NULL);
	if (row->scenario)
		doc_str(doc, "scenario", row->scenario);
	doc_str(doc, "what", row->row->what);
	doc_str(doc, "event", event_name(row->row->event));
	doc_str(doc, "stage", stage_name(row->row->stage));
	doc_str(doc, "path", path_name(row->row->path));
	doc_str(doc, "profile", row->profile->name);
	doc_object_row(doc, "forecast_ms");
	doc_number(doc, "mid", row->forecast.mid_ns / NS_PER_MS);
	doc_number(doc, "low", row->forecast.low_ns / NS_PER_MS);
	doc_number(doc, "high", row->forecast.high_ns / NS_PER_MS);
	doc_end(doc);
	doc_number(doc, "measured_ms", row->row->ns / NS_PER_MS);
	if (row->has_error)
		doc_number(doc, "error_pct", row->error_pct);
	else
		doc_null(doc, "error_pct");
	doc_bool(doc, "inside", row->inside);
	if (row->extrapolated)
		doc_bool(doc, "extrapolated", true);
	if (row->nr_missing)
		doc_u64(doc, "missing_costs", row->nr_missing);
	if (row->row->from->env.emulated)
		doc_bool(doc, "emulated", true);
	if (row->row->from->env.instruction_clock)
		doc_bool(doc, "instruction_clock", true);
	if (row->row->run->note)
		doc_str(doc, "note", row->row->run->note);
	doc_end(doc);
}

void validation_doc(struct doc *doc, const struct validation *validation, const char *const *notes)
{
	doc_object(doc, NULL);
	doc_str(doc, "schema", "memmapctl.validation/1");
	doc_array(doc, "rows");
	for (size_t i = 0; i < validation->nr; i++)
		put_row(doc, &validation->rows[i]);
	doc_end(doc);
	doc_object(doc, "summary");
	doc_u64(doc, "rows", validation->nr);
	doc_number(doc, "median_abs_pct", validation->median_abs_pct);
	doc_number(doc, "max_abs_pct", validation->max_abs_pct);
	doc_number(doc, "within_interval_pct", validation->within_interval_pct);
	doc_end(doc);
	doc_array(doc, "notes");
	for (; *notes; notes++)
		doc_str(doc, NULL, *notes);
	doc_end(doc);
	doc_end(doc);
}

static void put_number(FILE *out, double value)
{
	char text[DOC_NUMBER_STR];

	putc(',', out);
	if (!number_text(text, value))
		fputs(text, out);
}

void validation_csv(FILE *out, const struct validation *validation)
{
	fputs("scenario,what,event,stage,path,profile,forecast_ms,forecast_ms_low,forecast_ms_high,measured_"
	      "ms,"
	      "error_pct,inside\n",
	      out);
	for (size_t i = 0; i < validation->nr; i++) {
		const struct validation_row *row = &validation->rows[i];

		csv_text(out, row->scenario);
		putc(',', out);
		csv_text(out, row->row->what);
		fprintf(out, ",%s,%s,%s,", event_name(row->row->event), stage_name(row->row->stage),
			path_name(row->row->path));
		csv_text(out, row->profile->name);
		put_number(out, row->forecast.mid_ns / NS_PER_MS);
		put_number(out, row->forecast.low_ns / NS_PER_MS);
		put_number(out, row->forecast.high_ns / NS_PER_MS);
		put_number(out, row->row->ns / NS_PER_MS);
		if (row->has_error)
			put_number(out, row->error_pct);
		else
			putc(',', out);
		fprintf(out, ",%s\n", row->inside ? "true" : "false");
	}
}
