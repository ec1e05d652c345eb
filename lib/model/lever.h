/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Levers: every change that an operator can make and the forecast knows, each tried on a copy of the host on its
 * own, forecast, and ranked by what it saves. No I/O, no clock.
 */
#ifndef MEMMAPCTL_MODEL_LEVER_H
#define MEMMAPCTL_MODEL_LEVER_H

#include "model/outcome.h"

/* A saving below this share of the whole (time, or RAM of memmaps) is not worth naming: it is within most intervals. */
#define LEVER_WORTH_NAMING 0.10

struct lever {
	struct change change;
	struct outcome after; /* the forecast with the change alone */

	/* Against the host as it is; negative: worse. */
	double hotplug_saved_ns, boot_saved_ns;
	int64_t ram_saved_bytes, device_saved_bytes;
	int64_t usable_gained_bytes;
};

struct levers {
	struct lever *items; /* by time saved, the most first; equal ones by RAM saved */
	size_t nr;
};

/*
 * Try every change to base->host with base's profile and path. Changes that are refused (trial_run) or that alter
 * nothing are left out; those that only make things worse are kept, at the end. limits may be NULL. 0 and *out freed
 * by levers_free, or -ENOMEM.
 */
int levers_new(const struct host_forecast *base, const struct limits *limits, struct levers **out);
void levers_free(struct levers *levers);

/* Hot-plug and boot together. */
double lever_time_saved_ns(const struct lever *lever);

static inline bool lever_needs_kernel(const struct lever *lever)
{
	return lever->change.effort == EFFORT_KERNEL;
}

/*
 * The one worth naming: the most time saved, at least LEVER_WORTH_NAMING of the host's hot-plug and boot time
 * together, or else the most RAM saved, at least so much of the memmaps' RAM; never one that takes so much more RAM,
 * nor one that gives its users other pages (EFFORT_USERS).
 * without_new_kernel leaves out those that need another kernel. NULL: none is.
 */
const struct lever *levers_biggest(const struct levers *levers, const struct host_forecast *base,
				   bool without_new_kernel);

static inline void levers_free_ptr(struct levers **levers)
{
	levers_free(*levers);
}
#define _cleanup_levers_ _cleanup_(levers_free_ptr)

#endif
