// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What differs between kernel versions and architectures: one table of changes, oldest first. Known from source
 * for 6.1, 6.12 and 7.3; a cut-over between those is that of the mainline release that first had the change.
 */
#include "geometry/geometry.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "base/util.h"
#include "host/pages.h"

enum {
	ON_X86 = 1u << ARCH_X86_64,
	ON_ARM64 = 1u << ARCH_AARCH64,
	ON_ALL = ON_X86 | ON_ARM64,
};

static const struct kver oldest_known = {6, 1, 0, 0};
static const struct kver newest_known = {7, 3, 0, 0};

enum { MAX_BACKPORTS = 2 };

/* From `since` on, and in the stable series of each backport from its patch level on, the flag has the value. */
struct rule {
	size_t flag;
	unsigned int arches;
	bool value;
	struct kver since;
	struct kver backports[MAX_BACKPORTS];
};

#define FLAG(name) offsetof(struct kernel_rules, name)

/* clang-format off */
static const struct rule rules[] = {
	/* arch/arm64/mm/mmu.c: vmemmap_populate hands the altmap to vmemmap_populate_basepages; x86 hands NULL. */
	{FLAG(altmap_backs_pieces),      ON_ARM64, true,  {0},           {{0}}},
	/* include/linux/mm.h: vmemmap_can_optimize; mm/sparse-vmemmap.c: vmemmap_populate_compound_pages. */
	{FLAG(dax_optimizable),          ON_X86,   true,  {0},           {{0}}},
	/* arch/arm64/mm/pageattr.c: can_set_direct_map; 7.3 spares CPUs with BBML3, which a host does not state. */
	{FLAG(pte_direct_map),           ON_ARM64, true,  {0},           {{0}}},
	/* arch/x86/mm/init_64.c: deferred_page_init_max_threads; elsewhere the weak one said 1. */
	{FLAG(deferred_all_cpus),        ON_X86,   true,  {0},           {{0}}},
	/* mm/hugetlb_vmemmap.c. arm64 lost it: no break-before-make for a live vmemmap. */
	{FLAG(hvo_available),            ON_ALL,   true,  {0},           {{0}}},
	{FLAG(hvo_available),            ON_ARM64, false, {6, 3, 0, 0},  {{6, 1, 16, 0}}},
	/* mm/hugetlb.c: hugetlb_folio_init_tail_vmemmap; memblock regions marked MEMBLOCK_RSRV_NOINIT. */
	{FLAG(hugetlb_skips_tails),      ON_ALL,   true,  {6, 7, 0, 0},  {{0}}},
	/* mm/memory_hotplug.c: create_altmaps_and_memory_blocks; dax's memmap_on_memory attribute. */
	{FLAG(memmap_on_memory),         ON_ALL,   true,  {6, 8, 0, 0},  {{0}}},
	/* mm/hugetlb.c: gather_bootmem_prealloc_parallel. */
	{FLAG(hugetlb_parallel),         ON_ALL,   true,  {6, 9, 0, 0},  {{0}}},
	/* mm/hugetlb.c: hugetlb_pages_alloc_boot: max_threads = 2 * num_node_state(N_MEMORY). */
	{FLAG(hugepage_threads_by_node), ON_ALL,   true,  {6, 9, 0, 0},  {{0}}},
	/* mm/mm_init.c: deferred_page_init_max_threads counts the node's CPUs on every architecture. */
	{FLAG(deferred_all_cpus),        ON_ALL,   true,  {6, 11, 0, 0}, {{0}}},
	/* mm/hugetlb_vmemmap.c: __hugetlb_vmemmap_optimize_folios, against speculative PFN walkers. */
	{FLAG(hvo_grace_period),         ON_ALL,   true,  {6, 11, 0, 0}, {{0}}},
	/* mm/sparse-vmemmap.c: sparse_vmemmap_init_nid_early; ARCH_WANT_SPARSEMEM_VMEMMAP_PREINIT is x86's. */
	{FLAG(hvo_pre_init),             ON_X86,   true,  {6, 15, 0, 0}, {{0}}},
	/* mm/hugetlb.c: hugetlb_pages_alloc_boot: hugepage_alloc_threads, by default a quarter of the CPUs. */
	{FLAG(hugepage_threads_by_cpu),  ON_ALL,   true,  {6, 15, 0, 0}, {{0}}},
	/* include/linux/page-flags.h: compound_info is a mask where HVO exists. */
	{FLAG(tail_info_is_mask),        ON_X86,   true,  {7, 1, 0, 0},  {{0}}},
	{FLAG(hvo_grace_period),         ON_ALL,   false, {7, 1, 0, 0},  {{0}}},
	/* mm/mm_init.c: compound_nr_pages: "fix uninitialized struct pages for ZONE_DEVICE". */
	{FLAG(early_section_full_init),  ON_ALL,   true,  {7, 2, 0, 0},  {{6, 1, 184, 0}, {6, 12, 97, 0}}},
	/* mm/hugetlb.c: hugetlb_bootmem_struct_page_init, called by page_alloc_init_late. */
	{FLAG(hugetlb_gather_early),     ON_ALL,   true,  {7, 3, 0, 0},  {{6, 12, 114, 0}}},
};
/* clang-format on */

