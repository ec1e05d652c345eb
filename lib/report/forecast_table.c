// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page for one host. The answer comes first (totals, windows, memory, biggest lever); below it is where the
 * answer comes from, device by device and stage by stage, and at the end what to keep in mind.
 */
#include "report/forecast_report.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "report/columns.h"
#include "report/forecast_parts.h"

enum {
	LABEL_COLUMNS = 12,
	MAX_STAGES = 3, /* listed for one device */
};

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
	_cleanup_columns_ struct columns table = {0};
	char what[TEXT_STR];
	int err = columns_open(&table, style, specs, ARRAY_SIZE(specs));

	if (err)
		return err;
	if (forecast->nr_devices) {
		uint64_t nr = nr_units_plugged(forecast);

		snprintf(what, sizeof(what), "%llu device%s rebound", (unsigned long long)nr,
			 nr > 1 ? "s" : "");
		answer_line(&table, style, "HOT-PLUG", &forecast->hotplug, window_named(forecast, "hotplug"),
			    what);
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

static void print_labelled(FILE *out, const struct style *style, const char *label, const char *text)
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
	print_labelled(out, style, "MEMORY", text);
}

/* "boot 1.20 s instead of 3.90 s, 1.56 GiB of RAM back" */
static void lever_effect(char buf[2 * TEXT_STR], const struct lever *lever, const struct host_forecast *base)
{
	static const double worth_saying = 0.005;
	char after[UNITS_STR], before[UNITS_STR], size[UNITS_STR];
	int len = 0;

	*buf = '\0';
	if (fabs(lever->hotplug_saved_ns) > worth_saying * base->hotplug.mid_ns)
		len += snprintf(buf + len, 2 * TEXT_STR - (size_t)len, ", hot-plug %s instead of %s",
				duration_human(after, lever->hotplug.mid_ns),
				duration_human(before, base->hotplug.mid_ns));
	if (fabs(lever->boot_saved_ns) > worth_saying * base->boot.total.mid_ns)
		len += snprintf(buf + len, 2 * TEXT_STR - (size_t)len, ", boot %s instead of %s",
				duration_human(after, lever->boot.mid_ns),
				duration_human(before, base->boot.total.mid_ns));
	if (lever->ram_saved_bytes)
		len += snprintf(buf + len, 2 * TEXT_STR - (size_t)len, ", %s of RAM %s",
				size_human(size, (uint64_t)llabs(lever->ram_saved_bytes)),
				lever->ram_saved_bytes > 0 ? "back" : "more");
	if (lever->device_saved_bytes)
		snprintf(buf + len, 2 * TEXT_STR - (size_t)len, ", %s of device %s",
			 size_human(size, (uint64_t)llabs(lever->device_saved_bytes)),
			 lever->device_saved_bytes > 0 ? "back" : "taken");
}

static void print_lever(FILE *out, const struct style *style, const char *label, const struct lever *lever,
			const struct host_forecast *base)
{
	char effect[2 * TEXT_STR], text[4 * TEXT_STR];

	lever_effect(effect, lever, base);
	snprintf(text, sizeof(text), "%s%s%s: %s%s; %s", lever->device ? lever->device : "",
		 lever->device ? " " : "", lever->change, *effect ? effect + 2 : "no change",
		 lever->windows_fit && !windows_fit(base) ? "; then every window fits" : "", lever->price);
	print_labelled(out, style, label, text);
}

static bool any_meets_windows(const struct levers *levers)
{
	for (size_t i = 0; i < levers->nr; i++) {
		if (levers->items[i].windows_fit)
			return true;
	}
	return false;
}

static void print_biggest_lever(FILE *out, const struct style *style, const struct forecast_report *report)
{
	const struct host_forecast *base = report->paths[0];
	const struct lever *any, *today;

	if (!report->levers)
		return;
	any = levers_biggest(report->levers, base, false);
	today = levers_biggest(report->levers, base, true);
	if (!any) {
		print_labelled(out, style, "LEVER", "no single change that the forecast knows saves 2 %");
		return;
	}
	if (today)
		print_lever(out, style, "LEVER", today, base);
	if (any != today)
		print_lever(out, style, today ? "new kernel" : "LEVER", any, base);
	if (!windows_fit(base) && !any_meets_windows(report->levers))
		print_labelled(out, style, "", "No single change makes every window fit.");
}

/* Indices of a device's stages of a bind, the costliest first; returns how many. */
static size_t rank_stages(const struct stage_forecasts *list, unsigned int event_bits,
			  const struct stage_forecast *ranked[NR_STAGES])
{
	size_t nr = 0;

	for (size_t i = 0; i < list->nr; i++) {
		const struct stage_forecast *s = &list->items[i];
		size_t at = nr;

		if (!(event_bits & (1u << stages[s->stage].event)))
			continue;
		for (; at && ranked[at - 1]->time.mid_ns < s->time.mid_ns; at--)
			ranked[at] = ranked[at - 1];
		ranked[at] = s;
		nr++;
	}
	return nr;
}

