// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hosts made at random, up to 8 nodes and 16 TiB: as YAML, read back, written as the /proc and /sys files that a kernel
 * would show there, probed, and the same YAML as before.
 */
#include "support/host_tree.h"
#include "support/saved_text.h"

#include "base/util.h"
#include "probe/live.h"

enum { NR_HOSTS = 60, MAX_NODES = 8, MAX_BLOCKS = 1024 };

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

/* What the random host is made of beside its description. */
struct maker {
	struct random *random;
	struct host *host;
	bool is_largest;
	uint64_t block_bytes; /* of memory */
	uint64_t next_start;  /* the next free physical address */
};

static uint64_t take_range(struct maker *m, uint64_t bytes)
{
	uint64_t start = m->next_start;

	m->next_start += round_up_pow2(bytes, 16 * GIB);
	return start;
}

static char *text_of(const char *fmt, ...) _printf_(1, 2);
static char *text_of(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = text_formatv(fmt, ap);
	va_end(ap);
	assert_non_null(text);
	return text;
}

static void make_kernel(struct maker *m)
{
	static const char *const releases[] = {"6.1.192", "6.12.117", "7.3.4"};
	struct host *h = m->host;

	h->arch = below(m->random, 2) ? ARCH_X86_64 : ARCH_AARCH64;
	h->page_size_bytes =
		page_size_nr(h->arch, (unsigned int)below(m->random, h->arch == ARCH_X86_64 ? 1 : 3));
	h->struct_page_bytes = below(m->random, 4) ? 64 : 80;
	h->kernel.release = strdup(releases[below(m->random, ARRAY_SIZE(releases))]);
	h->kernel.deferred_struct_page_init = below(m->random, 2);
	h->kernel.init_on_alloc = below(m->random, 2);
	h->kernel.dax_vmemmap_optimization = h->arch == ARCH_X86_64;
	h->hvo_supported = h->arch == ARCH_X86_64 && h->struct_page_bytes == 64;
	h->hvo_enabled = h->hvo_supported && below(m->random, 2);
	m->block_bytes =
		h->arch == ARCH_AARCH64 || m->is_largest || below(m->random, 2) ? 2 * GIB : 128 * MIB;
}

static void make_nodes(struct maker *m)
{
	uint64_t nr = m->is_largest ? MAX_NODES : 1 + below(m->random, MAX_NODES);
	struct host *h = m->host;

	h->cpus = 0;
	for (uint64_t i = 0; i < nr; i++) {
		struct host_node *node = array_grow(&h->nodes, &h->nr_nodes, sizeof(*node));
		uint64_t blocks = i ? below(m->random, MAX_BLOCKS + 1) : 1 + below(m->random, MAX_BLOCKS);

		node->id = (uint32_t)(i ? h->nodes[i - 1].id + 1 + below(m->random, 3) : 0);
		node->memory_bytes = (m->is_largest ? MAX_BLOCKS : blocks) * m->block_bytes;
		node->cpus = (uint32_t)(i && below(m->random, 3) == 0 ? 0 : 1 + below(m->random, 64));
		h->cpus += node->cpus;
		h->memory_bytes += node->memory_bytes;
	}
	m->next_start = round_up_pow2(h->memory_bytes, 16 * GIB);
}

/* Node by node, of each the smaller pages first. */
static void make_pools(struct maker *m)
{
	const struct page_sizes *sizes = page_sizes_of(m->host->arch, m->host->page_size_bytes);
	enum hugepage_when when = below(m->random, 2) ? HUGEPAGES_BOOT : HUGEPAGES_RUNTIME;
	bool with_pud = sizes->pud_bytes && below(m->random, 2);
	const uint64_t all[] = {sizes->pmd_bytes, with_pud ? sizes->pud_bytes : 0};
	struct host *h = m->host;

	for (size_t i = 0; i < h->nr_nodes; i++) {
		for (size_t j = 0; j < ARRAY_SIZE(all); j++) {
			uint64_t room = all[j] ? h->nodes[i].memory_bytes / all[j] / 4 : 0;
			struct host_hugepages *pool;

			if (!room || below(m->random, 2))
				continue;
			pool = array_grow(&h->hugepages, &h->nr_hugepages, sizeof(*pool));
			*pool = (struct host_hugepages){.size_bytes = all[j],
							.count = 1 + below(m->random, room),
							.when = when,
							.node = h->nr_nodes == 1 ? NODE_ANY
										 : (int)h->nodes[i].id};
		}
	}
}

static int any_node(struct maker *m)
{
	return (int)m->host->nodes[below(m->random, m->host->nr_nodes)].id;
}

static void make_namespaces(struct maker *m)
{
	const struct page_sizes *sizes = page_sizes_of(m->host->arch, m->host->page_size_bytes);
	unsigned int nr = (unsigned int)below(m->random, 6);

	for (unsigned int i = 0; i < nr; i++) {
		struct host_namespace *ns =
			array_grow(&m->host->namespaces, &m->host->nr_namespaces, sizeof(*ns));

		ns->mode = (enum namespace_mode)below(m->random, 4);
		ns->name = text_of(ns->mode == NS_DEVDAX   ? "dax%u.0"
				   : ns->mode == NS_SECTOR ? "pmem%us"
							   : "pmem%u",
				   i);
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
		ns->node = below(m->random, 3) ? any_node(m) : NODE_ANY;
	}
}

