// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of observations made by hand, against what it should say of them. */
#include "support/check.h"

#include "base/util.h"
#include "report/observations_report.h"

struct made_run {
	const char *routine, *codegen;
	enum memmap_path path;
	enum page_kind kind;
	enum obs_window window;
	double ns_per_page[6]; /* 0 ends */
	bool verified;
	uint64_t text_bytes;
};

enum { PAGES = 1000000 };

static void add_run(struct observations *obs, const struct made_run *made)
{
	struct obs_run *run = observations_add_run(obs);

	run->routine = strdup(made->routine);
	run->codegen = strdup(made->codegen);
	run->path = made->path;
	run->kind = made->kind;
	run->window = made->window;
	run->unit = UNIT_STRUCT_PAGES;
	run->units = PAGES;
	run->measured_units = PAGES / 4;
	run->verified = made->verified;
	run->text_bytes = made->text_bytes;
	for (size_t i = 0; i < ARRAY_SIZE(made->ns_per_page) && made->ns_per_page[i] > 0; i++)
		assert_int_equal(obs_run_add_sample(run, made->ns_per_page[i] * PAGES), 0);
	assert_int_equal(obs_run_summarize(run), 0);
}

static struct observations *make(const struct made_run *runs, size_t nr)
{
	struct observations *obs = observations_new("simulated");

	obs->env = (struct obs_environment){.arch = strdup("x86_64"),
					    .cpu = strdup("A CPU"),
					    .kernel = strdup("6.18"),
					    .timing_source = strdup("a clock"),
					    .simulated_version = strdup("7.3"),
					    .resolution_ns = 20};
	obs->harness_ns_per_call = 48;
	for (size_t i = 0; i < nr; i++)
		add_run(obs, &runs[i]);
	return obs;
}

static char *table_of(const struct observations *obs)
{
	static const struct style style = {.width = 80};
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_int_equal(observations_write_table(obs, &style, out), 0);
	fclose(out);
	return text;
}

/* 64 bytes in 20, 10, 8 and 4 ns: 3.2, 6.4, 8 and 16 GB/s. */
static void race(void **state)
{
	static const struct made_run runs[] = {
		{"fields",
		 "default",           PATH_BASELINE,
		 KIND_ZD_BASE,					 OBS_WINDOW_MEMORY,
		 {20, 19, 22, 20, 20, 20},
		 true,											 0},
		{"fields", "default", PATH_BASELINE,    KIND_ZD_BASE,  OBS_WINDOW_CACHE,  {5, 5, 5},    true,  0},
		{"stores", "default", PATH_TEMPLATE,    KIND_ZD_BASE,  OBS_WINDOW_MEMORY, {10, 10, 10}, true,  0},
		{"movnti", "default", PATH_TEMPLATE_NT, KIND_ZD_BASE,  OBS_WINDOW_MEMORY, {4, 4, 4},    true,  0},
		{"bad",    "default", PATH_TEMPLATE,    KIND_ZD_BASE,  OBS_WINDOW_MEMORY, {1},          false, 0},
		{"fields", "default", PATH_BASELINE,    KIND_ORDINARY, OBS_WINDOW_MEMORY, {10, 12, 14}, true,  0},
		{"stores", "default", PATH_TEMPLATE,    KIND_ORDINARY, OBS_WINDOW_MEMORY, {13, 13, 15}, true,  0},
	};
	_cleanup_observations_ struct observations *obs = make(runs, ARRAY_SIZE(runs));
	_cleanup_free_ char *text = NULL;

	(void)state;
	obs->has_limits = true;
	obs->nt_store_gbps = 16;
	obs->nt_store_routine = strdup("movnti");
	obs->store_gbps = 8;
	obs->store_routine = strdup("stores");
	text = table_of(obs);
	check_str(text,
		  "simulated  struct page writes of Linux 7.3, in user space\n"
		  "A CPU, x86_64, Linux 6.18\n"
		  "timing: a clock, 20 ns apart at best; the harness adds 48 ns a run\n"
		  "1,000,000 struct pages (61.04 MiB) run through a window of 15.26 MiB\n"
		  "and scaled; 6 "
		  "samples each\n"
		  "\n"
		  "zd-base\n"
		  "PATH         ROUTINE  NS/PAGE  SPREAD  SPEEDUP  CACHED  SPEED       CEILING\n"
		  "template-nt  movnti      4.00  +-0.0%    5.00x          ##########     100%\n"
		  "template     stores      10.0  +-0.0%    2.00x          ####            80%\n"
		  "baseline     fields      20.0   +-10%    1.00x    5.00  ##              40%\n"
		  "template     bad         1.00           20.00x          ##########    WRONG\n"
		  "movnti wins: 4.00 ms for 1,000,000 struct pages, baseline 20.0 ms\n"
		  "\n"
		  "ordinary\n"
		  "PATH      ROUTINE  NS/PAGE  SPREAD  SPEEDUP  CACHED  SPEED  CEILING\n"
		  "baseline  fields      12.0   +-17%    1.00x          ###        67%\n"
		  "template  stores      13.0   +-15%    0.92x          ###        62%\n"
		  "fields leads (1 more within the spread): 12.0 ms for 1,000,000 struct pages\n"
		  "\n"
		  "ceiling (same memory, same run): non-temporal stores 16.0 GB/s (movnti, 4.00 ns a struct "
		  "page);\n"
		  "  plain stores 8.0 GB/s (stores, 8.00 ns)\n",
		  "table");
}

