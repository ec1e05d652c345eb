// SPDX-License-Identifier: GPL-2.0-or-later
/* The answer: what host this is, how long everything takes, whether the windows fit, how much memory is gone. */
#include <errno.h>
#include <string.h>

#include "base/util.h"
#include "report/columns.h"
#include "report/forecast_parts.h"

enum { LABEL_COLUMNS = 12 };

static void print_head(FILE *out, const struct style *style, const struct host_forecast *forecast)
{
	const struct host *host = forecast->host;
	const struct profile *profile = forecast->profile;
	char size[UNITS_STR], text[TEXT_STR];
	int len;

	fprintf(out, "%s%s%s  ", look_on(style, LOOK_STRONG), host->name, look_off(style, LOOK_STRONG));
	len = snprintf(text, sizeof(text), "%s, Linux %s", arch_name(host->arch),
		       host->kernel.release ? host->kernel.release : "(release not stated)");
	if (host->memory_bytes && len < TEXT_STR)
		len += snprintf(text + len, sizeof(text) - (size_t)len, ", %s RAM",
				size_human(size, host->memory_bytes));
	if (host->cpus && len < TEXT_STR)
		snprintf(text + len, sizeof(text) - (size_t)len, ", %u CPU%s", host->cpus,
			 host->cpus == 1 ? "" : "s");
	fprintf(out, "%s\n", text);
	fprintf(out, "path %s, profile %s: ", path_name(forecast->path), profile->name);
	if (profile->obtained && !strcmp(profile->obtained, "uncalibrated"))
		fprintf(out, "%suncalibrated, orders of magnitude only%s\n\n", look_on(style, LOOK_DOUBTFUL),
			look_off(style, LOOK_DOUBTFUL));
	else
		fprintf(out, "%s%s%s\n\n", profile->obtained ? profile->obtained : "origin not stated",
			profile->machine ? ", " : "", profile->machine ? profile->machine : "");
}

static const struct window_verdict *window_named(const struct host_forecast *forecast, const char *name)
{
	for (size_t i = 0; i < forecast->nr_windows; i++) {
		if (!strcmp(forecast->windows[i].name, name))
			return &forecast->windows[i];
	}
	return NULL;
}

/* A line of the answer: what, how long, how sure, whether it fits. */
static void answer_line(struct columns *table, const struct style *style, const char *label,
			const struct estimate *time, const struct window_verdict *window, const char *what)
{
	char text[TEXT_STR];

	columns_row(table);
	snprintf(text, sizeof(text), "%-*s", LABEL_COLUMNS - 2, label); /* in line with the labels below */
	columns_cell(table, 0, text, LOOK_STRONG);
	columns_cell(table, 1, duration_human(text, time->mid_ns), LOOK_STRONG);
	columns_cell(table, 2, interval_text(text, style, time), LOOK_PLAIN);
	if (window)
		columns_cell(table, 3, verdict_text(text, style, window, " window"), verdict_look(window));
	columns_cell(table, 4, what, LOOK_FAINT);
}

static uint64_t nr_units_plugged(const struct host_forecast *forecast)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < forecast->nr_devices; i++)
		nr += forecast->devices[i].work->count;
	return nr;
}

static int print_answer(FILE *out, const struct style *style, const struct host_forecast *forecast)
{
	static const struct column_spec specs[] = {
		{NULL, false},
                {NULL, true },
                {NULL, false},
                {NULL, false},
                {NULL, false},
	};
	const struct window_verdict *each = window_named(forecast, "per_device");
	const struct window_verdict *hotplug = window_named(forecast, "hotplug");
	_cleanup_columns_ struct columns table = {0};
	char what[TEXT_STR];
	int err = columns_open(&table, style, specs, ARRAY_SIZE(specs));

	if (err)
		return err;
	if (forecast->nr_devices || hotplug) { /* a window fits without devices, too */
		uint64_t nr = nr_units_plugged(forecast);

		snprintf(what, sizeof(what), "%llu device%s rebound", (unsigned long long)nr,
			 nr == 1 ? "" : "s");
		answer_line(&table, style, "HOT-PLUG", &forecast->hotplug, hotplug, what);
		if (forecast->hotplug_first.mid_ns > forecast->hotplug.mid_ns)
			answer_line(&table, style, "  at first", &forecast->hotplug_first, NULL,
				    "bound after boot");
	}
	if (each) {
		snprintf(what, sizeof(what), "worst: %s", each->device);
		answer_line(&table, style, "  of each", &each->forecast, each, what);
	}
	if (forecast->boot.stages.nr || window_named(forecast, "boot"))
		answer_line(&table, style, "BOOT", &forecast->boot.total, window_named(forecast, "boot"),
			    "memory map's part");
	return columns_print(&table, out);
}

void forecast_print_labelled(FILE *out, const struct style *style, const char *label, const char *text)
{
	char first[TEXT_STR];

	snprintf(first, sizeof(first), "%s%-*s%s", look_on(style, LOOK_STRONG), LABEL_COLUMNS, label,
		 look_off(style, LOOK_STRONG));
	print_wrapped(out, style, first, LABEL_COLUMNS, text);
}

static void print_memory(FILE *out, const struct style *style, const struct host_forecast *forecast)
{
	const struct host *host = forecast->host;
	uint64_t hvo_bytes = 0, saveable_bytes = 0;
	char size[UNITS_STR], text[4 * TEXT_STR], *end = text;

	for (size_t i = 0; i < forecast->work->nr_pools; i++) {
		hvo_bytes += forecast->work->pools[i].saved_bytes;
		saveable_bytes += forecast->work->pools[i].saveable_bytes;
	}
	end += sprintf(end, "%s of RAM holds memmaps", size_human(size, forecast->memmap_ram_bytes));
	if (host->memory_bytes) {
		double percent = 100 * (double)forecast->memmap_ram_bytes / (double)host->memory_bytes;

		end += sprintf(end, percent < 9.95 ? " (%.2g %%)" : " (%.0f %%)", percent);
	}
	if (forecast->memmap_device_bytes)
		end += sprintf(end, ", %s on devices", size_human(size, forecast->memmap_device_bytes));
	if (hvo_bytes)
		end += sprintf(end, "; HVO saves %s", size_human(size, hvo_bytes));
	else if (saveable_bytes)
		end += sprintf(end, "; HVO would save %s", size_human(size, saveable_bytes));
	if (forecast->saved_bytes > hvo_bytes)
		sprintf(end, "; DAX vmemmap optimisation saves %s",
			size_human(size, forecast->saved_bytes - hvo_bytes));
	forecast_print_labelled(out, style, "MEMORY", text);
}

int forecast_print_summary(FILE *out, const struct style *style, const struct host_forecast *forecast)
{
	int err;

	print_head(out, style, forecast);
	err = print_answer(out, style, forecast);
	if (!err)
		print_memory(out, style, forecast);
	return err;
}
