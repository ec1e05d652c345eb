/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Diagnostics: what a library found wrong, where, and what would be right. Libraries append to a list that
 * the caller owns and return a negative errno; only commands print.
 */
#ifndef MEMMAPCTL_BASE_DIAG_H
#define MEMMAPCTL_BASE_DIAG_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "base/util.h"

enum diag_level {
	DIAG_ERROR,
	DIAG_WARNING,
	DIAG_NOTE,
};

struct diag {
	enum diag_level level;
	char *file;        /* NULL: no file is to blame */
	unsigned int line; /* from 1; 0: not known */
	unsigned int col;  /* from 1; 0: not known */
	char *text;
};

/* Zero-initialise ({0}); free with diags_free. */
struct diags {
	struct diag *items;
	size_t nr;
	size_t nr_errors;
};

/*
 * Append one diagnostic; file and the formatted text are copied. d may be NULL: then nothing is kept.
 * Errors are counted even when memory runs out, so a caller that tests nr_errors never misses one.
 */
void diag_add(struct diags *d, enum diag_level level, const char *file, unsigned int line, unsigned int col,
	      const char *fmt, ...) _printf_(6, 7);
void diag_addv(struct diags *d, enum diag_level level, const char *file, unsigned int line, unsigned int col,
	       const char *fmt, va_list ap);

/* The short form for an error with no place. Returns err, so that `return diag_error(d, -EIO, ...)` reads well. */
int diag_error(struct diags *d, int err, const char *fmt, ...) _printf_(3, 4);

/* Sort each run of one file by line and column; equal places keep their order. */
void diags_sort(struct diags *d);

/* Print each as "FILE:LINE:COL: [warning: |note: ]text\n" (parts that are not known are left out). */
void diags_print(const struct diags *d, FILE *out);

void diags_free(struct diags *d);
#define _cleanup_diags_ _cleanup_(diags_free)

#endif
