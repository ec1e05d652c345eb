// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/budget.h"

#include "base/units.h"
#include "base/util.h"
#include "initpath/initpath.h"

#define AVAILABLE_SHARE   4
#define LLC_MULTIPLE      2
#define SMALLEST_WINDOW   (64 * MIB) /* where no cache size is known, too */
#define L2_WHEN_NOT_KNOWN (512 * KIB)

uint64_t budget_uncached_bytes(const struct machine_memory *memory)
{
	return memory->llc_bytes * LLC_MULTIPLE;
}

uint64_t budget_window_bytes(uint64_t memmap_bytes, uint64_t budget_bytes,
			     const struct machine_memory *memory)
{
	uint64_t enough = MAX(budget_uncached_bytes(memory), SMALLEST_WINDOW);

	if (!budget_bytes && memory->available_bytes)
		budget_bytes = MIN(enough, memory->available_bytes / AVAILABLE_SHARE);
	else if (!budget_bytes)
		budget_bytes = enough;
	return MIN(memmap_bytes, budget_bytes);
}

uint64_t budget_cache_pages(unsigned int order, const struct machine_memory *memory)
{
	uint64_t l2_bytes = memory->l2_bytes ? memory->l2_bytes : L2_WHEN_NOT_KNOWN;
	uint64_t pages = round_down_pow2(l2_bytes / 2 / STRUCT_PAGE_BYTES, 1ULL << order);

	return MAX(pages, 1ULL << order);
}
