// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/lever.h"

#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "base/util.h"

/* What a kind of lever costs its operator, and whether it takes a kernel that the host does not have. */
static const struct {
	const char *price;
	bool new_kernel;
} kinds[NR_LEVER_KINDS] = {
	[LEVER_ALIGN] = {"needs the namespace created again and its data moved", false},
	[LEVER_MAP] = {"needs the namespace created again and its data moved", false},
	[LEVER_MEMMAP_ON_MEMORY] = {"needs the memory offlined and onlined again",          false},
	[LEVER_HVO] = {"slows run-time allocation of hugepages",               false},
	[LEVER_DEFERRED] = {"needs a kernel built with it",                         true },
	[LEVER_DAX_OPTIMIZATION] = {"needs a kernel built with it",                         true },
	[LEVER_PATH] = {"needs a kernel that has this path",                    true },
};

/* The search: every change is made on a copy of the host and undone by throwing the copy away. */
struct search {
	const struct host_forecast *base;
	struct levers *levers;
};

static int64_t saved_bytes(uint64_t before, uint64_t after)
{
	return (int64_t)(before - after);
}

bool windows_fit(const struct host_forecast *forecast)
{
	for (size_t i = 0; i < forecast->nr_windows; i++) {
		if (!forecast->windows[i].fits)
			return false;
	}
	return true;
}

