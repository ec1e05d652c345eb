// SPDX-License-Identifier: GPL-2.0-or-later
/* Probing a host from /proc and /sys: trees made here, with the values that the kernel would show, and this machine. */
#include "support/check.h"
#include "support/tree.h"

#include <bpf/btf.h>
#include <errno.h>
#include <stdbool.h>

#include "base/units.h"
#include "base/util.h"
#include "probe/live.h"

static void put(const struct tree *t, const char *path, const char *text)
{
	char line[512];

	snprintf(line, sizeof(line), "%s\n", text);
	tree_put(t, path, line);
}

struct file {
	const char *path, *text;
};

static void put_all(const struct tree *t, const struct file *files, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		put(t, files[i].path, files[i].text);
}

static void put_blocks(const struct tree *t, int node, unsigned int first, unsigned int nr)
{
	char path[128];

	for (unsigned int i = first; i < first + nr; i++) {
		snprintf(path, sizeof(path), "sys/devices/system/memory/memory%u/state", i);
		put(t, path, "online");
		snprintf(path, sizeof(path), "sys/devices/system/node/node%d/memory%u", node, i);
		tree_link(t, path, "../../memory");
	}
}

/* BTF with a struct page of the given size: what a kernel with more debugging has. */
static void put_btf(const struct tree *t, uint32_t bytes)
{
	struct btf *btf = btf__new_empty();
	const void *data;
	char path[512];
	uint32_t len;
	FILE *f;

	tree_path(t, "sys/kernel/btf/vmlinux", path);
	f = fopen(path, "w");
	assert_non_null(f);

	assert_true(btf__add_struct(btf, "folio", 256) > 0);
	assert_true(btf__add_struct(btf, "page", bytes) > 0);
	data = btf__raw_data(btf, &len);
	check_u64(fwrite(data, 1, len, f), len, "BTF");
	fclose(f);
	btf__free(btf);
}

static void put_basics(const struct tree *t, const char *arch, const char *release)
{
	char path[128];

	put(t, "proc/sys/kernel/arch", arch);
	put(t, "proc/sys/kernel/hostname", "fake");
	put(t, "proc/sys/kernel/osrelease", release);
	put(t, "proc/cmdline", "root=/dev/vda1 hugepagesz=1G hugepages=4 init_on_alloc=0 quiet");
	put(t, "proc/sys/vm/overcommit_memory", "0");
	snprintf(path, sizeof(path), "boot/config-%s", release);
	put(t, path,
	    "#\nCONFIG_SMP=y\n# CONFIG_DEFERRED_STRUCT_PAGE_INIT is not "
	    "set\nCONFIG_INIT_ON_ALLOC_DEFAULT_ON=y\n"
	    "CONFIG_ARCH_WANT_OPTIMIZE_DAX_VMEMMAP=y");
}

static struct host *probe(const char *dir, struct diags *notes)
{
	struct host *host = NULL;
	struct root root;

	check_int(root_open(dir, &root), 0, "root");
	check_int(probe_live(&root, notes, &host), 0, "probe");
	root_close(&root);
	return host;
}

static bool noted(const struct diags *notes, const char *part)
{
	for (size_t i = 0; i < notes->nr; i++) {
		if (strstr(notes->items[i].text, part))
			return true;
	}
	return false;
}

/* What is probed is a description: it passes the checks and reads back. */
static void check_reads_back(const struct host *h)
{
	_cleanup_diags_ struct diags diags = {0};
	_cleanup_host_ struct host *again = NULL;
	_cleanup_free_ char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	check_int(host_save(h, f), 0, "save");
	fclose(f);
	if (host_load_text(text, len, "probed", &diags, &again)) {
		diags_print(&diags, stderr);
		print_error("%s", text);
		fail();
	}
	check_u64(again->nr_namespaces, h->nr_namespaces, "namespaces");
	check_u64(again->memory_bytes, h->memory_bytes, "memory");
}

