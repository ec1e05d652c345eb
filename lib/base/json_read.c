// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/json_read.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/read_text.h"

enum { PATH_MAX_BYTES = 1024 }; /* of a value; longer ones are cut, for messages only */

struct span {
	const char *start;
	size_t len;
};

/*
 * A second look at text that json-c has accepted, so that syntax need not be checked again: it keeps the place
 * of each value, which the parsed tree does not.
 */
struct walk {
	char path[PATH_MAX_BYTES];
	size_t path_len;
	size_t nr_members;
	/* Looked for: the longest prefix of this path that exists. */
	const char *wanted, *found;
	size_t found_len;
	/* The first key that an object gives twice. */
	struct span repeated;
	char repeated_in[PATH_MAX_BYTES]; /* path of that object */
	/* The first whole number that 64 bits do not hold: json-c would quietly take the largest that they do. */
	struct span too_large;
	int err;
};

static const char *walk_value(struct walk *w, const char *p);

static const char *skip_space(const char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

static const char *skip_string(const char *p)
{
	for (p++; *p && *p != '"'; p++) {
		if (*p == '\\' && p[1])
			p++;
	}
	return *p ? p + 1 : p;
}

static void push_path(struct walk *w, const char *fmt, ...) _printf_(2, 3);

static void push_path(struct walk *w, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(w->path + w->path_len, sizeof(w->path) - w->path_len, fmt, ap);
	va_end(ap);
	w->path_len = MIN(w->path_len + (size_t)MAX(n, 0), sizeof(w->path) - 1);
}

static void pop_path(struct walk *w, size_t len)
{
	w->path_len = len;
	w->path[len] = 0;
}

/* Is the current path the wanted one, or an ancestor of it? */
static void note_place(struct walk *w, const char *at)
{
	size_t n = w->path_len;

	if (!w->wanted || strncmp(w->wanted, w->path, n) || (w->found && n <= w->found_len))
		return;
	if (w->wanted[n] && w->wanted[n] != '.' && w->wanted[n] != '[')
		return;
	w->found = at;
	w->found_len = n;
}

static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;
	int order = memcmp(x->start, y->start, MIN(x->len, y->len));

	if (order)
		return order;
	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return x->start < y->start ? -1 : 1;
}

static void find_repeated(struct walk *w, struct span *keys, size_t nr)
{
	if (nr < 2)
		return;
	qsort(keys, nr, sizeof(*keys), compare_spans);
	for (size_t i = 1; i < nr; i++) {
		const struct span *a = &keys[i - 1], *b = &keys[i];

		if (a->len != b->len || memcmp(a->start, b->start, a->len))
			continue;
		if (w->repeated.start && w->repeated.start < b->start)
			continue;
		w->repeated = *b;
		memcpy(w->repeated_in, w->path, w->path_len + 1);
	}
}

static const char *walk_object(struct walk *w, const char *p)
{
	_cleanup_free_ struct span *keys = NULL;
	size_t nr_keys = 0, len = w->path_len;

	for (p = skip_space(p + 1); *p == '"'; p = skip_space(p)) {
		const char *key = p;
		struct span *span = array_grow(&keys, &nr_keys, sizeof(*keys));

		p = skip_string(p);
		if (!span) {
			w->err = -ENOMEM;
			return p;
		}
		*span = (struct span){key, (size_t)(p - key)};
		w->nr_members++;
		push_path(w, ".%.*s", (int)span->len - 2, key + 1);
		p = skip_space(skip_space(p) + 1); /* past the colon */
		p = skip_space(walk_value(w, p));
		pop_path(w, len);
		if (w->err || *p != ',')
			break;
		p++;
	}
	find_repeated(w, keys, nr_keys);
	return *p ? p + 1 : p;
}

static const char *walk_array(struct walk *w, const char *p)
{
	size_t len = w->path_len, i = 0;

	p = skip_space(p + 1);
	while (*p && *p != ']') {
		push_path(w, "[%zu]", i++);
		p = skip_space(walk_value(w, p));
		pop_path(w, len);
		if (w->err)
			return p;
		if (*p == ',')
			p = skip_space(p + 1);
	}
	return *p ? p + 1 : p;
}

static const char *walk_scalar(struct walk *w, const char *p)
{
	struct span span = {p, strcspn(p, ",]} \t\r\n")};

	if (!w->too_large.start && strcspn(p, ".eE,]} \t\r\n") == span.len) {
		errno = 0;
		strtoull(p, NULL, 10);
		if (errno == ERANGE)
			w->too_large = span;
	}
	return p + span.len;
}

static const char *walk_value(struct walk *w, const char *p)
{
	note_place(w, p);
	switch (*p) {
	case '{':
		return walk_object(w, p);
	case '[':
		return walk_array(w, p);
	case '"':
		return skip_string(p);
	default:
		return walk_scalar(w, p);
	}
}

static void line_and_column(const char *text, size_t offset, unsigned int *line, unsigned int *col)
{
	*line = *col = 1;
	for (size_t i = 0; i < offset && text[i]; i++) {
		(*col)++;
		if (text[i] == '\n') {
			(*line)++;
			*col = 1;
		}
	}
}

void json_doc_place(const struct json_doc *doc, const char *path, unsigned int *line, unsigned int *col)
{
	struct walk w = {.wanted = path};

	walk_value(&w, skip_space(doc->text));
	line_and_column(doc->text, w.found ? (size_t)(w.found - doc->text) : 0, line, col);
}

