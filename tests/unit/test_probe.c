// SPDX-License-Identifier: GPL-2.0-or-later
/* Probing hosts that nobody here has: trees made of tables, with the values that kernels show. */
#include "support/memory_tree.h"

#include <errno.h>

#include "base/units.h"
#include "base/util.h"
#include "probe/live.h"
#include "probe/prober.h"
#include "report/host_report.h"

#define BLOCKS "sys/devices/system/memory"
#define NODES  "sys/devices/system/node"

static bool noted(const struct diags *notes, const char *part)
{
	for (size_t i = 0; i < notes->nr; i++) {
		if (strstr(notes->items[i].text, part))
			return true;
	}
	return false;
}

static char *yaml_of(const struct probed *probed)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	check_int(host_yaml(probed, f), 0, "yaml");
	fclose(f);
	return text;
}

/*
 * A probe of a tree; its YAML reads back to what was probed, and the probe of what it read gives the same
 * YAML.
 */
static void probe_tree(struct tree *tree, struct diags *notes, struct probed *out)
{
	_cleanup_tree_ struct tree record = {0};
	_cleanup_probed_ struct probed again = {0};
	_cleanup_diags_ struct diags ignored = {0}, diags = {0};
	_cleanup_host_ struct host *loaded = NULL;
	_cleanup_free_ char *yaml = NULL, *yaml_again = NULL;
	struct root root = tree_root(tree), root_again;

	root.record = &record;
	check_int(probe_host(&root, notes, out), 0, "probe");
	root_again = tree_root(&record);
	check_int(probe_host(&root_again, &ignored, &again), 0, "probe of the record");
	yaml = yaml_of(out);
	yaml_again = yaml_of(&again);
	check_str(yaml_again, yaml, "a snapshot probes like the host");
	if (host_is_unknown(out->host, &out->host->arch) || !out->host->memory_bytes)
		return;
	if (host_load_text(yaml, strlen(yaml), "probed", &diags, &loaded)) {
		diags_print(&diags, stderr);
		print_error("%s", yaml);
		fail();
	}
	check_u64(loaded->memory_bytes, out->host->memory_bytes, "memory");
	check_u64(loaded->page_size_bytes, out->host->page_size_bytes, "page size");
	check_u64(loaded->nr_namespaces, out->host->nr_namespaces, "namespaces");
	check_u64(loaded->nr_devices, out->host->nr_devices, "devices");
	check_u64(loaded->nr_nodes, out->host->nr_nodes, "nodes");
	check_int(loaded->kernel.init_on_alloc, out->host->kernel.init_on_alloc, "init_on_alloc");
	check_int(loaded->hvo_supported, out->host->hvo_supported, "HVO");
}

static void put_blocks(struct tree *tree, unsigned int node, unsigned int first, unsigned int nr)
{
	char path[128];

	tree_put(tree, BLOCKS "/block_size_bytes", "8000000");
	for (unsigned int i = first; i < first + nr; i++) {
		snprintf(path, sizeof(path), BLOCKS "/memory%u/state", i);
		tree_put(tree, path, "online");
		snprintf(path, sizeof(path), BLOCKS "/memory%u/node%u", i, node);
		tree_put(tree, path, "-> ../../node/node");
		snprintf(path, sizeof(path), NODES "/node%u/memory%u", node, i);
		tree_put(tree, path, "-> ../../memory");
	}
}

static void put_x86(struct tree *tree)
{
	static const struct tree_row rows[] = {
		{"proc/sys/kernel/arch",      "x86_64"  },
                {"proc/sys/kernel/osrelease", "7.3.4"   },
		{"proc/sys/kernel/hostname",  "gpu-node"},
                {"proc/sys/vm/swappiness",    "60"      },
		{NODES "/node0/cpulist",      "0-15"    },
	};

	tree_put_rows(tree, rows, ARRAY_SIZE(rows));
	put_blocks(tree, 0, 0, 64);
}

/*
 * facts/kernel.md 8: amdgpu registers all VRAM, rounded up to 2 MiB; 192 GiB of it are 50331648 struct
 * pages.
 */
