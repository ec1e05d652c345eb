// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/diag.h"

#include <string.h>

void diag_addv(struct diags *d, enum diag_level level, const char *file, unsigned int line, unsigned int col,
	       const char *fmt, va_list ap)
{
	struct diag *item;

	if (!d)
		return;
	if (level == DIAG_ERROR)
		d->nr_errors++;
	item = array_grow(&d->items, &d->nr, sizeof(*item));
	if (!item)
		return;
	item->level = level;
	item->file = file ? strdup(file) : NULL;
	item->line = line;
	item->col = col;
	item->text = text_formatv(fmt, ap);
}

void diag_add(struct diags *d, enum diag_level level, const char *file, unsigned int line, unsigned int col,
	      const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_addv(d, level, file, line, col, fmt, ap);
	va_end(ap);
}

int diag_error(struct diags *d, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_addv(d, DIAG_ERROR, NULL, 0, 0, fmt, ap);
	va_end(ap);
	return err;
}

static int same_file(const struct diag *a, const struct diag *b)
{
	if (!a->file || !b->file)
		return a->file == b->file;
	return !strcmp(a->file, b->file);
}

/* Lists are short, and insertion keeps equal places in order without a third key. */
void diags_sort(struct diags *d)
{
	for (size_t i = 1; i < d->nr; i++) {
		struct diag moving = d->items[i];
		size_t j = i;

		while (j && same_file(&d->items[j - 1], &moving) &&
		       (d->items[j - 1].line > moving.line ||
			(d->items[j - 1].line == moving.line && d->items[j - 1].col > moving.col))) {
			d->items[j] = d->items[j - 1];
			j--;
		}
		d->items[j] = moving;
	}
}

void diags_print(const struct diags *d, FILE *out)
{
	static const char *const prefix[] = {"", "warning: ", "note: "};

	for (size_t i = 0; i < d->nr; i++) {
		const struct diag *item = &d->items[i];

		if (item->file) {
			fprintf(out, "%s:", item->file);
			if (item->line)
				fprintf(out, "%u:", item->line);
			if (item->line && item->col)
				fprintf(out, "%u:", item->col);
			fputc(' ', out);
		}
		fprintf(out, "%s%s\n", prefix[item->level], item->text ? item->text : "out of memory");
	}
}

void diags_free(struct diags *d)
{
	for (size_t i = 0; i < d->nr; i++) {
		free(d->items[i].file);
		free(d->items[i].text);
	}
	free(d->items);
	*d = (struct diags){0};
}
