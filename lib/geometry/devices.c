// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory that a driver registers: device-private, coherent, P2PDMA. All order-0, memmap in RAM. */
#include <errno.h>

#include "base/util.h"
#include "geometry/parts.h"

/*
 * kernel/resource.c: devm_request_free_mem_region aligns a private range to sections; others end on a subsection,
 * or memremap_pages refuses them.
 */
static uint64_t range_size(const struct kernel_rules *rules, const struct host_device *dev)
{
	return round_up_pow2(dev->size_bytes,
			     dev->type == DEV_PRIVATE ? rules->section_bytes : rules->subsection_bytes);
}

/* A section is left to round up to. */
static int check_end(struct builder *b, const struct host_device *dev, uint64_t start)
{
	uint64_t end;

	if (!dev->size_bytes)
		return complain(b, DIAG_ERROR, &dev->size_bytes, -EINVAL, "%s: size is 0", dev->name);
	if (physical_end(start, dev->size_bytes, &end) || end > MAX_PHYSICAL_BYTES - b->rules->section_bytes)
		return complain(b, DIAG_ERROR, &dev->size_bytes, -EOVERFLOW,
				"%s: ends above 2^52 bytes, the largest physical address", dev->name);
	return 0;
}

static void device_facts(struct builder *b, const struct hotplug_range *range, struct device_work *out)
{
	struct geometry_fact *f = out->facts;
	size_t *nr = &out->nr_facts;

	fact_add(f, nr, "S", out->raw_bytes, "memory of one device, bytes");
	fact_add(f, nr, "A0", range->start_bytes, "physical start; 0 when not stated, bytes");
	fact_add(f, nr, "M", range->size_bytes, "range that the memmap covers, bytes");
	fact_add(f, nr, "early", early_bytes(b->rules, range), "bytes of M in sections of boot-time RAM");
	common_facts(b, f, nr);
}

int host_device_work(struct builder *b, const struct host_device *dev, struct device_work *out)
{
	struct hotplug_range range = {
		.start_bytes = dev->has_start ? dev->start_bytes : 0,
		.compound_bytes = b->rules->page_bytes,
		.direct_map = dev->type != DEV_PRIVATE,
	};
	int err = check_end(b, dev, range.start_bytes);

	if (err)
		return err;
	out->name = dev->name;
	out->dev = dev;
	out->count = dev->count;
	out->raw_bytes = dev->size_bytes;
	if (dev->type == DEV_SYSTEM_RAM)
		return system_ram_work(b, dev, out);
	range.size_bytes = range_size(b->rules, dev);
	out->usable_bytes = dev->size_bytes;
	infer_early_sections(b->host, b->rules, dev->has_start, &range);
	device_facts(b, &range, out);
	units_add(b, &out->terms, STAGE_DRIVER, UNIT_ONCE, 1, 1, "1",
		  "the driver's call of memremap_pages, minus the stages above");
	units_add(b, &out->terms, STAGE_RELEASE, UNIT_ONCE, 1, 1, "1",
		  "the driver's release, minus memunmap_pages");
	zone_device_work(b, &range, out);
	return 0;
}
