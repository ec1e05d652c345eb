// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Imports that were cut short, garbled, or come where memory runs out: an answer or an error, never a crash. What is
 * read from whole files is checked by tests/cli/import.t.
 */
#include "support/check.h"

#include <dirent.h>
#include <errno.h>

#include "base/read_text.h"
#include "base/units.h"
#include "base/util.h"
#include "host/cmdline.h"
#include "probe/import.h"
#include "probe/import_found.h"
#include "support/alloc_failure.h"

/* An import of one text: its errno, with the invariants of either outcome. */
static int import_text(const char *text, size_t len)
{
	_cleanup_diags_ struct diags diags = {0};
	_cleanup_import_ struct import *import = import_new();
	_cleanup_host_ struct host *host = NULL;
	int err = import ? import_add(import, "text", text, len, &diags) : -ENOMEM;

	if (err == -EINVAL)
		assert_true(diags.nr_errors > 0);
	if (err)
		return err;
	err = import_finish(import, &diags, &host);
	assert_true(err ? err == -ENOMEM && !host : host != NULL);
	if (!err)
		host_check(host, NULL);
	return err;
}

static void for_each_file(const char *dir, void (*test)(const char *name, char *text, size_t len))
{
	struct dirent **entries;
	char path[512];
	int nr;

	snprintf(path, sizeof(path), "%s/%s", TEST_SOURCE_DIR, dir);
	nr = scandir(path, &entries, NULL, alphasort);
	assert_true(nr > 2);
	for (int i = 0; i < nr; i++) {
		_cleanup_free_ char *text = NULL;
		size_t len = 0;

		snprintf(path, sizeof(path), "%s/%s/%s", TEST_SOURCE_DIR, dir, entries[i]->d_name);
		if (*entries[i]->d_name != '.' && !read_text(path, SIZE_MAX, &text, &len))
			test(entries[i]->d_name, text, len);
		free(entries[i]);
	}
	free(entries);
}

static void cut_text(const char *name, char *text, size_t len)
{
	for (size_t at = 0; at < len; at += 1 + len / 97) {
		_cleanup_free_ char *cut = strndup(text, at);
		int err = import_text(cut, at);

		assert_true(err == 0 || err == -EINVAL);
	}
	(void)name;
}

static void cut_short(void **state)
{
	(void)state;
	for_each_file("tests/cli/import", cut_text);
	for_each_file("tests/unit/logs", cut_text);
}

static void garble_text(const char *name, char *text, size_t len)
{
	static const char bytes[] = {'"', '}', '[', '9', '-', 0, '\n', (char)0xff};

	for (size_t i = 0; len && i < 200; i++) {
		size_t at = i * 7919 % len;
		char kept = text[at];
		int err;

		text[at] = bytes[i % sizeof(bytes)];
		err = import_text(text, len);
		assert_true(err == 0 || err == -EINVAL);
		text[at] = kept;
	}
	(void)name;
}

static void garbled(void **state)
{
	(void)state;
	for_each_file("tests/cli/import", garble_text);
	for_each_file("tests/unit/logs", garble_text);
}

/* Fail each allocation in turn, until none fails. */
static void starve_text(const char *name, char *text, size_t len)
{
	int expected = import_text(text, len), err;

	for (long n = 1;; n++) {
		fail_at = n;
		nr_allocations = 0;
		err = import_text(text, len);
		fail_at = 0;
		if (nr_allocations < n)
			break;
		/* Reporting a mistake needs no memory to remain a mistake. */
		if (err != -ENOMEM && err != expected)
			fail_msg("%s: allocation %ld failed: %d", name, n, err);
	}
	check_int(err, expected, "%s", name);
}

static void out_of_memory(void **state)
{
	(void)state;
	for_each_file("tests/cli/import", starve_text);
}

