// SPDX-License-Identifier: GPL-2.0-or-later
/* Attribution of traced calls, lookup of functions, and undoing: all on made-up files. */
#include "support/check.h"
#include "support/tree.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/root.h"
#include "base/util.h"
#include "trace/spans.h"
#include "trace/symbols.h"
#include "trace/undo.h"

static struct tree tree;

static int make_dir(void **state)
{
	(void)state;
	tree_make(&tree);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	tree_remove(&tree);
	return 0;
}

static char *in_dir(const char *name)
{
	char *path;

	assert_true(asprintf(&path, "%s/%s", tree.dir, name) > 0);
	return path;
}

static void check_file(const char *name, const char *want)
{
	_cleanup_free_ char *text = NULL;
	struct root root;

	assert_int_equal(root_open(tree.dir, &root), 0);
	int err = root_read(&root, &text, "%s", name);

	root_close(&root);
	assert_int_equal(err, 0);
	check_str(text, want, "%s", name);
}

/* A bind as function_graph shows it, in the order its records come: by the calls' ends. Times by hand. */
static void a_bind(void **state)
{
	struct span spans[] = {
		{ROLE_GRACE_PERIOD, 120, 150}, /* mem_hotplug_begin, outside the stage */
		{ROLE_GRACE_PERIOD, 210, 220}, /* and one inside it: the stage's own */
		{ROLE_ADD_MEMORY,   205, 290}, /* add_pages in arch_add_memory */
		{ROLE_ADD_MEMORY,   200, 300},
                {ROLE_MOVE_ZONE,    300, 310},
		{ROLE_MEMMAP_INIT,  330, 530},
                {ROLE_PROBE,        110, 600}, /* dev_dax_probe */
		{ROLE_PROBE,        105, 610}, /* dax_bus_probe */
		{ROLE_GRACE_PERIOD, 650, 651}, /* synchronize_rcu.part.0 in synchronize_rcu */
		{ROLE_GRACE_PERIOD, 649, 652},
                {ROLE_DEVICES,      640, 660},
		{ROLE_PROBE,        100, 700}, /* dax_pmem_probe */
	};
	struct role_time got[NR_ROLES];
	uint64_t sum = 0;

	(void)state;
	spans_attribute(spans, ARRAY_SIZE(spans), got);
	check_u64(got[ROLE_ADD_MEMORY].ns, 100, "add_memory");
	check_u64(got[ROLE_ADD_MEMORY].calls, 1, "add_memory calls");
	check_u64(got[ROLE_MOVE_ZONE].ns, 10, "move_zone");
	check_u64(got[ROLE_MEMMAP_INIT].ns, 200, "memmap_init");
	check_u64(got[ROLE_GRACE_PERIOD].ns, 33, "grace periods");
	check_u64(got[ROLE_GRACE_PERIOD].calls, 2, "grace periods");
	check_u64(got[ROLE_DEVICES].ns, 17, "devices");
	check_u64(got[ROLE_PROBE].ns, 240, "drivers");
	check_u64(got[ROLE_PROBE].calls, 1, "drivers");
	for (int r = 0; r < NR_ROLES; r++)
		sum += got[r].ns;
	check_u64(sum, 600, "what the outermost took");
}

static void spans_at_the_edges(void **state)
{
	struct role_time got[NR_ROLES];
	struct span same[] = {
		{ROLE_PROBE,       5, 9},
                {ROLE_MEMMAP_INIT, 5, 9}
        };
	struct span deep[64];

	(void)state;
	spans_attribute(NULL, 0, got);
	check_u64(got[ROLE_PROBE].ns, 0, "no spans");
	spans_attribute(same, ARRAY_SIZE(same), got);
	check_u64(got[ROLE_PROBE].ns + got[ROLE_MEMMAP_INIT].ns, 4, "the same time twice");
	for (size_t i = 0; i < ARRAY_SIZE(deep); i++)
		deep[i] = (struct span){ROLE_PROBE, i, 1000 - i};
	spans_attribute(deep, ARRAY_SIZE(deep), got);
	check_u64(got[ROLE_PROBE].ns, 1000, "deeper than the stack");
	check_u64(got[ROLE_PROBE].calls, 1, "one call of a role");
}

