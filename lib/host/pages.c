// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/pages.h"

#include <stddef.h>

#include "base/units.h"
#include "base/util.h"

/* arm64: a contiguous run of PTEs or PMDs is a hugepage too (arch/arm64/mm/hugetlbpage.c: hugetlbpage_init). */
static const struct page_sizes rows[] = {
	{ARCH_X86_64,  4 * KIB,  2 * MIB,   1 * GIB, 128 * MIB, {2 * MIB, 1 * GIB}                    },
	{ARCH_AARCH64, 4 * KIB,  2 * MIB,   0,       128 * MIB, {64 * KIB, 2 * MIB, 32 * MIB, 1 * GIB}},
	{ARCH_AARCH64, 16 * KIB, 32 * MIB,  0,       128 * MIB, {2 * MIB, 32 * MIB, 1 * GIB}          },
	{ARCH_AARCH64, 64 * KIB, 512 * MIB, 0,       512 * MIB, {2 * MIB, 512 * MIB, 16 * GIB}        },
};

const struct page_sizes *page_sizes_of(enum arch_id arch, uint64_t page_bytes)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].arch == arch && rows[i].page_bytes == page_bytes)
			return &rows[i];
	}
	return NULL;
}

uint64_t page_size_nr(enum arch_id arch, unsigned int i)
{
	for (size_t row = 0; row < ARRAY_SIZE(rows); row++) {
		if (rows[row].arch == arch && !i--)
			return rows[row].page_bytes;
	}
	return 0;
}