/* Two nodes of 2 GiB in blocks of 128 MiB, a third node that a kmem device made, pools, pmem. */
static void put_server(const struct tree *t)
{
	static const struct file files[] = {
		{"proc/sys/vm/hugetlb_optimize_vmemmap",                                     "1"       },
		{"sys/devices/system/memory/block_size_bytes",                               "8000000" },
		{"sys/devices/system/memory/memory47/state",                                 "offline" },
		{"sys/devices/system/node/node0/cpulist",                                    "0-3,8-11"},
		{"sys/devices/system/node/node1/cpulist",                                    "4-7"     },
		{"sys/devices/system/node/node2/cpulist",                                    ""        },
		{"sys/devices/system/cpu/online",                                            "0-11"    },
		{"sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages",                    "6"       },
		{"sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages",                 "1"       },
		{"sys/devices/system/node/node0/hugepages/hugepages-2048kB/nr_hugepages",    "6"       },
		{"sys/devices/system/node/node1/hugepages/hugepages-2048kB/nr_hugepages",    "0"       },
		{"sys/devices/system/node/node1/hugepages/hugepages-1048576kB/nr_hugepages", "1"       },
	};

	put_basics(t, "x86_64", "6.12.117+deb13-amd64");
	put_btf(t, 64);
	put_blocks(t, 0, 0, 16);
	put_blocks(t, 1, 32, 16);
	put_blocks(t, 2, 64, 8);
	put_all(t, files, ARRAY_SIZE(files));
}

static void put_pmem(const struct tree *t)
{
	static const struct file files[] = {
  /* fsdax, map=dev, as the kernel names its claim. */
		{"sys/bus/nd/devices/namespace0.0/mode",       "memory"      },
		{"sys/bus/nd/devices/namespace0.0/size",       "107374182400"},
		{"sys/bus/nd/devices/namespace0.0/resource",   "0x240000000" },
		{"sys/bus/nd/devices/namespace0.0/numa_node",  "1"           },
		{"sys/bus/nd/devices/namespace0.0/holder",     "pfn0.1"      },
		{"sys/bus/nd/devices/pfn0.1/mode",             "pmem"        },
		{"sys/bus/nd/devices/pfn0.1/align",            "2097152"     },
		{"sys/bus/nd/devices/pfn0.1/block/pmem0/size", "206434304"   },
 /* devdax, map=mem, 1 MiB more than its align takes, address not readable. */
		{"sys/bus/nd/devices/namespace1.0/mode",       "dax"         },
		{"sys/bus/nd/devices/namespace1.0/size",       "1074790400"  },
		{"sys/bus/nd/devices/namespace1.0/numa_node",  "-1"          },
		{"sys/bus/nd/devices/namespace1.0/holder",     "dax1.1"      },
		{"sys/bus/nd/devices/dax1.1/mode",             "ram"         },
		{"sys/bus/nd/devices/dax1.1/align",            "2097152"     },
		{"sys/bus/nd/devices/dax1.1/dax1.0/size",      "1071644672"  },
 /* A BTT, and a seed. */
		{"sys/bus/nd/devices/namespace2.0/mode",       "safe"        },
		{"sys/bus/nd/devices/namespace2.0/size",       "1073741824"  },
		{"sys/bus/nd/devices/namespace2.0/resource",   "0x4000000000"},
		{"sys/bus/nd/devices/namespace2.1/mode",       "raw"         },
		{"sys/bus/nd/devices/namespace2.1/size",       "0"           },
		{"sys/bus/nd/devices/region0/align",           "0x1000000"   },
	};

	tree_link(t, "sys/bus/dax/devices/dax1.0", "../../nd/devices/dax1.1/dax1.0");
	put_all(t, files, ARRAY_SIZE(files));
}

/* A CXL region as system RAM: 8 blocks of it are node 2's. And one left to device_dax. */
static void put_cxl(const struct tree *t)
{
	static const struct file files[] = {
		{"sys/bus/dax/devices/dax4.0/size",             "1073741824"  },
		{"sys/bus/dax/devices/dax4.0/target_node",      "2"           },
		{"sys/bus/dax/devices/dax4.0/memmap_on_memory", "1"           },
		{"sys/bus/dax/devices/dax5.0/size",             "2147483648"  },
		{"sys/bus/dax/devices/dax5.0/align",            "2097152"     },
		{"sys/bus/dax/devices/dax5.0/resource",         "0x8000000000"},
	};

	tree_link(t, "sys/bus/dax/devices/dax4.0/driver", "../../../../bus/dax/drivers/kmem");
	tree_link(t, "sys/bus/dax/devices/dax5.0/driver", "../../../../bus/dax/drivers/device_dax");
	put_all(t, files, ARRAY_SIZE(files));
}

