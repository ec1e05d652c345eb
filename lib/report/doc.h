/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A document written while it is built: the same calls make JSON or YAML, so the two cannot differ, and a
 * document of 10,000 hosts needs the memory of one value. (A tree of json-c objects for the same document
 * takes longer to build and print than all forecasts in it.)
 *
 * Errors stick: after the first one every call is a no-op, and doc_finish returns it.
 */
#ifndef MEMMAPCTL_REPORT_DOC_H
#define MEMMAPCTL_REPORT_DOC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum doc_format {
	DOC_JSON,
	DOC_YAML,
};

struct doc;

/* NULL when out of memory. out is not closed; free with doc_free. */
struct doc *doc_new(enum doc_format format, FILE *out);
void doc_free(struct doc *doc);

/*
 * Containers. key names the member of an object and is NULL in an array and for the outermost value. The _row forms
 * print the whole container on one line.
 */
void doc_object(struct doc *doc, const char *key);
void doc_object_row(struct doc *doc, const char *key);
void doc_array(struct doc *doc, const char *key);
void doc_array_row(struct doc *doc, const char *key);
void doc_end(struct doc *doc);

/* Values. doc_str(NULL) is null. Strings must be UTF-8. */
void doc_str(struct doc *doc, const char *key, const char *value);
void doc_u64(struct doc *doc, const char *key, uint64_t value);
void doc_i64(struct doc *doc, const char *key, int64_t value);
void doc_bool(struct doc *doc, const char *key, bool value);
void doc_null(struct doc *doc, const char *key);

/*
 * A number with six significant digits, never in exponent form (some YAML readers take "1e-05" for text). Not
 * finite, or not below 1e15: -ERANGE, because JSON has no such number.
 */
void doc_number(struct doc *doc, const char *key, double value);

/* {"mid": , "low": , "high": } on one line: an estimate, in the unit that key names. */
void doc_interval(struct doc *doc, const char *key, double mid, double low, double high);

/* Make the document fail with err, as a call above would have: for a caller that could not make a value. */
void doc_fail(struct doc *doc, int err);

/*
 * 0, or the first error: -ERANGE, -EIO (a write failed), -ENOMEM, -EINVAL (a container left open). Does not flush: the
 * errno of a write that fails is for who flushes or closes the stream, and is lost to a second flush.
 */
int doc_finish(struct doc *doc);

/* The text doc_number prints, for other forms that want the same digits. 0, or -ERANGE and buf untouched. */
enum { DOC_NUMBER_STR = 40 };
int number_text(char buf[DOC_NUMBER_STR], double value);

static inline void doc_free_ptr(struct doc **doc)
{
	doc_free(*doc);
}
#define _cleanup_doc_ _cleanup_(doc_free_ptr)

#endif
