/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aligned columns by libsmartcols, with cells of several lines. Errors stick until columns_print returns them. */
#ifndef MEMMAPCTL_REPORT_COLUMNS_H
#define MEMMAPCTL_REPORT_COLUMNS_H

#include <libsmartcols.h>

#include "report/text.h"

struct column_spec {
	const char *heading; /* NULL: none; when no column has one, no line of headings is printed */
	bool right;
};

struct columns {
	struct libscols_table *table;
	struct libscols_line *row;
	const struct style *style;
	int err;
};

/* 0 or -ENOMEM; a zeroed struct is closed. */
int columns_open(struct columns *columns, const struct style *style, const struct column_spec *specs,
		 size_t nr);
void columns_close(struct columns *columns);
#define _cleanup_columns_ _cleanup_(columns_close)

/* Start a row; set its cells (text is copied, '\n' starts a new line in the cell). */
void columns_row(struct columns *columns);
void columns_cell(struct columns *columns, size_t column, const char *text, enum look look);

/* Print without trailing blanks. 0 or -ENOMEM. */
int columns_print(struct columns *columns, FILE *out);

#endif
