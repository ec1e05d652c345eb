// SPDX-License-Identifier: GPL-2.0-or-later
/* Trees in memory, archives of them, and roots over both kinds: what leads out of a saved host must not. */
#include "support/memory_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/util.h"

static void folders_and_repeats(void **state)
{
	(void)state;
	_cleanup_tree_ struct tree t = {0};
	static const struct tree_row rows[] = {
		{"sys/node/node10/x", "1"  },
		{"sys/node/node1-a",  "2"  },
		{"sys/node/node1/x",  "old"},
		{"sys/node/node1/x",  "new"},
	};
	const struct tree_entry *e;

	tree_put_rows(&t, rows, ARRAY_SIZE(rows));
	check_int(tree_finish(&t), 0, "finish");
	assert_non_null(tree_find(&t, "sys"));
	check_int(tree_find(&t, "sys/node/node1")->kind, TREE_DIR, "a folder that only a path implies");
	check_str(tree_find(&t, "sys/node/node1/x")->data, "new\n", "the last of two");
	assert_null(tree_find(&t, "sys/node/node"));
	e = tree_child(&t, "sys/node", NULL);
	check_str(e->path, "sys/node/node1", "first");
	e = tree_child(&t, "sys/node", e);
	check_str(e->path, "sys/node/node1-a", "second");
	e = tree_child(&t, "sys/node", e);
	check_str(e->path, "sys/node/node10", "third");
	assert_null(tree_child(&t, "sys/node", e));
	e = tree_child(&t, "", NULL);
	check_str(e->path, "sys", "the top's");
	assert_null(tree_child(&t, "", e));
	check_u64(t.nr, 7, "entries: no more and no less");
}

static void empty_tree(void **state)
{
	(void)state;
	_cleanup_tree_ struct tree t = {0};

	check_int(tree_finish(&t), 0, "finish");
	assert_null(tree_find(&t, "sys"));
	assert_null(tree_child(&t, "", NULL));
}

/* Links stay inside, however they try to leave. */
static void links(void **state)
{
	(void)state;
	_cleanup_tree_ struct tree t = {0};
	static const struct tree_row rows[] = {
		{"etc/passwd",   "inside"                      },
		{"sys/a/file",   "7"                           },
		{"sys/up",       "-> ../../../../../etc/passwd"},
		{"sys/absolute", "-> /etc/passwd"              },
		{"sys/dir",      "-> a"                        },
		{"sys/chain",    "-> dir/../dir/file"          },
		{"sys/loop",     "-> loop"                     },
		{"sys/loop2",    "-> ./loop2/x"                },
		{"sys/dangling", "-> nowhere"                  },
	};
	static const struct {
		const char *path, *text;
		int err;
	} cases[] = {
		{"sys/up",            "inside", 0      },
                {"/sys/absolute",     "inside", 0      },
                {"sys/dir/file",      "7",      0      },
		{"sys//chain",        "7",      0      },
                {"sys/./a/../a/file", "7",      0      },
                {"../../sys/a/file",  "7",      0      },
		{"sys/loop",          NULL,     -ELOOP },
                {"sys/loop2",         NULL,     -ELOOP },
                {"sys/dangling",      NULL,     -ENOENT},
		{"sys/a",             NULL,     -EISDIR},
                {"sys/none",          NULL,     -ENOENT},
	};
	struct root root;

	tree_put_rows(&t, rows, ARRAY_SIZE(rows));
	root = tree_root(&t);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *text = NULL;

		check_int(root_read(&root, &text, "%s", cases[i].path), cases[i].err, "%s", cases[i].path);
		if (!cases[i].err)
			check_str(text, cases[i].text, "%s", cases[i].path);
	}
	check_int(root_exists(&root, "sys/dangling"), false, "a link to nowhere is not there");
	check_int(root_exists(&root, "sys/dir"), true, "what a link leads to is");
}

/* The same on a disk: a folder that somebody sent. */
static void links_of_folder(void **state)
{
	(void)state;
	char dir[] = P_tmpdir "/memmapctl-test.XXXXXX", path[64];
	_cleanup_free_ char *text = NULL;
	struct root root;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/passwd", dir);
	check_int(symlink("/etc/passwd", path), 0, "link");
	check_int(root_open(dir, &root), 0, "open");
	check_int(root_read(&root, &text, "passwd"), -ENOENT, "this system's file is not the saved host's");
	root_close(&root);
	unlink(path);
	rmdir(dir);
}

