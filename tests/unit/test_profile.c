// SPDX-License-Identifier: GPL-2.0-or-later
/* Profiles on disk: read back as written, mistakes with their place, names looked up where they should be. */
#include "model/profile.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/util.h"
#include "support/check.h"

struct scratch {
	char dir[64];
	char file[96];
};

static void scratch_open(struct scratch *s)
{
	snprintf(s->dir, sizeof(s->dir), P_tmpdir "/memmapctl-test-XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	snprintf(s->file, sizeof(s->file), "%s/profiles/p.yaml", s->dir);
	*strrchr(s->file, '/') = '\0';
	assert_int_equal(mkdir(s->file, 0700), 0);
	s->file[strlen(s->file)] = '/';
}

static void scratch_close(struct scratch *s)
{
	unlink(s->file);
	*strrchr(s->file, '/') = '\0';
	rmdir(s->file);
	rmdir(s->dir);
}

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

#define HEAD                                                                                                 \
	"memmapctl-profile: 1\n"                                                                             \
	"name: p\n"                                                                                          \
	"obtained: fitted\n"                                                                                 \
	"provenance: by hand\n"

static const char full[] =
	HEAD "arch: aarch64\n"
	     "machine: a board\n"
	     "kernel: 7.3.4\n"
	     "emulated: true\n"
	     "residual_pct: 2.5\n"
	     "bandwidth: {store_gbps: 5.5, nt_store_gbps: 12}\n"
	     "costs:\n"
	     "  - {stage: memmap_init, unit: struct pages, kind: zd-base, path: baseline, ns: 10, low: 9, "
	     "high: 12,\n"
	     "     n: 3, units_min: 1000, units_max: 2000, source: 'three \"rebinds\": here'}\n"
	     "  - {stage: driver, unit: once, ns: 5e6, low: 1e6, high: 2e7, prior: true, source: guess}\n"
	     "ratios:\n"
	     "  - {kind: zd-base, path: template-nt, ratio: 0.4, low: 0.3, high: 0.5, source: race}\n"
	     "cpu:\n"
	     "  - {kind: zd-base, path: baseline, ns: 3.5, source: race}\n";

static void check_full(const struct profile *p)
{
	const struct cost *cost =
		profile_find_cost(p, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, KIND_ZD_BASE, PATH_BASELINE);
	const struct cost *once = profile_find_cost(p, STAGE_DRIVER, UNIT_ONCE, KIND_NONE, PATH_ANY);

	check_str(p->name, "p", "name");
	assert_true(p->has_arch);
	check_int(p->arch, ARCH_AARCH64, "arch");
	check_str(p->machine, "a board", "machine");
	check_str(p->kernel, "7.3.4", "kernel");
	check_str(p->obtained, "fitted", "obtained");
	check_str(p->provenance, "by hand", "provenance");
	assert_true(p->emulated);
	check_near(p->residual_pct, 2.5, 0, "residual");
	check_near(p->store_gbps, 5.5, 0, "stores");
	check_near(p->nt_store_gbps, 12, 0, "nt stores");
	assert_non_null(cost);
	check_near(cost->ns, 10, 0, "ns");
	check_near(cost->low_ns, 9, 0, "low");
	check_near(cost->high_ns, 12, 0, "high");
	check_u64(cost->n, 3, "n");
	check_near(cost->units_min, 1000, 0, "units_min");
	check_near(cost->units_max, 2000, 0, "units_max");
	check_str(cost->source, "three \"rebinds\": here", "source");
	assert_false(cost->prior);
	assert_non_null(once);
	check_near(once->high_ns, 2e7, 0, "once, high");
	assert_true(once->prior);
	check_u64(p->nr_ratios, 1, "ratios");
	check_near(profile_find_ratio(p, KIND_ZD_BASE, PATH_TEMPLATE_NT)->low, 0.3, 0, "ratio, low");
	check_u64(p->nr_cpu, 1, "cpu");
	check_near(profile_find_cpu(p, KIND_ZD_BASE, PATH_BASELINE)->ns, 3.5, 0, "cpu");
}

static void test_read_and_write_back(void **state)
{
	struct scratch s;
	_cleanup_diags_ struct diags diags = {0};
	_cleanup_profile_ struct profile *first = NULL, *second = NULL;
	FILE *f;

	(void)state;
	scratch_open(&s);
	write_text(s.file, full);
	assert_int_equal(profile_load(s.file, &diags, &first), 0);
	check_full(first);
	check_str(first->file, s.file, "file");
	f = fopen(s.file, "w");
	assert_non_null(f);
	assert_int_equal(profile_save(first, f), 0);
	fclose(f);
	assert_int_equal(profile_load(s.file, &diags, &second), 0);
	check_full(second);
	scratch_close(&s);
}

#define ROW "  - {stage: add_memory, unit: sections, ns: 1, low: 1, high: 1, source: s"

#define RATIO_ROW "  - {kind: zd-base, path: template, ratio: 1, low: 1, high: 1, source: s"
#define CPU_ROW   "  - {kind: zd-base, path: baseline, ns: 3, source: s"

static void test_mistakes(void **state)
{
	static const struct {
		const char *text;
		const char *want; /* without the file */
	} cases[] = {
		{HEAD "costs:\n  - {stage: add_memory, unit: sections, ns: 5, low: 6, high: 7, source: s}\n",
		 ":6:45: 5 is not between low (6) and high (7)"																		     },
		{HEAD
		 "costs:\n  - {stage: add_memory, unit: struct pages, ns: 1, low: 1, high: 1, source: s}\n", ":6:31: the unit struct pages needs a kind: zd-base, zd-compound, hugetlb or ordinary"},
		{HEAD "costs:\n" ROW ", kind: zd-base}\n",
		 ":6:82: only struct pages have a kind, sections have none"																	 },
		{HEAD "costs:\n" ROW "}\n" ROW "}\n",
		 ":7:13: a second cost for the same stage, unit, kind and path"																     },
		{HEAD "costs:\n" ROW ", units_min: 3, units_max: 2}\n",
		 ":6:87: units_min 3 is more than units_max 2"																		      },
		{HEAD "ratios:\n  - {kind: zd-base, path: baseline, ratio: 1, low: 1, high: 1, source: s}\n",
		 ":6:27: a ratio is of template or template-nt, not of baseline"																    },
		{HEAD "ratios:\n" RATIO_ROW "}\n" RATIO_ROW "}\n",
		 ":7:12: a second ratio for the same kind and path"																		 },
		{HEAD "ratios:\n  - {kind: none, path: template, ratio: 1, low: 1, high: 1, source: s}\n",
		 ":6:12: kind \"none\" is not one of zd-base, zd-compound, hugetlb, ordinary"														       },
		{HEAD "cpu:\n  - {kind: zd-base, path: any, ns: 3, source: s}\n",
		 ":6:27: path \"any\" is not one of baseline, template, template-nt"																},
		{HEAD "cpu:\n" CPU_ROW "}\n" CPU_ROW "}\n",
		 ":7:12: a second cost for the same kind and path"																		  },
		{"memmapctl-profile: 1\nname: p\nobtained: fited\nprovenance: x\n",
		 ":3:11: obtained \"fited\" is not uncalibrated, fitted or simulated; did you mean "
		 "\"fitted\"?"																						      },
	};
	struct scratch s;

	(void)state;
	scratch_open(&s);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_diags_ struct diags diags = {0};
		struct profile *p = NULL;
		char *printed = NULL, want[512];
		size_t size;
		FILE *f = open_memstream(&printed, &size);

		write_text(s.file, cases[i].text);
		check_int(profile_load(s.file, &diags, &p), -EINVAL, "case %zu", i);
		assert_null(p);
		diags_print(&diags, f);
		fclose(f);
		snprintf(want, sizeof(want), "%s%s\n", s.file, cases[i].want);
		check_str(printed, want, "case %zu", i);
		free(printed);
	}
	scratch_close(&s);
}

static void test_lookup_by_name(void **state)
{
	struct scratch s;
	_cleanup_diags_ struct diags diags = {0};
	_cleanup_profile_ struct profile *own = NULL, *built_in = NULL;
	struct profile *none = NULL;

	(void)state;
	scratch_open(&s);
	write_text(s.file, full);
	setenv("MEMMAPCTL_CONFIGS", s.dir, 1);
	assert_int_equal(profile_load("p", &diags, &own), 0);
	check_str(own->file, s.file, "from $MEMMAPCTL_CONFIGS");
	/* what it does not have comes from the program's own */
	assert_int_equal(profile_load("generic-x86_64", &diags, &built_in), 0);
	check_str(built_in->obtained, "uncalibrated", "generic-x86_64");
	check_int(profile_load("no-such", &diags, &none), -ENOENT, "unknown name");
	check_u64(diags.nr_errors, 1, "errors");
	unsetenv("MEMMAPCTL_CONFIGS");
	scratch_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_and_write_back),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_lookup_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
