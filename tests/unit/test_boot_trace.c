// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of tracefs's trace file, and what only looks like one. */
#include "support/check.h"
#include "support/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/root.h"
#include "base/util.h"
#include "trace/boot_trace.h"

/* clang-format off */
static const struct {
	const char *text;
	uint32_t calls; /* of buffer_init */
	uint64_t first_ns;
} rows[] = {
	{"       swapper/0-1       [000] .....     0.985321: buffer_init <-page_alloc_init_late\n", 1, 985321000},
	{"swapper/0-1 [000] .l... 12.5: buffer_init.constprop.0 <-x", 1, 12500000000},
	/* the earliest, in whatever order, among other lines */
	{"[    0.1] Memory: 1K/2K available\na [b]-7 [12] d.... 2.000002: buffer_init <-x\na-7 [001] d.... 2.000001: buffer_init <-x\n",
	 2, 2000001000},
	/* not this function, and no lines of a trace */
	{"swapper/0-1 [000] ..... 0.985321: buffer_init_late <-x\n", 0, 0},
	{"swapper/0-1 [000] ..... 0.985321: buffer_init\n", 0, 0},
	{"swapper/0-1 [000] ..... buffer_init <-x\n", 0, 0},
	{"swapper/0-1 [000] ..... 985321: buffer_init <-x\n", 0, 0},
	{"swapper/0-1 [000] ..... 99999999999999999999.000001: buffer_init <-x\n", 0, 0},
	{"swapper/0-1 [000]\n", 0, 0},
	{"[", 0, 0},
	{"", 0, 0},
};
/* clang-format on */

static void lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct boot_trace trace;

		check_int(boot_trace_parse(rows[i].text, strlen(rows[i].text), &trace), rows[i].calls > 0,
			  "row %zu", i);
		check_u64(trace.calls[CALL_BUFFER_INIT], rows[i].calls, "row %zu: calls", i);
		check_u64(trace.first_ns[CALL_BUFFER_INIT], rows[i].first_ns, "row %zu: stamp", i);
	}
}

/* clang-format off */
static const struct {
	const char *cmdline, *trace; /* trace NULL: there is no such file */
	uint32_t calls;
	const char *note; /* NULL: none */
} boots[] = {
	{"quiet", "a-1 [000] ..... 1.000000: buffer_init <-x\n", 0, NULL},
	{"quiet ftrace=function", "a-1 [000] ..... 1.000000: buffer_init <-x\n", 1, NULL},
	{"ftrace=function", "# tracer: nop\n", 0, "has no call of the memory map's: start it with ftrace=function trace_clock=global"},
	{"ftrace=function", NULL, 0, "its trace cannot be read: No such file"},
};
/* clang-format on */

static void this_boot(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(boots); i++) {
		_cleanup_diags_ struct diags diags = {0};
		struct boot_trace trace;
		struct tree tree;
		struct root root;

		tree_make(&tree);
		tree_put(&tree, "proc/cmdline", boots[i].cmdline);
		if (boots[i].trace)
			tree_put(&tree, "sys/kernel/tracing/trace", boots[i].trace);
		assert_int_equal(root_open(tree.dir, &root), 0);
		assert_int_equal(boot_trace_read_live(&root, &diags, &trace), 0);
		check_u64(trace.calls[CALL_BUFFER_INIT], boots[i].calls, "row %zu: calls", i);
		check_u64(diags.nr, boots[i].note != NULL, "row %zu: notes", i);
		if (boots[i].note)
			assert_non_null(strstr(diags.items[0].text, boots[i].note));
		root_close(&root);
		tree_remove(&tree);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(this_boot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
