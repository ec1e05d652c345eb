/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two things a root can be over, a folder and a tree, behind the same four questions. For base/root*.c.
 */
#ifndef MEMMAPCTL_BASE_ROOT_FILES_H
#define MEMMAPCTL_BASE_ROOT_FILES_H

#include "base/root.h"
#include "base/tree.h"

/* Paths are resolved: no links in them but a last one; "" is the top. All return 0 or a negative errno. */

/* -EINVAL: not a link. */
int files_readlink(const struct root *root, const char *path, char *target, size_t room);
int files_kind(const struct root *root, const char *path, enum tree_kind *kind);
int files_read(const struct root *root, const char *path, char **data, size_t *len);

/* Names with their kinds, in no order; free with listing_free. */
struct listing {
	struct listed {
		char *name;
		enum tree_kind kind;
	} * items;
	size_t nr;
};
int files_list(const struct root *root, const char *path, struct listing *out);
void listing_free(struct listing *listing);

#endif
