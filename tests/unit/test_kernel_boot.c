// SPDX-License-Identifier: GPL-2.0-or-later
/* Saved logs to observations: rebuilt from reports in the field and from what stock kernels print. */
#include "support/check.h"

#include <errno.h>
#include <stdlib.h>

#include "base/root.h"
#include "base/units.h"
#include "base/util.h"
#include "measure/kernel_boot.h"

struct want_run {
	enum event_id event;
	enum stage_id stage;
	enum unit_id unit;
	uint64_t units;
	const char *device;
	double samples_ms[4];
	size_t nr;
};

struct want_diag {
	unsigned int line;
	enum diag_level level;
	const char *part;
};

/* clang-format off */
static const struct {
	const char *log;
	unsigned int hz;
	double resolution_ms;
	const char *kernel;
	struct want_run runs[5];
	struct want_diag diags[4];
} rows[] = {
	{"four-devdax-5.10.log", 0, 1, "5.10.0-rc3",
	 {{EVENT_BIND, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, 2063872, NULL, {34, 34, 24, 24}, 4}}, {{0}}},
	{"deferred-two-nodes.log", 0, 1, NULL,
	 {{EVENT_BOOT, STAGE_MEMMAP_DEFERRED, UNIT_ONCE, 1, "node1", {256}, 1},
	  {EVENT_BOOT, STAGE_MEMMAP_DEFERRED, UNIT_ONCE, 1, "node0", {257}, 1}}, {{0}}},
	{"mail-crlf.log", 0, 1, NULL,
	 {{EVENT_BOOT, STAGE_MEMMAP_DEFERRED, UNIT_ONCE, 1, "node0", {1116}, 1},
	  {EVENT_BOOT, STAGE_MEMMAP_DEFERRED, UNIT_ONCE, 1, "node3", {1148}, 1},
	  {EVENT_BOOT, STAGE_MEMMAP_DEFERRED, UNIT_STRUCT_PAGES, 32439114, "node0", {97}, 1}}, {{0}}},
	{"gigantic-7.3.log", 250, 4, "7.3.4-amd64",
	 {{EVENT_BOOT, STAGE_MEMMAP_DEFERRED, UNIT_ONCE, 1, "node0", {712}, 1},
	  {EVENT_BOOT, STAGE_HUGETLB_ALLOC, UNIT_HUGEPAGES, 8, NULL, {60}, 1},
	  {EVENT_BOOT, STAGE_HUGETLB_TAILS, UNIT_HUGEPAGES, 48, NULL, {1850}, 1},
	  {EVENT_BOOT, STAGE_TOTAL, UNIT_ONCE, 1, NULL, {4500}, 1}}, {{0}}},
	/* 8.3 s in memblock_free_all and 0.24 s in hugetlb_init */
	{"gigantic-6.1.log", 250, 4, "6.1.0-57-amd64",
	 {{EVENT_BOOT, STAGE_MEMMAP_DEFERRED, UNIT_ONCE, 1, "node0", {708}, 1},
	  {EVENT_BOOT, STAGE_HUGETLB_TAILS, UNIT_HUGEPAGES, 48, NULL, {8300 + 240.2}, 1}}, {{0}}},
	{"hugepages-short.log", 0, 4, NULL,
	 {{EVENT_BOOT, STAGE_HUGETLB_ALLOC, UNIT_HUGEPAGES, 128074, NULL, {712}, 1}},
	 {{1, DIAG_WARNING, "only 128074 of 128512 hugepages of 2MiB"},
	  {5, DIAG_WARNING, "no free block of order 9"},
	  {6, DIAG_WARNING, "multiple of memory blocks of 128 MiB"},
	  {7, DIAG_WARNING, "pages 0xfdd00 to 0xfdeff"}}},
	{"gpu.log", 0, 4, NULL,
	 {{EVENT_BIND, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, 8388608, NULL, {64}, 1},
	  {EVENT_BIND, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, 2097152, "0000:01:00.0", {16}, 1}},
	 {{2, DIAG_NOTE, "32752MiB"}, {4, DIAG_NOTE, "0000:01:00.0: device memory of 8GiB"}}},
	{"apu-floor.log", 0, 1, NULL,
	 {{EVENT_BIND, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, 524288, NULL, {2}, 1},
	  {EVENT_BIND, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, 131072, NULL, {0}, 1}}, {{0}}},
	{"kata.log", 0, 4, NULL,
	 {{EVENT_BIND, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, 32768, NULL, {12}, 1}}, {{0}}},
};
/* clang-format on */

