// SPDX-License-Identifier: GPL-2.0-or-later
/* Pools of hugepages that are files: each write succeeds, and a clock of the test's own tells the time. */
#include "support/check.h"
#include "support/tree.h"

#include <errno.h>

#include "base/root.h"
#include "base/units.h"
#include "base/util.h"
#include "measure/kernel_hugepages.h"

#define POOL_2M      "sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages"
#define POOL_1G_NODE "sys/devices/system/node/node1/hugepages/hugepages-1048576kB/nr_hugepages"
#define HVO          "proc/sys/vm/hugetlb_optimize_vmemmap"

/* Each reading is 1 ms after the one before, so each write takes 1 ms. */
static uint64_t tick(void *ctx)
{
	uint64_t *now = ctx;

	return *now += NS_PER_MS;
}

struct lab {
	struct tree tree;
	char *undo_path;
	struct undo *undo;
	uint64_t now;
	struct clock_source clock;
	struct kernel_hugepages_options options;
	struct observations *obs;
	struct diags diags;
};

static void lab_open(struct lab *lab, unsigned int cycles)
{
	*lab = (struct lab){0};
	tree_make(&lab->tree);
	tree_put(&lab->tree, POOL_2M, "10\n");
	tree_put(&lab->tree, POOL_1G_NODE, "0\n");
	tree_put(&lab->tree, HVO, "0\n");
	assert_true(asprintf(&lab->undo_path, "%s/undo", lab->tree.dir) > 0);
	assert_int_equal(undo_open(lab->undo_path, NULL, &lab->undo), 0);
	lab->clock = (struct clock_source){"test", tick, &lab->now};
	lab->options = (struct kernel_hugepages_options){
		.sysroot = lab->tree.dir, .clock = &lab->clock, .undo = lab->undo, .cycles = cycles};
	lab->obs = observations_new("kernel");
	assert_non_null(lab->obs);
}

static void lab_close(struct lab *lab)
{
	undo_close(lab->undo);
	free(lab->undo_path);
	observations_free(lab->obs);
	diags_free(&lab->diags);
	tree_remove(&lab->tree);
}

static int measure(struct lab *lab, struct hugepage_growth growth, enum hvo_setting hvo)
{
	return kernel_hugepages_measure(&growth, hvo, &lab->options, &lab->diags, lab->obs);
}

/* The number at the start of a file: these files keep the tail of a longer number written before. */
static uint64_t number_in(const struct lab *lab, const char *path)
{
	_cleanup_free_ char *text = NULL;
	struct root root;

	assert_int_equal(root_open(lab->tree.dir, &root), 0);
	assert_int_equal(root_read(&root, &text, "%s", path), 0);
	root_close(&root);
	return strtoull(text, NULL, 10);
}

static void grown_and_shrunk(void **state)
{
	struct lab lab;

	(void)state;
	lab_open(&lab, 4);
	check_int(measure(&lab, (struct hugepage_growth){2 * MIB, 32, -1}, HVO_ON), 0, "measure");
	check_u64(lab.obs->nr_runs, 2, "runs");
	for (size_t i = 0; i < 2; i++) {
		const struct obs_run *run = &lab.obs->runs[i];

		check_str(run->device, "2MiB hugepages, HVO on", "run %zu", i);
		check_str(stage_name(run->stage), i ? "hugepage_free" : "hugepage_alloc", "run %zu", i);
		check_str(event_name(run->event), "hugepage", "run %zu", i);
		check_u64(run->units, 32, "run %zu: hugepages", i);
		check_u64(run->summary.n, 3, "run %zu: samples", i);
		check_near(run->first_ns, 1e6, 0, "run %zu: first", i);
		check_near(run->summary.max, 1e6, 0, "run %zu: slowest", i);
	}
	check_u64(number_in(&lab, POOL_2M), 10, "the pool is as it was");
	check_u64(number_in(&lab, HVO), 0, "HVO is as it was");
	check_u64(undo_pending(lab.undo), 0, "nothing is left to undo");
	assert_false(lab.obs->incomplete);
	lab_close(&lab);
}

static void on_a_node(void **state)
{
	struct lab lab;

	(void)state;
	lab_open(&lab, 1);
	check_int(measure(&lab, (struct hugepage_growth){GIB, 2, 1}, HVO_AS_IS), 0, "measure");
	check_str(lab.obs->runs[0].device, "1GiB hugepages, node 1, HVO off", "device");
	check_u64(lab.obs->runs[0].summary.n, 0, "only the first");
	check_near(lab.obs->runs[0].first_ns, 1e6, 0, "first");
	check_u64(number_in(&lab, POOL_1G_NODE), 0, "the pool is as it was");
	lab_close(&lab);
}

