// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Advice, on hosts whose times can be worked out: 10 ns a struct page, 6553600 of them in dax0.0 (65.536 ms), 13107200
 * in dax1.0 (131.072 ms), some 26 ms in pmem2. In pages of 1 GiB the first two take less than 0.2 ms together.
 */
#include "support/lever_bench.h"

#include "model/advise.h"

struct counselled {
	struct bench bench;
	struct advice *advice;
};

static void advise(struct counselled *c, const char *yaml, const struct limits *limits)
{
	*c = (struct counselled){0};
	bench_make(&c->bench, yaml);
	assert_int_equal(advice_new(c->bench.forecast, limits, &c->advice), 0);
}

static void counselled_free(struct counselled *c)
{
	advice_free(c->advice);
	bench_free(&c->bench);
}

static bool has_change(const struct advice *advice, const char *device, const char *text)
{
	for (size_t i = 0; i < advice->plan.nr; i++) {
		const struct change *change = advice->plan.changes[i];

		if (!strcmp(change->text, text) && (!device || !strcmp(change->device, device)))
			return true;
	}
	return false;
}

/* As the window gets shorter the plan gets dearer, and no dearer than it must. */
static void by_price(void **state)
{
	static const struct {
		const char *window;
		bool met_already, is_met;
		unsigned int price[NR_EFFORTS]; /* none, reboot, recreate, users, kernel */
	} rows[] = {
		{"300ms", true,  true,  {0, 0, 0, 0, 0}},
		{"140ms", false, true,  {1, 0, 0, 0, 0}}, /* side by side: 131 ms */
		{"70ms",  false, true,  {1, 0, 1, 0, 0}}, /* and dax1.0 in huge pages: 66 ms */
		{"30ms",  false, true,  {0, 0, 2, 0, 0}}, /* or both in larger ones: pmem2's 26 ms */
		{"15ms",  false, true,  {0, 0, 2, 0, 1}}, /* and half of that by template-nt */
		{"1ms",   false, false, {1, 0, 2, 0, 1}},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct counselled c;
		char yaml[512];

		snprintf(yaml, sizeof(yaml), THREE_NAMESPACES "windows: {hotplug: %s}\n", rows[i].window);
		advise(&c, yaml, NULL);
		check_int(c.advice->met_already, rows[i].met_already, "%s: met already", rows[i].window);
		check_int(c.advice->is_met, rows[i].is_met, "%s: met", rows[i].window);
		check_int(c.advice->is_exhaustive, true, "%s: exhaustive", rows[i].window);
		check_int(outcome_fits(&c.advice->plan.after), rows[i].is_met, "%s: fits", rows[i].window);
		for (int effort = 0; effort < NR_EFFORTS; effort++)
			check_u64(c.advice->plan.price[effort], rows[i].price[effort], "%s: %s",
				  rows[i].window, effort_name((enum effort)effort));
		counselled_free(&c);
	}
}

/* Six of dax0.0 and too few CPUs to bind them side by side: too many sets of changes to try all. */
static void advise_six(struct counselled *c, const char *window)
{
	char yaml[1024], *end = yaml;

	end += sprintf(
		end,
		"memmapctl: 1\nhost: {name: h, arch: x86_64, memory: 512GiB, cpus: 2, kernel: {release: "
		"7.3.4}}\nwindows: {%s}\nnamespaces:\n",
		window);
	for (int i = 0; i < 6; i++)
		end += sprintf(end,
			       "  - {name: dax%d.0, mode: devdax, map: mem, align: 2MiB, size: 100GiB}\n", i);
	advise(c, yaml, NULL);
	check_int(c->advice->is_exhaustive, false, "too many");
	check_int(c->advice->is_met, true, "met");
}

static void change_by_change(void **state)
{
	struct counselled c;

	(void)state;
	advise_six(&c, "hotplug: 200ms");
	check_u64(c.advice->plan.nr, 3, "3 x 65.536 ms and 3 x 0.128 ms");
	check_u64(c.advice->plan.price[EFFORT_RECREATE], 3, "all of them namespaces");
	check_near(c.advice->plan.after.hotplug.mid_ns, 3 * (6553600 + 12800) * 10.0, 1e-9, "the time");
	counselled_free(&c);
}

