/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The forecast: work times cost, with a 90 % interval on every time. No I/O, no clock. */
#ifndef MEMMAPCTL_MODEL_FORECAST_H
#define MEMMAPCTL_MODEL_FORECAST_H

#include "geometry/geometry.h"
#include "model/profile.h"

/* mid with its 90 % interval, nanoseconds. */
struct estimate {
	double mid_ns, low_ns, high_ns;
};

struct term_forecast {
	const struct work_term *term; /* belongs to the work */
	struct cost_answer cost;      /* its pointers belong to the profile */
	struct estimate time;         /* units / parallel * cost */
	bool extrapolated;            /* units beyond the range that the cost was fitted on */
	size_t cell;                  /* which cost it shares with others: the model's own */
};

struct stage_forecast {
	enum stage_id stage;
	enum unit_id unit; /* of the principal term: stages[stage].unit when present, else the costliest */
	uint64_t units;
	struct estimate time;
	bool extrapolated;
	struct term_forecast *terms;
	size_t nr_terms;
};

struct stage_forecasts {
	struct stage_forecast *items;
	size_t nr;
};

struct device_forecast {
	const struct device_work *work;
	enum memmap_path path;
	struct estimate rebind, first_bind,
		unbind;                /* for one of `count`; rebind includes online for system-ram */
	struct stage_forecasts stages; /* bind, first-bind, unbind and online stages, in table order */
};

struct boot_forecast {
	enum memmap_path path;
	struct estimate hugetlb, early, deferred, total; /* total: the memory map's part of boot */
	struct stage_forecasts stages;
};

struct pool_forecast {
	const struct pool_work *work;
	struct estimate alloc, free; /* run-time pools */
	struct stage_forecasts stages;
};

struct window_verdict {
	const char *name;   /* "hotplug", "per_device", "boot": static */
	const char *device; /* the worst device for per_device; else NULL */
	uint64_t limit_ns;
	struct estimate forecast;
	bool fits; /* mid_ns is within the limit, and no cost is missing */
	bool sure; /* high_ns is within the limit too */
	size_t nr_missing; /* costs of the event that the profile lacks: the forecast is too short, and fits nothing */
};

/* Judge a window by a forecast: what is left out of the sum (nr_missing) cannot be ruled out of the window. */
void window_judge(struct window_verdict *window, struct estimate forecast);

/* Does every one of them fit? True without any. */
bool windows_fit(const struct window_verdict *windows, size_t nr);

/* One host forecast for one path; --path all makes several. */
struct host_forecast {
	const struct host *host;
	const struct work *work;
	const struct profile *profile;
	enum memmap_path path;
	struct device_forecast *devices;
	size_t nr_devices;
	struct pool_forecast *pools; /* one for each work->pools that is run-time */
	size_t nr_pools;
	struct estimate hotplug;       /* all devices rebound one after another, counts included */
	struct estimate hotplug_first; /* all of them bound for the first time */
	struct boot_forecast boot;
	struct window_verdict windows[3];
	size_t nr_windows;
	uint64_t
		memmap_ram_bytes; /* RAM's own memmap after HVO, plus memmaps of devices in RAM, page tables too */
	uint64_t memmap_device_bytes;
	uint64_t saved_bytes;      /* HVO plus the DAX vmemmap optimisation */
	size_t nr_missing;         /* terms with no cost in the profile: left out of every time */
	enum unit_id missing_unit; /* one of them, to be named */
	enum stage_id missing_stage;
	struct stage_forecast *all_stages; /* what every stages.items above points into */
	struct term_forecast *all_terms;   /* and every terms */
};

/*
 * Forecast. host, work and profile must outlive the result. 0 and *out freed by forecast_free, or -ENOMEM.
 * The device windows are judged on rebinds: what a driver reload during a maintenance window costs.
 */
int forecast_new(const struct host *host, const struct work *work, const struct profile *profile,
		 enum memmap_path path, struct host_forecast **out);
void forecast_free(struct host_forecast *forecast);

/* How many terms of the stages of some events (bit 1u << event) have no cost in the profile. */
size_t forecast_missing(const struct stage_forecasts *list, unsigned int events);

/*
 * The time of some work terms together (of any stages), by the same rules. *nr_missing counts those with no cost,
 * *extrapolated tells whether a cost is used beyond its range. 0 or -ENOMEM.
 */
int forecast_terms(const struct profile *profile, enum memmap_path path, double bytes_per_struct_page,
		   const struct work_terms *terms, struct estimate *out, size_t *nr_missing,
		   bool *extrapolated);

static inline void forecast_free_ptr(struct host_forecast **forecast)
{
	forecast_free(*forecast);
}
#define _cleanup_forecast_ _cleanup_(forecast_free_ptr)

#endif
