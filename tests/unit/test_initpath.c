// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Init paths: the bytes of each page kind against literal values, and every routine against the baseline, byte for byte.
 */
#include "support/check.h"

#include <stdlib.h>

#include "base/util.h"
#include "initpath/initpath.h"
#include "initpath/replica.h"

#define VMEMMAP 0xffffea0000000000ull

enum {
	REDZONE_PAGES = 4, /* on each side of the array: a store past its ends shows */
	REDZONE_BYTE = 0xa5,
	UNWRITTEN_BYTE = 0xcc, /* in the array before it is initialised: a byte left out shows */
};

struct arena {
	struct page *all, *memmap;
	uint64_t nr_pages;
};

static void arena_free(struct arena *arena)
{
	free(arena->all);
}
#define _cleanup_arena_ _cleanup_(arena_free)

static struct arena arena_new(uint64_t nr_pages)
{
	size_t bytes = (nr_pages + 2 * REDZONE_PAGES) * STRUCT_PAGE_BYTES;
	struct arena arena = {.all = aligned_alloc(STRUCT_PAGE_BYTES, bytes), .nr_pages = nr_pages};

	assert_non_null(arena.all);
	memset(arena.all, REDZONE_BYTE, bytes);
	arena.memmap = arena.all + REDZONE_PAGES;
	memset(arena.memmap, UNWRITTEN_BYTE, nr_pages * STRUCT_PAGE_BYTES);
	return arena;
}

static bool redzones_intact(const struct arena *arena)
{
	const unsigned char *before = (const unsigned char *)arena->all;
	const unsigned char *after = (const unsigned char *)(arena->memmap + arena->nr_pages);

	for (size_t i = 0; i < REDZONE_PAGES * STRUCT_PAGE_BYTES; i++) {
		if (before[i] != REDZONE_BYTE || after[i] != REDZONE_BYTE)
			return false;
	}
	return true;
}

static bool can_run(const struct initpath_routine *routine, enum page_kind kind)
{
	return (routine->kinds & 1u << kind) && (!routine->usable || routine->usable());
}

static const struct initpath_routine *baseline_of(enum page_kind kind)
{
	size_t nr;
	const struct initpath_routine *routines = initpath_routines(&nr);

	for (size_t i = 0; i < nr; i++) {
		if (routines[i].kinds & 1u << kind)
			return &routines[i];
	}
	fail_msg("no routine for %s", kind_name(kind));
	return NULL;
}

/* Fields of one struct page as a kernel of each version leaves them: offset, size, value; other bytes are zero. */
struct golden_field {
	unsigned int offset, bytes;
	uint64_t value;
};

/* Where the tails of a compound of 2^order pages at head_pfn say that their head is. */
static uint64_t golden_tail_info(const char *version, uint64_t mask_info, uint64_t pointer_info)
{
#ifdef __x86_64__
	if (!strcmp(version, "7.3"))
		return mask_info;
#else
	(void)version;
	(void)mask_info;
#endif
	return pointer_info;
}

static void check_page(const struct page *page, const struct golden_field *fields, const char *version,
		       const char *what)
{
	unsigned char want[STRUCT_PAGE_BYTES] = {0};
	const unsigned char *got = (const unsigned char *)page;

	for (const struct golden_field *f = fields; f->bytes; f++) {
		for (unsigned int i = 0; i < f->bytes; i++)
			want[f->offset + i] = (unsigned char)(f->value >> (8 * i));
	}
	for (unsigned int i = 0; i < STRUCT_PAGE_BYTES; i++)
		check_u64(got[i], want[i], "%s %s: byte %u", version, what, i);
}

