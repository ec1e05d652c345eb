// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The vmemmap of a hot-plugged range, to the page: mm/memory_hotplug.c: __add_pages hands it over a section at a
 * time, mm/sparse-vmemmap.c and arch/<arch>/mm populate it.
 *
 * A range is at most three pieces: a first partial section, whole sections, a last partial section. Offsets
 * below are in struct pages from address 0, so that vmemmap addresses are offsets times the size of one.
 */
#include "base/util.h"
#include "geometry/parts.h"

enum { VMEMMAP_RESERVE_NR = 2 }; /* include/linux/mm.h: pages kept of an optimised compound's vmemmap */

struct span {
	uint64_t start, end; /* struct pages */
};

struct pieces {
	struct span first, whole, last; /* empty where there is none */
	bool first_early, last_early;
};

static uint64_t span_size(struct span s)
{
	return s.end - s.start;
}

/* Chunks of chunk_bytes of vmemmap that a span's struct pages touch. */
static uint64_t chunks(struct span s, uint64_t struct_page_bytes, uint64_t chunk_bytes)
{
	if (s.start == s.end)
		return 0;
	return div_round_up(s.end * struct_page_bytes, chunk_bytes) -
	       s.start * struct_page_bytes / chunk_bytes;
}

static struct pieces split(const struct kernel_rules *rules, const struct hotplug_range *range)
{
	uint64_t section = rules->section_bytes / rules->page_bytes;
	uint64_t start = range->start_bytes / rules->page_bytes;
	uint64_t end = start + range->size_bytes / rules->page_bytes;
	uint64_t whole_start = MIN(round_up_pow2(start, section), end);
	uint64_t whole_end = MAX(round_down_pow2(end, section), whole_start);
	bool first_early = range->first_section_early, last_early = range->last_section_early;
	struct pieces p = {
		.first = {start,       whole_start},
		.whole = {whole_start, whole_end  },
		.last = {whole_end,   end        },
	};

	/* Both flags speak of the same section when the range lies in one. */
	if (start / section == (end - 1) / section)
		first_early = last_early = first_early || last_early;
	p.first_early = span_size(p.first) && first_early;
	p.last_early = span_size(p.last) && last_early;
	return p;
}

bool vmemmap_optimized(const struct kernel_rules *rules, const struct hotplug_range *range,
		       uint64_t struct_page_bytes)
{
	uint64_t vmemmap_pages =
		range->compound_bytes / rules->page_bytes * struct_page_bytes / rules->page_bytes;

	return rules->dax_optimizable && !range->altmap && is_pow2(struct_page_bytes) &&
	       vmemmap_pages > VMEMMAP_RESERVE_NR;
}

/* Compounds, or parts of one, that pages of a section piece make: each gets its two vmemmap pages. */
static uint64_t steps(uint64_t nr_pages, uint64_t compound)
{
	return nr_pages ? div_round_up(nr_pages, MIN(compound, nr_pages)) : 0;
}

/*
 * vmemmap_populate_compound_pages gives a piece of a section vmemmap pages of its own unless
 * reuse_compound_section finds that a compound larger than a subsection began in an earlier one.
 */
static bool has_own_pages(const struct kernel_rules *rules, uint64_t offset, uint64_t compound)
{
	return compound <= rules->subsection_bytes / rules->page_bytes || offset % compound == 0;
}

static uint64_t compound_data_pages(const struct kernel_rules *rules, const struct hotplug_range *range,
				    const struct pieces *p)
{
	uint64_t section = rules->section_bytes / rules->page_bytes;
	uint64_t compound = range->compound_bytes / rules->page_bytes;
	uint64_t first = span_size(p->first), sections = span_size(p->whole) / section, n = 0;

	if (!p->first_early)
		n += steps(first, compound);
	if (compound <= section) {
		if (has_own_pages(rules, first, compound))
			n += sections * steps(section, compound);
	} else if (first % section == 0) {
		/* The first section of each compound; with an odd first piece no section starts a compound. */
		n += div_round_up(sections * section, compound);
	}
	if (!p->last_early && has_own_pages(rules, p->last.start - p->first.start, compound))
		n += steps(span_size(p->last), compound);
	return VMEMMAP_RESERVE_NR * n;
}