static void sizes_as_printed(void **state)
{
	static const struct {
		const char *text;
		int err;
		uint64_t min, max;
	} rows[] = {
		{"0",		      0,       0,          0         },
		{"4096",                   0,       4096,       4096      },
		{"250.00 MiB (262.14 MB)", 0,       262138758,  262145000 },
		{"62.00 MiB (65.01 MB)",   0,       65006470,   65015000  },
		{"3G",                     0,       2684354560, 3758096384},
		{"124.03 GiB (133.90 GB)", -EINVAL, 0,          0         },
		{"124.03 GiB (133.18 GB",  -EINVAL, 0,          0         },
		{"124.03 GiB 5",           -EINVAL, 0,          0         },
		{"12 parsecs",             -EINVAL, 0,          0         },
		{"-1",                     -EINVAL, 0,          0         },
		{"",		       -EINVAL, 0,          0         },
		{"99999999999 GiB",        -EINVAL, 0,          0         },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct found_size size = {0};

		check_int(found_size_parse(rows[i].text, &size), rows[i].err, "%s", rows[i].text);
		check_u64(size.min, rows[i].min, "%s", rows[i].text);
		check_u64(size.max, rows[i].max, "%s", rows[i].text);
	}
}

static void command_lines_recognised(void **state)
{
	static const struct {
		const char *text;
		bool is_one;
	} rows[] = {
		{"BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro quiet",         true },
		{"hugepages=4",					 true },
		{"hugetlb-free-vmemmap=on",                             true },
		{"I booted with hugepages=4 and then nothing happened", false},
		{"ro",						  true },
		{"size=4 other=5",				      false},
		{"",						    false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_int(cmdline_recognise(rows[i].text, strlen(rows[i].text)), rows[i].is_one, "\"%s\"",
			  rows[i].text);
}

/*
 * Documentation/admin-guide/mm/hugetlbpage.rst and mm/hugetlb.c: a hugepages= that comes first is of the default size and
 * wins there; a size that is named again is ignored with what follows, but for the default's while it has no pages.
 */
static void hugepages_as_the_kernel_counts_them(void **state)
{
	static const struct {
		const char *text;
		uint64_t of_2m, of_1g;
		size_t nr_doubts;
	} rows[] = {
		{"hugepages=256 hugepagesz=2M hugepages=512",                           256, 0,  1},
		{"hugepagesz=2M hugepages=512 hugepages=256",                           512, 0,  1},
		{"hugepages=64 hugepagesz=1G hugepages=2",                              64,  2,  0},
		{"hugepages=64 hugepagesz=1G hugepages=2 default_hugepagesz=1G",        0,   64, 1},
		{"hugepages=64 default_hugepagesz=1G hugepages=4",                      0,   4,  1},
		{"default_hugepagesz=1G hugepages=4 hugepagesz=2M hugepages=8",         8,   4,  0},
		{"default_hugepagesz=1G hugepagesz=1G hugepages=4",                     0,   4,  0},
		{"default_hugepagesz=1G hugepages=4 hugepagesz=1G hugepages=8",         0,   4,  1},
		{"default_hugepagesz=1G default_hugepagesz=2M hugepages=8 hugepages=4", 0,   4,  1},
		{"hugepagesz=1G hugepages=2 hugepagesz=1G hugepages=3",                 0,   2,  1},
		{"hugepagesz=1G hugepages=2 hugepagesz=3M hugepages=5 hugepages=3",     0,   2,  2},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_diags_ struct diags doubts = {0};
		_cleanup_cmdline_ struct cmdline c = {0};
		uint64_t of_2m = 0, of_1g = 0;

		check_int(cmdline_parse(rows[i].text, page_sizes_of(ARCH_X86_64, 4096), "", 1, &doubts, &c),
			  0, "%s", rows[i].text);
		for (size_t j = 0; j < c.nr_pools; j++)
			*(c.pools[j].size_bytes == GIB ? &of_1g : &of_2m) += c.pools[j].count;
		check_u64(of_2m, rows[i].of_2m, "2 MiB: %s", rows[i].text);
		check_u64(of_1g, rows[i].of_1g, "1 GiB: %s", rows[i].text);
		check_u64(doubts.nr, rows[i].nr_doubts, "doubts: %s", rows[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_short),
		cmocka_unit_test(garbled),
		cmocka_unit_test(out_of_memory),
		cmocka_unit_test(sizes_as_printed),
		cmocka_unit_test(command_lines_recognised),
		cmocka_unit_test(hugepages_as_the_kernel_counts_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