static void keep_first_word(char *text)
{
	text[strcspn(text, " \n")] = 0;
}

/* What is read, and nothing else, is in the record; over the record it reads the same. */
static void recording(void **state)
{
	(void)state;
	_cleanup_tree_ struct tree t = {0}, record = {0};
	static const struct tree_row rows[] = {
		{"sys/bus/dax0.0",                 "-> ../devices/region/dax0.0"},
		{"sys/devices/region/dax0.0/size", "4096"                       },
		{"sys/devices/region/dax0.0/uuid", "secret-uuid"                },
		{"sys/devices/region/link",        "-> dax0.0"                  },
		{"sys/devices/region/sub/x",       "1"                          },
		{"proc/cmdline",                   "keep secret-word"           },
	};
	_cleanup_free_ char *text = NULL;
	_cleanup_(root_names_free) char **names = NULL;
	struct root root, again;
	uint64_t size;

	tree_put_rows(&t, rows, ARRAY_SIZE(rows));
	tree_add(&t, "proc/denied", TREE_DENIED, "", 0);
	root = tree_root(&t);
	root.record = &record;
	check_int(root_read_u64(&root, &size, "sys/bus/dax0.0/size"), 0, "through a link");
	check_int(root_read_part(&root, &text, keep_first_word, "proc/cmdline"), 0, "part");
	check_str(text, "keep", "part");
	check_int(root_list(&root, &names, "sys/devices/region"), 0, "list");
	check_int(root_read(&root, &text, "proc/denied"), -EACCES, "denied");
	check_int(root_read(&root, &text, "proc/missing"), -ENOENT, "missing");

	again = tree_root(&record);
	check_int(root_read_u64(&again, &size, "sys/bus/dax0.0/size"), 0, "again");
	check_u64(size, 4096, "again");
	check_int(root_read(&again, &text, "proc/denied"), -EACCES, "denied again");
	check_int(root_read(&again, &text, "proc/missing"), -ENOENT, "missing again");
	root_names_free(&names);
	check_int(root_list(&again, &names, "sys/devices/region"), 0, "list again");
	check_str(names[0], "dax0.0", "names");
	check_str(names[1], "link", "names");
	check_str(names[2], "sub", "names");
	assert_null(names[3]);
	for (size_t i = 0; i < record.nr; i++)
		assert_null(strstr(record.items[i].data, "secret"));
	assert_null(tree_find(&record, "sys/devices/region/sub/x"));
}

/* That something is there is not what it holds: neither takes the other's place. */
static void seen_and_read(void **state)
{
	(void)state;
	_cleanup_tree_ struct tree t = {0}, record = {0};
	static const struct tree_row rows[] = {
		{"sys/a", "1"},
		{"sys/b", "2"},
		{"sys/c", "3"},
	};
	_cleanup_free_ char *text = NULL, *path = NULL;
	struct root root, again;
	uint64_t value;

	tree_put_rows(&t, rows, ARRAY_SIZE(rows));
	tree_add(&t, "sys/denied", TREE_DENIED, "", 0);
	root = tree_root(&t);
	root.record = &record;
	check_int(root_read_u64(&root, &value, "sys/a"), 0, "read");
	check_int(root_exists(&root, "sys/a"), true, "then looked at");
	check_int(root_read_u64(&root, &value, "sys/b"), 0, "read");
	check_int(root_realpath(&root, &path, "sys/b"), 0, "then found");
	check_int(root_exists(&root, "sys/c"), true, "looked at only");
	check_int(root_read(&root, &text, "sys/denied"), -EACCES, "denied");
	check_int(root_exists(&root, "sys/denied"), true, "then looked at");

	for (int i = 0; i < 2; i++) {
		again = tree_root(&record);
		check_int(root_read_u64(&again, &value, "sys/a"), 0, "still read");
		check_u64(value, 1, "still there");
		check_int(root_read_u64(&again, &value, "sys/b"), 0, "still read");
		check_int(root_exists(&again, "sys/c"), true, "still there");
		check_int(root_read(&again, &text, "sys/denied"), -EACCES, "still denied");
		/* What is looked at later does not count either. */
		check_int(root_exists(&root, "sys/a"), true, "looked at again");
	}
	check_int(root_read_u64(&root, &value, "sys/c"), 0, "read late");
	again = tree_root(&record);
	check_int(root_read_u64(&again, &value, "sys/c"), 0, "what is read late counts");
	check_u64(value, 3, "read late");
}

