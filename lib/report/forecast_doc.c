// SPDX-License-Identifier: GPL-2.0-or-later
/* "memmapctl.forecast/1" as a document (JSON or YAML): keys that scripts depend on, so only ever add. */
#include "report/forecast_parts.h"

#include <errno.h>

#include "base/util.h"

static void put_ms(struct doc *doc, const char *key, const struct estimate *e)
{
	doc_interval(doc, key, e->mid_ns / NS_PER_MS, e->low_ns / NS_PER_MS, e->high_ns / NS_PER_MS);
}

static void put_cost(struct doc *doc, const struct cost_answer *cost)
{
	doc_str(doc, "basis", cost_basis_name(cost->basis));
	if (cost->basis == COST_MISSING)
		return;
	doc_interval(doc, "cost_ns", cost->ns, cost->low_ns, cost->high_ns);
	if (cost->row)
		doc_str(doc, "source", cost->row->source);
	if (cost->row)
		doc_bool(doc, "prior", cost->row->prior);
	if (cost->ratio) {
		doc_number(doc, "ratio", cost->ratio->ratio);
		doc_str(doc, "ratio_source", cost->ratio->source);
	}
	if (cost->cpu)
		doc_str(doc, "source", cost->cpu->source);
}

static void put_terms(struct doc *doc, const struct stage_forecast *stage)
{
	doc_array(doc, "terms");
	for (size_t i = 0; i < stage->nr_terms; i++) {
		const struct term_forecast *t = &stage->terms[i];

		doc_object(doc, NULL);
		doc_str(doc, "unit", unit_name(t->term->unit));
		if (t->term->kind != KIND_NONE)
			doc_str(doc, "page_kind", kind_name(t->term->kind));
		doc_u64(doc, "units", t->term->units);
		doc_u64(doc, "parallel", t->term->parallel);
		doc_str(doc, "formula", t->term->formula);
		doc_str(doc, "rule", t->term->rule);
		put_cost(doc, &t->cost);
		put_ms(doc, "ms", &t->time);
		doc_end(doc);
	}
	doc_end(doc);
}

static void put_stages(struct doc *doc, const struct stage_forecasts *stage_list, bool explain)
{
	doc_array(doc, "stages");
	for (size_t i = 0; i < stage_list->nr; i++) {
		const struct stage_forecast *s = &stage_list->items[i];
		size_t missing = forecast_missing(&(struct stage_forecasts){&stage_list->items[i], 1}, ~0u);

		if (explain)
			doc_object(doc, NULL);
		else
			doc_object_row(doc, NULL);
		doc_str(doc, "stage", stage_name(s->stage));
		doc_str(doc, "event", event_name(stages[s->stage].event));
		doc_u64(doc, "units", s->units);
		doc_str(doc, "unit", unit_name(s->unit));
		put_ms(doc, "ms", &s->time);
		if (s->extrapolated)
			doc_bool(doc, "extrapolated", true);
		if (missing)
			doc_u64(doc, "missing_costs", missing); /* ms is too short by them */
		if (explain)
			put_terms(doc, s);
		doc_end(doc);
	}
	doc_end(doc);
}

static void put_facts(struct doc *doc, const struct geometry_fact *facts, size_t nr)
{
	doc_array(doc, "facts");
	for (size_t i = 0; i < nr; i++) {
		doc_object_row(doc, NULL);
		doc_str(doc, "symbol", facts[i].symbol);
		doc_u64(doc, "value", facts[i].value);
		doc_str(doc, "what", facts[i].what);
		doc_end(doc);
	}
	doc_end(doc);
}

/* Where most of a memmap lives; a raw or sector namespace has none. */
static const char *memmap_location(const struct device_work *work)
{
	if (!work->memmap_ram_bytes && !work->memmap_device_bytes)
		return "none";
	return work->memmap_device_bytes > work->memmap_ram_bytes ? "device" : "ram";
}

