// SPDX-License-Identifier: GPL-2.0-or-later
/* The race, for people: one table a page kind, the fastest first, and below it who won and by how much. */
#include "report/observations_report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "report/columns.h"

enum { BAR_CELLS = 10, STRUCT_PAGE = 64 };

struct race {
	const struct observations *obs;
	const struct style *style;
	const struct obs_run **runs; /* of one kind, fastest first */
	size_t nr;
	const struct obs_run *baseline; /* NULL: not measured */
};

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* One build races: the first one measured, which is the default build when that was among them. */
static bool in_race(const struct observations *obs, const struct obs_run *run, enum page_kind kind)
{
	return run->kind == kind && run->window == OBS_WINDOW_MEMORY &&
	       same_text(run->codegen, obs->runs[0].codegen);
}

/* What wrote something wrong is out of the race, however fast it was. */
static int by_speed(const void *a, const void *b)
{
	const struct obs_run *x = *(const struct obs_run *const *)a, *y = *(const struct obs_run *const *)b;
	double x_ns = obs_ns_per_unit(x), y_ns = obs_ns_per_unit(y);

	if (x->verified != y->verified)
		return x->verified ? -1 : 1;
	return (x_ns > y_ns) - (x_ns < y_ns);
}

static int line_up(struct race *race, enum page_kind kind)
{
	race->nr = 0;
	race->baseline = NULL;
	for (size_t i = 0; i < race->obs->nr_runs; i++) {
		const struct obs_run *run = &race->obs->runs[i], **place;

		if (!in_race(race->obs, run, kind))
			continue;
		place = array_grow(&race->runs, &race->nr, sizeof(*race->runs));
		if (!place)
			return -ENOMEM;
		*place = run;
		if (run->path == PATH_BASELINE && !race->baseline)
			race->baseline = run;
	}
	if (race->nr)
		qsort(race->runs, race->nr, sizeof(*race->runs), by_speed);
	return 0;
}

static double ceiling_gbps(const struct observations *obs, enum memmap_path path)
{
	return path == PATH_TEMPLATE_NT ? obs->nt_store_gbps : obs->store_gbps;
}

static double speed_gbps(const struct obs_run *run)
{
	double ns = obs_ns_per_unit(run);

	return ns > 0 ? STRUCT_PAGE / ns : 0;
}

/* The same routine in the cache; NULL: not measured there. */
static const struct obs_run *cached_twin(const struct observations *obs, const struct obs_run *run)
{
	for (size_t i = 0; i < obs->nr_runs; i++) {
		const struct obs_run *other = &obs->runs[i];

		if (other->window == OBS_WINDOW_CACHE && other->kind == run->kind &&
		    other->path == run->path && same_text(other->routine, run->routine) &&
		    same_text(other->codegen, run->codegen))
			return other;
	}
	return NULL;
}

/* The larger side of the median's interval, or of the range where there are too few samples for one. */
static const char *spread_text(char buf[TEXT_STR], const struct style *style, const struct summary *s)
{
	double low = s->has_interval ? s->median_low : s->min;
	double high = s->has_interval ? s->median_high : s->max;
	double percent;

	*buf = '\0';
	if (s->n < 2 || s->median <= 0)
		return buf;
	percent = 100 * MAX(s->median - low, high - s->median) / s->median;
	snprintf(buf, TEXT_STR, "%s%.*f%%", style->utf8 ? "±" : "+-", percent < 0.95, percent);
	return buf;
}

static const char *ns_text(char buf[TEXT_STR], double ns)
{
	int digits = ns >= 100 ? 0 : ns >= 10 ? 1 : 2;

	snprintf(buf, TEXT_STR, "%.*f", digits, ns);
	return buf;
}

