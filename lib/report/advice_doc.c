// SPDX-License-Identifier: GPL-2.0-or-later
/* "memmapctl.advice/1": keys that scripts depend on, so only ever add. */
#include <errno.h>
#include <stdlib.h>

#include "report/advice_report.h"
#include "report/forecast_parts.h"

static void put_ms(struct doc *doc, const char *key, const struct estimate *e)
{
	doc_interval(doc, key, e->mid_ns / NS_PER_MS, e->low_ns / NS_PER_MS, e->high_ns / NS_PER_MS);
}

static void put_outcome(struct doc *doc, const struct outcome *outcome, enum memmap_path path)
{
	put_ms(doc, "hotplug_ms", &outcome->hotplug);
	put_ms(doc, "hotplug_first_ms", &outcome->hotplug_first);
	put_ms(doc, "boot_ms", &outcome->boot);
	doc_u64(doc, "memmap_ram_bytes", outcome->memmap_ram_bytes);
	doc_u64(doc, "memmap_device_bytes", outcome->memmap_device_bytes);
	doc_u64(doc, "usable_bytes", outcome->usable_bytes);
	forecast_doc_windows(doc, outcome->windows, outcome->nr_windows, path);
}

static void put_limits(struct doc *doc, const struct limits *limits)
{
	doc_object(doc, "limits");
	if (limits->has_max_ram)
		doc_u64(doc, "max_ram_bytes", limits->max_ram_bytes);
	doc_array(doc, "usable");
	for (size_t i = 0; i < limits->nr_usable; i++) {
		doc_object_row(doc, NULL);
		doc_str(doc, "device", limits->usable[i].device);
		doc_u64(doc, "wanted_bytes", limits->usable[i].bytes);
		doc_end(doc);
	}
	doc_end(doc);
	doc_end(doc);
}

static void put_devices(struct doc *doc, const struct work *work)
{
	doc_array(doc, "devices");
	for (size_t i = 0; i < work->nr_devices; i++) {
		const struct device_work *device = &work->devices[i];

		doc_object_row(doc, NULL);
		doc_str(doc, "device", device->name);
		doc_u64(doc, "count", device->count);
		doc_u64(doc, "size_bytes", device->count * device->raw_bytes);
		doc_u64(doc, "ram_bytes",
			device->count * (device->memmap_ram_bytes + device->page_table_bytes));
		doc_u64(doc, "device_bytes", device->count * device->memmap_device_bytes);
		doc_end(doc);
	}
	doc_end(doc);
}

static void put_plan(struct doc *doc, const struct advice *advice)
{
	const struct plan *plan = &advice->plan;

	doc_object(doc, "plan");
	doc_bool(doc, "met_already", advice->met_already);
	doc_bool(doc, "meets_all", advice->is_met);
	doc_bool(doc, "exhaustive", advice->is_exhaustive);
	doc_array(doc, "changes");
	for (size_t i = 0; i < plan->nr; i++) {
		doc_object_row(doc, NULL);
		doc_str(doc, "device", plan->changes[i]->device);
		doc_str(doc, "change", plan->changes[i]->text);
		doc_str(doc, "effort", effort_name(plan->changes[i]->effort));
		doc_str(doc, "price", plan->changes[i]->price);
		doc_end(doc);
	}
	doc_end(doc);
	doc_object_row(doc, "effort");
	for (int effort = 0; effort < NR_EFFORTS; effort++)
		doc_u64(doc, effort_name((enum effort)effort), plan->price[effort]);
	doc_end(doc);
	put_outcome(doc, &plan->after, advice->base->path);
	doc_end(doc);
}

static void put_by_ram(struct doc *doc, const struct levers *levers)
{
	size_t nr, *order = levers_by_ram(levers, &nr);

	if (!order) {
		doc_fail(doc, -ENOMEM);
		return;
	}
	doc_array_row(doc, "by_ram_saved");
	for (size_t i = 0; i < nr; i++)
		doc_u64(doc, NULL, order[i]);
	doc_end(doc);
	free(order);
}

void advice_doc(struct doc *doc, const struct advice_report *report)
{
	const struct advice *advice = report->advice;
	const struct forecast_report forecast = {
		.paths = &advice->base, .nr_paths = 1, .diags = report->diags};

	doc_object(doc, NULL);
	doc_str(doc, "schema", "memmapctl.advice/1");
	forecast_doc_identity(doc, advice->base);
	put_outcome(doc, &advice->before, advice->base->path);
	put_devices(doc, advice->base->work);
	put_limits(doc, report->limits);
	put_plan(doc, advice);
	doc_array(doc, "changes");
	for (size_t i = 0; i < advice->levers->nr; i++)
		lever_doc(doc, &advice->levers->items[i]);
	doc_end(doc);
	put_by_ram(doc, advice->levers);
	forecast_doc_notes(doc, &forecast);
	doc_end(doc);
}
