// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/root_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/read_text.h"

/* The *at() calls want a name for the top. */
static const char *at(const char *path)
{
	return *path ? path : ".";
}

static int tree_lookup(const struct root *root, const char *path, const struct tree_entry **out)
{
	static const struct tree_entry top = {.kind = TREE_DIR};
	const struct tree_entry *entry = *path ? tree_find(root->tree, path) : &top;

	if (!entry)
		return -ENOENT;
	*out = entry;
	return 0;
}

int files_readlink(const struct root *root, const char *path, char *target, size_t room)
{
	const struct tree_entry *entry;
	ssize_t len;

	if (!root->tree) {
		len = readlinkat(root->fd, at(path), target, room - 1);
		if (len < 0)
			return -errno;
		target[len] = 0;
		return 0;
	}
	int err = tree_lookup(root, path, &entry);

	if (err)
		return err;
	if (entry->kind != TREE_LINK)
		return -EINVAL;
	if (entry->len >= room)
		return -ENAMETOOLONG;
	strcpy(target, entry->data);
	return 0;
}

static enum tree_kind kind_of_mode(mode_t mode)
{
	return S_ISDIR(mode) ? TREE_DIR : S_ISLNK(mode) ? TREE_LINK : TREE_FILE;
}

int files_kind(const struct root *root, const char *path, enum tree_kind *kind)
{
	const struct tree_entry *entry;
	struct stat st;

	if (!root->tree) {
		if (fstatat(root->fd, at(path), &st, AT_SYMLINK_NOFOLLOW))
			return -errno;
		*kind = kind_of_mode(st.st_mode);
		return 0;
	}
	int err = tree_lookup(root, path, &entry);

	if (!err)
		*kind = entry->kind;
	return err;
}

int files_read(const struct root *root, const char *path, char **data, size_t *len)
{
	const struct tree_entry *entry;
	struct stat st;

	if (!root->tree) {
		/* A pipe in a folder of any origin must not block. */
		_cleanup_fd_ int fd = openat(root->fd, at(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);

		if (fd < 0 || fstat(fd, &st))
			return -errno;
		return S_ISREG(st.st_mode)   ? read_fd(fd, SIZE_MAX, data, len)
		       : S_ISDIR(st.st_mode) ? -EISDIR
					     : -EINVAL;
	}
	int err = tree_lookup(root, path, &entry);

	if (err)
		return err;
	if (entry->kind != TREE_FILE)
		return entry->kind == TREE_DENIED ? -EACCES : entry->kind == TREE_DIR ? -EISDIR : -ELOOP;
	*data = malloc(entry->len + 1);
	if (!*data)
		return -ENOMEM;
	memcpy(*data, entry->data, entry->len + 1);
	*len = entry->len;
	return 0;
}

static int listing_add(struct listing *listing, const char *name, enum tree_kind kind)
{
	struct listed *one = array_grow(&listing->items, &listing->nr, sizeof(*one));

	if (!one)
		return -ENOMEM;
	one->kind = kind;
	one->name = strdup(name);
	return one->name ? 0 : -ENOMEM;
}

static int list_tree(const struct root *root, const char *path, struct listing *out)
{
	const struct tree_entry *entry;
	int err = tree_lookup(root, path, &entry);

	if (err)
		return err;
	if (entry->kind != TREE_DIR)
		return -ENOTDIR;
	for (entry = NULL; !err && (entry = tree_child(root->tree, path, entry));) {
		const char *slash = strrchr(entry->path, '/');

		err = listing_add(out, slash ? slash + 1 : entry->path, entry->kind);
	}
	return err;
}

static enum tree_kind kind_of_dirent(int dir_fd, const struct dirent *entry)
{
	struct stat st;

	if (entry->d_type != DT_UNKNOWN)
		return kind_of_mode(DTTOIF(entry->d_type));
	return fstatat(dir_fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) ? TREE_FILE
									: kind_of_mode(st.st_mode);
}

static int list_folder(const struct root *root, const char *path, struct listing *out)
{
	int fd = openat(root->fd, at(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC), err = 0;
	struct dirent *entry;

	if (fd < 0)
		return -errno;
	DIR *dir = fdopendir(fd);

	if (!dir) {
		err = -errno;
		close(fd);
		return err;
	}
	while (!err && (entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			err = listing_add(out, entry->d_name, kind_of_dirent(fd, entry));
	}
	closedir(dir);
	return err;
}

int files_list(const struct root *root, const char *path, struct listing *out)
{
	int err = root->tree ? list_tree(root, path, out) : list_folder(root, path, out);

	if (err)
		listing_free(out);
	return err;
}

void listing_free(struct listing *listing)
{
	for (size_t i = 0; i < listing->nr; i++)
		free(listing->items[i].name);
	free(listing->items);
	*listing = (struct listing){0};
}
