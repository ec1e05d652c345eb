// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/root_files.h"
#include "base/util.h"

enum { MAX_LINKS = 40 }; /* as the kernel: MAXSYMLINKS */

int root_open(const char *dir, struct root *out)
{
	int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	*out = (struct root){.fd = fd, .is_this_system = !strcmp(dir, "/")};
	return 0;
}

void root_of_tree(const struct tree *tree, struct root *out)
{
	*out = (struct root){.fd = -1, .tree = tree};
}

void root_close(struct root *root)
{
	close_fd(&root->fd);
	root->fd = -1;
}

static void record(const struct root *root, const char *path, enum tree_kind kind, const char *data,
		   size_t len)
{
	if (root->record && *path)
		tree_add(root->record, path, kind, data,
			 len); /* an error sticks, and tree_finish returns it */
}

static void record_seen(const struct root *root, const char *path, enum tree_kind kind)
{
	record(root, path, kind == TREE_FILE ? TREE_SEEN : kind, "", 0);
}

void root_record_as(const struct root *root, const char *path, const char *text)
{
	record(root, path, TREE_FILE, text, strlen(text));
}

static int format_path(char path[PATH_MAX], const char *fmt, va_list ap)
{
	int len = vsnprintf(path, PATH_MAX, fmt, ap);

	return len < 0 || len >= PATH_MAX ? -ENAMETOOLONG : 0;
}

static void drop_last_part(char *path)
{
	char *slash = strrchr(path, '/');

	*(slash ? slash : path) = 0;
}

/* Append the part of rest up to the next '/' and step over it. */
static int append_part(char *path, char **rest)
{
	size_t part = strcspn(*rest, "/"), len = strlen(path);

	if (len + part + 2 > PATH_MAX)
		return -ENAMETOOLONG;
	if (len)
		path[len++] = '/';
	memcpy(path + len, *rest, part);
	path[len + part] = 0;
	*rest += part;
	return 0;
}

/* What is left to walk after a link: where it leads, then what stood behind it. */
static int follow(char *path, const char *target, char text[PATH_MAX], char **rest)
{
	char joined[PATH_MAX];
	int len = snprintf(joined, sizeof(joined), "%s/%s", target, *rest);

	if (len < 0 || len >= PATH_MAX)
		return -ENAMETOOLONG;
	if (*target == '/')
		*path = 0;
	else
		drop_last_part(path);
	*rest = strcpy(text, joined);
	return 0;
}

/*
 * Walk a path link by link, so that ".." and links stay inside the root, whatever they say, and so that
 * each link on the way is recorded. text is used up. out: a path without links (but a last one, with
 * !follow_last).
 */
static int resolve(const struct root *root, char text[PATH_MAX], bool follow_last, char out[PATH_MAX])
{
	char *rest = text, target[PATH_MAX];
	int links = 0;

	*out = 0;
	for (;;) {
		rest += strspn(rest, "/");
		if (!*rest)
			return 0;
		size_t part = strcspn(rest, "/");

		if (part == 1 && *rest == '.') {
			rest++;
			continue;
		}
		if (part == 2 && !strncmp(rest, "..", 2)) {
			rest += 2;
			drop_last_part(out);
			continue;
		}
		int err = append_part(out, &rest);

		if (err)
			return err;
		if (!follow_last && !rest[strspn(rest, "/")])
			return 0;
		err = files_readlink(root, out, target, sizeof(target));
		if (err == -EINVAL)
			continue;
		if (err)
			return err;
		if (++links > MAX_LINKS)
			return -ELOOP;
		record(root, out, TREE_LINK, target, strlen(target));
		err = follow(out, target, text, &rest);
		if (err)
			return err;
	}
}

static int resolve_va(const struct root *root, bool follow_last, char path[PATH_MAX], const char *fmt,
		      va_list ap)
{
	char text[PATH_MAX];
	int err = format_path(text, fmt, ap);

	if (err)
		return err;
	/* The kernel walks the live system's paths itself, and faster. */
	if (root->is_this_system && !root->record) {
		strcpy(path, text + strspn(text, "/"));
		return 0;
	}
	return resolve(root, text, follow_last, path);
}

/* Declares path and sets err, in a function whose last named parameter is fmt. */
#define RESOLVE(root, follow_last)                                                                           \
	char path[PATH_MAX];                                                                                 \
	va_list ap;                                                                                          \
	va_start(ap, fmt);                                                                                   \
	int err = resolve_va(root, follow_last, path, fmt, ap);                                              \
	va_end(ap)

