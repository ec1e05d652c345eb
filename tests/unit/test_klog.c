// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel logs: the forms that reports in the field have, and the lines the kernel's sources print. */
#include "support/check.h"

#include <stdlib.h>

#include "base/units.h"
#include "base/util.h"
#include "trace/klog.h"

#define NODE  KLOG_HAS_NODE
#define PAGES KLOG_HAS_PAGES
#define MS    KLOG_HAS_MS

static struct klog *parse(const char *text, size_t len)
{
	struct klog *klog = NULL;

	assert_int_equal(klog_parse(text, len, &klog), 0);
	return klog;
}

/* One message in every form: what comes before it must not matter to what it says. */
static void every_form(void **state)
{
	static const struct {
		const char *line;
		enum klog_stamp stamp;
		uint64_t stamp_ns;
	} rows[] = {
		{"node 0 deferred pages initialised in 3594ms",                                               KLOG_STAMP_NONE,  0                                                     },
		{"[    4.452535] node 0 deferred pages initialised in 3594ms",                                KLOG_STAMP_BOOT,  4452535000                                            },
		{"[    4.452535][  T593] node 0 deferred pages initialised in 3594ms",                        KLOG_STAMP_BOOT,
		 4452535000																			   },
		{"[    4.452535] [   T36] node 0 deferred pages initialised in 3594ms",                       KLOG_STAMP_BOOT,
		 4452535000																			   },
		{"[    4.452535] [    C1] node 0 deferred pages initialised in 3594ms",                       KLOG_STAMP_BOOT,
		 4452535000																			   },
		{"<6>[    0.064229] [   T36] node 0 deferred pages initialised in 3594ms",                    KLOG_STAMP_BOOT,
		 64229000																			     },
		{"6,339,4452535,-;node 0 deferred pages initialised in 3594ms",                               KLOG_STAMP_BOOT,  4452535000                                            },
		{"6,339,4452535,-,caller=T36;node 0 deferred pages initialised in 3594ms",                    KLOG_STAMP_BOOT,
		 4452535000																			   },
		{"[  +0.430956] node 0 deferred pages initialised in 3594ms",                                 KLOG_STAMP_DELTA, 430956000                                             },
		{"[<    0.430956>] node 0 deferred pages initialised in 3594ms",                              KLOG_STAMP_DELTA, 430956000                                             },
		{"[    4.452535 <    0.430956>] node 0 deferred pages initialised in 3594ms",                 KLOG_STAMP_BOOT,
		 4452535000																			   },
 /* 2026-02-10 19:23:21 UTC, by date(1) */
		{"[Tue Feb 10 19:23:21 2026] node 0 deferred pages initialised in 3594ms",                    KLOG_STAMP_WALL,
		 1770751401ULL * NS_PER_S																	     },
		{"2026-02-10T19:23:21,123456+00:00 node 0 deferred pages initialised in 3594ms",
		 KLOG_STAMP_WALL,											       1770751401ULL * NS_PER_S                              },
		{"2026-02-10T19:23:21+0000 gpu-7 kernel: node 0 deferred pages initialised in 3594ms",
		 KLOG_STAMP_WALL,											       1770751401ULL * NS_PER_S                              },
 /* October 24 is day 296 of a year without a leap day */
		{"Oct 24 19:36:33 HOST kernel: node 0 deferred pages initialised in 3594ms",                  KLOG_STAMP_WALL,
		 (296ULL * 86400 + 19 * 3600 + 36 * 60 + 33) * NS_PER_S													       },
		{"Oct 24 19:36:33.123456 HOST kernel: node 0 deferred pages initialised in 3594ms",
		 KLOG_STAMP_WALL,											       (296ULL * 86400 + 19 * 3600 + 36 * 60 + 33) * NS_PER_S},
		{"[    4.452535] HOST kernel: node 0 deferred pages initialised in 3594ms",                   KLOG_STAMP_BOOT,
		 4452535000																			   },
		{"> [    4.452535] node 0 deferred pages initialised in 3594ms",                              KLOG_STAMP_BOOT,  4452535000                                            },
		{"> > > [    4.452535] node 0 deferred pages initialised in 3594ms",                          KLOG_STAMP_BOOT,
		 4452535000																			   },
		{">>\t[    4.452535] node 0 deferred pages initialised in 3594ms",                            KLOG_STAMP_BOOT,
		 4452535000																			   },
		{"    [    4.452535] node 0 deferred pages initialised in 3594ms  \r",                        KLOG_STAMP_BOOT,
		 4452535000																			   },
		{"Oct 24 19:36:33 HOST kata[812]: time=\"2026-10-24T19:36:33Z\" level=debug "
		 "source=virtcontainers "
		 "vmconsole=\"[    4.452535] node 0 deferred pages initialised in 3594ms\"", KLOG_STAMP_BOOT,  4452535000					    },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_klog_ struct klog *klog = parse(rows[i].line, strlen(rows[i].line));

		check_u64(klog->nr, 1, "%s: records", rows[i].line);
		const struct klog_record *r = &klog->records[0];

		check_str(klog_type_name(r->type), "deferred", "%s", rows[i].line);
		check_u64(r->has, NODE | MS, "%s: values", rows[i].line);
		check_u64(r->node, 0, "%s: node", rows[i].line);
		check_u64(r->ms, 3594, "%s: ms", rows[i].line);
		check_int(r->stamp, rows[i].stamp, "%s: kind of stamp", rows[i].line);
		check_u64(r->stamp_ns, rows[i].stamp_ns, "%s: stamp", rows[i].line);
	}
}