static bool changes_nothing(const struct host_forecast *before, const struct host_forecast *after)
{
	return before->hotplug.mid_ns == after->hotplug.mid_ns &&
	       before->hotplug_first.mid_ns == after->hotplug_first.mid_ns &&
	       before->boot.total.mid_ns == after->boot.total.mid_ns &&
	       before->memmap_ram_bytes == after->memmap_ram_bytes &&
	       before->memmap_device_bytes == after->memmap_device_bytes;
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

/* Work that the profile has no cost of would make a change look better than it is. */
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

static int keep(struct search *search, const struct lever *change, const struct host_forecast *after)
{
	const struct host_forecast *base = search->base;
	struct lever *lever;

	if (changes_nothing(base, after) || has_new_gaps(base, after))
		return 0;
	lever = array_grow(&search->levers->items, &search->levers->nr, sizeof(*lever));
	if (!lever)
		return -ENOMEM;
	*lever = *change;
	lever->price = kinds[change->kind].price;
	lever->new_kernel = kinds[change->kind].new_kernel;
	lever->hotplug = after->hotplug;
	lever->hotplug_first = after->hotplug_first;
	lever->boot = after->boot.total;
	lever->memmap_ram_bytes = after->memmap_ram_bytes;
	lever->memmap_device_bytes = after->memmap_device_bytes;
	lever->windows_fit = windows_fit(after);
	lever->hotplug_saved_ns = base->hotplug.mid_ns - after->hotplug.mid_ns;
	lever->boot_saved_ns = base->boot.total.mid_ns - after->boot.total.mid_ns;
	lever->ram_saved_bytes = saved_bytes(base->memmap_ram_bytes, after->memmap_ram_bytes);
	lever->device_saved_bytes = saved_bytes(base->memmap_device_bytes, after->memmap_device_bytes);
	return 0;
}

/* Forecast a changed host. What the checker or geometry refuses is no lever, and no error. */
static int try_host(struct search *search, const struct host *changed, const struct lever *change,
		    enum memmap_path path)
{
	_cleanup_forecast_ struct host_forecast *after = NULL;
	_cleanup_work_ struct work *work = NULL;
	int err = host_check(changed, NULL);

	if (!err)
		err = work_new(changed, NULL, &work);
	if (!err)
		err = forecast_new(changed, work, search->base->profile, path, &after);
	if (err)
		return err == -ENOMEM ? err : 0;
	return keep(search, change, after);
}

static int try_align(struct search *search, size_t i)
{
	static const uint64_t aligns[] = {4 * KIB, 16 * KIB, 64 * KIB, 2 * MIB, 32 * MIB, 512 * MIB, GIB};
	const struct host *host = search->base->host;
	const struct host_namespace *ns = &host->namespaces[i];

	/* fsdax has base pages whatever its align: nothing to win */
	if (ns->mode != NS_DEVDAX)
		return 0;
	for (size_t a = 0; a < ARRAY_SIZE(aligns); a++) {
		_cleanup_host_ struct host *changed = NULL;
		struct lever change = {.kind = LEVER_ALIGN, .device = ns->name};
		char size[UNITS_STR];
		int err;

		if (aligns[a] == ns->align_bytes)
			continue;
		changed = host_copy(host);
		if (!changed)
			return -ENOMEM;
		changed->namespaces[i].align_bytes = aligns[a];
		changed->namespaces[i].has_usable = false;
		snprintf(change.change, sizeof(change.change), "align=%s", size_exact(size, aligns[a]));
		err = try_host(search, changed, &change, search->base->path);
		if (err)
			return err;
	}
	return 0;
}

static int try_map(struct search *search, size_t i)
{
	_cleanup_host_ struct host *changed = NULL;
	const struct host_namespace *ns = &search->base->host->namespaces[i];
	struct lever change = {.kind = LEVER_MAP, .device = ns->name};
	enum namespace_map map = ns->map == MAP_DEV ? MAP_MEM : MAP_DEV;

	if (ns->mode != NS_FSDAX && ns->mode != NS_DEVDAX)
		return 0;
	changed = host_copy(search->base->host);
	if (!changed)
		return -ENOMEM;
	changed->namespaces[i].map = map;
	changed->namespaces[i].has_usable = false;
	snprintf(change.change, sizeof(change.change), "map=%s", namespace_map_name(map));
	return try_host(search, changed, &change, search->base->path);
}

static int try_memmap_on_memory(struct search *search, size_t i)
{
	_cleanup_host_ struct host *changed = NULL;
	const struct host_device *dev = &search->base->host->devices[i];
	struct lever change = {.kind = LEVER_MEMMAP_ON_MEMORY, .device = dev->name};

	if (dev->type != DEV_SYSTEM_RAM)
		return 0;
	changed = host_copy(search->base->host);
	if (!changed)
		return -ENOMEM;
	changed->devices[i].memmap_on_memory = !dev->memmap_on_memory;
	snprintf(change.change, sizeof(change.change), "memmap_on_memory=%s",
		 dev->memmap_on_memory ? "off" : "on");
	return try_host(search, changed, &change, search->base->path);
}

/* A switch of the whole host: flipped, where it is off. */
static int try_switch(struct search *search, enum lever_kind kind, const char *text)
{
	_cleanup_host_ struct host *changed = host_copy(search->base->host);
	struct lever change = {.kind = kind};

	if (!changed)
		return -ENOMEM;
	snprintf(change.change, sizeof(change.change), "%s", text);
	switch (kind) {
	case LEVER_HVO:
		changed->hvo_enabled = true;
		break;
	case LEVER_DEFERRED:
		changed->kernel.deferred_struct_page_init = true;
		break;
	case LEVER_DAX_OPTIMIZATION:
		changed->kernel.dax_vmemmap_optimization = true;
		break;
	default:
		return -EINVAL;
	}
	return try_host(search, changed, &change, search->base->path);
}

static int try_switches(struct search *search)
{
	const struct host *host = search->base->host;
	int err = 0;

	if (!host->hvo_enabled && host->hvo_supported && search->base->work->rules.hvo_available)
		err = try_switch(search, LEVER_HVO, "hugetlb_free_vmemmap=on");
	if (!err && !host->kernel.deferred_struct_page_init)
		err = try_switch(search, LEVER_DEFERRED, "deferred_struct_page_init=on");
	if (!err && !host->kernel.dax_vmemmap_optimization)
		err = try_switch(search, LEVER_DAX_OPTIMIZATION, "dax_vmemmap_optimization=on");
	return err;
}

static int try_path(struct search *search, enum memmap_path path)
{
	struct lever change = {.kind = LEVER_PATH};

	if (path == search->base->path || path == PATH_BASELINE)
		return 0;
	snprintf(change.change, sizeof(change.change), "memmap_path=%s", path_name(path));
	return try_host(search, search->base->host, &change, path);
}

static double time_saved_ns(const struct lever *lever)
{
	return lever->hotplug_saved_ns + lever->boot_saved_ns;
}

static int by_time_then_ram(const void *a, const void *b)
{
	const struct lever *x = a, *y = b;
	double tx = time_saved_ns(x), ty = time_saved_ns(y);

	if (tx != ty)
		return tx < ty ? 1 : -1;
	if (x->ram_saved_bytes != y->ram_saved_bytes)
		return x->ram_saved_bytes < y->ram_saved_bytes ? 1 : -1;
	return strcmp(x->change, y->change);
}

static int try_all(struct search *search)
{
	const struct host *host = search->base->host;
	int err = 0;

	for (size_t i = 0; i < host->nr_namespaces && !err; i++) {
		err = try_align(search, i);
		if (!err)
			err = try_map(search, i);
	}
	for (size_t i = 0; i < host->nr_devices && !err; i++)
		err = try_memmap_on_memory(search, i);
	if (!err)
		err = try_switches(search);
	for (int path = 0; path < NR_PATHS && !err; path++)
		err = try_path(search, (enum memmap_path)path);
	return err;
}

int levers_new(const struct host_forecast *base, struct levers **out)
{
	_cleanup_levers_ struct levers *levers = calloc(1, sizeof(*levers));
	struct search search = {.base = base, .levers = levers};
	int err = levers ? try_all(&search) : -ENOMEM;

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
	const struct lever *most_ram = NULL;
	double time_ns = base->hotplug.mid_ns + base->boot.total.mid_ns;

	for (size_t i = 0; i < levers->nr; i++) {
		const struct lever *lever = &levers->items[i];

		if (without_new_kernel && lever->new_kernel)
			continue;
		if (time_saved_ns(lever) >= 0.02 * time_ns && time_saved_ns(lever) > 0)
			return lever;
		if (lever->ram_saved_bytes > 0 &&
		    (double)lever->ram_saved_bytes >= 0.01 * (double)base->memmap_ram_bytes &&
		    (!most_ram || lever->ram_saved_bytes > most_ram->ram_saved_bytes))
			most_ram = lever;
	}
	return most_ram;
}