bool root_exists(const struct root *root, const char *fmt, ...)
{
	enum tree_kind kind;

	RESOLVE(root, true);
	if (err)
		return false;
	/* Without a record the last link was not resolved: what it leads to counts. */
	if (root->is_this_system && !root->record)
		return !faccessat(root->fd, *path ? path : ".", F_OK, 0);
	if (files_kind(root, path, &kind))
		return false;
	record_seen(root, path, kind);
	return true;
}

static int read_recorded(const struct root *root, const char *path, void (*keep)(char *text), char **data,
			 size_t *len)
{
	int err = files_read(root, path, data, len);

	if (err == -EACCES || err == -EPERM)
		record(root, path, TREE_DENIED, "", 0);
	if (err)
		return err;
	if (keep) {
		keep(*data);
		*len = strlen(*data);
	}
	record(root, path, TREE_FILE, *data, *len);
	return 0;
}

static void trim(char *text)
{
	size_t len = strlen(text);

	while (len && text[len - 1] == '\n')
		text[--len] = 0;
}

int root_read(const struct root *root, char **text, const char *fmt, ...)
{
	size_t len;

	RESOLVE(root, true);
	if (!err)
		err = read_recorded(root, path, NULL, text, &len);
	if (!err)
		trim(*text);
	return err;
}

int root_read_bytes(const struct root *root, char **data, size_t *len, const char *fmt, ...)
{
	RESOLVE(root, true);
	return err ? err : read_recorded(root, path, NULL, data, len);
}

int root_read_part(const struct root *root, char **text, void (*keep)(char *text), const char *fmt, ...)
{
	size_t len;

	RESOLVE(root, true);
	if (!err)
		err = read_recorded(root, path, keep, text, &len);
	if (!err)
		trim(*text);
	return err;
}

int root_read_u64(const struct root *root, uint64_t *value, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	char *end;

	RESOLVE(root, true);
	if (!err)
		err = read_recorded(root, path, NULL, &text, &len);
	if (err)
		return err;
	trim(text);
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

static void record_listing(const struct root *root, const char *path, const struct listing *listing)
{
	char full[PATH_MAX], target[PATH_MAX];

	record(root, path, TREE_DIR, "", 0);
	for (size_t i = 0; root->record && i < listing->nr; i++) {
		const struct listed *one = &listing->items[i];

		if (snprintf(full, sizeof(full), "%s%s%s", path, *path ? "/" : "", one->name) >= PATH_MAX)
			continue;
		if (one->kind == TREE_DIR)
			record(root, full, TREE_DIR, "", 0);
		else if (one->kind == TREE_LINK && !files_readlink(root, full, target, sizeof(target)))
			record(root, full, TREE_LINK, target, strlen(target));
	}
}

int root_list(const struct root *root, char ***names, const char *fmt, ...)
{
	struct listing listing = {0};
	char **list;

	RESOLVE(root, true);
	if (!err)
		err = files_list(root, path, &listing);
	if (err)
		return err;
	record_listing(root, path, &listing);
	list = calloc(listing.nr + 1, sizeof(*list));
	for (size_t i = 0; list && i < listing.nr; i++)
		list[i] = take_ptr(listing.items[i].name);
	if (list && listing.nr)
		qsort(list, listing.nr, sizeof(*list), by_version);
	listing_free(&listing);
	if (!list)
		return -ENOMEM;
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
	char link[PATH_MAX];

	RESOLVE(root, false);
	if (!err)
		err = files_readlink(root, path, link, sizeof(link));
	if (err)
		return err;
	record(root, path, TREE_LINK, link, strlen(link));
	*target = strdup(link);
	return *target ? 0 : -ENOMEM;
}

int root_realpath(const struct root *root, char **out, const char *fmt, ...)
{
	char text[PATH_MAX], path[PATH_MAX];
	enum tree_kind kind;
	va_list ap;

	va_start(ap, fmt);
	int err = format_path(text, fmt, ap);
	va_end(ap);
	if (!err)
		err = resolve(root, text, true, path);
	if (!err)
		err = files_kind(root, path, &kind);
	if (err)
		return err;
	record_seen(root, path, kind);
	*out = strdup(path);
	return *out ? 0 : -ENOMEM;
}
