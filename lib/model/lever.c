// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/lever.h"

#include <errno.h>
#include <string.h>

#include "base/util.h"

static int64_t saved_bytes(uint64_t before, uint64_t after)
{
	return (int64_t)(before - after);
}

static bool changes_nothing(const struct outcome *before, const struct outcome *after)
{
	return before->hotplug.mid_ns == after->hotplug.mid_ns &&
	       before->hotplug_first.mid_ns == after->hotplug_first.mid_ns &&
	       before->boot.mid_ns == after->boot.mid_ns &&
	       before->memmap_ram_bytes == after->memmap_ram_bytes &&
	       before->memmap_device_bytes == after->memmap_device_bytes;
}

static int try_change(struct levers *levers, const struct trial *trial, const struct change *change)
{
	const struct outcome *before = &trial->before;
	struct outcome after;
	int err = trial_run(trial, &change, 1, &after);
	struct lever *lever;

	if (err)
		return err == -ENOMEM ? err : 0;
	if (changes_nothing(before, &after))
		return 0;
	lever = array_grow(&levers->items, &levers->nr, sizeof(*lever));
	if (!lever)
		return -ENOMEM;
	*lever = (struct lever){
		.change = *change,
		.after = after,
		.hotplug_saved_ns = before->hotplug.mid_ns - after.hotplug.mid_ns,
		.boot_saved_ns = before->boot.mid_ns - after.boot.mid_ns,
		.ram_saved_bytes = saved_bytes(before->memmap_ram_bytes, after.memmap_ram_bytes),
		.device_saved_bytes = saved_bytes(before->memmap_device_bytes, after.memmap_device_bytes),
		.usable_gained_bytes = -saved_bytes(before->usable_bytes, after.usable_bytes),
	};
	return 0;
}

double lever_time_saved_ns(const struct lever *lever)
{
	return lever->hotplug_saved_ns + lever->boot_saved_ns;
}

static int by_time_then_ram(const void *a, const void *b)
{
	const struct lever *x = a, *y = b;
	double tx = lever_time_saved_ns(x), ty = lever_time_saved_ns(y);

	if (tx != ty)
		return tx < ty ? 1 : -1;
	if (x->ram_saved_bytes != y->ram_saved_bytes)
		return x->ram_saved_bytes < y->ram_saved_bytes ? 1 : -1;
	return strcmp(x->change.text, y->change.text);
}

static int try_all(struct levers *levers, const struct trial *trial)
{
	const struct host_forecast *base = trial->base;
	const struct ways ways = {.path = base->path};
	_cleanup_changes_ struct changes changes = {0};
	int err = changes_new(base->host, &base->work->rules, &ways, &changes);

	for (size_t i = 0; i < changes.nr && !err; i++)
		err = try_change(levers, trial, &changes.items[i]);
	return err;
}

int levers_new(const struct host_forecast *base, const struct limits *limits, struct levers **out)
{
	_cleanup_levers_ struct levers *levers = calloc(1, sizeof(*levers));
	struct trial trial;
	int err = levers ? trial_begin(base, limits, &trial) : -ENOMEM;

	if (!err)
		err = try_all(levers, &trial);
	if (err)
		return err;
	if (levers->nr)
		qsort(levers->items, levers->nr, sizeof(*levers->items), by_time_then_ram);
	*out = take_ptr(levers);
	return 0;
}

void levers_free(struct levers *levers)
{
	if (!levers)
		return;
	free(levers->items);
	free(levers);
}

const struct lever *levers_biggest(const struct levers *levers, const struct host_forecast *base,
				   bool without_new_kernel)
{
	double time_ns = base->hotplug.mid_ns + base->boot.total.mid_ns;
	double ram_bytes = (double)base->memmap_ram_bytes;
	const struct lever *most_ram = NULL;

	for (size_t i = 0; i < levers->nr; i++) {
		const struct lever *lever = &levers->items[i];

		if (lever->change.effort == EFFORT_USERS || (without_new_kernel && lever_needs_kernel(lever)))
			continue;
		if ((double)lever->ram_saved_bytes < -LEVER_WORTH_NAMING * ram_bytes)
			continue;
		if (lever_time_saved_ns(lever) >= LEVER_WORTH_NAMING * time_ns &&
		    lever_time_saved_ns(lever) > 0)
			return lever;
		if (lever->ram_saved_bytes > 0 &&
		    (double)lever->ram_saved_bytes >= LEVER_WORTH_NAMING * ram_bytes &&
		    (!most_ram || lever->ram_saved_bytes > most_ram->ram_saved_bytes))
			most_ram = lever;
	}
	return most_ram;
}
