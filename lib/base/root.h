/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The root object: every file of a host (/proc, /sys) is read through a directory descriptor, so that a saved
 * host reads like the live one, and the program knows which of the two it is looking at.
 */
#ifndef MEMMAPCTL_BASE_ROOT_H
#define MEMMAPCTL_BASE_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct root {
	int fd;
	bool is_this_system; /* false for a sysroot: its values may be reported, never acted on */
};

/* Open dir ("/" is this system). 0 or a negative errno; close with root_close. */
int root_open(const char *dir, struct root *out);
void root_close(struct root *root);

/* Paths are relative to the root; a leading '/' is ignored. printf-like, so that names need no buffers. */
bool root_exists(const struct root *root, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The whole file, NUL-terminated, trailing newlines removed; the caller frees. 0 or a negative errno. */
int root_read(const struct root *root, char **text, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

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

#endif
