// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory that a driver registers: device-private, coherent, P2PDMA. All order-0, memmap in RAM. */
#include <errno.h>
#include <inttypes.h>

#include "base/units.h"
#include "base/util.h"
#include "geometry/parts.h"

/*
 * kernel/resource.c: devm_request_free_mem_region aligns a private range to sections; a coherent range ends
 * on a subsection. A P2PDMA range is the BAR itself, and memremap_pages refuses one that is not.
 */
static int range_size(struct builder *b, const struct host_device *dev, uint64_t *out)
{
	uint64_t sub = b->rules->subsection_bytes;

	switch (dev->type) {
	case DEV_PRIVATE:
		*out = round_up_pow2(dev->size_bytes, b->rules->section_bytes);
		return 0;
	case DEV_P2PDMA:
		if (dev->size_bytes % sub)
			return complain(b, DIAG_ERROR, dev->place, -EINVAL,
					"%s: a P2PDMA range of %" PRIu64
					" bytes is not a multiple of 2MiB: the kernel says \"Misaligned "
					"__add_pages start\"",
					dev->name, dev->size_bytes);
		*out = dev->size_bytes;
		return 0;
	default:
		*out = round_up_pow2(dev->size_bytes, sub);
		return 0;
	}
}

static int check_device(struct builder *b, const struct host_device *dev, uint64_t start)
{
	uint64_t end;

	if (!dev->size_bytes)
		return complain(b, DIAG_ERROR, dev->place, -EINVAL, "%s: size is 0", dev->name);
	if (physical_end(start, dev->size_bytes, &end) ||
	    physical_end(end, b->rules->section_bytes, &(uint64_t){0}))
		return complain(b, DIAG_ERROR, dev->place, -EOVERFLOW,
				"%s: ends above 2^52 bytes, the largest physical address", dev->name);
	if (dev->type != DEV_SYSTEM_RAM && start % b->rules->subsection_bytes)
		return complain(b, DIAG_ERROR, dev->place, -EINVAL,
				"%s: start %#" PRIx64 " is not a multiple of 2MiB", dev->name, start);
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
	int err = check_device(b, dev, range.start_bytes);

	if (err)
		return err;
	out->name = dev->name;
	out->dev = dev;
	out->count = dev->count;
	out->raw_bytes = dev->size_bytes;
	if (dev->type == DEV_SYSTEM_RAM)
		return system_ram_work(b, dev, out);
	err = range_size(b, dev, &range.size_bytes);
	if (err)
		return err;
	out->usable_bytes = dev->size_bytes;
	infer_early_sections(b->host, b->rules, dev->has_start, &range);
	device_facts(b, &range, out);
	units_add(b, &out->terms, STAGE_DRIVER, UNIT_ONCE, 1, 1, "1",
		  "the driver's call of memremap_pages, minus the stages above");
	zone_device_work(b, &range, out);
	return 0;
}
