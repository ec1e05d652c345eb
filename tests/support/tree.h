/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree of files made for one test: what /proc and /sys would show. */
#ifndef MEMMAPCTL_TESTS_TREE_H
#define MEMMAPCTL_TESTS_TREE_H

#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"

struct tree {
	char dir[256];
};

static inline void tree_make(struct tree *t)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(t->dir, sizeof(t->dir), "%s/memmapctl-test.XXXXXX", tmp ? tmp : P_tmpdir);
	assert_non_null(mkdtemp(t->dir));
}

static inline int tree_remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void tree_remove(struct tree *t)
{
	nftw(t->dir, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
#define _cleanup_tree_ __attribute__((cleanup(tree_remove)))

/* "DIR/path", with the directories above it made. */
static inline void tree_path(const struct tree *t, const char *path, char full[512])
{
	snprintf(full, 512, "%s/%s", t->dir, path);
	for (char *slash = strchr(full + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(full, 0755);
		*slash = '/';
	}
}

static inline void tree_put(const struct tree *t, const char *path, const char *text)
{
	char full[512];
	FILE *f;

	tree_path(t, path, full);
	f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static inline void tree_link(const struct tree *t, const char *path, const char *target)
{
	char full[512];

	tree_path(t, path, full);
	assert_int_equal(symlink(target, full), 0);
}

#endif
