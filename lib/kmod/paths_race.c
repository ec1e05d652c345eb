// SPDX-License-Identifier: GPL-2.0
/* Running an init path over an array of struct pages, chunk by chunk. */
#include <linux/cpufeature.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#ifdef CONFIG_X86
#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#endif

#include "initpath/routines.h"
#include "paths.h"

enum {
	SECTION_PAGES =
		32768, /* the kernel gives way to others once in so many struct pages, and so does this */
	POISON_BYTE = 0xa5,
};

/* Any address and PFN will do that are always the same: the bytes that a page is compared by depend on them. */
#define VMEMMAP_BASE 0xffffea0000000000ULL
#define START_PFN    (16ULL << 18)

#ifdef CONFIG_X86
/* The kernel clears these where it does not save the registers. */
bool arch_has_avx2(void)
{
	return boot_cpu_has(X86_FEATURE_AVX2);
}

bool arch_has_avx512(void)
{
	return boot_cpu_has(X86_FEATURE_AVX512F);
}

bool arch_has_movdir64b(void)
{
	return boot_cpu_has(X86_FEATURE_MOVDIR64B);
}

bool race_routine_needs_fpu(const struct initpath_routine *routine)
{
	return routine->usable == arch_has_avx2 || routine->usable == arch_has_avx512;
}

/* No preemption from here to the end: at most a chunk. */
static void fpu_begin(void)
{
	kernel_fpu_begin();
}

static void fpu_end(void)
{
	kernel_fpu_end();
}
#else
#ifdef CONFIG_ARM64
bool arch_has_dc_zva_64(void)
{
	u64 dczid = read_sysreg(dczid_el0);

	return !(dczid & 16) && 4u << (dczid & 15) == ARCH_BLOCK_BYTES;
}
#endif

bool race_routine_needs_fpu(const struct initpath_routine *routine)
{
	return false;
}

static void fpu_begin(void)
{
}

static void fpu_end(void)
{
}
#endif

const struct initpath_routine *race_routines(size_t *nr)
{
	*nr = NR_ROUTINES_PER_BUILD;
	return initpath_build_default.routines;
}

bool race_routine_usable(const struct initpath_routine *routine)
{
	return !routine->usable || routine->usable();
}

u64 race_text_bytes(void)
{
	return initpath_build_default.text_end - initpath_build_default.text_start;
}

void race_free(struct race *race)
{
	vfree(race->memmap);
	vfree(race->expected);
	*race = (struct race){0};
}

/* Mapped by huge pages where that can be had, as a vmemmap is. */
static void *allocate(u64 bytes)
{
	return vmalloc_huge(bytes, GFP_KERNEL);
}

static u64 bytes_of(u64 nr_pages)
{
	return nr_pages * sizeof(struct page);
}

/* max_bytes is far below 2^64, so that a number of pages that passed cannot overflow as bytes. */
static bool fits(u64 nr_pages, u64 chunk_pages, u64 max_bytes)
{
	u64 available = (u64)si_mem_available() << PAGE_SHIFT;

	return nr_pages <= max_bytes / sizeof(struct page) &&
	       bytes_of(nr_pages) + bytes_of(chunk_pages) <= available / 2;
}

static int prepare(struct race *race, u64 nr_pages, u64 chunk_pages, u64 max_bytes)
{
	if (race->nr_pages == nr_pages && race->chunk_pages >= chunk_pages)
		return 0;
	race_free(race);
	if (!fits(nr_pages, chunk_pages, max_bytes))
		return -ENOMEM;
	race->memmap = allocate(bytes_of(nr_pages));
	race->expected = allocate(bytes_of(chunk_pages));
	if (!race->memmap || !race->expected) {
		race_free(race);
		return -ENOMEM;
	}
	race->nr_pages = nr_pages;
	race->chunk_pages = chunk_pages;
	race->node = page_to_nid(vmalloc_to_page(race->memmap));
	return 0;
}

/* A kernel that used vector registers would pay for saving them: that is part of the time. */
static u64 time_chunk(const struct initpath_routine *routine, const struct initpath_args *args)
{
	bool fpu = race_routine_needs_fpu(routine);
	u64 start = ktime_get_raw_ns();

	if (fpu)
		fpu_begin();
	routine->run(args);
	if (fpu)
		fpu_end();
	return ktime_get_raw_ns() - start;
}

/* The first routine of a kind is its baseline. */
static const struct initpath_routine *baseline_of(enum page_kind kind)
{
	const struct initpath_routine *routine = initpath_build_default.routines;

	while (!(routine->kinds & (1u << kind)))
		routine++;
	return routine;
}

static bool is_as_baseline(const struct race *race, const struct initpath_args *args, u64 *first_wrong)
{
	struct initpath_args expected = *args;
	u64 same;

	expected.memmap = race->expected;
	memset(race->expected, POISON_BYTE, bytes_of(args->nr_pages));
	baseline_of(args->kind)->run(&expected);
	same = initpath_compare(args->memmap, race->expected, args->nr_pages);
	*first_wrong = args->memmap + same - race->memmap;
	return same == args->nr_pages;
}

static int run_chunks(struct race *race, const struct race_pass *pass, struct race_result *result)
{
	struct initpath_args args = {
		.version = pass->version,
		.kind = pass->kind,
		.order = pass->order,
		.vmemmap_base = VMEMMAP_BASE,
	};
	u64 chunk = max_t(u64, SECTION_PAGES, 1ULL << pass->order);

	for (u64 done = 0; done < pass->nr_pages; done += args.nr_pages) {
		args.memmap = race->memmap + done;
		args.start_pfn = START_PFN + done;
		args.nr_pages = min_t(u64, chunk, pass->nr_pages - done);
		if (pass->verify)
			memset(args.memmap, POISON_BYTE, bytes_of(args.nr_pages));
		result->ns += time_chunk(pass->routine, &args);
		if (pass->verify && result->verified)
			result->verified = is_as_baseline(race, &args, &result->first_wrong);
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
	}
	return 0;
}

int race_run(struct race *race, const struct race_pass *pass, u64 max_bytes, struct race_result *result)
{
	u64 chunk = max_t(u64, SECTION_PAGES, 1ULL << pass->order);
	int err;

	if (!pass->nr_pages || pass->nr_pages & ((1ULL << pass->order) - 1) ||
	    !(pass->routine->kinds & (1u << pass->kind)))
		return -EINVAL;
	if (!race_routine_usable(pass->routine))
		return -EOPNOTSUPP;
	err = prepare(race, pass->nr_pages, chunk, max_bytes);
	if (err)
		return err;
	*result = (struct race_result){.verified = pass->verify, .first_wrong = pass->nr_pages};
	return run_chunks(race, pass, result);
}
