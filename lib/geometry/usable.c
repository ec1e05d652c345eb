// SPDX-License-Identifier: GPL-2.0-or-later
#include "geometry/usable.h"

#include "geometry/raw_size.h"
#include "host/pages.h"

/* The host with this namespace and nothing else that is hot-plugged. */
static int work_of(const struct host *host, const struct host_namespace *ns, struct work **out)
{
	struct host_namespace only = *ns;
	struct host alone = *host;

	alone.namespaces = &only;
	alone.nr_namespaces = 1;
	alone.devices = NULL;
	alone.nr_devices = alone.nr_hugepages = 0;
	alone.hugepages = NULL;
	alone.places = NULL;
	return work_new(&alone, NULL, out);
}

static void cost_of(const struct work *work, struct usable_plan *plan)
{
	const struct device_work *d = &work->devices[0];

	plan->usable_bytes = d->usable_bytes;
	plan->ram_bytes = d->memmap_ram_bytes + d->page_table_bytes;
}

int usable_plan_for(const struct host *host, const struct host_namespace *ns, enum namespace_map map,
		    uint64_t want_bytes, struct usable_plan *out)
{
	struct host_namespace changed = *ns;
	struct raw_layout layout = {ns->has_start ? ns->start_bytes : 0, ns->align_bytes, map,
				    host->page_size_bytes};
	_cleanup_work_ struct work *work = NULL;
	struct usable_plan plan = {0};
	struct pfn_layout as_wanted = {0};
	int err = raw_size_to_request(&layout, want_bytes, MAX(ns->align_bytes, REGION_ALIGN_BYTES),
				      &plan.request_bytes);

	if (err)
		return err;
	changed.map = map;
	changed.size_bytes = plan.request_bytes;
	changed.has_usable = false;
	err = work_of(host, &changed, &work);
	if (err)
		return err;
	cost_of(work, &plan);
	if (!pfn_layout_for(layout.start_bytes, want_bytes, layout.align_bytes, map, layout.page_bytes,
			    &as_wanted))
		plan.as_wanted_bytes = as_wanted.usable_bytes;
	*out = plan;
	return 0;
}
