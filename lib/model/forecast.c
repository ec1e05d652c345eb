// SPDX-License-Identifier: GPL-2.0-or-later
/* The forecast: work times cost. */
#include "model/forecast.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "model/totals.h"

#define EVENT_BIT(event) (1u << (event))

enum {
	REBIND_EVENTS = EVENT_BIT(EVENT_BIND) | EVENT_BIT(EVENT_ONLINE),
	FIRST_BIND_EVENTS = REBIND_EVENTS | EVENT_BIT(EVENT_FIRST_BIND),
	DEVICE_EVENTS = FIRST_BIND_EVENTS | EVENT_BIT(EVENT_UNBIND),
	ALL_EVENTS = (1 << NR_EVENTS) - 1,
};

struct builder {
	struct host_forecast *forecast;
	struct totals totals;
	struct term_forecast *terms; /* slots of the result, all in use up to nr_terms */
	size_t nr_terms;
	struct stage_forecast *stages;
	size_t nr_stages;
};

static int builder_init(struct builder *b, double bytes_per_struct_page, size_t nr_terms)
{
	/* A stage has at least one term: there are no more of them than terms. */
	b->terms = calloc(MAX(nr_terms, 1u), sizeof(*b->terms));
	b->stages = calloc(MAX(nr_terms, 1u), sizeof(*b->stages));
	if (!b->terms || !b->stages)
		return -ENOMEM;
	return totals_init(&b->totals, b->forecast->profile, b->forecast->path, bytes_per_struct_page,
			   nr_terms);
}

/* All but what a forecast keeps: terms and stages. */
static void builder_free(struct builder *b)
{
	totals_free(&b->totals);
}

static void total_add(struct builder *b, const struct stage_forecasts *list, unsigned int events,
		      double copies)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (events & EVENT_BIT(stages[list->items[i].stage].event))
			totals_add(&b->totals, &list->items[i], copies);
	}
}

static struct estimate total_of(struct builder *b, const struct stage_forecasts *list, unsigned int events)
{
	totals_start(&b->totals);
	total_add(b, list, events, 1);
	return totals_end(&b->totals);
}

static struct estimate total_of_stages(struct builder *b, const struct stage_forecasts *list,
				       unsigned int stage_bits)
{
	totals_start(&b->totals);
	for (size_t i = 0; i < list->nr; i++) {
		if (stage_bits & (1u << list->items[i].stage))
			totals_add(&b->totals, &list->items[i], 1);
	}
	return totals_end(&b->totals);
}

static void note_missing(struct host_forecast *f, const struct work_term *term)
{
	if (f->nr_missing++)
		return;
	f->missing_unit = term->unit;
	f->missing_stage = term->stage;
}

static void add_term(struct builder *b, const struct work_term *term)
{
	struct term_forecast *out = &b->terms[b->nr_terms++];

	totals_price(&b->totals, term, out);
	if (out->cost.basis == COST_MISSING)
		note_missing(b->forecast, term);
}

static void add_terms(struct builder *b, const struct work_terms *work, enum stage_id stage)
{
	for (size_t i = 0; i < work->nr; i++) {
		if (work->items[i].stage == stage && work->items[i].units)
			add_term(b, &work->items[i]);
	}
}

/* The unit a stage is listed with: the one the stage table names, or the one that costs most. */
static void choose_unit(struct stage_forecast *stage)
{
	double most_ns = -1;

	for (size_t i = 0; i < stage->nr_terms; i++) {
		const struct term_forecast *term = &stage->terms[i];

		if (term->term->unit == stages[stage->stage].unit) {
			stage->unit = term->term->unit;
			break;
		}
		if (term->time.mid_ns > most_ns) {
			most_ns = term->time.mid_ns;
			stage->unit = term->term->unit;
		}
	}
	for (size_t i = 0; i < stage->nr_terms; i++) {
		if (stage->terms[i].term->unit == stage->unit)
			stage->units += stage->terms[i].term->units;
	}
}

/* Make a stage of the terms added since first_term; none: no stage. */
static void end_stage(struct builder *b, struct stage_forecasts *list, enum stage_id stage, size_t first_term)
{
	struct stage_forecast *out;

	if (b->nr_terms == first_term)
		return;
	out = &b->stages[b->nr_stages++];
	if (!list->nr++)
		list->items = out;
	*out = (struct stage_forecast){.stage = stage, .terms = &b->terms[first_term]};
	out->nr_terms = b->nr_terms - first_term;
	for (size_t i = 0; i < out->nr_terms; i++)
		out->extrapolated |= out->terms[i].extrapolated;
	choose_unit(out);
	totals_start(&b->totals);
	totals_add(&b->totals, out, 1);
	out->time = totals_end(&b->totals);
}