/* Every message, with the values in it. */
static void every_message(void **state)
{
	static const struct {
		const char *line;
		struct klog_record want;
	} rows[] = {
		{"memmap_init_zone_device initialised 32768 pages in 12ms",
		 {.type = KLOG_ZONE_DEVICE, .has = PAGES | MS, .pages = 32768, .ms = 12}                                                                              },
		{"memmap_init_zone_device initialised 26214400 pages in 0ms",
		 {.type = KLOG_ZONE_DEVICE, .has = PAGES | MS, .pages = 26214400}										     },
		{"pmem0 initialised, 8388608 pages in 64ms",
		 {.type = KLOG_ZONE_DEVICE,
		  .has = PAGES | MS | KLOG_HAS_NAME,
		  .pages = 8388608,
		  .ms = 64,
		  .name = (char *)"pmem0"}															    },
		{"0000:01:00.0 initialised, 2097152 pages in 16ms",
		 {.type = KLOG_ZONE_DEVICE,
		  .has = PAGES | MS | KLOG_HAS_NAME,
		  .pages = 2097152,
		  .ms = 16,
		  .name = (char *)"0000:01:00.0"}														     },
		{"node 1 deferred pages initialised in 240ms",
		 {.type = KLOG_DEFERRED, .has = NODE | MS, .node = 1, .ms = 240}										      },
		{"node 0 initialised, 32439114 pages in 97ms",
		 {.type = KLOG_DEFERRED, .has = NODE | PAGES | MS, .pages = 32439114, .ms = 97}                                                                       },
		{"kswapd 3 initialised deferred memory in 1116ms",
		 {.type = KLOG_DEFERRED, .has = NODE | MS, .node = 3, .ms = 1116}										     },
		{"kswapd 0 initialised 4194304 pages in 188ms",
		 {.type = KLOG_DEFERRED, .has = NODE | PAGES | MS, .pages = 4194304, .ms = 188}                                                                       },
		{"HugeTLB: allocation took 706ms with hugepage_allocation_threads=32",
		 {.type = KLOG_HUGETLB_TOOK, .has = MS | KLOG_HAS_THREADS, .ms = 706, .threads = 32}                                                                  },
		{"HugeTLB: registered 1.00 GiB page size, pre-allocated 500 pages",
		 {.type = KLOG_HUGETLB_REGISTERED,
		  .has = KLOG_HAS_PAGE_SIZE | KLOG_HAS_COUNT,
		  .page_size_bytes = GIB,
		  .count = 500}																       },
		{"HugeTLB registered 2.00 MiB page size, pre-allocated 0 pages",
		 {.type = KLOG_HUGETLB_REGISTERED,
		  .has = KLOG_HAS_PAGE_SIZE | KLOG_HAS_COUNT,
		  .page_size_bytes = 2 * MIB}															 },
		{"HugeTLB: 16380 KiB vmemmap can be freed for a 1.00 GiB page",
		 {.type = KLOG_HUGETLB_FREEABLE,
		  .has = KLOG_HAS_BYTES | KLOG_HAS_PAGE_SIZE,
		  .bytes = 16380 * KIB,
		  .page_size_bytes = GIB}															     },
		{"HugeTLB: 0 KiB vmemmap can be freed for a 64.0 KiB page",
		 {.type = KLOG_HUGETLB_FREEABLE,
		  .has = KLOG_HAS_BYTES | KLOG_HAS_PAGE_SIZE,
		  .page_size_bytes = 64 * KIB}															},
		{"HugeTLB: allocating 128512 of page size 2.00 MiB failed.  Only allocated 128074 hugepages.",
		 {.type = KLOG_HUGETLB_SHORT,
		  .has = KLOG_HAS_WANTED | KLOG_HAS_PAGE_SIZE | KLOG_HAS_COUNT,
		  .wanted = 128512,
		  .page_size_bytes = 2 * MIB,
		  .count = 128074}																    },
		{"HugeTLB: allocating 200 of page size 1.00 GiB failed node1.  Only allocated 58 hugepages.",
		 {.type = KLOG_HUGETLB_SHORT,
		  .has = KLOG_HAS_WANTED | KLOG_HAS_PAGE_SIZE | KLOG_HAS_COUNT | NODE,
		  .wanted = 200,
		  .page_size_bytes = GIB,
		  .count = 58,
		  .node = 1}																	  },
		{"HugeTLB: freed 2 cross-zone hugepages of size 1.00 GiB on node 0.",
		 {.type = KLOG_HUGETLB_CROSS_ZONE,
		  .has = KLOG_HAS_COUNT | KLOG_HAS_PAGE_SIZE | NODE,
		  .count = 2,
		  .page_size_bytes = GIB}															     },
		{"HugeTLB: hugetlb_cma is enabled, skip boot time allocation",                                 {.type = KLOG_HUGETLB_CMA}                             },
		{"Memory: 3960572K/4193784K available (14336K kernel code, 2369K rwdata)",
		 {.type = KLOG_MEMORY,
		  .has = KLOG_HAS_BYTES | KLOG_HAS_TOTAL,
		  .bytes = 3960572 * KIB,
		  .total_bytes = 4193784 * KIB}														       },
		{"mem auto-init: stack:all(zero), heap alloc:on, heap free:off",
		 {.type = KLOG_MEM_INIT, .has = KLOG_HAS_NAME, .name = (char *)"on"}                                                                                  },
		{"mem auto-init: stack:off",								   {.type = KLOG_MEM_INIT}                                },
		{"smp: Brought up 2 nodes, 64 CPUs",							   {.type = KLOG_CPUS, .has = KLOG_HAS_COUNT, .count = 64}},
		{"smp: Brought up 1 node, 1 CPU",							      {.type = KLOG_CPUS, .has = KLOG_HAS_COUNT, .count = 1} },
		{"software IO TLB: area num 2.",							       {.type = KLOG_MEM_INIT}                                },
		{"x86/mm: Memory block size: 2048MB",
		 {.type = KLOG_BLOCK_SIZE, .has = KLOG_HAS_BYTES, .bytes = 2 * GIB}										   },
		{"xen-balloon: vmemmap alloc failure: order:9, mode:0xcc0(GFP_KERNEL), nodemask=(null)",
		 {.type = KLOG_VMEMMAP_FAILED,
		  .has = KLOG_HAS_NAME | KLOG_HAS_COUNT,
		  .name = (char *)"xen-balloon",
		  .count = 9}																	 },
		{"Block size [0x8000000] unaligned hotplug range: start 0x140100000, size 0x7f00000",
		 {.type = KLOG_UNALIGNED_RANGE,
		  .has = KLOG_HAS_END | KLOG_HAS_START,
		  .end = 0x8000000,
		  .start = 0x140100000}															       },
		{"Misaligned __add_pages start: 0xfdd00 end: #fdeff",
		 {.type = KLOG_MISALIGNED_PAGES,
		  .has = KLOG_HAS_START | KLOG_HAS_END,
		  .start = 0xfdd00,
		  .end = 0xfdeff}																     },
		{"Misaligned __add_pages start: 0xfdd00 end: 0xfdeff",
		 {.type = KLOG_MISALIGNED_PAGES,
		  .has = KLOG_HAS_START | KLOG_HAS_END,
		  .start = 0xfdd00,
		  .end = 0xfdeff}																     },
		{"amdgpu: HMM registered 16368MB device memory",
		 {.type = KLOG_DEVICE_MEMORY, .has = KLOG_HAS_BYTES, .bytes = 16368 * MIB}                                                                            },
		{"amdgpu 0000:03:00.0: amdgpu: HMM registered 32752MB device memory",
		 {.type = KLOG_DEVICE_MEMORY,
		  .has = KLOG_HAS_BYTES | KLOG_HAS_NAME,
		  .bytes = 32752 * MIB,
		  .name = (char *)"0000:03:00.0"}														     },
		{"nouveau 0000:01:00.0: DRM: DMEM: registered 8192MB of device memory",
		 {.type = KLOG_DEVICE_MEMORY,
		  .has = KLOG_HAS_BYTES | KLOG_HAS_NAME,
		  .bytes = 8192 * MIB,
		  .name = (char *)"0000:01:00.0"}														     },
		{"added new 256 MB chunk (total 1 chunks, 256 MB) PFNs [0x1fffff0000 0x2000000000)",
		 {.type = KLOG_DEVICE_MEMORY,
		  .has = KLOG_HAS_BYTES | KLOG_HAS_START | KLOG_HAS_END,
		  .bytes = 256 * MIB,
		  .start = 0x1fffff0000,
		  .end = 0x2000000000}																},
		{"amdgpu: reserve 255MB system memory for VRAM pages struct",
		 {.type = KLOG_DEVICE_RESERVED, .has = KLOG_HAS_BYTES, .bytes = 255 * MIB}                                                                            },
		{"calling  hugetlb_init+0x0/0x7f0 @ 1",
		 {.type = KLOG_INITCALL_BEGIN,
		  .has = KLOG_HAS_NAME,
		  .name = (char *)"hugetlb_init+0x0/0x7f0"}													   },
		{"initcall hugetlb_init+0x0/0x7f0 returned 0 after 240113 usecs",
		 {.type = KLOG_INITCALL_END,
		  .has = KLOG_HAS_NAME | KLOG_HAS_US,
		  .name = (char *)"hugetlb_init+0x0/0x7f0",
		  .us = 240113}																       },
		{"initcall nd_e820_init+0x0/0x20 returned -19 after 3 usecs",
		 {.type = KLOG_INITCALL_END,
		  .has = KLOG_HAS_NAME | KLOG_HAS_US,
		  .name = (char *)"nd_e820_init+0x0/0x20",
		  .us = 3}																	    },
		{"Run /init as init process",
		 {.type = KLOG_INIT_STARTED, .has = KLOG_HAS_NAME, .name = (char *)"/init"}                                                                           },
		{"Linux version 6.1.0-57-amd64 (debian-kernel@lists.debian.org) (gcc-12)",
		 {.type = KLOG_VERSION, .has = KLOG_HAS_NAME, .name = (char *)"6.1.0-57-amd64"}                                                                       },
		{"Command line: BOOT_IMAGE=/vmlinuz hugepagesz=1G hugepages=500",
		 {.type = KLOG_COMMAND_LINE,
		  .has = KLOG_HAS_NAME,
		  .name = (char *)"BOOT_IMAGE=/vmlinuz hugepagesz=1G hugepages=500"}                                                                                  },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct klog_record *want = &rows[i].want;
		_cleanup_klog_ struct klog *klog = parse(rows[i].line, strlen(rows[i].line));

		check_u64(klog->nr, 1, "%s: records", rows[i].line);
		const struct klog_record *r = &klog->records[0];

		check_str(klog_type_name(r->type), klog_type_name(want->type), "%s", rows[i].line);
		check_u64(r->has, want->has, "%s: values", rows[i].line);
		check_u64(r->node, want->node, "%s: node", rows[i].line);
		check_u64(r->pages, want->pages, "%s: pages", rows[i].line);
		check_u64(r->ms, want->ms, "%s: ms", rows[i].line);
		check_u64(r->us, want->us, "%s: us", rows[i].line);
		check_u64(r->bytes, want->bytes, "%s: bytes", rows[i].line);
		check_u64(r->total_bytes, want->total_bytes, "%s: total", rows[i].line);
		check_u64(r->page_size_bytes, want->page_size_bytes, "%s: page size", rows[i].line);
		check_u64(r->count, want->count, "%s: count", rows[i].line);
		check_u64(r->wanted, want->wanted, "%s: wanted", rows[i].line);
		check_u64(r->threads, want->threads, "%s: threads", rows[i].line);
		check_u64(r->start, want->start, "%s: start", rows[i].line);
		check_u64(r->end, want->end, "%s: end", rows[i].line);
		check_str(r->name, want->name, "%s: name", rows[i].line);
	}
}

