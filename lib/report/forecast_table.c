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
#include "report/lever_text.h"
#include "report/forecast_parts.h"

enum { MAX_STAGES = 3 }; /* listed for one device */

static void print_lever(FILE *out, const struct style *style, const char *label, const struct lever *lever,
			const struct host_forecast *base)
{
	char effect[EFFECT_STR], name[TEXT_STR], text[4 * TEXT_STR];

	snprintf(text, sizeof(text), "%s: %s%s; %s", change_text(name, &lever->change),
		 lever_effect(effect, style, lever, base),
		 outcome_fits(&lever->after) && !windows_fit(base->windows, base->nr_windows)
			 ? "; then every window fits"
			 : "",
		 lever->change.price);
	forecast_print_labelled(out, style, label, text);
}

static bool any_meets_windows(const struct levers *levers)
{
	for (size_t i = 0; i < levers->nr; i++) {
		if (outcome_fits(&levers->items[i].after))
			return true;
	}
	return false;
}

static void print_biggest_lever(FILE *out, const struct style *style, const struct forecast_report *report)
{
	const struct host_forecast *base = report->paths[0];
	const struct lever *any, *today;
	char text[TEXT_STR];

	if (!report->levers)
		return;
	any = levers_biggest(report->levers, base, false);
	today = levers_biggest(report->levers, base, true);
	if (!any) {
		snprintf(text, sizeof(text),
			 "no single change that the forecast knows saves %g %% of the time or of the "
			 "memmaps' RAM",
			 100 * LEVER_WORTH_NAMING);
		forecast_print_labelled(out, style, "LEVER", text);
	}
	if (today)
		print_lever(out, style, "LEVER", today, base);
	if (any && any != today)
		print_lever(out, style, today ? "new kernel" : "LEVER", any, base);
	if (!windows_fit(base->windows, base->nr_windows) && !any_meets_windows(report->levers))
		forecast_print_labelled(out, style, "", "No single change makes every window fit.");
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
		       const struct stage_forecast *const *ranked, size_t nr,
		       const struct device_forecast *device)
{
	double whole_ns = device->rebind.mid_ns;
	size_t len = 0;

	*buf = '\0';
	for (size_t i = 0; i < MIN(nr, (size_t)MAX_STAGES) && len < size; i++) {
		double ns = ranked[i]->time.mid_ns, share = whole_ns > 0 ? ns / whole_ns : 0;
		char bar[BAR_STR];

		if (i && share < 0.01)
			break;
		bar_text(bar, bars->style, device->work->count * ns / bars->full_ns, bars->cells);
		len += (size_t)snprintf(buf + len, size - len, "%s%-12s %s %.0f%%", i ? "\n" : "",
					stage_name(ranked[i]->stage), bar, 100 * share);
	}
}

enum { BIND_EVENTS = 1u << EVENT_BIND | 1u << EVENT_ONLINE };

static int by_time(const void *a, const void *b)
{
	const struct device_forecast *x = *(const struct device_forecast *const *)a;
	const struct device_forecast *y = *(const struct device_forecast *const *)b;
	double tx = forecast_of_all(x, &x->rebind).mid_ns, ty = forecast_of_all(y, &y->rebind).mid_ns;

	if (tx != ty)
		return tx < ty ? 1 : -1;
	return strcmp(x->work->name, y->work->name);
}

/* "8.94 s\n4.69-21.4 s\n1.12 s each\n586 ms-2.67 s": of all of a device, then of each; one line or two of a single one. */
static void times_cell(char buf[2 * TEXT_STR], const struct style *style,
		       const struct device_forecast *device, const struct estimate *one)
{
	const struct estimate all = forecast_of_all(device, one);
	char total[TEXT_STR], each[UNITS_STR], interval[INTERVAL_STR];

	estimate_cell(total, style, &all);
	if (device->work->count == 1)
		strcpy(buf, total);
	else
		snprintf(buf, 2 * TEXT_STR, "%s\n%s each\n%s", total, duration_human(each, one->mid_ns),
			 interval_text(interval, style, one));
}

