// SPDX-License-Identifier: GPL-2.0-or-later
/* What a measurement reads of its machine, from files made for the purpose. */
#include "support/check.h"

#include <ftw.h>
#include <sys/stat.h>

#include "base/units.h"
#include "measure/buffer.h"
#include "measure/machine.h"

static char root_dir[] = "machine.XXXXXX";

static void put(const char *path, const char *text)
{
	char full[256];
	FILE *out;

	snprintf(full, sizeof(full), "%s/%s", root_dir, path);
	for (char *slash = strchr(full + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0777);
		*slash = '/';
	}
	out = fopen(full, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int make_root(void **state)
{
	(void)state;
	strcpy(root_dir, "machine.XXXXXX");
	return mkdtemp(root_dir) ? 0 : -1;
}

static int drop_root(void **state)
{
	(void)state;
	return nftw(root_dir, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static struct machine_memory read_memory(unsigned int cpu)
{
	struct machine_memory memory;
	struct root root;

	assert_int_equal(root_open(root_dir, &root), 0);
	machine_memory_read(&root, cpu, &memory);
	root_close(&root);
	return memory;
}

static void put_cache(const char *index, const char *level, const char *type, const char *size)
{
	char path[128];

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu3/cache/%s/level", index);
	put(path, level);
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu3/cache/%s/type", index);
	put(path, type);
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu3/cache/%s/size", index);
	put(path, size);
}

static void memory_and_caches(void **state)
{
	struct machine_memory memory = read_memory(3);

	(void)state;
	check_u64(memory.available_bytes, 0, "nothing there: available");
	check_u64(memory.llc_bytes, 0, "nothing there: last-level cache");

	put("proc/meminfo",
	    "MemTotal:       24683520 kB\nMemFree:        20000000 kB\nMemAvailable:   23902208 kB\n");
	put_cache("index0", "1\n", "Data\n", "48K\n");
	put_cache("index1", "1\n", "Instruction\n", "32K\n");
	put_cache("index2", "2\n", "Unified\n", "2048K\n");
	put_cache("index3", "3\n", "Unified\n", "266240K\n");
	put("sys/devices/system/cpu/cpu3/cache/uevent", "");
	memory = read_memory(3);
	check_u64(memory.available_bytes, 23902208 * KIB, "available");
	check_u64(memory.l2_bytes, 2 * MIB, "second level");
	check_u64(memory.llc_bytes, 260 * MIB, "last level");
	memory = read_memory(4);
	check_u64(memory.llc_bytes, 0, "a CPU without cache files");
}

static void control_group(void **state)
{
	(void)state;
	put("proc/meminfo", "MemAvailable:   23902208 kB\n");
	put("proc/self/cgroup", "1:name=systemd:/x\n0::/user.slice/a\n");
	put("sys/fs/cgroup/user.slice/a/memory.max", "max\n");
	put("sys/fs/cgroup/user.slice/a/memory.current", "1000000\n");
	check_u64(read_memory(0).available_bytes, 23902208 * KIB, "no limit");
	put("sys/fs/cgroup/user.slice/a/memory.max", "536870912\n");
	check_u64(read_memory(0).available_bytes, 536870912 - 1000000, "what the limit leaves");
	put("sys/fs/cgroup/user.slice/a/memory.current", "536870913\n");
	check_u64(read_memory(0).available_bytes, 0, "over the limit");
}

static void emulation(void **state)
{
	/* MIDR fields as /proc/cpuinfo prints them: QEMU's -cpu max, Neoverse N1, Cortex-A57 */
	static const struct {
		const char *cpuinfo, *signature;
		bool tcg;
	} rows[] = {
		{"model name\t: Intel(R) Xeon(R) Processor\nflags\t\t: fpu hypervisor\n",             "KVMKVMKVM",    false},
		{"model name\t: QEMU TCG CPU version 2.5+\n",                                         "TCGTCGTCGTCG", true },
		{"processor\t: 0\nCPU implementer\t: 0x00\nCPU architecture: 8\nCPU part\t: 0x051\n", "",
		 true												      },
		{"processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n",                      "",             false},
		{"processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0x051\n",                      "",             false},
		{"",										  "",             false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_int(machine_tcg(rows[i].cpuinfo, rows[i].signature), rows[i].tcg, "row %zu", i);
}

static struct obs_environment *environment(struct obs_environment *env)
{
	struct root root;

	*env = (struct obs_environment){0};
	assert_int_equal(root_open(root_dir, &root), 0);
	assert_int_equal(machine_environment(&root, env), 0);
	root_close(&root);
	free(env->arch);
	free(env->kernel);
	free(env->date);
	return env;
}

static void virtual_machines(void **state)
{
	struct obs_environment env;

	(void)state;
	put("proc/cpuinfo",
	    "model name\t: Some CPU\nflags\t\t: fpu vme de hypervisor lahf_lm\n\nmodel name\t: Other\n");
	assert_true(environment(&env)->virtualized);
	assert_non_null(strstr(env.cpu, "Some CPU"));
	free(env.cpu);
	put("proc/cpuinfo", "model name\t: Some CPU\nflags\t\t: fpu vme de lahf_lm\n");
	assert_false(environment(&env)->virtualized);
	free(env.cpu);
	put("proc/cpuinfo", "CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n");
	assert_false(environment(&env)->virtualized);
	free(env.cpu);
	put("sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
	assert_true(environment(&env)->virtualized);
	free(env.cpu);
	put("sys/class/dmi/id/sys_vendor", "Dell Inc.\n");
	assert_false(environment(&env)->virtualized);
	free(env.cpu);
}

/* As Linux prints them, lines that do not matter left out. */
static void backing(void **state)
{
	static const char smaps[] =
		"55d0c0a00000-55d0c0a21000 rw-p 00000000 00:00 0                          [heap]\n"
		"Size:                132 kB\nKernelPageSize:        4 kB\nAnonHugePages:         0 kB\n"
		"VmFlags: rd wr mr mw me ac sd\n"
		"7f0000000000-7f0020800000 rw-p 00000000 00:00 0\n"
		"Size:             532480 kB\nKernelPageSize:        4 kB\nAnonHugePages:    532480 kB\n"
		"VmFlags: rd wr mr mw me ac sd hg\n"
		"7f0030000000-7f0034000000 rw-p 00000000 00:00 0\n"
		"Size:              65536 kB\nKernelPageSize:        4 kB\nAnonHugePages:     32768 kB\n"
		"VmFlags: rd wr mr mw me ac sd hg\n"
		"7f0040000000-7f0044000000 rw-p 00000000 00:0f 1                          /anon_hugepage "
		"(deleted)\n"
		"Size:              65536 kB\nKernelPageSize:     2048 kB\nAnonHugePages:         0 kB\n"
		"VmFlags: rd wr mr mw me de ht\n";
	static const struct {
		uint64_t address;
		const char *text;
	} rows[] = {
		{0x55d0c0a00000, "4 KiB pages"               },
		{0x7f0000000000, "2 MiB pages (transparent)" },
		{0x7f00207fffff, "2 MiB pages (transparent)" },
		{0x7f0033000000, "4 KiB pages, 50 % on 2 MiB"},
		{0x7f0040000000, "2 MiB pages (hugetlb)"     },
		{0x7f0050000000, "pages of a size not known" },
	};
	char text[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		buffer_backing(smaps, rows[i].address, text, sizeof(text));
		check_str(text, rows[i].text, "row %zu", i);
	}
	buffer_backing("", 0, text, sizeof(text));
	check_str(text, "pages of a size not known", "no text");
}

static void mapping(void **state)
{
	struct buffer buffer;

	(void)state;
	assert_int_equal(buffer_map(3 * MIB, -1, NULL, &buffer), 0);
	check_u64((uintptr_t)buffer.data % (2 * MIB), 0, "aligned to a huge page");
	check_u64(buffer.bytes, 3 * MIB, "bytes");
	memset(buffer.data, 1, buffer.bytes);
	buffer_unmap(&buffer);
	assert_null(buffer.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(memory_and_caches, make_root, drop_root),
		cmocka_unit_test_setup_teardown(control_group, make_root, drop_root),
		cmocka_unit_test_setup_teardown(virtual_machines, make_root, drop_root),
		cmocka_unit_test(emulation),
		cmocka_unit_test(backing),
		cmocka_unit_test(mapping),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
