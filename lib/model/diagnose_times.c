// SPDX-License-Identifier: GPL-2.0-or-later
/* Waits that others do not have the patience for. */
#include "base/units.h"
#include "model/diagnose.h"

/* systemd-udevd.service: event_timeout=, and what a worker is given when udevd itself is asked to exit. */
#define UDEV_EVENT_TIMEOUT_NS (180 * NS_PER_S)
#define UDEV_EXIT_TIMEOUT_NS  (30 * NS_PER_S)

/* Who waits: a driver that udev loads has all of its devices to bind; libnvdimm binds each in a worker of its own. */
static void check_bind(const struct host_forecast *f, const struct device_forecast *d, struct diags *diags)
{
	const struct device_work *w = d->work;
	const void *field = w->ns ? (const void *)&w->ns->size_bytes : &w->dev->size_bytes;
	uint32_t count = w->count;
	double mid = d->first_bind.mid_ns * count, high = d->first_bind.high_ns * count;
	char shown[UNITS_STR], most[UNITS_STR];

	if (high <= UDEV_EXIT_TIMEOUT_NS || mid <= UDEV_EXIT_TIMEOUT_NS / 2)
		return;
	duration_human(shown, mid);
	duration_human(most, high);
	if (mid > UDEV_EVENT_TIMEOUT_NS)
		diagnose_warn(
			f->host, diags, field,
			"%s: binding takes %s (up to %s, profile %s): longer than udev's event_timeout of "
			"180 s, after which the worker is killed and the device is lost; raise it",
			w->name, shown, most, f->profile->name);
	else if (high > UDEV_EVENT_TIMEOUT_NS)
		diagnose_warn(
			f->host, diags, field,
			"%s: binding takes %s and may take %s (profile %s): udev kills what exceeds its "
			"event_timeout of 180 s; raise it",
			w->name, shown, most, f->profile->name);
	else if (mid > UDEV_EXIT_TIMEOUT_NS)
		diagnose_warn(f->host, diags, field,
			      "%s: binding takes %s (up to %s, profile %s): within udev's event_timeout, but "
			      "a udevd "
			      "that exits meanwhile (leaving the initramfs) kills it after 30 s",
			      w->name, shown, most, f->profile->name);
}

/*
 * Before Linux 5.7 registering a memory block walked the list of those before it: 131072 blocks of a 32 TB POWER9 took
 * 2273.7 s, 1.96 s after that was changed.
 */
static void check_registration(const struct host_forecast *f, struct diags *diags)
{
	static const double ns_per_pair = 2273.7e9 / (131072.0 * 131072.0);
	const struct host *h = f->host;
	double blocks = (double)f->work->boot.memory_blocks, ns = ns_per_pair * blocks * blocks;
	char shown[UNITS_STR], map[UNITS_STR], count[UNITS_STR];

	if (!h->kernel.release || kver_cmp(h->kernel.version, KVER(5, 7, 0)) >= 0 ||
	    ns <= f->boot.total.mid_ns || ns < 1e9)
		return;
	diagnose_warn(
		h, diags, &h->memory_bytes,
		"%s memory blocks: %s registers them in about %s (memory_dev_init, as the 2273.7 s of 131072 "
		"blocks on POWER9), longer than the memory map's %s; Linux 5.7 made that short",
		count_human(count, f->work->boot.memory_blocks), h->kernel.release, duration_human(shown, ns),
		duration_human(map, f->boot.total.mid_ns));
}

void diagnose_times(const struct host_forecast *forecast, struct diags *diags)
{
	for (size_t i = 0; i < forecast->nr_devices; i++)
		check_bind(forecast, &forecast->devices[i], diags);
	check_registration(forecast, diags);
}
