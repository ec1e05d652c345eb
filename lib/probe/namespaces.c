// SPDX-License-Identifier: GPL-2.0-or-later
/* A libnvdimm namespace and what claims it. */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/units.h"
#include "geometry/raw_size.h"
#include "probe/nd.h"

/* What is known of one before it is put into the description. */
struct found {
	const struct nd_device *ns;    /* NULL: no folder */
	const struct nd_device *claim; /* NULL: none */
	enum namespace_mode mode;
	bool has_map;
	enum namespace_map map;
	char *device, *device_dir; /* the block or dax device; NULL: not enabled */
	uint64_t raw_bytes;
	bool has_usable, has_align;
	uint64_t usable_bytes, align_bytes;
	bool has_start; /* computed */
	uint64_t start_bytes;
	int node;
};

static const struct nd_device *device_named(const struct nd_devices *devices, const char *name)
{
	for (size_t i = 0; i < devices->nr; i++) {
		if (!strcmp(devices->items[i].name, name))
			return &devices->items[i];
	}
	return NULL;
}

static bool attr_is(const struct prober *p, const struct nd_device *d, const char *attr, const char *want)
{
	_cleanup_free_ char *text = attr_text(p, d->dir, attr);

	return text && !strcmp(text, want);
}

/* The kernel's words: "memory" is fsdax, "dax" devdax, "safe" (or "sector") a BTT. */
static enum namespace_mode mode_of(const struct prober *p, const struct nd_device *ns)
{
	static const struct {
		const char *word;
		enum namespace_mode mode;
	} words[] = {
		{"memory", NS_FSDAX },
                {"fsdax",  NS_FSDAX },
                {"dax",    NS_DEVDAX},
		{"devdax", NS_DEVDAX},
                {"safe",   NS_SECTOR},
                {"sector", NS_SECTOR}
        };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (attr_is(p, ns, "mode", words[i].word))
			return words[i].mode;
	}
	return NS_RAW;
}

/* The first entry of a folder that starts with prefix: the device that a driver made. */
static void find_device(struct prober *p, struct found *f, const char *under, const char *prefix)
{
	const struct nd_device *d = f->claim ? f->claim : f->ns;
	_cleanup_(root_names_free) char **names = NULL;

	if (root_list(p->root, &names, "%s%s", d->dir, under))
		return;
	for (char **name = names; *name; name++) {
		/* Beside dax0.1 there is a folder dax_region. */
		if (strncmp(*name, prefix, strlen(prefix)) || (*name)[strlen(prefix)] == '_')
			continue;
		f->device = prober_text(p, "%s", *name);
		f->device_dir = prober_text(p, "%s%s/%s", d->dir, under, *name);
		return;
	}
}

static void read_claim(struct prober *p, struct found *f)
{
	const struct nd_device *d = f->claim ? f->claim : f->ns;
	bool has_memmap = f->mode == NS_FSDAX || f->mode == NS_DEVDAX;

	find_device(p, f, f->mode == NS_DEVDAX ? "" : "/block", f->mode == NS_DEVDAX ? "dax" : "pmem");
	if (f->claim)
		f->has_usable = attr_u64(p, d->dir, "size", &f->usable_bytes);
	if (!has_memmap)
		return;
	f->has_align = attr_u64(p, d->dir, "align", &f->align_bytes) && f->align_bytes;
	/*
	 * A label-less namespace that is mapped as a whole (virtio, memmap=) has no info block and no
	 * altmap.
	 */
	f->has_map = true;
	f->map = attr_is(p, d, "mode", "pmem") ? MAP_DEV : MAP_MEM;
}

/* "512 [4096]": 4096. */
static bool sector_size(const struct prober *p, const struct nd_device *d, uint64_t *bytes)
{
	_cleanup_free_ char *text = d ? attr_text(p, d->dir, "sector_size") : NULL;
	const char *chosen = text ? strchr(text, '[') : NULL;

	if (!text)
		return false;
	*bytes = strtoull(chosen ? chosen + 1 : text, NULL, 10);
	return *bytes > 0;
}

/* "…/region1/namespace1.0", or the number in the name: namespaceX.Y is of regionX. */
static char *region_of(struct prober *p, const struct nd_device *d)
{
	const char *number = d->name + strcspn(d->name, "0123456789");

	return prober_text(p, "region%.*s", (int)strcspn(number, "."), number);
}

static void add_fact(struct prober *p, const struct found *f, const char *ns_name)
{
	struct fact_namespace *fact = prober_add(p, p->facts->namespaces, p->facts->nr_namespaces);
	const struct nd_device *d = f->ns ? f->ns : f->claim;

	if (!fact)
		return;
	fact->name = prober_text(p, "%s", ns_name);
	fact->region = region_of(p, d);
	if (f->device)
		fact->device = prober_text(p, "%s", f->device);
	if (f->claim)
		fact->claim = prober_text(p, "%s", f->claim->name);
	fact->mode = prober_text(p, "%s", namespace_mode_name(f->mode));
	if (f->has_map)
		fact->map = prober_text(p, "%s", namespace_map_name(f->map));
	fact->has_raw = f->raw_bytes > 0;
	fact->raw_bytes = f->raw_bytes;
	fact->has_usable = f->has_usable;
	fact->usable_bytes = f->usable_bytes;
	fact->has_align = f->has_align;
	fact->align_bytes = f->align_bytes;
	fact->has_sector =
		sector_size(p, f->mode == NS_SECTOR && f->claim ? f->claim : d, &fact->sector_bytes);
	fact->node = f->node;
	fact->target_node = attr_node(p, d->dir, "target_node");
	if (f->device && f->mode != NS_DEVDAX)
		fact->in_use = block_in_use(p, f->device, f->device_dir);
}