static void gpus(void **state)
{
	(void)state;
	static const struct tree_row rows[] = {
		{"sys/bus/pci/devices/0000:03:00.0/class",               "0x038000"                             },
		{"sys/bus/pci/devices/0000:03:00.0/vendor",              "0x1002"                               },
		{"sys/bus/pci/devices/0000:03:00.0/device",              "0x74a1"                               },
		{"sys/bus/pci/devices/0000:03:00.0/numa_node",           "0"                                    },
		{"sys/bus/pci/devices/0000:03:00.0/mem_info_vram_total", "206141652992"                         },
		{"sys/bus/pci/devices/0000:03:00.0/driver",              "-> ../../../../bus/pci/drivers/amdgpu"},
		{"sys/bus/pci/devices/0000:03:00.0/resource",
		 "0x0000380000000000 0x0000383fffffffff 0x000000000014220c\n"
		 "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
		 "0x0000384000000000 0x00003840001fffff 0x000000000014220c\n"
		 "0x0000000000003000 0x00000000000030ff 0x0000000000040101"                                     },
		{"sys/bus/pci/devices/0000:41:00.0/class",               "0x030200"                             },
		{"sys/bus/pci/devices/0000:41:00.0/vendor",              "0x10de"                               },
		{"sys/bus/pci/devices/0000:41:00.0/driver",              "-> ../../drivers/nvidia"              },
		{"sys/bus/pci/devices/0000:61:00.0/class",               "0x010802"                             },
		{"sys/bus/pci/devices/0000:61:00.0/p2pmem/size",         "67108864"                             },
		{"sys/bus/pci/devices/0000:62:00.0/class",               "0x020000"                             },
	};
	_cleanup_tree_ struct tree tree = {0};
	_cleanup_diags_ struct diags notes = {0};
	_cleanup_probed_ struct probed probed = {0};
	_cleanup_free_ char *yaml = NULL;

	put_x86(&tree);
	tree_put_rows(&tree, rows, ARRAY_SIZE(rows));
	probe_tree(&tree, &notes, &probed);
	check_u64(probed.host->nr_devices, 2, "the two that register memory");
	check_str(probed.host->devices[0].name, "0000:03:00.0", "amdgpu");
	check_int(probed.host->devices[0].type, DEV_PRIVATE, "amdgpu");
	check_u64(probed.host->devices[0].size_bytes, 206141652992, "VRAM, a multiple of 2 MiB");
	check_int(probed.host->devices[0].node, 0, "node");
	check_int(probed.host->devices[1].type, DEV_P2PDMA, "a BAR that is peer-to-peer memory");
	check_u64(probed.host->devices[1].size_bytes, 64 * MIB, "its size");
	check_u64(probed.facts.nr_accelerators, 2, "GPUs; no disk, no network");
	check_u64(probed.facts.accelerators[0].bar_bytes, 256 * GIB, "largest BAR");
	check_str(probed.facts.accelerators[0].bars, "256GiB, 2MiB",
		  "those of memory; the third is of ports");
	check_str(probed.facts.accelerators[1].vendor, "NVIDIA", "vendor");
	assert_true(noted(&notes, "0000:41:00.0 (nvidia)"));
	yaml = yaml_of(&probed);
	assert_non_null(strstr(yaml, "# unknown: devices: 0000:41:00.0 (nvidia)"));
	assert_non_null(strstr(yaml, "# /sys/bus/pci/devices/0000:03:00.0/mem_info_vram_total"));
}

/* A kernel without DEVICE_PRIVATE registers nothing. */
static void gpu_without_device_private(void **state)
{
	(void)state;
	static const struct tree_row rows[] = {
		{"boot/config-7.3.4",                                    "CONFIG_SMP=y\n# CONFIG_DEVICE_PRIVATE is not set"},
		{"sys/bus/pci/devices/0000:03:00.0/class",               "0x038000"                                        },
		{"sys/bus/pci/devices/0000:03:00.0/mem_info_vram_total", "206158430208"                                    },
		{"sys/bus/pci/devices/0000:03:00.0/driver",              "-> ../drivers/amdgpu"                            },
	};
	_cleanup_tree_ struct tree tree = {0};
	_cleanup_diags_ struct diags notes = {0};
	_cleanup_probed_ struct probed probed = {0};

	put_x86(&tree);
	tree_put_rows(&tree, rows, ARRAY_SIZE(rows));
	probe_tree(&tree, &notes, &probed);
	check_u64(probed.host->nr_devices, 0, "no device memory");
	check_u64(probed.facts.nr_accelerators, 1, "and still a GPU");
}