static void put_row(struct columns *table, const struct race *race, const struct obs_run *run)
{
	const struct observations *obs = race->obs;
	const struct obs_run *cached = cached_twin(obs, run);
	double fastest = MAX(obs->nt_store_gbps, obs->store_gbps), ceiling = ceiling_gbps(obs, run->path);
	enum look look = run == race->runs[0] ? LOOK_GOOD : run == race->baseline ? LOOK_STRONG : LOOK_PLAIN;
	char text[TEXT_STR], bar[BAR_STR];

	columns_row(table);
	columns_cell(table, 0, path_name(run->path), look);
	columns_cell(table, 1, run->routine ? run->routine : "", look);
	columns_cell(table, 2, ns_text(text, obs_ns_per_unit(run)), look);
	columns_cell(table, 3, spread_text(text, race->style, &run->summary), LOOK_FAINT);
	if (race->baseline) {
		snprintf(text, sizeof(text), "%.2fx", obs_ns_per_unit(race->baseline) / obs_ns_per_unit(run));
		columns_cell(table, 4, text, look);
	}
	if (cached)
		columns_cell(table, 5, ns_text(text, obs_ns_per_unit(cached)), LOOK_FAINT);
	if (fastest > 0)
		columns_cell(table, 6, bar_text(bar, race->style, speed_gbps(run) / fastest, BAR_CELLS),
			     look);
	if (!run->verified) {
		columns_cell(table, 7, "WRONG", LOOK_BAD);
	} else if (ceiling > 0) {
		snprintf(text, sizeof(text), "%.0f%%", 100 * speed_gbps(run) / ceiling);
		columns_cell(table, 7, text, look);
	}
}

static int print_rows(const struct race *race, FILE *out)
{
	static const struct column_spec specs[] = {
		{"PATH",    false},
                {"ROUTINE", false},
                {"NS/PAGE", true },
                {"SPREAD",  true },
		{"SPEEDUP", true },
                {"CACHED",  true },
                {"SPEED",   false},
                {"CEILING", true },
	};
	_cleanup_columns_ struct columns table = {0};
	int err = columns_open(&table, race->style, specs, ARRAY_SIZE(specs));

	if (err)
		return err;
	for (size_t i = 0; i < race->nr; i++)
		put_row(&table, race, race->runs[i]);
	return columns_print(&table, out);
}

static double low_ns_per_unit(const struct summary *s, double units)
{
	return (s->has_interval ? s->median_low : s->min) / units;
}

static double high_ns_per_unit(const struct summary *s, double units)
{
	return (s->has_interval ? s->median_high : s->max) / units;
}

/* How many others the first one's lead does not clearly set apart: their spreads overlap. */
static size_t nr_level(const struct race *race)
{
	const struct obs_run *winner = race->runs[0];
	double high = high_ns_per_unit(&winner->summary, (double)winner->units);
	size_t nr = 0;

	for (size_t i = 1; i < race->nr; i++)
		nr += race->runs[i]->verified &&
		      low_ns_per_unit(&race->runs[i]->summary, (double)race->runs[i]->units) <= high;
	return nr;
}

static void print_winner(const struct race *race, FILE *out)
{
	const struct style *style = race->style;
	const struct obs_run *winner = race->runs[0], *baseline = race->baseline;
	char pages[UNITS_STR], time[UNITS_STR];
	size_t level = nr_level(race);

	fprintf(out, "%s%s%s %s", look_on(style, LOOK_GOOD), winner->routine, look_off(style, LOOK_GOOD),
		level ? "leads" : "wins");
	if (level)
		fprintf(out, " (%zu more within the spread)", level);
	fprintf(out, ": %s for %s struct pages",
		duration_human(time, obs_ns_per_unit(winner) * (double)winner->units),
		count_human(pages, winner->units));
	if (baseline && baseline != winner)
		fprintf(out, ", baseline %s",
			duration_human(time, obs_ns_per_unit(baseline) * (double)baseline->units));
	fputs("\n\n", out);
}

static int print_kind(struct race *race, enum page_kind kind, FILE *out)
{
	int err = line_up(race, kind);
	char order[32] = "";

	if (err || !race->nr)
		return err;
	if (race->runs[0]->order)
		snprintf(order, sizeof(order), ", compound order %u", race->runs[0]->order);
	fprintf(out, "%s%s%s%s\n", look_on(race->style, LOOK_STRONG), kind_name(kind),
		look_off(race->style, LOOK_STRONG), order);
	err = print_rows(race, out);
	if (!err)
		print_winner(race, out);
	return err;
}

