// SPDX-License-Identifier: GPL-2.0-or-later
/* Several hosts: one row each, the worst first, with what does not fit said before the first. */
#include "report/forecast_report.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "report/columns.h"

struct fleet_row {
	char *name;
	enum memmap_path path;
	struct estimate hotplug, boot;
	uint64_t memmap_ram_bytes;
	bool has_devices, has_window;
	struct window_verdict worst; /* its strings are static or unused */
};

/* How much of its window a forecast takes; above 1 it does not fit. */
static double strain(const struct window_verdict *window)
{
	double share = window->forecast.mid_ns / (double)MAX(window->limit_ns, 1u);

	/* One that lacks costs does not fit, however short what is known of it. */
	return window->fits ? share : fmax(share, 1);
}

static int add_row(struct fleet *fleet, const struct host_forecast *forecast)
{
	_cleanup_free_ char *name = strdup(forecast->host->name);
	struct fleet_row *row = name ? array_grow(&fleet->rows, &fleet->nr, sizeof(*row)) : NULL;

	if (!row)
		return -ENOMEM;
	row->name = take_ptr(name);
	row->path = forecast->path;
	row->has_devices = forecast->nr_devices;
	row->hotplug = forecast->hotplug;
	row->boot = forecast->boot.total;
	row->memmap_ram_bytes = forecast->memmap_ram_bytes;
	for (size_t i = 0; i < forecast->nr_windows; i++) {
		const struct window_verdict *window = &forecast->windows[i];

		if (!row->has_window || strain(window) > strain(&row->worst))
			row->worst = *window;
		row->has_window = true;
	}
	row->worst.device = NULL;
	return 0;
}

int fleet_add(struct fleet *fleet, const struct forecast_report *report)
{
	int err = 0;

	for (size_t i = 0; i < report->nr_paths && !err; i++)
		err = add_row(fleet, report->paths[i]);
	return err;
}

void fleet_free(struct fleet *fleet)
{
	for (size_t i = 0; i < fleet->nr; i++)
		free(fleet->rows[i].name);
	free(fleet->rows);
	*fleet = (struct fleet){0};
}

static int compare(double a, double b)
{
	return a == b ? 0 : a < b ? 1 : -1;
}

/* The fullest window first, hosts without one after those with; then the longest times. */
static int worst_first(const void *a, const void *b)
{
	const struct fleet_row *x = a, *y = b;
	int order = y->has_window - x->has_window;

	if (!order && x->has_window)
		order = compare(strain(&x->worst), strain(&y->worst));
	if (!order)
		order = compare(x->hotplug.mid_ns + x->boot.mid_ns, y->hotplug.mid_ns + y->boot.mid_ns);
	return order ? order : strcmp(x->name, y->name);
}

static void print_verdict(FILE *out, const struct style *style, const struct fleet *fleet, const char *rows)
{
	size_t over = 0, unsure = 0, judged = 0;

	for (size_t i = 0; i < fleet->nr; i++) {
		const struct fleet_row *row = &fleet->rows[i];

		judged += row->has_window;
		over += row->has_window && !row->worst.fits;
		unsure += row->has_window && row->worst.fits && !row->worst.sure;
	}
	if (!judged)
		fprintf(out, "%zu %s, none with a window\n\n", fleet->nr, rows);
	else
		fprintf(out, "%s%zu of %zu %s miss a window%s, %zu more may%s\n\n",
			look_on(style, over ? LOOK_BAD : LOOK_STRONG), over, fleet->nr, rows,
			look_off(style, LOOK_BAD), unsure, judged < fleet->nr ? "; some have none" : "");
}

static void put_row(struct columns *table, const struct style *style, const struct fleet_row *row,
		    bool with_path)
{
	char text[TEXT_STR], window[TEXT_STR];
	unsigned int column = 0;

	columns_row(table);
	columns_cell(table, column++, row->name, LOOK_PLAIN);
	if (with_path)
		columns_cell(table, column++, path_name(row->path), LOOK_PLAIN);
	columns_cell(table, column++, row->has_devices ? estimate_cell(text, style, &row->hotplug) : "",
		     LOOK_STRONG);
	columns_cell(table, column++, estimate_cell(text, style, &row->boot), LOOK_STRONG);
	columns_cell(table, column++, size_human(text, row->memmap_ram_bytes), LOOK_PLAIN);
	if (!row->has_window)
		return;
	snprintf(text, sizeof(text), "%s\n%s", verdict_text(window, style, &row->worst, ""), row->worst.name);
	columns_cell(table, column, text, verdict_look(&row->worst));
}

int fleet_print(struct fleet *fleet, FILE *out, const struct style *style)
{
	static const struct column_spec with_path[] = {
		{"HOST",            false},
                {"PATH",            false},
                {"HOT-PLUG",        false},
		{"BOOT",            false},
                {"MEMMAP RAM",      true },
                {"TIGHTEST WINDOW", false},
	};
	static const struct column_spec without[] = {
		{"HOST",            false},
                {"HOT-PLUG",        false},
                {"BOOT",            false},
		{"MEMMAP RAM",      true },
                {"TIGHTEST WINDOW", false},
	};
	_cleanup_columns_ struct columns table = {0};
	bool several_paths = false;
	int err;

	for (size_t i = 1; i < fleet->nr; i++)
		several_paths |= fleet->rows[i].path != fleet->rows[0].path;
	err = several_paths ? columns_open(&table, style, with_path, ARRAY_SIZE(with_path))
			    : columns_open(&table, style, without, ARRAY_SIZE(without));
	if (err)
		return err;
	qsort(fleet->rows, fleet->nr, sizeof(*fleet->rows), worst_first);
	for (size_t i = 0; i < fleet->nr; i++)
		put_row(&table, style, &fleet->rows[i], several_paths);
	print_verdict(out, style, fleet, several_paths ? "forecasts (host and path)" : "hosts");
	return columns_print(&table, out);
}