/* Node 1, zone 4 (device) or 2 (normal), last CPU and process unknown (21 ones), reserved: bit 13, head: bit 6. */
static void golden_zd_base(void **state)
{
	(void)state;
	for (size_t v = 0; v < nr_initpath_versions; v++) {
		const char *version = initpath_versions[v].name;
		_cleanup_arena_ struct arena arena = arena_new(3);
		const struct golden_field page[] = {
			{0,                   8, 0x0067ffffc0002000},
			{8, 8, 0xffff888104c1a000},
			{48,                   4, 0xffffffff},
			{52, 4, strcmp(version, "7.3") ? 1 : 0},
			{0                 },
		};
		const struct initpath_args args = {
			.version = &initpath_versions[v],
			.kind = KIND_ZD_BASE,
			.memmap = arena.memmap,
			.start_pfn = 0x12345,
			.nr_pages = 3,
			.vmemmap_base = VMEMMAP,
		};

		baseline_of(KIND_ZD_BASE)->run(&args);
		for (int i = 0; i < 3; i++)
			check_page(arena.memmap + i, page, version, "zd-base");
	}
}

static void golden_zd_compound(void **state)
{
	(void)state;
	for (size_t v = 0; v < nr_initpath_versions; v++) {
		const char *version = initpath_versions[v].name;
		_cleanup_arena_ struct arena arena = arena_new(1024);
		/* The second compound of two: its head is pfn 0x40200, at VMEMMAP + 0x1008000. */
		uint64_t info = golden_tail_info(version, 0xffffffffffff8001, 0xffffea0001008001);
		const struct golden_field head[] = {
			{0,                   8, 0x0067ffffc0002040},
			{8, 8, 0xffff888104c1a000},
			{48,                   4, 0xffffffff},
			{52, 4, 1},
			{0                 },
		};
		const struct golden_field first_tail[] = {
			{0,                   8, 0x0067ffffc0002009},
			{8, 8, info},
			{16,                   4, 0xffffffff},
			{20,               4, 0xffffffff},
			{32,                  4, 512},
			{48,         4, 0xffffffff},
			{0                 },
		};
		const struct golden_field tail[] = {
			{0,                   8, 0x0067ffffc0002000},
                        {8, 8, info},
                        {24,                   8, 0xdead000000000400},
			{48,               4, 0xffffffff},
                        {52,                  4, 0},
                        {0},
		};
		const struct initpath_args args = {
			.version = &initpath_versions[v],
			.kind = KIND_ZD_COMPOUND,
			.memmap = arena.memmap,
			.start_pfn = 0x40000,
			.nr_pages = 1024,
			.order = 9,
			.vmemmap_base = VMEMMAP,
		};

		baseline_of(KIND_ZD_COMPOUND)->run(&args);
		check_page(arena.memmap + 512, head, version, "zd-compound head");
		check_page(arena.memmap + 513, first_tail, version, "zd-compound first tail");
		check_page(arena.memmap + 514, tail, version, "zd-compound second tail");
		check_page(arena.memmap + 1023, tail, version, "zd-compound last tail");
	}
}

static void golden_hugetlb(void **state)
{
	(void)state;
	for (size_t v = 0; v < nr_initpath_versions; v++) {
		const char *version = initpath_versions[v].name;
		bool mapped = strcmp(version, "6.1") != 0; /* 6.1's second pass leaves mapping alone */
		_cleanup_arena_ struct arena arena = arena_new(262144);
		uint64_t info = golden_tail_info(version, 0xffffffffff000001, 0xffffea0001000001);
		const struct golden_field head[] = {
			{0,                   8, 0x0057ffffc0000040},
			{8, 8, 0xffffea0001000008},
			{16,                   8, 0xffffea0001000008},
			{48, 4, 0xffffffff},
			{52,                  4, 0},
			{0},
		};
		const struct golden_field first_tail[] = {
			{0,                   8, 0x0057ffffc0000012},
			{8, 8, info},
			{16,                   4, 0xffffffff},
			{20,               4, 0xffffffff},
			{32,                  4, 262144},
			{48,         4, 0xffffffff},
			{0                 },
		};
		/* pfn 0x403e8, at VMEMMAP + 0x100fa00: half of its list head is left */
		const struct golden_field tail[] = {
			{0,                   8, 0x0057ffffc0000000},
                        {8, 8, info},
			{16,                   8, 0xffffea000100fa08},
                        {24,               8, mapped ? 0xdead000000000400 : 0},
			{48,                  4, 0xffffffff},
                        {0},
		};
		const struct initpath_args args = {
			.version = &initpath_versions[v],
			.kind = KIND_HUGETLB,
			.memmap = arena.memmap,
			.start_pfn = 0x40000,
			.nr_pages = 262144,
			.order = 18,
			.vmemmap_base = VMEMMAP,
		};

		baseline_of(KIND_HUGETLB)->run(&args);
		check_page(arena.memmap, head, version, "hugetlb head");
		check_page(arena.memmap + 1, first_tail, version, "hugetlb first tail");
		check_page(arena.memmap + 1000, tail, version, "hugetlb tail 1000");
	}
}

