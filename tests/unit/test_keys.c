// SPDX-License-Identifier: GPL-2.0-or-later
/* The generic reader and writer of YAML by tables of keys, on a small format that uses every type. */
#include "support/check.h"

#include <errno.h>

#include "base/keys.h"

struct pet {
	struct key_place_at place;
	char *name;
	double weight, length;
	int cage;
};

struct zoo {
	char *name;
	uint64_t food_bytes, feeding_ns, visitors;
	uint32_t keepers, ratio;
	bool open, has_feeding;
	int season;
	char *town;
	struct pet *pets;
	size_t nr_pets;
};

static const char *season_word(int i)
{
	static const char *const words[] = {"spring", "summer", "autumn", "winter"};

	return i < 4 ? words[i] : NULL;
}

/* Half the visitors: a default that needs the rest of the object. */
static const char *ratio_default(const void *zoo)
{
	return ((const struct zoo *)zoo)->visitors >= 100 ? "50" : "0";
}

static const struct key pet_keys[] = {
	{.name = "name",
	 .type = KEY_TEXT,
	 .required = true,
	 .offset = offsetof(struct pet, name),
	 .help = "its name"},
	{.name = "weight",
	 .type = KEY_NUMBER,
	 .offset = offsetof(struct pet, weight),
	 .max = 100,
	 .help = "kg"},
	{.name = "length",             .type = KEY_NUMBER, .offset = offsetof(struct pet, length), .help = "m"},
	{.name = "cage",                  .type = KEY_INDEX, .offset = offsetof(struct pet, cage), .help = "where"},
	{0},
};

static const struct key where_keys[] = {
	{.name = "town",                 .type = KEY_TEXT, .offset = offsetof(struct zoo, town), .help = "the town"},
	{0},
};

static const struct key zoo_keys[] = {
	{.name = "zoo",                     .type = KEY_VERSION, .required = true, .max = 3, .help = "version of this format"},
	{.name = "name",
	 .type = KEY_TEXT,
	 .required = true,
	 .offset = offsetof(struct zoo, name),
	 .max = 12,
	 .help = "its name"},
	{.name = "food",
	 .type = KEY_SIZE,
	 .offset = offsetof(struct zoo, food_bytes),
	 .default_text = "4KiB",
	 .min = 4096,
	 .help = "food"},
	{.name = "feeding",
	 .type = KEY_DURATION,
	 .offset = offsetof(struct zoo, feeding_ns),
	 .has_offset = offsetof(struct zoo, has_feeding),
	 .help = "time"},
	{.name = "visitors",                  .type = KEY_COUNT, .offset = offsetof(struct zoo, visitors), .help = "people"},
	{.name = "keepers",
	 .type = KEY_COUNT32,
	 .offset = offsetof(struct zoo, keepers),
	 .default_text = "1",
	 .min = 1,
	 .max = 9,
	 .help = "staff"},
	{.name = "ratio",
	 .type = KEY_COUNT32,
	 .offset = offsetof(struct zoo, ratio),
	 .default_of = ratio_default,
	 .help = "ratio"},
	{.name = "open",                    .type = KEY_BOOL, .offset = offsetof(struct zoo, open), .help = "open"},
	{.name = "season",
	 .type = KEY_ENUM,
	 .offset = offsetof(struct zoo, season),
	 .word = season_word,
	 .default_text = "winter",
	 .help = "season"},
	{.name = "where",            .type = KEY_MAP, .keys = where_keys, .help = "where it is"},
	{.name = "pets",
	 .type = KEY_LIST,
	 .keys = pet_keys,
	 .item_size = sizeof(struct pet),
	 .offset = offsetof(struct zoo, pets),
	 .nr_offset = offsetof(struct zoo, nr_pets),
	 .has_place = true,
	 .place_offset = offsetof(struct pet, place),
	 .help = "pets"},
	{0		},
};

static int read_zoo(const char *text, size_t len, struct zoo *zoo, struct key_places *places,
		    struct diags *diags)
{
	_cleanup_yamldoc_ struct yamldoc *doc = NULL;
	int err = yamldoc_parse(text, len, "z", diags, &doc);

	*zoo = (struct zoo){0};
	return err ? err : keys_read(doc, zoo_keys, zoo, places, diags);
}