struct bars {
	const struct style *style;
	double full_ns;     /* the time that fills a bar */
	unsigned int cells; /* of a full one */
};

/* "add_memory   ########## 81%\nmemmap_init  ## 18%": the stages that make 1 % of the whole at least. */
static void stage_bars(char *buf, size_t size, const struct bars *bars,
		       const struct stage_forecast *const *ranked, size_t nr, double whole_ns, double copies)
{
	size_t len = 0;

	*buf = '\0';
	for (size_t i = 0; i < MIN(nr, (size_t)MAX_STAGES) && len < size; i++) {
		double ns = ranked[i]->time.mid_ns, share = whole_ns > 0 ? ns / whole_ns : 0;
		char bar[BAR_STR];

		if (i && share < 0.01)
			break;
		bar_text(bar, bars->style, copies * ns / bars->full_ns, bars->cells);
		len += (size_t)snprintf(buf + len, size - len, "%s%-12s %s %.0f%%", i ? "\n" : "",
					stage_name(ranked[i]->stage), bar, 100 * share);
	}
}

enum { BIND_EVENTS = 1u << EVENT_BIND | 1u << EVENT_ONLINE };

static int by_time(const void *a, const void *b)
{
	const struct device_forecast *x = *(const struct device_forecast *const *)a;
	const struct device_forecast *y = *(const struct device_forecast *const *)b;
	double tx = forecast_copies(x) * x->rebind.mid_ns, ty = forecast_copies(y) * y->rebind.mid_ns;

	if (tx != ty)
		return tx < ty ? 1 : -1;
	return strcmp(x->work->name, y->work->name);
}

static void rebind_text(char buf[2 * TEXT_STR], const struct style *style,
			const struct device_forecast *device)
{
	char total[UNITS_STR], each[UNITS_STR], interval[INTERVAL_STR];

	duration_human(total, forecast_copies(device) * device->rebind.mid_ns);
	interval_text(interval, style, &device->rebind);
	if (device->work->count == 1)
		snprintf(buf, 2 * TEXT_STR, "%s\n%s", total, interval);
	else
		snprintf(buf, 2 * TEXT_STR, "%s\n%s each\n%s", total,
			 duration_human(each, device->rebind.mid_ns), interval);
}

/* A profile may have costs of every bind and none of what the first one pays on top. */
static bool first_bind_is_known(const struct device_forecast *device)
{
	for (size_t i = 0; i < device->stages.nr; i++) {
		const struct stage_forecast *stage = &device->stages.items[i];

		for (size_t t = 0; stages[stage->stage].event == EVENT_FIRST_BIND && t < stage->nr_terms;
		     t++) {
			if (stage->terms[t].cost.basis == COST_MISSING)
				return false;
		}
	}
	return true;
}

static void device_row(struct columns *table, const struct bars *bars, const struct device_forecast *device)
{
	const struct stage_forecast *ranked[NR_STAGES];
	size_t nr = rank_stages(&device->stages, BIND_EVENTS, ranked);
	char text[4 * TEXT_STR];

	columns_row(table);
	columns_cell(table, 0, device->work->name, LOOK_STRONG);
	columns_cell(table, 1, device_text(text, bars->style, device->work, "\n"), LOOK_PLAIN);
	rebind_text(text, bars->style, device);
	columns_cell(table, 2, text, LOOK_PLAIN);
	if (!first_bind_is_known(device))
		columns_cell(table, 3, "not known", LOOK_FAINT);
	else if (device->first_bind.mid_ns > 1.005 * device->rebind.mid_ns)
		columns_cell(table, 3,
			     duration_human(text, forecast_copies(device) * device->first_bind.mid_ns),
			     LOOK_PLAIN);
	else
		columns_cell(table, 3, nr ? "same" : "", LOOK_FAINT);
	if (nr)
		stage_bars(text, sizeof(text), bars, ranked, nr, device->rebind.mid_ns,
			   forecast_copies(device));
	else
		snprintf(text, sizeof(text), "no struct pages");
	columns_cell(table, 4, text, LOOK_PLAIN);
}