/* Lines that resemble known ones, and numbers no kernel prints. */
static void not_these(void **state)
{
	static const char *const lines[] = {
		"",
		"\r",
		">",
		"[",
		"[    4.452535]",
		"[    4.452535] node 0 deferred pages initialised in ms",
		"node x deferred pages initialised in 3ms",
		"node 4294967296 deferred pages initialised in 3ms",
		"memmap_init_zone_device initialised 99999999999999999999 pages in 3ms",
		"Memory: 99999999999999999K/99999999999999999K available",
		"nodes 0 deferred pages initialised in 3ms",
		"HugeTLB: registered many page size, pre-allocated 0 pages",
		"Misaligned __add_pages start: 0x11112222333344445 end: 0x0",
		"initcall  returned 0 after 3 usecs",
		"<6>",
		"6,339;node",
		"vmconsole=\"",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		_cleanup_klog_ struct klog *klog = parse(lines[i], strlen(lines[i]));

		check_u64(klog->nr, 0, "'%s'", lines[i]);
	}
}

/* Differences add up over all lines, also over those that say nothing here. */
static void deltas_add_up(void **state)
{
	static const char text[] = "[Nov30 21:17] Linux version 5.10.0 (x)\n"
				   "[  +0.250000] node 0 deferred pages initialised in 240ms\n"
				   "[  +1.500000] something else\n"
				   "\r\n"
				   "[  +0.000001] node 1 deferred pages initialised in 244ms\n";
	_cleanup_klog_ struct klog *klog = parse(text, sizeof(text) - 1);

	(void)state;
	check_u64(klog->nr, 3, "records");
	check_u64(klog->nr_lines, 5, "lines");
	check_int(klog->records[0].stamp, KLOG_STAMP_WALL, "first stamp");
	check_u64(klog->records[1].stamp_ns, 250000000, "node 0");
	check_u64(klog->records[2].stamp_ns, 1750001000, "node 1");
	check_u64(klog->records[2].line, 5, "line");
}