static void builds(void **state)
{
	static const struct made_run runs[] = {
		{"fields", "default",           PATH_BASELINE,    KIND_HUGETLB, OBS_WINDOW_MEMORY, {20, 20}, true, 10000},
		{"fields", "default",           PATH_BASELINE,    KIND_HUGETLB, OBS_WINDOW_CACHE,  {5, 5},   true, 10000},
		{"fields",
		 "max-inline-insns-single=400", PATH_BASELINE,
		 KIND_HUGETLB,						  OBS_WINDOW_MEMORY,
		 {20, 20},
		 true,											     12500},
		{"fields",
		 "max-inline-insns-single=400", PATH_BASELINE,
		 KIND_HUGETLB,						  OBS_WINDOW_CACHE,
		 {4, 4},
		 true,											     12500},
		{"movnti", "default",           PATH_TEMPLATE_NT, KIND_HUGETLB, OBS_WINDOW_MEMORY, {4, 4},   true, 10000},
		{"movnti",
		 "max-inline-insns-single=400", PATH_TEMPLATE_NT,
		 KIND_HUGETLB,						  OBS_WINDOW_MEMORY,
		 {4.1, 4.1},
		 true,											     12500},
	};
	_cleanup_observations_ struct observations *obs = make(runs, ARRAY_SIZE(runs));
	_cleanup_free_ char *text = NULL;

	(void)state;
	obs->env.emulated = true;
	obs->env.virtualized = true;
	obs->incomplete = true;
	text = table_of(obs);
	assert_non_null(strstr(text, "A CPU, x86_64, virtual machine, Linux 6.18\n"));
	assert_non_null(strstr(text, "EMULATED: these are the emulator's times, not a machine's.\n"));
	assert_non_null(strstr(text, "INCOMPLETE: stopped before all repetitions were done.\n"));
	assert_null(strstr(text, "ceiling (same"));
	check_str(strstr(text, "builds of the same"),
		  "builds of the same source, against default\n"
		  "ROUTINE            default       max-inline-\n"
		  "                            insns-single=400\n"
		  "machine code      10,000 B            +25.0%\n"
		  "hugetlb\n"
		  "  fields, cached   5.00 ns            -20.0%\n"
		  "  movnti           4.00 ns             +2.5%\n"
		  "\n",
		  "builds");
}

static void csv(void **state)
{
	static const struct made_run run = {
		"a,\"b\"", "default", PATH_TEMPLATE, KIND_ZD_BASE, OBS_WINDOW_CACHE, {2, 4},
                     true, 7
        };
	_cleanup_observations_ struct observations *obs = make(&run, 1);
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	obs->runs[0].event = EVENT_BIND;
	obs->runs[0].stage = STAGE_MEMMAP_INIT;
	assert_int_equal(observations_write_csv(obs, out), 0);
	fclose(out);
	check_str(text,
		  "path,page_kind,routine,codegen,text_bytes,window,order,device,host,note,event,stage,unit,"
		  "units,"
		  "measured_units,counted_units,log_lines,log_lines_apart,unnamed_ns,threads,nr_averaged,"
		  "verified,first_ns,min_ns,median_ns,mean_ns,stddev_ns,"
		  "p95_ns,max_ns,"
		  "median_low_ns,median_high_ns,n\n"
		  "template,zd-base,\"a,\"\"b\"\"\",default,7,cache,0,,,,bind,memmap_init,struct "
		  "pages,1000000,250000,0,0,0,0,1,1,"
		  "true,0,2000000,3000000,3000000,1414213.56237309,3900000,4000000,,,2\n",
		  "csv");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(race),
		cmocka_unit_test(builds),
		cmocka_unit_test(csv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
