// SPDX-License-Identifier: GPL-2.0-or-later
/* Observations: what the loader takes, what it refuses and with which words, and the way there and back. */
#include "support/check.h"

#include <errno.h>
#include <unistd.h>

#include "measure/observations.h"
#include "report/observations_report.h"

#define HEAD                                                                                                 \
	"{\"schema\": \"memmapctl.observations/1\", \"mode\": \"published\",\n"                              \
	" \"environment\": {\"arch\": \"x86_64\", \"kernel\": \"7.1-rc3\", \"timing_source\": "              \
	"\"pr_debug\"},\n"
#define RUN_FIELDS                                                                                           \
	"\"path\": \"baseline\", \"page_kind\": \"zd-base\", \"stage\": \"memmap_init\", \"unit\": "         \
	"\"struct pages\""

static char *write_text(const char *text, size_t len)
{
	static char name[] = "observations.XXXXXX";
	int fd;

	strcpy(name, "observations.XXXXXX");
	fd = mkstemp(name);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), len);
	close(fd);
	return name;
}

/* Load text; what was said about it as one string, without the file's name. */
static int load_text(const char *text, size_t len, char *said, size_t size, struct observations **out)
{
	_cleanup_diags_ struct diags diags = {0};
	char *name = write_text(text, len);
	int err = observations_load(name, &diags, out);
	FILE *mem = fmemopen(said, size, "w");

	for (size_t i = 0; i < diags.nr; i++) {
		const struct diag *d = &diags.items[i];

		assert_string_equal(d->file, name);
		fprintf(mem, "%s%u:%u: %s", i ? "; " : "", d->line, d->col, d->text);
	}
	fputc(0, mem);
	fclose(mem);
	unlink(name);
	return err;
}