static void not_here(void **state)
{
	static const struct {
		struct hugepage_growth growth;
		int err;
	} rows[] = {
		{{3 * MIB, 1, -1}, -EINVAL},
                {{2 * MIB, 1, 1},  -EINVAL},
                {{GIB, 1, -1},     -EINVAL}
        };
	char path[512];
	struct lab lab;

	(void)state;
	lab_open(&lab, 1);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_int(measure(&lab, rows[i].growth, HVO_AS_IS), rows[i].err, "row %zu", i);
	check_u64(lab.diags.nr_errors, ARRAY_SIZE(rows), "each is said");
	tree_path(&lab.tree, HVO, path);
	assert_int_equal(unlink(path), 0);
	check_int(measure(&lab, (struct hugepage_growth){2 * MIB, 1, -1}, HVO_ON), -ENOTSUP, "no HVO");
	check_int(measure(&lab, (struct hugepage_growth){2 * MIB, 1, -1}, HVO_OFF), 0,
		  "it is off where it is not");
	check_str(lab.obs->runs[0].device, "2MiB hugepages, HVO not here", "device");
	lab_close(&lab);
}

/* A pool that keeps its number is one that nothing could be added to. */
static void none_to_be_had(void **state)
{
	char path[512];
	struct lab lab;

	(void)state;
	lab_open(&lab, 3);
	tree_path(&lab.tree, POOL_2M, path);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("/dev/null", path), 0);
	check_int(measure(&lab, (struct hugepage_growth){2 * MIB, 1, -1}, HVO_AS_IS), -EINVAL,
		  "not a number");
	check_u64(lab.obs->nr_runs, 0, "runs");
	assert_true(lab.obs->incomplete);
	lab_close(&lab);
}

static void stopped(void **state)
{
	volatile sig_atomic_t stop = 1;
	struct lab lab;

	(void)state;
	lab_open(&lab, 3);
	lab.options.stop = &stop;
	check_int(measure(&lab, (struct hugepage_growth){2 * MIB, 1, -1}, HVO_ON), -EINTR, "stopped");
	assert_true(lab.obs->incomplete);
	check_u64(number_in(&lab, POOL_2M), 10, "the pool is as it was");
	check_u64(number_in(&lab, HVO), 0, "HVO is as it was");
	lab_close(&lab);
}

/* A signal in the third cycle's growth: the kernel stops there, with some of the pages. */
struct signal_in_growth {
	struct lab *lab;
	unsigned int nr_readings;
	volatile sig_atomic_t stop;
};

static uint64_t tick_and_signal(void *ctx)
{
	enum { READINGS_A_CYCLE = 4, IN_GROWTH = 2 };
	struct signal_in_growth *s = ctx;

	if (++s->nr_readings == 2 * READINGS_A_CYCLE + IN_GROWTH) {
		tree_put(&s->lab->tree, POOL_2M, "15\n");
		s->stop = 1;
	}
	return tick(&s->lab->now);
}

static void signal_ends_growth(void **state)
{
	struct signal_in_growth s = {0};
	struct lab lab;

	(void)state;
	lab_open(&lab, 5);
	s.lab = &lab;
	lab.clock = (struct clock_source){"test", tick_and_signal, &s};
	lab.options.stop = &s.stop;
	check_int(measure(&lab, (struct hugepage_growth){2 * MIB, 32, -1}, HVO_AS_IS), -EINTR, "stopped");
	check_u64(lab.diags.nr, 0, "memory is not full");
	check_u64(lab.obs->nr_runs, 2, "what was measured until then");
	check_u64(lab.obs->runs[0].units, 32, "hugepages");
	check_u64(lab.obs->runs[0].summary.n, 1, "samples of whole growths");
	assert_true(lab.obs->incomplete);
	check_u64(number_in(&lab, POOL_2M), 10, "the pool is as it was");
	lab_close(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grown_and_shrunk), cmocka_unit_test(on_a_node),
		cmocka_unit_test(not_here),         cmocka_unit_test(none_to_be_had),
		cmocka_unit_test(stopped),          cmocka_unit_test(signal_ends_growth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