static void bytes_of_all_values(void **state)
{
	static const char text[] = "a\0b\nnode 0 deferred pages initialised in 4ms\n\xff\xfe[";
	_cleanup_klog_ struct klog *klog = parse(text, sizeof(text) - 1);

	(void)state;
	check_u64(klog->nr, 1, "records");
	check_u64(klog->nr_lines, 3, "lines");
}

/* What jiffies_to_msecs makes of 1, 2, 3... jiffies at each HZ, by hand. */
static void jiffies(void **state)
{
	static const struct {
		const char *text;
		unsigned int hz;
		double jiffy_ms;
	} rows[] = {
		{"",										       0,    10},
		{"",										       1000, 1 },
		{"node 0 deferred pages initialised in 0ms",                                               0,    10},
		{"node 0 deferred pages initialised in 240ms\nnode 1 deferred pages initialised in 110ms", 0,
		 10												},
		{"node 0 deferred pages initialised in 24ms\nnode 1 deferred pages initialised in 36ms",   0,
		 4												 },
		{"node 0 deferred pages initialised in 13ms\nnode 1 deferred pages initialised in 16ms",   0,
		 1000.0 / 300										      },
		{"node 0 deferred pages initialised in 3594ms",                                            0,    1 },
		{"node 0 deferred pages initialised in 100ms",                                             250,  4 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_klog_ struct klog *klog = parse(rows[i].text, strlen(rows[i].text));

		check_near(klog_jiffy_ms(klog, rows[i].hz), rows[i].jiffy_ms, 1e-12, "row %zu", i);
	}
}

static void type_names_differ(void **state)
{
	(void)state;
	for (int a = 0; a < NR_KLOG_TYPES; a++) {
		for (int b = 0; b < a; b++)
			assert_string_not_equal(klog_type_name((enum klog_type)a),
						klog_type_name((enum klog_type)b));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form),          cmocka_unit_test(every_message),
		cmocka_unit_test(not_these),           cmocka_unit_test(deltas_add_up),
		cmocka_unit_test(bytes_of_all_values), cmocka_unit_test(jiffies),
		cmocka_unit_test(type_names_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
