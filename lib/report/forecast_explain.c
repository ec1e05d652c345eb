// SPDX-License-Identifier: GPL-2.0-or-later
/* Where every number comes from: facts, formula, kernel rule, cost, and the source of the cost. */
#include "report/forecast_report.h"

#include <inttypes.h>
#include <string.h>

#include "base/util.h"

static void print_facts(FILE *out, const struct style *style, const struct geometry_fact *facts, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		char first[TEXT_STR];
		int len = snprintf(first, sizeof(first), "  %-9s = %-15" PRIu64 " ", facts[i].symbol,
				   facts[i].value);

		print_wrapped(out, style, first, (unsigned int)len, facts[i].what);
	}
}

static void print_row_source(FILE *out, const struct style *style, const struct cost *row)
{
	char text[4 * TEXT_STR];

	snprintf(text, sizeof(text), "%s%s", row->prior ? "taken over, not fitted here: " : "",
		 row->source ? row->source : "no source given");
	print_wrapped(out, style, "      source  ", 14, text);
	if (row->units_max > 0)
		fprintf(out, "              fitted on %u observations of %.9g to %.9g units\n", row->n,
			row->units_min, row->units_max);
}

static void print_cost(FILE *out, const struct style *style, const struct profile *profile,
		       const struct term_forecast *term)
{
	const struct cost_answer *cost = &term->cost;
	const struct estimate each = {cost->ns, cost->low_ns, cost->high_ns};
	char text[4 * TEXT_STR];

	if (cost->basis == COST_MISSING) {
		fprintf(out, "      cost    none in profile %s: left out of every time\n", profile->name);
		return;
	}
	fprintf(out, "      cost    %s a unit, by %s\n", estimate_text(text, style, &each),
		cost_basis_name(cost->basis));
	if (cost->row)
		print_row_source(out, style, cost->row);
	if (cost->ratio) {
		snprintf(text, sizeof(text), "%.4g of the baseline: %s", cost->ratio->ratio,
			 cost->ratio->source ? cost->ratio->source : "no source given");
		print_wrapped(out, style, "      ratio   ", 14, text);
	}
	if (cost->cpu) {
		snprintf(text, sizeof(text), "%.4g ns of CPU, stores %.4g GB/s, non-temporal %.4g GB/s: %s",
			 cost->cpu->ns, profile->store_gbps, profile->nt_store_gbps,
			 cost->cpu->source ? cost->cpu->source : "no source given");
		print_wrapped(out, style, "      roofline ", 15, text);
	}
}

static void print_term(FILE *out, const struct style *style, const struct profile *profile,
		       const struct term_forecast *term)
{
	const struct work_term *work = term->term;
	char units[UNITS_STR], text[4 * TEXT_STR];

	snprintf(text, sizeof(text), "%s %s%s%s%s = %s", count_human(units, work->units),
		 unit_name(work->unit), work->kind != KIND_NONE ? " (" : "",
		 work->kind != KIND_NONE ? kind_name(work->kind) : "", work->kind != KIND_NONE ? ")" : "",
		 work->formula);
	print_wrapped(out, style, "    ", 4, text);
	print_wrapped(out, style, "      kernel  ", 14, work->rule);
	print_cost(out, style, profile, term);
	if (work->parallel > 1)
		fprintf(out, "      shared by %u threads\n", work->parallel);
	if (term->cost.basis != COST_MISSING)
		fprintf(out, "      time    %s%s\n", estimate_text(text, style, &term->time),
			term->extrapolated ? ", extrapolated beyond what the cost was fitted on" : "");
}

static void print_stages(FILE *out, const struct style *style, const struct profile *profile,
			 const struct stage_forecasts *list)
{
	char text[TEXT_STR];

	for (size_t i = 0; i < list->nr; i++) {
		const struct stage_forecast *s = &list->items[i];

		fprintf(out, "  %s%s%s  %s\n", look_on(style, LOOK_STRONG), stage_name(s->stage),
			look_off(style, LOOK_STRONG), estimate_text(text, style, &s->time));
		print_wrapped(out, style, "    ", 4, stages[s->stage].what);
		for (size_t t = 0; t < s->nr_terms; t++)
			print_term(out, style, profile, &s->terms[t]);
	}
}