static void mistakes(void **state)
{
	static const struct {
		const char *text;
		const char *said;
	} rows[] = {
		{"",											"0:0: empty"									},
		{"  \n",										    "0:0: empty"									},
		{"[]",										      "1:1: the document: want an object with \"schema\": \"memmapctl.observations/1\", "
		       "found an array"																   },
		{"null",										    "1:1: the document: want an object with \"schema\": \"memmapctl.observations/1\", "
			 "found null"																   },
		{"{\"schema\": \"memmapctl.profile/1\"}",
		 "1:12: .schema: want \"memmapctl.observations/1\", found \"memmapctl.profile/1\""                                                                                              },
		{"{\"mode\": \"kernel\"}",								  "1:1: .schema: missing: want \"memmapctl.observations/1\""                          },
		{"{\"a\": 1,\n  }",									 "2:3: not JSON: unexpected character"                                               },
		{"{\"a\": 1",									       "1:8: not JSON: unexpected end of data"                                             },
		{"{\"a\": 1} x",									    "1:10: not JSON: unexpected character"                                              },
		{"{\"a\": 'x'}",									    "1:7: not JSON: unexpected character"                                               },
		{"{\"a\": 1,\n \"a\": 2}",								  "2:2: .a: given twice"                                                              },
		{"{\"x\": [{}, {\"b\": {\"c\": 1, \"d\": 2,\n\"c\": 3}}]}",                                 "2:1: .x[1].b.c: given twice"                                                       },
		{"{\"a\": 1, \"\\u0061\": 2}",							      "0:0: a key is given twice, once with escapes"                                      },
		{HEAD "\"runs\": 1}",								       "3:9: .runs: want an array, found a number"                                         },
		{HEAD "\"run\": []}",
		 "1:1: .runs: missing; 3:8: .run: unknown key, ignored; did you mean \"runs\"?"												 },
		{HEAD "\"runs\": [7]}",								     "3:10: .runs[0]: want an object, found a number"                                    },
		{HEAD "\"runs\": [{" RUN_FIELDS ", \"units\": 1}]}",                                        "3:10: .runs[0].samples_ns: missing"                                                },
		{HEAD "\"runs\": [{" RUN_FIELDS ", \"samples_ns\": []}]}",                                  "3:10: .runs[0].units: missing"                                                     },
		{HEAD "\"runs\": [\n{" RUN_FIELDS ", \"units\": -1,\n\"samples_ns\": [1]}]}",
		 "4:103: .runs[0].units: want a whole number from 0 to 18446744073709551615, found -1"                                                                                          },
		{HEAD "\"runs\": [\n{" RUN_FIELDS ",\n\"units\": 1.5, \"samples_ns\": [1]}]}",
		 "5:10: .runs[0].units: want a whole number from 0 to 18446744073709551615, found 1.5"                                                                                          },
		{HEAD "\"runs\": [\n{" RUN_FIELDS ",\n\"units\": \"8\", \"samples_ns\": [1]}]}",
		 "5:10: .runs[0].units: want a whole number from 0 to 18446744073709551615, found a string"                                                                                     },
		{HEAD "\"runs\": [\n{" RUN_FIELDS
		      ",\n\"units\": 18446744073709551616, \"samples_ns\": [1]}]}",        "5:10: 18446744073709551616 does not fit in 64 bits"                                },
		{HEAD "\"runs\": [\n{" RUN_FIELDS ",\n\"units\": 2, \"samples_ns\": [1, -2]}]}",
		 "5:31: .runs[0].samples_ns[1]: want a finite number, 0 or more, found -2"												      },
		{HEAD "\"runs\": [\n{" RUN_FIELDS ",\n\"units\": 2, \"samples_ns\": [NaN]}]}",
		 "5:28: .runs[0].samples_ns[0]: want a finite number, 0 or more, found NaN"												     },
		{HEAD "\"runs\": [\n{" RUN_FIELDS ",\n\"units\": 2, \"samples_ns\": [1e999]}]}",
		 "5:28: .runs[0].samples_ns[0]: want a finite number, 0 or more, found 1e999"												   },
		{HEAD "\"runs\": [\n{" RUN_FIELDS ",\n\"units\": 2, \"samples_ns\": [\"1\"]}]}",
		 "5:28: .runs[0].samples_ns[0]: want a number, found a string"														  },
		{HEAD "\"runs\": [\n{" RUN_FIELDS
		      ",\n\"units\": 2, \"measured_units\": 3, \"samples_ns\": [1]}]}",    "5:31: .runs[0].measured_units: 3 of only 2 units"                                  },
		{HEAD "\"runs\": [\n{" RUN_FIELDS
		      ",\n\"units\": 2, \"nr_averaged\": 0, \"samples_ns\": [1]}]}",       "5:28: .runs[0].nr_averaged: want 1 or more, found 0"                               },
		{HEAD "\"runs\": [\n{" RUN_FIELDS
		      ",\n\"units\": 2, \"threads\": 4294967296, \"samples_ns\": [1]}]}",  "5:24: .runs[0].threads: want a whole number from 0 to 4294967295, found 4294967296"},
		{HEAD "\"runs\": [\n{" RUN_FIELDS
		      ",\n\"units\": 2, \"event\": \"bnid\", \"samples_ns\": [1]}]}",      "5:22: .runs[0].event: unknown name \"bnid\"; did you mean \"bind\"?"               },
		{HEAD "\"runs\": [\n{" RUN_FIELDS
		      ",\n\"units\": 2, \"window\": \"register\", \"samples_ns\": [1]}]}", "5:23: .runs[0].window: unknown name \"register\" (known: \"memory\" to \"cache\")" },
		{HEAD "\"runs\": [\n{\"path\": \"any\", \"page_kind\": \"none\", \"stage\": \"total\", "
		      "\"unit\": \"once\",\n"
		      "\"units\": 1, \"samples_ns\": [1]}]}",			      "4:1: .runs[0].event: missing: the stage \"total\" does not tell it"                },
		{HEAD "\"limits\": {\"store_gbps\": 8}, \"runs\": []}",
		 "3:11: .limits.nt_store_gbps: missing"																	 },
		{HEAD "\"limits\": {\"store_gbps\": true, \"nt_store_gbps\": 1}, \"runs\": []}",
		 "3:26: .limits.store_gbps: want a number, found a boolean"														     },
		{HEAD "\"incomplete\": 1, \"runs\": []}",
		 "3:15: .incomplete: want true or false, found a number"															},
		{"{\"schema\": \"memmapctl.observations/1\", \"mode\": \"fast\", \"runs\": "
		 "[],\n\"environment\": {\"arch\": 8}}",				   "1:48: .mode: unknown mode \"fast\": simulated, kernel, guest, kernel-paths or published; "
		 "2:16: .environment.kernel: missing; 2:16: .environment.timing_source: missing; "
		 "2:25: .environment.arch: want a string, found a number"                                              },
		{HEAD "\"runs\": [], \"incomplet\": true}",
		 "3:26: .incomplet: unknown key, ignored; did you mean \"incomplete\"?"													 },
		{"{\"schema\": \"memmapctl.observations/1\", \"mode\": \"a\\u0000b\", \"runs\": [], "
		 "\"environment\": {}}",						   "1:48: .mode: a NUL character in a string; 1:87: .environment.arch: missing; "
		 "1:87: .environment.kernel: missing; 1:87: .environment.timing_source: missing"                                       },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct observations *obs = NULL;
		char said[2048];
		int err = load_text(rows[i].text, strlen(rows[i].text), said, sizeof(said), &obs);

		check_str(said, rows[i].said, "row %zu: %s", i, rows[i].text);
		if (strstr(said, "ignored") && !strstr(said, "missing"))
			check_int(err, 0, "row %zu: %s", i, rows[i].text);
		else
			check_int(err, -EINVAL, "row %zu: %s", i, rows[i].text);
		observations_free(obs);
	}
}