/* Each to take 1 ms: no single change brings that nearer, all six together do. */
static void each_of_many(void **state)
{
	struct counselled c;

	(void)state;
	advise_six(&c, "per_device: 1ms");
	check_u64(c.advice->plan.price[EFFORT_RECREATE], 6, "all of them");
	check_u64(c.advice->plan.nr, 6, "and nothing else");
	counselled_free(&c);
}

/* The profile knows nothing of the template path: a window that only what is left of the time fits is not met. */
static void costs_missing(void **state)
{
	struct counselled c;

	(void)state;
	advise(&c,
	       "memmapctl: 1\nhost: {name: h, arch: x86_64, memory: 64GiB, cpus: 8, kernel: {release: 7.3.4, "
	       "memmap_path: template}}\nwindows: {hotplug: 10s}\nnamespaces:\n"
	       "  - {name: dax0.0, mode: devdax, map: mem, align: 2MiB, size: 100GiB}\n",
	       NULL);
	check_int(c.advice->met_already, false, "as it is");
	check_int(c.advice->is_met, true, "with a path that the profile knows");
	check_int(has_change(c.advice, NULL, "memmap_path=template-nt"), true, "which is known");
	counselled_free(&c);
}

static void capacity(void **state)
{
	/* 1 GiB pages leave 99 GiB, 2 MiB pages 100 GiB - 2 MiB, map=dev 98.4 GiB */
	struct wanted_usable wanted = {"dax0.0", 99 * GIB + 1};
	const struct limits limits = {.usable = &wanted, .nr_usable = 1};
	static const char *const yaml = THREE_NAMESPACES "windows: {hotplug: 60ms}\n";
	struct counselled c;

	(void)state;
	advise(&c, yaml, NULL);
	check_int(has_change(c.advice, "dax0.0", "align=1GiB"), true, "without a limit");
	counselled_free(&c);
	advise(&c, yaml, &limits);
	check_int(c.advice->is_met, true, "with a limit");
	check_int(has_change(c.advice, "dax0.0", "align=1GiB"), false, "1 GiB pages leave too little");
	check_int(has_change(c.advice, NULL, "memmap_path=template-nt"), true, "another path takes nothing");
	counselled_free(&c);
	wanted.device = NULL; /* of pmem2, too */
	advise(&c, yaml, &limits);
	check_int(c.advice->is_met, false, "more than there is");
	check_str(c.advice->plan.after.small_device, "pmem2", "89 GiB below");
	counselled_free(&c);
}

static void memory(void **state)
{
	/* RAM's own memmap is 8 GiB, dax0.0's 403 MiB, dax1.0's 800 MiB */
	struct limits limits = {.has_max_ram = true, .max_ram_bytes = 8 * GIB + 500 * MIB};
	struct counselled c;

	(void)state;
	advise(&c, THREE_NAMESPACES, &limits);
	check_int(c.advice->is_met, true, "dax1.0's goes");
	check_u64(c.advice->plan.price[EFFORT_RECREATE], 1, "one namespace");
	check_u64(c.advice->plan.nr, 1, "one change");
	check_int(c.advice->plan.after.memmap_ram_bytes <= limits.max_ram_bytes, true, "within");
	check_str(c.advice->plan.changes[0]->device, "dax1.0", "whose");
	counselled_free(&c);
	limits.max_ram_bytes = 7 * GIB;
	advise(&c, THREE_NAMESPACES, &limits);
	check_int(c.advice->is_met, false, "RAM itself takes 8 GiB");
	counselled_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_price),     cmocka_unit_test(change_by_change),
		cmocka_unit_test(each_of_many), cmocka_unit_test(costs_missing),
		cmocka_unit_test(capacity),     cmocka_unit_test(memory),
	};

	return cmocka_run_group_tests_name("advise", tests, make_profile, NULL);
}
