// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "measure/guest_machine.h"

int guest_node_index(const struct host *host, int id)
{
	if (id == NODE_ANY || !host->nr_nodes)
		return 0;
	for (size_t i = 0; i < host->nr_nodes; i++) {
		if (host->nodes[i].id == (uint32_t)id)
			return (int)i;
	}
	return -EINVAL;
}

static struct guest_nvdimm *nvdimm_of_node(struct guest_nvdimms *plan, int node)
{
	struct guest_nvdimm *nvdimm;

	for (size_t i = 0; i < plan->nr; i++) {
		if (plan->items[i].node == node)
			return &plan->items[i];
	}
	nvdimm = array_grow(&plan->items, &plan->nr, sizeof(*plan->items));
	if (nvdimm)
		nvdimm->node = node;
	return nvdimm;
}

static int place_namespace(const struct host *host, size_t index, struct guest_nvdimms *plan)
{
	int node = guest_node_index(host, host->namespaces[index].node);
	struct guest_nvdimm *nvdimm;
	size_t *slot;

	if (node < 0)
		return node;
	nvdimm = nvdimm_of_node(plan, node);
	if (!nvdimm)
		return -ENOMEM;
	slot = array_grow(&nvdimm->namespaces, &nvdimm->nr_namespaces, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = index;
	return add_u64(nvdimm->size_bytes, host->namespaces[index].size_bytes, &nvdimm->size_bytes);
}

static int place_all(const struct host *host, struct guest_nvdimms *plan)
{
	for (int whole = 1; whole >= 0; whole--) {
		for (size_t i = 0; i < host->nr_namespaces; i++) {
			int err;

			if ((host->namespaces[i].size_bytes % GIB == 0) != whole)
				continue;
			err = place_namespace(host, i, plan);
			if (err)
				return err;
		}
	}
	for (size_t i = 0; i < plan->nr; i++) {
		if (add_u64(plan->items[i].size_bytes, GIB - 1, &plan->items[i].size_bytes))
			return -EOVERFLOW;
		plan->items[i].size_bytes = round_down_pow2(plan->items[i].size_bytes, GIB);
	}
	return 0;
}

int guest_nvdimms_plan(const struct host *host, struct guest_nvdimms *out)
{
	struct guest_nvdimms plan = {0};
	int err = place_all(host, &plan);

	if (err) {
		guest_nvdimms_free(&plan);
		return err;
	}
	*out = plan;
	return 0;
}

void guest_nvdimms_free(struct guest_nvdimms *nvdimms)
{
	for (size_t i = 0; i < nvdimms->nr; i++)
		free(nvdimms->items[i].namespaces);
	free(nvdimms->items);
	*nvdimms = (struct guest_nvdimms){0};
}
