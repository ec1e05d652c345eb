// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/keys_doc.h"

#include "base/keys_value.h"

struct walk {
	struct doc *doc;
	const struct key_origins *origins;
};

static bool is_stated(const struct walk *w, const struct key *k, const char *map, const struct key *list,
		      size_t item, size_t base)
{
	const struct key_origin *origin =
		w->origins ? key_origins_find(w->origins, list, item, base + k->offset) : NULL;

	if (origin && origin->is_unknown)
		return false;
	return !k->has_offset || *(const bool *)(map + k->has_offset);
}

static void write_number(struct doc *doc, const struct key *k, uint64_t number)
{
	switch (k->type) {
	case KEY_BOOL:
		doc_bool(doc, k->name, number);
		break;
	case KEY_ENUM:
		doc_str(doc, k->name, k->word((int)number));
		break;
	default:
		doc_u64(doc, k->name, number);
	}
}

static void write_value(const struct walk *w, const struct key *k, const char *map, const struct key *list,
			size_t item, size_t base)
{
	struct key_value v = key_fetch(k, map + k->offset);

	if (!is_stated(w, k, map, list, item, base))
		doc_null(w->doc, k->name);
	else if (k->type == KEY_TEXT)
		doc_str(w->doc, k->name, v.text);
	else if (k->type == KEY_NUMBER)
		doc_number(w->doc, k->name, v.real);
	else if (k->type == KEY_INDEX && key_is_zero(k, &v))
		doc_null(w->doc, k->name);
	else
		write_number(w->doc, k, v.number);
}

static void write_keys(const struct walk *w, const struct key *keys, const char *map, const struct key *list,
		       size_t item, size_t base);

static void write_list(const struct walk *w, const struct key *k, const char *map)
{
	const char *items = *(char *const *)(map + k->offset);
	size_t nr = *(const size_t *)(map + k->nr_offset);

	doc_array(w->doc, k->name);
	for (size_t i = 0; i < nr; i++) {
		doc_object_row(w->doc, NULL);
		write_keys(w, k->keys, items + i * k->item_size, k, i, 0);
		doc_end(w->doc);
	}
	doc_end(w->doc);
}

static void write_keys(const struct walk *w, const struct key *keys, const char *map, const struct key *list,
		       size_t item, size_t base)
{
	for (const struct key *k = keys; k->name; k++) {
		if (k->type == KEY_LIST) {
			write_list(w, k, map);
		} else if (k->type == KEY_MAP) {
			doc_object(w->doc, k->name);
			write_keys(w, k->keys, map + k->offset, list, item, base + k->offset);
			doc_end(w->doc);
		} else if (k->type != KEY_VERSION) {
			write_value(w, k, map, list, item, base);
		}
	}
}

void keys_doc(struct doc *doc, const struct key *keys, const void *object, const struct key_origins *origins)
{
	const struct walk w = {doc, origins};

	write_keys(&w, keys, object, NULL, 0, 0);
}
