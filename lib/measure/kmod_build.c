// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/kmod_build.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/util.h"

extern char **environ;

enum { TAIL_BYTES = 4096, TAIL_LINES = 12, POLL_MS = 100 };

static int join(char **out, const char *dir, const char *name)
{
	if (asprintf(out, "%s/%s", dir, name) >= 0)
		return 0;
	*out = NULL;
	return -ENOMEM;
}

/* ---- the sources, and a folder to build in ---- */

/* As configs: the environment, the tree that the program was built from, the installed one. */
static int find_sources(char **out)
{
	const char *const dirs[] = {getenv("MEMMAPCTL_MODULE_SOURCE"), MEMMAPCTL_SOURCE_TREE,
				    MEMMAPCTL_INSTALLED_MODULE_SOURCE};

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		_cleanup_free_ char *probe = NULL;

		if (!dirs[i] || !*dirs[i])
			continue;
		if (join(&probe, dirs[i], "lib/kmod/Kbuild"))
			return -ENOMEM;
		if (access(probe, R_OK))
			continue;
		*out = realpath(dirs[i], NULL);
		return *out ? 0 : -errno;
	}
	return -ENOENT;
}

static int link_into(const char *from_dir, const char *to_dir, const char *name)
{
	_cleanup_free_ char *from = NULL, *to = NULL;

	if (join(&from, from_dir, name) || join(&to, to_dir, name))
		return -ENOMEM;
	return symlink(from, to) ? -errno : 0;
}

/* Every file on its own, so that what the build leaves beside them stays in this folder. */
static int link_files(const char *from_dir, const char *to_dir)
{
	DIR *dir = opendir(from_dir);
	struct dirent *entry;
	int err = 0;

	if (!dir)
		return -errno;
	while (!err && (entry = readdir(dir))) {
		if (entry->d_name[0] != '.')
			err = link_into(from_dir, to_dir, entry->d_name);
	}
	closedir(dir);
	return err;
}

/* lib/kmod as it stands in the sources, with the folders that it includes from. */
static int lay_out(const char *sources, const char *dir)
{
	_cleanup_free_ char *from = NULL, *lib = NULL, *from_lib = NULL, *kmod = NULL;
	int err;

	if (join(&from, sources, "lib/kmod") || join(&from_lib, sources, "lib") || join(&lib, dir, "lib") ||
	    join(&kmod, dir, "lib/kmod"))
		return -ENOMEM;
	if (mkdir(lib, 0700) || mkdir(kmod, 0700))
		return -errno;
	err = link_into(sources, dir, "arch");
	if (!err)
		err = link_into(from_lib, lib, "initpath");
	if (!err)
		err = link_into(from_lib, lib, "base");
	return err ? err : link_files(from, kmod);
}

static int remove_entry(const char *path, const struct stat *stat, int type, struct FTW *where)
{
	(void)stat;
	(void)type;
	(void)where;
	remove(path);
	return 0;
}

static int make_folder(char **out)
{
	const char *parent = getenv("TMPDIR");

	if (join(out, parent && *parent ? parent : "/tmp", "memmapctl-kmod-XXXXXX"))
		return -ENOMEM;
	if (mkdtemp(*out))
		return 0;
	free(take_ptr(*out));
	return -errno;
}

/* ---- make ---- */

struct make {
	pid_t pid;
	int output;
	char tail[TAIL_BYTES + 1]; /* the last that it said */
	size_t len;
};

static int start_make(struct make *make, const char *dir, const char *headers)
{
	_cleanup_free_ char *kmod = NULL, *kdir = NULL;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int ends[2], err;

	if (join(&kmod, dir, "lib/kmod") || asprintf(&kdir, "KDIR=%s", headers) < 0)
		return -ENOMEM;
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	char make_word[] = "make", directory[] = "-C", target[] = "modules";
	char *argv[] = {make_word, directory, kmod, kdir, target, NULL};

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, ends[1], 1);
	posix_spawn_file_actions_adddup2(&files, ends[1], 2);
	posix_spawnattr_init(&attributes);
	/* A group of its own: Ctrl-C is for memmapctl, which ends all of it. */
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
	posix_spawnattr_setpgroup(&attributes, 0);
	err = posix_spawnp(&make->pid, argv[0], &files, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	close(ends[1]);
	make->output = ends[0];
	if (err)
		close(ends[0]);
	return -err;
}

static void keep_tail(struct make *make, const char *data, size_t len)
{
	size_t keep;

	if (len > TAIL_BYTES) {
		data += len - TAIL_BYTES;
		len = TAIL_BYTES;
	}
	keep = MIN(make->len, TAIL_BYTES - len);
	memmove(make->tail, make->tail + make->len - keep, keep);
	memcpy(make->tail + keep, data, len);
	make->len = keep + len;
	make->tail[make->len] = '\0';
}