/* PTEs throughout: one span, from which pieces in early sections are left out. */
static void count_ptes(const struct kernel_rules *rules, const struct pieces *p, uint64_t struct_page_bytes,
		       struct vmemmap_counts *out)
{
	struct span s = {p->first_early ? p->first.end : p->first.start,
			 p->last_early ? p->last.start : p->last.end};

	out->ptes = chunks(s, struct_page_bytes, rules->page_bytes);
	out->tables = chunks(s, struct_page_bytes, rules->pmd_bytes);
}

/* arch/x86/mm/init_64.c, arch/arm64/mm/mmu.c: vmemmap_populate: PMD leaves for whole sections, PTEs for pieces. */
static void count_pmds(const struct kernel_rules *rules, const struct pieces *p, uint64_t struct_page_bytes,
		       struct vmemmap_counts *out)
{
	out->pmds = chunks(p->whole, struct_page_bytes, rules->pmd_bytes);
	if (!p->first_early) {
		out->ptes += chunks(p->first, struct_page_bytes, rules->page_bytes);
		out->tables += chunks(p->first, struct_page_bytes, rules->pmd_bytes);
	}
	if (!p->last_early) {
		out->ptes += chunks(p->last, struct_page_bytes, rules->page_bytes);
		out->tables += chunks(p->last, struct_page_bytes, rules->pmd_bytes);
	}
}

void vmemmap_count(const struct kernel_rules *rules, const struct hotplug_range *range,
		   uint64_t struct_page_bytes, struct vmemmap_counts *out)
{
	struct pieces p = split(rules, range);
	struct vmemmap_counts c = {0};

	c.sections = div_round_up(range->start_bytes + range->size_bytes, rules->section_bytes) -
		     range->start_bytes / rules->section_bytes;
	if (vmemmap_optimized(rules, range, struct_page_bytes)) {
		count_ptes(rules, &p, struct_page_bytes, &c);
		c.pages_ram = compound_data_pages(rules, range, &p);
	} else {
		if (rules->vmemmap_pmds)
			count_pmds(rules, &p, struct_page_bytes, &c);
		else
			count_ptes(rules, &p, struct_page_bytes, &c);
		if (range->altmap && (!rules->vmemmap_pmds || rules->altmap_backs_pieces))
			c.pages_altmap = c.ptes;
		else
			c.pages_ram = c.ptes;
	}
	*out = c;
}

uint64_t early_bytes(const struct kernel_rules *rules, const struct hotplug_range *range)
{
	struct pieces p = split(rules, range);

	return rules->page_bytes *
	       ((p.first_early ? span_size(p.first) : 0) + (p.last_early ? span_size(p.last) : 0));
}

/* Compounds counted from the range's start whose head lies in [0, offset). */
static uint64_t heads_before(uint64_t offset, uint64_t compound)
{
	return div_round_up(offset, compound);
}

uint64_t zone_device_initialized(const struct kernel_rules *rules, const struct hotplug_range *range,
				 uint64_t struct_page_bytes)
{
	uint64_t skipped = range->altmap ? range->data_offset_bytes : 0;
	uint64_t nr_pages = (range->size_bytes - skipped) / rules->page_bytes;
	uint64_t compound = range->compound_bytes / rules->page_bytes;
	uint64_t compounds = div_round_up(nr_pages, compound), full = 0;
	struct pieces p;

	if (!vmemmap_optimized(rules, range, struct_page_bytes))
		return compounds * compound;
	p = split(rules, range);
	if (rules->early_section_full_init) {
		if (p.first_early)
			full += heads_before(span_size(p.first), compound);
		if (p.last_early)
			full += compounds - heads_before(p.last.start - p.first.start, compound);
	}
	return full * compound + (compounds - full) * MIN(compound, VMEMMAP_RESERVE_NR * (rules->page_bytes /
											  struct_page_bytes));
}

void infer_early_sections(const struct host *host, const struct kernel_rules *rules, bool has_start,
			  struct hotplug_range *range)
{
	uint64_t end = range->start_bytes + range->size_bytes;

	if (!has_start)
		return;
	range->first_section_early =
		range->start_bytes % rules->section_bytes && range->start_bytes < host->memory_bytes;
	range->last_section_early = end % rules->section_bytes && end < host->memory_bytes;
}