/* A thread that slept may wake on a CPU whose clock is ahead: a call seems to end after its caller, or the next to begin early. */
static void spans_of_two_clocks(void **state)
{
	struct span spans[] = {
		{ROLE_PROBE,        100, 200},
		{ROLE_GRACE_PERIOD, 110, 160},
		{ROLE_DEVICES,      150, 205},
		{ROLE_MEMMAP_INIT,  190, 210},
	};
	struct role_time got[NR_ROLES];
	uint64_t sum = 0;

	(void)state;
	spans_attribute(spans, ARRAY_SIZE(spans), got);
	for (int r = 0; r < NR_ROLES; r++) {
		sum += got[r].ns;
		assert_true(got[r].ns <= 100);
	}
	check_u64(sum, 100, "what the outermost took");
}

static const struct traced_function some[] = {
	{"arch_add_memory",  ROLE_ADD_MEMORY},
	{"synchronize_rcu",                  ROLE_GRACE_PERIOD},
	{"device_add",ROLE_DEVICES},
	{0      },
};

/* The three ways a kernel shows its functions; the last is all that one without function tracer has. */
static void functions_found(void **state)
{
	static const struct {
		const char *addrs, *functions, *kallsyms;
		size_t nr;
		uint64_t add_memory; /* its address */
	} rows[] = {
		{"ffffffff81000010 arch_add_memory\nffffffff81000204 device_add\nffffffff81000304 "
		 "device_add_disk\n"
		 "ffffffff81000404 xdevice_add\n", NULL,										  NULL, 2, 0xffffffff81000010},
		{NULL,					      "arch_add_memory\nsynchronize_rcu.part.0\nsynchronize_rcu\nnd_pmem_probe [nd_pmem]\n",
		 "ffffffff81000000 T arch_add_memory\nffffffff81000100 t synchronize_rcu.part.0\n"
		 "ffffffff81000200 T synchronize_rcu\nffffffff81000300 T device_add\n",									  3, 0xffffffff81000000},
		{NULL,					      NULL,
		 "0000000000000000 T arch_add_memory\n0000000000000000 t arch_add_memory.cold\n"
		 "0000000000000000 d device_add\n0000000000000000 t device_add.isra.0\t[mod]\n",								 2, 0                 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_symbols_ struct symbols symbols = {0};
		_cleanup_tree_ struct tree tree_of_row;
		struct root root;

		tree_make(&tree_of_row);
		if (rows[i].addrs)
			tree_put(&tree_of_row, "t/available_filter_functions_addrs", rows[i].addrs);
		if (rows[i].functions)
			tree_put(&tree_of_row, "t/available_filter_functions", rows[i].functions);
		if (rows[i].kallsyms)
			tree_put(&tree_of_row, "proc/kallsyms", rows[i].kallsyms);
		assert_int_equal(root_open(tree_of_row.dir, &root), 0);
		check_int(symbols_find(&root, "t", some, &symbols), 0, "row %zu", i);
		root_close(&root);
		check_u64(symbols.nr, rows[i].nr, "row %zu: functions", i);
		check_str(symbols.items[0].name, "arch_add_memory", "row %zu", i);
		check_u64(symbols.items[0].address, rows[i].add_memory, "row %zu: address", i);
		assert_ptr_equal(symbols_at(&symbols, 0x1234), NULL);
		if (!rows[i].add_memory)
			continue;
		assert_ptr_equal(symbols_at(&symbols, rows[i].add_memory + 4), &symbols.items[0]);
		assert_ptr_equal(symbols_at(&symbols, rows[i].add_memory + 64), NULL);
		symbols.items[1].address = rows[i].add_memory + 16; /* a function right behind it */
		assert_ptr_equal(symbols_at(&symbols, rows[i].add_memory + 20), &symbols.items[1]);
		assert_ptr_equal(symbols_at(&symbols, rows[i].add_memory + 16), &symbols.items[1]);
		assert_ptr_equal(symbols_at(&symbols, rows[i].add_memory + 4), &symbols.items[0]);
	}
}

static void no_functions(void **state)
{
	struct symbols symbols = {0};
	struct root root;

	(void)state;
	tree_put(&tree, "proc/kallsyms", "0000000000000000 T printk\n");
	assert_int_equal(root_open(tree.dir, &root), 0);
	check_int(symbols_find(&root, "nowhere", some, &symbols), -ENOENT, "none of them");
	root_close(&root);
}

static struct undo *open_undo(const char *path)
{
	struct undo *undo = NULL;

	assert_int_equal(undo_open(path, NULL, &undo), 0);
	return undo;
}

/* Newest first, conditions looked at when it is done, and no file left. */
static void undone_in_reverse(void **state)
{
	_cleanup_free_ char *list = in_dir("list"), *value = in_dir("value"), *sub = in_dir("sub"),
			    *no = in_dir("no");
	struct undo *undo = open_undo(list);
	struct stat st;

	(void)state;
	tree_put(&tree, "value", "now");
	assert_int_equal(undo_write(undo, value, "old"), 0);
	assert_int_equal(undo_write(undo, value, "new"), 0);
	assert_int_equal(undo_write_unless(undo, value, value, "no1"), 0);
	assert_int_equal(undo_write_if(undo, no, value, "no2"), 0);
	assert_int_equal(undo_rmdir(undo, sub), 0);
	assert_int_equal(undo_rmdir(undo, no), 0);
	assert_int_equal(mkdir(sub, 0700), 0);
	check_u64(undo_pending(undo), 6, "pending");
	assert_int_equal(undo_to(undo, 1, NULL), 0);
	check_file("value", "new");
	check_int(stat(sub, &st), -1, "the directory is gone");
	assert_int_equal(undo_all(undo, NULL), 0);
	check_file("value", "old");
	undo_close(undo);
	check_int(stat(list, &st), -1, "the list is gone");
}

static void cleared(void **state)
{
	_cleanup_free_ char *list = in_dir("list"), *value = in_dir("value");
	struct undo *undo = open_undo(list);

	(void)state;
	tree_put(&tree, "value", "filter");
	assert_int_equal(undo_clear(undo, value), 0);
	assert_int_equal(undo_all(undo, NULL), 0);
	check_file("value", "");
	undo_close(undo);
}

/* Writing "offline" to a block that is offline is an error: such a file is left alone, as is one that has gone. */
static void set_where_it_differs(void **state)
{
	static const struct {
		const char *before, *after;
	} rows[] = {
		{"offline\n", "offline"},
                {"offline",   "offline"},
                {"online\n",  "offline"}
        };
	_cleanup_free_ char *list = in_dir("list"), *value = in_dir("value"), *gone = in_dir("never");
	struct undo *undo = open_undo(list);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		tree_put(&tree, "value", rows[i].before);
		assert_int_equal(undo_set(undo, value, "offline"), 0);
		assert_int_equal(undo_set(undo, gone, "offline"), 0);
		assert_int_equal(undo_all(undo, NULL), 0);
		check_file("value", rows[i].after);
	}
	/* Nobody can write this one. */
	assert_int_equal(undo_set(undo, "/proc/sys/kernel/ostype", "Linux"), 0);
	check_int(undo_all(undo, NULL), 0, "it is so already");
	assert_int_equal(undo_set(undo, "/proc/sys/kernel/ostype", "Linu"), 0);
	assert_true(undo_all(undo, NULL) < 0);
	assert_int_equal(undo_forget(undo, 0), 0);
	undo_close(undo);
}

