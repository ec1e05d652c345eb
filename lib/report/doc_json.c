// SPDX-License-Identifier: GPL-2.0-or-later
/* JSON (RFC 8259): two spaces a level, rows on one line, no escaped slashes. Failed writes show in doc_finish. */
#include "report/doc_internal.h"

#include <string.h>

/* A form needs a pointer of its own; JSON's whole state is the stream. */
static void *json_open(FILE *out)
{
	return out;
}

static void json_close(void *form)
{
	(void)form;
}

static void put_string(FILE *out, const char *text)
{
	static const char short_escapes[] = "\bb\tt\nn\ff\rr\"\"\\\\";

	putc_unlocked('"', out);
	for (const char *plain; *text; text++) {
		for (plain = text; (unsigned char)*text >= 0x20 && *text != '"' && *text != '\\'; text++)
			;
		fwrite_unlocked(plain, 1, (size_t)(text - plain), out);
		if (!*text)
			break;

		const char *escape = strchr(short_escapes, *text);

		if (escape)
			fprintf(out, "\\%c", escape[1]);
		else
			fprintf(out, "\\u%04x", (unsigned int)*text);
	}
	putc_unlocked('"', out);
}

static void newline(FILE *out, unsigned int depth)
{
	putc_unlocked('\n', out);
	for (unsigned int i = 0; i < depth; i++)
		fputs_unlocked("  ", out);
}

/* What comes before a value: a comma after the one before it, a new line unless in a row, its key. */
static void put_lead(FILE *out, const struct doc_level *parent, const char *key)
{
	if (parent->nr)
		putc_unlocked(',', out);
	if (parent->on_one_line && parent->nr)
		putc_unlocked(' ', out);
	else if (parent->depth && !parent->on_one_line)
		newline(out, parent->depth);
	if (!key)
		return;
	put_string(out, key);
	fputs_unlocked(": ", out);
}

static int json_begin(void *form, const struct doc_level *parent, const struct doc_level *level,
		      const char *key)
{
	put_lead(form, parent, key);
	putc_unlocked(level->is_array ? '[' : '{', (FILE *)form);
	return 0;
}

static int json_end(void *form, const struct doc_level *level)
{
	if (level->nr && !level->on_one_line)
		newline(form, level->depth - 1);
	putc_unlocked(level->is_array ? ']' : '}', (FILE *)form);
	return 0;
}

static int json_scalar(void *form, const struct doc_level *parent, const char *key, const char *text,
		       bool is_string)
{
	put_lead(form, parent, key);
	if (is_string)
		put_string(form, text);
	else
		fputs_unlocked(text, form);
	return 0;
}

static int json_finish(void *form)
{
	putc_unlocked('\n', (FILE *)form);
	return 0;
}

const struct doc_ops doc_json_ops = {json_open, json_begin, json_end, json_scalar, json_finish, json_close};