static void put_what(struct doc *doc, const struct device_work *work)
{
	const struct host_namespace *ns = work->ns;

	doc_str(doc, "device", work->name);
	doc_u64(doc, "count", work->count);
	doc_str(doc, "mode", ns ? namespace_mode_name(ns->mode) : device_type_name(work->dev->type));
	if (ns) {
		doc_str(doc, "map", namespace_map_name(ns->map));
		doc_u64(doc, "align", ns->align_bytes);
	} else {
		doc_null(doc, "map");
		doc_null(doc, "align");
	}
	doc_u64(doc, "size", work->raw_bytes);
	doc_u64(doc, "usable", work->usable_bytes);
}

static void put_device(struct doc *doc, const struct device_forecast *device, bool explain)
{
	const struct device_work *work = device->work;

	doc_object(doc, NULL);
	put_what(doc, work);
	doc_str(doc, "path", path_name(device->path));
	doc_u64(doc, "struct_pages", work->struct_pages);
	doc_u64(doc, "struct_pages_initialized", work->struct_pages_initialized);
	doc_u64(doc, "struct_pages_altmap", work->struct_pages_altmap);
	doc_u64(doc, "struct_pages_logged", work->struct_pages_logged);
	doc_u64(doc, "sections", work->sections);
	doc_u64(doc, "memmap_bytes", work->memmap_ram_bytes + work->memmap_device_bytes);
	doc_str(doc, "memmap_location", memmap_location(work));
	doc_u64(doc, "memmap_ram_bytes", work->memmap_ram_bytes);
	doc_u64(doc, "memmap_device_bytes", work->memmap_device_bytes);
	doc_u64(doc, "memmap_saved_bytes", work->memmap_saved_bytes);
	doc_u64(doc, "page_table_bytes", work->page_table_bytes);
	doc_u64(doc, "direct_map_table_bytes", work->direct_map_table_bytes);
	if (work->memory_blocks)
		doc_u64(doc, "memory_blocks", work->memory_blocks);
	put_ms(doc, "rebind_ms", &device->rebind);
	put_ms(doc, "first_bind_ms", &device->first_bind);
	put_ms(doc, "unbind_ms", &device->unbind);
	put_stages(doc, &device->stages, explain);
	if (explain)
		put_facts(doc, work->facts, work->nr_facts);
	doc_end(doc);
}

static void put_boot(struct doc *doc, const char *key, const struct host_forecast *forecast, bool explain)
{
	const struct boot_forecast *boot = &forecast->boot;
	const struct boot_work *work = &forecast->work->boot;

	doc_object(doc, key);
	doc_str(doc, "path", path_name(boot->path));
	doc_u64(doc, "struct_pages", work->struct_pages);
	doc_u64(doc, "struct_pages_early", work->struct_pages_early);
	doc_u64(doc, "struct_pages_deferred", work->struct_pages_deferred);
	doc_u64(doc, "struct_pages_hugepages", work->struct_pages_hugepages);
	doc_u64(doc, "memmap_bytes", work->memmap_bytes);
	put_ms(doc, "hugetlb_ms", &boot->hugetlb);
	put_ms(doc, "early_ms", &boot->early);
	put_ms(doc, "deferred_ms", &boot->deferred);
	put_ms(doc, "total_ms", &boot->total);
	put_stages(doc, &boot->stages, explain);
	if (explain)
		put_facts(doc, work->facts, work->nr_facts);
	doc_end(doc);
}

static const struct pool_forecast *run_time_forecast(const struct host_forecast *forecast,
						     const struct pool_work *pool)
{
	for (size_t i = 0; i < forecast->nr_pools; i++) {
		if (forecast->pools[i].work == pool)
			return &forecast->pools[i];
	}
	return NULL;
}