static FILE *temporary(char path[64], const char *ending)
{
	int fd;

	snprintf(path, 64, "%s/memmapctl-test.XXXXXX%s", P_tmpdir, ending);
	fd = mkstemps(path, (int)strlen(ending));
	assert_true(fd >= 0);
	return fdopen(fd, "w");
}

static void archives(void **state)
{
	(void)state;
	static const char *const endings[] = {".tar", ".tar.zst", ".tar.gz", ".tar.xz", ".tar.bz2"};
	static const struct tree_row rows[] = {
		{"proc/cmdline", "quiet" },
		{"sys/a/b",      "12"    },
		{"sys/empty",    NULL    },
		{"sys/link",     "-> a/b"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		_cleanup_tree_ struct tree t = {0}, back = {0};
		_cleanup_diags_ struct diags diags = {0};
		char path[64];
		FILE *f = temporary(path, endings[i]);

		tree_put_rows(&t, rows, ARRAY_SIZE(rows));
		tree_add(&t, "sys/denied", TREE_DENIED, "", 0);
		check_int(tree_finish(&t), 0, "finish");
		check_int(tree_save_knows(path), true, "%s", endings[i]);
		check_int(tree_save(&t, path, f, &diags), 0, "save %s", endings[i]);
		fclose(f);
		check_int(tree_load(path, &diags, &back), 0, "load %s", endings[i]);
		check_u64(back.nr, t.nr, "entries");
		for (size_t j = 0; j < t.nr && j < back.nr; j++) {
			check_str(back.items[j].path, t.items[j].path, "path");
			check_int(back.items[j].kind, t.items[j].kind, "kind of %s", t.items[j].path);
			check_str(back.items[j].data, t.items[j].data, "content of %s", t.items[j].path);
		}
		check_u64(diags.nr, 0, "nothing to say");
		unlink(path);
	}
	check_int(tree_save_knows("host.zip"), false, "an ending of another kind");
	check_int(tree_save_knows(".tar"), false, "no name before it");
}

/* The folder above proc and sys goes, whatever it is called. */
static void top_folder(void **state)
{
	(void)state;
	static const struct tree_row rows[] = {
		{"some/host/sys/proc/x",   "1"},
		{"some/host/proc/version", "2"},
		{"some/other",             "3"},
	};
	_cleanup_tree_ struct tree t = {0}, back = {0};
	_cleanup_diags_ struct diags diags = {0};
	char path[64];
	FILE *f = temporary(path, ".tar");

	tree_put_rows(&t, rows, ARRAY_SIZE(rows));
	check_int(tree_finish(&t), 0, "finish");
	check_int(tree_save(&t, path, f, &diags), 0, "save");
	fclose(f);
	check_int(tree_load(path, &diags, &back), 0, "load");
	assert_non_null(tree_find(&back, "proc/version"));
	assert_non_null(tree_find(&back, "sys/proc/x"));
	assert_null(tree_find(&back, "some"));
	unlink(path);
}

static void broken_archives(void **state)
{
	(void)state;
	static const char junk[] =
		"this is no archive, and long enough that nobody takes it for a short read";
	_cleanup_tree_ struct tree t = {0};
	_cleanup_diags_ struct diags diags = {0};
	char path[64];
	FILE *f = temporary(path, ".tar.gz");

	fwrite(junk, 1, sizeof(junk), f);
	fclose(f);
	check_int(tree_load(path, &diags, &t), -EINVAL, "junk");
	check_u64(diags.nr_errors, 1, "said");
	check_str(diags.items[0].file, path, "of which file");
	unlink(path);
	check_int(tree_load(path, &diags, &t), -ENOENT, "missing");
	check_u64(diags.nr_errors, 2, "said");

	tree_put(&t, "boot/config", "x");
	check_int(tree_finish(&t), 0, "finish");
	f = temporary(path, ".tar");
	check_int(tree_save(&t, path, f, &diags), 0, "save");
	fclose(f);
	tree_free(&t);
	check_int(tree_load(path, &diags, &t), -EINVAL, "neither proc nor sys");
	assert_non_null(strstr(diags.items[2].text, "no saved host"));
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folders_and_repeats),
		cmocka_unit_test(empty_tree),
		cmocka_unit_test(links),
		cmocka_unit_test(links_of_folder),
		cmocka_unit_test(recording),
		cmocka_unit_test(seen_and_read),
		cmocka_unit_test(archives),
		cmocka_unit_test(top_folder),
		cmocka_unit_test(broken_archives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
