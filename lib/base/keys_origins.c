// SPDX-License-Identifier: GPL-2.0-or-later
/* Writing a document that says where its values come from. */
#include <errno.h>
#include <string.h>

#include "base/keys.h"
#include "base/keys_value.h"

enum { COMMENT_COLUMN = 36 };

struct writer {
	const struct key_origins *origins; /* sorted */
	const char *path;                  /* of the map that is written, with a dot at its end: "kernel." */
	FILE *out;
	int err;
};

int key_origins_add(struct key_origins *origins, const struct key *list, size_t item, size_t offset,
		    bool is_unknown, char *text)
{
	struct key_origin *origin = text ? array_grow(&origins->items, &origins->nr, sizeof(*origin)) : NULL;

	if (!origin) {
		free(text);
		return -ENOMEM;
	}
	for (char *c = text; *c; c++) { /* a comment is one line */
		if ((unsigned char)*c < ' ')
			*c = ' ';
	}
	*origin = (struct key_origin){list, item, offset, is_unknown, text, origins->nr};
	return 0;
}

const struct key_origin *key_origins_find(const struct key_origins *origins, const struct key *list,
					  size_t item, size_t offset)
{
	for (size_t i = origins->nr; i--;) {
		const struct key_origin *o = &origins->items[i];

		if (o->list == list && o->item == item && o->offset == offset)
			return o;
	}
	return NULL;
}

void key_origins_free(struct key_origins *origins)
{
	for (size_t i = 0; i < origins->nr; i++)
		free(origins->items[i].text);
	free(origins->items);
	*origins = (struct key_origins){0};
}

static int by_value(const void *a, const void *b)
{
	const struct key_origin *x = a, *y = b;

	if (x->list != y->list)
		return x->list < y->list ? -1 : 1;
	if (x->item != y->item)
		return x->item < y->item ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int by_value_and_order(const void *a, const void *b)
{
	const struct key_origin *x = a, *y = b;
	int order = by_value(a, b);

	return order ? order : x->nr < y->nr ? -1 : x->nr > y->nr;
}

/*
 * Sorted, to be found by halving, for hosts of thousands of namespaces. Of several for one value the last
 * counts; of a list more than one thing may be unknown.
 */
static int sorted_copy(const struct key_origins *origins, struct key_origins *out)
{
	size_t kept = 0;

	out->items = malloc((origins->nr + 1) * sizeof(*out->items));
	if (!out->items)
		return -ENOMEM;
	if (origins->nr) {
		memcpy(out->items, origins->items, origins->nr * sizeof(*out->items));
		qsort(out->items, origins->nr, sizeof(*out->items), by_value_and_order);
	}
	for (size_t i = 0; i < origins->nr; i++) {
		const struct key_origin *o = &out->items[i], *next = o + 1;

		if (i + 1 == origins->nr || by_value(o, next) || (o->is_unknown && next->is_unknown))
			out->items[kept++] = *o;
	}
	out->nr = kept;
	return 0;
}

/* The first of a value, or NULL. */
static const struct key_origin *origin_of(const struct writer *w, const struct key *list, size_t item,
					  size_t offset)
{
	const struct key_origin wanted = {.list = list, .item = item, .offset = offset}, *found;

	if (!w->origins->nr)
		return NULL;
	found = bsearch(&wanted, w->origins->items, w->origins->nr, sizeof(wanted), by_value);
	while (found && found > w->origins->items && !by_value(found - 1, found))
		found--;
	return found;
}

static const struct key_origin *next_of(const struct writer *w, const struct key_origin *origin)
{
	const struct key_origin *next = origin + 1;

	return next < w->origins->items + w->origins->nr && !by_value(origin, next) ? next : NULL;
}

static void write_comment(struct writer *w, int indent, const char *key, const struct key_origin *origin)
{
	if (key)
		fprintf(w->out, "%*s# unknown: %s%s: %s\n", indent, "", w->path, key, origin->text);
	else
		fprintf(w->out, "%*s# %s\n", indent, "", origin->text);
}

static void write_line(struct writer *w, int indent, const char *before, const struct key *key,
		       const void *field, const struct key_origin *origin)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	FILE *line = open_memstream(&text, &len);

	if (!line) {
		w->err = -ENOMEM;
		return;
	}
	fprintf(line, "%*s%s%s: ", indent, "", before, key->name);
	key_write(key, field, line);
	if (fclose(line)) {
		w->err = -ENOMEM;
		return;
	}
	if (origin)
		fprintf(w->out, "%-*s # %s\n", COMMENT_COLUMN, text, origin->text);
	else
		fprintf(w->out, "%s\n", text);
}