static void report(const struct json_doc *doc, enum diag_level level, const char *path, const char *fmt,
		   va_list ap)
{
	_cleanup_free_ char *what = NULL;
	unsigned int line, col;

	json_doc_place(doc, path, &line, &col);
	what = text_formatv(fmt, ap);
	diag_add(doc->diags, level, doc->file, line, col, "%s: %s", *path ? path : "the document",
		 what ? what : "out of memory");
}

int json_doc_error(const struct json_doc *doc, const char *path, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report(doc, DIAG_ERROR, path, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

void json_doc_warning(const struct json_doc *doc, const char *path, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report(doc, DIAG_WARNING, path, fmt, ap);
	va_end(ap);
}

static size_t count_members(struct json_object *value)
{
	size_t n = 0;

	if (json_object_is_type(value, json_type_object)) {
		json_object_object_foreach(value, key, member)
		{
			(void)key;
			n += 1 + count_members(member);
		}
	} else if (json_object_is_type(value, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(value); i++)
			n += count_members(json_object_array_get_idx(value, i));
	}
	return n;
}

static int check_text(const struct json_doc *doc)
{
	struct walk w = {0};
	unsigned int line, col;

	walk_value(&w, skip_space(doc->text));
	if (w.err)
		return w.err;
	if (w.repeated.start) {
		line_and_column(doc->text, (size_t)(w.repeated.start - doc->text), &line, &col);
		diag_add(doc->diags, DIAG_ERROR, doc->file, line, col, "%s.%.*s: given twice", w.repeated_in,
			 (int)w.repeated.len - 2, w.repeated.start + 1);
		return -EINVAL;
	}
	if (w.too_large.start) {
		line_and_column(doc->text, (size_t)(w.too_large.start - doc->text), &line, &col);
		diag_add(doc->diags, DIAG_ERROR, doc->file, line, col, "%.*s does not fit in 64 bits",
			 (int)MIN(w.too_large.len, 40), w.too_large.start);
		return -EINVAL;
	}
	/* Keys that differ as written and not as read ("a", "\u0061") leave fewer members in the tree. */
	if (w.nr_members != count_members(doc->root)) {
		diag_add(doc->diags, DIAG_ERROR, doc->file, 0, 0, "a key is given twice, once with escapes");
		return -EINVAL;
	}
	return 0;
}

static int parse(struct json_doc *doc, size_t len)
{
	struct json_tokener *tok = json_tokener_new();
	enum json_tokener_error error;
	unsigned int line, col;

	if (!tok)
		return -ENOMEM;
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	/* With the terminating NUL, so that text cut short is an error and not a wish for more. */
	doc->root = json_tokener_parse_ex(tok, doc->text, (int)len + 1);
	error = json_tokener_get_error(tok);
	line_and_column(doc->text, json_tokener_get_parse_end(tok), &line, &col);
	json_tokener_free(tok);
	if (error == json_tokener_success)
		return 0;
	diag_add(doc->diags, DIAG_ERROR, doc->file, line, col, "not JSON: %s",
		 error == json_tokener_continue ? "the text ends too early" : json_tokener_error_desc(error));
	return -EINVAL;
}

/* What parse leaves to be checked, and what would lead it astray. */
static int take_text(struct json_doc *doc, size_t len)
{
	int err;

	if (len >= INT32_MAX || strlen(doc->text) != len) {
		diag_add(doc->diags, DIAG_ERROR, doc->file, 0, 0,
			 len >= INT32_MAX ? "too long: 2 GiB or more" : "not JSON: a NUL byte in the text");
		return -EINVAL;
	}
	if (!*skip_space(doc->text)) {
		diag_add(doc->diags, DIAG_ERROR, doc->file, 0, 0, "empty");
		return -EINVAL;
	}
	err = parse(doc, len);
	return err ? err : check_text(doc);
}

static int load(struct json_doc *doc, const char *path)
{
	size_t len = 0;
	int err;

	doc->file = strdup(strcmp(path, "-") ? path : "(standard input)");
	if (!doc->file)
		return -ENOMEM;
	err = read_text(path, SIZE_MAX, &doc->text, &len);
	if (err) {
		diag_add(doc->diags, DIAG_ERROR, doc->file, 0, 0, "%s", strerror(-err));
		return err;
	}
	return take_text(doc, len);
}

static int hand_over(struct json_doc *doc, int err, struct json_doc *out)
{
	if (err)
		json_doc_free(doc);
	else
		*out = *doc;
	return err;
}

int json_doc_load(const char *path, struct diags *diags, struct json_doc *out)
{
	struct json_doc doc = {.diags = diags};
	int err = load(&doc, path);

	return hand_over(&doc, err, out);
}

int json_doc_parse(const char *file, const char *text, size_t len, struct diags *diags, struct json_doc *out)
{
	struct json_doc doc = {.diags = diags, .file = strdup(file), .text = malloc(len + 1)};
	int err = -ENOMEM;

	if (doc.file && doc.text) {
		memcpy(doc.text, text, len);
		doc.text[len] = 0;
		err = take_text(&doc, len);
	}
	return hand_over(&doc, err, out);
}

void json_doc_free(struct json_doc *doc)
{
	free(doc->file);
	free(doc->text);
	json_object_put(doc->root);
	*doc = (struct json_doc){0};
}
