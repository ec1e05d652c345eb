// SPDX-License-Identifier: GPL-2.0-or-later
/* QEMU's arguments for a host description: each row a description, and what must and must not be there. */
#include "support/check.h"

#include <errno.h>

#include "base/units.h"
#include "measure/guest_machine.h"

#define X86(rest)  "memmapctl: 1\nhost: {name: h, arch: x86_64, memory: 2GiB, cpus: 2" rest
#define PMEM(rest) X86("}\n") "namespaces:\n" rest

struct row {
	const char *what;
	const char *yaml;
	uint32_t max_cpus;
	const char *append;
	const char *has[8]; /* each a whole argument, or "=text": text within the kernel's command line */
	const char *hasnt[4];
};

static const struct row rows[] = {
	{"plain x86-64",
	 X86("}\n"),
	 8,										 NULL,
	 {"qemu-system-x86_64", "q35,nvdimm=on,memory-backend=ram", "max", "2", "size=2147483648B",
	  "memory-backend-ram,id=ram,size=2147483648,reserve=off", "=console=ttyS0", "=LD_LIBRARY_PATH=/lib"},
	 {"-bios", "-numa", "=early_page_ext"}                      },
	{"fewer CPUs than described",
	 "memmapctl: 1\nhost: {name: h, arch: x86_64, memory: 2GiB, cpus: 64}\n",        4,
	 NULL,												       {"4"},
	 {"64"}						     },
	{"one NVDIMM for the namespaces of a host without nodes",
	 PMEM("  - {name: pmem0, mode: fsdax, map: dev, align: 2MiB, size: 4GiB}\n"
	      "  - {name: dax0.1, mode: devdax, map: mem, align: 2MiB, size: 2GiB}\n"),
	 2,										 NULL,
	 /* 6 GiB and the labels' 128 KiB; 2 GiB RAM + that + 1 GiB of slack */
	 {"memory-backend-ram,id=pmem0,size=6442582016,reserve=off",
	  "nvdimm,id=nvdimm0,memdev=pmem0,label-size=131072", "size=2147483648B,slots=1,maxmem=9663807488B"},
	 {"memory-backend-ram,id=pmem1,size=6442582016,reserve=off"}},
	{"a size that is no multiple of 1 GiB is padded, for the next NVDIMM to start at one",
	 PMEM("  - {name: pmem0, mode: fsdax, map: dev, align: 2MiB, size: 1536MiB}\n"),
	 2,										 NULL,
	 {"memory-backend-ram,id=pmem0,size=2147614720,reserve=off"},
	 {NULL}						     },
	{"nodes: memory, CPUs and NVDIMMs of their own",
	 "memmapctl: 1\nhost:\n  name: h\n  arch: x86_64\n  memory: 6GiB\n  cpus: 3\n"
	 "  nodes: [{id: 0, memory: 4GiB, cpus: 2}, {id: 1, memory: 2GiB, cpus: 1}]\n"
	 "namespaces:\n  - {name: a, mode: fsdax, map: dev, align: 2MiB, size: 1GiB, node: 1}\n"
	 "  - {name: b, mode: fsdax, map: dev, align: 2MiB, size: 2GiB, node: 0}\n",     8,
	 NULL,												       {"node,nodeid=0,cpus=0-1,memdev=ram0", "node,nodeid=1,cpus=2-2,memdev=ram1",
	  "memory-backend-ram,id=ram1,size=2147483648,reserve=off",
	  "nvdimm,id=nvdimm0,memdev=pmem0,label-size=131072,node=1",
	  "nvdimm,id=nvdimm1,memdev=pmem1,label-size=131072,node=0", "q35,nvdimm=on",
	  "size=6442450944B,slots=2,maxmem=11811422208B"},
	 {"q35,nvdimm=on,memory-backend=ram"}                       },
	{"more than a default CPU can address",
	 "memmapctl: 1\nhost: {name: h, arch: x86_64, memory: 2TiB, cpus: 2}\n",	 2,
	 NULL,												       {"max,phys-bits=42"},
	 {"max"}						    },
	{"512 GiB fit into the default CPU's 40 bits",
	 "memmapctl: 1\nhost: {name: h, arch: x86_64, memory: 512GiB, cpus: 2}\n",       2,
	 NULL,												       {"max"},
	 {NULL}						     },
	{"boot's huge pages and HVO",
	 X86(", hvo: {supported: true, enabled: true}}\n") "hugepages: [{size: 1GiB, count: 1, when: "
							   "boot}]\n",		   2,
	 NULL,												       {"=hugepagesz=1048576K hugepages=1", "=hugetlb_free_vmemmap=on"},
	 {NULL}						     },
	{"run-time huge pages are not the command line's",
	 X86("}\n") "hugepages: [{size: 2MiB, count: 8, when: runtime}]\n",
	 2,										 NULL,
	 {"=init_on_alloc="},
	 {"=hugepages=8"}					   },
	{"struct pages not deferred",
	 X86(", kernel: {release: 6.1, deferred_struct_page_init: false}}\n"),
	 2,										 NULL,
	 {"=early_page_ext"},
	 {NULL}						     },
	{"what is appended comes last",
	 X86("}\n"),
	 2,										 "init_on_alloc=0 quiet",
	 {"=init_on_alloc=1 init_on_alloc=0 quiet"},
	 {NULL}						     },
	{"aarch64",
	 "memmapctl: 1\nhost: {name: h, arch: aarch64, memory: 2GiB, cpus: 2}\n",        2,
	 NULL,												       {"qemu-system-aarch64", "virt,nvdimm=on,gic-version=max,memory-backend=ram", "max,pauth-impdef=on",
	  "-bios", "FW", "=console=ttyAMA0"},
	 {"=ttyS0"}						 },
};

