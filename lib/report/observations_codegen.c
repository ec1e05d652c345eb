// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds of the same source side by side: what each costs in machine code and gains in time. In the cache where it was
 * measured there, because memory that is the bottleneck hides the code.
 */
#include "report/observations_report.h"

#include <errno.h>
#include <string.h>

#include "base/util.h"
#include "report/columns.h"

enum { MAX_BUILDS = 8, FIRST_BUILD_COLUMN = 1 };

struct builds {
	const char *names[MAX_BUILDS]; /* the first is what the others are compared with */
	uint64_t text_bytes[MAX_BUILDS];
	size_t nr;
};

static void find_builds(const struct observations *obs, struct builds *builds)
{
	for (size_t i = 0; i < obs->nr_runs; i++) {
		const struct obs_run *run = &obs->runs[i];
		size_t known = 0;

		if (!run->codegen)
			continue;
		while (known < builds->nr && strcmp(builds->names[known], run->codegen))
			known++;
		if (known < builds->nr || builds->nr == MAX_BUILDS)
			continue;
		builds->names[builds->nr] = run->codegen;
		builds->text_bytes[builds->nr++] = run->text_bytes;
	}
}

static bool is_same_but_build(const struct obs_run *a, const struct obs_run *b)
{
	return a->kind == b->kind && a->path == b->path && a->window == b->window && a->routine &&
	       b->routine && !strcmp(a->routine, b->routine);
}

static const struct obs_run *in_build(const struct observations *obs, const struct obs_run *run,
				      const char *build)
{
	for (size_t i = 0; i < obs->nr_runs; i++) {
		const struct obs_run *other = &obs->runs[i];

		if (is_same_but_build(other, run) && other->codegen && !strcmp(other->codegen, build))
			return other;
	}
	return NULL;
}

static bool is_cached_too(const struct observations *obs, const struct obs_run *run)
{
	struct obs_run cached = *run;

	cached.window = OBS_WINDOW_CACHE;
	return run->window == OBS_WINDOW_MEMORY && in_build(obs, &cached, run->codegen);
}

/* "max-inline-insns-single=400" in two lines: a new one after the second hyphen. */
static const char *fold_name(char buf[TEXT_STR], const char *name)
{
	unsigned int hyphens = 0;
	char *out = buf;

	for (; *name && out < buf + TEXT_STR - 2; name++) {
		*out++ = *name;
		if (*name == '-' && ++hyphens == 2 && name[1])
			*out++ = '\n';
	}
	*out = '\0';
	return buf;
}

static const char *change_text(char buf[TEXT_STR], double value, double base)
{
	if (base > 0)
		snprintf(buf, TEXT_STR, "%+.1f%%", 100 * (value - base) / base);
	else
		*buf = '\0';
	return buf;
}

static void put_kind(struct columns *table, enum page_kind kind)
{
	columns_row(table);
	columns_cell(table, 0, kind_name(kind), LOOK_STRONG);
}

static void put_run(struct columns *table, const struct observations *obs, const struct builds *builds,
		    const struct obs_run *run)
{
	double base = obs_ns_per_unit(run);
	char text[TEXT_STR];

	columns_row(table);
	snprintf(text, sizeof(text), "  %s%s", run->routine,
		 run->window == OBS_WINDOW_CACHE ? ", cached" : "");
	columns_cell(table, 0, text, LOOK_PLAIN);
	snprintf(text, sizeof(text), "%.2f ns", base);
	columns_cell(table, FIRST_BUILD_COLUMN, text, LOOK_PLAIN);
	for (size_t b = 1; b < builds->nr; b++) {
		const struct obs_run *other = in_build(obs, run, builds->names[b]);

		if (other)
			columns_cell(table, FIRST_BUILD_COLUMN + b,
				     change_text(text, obs_ns_per_unit(other), base), LOOK_PLAIN);
	}
}

/* Headings as a row: cells may have several lines, which a column's own heading may not. */
static void put_headings(struct columns *table, const struct builds *builds)
{
	char text[TEXT_STR];

	columns_row(table);
	columns_cell(table, 0, "ROUTINE", LOOK_PLAIN);
	for (size_t b = 0; b < builds->nr; b++)
		columns_cell(table, FIRST_BUILD_COLUMN + b, fold_name(text, builds->names[b]), LOOK_PLAIN);
}

static void put_text_sizes(struct columns *table, const struct builds *builds)
{
	char text[TEXT_STR], bytes[UNITS_STR];

	columns_row(table);
	columns_cell(table, 0, "machine code", LOOK_STRONG);
	snprintf(text, sizeof(text), "%s B", count_human(bytes, builds->text_bytes[0]));
	columns_cell(table, FIRST_BUILD_COLUMN, text, LOOK_STRONG);
	for (size_t b = 1; b < builds->nr; b++)
		columns_cell(table, FIRST_BUILD_COLUMN + b,
			     change_text(text, (double)builds->text_bytes[b], (double)builds->text_bytes[0]),
			     LOOK_STRONG);
}

int observations_write_codegen(const struct observations *obs, const struct style *style, FILE *out)
{
	_cleanup_columns_ struct columns table = {0};
	struct column_spec specs[FIRST_BUILD_COLUMN + MAX_BUILDS] = {0};
	struct builds builds = {0};
	int err;

	find_builds(obs, &builds);
	if (builds.nr < 2)
		return 0;
	for (size_t b = 0; b < builds.nr; b++)
		specs[FIRST_BUILD_COLUMN + b].right = true;
	err = columns_open(&table, style, specs, FIRST_BUILD_COLUMN + builds.nr);
	if (err)
		return err;
	put_headings(&table, &builds);
	put_text_sizes(&table, &builds);
	for (size_t i = 0; i < obs->nr_runs; i++) {
		const struct obs_run *run = &obs->runs[i];

		if (!i || run->kind != run[-1].kind)
			put_kind(&table, run->kind);
		if (run->routine && run->codegen && !strcmp(run->codegen, builds.names[0]) &&
		    !is_cached_too(obs, run))
			put_run(&table, obs, &builds, run);
	}
	fprintf(out, "%sbuilds of the same source%s, against %s\n", look_on(style, LOOK_STRONG),
		look_off(style, LOOK_STRONG), builds.names[0]);
	err = columns_print(&table, out);
	fputc('\n', out);
	return err;
}
