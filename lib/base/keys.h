/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of keys: one row says how a key of a YAML map is called, what values it takes, where the value goes in
 * a C struct, and what it means. Reading, defaults, writing, copying, freeing and the reference text are driven
 * by the same rows, so a format is described once.
 *
 *	static const struct key cost_keys[] = {
 *		{.name = "stage", .type = KEY_ENUM, .required = true, .offset = offsetof(struct cost, stage),
 *		 .word = stage_word, .help = "stage that the cost belongs to"},
 *		{.name = "ns", .type = KEY_NUMBER, .required = true, .offset = offsetof(struct cost, ns), ...},
 *		{0},
 *	};
 *	static const struct key profile_keys[] = {
 *		{.name = "memmapctl-profile", .type = KEY_VERSION, .required = true, .max = 1},
 *		{.name = "costs", .type = KEY_LIST, .keys = cost_keys, .item_size = sizeof(struct cost),
 *		 .offset = offsetof(struct profile, costs), .nr_offset = offsetof(struct profile, nr_costs)},
 *		{0},
 *	};
 *
 * Numbers are read and written in the "C" numeric locale: a program may set LC_CTYPE, not LC_NUMERIC.
 */
#ifndef MEMMAPCTL_BASE_KEYS_H
#define MEMMAPCTL_BASE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/yamldoc.h"

/* What a key holds, and the C type at its offset. */
enum key_type {
	KEY_VERSION,  /* nothing is stored: the number must be max; a wrong one ends the reading */
	KEY_TEXT,     /* char *, owned; not empty, one line, at most max bytes (0: 255) */
	KEY_SIZE,     /* uint64_t, bytes: "100GiB" or a number of bytes */
	KEY_DURATION, /* uint64_t, ns: "2s" */
	KEY_COUNT,    /* uint64_t, a whole number */
	KEY_COUNT32,  /* uint32_t, the same */
	KEY_INDEX,    /* int, a whole number; -1: not stated */
	KEY_NUMBER,   /* double, finite, not negative; min and max as whole numbers */
	KEY_BOOL,     /* bool: true or false */
	KEY_ENUM,     /* an enum type (stored as int): word(0), word(1)... */
	KEY_MAP,      /* a map inside this one: its keys' offsets count from this key's offset (often 0) */
	KEY_LIST,     /* a list of flat maps: pointer to an allocated array at offset, size_t at nr_offset */
};

enum { KEYS_MAX = 64 }; /* keys of one map, words of one enum */

struct key {
	const char *name; /* NULL ends a table */
	enum key_type type;
	bool required;     /* an error when it is missing from its map */
	size_t offset;     /* of the value in the struct */
	size_t has_offset; /* of a bool that is set when the key is there; 0: there is none */
	uint64_t min,
		max; /* inclusive, in the unit of the C type; max 0: what the type holds. KEY_LIST: items */

	/*
	 * The value when the key is missing, as one would write it; NULL: the struct's zero (NULL, 0, false, -1 for
	 * KEY_INDEX), which then means "not stated" and is not written. default_of computes it from the whole
	 * object once the document is read (not for keys inside lists); default_help tells it in the reference.
	 */
	const char *default_text;
	const char *(*default_of)(const void *object);
	const char *default_help;

	const char *(*word)(int index); /* KEY_ENUM: the words in order, then NULL */
	const struct key *keys;         /* KEY_MAP, KEY_LIST: rows of the map, of one item */
	size_t item_size;               /* KEY_LIST: bytes of one item */
	size_t nr_offset;               /* KEY_LIST */
	bool has_place;                 /* KEY_LIST: items keep where they started in the file... */
	size_t place_offset;            /* ...as two unsigned ints, line and column, here in the item */
	const char *help;               /* a phrase for the reference; the unit, what it decides */
};

/* Line and column, from 1; both 0 when not known. */
struct key_place_at {
	unsigned int line;
	unsigned int col;
};

/* Where each value that was read, and was right, stands. Zero-initialise; items is freed with free. */
struct key_place {
	const struct key *list; /* the KEY_LIST row the value is an item of; NULL: the top object */
	size_t item;            /* index in that list */
	size_t offset; /* of the value from the top object or the item; KEY_MAP and KEY_LIST are not recorded */
	struct key_place_at at;
};
struct key_places {
	struct key_place *items;
	size_t nr;
};

/* The record of one value, or NULL: it was not in the file. Linear: for messages. */
const struct key_place *key_places_find(const struct key_places *places, const struct key *list, size_t item,
					size_t offset);

/*
 * Read a document into object, which the caller has zeroed: defaults first, then every key of the file.
 * All mistakes are appended to diags as errors with their place (unknown, misspelt, missing and repeated
 * keys; values of the wrong kind, spelling or range). places may be NULL. 0; -EINVAL (there were mistakes: what
 * could be read is in object, so that more can be checked; free it all the same); -ENOMEM.
 */
int keys_read(const struct yamldoc *doc, const struct key *keys, void *object, struct key_places *places,
	      struct diags *diags);

/* Set the defaults in an object of zeroes (default_of included when whole is set). 0 or -ENOMEM. */
int keys_defaults(const struct key *keys, void *object, bool whole);

/* Free texts and lists inside object (not object itself). Members that are not in the table are not touched. */
void keys_free(const struct key *keys, void *object);

/*
 * Give to, a byte copy of from, texts and lists of its own. 0, or -ENOMEM with nothing shared and to fit for
 * keys_free.
 */
int keys_copy(const struct key *keys, void *to, const void *from);

/* Write object as YAML that keys_read reads back to an equal one; defaults are left out. 0, -EIO or -ENOMEM. */
int keys_write(const struct key *keys, const void *object, FILE *out);

/*
 * Where values were found, for a document that says so: of what was probed, each value with its source as a
 * comment, and a comment in place of each value that could not be seen. Zero-initialise; free with
 * key_origins_free.
 */
struct key_origins {
	struct key_origin *items;
	size_t nr;
};
struct key_origin {
	const struct key *list; /* as in struct key_place */
	size_t item;
	size_t offset; /* of the value, of a KEY_LIST row; KEY_WHOLE_ITEM: a remark on the item */
	bool is_unknown;
	char *text; /* the source; is_unknown: why, and what is taken instead */
	size_t nr;  /* order of adding */
};
#define KEY_WHOLE_ITEM SIZE_MAX

/*
 * Add one; text is taken over, NULL (out of memory) refused. Of several for one value the last counts. 0 or
 * -ENOMEM.
 */
int key_origins_add(struct key_origins *origins, const struct key *list, size_t item, size_t offset,
		    bool is_unknown, char *text);
/* The origin of one value, or NULL. Linear. */
const struct key_origin *key_origins_find(const struct key_origins *origins, const struct key *list,
					  size_t item, size_t offset);
void key_origins_free(struct key_origins *origins);

/*
 * Like keys_write, with a comment after each value that has an origin. Values with an origin are written
 * even where they equal the default; for unknown ones "# unknown: KEY: text" is. Items of lists take a line
 * a value. 0, -EIO or -ENOMEM.
 */
int keys_write_origins(const struct key *keys, const void *object, const struct key_origins *origins,
		       FILE *out);

/* One line a key: its path ("namespaces[].align"), type, default and help. */
void keys_print_reference(const struct key *keys, FILE *out);

#endif
