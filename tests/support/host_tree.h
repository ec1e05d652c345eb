/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A description as the /proc and /sys files of a kernel that runs on such a host. Written from the kernel's
 * documentation and from what kernels show, not from the prober: it is what the prober is held to.
 */
#ifndef MEMMAPCTL_TESTS_SUPPORT_HOST_TREE_H
#define MEMMAPCTL_TESTS_SUPPORT_HOST_TREE_H

#include "support/memory_tree.h"

#include <bpf/btf.h>
#include <inttypes.h>

#include "base/units.h"
#include "host/host.h"
#include "host/pages.h"

static inline void putf(struct tree *t, const char *text, const char *fmt, ...) _printf_(3, 4);
static inline void putf(struct tree *t, const char *text, const char *fmt, ...)
{
	char path[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	tree_put(t, path, text);
}

static inline void put_number(struct tree *t, uint64_t value, const char *dir, const char *attr)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	putf(t, text, "%s/%s", dir, attr);
}

static inline void put_node(struct tree *t, int node, const char *dir, const char *attr)
{
	char text[32];

	snprintf(text, sizeof(text), "%d", node == NODE_ANY ? -1 : node);
	putf(t, text, "%s/%s", dir, attr);
}

static inline void put_address(struct tree *t, uint64_t value, const char *dir)
{
	char text[32];

	snprintf(text, sizeof(text), "%#" PRIx64, value);
	putf(t, text, "%s/resource", dir);
}

static inline bool has_private(const struct host *h)
{
	for (size_t i = 0; i < h->nr_devices; i++) {
		if (h->devices[i].type == DEV_PRIVATE)
			return true;
	}
	return false;
}

static inline void put_kernel(struct tree *t, const struct host *h)
{
	char config[256];

	tree_put(t, "proc/sys/kernel/arch", arch_name(h->arch));
	tree_put(t, "proc/sys/kernel/hostname", h->name);
	tree_put(t, "proc/sys/kernel/osrelease", h->kernel.release);
	tree_put(t, "proc/sys/vm/swappiness", "60");
	if (h->hvo_supported)
		tree_put(t, "proc/sys/vm/hugetlb_optimize_vmemmap", h->hvo_enabled ? "1" : "0");
	snprintf(config, sizeof(config), "CONFIG_SMP=y\n%s\n%s\n%s",
		 h->kernel.deferred_struct_page_init ? "CONFIG_DEFERRED_STRUCT_PAGE_INIT=y"
						     : "# CONFIG_DEFERRED_STRUCT_PAGE_INIT is not set",
		 h->kernel.dax_vmemmap_optimization ? "CONFIG_ARCH_WANT_OPTIMIZE_DAX_VMEMMAP=y" : "",
		 has_private(h) ? "CONFIG_DEVICE_PRIVATE=y" : "# CONFIG_DEVICE_PRIVATE is not set");
	putf(t, config, "boot/config-%s", h->kernel.release);
}

static inline void put_btf(struct tree *t, const struct host *h)
{
	struct btf *btf = btf__new_empty();
	const void *data;
	uint32_t len;

	assert_true(btf__add_struct(btf, "page", (uint32_t)h->struct_page_bytes) > 0);
	data = btf__raw_data(btf, &len);
	check_int(tree_add(t, "sys/kernel/btf/vmlinux", TREE_FILE, data, len), 0, "BTF");
	btf__free(btf);
}

static inline void put_blocks(struct tree *t, uint32_t node, uint64_t start, uint64_t bytes, uint64_t block)
{
	for (uint64_t i = start / block; i < (start + bytes) / block; i++) {
		putf(t, "online", "sys/devices/system/memory/memory%" PRIu64 "/state", i);
		putf(t, "-> ../../node/node", "sys/devices/system/memory/memory%" PRIu64 "/node%" PRIu32, i,
		     node);
		putf(t, "-> ../../memory", "sys/devices/system/node/node%" PRIu32 "/memory%" PRIu64, node, i);
	}
}

