/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMMAPCTL_BASE_READ_TEXT_H
#define MEMMAPCTL_BASE_READ_TEXT_H

#include <stddef.h>

/* A whole file ("-": standard input), NUL-terminated at len; the caller frees. 0 or a negative errno. */
int read_text(const char *path, char **text, size_t *len);

#endif
