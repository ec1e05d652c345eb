// SPDX-License-Identifier: GPL-2.0-or-later
/* libnvdimm namespaces: drivers/nvdimm/pmem.c, pfn_devs.c and drivers/dax/device.c. */
#include <errno.h>
#include <inttypes.h>

#include "base/units.h"
#include "base/util.h"
#include "geometry/parts.h"

static void driver_term(struct builder *b, struct device_work *out)
{
	units_add(b, &out->terms, STAGE_DRIVER, UNIT_ONCE, 1, 1, "1",
		  "drivers/nvdimm/pmem.c: nd_pmem_probe, drivers/dax/device.c: dev_dax_probe");
}

/*
 * Seen in guests of 7.2: the last pmem disk to go waits for five grace periods instead of two, and the first to come takes
 * longer as well. In guests of 6.1 there is no difference.
 */
static bool is_only_disk(const struct host *host, const struct host_namespace *ns)
{
	for (size_t i = 0; i < host->nr_namespaces; i++) {
		if (&host->namespaces[i] != ns && host->namespaces[i].mode != NS_DEVDAX)
			return false;
	}
	return ns->mode != NS_DEVDAX;
}

/* What comes with the map and goes with it. */
static void holder_terms(struct builder *b, const struct host_namespace *ns, struct device_work *out)
{
	uint64_t disks = ns->mode == NS_DEVDAX ? 0 : 1;
	struct work_terms *t = &out->terms;

	units_add(b, t, STAGE_DRIVER, UNIT_DISKS, disks, 1, "1 unless devdax",
		  "drivers/nvdimm/pmem.c: pmem_attach_disk -> device_add_disk");
	units_add(b, t, STAGE_DRIVER, UNIT_ONLY_DISKS, is_only_disk(b->host, ns), 1,
		  "1 where there is no other", "drivers/nvdimm/pmem.c: pmem_attach_disk, the first one");
	units_add(b, t, STAGE_RELEASE, UNIT_ONLY_DISKS, is_only_disk(b->host, ns), 1,
		  "1 where there is no other",
		  "drivers/nvdimm/pmem.c: pmem_release_disk, the last one: grace periods");
	/* The memory goes when the disk's grace period ends, with a tick: its own waits are whole ticks, not half of one less. */
	units_add(b, t, STAGE_REMOVE_MEMORY, UNIT_DISKS, disks, 1, "1 unless devdax",
		  "drivers/nvdimm/pmem.c: pmem_release_disk, before memunmap_pages");
	units_add(b, t, STAGE_RELEASE, UNIT_ONCE, 1, 1, "1", "drivers/base/dd.c: device_release_driver");
	units_add(b, t, STAGE_RELEASE, UNIT_DISKS, disks, 1, "1 unless devdax",
		  "drivers/nvdimm/pmem.c: pmem_release_disk -> del_gendisk, which drains the queue");
}

static void namespace_facts(struct builder *b, const struct host_namespace *ns, const struct pfn_layout *l,
			    const struct hotplug_range *range, struct device_work *out)
{
	uint64_t page = b->rules->page_bytes;
	struct geometry_fact *f = out->facts;
	size_t *nr = &out->nr_facts;

	fact_add(f, nr, "S", ns->size_bytes, "raw size of the namespace, bytes");
	fact_add(f, nr, "A0", range->start_bytes, "physical start; 0 when not stated: taken as aligned");
	fact_add(f, nr, "align", ns->align_bytes, "alignment of the namespace, bytes");
	fact_add(f, nr, "off", l->data_offset_bytes,
		 "info block, and memmap for map=dev, rounded up to align");
	fact_add(f, nr, "end_trunc", l->end_trunc_bytes, "cut off at the end to align it, bytes");
	fact_add(f, nr, "size", l->usable_bytes, "S - off - end_trunc: what ndctl and daxctl report");
	fact_add(f, nr, "R", l->altmap_reserve_pages * page, "altmap reserve for the info block, bytes");
	fact_add(f, nr, "M", range->size_bytes, "S - end_trunc: range that the memmap covers, bytes");
	fact_add(f, nr, "C", range->compound_bytes / page, "pages of a compound");
	fact_add(f, nr, "early", early_bytes(b->rules, range), "bytes of M in sections of boot-time RAM");
	common_facts(b, f, nr);
}

/*
 * nd_pfn's range starts with the namespace, not with the data, and compounds are counted from there: heads then
 * are not aligned to their own size, and section pieces reuse vmemmap pages of other compounds.
 */