/* Where RAM of the boot lies is not in a description: one node after the other, from address 0. */
static inline void put_nodes(struct tree *t, const struct host *h, uint64_t block)
{
	uint64_t start = 0;
	uint32_t cpu = 0;
	char text[64];

	snprintf(text, sizeof(text), "%" PRIx64, block);
	tree_put(t, "sys/devices/system/memory/block_size_bytes", text);
	for (size_t i = 0; i < h->nr_nodes; i++) {
		const struct host_node *node = &h->nodes[i];

		*text = 0;
		if (node->cpus)
			snprintf(text, sizeof(text), "%" PRIu32 "-%" PRIu32, cpu, cpu + node->cpus - 1);
		cpu += node->cpus;
		putf(t, text, "sys/devices/system/node/node%" PRIu32 "/cpulist", node->id);
		put_blocks(t, node->id, start, node->memory_bytes, block);
		start += node->memory_bytes;
	}
}

/* Pages of a size on a node, or of the whole host. */
static inline uint64_t pages_of(const struct host *h, uint64_t size_bytes, int node)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < h->nr_hugepages; i++) {
		if (h->hugepages[i].size_bytes == size_bytes &&
		    (node == NODE_ANY || h->hugepages[i].node == node))
			sum += h->hugepages[i].count;
	}
	return sum;
}

static inline void put_pools(struct tree *t, const struct host *h)
{
	const struct page_sizes *sizes = page_sizes_of(h->arch, h->page_size_bytes);
	char dir[128];

	for (int i = 0; i < MAX_HUGEPAGE_SIZES && sizes->hugepage_bytes[i]; i++) {
		uint64_t bytes = sizes->hugepage_bytes[i];

		snprintf(dir, sizeof(dir), "sys/kernel/mm/hugepages/hugepages-%llukB", bytes / KIB);
		put_number(t, pages_of(h, bytes, NODE_ANY), dir, "nr_hugepages");
		for (size_t j = 0; j < h->nr_nodes; j++) {
			snprintf(dir, sizeof(dir),
				 "sys/devices/system/node/node%" PRIu32 "/hugepages/hugepages-%llukB",
				 h->nodes[j].id, bytes / KIB);
			put_number(t, pages_of(h, bytes, (int)h->nodes[j].id), dir, "nr_hugepages");
		}
	}
}

static inline void put_cmdline(struct tree *t, const struct host *h)
{
	char line[256] = "quiet";
	uint64_t said = 0;

	for (size_t i = 0; i < h->nr_hugepages; i++) {
		const struct host_hugepages *pool = &h->hugepages[i];
		size_t len = strlen(line);

		/* A size once: the kernel ignores it the second time. Sizes are powers of two. */
		if (pool->when != HUGEPAGES_BOOT || said & pool->size_bytes)
			continue;
		said |= pool->size_bytes;
		snprintf(line + len, sizeof(line) - len, " hugepagesz=%lluK hugepages=%" PRIu64,
			 pool->size_bytes / KIB, pages_of(h, pool->size_bytes, NODE_ANY));
	}
	strcat(line, h->kernel.init_on_alloc ? " init_on_alloc=1" : " init_on_alloc=0");
	tree_put(t, "proc/cmdline", line);
}

static inline void put_namespace(struct tree *t, const struct host_namespace *ns, size_t nr)
{
	static const char *const modes[] = {
		[NS_FSDAX] = "memory", [NS_DEVDAX] = "dax", [NS_RAW] = "raw", [NS_SECTOR] = "safe"};
	static const char *const claims[] = {
		[NS_FSDAX] = "pfn", [NS_DEVDAX] = "dax", [NS_RAW] = NULL, [NS_SECTOR] = "btt"};
	const char *claim = claims[ns->mode];
	char dir[64], claimed[64];

	snprintf(dir, sizeof(dir), "sys/bus/nd/devices/namespace%zu.0", nr);
	snprintf(claimed, sizeof(claimed), "sys/bus/nd/devices/%s%zu.1", claim ? claim : "", nr);
	putf(t, modes[ns->mode], "%s/mode", dir);
	put_number(t, ns->size_bytes, dir, "size");
	put_address(t, ns->start_bytes, dir);
	put_node(t, ns->node, dir, "numa_node");
	putf(t, claim ? strrchr(claimed, '/') + 1 : "", "%s/holder", dir);
	if (claim && ns->mode != NS_SECTOR) {
		put_number(t, ns->align_bytes, claimed, "align");
		putf(t, ns->map == MAP_DEV ? "pmem" : "ram", "%s/mode", claimed);
	}
	if (ns->mode == NS_DEVDAX)
		putf(t, "1", "%s/%s/size", claimed, ns->name);
	else
		putf(t, "1", "%s/block/%s/size", claim ? claimed : dir, ns->name);
}