/* "  rebind = add_memory + memmap_init = 1.10 s ±6%" */
static void print_sum(FILE *out, const struct style *style, const char *name,
		      const struct stage_forecasts *list, unsigned int event_bits, const struct estimate *sum)
{
	char text[4 * TEXT_STR], time[TEXT_STR];
	int len = snprintf(text, sizeof(text), "%s", name);
	const char *sign = "=";
	bool any = false;

	for (size_t i = 0; i < list->nr; i++) {
		if (!(event_bits & (1u << stages[list->items[i].stage].event)))
			continue;
		len += snprintf(text + len, sizeof(text) - (size_t)len, " %s %s", sign,
				stage_name(list->items[i].stage));
		sign = "+";
		any = true;
	}
	snprintf(text + len, sizeof(text) - (size_t)len, " = %s", estimate_text(time, style, sum));
	if (any)
		print_wrapped(out, style, "  ", 4, text);
}

static void print_device(FILE *out, const struct style *style, const struct profile *profile,
			 const struct device_forecast *device)
{
	enum { BIND = 1u << EVENT_BIND | 1u << EVENT_ONLINE };
	const struct device_work *work = device->work;
	char text[TEXT_STR], ram[UNITS_STR], dev[UNITS_STR];

	fprintf(out, "\n%s%s%s: %s, path %s\n", look_on(style, LOOK_STRONG), work->name,
		look_off(style, LOOK_STRONG), device_text(text, style, work, " "), path_name(device->path));
	print_facts(out, style, work->facts, work->nr_facts);
	fprintf(out, "  memmap: %s in RAM, %s on the device\n", size_human(ram, work->memmap_ram_bytes),
		size_human(dev, work->memmap_device_bytes));
	print_sum(out, style, "rebind", &device->stages, BIND, &device->rebind);
	print_sum(out, style, "first bind", &device->stages, BIND | 1u << EVENT_FIRST_BIND,
		  &device->first_bind);
	print_sum(out, style, "unbind", &device->stages, 1u << EVENT_UNBIND, &device->unbind);
	print_stages(out, style, profile, &device->stages);
}

static void print_boot(FILE *out, const struct style *style, const struct host_forecast *forecast)
{
	const struct boot_forecast *boot = &forecast->boot;
	const struct work *work = forecast->work;

	if (!boot->stages.nr)
		return;
	fprintf(out, "\n%sboot%s, the memory map's part, path %s\n", look_on(style, LOOK_STRONG),
		look_off(style, LOOK_STRONG), path_name(boot->path));
	print_facts(out, style, work->boot.facts, work->boot.nr_facts);
	for (size_t i = 0; i < work->nr_pools; i++) {
		if (work->pools[i].pool->when == HUGEPAGES_BOOT)
			print_facts(out, style, work->pools[i].facts, work->pools[i].nr_facts);
	}
	print_sum(out, style, "total", &boot->stages, 1u << EVENT_BOOT, &boot->total);
	print_stages(out, style, forecast->profile, &boot->stages);
}

static void print_pools(FILE *out, const struct style *style, const struct host_forecast *forecast)
{
	for (size_t i = 0; i < forecast->nr_pools; i++) {
		const struct pool_forecast *pool = &forecast->pools[i];
		char count[UNITS_STR], size[UNITS_STR];

		fprintf(out, "\n%s hugepages of %s at run time\n",
			count_human(count, pool->work->pool->count),
			size_exact(size, pool->work->pool->size_bytes));
		print_facts(out, style, pool->work->facts, pool->work->nr_facts);
		print_stages(out, style, forecast->profile, &pool->stages);
	}
}

static void print_profile(FILE *out, const struct style *style, const struct profile *profile)
{
	char text[8 * TEXT_STR];

	snprintf(text, sizeof(text), "%s (%s): %s", profile->file ? profile->file : profile->name,
		 profile->obtained ? profile->obtained : "?",
		 profile->provenance ? profile->provenance : "no provenance given");
	print_wrapped(out, style, "profile ", 8, text);
	print_wrapped(out, style, "", 0,
		      "Intervals are 90 %. A time is units x cost / threads; a sum adds the middles, and the "
		      "half-widths of "
		      "different costs in quadrature.");
}

void forecast_explain_host(FILE *out, const struct style *style, const struct forecast_report *report)
{
	fprintf(out, "\nHow the numbers of %s come about\n", report->paths[0]->host->name);
	print_profile(out, style, report->paths[0]->profile);
	for (size_t p = 0; p < report->nr_paths; p++) {
		const struct host_forecast *forecast = report->paths[p];

		for (size_t i = 0; i < forecast->nr_devices; i++)
			print_device(out, style, forecast->profile, &forecast->devices[i]);
		print_boot(out, style, forecast);
	}
	print_pools(out, style, report->paths[0]);
}
