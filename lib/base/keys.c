// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading a YAML tree by a table of keys, with all that can be wrong about it. */
#include "base/keys.h"

#include <errno.h>
#include <string.h>

#include "base/keys_value.h"

struct reader {
	const struct yamldoc *doc;
	struct key_places *places;
	struct diags *diags;
	bool mistakes;
	bool no_memory;
};

/* Where in the object the reader is. */
struct frame {
	const struct key *list; /* NULL: the top object */
	size_t item;
	char *base;    /* the top object or the item */
	size_t offset; /* of the map within base */
};

static void mistake(struct reader *r, const yaml_node_t *node, const char *fmt, ...) _printf_(3, 4);

static void mistake(struct reader *r, const yaml_node_t *node, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_addv(r->diags, DIAG_ERROR, r->doc->name, (unsigned int)node->start_mark.line + 1,
		  (unsigned int)node->start_mark.column + 1, fmt, ap);
	va_end(ap);
	r->mistakes = true;
}

enum { ECHO_MAX = 48 };

/* The text of a scalar as a message can show it: printable, and short. */
static const char *echo(const yaml_node_t *scalar, char buf[ECHO_MAX])
{
	const unsigned char *s = scalar->data.scalar.value;
	size_t len = scalar->data.scalar.length, n = 0;

	for (; n < len && n < ECHO_MAX - 4; n++)
		buf[n] = (char)(s[n] < 0x20 || s[n] == 0x7f ? '?' : s[n]);
	if (n < len) {
		while (n && (s[n] & 0xc0) == 0x80) /* not in the middle of a character */
			n--;
		memcpy(buf + n, "...", 3);
		n += 3;
	}
	buf[n] = 0;
	return buf;
}

static const char *scalar_text(const yaml_node_t *node)
{
	return (const char *)node->data.scalar.value;
}