/* One value of a map; false: nothing was written, or nothing but a comment. */
static bool write_value(struct writer *w, const struct key *k, const char *map, const void *object,
			int indent, const char *before, const struct key_origin *origin)
{
	bool is_unknown = origin && origin->is_unknown;

	if (is_unknown)
		write_comment(w, indent + (int)strlen(before), k->name, origin);
	/* What is taken for it is not always the default; nothing can be taken for what is required. */
	if (is_unknown ? k->required || !key_is_worth_writing(k, map, object)
		       : !origin && !key_is_worth_writing(k, map, object))
		return false;
	write_line(w, indent, before, k, map + k->offset, is_unknown ? NULL : origin);
	return true;
}

static void write_item(struct writer *w, const struct key *list, const char *item, size_t i, int indent)
{
	const struct key_origin *remark = origin_of(w, list, i, KEY_WHOLE_ITEM);
	const char *before = "- ";

	if (remark)
		write_comment(w, indent, NULL, remark);
	for (const struct key *k = list->keys; k->name; k++) {
		const struct key_origin *origin = origin_of(w, list, i, k->offset);

		if (write_value(w, k, item, NULL, indent, before, origin))
			before = "  ";
	}
}

static void write_list(struct writer *w, const struct key *key, const char *map, size_t offset, int indent)
{
	const char *items = *(char *const *)(map + key->offset);
	const struct key_origin *origin = origin_of(w, NULL, 0, offset);
	size_t nr = *(const size_t *)(map + key->nr_offset);

	for (; origin; origin = next_of(w, origin)) {
		if (origin->is_unknown)
			write_comment(w, indent, key->name, origin);
	}
	if (!nr)
		return;
	fprintf(w->out, "%*s%s:\n", indent, "", key->name);
	for (size_t i = 0; i < nr; i++)
		write_item(w, key, items + i * key->item_size, i, indent + 2);
}

static void write_map(struct writer *w, const struct key *keys, const char *map, size_t base,
		      const void *object, int indent);

static bool has_value(const char *text)
{
	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		if (line[strspn(line, " ")] != '#')
			return true;
	}
	return false;
}

/* A map of comments alone would be null, which is no map: then they stand without its heading. */
static void write_inner_map(struct writer *w, const struct key *key, const char *map, size_t base,
			    const void *object, int indent)
{
	_cleanup_free_ char *text = NULL, *path = NULL;
	const char *outer_path = w->path;
	FILE *out = w->out;
	size_t len = 0;

	if (asprintf(&path, "%s%s.", outer_path, key->name) < 0)
		path = NULL;
	w->out = open_memstream(&text, &len);
	if (w->out && path) {
		w->path = path;
		write_map(w, key->keys, map + key->offset, base + key->offset, object, indent + 2);
	} else {
		w->err = -ENOMEM;
	}
	if (w->out && fclose(w->out))
		w->err = -ENOMEM;
	w->path = outer_path;
	w->out = out;
	if (w->err)
		return;
	if (has_value(text)) {
		fprintf(out, "%*s%s:\n%s", indent, "", key->name, text);
		return;
	}
	for (const char *line = text; *line; line = strchr(line, '\n') + 1)
		fprintf(out, "%.*s", (int)strcspn(line + 2, "\n") + 1, line + 2);
}

static void write_map(struct writer *w, const struct key *keys, const char *map, size_t base,
		      const void *object, int indent)
{
	for (const struct key *k = keys; k->name; k++) {
		size_t offset = base + k->offset;

		if (k->type == KEY_LIST)
			write_list(w, k, map, offset, indent);
		else if (k->type == KEY_MAP)
			write_inner_map(w, k, map, base, object, indent);
		else
			write_value(w, k, map, object, indent, "", origin_of(w, NULL, 0, offset));
	}
}

int keys_write_origins(const struct key *keys, const void *object, const struct key_origins *origins,
		       FILE *out)
{
	struct key_origins sorted = {0};
	struct writer w = {.origins = &sorted, .path = "", .out = out};

	w.err = sorted_copy(origins, &sorted);
	if (!w.err)
		write_map(&w, keys, object, 0, object, 0);
	free(sorted.items); /* the texts are not its own */
	return w.err ? w.err : ferror(out) ? -EIO : 0;
}