static char *printed(const struct diags *diags)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	diags_print(diags, f);
	fclose(f);
	return text;
}

static char *written(const struct zoo *zoo)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	check_int(keys_write(zoo_keys, zoo, f), 0, "write");
	fclose(f);
	return text;
}

static const char full[] = "zoo: 3\n"
			   "name: \"12\"\n"
			   "food: 1.5MiB\n"
			   "feeding: 1500ms\n"
			   "visitors: 120\n"
			   "open: true\n"
			   "season: autumn\n"
			   "where:\n"
			   "  town: \"T\\xfcb: #1\"\n"
			   "pets:\n"
			   "  - {name: rex, weight: 0.1, cage: 0}\n"
			   "  - {name: \"yes\"}\n";

static void values(void **state)
{
	(void)state;
	struct key_places places = {0};
	_cleanup_diags_ struct diags diags = {0};
	struct zoo zoo;

	check_int(read_zoo(full, strlen(full), &zoo, &places, &diags), 0, "read");
	check_u64(diags.nr, 0, "no diagnostics");
	check_str(zoo.name, "12", "name");
	check_u64(zoo.food_bytes, 1572864, "food");
	check_u64(zoo.feeding_ns, 1500000000, "feeding");
	check_int(zoo.has_feeding, true, "has feeding");
	check_u64(zoo.keepers, 1, "default");
	check_u64(zoo.ratio, 50, "computed default");
	check_int(zoo.season, 2, "season");
	check_str(zoo.town,
		  "T\xc3\xbc"
		  "b: #1",
		  "town");
	check_u64(zoo.nr_pets, 2, "pets");
	check_near(zoo.pets[0].weight, 0.1, 0, "weight");
	check_int(zoo.pets[0].cage, 0, "cage");
	check_int(zoo.pets[1].cage, -1, "no cage");
	check_str(zoo.pets[1].name, "yes", "quoted");
	check_int(zoo.pets[1].place.line, 12, "line");
	check_int(zoo.pets[1].place.col, 5, "column");

	const struct key_place *p = key_places_find(&places, &zoo_keys[10], 0, offsetof(struct pet, weight));

	check_int(p->at.line, 11, "line of a value");
	check_int(p->at.col, 25, "column of a value");
	check_int(!key_places_find(&places, NULL, 0, offsetof(struct zoo, keepers)), true, "not in the file");
	free(places.items);
	keys_free(zoo_keys, &zoo);
}

static void round_trip(void **state)
{
	(void)state;
	_cleanup_diags_ struct diags diags = {0};
	_cleanup_free_ char *first = NULL, *second = NULL, *third = NULL;
	struct zoo zoo, again, copy;

	check_int(read_zoo(full, strlen(full), &zoo, NULL, &diags), 0, "read");
	first = written(&zoo);
	check_str(first,
		  "zoo: 3\nname: \"12\"\nfood: 1536KiB\nfeeding: 1500ms\nvisitors: 120\nopen: true\nseason: "
		  "autumn\n"
		  "where:\n  town: \"T\xc3\xbc"
		  "b: #1\"\npets:\n  - {name: rex, weight: 0.1, cage: 0}\n  - {name: \"yes\"}\n",
		  "defaults are left out");
	check_int(read_zoo(first, strlen(first), &again, NULL, &diags), 0, "read again");
	second = written(&again);
	check_str(second, first, "round trip");
	copy = again;
	check_int(keys_copy(zoo_keys, &copy, &again), 0, "copy");
	keys_free(zoo_keys, &again);
	third = written(&copy);
	check_str(third, first, "the copy stands alone");
	keys_free(zoo_keys, &copy);
	keys_free(zoo_keys, &zoo);
}

