// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hosts made at random, up to 8 nodes and 16 TiB: written as the /proc and /sys files that a kernel would
 * show, probed, and the same description as before. The writer here knows sysfs from the kernel's
 * documentation, not from the prober.
 */
#include "support/memory_tree.h"
#include "support/saved_text.h"

#include <bpf/btf.h>
#include <inttypes.h>

#include "base/units.h"
#include "base/util.h"
#include "host/pages.h"
#include "probe/live.h"

enum { NR_HOSTS = 60 };
#define BLOCK (2 * GIB)

struct random {
	uint64_t state;
};

/* xorshift64: the same hosts in every run, on every machine. */
static uint64_t below(struct random *r, uint64_t limit)
{
	r->state ^= r->state << 13;
	r->state ^= r->state >> 7;
	r->state ^= r->state << 17;
	return r->state % limit;
}

static void putf(struct tree *t, const char *text, const char *fmt, ...) _printf_(3, 4);
static void putf(struct tree *t, const char *text, const char *fmt, ...)
{
	char path[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	tree_put(t, path, text);
}

static void put_number(struct tree *t, uint64_t value, const char *dir, const char *attr)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	putf(t, text, "%s/%s", dir, attr);
}

static void put_address(struct tree *t, uint64_t value, const char *dir)
{
	char text[32];

	snprintf(text, sizeof(text), "%#" PRIx64, value);
	putf(t, text, "%s/resource", dir);
}

/* What the random host is made of beside its description: where the next free physical address is. */
struct maker {
	struct random *random;
	struct host *host;
	struct tree *tree;
	uint64_t next_start;
};

static uint64_t take_range(struct maker *m, uint64_t bytes)
{
	uint64_t start = m->next_start;

	m->next_start += round_up_pow2(bytes, 16 * GIB);
	return start;
}

static void make_kernel(struct maker *m)
{
	static const char *const releases[] = {"6.1.192", "6.12.117", "7.3.4"};
	struct host *h = m->host;
	char config[256];

	h->arch = below(m->random, 2) ? ARCH_X86_64 : ARCH_AARCH64;
	h->page_size_bytes =
		page_size_nr(h->arch, (unsigned int)below(m->random, h->arch == ARCH_X86_64 ? 1 : 3));
	h->struct_page_bytes = below(m->random, 4) ? 64 : 80;
	h->kernel.release = strdup(releases[below(m->random, ARRAY_SIZE(releases))]);
	check_int(kver_parse(h->kernel.release, &h->kernel.version), 0, "release");
	h->kernel.deferred_struct_page_init = below(m->random, 2);
	h->kernel.init_on_alloc = below(m->random, 2);
	h->kernel.dax_vmemmap_optimization = h->arch == ARCH_X86_64;
	h->hvo_supported = h->arch == ARCH_X86_64 && h->struct_page_bytes == 64;
	h->hvo_enabled = h->hvo_supported && below(m->random, 2);

	tree_put(m->tree, "proc/sys/kernel/arch", arch_name(h->arch));
	tree_put(m->tree, "proc/sys/kernel/hostname", h->name);
	tree_put(m->tree, "proc/sys/kernel/osrelease", h->kernel.release);
	tree_put(m->tree, "proc/sys/vm/swappiness", "60");
	if (h->hvo_supported)
		tree_put(m->tree, "proc/sys/vm/hugetlb_optimize_vmemmap", h->hvo_enabled ? "1" : "0");
	snprintf(config, sizeof(config), "CONFIG_SMP=y\n%s\n%s",
		 h->kernel.deferred_struct_page_init ? "CONFIG_DEFERRED_STRUCT_PAGE_INIT=y"
						     : "# CONFIG_DEFERRED_STRUCT_PAGE_INIT is not set",
		 h->arch == ARCH_X86_64 ? "CONFIG_ARCH_WANT_OPTIMIZE_DAX_VMEMMAP=y" : "");
	putf(m->tree, config, "boot/config-%s", h->kernel.release);
}

static void put_page_size(struct maker *m)
{
	const struct page_sizes *sizes = page_sizes_of(m->host->arch, m->host->page_size_bytes);

	for (int i = 0; i < MAX_HUGEPAGE_SIZES && sizes->hugepage_bytes[i]; i++)
		putf(m->tree, "0", "sys/kernel/mm/hugepages/hugepages-%llukB/nr_hugepages",
		     sizes->hugepage_bytes[i] / KIB);
}

static void put_btf(struct maker *m)
{
	struct btf *btf = btf__new_empty();
	const void *data;
	uint32_t len;

	assert_true(btf__add_struct(btf, "page", (uint32_t)m->host->struct_page_bytes) > 0);
	data = btf__raw_data(btf, &len);
	check_int(tree_add(m->tree, "sys/kernel/btf/vmlinux", TREE_FILE, data, len), 0, "BTF");
	btf__free(btf);
}