static void build_stages(struct builder *b, const struct work_terms *work, unsigned int events,
			 struct stage_forecasts *out)
{
	for (int stage = 0; stage < NR_STAGES; stage++) {
		size_t first_term = b->nr_terms;

		if (!(events & EVENT_BIT(stages[stage].event)))
			continue;
		add_terms(b, work, stage);
		end_stage(b, out, stage, first_term);
	}
}

static void build_device(struct builder *b, const struct device_work *work, struct device_forecast *out)
{
	*out = (struct device_forecast){.work = work, .path = b->forecast->path};
	build_stages(b, &work->terms, DEVICE_EVENTS, &out->stages);
	out->rebind = total_of(b, &out->stages, REBIND_EVENTS);
	out->first_bind = total_of(b, &out->stages, FIRST_BIND_EVENTS);
	out->unbind = total_of(b, &out->stages, EVENT_BIT(EVENT_UNBIND));
}

static void build_pool(struct builder *b, const struct pool_work *work, struct pool_forecast *out)
{
	*out = (struct pool_forecast){.work = work};
	build_stages(b, &work->terms, EVENT_BIT(EVENT_HUGEPAGE), &out->stages);
	out->alloc = total_of_stages(b, &out->stages, 1u << STAGE_HUGEPAGE_ALLOC);
	out->free = total_of_stages(b, &out->stages, 1u << STAGE_HUGEPAGE_FREE);
}

/* Boot stages come from RAM and from every pool made at boot; the same stage of several pools is one row. */
static void build_boot(struct builder *b, struct boot_forecast *out)
{
	const struct work *work = b->forecast->work;
	unsigned int memmap = 0;

	out->path = b->forecast->path;
	for (int stage = 0; stage < NR_STAGES; stage++) {
		size_t first_term = b->nr_terms;

		if (stages[stage].event != EVENT_BOOT)
			continue;
		if (stages[stage].memmap)
			memmap |= 1u << stage;
		add_terms(b, &work->boot.terms, stage);
		for (size_t i = 0; i < work->nr_pools; i++)
			add_terms(b, &work->pools[i].terms, stage);
		end_stage(b, &out->stages, stage, first_term);
	}
	out->early = total_of_stages(b, &out->stages, 1u << STAGE_MEMMAP_EARLY);
	out->deferred = total_of_stages(b, &out->stages, 1u << STAGE_MEMMAP_DEFERRED);
	out->hugetlb = total_of_stages(b, &out->stages,
				       1u << STAGE_HUGETLB_ALLOC | 1u << STAGE_HUGETLB_TAILS |
					       1u << STAGE_HVO_REMAP);
	out->total = total_of_stages(b, &out->stages, memmap);
}

static struct estimate all_devices(struct builder *b, unsigned int events)
{
	const struct host_forecast *f = b->forecast;

	totals_start(&b->totals);
	for (size_t i = 0; i < f->nr_devices; i++)
		total_add(b, &f->devices[i].stages, events, f->devices[i].work->count);
	return totals_end(&b->totals);
}

size_t forecast_missing(const struct stage_forecasts *list, unsigned int events)
{
	size_t nr = 0;

	for (size_t i = 0; i < list->nr; i++) {
		const struct stage_forecast *stage = &list->items[i];

		for (size_t t = 0; events & EVENT_BIT(stages[stage->stage].event) && t < stage->nr_terms; t++)
			nr += stage->terms[t].cost.basis == COST_MISSING;
	}
	return nr;
}

void window_judge(struct window_verdict *window, struct estimate forecast)
{
	double limit_ns = (double)window->limit_ns;

	window->forecast = forecast;
	window->fits = !window->nr_missing && forecast.mid_ns <= limit_ns;
	window->sure = !window->nr_missing && forecast.high_ns <= limit_ns;
}

bool windows_fit(const struct window_verdict *windows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (!windows[i].fits)
			return false;
	}
	return true;
}

static void judge(struct host_forecast *f, const char *name, const char *device, uint64_t limit_ns,
		  struct estimate forecast, size_t nr_missing)
{
	struct window_verdict *window = &f->windows[f->nr_windows++];

	*window = (struct window_verdict){
		.name = name, .device = device, .limit_ns = limit_ns, .nr_missing = nr_missing};
	window_judge(window, forecast);
}

/* The longest rebind of any device; the ends of its interval may be another device's. worst: whose middle it is. */
static struct estimate longest_rebind(const struct host_forecast *f, const char **worst)
{
	struct estimate longest = {0};

	*worst = NULL;
	for (size_t i = 0; i < f->nr_devices; i++) {
		const struct estimate *rebind = &f->devices[i].rebind;

		if (!*worst || rebind->mid_ns > longest.mid_ns) {
			longest.mid_ns = rebind->mid_ns;
			*worst = f->devices[i].work->name;
		}
		longest.low_ns = fmax(longest.low_ns, rebind->low_ns);
		longest.high_ns = fmax(longest.high_ns, rebind->high_ns);
	}
	return longest;
}