/* 1: there may be more; 0: it has ended. */
static int read_output(struct make *make)
{
	struct pollfd in = {.fd = make->output, .events = POLLIN};
	char data[4096];
	ssize_t len;

	if (poll(&in, 1, POLL_MS) <= 0)
		return 1;
	len = read(make->output, data, sizeof(data));
	if (len > 0)
		keep_tail(make, data, (size_t)len);
	return len > 0 || (len < 0 && errno == EINTR);
}

/* Its exit status, or -EINTR when it was stopped. */
static int finish_make(struct make *make, const volatile sig_atomic_t *stop)
{
	bool stopped = false;
	int status;

	while (read_output(make)) {
		if (stop && *stop && !stopped) {
			kill(-make->pid, SIGKILL);
			stopped = true;
		}
	}
	close(make->output);
	while (waitpid(make->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (stopped)
		return -EINTR;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static const char *last_lines(const struct make *make)
{
	const char *at = make->tail + make->len;
	int lines = 0;

	while (at > make->tail && lines <= TAIL_LINES)
		lines += *--at == '\n';
	return lines > TAIL_LINES ? at + 1 : at;
}

static int run_make(const struct kmod_request *request, const char *dir, const char *headers,
		    struct diags *diags)
{
	struct make make = {0};
	int err = start_make(&make, dir, headers), status;

	if (err == -ENOENT)
		return diag_error(
			diags, err,
			"building %s needs make and the C compiler; or name a folder with a built one: "
			"--module-dir DIR",
			request->name);
	if (err)
		return diag_error(diags, err, "make: %s", strerror(-err));
	status = finish_make(&make, request->stop);
	if (status < 0)
		return diag_error(diags, status, "stopped while %s was being built", request->name);
	if (status)
		return diag_error(diags, -ENOEXEC, "%s does not build with %s; make said last:\n%s",
				  request->name, headers, last_lines(&make));
	return 0;
}

static int check_headers(const struct kmod_request *request, const char *headers, struct diags *diags)
{
	_cleanup_free_ char *makefile = NULL;

	if (join(&makefile, headers, "Makefile"))
		return -ENOMEM;
	if (!access(makefile, R_OK))
		return 0;
	return diag_error(
		diags, -ENOENT,
		"%s: no kernel headers there, and %s has to be built for Linux %s: install them (Debian: "
		"linux-headers-%s), or name a folder with a built module: --module-dir DIR",
		headers, request->name, request->release, request->release);
}

static int build(const struct kmod_request *request, struct diags *diags, struct kmod_file *file)
{
	_cleanup_free_ char *headers = NULL, *sources = NULL;
	int err;

	if (request->headers)
		headers = strdup(request->headers);
	else if (asprintf(&headers, "/lib/modules/%s/build", request->release) < 0)
		headers = NULL;
	if (!headers)
		return -ENOMEM;
	err = check_headers(request, headers, diags);
	if (err)
		return err;
	err = find_sources(&sources);
	if (err)
		return diag_error(diags, err, "the sources of %s did not come with this program: %s",
				  request->name, MEMMAPCTL_INSTALLED_MODULE_SOURCE);
	err = make_folder(&file->built_in);
	if (!err)
		err = lay_out(sources, file->built_in);
	if (err)
		return diag_error(diags, err, "no folder to build %s in: %s", request->name, strerror(-err));
	err = run_make(request, file->built_in, headers, diags);
	if (err)
		return err;
	return asprintf(&file->path, "%s/lib/kmod/%s.ko", file->built_in, request->name) < 0 ? -ENOMEM : 0;
}

/* ---- one that is there ---- */

static int in_module_dir(const struct kmod_request *request, struct diags *diags, struct kmod_file *file)
{
	if (asprintf(&file->path, "%s/%s.ko", request->module_dir, request->name) < 0) {
		file->path = NULL;
		return -ENOMEM;
	}
	if (!access(file->path, R_OK))
		return 0;
	return diag_error(diags, -ENOENT, "%s: %s", file->path, strerror(errno));
}

/* Where DKMS puts modules. Compressed ones are left to their reader, which knows the suffixes. */
static int installed(const struct kmod_request *request, struct kmod_file *file)
{
	static const char *const suffixes[] = {"", ".xz", ".zst", ".gz"};

	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		if (asprintf(&file->path, "/lib/modules/%s/updates/dkms/%s.ko%s", request->release,
			     request->name, suffixes[i]) < 0) {
			file->path = NULL;
			return -ENOMEM;
		}
		if (!access(file->path, R_OK))
			return 0;
		free(take_ptr(file->path));
	}
	return -ENOENT;
}

int kmod_file_get(const struct kmod_request *request, struct diags *diags, struct kmod_file *out)
{
	struct kmod_file file = {0};
	int err;

	if (request->module_dir) {
		err = in_module_dir(request, diags, &file);
	} else {
		err = request->headers ? -ENOENT : installed(request, &file);
		if (err == -ENOENT)
			err = build(request, diags, &file);
	}
	if (err)
		kmod_file_free(&file);
	else
		*out = file;
	return err;
}

void kmod_file_free(struct kmod_file *file)
{
	if (file->built_in)
		nftw(file->built_in, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	free(file->built_in);
	free(file->path);
	*file = (struct kmod_file){0};
}
