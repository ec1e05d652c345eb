// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Formulas against an oracle that does what the kernel does, section by section and page by page, on layouts drawn
 * with a fixed seed. And layouts of any size whatever: parts add up, nothing overflows.
 */
#include <errno.h>

#include "support/geometry.h"

static uint64_t seed = 0x9e3779b97f4a7c15;

/* xorshift64: the same numbers everywhere. */
static uint64_t draw(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

enum backing { NOTHING, OWN_RAM, OWN_ALTMAP, ALIAS };

enum { MAX_VMEMMAP_PAGES = 1 << 17, MAX_CHUNKS = 1 << 12 };

/* The vmemmap around a range, from the PMD chunk that its first struct page lies in. */
struct oracle {
	const struct kernel_rules *rules;
	const struct hotplug_range *range;
	uint64_t sp;
	uint64_t start, end; /* PFNs of the range */
	uint64_t base;       /* vmemmap page that pages[0] stands for */
	enum backing pages[MAX_VMEMMAP_PAGES];
	bool table[MAX_CHUNKS], pmd[MAX_CHUNKS];
	uint64_t sections, early_pages, initialized;
};

static struct oracle oracle;

static uint64_t per_section(void)
{
	return oracle.rules->section_bytes / oracle.rules->page_bytes;
}

static bool section_is_early(uint64_t section)
{
	if (oracle.range->first_section_early && section == oracle.start / per_section())
		return true;
	return oracle.range->last_section_early && section == (oracle.end - 1) / per_section();
}

static bool optimizable(void)
{
	uint64_t compound = oracle.range->compound_bytes / oracle.rules->page_bytes;

	return oracle.rules->dax_optimizable && !oracle.range->altmap && (oracle.sp & (oracle.sp - 1)) == 0 &&
	       compound * oracle.sp / oracle.rules->page_bytes > 2;
}

/* One base page of vmemmap at a byte offset, unless it is mapped already. */
static void map_page(uint64_t address, enum backing backing)
{
	uint64_t i = address / oracle.rules->page_bytes - oracle.base;

	assert_true(i < MAX_VMEMMAP_PAGES);
	if (oracle.pages[i] == NOTHING)
		oracle.pages[i] = backing;
	oracle.table[i / (oracle.rules->pmd_bytes / oracle.rules->page_bytes)] = true;
}

static void map_compounds(uint64_t a, uint64_t b)
{
	uint64_t page = oracle.rules->page_bytes, compound = oracle.range->compound_bytes / page;
	uint64_t size = MIN(b - a, compound) * oracle.sp;
	bool reuse = compound > 2 * MIB / page && (a - oracle.start) % compound;

	for (uint64_t at = a * oracle.sp; at < b * oracle.sp; at += size) {
		for (uint64_t off = 0; off < size; off += page)
			map_page(at + off, reuse || off >= 2 * page ? ALIAS : OWN_RAM);
	}
}

static void map_section(uint64_t section)
{
	const struct kernel_rules *r = oracle.rules;
	uint64_t a = MAX(oracle.start, section * per_section());
	uint64_t b = MIN(oracle.end, (section + 1) * per_section());
	bool whole = b - a == per_section();
	bool pieces_from_altmap = oracle.range->altmap && (r->altmap_backs_pieces || !r->vmemmap_pmds);

	oracle.sections++;
	if (!whole && section_is_early(section)) {
		oracle.early_pages += b - a;
	} else if (optimizable()) {
		map_compounds(a, b);
	} else if (whole && r->vmemmap_pmds) {
		for (uint64_t at = a * oracle.sp; at < b * oracle.sp; at += r->page_bytes)
			oracle.pmd[(at / r->page_bytes - oracle.base) / (r->pmd_bytes / r->page_bytes)] =
				true;
	} else {
		for (uint64_t at = a * oracle.sp; at < b * oracle.sp; at += r->page_bytes)
			map_page(at, pieces_from_altmap ? OWN_ALTMAP : OWN_RAM);
	}
}

static void init_struct_pages(void)
{
	uint64_t compound = oracle.range->compound_bytes / oracle.rules->page_bytes;
	uint64_t few = MIN(compound, 2 * (oracle.rules->page_bytes / oracle.sp));
	uint64_t first = oracle.start;

	if (oracle.range->altmap)
		first += oracle.range->data_offset_bytes / oracle.rules->page_bytes;
	for (uint64_t pfn = first; pfn < oracle.end; pfn += compound) {
		bool full = !optimizable() ||
			    (oracle.rules->early_section_full_init && section_is_early(pfn / per_section()));

		oracle.initialized += full ? compound : few;
	}
}

static void run_oracle(const struct kernel_rules *rules, const struct hotplug_range *range, uint64_t sp)
{
	uint64_t chunk = rules->pmd_bytes / rules->page_bytes;

	memset(&oracle, 0, sizeof(oracle));
	oracle.rules = rules;
	oracle.range = range;
	oracle.sp = sp;
	oracle.start = range->start_bytes / rules->page_bytes;
	oracle.end = oracle.start + range->size_bytes / rules->page_bytes;
	oracle.base = oracle.start * sp / rules->page_bytes / chunk * chunk;
	for (uint64_t s = oracle.start / per_section(); s <= (oracle.end - 1) / per_section(); s++)
		map_section(s);
	init_struct_pages();
}

static uint64_t count_backing(enum backing backing)
{
	uint64_t n = 0;

	for (size_t i = 0; i < MAX_VMEMMAP_PAGES; i++)
		n += oracle.pages[i] == backing;
	return n;
}

static uint64_t count_chunks(const bool *chunks)
{
	uint64_t n = 0;

	for (size_t i = 0; i < MAX_CHUNKS; i++)
		n += chunks[i];
	return n;
}

static struct kernel_rules draw_rules(void)
{
	static const struct {
		enum arch_id arch;
		uint64_t page;
	} granules[] = {
		{ARCH_X86_64,  4 * KIB },
		{ARCH_X86_64,  4 * KIB },
		{ARCH_AARCH64, 4 * KIB },
		{ARCH_AARCH64, 16 * KIB},
		{ARCH_AARCH64, 64 * KIB}
        };
	size_t i = draw(ARRAY_SIZE(granules));
	struct host host = plain_host(granules[i].arch, "7.3.4");
	struct kernel_rules r;

	host.page_size_bytes = granules[i].page;
	assert_int_equal(kernel_rules_for(&host, NULL, &r), 0);
	/* Combinations that no kernel has obey the same code. */
	r.dax_optimizable = draw(4) > 0;
	r.early_section_full_init = draw(2);
	return r;
}

static struct hotplug_range draw_range(const struct kernel_rules *rules)
{
	const uint64_t compounds[] = {rules->page_bytes, rules->pmd_bytes, rules->pud_bytes};
	uint64_t compound = compounds[draw(rules->pud_bytes ? 3 : 2)];
	/* What nd_pfn_init can make, in whole pages of vmemmap: only a 1G compound may start off its alignment. */
	uint64_t least = MAX(2 * MIB, rules->page_bytes / 64 * rules->page_bytes);
	uint64_t unit = MIN(MAX(compound, least), MAX(rules->pmd_bytes, 2 * MIB));
	struct hotplug_range range = {
		.start_bytes = 37 * GIB / unit * unit + draw(100) * unit,
		.size_bytes = (1 + draw(20 * rules->section_bytes / unit)) * unit,
		.compound_bytes = compound,
		.altmap = draw(3) == 0,
		.direct_map = draw(2),
	};
	uint64_t end;

	if (compound > rules->section_bytes && draw(2))
		range.start_bytes = 37 * GIB / compound * compound;
	end = range.start_bytes + range.size_bytes;
	range.first_section_early = range.start_bytes % rules->section_bytes && draw(2);
	range.last_section_early = end % rules->section_bytes && draw(2);
	if (range.altmap && range.size_bytes > unit) {
		range.data_offset_bytes = draw(range.size_bytes / unit - 1) * unit + unit;
		range.altmap_free_pages =
			(range.data_offset_bytes - MAX(8 * KIB, rules->page_bytes)) / rules->page_bytes;
	} else {
		range.altmap = false;
	}
	return range;
}

/* Pageblocks by looking at every struct page. */
static uint64_t walk_pageblocks(const struct kernel_rules *rules, const struct hotplug_range *range)
{
	uint64_t page = rules->page_bytes, block = rules->pmd_bytes / page, n = 0, last = UINT64_MAX;
	uint64_t start = range->start_bytes / page, end = start + range->size_bytes / page;
	uint64_t data = start + (range->altmap ? range->data_offset_bytes / page : 0);

	for (uint64_t pfn = data - range->altmap_free_pages; range->altmap && pfn < data; pfn++)
		n += pfn % block == 0;
	for (uint64_t pfn = data; pfn < end; pfn++) {
		n += pfn / block != last;
		last = pfn / block;
	}
	return n;
}

static void vmemmap_as_the_kernel_does_it(void **state)
{
	static const uint64_t struct_page_bytes[] = {64, 64, 64, 128, 80};
	enum { CASES = 600 };
	unsigned int optimized = 0, early = 0, altmaps = 0;

	(void)state;
	for (int i = 0; i < CASES; i++) {
		struct kernel_rules r = draw_rules();
		struct hotplug_range range = draw_range(&r);
		uint64_t sp = struct_page_bytes[draw(ARRAY_SIZE(struct_page_bytes))], pmd_pages;
		struct vmemmap_counts v;

		/* Pieces of 80-byte struct pages share vmemmap pages with their neighbours: not to the page. */
		if (sp == 80 && (range.start_bytes | range.size_bytes) % r.section_bytes)
			sp = 64;
		run_oracle(&r, &range, sp);
		vmemmap_count(&r, &range, sp, &v);
		pmd_pages = r.pmd_bytes / r.page_bytes;
		check_u64(v.sections, oracle.sections, "case %d: sections", i);
		check_u64(v.pmds, count_chunks(oracle.pmd), "case %d: PMDs", i);
		check_u64(v.tables, count_chunks(oracle.table), "case %d: tables", i);
		check_u64(v.pages_ram, count_backing(OWN_RAM), "case %d: pages from RAM", i);
		check_u64(v.pages_altmap, count_backing(OWN_ALTMAP), "case %d: pages from the altmap", i);
		check_u64(v.ptes, v.pages_ram + v.pages_altmap + count_backing(ALIAS), "case %d: PTEs", i);
		check_u64(early_bytes(&r, &range), oracle.early_pages * r.page_bytes, "case %d: early", i);
		check_u64(zone_device_initialized(&r, &range, sp), oracle.initialized, "case %d: initialised",
			  i);

		struct host host = plain_host(ARCH_X86_64, "7.3.4");
		struct builder b = {.host = &host, .rules = &r};
		struct device_work dev = {0};

		host.struct_page_bytes = sp;
		zone_device_work(&b, &range, &dev);
		assert_int_equal(b.err, 0);
		check_u64(term_units(&dev.terms, STAGE_MOVE_ZONE, UNIT_PAGEBLOCKS) +
				  term_units(&dev.terms, STAGE_MEMMAP_INIT, UNIT_PAGEBLOCKS),
			  walk_pageblocks(&r, &range), "case %d: pageblocks", i);
		check_u64(term_units(&dev.terms, STAGE_FIRST_TOUCH, UNIT_TOUCHED_PAGES),
			  v.pages_ram + v.pages_altmap + v.pmds * pmd_pages, "case %d: touched", i);
		check_u64(dev.memmap_saved_bytes, count_backing(ALIAS) * r.page_bytes, "case %d: saved", i);
		free(dev.terms.items);
		optimized += vmemmap_optimized(&r, &range, sp);
		early += oracle.early_pages > 0;
		altmaps += range.altmap;
	}
	/* The draw must have met each of them. */
	assert_true(optimized > CASES / 10 && early > CASES / 10 && altmaps > CASES / 10);
}

static void layouts_add_up(void **state)
{
	static const uint64_t pages[] = {4 * KIB, 16 * KIB, 64 * KIB};
	unsigned int made = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t page = pages[draw(ARRAY_SIZE(pages))], align = page << draw(20);
		uint64_t start = draw(1 << 20) * 2 * MIB, raw = draw(1ULL << (20 + draw(26)));
		uint64_t need = 8 * KIB, a = MAX(align, 2 * MIB);
		enum namespace_map map = draw(2) ? MAP_DEV : MAP_MEM;
		struct pfn_layout l;
		int err = pfn_layout_for(start, raw, align, map, page, &l);

		if (raw > 8 * KIB && map == MAP_DEV)
			need += (raw - 8 * KIB) / page * 64;
		if (err) {
			check_int(err, -ENXIO, "case %d", i);
			/* Indeed no aligned byte is left between metadata and end. */
			assert_true(raw <= 8 * KIB ||
				    (start + need + a - 1) / a * a >= (start + raw) / a * a);
			continue;
		}
		made++;
		check_u64(l.usable_bytes + l.data_offset_bytes + l.end_trunc_bytes, raw, "case %d: sum", i);
		check_u64((start + l.data_offset_bytes) % a, 0, "case %d: data start", i);
		check_u64((start + raw - l.end_trunc_bytes) % a, 0, "case %d: data end", i);
		assert_true(l.data_offset_bytes >= need && l.data_offset_bytes < need + a);
		assert_true(l.end_trunc_bytes < a && l.usable_bytes > 0);
		if (map == MAP_DEV)
			check_u64((l.altmap_reserve_pages + l.altmap_free_pages) * page, l.data_offset_bytes,
				  "case %d: altmap", i);
	}
	assert_true(made > 5000);
}

