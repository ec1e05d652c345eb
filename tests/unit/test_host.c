// SPDX-License-Identifier: GPL-2.0-or-later
/* Host descriptions: values, defaults, places, copies, and that what is written reads back the same. */
#include "support/check.h"
#include "support/saved_text.h"

#include <errno.h>
#include <glob.h>
#include <stdbool.h>

#include "base/units.h"
#include "host/host.h"
#include "host/pages.h"

/* The example of the format's design, with the keys that came later. */
static const char example[] =
	"memmapctl: 1\n"
	"host:\n"
	"  name: gpu-node-a\n"
	"  arch: x86_64\n"
	"  memory: 512GiB\n"
	"  cpus: 64\n"
	"  kernel:\n"
	"    release: 7.3.4\n"
	"    init_on_alloc: false\n"
	"    memmap_path: template-nt\n"
	"  hvo: {enabled: true}\n"
	"  nodes:\n"
	"    - {id: 0, memory: 256GiB, cpus: 32}\n"
	"    - {id: 1, memory: 256GiB, cpus: 32}\n"
	"hugepages:\n"
	"  - {size: 1GiB, count: 400, when: boot}\n"
	"  - {size: 2MiB, count: 1024, when: runtime, node: 1}\n"
	"namespaces:\n"
	"  - {name: pmem0, mode: fsdax, map: dev, align: 2MiB, size: 100GiB, node: 0}\n"
	"  - {name: dax0.0, mode: devdax, map: mem, size: 102400MiB, usable: 107372085248, start: 1TiB}\n"
	"devices:\n"
	"  - {name: gpu, type: private, size: 141GiB, count: 8}\n"
	"  - {name: cxl, type: system-ram, size: 256GiB, memmap_on_memory: true, block: 2GiB}\n"
	"windows: {hotplug: 2s, per_device: 1.5s, boot: 500ms}\n"
	"profile: icelake-vm\n";

static struct host *load(const char *text)
{
	_cleanup_diags_ struct diags diags = {0};
	struct host *host = NULL;

	if (host_load_text(text, strlen(text), "x.yaml", &diags, &host))
		diags_print(&diags, stderr);
	assert_non_null(host);
	return host;
}

static void check_host_part(const struct host *h)
{
	check_str(h->file, "x.yaml", "file");
	check_str(h->name, "gpu-node-a", "name");
	check_int(h->arch, ARCH_X86_64, "arch");
	check_u64(h->page_size_bytes, 4096, "page size by default");
	check_u64(h->struct_page_bytes, 64, "struct page size by default");
	check_u64(h->memory_bytes, 549755813888, "memory");
	check_u64(h->cpus, 64, "cpus");
	check_str(h->kernel.release, "7.3.4", "release");
	check_int(kver_cmp(h->kernel.version, KVER(7, 3, 4)), 0, "version");
	check_int(h->kernel.deferred_struct_page_init, true, "deferred init by default");
	check_int(h->kernel.dax_vmemmap_optimization, true, "DAX optimisation by default on x86_64");
	check_int(h->kernel.init_on_alloc, false, "init_on_alloc");
	check_int(h->kernel.memmap_path, PATH_TEMPLATE_NT, "path");
	check_int(h->hvo_supported, true, "HVO supported by default on x86_64");
	check_int(h->hvo_enabled, true, "HVO enabled");
	check_u64(h->nr_nodes, 2, "nodes");
	check_u64(h->nodes[1].memory_bytes, 274877906944, "memory of node 1");
}

