// SPDX-License-Identifier: GPL-2.0-or-later
/* The other uses of a table of keys: write, copy, free, and the reference text. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/keys.h"
#include "base/keys_value.h"

void keys_free(const struct key *keys, void *object)
{
	for (const struct key *k = keys; k->name; k++) {
		char *field = (char *)object + k->offset;

		if (k->type == KEY_TEXT) {
			free(*(char **)field);
			*(char **)field = NULL;
		} else if (k->type == KEY_MAP) {
			keys_free(k->keys, field);
		} else if (k->type == KEY_LIST) {
			size_t *nr = (size_t *)((char *)object + k->nr_offset);

			for (size_t i = 0; i < *nr; i++)
				keys_free(k->keys, *(char **)field + i * k->item_size);
			free(*(char **)field);
			*(char **)field = NULL;
			*nr = 0;
		}
	}
}

/* Forget what is shared with the original, so that a copy that fails half-way can be freed. */
static void unshare(const struct key *keys, char *object)
{
	for (const struct key *k = keys; k->name; k++) {
		if (k->type == KEY_MAP)
			unshare(k->keys, object + k->offset);
		if (k->type == KEY_TEXT || k->type == KEY_LIST)
			*(char **)(object + k->offset) = NULL;
		if (k->type == KEY_LIST)
			*(size_t *)(object + k->nr_offset) = 0;
	}
}

static int copy_list(const struct key *key, char *to, const char *from)
{
	const char *source = *(char *const *)(from + key->offset);
	size_t nr = *(const size_t *)(from + key->nr_offset);
	size_t *done = (size_t *)(to + key->nr_offset);
	int err = 0;

	while (*done < nr && !err) {
		const char *item = source + *done * key->item_size;
		char *copy = array_grow(to + key->offset, done, key->item_size);

		if (!copy)
			return -ENOMEM;
		memcpy(copy, item, key->item_size);
		err = keys_copy(key->keys, copy, item);
	}
	return err;
}

static int copy_values(const struct key *keys, char *to, const char *from)
{
	int err = 0;

	for (const struct key *k = keys; k->name && !err; k++) {
		const char *text;

		if (k->type == KEY_MAP) {
			err = copy_values(k->keys, to + k->offset, from + k->offset);
		} else if (k->type == KEY_LIST) {
			err = copy_list(k, to, from);
		} else if (k->type == KEY_TEXT && (text = *(char *const *)(from + k->offset))) {
			struct key_value v = {.text = text};

			err = key_store(k, &v, to + k->offset);
		}
	}
	return err;
}

int keys_copy(const struct key *keys, void *to, const void *from)
{
	unshare(keys, to);
	return copy_values(keys, to, from);
}

/* Plain where no YAML reader could take it for anything but this text. */
static bool can_be_plain(const char *text)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+-";
	static const char *const words[] = {"null", "true", "false", "yes", "no",
					    "on",   "off",  "y",     "n",   NULL};

	if (!isalpha((unsigned char)*text) && *text != '/')
		return false;
	for (const char *const *w = words; *w; w++) {
		if (!strcasecmp(text, *w))
			return false;
	}
	return !text[strspn(text, safe)];
}

