// SPDX-License-Identifier: GPL-2.0-or-later
/* What goes into a guest's initramfs, and that another reader of cpio finds it there. */
#include "support/check.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "measure/guest_cpio.h"
#include "measure/guest_files.h"
#include "measure/guest_initramfs.h"
#include "measure/guest_job.h"
#include "support/elf_fixture.h"

static char dir[64];

static const char *in_dir(const char *name)
{
	static char path[8][128];
	static unsigned int next;
	char *p = path[next++ % ARRAY_SIZE(path)];

	snprintf(p, sizeof(path[0]), "%s/%s", dir, name);
	return p;
}

static int make_dir(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/test_guest_initramfs.XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static int remove_dir(void **state)
{
	(void)state;
	return nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static bool has_file(const struct guest_files *files, const char *name)
{
	for (size_t i = 0; i < files->nr; i++) {
		if (!strcmp(files->items[i].name, name))
			return true;
	}
	return false;
}

/* ---- cpio ---- */

static void cpio_is_read_by_others(void **state)
{
	FILE *out = fopen(in_dir("a.cpio"), "w");
	struct cpio cpio = {.out = out};
	struct archive *in = archive_read_new();
	struct archive_entry *entry;
	char text[16] = "";

	(void)state;
	cpio_directory(&cpio, "dev");
	cpio_device(&cpio, "dev/console", 5, 1);
	cpio_bytes(&cpio, "odd", 0644, "hello", 5);
	cpio_bytes(&cpio, "empty", 0600, NULL, 0);
	assert_int_equal(cpio_finish(&cpio), 0);
	fclose(out);

	archive_read_support_format_cpio(in);
	assert_int_equal(archive_read_open_filename(in, in_dir("a.cpio"), 4096), ARCHIVE_OK);
	assert_int_equal(archive_read_next_header(in, &entry), ARCHIVE_OK);
	assert_int_equal(archive_format(in), ARCHIVE_FORMAT_CPIO_SVR4_NOCRC); /* newc */
	check_str(archive_entry_pathname(entry), "dev", "first");
	check_int(archive_entry_mode(entry), S_IFDIR | 0755, "directory");
	assert_int_equal(archive_read_next_header(in, &entry), ARCHIVE_OK);
	check_str(archive_entry_pathname(entry), "dev/console", "second");
	check_int(archive_entry_mode(entry), S_IFCHR | 0600, "device");
	check_int(archive_entry_rdevmajor(entry), 5, "major");
	check_int(archive_entry_rdevminor(entry), 1, "minor");
	assert_int_equal(archive_read_next_header(in, &entry), ARCHIVE_OK);
	check_str(archive_entry_pathname(entry), "odd", "third");
	check_int(archive_entry_size(entry), 5, "size");
	check_int(archive_read_data(in, text, sizeof(text)), 5, "data");
	check_str(text, "hello", "contents");
	assert_int_equal(archive_read_next_header(in, &entry), ARCHIVE_OK);
	check_str(archive_entry_pathname(entry), "empty", "fourth");
	assert_int_equal(archive_read_next_header(in, &entry), ARCHIVE_EOF);
	archive_read_free(in);
}

/* ---- programs and libraries ---- */

#if defined(__x86_64__)
#define OWN_LOADER "lib64/ld-linux-x86-64.so.2"
#else
#define OWN_LOADER "lib/ld-linux-aarch64.so.1"
#endif

/* This program is linked with cmocka; its loader's place is the architecture's psABI. */
static void running_program(void **state)
{
	_cleanup_guest_files_ struct guest_files files = {0};

	(void)state;
	assert_int_equal(guest_files_add_running(&files, NULL), 0);
	check_str(files.items[0].name, "init", "the program first");
	assert_true(has_file(&files, "lib/libc.so.6"));
	assert_true(has_file(&files, "lib/libcmocka.so.0"));
	assert_true(has_file(&files, OWN_LOADER));
}

static void put_object(const char *name, uint16_t machine, const char *interp, const char *const *needed)
{
	struct fixture_object object = fixture_object(machine, interp, needed);

	assert_int_equal(fixture_write(in_dir(name), &object, sizeof(object)), 0);
}

static const char loader[] = "/lib/ld-linux-aarch64.so.1";

static void make_tree(void)
{
	static const char *const dirs[] = {
		"root", "root/usr", "root/usr/bin", "root/lib", "root/lib/aarch64-linux-gnu", "root/lib64"};

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		mkdir(in_dir(dirs[i]), 0755);
	put_object("root/usr/bin/memmapctl", EM_AARCH64, loader,
		   (const char *[]){"liba.so.1", "libc.so.6", NULL});
	put_object("root/lib/aarch64-linux-gnu/liba.so.1", EM_AARCH64, NULL,
		   (const char *[]){"libb.so.2", "libc.so.6", NULL});
	put_object("root/lib/aarch64-linux-gnu/libb.so.2", EM_AARCH64, NULL,
		   (const char *[]){"liba.so.1", NULL});
	put_object("root/lib/aarch64-linux-gnu/libc.so.6", EM_AARCH64, NULL,
		   (const char *[]){"ld-linux-aarch64.so.1", NULL});
	put_object("root/lib/ld-linux-aarch64.so.1", EM_AARCH64, NULL, (const char *[]){NULL});
	/* another architecture's library of the same name is not taken */
	put_object("root/lib64/libb.so.2", EM_X86_64, NULL, (const char *[]){NULL});
}

/* Needed by needed, a cycle, the loader: each once, each from the tree. */
static void tree_of_another_architecture(void **state)
{
	static const char *const want[] = {"init", "lib/ld-linux-aarch64.so.1", "lib/liba.so.1",
					   "lib/libb.so.2", "lib/libc.so.6"};
	_cleanup_guest_files_ struct guest_files files = {0};

	(void)state;
	make_tree();
	assert_int_equal(guest_files_add_tree(&files, in_dir("root"), ARCH_AARCH64, NULL), 0);
	check_u64(files.nr, ARRAY_SIZE(want), "files");
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		if (!has_file(&files, want[i]))
			fail_msg("%s is missing", want[i]);
	}
	for (size_t i = 0; i < files.nr; i++)
		assert_null(strstr(files.items[i].path, "lib64"));
}

static void tree_with_a_hole(void **state)
{
	_cleanup_guest_files_ struct guest_files files = {0}, other = {0};
	_cleanup_diags_ struct diags diags = {0};
	char want[256];

	(void)state;
	make_tree();
	unlink(in_dir("root/lib/aarch64-linux-gnu/libb.so.2"));
	check_int(guest_files_add_tree(&files, in_dir("root"), ARCH_AARCH64, &diags), -ENOENT,
		  "a library is missing");
	snprintf(want, sizeof(want), "%s has no library libb.so.2 for aarch64", in_dir("root"));
	check_str(diags.items[0].text, want, "which");
	check_int(guest_files_add_tree(&other, in_dir("root"), ARCH_X86_64, NULL), -ENOENT,
		  "no program for x86_64");
}

/* However a file is cut, the reader says so and reads nothing past its end (the sanitizers watch). */
/* A loader is looked for by its name after the last '/'. */
static void loader_without_a_folder(void **state)
{
	_cleanup_guest_elf_ struct guest_elf elf = {0};

	(void)state;
	put_object("odd", EM_X86_64, "ld.so", (const char *[]){NULL});
	check_int(guest_elf_read(in_dir("odd"), &elf), -ENOEXEC, "no whole path");
}

static void cut_elf(void **state)
{
	struct fixture_object object =
		fixture_object(EM_X86_64, "/lib64/ld.so", (const char *[]){"liba.so", NULL});
	size_t whole = offsetof(struct fixture_object, strings) + 1 + strlen("liba.so") + 1;
	_cleanup_guest_elf_ struct guest_elf good = {0};

	(void)state;
	for (size_t cut = 0; cut < whole; cut++) {
		_cleanup_guest_elf_ struct guest_elf elf = {0};

		assert_int_equal(fixture_write(in_dir("cut"), &object, cut), 0);
		check_int(guest_elf_read(in_dir("cut"), &elf), -ENOEXEC, "cut at %zu", cut);
	}
	assert_int_equal(fixture_write(in_dir("cut"), &object, whole), 0);
	assert_int_equal(guest_elf_read(in_dir("cut"), &good), 0);
	check_str(good.interp, "/lib64/ld.so", "interp");
	check_u64(good.nr_needed, 1, "needed");
	check_str(good.needed[0], "liba.so", "needed");
}

/* ---- modules ---- */

static void put_module(const char *name, const char *depends)
{
	struct fixture_module module = fixture_module(depends);

	assert_int_equal(fixture_write(in_dir(name), &module, sizeof(module)), 0);
}

static void make_modules(void)
{
	static const char builtin[] =
		"kernel/drivers/virtio/virtio_pci.ko\nkernel/drivers/char/virtio-console.ko\n";

	mkdir(in_dir("modules"), 0755);
	mkdir(in_dir("modules/kernel"), 0755);
	put_module("modules/kernel/libnvdimm.ko", "");
	put_module("modules/kernel/nd_btt.ko", "libnvdimm");
	put_module("modules/kernel/nd-pmem.ko", "nd_btt,libnvdimm");
	assert_int_equal(fixture_write(in_dir("modules/modules.builtin"), builtin, strlen(builtin)), 0);
}

static size_t place(const struct guest_files *files, const char *name)
{
	for (size_t i = 0; i < files->nr; i++) {
		if (!strcmp(files->items[i].name, name))
			return i;
	}
	fail_msg("%s is missing", name);
	return 0;
}

static void modules_before_those_that_need_them(void **state)
{
	_cleanup_guest_files_ struct guest_files files = {0};
	const char *const wanted[] = {"virtio_pci", "virtio_console", "nd_pmem", "libnvdimm", NULL};

	(void)state;
	make_modules();
	assert_int_equal(guest_files_add_modules(&files, in_dir("modules"), wanted, NULL), 0);
	check_u64(files.nr, 3, "modules; what is built in is none");
	assert_true(place(&files, "modules/libnvdimm.ko") < place(&files, "modules/nd_btt.ko"));
	assert_true(place(&files, "modules/nd_btt.ko") < place(&files, "modules/nd-pmem.ko"));
}

static void missing_modules_are_all_named(void **state)
{
	_cleanup_guest_files_ struct guest_files files = {0};
	const char *const wanted[] = {"nfit", "nd_pmem", "dax_pmem", NULL};
	_cleanup_diags_ struct diags diags = {0};

	(void)state;
	make_modules();
	check_int(guest_files_add_modules(&files, in_dir("modules"), wanted, &diags), -ENOENT,
		  "two are missing");
	check_u64(diags.nr_errors, 2, "errors");
	assert_non_null(strstr(diags.items[0].text, "no module nfit"));
	assert_non_null(strstr(diags.items[1].text, "no module dax_pmem"));
}

static void without_a_list_of_built_ins(void **state)
{
	_cleanup_guest_files_ struct guest_files files = {0};
	const char *const wanted[] = {"virtio_pci", "libnvdimm", NULL};
	_cleanup_diags_ struct diags diags = {0};

	(void)state;
	make_modules();
	unlink(in_dir("modules/modules.builtin"));
	assert_int_equal(guest_files_add_modules(&files, in_dir("modules"), wanted, &diags), 0);
	check_u64(diags.nr, 1, "a note");
	assert_int_equal(diags.items[0].level, DIAG_NOTE);
	assert_non_null(strstr(diags.items[0].text, "virtio_pci"));
}

static void damaged_module(void **state)
{
	_cleanup_guest_files_ struct guest_files files = {0};
	const char *const wanted[] = {"broken", NULL};
	_cleanup_diags_ struct diags diags = {0};

	(void)state;
	make_modules();
	assert_int_equal(fixture_write(in_dir("modules/kernel/broken.ko"), "not a module", 12), 0);
	assert_true(guest_files_add_modules(&files, in_dir("modules"), wanted, &diags) < 0);
	assert_non_null(strstr(diags.items[0].text, "broken.ko"));
	unlink(in_dir("modules/kernel/broken.ko"));
}

/* ---- the job, and the whole ---- */

static void job_there_and_back(void **state)
{
	_cleanup_guest_job_ struct guest_job job = {.reps = 30, .timing = strdup("kprobe")}, back = {0};
	_cleanup_free_ char *text = NULL;

	(void)state;
	assert_int_equal(guest_job_add_module(&job, "modules/a.ko.xz"), 0);
	assert_int_equal(guest_job_add_module(&job, "modules/b.ko"), 0);
	text = guest_job_text(&job);
	assert_int_equal(guest_job_parse(text, "job", NULL, &back), 0);
	check_u64(back.reps, 30, "reps");
	check_str(back.timing, "kprobe", "timing");
	check_u64(back.nr_modules, 2, "modules");
	check_str(back.modules[1], "modules/b.ko", "second module");
}

static void jobs_that_are_none(void **state)
{
	static const char *const texts[] = {
		"",
		"[]",
		"{}",
		"{\"schema\": 1}",
		"{\"schema\": null, \"reps\": 3, \"modules\": []}",
		"{\"schema\": \"memmapctl.guest-job/1\", \"reps\": 3, \"modules\": [], \"timing\": null}",
		"{\"schema\": \"memmapctl.guest-job/1\"}",
		"{\"schema\": \"memmapctl.guest-job/1\", \"reps\": \"3\", \"modules\": []}",
		"{\"schema\": \"memmapctl.guest-job/1\", \"reps\": 3, \"modules\": [1]}"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct guest_job job;

		check_int(guest_job_parse(texts[i], "job", NULL, &job), -EINVAL, "%s", texts[i]);
	}
}

static bool archive_has(int fd, const char *name)
{
	struct archive *in = archive_read_new();
	struct archive_entry *entry;
	bool found = false;

	lseek(fd, 0, SEEK_SET);
	archive_read_support_format_cpio(in);
	assert_int_equal(archive_read_open_fd(in, fd, 65536), ARCHIVE_OK);
	while (!found && archive_read_next_header(in, &entry) == ARCHIVE_OK)
		found = !strcmp(archive_entry_pathname(entry), name);
	archive_read_free(in);
	return found;
}

static struct host *own_host(void)
{
	struct host *host = host_new("test");

	assert_non_null(host);
	host->arch = guest_initramfs_own_arch();
	return host;
}

static void whole_initramfs(void **state)
{
	static const char *const want[] = {"init", OWN_LOADER,  "lib/libc.so.6",       "dev/console",
					   "proc", "host.yaml", "memmapctl-guest.json"};
	_cleanup_host_ struct host *host = own_host();
	const struct guest_initramfs spec = {.host = host, .modules_dir = in_dir("modules"), .reps = 3};
	uint64_t size_bytes = 0;
	struct stat st;
	int fd = -1;

	(void)state;
	make_modules();
	assert_int_equal(guest_initramfs_build(&spec, NULL, &fd, &size_bytes), 0);
	assert_int_equal(fstat(fd, &st), 0);
	check_u64(size_bytes, (uint64_t)st.st_size, "size");
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		if (!archive_has(fd, want[i]))
			fail_msg("%s is missing", want[i]);
	}
	assert_false(archive_has(fd, "bin/sh"));
	close(fd);
}