static void print_banner(FILE *out, const struct style *style, const char *text)
{
	fprintf(out, "%s%s%s\n", look_on(style, LOOK_BAD), text, look_off(style, LOOK_BAD));
}

static void print_scale(const struct observations *obs, FILE *out)
{
	const struct obs_run *run = &obs->runs[0];
	char pages[UNITS_STR], bytes[UNITS_STR], window[UNITS_STR];

	for (size_t i = 0; i < obs->nr_runs && run->window != OBS_WINDOW_MEMORY; i++)
		run = &obs->runs[i];
	fprintf(out, "%s struct pages (%s)", count_human(pages, run->units),
		size_human(bytes, run->units * STRUCT_PAGE));
	if (run->measured_units < run->units)
		fprintf(out, " run through a window of %s\nand scaled",
			size_human(window, run->measured_units * STRUCT_PAGE));
	if (run->threads > 1)
		fprintf(out, ", %" PRIu32 " threads", run->threads);
	fprintf(out, "; %zu sample%s each\n", run->nr_samples, run->nr_samples == 1 ? "" : "s");
}

static void print_head(const struct observations *obs, const struct style *style, FILE *out)
{
	const struct obs_environment *env = &obs->env;

	fprintf(out, "%s%s%s  struct page writes of Linux %s, in %s\n", look_on(style, LOOK_STRONG),
		obs->mode, look_off(style, LOOK_STRONG),
		env->simulated_version ? env->simulated_version : "?",
		strcmp(obs->mode, "simulated") ? "the kernel, on its own struct page" : "user space");
	fprintf(out, "%s, %s%s, Linux %s\n", env->cpu ? env->cpu : "unknown CPU", env->arch,
		env->virtualized ? ", virtual machine" : "", env->kernel);
	if (env->memory)
		fprintf(out, "%s\n", env->memory);
	fprintf(out, "timing: %s, %.0f ns apart at best", env->timing_source, env->resolution_ns);
	if (obs->harness_ns_per_call > 0)
		fprintf(out, "; the harness adds %.0f ns a run", obs->harness_ns_per_call);
	fputc('\n', out);
	if (obs->nr_runs)
		print_scale(obs, out);
	if (env->emulated)
		print_banner(out, style, "EMULATED: these are the emulator's times, not a machine's.");
	if (obs->incomplete)
		print_banner(out, style, "INCOMPLETE: stopped before all repetitions were done.");
	fputc('\n', out);
}

static void print_ceiling(const struct observations *obs, FILE *out)
{
	if (!obs->has_limits)
		return;
	fputs("ceiling (same memory, same run):", out);
	if (obs->nt_store_gbps > 0)
		fprintf(out, " non-temporal stores %.1f GB/s (%s, %.2f ns a struct page);",
			obs->nt_store_gbps, obs->nt_store_routine ? obs->nt_store_routine : "?",
			STRUCT_PAGE / obs->nt_store_gbps);
	if (obs->store_gbps > 0)
		fprintf(out, "\n  plain stores %.1f GB/s (%s, %.2f ns)", obs->store_gbps,
			obs->store_routine ? obs->store_routine : "?", STRUCT_PAGE / obs->store_gbps);
	fputc('\n', out);
}

int observations_write_table(const struct observations *obs, const struct style *style, FILE *out)
{
	struct race race = {.obs = obs, .style = style};
	int err = 0;

	if (!observations_are_race(obs))
		return observations_write_stages(obs, style, out);
	print_head(obs, style, out);
	for (int kind = 0; !err && kind < NR_KINDS; kind++)
		err = print_kind(&race, (enum page_kind)kind, out);
	free(race.runs);
	if (!err)
		err = observations_write_codegen(obs, style, out);
	print_ceiling(obs, out);
	return err;
}
