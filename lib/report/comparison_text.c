// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/comparison_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/forecast_report.h"

static bool is_race(const struct comparison *comparison)
{
	return observations_are_race(comparison->a);
}

const char *comparison_subject(char buf[TEXT_STR], const struct style *style,
			       const struct comparison_row *row)
{
	const struct obs_run *run = row->a;
	char text[TEXT_STR];

	if (row->device)
		snprintf(buf, TEXT_STR, "%s %.*s", row->device->name, TEXT_STR - 64,
			 device_text(text, style, row->device, " "));
	else if (run->device)
		snprintf(buf, TEXT_STR, "%s", run->device);
	else if (run->routine)
		snprintf(buf, TEXT_STR, "%s %s%s%s%s", kind_name(run->kind), run->routine,
			 run->codegen && strcmp(run->codegen, "default") ? " " : "",
			 run->codegen && strcmp(run->codegen, "default") ? run->codegen : "",
			 run->window == OBS_WINDOW_CACHE ? " in cache" : "");
	else
		snprintf(buf, TEXT_STR, "%s", row->host ? row->host->name : event_name(run->event));
	return buf;
}

const char *comparison_stage(char buf[TEXT_STR], const struct comparison *comparison,
			     const struct comparison_row *row)
{
	const struct obs_run *run = row->a;
	const char *which = row->first                 ? ", first bind"
			    : run->event != EVENT_BIND ? ""
			    : is_race(comparison)      ? ""
						       : ", rebind";
	char path[32] = "";

	if (is_race(comparison))
		snprintf(path, sizeof(path), ", %s", path_name(run->path));
	if (run->stage == STAGE_TOTAL)
		snprintf(buf, TEXT_STR, "%s total%s%s", event_name(run->event), which, path);
	else
		snprintf(buf, TEXT_STR, "%s%s%s", stage_name(run->stage), which, path);
	return buf;
}

const char *comparison_samples(char buf[TEXT_STR], const struct comparison_row *row)
{
	int len = snprintf(buf, TEXT_STR, "n=%zu", row->nr_a);

	if (row->nr_a != row->nr_b)
		len += snprintf(buf + len, TEXT_STR - (size_t)len, "/%zu", row->nr_b);
	if (!row->first && row->a->nr_averaged > 1)
		snprintf(buf + len, TEXT_STR - (size_t)len, ", mean of %" PRIu32, row->a->nr_averaged);
	return buf;
}

/* "+5.1", "−62.7": two decimals below 1 %, none from 1000 % on. */
static int percent(char *buf, size_t size, const struct style *style, double ratio)
{
	double change = 100 * (ratio - 1), magnitude = fabs(change);
	const char *sign = change > 0 ? "+" : change == 0 ? "" : style->utf8 ? "−" : "-";

	return snprintf(buf, size, "%s%.*f", sign, magnitude < 1 ? 2 : magnitude < 1000, magnitude);
}

const char *comparison_change(char buf[TEXT_STR], const struct style *style, const struct comparison_row *row)
{
	int len;

	*buf = '\0';
	if (row->ratio <= 0)
		return buf;
	len = percent(buf, TEXT_STR, style, row->ratio);
	snprintf(buf + len, TEXT_STR - (size_t)len, " %%");
	return buf;
}

const char *comparison_interval(char buf[TEXT_STR], const struct style *style,
				const struct comparison_row *row)
{
	char low[UNITS_STR], high[UNITS_STR];

	*buf = '\0';
	if (!row->has_interval)
		return buf;
	percent(low, sizeof(low), style, row->low);
	percent(high, sizeof(high), style, row->high);
	snprintf(buf, TEXT_STR, "%s %s %s", low, style->utf8 ? "…" : "..", high);
	return buf;
}

const char *comparison_verdict_words(const struct comparison_row *row)
{
	static const char *const words[] = {
		[VERDICT_FASTER] = "faster",
		[VERDICT_SLOWER] = "slower",
		[VERDICT_NO_CHANGE] = "no change shown",
		[VERDICT_TOO_FEW] = "too few samples to tell",
		[VERDICT_ONE_SAMPLE] = "one sample, no interval",
		[VERDICT_BELOW_CLOCK] = "below the clock's resolution",
	};

	return words[row->verdict];
}

static const struct obs_run *run_of(const struct comparison_row *row, bool is_b)
{
	return is_b ? row->b : row->a;
}

/* The one path of a side's rows, or PATH_ANY. */
static enum memmap_path path_of(const struct comparison *comparison, bool is_b)
{
	enum memmap_path path = run_of(&comparison->rows[0], is_b)->path;

	for (size_t i = 1; i < comparison->nr; i++) {
		if (run_of(&comparison->rows[i], is_b)->path != path)
			return PATH_ANY;
	}
	return path;
}

const char *comparison_side(char buf[TEXT_STR], const struct comparison *comparison, bool is_b)
{
	const struct observations *obs = is_b ? comparison->b : comparison->a;
	enum memmap_path path = path_of(comparison, is_b);

	if (obs->env.simulated_version)
		snprintf(buf, TEXT_STR, "struct page of Linux %s", obs->env.simulated_version);
	else
		snprintf(buf, TEXT_STR, "Linux %s%s%s", obs->env.kernel, path == PATH_ANY ? "" : ", path ",
			 path == PATH_ANY ? "" : path_name(path));
	return buf;
}

static void base_name(char buf[TEXT_STR], const struct observations *obs, const char *fallback)
{
	const char *name = obs->file ? obs->file : fallback, *slash = strrchr(name, '/'), *dot;

	name = slash ? slash + 1 : name;
	dot = strrchr(name, '.');
	snprintf(buf, TEXT_STR, "%.*s", (int)(dot && dot != name ? (size_t)(dot - name) : strlen(name)),
		 name);
}

void comparison_names(const struct comparison *comparison, char a[TEXT_STR], char b[TEXT_STR])
{
	base_name(a, comparison->a, "A");
	base_name(b, comparison->b, "B");
	if (!strcmp(a, b)) {
		strcpy(a, "A");
		strcpy(b, "B");
	}
}