static struct klog *parse_file(const char *name)
{
	_cleanup_free_ char *text = NULL;
	struct klog *klog = NULL;
	struct root root;

	assert_int_equal(root_open(TEST_SOURCE_DIR "/tests/unit/logs", &root), 0);
	assert_int_equal(root_read(&root, &text, "%s", name), 0);
	root_close(&root);
	assert_int_equal(klog_parse(text, strlen(text), &klog), 0);
	return klog;
}

static void check_run(const char *log, const struct obs_run *got, const struct want_run *want)
{
	check_str(event_name(got->event), event_name(want->event), "%s", log);
	check_str(stage_name(got->stage), stage_name(want->stage), "%s", log);
	check_str(unit_name(got->unit), unit_name(want->unit), "%s", log);
	check_u64(got->units, want->units, "%s: units", log);
	check_str(got->device, want->device, "%s: device", log);
	check_u64(got->nr_samples, want->nr, "%s: samples", log);
	for (size_t i = 0; i < want->nr; i++)
		check_near(got->samples_ns[i], want->samples_ms[i] * 1e6, 1e-9, "%s: sample %zu", log, i);
	check_u64(got->summary.n, want->nr, "%s: summarised", log);
	assert_non_null(got->note);
}

static void saved_logs(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_klog_ struct klog *klog = parse_file(rows[i].log);
		_cleanup_observations_ struct observations *obs = observations_new("kernel");
		_cleanup_diags_ struct diags diags = {0};
		size_t n = 0;

		assert_int_equal(kernel_boot_observe(klog, NULL, rows[i].hz, rows[i].log, &diags, obs), 0);
		for (; n < ARRAY_SIZE(rows[i].runs) && rows[i].runs[n].nr; n++) {
			check_int(n < obs->nr_runs, 1, "%s: there is run %zu", rows[i].log, n);
			check_run(rows[i].log, &obs->runs[n], &rows[i].runs[n]);
		}
		check_u64(obs->nr_runs, n, "%s: runs", rows[i].log);
		check_near(obs->env.resolution_ns, rows[i].resolution_ms * 1e6, 1e-9, "%s: resolution",
			   rows[i].log);
		check_str(obs->env.kernel, rows[i].kernel, "%s: kernel", rows[i].log);
		for (n = 0; n < ARRAY_SIZE(rows[i].diags) && rows[i].diags[n].part; n++) {
			const struct want_diag *want = &rows[i].diags[n];

			check_int(n < diags.nr, 1, "%s: there is message %zu", rows[i].log, n);
			check_u64(diags.items[n].line, want->line, "%s: line", rows[i].log);
			check_int(diags.items[n].level, want->level, "%s: level", rows[i].log);
			check_str(diags.items[n].file, rows[i].log, "file");
			if (!strstr(diags.items[n].text, want->part))
				check_str(diags.items[n].text, want->part, "%s", rows[i].log);
		}
		check_u64(diags.nr, n, "%s: messages", rows[i].log);
	}
}

/* 0 ms is less than one jiffy: the sample stays what was printed, and its run says how coarse that is. */
static void zero_is_not_nothing(void **state)
{
	_cleanup_klog_ struct klog *klog = parse_file("apu-floor.log");
	_cleanup_observations_ struct observations *obs = observations_new("kernel");

	(void)state;
	assert_int_equal(kernel_boot_observe(klog, NULL, 250, NULL, NULL, obs), 0);
	assert_non_null(strstr(obs->runs[1].note, "4 ms"));
	check_near(obs->env.resolution_ns, 4e6, 1e-12, "resolution");
}

static void nothing_timed(void **state)
{
	static const char text[] = "HugeTLB: registered 2.00 MiB page size, pre-allocated 0 pages\n"
				   "[    0.000000] Run /init as init process\n";
	_cleanup_observations_ struct observations *obs = observations_new("kernel");
	_cleanup_klog_ struct klog *klog = NULL;

	(void)state;
	assert_int_equal(klog_parse(text, sizeof(text) - 1, &klog), 0);
	check_int(kernel_boot_observe(klog, NULL, 0, NULL, NULL, obs), -ENODATA, "nothing timed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(saved_logs),
		cmocka_unit_test(zero_is_not_nothing),
		cmocka_unit_test(nothing_timed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