/* What a killed process left is done by the next one, whatever bytes are in it. */
static void survives_a_kill(void **state)
{
	static const char odd[] = "a\tb\\n\nc\\";
	_cleanup_free_ char *list = in_dir("list"), *value = in_dir("value");
	int status;
	pid_t child = fork();

	(void)state;
	tree_put(&tree, "value", "changed by it, and longer");
	if (!child) {
		struct undo *undo = NULL;

		if (undo_open(list, NULL, &undo) || undo_write(undo, value, odd) ||
		    undo_write(undo, value, "x"))
			_exit(1);
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	FILE *f = fopen(list, "a"); /* a line that was cut short */

	fputs("write\t/nowhere", f);
	fclose(f);
	struct undo *undo = open_undo(list);

	check_u64(undo_pending(undo), 2, "pending");
	/* What is noted now is not written on the same line. */
	assert_int_equal(undo_clear(undo, value), 0);
	undo_close(undo);
	undo = open_undo(list);
	check_u64(undo_pending(undo), 3, "and what was noted since");
	assert_int_equal(undo_all(undo, NULL), 0);
	check_file("value", odd);
	undo_close(undo);
}

/* Steps that are still needed stay in the file while later ones are taken out, even where there is no room to write. */
static void kept_while_others_go(void **state)
{
	_cleanup_free_ char *list = in_dir("list"), *value = in_dir("value");
	int status;
	pid_t child = fork();

	(void)state;
	tree_put(&tree, "value", "");
	if (!child) {
		const struct rlimit no_room = {1, 1};
		struct undo *undo = NULL;

		signal(SIGXFSZ, SIG_IGN);
		if (undo_open(list, NULL, &undo) || undo_write(undo, value, "first") ||
		    undo_write(undo, "/nowhere/a", "") || undo_write(undo, value, "second") ||
		    undo_write(undo, value, "third") || setrlimit(RLIMIT_FSIZE, &no_room) ||
		    undo_forget(undo, 3) || undo_to(undo, 1, NULL) == 0)
			_exit(1);
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	struct undo *undo = open_undo(list);

	check_u64(undo_pending(undo), 1, "pending");
	assert_int_equal(undo_all(undo, NULL), 0);
	check_file("value", "first");
	undo_close(undo);
}

static void failures_stay(void **state)
{
	_cleanup_free_ char *list = in_dir("list"), *value = in_dir("value"), *gone = in_dir("gone");
	_cleanup_diags_ struct diags diags = {0};
	struct undo *undo = open_undo(list);

	(void)state;
	tree_put(&tree, "value", "");
	assert_int_equal(undo_write(undo, value, "first"), 0);
	assert_int_equal(undo_write(undo, gone, "x"), 0);
	assert_int_equal(undo_write(undo, value, "last"), 0);
	check_int(undo_all(undo, &diags), -ENOENT, "one cannot be done");
	check_u64(diags.nr_errors, 1, "said once");
	check_file("value", "first");
	check_u64(undo_pending(undo), 1, "it stays");
	undo_close(undo);
	tree_put(&tree, "gone", "");
	undo = open_undo(list);
	check_u64(undo_pending(undo), 1, "and is there for the next one");
	assert_int_equal(undo_all(undo, NULL), 0);
	check_file("gone", "x");
	undo_close(undo);
}

static void one_at_a_time(void **state)
{
	_cleanup_free_ char *list = in_dir("list");
	_cleanup_diags_ struct diags diags = {0};
	struct undo *undo = open_undo(list), *other = NULL;

	(void)state;
	check_int(undo_open(list, &diags, &other), -EBUSY, "held by another");
	check_u64(diags.nr_errors, 1, "and it says so");
	undo_close(undo);
}

/* Whoever has the list has it under its name, however many come and go. */
static void never_without_a_name(void **state)
{
	_cleanup_free_ char *list = in_dir("list");
	int status, nr_opened = 0;

	(void)state;
	unlink(list);
	pid_t child = fork();

	for (int i = 0; i < 1000000 && nr_opened < 20000; i++) {
		struct undo *undo = NULL;
		struct stat st;

		if (undo_open(list, NULL, &undo))
			continue;
		nr_opened++;
		if (stat(list, &st)) {
			if (!child)
				_exit(1);
			fail_msg("the list has no name after it was opened %d times", nr_opened);
		}
		undo_close(undo);
	}
	if (!child)
		_exit(0);
	assert_true(nr_opened > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	check_int(status, 0, "in the other process");
}

static void not_such_a_file(void **state)
{
	static const char *const texts[] = {
		"hello\n",
		"memmapctl undo 1\nwrite\t/x\n",
		"memmapctl undo 1\nrun\t/x\ty\t\n",
		"memmapctl undo 1\nwrite\tx\ty\t\n",
		"memmapctl undo 1\nwrite\t/x\ty\t?/z\n",
	};
	_cleanup_free_ char *list = in_dir("list");

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		_cleanup_diags_ struct diags diags = {0};
		struct undo *undo = NULL;

		tree_put(&tree, "list", texts[i]);
		check_int(undo_open(list, &diags, &undo), -EINVAL, "text %zu", i);
		check_u64(diags.nr_errors, 1, "text %zu: said", i);
	}
	unlink(list);
}

/* Steps are done as root: a list that others can write is not taken. */
static void writable_by_others(void **state)
{
	_cleanup_free_ char *list = in_dir("list"), *target = in_dir("target");
	struct undo *undo = NULL;

	(void)state;
	tree_put(&tree, "list", "memmapctl undo 1\n");
	assert_int_equal(chmod(list, 0666), 0);
	check_int(undo_open(list, NULL, &undo), -EPERM, "world-writable");
	unlink(list);
	tree_put(&tree, "target", "");
	assert_int_equal(symlink(target, list), 0);
	check_int(undo_open(list, NULL, &undo), -ELOOP, "a link");
	unlink(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bind),
		cmocka_unit_test(spans_at_the_edges),
		cmocka_unit_test(spans_of_two_clocks),
		cmocka_unit_test(functions_found),
		cmocka_unit_test(no_functions),
		cmocka_unit_test(undone_in_reverse),
		cmocka_unit_test(cleared),
		cmocka_unit_test(set_where_it_differs),
		cmocka_unit_test(survives_a_kill),
		cmocka_unit_test(kept_while_others_go),
		cmocka_unit_test(failures_stay),
		cmocka_unit_test(one_at_a_time),
		cmocka_unit_test(never_without_a_name),
		cmocka_unit_test(not_such_a_file),
		cmocka_unit_test(writable_by_others),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
