// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The forecast: work times cost.
 *
 * Intervals: one cost is uncertain in the same direction wherever it is used. So a total first adds the units that
 * share a cost (a cell), and only then puts the cells' half-widths together: costs that were fitted together by their
 * correlations, because what is known of their sum is known better than either; all others in quadrature, lower and
 * upper ones apart. What the profile's fit left unexplained comes on top, independent for each stage of each device.
 */
#include "model/forecast.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "stats/regression.h"

#define EVENT_BIT(event) (1u << (event))

enum {
	REBIND_EVENTS = EVENT_BIT(EVENT_BIND) | EVENT_BIT(EVENT_ONLINE),
	FIRST_BIND_EVENTS = REBIND_EVENTS | EVENT_BIT(EVENT_FIRST_BIND),
	DEVICE_EVENTS = FIRST_BIND_EVENTS | EVENT_BIT(EVENT_UNBIND),
	ALL_EVENTS = (1 << NR_EVENTS) - 1,
};

/* A cost fitted on at most 100 units says something about 125 as well; further out its interval grows. */
static const double extrapolation_slack = 1.25;

/* One cost in use, and what the total being summed takes of it. */
struct cell {
	enum stage_id stage;
	enum unit_id unit;
	enum page_kind kind;
	struct cost_answer cost;
	double units;      /* units / parallel */
	double wide_units; /* the same, each widened as far as it is extrapolated */
	double half_90;    /* of a cost fitted here: 90 % half-width from its standard error; else 0 */
};

struct builder {
	struct host_forecast *forecast;
	double bytes_per_struct_page;
	struct cell *cells;
	size_t nr_cells;
	struct term_forecast *terms; /* slots of the result, all in use up to nr_terms */
	size_t *cell_of;             /* for each of terms */
	struct cell **cell_of_cost;  /* for each of the profile's costs; NULL: not in use */
	size_t nr_terms;
	struct stage_forecast *stages;
	size_t nr_stages;
	double residual_sum; /* of squares, of the total being summed */
};

static int builder_init(struct builder *b, size_t nr_terms)
{
	/* A stage has at least one term, and a cell too: there are no more of either than terms. */
	b->cells = calloc(nr_terms, sizeof(*b->cells));
	b->cell_of = calloc(nr_terms, sizeof(*b->cell_of));
	b->terms = calloc(nr_terms, sizeof(*b->terms));
	b->stages = calloc(nr_terms, sizeof(*b->stages));
	b->cell_of_cost = calloc(MAX(b->forecast->profile->nr_costs, 1u), sizeof(struct cell *));
	return b->cells && b->cell_of && b->terms && b->stages && b->cell_of_cost ? 0 : -ENOMEM;
}

/* All but what a forecast keeps: terms and stages. */
static void builder_free(struct builder *b)
{
	free(b->cells);
	free(b->cell_of);
	free(b->cell_of_cost);
}

/* How many standard errors 90 % are: the noise of the fit was estimated, or assumed. */
static double half_width_factor(const struct profile *profile, enum stage_id stage)
{
	const struct stage_fit *fit = profile_find_fit(profile, stage);

	return interval_90_factor(fit && fit->dof >= 1 ? fit->dof : INFINITY);
}

static struct cell *cell_for(struct builder *b, const struct work_term *term)
{
	struct cell *cell;

	for (size_t i = 0; i < b->nr_cells; i++) {
		cell = &b->cells[i];
		if (cell->stage == term->stage && cell->unit == term->unit && cell->kind == term->kind)
			return cell;
	}
	cell = &b->cells[b->nr_cells++];
	*cell = (struct cell){.stage = term->stage, .unit = term->unit, .kind = term->kind};
	profile_cost(b->forecast->profile, term->stage, term->unit, term->kind, b->forecast->path,
		     b->bytes_per_struct_page, &cell->cost);
	if (cell->cost.basis == COST_MEASURED && cell->cost.row->se_ns > 0) {
		cell->half_90 = half_width_factor(b->forecast->profile, term->stage) * cell->cost.row->se_ns;
		b->cell_of_cost[cell->cost.row - b->forecast->profile->costs] = cell;
	}
	return cell;
}

/* How far outside the fitted range, as a factor; 1 inside it. */
static double range_distance(const struct cost *row, double units)
{
	if (!row || row->units_max <= 0)
		return 1;
	if (units > row->units_max)
		return units / row->units_max;
	if (units < row->units_min)
		return row->units_min / units;
	return 1;
}

static double term_units(const struct work_term *term)
{
	return (double)term->units / MAX(term->parallel, 1u);
}

static double term_widening(const struct term_forecast *term)
{
	double distance = range_distance(term->cost.row, (double)term->term->units);

	return distance > extrapolation_slack ? sqrt(distance) : 1;
}

static void total_start(struct builder *b)
{
	for (size_t i = 0; i < b->nr_cells; i++)
		b->cells[i].units = b->cells[i].wide_units = 0;
	b->residual_sum = 0;
}

/* 90 % half-width, as a share of the stage's time. */
static double stage_residual(const struct profile *profile, enum stage_id stage)
{
	const struct stage_fit *fit = profile_find_fit(profile, stage);

	return (fit ? fit->residual_pct : profile->residual_pct) / 100;
}

