// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/outcome.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/util.h"

/* Of the stages of a bind those that memory hotplug's lock does not cover (mm/memremap.c: pagemap_range). */
static bool is_outside_lock(enum stage_id stage)
{
	return stage == STAGE_MEMMAP_INIT || stage == STAGE_DRIVER;
}

static bool is_part(enum stage_id stage, bool first)
{
	enum event_id event = stages[stage].event;

	return event == EVENT_BIND || event == EVENT_ONLINE || (first && event == EVENT_FIRST_BIND);
}

/*
 * Hot-plug of all devices side by side (drivers bound from several threads): what the hotplug lock covers (adding the
 * memory, onlining it) takes turns; what is outside it (memmap_init_zone_device, the driver) runs side by side. The
 * longest of the latter may come last, so this is the longest it takes in any order. Not counted: that CPUs which
 * write to the same memory share its bandwidth.
 */
static struct estimate hotplug_at_once(const struct host_forecast *forecast, bool first)
{
	struct estimate serial = first ? forecast->hotplug_first : forecast->hotplug;
	double turns_ns = 0, longest_ns = 0, share;

	for (size_t i = 0; i < forecast->nr_devices; i++) {
		const struct device_forecast *device = &forecast->devices[i];
		double outside_ns = 0;

		for (size_t s = 0; s < device->stages.nr; s++) {
			const struct stage_forecast *stage = &device->stages.items[s];

			if (!is_part(stage->stage, first))
				continue;
			if (is_outside_lock(stage->stage))
				outside_ns += stage->time.mid_ns;
			else
				turns_ns += device->work->count * stage->time.mid_ns;
		}
		longest_ns = fmax(longest_ns, outside_ns);
	}
	if (serial.mid_ns <= 0)
		return serial;
	/* the same costs, so as uncertain as one after another */
	share = fmin(1, (turns_ns + longest_ns) / serial.mid_ns);
	return (struct estimate){share * serial.mid_ns, share * serial.low_ns, share * serial.high_ns};
}

static double over(double value, double limit)
{
	return value > limit ? (value - limit) / fmax(limit, 1) : 0;
}

static void judge_windows(struct outcome *out, const struct host_forecast *forecast)
{
	out->nr_windows = forecast->nr_windows;
	for (size_t i = 0; i < forecast->nr_windows; i++) {
		struct window_verdict *window = &out->windows[i];

		*window = forecast->windows[i];
		if (!strcmp(window->name, "hotplug"))
			window_judge(window, out->hotplug);
		out->excess += over(window->forecast.mid_ns, (double)window->limit_ns);
		if (window->nr_missing) /* whatever is missing may take as long again */
			out->excess += 1;
	}
}

static void judge_usable(struct outcome *out, const struct work *work, const struct wanted_usable *wanted)
{
	for (size_t i = 0; i < work->nr_devices; i++) {
		const struct device_work *device = &work->devices[i];

		if (!device->ns || device->usable_bytes >= wanted->bytes)
			continue;
		if (wanted->device && strcmp(wanted->device, device->name))
			continue;
		out->excess += over((double)wanted->bytes, (double)device->usable_bytes);
		if (out->small_device &&
		    wanted->bytes - device->usable_bytes <= out->small_wanted_bytes - out->small_usable_bytes)
			continue;
		out->small_device = device->name;
		out->small_usable_bytes = device->usable_bytes;
		out->small_wanted_bytes = wanted->bytes;
	}
}

static struct outcome outcome_of(const struct host_forecast *forecast, const struct ways *ways,
				 const struct limits *limits)
{
	struct outcome out = {
		.hotplug = ways->at_once ? hotplug_at_once(forecast, false) : forecast->hotplug,
		.hotplug_first = ways->at_once ? hotplug_at_once(forecast, true) : forecast->hotplug_first,
		.boot = forecast->boot.total,
		.memmap_ram_bytes = forecast->memmap_ram_bytes,
		.memmap_device_bytes = forecast->memmap_device_bytes,
	};

	for (size_t i = 0; i < forecast->work->nr_devices; i++) {
		if (forecast->work->devices[i].ns)
			out.usable_bytes += forecast->work->devices[i].usable_bytes;
	}
	judge_windows(&out, forecast);
	if (limits && limits->has_max_ram)
		out.excess += over((double)out.memmap_ram_bytes, (double)limits->max_ram_bytes);
	for (size_t i = 0; limits && i < limits->nr_usable; i++)
		judge_usable(&out, forecast->work, &limits->usable[i]);
	return out;
}

