// SPDX-License-Identifier: GPL-2.0-or-later
/* What a command line makes of a host, and what of it did not come. */
#include <errno.h>
#include <inttypes.h>

#include "base/units.h"
#include "host/cmdline.h"

/* Those that hugetlb_cma= takes the place of do not come into being. */
static bool is_skipped(const struct cmdline *c, const struct cmdline_pool *pool,
		       const struct page_sizes *sizes)
{
	return c->hugetlb_cma_bytes && sizes && pool->size_bytes > sizes->pmd_bytes;
}

int cmdline_apply(const struct cmdline *cmdline, struct host *host)
{
	const struct page_sizes *sizes = page_sizes_of(host->arch, host->page_size_bytes);

	if (cmdline->has_hvo)
		host->hvo_enabled = cmdline->hvo;
	if (cmdline->has_init_on_alloc)
		host->kernel.init_on_alloc = cmdline->init_on_alloc;
	for (size_t i = 0; i < cmdline->nr_pools; i++) {
		const struct cmdline_pool *from = &cmdline->pools[i];
		struct host_hugepages *pool;

		if (is_skipped(cmdline, from, sizes))
			continue;
		pool = array_grow(&host->hugepages, &host->nr_hugepages, sizeof(*pool));
		if (!pool)
			return -ENOMEM;
		*pool = (struct host_hugepages){.size_bytes = from->size_bytes,
						.count = from->count,
						.when = HUGEPAGES_BOOT,
						.node = from->node};
	}
	return 0;
}

/* mm/hugetlb_vmemmap.c: the sysctl is there where any size can be optimised; the option only sets where it starts. */
static void compare_hvo(const struct host *host, struct diags *diags)
{
	if (host_is_unknown(host, &host->hvo_supported) || host->hvo_enabled)
		return;
	if (host->hvo_supported)
		diag_add(diags, DIAG_WARNING, NULL, 0, 0,
			 "hugetlb_free_vmemmap=on is on the command line, and vm.hugetlb_optimize_vmemmap is "
			 "0: "
			 "hugepages that were allocated since it was set save nothing");
	else
		diag_add(diags, DIAG_WARNING, NULL, 0, 0,
			 "hugetlb_free_vmemmap=on is on the command line, and this kernel has no HVO%s: "
			 "nothing "
			 "is saved",
			 host->arch == ARCH_AARCH64 ? " (aarch64 lost it in Linux 6.3 and 6.1.16)" : "");
}

void cmdline_compare(const struct cmdline *cmdline, const struct host *host, struct diags *diags)
{
	char size[UNITS_STR];

	if (cmdline->has_hvo && cmdline->hvo)
		compare_hvo(host, diags);
	for (size_t i = 0; i < cmdline->nr_pools; i++) {
		uint64_t bytes = cmdline->pools[i].size_bytes, asked = 0,
			 there = host_hugepages_of_size(host, bytes);
		bool is_first = true;

		for (size_t j = 0; j < cmdline->nr_pools; j++) {
			if (cmdline->pools[j].size_bytes != bytes)
				continue;
			is_first = is_first && j >= i;
			asked += MIN(cmdline->pools[j].count, UINT64_MAX - asked);
		}
		if (is_first && there < asked)
			diag_add(diags, DIAG_WARNING, NULL, 0, 0,
				 "%" PRIu64 " hugepages of %s are asked for on the command line, and %" PRIu64
				 " are there",
				 asked, size_exact(size, bytes), there);
	}
}