static void total_add_stage(struct builder *b, const struct stage_forecast *stage, double copies)
{
	double residual = stage_residual(b->forecast->profile, stage->stage);
	double mid_ns = 0, widening = 1;

	for (size_t i = 0; i < stage->nr_terms; i++) {
		const struct term_forecast *term = &stage->terms[i];
		struct cell *cell = &b->cells[b->cell_of[term - b->terms]];
		double units = term_units(term->term);

		cell->units += copies * units;
		cell->wide_units += copies * units * term_widening(term);
		mid_ns += term->time.mid_ns;
		widening = fmax(widening, term_widening(term));
	}
	residual *= widening;
	b->residual_sum += copies * copies * residual * residual * mid_ns * mid_ns;
}

static void total_add(struct builder *b, const struct stage_forecasts *list, unsigned int events,
		      double copies)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (events & EVENT_BIT(stages[list->items[i].stage].event))
			total_add_stage(b, &list->items[i], copies);
	}
}

/* What the costs fitted together leave uncertain, squared. */
static double fitted_squares(const struct builder *b)
{
	const struct profile *profile = b->forecast->profile;
	double sum = 0;

	for (size_t i = 0; i < b->nr_cells; i++)
		sum += pow(b->cells[i].wide_units * b->cells[i].half_90, 2);
	for (size_t i = 0; i < profile->nr_correlations; i++) {
		const struct cost_correlation *c = &profile->correlations[i];
		const struct cell *x = b->cell_of_cost[c->a], *y = b->cell_of_cost[c->b];

		if (x && y)
			sum += (c->opposite ? -2 : 2) * c->r * x->wide_units * x->half_90 * y->wide_units *
			       y->half_90;
	}
	return fmax(0, sum);
}

static struct estimate total_end(const struct builder *b)
{
	double fitted = fitted_squares(b);
	double down = b->residual_sum + fitted, up = b->residual_sum + fitted;
	struct estimate total = {0};

	for (size_t i = 0; i < b->nr_cells; i++) {
		const struct cell *cell = &b->cells[i];
		double below = cell->wide_units * (cell->cost.ns - cell->cost.low_ns);
		double above = cell->wide_units * (cell->cost.high_ns - cell->cost.ns);

		total.mid_ns += cell->units * cell->cost.ns;
		if (cell->half_90 > 0)
			continue;
		down += below * below;
		up += above * above;
	}
	total.low_ns = fmax(0, total.mid_ns - sqrt(down));
	total.high_ns = total.mid_ns + sqrt(up);
	return total;
}

static struct estimate total_of(struct builder *b, const struct stage_forecasts *list, unsigned int events)
{
	total_start(b);
	total_add(b, list, events, 1);
	return total_end(b);
}

static struct estimate total_of_stages(struct builder *b, const struct stage_forecasts *list,
				       unsigned int stage_bits)
{
	total_start(b);
	for (size_t i = 0; i < list->nr; i++) {
		if (stage_bits & (1u << list->items[i].stage))
			total_add_stage(b, &list->items[i], 1);
	}
	return total_end(b);
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
	struct cell *cell = cell_for(b, term);
	struct term_forecast *out = &b->terms[b->nr_terms];
	double units = term_units(term), widening;

	b->cell_of[b->nr_terms++] = (size_t)(cell - b->cells);
	*out = (struct term_forecast){.term = term, .cost = cell->cost};
	if (cell->cost.basis == COST_MISSING)
		note_missing(b->forecast, term);
	widening = term_widening(out);
	out->extrapolated = widening > 1;
	out->time.mid_ns = units * cell->cost.ns;
	out->time.low_ns = fmax(0, out->time.mid_ns - widening * units * (cell->cost.ns - cell->cost.low_ns));
	out->time.high_ns = out->time.mid_ns + widening * units * (cell->cost.high_ns - cell->cost.ns);
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
	total_start(b);
	total_add_stage(b, out, 1);
	out->time = total_end(b);
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

	total_start(b);
	for (size_t i = 0; i < f->nr_devices; i++)
		total_add(b, &f->devices[i].stages, events, f->devices[i].work->count);
	return total_end(b);
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
	if (builder_init(&b, MAX(count_terms(work), 1u)) || !f->devices || !f->pools) {
		free(b.stages);
		free(b.terms);
		return -ENOMEM;
	}
	f->all_stages = b.stages;
	f->all_terms = b.terms;
	b.bytes_per_struct_page = (double)host->struct_page_bytes;
	build(&b);
	*out = take_ptr(f);
	return 0;
}

int forecast_terms(const struct profile *profile, enum memmap_path path, double bytes_per_struct_page,
		   const struct work_terms *terms, struct estimate *out, size_t *nr_missing,
		   bool *extrapolated)
{
	struct host_forecast f = {.profile = profile, .path = path};
	_cleanup_(builder_free) struct builder b = {.forecast = &f,
						    .bytes_per_struct_page = bytes_per_struct_page};
	struct stage_forecasts list = {0};
	int err = builder_init(&b, MAX(terms->nr, 1u));

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
