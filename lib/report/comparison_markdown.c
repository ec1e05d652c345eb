// SPDX-License-Identifier: GPL-2.0-or-later
/* A table in Markdown. A cell cannot hold '|' as it is, nor a line's end. */
#include <string.h>

#include "report/comparison_report.h"
#include "report/comparison_text.h"

static void put_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '|')
			putc('\\', out);
		putc((unsigned char)*text < ' ' ? ' ' : *text, out);
	}
}

static void put_cell(FILE *out, const char *text)
{
	fputs(*text ? " " : "", out);
	put_text(out, text);
	fputs(" |", out);
}

/* Always milliseconds, so that the eye compares digits; four of them. */
static void put_ms(FILE *out, double ns)
{
	double ms = ns / NS_PER_MS;

	fprintf(out, " %.*f ms |", ms < 10 ? 3 : ms < 100 ? 2 : ms < 1000 ? 1 : 0, ms);
}

static void put_change(FILE *out, const struct style *style, const struct comparison_row *row)
{
	const char *strong = row->verdict == VERDICT_FASTER || row->verdict == VERDICT_SLOWER ? "**" : "";
	char change[TEXT_STR], interval[TEXT_STR];

	comparison_change(change, style, row);
	comparison_interval(interval, style, row);
	fputc(' ', out);
	if (*change)
		fprintf(out, "%s%s%s ", strong, change, strong);
	fprintf(out, "(%s) |\n", row->has_interval ? interval : comparison_verdict_words(row));
}

static void put_row(FILE *out, const struct style *style, const struct comparison *comparison,
		    const struct comparison_row *row, const char *subject)
{
	char stage[TEXT_STR], samples[TEXT_STR], cell[2 * TEXT_STR];

	putc('|', out);
	put_cell(out, subject);
	snprintf(cell, sizeof(cell), "%s (%s)", comparison_stage(stage, comparison, row),
		 comparison_samples(samples, row));
	put_cell(out, cell);
	put_ms(out, row->a_ns);
	put_ms(out, row->b_ns);
	put_change(out, style, row);
}

static void put_side(FILE *out, const char *name, const struct comparison *comparison, bool is_b)
{
	char kernel[TEXT_STR];

	put_text(out, name);
	fprintf(out, ": %s", comparison_side(kernel, comparison, is_b));
	if ((is_b ? comparison->b : comparison->a)->incomplete)
		fputs(" (interrupted)", out);
	fputs("; ", out);
}

static void put_footer(FILE *out, const struct comparison *comparison, const char *a, const char *b)
{
	const struct observations *obs = comparison->a;
	const char *emulation = obs_emulation(&obs->env);
	char step[UNITS_STR];

	put_side(out, a, comparison, false);
	put_side(out, b, comparison, true);
	fprintf(out, "%s%s, mode %s%s%s, timed by %s, +-%s.\n", obs->env.cpu ? obs->env.cpu : obs->env.arch,
		obs->env.virtualized ? " (virtual machine)" : "", obs->mode, emulation ? ", " : "",
		emulation ? emulation : "", obs->env.timing_source,
		duration_human(step, obs->env.resolution_ns));
	if (comparison->nr_tests)
		fprintf(out,
			"Medians; interval: 95 %%, bootstrap of the ratio. Bold: rank test with Holm's "
			"correction over %zu row%s, p <= %.2g.\n",
			comparison->nr_tests, comparison->nr_tests == 1 ? "" : "s", COMPARISON_LEVEL);
}

void comparison_markdown(FILE *out, const struct style *style, const struct comparison *comparison,
			 const struct diags *diags)
{
	char a[TEXT_STR], b[TEXT_STR], last[TEXT_STR] = "", subject[TEXT_STR];

	comparison_names(comparison, a, b);
	fputs("| device | stage |", out);
	put_cell(out, a);
	put_cell(out, b);
	fputs(" change (95 % CI) |\n|:--|:--|--:|--:|:--|\n", out);
	for (size_t i = 0; i < comparison->nr; i++) {
		const struct comparison_row *row = &comparison->rows[i];

		comparison_subject(subject, style, row);
		put_row(out, style, comparison, row, strcmp(subject, last) ? subject : "");
		strcpy(last, subject);
	}
	putc('\n', out);
	put_footer(out, comparison, a, b);
	for (size_t i = 0; diags && i < diags->nr; i++) {
		fputs("Note: ", out);
		put_text(out, diags->items[i].text);
		fputs(".\n", out);
	}
}
