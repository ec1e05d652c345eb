// SPDX-License-Identifier: GPL-2.0-or-later
/* Stages of real kernels, for people: one table a device, an event's total and below it what that consists of. */
#include "report/observations_report.h"

#include <errno.h>
#include <string.h>

#include "base/util.h"
#include "report/columns.h"

enum { BAR_CELLS = 12 };

enum column {
	COLUMN_EVENT,
	COLUMN_STAGE,
	COLUMN_FIRST,
	COLUMN_MEDIAN,
	COLUMN_SPREAD,
	COLUMN_P95,
	COLUMN_UNITS,
	COLUMN_PER_UNIT,
	COLUMN_SHARE,
	NR_COLUMNS,
};

static bool same_device(const struct obs_run *a, const struct obs_run *b)
{
	return a->device && b->device ? !strcmp(a->device, b->device) : a->device == b->device;
}

static double typical_ns(const struct obs_run *run)
{
	return run->summary.n ? run->summary.median : run->first_ns;
}

static const struct obs_run *total_of(const struct observations *obs, const struct obs_run *run)
{
	for (size_t i = 0; i < obs->nr_runs; i++) {
		const struct obs_run *other = &obs->runs[i];

		if (other->stage == STAGE_TOTAL && other->event == run->event && same_device(other, run))
			return other;
	}
	return NULL;
}

/* What is shorter than the clock's step is not 0: it is less than a step. */
static const char *time_text(char buf[TEXT_STR], const struct observations *obs, double ns)
{
	char time[UNITS_STR];

	if (ns < obs->env.resolution_ns)
		snprintf(buf, TEXT_STR, "< %s", duration_human(time, obs->env.resolution_ns));
	else
		snprintf(buf, TEXT_STR, "%s", duration_human(time, ns));
	return buf;
}

static void put_times(struct columns *table, const struct observations *obs, const struct obs_run *run,
		      enum look look)
{
	const struct summary *s = &run->summary;
	double low = s->has_interval ? s->median_low : s->min,
	       high = s->has_interval ? s->median_high : s->max;
	char text[TEXT_STR];

	if (run->first_ns > 0)
		columns_cell(table, COLUMN_FIRST, time_text(text, obs, run->first_ns), look);
	if (!s->n)
		return;
	columns_cell(table, COLUMN_MEDIAN, time_text(text, obs, s->median), look);
	if (s->n < 2 || s->median < obs->env.resolution_ns)
		return;
	snprintf(text, sizeof(text), "%s%.0f%%", table->style->utf8 ? "±" : "+-",
		 100 * MAX(s->median - low, high - s->median) / s->median);
	columns_cell(table, COLUMN_SPREAD, text, LOOK_FAINT);
	columns_cell(table, COLUMN_P95, time_text(text, obs, s->p95), look);
}

static void put_row(struct columns *table, const struct observations *obs, const struct obs_run *run)
{
	const struct obs_run *total = total_of(obs, run);
	enum look look = run->stage == STAGE_TOTAL ? LOOK_STRONG : LOOK_PLAIN;
	char text[TEXT_STR], bar[BAR_STR], count[UNITS_STR];
	double ns = typical_ns(run);

	columns_row(table);
	columns_cell(table, COLUMN_EVENT, event_name(run->event), look);
	columns_cell(table, COLUMN_STAGE, stage_name(run->stage), look);
	put_times(table, obs, run, look);
	if (run->unit != UNIT_ONCE) {
		snprintf(text, sizeof(text), "%s %s", count_human(count, run->units), unit_name(run->unit));
		columns_cell(table, COLUMN_UNITS, text, look);
	}
	if (run->unit != UNIT_ONCE && ns >= obs->env.resolution_ns)
		columns_cell(table, COLUMN_PER_UNIT, duration_human(count, ns / (double)run->units), look);
	if (total && total != run && typical_ns(total) > 0)
		columns_cell(table, COLUMN_SHARE,
			     bar_text(bar, table->style, ns / typical_ns(total), BAR_CELLS), look);
}

static int print_device(const struct observations *obs, const struct obs_run *first,
			const struct style *style, FILE *out)
{
	static const struct column_spec specs[NR_COLUMNS] = {
		[COLUMN_EVENT] = {"EVENT",    false},
                  [COLUMN_STAGE] = {"STAGE",    false},
		[COLUMN_FIRST] = {"FIRST",    true },
                  [COLUMN_MEDIAN] = {"MEDIAN",   true },
		[COLUMN_SPREAD] = {"",         true },
                  [COLUMN_P95] = {"P95",      true },
		[COLUMN_UNITS] = {"UNITS",    true },
                  [COLUMN_PER_UNIT] = {"PER UNIT", true },
		[COLUMN_SHARE] = {"SHARE",    false},
	};
	_cleanup_columns_ struct columns table = {0};
	int err = columns_open(&table, style, specs, NR_COLUMNS);

	if (err)
		return err;
	if (first->device)
		fprintf(out, "%s%s%s\n", look_on(style, LOOK_STRONG), first->device,
			look_off(style, LOOK_STRONG));
	for (size_t i = 0; i < obs->nr_runs; i++) {
		if (same_device(&obs->runs[i], first))
			put_row(&table, obs, &obs->runs[i]);
	}
	err = columns_print(&table, out);
	for (size_t i = 0; !err && i < obs->nr_runs; i++) {
		const struct obs_run *run = &obs->runs[i];

		if (!same_device(run, first) || !run->note)
			continue;
		fprintf(out, "  %s %s: ", event_name(run->event), stage_name(run->stage));
		print_wrapped(
			out, style, "",
			(unsigned int)(strlen(event_name(run->event)) + strlen(stage_name(run->stage)) + 5),
			run->note);
	}
	fputc('\n', out);
	return err;
}

static bool is_first_of_device(const struct observations *obs, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (same_device(&obs->runs[k], &obs->runs[i]))
			return false;
	}
	return true;
}

static void print_banner(FILE *out, const struct style *style, const char *text)
{
	fprintf(out, "%s%s%s\n", look_on(style, LOOK_BAD), text, look_off(style, LOOK_BAD));
}

static void print_head(const struct observations *obs, const struct style *style, FILE *out)
{
	const struct obs_environment *env = &obs->env;
	char step[UNITS_STR];

	fprintf(out, "%s%s%s  Linux %s, %s%s, %s\n", look_on(style, LOOK_STRONG), obs->mode,
		look_off(style, LOOK_STRONG), env->kernel, env->arch,
		env->virtualized ? ", virtual machine" : "", env->cpu ? env->cpu : "unknown CPU");
	fprintf(out, "timing: %s, resolution %s\n", env->timing_source,
		duration_human(step, env->resolution_ns));
	if (env->instruction_clock)
		print_banner(out, style, "EMULATED: time counts instructions, one a nanosecond.");
	else if (env->emulated)
		print_banner(out, style, "EMULATED: these are the emulator's times, not a machine's.");
	if (obs->incomplete)
		print_banner(out, style, "INCOMPLETE: stopped before all repetitions were done.");
	fputc('\n', out);
}

int observations_write_stages(const struct observations *obs, const struct style *style, FILE *out)
{
	int err = 0;

	print_head(obs, style, out);
	for (size_t i = 0; !err && i < obs->nr_runs; i++) {
		if (is_first_of_device(obs, i))
			err = print_device(obs, &obs->runs[i], style, out);
	}
	return err;
}