static void put_pool(struct doc *doc, const struct host_forecast *forecast, const struct pool_work *pool,
		     bool explain)
{
	const struct pool_forecast *times = run_time_forecast(forecast, pool);

	doc_object(doc, NULL);
	doc_u64(doc, "size", pool->pool->size_bytes);
	doc_u64(doc, "count", pool->pool->count);
	doc_str(doc, "when", hugepage_when_name(pool->pool->when));
	if (pool->pool->node == NODE_ANY)
		doc_null(doc, "node");
	else
		doc_i64(doc, "node", pool->pool->node);
	doc_u64(doc, "struct_pages_per_hugepage", pool->struct_pages_per_hugepage);
	doc_u64(doc, "struct_pages_initialized_per_hugepage", pool->struct_pages_initialized);
	doc_u64(doc, "struct_pages_saved_by_hvo", pool->struct_pages_saved_by_hvo);
	doc_u64(doc, "saved_bytes", pool->saved_bytes);
	doc_u64(doc, "saveable_bytes", pool->saveable_bytes);
	if (times) {
		put_ms(doc, "alloc_ms", &times->alloc);
		put_ms(doc, "free_ms", &times->free);
		put_stages(doc, &times->stages, explain);
	}
	if (explain)
		put_facts(doc, pool->facts, pool->nr_facts);
	doc_end(doc);
}

static void put_window(struct doc *doc, const struct window_verdict *window, enum memmap_path path)
{
	doc_object_row(doc, NULL);
	doc_str(doc, "name", window->name);
	if (window->device)
		doc_str(doc, "device", window->device);
	doc_str(doc, "path", path_name(path));
	doc_number(doc, "limit_ms", (double)window->limit_ns / NS_PER_MS);
	put_ms(doc, "forecast_ms", &window->forecast);
	doc_bool(doc, "fits", window->fits);
	doc_bool(doc, "sure", window->sure);
	if (window->nr_missing)
		doc_u64(doc, "missing_costs", window->nr_missing);
	doc_end(doc);
}

void forecast_doc_windows(struct doc *doc, const struct window_verdict *windows, size_t nr,
			  enum memmap_path path)
{
	doc_array(doc, "windows");
	for (size_t i = 0; i < nr; i++)
		put_window(doc, &windows[i], path);
	doc_end(doc);
}

static void put_path(struct doc *doc, const struct host_forecast *forecast, bool explain)
{
	doc_object(doc, NULL);
	doc_str(doc, "path", path_name(forecast->path));
	put_ms(doc, "hotplug_ms", &forecast->hotplug);
	put_ms(doc, "hotplug_first_ms", &forecast->hotplug_first);
	put_boot(doc, "boot", forecast, explain);
	forecast_doc_windows(doc, forecast->windows, forecast->nr_windows, forecast->path);
	doc_end(doc);
}

void lever_doc(struct doc *doc, const struct lever *lever)
{
	const struct outcome *after = &lever->after;

	doc_object(doc, NULL);
	doc_str(doc, "device", lever->change.device);
	doc_str(doc, "change", lever->change.text);
	doc_str(doc, "price", lever->change.price);
	doc_str(doc, "effort", effort_name(lever->change.effort));
	doc_bool(doc, "new_kernel", lever_needs_kernel(lever));
	put_ms(doc, "hotplug_ms", &after->hotplug);
	put_ms(doc, "hotplug_first_ms", &after->hotplug_first);
	put_ms(doc, "boot_ms", &after->boot);
	doc_number(doc, "hotplug_saved_ms", lever->hotplug_saved_ns / NS_PER_MS);
	doc_number(doc, "boot_saved_ms", lever->boot_saved_ns / NS_PER_MS);
	doc_i64(doc, "ram_saved_bytes", lever->ram_saved_bytes);
	doc_i64(doc, "device_saved_bytes", lever->device_saved_bytes);
	doc_i64(doc, "usable_gained_bytes", lever->usable_gained_bytes);
	doc_bool(doc, "windows_fit", outcome_fits(after));
	doc_end(doc);
}