static void write_text(const char *text, FILE *out)
{
	if (can_be_plain(text)) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			fprintf(out, "\\x%02x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

/* The fewest digits that read back as the same number. */
static void write_real(double value, FILE *out)
{
	char buf[32];

	for (int digits = 6; digits <= 17; digits++) {
		snprintf(buf, sizeof(buf), "%.*g", digits, value);
		if (strtod(buf, NULL) == value)
			break;
	}
	fputs(buf, out);
}

void key_write(const struct key *key, const void *field, FILE *out)
{
	struct key_value v = key_fetch(key, field);
	char buf[UNITS_STR];

	if (key->type == KEY_TEXT)
		write_text(v.text, out);
	else if (key->type == KEY_NUMBER)
		write_real(v.real, out);
	else
		fputs(key_format(key, v.number, buf), out);
}

bool key_is_worth_writing(const struct key *key, const char *map, const void *object)
{
	const char *text = key->default_of && object ? key->default_of(object) : key->default_text;
	struct key_value v = key_fetch(key, map + key->offset), missing;

	if (key->type == KEY_VERSION)
		return true;
	if (key->has_offset)
		return *(const bool *)(map + key->has_offset);
	if (key->required) /* what is below the minimum is not known: nothing to write */
		return key->type == KEY_TEXT ? v.text != NULL : !(key->min && key_is_zero(key, &v));
	if (!text || key_scan(key, text, &missing))
		return !key_is_zero(key, &v);
	return !key_equal(key, &v, &missing);
}

static bool has_content(const struct key *keys, const char *map, const void *object)
{
	for (const struct key *k = keys; k->name; k++) {
		if (k->type == KEY_MAP    ? has_content(k->keys, map + k->offset, object)
		    : k->type == KEY_LIST ? *(const size_t *)(map + k->nr_offset) > 0
					  : key_is_worth_writing(k, map, object))
			return true;
	}
	return false;
}

/* A map on one line, as items of lists are written. */
static void write_flow(const struct key *keys, const char *map, FILE *out)
{
	const char *before = "{";

	for (const struct key *k = keys; k->name; k++) {
		if (k->type == KEY_MAP || k->type == KEY_LIST || !key_is_worth_writing(k, map, NULL))
			continue;
		fprintf(out, "%s%s: ", before, k->name);
		key_write(k, map + k->offset, out);
		before = ", ";
	}
	fputs(*before == '{' ? "{}\n" : "}\n", out);
}

static void write_list(const struct key *key, const char *map, int indent, FILE *out)
{
	const char *items = *(char *const *)(map + key->offset);
	size_t nr = *(const size_t *)(map + key->nr_offset);

	if (!nr)
		return;
	fprintf(out, "%*s%s:\n", indent, "", key->name);
	for (size_t i = 0; i < nr; i++) {
		fprintf(out, "%*s- ", indent + 2, "");
		write_flow(key->keys, items + i * key->item_size, out);
	}
}

static void write_map(const struct key *keys, const char *map, const void *object, int indent, FILE *out)
{
	for (const struct key *k = keys; k->name; k++) {
		if (k->type == KEY_LIST) {
			write_list(k, map, indent, out);
		} else if (k->type == KEY_MAP) {
			if (!has_content(k->keys, map + k->offset, object))
				continue;
			fprintf(out, "%*s%s:\n", indent, "", k->name);
			write_map(k->keys, map + k->offset, object, indent + 2, out);
		} else if (key_is_worth_writing(k, map, object)) {
			fprintf(out, "%*s%s: ", indent, "", k->name);
			key_write(k, map + k->offset, out);
			fputc('\n', out);
		}
	}
}

int keys_write(const struct key *keys, const void *object, FILE *out)
{
	write_map(keys, object, object, 0, out);
	return ferror(out) ? -EIO : 0;
}

static void print_type(const struct key *key, FILE *out)
{
	const char *word;

	if (key->type != KEY_ENUM) {
		fputs(key_type_noun(key->type), out);
		return;
	}
	for (int i = 0; (word = key->word(i)); i++)
		fprintf(out, "%s%s", i ? " | " : "", word);
}

static void print_row(const struct key *key, const char *path, FILE *out)
{
	fprintf(out, "%s: ", path);
	print_type(key, out);
	if (key->required)
		fputs(", required", out);
	else if (key->default_help || key->default_text)
		fprintf(out, ", default %s", key->default_help ? key->default_help : key->default_text);
	fprintf(out, "\n    %s\n", key->help);
}

static void print_rows(const struct key *keys, const char *prefix, FILE *out)
{
	char path[256];

	for (const struct key *k = keys; k->name; k++) {
		snprintf(path, sizeof(path), "%s%s%s", prefix, k->name, k->type == KEY_LIST ? "[]" : "");
		print_row(k, path, out);
		if (!k->keys)
			continue;
		strncat(path, ".", sizeof(path) - strlen(path) - 1);
		print_rows(k->keys, path, out);
	}
}

void keys_print_reference(const struct key *keys, FILE *out)
{
	print_rows(keys, "", out);
}