static bool is_plain(const yaml_node_t *node)
{
	return node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static bool any_of(const char *text, const char *const *words)
{
	for (; *words; words++) {
		if (!strcmp(text, *words))
			return true;
	}
	return false;
}

static bool is_null(const yaml_node_t *node)
{
	static const char *const words[] = {"", "~", "null", "Null", "NULL", NULL};

	return node->type == YAML_SCALAR_NODE && is_plain(node) && any_of(scalar_text(node), words);
}

/* Words that YAML readers turn into a truth value unless they are quoted. */
static bool is_truth_word(const char *text)
{
	static const char *const words[] = {"true", "True", "TRUE", "false", "False", "FALSE", "yes",
					    "Yes",  "YES",  "no",   "No",    "NO",    "on",    "On",
					    "ON",   "off",  "Off",  "OFF",   NULL};

	return any_of(text, words);
}

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

/* "; did you mean ..." or the list of what there is. */
static void unknown_key(struct reader *r, const struct key *keys, const yaml_node_t *node)
{
	const char *names[KEYS_MAX + 1] = {0};
	char list[512] = "", shown[ECHO_MAX];
	const char *near;
	size_t len = 0;

	for (size_t i = 0; keys[i].name; i++) {
		names[i] = keys[i].name;
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s", i ? ", " : "", names[i]);
		len = MIN(len, sizeof(list) - 1);
	}
	if (!strcmp(scalar_text(node), "<<")) {
		mistake(r, node, "merge keys (\"<<\") are not taken: write the keys out");
		return;
	}
	near = suggest(scalar_text(node), names);
	if (near)
		mistake(r, node, "unknown key \"%s\"; did you mean \"%s\"?", echo(node, shown), near);
	else
		mistake(r, node, "unknown key \"%s\"; keys here: %s", echo(node, shown), list);
}

static const char *node_noun(const yaml_node_t *node)
{
	return node->type == YAML_SEQUENCE_NODE  ? "a list"
	       : node->type == YAML_MAPPING_NODE ? "a map"
						 : "a text";
}

static void wrong_node(struct reader *r, const struct key *key, const yaml_node_t *node)
{
	const char *example = key_type_example(key->type);
	const char *noun = key_type_noun(key->type);
	char shown[ECHO_MAX];

	if (!example)
		example = key->word(0);
	if (is_null(node))
		mistake(r, node, "%s has no value: %s such as %s belongs here", key->name, noun, example);
	else if (node->type == YAML_SCALAR_NODE)
		mistake(r, node, "%s is \"%s\": %s such as %s belongs here", key->name, echo(node, shown),
			noun, example);
	else
		mistake(r, node, "%s is %s: %s such as %s belongs here", key->name, node_noun(node), noun,
			example);
}

static void unknown_word(struct reader *r, const struct key *key, const yaml_node_t *node)
{
	const char *words[KEYS_MAX + 1] = {0};
	char list[512] = "", shown[ECHO_MAX];
	const char *near;
	size_t len = 0;

	for (int i = 0; i < KEYS_MAX && (words[i] = key->word(i)); i++) {
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s", i ? ", " : "", words[i]);
		len = MIN(len, sizeof(list) - 1);
	}
	near = suggest(scalar_text(node), words);
	mistake(r, node, "%s \"%s\" is not one of %s%s%s%s", key->name, echo(node, shown), list,
		near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static void unreadable(struct reader *r, const struct key *key, const yaml_node_t *node)
{
	const char *text = scalar_text(node), *hint = "";
	char shown[ECHO_MAX];

	if (key->type == KEY_ENUM) {
		unknown_word(r, key, node);
		return;
	}
	if (key->type == KEY_BOOL) {
		mistake(r, node, "%s \"%s\" is neither true nor false", key->name, echo(node, shown));
		return;
	}
	if (text[0] == '0' && text[1])
		hint = " (a leading zero means octal to some)";
	else if (text[0] == '-')
		hint = " (from 0)";
	else if (key->type == KEY_DURATION && text[0] && !text[strspn(text, "0123456789.")])
		hint = " without its unit";
	mistake(r, node, "%s \"%s\" is not %s%s: write one such as %s", key->name, echo(node, shown),
		key_type_noun(key->type), hint, key_type_example(key->type));
}

static void out_of_range(struct reader *r, const struct key *key, const yaml_node_t *node, bool too_large)
{
	char shown[ECHO_MAX], limit[UNITS_STR];

	mistake(r, node, "%s %s is too %s: at %s %s", key->name, echo(node, shown),
		too_large ? "large" : "small", too_large ? "most" : "least",
		key_format(key, too_large ? key_limit(key) : key->min, limit));
}

static bool check_range(struct reader *r, const struct key *key, const yaml_node_t *node,
			const struct key_value *v)
{
	bool small = v->number<key->min, large = v->number> key_limit(key);

	if (key->type == KEY_NUMBER) {
		small = v->real < (double)key->min;
		large = key->max && v->real > (double)key->max;
	}
	if (small || large)
		out_of_range(r, key, node, large);
	return !small && !large;
}

static bool check_text(struct reader *r, const struct key *key, const yaml_node_t *node)
{
	const char *text = scalar_text(node);
	size_t len = node->data.scalar.length;

	if (!len)
		mistake(r, node, "%s is empty", key->name);
	else if (strlen(text) != len || strpbrk(text, "\n\r\t"))
		mistake(r, node, "%s is more than one line of text", key->name);
	else if (len > key_limit(key))
		mistake(r, node, "%s is %zu bytes long: at most %zu", key->name, len, (size_t)key_limit(key));
	else if (is_plain(node) && is_truth_word(text))
		mistake(r, node, "%s %s reads as true or false in YAML: write it as \"%s\"", key->name, text,
			text);
	else
		return true;
	return false;
}

static bool wants_plain(enum key_type type)
{
	return type == KEY_VERSION || type == KEY_COUNT || type == KEY_COUNT32 || type == KEY_INDEX ||
	       type == KEY_NUMBER || type == KEY_BOOL;
}

/* A scalar that is a good value of the row; false after a mistake. */
static bool scan_node(struct reader *r, const struct key *key, const yaml_node_t *node, struct key_value *v)
{
	char shown[ECHO_MAX];
	int err;

	if (node->type != YAML_SCALAR_NODE || is_null(node)) {
		wrong_node(r, key, node);
		return false;
	}
	if (key->type == KEY_TEXT && !check_text(r, key, node))
		return false;
	err = key_scan(key, scalar_text(node), v);
	if (err == -ERANGE)
		out_of_range(r, key, node, true);
	else if (err || strlen(scalar_text(node)) != node->data.scalar.length)
		unreadable(r, key, node);
	else if (wants_plain(key->type) && !is_plain(node))
		mistake(r, node, "%s is the text \"%s\": write it without quotes", key->name,
			echo(node, shown));
	else
		return key->type == KEY_TEXT || key->type == KEY_VERSION || check_range(r, key, node, v);
	return false;
}

static void read_scalar(struct reader *r, const struct key *key, const yaml_node_t *node, char *map)
{
	struct key_value v;

	if (!scan_node(r, key, node, &v))
		return;
	if (key_store(key, &v, map + key->offset))
		r->no_memory = true;
	if (key->has_offset)
		*(bool *)(map + key->has_offset) = true;
}

static void read_map(struct reader *r, const struct key *keys, const yaml_node_t *node,
		     const struct frame *f);

static void read_list(struct reader *r, const struct key *key, const yaml_node_t *node, char *map)
{
	void *array = map + key->offset;
	size_t *nr = (size_t *)(map + key->nr_offset);

	if (node->type != YAML_SEQUENCE_NODE) {
		wrong_node(r, key, node);
		return;
	}
	for (yaml_node_item_t *i = node->data.sequence.items.start; i < node->data.sequence.items.top; i++) {
		const yaml_node_t *item = yamldoc_node(r->doc, *i);
		struct frame f = {.list = key, .item = *nr};

		if (key->max && *nr == key->max) {
			mistake(r, item, "%s has too many items: at most %u", key->name,
				(unsigned int)key->max);
			return;
		}
		if (item->type != YAML_MAPPING_NODE) {
			mistake(r, item, "an item of %s is %s: a map such as {%s: ...} belongs here",
				key->name, node_noun(item), key->keys[0].name);
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
			wrong_node(r, key, node);
			return;
		}
		inner.offset += key->offset;
		read_map(r, key->keys, node, &inner);
		return;
	}
	record_place(r, f, key, node);
	if (key->type == KEY_LIST)
		read_list(r, key, node, f->base + f->offset);
	else if (key->type != KEY_VERSION)
		read_scalar(r, key, node, f->base + f->offset);
}

static int find_key(const struct key *keys, const char *name)
{
	for (int i = 0; keys[i].name && i < KEYS_MAX; i++) {
		if (!strcmp(keys[i].name, name))
			return i;
	}
	return -1;
}

/* The row for a key's node, when it is one that may be read; first holds where each row was met. */
static const struct key *take_key(struct reader *r, const struct key *keys, const yaml_node_t *node,
				  const yaml_node_t *first[KEYS_MAX])
{
	int i;

	if (node->type != YAML_SCALAR_NODE) {
		mistake(r, node, "a key is %s: keys are plain words here", node_noun(node));
		return NULL;
	}
	i = find_key(keys, scalar_text(node));
	if (i < 0 || strlen(scalar_text(node)) != node->data.scalar.length) {
		unknown_key(r, keys, node);
		return NULL;
	}
	if (first[i]) {
		mistake(r, node, "key \"%s\" is repeated: it was given in line %zu", keys[i].name,
			first[i]->start_mark.line + 1);
		return NULL;
	}
	first[i] = node;
	return &keys[i];
}

static void read_map(struct reader *r, const struct key *keys, const yaml_node_t *node, const struct frame *f)
{
	const yaml_node_t *first[KEYS_MAX] = {0};
	const yaml_node_pair_t *pair;

	for (pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
		const struct key *key = take_key(r, keys, yamldoc_node(r->doc, pair->key), first);

		if (key)
			read_value(r, key, yamldoc_node(r->doc, pair->value), f);
	}
	for (size_t i = 0; keys[i].name; i++) {
		if (keys[i].required && !first[i])
			mistake(r, node, "key \"%s\" is missing: %s", keys[i].name, keys[i].help);
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
		if (!scan_node(r, &keys[i], value, &v))
			return true; /* the rest may be right */
		if (v.number == keys[i].max)
			return true;
		mistake(r, value, "%s %s: version %u is the one this program reads", keys[i].name,
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
		mistake(&r, root,
			is_null(root) ? "the file holds no keys: \"%s\" belongs here first"
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
