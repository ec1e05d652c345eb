// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Namespaces and devices: what ndctl, libnvdimm and memory hot-plug refuse. Rules that need a namespace's layout
 * (room for its own memmap, the usable size) are geometry's.
 */
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "host/check.h"

#define MIN_NAMESPACE (16 * MIB) /* drivers/nvdimm/namespace_devs.c: nd_namespace_store */

/* Namespaces first, then devices: one order for "listed twice" and overlaps. */
struct span {
	const char *name;
	const void *name_field, *start_field;
	bool has_start;
	uint64_t start_bytes, size_bytes;
};

static struct span span_nr(const struct host *h, size_t i)
{
	struct span s;

	if (i < h->nr_namespaces) {
		const struct host_namespace *ns = &h->namespaces[i];

		return (struct span){ns->name,      &ns->name,       &ns->start_bytes,
				     ns->has_start, ns->start_bytes, ns->size_bytes};
	}
	const struct host_device *dev = &h->devices[i - h->nr_namespaces];

	s = (struct span){dev->name, &dev->name, &dev->start_bytes, dev->has_start, dev->start_bytes, 0};
	if (mul_u64(dev->size_bytes, dev->count, &s.size_bytes))
		s.size_bytes = UINT64_MAX;
	return s;
}

static bool overlap(const struct span *a, const struct span *b)
{
	if (!a->has_start || !b->has_start || !a->size_bytes || !b->size_bytes)
		return false;
	return a->start_bytes <= b->start_bytes ? b->start_bytes - a->start_bytes < a->size_bytes
						: a->start_bytes - b->start_bytes < b->size_bytes;
}

static void check_against_others(struct checker *c, size_t i)
{
	struct span mine = span_nr(c->host, i);
	char where[UNITS_STR];

	for (size_t j = 0; j < i; j++) {
		struct span other = span_nr(c->host, j);

		if (mine.name && other.name && !strcmp(mine.name, other.name)) {
			check_bad(c, mine.name_field, "name \"%s\" is taken: it was given %s", mine.name,
				  check_where(c, other.name_field, where));
			break;
		}
		if (overlap(&mine, &other)) {
			check_bad(c, mine.start_field,
				  "start %#" PRIx64 ": the range overlaps that of %s, given %s",
				  mine.start_bytes, other.name ? other.name : "another",
				  check_where(c, other.start_field, where));
			break;
		}
	}
}

/* memory_hotplug.c: "Hotplug memory [..] exceeds maximum addressable range". */
static void check_addressable(struct checker *c, size_t i, const void *size_field)
{
	struct span s = span_nr(c->host, i);

	if (s.size_bytes > MAX_PHYSICAL_BYTES)
		check_bad(c, size_field, "count times size is more than %d bits of physical address reach",
			  MAX_ADDRESS_BITS);
	else if (s.has_start && s.start_bytes > MAX_PHYSICAL_BYTES - s.size_bytes)
		check_bad(c, s.start_field,
			  "start %#" PRIx64 " plus the size is more than %d bits of physical address reach",
			  s.start_bytes, MAX_ADDRESS_BITS);
}

static void check_start(struct checker *c, const uint64_t *start)
{
	if (*start % SUBSECTION_BYTES)
		check_bad(c, start,
			  "start %#" PRIx64 " is not a multiple of 2MiB: the kernel says \"misaligned\"",
			  *start);
}

/* nd_pfn_supported_alignments: a page, a PMD, and a PUD where devdax can map one. */
static void check_align(struct checker *c, const struct host_namespace *ns)
{
	char shown[UNITS_STR], all[SIZES_STR], reason[2 * UNITS_STR] = "";

	if (!c->sizes || !ns->align_bytes)
		return;
	const uint64_t aligns[4] = {c->sizes->page_bytes, c->sizes->pmd_bytes, c->sizes->pud_bytes};

	for (size_t i = 0; i < ARRAY_SIZE(aligns); i++) {
		if (ns->align_bytes == aligns[i])
			return;
	}
	if (ns->align_bytes == GIB)
		snprintf(reason, sizeof(reason), " (\"unsupported align\": %s maps no PUD for devdax)",
			 arch_name(c->sizes->arch));
	check_bad(c, &ns->align_bytes, "align %s is not one the kernel takes here%s: use %s",
		  size_exact(shown, ns->align_bytes), reason, check_sizes(all, aligns));
}

static bool is_known_mapped(const struct checker *c, const struct host_namespace *ns)
{
	return namespace_is_mapped(ns) && host_is_stated(c->host, &ns->mode);
}

static void check_namespace_size(struct checker *c, const struct host_namespace *ns)
{
	uint64_t size = ns->size_bytes, align = MAX(ns->align_bytes, SUBSECTION_BYTES);
	char shown[UNITS_STR], unit[UNITS_STR];

	if (!size)
		return;
	size_exact(shown, size);
	if (size < MIN_NAMESPACE)
		check_bad(c, &ns->size_bytes,
			  "size %s is too small to host a namespace: the kernel wants 16MiB", shown);
	else if (is_known_mapped(c, ns) && is_pow2(align) && size % align)
		check_bad(c, &ns->size_bytes, "size %s is not a multiple of %s%s: use %s or %s", shown,
			  size_exact(unit, align),
			  ns->align_bytes < align ? ", the kernel's subsection" : ", its align",
			  size_exact((char[UNITS_STR]){0}, size - size % align),
			  size_exact((char[UNITS_STR]){0}, size - size % align + align));
	else if (size % REGION_ALIGN_BYTES)
		check_doubt(c, &ns->size_bytes,
			    "size %s is not a multiple of 16MiB, a region's usual align: creating it will be "
			    "refused "
			    "unless it is a whole region or the region's align is smaller",
			    shown);
}

