// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/change.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "base/util.h"
#include "host/pages.h"

/* What a kind of change costs its operator. What depends on the values is added by those who make the change. */
/* clang-format off */
static const struct {
	enum effort effort;
	const char *price;
} kinds[NR_CHANGE_KINDS] = {
	[CHANGE_AT_ONCE] = {EFFORT_NONE, "needs binds started side by side, and memory bandwidth for all"},
	[CHANGE_HVO] = {EFFORT_REBOOT, "needs a reboot; slows run-time allocation of hugepages"},
	[CHANGE_HUGEPAGE_SIZE] = {EFFORT_USERS, "needs a reboot, and users that ask for pages of that size"},
	[CHANGE_MEMMAP_ON_MEMORY] = {EFFORT_REBOOT, "needs a reboot with another memory_hotplug.memmap_on_memory"},
	[CHANGE_NAMESPACE] = {EFFORT_RECREATE, "needs the namespace created again and its data moved"},
	[CHANGE_DEFERRED] = {EFFORT_KERNEL, "needs a kernel built with it"},
	[CHANGE_DAX_OPTIMIZATION] = {EFFORT_KERNEL, "needs a kernel built with it"},
	[CHANGE_PATH] = {EFFORT_KERNEL, "needs a kernel that has this path"},
};
/* clang-format on */

const char *effort_name(enum effort effort)
{
	static const char *const names[NR_EFFORTS] = {"none", "reboot", "recreate", "users", "kernel"};

	return names[effort];
}

struct listing {
	const struct host *host;
	const struct page_sizes *sizes;
	struct changes *out;
};

/* One more change of the group being listed; NULL: no memory. */
static struct change *add(struct listing *l, enum change_kind kind, const char *fmt, ...) _printf_(3, 4);

static struct change *add(struct listing *l, enum change_kind kind, const char *fmt, ...)
{
	struct change *change = array_grow(&l->out->items, &l->out->nr, sizeof(*change));
	va_list ap;

	if (!change)
		return NULL;
	change->kind = kind;
	change->effort = kinds[kind].effort;
	change->group = l->out->nr_groups;
	va_start(ap, fmt);
	vsnprintf(change->text, sizeof(change->text), fmt, ap);
	va_end(ap);
	snprintf(change->price, sizeof(change->price), "%s", kinds[kind].price);
	return change;
}

static void add_price(struct change *change, const char *fmt, ...) _printf_(2, 3);

static void add_price(struct change *change, const char *fmt, ...)
{
	size_t len = strlen(change->price);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(change->price + len, sizeof(change->price) - len, fmt, ap);
	va_end(ap);
}

/* The next change is of another group. */
static void end_group(struct listing *l)
{
	if (l->out->nr && l->out->items[l->out->nr - 1].group == l->out->nr_groups)
		l->out->nr_groups++;
}

/* The align of devdax is what its users' mappings are made of. */
static void price_align(const struct host *host, struct change *change, uint64_t from, uint64_t to)
{
	char size[UNITS_STR];

	size_exact(size, to);
	if (to > from)
		add_price(change, "; its users map it in steps of %s", size);
	if (to >= from)
		return;
	change->effort = EFFORT_USERS;
	add_price(change, "; its users get faults and folios of %s%s", size,
		  to == host->page_size_bytes ? ", no huge mappings" : "");
}

static int add_namespace(struct listing *l, size_t index, uint64_t align, enum namespace_map map)
{
	const struct host_namespace *ns = &l->host->namespaces[index];
	bool other_align = align != ns->align_bytes, other_map = map != ns->map;
	struct change *change;
	char size[UNITS_STR];

	if (!other_align && !other_map)
		return 0;
	change = add(l, CHANGE_NAMESPACE, "%s%s%s%s%s", other_align ? "align=" : "",
		     other_align ? size_exact(size, align) : "", other_align && other_map ? " " : "",
		     other_map ? "map=" : "", other_map ? namespace_map_name(map) : "");
	if (!change)
		return -ENOMEM;
	change->device = ns->name;
	change->index = index;
	change->align_bytes = align;
	change->map = map;
	price_align(l->host, change, ns->align_bytes, align);
	return 0;
}

static int list_namespace(struct listing *l, size_t index)
{
	static const enum namespace_map maps[] = {MAP_DEV, MAP_MEM};
	const struct page_sizes *sizes = l->sizes;
	const uint64_t aligns[] = {sizes->page_bytes, sizes->pmd_bytes, sizes->pud_bytes}; /* 0: none */
	const struct host_namespace *ns = &l->host->namespaces[index];
	int err = 0;

	if (ns->mode != NS_FSDAX && ns->mode != NS_DEVDAX)
		return 0;
	for (size_t m = 0; m < ARRAY_SIZE(maps) && !err; m++) {
		/* fsdax has base pages whatever its align: nothing to win */
		if (ns->mode == NS_FSDAX)
			err = add_namespace(l, index, ns->align_bytes, maps[m]);
		for (size_t a = 0; a < ARRAY_SIZE(aligns) && ns->mode == NS_DEVDAX && !err; a++)
			err = aligns[a] ? add_namespace(l, index, aligns[a], maps[m]) : 0;
	}
	end_group(l);
	return err;
}

static int list_device(struct listing *l, size_t index)
{
	const struct host_device *dev = &l->host->devices[index];
	struct change *change;

	if (dev->type != DEV_SYSTEM_RAM)
		return 0;
	change = add(l, CHANGE_MEMMAP_ON_MEMORY, "memmap_on_memory=%s", dev->memmap_on_memory ? "off" : "on");
	if (!change)
		return -ENOMEM;
	change->device = dev->name;
	change->index = index;
	end_group(l);
	return 0;
}

