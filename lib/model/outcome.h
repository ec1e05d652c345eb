/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What comes out of changing a host: its forecast, reduced to what changes are judged by. No I/O, no clock. */
#ifndef MEMMAPCTL_MODEL_OUTCOME_H
#define MEMMAPCTL_MODEL_OUTCOME_H

#include "model/change.h"
#include "model/forecast.h"

/* What an operator asks for beside the description's windows. */
struct wanted_usable {
	const char *device; /* a namespace; NULL: every one */
	uint64_t bytes;     /* that must be left to use */
};
struct limits {
	bool has_max_ram;
	uint64_t max_ram_bytes; /* of RAM for memmaps */
	struct wanted_usable *usable;
	size_t nr_usable;
};

struct outcome {
	struct estimate hotplug, hotplug_first, boot;
	uint64_t memmap_ram_bytes, memmap_device_bytes;
	uint64_t usable_bytes; /* of all namespaces together */
	struct window_verdict windows[3];
	size_t nr_windows;
	const char *small_device; /* the namespace that is furthest below a wanted size, or NULL */
	uint64_t small_usable_bytes, small_wanted_bytes;
	double excess; /* over windows and limits, each as a fraction of it, added up; 0: all are met */
};

/* Does every window fit? True without windows. */
static inline bool outcome_fits(const struct outcome *outcome)
{
	return windows_fit(outcome->windows, outcome->nr_windows);
}

/* A base forecast to try changes against. Nothing is owned. */
struct trial {
	const struct host_forecast *base;
	const struct limits *limits; /* may be NULL */
	struct outcome before;       /* of the host as it is */
	size_t nr_warnings;          /* about it */
};

/* 0 and *out, for as long as base and limits last; or -ENOMEM. */
int trial_begin(const struct host_forecast *base, const struct limits *limits, struct trial *out);

/*
 * Make the changes on a copy of the host and forecast that. 0 and *out; -EINVAL: the checker or geometry refuses the
 * changed host, or warns of a trap that the host as it is does not have, or the profile lacks a cost that it has for
 * the host as it is, which would make the change look better than it is; -ENOMEM.
 */
int trial_run(const struct trial *trial, const struct change *const *changes, size_t nr, struct outcome *out);

#endif