/*
 * A coherent GPU: its memory is a node without CPUs, hot-added by its driver; the firmware's spare nodes
 * are empty.
 */
static void coherent_gpu(void **state)
{
	(void)state;
	static const struct tree_row rows[] = {
		{"proc/sys/kernel/arch",      "aarch64"						   },
		{"proc/sys/kernel/osrelease", "6.12.117"                                                  },
		{NODES "/node0/cpulist",      "0-71"						      },
		{NODES "/node1/cpulist",      ""							  },
		{NODES "/node1/distance",     "80 10 80"                                                  },
		{NODES "/node2/cpulist",      ""							  },
		{"proc/iomem",                "00000000-1ffffffff : System RAM\n"
			       "  00010000-000fffff : Kernel code\n"
			       "2000000000-200fffffff : System RAM (NVIDIA)\n"
			       "2010000000-201fffffff : System RAM (NVIDIA)"},
	};
	_cleanup_tree_ struct tree tree = {0};
	_cleanup_diags_ struct diags notes = {0};
	_cleanup_probed_ struct probed probed = {0};
	const struct host *h;

	tree_put_rows(&tree, rows, ARRAY_SIZE(rows));
	put_blocks(&tree, 0, 0, 64);
	put_blocks(&tree, 1, 0x2000000000 / (128 * MIB), 4);
	probe_tree(&tree, &notes, &probed);
	h = probed.host;
	check_u64(h->nr_nodes, 3, "nodes, the empty one too");
	check_u64(h->nodes[1].memory_bytes, 0, "no RAM of the boot");
	check_u64(h->memory_bytes, 8 * GIB, "RAM");
	check_u64(h->nr_devices, 1, "the segments are one device");
	check_int(h->devices[0].type, DEV_SYSTEM_RAM, "type");
	check_u64(h->devices[0].size_bytes, 512 * MIB, "both ranges");
	check_u64(h->devices[0].start_bytes, 0x2000000000, "start");
	check_int(h->devices[0].node, 1, "node");
	check_str(probed.facts.nodes[2].kind, "empty", "a spare node");
}

/*
 * Two namespaces as the kernel's uevents and sysfs name them, one in use; a pmem dax device that kmem took.
 */