/* Memory that kmem added; all of its blocks are online. */
static inline void put_kmem(struct tree *t, const struct host_device *dev)
{
	char dir[64];

	snprintf(dir, sizeof(dir), "sys/bus/dax/devices/%s", dev->name);
	put_number(t, dev->size_bytes, dir, "size");
	put_node(t, dev->node, dir, "target_node");
	put_number(t, dev->memmap_on_memory, dir, "memmap_on_memory");
	put_address(t, dev->start_bytes, dir);
	putf(t, "-> ../../../bus/dax/drivers/kmem", "%s/driver", dir);
	put_blocks(t, (uint32_t)dev->node, dev->start_bytes, dev->size_bytes, dev->block_bytes);
}

/* "NVIDIA-node7": a coherent GPU's memory. */
static inline void put_driver_ram(struct tree *t, const struct host_device *dev, FILE *iomem)
{
	fprintf(iomem, "%09" PRIx64 "-%09" PRIx64 " : System RAM (%.*s)\n", dev->start_bytes,
		dev->start_bytes + dev->size_bytes - 1, (int)strcspn(dev->name, "-"), dev->name);
	put_blocks(t, (uint32_t)dev->node, dev->start_bytes, dev->size_bytes, dev->block_bytes);
}

/* A display controller with amdgpu, or whatever gave "ADDRESS-p2pmem" to peer-to-peer DMA. */
static inline void put_pci(struct tree *t, const struct host_device *dev)
{
	char dir[128];

	snprintf(dir, sizeof(dir), "sys/bus/pci/devices/%.*s", (int)strcspn(dev->name, "-"), dev->name);
	put_node(t, dev->node, dir, "numa_node");
	if (dev->type == DEV_P2PDMA) {
		putf(t, "0x010802", "%s/class", dir);
		put_number(t, dev->size_bytes, dir, "p2pmem/size");
		return;
	}
	putf(t, "0x038000", "%s/class", dir);
	putf(t, "0x1002", "%s/vendor", dir);
	putf(t, "-> ../../../../bus/pci/drivers/amdgpu", "%s/driver", dir);
	put_number(t, dev->size_bytes, dir, "mem_info_vram_total");
}

static inline void put_devices(struct tree *t, const struct host *h)
{
	char *iomem = NULL;
	size_t len;
	FILE *f = open_memstream(&iomem, &len);

	tree_put(t, "sys/bus/pci/devices", NULL);
	fputs("00000000-1ffffffff : System RAM\n", f);
	for (size_t i = 0; i < h->nr_devices; i++) {
		const struct host_device *dev = &h->devices[i];

		if (dev->type != DEV_SYSTEM_RAM)
			put_pci(t, dev);
		else if (!strncmp(dev->name, "dax", 3))
			put_kmem(t, dev);
		else
			put_driver_ram(t, dev, f);
	}
	fclose(f);
	tree_put(t, "proc/iomem", iomem);
	free(iomem);
}

/* block: size of memory blocks. */
static inline void put_host(struct tree *t, const struct host *h, uint64_t block)
{
	put_kernel(t, h);
	put_btf(t, h);
	put_nodes(t, h, block);
	put_pools(t, h);
	put_cmdline(t, h);
	for (size_t i = 0; i < h->nr_namespaces; i++)
		put_namespace(t, &h->namespaces[i], i);
	put_devices(t, h);
}

#endif
