// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/tree.h"

#include <errno.h>
#include <string.h>

int tree_add(struct tree *tree, const char *path, enum tree_kind kind, const char *data, size_t len)
{
	_cleanup_free_ char *name = strdup(path), *copy = malloc(len + 1);
	struct tree_entry *entry;
	size_t nr = tree->nr;

	entry = name && copy ? array_grow(&tree->items, &tree->nr, sizeof(*entry)) : NULL;
	if (!entry)
		return tree->err = -ENOMEM;
	if (len)
		memcpy(copy, data, len);
	copy[len] = 0;
	*entry = (struct tree_entry){take_ptr(name), kind, take_ptr(copy), len, nr};
	return 0;
}

static int by_path(const void *a, const void *b)
{
	const struct tree_entry *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	if (!order)
		order = (y->kind == TREE_SEEN) - (x->kind == TREE_SEEN);
	return order ? order : x->nr < y->nr ? -1 : x->nr > y->nr;
}

static void entry_free(struct tree_entry *entry)
{
	free(entry->path);
	free(entry->data);
}

/* Every entry gets its number anew: tree_finish may be called again after more was added. */
static void sort_and_drop_repeated(struct tree *tree)
{
	size_t kept = 0;

	if (tree->nr)
		qsort(tree->items, tree->nr, sizeof(*tree->items), by_path);
	for (size_t i = 0; i < tree->nr; i++) {
		if (i + 1 < tree->nr && !strcmp(tree->items[i].path, tree->items[i + 1].path)) {
			entry_free(&tree->items[i]);
			continue;
		}
		tree->items[kept] = tree->items[i];
		tree->items[kept].nr = kept;
		if (tree->items[kept].kind == TREE_SEEN)
			tree->items[kept].kind = TREE_FILE;
		kept++;
	}
	tree->nr = kept;
}

/* Is the folder of the first len bytes of path the entry before, or on the way to it? */
static bool is_implied_by(const char *before, const char *path, size_t len)
{
	return !strncmp(before, path, len) && (before[len] == '/' || !before[len]);
}

/* The folders on the way to an entry, unless its neighbour before it has implied them. */
static int add_parents(struct tree *tree, size_t i, size_t known)
{
	_cleanup_free_ char *path = strdup(tree->items[i].path);

	if (!path)
		return -ENOMEM;
	for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		struct tree sorted = {.items = tree->items, .nr = known};
		size_t len = (size_t)(slash - path);

		if (i && is_implied_by(tree->items[i - 1].path, path, len))
			continue;
		*slash = 0;
		if (!tree_find(&sorted, path) && tree_add(tree, path, TREE_DIR, "", 0))
			return -ENOMEM;
		*slash = '/';
	}
	return 0;
}

int tree_finish(struct tree *tree)
{
	int err = tree->err;
	size_t known;

	if (err)
		return err;
	sort_and_drop_repeated(tree);
	known = tree->nr;
	for (size_t i = 0; i < known && !err; i++)
		err = add_parents(tree, i, known);
	if (!err)
		sort_and_drop_repeated(tree);
	return err;
}

/* Index of the first entry whose path is not before `path`. */
static size_t lower_bound(const struct tree *tree, const char *path)
{
	size_t low = 0, high = tree->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(tree->items[mid].path, path) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct tree_entry *tree_find(const struct tree *tree, const char *path)
{
	size_t i = lower_bound(tree, path);

	return i < tree->nr && !strcmp(tree->items[i].path, path) ? &tree->items[i] : NULL;
}

const struct tree_entry *tree_child(const struct tree *tree, const char *dir, const struct tree_entry *after)
{
	size_t len = strlen(dir), i = after ? (size_t)(after - tree->items) + 1 : lower_bound(tree, dir);

	for (; i < tree->nr; i++) {
		const char *path = tree->items[i].path;

		if (len && strncmp(path, dir, len))
			return NULL;
		if (len && path[len] != '/')
			continue; /* the folder itself; or a name that begins with its name */
		if (!strchr(path + len + (len > 0), '/'))
			return &tree->items[i];
	}
	return NULL;
}

void tree_free(struct tree *tree)
{
	for (size_t i = 0; i < tree->nr; i++)
		entry_free(&tree->items[i]);
	free(tree->items);
	*tree = (struct tree){0};
}
