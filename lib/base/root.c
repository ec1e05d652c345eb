// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/util.h"

int root_open(const char *dir, struct root *out)
{
	int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	*out = (struct root){.fd = fd, .is_this_system = !strcmp(dir, "/")};
	return 0;
}

void root_close(struct root *root)
{
	close_fd(&root->fd);
	root->fd = -1;
}

static int format_path(char path[PATH_MAX], const char *fmt, va_list ap)
{
	char full[PATH_MAX];
	int len = vsnprintf(full, sizeof(full), fmt, ap);

	if (len < 0 || len >= PATH_MAX)
		return -ENAMETOOLONG;
	const char *relative = full + strspn(full, "/");

	strcpy(path, *relative ? relative : ".");
	return 0;
}

bool root_exists(const struct root *root, const char *fmt, ...)
{
	char path[PATH_MAX];
	struct stat st;
	va_list ap;
	int err;

	va_start(ap, fmt);
	err = format_path(path, fmt, ap);
	va_end(ap);
	return !err && !fstatat(root->fd, path, &st, 0);
}

/* Files of /proc and /sys have no size: read until the end. */
static int read_all(const struct root *root, const char *path, char **text)
{
	_cleanup_fd_ int fd = openat(root->fd, path, O_RDONLY | O_CLOEXEC);
	_cleanup_free_ char *buf = NULL;
	size_t len = 0, room = 0;

	if (fd < 0)
		return -errno;
	for (;;) {
		if (len + 1 >= room) {
			char *bigger = realloc(buf, room = room ? room * 2 : 4096);

			if (!bigger)
				return -ENOMEM;
			buf = bigger;
		}
		ssize_t got = read(fd, buf + len, room - len - 1);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		len += (size_t)got;
	}
	while (len && buf[len - 1] == '\n')
		len--;
	buf[len] = 0;
	*text = take_ptr(buf);
	return 0;
}

int root_read(const struct root *root, char **text, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	int err;

	va_start(ap, fmt);
	err = format_path(path, fmt, ap);
	va_end(ap);
	return err ? err : read_all(root, path, text);
}

int root_read_u64(const struct root *root, uint64_t *value, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	char path[PATH_MAX], *end;
	va_list ap;
	int err;

	va_start(ap, fmt);
	err = format_path(path, fmt, ap);
	va_end(ap);
	if (!err)
		err = read_all(root, path, &text);
	if (err)
		return err;
	if (*text == '-' || !*text)
		return -EINVAL;
	errno = 0;
	unsigned long long v = strtoull(text, &end, strncmp(text, "0x", 2) ? 10 : 16);

	if (errno)
		return -errno;
	if (end == text || *end)
		return -EINVAL;
	*value = v;
	return 0;
}

static int by_version(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

int root_list(const struct root *root, char ***names, const char *fmt, ...)
{
	char path[PATH_MAX];
	char **list = NULL;
	size_t nr = 0;
	struct dirent *entry;
	va_list ap;
	int err;

	va_start(ap, fmt);
	err = format_path(path, fmt, ap);
	va_end(ap);
	if (err)
		return err;
	int fd = openat(root->fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	DIR *dir = fdopendir(fd);

	if (!dir) {
		err = -errno;
		close(fd);
		return err;
	}
	while ((entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		char **slot = array_grow(&list, &nr, sizeof(*list));

		if (!slot || !(*slot = strdup(entry->d_name))) {
			err = -ENOMEM;
			break;
		}
	}
	closedir(dir);
	if (!err && nr)
		qsort(list, nr, sizeof(*list), by_version);
	if (!array_grow(&list, &nr, sizeof(*list))) /* the closing NULL */
		err = -ENOMEM;
	if (err) {
		for (size_t i = 0; list && i < nr; i++)
			free(list[i]);
		free(list);
		return err;
	}
	*names = list;
	return 0;
}

void root_names_free(char ***names)
{
	for (char **n = *names; n && *n; n++)
		free(*n);
	free(*names);
	*names = NULL;
}

int root_readlink(const struct root *root, char **target, const char *fmt, ...)
{
	char path[PATH_MAX], link[PATH_MAX];
	ssize_t len;
	va_list ap;
	int err;

	va_start(ap, fmt);
	err = format_path(path, fmt, ap);
	va_end(ap);
	if (err)
		return err;
	len = readlinkat(root->fd, path, link, sizeof(link) - 1);
	if (len < 0)
		return -errno;
	link[len] = 0;
	*target = strdup(link);
	return *target ? 0 : -ENOMEM;
}
