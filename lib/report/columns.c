// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/columns.h"

#include <errno.h>
#include <string.h>

#include "base/util.h"

static int add_column(struct libscols_table *table, const struct column_spec *spec)
{
	struct libscols_column *column =
		scols_table_new_column(table, spec->heading ? spec->heading : "", 0,
				       SCOLS_FL_WRAP | (spec->right ? SCOLS_FL_RIGHT : 0));

	if (!column)
		return -ENOMEM;
	if (scols_column_set_safechars(column, "\n") ||
	    scols_column_set_wrapfunc(column, scols_wrapnl_chunksize, scols_wrapnl_nextchunk, NULL))
		return -ENOMEM;
	return 0;
}

int columns_open(struct columns *columns, const struct style *style, const struct column_spec *specs,
		 size_t nr)
{
	bool headings = false;

	*columns = (struct columns){.style = style, .table = scols_new_table()};
	if (!columns->table)
		return -ENOMEM;
	/* Never cut what does not fit: a long name makes a wide table. */
	scols_table_set_termforce(columns->table, SCOLS_TERMFORCE_ALWAYS);
	scols_table_set_termwidth(columns->table, 1000);
	scols_table_set_column_separator(columns->table, "  ");
	scols_table_enable_colors(columns->table, style->color);
	for (size_t i = 0; i < nr; i++) {
		headings |= specs[i].heading != NULL;
		if (add_column(columns->table, &specs[i]))
			return -ENOMEM;
	}
	scols_table_enable_noheadings(columns->table, !headings);
	return 0;
}

void columns_close(struct columns *columns)
{
	scols_unref_table(columns->table);
	columns->table = NULL;
}

void columns_row(struct columns *columns)
{
	columns->row = scols_table_new_line(columns->table, NULL);
	if (!columns->row)
		columns->err = -ENOMEM;
}

void columns_cell(struct columns *columns, size_t column, const char *text, enum look look)
{
	struct libscols_cell *cell;

	if (columns->err)
		return;
	cell = scols_line_get_cell(columns->row, column);
	if (!cell || scols_cell_set_data(cell, text))
		columns->err = -ENOMEM;
	else if (columns->style->color && look != LOOK_PLAIN &&
		 scols_cell_set_color(cell, look_on(columns->style, look)))
		columns->err = -ENOMEM;
}

int columns_print(struct columns *columns, FILE *out)
{
	_cleanup_free_ char *text = NULL;

	if (columns->err)
		return columns->err;
	if (scols_print_table_to_string(columns->table, &text))
		return -ENOMEM;
	for (char *line = text; line && *line;) {
		size_t len = strcspn(line, "\n"), kept = len;

		while (kept && line[kept - 1] == ' ')
			kept--;
		fprintf(out, "%.*s\n", (int)kept, line);
		line += len + (line[len] == '\n');
	}
	return 0;
}