/* The kernel: "Memory debug options prevent using pmem for the page map". */
static void check_map(struct checker *c, const struct host_namespace *ns)
{
	enum { MAX_STRUCT_PAGE_SIZE = 64 };

	if (is_known_mapped(c, ns) && ns->map == MAP_DEV && c->host->struct_page_bytes > MAX_STRUCT_PAGE_SIZE)
		check_bad(c, &ns->map,
			  "map dev takes struct pages of 64 bytes, not %" PRIu64
			  " (\"Memory debug options prevent "
			  "using pmem for the page map\"): use mem",
			  c->host->struct_page_bytes);
}

/* Nothing is set aside in them that could be checked; what a BTT keeps for itself is not computed here. */
static void check_usable(struct checker *c, const struct host_namespace *ns)
{
	if (ns->has_usable && !namespace_is_mapped(ns))
		check_bad(c, &ns->usable_bytes,
			  "usable is for modes fsdax and devdax, which set aside room for a memmap, not %s",
			  namespace_mode_name(ns->mode));
}

void check_namespaces(struct checker *c)
{
	const struct host *h = c->host;

	for (size_t i = 0; i < h->nr_namespaces; i++) {
		const struct host_namespace *ns = &h->namespaces[i];

		c->about = ns->name;
		check_against_others(c, i);
		check_align(c, ns);
		check_namespace_size(c, ns);
		check_map(c, ns);
		check_usable(c, ns);
		if (ns->has_start)
			check_start(c, &ns->start_bytes);
		if (ns->has_start && ns->start_bytes % SUBSECTION_BYTES == 0 &&
		    ns->start_bytes % REGION_ALIGN_BYTES)
			check_doubt(c, &ns->start_bytes,
				    "start %#" PRIx64 " is \"misaligned to 16M\": ndctl wants --force for it",
				    ns->start_bytes);
		check_addressable(c, i, &ns->size_bytes);
		check_node_index(c, &ns->node);
	}
	c->about = NULL;
}

/* Memory blocks: drivers/base/memory.c, a power of two of at least a section. */
static void check_block(struct checker *c, const struct host_device *dev)
{
	char shown[UNITS_STR], section[UNITS_STR];

	if (!c->sizes || !dev->block_bytes)
		return;
	if (!is_pow2(dev->block_bytes) || dev->block_bytes < c->sizes->section_bytes)
		check_bad(c, &dev->block_bytes,
			  "block %s is not a memory block size: a power of two, at least a section (%s)",
			  size_exact(shown, dev->block_bytes), size_exact(section, c->sizes->section_bytes));
}

static void check_system_ram(struct checker *c, const struct host_device *dev)
{
	uint64_t block = dev->block_bytes;
	char shown[UNITS_STR], least[UNITS_STR];

	check_block(c, dev);
	if (!c->sizes || !dev->size_bytes)
		return;
	if (!is_pow2(block) || block < c->sizes->section_bytes)
		block = c->sizes->section_bytes;
	if (dev->size_bytes < block)
		check_bad(c, &dev->size_bytes,
			  "size %s is less than a memory block of %s: nothing can be added",
			  size_exact(shown, dev->size_bytes), size_exact(least, block));
	else if (dev->size_bytes % block)
		check_doubt(c, &dev->size_bytes,
			    "size %s is not a multiple of %s: kmem leaves the rest out (\"truncated\")",
			    size_exact(shown, dev->size_bytes), size_exact(least, block));
}

static void check_other_device(struct checker *c, const struct host_device *dev)
{
	char shown[UNITS_STR];

	if (dev->memmap_on_memory)
		check_bad(c, &dev->memmap_on_memory, "memmap_on_memory is for type system-ram, not %s",
			  device_type_name(dev->type));
	if (dev->block_bytes)
		check_bad(c, &dev->block_bytes, "block is for type system-ram, not %s",
			  device_type_name(dev->type));
	if (dev->type == DEV_P2PDMA && dev->size_bytes % SUBSECTION_BYTES)
		check_bad(c, &dev->size_bytes,
			  "size %s is not a multiple of 2MiB (\"Misaligned __add_pages\")",
			  size_exact(shown, dev->size_bytes));
	else if (c->sizes && dev->size_bytes % c->sizes->page_bytes)
		check_bad(c, &dev->size_bytes, "size %s is not a whole number of pages",
			  size_exact(shown, dev->size_bytes));
	if (dev->has_start)
		check_start(c, &dev->start_bytes);
}

static void check_type(struct checker *c, const struct host_device *dev)
{
	if (!host_is_stated(c->host, &dev->type))
		return;
	if (dev->type == DEV_SYSTEM_RAM)
		check_system_ram(c, dev);
	else
		check_other_device(c, dev);
}

void check_devices(struct checker *c)
{
	const struct host *h = c->host;

	for (size_t i = 0; i < h->nr_devices; i++) {
		const struct host_device *dev = &h->devices[i];

		c->about = dev->name;
		check_against_others(c, h->nr_namespaces + i);
		check_type(c, dev);
		check_addressable(c, h->nr_namespaces + i, &dev->count);
		check_node_index(c, &dev->node);
	}
	c->about = NULL;
}