static void device_row(struct columns *table, const struct bars *bars, const struct device_forecast *device)
{
	const struct stage_forecast *ranked[NR_STAGES];
	size_t nr = rank_stages(&device->stages, BIND_EVENTS, ranked);
	char text[4 * TEXT_STR], what[TEXT_STR];

	columns_row(table);
	snprintf(text, sizeof(text), "%s\n  %s", device->work->name,
		 device_text(what, bars->style, device->work, "\n  "));
	columns_cell(table, 0, text, LOOK_PLAIN);
	times_cell(text, bars->style, device, &device->rebind);
	columns_cell(table, 1, text, LOOK_STRONG);
	/* A profile may have costs of every bind and none of what the first one pays on top. */
	if (forecast_missing(&device->stages, 1u << EVENT_FIRST_BIND))
		columns_cell(table, 2, "not known", LOOK_FAINT);
	else if (device->first_bind.mid_ns > 1.005 * device->rebind.mid_ns) {
		times_cell(text, bars->style, device, &device->first_bind);
		columns_cell(table, 2, text, LOOK_PLAIN);
	} else
		columns_cell(table, 2, nr ? "same" : "", LOOK_FAINT);
	if (nr)
		stage_bars(text, sizeof(text), bars, ranked, nr, device);
	else
		snprintf(text, sizeof(text), "no struct pages");
	columns_cell(table, 3, text, LOOK_PLAIN);
}

static int print_devices(FILE *out, const struct style *style, const struct host_forecast *forecast)
{
	static const struct column_spec specs[] = {
		{"DEVICE",                false},
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
			bars.full_ns = fmax(bars.full_ns, sorted[i]->work->count * ranked[0]->time.mid_ns);
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
		{"TIME",       false},
		{"SHARE",      false},
	};
	const struct stage_forecast *ranked[NR_STAGES];
	size_t nr = rank_stages(&forecast->boot.stages, 1u << EVENT_BOOT, ranked);
	_cleanup_columns_ struct columns table = {0};
	int err = columns_open(&table, style, specs, ARRAY_SIZE(specs));

	if (err || !nr)
		return err;
	for (size_t i = 0; i < nr; i++) {
		double share = ranked[i]->time.mid_ns / fmax(forecast->boot.total.mid_ns, 1);
		char text[TEXT_STR], bar[BAR_STR], count[UNITS_STR];

		if (i && ranked[i]->time.high_ns < 1)
			continue; /* free on this profile, as far as a clock could tell */
		columns_row(&table);
		snprintf(text, sizeof(text), "%s\n  %s %s", stage_name(ranked[i]->stage),
			 count_human(count, ranked[i]->units), unit_name(ranked[i]->unit));
		columns_cell(&table, 0, text, LOOK_PLAIN);
		columns_cell(&table, 1, estimate_cell(text, style, &ranked[i]->time), LOOK_STRONG);
		snprintf(text, sizeof(text), "%s %.0f%%", bar_text(bar, style, share, 14), 100 * share);
		columns_cell(&table, 2, text, LOOK_PLAIN);
	}
	putc('\n', out);
	return columns_print(&table, out);
}

static void print_pools(FILE *out, const struct style *style, const struct host_forecast *forecast)
{
	for (size_t i = 0; i < forecast->nr_pools; i++) {
		const struct pool_forecast *pool = &forecast->pools[i];
		char size[UNITS_STR], count[UNITS_STR], time[TEXT_STR], text[3 * TEXT_STR];
		int len;

		if (!i)
			putc('\n', out);
		len = snprintf(text, sizeof(text), "%s of %s at run time: %s to allocate",
			       count_human(count, pool->work->pool->count),
			       size_exact(size, pool->work->pool->size_bytes),
			       estimate_text(time, style, &pool->alloc));
		if (pool->free.high_ns > 0)
			snprintf(text + len, sizeof(text) - (size_t)len, ", %s to free",
				 estimate_text(time, style, &pool->free));
		forecast_print_labelled(out, style, "HUGEPAGES", text);
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

	err = forecast_print_summary(out, style, own);
	if (err)
		return err;
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
