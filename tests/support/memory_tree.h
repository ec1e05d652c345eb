/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saved hosts made of tables: a row a file, a link or a folder. */
#ifndef MEMMAPCTL_TESTS_SUPPORT_MEMORY_TREE_H
#define MEMMAPCTL_TESTS_SUPPORT_MEMORY_TREE_H

#include "support/check.h"

#include "base/root.h"
#include "base/tree.h"

/* text NULL: a folder; "-> target": a link; else the file, with a newline as the kernel ends it. */
struct tree_row {
	const char *path, *text;
};

static inline void tree_put(struct tree *tree, const char *path, const char *text)
{
	char line[1024];

	if (!text) {
		check_int(tree_add(tree, path, TREE_DIR, "", 0), 0, "%s", path);
		return;
	}
	if (!strncmp(text, "-> ", 3)) {
		check_int(tree_add(tree, path, TREE_LINK, text + 3, strlen(text + 3)), 0, "%s", path);
		return;
	}
	snprintf(line, sizeof(line), "%s\n", text);
	check_int(tree_add(tree, path, TREE_FILE, line, strlen(line)), 0, "%s", path);
}

static inline void tree_put_rows(struct tree *tree, const struct tree_row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		tree_put(tree, rows[i].path, rows[i].text);
}

static inline struct root tree_root(struct tree *tree)
{
	struct root root;

	check_int(tree_finish(tree), 0, "finish");
	root_of_tree(tree, &root);
	return root;
}

#endif
