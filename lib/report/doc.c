// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/doc.h"

#include <errno.h>
#include <stdint.h>
#include <math.h>

#include "base/util.h"
#include "report/doc_internal.h"

struct doc {
	const struct doc_ops *ops;
	void *form;
	FILE *out;
	int err;
	unsigned int depth;
	struct doc_level levels[DOC_MAX_DEPTH]; /* levels[0] is the document */
};

struct doc *doc_new(enum doc_format format, FILE *out)
{
	_cleanup_free_ struct doc *doc = calloc(1, sizeof(*doc));

	if (!doc)
		return NULL;
	doc->ops = format == DOC_JSON ? &doc_json_ops : &doc_yaml_ops;
	doc->out = out;
	doc->levels[0].is_array = true;
	doc->form = doc->ops->open(out);
	if (!doc->form)
		return NULL;
	return take_ptr(doc);
}

void doc_free(struct doc *doc)
{
	if (!doc)
		return;
	doc->ops->close(doc->form);
	free(doc);
}

static void begin(struct doc *doc, const char *key, bool is_array, bool on_one_line)
{
	struct doc_level *parent = &doc->levels[doc->depth], *level = parent + 1;

	if (!doc->err && (doc->depth + 1 == DOC_MAX_DEPTH || parent->is_array != !key))
		doc->err = -EINVAL;
	if (doc->err)
		return;
	*level = (struct doc_level){.is_array = is_array,
				    .on_one_line = on_one_line || parent->on_one_line,
				    .depth = parent->depth + 1};
	doc->err = doc->ops->begin(doc->form, parent, level, key);
	parent->nr++;
	doc->depth++;
}

void doc_object(struct doc *doc, const char *key)
{
	begin(doc, key, false, false);
}

void doc_object_row(struct doc *doc, const char *key)
{
	begin(doc, key, false, true);
}

void doc_array(struct doc *doc, const char *key)
{
	begin(doc, key, true, false);
}

void doc_array_row(struct doc *doc, const char *key)
{
	begin(doc, key, true, true);
}

void doc_end(struct doc *doc)
{
	if (!doc->err && !doc->depth)
		doc->err = -EINVAL;
	if (doc->err)
		return;
	doc->err = doc->ops->end(doc->form, &doc->levels[doc->depth]);
	doc->depth--;
}

static void scalar(struct doc *doc, const char *key, const char *text, bool is_string)
{
	struct doc_level *parent = &doc->levels[doc->depth];

	if (!doc->err && parent->is_array != !key)
		doc->err = -EINVAL;
	if (doc->err)
		return;
	doc->err = doc->ops->scalar(doc->form, parent, key, text, is_string);
	parent->nr++;
}

void doc_str(struct doc *doc, const char *key, const char *value)
{
	scalar(doc, key, value ? value : "null", value != NULL);
}

void doc_null(struct doc *doc, const char *key)
{
	scalar(doc, key, "null", false);
}

void doc_bool(struct doc *doc, const char *key, bool value)
{
	scalar(doc, key, value ? "true" : "false", false);
}

/* Numbers are most of a document, and snprintf was most of its time. Returns the end. */
static char *put_digits(char *at, uint64_t value, int min_digits)
{
	char digits[20];
	int nr = 0;

	for (; value || nr < min_digits; value /= 10)
		digits[nr++] = (char)('0' + value % 10);
	while (nr)
		*at++ = digits[--nr];
	return at;
}

void doc_u64(struct doc *doc, const char *key, uint64_t value)
{
	char text[24];

	*put_digits(text, value, 1) = '\0';
	scalar(doc, key, text, false);
}

void doc_i64(struct doc *doc, const char *key, int64_t value)
{
	char text[24] = "-";

	*put_digits(text + (value < 0), value < 0 ? -(uint64_t)value : (uint64_t)value, 1) = '\0';
	scalar(doc, key, text, false);
}

int number_text(char buf[DOC_NUMBER_STR], double value)
{
	static const double power_of_10[] = {1,   1e1, 1e2, 1e3,  1e4,  1e5, 1e6,
					     1e7, 1e8, 1e9, 1e10, 1e11, 1e12};
	int decimals = 0, max_decimals = (int)ARRAY_SIZE(power_of_10) - 1;
	uint64_t scaled, scale;
	char *at = buf;

	if (!isfinite(value) || fabs(value) >= 1e15)
		return -ERANGE;
	while (decimals < max_decimals && fabs(value) * power_of_10[decimals] < 1e5)
		decimals++;
	scale = (uint64_t)power_of_10[decimals];
	scaled = (uint64_t)llround(fabs(value) * power_of_10[decimals]);
	if (value < 0 && scaled)
		*at++ = '-';
	at = put_digits(at, scaled / scale, 1);
	if (scaled % scale) {
		*at++ = '.';
		at = put_digits(at, scaled % scale, decimals);
		while (at[-1] == '0')
			at--;
	}
	*at = '\0';
	return 0;
}

void doc_fail(struct doc *doc, int err)
{
	if (!doc->err)
		doc->err = err;
}

void doc_number(struct doc *doc, const char *key, double value)
{
	char text[DOC_NUMBER_STR];
	int err = number_text(text, value);

	if (err)
		doc_fail(doc, err);
	else
		scalar(doc, key, text, false);
}

void doc_interval(struct doc *doc, const char *key, double mid, double low, double high)
{
	doc_object_row(doc, key);
	doc_number(doc, "mid", mid);
	doc_number(doc, "low", low);
	doc_number(doc, "high", high);
	doc_end(doc);
}

int doc_finish(struct doc *doc)
{
	if (!doc->err && doc->depth)
		doc->err = -EINVAL;
	if (!doc->err)
		doc->err = doc->ops->finish(doc->form);
	if (!doc->err && ferror(doc->out))
		doc->err = -EIO;
	return doc->err;
}
