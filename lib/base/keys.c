// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading a YAML tree by a table of keys, with all that can be wrong about it. */
#include "base/keys.h"

#include <errno.h>
#include <string.h>

#include "base/keys_reader.h"

/* Where in the object the reader is. */
struct frame {
	const struct key *list; /* NULL: the top object */
	size_t item;
	char *base;    /* the top object or the item */
	size_t offset; /* of the map within base */
};

const struct key_place *key_places_find(const struct key_places *places, const struct key *list, size_t item,
					size_t offset)
{
	for (size_t i = 0; i < places->nr; i++) {
		const struct key_place *p = &places->items[i];

		if (p->list == list && p->item == item && p->offset == offset)
			return p;
	}
	return NULL;
}

static struct key_place_at place_at(const yaml_node_t *node)
{
	return (struct key_place_at){(unsigned int)node->start_mark.line + 1,
				     (unsigned int)node->start_mark.column + 1};
}

static void record_place(struct reader *r, const struct frame *f, const struct key *key,
			 const yaml_node_t *node)
{
	struct key_place *p = array_grow(&r->places->items, &r->places->nr, sizeof(*p));

	if (!p) {
		r->no_memory = true;
		return;
	}
	*p = (struct key_place){f->list, f->item, f->offset + key->offset, place_at(node)};
}

/* Rows of a map that were met: the key, or what is taken for a slip in writing it. */
struct met {
	const yaml_node_t *key[KEYS_MAX];
	bool misspelt[KEYS_MAX];
	bool merged; /* "<<" may have meant to bring any of them */
};

static int find_key(const struct key *keys, const char *name)
{
	for (int i = 0; keys[i].name && i < KEYS_MAX; i++) {
		if (!strcmp(keys[i].name, name))
			return i;
	}
	return -1;
}

static void unknown_key(struct reader *r, const struct key *keys, const yaml_node_t *node, struct met *met)
{
	const char *names[KEYS_MAX + 1] = {0};
	char list[512] = "", shown[ECHO_MAX];
	const char *near;
	size_t len = 0;

	if (!strcmp(scalar_text(node), "<<")) {
		met->merged = true;
		key_mistake(r, node, "merge keys (\"<<\") are not taken: write the keys out");
		return;
	}
	for (size_t i = 0; keys[i].name && i < KEYS_MAX; i++) {
		names[i] = keys[i].name;
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s", i ? ", " : "", names[i]);
		len = MIN(len, sizeof(list) - 1);
	}
	near = suggest(scalar_text(node), names);
	if (!near) {
		key_mistake(r, node, "unknown key \"%s\"; keys here: %s", key_echo(node, shown), list);
		return;
	}
	met->misspelt[find_key(keys, near)] = true;
	key_mistake(r, node, "unknown key \"%s\"; did you mean \"%s\"?", key_echo(node, shown), near);
}

/* False after a mistake; then the field has no value, not the default, so that nothing is concluded from it. */
static bool read_scalar(struct reader *r, const struct key *key, const yaml_node_t *node, char *map)
{
	struct key_value v;

	if (!key_scan_node(r, key, node, &v)) {
		key_clear(key, map + key->offset);
		return false;
	}
	if (key_store(key, &v, map + key->offset))
		r->no_memory = true;
	if (key->has_offset)
		*(bool *)(map + key->has_offset) = true;
	return true;
}

static void read_map(struct reader *r, const struct key *keys, const yaml_node_t *node,
		     const struct frame *f);

static void read_list(struct reader *r, const struct key *key, const yaml_node_t *node, char *map)
{
	void *array = map + key->offset;
	size_t *nr = (size_t *)(map + key->nr_offset);

	if (node->type != YAML_SEQUENCE_NODE) {
		key_wrong_node(r, key, node);
		return;
	}
	for (yaml_node_item_t *i = node->data.sequence.items.start; i < node->data.sequence.items.top; i++) {
		const yaml_node_t *item = yamldoc_node(r->doc, *i);
		struct frame f = {.list = key, .item = *nr};

		if (key->max && *nr == key->max) {
			key_mistake(r, item, "%s has too many items: at most %u", key->name,
				    (unsigned int)key->max);
			return;
		}
		if (item->type != YAML_MAPPING_NODE) {
			key_mistake(r, item, "an item of %s is %s: a map such as {%s: ...} belongs here",
				    key->name, key_node_noun(item), key->keys[0].name);
			continue;
		}
		f.base = array_grow(array, nr, key->item_size);
		if (!f.base || keys_defaults(key->keys, f.base, false)) {
			r->no_memory = true;
			return;
		}
		if (key->has_place) {
			struct key_place_at at = place_at(item);

			memcpy(f.base + key->place_offset, &at, sizeof(at));
		}
		read_map(r, key->keys, item, &f);
	}
}

static void read_value(struct reader *r, const struct key *key, const yaml_node_t *node,
		       const struct frame *f)
{
	struct frame inner = *f;

	if (key->type == KEY_MAP) {
		if (node->type != YAML_MAPPING_NODE) {
			key_wrong_node(r, key, node);
			return;
		}
		inner.offset += key->offset;
		read_map(r, key->keys, node, &inner);
		return;
	}
	if (key->type == KEY_LIST)
		read_list(r, key, node, f->base + f->offset);
	else if (key->type == KEY_VERSION || read_scalar(r, key, node, f->base + f->offset))
		record_place(r, f, key, node);
}