/* Any 64-bit values at all: an answer or an error, never undefined behaviour (the sanitizers' build watches). */
static uint64_t draw_any(void)
{
	static const uint64_t edges[] = {
		0, 1, 4096, 2 * MIB, 1ULL << 52, 1ULL << 63, UINT64_MAX - 4095, UINT64_MAX};

	return draw(2) ? edges[draw(ARRAY_SIZE(edges))] : draw(UINT64_MAX) >> draw(64);
}

static void anything_goes_in(void **state)
{
	unsigned int made = 0, refused = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct host_namespace ns = {.name = (char *)"ns",
					    .mode = (enum namespace_mode)draw(4),
					    .map = (enum namespace_map)draw(2),
					    .align_bytes = draw(2) ? 2 * MIB : draw_any(),
					    .size_bytes = draw_any(),
					    .has_start = draw(2),
					    .start_bytes = draw_any()};
		struct host_device dev = {.name = (char *)"dev",
					  .type = (enum device_type)draw(4),
					  .size_bytes = draw_any(),
					  .count = (uint32_t)draw_any(),
					  .memmap_on_memory = draw(2),
					  .block_bytes = draw(2) ? 0 : draw_any(),
					  .has_start = draw(2),
					  .start_bytes = draw_any()};
		struct host_hugepages pool = {.size_bytes = draw(2) ? 1ULL << draw(64) : draw_any(),
					      .count = draw_any(),
					      .when = (enum hugepage_when)draw(2),
					      .node = (int)draw(3) - 1};
		struct host_node node = {.memory_bytes = draw_any(), .cpus = (uint32_t)draw_any()};
		struct host host = plain_host(draw(2) ? ARCH_X86_64 : ARCH_AARCH64, "7.3.4");
		struct work *work = NULL;
		int err;

		host.memory_bytes = draw_any();
		host.cpus = (uint32_t)draw_any();
		host.struct_page_bytes = draw(4) ? 64 : draw_any();
		host.hvo_enabled = draw(2);
		host.namespaces = &ns;
		host.nr_namespaces = draw(2);
		host.devices = &dev;
		host.nr_devices = draw(2);
		host.hugepages = &pool;
		host.nr_hugepages = draw(2);
		host.nodes = &node;
		host.nr_nodes = draw(2);
		err = work_new(&host, NULL, &work);
		if (err) {
			assert_true(err == -EINVAL || err == -EOVERFLOW);
			assert_null(work);
			refused++;
			continue;
		}
		made++;
		check_u64(work->boot.struct_pages,
			  work->boot.struct_pages_early + work->boot.struct_pages_deferred +
				  work->boot.struct_pages_hugepages,
			  "case %d", i);
		for (size_t d = 0; d < work->nr_devices; d++)
			assert_true(work->devices[d].usable_bytes <= work->devices[d].raw_bytes);
		work_free(work);
	}
	assert_true(made > 500 && refused > 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vmemmap_as_the_kernel_does_it),
		cmocka_unit_test(layouts_add_up),
		cmocka_unit_test(anything_goes_in),
	};

	return cmocka_run_group_tests_name("geometry: oracle", tests, NULL, NULL);
}