static int print_devices(FILE *out, const struct style *style, const struct host_forecast *forecast)
{
	static const struct column_spec specs[] = {
		{"DEVICE",                false},
		{NULL,                    false},
		{"REBIND",                false},
		{"FIRST BIND",            false},
		{"WHERE THE REBIND GOES", false},
	};
	_cleanup_free_ const struct device_forecast **sorted = NULL;
	_cleanup_columns_ struct columns table = {0};
	struct bars bars = {.style = style, .full_ns = 1, .cells = 11};
	int err = columns_open(&table, style, specs, ARRAY_SIZE(specs));

	if (err || !forecast->nr_devices)
		return err;
	sorted = calloc(forecast->nr_devices, sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < forecast->nr_devices; i++) {
		const struct stage_forecast *ranked[NR_STAGES];

		sorted[i] = &forecast->devices[i];
		if (rank_stages(&sorted[i]->stages, BIND_EVENTS, ranked))
			bars.full_ns =
				fmax(bars.full_ns, forecast_copies(sorted[i]) * ranked[0]->time.mid_ns);
	}
	qsort(sorted, forecast->nr_devices, sizeof(*sorted), by_time);
	for (size_t i = 0; i < forecast->nr_devices; i++)
		device_row(&table, &bars, sorted[i]);
	putc('\n', out);
	return columns_print(&table, out);
}

static int print_boot(FILE *out, const struct style *style, const struct host_forecast *forecast)
{
	static const struct column_spec specs[] = {
		{"BOOT STAGE", false},
                {"TIME",       true },
                {NULL,         false},
		{"SHARE",      false},
                {"UNITS",      true },
                {NULL,         false},
	};
	const struct stage_forecast *ranked[NR_STAGES];
	size_t nr = rank_stages(&forecast->boot.stages, 1u << EVENT_BOOT, ranked);
	_cleanup_columns_ struct columns table = {0};
	int err = columns_open(&table, style, specs, ARRAY_SIZE(specs));

	if (err || !nr)
		return err;
	for (size_t i = 0; i < nr; i++) {
		double share = ranked[i]->time.mid_ns / fmax(forecast->boot.total.mid_ns, 1);
		char text[TEXT_STR], bar[BAR_STR];

		if (i && ranked[i]->time.mid_ns <= 0)
			break; /* free on this profile */
		columns_row(&table);
		columns_cell(&table, 0, stage_name(ranked[i]->stage), LOOK_PLAIN);
		columns_cell(&table, 1, duration_human(text, ranked[i]->time.mid_ns), LOOK_PLAIN);
		columns_cell(&table, 2, interval_text(text, style, &ranked[i]->time), LOOK_PLAIN);
		snprintf(text, sizeof(text), "%s %.0f%%", bar_text(bar, style, share, 14), 100 * share);
		columns_cell(&table, 3, text, LOOK_PLAIN);
		columns_cell(&table, 4, count_human(text, ranked[i]->units), LOOK_PLAIN);
		columns_cell(&table, 5, unit_name(ranked[i]->unit), LOOK_FAINT);
	}
	putc('\n', out);
	return columns_print(&table, out);
}

static void print_pools(FILE *out, const struct style *style, const struct host_forecast *forecast)
{
	for (size_t i = 0; i < forecast->nr_pools; i++) {
		const struct pool_forecast *pool = &forecast->pools[i];
		char size[UNITS_STR], count[UNITS_STR], release[UNITS_STR];
		char alloc[TEXT_STR], text[2 * TEXT_STR];
		int len;

		if (!i)
			putc('\n', out);
		len = snprintf(text, sizeof(text), "%s of %s at run time: %s to allocate",
			       count_human(count, pool->work->pool->count),
			       size_exact(size, pool->work->pool->size_bytes),
			       estimate_text(alloc, style, &pool->alloc));
		if (pool->free.mid_ns > 0)
			snprintf(text + len, sizeof(text) - (size_t)len, ", %s to free",
				 duration_human(release, pool->free.mid_ns));
		print_labelled(out, style, "HUGEPAGES", text);
	}
}

static int print_notes(FILE *out, const struct style *style, const struct forecast_report *report)
{
	_cleanup_notes_ struct notes notes = {0};
	int err = forecast_notes(report, &notes);

	for (size_t i = 0; !err && i < notes.nr; i++)
		print_wrapped(out, style, i ? "- " : "\n- ", 2, notes.items[i]);
	return err;
}

int forecast_table_host(FILE *out, const struct style *style, const struct forecast_report *report)
{
	const struct host_forecast *own = report->paths[0];
	int err;

	print_head(out, style, own);
	err = print_answer(out, style, own);
	if (err)
		return err;
	print_memory(out, style, own);
	print_biggest_lever(out, style, report);
	err = forecast_print_paths(out, style, report);
	if (!err)
		err = print_devices(out, style, own);
	if (!err)
		err = print_boot(out, style, own);
	if (err)
		return err;
	print_pools(out, style, own);
	return print_notes(out, style, report);
}