/* What a profile has no cost of, by stage, unit and page kind. */
struct gaps {
	bool missing[NR_STAGES * NR_UNITS * (NR_KINDS + 1)];
};

static void add_gaps(struct gaps *gaps, const struct stage_forecasts *list)
{
	for (size_t i = 0; i < list->nr; i++) {
		for (size_t t = 0; t < list->items[i].nr_terms; t++) {
			const struct term_forecast *term = &list->items[i].terms[t];

			size_t cell = (term->term->stage * NR_UNITS + term->term->unit) * (NR_KINDS + 1) +
				      term->term->kind;

			gaps->missing[cell] |= term->cost.basis == COST_MISSING;
		}
	}
}

static void find_gaps(struct gaps *gaps, const struct host_forecast *forecast)
{
	*gaps = (struct gaps){0};
	for (size_t i = 0; i < forecast->nr_devices; i++)
		add_gaps(gaps, &forecast->devices[i].stages);
	for (size_t i = 0; i < forecast->nr_pools; i++)
		add_gaps(gaps, &forecast->pools[i].stages);
	add_gaps(gaps, &forecast->boot.stages);
}

static bool has_new_gaps(const struct host_forecast *before, const struct host_forecast *after)
{
	struct gaps old, new;

	if (!after->nr_missing)
		return false;
	find_gaps(&old, before);
	find_gaps(&new, after);
	for (size_t i = 0; i < ARRAY_SIZE(old.missing); i++) {
		if (new.missing[i] && !old.missing[i])
			return true;
	}
	return false;
}

static size_t nr_warnings(const struct diags *diags)
{
	size_t nr = 0;

	for (size_t i = 0; i < diags->nr; i++)
		nr += diags->items[i].level == DIAG_WARNING;
	return nr;
}

/* The work of a host, and of how many traps checker and geometry warn. */
static int check_and_count(const struct host *host, struct work **work, size_t *warnings)
{
	_cleanup_diags_ struct diags diags = {0};
	int err = host_check(host, &diags);

	if (!err)
		err = work_new(host, &diags, work);
	*warnings = nr_warnings(&diags);
	return err;
}

int trial_begin(const struct host_forecast *base, const struct limits *limits, struct trial *out)
{
	const struct ways ways = {.path = base->path};
	_cleanup_work_ struct work *work = NULL;

	out->base = base;
	out->limits = limits;
	out->before = outcome_of(base, &ways, limits);
	return check_and_count(base->host, &work, &out->nr_warnings) == -ENOMEM ? -ENOMEM : 0;
}

/* A name of the changed host, as the host as it is has it. */
static const char *lasting_name(const struct trial *trial, const char *name)
{
	const struct work *work = trial->base->work;

	for (size_t i = 0; name && i < work->nr_devices; i++) {
		if (!strcmp(work->devices[i].name, name))
			return work->devices[i].name;
	}
	return NULL;
}

int trial_run(const struct trial *trial, const struct change *const *changes, size_t nr, struct outcome *out)
{
	_cleanup_host_ struct host *host = host_copy(trial->base->host);
	_cleanup_forecast_ struct host_forecast *after = NULL;
	_cleanup_work_ struct work *work = NULL;
	struct ways ways = {.path = trial->base->path};
	size_t warnings;
	int err;

	if (!host)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		change_apply(changes[i], host, &ways);
	err = check_and_count(host, &work, &warnings);
	if (!err && warnings > trial->nr_warnings)
		err = -EINVAL;
	if (!err)
		err = forecast_new(host, work, trial->base->profile, ways.path, &after);
	if (err)
		return err == -ENOMEM ? err : -EINVAL;
	if (has_new_gaps(trial->base, after))
		return -EINVAL;
	*out = outcome_of(after, &ways, trial->limits);
	out->small_device = lasting_name(trial, out->small_device);
	for (size_t i = 0; i < out->nr_windows; i++)
		out->windows[i].device = lasting_name(trial, out->windows[i].device);
	return 0;
}