static void golden_ordinary(void **state)
{
	static const struct golden_field first_of_block[] = {
  /* pfn 0x400, at VMEMMAP + 0x10000: order 10, free */
		{0,                   8, 0x0057ffffc0000000},
                {8, 8, 0xffffea0000010008},
		{16,                   8, 0xffffea0000010008},
                {40, 8, 10},
		{48,                  4, 0xf0000000},
                {0},
	};
	static const struct golden_field page[] = {
		{0,                   8, 0x0057ffffc0000000},
		{8, 8, 0xffffea000000ffc8},
		{16,                   8, 0xffffea000000ffc8},
		{48, 4, 0xffffffff},
		{0                 },
	};

	(void)state;
	for (size_t v = 0; v < nr_initpath_versions; v++) {
		const char *version = initpath_versions[v].name;
		_cleanup_arena_ struct arena arena = arena_new(2);
		const struct initpath_args args = {
			.version = &initpath_versions[v],
			.kind = KIND_ORDINARY,
			.memmap = arena.memmap,
			.start_pfn = 0x3ff,
			.nr_pages = 2,
			.vmemmap_base = VMEMMAP,
		};

		baseline_of(KIND_ORDINARY)->run(&args);
		check_page(arena.memmap, page, version, "ordinary");
		check_page(arena.memmap + 1, first_of_block, version, "ordinary, first of its block");
	}
}

/* Without a fixed base, pages point at where they really are. */
static void without_base(void **state)
{
	_cleanup_arena_ struct arena arena = arena_new(10);
	const struct initpath_args args = {
		.version = &initpath_versions[0],
		.kind = KIND_ORDINARY,
		.memmap = arena.memmap,
		.start_pfn = 0x777,
		.nr_pages = 10,
	};

	(void)state;
	baseline_of(KIND_ORDINARY)->run(&args);
	for (int i = 0; i < 10; i++) {
		uint64_t next;

		memcpy(&next, (char *)(arena.memmap + i) + 8, sizeof(next));
		check_u64(next, (uint64_t)(uintptr_t)(arena.memmap + i) + 8, "page %d", i);
	}
}

/* Ranges of all kinds: whole blocks, less than one, more than one, from the middle; tails from none to many. */
struct range {
	enum page_kind kind;
	unsigned int order;
	uint64_t start_pfn, nr_pages;
};

