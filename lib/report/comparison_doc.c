// SPDX-License-Identifier: GPL-2.0-or-later
/* "memmapctl.comparison/1" and its rows as CSV: keys that scripts depend on, so only ever add. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/comparison_report.h"
#include "report/csv.h"

static void put_side(struct doc *doc, const char *key, const struct observations *obs)
{
	doc_object(doc, key);
	doc_str(doc, "file", obs->file);
	doc_str(doc, "mode", obs->mode);
	doc_str(doc, "arch", obs->env.arch);
	doc_str(doc, "cpu", obs->env.cpu);
	doc_str(doc, "kernel", obs->env.kernel);
	if (obs->env.simulated_version)
		doc_str(doc, "simulated_version", obs->env.simulated_version);
	doc_str(doc, "timing_source", obs->env.timing_source);
	doc_number(doc, "resolution_ns", obs->env.resolution_ns);
	doc_bool(doc, "virtualized", obs->env.virtualized);
	doc_bool(doc, "emulated", obs->env.emulated);
	if (obs->env.instruction_clock)
		doc_bool(doc, "instruction_clock", true);
	doc_bool(doc, "incomplete", obs->incomplete);
	doc_end(doc);
}

static void put_subject(struct doc *doc, const struct comparison_row *row)
{
	const struct obs_run *run = row->a;

	if (row->host)
		doc_str(doc, "host", row->host->name);
	doc_str(doc, "device", run->device);
	doc_str(doc, "event", event_name(run->event));
	doc_bool(doc, "first", row->first);
	doc_str(doc, "stage", stage_name(run->stage));
	doc_str(doc, "page_kind", kind_name(run->kind));
	if (run->routine)
		doc_str(doc, "routine", run->routine);
	if (run->codegen)
		doc_str(doc, "codegen", run->codegen);
	doc_str(doc, "window", obs_window_name(run->window));
	doc_str(doc, "unit", unit_name(run->unit));
}

static void put_run(struct doc *doc, const char *key, const struct obs_run *run, size_t nr, double ns)
{
	doc_object_row(doc, key);
	doc_str(doc, "path", path_name(run->path));
	doc_u64(doc, "units", run->units);
	doc_u64(doc, "n", nr);
	doc_u64(doc, "nr_averaged", run->nr_averaged);
	doc_number(doc, "median_ms", ns / NS_PER_MS);
	doc_end(doc);
}

static double percent(double ratio)
{
	return 100 * (ratio - 1);
}

static void put_row(struct doc *doc, const struct comparison_row *row)
{
	doc_object(doc, NULL);
	put_subject(doc, row);
	put_run(doc, "a", row->a, row->nr_a, row->a_ns);
	put_run(doc, "b", row->b, row->nr_b, row->b_ns);
	if (row->has_interval) {
		doc_interval(doc, "ratio", row->ratio, row->low, row->high);
		doc_interval(doc, "change_pct", percent(row->ratio), percent(row->low), percent(row->high));
		doc_number(doc, "p", row->test.p);
		doc_number(doc, "p_holm", row->p_holm);
		doc_bool(doc, "p_exact", row->test.exact);
	} else if (row->ratio > 0) {
		doc_object_row(doc, "ratio");
		doc_number(doc, "mid", row->ratio);
		doc_end(doc);
		doc_object_row(doc, "change_pct");
		doc_number(doc, "mid", percent(row->ratio));
		doc_end(doc);
	}
	if (row->has_interval && isfinite(row->detectable))
		doc_number(doc, "detectable_pct", 100 * row->detectable);
	doc_str(doc, "verdict", comparison_verdict_name(row->verdict));
	doc_end(doc);
}

void comparison_doc(struct doc *doc, const struct comparison *comparison, const struct diags *diags)
{
	doc_object(doc, NULL);
	doc_str(doc, "schema", "memmapctl.comparison/1");
	put_side(doc, "a", comparison->a);
	put_side(doc, "b", comparison->b);
	doc_object(doc, "method");
	doc_str(doc, "interval", "percentile bootstrap of the ratio of medians, 95 %");
	doc_u64(doc, "draws", COMPARE_DRAWS);
	doc_str(doc, "test", "Mann-Whitney, two-sided");
	doc_str(doc, "correction", "Holm");
	doc_u64(doc, "nr_tests", comparison->nr_tests);
	doc_number(doc, "level", COMPARISON_LEVEL);
	doc_end(doc);
	doc_array(doc, "rows");
	for (size_t i = 0; i < comparison->nr; i++)
		put_row(doc, &comparison->rows[i]);
	doc_end(doc);
	doc_u64(doc, "only_a", comparison->nr_only_a);
	doc_u64(doc, "only_b", comparison->nr_only_b);
	doc_array(doc, "notes");
	for (size_t i = 0; diags && i < diags->nr; i++)
		doc_str(doc, NULL, diags->items[i].text);
	doc_end(doc);
	doc_end(doc);
}

static void put_number(FILE *out, double value, bool known)
{
	char text[DOC_NUMBER_STR];

	putc(',', out);
	if (known && !number_text(text, value))
		fputs(text, out);
}

static void put_csv_row(FILE *out, const struct comparison_row *row)
{
	const struct obs_run *run = row->a;

	csv_text(out, run->device);
	fprintf(out, ",%s,%s,%s,%s,%s,%s,", event_name(run->event), row->first ? "true" : "false",
		stage_name(run->stage), kind_name(run->kind), path_name(run->path), path_name(row->b->path));
	csv_text(out, run->routine);
	putc(',', out);
	csv_text(out, run->codegen);
	fprintf(out, ",%s,%zu,%zu", obs_window_name(run->window), row->nr_a, row->nr_b);
	put_number(out, row->a_ns / NS_PER_MS, true);
	put_number(out, row->b_ns / NS_PER_MS, true);
	put_number(out, row->ratio, row->ratio > 0);
	put_number(out, row->low, row->has_interval);
	put_number(out, row->high, row->has_interval);
	put_number(out, row->test.p, row->has_interval);
	put_number(out, row->p_holm, row->has_interval);
	put_number(out, 100 * row->detectable, row->has_interval && isfinite(row->detectable));
	fprintf(out, ",%s\n", comparison_verdict_name(row->verdict));
}

void comparison_csv(FILE *out, const struct comparison *comparison)
{
	fputs("device,event,first,stage,page_kind,path_a,path_b,routine,codegen,window,n_a,n_b,median_a_ms,"
	      "median_b_ms,ratio,ratio_low,ratio_high,p,p_holm,detectable_pct,verdict\n",
	      out);
	for (size_t i = 0; i < comparison->nr; i++)
		put_csv_row(out, &comparison->rows[i]);
}
