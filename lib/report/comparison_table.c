// SPDX-License-Identifier: GPL-2.0-or-later
/* For people: what changed, by how much, how sure, and how small a change could have hidden. */
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "report/columns.h"
#include "report/comparison_report.h"
#include "report/comparison_text.h"

static enum look verdict_look_of(const struct comparison_row *row)
{
	switch (row->verdict) {
	case VERDICT_FASTER:
		return LOOK_GOOD;
	case VERDICT_SLOWER:
		return LOOK_BAD;
	case VERDICT_NO_CHANGE:
		return LOOK_PLAIN;
	default:
		return LOOK_FAINT;
	}
}

static const char *detectable_text(char buf[TEXT_STR], const struct comparison_row *row)
{
	*buf = '\0';
	if (row->has_interval && isfinite(row->detectable))
		snprintf(buf, TEXT_STR, "%.*f %%", row->detectable < 0.1, 100 * row->detectable);
	return buf;
}

static void put_row(struct columns *table, const struct style *style, const struct comparison *comparison,
		    const struct comparison_row *row, bool same_subject)
{
	char text[TEXT_STR];

	columns_row(table);
	columns_cell(table, 0, same_subject ? "" : comparison_subject(text, style, row), LOOK_PLAIN);
	columns_cell(table, 1, comparison_stage(text, comparison, row), LOOK_PLAIN);
	columns_cell(table, 2, comparison_samples(text, row), LOOK_FAINT);
	columns_cell(table, 3, duration_human(text, row->a_ns), LOOK_PLAIN);
	columns_cell(table, 4, duration_human(text, row->b_ns), LOOK_PLAIN);
	columns_cell(table, 5, comparison_change(text, style, row), LOOK_STRONG);
	columns_cell(table, 6, comparison_interval(text, style, row), LOOK_PLAIN);
	*text = '\0';
	if (row->has_interval)
		snprintf(text, sizeof(text), row->p_holm < 0.0001 ? "<0.0001" : "%.2g", row->p_holm);
	columns_cell(table, 7, text, LOOK_PLAIN);
	columns_cell(table, 8, detectable_text(text, row), LOOK_PLAIN);
	columns_cell(table, 9, comparison_verdict_words(row), verdict_look_of(row));
}

static int put_rows(FILE *out, const struct style *style, const struct comparison *comparison)
{
	static const struct column_spec specs[] = {
		{"WHAT",       false},
                {"STAGE",      false},
                {"SAMPLES",    false},
                {"A",          true },
		{"B",          true },
                {"CHANGE",     true },
                {"95 %",       false},
                {"P",          true },
		{"SHOWS FROM", true },
                {"VERDICT",    false},
	};
	_cleanup_columns_ struct columns table = {0};
	char last[TEXT_STR] = "", subject[TEXT_STR];
	int err = columns_open(&table, style, specs, ARRAY_SIZE(specs));

	for (size_t i = 0; !err && i < comparison->nr; i++) {
		const struct comparison_row *row = &comparison->rows[i];

		comparison_subject(subject, style, row);
		put_row(&table, style, comparison, row, !strcmp(subject, last));
		strcpy(last, subject);
	}
	return err ? err : columns_print(&table, out);
}

static void print_side(FILE *out, const struct style *style, const struct comparison *comparison, bool is_b)
{
	const struct observations *obs = is_b ? comparison->b : comparison->a;
	const char *emulation = obs_emulation(&obs->env);
	char kernel[TEXT_STR];

	fprintf(out, "%s%c%s  %s: %s, mode %s%s%s%s%s\n", look_on(style, LOOK_STRONG), is_b ? 'B' : 'A',
		look_off(style, LOOK_STRONG), obs->file ? obs->file : "observations",
		comparison_side(kernel, comparison, is_b), obs->mode, emulation ? ", " : "",
		emulation ? emulation : "", obs->env.cpu ? ", " : "", obs->env.cpu ? obs->env.cpu : "");
}

static size_t nr_with(const struct comparison *comparison, enum comparison_verdict verdict)
{
	size_t nr = 0;

	for (size_t i = 0; i < comparison->nr; i++)
		nr += comparison->rows[i].verdict == verdict;
	return nr;
}

static void print_unpaired(FILE *out, size_t nr, char side)
{
	if (nr)
		fprintf(out, "%zu run%s of %c without a partner left out\n", nr, nr == 1 ? "" : "s", side);
}

int comparison_table(FILE *out, const struct style *style, const struct comparison *comparison,
		     const struct diags *diags)
{
	char text[3 * TEXT_STR];
	int err;

	print_side(out, style, comparison, false);
	print_side(out, style, comparison, true);
	putc('\n', out);
	err = put_rows(out, style, comparison);
	if (err)
		return err;
	fprintf(out,
		"\n%zu row%s: %zu faster, %zu slower, %zu without a change shown, %zu that cannot tell\n",
		comparison->nr, comparison->nr == 1 ? "" : "s", nr_with(comparison, VERDICT_FASTER),
		nr_with(comparison, VERDICT_SLOWER), nr_with(comparison, VERDICT_NO_CHANGE),
		nr_with(comparison, VERDICT_TOO_FEW) + nr_with(comparison, VERDICT_ONE_SAMPLE) +
			nr_with(comparison, VERDICT_BELOW_CLOCK));
	print_unpaired(out, comparison->nr_only_a, 'A');
	print_unpaired(out, comparison->nr_only_b, 'B');
	if (comparison->nr_tests) {
		snprintf(text, sizeof(text),
			 "A and B are medians; 95 %% is the bootstrap interval of their ratio; P is the rank "
			 "test's, corrected (Holm) for %zu row%s; a change is called one at %.2g or less. "
			 "SHOWS FROM: a change so large would have shown in 95 of 100 such measurements.",
			 comparison->nr_tests, comparison->nr_tests == 1 ? "" : "s", COMPARISON_LEVEL);
		print_wrapped(out, style, "", 0, text);
	}
	for (size_t i = 0; diags && i < diags->nr; i++)
		print_wrapped(out, style, "- ", 2, diags->items[i].text);
	return 0;
}
