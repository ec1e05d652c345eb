// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CSV (RFC 4180): a row a stage, and a row "total" for each event. The columns are one table, so header and rows
 * cannot drift apart.
 */
#include "report/forecast_report.h"

#include <inttypes.h>

#include "base/util.h"
#include "report/csv.h"

/* Everything a row may say; NULL text and absent numbers are empty fields. */
struct row {
	const struct host_forecast *forecast;
	const char *device;
	uint64_t count;
	const char *event;
	const char *stage;
	const struct stage_forecast *work; /* NULL in a total */
	const struct estimate *time;
};

static void put_ms(FILE *out, double ns)
{
	char text[DOC_NUMBER_STR];

	if (!number_text(text, ns / NS_PER_MS))
		fputs(text, out);
}

static void put_host(FILE *out, const struct row *row)
{
	csv_text(out, row->forecast->host->name);
}

static void put_arch(FILE *out, const struct row *row)
{
	csv_text(out, arch_name(row->forecast->host->arch));
}

static void put_kernel(FILE *out, const struct row *row)
{
	csv_text(out, row->forecast->host->kernel.release);
}

static void put_profile(FILE *out, const struct row *row)
{
	csv_text(out, row->forecast->profile->name);
}

static void put_path(FILE *out, const struct row *row)
{
	csv_text(out, path_name(row->forecast->path));
}

static void put_device(FILE *out, const struct row *row)
{
	csv_text(out, row->device);
}

static void put_count(FILE *out, const struct row *row)
{
	fprintf(out, "%" PRIu64, row->count);
}

static void put_event(FILE *out, const struct row *row)
{
	csv_text(out, row->event);
}

static void put_stage(FILE *out, const struct row *row)
{
	csv_text(out, row->stage);
}

static void put_units(FILE *out, const struct row *row)
{
	if (row->work)
		fprintf(out, "%" PRIu64, row->work->units);
}

static void put_unit(FILE *out, const struct row *row)
{
	if (row->work)
		csv_text(out, unit_name(row->work->unit));
}

static void put_mid(FILE *out, const struct row *row)
{
	put_ms(out, row->time->mid_ns);
}

static void put_low(FILE *out, const struct row *row)
{
	put_ms(out, row->time->low_ns);
}

static void put_high(FILE *out, const struct row *row)
{
	put_ms(out, row->time->high_ns);
}

static void put_extrapolated(FILE *out, const struct row *row)
{
	if (row->work)
		fputs(row->work->extrapolated ? "true" : "false", out);
}

static const struct {
	const char *name;
	void (*put)(FILE *out, const struct row *row);
} columns[] = {
	{"host",         put_host        },
        {"arch",         put_arch        },
        {"kernel",       put_kernel      },
	{"profile",      put_profile     },
        {"path",         put_path        },
        {"device",       put_device      },
	{"count",        put_count       },
        {"event",        put_event       },
        {"stage",        put_stage       },
	{"units",        put_units       },
        {"unit",         put_unit        },
        {"mid_ms",       put_mid         },
	{"low_ms",       put_low         },
        {"high_ms",      put_high        },
        {"extrapolated", put_extrapolated},
};

static void put_row(FILE *out, const struct row *row)
{
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		if (i)
			putc(',', out);
		columns[i].put(out, row);
	}
	putc('\n', out);
}

static void put_stages(FILE *out, struct row row, const struct stage_forecasts *list)
{
	for (size_t i = 0; i < list->nr; i++) {
		row.work = &list->items[i];
		row.event = event_name(stages[row.work->stage].event);
		row.stage = stage_name(row.work->stage);
		row.time = &row.work->time;
		put_row(out, &row);
	}
}

static void put_total(FILE *out, struct row row, const char *event, const struct estimate *time)
{
	row.event = event;
	row.stage = stage_name(STAGE_TOTAL);
	row.time = time;
	put_row(out, &row);
}

static void put_path_rows(FILE *out, const struct host_forecast *forecast)
{
	struct row row = {.forecast = forecast, .count = 1};

	for (size_t i = 0; i < forecast->nr_devices; i++) {
		const struct device_forecast *device = &forecast->devices[i];

		row.device = device->work->name;
		row.count = device->work->count;
		put_stages(out, row, &device->stages);
		put_total(out, row, event_name(EVENT_BIND), &device->rebind);
		put_total(out, row, event_name(EVENT_FIRST_BIND), &device->first_bind);
		put_total(out, row, event_name(EVENT_UNBIND), &device->unbind);
	}
	row.device = NULL;
	row.count = 1;
	put_stages(out, row, &forecast->boot.stages);
	put_total(out, row, event_name(EVENT_BOOT), &forecast->boot.total);
	for (size_t i = 0; i < forecast->nr_pools; i++) {
		char size[UNITS_STR];

		row.device = size_exact(size, forecast->pools[i].work->pool->size_bytes);
		row.count = forecast->pools[i].work->pool->count;
		put_stages(out, row, &forecast->pools[i].stages);
	}
}

void forecast_csv_header(FILE *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		fprintf(out, "%s%s", i ? "," : "", columns[i].name);
	putc('\n', out);
}

void forecast_csv_host(FILE *out, const struct forecast_report *report)
{
	for (size_t i = 0; i < report->nr_paths; i++)
		put_path_rows(out, report->paths[i]);
}
