/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading whole files. Files of /proc and /sys state no size, pipes have none: read until the end. */
#ifndef MEMMAPCTL_BASE_READ_TEXT_H
#define MEMMAPCTL_BASE_READ_TEXT_H

#include <stddef.h>

/*
 * What is left to read of a descriptor, NUL-terminated at len (it may hold NULs before); the caller frees. More than
 * max_bytes is -EFBIG, without reading on; SIZE_MAX: no limit. 0 or a negative errno.
 */
int read_fd(int fd, size_t max_bytes, char **text, size_t *len);

/* The same of a file ("-": standard input). */
int read_text(const char *path, size_t max_bytes, char **text, size_t *len);

#endif