static void not_text(void **state)
{
	struct observations *obs = NULL;
	_cleanup_diags_ struct diags diags = {0};
	char said[256];

	(void)state;
	assert_int_equal(load_text("{\0}", 3, said, sizeof(said), &obs), -EINVAL);
	check_str(said, "0:0: not JSON: a NUL byte in the text", "NUL byte");
	assert_int_equal(load_text("{\"\xff\": 1}", 8, said, sizeof(said), &obs), -EINVAL);
	check_str(said, "1:3: not JSON: invalid utf-8 string", "not UTF-8");
	assert_int_equal(observations_load("no/such/file", &diags, &obs), -ENOENT);
	check_str(diags.items[0].text, "No such file or directory", "missing file");
	assert_int_equal(observations_load("/", &diags, &obs), -EISDIR);
	assert_null(obs);
}

/* Deep nesting is refused by the parser before anything here recurses. */
static void nesting(void **state)
{
	struct observations *obs = NULL;
	char text[4096], said[256];

	(void)state;
	memset(text, '[', sizeof(text));
	assert_int_equal(load_text(text, sizeof(text), said, sizeof(said), &obs), -EINVAL);
	check_str(said, "1:33: not JSON: nesting too deep", "4096 brackets");
}

static void published(void **state)
{
	static const char text[] = HEAD
		"\"runs\": [{" RUN_FIELDS
		", \"device\": \"nd_pmem\", \"host\": \"../hosts/a.yaml\", \"note\": \"30 rebinds\",\n"
		"\"units\": 18446744073709551615, \"nr_averaged\": 30, \"samples_ns\": [273520000.25]}]}";
	_cleanup_observations_ struct observations *obs = NULL;
	char said[256];

	(void)state;
	assert_int_equal(load_text(text, strlen(text), said, sizeof(said), &obs), 0);
	check_str(said, "", "nothing to say");
	assert_int_equal(obs->nr_runs, 1);
	check_str(obs->mode, "published", "mode");
	check_str(obs->env.kernel, "7.1-rc3", "kernel");
	check_str(obs->runs[0].device, "nd_pmem", "device");
	check_str(obs->runs[0].host, "../hosts/a.yaml", "host");
	check_str(obs->runs[0].note, "30 rebinds", "note");
	check_u64(obs->runs[0].units, UINT64_MAX, "units");
	check_u64(obs->runs[0].measured_units, UINT64_MAX, "measured units, when not given");
	check_u64(obs->runs[0].nr_averaged, 30, "averaged");
	check_u64(obs->runs[0].threads, 1, "threads, when not given");
	check_int(obs->runs[0].event, EVENT_BIND, "event, from the stage");
	check_near(obs->runs[0].summary.median, 273520000.25, 0, "median");
	assert_false(obs->has_limits);
}