static void pmem(void **state)
{
	(void)state;
	static const struct tree_row rows[] = {
		{"sys/bus/nd/devices/ndbus0/provider",           "ACPI.NFIT"                        },
		{"sys/bus/nd/devices/nmem0/nfit/handle",         "0x1"                              },
		{"sys/bus/nd/devices/nmem0/nfit/serial",         "0xdecafbad"                       },
		{"sys/bus/nd/devices/nmem0/state",               "active"                           },
		{"sys/bus/nd/devices/region0/size",              "135291469824"                     },
		{"sys/bus/nd/devices/region0/devtype",           "nd_pmem"                          },
		{"sys/bus/nd/devices/region0/align",             "0x1000000"                        },
		{"sys/bus/nd/devices/namespace0.0/mode",         "memory"                           },
		{"sys/bus/nd/devices/namespace0.0/size",         "4294967296"                       },
		{"sys/bus/nd/devices/namespace0.0/uuid",         "a-unique-id"                      },
		{"sys/bus/nd/devices/namespace0.0/resource",     "0x240000000"                      },
		{"sys/bus/nd/devices/namespace0.0/holder",       "pfn0.1"                           },
		{"sys/bus/nd/devices/namespace0.0/sector_size",  "[512] 4096"                       },
		{"sys/bus/nd/devices/pfn0.1/mode",               "pmem"                             },
		{"sys/bus/nd/devices/pfn0.1/size",               "4225761280"                       },
		{"sys/bus/nd/devices/pfn0.1/align",              "2097152"                          },
		{"sys/bus/nd/devices/pfn0.1/block/pmem0/size",   "8253440"                          },
		{"sys/bus/nd/devices/namespace0.1/mode",         "dax"                              },
		{"sys/bus/nd/devices/namespace0.1/size",         "2147483648"                       },
		{"sys/bus/nd/devices/namespace0.1/holder",       "dax0.2"                           },
		{"sys/bus/nd/devices/dax0.2/mode",               "pmem"                             },
		{"sys/bus/nd/devices/dax0.2/size",               "2111832064"                       },
		{"sys/bus/nd/devices/dax0.2/align",              "2097152"                          },
		{"sys/bus/nd/devices/dax0.2/dax_region/id",      "0"                                },
		{"sys/bus/nd/devices/dax0.2/dax0.0/size",        "2111832064"                       },
		{"sys/bus/nd/devices/dax0.2/dax0.0/resource",    "0x342200000"                      },
		{"sys/bus/nd/devices/dax0.2/dax0.0/target_node", "0"                                },
		{"sys/bus/nd/devices/dax0.2/dax0.0/driver",      "-> ../../../../dax/drivers/kmem"  },
		{"sys/bus/dax/devices/dax0.0",                   "-> ../../nd/devices/dax0.2/dax0.0"},
		{"proc/mounts",				  "fs.example:/secret /home nfs rw 0 0\n"
				"/dev/pmem01 /no ext4 rw 0 0\n"
				"/dev/pmem0p1 /mnt/db xfs rw,dax 0 0"},
	};
	_cleanup_tree_ struct tree tree = {0}, record = {0};
	_cleanup_diags_ struct diags notes = {0};
	_cleanup_probed_ struct probed probed = {0};
	struct root root;

	put_x86(&tree);
	tree_put_rows(&tree, rows, ARRAY_SIZE(rows));
	probe_tree(&tree, &notes, &probed);
	check_u64(probed.host->nr_namespaces, 1, "the one that is a namespace's");
	check_str(probed.host->namespaces[0].name, "pmem0", "device");
	check_u64(probed.host->namespaces[0].size_bytes, 4 * GIB, "raw");
	check_u64(probed.facts.namespaces[0].usable_bytes, 4225761280, "ndctl-list(1): usable of 4 GiB");
	check_str(probed.facts.namespaces[0].in_use, "mounted on /mnt/db", "a partition of it is mounted");
	check_u64(probed.facts.namespaces[0].sector_bytes, 512, "sector size");
	check_u64(probed.host->nr_devices, 1, "the one that kmem took");
	check_str(probed.host->devices[0].name, "dax0.0", "its name");
	check_int(probed.host->devices[0].type, DEV_SYSTEM_RAM, "its type");
	check_u64(probed.facts.nr_dax, 1, "dax devices");
	/* 0x342200000 is 104.27 blocks; 2014 MiB from there end in block 120: 15 whole ones. */
	check_u64(probed.facts.dax[0].blocks_total, 15, "whole blocks in it");
	check_u64(probed.facts.dax[0].blocks_online, 0, "none of them there");
	check_str(probed.facts.regions[0].type, "pmem", "region type");
	check_str(probed.facts.dimms[0].handle, "0x1", "DIMM");

	root = tree_root(&tree);
	root.record = &record;
	probed_free(&probed);
	check_int(probe_host(&root, NULL, &probed), 0, "probe");
	for (size_t i = 0; i < record.nr; i++) {
		static const char *const secrets[] = {"fs.example", "decafbad", "a-unique-id"};

		for (size_t j = 0; j < ARRAY_SIZE(secrets); j++)
			assert_null(strstr(record.items[i].data, secrets[j]));
	}
}