static struct host_device *make_device(struct maker *m, enum device_type type, uint64_t bytes, int node)
{
	struct host_device *dev = array_grow(&m->host->devices, &m->host->nr_devices, sizeof(*dev));

	*dev = (struct host_device){.type = type, .size_bytes = bytes, .count = 1, .node = node};
	return dev;
}

/* Memory as RAM of a node that has none but it: the blocks are the node's, and no RAM of the boot. */
static struct host_device *make_system_ram(struct maker *m, uint32_t node)
{
	struct host_device *dev;

	((struct host_node *)array_grow(&m->host->nodes, &m->host->nr_nodes, sizeof(struct host_node)))->id =
		node;
	dev = make_device(m, DEV_SYSTEM_RAM, (1 + below(m->random, 256)) * m->block_bytes, (int)node);
	dev->block_bytes = m->block_bytes;
	dev->has_start = true;
	dev->start_bytes = take_range(m, dev->size_bytes);
	return dev;
}

/* CXL memory, a coherent GPU's, GPUs with memory of their own, NVMe with a buffer for peers: as probe lists them. */
static void make_devices(struct maker *m)
{
	uint64_t nr_gpus = below(m->random, 4);
	struct host_device *dev;

	if (below(m->random, 2)) {
		dev = make_system_ram(m, 30);
		dev->name = text_of("dax9.0");
		dev->memmap_on_memory = below(m->random, 2);
	}
	if (below(m->random, 3) == 0)
		make_system_ram(m, 31)->name = text_of("NVIDIA-node31");
	for (uint64_t i = 0; i < nr_gpus; i++) {
		dev = make_device(m, DEV_PRIVATE, (1 + below(m->random, 96)) * 2 * GIB, any_node(m));
		dev->name = text_of("0000:%02x:00.0", (unsigned int)i + 3);
	}
	if (below(m->random, 3) == 0)
		make_device(m, DEV_P2PDMA, (1 + below(m->random, 512)) * 2 * MIB, NODE_ANY)->name =
			text_of("0000:61:00.0-p2pmem");
}

static void make_host(struct maker *m)
{
	make_kernel(m);
	make_nodes(m);
	make_namespaces(m);
	make_devices(m); /* which add nodes */
	make_pools(m);
}

/* What a description of such hosts must have been, over all of them, for the test to be worth something. */
struct seen {
	uint64_t nodes, memory_bytes;
	bool types[DEV_SYSTEM_RAM + 1], modes[NS_SECTOR + 1], arches[NR_ARCHES];
};

static void see(struct seen *seen, const struct host *h)
{
	seen->nodes = MAX(seen->nodes, h->nr_nodes);
	seen->memory_bytes = MAX(seen->memory_bytes, h->memory_bytes);
	seen->arches[h->arch] = true;
	for (size_t i = 0; i < h->nr_devices; i++)
		seen->types[h->devices[i].type] = true;
	for (size_t i = 0; i < h->nr_namespaces; i++)
		seen->modes[h->namespaces[i].mode] = true;
}

static void check_seen(const struct seen *seen)
{
	assert_true(seen->nodes >= MAX_NODES);
	check_u64(seen->memory_bytes, 16 * TIB, "the largest");
	assert_true(seen->types[DEV_PRIVATE] && seen->types[DEV_P2PDMA] && seen->types[DEV_SYSTEM_RAM]);
	for (size_t i = 0; i < ARRAY_SIZE(seen->modes); i++)
		assert_true(seen->modes[i]);
	assert_true(seen->arches[ARCH_X86_64] && seen->arches[ARCH_AARCH64]);
}

static void check_identity(struct maker *m, int nr)
{
	_cleanup_tree_ struct tree tree = {0};
	_cleanup_diags_ struct diags notes = {0}, mistakes = {0};
	_cleanup_probed_ struct probed probed = {0};
	_cleanup_host_ struct host *host = NULL;
	_cleanup_free_ char *want = saved_text(m->host), *got = NULL;
	struct root root;

	if (host_load_text(want, strlen(want), "made", &mistakes, &host))
		diags_print(&mistakes, stderr);
	check_u64(mistakes.nr_errors, 0, "host %d is one that a kernel takes", nr);
	put_host(&tree, host, m->block_bytes);
	root = tree_root(&tree);
	check_int(probe_host(&root, &notes, &probed), 0, "probe");
	got = saved_text(probed.host);
	check_str(got, want, "host %d", nr);
}

static void identity(void **state)
{
	(void)state;
	struct random random = {0x9e3779b97f4a7c15};
	struct seen seen = {0};

	for (int i = 0; i < NR_HOSTS; i++) {
		_cleanup_host_ struct host *host = host_new("made-at-random");
		struct maker m = {.random = &random, .host = host, .is_largest = !i};

		make_host(&m);
		see(&seen, host);
		check_identity(&m, i);
	}
	check_seen(&seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identity),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
