// SPDX-License-Identifier: GPL-2.0-or-later
/* Sizes, durations, kernel versions, suggestions, and the tables of names. */
#include "support/check.h"

#include <errno.h>

#include "base/kver.h"
#include "base/units.h"
#include "base/util.h"
#include "base/vocab.h"

static void sizes(void **state)
{
	static const struct {
		const char *text;
		int err;
		uint64_t bytes;
	} rows[] = {
		{"0",				      0,       0                    },
		{"4096",				   0,       4096                 },
		{"4KiB",				   0,       4096                 },
		{"4K",				     0,       4096                 },
		{"100 GiB",				0,       107374182400         },
		{"100GB",				  0,       100000000000         },
		{"1.5M",				   0,       1572864              },
		{"16383P",				 0,       18445618173802708992u},
		{"18446744073709551615",                   0,       UINT64_MAX           },
		{"18446744073709551616",                   -ERANGE, 0                    },
		{"16384PiB",			       -ERANGE, 0                    },
		{"99999999999999999999999999999999999999", -ERANGE, 0                    },
		{"0.3",				    -EINVAL, 0                    },
		{"1.3K",				   -EINVAL, 0                    },
		{"64GiBB",				 -EINVAL, 0                    },
		{"-1",				     -EINVAL, 0                    },
		{"",				       -EINVAL, 0                    },
		{"GiB",				    -EINVAL, 0                    },
		{"1e9",				    -EINVAL, 0                    },
		{"0x10",				   -EINVAL, 0                    },
		{"1.",				     -EINVAL, 0                    },
		{".5G",				    -EINVAL, 0                    },
		{"1  G",				   -EINVAL, 0                    },
		{" 1G",				    -EINVAL, 0                    },
		{"1G ",				    -EINVAL, 0                    },
		{"1g",				     -EINVAL, 0                    },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t bytes = 77;
		int err = size_parse(rows[i].text, &bytes);

		check_int(err, rows[i].err, "size_parse(\"%s\")", rows[i].text);
		check_u64(bytes, err ? 77 : rows[i].bytes, "size_parse(\"%s\")", rows[i].text);
	}
}

static void durations(void **state)
{
	static const struct {
		const char *text;
		int err;
		uint64_t ns;
	} rows[] = {
		{"2s",      0,       2000000000         },
                {"1.5 ms",  0,       1500000            },
		{"5m",      0,       300000000000       },
                {"0",       0,       0                  },
		{"10us",    0,       10000              },
                {"2",       -EINVAL, 0                  },
		{"2 sec",   -EINVAL, 0                  },
                {"600000h", 0,       2160000000000000000},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t ns = 77;
		int err = duration_parse(rows[i].text, &ns);

		check_int(err, rows[i].err, "duration_parse(\"%s\")", rows[i].text);
		check_u64(ns, err ? 77 : rows[i].ns, "duration_parse(\"%s\")", rows[i].text);
	}
}

static void for_people(void **state)
{
	char buf[UNITS_STR];

	(void)state;
	check_str(size_exact(buf, 107374182400), "100GiB", "size_exact");
	check_str(size_exact(buf, 105694363648), "100798MiB", "size_exact");
	check_str(size_exact(buf, 4097), "4097", "size_exact");
	check_str(size_human(buf, 105694363648), "98.44 GiB", "size_human");
	check_str(size_human(buf, 107374182400), "100 GiB", "size_human");
	check_str(size_human(buf, 512), "512 B", "size_human");
	check_str(duration_human(buf, 281.4e6), "281 ms", "duration_human");
	check_str(duration_human(buf, 1.1e9), "1.10 s", "duration_human");
	check_str(duration_human(buf, 999.7e6), "1.00 s", "duration_human");
	check_str(duration_human(buf, 107.4e9), "1m 47s", "duration_human");
	check_str(duration_human(buf, 4200), "4.20 us", "duration_human");
	check_str(count_human(buf, 26214400), "26,214,400", "count_human");
	check_str(count_human(buf, 512), "512", "count_human");
}

static void versions(void **state)
{
	static const char *const ascending[] = {"4.15",    "6.1.0-53-amd64", "6.1.184",  "6.12-rc1",
						"6.12.96", "6.12.117+deb13", "v7.1-rc3", "7.1-rc10",
						"7.1",     "7.3.4"};
	static const char *const bad[] = {"", "7", "7.", "x.y", "7.3x", "7.99999999", "-1.2"};
	struct kver older, newer;

	(void)state;
	for (size_t i = 0; i + 1 < ARRAY_SIZE(ascending); i++) {
		assert_int_equal(kver_parse(ascending[i], &older), 0);
		assert_int_equal(kver_parse(ascending[i + 1], &newer), 0);
		if (kver_cmp(older, newer) >= 0 || kver_cmp(newer, older) <= 0)
			fail_msg("%s is not older than %s", ascending[i], ascending[i + 1]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		check_int(kver_parse(bad[i], &older), -EINVAL, "kver_parse(\"%s\")", bad[i]);
}

static void suggestions(void **state)
{
	static const char *const keys[] = {"align", "size", "map", "mode", NULL};

	(void)state;
	check_str(suggest("aling", keys), "align", "swapped letters");
	check_str(suggest("sise", keys), "size", "one letter");
	check_str(suggest("bandwidth", keys), NULL, "nothing near");
}

/* Names are keys of files: each its own, and those that are read back are. */
static void names(void **state)
{
	enum memmap_path path;
	enum arch_id arch;

	(void)state;
	for (int i = 0; i <= NR_STAGES; i++) {
		for (int j = 0; j < i; j++)
			assert_string_not_equal(stage_name((enum stage_id)i), stage_name((enum stage_id)j));
	}
	for (int i = 0; i < NR_UNITS; i++) {
		for (int j = 0; j < i; j++)
			assert_string_not_equal(unit_name((enum unit_id)i), unit_name((enum unit_id)j));
	}
	assert_int_equal(path_from_name("template-nt", &path), 0);
	assert_int_equal(path, PATH_TEMPLATE_NT);
	assert_int_equal(path_from_name("templat", &path), -EINVAL);
	assert_int_equal(arch_from_name("aarch64", &arch), 0);
	assert_int_equal(arch, ARCH_AARCH64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),    cmocka_unit_test(durations),   cmocka_unit_test(for_people),
		cmocka_unit_test(versions), cmocka_unit_test(suggestions), cmocka_unit_test(names),
	};

	return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
