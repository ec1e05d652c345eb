// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/guest_initramfs.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "measure/guest_cpio.h"
#include "measure/guest_files.h"
#include "measure/guest_job.h"

/* The channel comes first: what goes wrong with the others is reported through it. */
static const char *const channel_modules[] = {"virtio_pci", "virtio_console"};
static const char *const nvdimm_modules[] = {"libnvdimm", "nfit", "nd_pmem"};
static const char *const devdax_modules[] = {"device_dax", "dax_pmem"};

/* Empty folders: where the agent mounts things. */
static const char *const mount_points[] = {"dev", "proc", "sys", "run", "tmp"};

enum arch_id guest_initramfs_own_arch(void)
{
#if defined(__x86_64__)
	return ARCH_X86_64;
#elif defined(__aarch64__)
	return ARCH_AARCH64;
#else
#error "guest mode knows no machine for this architecture"
#endif
}

static bool has_devdax(const struct host *host)
{
	for (size_t i = 0; i < host->nr_namespaces; i++) {
		if (host->namespaces[i].mode == NS_DEVDAX)
			return true;
	}
	return false;
}

static int add_programs(const struct guest_initramfs *spec, struct guest_files *files, struct diags *diags)
{
	if (spec->guest_root)
		return guest_files_add_tree(files, spec->guest_root, spec->host->arch, diags);
	if (spec->host->arch == guest_initramfs_own_arch())
		return guest_files_add_running(files, diags);
	return diag_error(diags, -EINVAL,
			  "a guest of %s needs memmapctl built for it: --guest-root DIR names a tree with it "
			  "and its libraries",
			  arch_name(spec->host->arch));
}

/* In one go: the folder is walked once. */
static int add_modules(const struct guest_initramfs *spec, struct guest_files *files, struct diags *diags)
{
	const struct {
		const char *const *names;
		size_t nr;
		bool wanted;
	} groups[] = {
		{channel_modules, ARRAY_SIZE(channel_modules), true                         },
		{nvdimm_modules,  ARRAY_SIZE(nvdimm_modules),  spec->host->nr_namespaces > 0},
		{devdax_modules,  ARRAY_SIZE(devdax_modules),  has_devdax(spec->host)       },
	};
	const char *wanted[ARRAY_SIZE(channel_modules) + ARRAY_SIZE(nvdimm_modules) +
			   ARRAY_SIZE(devdax_modules) + 1] = {NULL};
	size_t nr = 0;

	for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
		for (size_t j = 0; groups[i].wanted && j < groups[i].nr; j++)
			wanted[nr++] = groups[i].names[j];
	}
	return guest_files_add_modules(files, spec->modules_dir, wanted, diags);
}

/* Directories of a file's name, each once: the kernel makes none on its own. */
static int add_parents(struct cpio *cpio, const char *name, struct guest_files *known)
{
	for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
		_cleanup_free_ char *dir = strndup(name, (size_t)(slash - name));
		size_t before = known->nr;

		if (!dir || guest_files_add(known, dir, ""))
			return -ENOMEM;
		if (known->nr > before)
			cpio_directory(cpio, dir);
	}
	return 0;
}

static int write_files(struct cpio *cpio, const struct guest_files *files, struct diags *diags)
{
	_cleanup_guest_files_ struct guest_files known = {0};

	for (size_t i = 0; i < files->nr; i++) {
		int err = add_parents(cpio, files->items[i].name, &known);

		if (!err)
			err = cpio_file(cpio, files->items[i].name, 0755, files->items[i].path);
		if (err)
			return diag_error(diags, err, "%s: %s", files->items[i].path, strerror(-err));
	}
	return 0;
}

static int write_job(struct cpio *cpio, const struct guest_initramfs *spec, const struct guest_files *files)
{
	_cleanup_guest_job_ struct guest_job job = {.reps = spec->reps, .verify = spec->verify};
	_cleanup_free_ char *text = NULL;

	if (spec->timing && !(job.timing = strdup(spec->timing)))
		return -ENOMEM;
	for (size_t i = 0; i < files->nr; i++) {
		if (strncmp(files->items[i].name, GUEST_MODULES_DIR "/", strlen(GUEST_MODULES_DIR "/")))
			continue;
		if (guest_job_add_module(&job, files->items[i].name))
			return -ENOMEM;
	}
	text = guest_job_text(&job);
	if (!text)
		return -ENOMEM;
	cpio_bytes(cpio, &GUEST_JOB_FILE[1], 0644, text, strlen(text));
	return cpio->err;
}

static int write_host(struct cpio *cpio, const struct host *host)
{
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int err;

	if (!out)
		return -ENOMEM;
	err = host_save(host, out);
	if (fclose(out) && !err)
		err = -errno;
	if (err)
		return err;
	cpio_bytes(cpio, &GUEST_HOST_FILE[1], 0644, text, len);
	return cpio->err;
}

static int write_archive(struct cpio *cpio, const struct guest_initramfs *spec,
			 const struct guest_files *files, struct diags *diags)
{
	int err;

	for (size_t i = 0; i < ARRAY_SIZE(mount_points); i++)
		cpio_directory(cpio, mount_points[i]);
	cpio_device(cpio, "dev/console", 5, 1); /* what the kernel opens for /init before /dev is mounted */
	err = write_files(cpio, files, diags);
	if (!err)
		err = write_host(cpio, spec->host);
	if (!err)
		err = write_job(cpio, spec, files);
	return err ? err : cpio_finish(cpio);
}

int guest_initramfs_build(const struct guest_initramfs *spec, struct diags *diags, int *fd,
			  uint64_t *size_bytes)
{
	_cleanup_guest_files_ struct guest_files files = {0};
	_cleanup_fd_ int memory = -1;
	_cleanup_file_ FILE *out = NULL;
	struct cpio cpio = {0};
	int err = add_programs(spec, &files, diags);

	if (!err)
		err = add_modules(spec, &files, diags);
	if (err)
		return err;
	memory = memfd_create("initramfs", MFD_CLOEXEC);
	if (memory < 0)
		return -errno;
	out = fdopen(dup(memory), "w");
	if (!out)
		return -errno;
	cpio.out = out;
	err = write_archive(&cpio, spec, &files, diags);
	if (err)
		return err;
	*size_bytes = cpio.offset_bytes;
	*fd = memory;
	memory = -1;
	return 0;
}