/* What the description has no keys for, in front of the namespace. */
static void remark(struct prober *p, const struct host_namespace *ns)
{
	const struct fact_namespace *fact = &p->facts->namespaces[p->facts->nr_namespaces - 1];
	char sector[64] = "", size[UNITS_STR];

	if (fact->has_sector)
		snprintf(sector, sizeof(sector), ", sectors of %s", size_exact(size, fact->sector_bytes));
	host_remark(p->host, &ns->name, "%s of %s%s%s%s%s", fact->name, fact->region,
		    fact->device ? "" : ", not enabled", sector, fact->in_use ? ", in use: " : "",
		    fact->in_use ? fact->in_use : "");
}

static void describe_map(struct prober *p, struct host_namespace *ns, const struct found *f)
{
	const struct nd_device *d = f->claim ? f->claim : f->ns;

	if (!f->has_map) {
		ns->align_bytes = default_align(p);
		prober_found(p, &ns->align_bytes, "the default: this mode has none");
		return;
	}
	ns->map = f->map;
	prober_found(p, &ns->map, "/%s/mode", d->dir);
	describe_align(p, ns, d->dir);
}

static void describe(struct prober *p, const struct found *f, const char *ns_name)
{
	struct host_namespace *ns = prober_add(p, p->host->namespaces, p->host->nr_namespaces);
	const struct nd_device *d = f->ns ? f->ns : f->claim;

	if (!ns)
		return;
	ns->name = prober_text(p, "%s", f->device ? f->device : ns_name);
	ns->mode = f->mode;
	ns->size_bytes = f->raw_bytes;
	ns->is_bound = f->device != NULL;
	if (f->ns) {
		prober_found(p, &ns->mode, "/%s/mode", d->dir);
		prober_found(p, &ns->size_bytes, "/%s/size", d->dir);
	} else {
		prober_found(p, &ns->mode, "/%s", d->dir);
		prober_found(p, &ns->size_bytes, "computed from /%s/size, the usable size", d->dir);
	}
	describe_map(p, ns, f);
	ns->node = known_node(p, f->node);
	if (ns->node != NODE_ANY)
		prober_found(p, &ns->node, "/%s/numa_node", d->dir);
	if (f->ns) {
		describe_start(p, ns->name, d->dir, &ns->has_start, &ns->start_bytes);
	} else if (f->has_start) {
		ns->has_start = true;
		ns->start_bytes = f->start_bytes;
		prober_found(p, &ns->start_bytes, "computed from /%s/resource", d->dir);
	}
	remark(p, ns);
	trim_size(p, ns);
}

/* A dax device that was given to kmem is memory of a node: what it costs is hot-adding blocks. */
static void finish(struct prober *p, const struct found *f, const char *ns_name)
{
	uint64_t size;

	add_fact(p, f, ns_name);
	if (p->err)
		return;
	if (f->mode == NS_DEVDAX && f->device && dax_is_kmem(p, f->device_dir) &&
	    attr_u64(p, f->device_dir, "size", &size) && size)
		add_system_ram(p, f->device, f->device_dir, size);
	else
		describe(p, f, ns_name);
}

static void found_free(struct found *f)
{
	free(f->device);
	free(f->device_dir);
}

void add_namespace(struct prober *p, const struct nd_devices *devices, const struct nd_device *d)
{
	_cleanup_(found_free) struct found f = {.ns = d};
	_cleanup_free_ char *holder = attr_text(p, d->dir, "holder");

	/* Seeds, which wait to be configured, have no size. */
	if (!attr_u64(p, d->dir, "size", &f.raw_bytes) || !f.raw_bytes)
		return;
	f.claim = holder ? device_named(devices, holder) : NULL;
	f.mode = mode_of(p, d);
	f.node = attr_node(p, d->dir, "numa_node");
	read_claim(p, &f);
	finish(p, &f, d->name);
}

/*
 * The raw size that leaves so many usable bytes, by the kernel's own rule; of several the roundest. 0:
 * there is none.
 */
static uint64_t raw_of_usable(const struct found *f, uint64_t page_bytes)
{
	const struct raw_layout layout = {.align_bytes = f->has_align ? f->align_bytes : 2 * MIB,
					  .map = f->map,
					  .page_bytes = page_bytes};
	struct raw_sizes sizes;

	return raw_sizes_for(&layout, f->usable_bytes, f->usable_bytes, &sizes) ? 0 : sizes.round_bytes;
}

void add_orphan(struct prober *p, const struct nd_devices *devices, const struct nd_device *d)
{
	_cleanup_(found_free) struct found f = {.claim = d, .node = attr_node(p, d->dir, "numa_node")};
	_cleanup_free_ char *ns_name = attr_text(p, d->dir, "namespace");
	uint64_t start;

	if (!ns_name || device_named(devices, ns_name))
		return;
	f.mode = *d->name == 'p' ? NS_FSDAX : *d->name == 'd' ? NS_DEVDAX : NS_SECTOR;
	read_claim(p, &f);
	if (!f.has_usable || !f.usable_bytes)
		return;
	f.raw_bytes = f.has_map ? raw_of_usable(&f, p->host->page_size_bytes) : 0;
	if (f.raw_bytes && attr_u64(p, d->dir, "resource", &start) && start >= f.raw_bytes - f.usable_bytes) {
		f.has_start = true;
		f.start_bytes = start - (f.raw_bytes - f.usable_bytes);
	}
	if (f.raw_bytes) {
		finish(p, &f, ns_name);
		return;
	}
	add_fact(p, &f, ns_name);
	prober_note(p, "%s: its raw size is not known%s: left out of the description", ns_name,
		    f.mode == NS_SECTOR ? ", and it has no struct pages" : "");
}