static void check_lists(const struct host *h)
{
	check_u64(h->nr_hugepages, 2, "pools");
	check_u64(h->hugepages[0].count, 400, "count");
	check_int(h->hugepages[0].node, NODE_ANY, "any node");
	check_int(h->hugepages[1].when, HUGEPAGES_RUNTIME, "when");
	check_int(h->hugepages[1].node, 1, "node");
	check_u64(h->nr_namespaces, 2, "namespaces");
	check_int(h->namespaces[0].mode, NS_FSDAX, "mode");
	check_int(h->namespaces[0].map, MAP_DEV, "map");
	check_int(h->namespaces[0].has_start, false, "no start");
	check_int(h->namespaces[1].map, MAP_MEM, "map");
	check_u64(h->namespaces[1].size_bytes, 107374182400, "100 GiB in MiB");
	check_u64(h->namespaces[1].align_bytes, 2097152, "ndctl's default align");
	check_u64(h->namespaces[1].usable_bytes, 107372085248, "usable");
	check_u64(h->namespaces[1].start_bytes, 1099511627776, "start");
	check_u64(h->nr_devices, 2, "devices");
	check_int(h->devices[0].type, DEV_PRIVATE, "type");
	check_u64(h->devices[0].count, 8, "count");
	check_u64(h->devices[1].count, 1, "count by default");
	check_int(h->devices[1].memmap_on_memory, true, "memmap on memory");
	check_u64(h->devices[1].block_bytes, 2147483648, "block");
	check_u64(h->hotplug_window_ns, 2000000000, "hot-plug window");
	check_u64(h->per_device_window_ns, 1500000000, "window of a device");
	check_u64(h->boot_window_ns, 500000000, "boot window");
	check_str(h->profile, "icelake-vm", "profile");
}

static void values(void **state)
{
	(void)state;
	_cleanup_host_ struct host *h = load(example);

	check_host_part(h);
	check_lists(h);
}

static void copies(void **state)
{
	(void)state;
	struct host *h = load(example);
	_cleanup_host_ struct host *copy = host_copy(h);

	assert_non_null(copy);
	check_int(host_place_of(copy, &copy->namespaces[1].align_bytes).line, 20, "places go with a copy");
	host_free(h);
	check_host_part(copy);
	check_lists(copy);
}

static void defaults_by_arch(void **state)
{
	(void)state;
	static const struct {
		const char *host;
		bool optimisable;
		uint64_t align_bytes;
		uint32_t cpus;
	} rows[] = {
		{"arch: x86_64",					      true,  2 * MIB,   1},
		{"arch: aarch64",					     false, 2 * MIB,   1},
		{"arch: aarch64, page_size: 16KiB",                           false, 32 * MIB,  1},
		{"arch: aarch64, page_size: 64KiB",                           false, 512 * MIB, 1},
		{"arch: x86_64, nodes: [{id: 0, cpus: 3}, {id: 7, cpus: 4}]", true,  2 * MIB,   7},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *text = NULL;
		_cleanup_host_ struct host *h = NULL;

		assert_true(asprintf(&text,
				     "memmapctl: 1\nhost: {name: a, memory: 1GiB, %s}\n"
				     "namespaces: [{name: n, mode: devdax, size: 8GiB}]\n",
				     rows[i].host) > 0);
		h = load(text);
		check_int(h->hvo_supported, rows[i].optimisable, "%s: HVO", rows[i].host);
		check_int(h->kernel.dax_vmemmap_optimization, rows[i].optimisable, "%s: DAX", rows[i].host);
		check_u64(h->namespaces[0].align_bytes, rows[i].align_bytes, "%s: align", rows[i].host);
		check_int(h->namespaces[0].map, MAP_DEV, "%s: map", rows[i].host);
		check_int(h->namespaces[0].node, NODE_ANY, "%s: node", rows[i].host);
		check_u64(h->cpus, rows[i].cpus, "%s: cpus", rows[i].host);
	}
}

static void places(void **state)
{
	(void)state;
	_cleanup_host_ struct host *h = load(example);
	const struct {
		const void *field;
		unsigned int line, col;
	} rows[] = {
		{&h->memory_bytes,              5,  11},
		{&h->hvo_enabled,               11, 18},
		{&h->nodes[1].cpus,             14, 37},
		{&h->namespaces[0].align_bytes, 19, 49},
		{&h->namespaces[1].align_bytes, 20, 5 }, /* a default: the item's place */
		{&h->devices[1].block_bytes,    23, 80},
		{&h->page_size_bytes,           0,  0 }, /* a default of the host: no place */
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host_place at = host_place_of(h, rows[i].field);

		check_int(at.line, rows[i].line, "row %zu: line", i);
		check_int(at.col, rows[i].col, "row %zu: column", i);
	}
	check_int(h->namespaces[1].place.line, 20, "an item's own place");
}