static int list_pool(struct listing *l, size_t index)
{
	const uint64_t *sizes = l->sizes->hugepage_bytes;
	const struct host_hugepages *pool = &l->host->hugepages[index];
	uint64_t bytes;

	if (pool->when != HUGEPAGES_BOOT || mul_u64(pool->count, pool->size_bytes, &bytes))
		return 0;
	for (size_t i = 0; i < MAX_HUGEPAGE_SIZES && sizes[i]; i++) {
		char from[UNITS_STR], to[UNITS_STR];
		struct change *change;

		if (sizes[i] == pool->size_bytes || bytes < sizes[i] || bytes % sizes[i])
			continue;
		change = add(l, CHANGE_HUGEPAGE_SIZE, "%" PRIu64 " hugepages of %s for %" PRIu64 " of %s",
			     bytes / sizes[i], size_exact(to, sizes[i]), pool->count,
			     size_exact(from, pool->size_bytes));
		if (!change)
			return -ENOMEM;
		change->index = index;
		change->hugepage_bytes = sizes[i];
	}
	end_group(l);
	return 0;
}

/* A switch of the whole host, where it is off. */
static int list_switch(struct listing *l, bool is_off, enum change_kind kind, const char *text)
{
	if (is_off && !add(l, kind, "%s", text))
		return -ENOMEM;
	end_group(l);
	return 0;
}

static int list_paths(struct listing *l, enum memmap_path current)
{
	for (int path = PATH_TEMPLATE; path < NR_PATHS; path++) {
		struct change *change;

		if (path == (int)current)
			continue;
		change = add(l, CHANGE_PATH, "memmap_path=%s", path_name((enum memmap_path)path));
		if (!change)
			return -ENOMEM;
		change->path = (enum memmap_path)path;
	}
	end_group(l);
	return 0;
}

/* A bind keeps a CPU busy: side by side only as many as there are. */
static int list_at_once(struct listing *l, const struct ways *ways)
{
	uint64_t nr = l->host->nr_namespaces;

	for (size_t i = 0; i < l->host->nr_devices; i++)
		nr += l->host->devices[i].count;
	if (ways->at_once || nr < 2 || nr > l->host->cpus)
		return 0;
	if (!add(l, CHANGE_AT_ONCE, "%" PRIu64 " devices at once", nr))
		return -ENOMEM;
	end_group(l);
	return 0;
}

static int list_switches(struct listing *l, const struct kernel_rules *rules)
{
	const struct host *host = l->host;
	bool has_hvo = host->hvo_supported && rules->hvo_available;
	int err = list_switch(l, has_hvo && !host->hvo_enabled, CHANGE_HVO, "hugetlb_free_vmemmap=on");

	if (!err)
		err = list_switch(l, !host->kernel.deferred_struct_page_init, CHANGE_DEFERRED,
				  "deferred_struct_page_init=on");
	if (!err)
		err = list_switch(l, !host->kernel.dax_vmemmap_optimization, CHANGE_DAX_OPTIMIZATION,
				  "dax_vmemmap_optimization=on");
	return err;
}

int changes_new(const struct host *host, const struct kernel_rules *rules, const struct ways *ways,
		struct changes *out)
{
	_cleanup_changes_ struct changes changes = {0};
	struct listing l = {
		.host = host, .sizes = page_sizes_of(host->arch, host->page_size_bytes), .out = &changes};
	int err = l.sizes ? list_at_once(&l, ways) : -EINVAL;

	for (size_t i = 0; i < host->nr_namespaces && !err; i++)
		err = list_namespace(&l, i);
	for (size_t i = 0; i < host->nr_devices && !err; i++)
		err = list_device(&l, i);
	for (size_t i = 0; i < host->nr_hugepages && !err; i++)
		err = list_pool(&l, i);
	if (!err)
		err = list_switches(&l, rules);
	if (!err)
		err = list_paths(&l, ways->path);
	if (err)
		return err;
	*out = changes;
	changes.items = NULL;
	return 0;
}

void changes_free(struct changes *changes)
{
	free(changes->items);
	*changes = (struct changes){0};
}

static void apply_namespace(const struct change *change, struct host_namespace *ns)
{
	ns->align_bytes = change->align_bytes;
	ns->map = change->map;
	ns->has_usable = false;
}

static void apply_pool(const struct change *change, struct host_hugepages *pool)
{
	pool->count = pool->count * pool->size_bytes / change->hugepage_bytes;
	pool->size_bytes = change->hugepage_bytes;
}

void change_apply(const struct change *change, struct host *host, struct ways *ways)
{
	switch (change->kind) {
	case CHANGE_AT_ONCE:
		ways->at_once = true;
		break;
	case CHANGE_HVO:
		host->hvo_enabled = true;
		break;
	case CHANGE_HUGEPAGE_SIZE:
		apply_pool(change, &host->hugepages[change->index]);
		break;
	case CHANGE_MEMMAP_ON_MEMORY:
		host->devices[change->index].memmap_on_memory ^= true;
		break;
	case CHANGE_NAMESPACE:
		apply_namespace(change, &host->namespaces[change->index]);
		break;
	case CHANGE_DEFERRED:
		host->kernel.deferred_struct_page_init = true;
		break;
	case CHANGE_DAX_OPTIMIZATION:
		host->kernel.dax_vmemmap_optimization = true;
		break;
	case CHANGE_PATH:
		ways->path = change->path;
		break;
	case NR_CHANGE_KINDS:
		break;
	}
}
