/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The root object: every file of a host (/proc, /sys) is read through it, so that a saved host reads like
 * the live one, and the program knows which of the two it is looking at. A root is a folder ("/" is this
 * system) or a tree in memory. Symbolic links of a saved host never lead out of it: a link to /etc is the
 * saved host's /etc.
 *
 * What is read can be recorded into a tree: a root over that tree reads the same, which is what a snapshot
 * is.
 */
#ifndef MEMMAPCTL_BASE_ROOT_H
#define MEMMAPCTL_BASE_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tree;

struct root {
	int fd;
	bool is_this_system;     /* false for a sysroot: its values may be reported, never acted on */
	const struct tree *tree; /* NULL: a folder; else finished (tree_finish), not owned */

	/*
	 * NULL, or where everything that is read is added; not owned. Of a folder that was listed, the
	 * folders and links in it are kept, not the names of files that were never read.
	 */
	struct tree *record;
};

/* Open dir ("/" is this system). 0 or a negative errno; close with root_close. */
int root_open(const char *dir, struct root *out);
/* A root over a finished tree, which must outlive it. Cannot fail; root_close is harmless. */
void root_of_tree(const struct tree *tree, struct root *out);
void root_close(struct root *root);

/* Paths are relative to the root; a leading '/' is ignored. printf-like, so that names need no buffers. */
bool root_exists(const struct root *root, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The whole file, NUL-terminated, trailing newlines removed; the caller frees. 0 or a negative errno. */
int root_read(const struct root *root, char **text, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The whole file as it is, NUL-terminated beyond *len; the caller frees. 0 or a negative errno. */
int root_read_bytes(const struct root *root, char **data, size_t *len, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * Like root_read, for a file of which only a part is of use and the rest is nobody's business: keep edits
 * the text in place (it may only shorten it) before it is recorded. keep must leave alone what it has
 * edited already.
 */
int root_read_part(const struct root *root, char **text, void (*keep)(char *text), const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * What this system says through a call is recorded as if it had been read from path: a saved host has it
 * there.
 */
void root_record_as(const struct root *root, const char *path, const char *text);

/* A decimal or 0x-prefixed number. 0, -EINVAL, -ERANGE or the error of reading. */
int root_read_u64(const struct root *root, uint64_t *value, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Names in a directory, sorted so that numbers are in order (node2 before node10), '.' and '..' left out.
 * *names is NULL-ended; free with root_names_free. 0 or a negative errno.
 */
int root_list(const struct root *root, char ***names, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void root_names_free(char ***names);

/* Where a symbolic link points, as it is written in it; the caller frees. 0 or a negative errno. */
int root_readlink(const struct root *root, char **target, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The path of what is at the end of all links, relative to the root; the caller frees. 0 or a negative
 * errno.
 */
int root_realpath(const struct root *root, char **path, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
