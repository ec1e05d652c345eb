// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Descriptions nobody meant: examples mutated at random (from a fixed seed), and memory that runs out at any
 * point. Nothing may crash, leak or be half-applied; the sanitizers watch.
 */
#include "support/check.h"

#include <errno.h>
#include <glob.h>

#include "base/util.h"
#include "geometry/geometry.h"
#include "host/host.h"
#include "support/alloc_failure.h"

struct text {
	char *bytes;
	size_t len;
};

static struct text read_text(const char *path)
{
	struct text t = {malloc(1 << 16), 0};
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	t.len = fread(t.bytes, 1, 1 << 16, f);
	fclose(f);
	return t;
}

static void memory_runs_out(void **state)
{
	(void)state;
	struct text t = read_text(TEST_SOURCE_DIR "/configs/hosts/gpu-pmem-node.yaml");
	long total, tried = 0;
	struct host *host = NULL;

	nr_allocations = 0;
	check_int(host_load_text(t.bytes, t.len, "x", NULL, &host), 0, "all memory there is");
	total = nr_allocations;
	host_free(host);
	assert_true(total > 20);
	for (long at = 1; at <= total; at++) {
		_cleanup_diags_ struct diags diags = {0};
		int err;

		host = NULL;
		nr_allocations = 0;
		fail_at = at;
		err = host_load_text(t.bytes, t.len, "x", &diags, &host);
		fail_at = 0;
		check_int(err, -ENOMEM, "allocation %ld of %ld fails", at, total);
		assert_null(host);
		assert_true(diags.nr_errors > 0);
		tried++;
	}
	check_int(tried, total, "every allocation failed once");
	free(t.bytes);
}

static void copies_run_out(void **state)
{
	(void)state;
	struct text t = read_text(TEST_SOURCE_DIR "/configs/hosts/gpu-pmem-node.yaml");
	struct host *host = NULL, *copy;
	long total;

	check_int(host_load_text(t.bytes, t.len, "x", NULL, &host), 0, "load");
	nr_allocations = 0;
	copy = host_copy(host);
	total = nr_allocations;
	host_free(copy);
	for (long at = 1; at <= total; at++) {
		nr_allocations = 0;
		fail_at = at;
		copy = host_copy(host);
		fail_at = 0;
		assert_null(copy);
	}
	host_free(host);
	free(t.bytes);
}

/* xorshift64: the same mutations on every machine. */
static uint64_t next(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static void splice(struct text *t, size_t at, size_t remove, const char *insert, size_t len)
{
	char *bytes = malloc(t->len - remove + len + 1);

	memcpy(bytes, t->bytes, at);
	memcpy(bytes + at, insert, len);
	memcpy(bytes + at + len, t->bytes + at + remove, t->len - at - remove);
	free(t->bytes);
	t->bytes = bytes;
	t->len += len - remove;
}

static void mutate(struct text *t, uint64_t *seed)
{
	static const char *const words[] = {
		"{",        "}",      "[",           "]",     ": ",      "- ",
		"\n",       "*a",     "&a ",         "? ",    "---\n",   "\"",
		"'",        "#",      "!!int ",      "0",     "-1",      "18446744073709551615",
		"4PiB",     "16GiB",  "1e999",       "null",  "true",    "\xff",
		"\xc3\xa9", "|\n",    "%YAML 1.1\n", "<<: ",  "name: ",  "align",
		"node",     "count:", "0.5",         "64KiB", "aarch64", "size: 3",
	};
	size_t at = t->len ? next(seed) % t->len : 0, rest = t->len - at;
	const char *word = words[next(seed) % ARRAY_SIZE(words)];
	size_t some = rest ? next(seed) % MIN(rest, (size_t)40) : 0;

	switch (next(seed) % 4) {
	case 0:
		splice(t, at, 0, word, strlen(word));
		break;
	case 1:
		splice(t, at, some, "", 0);
		break;
	case 2:
		splice(t, at, MIN(some, strlen(word)), word, strlen(word));
		break;
	default: {
		_cleanup_free_ char *piece = malloc(some + 1);

		memcpy(piece, t->bytes + at, some);
		splice(t, next(seed) % (t->len + 1), 0, piece, some);
	}
	}
}

/*
 * Right or wrong, but told: an error has a diagnostic, and what is accepted is written, read back and laid out.
 */
static void try_text(const struct text *t, unsigned int *nr_right)
{
	_cleanup_diags_ struct diags diags = {0};
	_cleanup_host_ struct host *host = NULL, *again = NULL;
	_cleanup_work_ struct work *work = NULL;
	_cleanup_free_ char *saved = NULL;
	size_t len;
	int err = host_load_text(t->bytes, t->len, "fuzz", &diags, &host);
	FILE *f;

	if (err) {
		check_int(err, -EINVAL, "error");
		assert_true(diags.nr_errors > 0);
		assert_null(host);
		return;
	}
	check_u64(diags.nr_errors, 0, "no errors");
	(*nr_right)++;
	f = open_memstream(&saved, &len);
	check_int(host_save(host, f), 0, "save");
	fclose(f);
	if (host_load_text(saved, len, "saved", &diags, &again)) {
		diags_print(&diags, stderr);
		print_error("%s\n", saved);
		fail();
	}
	err = work_new(host, &diags, &work);
	assert_true(!err || ((err == -EINVAL || err == -EOVERFLOW) && diags.nr_errors > 0));
}

static void mutations(void **state)
{
	(void)state;
	enum { ROUNDS = 400 };
	unsigned int nr_right = 0, nr = 0;
	uint64_t seed = 20230913;
	glob_t files;

	check_int(glob(TEST_SOURCE_DIR "/configs/hosts/*.yaml", 0, NULL, &files), 0, "examples");
	for (size_t i = 0; i < files.gl_pathc; i++) {
		for (int round = 0; round < ROUNDS; round++) {
			struct text t = read_text(files.gl_pathv[i]);

			for (uint64_t n = next(&seed) % 6 + 1; n; n--)
				mutate(&t, &seed);
			try_text(&t, &nr_right);
			free(t.bytes);
			nr++;
		}
	}
	globfree(&files);
	/* Mutations that are all wrong, or all right, test little. */
	assert_true(nr_right > nr / 20 && nr_right < nr - nr / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_runs_out),
		cmocka_unit_test(copies_run_out),
		cmocka_unit_test(mutations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
