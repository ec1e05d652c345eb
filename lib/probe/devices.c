// SPDX-License-Identifier: GPL-2.0-or-later
/* libnvdimm namespaces and DAX devices, from sysfs alone. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "host/pages.h"
#include "probe/prober.h"

#define ND  "sys/bus/nd/devices"
#define DAX "sys/bus/dax/devices"

static bool reads(const struct prober *p, const char *want, const char *dir, const char *name,
		  const char *attr)
{
	_cleanup_free_ char *text = NULL;

	return !root_read(p->root, &text, "%s/%s/%s", dir, name, attr) && !strcmp(text, want);
}

/* "-1" where the platform does not say. */
static int read_node(const struct prober *p, const char *dir, const char *name, const char *attr)
{
	uint64_t node;

	if (root_read_u64(p->root, &node, "%s/%s/%s", dir, name, attr) || node > 1023)
		return NODE_ANY;
	for (size_t i = 0; i < p->host->nr_nodes; i++) {
		if (p->host->nodes[i].id == node)
			return (int)node;
	}
	return NODE_ANY;
}

/* The first entry of a directory that starts with prefix; NULL when there is none. The caller frees. */
static char *child_named(const struct prober *p, const char *prefix, const char *dir)
{
	_cleanup_(root_names_free) char **names = NULL;

	if (root_list(p->root, &names, "%s", dir))
		return NULL;
	for (char **name = names; *name; name++) {
		if (!strncmp(*name, prefix, strlen(prefix)))
			return strdup(*name);
	}
	return NULL;
}

/* The block or dax device of a namespace or of what claims it: "pmem0", "dax0.0". */
static char *device_name(const struct prober *p, const char *claim, enum namespace_mode mode)
{
	char dir[256];

	snprintf(dir, sizeof(dir), ND "/%s%s", claim, mode == NS_DEVDAX ? "" : "/block");
	return child_named(p, mode == NS_DEVDAX ? "dax" : "pmem", dir);
}

/* The kernel's words: "memory" is fsdax, "dax" devdax, "safe" (or "sector") a BTT. */
static enum namespace_mode read_mode(const struct prober *p, const char *name)
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
		if (reads(p, words[i].word, ND, name, "mode"))
			return words[i].mode;
	}
	return NS_RAW;
}

/* The kernel leaves out what lies past the last multiple of align (end_trunc): leave it out here, too. */
static void trim_size(struct prober *p, struct host_namespace *ns)
{
	uint64_t unit = MAX(ns->align_bytes, 2 * MIB), rest = ns->size_bytes % unit;

	if (!rest || ns->mode == NS_RAW || ns->mode == NS_SECTOR || rest == ns->size_bytes)
		return;
	prober_note(p, "%s: the last %" PRIu64 " bytes are less than its align and not used", ns->name, rest);
	ns->size_bytes -= rest;
}

static void read_claim(struct prober *p, const char *claim, struct host_namespace *ns)
{
	const struct page_sizes *sizes = page_sizes_of(p->host->arch, p->host->page_size_bytes);
	uint64_t align;

	ns->align_bytes = sizes ? sizes->pmd_bytes : 2 * MIB;
	if (ns->mode != NS_FSDAX && ns->mode != NS_DEVDAX)
		return;
	if (!root_read_u64(p->root, &align, ND "/%s/align", claim) && align)
		ns->align_bytes = align;
	else
		prober_note(p, "%s: align not known: taken as the default", ns->name);
	/* A label-less namespace that is mapped as a whole (virtio, memmap=) has no info block and no altmap. */
	ns->map = reads(p, "pmem", ND, claim, "mode") ? MAP_DEV : MAP_MEM;
}

static int add_namespace(struct prober *p, const char *name)
{
	_cleanup_free_ char *holder = NULL;
	struct host_namespace *ns;
	const char *claim;
	uint64_t size;

	/* Seeds, which wait to be configured, have no size. */
	if (strncmp(name, "namespace", 9) || root_read_u64(p->root, &size, ND "/%s/size", name) || !size)
		return 0;
	ns = array_grow(&p->host->namespaces, &p->host->nr_namespaces, sizeof(*ns));
	if (!ns)
		return -ENOMEM;
	if (root_read(p->root, &holder, ND "/%s/holder", name))
		holder = NULL;
	claim = holder && *holder ? holder : name;
	ns->mode = read_mode(p, name);
	ns->size_bytes = size;
	ns->name = device_name(p, claim, ns->mode);
	if (!ns->name)
		ns->name = strdup(name);
	if (!ns->name)
		return -ENOMEM;
	ns->node = read_node(p, ND, name, "numa_node");
	read_claim(p, claim, ns);
	trim_size(p, ns);
	ns->has_start = !root_read_u64(p->root, &ns->start_bytes, ND "/%s/resource", name);
	if (!ns->has_start)
		prober_note(p, "%s: physical address not readable: taken as aligned", ns->name);
	return 0;
}