static void put_blocks(struct maker *m, uint32_t node, uint64_t start, uint64_t nr)
{
	for (uint64_t i = start / BLOCK; i < start / BLOCK + nr; i++) {
		putf(m->tree, "online", "sys/devices/system/memory/memory%" PRIu64 "/state", i);
		putf(m->tree, "-> ../../memory", "sys/devices/system/node/node%" PRIu32 "/memory%" PRIu64,
		     node, i);
	}
}

static void make_nodes(struct maker *m)
{
	uint64_t nr = 1 + below(m->random, 8), cpu = 0, total = 0;
	struct host *h = m->host;

	tree_put(m->tree, "sys/devices/system/memory/block_size_bytes", "80000000");
	h->cpus = 0;
	for (uint64_t i = 0; i < nr; i++) {
		struct host_node *node = array_grow(&h->nodes, &h->nr_nodes, sizeof(*node));
		uint64_t blocks = i ? below(m->random, 1025) : 1 + below(m->random, 1024);
		char cpus[64] = "";

		node->id = (uint32_t)(i ? h->nodes[i - 1].id + 1 + below(m->random, 3) : 0);
		node->memory_bytes = blocks * BLOCK;
		node->cpus = (uint32_t)(i && below(m->random, 3) == 0 ? 0 : 1 + below(m->random, 64));
		if (node->cpus)
			snprintf(cpus, sizeof(cpus), "%" PRIu64 "-%" PRIu64, cpu, cpu + node->cpus - 1);
		cpu += node->cpus;
		h->cpus += node->cpus;
		total += node->memory_bytes;
		putf(m->tree, cpus, "sys/devices/system/node/node%" PRIu32 "/cpulist", node->id);
		put_blocks(m, node->id, take_range(m, node->memory_bytes), blocks);
	}
	h->memory_bytes = total;
	assert_true(total <= 16 * TIB);
}

static void make_pools(struct maker *m)
{
	const struct page_sizes *sizes = page_sizes_of(m->host->arch, m->host->page_size_bytes);
	struct host *h = m->host;
	char line[256] = "quiet";

	for (size_t i = 0; i < h->nr_nodes; i++) {
		uint64_t size = sizes->pmd_bytes, room = h->nodes[i].memory_bytes / size / 2;
		struct host_hugepages *pool;
		char dir[128];

		if (h->nr_nodes == 1)
			snprintf(dir, sizeof(dir), "sys/kernel/mm/hugepages/hugepages-%llukB", size / KIB);
		else
			snprintf(dir, sizeof(dir),
				 "sys/devices/system/node/node%" PRIu32 "/hugepages/hugepages-%llukB",
				 h->nodes[i].id, size / KIB);
		if (!room || below(m->random, 2)) {
			put_number(m->tree, 0, dir, "nr_hugepages");
			continue;
		}
		pool = array_grow(&h->hugepages, &h->nr_hugepages, sizeof(*pool));
		pool->size_bytes = size;
		pool->count = 1 + below(m->random, room);
		pool->node = h->nr_nodes == 1 ? NODE_ANY : (int)h->nodes[i].id;
		put_number(m->tree, pool->count, dir, "nr_hugepages");
	}
	if (below(m->random, 2))
		snprintf(line, sizeof(line), "quiet hugepagesz=%lluM hugepages=7", sizes->pmd_bytes / MIB);
	for (size_t i = 0; i < h->nr_hugepages; i++)
		h->hugepages[i].when = strstr(line, "hugepages=") ? HUGEPAGES_BOOT : HUGEPAGES_RUNTIME;
	strcat(line, h->kernel.init_on_alloc ? " init_on_alloc=1" : " init_on_alloc=0");
	tree_put(m->tree, "proc/cmdline", line);
}

static void put_namespace(struct maker *m, const struct host_namespace *ns, unsigned int nr)
{
	static const char *const modes[] = {
		[NS_FSDAX] = "memory", [NS_DEVDAX] = "dax", [NS_RAW] = "raw", [NS_SECTOR] = "safe"};
	static const char *const claims[] = {
		[NS_FSDAX] = "pfn", [NS_DEVDAX] = "dax", [NS_RAW] = NULL, [NS_SECTOR] = "btt"};
	const char *claim = claims[ns->mode];
	char dir[64], claimed[64];

	snprintf(dir, sizeof(dir), "sys/bus/nd/devices/namespace%u.0", nr);
	snprintf(claimed, sizeof(claimed), "sys/bus/nd/devices/%s%u.1", claim ? claim : "", nr);
	putf(m->tree, modes[ns->mode], "%s/mode", dir);
	put_number(m->tree, ns->size_bytes, dir, "size");
	put_address(m->tree, ns->start_bytes, dir);
	if (ns->node == NODE_ANY)
		putf(m->tree, "-1", "%s/numa_node", dir);
	else
		put_number(m->tree, (uint64_t)ns->node, dir, "numa_node");
	putf(m->tree, claim ? strrchr(claimed, '/') + 1 : "", "%s/holder", dir);
	if (claim && ns->mode != NS_SECTOR) {
		put_number(m->tree, ns->align_bytes, claimed, "align");
		putf(m->tree, ns->map == MAP_DEV ? "pmem" : "ram", "%s/mode", claimed);
	}
	if (ns->mode == NS_DEVDAX)
		putf(m->tree, "1", "%s/%s/size", claimed, ns->name);
	else
		putf(m->tree, "1", "%s/block/%s/size", claim ? claimed : dir, ns->name);
}