static const struct range ranges[] = {
	{KIND_ZD_BASE,     0,  0,        1   },
	{KIND_ZD_BASE,     0,  1,        2   },
	{KIND_ZD_BASE,     0,  7,        63  },
	{KIND_ZD_BASE,     0,  0x100005, 65  },
	{KIND_ZD_BASE,     0,  0x8000,   2049},
	{KIND_ZD_COMPOUND, 1,  0,        2   },
	{KIND_ZD_COMPOUND, 1,  6,        10  },
	{KIND_ZD_COMPOUND, 2,  4,        4   },
	{KIND_ZD_COMPOUND, 9,  0x200,    512 },
	{KIND_ZD_COMPOUND, 9,  0x40000,  1536},
	{KIND_ZD_COMPOUND, 12, 0x1000,   8192},
	{KIND_HUGETLB,     1,  2,        6   },
	{KIND_HUGETLB,     5,  32,       32  },
	{KIND_HUGETLB,     6,  64,       128 },
	{KIND_HUGETLB,     7,  0x80,     384 },
	{KIND_HUGETLB,     12, 0x40000,  8192},
	{KIND_ORDINARY,    0,  0,        1   },
	{KIND_ORDINARY,    0,  1023,     2   },
	{KIND_ORDINARY,    0,  1024,     1024},
	{KIND_ORDINARY,    0,  1000,     3000},
	{KIND_ORDINARY,    0,  0x100001, 1022},
};

static struct initpath_args range_args(const struct range *range, size_t version, struct page *memmap)
{
	return (struct initpath_args){
		.version = &initpath_versions[version],
		.kind = range->kind,
		.memmap = memmap,
		.start_pfn = range->start_pfn,
		.nr_pages = range->nr_pages,
		.order = range->order,
		.vmemmap_base = VMEMMAP,
	};
}

/* The range in pieces that grow: 1, 2, 3... compounds or pages. */
static void run_in_pieces(const struct initpath_routine *routine, const struct initpath_args *whole)
{
	struct initpath_args piece = *whole;
	uint64_t left = whole->nr_pages;

	for (uint64_t n = 1; left; n++) {
		piece.nr_pages = MIN(n << whole->order, left);
		routine->run(&piece);
		piece.memmap += piece.nr_pages;
		piece.start_pfn += piece.nr_pages;
		left -= piece.nr_pages;
	}
}

static void check_routine(const struct initpath_routine *routine, const struct range *range, size_t version,
			  bool pieces, const struct arena *want)
{
	_cleanup_arena_ struct arena got = arena_new(range->nr_pages);
	const struct initpath_args args = range_args(range, version, got.memmap);

	if (pieces)
		run_in_pieces(routine, &args);
	else
		routine->run(&args);
	check_u64(initpath_compare(got.memmap, want->memmap, range->nr_pages), range->nr_pages,
		  "%s (%s)%s: %s of %s, order %u, %" PRIu64 " pages from %" PRIu64
		  ": first page that differs",
		  routine->name, codegen_name(routine->codegen), pieces ? " in pieces" : "",
		  kind_name(range->kind), initpath_versions[version].name, range->order, range->nr_pages,
		  range->start_pfn);
	if (!redzones_intact(&got))
		fail_msg("%s (%s) wrote outside its range of %s", routine->name,
			 codegen_name(routine->codegen), kind_name(range->kind));
}

static void every_routine_equals_baseline(void **state)
{
	size_t nr, nr_checks = 0;
	const struct initpath_routine *routines = initpath_routines(&nr);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++) {
		for (size_t v = 0; v < nr_initpath_versions; v++) {
			_cleanup_arena_ struct arena want = arena_new(ranges[i].nr_pages);
			const struct initpath_args args = range_args(&ranges[i], v, want.memmap);

			baseline_of(ranges[i].kind)->run(&args);
			for (size_t r = 0; r < nr; r++) {
				if (!can_run(&routines[r], ranges[i].kind))
					continue;
				check_routine(&routines[r], &ranges[i], v, false, &want);
				check_routine(&routines[r], &ranges[i], v, true, &want);
				nr_checks++;
			}
		}
	}
	print_message("%zu routines, %zu comparisons\n", nr, nr_checks);
}