int probe_namespaces(struct prober *p)
{
	_cleanup_(root_names_free) char **names = NULL;
	int err = 0;

	if (root_list(p->root, &names, ND))
		return 0;
	for (char **name = names; *name && !err; name++)
		err = add_namespace(p, *name);
	return err;
}

/* A DAX device on a namespace was met as that namespace. */
static bool is_of_namespace(const struct prober *p, const char *name)
{
	_cleanup_free_ char *link = NULL;

	for (size_t i = 0; i < p->host->nr_namespaces; i++) {
		if (!strcmp(p->host->namespaces[i].name, name))
			return true;
	}
	return !root_readlink(p->root, &link, DAX "/%s", name) && strstr(link, "/ndbus");
}

static bool is_kmem(const struct prober *p, const char *name)
{
	_cleanup_free_ char *link = NULL;

	if (root_readlink(p->root, &link, DAX "/%s/driver", name))
		return false;
	return !strcmp(strrchr(link, '/') ? strrchr(link, '/') + 1 : link, "kmem");
}

/* Memory blocks of a system-ram device are no RAM of the boot. */
static void take_from_node(struct prober *p, const struct host_device *dev, uint64_t target)
{
	uint64_t bytes = dev->block_bytes ? dev->size_bytes / dev->block_bytes * dev->block_bytes : 0;

	for (size_t i = 0; i < p->host->nr_nodes; i++) {
		struct host_node *node = &p->host->nodes[i];

		if (node->id != target || !bytes)
			continue;
		bytes = MIN(bytes, node->memory_bytes); /* blocks may be offline */
		node->memory_bytes -= bytes;
		p->host->memory_bytes -= MIN(bytes, p->host->memory_bytes);
	}
}

static int add_system_ram(struct prober *p, const char *name, uint64_t size)
{
	struct host_device *dev = array_grow(&p->host->devices, &p->host->nr_devices, sizeof(*dev));
	uint64_t on_memory, target;

	if (!dev || !(dev->name = strdup(name)))
		return -ENOMEM;
	dev->type = DEV_SYSTEM_RAM;
	dev->size_bytes = size;
	dev->count = 1;
	dev->block_bytes = p->block_bytes;
	dev->node = read_node(p, DAX, name, "target_node");
	dev->memmap_on_memory =
		!root_read_u64(p->root, &on_memory, DAX "/%s/memmap_on_memory", name) && on_memory;
	dev->has_start = !root_read_u64(p->root, &dev->start_bytes, DAX "/%s/resource", name);
	if (!root_read_u64(p->root, &target, DAX "/%s/target_node", name))
		take_from_node(p, dev, target);
	return 0;
}

/* hmem and CXL: a devdax without an info block, whose struct pages count like those of map=mem. */
static int add_devdax(struct prober *p, const char *name, uint64_t size)
{
	struct host_namespace *ns = array_grow(&p->host->namespaces, &p->host->nr_namespaces, sizeof(*ns));

	if (!ns || !(ns->name = strdup(name)))
		return -ENOMEM;
	ns->mode = NS_DEVDAX;
	ns->map = MAP_MEM;
	ns->size_bytes = size;
	ns->node = read_node(p, DAX, name, "numa_node");
	if (root_read_u64(p->root, &ns->align_bytes, DAX "/%s/align", name) || !ns->align_bytes) {
		ns->align_bytes = 2 * MIB;
		prober_note(p, "%s: align not known: taken as 2MiB", name);
	}
	ns->has_start = !root_read_u64(p->root, &ns->start_bytes, DAX "/%s/resource", name);
	trim_size(p, ns);
	return 0;
}

int probe_dax(struct prober *p)
{
	_cleanup_(root_names_free) char **names = NULL;
	int err = 0;

	if (root_list(p->root, &names, DAX))
		return 0;
	for (char **name = names; *name && !err; name++) {
		uint64_t size;

		if (is_of_namespace(p, *name) || root_read_u64(p->root, &size, DAX "/%s/size", *name) ||
		    !size)
			continue;
		err = is_kmem(p, *name) ? add_system_ram(p, *name, size) : add_devdax(p, *name, size);
	}
	return err;
}
