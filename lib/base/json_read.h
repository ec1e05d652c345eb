/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading JSON strictly: json-c does the parsing; this adds what it leaves out: a key given twice is an error,
 * and a mistake found in a value later is reported with the value's line and column.
 */
#ifndef MEMMAPCTL_BASE_JSON_READ_H
#define MEMMAPCTL_BASE_JSON_READ_H

#include <json-c/json.h>

#include "base/diag.h"

struct json_doc {
	char *file; /* for messages; "(standard input)" for "-" */
	char *text;
	struct json_object *root;
	struct diags *diags; /* the caller's; may be NULL */
};

/*
 * Read and parse a file ("-": standard input). 0 and *out, freed with json_doc_free; -EINVAL, -ENOMEM or the errno
 * of reading, with the reason in diags.
 */
int json_doc_load(const char *path, struct diags *diags, struct json_doc *out);
/* The same for a text in memory, NUL-terminated at len; file is what messages call it. */
int json_doc_parse(const char *file, const char *text, size_t len, struct diags *diags, struct json_doc *out);
void json_doc_free(struct json_doc *doc);
#define _cleanup_json_doc_ _cleanup_(json_doc_free)

/*
 * Report about the value at a path as jq writes it (".runs[3].units"), with its line and column; a path that is
 * not in the text (a missing key) is reported at its nearest ancestor that is. Returns -EINVAL.
 */
int json_doc_error(const struct json_doc *doc, const char *path, const char *fmt, ...) _printf_(3, 4);
void json_doc_warning(const struct json_doc *doc, const char *path, const char *fmt, ...) _printf_(3, 4);

/* Where that value stands. */
void json_doc_place(const struct json_doc *doc, const char *path, unsigned int *line, unsigned int *col);

#endif