static bool has(const struct guest_argv *args, const char *want)
{
	if (want[0] == '=')
		return strstr(args->argv[args->nr - 1], want + 1) != NULL;
	for (size_t i = 0; i < args->nr - 1; i++) {
		if (!strcmp(args->argv[i], want))
			return true;
	}
	return false;
}

static void print_args(const struct guest_argv *args)
{
	for (size_t i = 0; i < args->nr; i++)
		print_error("    %s\n", args->argv[i]);
}

static struct host *host_of(const char *yaml)
{
	_cleanup_diags_ struct diags diags = {0};
	struct host *host = NULL;

	if (host_load_text(yaml, strlen(yaml), "test.yaml", &diags, &host)) {
		diags_print(&diags, stderr);
		fail();
	}
	return host;
}

static int argv_of(const struct host *host, uint32_t max_cpus, const char *append, struct diags *diags,
		   struct guest_argv *out)
{
	const struct guest_machine machine = {
		.host = host,
		.accel = ACCEL_TCG,
		.max_cpus = max_cpus,
		.kernel = "KERNEL",
		.firmware = host->arch == ARCH_AARCH64 ? "FW" : NULL,
		.initramfs = "INITRAMFS",
		.append = append,
		.channel_fd = 7,
	};

	return guest_machine_argv(&machine, diags, out);
}

static void check_row(const struct row *row)
{
	_cleanup_host_ struct host *host = host_of(row->yaml);
	_cleanup_guest_argv_ struct guest_argv args = {0};

	check_int(argv_of(host, row->max_cpus, row->append, NULL, &args), 0, "%s", row->what);
	assert_null(args.argv[args.nr]);
	for (size_t i = 0; i < ARRAY_SIZE(row->has) && row->has[i]; i++) {
		if (has(&args, row->has[i]))
			continue;
		print_error("%s: \"%s\" is not among\n", row->what, row->has[i]);
		print_args(&args);
		fail();
	}
	for (size_t i = 0; i < ARRAY_SIZE(row->hasnt) && row->hasnt[i]; i++) {
		if (!has(&args, row->hasnt[i]))
			continue;
		print_error("%s: \"%s\" is among\n", row->what, row->hasnt[i]);
		print_args(&args);
		fail();
	}
}