static void server(void **state)
{
	(void)state;
	_cleanup_tree_ struct tree t;
	_cleanup_diags_ struct diags notes = {0};
	_cleanup_host_ struct host *h = NULL;

	tree_make(&t);
	put_server(&t);
	put_pmem(&t);
	put_cxl(&t);
	h = probe(t.dir, &notes);
	check_str(h->file, "the probed host", "file");
	check_int(h->is_this_system, false, "not this system");
	check_str(h->name, "fake", "name");
	check_int(h->arch, ARCH_X86_64, "arch");
	check_u64(h->page_size_bytes, 4096, "page size");
	check_u64(h->struct_page_bytes, 64, "struct page from BTF");
	check_int(h->kernel.dax_vmemmap_optimization, true, "DAX optimisation, the last line of the config");
	check_str(h->kernel.release, "6.12.117+deb13-amd64", "release");
	check_int(h->kernel.deferred_struct_page_init, false, "deferred init, from the config");
	check_int(h->kernel.init_on_alloc, false, "init_on_alloc, the command line wins");
	check_int(h->hvo_supported, true, "HVO");
	check_int(h->hvo_enabled, true, "HVO on");
	check_u64(h->nr_nodes, 3, "nodes");
	check_u64(h->nodes[0].memory_bytes, 2 * GIB, "node 0");
	check_u64(h->nodes[1].memory_bytes, 15 * 128 * MIB, "node 1, a block offline");
	check_u64(h->nodes[2].memory_bytes, 0, "node 2: kmem's, not RAM");
	check_u64(h->memory_bytes, 31 * 128 * MIB, "RAM");
	check_u64(h->nodes[0].cpus, 8, "CPUs of node 0");
	check_u64(h->nodes[2].cpus, 0, "CPUs of node 2");
	check_u64(h->cpus, 12, "CPUs");
	assert_true(noted(&notes, "GPU"));
	assert_false(noted(&notes, "taken as 64"));
	check_u64(notes.nr_errors, 0, "no errors");
}

static void server_pools(void **state)
{
	(void)state;
	_cleanup_tree_ struct tree t;
	_cleanup_diags_ struct diags notes = {0};
	_cleanup_host_ struct host *h = NULL;

	tree_make(&t);
	put_server(&t);
	h = probe(t.dir, &notes);
	check_u64(h->nr_hugepages, 2, "pools that hold pages");
	check_u64(h->hugepages[0].size_bytes, 2 * MIB, "size");
	check_u64(h->hugepages[0].count, 6, "count");
	check_int(h->hugepages[0].node, 0, "node");
	check_int(h->hugepages[0].when, HUGEPAGES_RUNTIME, "not on the command line");
	check_u64(h->hugepages[1].size_bytes, GIB, "size");
	check_int(h->hugepages[1].node, 1, "node");
	check_int(h->hugepages[1].when, HUGEPAGES_BOOT, "on the command line");
	check_u64(h->nodes[2].memory_bytes, GIB, "without a kmem device its blocks are RAM");
}

static void server_devices(void **state)
{
	(void)state;
	_cleanup_tree_ struct tree t;
	_cleanup_diags_ struct diags notes = {0};
	_cleanup_host_ struct host *h = NULL;
	const struct host_namespace *ns;

	tree_make(&t);
	put_server(&t);
	put_pmem(&t);
	put_cxl(&t);
	h = probe(t.dir, &notes);
	check_u64(h->nr_namespaces, 4, "namespaces: no seed; a dynamic devdax");
	ns = &h->namespaces[0];
	check_str(ns->name, "pmem0", "the block device's name");
	check_int(ns->mode, NS_FSDAX, "mode");
	check_int(ns->map, MAP_DEV, "map");
	check_u64(ns->align_bytes, 2 * MIB, "align");
	check_u64(ns->size_bytes, 100 * GIB, "raw size");
	check_u64(ns->start_bytes, 9 * GIB, "start");
	check_int(ns->node, 1, "node");
	ns = &h->namespaces[1];
	check_str(ns->name, "dax1.0", "the dax device's name");
	check_int(ns->mode, NS_DEVDAX, "mode");
	check_int(ns->map, MAP_MEM, "map");
	check_u64(ns->size_bytes, GIB, "without the end that the kernel cuts off");
	check_int(ns->has_start, false, "address not readable");
	check_int(ns->node, NODE_ANY, "node -1");
	assert_true(noted(&notes, "dax1.0: the last 1048576 bytes"));
	assert_true(noted(&notes, "physical address of dax1.0 not known"));
	check_int(h->namespaces[2].mode, NS_SECTOR, "mode");
	ns = &h->namespaces[3];
	check_str(ns->name, "dax5.0", "dynamic devdax");
	check_int(ns->map, MAP_MEM, "counts as map=mem");
	check_u64(ns->start_bytes, 512 * GIB, "start");
	check_u64(h->nr_devices, 1, "devices");
	check_str(h->devices[0].name, "dax4.0", "kmem");
	check_int(h->devices[0].type, DEV_SYSTEM_RAM, "type");
	check_int(h->devices[0].memmap_on_memory, true, "memmap on memory");
	check_u64(h->devices[0].block_bytes, 128 * MIB, "block");
	check_int(h->devices[0].node, 2, "node");
	check_reads_back(h);
}