static void another_architecture_needs_a_tree(void **state)
{
	_cleanup_host_ struct host *host = own_host();
	const struct guest_initramfs spec = {.host = host, .modules_dir = in_dir("modules")};
	_cleanup_diags_ struct diags diags = {0};
	uint64_t size_bytes;
	int fd = -1;

	(void)state;
	host->arch = host->arch == ARCH_X86_64 ? ARCH_AARCH64 : ARCH_X86_64;
	check_int(guest_initramfs_build(&spec, &diags, &fd, &size_bytes), -EINVAL, "no tree");
	assert_non_null(strstr(diags.items[0].text, "--guest-root"));
	check_int(fd, -1, "untouched");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpio_is_read_by_others),
		cmocka_unit_test(running_program),
		cmocka_unit_test(tree_of_another_architecture),
		cmocka_unit_test(tree_with_a_hole),
		cmocka_unit_test(loader_without_a_folder),
		cmocka_unit_test(cut_elf),
		cmocka_unit_test(modules_before_those_that_need_them),
		cmocka_unit_test(missing_modules_are_all_named),
		cmocka_unit_test(without_a_list_of_built_ins),
		cmocka_unit_test(damaged_module),
		cmocka_unit_test(job_there_and_back),
		cmocka_unit_test(jobs_that_are_none),
		cmocka_unit_test(whole_initramfs),
		cmocka_unit_test(another_architecture_needs_a_tree),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