static void mistakes(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"",						  "z:1:1: the file is empty\n"                                               },
		{"# nothing\n",				       "z:1:1: the file is empty\n"                                               },
		{"--- \n",					    "z:2:1: the file holds no keys: \"zoo\" belongs here first\n"              },
		{"[1]",					       "z:1:1: the file is not a map of keys: \"zoo\" belongs here first\n"       },
		{"zoo: 4\nbad: 1",				    "z:1:6: zoo 4: version 3 is the one this program reads\n"                  },
		{"name: a",					   "z:1:1: key \"zoo\" is missing: version of this format\n"                  },
		{"zoo: 3\nname: a\nnane: b",                          "z:3:1: unknown key \"nane\"; did you mean \"name\"?\n"                    },
		{"zoo: 3\nname: a\nname: b",                          "z:3:1: key \"name\" is repeated: it was given in line 2\n"                },
		{"zoo: 3\nname: a\nkeepers: \"3\"",
		 "z:3:10: keepers is the text \"3\": write it without quotes\n"                                                                  },
		{"zoo: 3\nname: a\nkeepers: 0",                       "z:3:10: keepers 0 is too small: at least 1\n"                             },
		{"zoo: 3\nname: a\nkeepers: 10",                      "z:3:10: keepers 10 is too large: at most 9\n"                             },
		{"zoo: 3\nname: a\nvisitors: 18446744073709551616",
		 "z:3:11: visitors 18446744073709551616 is too large: at most 18446744073709551615\n"                                            },
		{"zoo: 3\nname: a\nvisitors: -1",
		 "z:3:11: visitors \"-1\" is negative: write a whole number such as 500\n"                                                       },
		{"zoo: 3\nname: a\nvisitors: 010",                    "z:3:11: visitors \"010\" has a leading zero, which some "
						   "read as octal: write a whole number such as "
						   "500\n"                                     },
		{"zoo: 3\nname: a\nfood: [1]",                        "z:3:7: food is a list: a size such as 4KiB belongs here\n"                },
		{"zoo: 3\nname: a\nfood:",                            "z:3:6: food has no value: a size such as 4KiB belongs here\n"             },
		{"zoo: 3\nname: a\nfood: 5XB",                        "z:3:7: food \"5XB\" is not a size: write one such as 4KiB\n"              },
		{"zoo: 3\nname: a\nfood: 1KiB",                       "z:3:7: food 1KiB is too small: at least 4KiB\n"                           },
		{"zoo: 3\nname: a\nfeeding: 5",
		 "z:3:10: feeding \"5\" has no unit: write a duration such as 500ms or 2s\n"                                                     },
		{"zoo: 3\nname: a\nopen: yes",                        "z:3:7: open \"yes\" is neither true nor false\n"                          },
		{"zoo: 3\nname: no",                                  "z:2:7: name no reads as true or false in YAML: write it as \"no\"\n"      },
		{"zoo: 3\nname: ''",                                  "z:2:7: name is empty\n"                                                   },
		{"zoo: 3\nname: 1234567890123",                       "z:2:7: name is 13 bytes long: at most 12\n"                               },
		{"zoo: 3\nname: \"a\\0b\"",
		 "z:2:7: name holds a control character: only text belongs here\n"                                                               },
		{"zoo: 3\nname: \"a\\e[2Jb\"",
		 "z:2:7: name holds a control character: only text belongs here\n"                                                               },
		{"zoo: 3\nname: \"a\\x9bb\"",
		 "z:2:7: name holds a control character: only text belongs here\n"                                                               },
		{"zoo: 3\nname: \"a\\x7f\"",
		 "z:2:7: name holds a control character: only text belongs here\n"                                                               },
		{"zoo: 3\nname: a\nfood: \"\\e[2J\\x9b2J\"",
		 "z:3:7: food \"?[2J??2J\" is not a size: write one such as 4KiB\n"                                                              },
		{"zoo: 3\nname: a\n\"\\x85\\xa0\": 1",                "z:3:1: unknown key \"??\xc2\xa0\"; keys here: zoo, "
						       "name, food, feeding, visitors, keepers, ratio, "
						       "open, season, where, pets\n"       },
		{"zoo: 3\nname: a\nseason: sumer",                    "z:3:9: season \"sumer\" is not one of spring, summer, "
						   "autumn, winter; did you mean \"summer\"?\n"},
		{"zoo: 3\nname: a\nwhere: here",
		 "z:3:8: where is \"here\": a map such as {key: value} belongs here\n"                                                           },
		{"zoo: 3\nname: a\npets: {name: b}",
		 "z:3:7: pets is a map: a list such as [{key: value}] belongs here\n"                                                            },
		{"zoo: 3\nname: a\npets: [b]",
		 "z:3:8: an item of pets is a text: a map such as {name: ...} belongs here\n"                                                    },
		{"zoo: 3\nname: a\npets: [{name: b, weight: 1e400}]",
		 "z:3:26: weight 1e400 is too large: at most 100\n"									      },
		{"zoo: 3\nname: a\npets: [{name: b, length: 1e400}]",
		 "z:3:26: length 1e400 is too large: more than a floating-point number holds\n"                                                  },
		{"zoo: 3\nname: a\npets: [{weight: 1}]",              "z:3:8: key \"name\" is missing: its name\n"                               },
		{"zoo: 3\nname: a\n[b]: 1",                           "z:3:1: a key is a list: keys are plain words here\n"                      },
		{"zoo: 3\nname: a\nwhere: &x {town: *x}",
		 "z:3:8: this value contains itself: an alias in it refers back to it\n"                                                         },
		{"zoo: 3\nname: a\nwhere: {<<: {town: b}}",
		 "z:3:9: merge keys (\"<<\") are not taken: write the keys out\n"                                                                },
		{"zoo: 3\nname: !secret a",                           "z:2:7: tag \"!secret\" has no meaning here: leave it out\n"               },
		{"zoo: 3\nname: !a%1b%c2%9b a",                       "z:2:7: tag \"!a???\" has no meaning here: leave it out\n"                 },
		{"zoo: 3\nname: a\n---\nzoo: 3",                      "z:3:1: a second document starts here: a file holds one\n"                 },
		{"zoo: 3\nname: a\xff",                               "z:2:8: byte 0xff is not UTF-8: save the file as UTF-8 text\n"             },
		{"zoo: 3\nname: \xc0\xaf",                            "z:2:7: byte 0xc0 is not UTF-8: save the file as UTF-8 text\n"             },
		{"zoo: 3\nname: \x01",
		 "z:2:7: byte 0x01 is a control character: only text, tabs and line ends belong here\n"                                          },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_diags_ struct diags diags = {0};
		_cleanup_free_ char *text = NULL;
		struct zoo zoo;

		check_int(read_zoo(rows[i].text, strlen(rows[i].text), &zoo, NULL, &diags), -EINVAL, "%s",
			  rows[i].text);
		text = printed(&diags);
		check_str(text, rows[i].message, "%s", rows[i].text);
		keys_free(zoo_keys, &zoo);
	}
}