/* A tree with next to nothing in it: notes, and defaults that they name. */
static void nearly_nothing(void **state)
{
	(void)state;
	_cleanup_tree_ struct tree t;
	_cleanup_diags_ struct diags notes = {0};
	_cleanup_host_ struct host *h = NULL;
	static const char *const parts[] = {"kernel release not known",
					    "size of struct page not known",
					    "command line not known",
					    "init_on_alloc not known",
					    "HVO not known",
					    "RAM not known",
					    "number of CPUs not known",
					    "page size not known"};

	tree_make(&t);
	put(&t, "proc/sys/kernel/arch", "aarch64");
	h = probe(t.dir, &notes);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (!noted(&notes, parts[i]))
			print_error("no note: %s\n", parts[i]);
		assert_true(noted(&notes, parts[i]));
	}
	check_int(h->hvo_supported, false, "aarch64 has no HVO");
	check_u64(h->cpus, 1, "a CPU");
	check_u64(h->struct_page_bytes, 64, "struct page");
	check_u64(h->memory_bytes, 0, "RAM not known");
}

static void arm64_with_64k_pages(void **state)
{
	(void)state;
	_cleanup_tree_ struct tree t;
	_cleanup_diags_ struct diags notes = {0};
	_cleanup_host_ struct host *h = NULL;

	tree_make(&t);
	put_basics(&t, "aarch64", "7.3.4");
	put_btf(&t, 80);
	put(&t, "proc/meminfo", "MemTotal:       16384000 kB\nMemFree:  1 kB");
	put(&t, "sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "0");
	put(&t, "sys/kernel/mm/hugepages/hugepages-524288kB/nr_hugepages", "0");
	put(&t, "sys/kernel/mm/hugepages/hugepages-16777216kB/nr_hugepages", "0");
	h = probe(t.dir, &notes);
	check_u64(h->struct_page_bytes, 80, "struct page from BTF");
	check_u64(h->page_size_bytes, 65536, "told by the hugepage sizes");
	check_u64(h->memory_bytes, 16384000 * KIB, "MemTotal");
	assert_true(noted(&notes, "MemTotal"));
	check_int(h->hvo_supported, false, "no sysctl, no HVO");
	assert_false(noted(&notes, "HVO not known"));
}

/* lib/kstrtox.c: kstrtobool: y, Y, t, T, 1 and on are yes; the last of several counts; nothing is read behind "--". */
static void init_on_alloc_as_the_kernel_reads_it(void **state)
{
	static const struct {
		const char *cmdline;
		bool on;
	} rows[] = {
		{"init_on_alloc=1",                    true },
		{"init_on_alloc=Y",                    true },
		{"init-on-alloc=On quiet",             true },
		{"init_on_alloc=N",                    false},
		{"init_on_alloc=off",                  false},
		{"init_on_alloc=1 init_on_alloc=0",    false},
		{"init_on_alloc=0 -- init_on_alloc=1", false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_tree_ struct tree t;
		_cleanup_diags_ struct diags notes = {0};
		_cleanup_host_ struct host *h = NULL;

		tree_make(&t);
		put_basics(&t, "x86_64", "7.3.4");
		put(&t, "proc/cmdline", rows[i].cmdline);
		h = probe(t.dir, &notes);
		check_int(h->kernel.init_on_alloc, rows[i].on, "%s", rows[i].cmdline);
	}
}

/* HVO is of Linux 5.14, its sysctl of 5.19: Ubuntu's 5.15 has the one without the other. */
static void hvo_before_its_sysctl(void **state)
{
	static const char first[] = "CONFIG_HUGETLB_PAGE_FREE_VMEMMAP=y";
	static const struct {
		const char *release, *config, *cmdline;
		bool is_known, is_supported, is_on;
	} rows[] = {
		{"5.15.0-91-generic", first,                          "hugetlb_free_vmemmap=on",  true,  true,  true },
		{"5.15.0-91-generic", first,                          "quiet",                    true,  true,  false},
		{"5.15.0-91-generic", "CONFIG_SMP=y",                 "hugetlb_free_vmemmap=on",  true,  false, false},
		{"5.18.0",
		 "CONFIG_HUGETLB_PAGE_OPTIMIZE_VMEMMAP=y\n"
		 "CONFIG_HUGETLB_PAGE_OPTIMIZE_VMEMMAP_DEFAULT_ON=y", "quiet",                    true,  true,  true },
		{"5.18.0",
		 "CONFIG_HUGETLB_PAGE_OPTIMIZE_VMEMMAP=y\n"
		 "CONFIG_HUGETLB_PAGE_OPTIMIZE_VMEMMAP_DEFAULT_ON=y", "hugetlb_free_vmemmap=off", true,  true,  false},
		{"5.15.0-91-generic", NULL,                           "hugetlb_free_vmemmap=on",  false, true,  false},
		{"5.10.0",            first,                          "hugetlb_free_vmemmap=on",  true,  false, false},
		{"5.19.0",            first,                          "hugetlb_free_vmemmap=on",  true,  false, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_tree_ struct tree t;
		_cleanup_diags_ struct diags notes = {0};
		_cleanup_host_ struct host *h = NULL;
		char path[64];

		tree_make(&t);
		put(&t, "proc/sys/kernel/arch", "x86_64");
		put(&t, "proc/sys/kernel/osrelease", rows[i].release);
		put(&t, "proc/sys/vm/overcommit_memory", "0");
		put(&t, "proc/cmdline", rows[i].cmdline);
		snprintf(path, sizeof(path), "boot/config-%s", rows[i].release);
		if (rows[i].config)
			put(&t, path, rows[i].config);
		h = probe(t.dir, &notes);
		check_int(!host_is_unknown(h, &h->hvo_supported), rows[i].is_known, "row %zu", i);
		check_int(h->hvo_supported, rows[i].is_supported, "row %zu", i);
		check_int(h->hvo_enabled, rows[i].is_on, "row %zu", i);
	}
}

static void unknown_arch(void **state)
{
	(void)state;
	_cleanup_tree_ struct tree t;
	_cleanup_diags_ struct diags notes = {0};
	struct host *h = NULL;
	struct root root;

	tree_make(&t);
	check_int(root_open(t.dir, &root), 0, "root");
	check_int(probe_live(&root, &notes, &h), -ENOTSUP, "no architecture");
	put(&t, "proc/sys/kernel/arch", "riscv64");
	check_int(probe_live(&root, &notes, &h), -ENOTSUP, "another architecture");
	check_u64(notes.nr_errors, 2, "both told");
	assert_null(h);
	root_close(&root);
}

/* Whatever this machine is: values that other sources confirm, and a description that reads back. */
static void this_machine(void **state)
{
	(void)state;
	_cleanup_diags_ struct diags notes = {0};
	_cleanup_host_ struct host *h = probe("/", &notes);

	check_str(h->file, "this host", "file");
	check_int(h->is_this_system, true, "this system");
	check_u64(h->page_size_bytes, (uint64_t)sysconf(_SC_PAGESIZE), "page size");
	assert_true(h->memory_bytes > 0 || noted(&notes, "RAM not known"));
	assert_true(h->struct_page_bytes >= 56 && h->struct_page_bytes <= 96);
	assert_true(h->cpus > 0);
	if (h->memory_bytes)
		check_reads_back(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(server),
		cmocka_unit_test(server_pools),
		cmocka_unit_test(server_devices),
		cmocka_unit_test(nearly_nothing),
		cmocka_unit_test(arm64_with_64k_pages),
		cmocka_unit_test(init_on_alloc_as_the_kernel_reads_it),
		cmocka_unit_test(hvo_before_its_sysctl),
		cmocka_unit_test(unknown_arch),
		cmocka_unit_test(this_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