/* The row for a key's node, when it is one that may be read. */
static const struct key *take_key(struct reader *r, const struct key *keys, const yaml_node_t *node,
				  struct met *met)
{
	int i;

	if (node->type != YAML_SCALAR_NODE) {
		key_mistake(r, node, "a key is %s: keys are plain words here", key_node_noun(node));
		return NULL;
	}
	i = find_key(keys, scalar_text(node));
	if (i < 0 || strlen(scalar_text(node)) != node->data.scalar.length) {
		unknown_key(r, keys, node, met);
		return NULL;
	}
	if (met->key[i]) {
		key_mistake(r, node, "key \"%s\" is repeated: it was given in line %zu", keys[i].name,
			    met->key[i]->start_mark.line + 1);
		return NULL;
	}
	met->key[i] = node;
	return &keys[i];
}

static void read_map(struct reader *r, const struct key *keys, const yaml_node_t *node, const struct frame *f)
{
	struct met met = {0};
	const yaml_node_pair_t *pair;

	for (pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
		const struct key *key = take_key(r, keys, yamldoc_node(r->doc, pair->key), &met);

		if (key)
			read_value(r, key, yamldoc_node(r->doc, pair->value), f);
	}
	for (size_t i = 0; keys[i].name; i++) {
		if (keys[i].required && !met.key[i] && !met.misspelt[i] && !met.merged)
			key_mistake(r, node, "key \"%s\" is missing: %s", keys[i].name, keys[i].help);
	}
}

/* A file of another version is another language: one message, not a page of them. */
static bool check_version(struct reader *r, const struct key *keys, const yaml_node_t *root)
{
	const yaml_node_pair_t *pair = root->data.mapping.pairs.start;
	struct key_value v;

	for (; pair < root->data.mapping.pairs.top; pair++) {
		const yaml_node_t *name = yamldoc_node(r->doc, pair->key);
		const yaml_node_t *value = yamldoc_node(r->doc, pair->value);
		int i = name->type == YAML_SCALAR_NODE ? find_key(keys, scalar_text(name)) : -1;

		if (i < 0 || keys[i].type != KEY_VERSION)
			continue;
		if (!key_scan_node(r, &keys[i], value, &v))
			return true; /* the rest may be right */
		if (v.number == keys[i].max)
			return true;
		key_mistake(r, value, "%s %s: version %u is the one this program reads", keys[i].name,
			    scalar_text(value), (unsigned int)keys[i].max);
		return false;
	}
	return true;
}

static int set_default(const struct key *key, const char *text, char *map)
{
	struct key_value v;

	return key_scan(key, text, &v) ? -EINVAL : key_store(key, &v, map + key->offset);
}

/* Defaults that depend on the rest of the object, for keys that the file does not have. */
static int late_defaults(const struct key *keys, void *map, const void *object,
			 const struct key_places *places)
{
	size_t offset = (size_t)((char *)map - (const char *)object);
	int err = 0;

	for (const struct key *k = keys; k->name && !err; k++) {
		if (k->type == KEY_MAP)
			err = late_defaults(k->keys, (char *)map + k->offset, object, places);
		else if (k->default_of && !(places && key_places_find(places, NULL, 0, offset + k->offset)))
			err = set_default(k, k->default_of(object), map);
	}
	return err;
}

int keys_defaults(const struct key *keys, void *object, bool whole)
{
	int err = 0;

	for (const struct key *k = keys; k->name && !err; k++) {
		if (k->type == KEY_MAP)
			err = keys_defaults(k->keys, (char *)object + k->offset, false);
		else if (k->type == KEY_INDEX && !k->default_text)
			*(int *)((char *)object + k->offset) = -1;
		else if (k->default_text)
			err = set_default(k, k->default_text, object);
	}
	return err || !whole ? err : late_defaults(keys, object, object, NULL);
}

int keys_read(const struct yamldoc *doc, const struct key *keys, void *object, struct key_places *places,
	      struct diags *diags)
{
	const yaml_node_t *root = yamldoc_root(doc);
	struct key_places own = {0};
	struct reader r = {doc, places ? places : &own, diags, false, false};
	const struct frame top = {.base = object};

	if (keys_defaults(keys, object, false))
		r.no_memory = true;
	else if (root->type != YAML_MAPPING_NODE)
		key_mistake(&r, root,
			    key_is_null(root) ? "the file holds no keys: \"%s\" belongs here first"
					      : "the file is not a map of keys: \"%s\" belongs here first",
			    keys[0].name);
	else if (check_version(&r, keys, root))
		read_map(&r, keys, root, &top);
	if (!r.no_memory && late_defaults(keys, object, object, r.places))
		r.no_memory = true;
	free(own.items);
	if (r.no_memory) {
		diag_add(diags, DIAG_ERROR, doc->name, 0, 0, "out of memory");
		return -ENOMEM;
	}
	return r.mistakes ? -EINVAL : 0;
}
