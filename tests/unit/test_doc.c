// SPDX-License-Identifier: GPL-2.0-or-later
/* Documents: exact text of both forms, and numbers, mistakes and failed writes. */
#include "support/check.h"

#include <errno.h>

#include "base/util.h"
#include "report/doc.h"
#include "support/capture.h"

static void build(struct doc *doc)
{
	doc_object(doc, NULL);
	doc_str(doc, "schema", "test/1");
	doc_object_row(doc, "ms");
	doc_number(doc, "mid", 281.4);
	doc_number(doc, "low", 0.5);
	doc_end(doc);
	doc_array(doc, "rows");
	doc_object(doc, NULL);
	doc_u64(doc, "u64", UINT64_MAX);
	doc_i64(doc, "i64", INT64_MIN);
	doc_bool(doc, "fits", true);
	doc_null(doc, "map");
	doc_end(doc);
	doc_array_row(doc, NULL);
	doc_str(doc, NULL, "a");
	doc_object(doc, NULL);
	doc_end(doc);
	doc_end(doc);
	doc_end(doc);
	doc_array(doc, "none");
	doc_end(doc);
	doc_end(doc);
}

static void check_form(enum doc_format format, const char *want)
{
	struct capture c;
	struct doc *doc = doc_new(format, capture_start(&c));

	build(doc);
	assert_int_equal(doc_finish(doc), 0);
	check_str(capture_text(&c), want, "format %d", format);
	doc_free(doc);
	capture_end(&c);
}

static void both_forms(void **state)
{
	(void)state;
	check_form(DOC_JSON, "{\n"
			     "  \"schema\": \"test/1\",\n"
			     "  \"ms\": {\"mid\": 281.4, \"low\": 0.5},\n"
			     "  \"rows\": [\n"
			     "    {\n"
			     "      \"u64\": 18446744073709551615,\n"
			     "      \"i64\": -9223372036854775808,\n"
			     "      \"fits\": true,\n"
			     "      \"map\": null\n"
			     "    },\n"
			     "    [\"a\", {}]\n"
			     "  ],\n"
			     "  \"none\": []\n"
			     "}\n");
	check_form(DOC_YAML, "schema: test/1\n"
			     "ms: {mid: 281.4, low: 0.5}\n"
			     "rows:\n"
			     "- u64: 18446744073709551615\n"
			     "  i64: -9223372036854775808\n"
			     "  fits: true\n"
			     "  map: null\n"
			     "- [a, {}]\n"
			     "none: []\n");
}

/* What JSON must escape (RFC 8259, 7), and what YAML 1.1 readers would take for something else than text. */
static void strings(void **state)
{
	static const struct {
		const char *text, *json, *yaml;
	} rows[] = {
		{"plain",      "\"plain\"",           "plain"              },
		{"",           "\"\"",                "\"\""               },
		{"a/b",        "\"a/b\"",             "a/b"                },
		{"\"\\",       "\"\\\"\\\\\"",        "\"\\\"\\\\\""       },
		{"\n\t\r\b\f", "\"\\n\\t\\r\\b\\f\"", "\"\\n\\t\\r\\b\\f\""},
		{"\x01\x1f",   "\"\\u0001\\u001f\"",  "\"\\x01\\x1F\""     },
		{"±6 %",      "\"±6 %\"",           "\"±6 %\""          },
		{"no",         "\"no\"",              "\"no\""             },
		{"Null",       "\"Null\"",            "\"Null\""           },
		{"7.3.4",      "\"7.3.4\"",           "\"7.3.4\""          },
		{"1e3",        "\"1e3\"",             "\"1e3\""            },
		{"key: value", "\"key: value\"",      "\"key: value\""     },
		{"end ",       "\"end \"",            "\"end \""           },
		{"~",          "\"~\"",               "\"~\""              },
	};
	char want[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (int format = DOC_JSON; format <= DOC_YAML; format++) {
			struct capture c;
			struct doc *doc = doc_new((enum doc_format)format, capture_start(&c));

			doc_array_row(doc, NULL);
			doc_str(doc, NULL, rows[i].text);
			doc_end(doc);
			assert_int_equal(doc_finish(doc), 0);
			snprintf(want, sizeof(want), "[%s]\n",
				 format == DOC_JSON ? rows[i].json : rows[i].yaml);
			check_str(capture_text(&c), want, "row %zu format %d", i, format);
			doc_free(doc);
			capture_end(&c);
		}
	}
}

static void numbers(void **state)
{
	static const struct {
		double value;
		int err;
		const char *text;
	} rows[] = {
		{0,                0,       "0"              },
		{-0.0,             0,       "0"              },
		{1,                0,       "1"              },
		{0.1,              0,       "0.1"            },
		{281.437,          0,       "281.437"        },
		{1104.23456,       0,       "1104.23"        },
		{1234567.8,        0,       "1234568"        },
		{99999.96,         0,       "100000"         },
		{0.0000123456,     0,       "0.0000123456"   },
		{1e-13,            0,       "0"              },
		{-2.5,             0,       "-2.5"           },
		{9.99e14,          0,       "999000000000000"},
		{1e15,             -ERANGE, "?"              },
		{(double)INFINITY, -ERANGE, "?"              },
		{(double)NAN,      -ERANGE, "?"              },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char text[DOC_NUMBER_STR] = "?";

		check_int(number_text(text, rows[i].value), rows[i].err, "row %zu", i);
		check_str(text, rows[i].text, "row %zu", i);
	}
}

/* A mistake of the caller or a number that JSON does not have makes the document fail, and stays its error. */
static void mistakes(void **state)
{
	struct capture c;
	struct doc *doc;

	(void)state;
	for (int what = 0; what < 5; what++) {
		doc = doc_new(DOC_JSON, capture_start(&c));
		doc_object(doc, NULL);
		if (what == 0)
			doc_str(doc, NULL, "a value without a key");
		if (what == 1)
			doc_number(doc, "n", NAN);
		if (what == 2)
			doc_fail(doc, -ENOMEM);
		if (what != 3)
			doc_end(doc);
		if (what == 4)
			doc_end(doc);
		doc_u64(doc, "later", 1);
		check_int(doc_finish(doc),
			  what == 1   ? -ERANGE
			  : what == 2 ? -ENOMEM
				      : -EINVAL,
			  "mistake %d", what);
		doc_free(doc);
		capture_end(&c);
	}
}

/* Opened for reading too, so that a machine without the device does not get a file of that name. */
static void full_disk(void **state)
{
	(void)state;
	for (int format = DOC_JSON; format <= DOC_YAML; format++) {
		FILE *full = fopen("/dev/full", "r+");
		struct doc *doc;

		if (!full)
			check_skip("no /dev/full here, so no full disk to write to");
		setvbuf(full, NULL, _IONBF, 0); /* each write fails, not the flush after them */
		doc = doc_new((enum doc_format)format, full);
		build(doc);
		check_int(doc_finish(doc), -EIO, "format %d", format);
		doc_free(doc);
		fclose(full);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_forms), cmocka_unit_test(strings),   cmocka_unit_test(numbers),
		cmocka_unit_test(mistakes),   cmocka_unit_test(full_disk),
	};

	return cmocka_run_group_tests_name("doc", tests, NULL, NULL);
}