static void make_namespaces(struct maker *m)
{
	const struct page_sizes *sizes = page_sizes_of(m->host->arch, m->host->page_size_bytes);
	unsigned int nr = (unsigned int)below(m->random, 6);

	for (unsigned int i = 0; i < nr; i++) {
		struct host_namespace *ns =
			array_grow(&m->host->namespaces, &m->host->nr_namespaces, sizeof(*ns));
		char name[32];

		ns->mode = (enum namespace_mode)below(m->random, 4);
		snprintf(name, sizeof(name), ns->mode == NS_DEVDAX ? "dax%u.0" : "pmem%u%s", i,
			 ns->mode == NS_SECTOR ? "s" : "");
		ns->name = strdup(name);
		/* map=dev takes struct pages of up to 64 bytes. */
		ns->map = ns->mode <= NS_DEVDAX && (m->host->struct_page_bytes > 64 || below(m->random, 2))
				  ? MAP_MEM
				  : MAP_DEV;
		ns->align_bytes = sizes->pmd_bytes;
		if (ns->mode == NS_DEVDAX && sizes->pud_bytes && below(m->random, 2))
			ns->align_bytes = sizes->pud_bytes;
		ns->size_bytes = (4 + below(m->random, 1000)) * GIB;
		ns->has_start = true;
		ns->start_bytes = take_range(m, ns->size_bytes);
		ns->node = below(m->random, 3) ? (int)m->host->nodes[below(m->random, m->host->nr_nodes)].id
					       : NODE_ANY;
		put_namespace(m, ns, i);
	}
}

/* CXL memory as RAM of a node that has none but it: the blocks are the node's, and no RAM of the boot. */
static void make_system_ram(struct maker *m)
{
	struct host_node *node;
	struct host_device *dev;
	static const char dir[] = "sys/bus/dax/devices/dax9.0";

	if (below(m->random, 2))
		return;
	node = array_grow(&m->host->nodes, &m->host->nr_nodes, sizeof(*node));
	node->id = 30;
	putf(m->tree, "", "sys/devices/system/node/node30/cpulist");
	dev = array_grow(&m->host->devices, &m->host->nr_devices, sizeof(*dev));
	dev->name = strdup("dax9.0");
	dev->type = DEV_SYSTEM_RAM;
	dev->count = 1;
	dev->size_bytes = (1 + below(m->random, 256)) * BLOCK;
	dev->block_bytes = BLOCK;
	dev->memmap_on_memory = below(m->random, 2);
	dev->has_start = true;
	dev->start_bytes = take_range(m, dev->size_bytes);
	dev->node = 30;
	put_blocks(m, 30, dev->start_bytes, dev->size_bytes / BLOCK);
	put_number(m->tree, dev->size_bytes, dir, "size");
	put_number(m->tree, 30, dir, "target_node");
	put_number(m->tree, dev->memmap_on_memory, dir, "memmap_on_memory");
	put_address(m->tree, dev->start_bytes, dir);
	putf(m->tree, "-> ../../../bus/dax/drivers/kmem", "%s/driver", dir);
}

static void identity(void **state)
{
	(void)state;
	struct random random = {0x9e3779b97f4a7c15};

	for (int i = 0; i < NR_HOSTS; i++) {
		_cleanup_tree_ struct tree tree = {0};
		_cleanup_diags_ struct diags notes = {0}, mistakes = {0};
		_cleanup_probed_ struct probed probed = {0};
		_cleanup_host_ struct host *host = host_new("made-at-random");
		_cleanup_free_ char *want = NULL, *got = NULL;
		struct maker m = {&random, host, &tree, 0};
		struct root root;

		make_kernel(&m);
		put_page_size(&m);
		put_btf(&m);
		make_nodes(&m);
		make_pools(&m);
		make_namespaces(&m);
		make_system_ram(&m);
		root = tree_root(&tree);
		check_int(probe_host(&root, &notes, &probed), 0, "probe");
		want = saved_text(host);
		got = saved_text(probed.host);
		check_str(got, want, "host %d", i);
		if (host_check(probed.host, &mistakes))
			diags_print(&mistakes, stderr);
		check_u64(mistakes.nr_errors, 0, "host %d is one that a kernel takes", i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identity),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