static void round_trip(const char *name, const struct host *host)
{
	_cleanup_diags_ struct diags diags = {0};
	_cleanup_free_ char *first = saved_text(host), *second = NULL;
	_cleanup_host_ struct host *again = NULL;

	check_int(host_load_text(first, strlen(first), name, &diags, &again), 0, "%s: reads back", name);
	second = saved_text(again);
	check_str(second, first, "%s: the same", name);
	check_u64(again->nr_namespaces, host->nr_namespaces, "%s: namespaces", name);
	check_u64(again->nr_devices, host->nr_devices, "%s: devices", name);
	check_u64(again->memory_bytes, host->memory_bytes, "%s: memory", name);
}

static void saved_reads_back(void **state)
{
	(void)state;
	_cleanup_host_ struct host *h = load(example);
	_cleanup_free_ char *text = saved_text(h);
	_cleanup_host_ struct host *again = load(text);

	check_host_part(again);
	check_lists(again);
	assert_null(strstr(text, "page_size")); /* defaults are left out */
	assert_null(strstr(text, "supported"));
	round_trip("example", h);
}

static void examples_read_back(void **state)
{
	(void)state;
	glob_t files;

	check_int(glob(TEST_SOURCE_DIR "/configs/hosts/*.yaml", 0, NULL, &files), 0, "examples");
	assert_true(files.gl_pathc >= 15);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		_cleanup_diags_ struct diags diags = {0};
		_cleanup_host_ struct host *host = NULL;

		check_int(host_load(files.gl_pathv[i], &diags, &host), 0, "%s", files.gl_pathv[i]);
		check_u64(diags.nr, 0, "%s: no warnings either", files.gl_pathv[i]);
		round_trip(files.gl_pathv[i], host);
	}
	globfree(&files);
}

/* A host that was put together by a program has no lines: messages name the device. */
static void checks_without_a_file(void **state)
{
	(void)state;
	_cleanup_diags_ struct diags diags = {0};
	_cleanup_host_ struct host *h = host_new("this host");
	struct host_namespace *ns;

	check_str(h->name, "this host", "name");
	check_u64(h->page_size_bytes, 4096, "defaults");
	check_int(h->hvo_supported, true, "computed defaults");
	check_int(host_check(h, &diags), 0, "an empty host is right");
	ns = array_grow(&h->namespaces, &h->nr_namespaces, sizeof(*ns));
	*ns = (struct host_namespace){.name = strdup("dax9.0"),
				      .mode = NS_DEVDAX,
				      .align_bytes = 4 * MIB,
				      .size_bytes = GIB,
				      .node = NODE_ANY};
	check_int(host_check(h, &diags), -EINVAL, "a wrong align");
	check_u64(diags.nr, 1, "one message");
	check_str(diags.items[0].text,
		  "dax9.0: align 4MiB is not one the kernel takes here: use 4KiB, 2MiB or 1GiB", "message");
}

/* include/asm/sparsemem.h, and the HugeTLB and devdax sizes that the three kernels print. */
static void page_sizes(void **state)
{
	(void)state;
	const struct page_sizes *x86 = page_sizes_of(ARCH_X86_64, 4096),
				*arm = page_sizes_of(ARCH_AARCH64, 65536);

	check_u64(x86->pmd_bytes, 2097152, "x86 PMD");
	check_u64(x86->pud_bytes, 1073741824, "x86 PUD");
	check_u64(x86->section_bytes, 134217728, "x86 section");
	check_u64(arm->pmd_bytes, 536870912, "arm64 64K PMD");
	check_u64(arm->pud_bytes, 0, "arm64: no PUD-sized devdax");
	check_u64(arm->section_bytes, 536870912, "arm64 64K section");
	assert_null(page_sizes_of(ARCH_X86_64, 65536));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
		cmocka_unit_test(copies),
		cmocka_unit_test(defaults_by_arch),
		cmocka_unit_test(places),
		cmocka_unit_test(saved_reads_back),
		cmocka_unit_test(examples_read_back),
		cmocka_unit_test(checks_without_a_file),
		cmocka_unit_test(page_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