static void warn_misaligned_compounds(struct builder *b, const struct host_namespace *ns,
				      const struct hotplug_range *range)
{
	char align[UNITS_STR], start[UNITS_STR];

	if (ns->map != MAP_MEM || range->compound_bytes <= b->rules->page_bytes ||
	    ns->start_bytes % ns->align_bytes == 0)
		return;
	complain(b, DIAG_WARNING, &ns->start_bytes, 0,
		 "%s: start %s is not aligned to %s: with map=mem the kernel counts compounds from the "
		 "start, so their "
		 "heads are misplaced and share vmemmap pages (7.3 warns in folio_set_order, 6.12 is "
		 "silent); use "
		 "map=dev, a smaller align or an aligned start",
		 ns->name, size_exact(start, ns->start_bytes), size_exact(align, ns->align_bytes));
}

static int refuse_layout(struct builder *b, const struct host_namespace *ns, int err)
{
	char size[UNITS_STR], align[UNITS_STR];

	size_exact(size, ns->size_bytes);
	if (err == -EOVERFLOW)
		return complain(b, DIAG_ERROR, &ns->size_bytes, err,
				"%s: %s ends above 2^52 bytes, the largest physical address", ns->name, size);
	if (err == -EINVAL)
		return complain(b, DIAG_ERROR, &ns->align_bytes, err,
				"%s: align %" PRIu64 " is not a power of two from a page to 2^52", ns->name,
				ns->align_bytes);
	return complain(b, DIAG_ERROR, &ns->size_bytes, -EINVAL,
			"%s: %s holds no data at align %s%s: \"unable to satisfy requested alignment\"",
			ns->name, size, size_exact(align, ns->align_bytes),
			ns->map == MAP_DEV ? " beside its memmap" : "");
}

static int check_usable(struct builder *b, const struct host_namespace *ns, uint64_t usable)
{
	char stated[UNITS_STR], right[UNITS_STR];

	if (!ns->has_usable || ns->usable_bytes == usable)
		return 0;
	return complain(b, DIAG_ERROR, &ns->usable_bytes, -EINVAL,
			"%s: usable is stated as %s, but %s are left to use", ns->name,
			size_exact(stated, ns->usable_bytes), size_exact(right, usable));
}

/* Without struct pages: raw on an NFIT region (devm_memremap), and a BTT. */
static int bare_namespace_work(struct builder *b, const struct host_namespace *ns, struct device_work *out)
{
	uint64_t end;
	int err = physical_end(ns->has_start ? ns->start_bytes : 0, ns->size_bytes, &end);

	if (err)
		return refuse_layout(b, ns, err);
	out->usable_bytes = ns->size_bytes; /* for a BTT before its own metadata */
	fact_add(out->facts, &out->nr_facts, "S", ns->size_bytes, "raw size of the namespace, bytes");
	driver_term(b, out);
	return 0;
}

int namespace_work(struct builder *b, const struct host_namespace *ns, struct device_work *out)
{
	struct pfn_layout l;
	struct hotplug_range range = {
		.start_bytes = ns->has_start ? ns->start_bytes : 0,
		.compound_bytes = ns->mode == NS_DEVDAX ? ns->align_bytes : b->rules->page_bytes,
		.altmap = ns->map == MAP_DEV,
		.direct_map = true,
	};
	int err;

	out->name = ns->name;
	out->ns = ns;
	out->count = 1;
	out->raw_bytes = ns->size_bytes;
	if (!namespace_is_mapped(ns))
		return bare_namespace_work(b, ns, out);
	err = pfn_layout_for(range.start_bytes, ns->size_bytes, ns->align_bytes, ns->map,
			     b->rules->page_bytes, &l);
	if (err)
		return refuse_layout(b, ns, err);
	err = check_usable(b, ns, l.usable_bytes);
	if (err)
		return err;
	range.size_bytes = ns->size_bytes - l.end_trunc_bytes;
	range.data_offset_bytes = l.data_offset_bytes;
	range.altmap_free_pages = l.altmap_free_pages;
	infer_early_sections(b->host, b->rules, ns->has_start, &range);
	warn_misaligned_compounds(b, ns, &range);
	out->usable_bytes = l.usable_bytes;
	out->data_offset_bytes = l.data_offset_bytes;
	namespace_facts(b, ns, &l, &range, out);
	driver_term(b, out);
	holder_terms(b, ns, out);
	zone_device_work(b, &range, out);
	return 0;
}
