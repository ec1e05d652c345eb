// SPDX-License-Identifier: GPL-2.0-or-later
/* The init paths side by side, with the ratio to the baseline. */
#include "report/forecast_parts.h"

#include "base/util.h"
#include "report/columns.h"

/* A time to compare, and how many costs are left out of it. */
struct compared {
	struct estimate time;
	size_t missing;
};

typedef struct compared (*compared_of)(const struct host_forecast *forecast, size_t device);

static struct compared rebind_of(const struct host_forecast *forecast, size_t device)
{
	const struct device_forecast *d = &forecast->devices[device];

	return (struct compared){forecast_of_all(d, &d->rebind), forecast_missing(&d->stages, ~0u)};
}

static size_t missing_in_devices(const struct host_forecast *forecast)
{
	size_t nr = 0;

	for (size_t i = 0; i < forecast->nr_devices; i++)
		nr += forecast_missing(&forecast->devices[i].stages, ~0u);
	return nr;
}

static struct compared hotplug_of(const struct host_forecast *forecast, size_t device)
{
	(void)device;
	return (struct compared){forecast->hotplug, missing_in_devices(forecast)};
}

static struct compared first_bind_of(const struct host_forecast *forecast, size_t device)
{
	(void)device;
	return (struct compared){forecast->hotplug_first, missing_in_devices(forecast)};
}

static struct compared boot_of(const struct host_forecast *forecast, size_t device)
{
	(void)device;
	return (struct compared){forecast->boot.total, forecast_missing(&forecast->boot.stages, ~0u)};
}

/*
 * A row of the comparison: the same time on every path, with its ratio to the baseline's. Where the profile lacks
 * costs of a path that it has of the baseline, a time would look fast: it is not known.
 */
static void path_row(struct columns *table, const struct style *style, const struct forecast_report *report,
		     const char *what, compared_of value_of, size_t device)
{
	struct compared values[NR_PATHS] = {{.missing = 0}};
	const struct compared *baseline = &values[PATH_BASELINE];

	for (size_t p = 0; p < report->nr_paths; p++)
		values[report->paths[p]->path] = value_of(report->paths[p], device);
	columns_row(table);
	columns_cell(table, 0, what, LOOK_PLAIN);
	for (size_t p = 0; p < report->nr_paths; p++) {
		enum memmap_path path = report->paths[p]->path;
		unsigned int column = MAX(1u, 2u * path); /* the baseline's has no ratio beside it */
		char text[TEXT_STR];

		if (values[path].missing > baseline->missing) {
			columns_cell(table, column, "not known", LOOK_FAINT);
			continue;
		}
		columns_cell(table, column, estimate_cell(text, style, &values[path].time), LOOK_PLAIN);
		if (path == PATH_BASELINE || baseline->time.mid_ns <= 0)
			continue;
		snprintf(text, sizeof(text), "%s%.2f", style->utf8 ? "×" : "x",
			 values[path].time.mid_ns / baseline->time.mid_ns);
		columns_cell(table, column + 1, text, LOOK_FAINT);
	}
}

int forecast_print_paths(FILE *out, const struct style *style, const struct forecast_report *report)
{
	const struct column_spec specs[] = {
		{"PATH",                      false},
                {path_name(PATH_BASELINE),    false},
                {path_name(PATH_TEMPLATE),    false},
		{NULL,			false},
                {path_name(PATH_TEMPLATE_NT), false},
                {NULL,                        false},
	};
	_Static_assert(ARRAY_SIZE(specs) == 2 * NR_PATHS, "two columns for every path but the baseline");
	const struct host_forecast *own = report->paths[0];
	_cleanup_columns_ struct columns table = {0};
	int err = columns_open(&table, style, specs, ARRAY_SIZE(specs));

	if (err || report->nr_paths < 2)
		return err;
	for (size_t i = 0; own->nr_devices > 1 && i < own->nr_devices; i++) {
		char what[TEXT_STR];

		snprintf(what, sizeof(what), "rebind %s", own->devices[i].work->name);
		path_row(&table, style, report, what, rebind_of, i);
	}
	if (own->nr_devices) {
		path_row(&table, style, report, "rebind all", hotplug_of, 0);
		path_row(&table, style, report, "first bind of all", first_bind_of, 0);
	}
	if (own->boot.stages.nr)
		path_row(&table, style, report, "boot", boot_of, 0);
	putc('\n', out);
	return columns_print(&table, out);
}