/* Whole or by a partition; "no" only where nothing was left unseen. */
static void in_use(void **state)
{
	(void)state;
	static const struct {
		const char *path, *text, *swaps, *want;
	} cases[] = {
		{"",				  NULL,                "",                              "no"           },
		{"",				  NULL,                NULL,                            NULL           },
		{"",				  NULL,                "/dev/pmem0p2 partition 1 0 -2", "swap"         },
		{"",				  NULL,                "/dev/pmem01 partition 1 0 -2",  "no"           },
		{"block/pmem0/holders/dm-3",          "-> ../../../dm-3",  "",                              "held by dm-3" },
		{"block/pmem0/pmem0p1/holders/md127", "-> ../../../md127", NULL,                            "held by md127"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_tree_ struct tree tree = {0};
		_cleanup_diags_ struct diags notes = {0};
		_cleanup_probed_ struct probed probed = {0};
		char path[128];

		put_x86(&tree);
		tree_put(&tree, "sys/bus/nd/devices/namespace0.0/mode", "memory");
		tree_put(&tree, "sys/bus/nd/devices/namespace0.0/size", "4294967296");
		tree_put(&tree, "sys/bus/nd/devices/namespace0.0/block/pmem0/size", "8388608");
		tree_put(&tree, "proc/mounts", "/dev/pmem1 /mnt xfs rw 0 0");
		if (cases[i].swaps)
			tree_put(&tree, "proc/swaps", cases[i].swaps);
		snprintf(path, sizeof(path), "sys/bus/nd/devices/namespace0.0/%s", cases[i].path);
		if (cases[i].text)
			tree_put(&tree, path, cases[i].text);
		probe_tree(&tree, &notes, &probed);
		check_str(probed.facts.namespaces[0].in_use ? probed.facts.namespaces[0].in_use : "not seen",
			  cases[i].want ? cases[i].want : "not seen", "case %zu", i);
	}
}

/* A pool's folder without its files: unknown, and no zeros. */
static void pools_without_numbers(void **state)
{
	(void)state;
	_cleanup_tree_ struct tree tree = {0};
	_cleanup_diags_ struct diags notes = {0};
	_cleanup_probed_ struct probed probed = {0};

	put_x86(&tree);
	tree_put(&tree, "sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "0");
	tree_put(&tree, "sys/kernel/mm/hugepages/hugepages-1048576kB/free_hugepages", "0");
	probe_tree(&tree, &notes, &probed);
	check_int(host_is_unknown(probed.host, &probed.host->hugepages), true, "pools");
	assert_true(noted(&notes, "hugepages-1048576kB/nr_hugepages"));
	check_u64(probed.facts.nr_pools, 1, "pools with a number");
	check_int(probed.facts.pools[0].has_free, false, "free pages");
	check_int(probed.facts.pools[0].has_surplus, false, "surplus pages");
}

/* Without a configuration the log tells: "node 0 deferred pages initialised in 44ms" (facts/kernel.md 4). */
static void deferred_init_from_log(void **state)
{
	(void)state;
	static const struct {
		const char *log;
		bool known;
	} cases[] = {
		{"[    0.0] Linux version 7.3.4\n[    0.4] node 0 deferred pages initialised in 44ms\n[ 1.0] "
		 "token=x",					true },
		{"[    0.0] Linux version 7.3.4\n[    0.4] deferred probe pending", false},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_tree_ struct tree tree = {0};
		_cleanup_diags_ struct diags notes = {0};
		_cleanup_probed_ struct probed probed = {0};

		put_x86(&tree);
		tree_put(&tree, "var/log/dmesg", cases[i].log);
		probe_tree(&tree, &notes, &probed);
		check_int(!host_is_unknown(probed.host, &probed.host->kernel.deferred_struct_page_init),
			  cases[i].known, "log %zu", i);
		check_int(probed.host->kernel.deferred_struct_page_init, true, "log %zu", i);
	}
}

static void command_lines(void **state)
{
	(void)state;
	static const struct {
		const char *line, *kept;
	} cases[] = {
		{"BOOT_IMAGE=/vmlinuz root=UUID=1 hugepages=4 password=x quiet",                "hugepages=4"                    },
		{"hugepagesz=1G hugepages=4 hugepagesz=2M hugepages=512",
		 "hugepagesz=1G hugepages=4 hugepagesz=2M hugepages=512"                                                         },
		{"movable_node memmap=4G!12G -- hugepages=9 token=x",                           "movable_node memmap=4G!12G"     },
		{"memory_hotplug.memmap_on_memory=Y memory-hotplug.online_policy=auto-movable",
		 "memory_hotplug.memmap_on_memory=Y memory-hotplug.online_policy=auto-movable"                                   },
		{"note=\"mem=3G secret\" mem=2G\n",                                             "mem=2G"                         },
		{"hugepages=4\tpassword=x\v memmap=\"4G!12G a\"",                               "hugepages=4 memmap=\"4G!12G a\""},
		{"memories=5 member nomem xmem=1",                                              ""                               },
		{"",									    ""			       },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *text = strdup(cases[i].line);

		cmdline_keep(text);
		check_str(text, cases[i].kept, "%s", cases[i].line);
		cmdline_keep(text);
		check_str(text, cases[i].kept, "twice: %s", cases[i].line);
	}
}

static void cpu_lists(void **state)
{
	(void)state;
	check_u64(cpulist_count("0-63,128"), 65, "list");
	check_u64(cpulist_count(""), 0, "empty");
	check_u64(cpulist_count("5-3"), 0, "backwards");
	check_u64(cpumap_count("00000000,000000ff"), 8, "mask");
	check_u64(cpumap_count("ff,00000001"), 9, "mask of two words");
	check_u64(cpumap_count("xyz"), 0, "no mask");
}

/* A folder of sysfs alone, an empty tree, nothing at all: unknown, never an error. */
static void little_or_nothing(void **state)
{
	(void)state;
	static const struct tree_row rows[][2] = {
		{{"sys/kernel", NULL}},
		{{"proc/cpuinfo",
		  "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd0c"}},
		{{"proc/cpuinfo", "flags\t\t: fpu lm\nfdiv_bug\t: no"}},
	};
	static const struct {
		bool known;
		enum arch_id arch;
	} want[] = {
		{false, 0           },
                {true,  ARCH_AARCH64},
                {false, 0           }
        };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_tree_ struct tree tree = {0};
		_cleanup_diags_ struct diags notes = {0};
		_cleanup_probed_ struct probed probed = {0};
		struct host *host = NULL;
		struct root root;

		tree_put_rows(&tree, rows[i], 1);
		probe_tree(&tree, &notes, &probed);
		check_int(!host_is_unknown(probed.host, &probed.host->arch), want[i].known, "case %zu", i);
		check_int(host_is_unknown(probed.host, &probed.host->memory_bytes), true, "memory");
		check_u64(probed.host->memory_bytes, 0, "memory");
		check_u64(notes.nr_errors, 0, "no error of its own");
		root = tree_root(&tree);
		check_int(probe_live(&root, &notes, &host), want[i].known ? 0 : -ENOTSUP,
			  "a forecast needs it");
		host_free(host);
	}
}

static const struct tree_row every_kind_of_file[] = {
	{"proc/sys/kernel/arch",				  "x86_64"                                     },
	{"proc/sys/kernel/osrelease",                             "7.3.4"                                      },
	{"proc/sys/kernel/hostname",                              "host"                                       },
	{"proc/sys/vm/hugetlb_optimize_vmemmap",                  "1"                                          },
	{"proc/cmdline",					  "hugepages=4"                                },
	{"proc/cpuinfo",					  "flags : lm"                                 },
	{"proc/mounts",					   "/dev/pmem0 /mnt xfs rw 0 0"                 },
	{"etc/udev/rules.d/40-x.rules",                           "ATTR{state}=\"online\""                     },
	{"proc/buddyinfo",					"Node 0, zone Normal 1 2 3 4 5 6 7 8 9 10 11"},
	{"proc/iomem",					    "1000-1fff : System RAM (NVIDIA)"            },
	{"proc/self/smaps",				       "KernelPageSize: 4 kB"                       },
	{"boot/config-7.3.4",				     "CONFIG_SMP=y"                               },
	{"sys/kernel/btf/vmlinux",                                "no BTF"                                     },
	{"sys/devices/system/cpu/online",                         "0-3"                                        },
	{"sys/devices/system/cpu/cpu0/cache/index0/size",         "32K"                                        },
	{BLOCKS "/block_size_bytes",                              "8000000"                                    },
	{BLOCKS "/memory0/state",                                 "online"                                     },
	{NODES "/node0/memory0",				  "-> ../../memory/memory0"                    },
	{NODES "/node0/cpulist",				  "0-3"					},
	{"sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "4"                                          },
	{"sys/bus/nd/devices/region0/size",                       "4294967296"                                 },
	{"sys/bus/nd/devices/namespace0.0/size",                  "4294967296"                                 },
	{"sys/bus/nd/devices/namespace0.0/mode",                  "memory"                                     },
	{"sys/bus/nd/devices/namespace0.0/resource",              "0x100000000"                                },
	{"sys/bus/nd/devices/namespace0.0/holder",                "pfn0.0"                                     },
	{"sys/bus/nd/devices/namespace0.0/numa_node",             "0"                                          },
	{"sys/bus/nd/devices/namespace0.0/sector_size",           "[512]"                                      },
	{"sys/bus/nd/devices/pfn0.0/align",                       "2097152"                                    },
	{"sys/bus/nd/devices/pfn0.0/size",                        "4225761280"                                 },
	{"sys/bus/nd/devices/pfn0.0/block/pmem0/size",            "1"                                          },
	{"sys/bus/nd/devices/dax0.1/size",                        "4225761280"                                 },
	{"sys/bus/nd/devices/dax0.1/namespace",                   "namespace0.1"                               },
	{"sys/bus/nd/devices/dax0.1/resource",                    "0x200000000"                                },
	{"sys/bus/dax/devices/dax1.0/size",                       "2147483648"                                 },
	{"sys/bus/dax/devices/dax1.0/resource",                   "0x300000000"                                },
	{"sys/bus/dax/devices/dax1.0/align",                      "2097152"                                    },
	{"sys/bus/dax/devices/dax1.0/target_node",                "0"                                          },
	{"sys/bus/dax/devices/dax1.0/driver",                     "-> ../drivers/kmem"                         },
	{"sys/bus/pci/devices/0000:03:00.0/class",                "0x038000"                                   },
	{"sys/bus/pci/devices/0000:03:00.0/resource",             "0x0 0xff 0x200"                             },
	{"sys/bus/pci/devices/0000:03:00.0/mem_info_vram_total",  "1073741824"                                 },
	{"sys/bus/pci/devices/0000:03:00.0/driver",               "-> ../drivers/amdgpu"                       },
};

/* Every file in turn holds nonsense: no crash, no error of its own, and documents that are documents. */
static void nonsense(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"",
		"-1",
		"0",
		"18446744073709551615",
		"99999999999999999999999",
		"0xffffffffffffffff",
		"\xff\xfe \x01",
		"0-",
		"\n\n",
		"x: {y",
		"-> ../../../..",
		"-> .",
		"[",
		"ffffffff,ffffffff",
		"a\nb\tc",
		"1-0 : System RAM (",
		"0 18446744073709551615 0x200",
	};

	for (size_t i = 0; i < ARRAY_SIZE(every_kind_of_file) * ARRAY_SIZE(texts); i++) {
		_cleanup_tree_ struct tree tree = {0};
		_cleanup_diags_ struct diags notes = {0}, mistakes = {0};
		_cleanup_probed_ struct probed probed = {0};
		_cleanup_host_ struct host *loaded = NULL;
		_cleanup_free_ char *yaml = NULL, *json = NULL;
		const struct tree_row *row = &every_kind_of_file[i / ARRAY_SIZE(texts)];
		struct root root;
		size_t len;
		FILE *f = open_memstream(&json, &len);

		tree_put_rows(&tree, every_kind_of_file, ARRAY_SIZE(every_kind_of_file));
		tree_put(&tree, row->path, texts[i % ARRAY_SIZE(texts)]);
		root = tree_root(&tree);
		check_int(probe_host(&root, &notes, &probed), 0, "%s", row->path);
		check_u64(notes.nr_errors, 0, "%s", row->path);
		check_int(host_json(&probed, &notes, f), 0, "JSON, %s", row->path);
		fclose(f);
		yaml = yaml_of(&probed);
		for (const char *c = yaml; *c; c++)
			assert_true(*c == '\n' || ((unsigned char)*c >= ' ' && (unsigned char)*c < 0x7f));
		host_load_text(yaml, strlen(yaml), "probed", &mistakes, &loaded);
		for (size_t j = 0; j < mistakes.nr; j++) {
			static const char *const never[] = {"unknown key", "not a size", "not YAML",
							    "expected"};

			for (size_t k = 0; k < ARRAY_SIZE(never); k++) {
				if (strstr(mistakes.items[j].text, never[k]))
					print_error("%s: %s\n%s", row->path, mistakes.items[j].text, yaml);
				assert_null(strstr(mistakes.items[j].text, never[k]));
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gpus),
		cmocka_unit_test(gpu_without_device_private),
		cmocka_unit_test(coherent_gpu),
		cmocka_unit_test(pmem),
		cmocka_unit_test(in_use),
		cmocka_unit_test(pools_without_numbers),
		cmocka_unit_test(deferred_init_from_log),
		cmocka_unit_test(command_lines),
		cmocka_unit_test(cpu_lists),
		cmocka_unit_test(little_or_nothing),
		cmocka_unit_test(nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
