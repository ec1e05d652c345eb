/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One value of a key: from text to its C type and back. For base/keys*.c. */
#ifndef MEMMAPCTL_BASE_KEYS_VALUE_H
#define MEMMAPCTL_BASE_KEYS_VALUE_H

#include "base/keys.h"
#include "base/units.h"

struct key_value {
	uint64_t number;  /* sizes, durations, counts, index of a word, 0 or 1 */
	double real;      /* KEY_NUMBER */
	const char *text; /* KEY_TEXT: not owned */
};

/* What a value of this type is called, and one to show for a row: "a size", "100GiB" or its default. */
const char *key_type_noun(enum key_type type);
const char *key_example(const struct key *key);

/* Parse; the range of the row is not checked. 0, -EINVAL or -ERANGE (more than 64 bits hold). */
int key_scan(const struct key *key, const char *text, struct key_value *out);

/* The largest value that the row and its C type take. */
uint64_t key_limit(const struct key *key);

/* Put a value in its field; a text that was there is freed. 0 or -ENOMEM. */
int key_store(const struct key *key, const struct key_value *value, void *field);

/* Leave "not stated" in a field: the type's zero, -1 for KEY_INDEX. */
void key_clear(const struct key *key, void *field);

/* The value in a field. */
struct key_value key_fetch(const struct key *key, const void *field);

/* A whole number as it is written for this key: "100GiB", "2s", "500", a word. Returns buf. */
const char *key_format(const struct key *key, uint64_t number, char buf[UNITS_STR]);

/* The value in a field as keys_write writes it. */
void key_write(const struct key *key, const void *field, FILE *out);

/* Whether the value of a key in map says anything that its absence would not. object: the whole, or NULL in a list. */
bool key_is_worth_writing(const struct key *key, const char *map, const void *object);

/* Whether two values are the same, and whether one is the struct's zero, which stands for "not stated". */
bool key_equal(const struct key *key, const struct key_value *a, const struct key_value *b);
bool key_is_zero(const struct key *key, const struct key_value *value);

#endif