static void arguments(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_row(&rows[i]);
}

/* The channel and the initramfs are open descriptors; QEMU is told of both by the caller's names. */
static void channel_and_images(void **state)
{
	_cleanup_host_ struct host *host = host_of(X86("}\n"));
	_cleanup_guest_argv_ struct guest_argv args = {0};

	(void)state;
	assert_int_equal(argv_of(host, 2, NULL, NULL, &args), 0);
	assert_true(has(&args, "socket,id=channel,fd=7"));
	assert_true(has(&args, "virtserialport,chardev=channel,name=memmapctl"));
	assert_true(has(&args, "KERNEL"));
	assert_true(has(&args, "INITRAMFS"));
	assert_true(has(&args, "-no-reboot"));
}

/* Whole gibibytes first: what follows an odd size would start at no multiple of its align. */
static void order_of_namespaces(void **state)
{
	_cleanup_host_ struct host *host =
		host_of(PMEM("  - {name: odd, mode: fsdax, map: dev, align: 2MiB, size: 1536MiB}\n"
			     "  - {name: whole, mode: devdax, map: mem, align: 1GiB, size: 2GiB}\n"));
	_cleanup_guest_nvdimms_ struct guest_nvdimms plan = {0};

	(void)state;
	assert_int_equal(guest_nvdimms_plan(host, &plan), 0);
	check_u64(plan.nr, 1, "NVDIMMs");
	check_u64(plan.items[0].nr_namespaces, 2, "namespaces");
	check_u64(plan.items[0].namespaces[0], 1, "the whole one first");
	check_u64(plan.items[0].size_bytes, 4 * GIB, "padded size");
}

static void what_a_guest_has_not(void **state)
{
	_cleanup_host_ struct host *host =
		host_of("memmapctl: 1\nhost: {name: h, arch: x86_64, memory: 2GiB, cpus: 16}\n"
			"devices: [{name: gpu, type: private, size: 80GiB, count: 2}]\n");
	_cleanup_guest_argv_ struct guest_argv args = {0};
	_cleanup_diags_ struct diags diags = {0};

	(void)state;
	assert_int_equal(argv_of(host, 2, NULL, &diags, &args), 0);
	check_u64(diags.nr, 2, "notes");
	check_str(diags.items[0].text, "the guest has 2 of the 16 CPUs described", "CPUs");
	check_str(diags.items[1].text, "device gpu (private) is not in the guest: QEMU has no such device",
		  "device");
}

/* A memmap is 1/64 of the memory at 4 KiB pages: 512 GiB RAM have 8 GiB of it; 1 GiB pages of boot are not cleared. */
static void memory_needed(void **state)
{
	_cleanup_host_ struct host *big =
		host_of("memmapctl: 1\nhost: {name: h, arch: x86_64, memory: 512GiB, cpus: 2}\n"
			"hugepages: [{size: 1GiB, count: 400, when: boot}]\n");
	_cleanup_host_ struct host *cleared =
		host_of("memmapctl: 1\nhost: {name: h, arch: x86_64, memory: 512GiB, cpus: 2}\n"
			"hugepages: [{size: 2MiB, count: 1024, when: boot}]\n");
	uint64_t base = guest_machine_memory_bytes(big) - 8 * GIB;

	(void)state;
	assert_true(base < 1536 * MIB);
	check_u64(guest_machine_memory_bytes(cleared), 10 * GIB + base, "2 GiB of 2 MiB pages are cleared");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments),           cmocka_unit_test(channel_and_images),
		cmocka_unit_test(order_of_namespaces), cmocka_unit_test(what_a_guest_has_not),
		cmocka_unit_test(memory_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