/* What a caller relies on: a table grouped by codegen, a baseline first, each path there, names that tell rows apart. */
static void table(void **state)
{
	size_t nr;
	const struct initpath_routine *routines = initpath_routines(&nr);
	unsigned int paths = 0;

	(void)state;
	for (size_t i = 0; i < nr; i++) {
		const struct initpath_routine *r = &routines[i];

		assert_true(r->name && r->what && r->run && r->kinds);
		paths |= 1u << r->path;
		if (!i || r->codegen != routines[i - 1].codegen) {
			check_int(r->path, PATH_BASELINE, "first of %s", codegen_name(r->codegen));
			check_u64(r->kinds, (1u << NR_KINDS) - 1, "kinds of %s", r->name);
		}
		for (size_t j = 0; j < i; j++) {
			if (routines[j].codegen == r->codegen && !strcmp(routines[j].name, r->name))
				fail_msg("%s is there twice", r->name);
		}
	}
	assert_true(paths & 1u << PATH_TEMPLATE);
#if !defined(ARCH_GENERIC) && (defined(__x86_64__) || defined(__aarch64__))
	assert_true(paths & 1u << PATH_TEMPLATE_NT);
#endif
	check_str(initpath_versions[nr_initpath_versions - 1].name, "7.3", "default version");
}

static void text_sizes(void **state)
{
	size_t nr;
	const struct initpath_routine *routines = initpath_routines(&nr);
	uint64_t bytes[NR_CODEGENS] = {0};

	(void)state;
	for (size_t i = 0; i < nr; i++)
		bytes[routines[i].codegen] = routines[i].text_bytes;
	for (int c = 0; c < NR_CODEGENS; c++)
		print_message("%s: %" PRIu64 " bytes\n", codegen_name((enum initpath_codegen)c), bytes[c]);
	assert_true(bytes[CODEGEN_OUT_OF_LINE] > 0);
	assert_true(bytes[CODEGEN_OUT_OF_LINE] < bytes[CODEGEN_ALWAYS_INLINE]);
}

static void empty_writes_nothing(void **state)
{
	static const struct range range = {KIND_ZD_BASE, 0, 0, 100};
	_cleanup_arena_ struct arena got = arena_new(range.nr_pages);
	_cleanup_arena_ struct arena want = arena_new(range.nr_pages);
	const struct initpath_args args = range_args(&range, 0, got.memmap);

	(void)state;
	initpath_empty.run(&args);
	check_u64(initpath_compare(got.memmap, want.memmap, range.nr_pages), range.nr_pages, "empty");
}

static void compare_finds_any_byte(void **state)
{
	static const uint64_t indices[] = {0, 1, 1023, 1024, 2047, 2048, 2500, 2999};
	_cleanup_arena_ struct arena a = arena_new(3000);
	_cleanup_arena_ struct arena b = arena_new(3000);

	(void)state;
	check_u64(initpath_compare(a.memmap, b.memmap, 3000), 3000, "equal");
	check_u64(initpath_compare(a.memmap, b.memmap, 0), 0, "nothing to compare");
	for (size_t i = 0; i < ARRAY_SIZE(indices); i++) {
		for (unsigned int byte = 0; byte < STRUCT_PAGE_BYTES; byte += 21) {
			unsigned char *at = (unsigned char *)(b.memmap + indices[i]) + byte;

			*at ^= 1;
			check_u64(initpath_compare(a.memmap, b.memmap, 3000), indices[i], "byte %u", byte);
			check_u64(initpath_compare(a.memmap, b.memmap, indices[i]), indices[i], "before it");
			*at ^= 1;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden_zd_base),
		cmocka_unit_test(golden_zd_compound),
		cmocka_unit_test(golden_hugetlb),
		cmocka_unit_test(golden_ordinary),
		cmocka_unit_test(without_base),
		cmocka_unit_test(every_routine_equals_baseline),
		cmocka_unit_test(table),
		cmocka_unit_test(text_sizes),
		cmocka_unit_test(empty_writes_nothing),
		cmocka_unit_test(compare_finds_any_byte),
	};

	return cmocka_run_group_tests_name("initpath", tests, NULL, NULL);
}