static void put_provenance(struct doc *doc, const struct profile *profile)
{
	doc_object(doc, "provenance");
	doc_str(doc, "file", profile->file);
	doc_str(doc, "obtained", profile->obtained);
	doc_str(doc, "machine", profile->machine);
	doc_str(doc, "kernel", profile->kernel);
	doc_bool(doc, "emulated", profile->emulated);
	if (profile->instruction_clock)
		doc_bool(doc, "instruction_clock", true);
	doc_str(doc, "text", profile->provenance);
	doc_end(doc);
}

static void put_memory(struct doc *doc, const struct host_forecast *forecast)
{
	doc_object(doc, "memory");
	doc_u64(doc, "memmap_ram_bytes", forecast->memmap_ram_bytes);
	doc_u64(doc, "memmap_device_bytes", forecast->memmap_device_bytes);
	doc_u64(doc, "saved_bytes", forecast->saved_bytes);
	doc_end(doc);
}

void forecast_doc_notes(struct doc *doc, const struct forecast_report *report)
{
	_cleanup_notes_ struct notes notes = {0};

	/* Out of memory: a document without its notes would read as a surer one, so it fails. */
	if (forecast_notes(report, &notes)) {
		doc_fail(doc, -ENOMEM);
		return;
	}
	doc_array(doc, "notes");
	for (size_t i = 0; i < notes.nr; i++)
		doc_str(doc, NULL, notes.items[i]);
	doc_end(doc);
}

void forecast_doc_identity(struct doc *doc, const struct host_forecast *forecast)
{
	const struct host *host = forecast->host;

	doc_str(doc, "name", host->name);
	doc_str(doc, "file", host->file);
	doc_str(doc, "arch", arch_name(host->arch));
	doc_str(doc, "kernel", host->kernel.release);
	doc_u64(doc, "page_size", host->page_size_bytes);
	doc_u64(doc, "memory_bytes", host->memory_bytes);
	doc_u64(doc, "cpus", host->cpus);
	doc_str(doc, "path", path_name(forecast->path));
	doc_str(doc, "profile", forecast->profile->name);
	put_provenance(doc, forecast->profile);
}

void forecast_doc_host(struct doc *doc, const struct forecast_report *report)
{
	const struct host_forecast *own = report->paths[0];
	bool explain = report->explain;

	doc_object(doc, NULL);
	forecast_doc_identity(doc, own);
	put_ms(doc, "hotplug_ms", &own->hotplug);
	put_ms(doc, "hotplug_first_ms", &own->hotplug_first);
	doc_array(doc, "hotplug");
	for (size_t p = 0; p < report->nr_paths; p++) {
		for (size_t i = 0; i < report->paths[p]->nr_devices; i++)
			put_device(doc, &report->paths[p]->devices[i], explain);
	}
	doc_end(doc);
	put_boot(doc, "boot", own, explain);
	doc_array(doc, "hugepages");
	for (size_t i = 0; i < own->work->nr_pools; i++)
		put_pool(doc, own, &own->work->pools[i], explain);
	doc_end(doc);
	put_memory(doc, own);
	forecast_doc_windows(doc, own->windows, own->nr_windows, own->path);
	if (report->nr_paths > 1) {
		doc_array(doc, "paths");
		for (size_t p = 0; p < report->nr_paths; p++)
			put_path(doc, report->paths[p], explain);
		doc_end(doc);
	}
	if (report->levers) {
		doc_array(doc, "levers");
		for (size_t i = 0; i < report->levers->nr; i++)
			lever_doc(doc, &report->levers->items[i]);
		doc_end(doc);
	}
	forecast_doc_notes(doc, report);
	doc_end(doc);
}

void forecast_doc_begin(struct doc *doc)
{
	doc_object(doc, NULL);
	doc_str(doc, "schema", "memmapctl.forecast/1");
	doc_array(doc, "hosts");
}

void forecast_doc_end(struct doc *doc)
{
	doc_end(doc);
	doc_end(doc);
}
