/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much memory a simulated measurement writes: pure arithmetic. */
#ifndef MEMMAPCTL_MEASURE_BUDGET_H
#define MEMMAPCTL_MEASURE_BUDGET_H

#include <stdint.h>

#include "measure/machine.h"

/*
 * Bytes to map for a memory map of memmap_bytes. A larger map than the budget is run through a window of the
 * budget's size. budget_bytes: what the user allows, or 0: a quarter of what is available, and no more than
 * twice the last-level cache, because a longer run through the same cold memory tells nothing new.
 */
uint64_t budget_window_bytes(uint64_t memmap_bytes, uint64_t budget_bytes,
			     const struct machine_memory *memory);

/* From how many bytes on the last-level cache keeps next to nothing from one repetition to the next. */
uint64_t budget_uncached_bytes(const struct machine_memory *memory);

/*
 * Struct pages of a window that stays in the second-level cache (half of it), a multiple of 1 << order; at
 * least that many.
 */
uint64_t budget_cache_pages(unsigned int order, const struct machine_memory *memory);

#endif
