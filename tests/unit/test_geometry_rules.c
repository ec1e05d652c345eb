// SPDX-License-Identifier: GPL-2.0-or-later
/* Which rule holds on which kernel: what the sources of 6.1, 6.12 and 7.3 and the changelogs say. */
#include <errno.h>

#include "support/geometry.h"

#define X ARCH_X86_64
#define A ARCH_AARCH64

/* Letters of the flags that are set, in the order of letter(). */
static const char *letters(const struct kernel_rules *r, char buf[32])
{
	const struct {
		char letter;
		bool set;
	} flags[] = {
		{'d', r->dax_optimizable         },
		{'e', r->early_section_full_init },
		{'p', r->pte_direct_map          },
		{'m', r->memmap_on_memory        },
		{'h', r->hvo_available           },
		{'i', r->hvo_pre_init            },
		{'g', r->hvo_grace_period        },
		{'s', r->hugetlb_skips_tails     },
		{'b', r->hugetlb_gather_early    },
		{'l', r->hugetlb_parallel        },
		{'n', r->hugepage_threads_by_node},
		{'c', r->hugepage_threads_by_cpu },
		{'a', r->deferred_all_cpus       },
		{'t', r->tail_info_is_mask       },
	};
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		if (flags[i].set)
			buf[n++] = flags[i].letter;
	}
	buf[n] = '\0';
	return buf;
}

static void by_version(void **state)
{
	static const struct {
		enum arch_id arch;
		const char *release;
		const char *flags;
		unsigned int passes;
	} rows[] = {
		{X, "6.1.192",  "deha",         2},
		{X, "6.1.183",  "dha",          2},
		{X, "6.12.107", "demhgslna",    1},
		{X, "6.12.117", "demhgsblna",   1},
		{X, "6.12.96",  "dmhgslna",     1},
		{X, "6.12.113", "demhgslna",    1}, /* the changelog of 6.12.114 has it */
		{X, "6.12.114", "demhgsblna",   1},
		{X, "7.3.4",    "demhisblncat", 1},
		{X, "7.3-rc1",  "demhislncat",  1},
		{A, "6.1.192",  "ep",           2},
		{A, "6.1.15",   "ph",           2},
		{A, "6.12.117", "epmgsblna",    1},
		{A, "7.3.4",    "epmsblnca",    1},
		{X, "6.6.0",    "dha",          2},
		{X, "6.7.0",    "dhsa",         1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host host = plain_host(rows[i].arch, rows[i].release);
		struct kernel_rules r;
		char buf[32];

		assert_int_equal(kernel_rules_for(&host, NULL, &r), 0);
		check_str(letters(&r, buf), rows[i].flags, "%s %s", arch_name(rows[i].arch), rows[i].release);
		check_int(r.hugetlb_passes, rows[i].passes, "%s: passes", rows[i].release);
	}
}

static void switched_off(void **state)
{
	struct host host = plain_host(X, "7.3.4");
	struct kernel_rules r;

	(void)state;
	host.kernel.dax_vmemmap_optimization = false;
	assert_int_equal(kernel_rules_for(&host, NULL, &r), 0);
	assert_false(r.dax_optimizable);
	host = plain_host(X, "6.1.192");
	host.kernel.deferred_struct_page_init = false;
	assert_int_equal(kernel_rules_for(&host, NULL, &r), 0);
	check_int(r.hugetlb_passes, 1, "memmap_init did the first");
}

static void page_sizes(void **state)
{
	static const struct {
		enum arch_id arch;
		uint64_t page, pmd, pud, section;
		bool pmds;
	} rows[] = {
		{X, 4 * KIB,  2 * MIB,   1 * GIB, 128 * MIB, true },
		{A, 4 * KIB,  2 * MIB,   0,       128 * MIB, true },
		{A, 16 * KIB, 32 * MIB,  0,       128 * MIB, false},
		{A, 64 * KIB, 512 * MIB, 0,       512 * MIB, false},
	};
	struct kernel_rules r;
	struct host host = plain_host(X, "7.3.4");
	_cleanup_diags_ struct diags diags = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host row_host = plain_host(rows[i].arch, "7.3.4");

		row_host.page_size_bytes = rows[i].page;
		assert_int_equal(kernel_rules_for(&row_host, NULL, &r), 0);
		check_u64(r.pmd_bytes, rows[i].pmd, "row %zu: PMD", i);
		check_u64(r.pud_bytes, rows[i].pud, "row %zu: PUD", i);
		check_u64(r.section_bytes, rows[i].section, "row %zu: section", i);
		check_u64(r.subsection_bytes, 2 * MIB, "row %zu: subsection", i);
		check_int(r.vmemmap_pmds, rows[i].pmds, "row %zu: vmemmap", i);
	}
	host.page_size_bytes = 64 * KIB;
	check_int(kernel_rules_for(&host, &diags, &r), -EINVAL, "64K on x86");
	assert_true(diags_mention(&diags, DIAG_ERROR, "x86_64 has no pages of 65536 bytes"));
}

/* A version that is not stated, hidden or outside the table is said, and the nearest rules are used. */
static void versions_said(void **state)
{
	static const struct {
		const char *release;
		const char *note;
		const char *same_as;
	} rows[] = {
		{NULL,               "kernel release not stated: the rules of Linux 7.3 are used", "7.3.0"  },
		{"5.14.0",           "5.14.0 is older than Linux 6.1",                             "6.1"    },
		{"7.4-rc1",          "7.4-rc1 is newer than Linux 7.3",                            "7.3.4"  },
		{"6.1.0-53-amd64",   "6.1.0-53-amd64 hides its stable patch level",                "6.1.192"},
		{"6.1.53-amd64",     NULL,							 "6.1.53" },
		{"6.8.0-45-generic", NULL,							 "6.8.0"  }, /* nothing was backported to that series */
		{"7.3.4",            NULL,							 "7.3.4"  },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host host = plain_host(X, rows[i].release), same = plain_host(X, rows[i].same_as);
		struct kernel_rules r, want;
		_cleanup_diags_ struct diags diags = {0};
		char got_buf[32], want_buf[32];

		assert_int_equal(kernel_rules_for(&host, &diags, &r), 0);
		assert_int_equal(kernel_rules_for(&same, NULL, &want), 0);
		check_str(letters(&r, got_buf), letters(&want, want_buf), "row %zu", i);
		check_u64(diags.nr, rows[i].note != NULL, "row %zu: notes", i);
		if (rows[i].note)
			assert_true(diags_mention(&diags, DIAG_NOTE, rows[i].note));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_version),
		cmocka_unit_test(switched_off),
		cmocka_unit_test(page_sizes),
		cmocka_unit_test(versions_said),
	};

	return cmocka_run_group_tests_name("geometry: rules", tests, NULL, NULL);
}
