// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/keys_value.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static const struct {
	const char *noun, *example;
} types[] = {
	[KEY_VERSION] = {"a version",      "1"             },
          [KEY_TEXT] = {"a text",         "\"a name\""    },
	[KEY_SIZE] = {"a size",         "100GiB"        },
          [KEY_DURATION] = {"a duration",     "500ms or 2s"   },
	[KEY_COUNT] = {"a whole number", "500"           },
          [KEY_COUNT32] = {"a whole number", "500"           },
	[KEY_INDEX] = {"a whole number", "0"             },
          [KEY_NUMBER] = {"a number",       "9.5"           },
	[KEY_BOOL] = {"true or false",  "true"          },
          [KEY_ENUM] = {"a word",         NULL            },
	[KEY_MAP] = {"a map",          "{key: value}"  },
          [KEY_LIST] = {"a list",         "[{key: value}]"},
};

const char *key_type_noun(enum key_type type)
{
	return types[type].noun;
}

const char *key_example(const struct key *key)
{
	if (key->default_text)
		return key->default_text;
	return key->type == KEY_ENUM ? key->word(0) : types[key->type].example;
}

/* Digits, a fraction, an exponent: what YAML, JSON and C agree on. */
static int scan_real(const char *text, double *out)
{
	const char *p = text + strspn(text, "0123456789");
	double value;

	if (p == text)
		return -EINVAL;
	if (*p == '.') {
		size_t digits = strspn(p + 1, "0123456789");

		if (!digits)
			return -EINVAL;
		p += 1 + digits;
	}
	if (*p == 'e' || *p == 'E') {
		p += p[1] == '+' || p[1] == '-' ? 2 : 1;
		if (!isdigit((unsigned char)*p))
			return -EINVAL;
		p += strspn(p, "0123456789");
	}
	if (*p)
		return -EINVAL;
	value = strtod(text, NULL);
	if (!isfinite(value))
		return -ERANGE;
	*out = value;
	return 0;
}

static int scan_word(const struct key *key, const char *text, uint64_t *out)
{
	const char *word;

	for (int i = 0; (word = key->word(i)); i++) {
		if (strcmp(text, word))
			continue;
		*out = (uint64_t)i;
		return 0;
	}
	return -EINVAL;
}

static int scan_bool(const char *text, uint64_t *out)
{
	bool yes = !strcmp(text, "true");

	if (!yes && strcmp(text, "false"))
		return -EINVAL;
	*out = yes;
	return 0;
}

/* YAML 1.1 readers take 010 for eight: refuse it rather than mean something else than they do. */
static bool has_leading_zero(const char *text)
{
	return text[0] == '0' && isdigit((unsigned char)text[1]);
}

int key_scan(const struct key *key, const char *text, struct key_value *out)
{
	*out = (struct key_value){0};
	switch (key->type) {
	case KEY_TEXT:
		out->text = text;
		return 0;
	case KEY_BOOL:
		return scan_bool(text, &out->number);
	case KEY_ENUM:
		return scan_word(key, text, &out->number);
	case KEY_NUMBER:
		return scan_real(text, &out->real);
	case KEY_DURATION:
		return duration_parse(text, &out->number);
	case KEY_SIZE:
		return has_leading_zero(text) ? -EINVAL : size_parse(text, &out->number);
	case KEY_VERSION:
	case KEY_COUNT:
	case KEY_COUNT32:
	case KEY_INDEX:
		return has_leading_zero(text) ? -EINVAL : count_parse(text, &out->number);
	case KEY_MAP:
	case KEY_LIST:
		break;
	}
	return -EINVAL;
}

uint64_t key_limit(const struct key *key)
{
	if (key->max)
		return key->max;
	switch (key->type) {
	case KEY_TEXT:
		return 255;
	case KEY_COUNT32:
		return UINT32_MAX;
	case KEY_INDEX:
		return INT_MAX;
	default:
		return UINT64_MAX;
	}
}

static int store_text(const char *text, void *field)
{
	char *copy = strdup(text);

	if (!copy)
		return -ENOMEM;
	free(*(char **)field);
	*(char **)field = copy;
	return 0;
}

int key_store(const struct key *key, const struct key_value *value, void *field)
{
	switch (key->type) {
	case KEY_TEXT:
		return store_text(value->text, field);
	case KEY_SIZE:
	case KEY_DURATION:
	case KEY_COUNT:
		*(uint64_t *)field = value->number;
		break;
	case KEY_COUNT32:
		*(uint32_t *)field = (uint32_t)value->number;
		break;
	case KEY_INDEX:
	case KEY_ENUM:
		*(int *)field = (int)value->number;
		break;
	case KEY_NUMBER:
		*(double *)field = value->real;
		break;
	case KEY_BOOL:
		*(bool *)field = value->number;
		break;
	case KEY_VERSION:
	case KEY_MAP:
	case KEY_LIST:
		break;
	}
	return 0;
}

void key_clear(const struct key *key, void *field)
{
	const struct key_value nothing = {.number = key->type == KEY_INDEX ? UINT64_MAX : 0};

	if (key->type == KEY_TEXT) {
		free(*(char **)field);
		*(char **)field = NULL;
	} else {
		key_store(key, &nothing, field);
	}
}

struct key_value key_fetch(const struct key *key, const void *field)
{
	struct key_value v = {0};

	switch (key->type) {
	case KEY_VERSION:
		v.number = key->max;
		break;
	case KEY_TEXT:
		v.text = *(char *const *)field;
		break;
	case KEY_SIZE:
	case KEY_DURATION:
	case KEY_COUNT:
		v.number = *(const uint64_t *)field;
		break;
	case KEY_COUNT32:
		v.number = *(const uint32_t *)field;
		break;
	case KEY_INDEX:
	case KEY_ENUM:
		v.number = (uint64_t)(int64_t) * (const int *)field;
		break;
	case KEY_NUMBER:
		v.real = *(const double *)field;
		break;
	case KEY_BOOL:
		v.number = *(const bool *)field;
		break;
	case KEY_MAP:
	case KEY_LIST:
		break;
	}
	return v;
}

static const char *format_duration(uint64_t ns, char buf[UNITS_STR])
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{"s",  NS_PER_S },
                {"ms", NS_PER_MS},
                {"us", NS_PER_US},
                {"ns", 1        }
        };
	size_t i = 0;

	while (ns % units[i].ns)
		i++;
	snprintf(buf, UNITS_STR, "%" PRIu64 "%s", ns / units[i].ns, units[i].name);
	return buf;
}

const char *key_format(const struct key *key, uint64_t number, char buf[UNITS_STR])
{
	switch (key->type) {
	case KEY_SIZE:
		return size_exact(buf, number);
	case KEY_DURATION:
		return format_duration(number, buf);
	case KEY_ENUM:
		return key->word((int)number);
	case KEY_BOOL:
		return number ? "true" : "false";
	default:
		snprintf(buf, UNITS_STR, "%" PRIu64, number);
		return buf;
	}
}

bool key_equal(const struct key *key, const struct key_value *a, const struct key_value *b)
{
	if (key->type == KEY_TEXT)
		return a->text == b->text || (a->text && b->text && !strcmp(a->text, b->text));
	if (key->type == KEY_NUMBER)
		return a->real == b->real;
	return a->number == b->number;
}

bool key_is_zero(const struct key *key, const struct key_value *value)
{
	switch (key->type) {
	case KEY_TEXT:
		return !value->text;
	case KEY_NUMBER:
		return value->real == 0;
	case KEY_INDEX:
		return (int64_t)value->number < 0;
	default:
		return !value->number;
	}
}
