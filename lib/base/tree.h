/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of a host kept in memory: what an archive holds, and what a probe read. A saved host is never
 * unpacked onto a disk, so that nothing in an archive can be written anywhere, and nothing is left behind
 * when a probe is stopped.
 */
#ifndef MEMMAPCTL_BASE_TREE_H
#define MEMMAPCTL_BASE_TREE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"

enum tree_kind {
	TREE_DIR,
	TREE_LINK,   /* data: where it points */
	TREE_FILE,   /* data: its bytes */
	TREE_DENIED, /* a file that was there but could not be read */
	TREE_SEEN,   /* a file that is there and was not read; tree_finish leaves no such entries */
};

struct tree_entry {
	char *path; /* relative, without "." and ".." and double slashes; "" is never stored */
	enum tree_kind kind;
	char *data; /* NUL-terminated beyond len */
	size_t len;
	size_t nr; /* order of adding */
};

/* Zero-initialise; free with tree_free. */
struct tree {
	struct tree_entry *items;
	size_t nr;
	int err; /* sticks: an entry could not be added */
};

/* Copy one entry in. 0 or -ENOMEM, which tree_finish returns again. */
int tree_add(struct tree *tree, const char *path, enum tree_kind kind, const char *data, size_t len);

/*
 * Make the tree fit for tree_find and tree_child: sorted, folders that only the paths of others imply
 * added, of several entries with one path the last kept that says more than TREE_SEEN, which becomes an empty file
 * where it stands alone. 0 or -ENOMEM. Adding undoes it.
 */
int tree_finish(struct tree *tree);

/* The entry with exactly this path, or NULL. No links are followed. "" is the top folder: always NULL. */
const struct tree_entry *tree_find(const struct tree *tree, const char *path);

/*
 * The entry after `after` that lies directly in folder dir ("" is the top); `after` NULL: the first. NULL
 * at the end.
 */
const struct tree_entry *tree_child(const struct tree *tree, const char *dir, const struct tree_entry *after);

void tree_free(struct tree *tree);

/*
 * Read a tar archive, compressed or not (what libarchive knows), into a new finished tree. The folder that
 * holds proc or sys becomes the top, so "HOST/sys/..." and "./sys/..." read alike. Entries with ".." are
 * left out with a warning, devices and the like without a word. Absurd amounts (a decompression bomb) are
 * refused. 0; -EINVAL: not an archive, damaged, too large, or no proc or sys in it; the error of opening
 * it; -ENOMEM. All in diags.
 */
int tree_load(const char *path, struct diags *diags, struct tree *out);

/*
 * Write as a tar archive, compressed as the end of name says: .tar, .tar.zst, .tar.gz, .tar.xz or .tar.bz2.
 * Times and owners are the same for all entries: an archive says nothing but what the tree holds. 0;
 * -EINVAL: the name has another end (in diags); -EIO: in diags, too.
 */
int tree_save(const struct tree *tree, const char *name, FILE *out, struct diags *diags);

/* Does tree_save know this end of a name? */
bool tree_save_knows(const char *name);

#define _cleanup_tree_ _cleanup_(tree_free)

#endif