/* A NUL byte ends a C string: the length decides. */
static void nul_byte(void **state)
{
	(void)state;
	_cleanup_diags_ struct diags diags = {0};
	struct zoo zoo;

	check_int(read_zoo("zoo: 3\n\0name: a", 15, &zoo, NULL, &diags), -EINVAL, "NUL");
	check_str(diags.items[0].text,
		  "byte 0x00 is a control character: only text, tabs and line ends belong here", "NUL");
	check_int(diags.items[0].line, 2, "line");
}

/* Nine levels of nine aliases each are 9^9 values: told, in no time and no memory. */
static void alias_bomb(void **state)
{
	(void)state;
	_cleanup_diags_ struct diags diags = {0};
	_cleanup_free_ char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	struct zoo zoo;

	fputs("zoo: 3\nname: a\nb0: &b0 [1,1,1,1,1,1,1,1,1]\n", f);
	for (int i = 1; i < 9; i++) {
		fprintf(f, "b%d: &b%d [", i, i);
		for (int j = 0; j < 9; j++)
			fprintf(f, "%s*b%d", j ? "," : "", i - 1);
		fputs("]\n", f);
	}
	fclose(f);
	check_int(read_zoo(text, len, &zoo, NULL, &diags), -EINVAL, "bomb");
	check_u64(diags.nr, 1, "one message");
	check_str(diags.items[0].text,
		  "this value grows past a million values when its aliases are written out", "bomb");
}

static void brackets(void **state)
{
	(void)state;
	_cleanup_diags_ struct diags diags = {0};
	_cleanup_free_ char *text = malloc(100000);
	struct zoo zoo;

	memset(text, '[', 100000);
	check_int(read_zoo(text, 100000, &zoo, NULL, &diags), -EINVAL, "brackets");
	check_str(diags.items[0].text, "byte 0x5b opens one more bracket: nested too deeply", "brackets");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),   cmocka_unit_test(round_trip), cmocka_unit_test(mistakes),
		cmocka_unit_test(nul_byte), cmocka_unit_test(alias_bomb), cmocka_unit_test(brackets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