static bool same_series(struct kver a, struct kver b)
{
	return a.major == b.major && a.minor == b.minor;
}

static bool in_force(const struct rule *rule, struct kver v)
{
	if (kver_cmp(v, rule->since) >= 0)
		return true;
	for (size_t i = 0; i < MAX_BACKPORTS; i++) {
		if (rule->backports[i].major && same_series(v, rule->backports[i]))
			return kver_cmp(v, rule->backports[i]) >= 0;
	}
	return false;
}

/* "6.1.0-53-amd64", "6.8.0-45-generic": a distribution's count stands where the stable patch level would. */
static bool hides_patch_level(const char *release, struct kver v)
{
	const char *dash = strchr(release, '-');

	return v.patch == 0 && v.rc == 0 && dash && dash - release >= 2 && !strncmp(dash - 2, ".0", 2) &&
	       isdigit((unsigned char)dash[1]);
}

static bool series_has_backports(struct kver v)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		for (size_t j = 0; j < MAX_BACKPORTS; j++) {
			if (rules[i].backports[j].major && same_series(v, rules[i].backports[j]))
				return true;
		}
	}
	return false;
}

static void note(const struct host *host, struct diags *diags, const char *fmt, ...) _printf_(3, 4);

static void note(const struct host *host, struct diags *diags, const char *fmt, ...)
{
	struct host_place at = host_place_of(host, &host->kernel.release);
	va_list ap;

	va_start(ap, fmt);
	diag_addv(diags, DIAG_NOTE, host->file, at.line, at.col, fmt, ap);
	va_end(ap);
}

/* The version that the table is asked for, with a note where it is not the one that was stated. */
static struct kver effective_version(const struct host *host, struct diags *diags)
{
	const struct kver oldest = oldest_known, newest = newest_known;
	const char *release = host->kernel.release;
	struct kver v = host->kernel.version;

	if (!release) {
		note(host, diags, "kernel release not stated: the rules of Linux %u.%u are used",
		     newest.major, newest.minor);
		return newest;
	}
	if (kver_cmp(v, oldest) < 0) {
		note(host, diags,
		     "%s is older than Linux %u.%u, the oldest whose rules are known: those are used",
		     release, oldest.major, oldest.minor);
		return oldest;
	}
	if (kver_cmp(v, newest) > 0 && !same_series(v, newest))
		note(host, diags,
		     "%s is newer than Linux %u.%u, the newest whose rules are known: those are used",
		     release, newest.major, newest.minor);
	if (hides_patch_level(release, v) && series_has_backports(v)) {
		note(host, diags, "%s hides its stable patch level: taken as the newest of the %u.%u series",
		     release, v.major, v.minor);
		v.patch = UINT16_MAX;
	}
	return v;
}

int kernel_rules_for(const struct host *host, struct diags *diags, struct kernel_rules *out)
{
	const struct page_sizes *sizes = page_sizes_of(host->arch, host->page_size_bytes);
	struct kernel_rules r = {.subsection_bytes = SUBSECTION_BYTES};
	struct kver v;

	if (!sizes)
		return diag_error(diags, -EINVAL, "%s has no pages of %llu bytes", arch_name(host->arch),
				  (unsigned long long)host->page_size_bytes);
	v = effective_version(host, diags);
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if ((rules[i].arches & (1u << host->arch)) && in_force(&rules[i], v))
			*(bool *)((char *)&r + rules[i].flag) = rules[i].value;
	}
	r.page_bytes = sizes->page_bytes;
	r.pmd_bytes = sizes->pmd_bytes;
	r.pud_bytes = sizes->pud_bytes;
	r.section_bytes = sizes->section_bytes;
	/* arch/arm64/mm/mmu.c: vmemmap_populate: base pages unless ARM64_4K_PAGES. */
	r.vmemmap_pmds = sizes->page_bytes == 4 * KIB;
	r.dax_optimizable = r.dax_optimizable && host->kernel.dax_vmemmap_optimization;
	/*
	 * Before tails were skipped, reserve_bootmem_region wrote every struct page and
	 * __prep_compound_gigantic_page every one again; without deferral memmap_init has done the first pass.
	 */
	r.hugetlb_passes = !r.hugetlb_skips_tails && host->kernel.deferred_struct_page_init ? 2 : 1;
	*out = r;
	return 0;
}