static struct observations *sample_observations(void)
{
	static const double samples[] = {0.1, 1.0 / 3, 2, 4096, 9e14, 123456789012.25, 61.5};
	struct observations *obs = observations_new("simulated");
	struct obs_run *run = observations_add_run(obs);

	obs->incomplete = true;
	obs->has_limits = true;
	obs->nt_store_gbps = 16.3;
	obs->store_gbps = 8.125;
	obs->nt_store_routine = strdup("movnti");
	obs->harness_ns_per_call = 61.5;
	obs->env = (struct obs_environment){.arch = strdup("aarch64"),
					    .cpu = strdup("a \"cpu\"\n\xc2\xb5"),
					    .kernel = strdup("6.12"),
					    .timing_source = strdup("clock"),
					    .simulated_version = strdup("7.3"),
					    .memory = strdup("4 KiB pages"),
					    .date = strdup("2026-01-02T03:04:05Z"),
					    .virtualized = true,
					    .emulated = true,
					    .resolution_ns = 0.5};
	run->routine = strdup("avx512-nt");
	run->codegen = strdup("max-inline-insns-400");
	run->path = PATH_TEMPLATE_NT;
	run->kind = KIND_ORDINARY;
	run->event = EVENT_BOOT;
	run->stage = STAGE_MEMMAP_DEFERRED;
	run->unit = UNIT_STRUCT_PAGES;
	run->window = OBS_WINDOW_CACHE;
	run->order = 18;
	run->units = UINT64_MAX;
	run->measured_units = UINT64_MAX - 1;
	run->threads = UINT32_MAX;
	run->verified = true;
	run->text_bytes = (1ULL << 53) + 1;
	run->first_ns = 77.7;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++)
		assert_int_equal(obs_run_add_sample(run, samples[i]), 0);
	assert_int_equal(obs_run_summarize(run), 0);
	return obs;
}

static char *to_json(const struct observations *obs)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_int_equal(observations_write_json(obs, out), 0);
	fclose(out);
	return text;
}

static void round_trip(void **state)
{
	_cleanup_observations_ struct observations *obs = sample_observations(), *again = NULL;
	_cleanup_free_ char *text = to_json(obs), *text_again = NULL;
	char said[256];

	(void)state;
	load_text(text, strlen(text), said, sizeof(said), &again);
	check_str(said, "", "a file of our own is read without a word");
	assert_non_null(again);
	check_u64(again->runs[0].units, UINT64_MAX, "units");
	check_u64(again->runs[0].text_bytes, (1ULL << 53) + 1, "text bytes, past what a double holds");
	check_int(again->runs[0].window, OBS_WINDOW_CACHE, "window");
	check_int(again->runs[0].stage, STAGE_MEMMAP_DEFERRED, "stage");
	for (size_t i = 0; i < obs->runs[0].nr_samples; i++)
		assert_true(fabs(again->runs[0].samples_ns[i] - obs->runs[0].samples_ns[i]) <= 0.5);
	assert_true(again->incomplete && again->env.emulated && again->env.virtualized);
	/* Every other field: the second text shows it, and what it shows was set to something by hand. */
	text_again = to_json(again);
	check_str(text_again, text, "written again");
	for (const char *const *word =
		     (const char *const[]){"\"order\": 18", "\"first_ns\": 77.7", "\"movnti\"",
					   "\"store_gbps\": 8.125", "\"6.12\"", "\"avx512-nt\"",
					   "\"median_low_ns\"", "900000000000000", NULL};
	     *word; word++) {
		if (!strstr(text, *word))
			print_error("missing: %s\n", *word);
		assert_non_null(strstr(text, *word));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes),  cmocka_unit_test(not_text),   cmocka_unit_test(nesting),
		cmocka_unit_test(published), cmocka_unit_test(round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