static void judge_windows(struct host_forecast *f)
{
	const struct host *host = f->host;
	const char *worst;
	struct estimate longest = longest_rebind(f, &worst);
	size_t missing = 0;

	for (size_t i = 0; i < f->nr_devices; i++)
		missing += forecast_missing(&f->devices[i].stages, REBIND_EVENTS);
	if (host->has_hotplug_window)
		judge(f, "hotplug", NULL, host->hotplug_window_ns, f->hotplug, missing);
	if (host->has_per_device_window && worst)
		judge(f, "per_device", worst, host->per_device_window_ns, longest, missing);
	if (host->has_boot_window)
		judge(f, "boot", NULL, host->boot_window_ns, f->boot.total,
		      forecast_missing(&f->boot.stages, EVENT_BIT(EVENT_BOOT)));
}

static void count_memory(struct host_forecast *f)
{
	const struct work *work = f->work;

	f->memmap_ram_bytes = work->boot.memmap_bytes;
	for (size_t i = 0; i < work->nr_pools; i++) {
		f->memmap_ram_bytes -= MIN(f->memmap_ram_bytes, work->pools[i].saved_bytes);
		f->saved_bytes += work->pools[i].saved_bytes;
	}
	for (size_t i = 0; i < work->nr_devices; i++) {
		const struct device_work *dev = &work->devices[i];

		f->memmap_ram_bytes += dev->count * (dev->memmap_ram_bytes + dev->page_table_bytes);
		f->memmap_device_bytes += dev->count * dev->memmap_device_bytes;
		f->saved_bytes += dev->count * dev->memmap_saved_bytes;
	}
}

static void build(struct builder *b)
{
	struct host_forecast *f = b->forecast;
	const struct work *work = f->work;

	for (size_t i = 0; i < f->nr_devices; i++)
		build_device(b, &work->devices[i], &f->devices[i]);
	for (size_t i = 0; i < work->nr_pools; i++) {
		if (work->pools[i].pool->when == HUGEPAGES_RUNTIME)
			build_pool(b, &work->pools[i], &f->pools[f->nr_pools++]);
	}
	build_boot(b, &f->boot);
	f->hotplug = all_devices(b, REBIND_EVENTS);
	f->hotplug_first = all_devices(b, FIRST_BIND_EVENTS);
	judge_windows(f);
	count_memory(f);
}

static size_t count_terms(const struct work *work)
{
	size_t nr = work->boot.terms.nr;

	for (size_t i = 0; i < work->nr_devices; i++)
		nr += work->devices[i].terms.nr;
	for (size_t i = 0; i < work->nr_pools; i++)
		nr += work->pools[i].terms.nr;
	return nr;
}

int forecast_new(const struct host *host, const struct work *work, const struct profile *profile,
		 enum memmap_path path, struct host_forecast **out)
{
	_cleanup_forecast_ struct host_forecast *f = calloc(1, sizeof(*f));
	_cleanup_(builder_free) struct builder b = {.forecast = f};

	if (!f)
		return -ENOMEM;
	f->host = host;
	f->work = work;
	f->profile = profile;
	f->path = path;
	f->nr_devices = work->nr_devices;
	f->devices = calloc(MAX(work->nr_devices, 1u), sizeof(*f->devices));
	f->pools = calloc(MAX(work->nr_pools, 1u), sizeof(*f->pools));
	if (builder_init(&b, (double)host->struct_page_bytes, count_terms(work)) || !f->devices ||
	    !f->pools) {
		free(b.stages);
		free(b.terms);
		return -ENOMEM;
	}
	f->all_stages = b.stages;
	f->all_terms = b.terms;
	build(&b);
	*out = take_ptr(f);
	return 0;
}

int forecast_terms(const struct profile *profile, enum memmap_path path, double bytes_per_struct_page,
		   const struct work_terms *terms, struct estimate *out, size_t *nr_missing,
		   bool *extrapolated)
{
	struct host_forecast f = {.profile = profile, .path = path};
	_cleanup_(builder_free) struct builder b = {.forecast = &f};
	struct stage_forecasts list = {0};
	int err = builder_init(&b, bytes_per_struct_page, terms->nr);

	if (!err) {
		build_stages(&b, terms, ALL_EVENTS, &list);
		*out = total_of(&b, &list, ALL_EVENTS);
		*nr_missing = f.nr_missing;
		*extrapolated = false;
		for (size_t i = 0; i < list.nr; i++)
			*extrapolated |= list.items[i].extrapolated;
	}
	free(b.stages);
	free(b.terms);
	return err;
}

void forecast_free(struct host_forecast *forecast)
{
	if (!forecast)
		return;
	free(forecast->devices);
	free(forecast->pools);
	free(forecast->all_stages);
	free(forecast->all_terms);
	free(forecast);
}
