/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between doc.c and the two forms of a document: a form prints containers and scalars, and knows no types. */
#ifndef MEMMAPCTL_REPORT_DOC_INTERNAL_H
#define MEMMAPCTL_REPORT_DOC_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { DOC_MAX_DEPTH = 24 };

struct doc_level {
	bool is_array;
	bool on_one_line;   /* this container, or one that it is in */
	unsigned int depth; /* 0: the document itself */
	size_t nr;          /* values in it so far */
};

struct doc_ops {
	void *(*open)(FILE *out);
	int (*begin)(void *form, const struct doc_level *parent, const struct doc_level *level,
		     const char *key);
	int (*end)(void *form, const struct doc_level *level);
	int (*scalar)(void *form, const struct doc_level *parent, const char *key, const char *text,
		      bool is_string);
	int (*finish)(void *form);
	void (*close)(void *form);
};

extern const struct doc_ops doc_json_ops, doc_yaml_ops;

#endif
