/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an architecture's page size decides, one row for each pair that kernels can be built with; and what none does. */
#ifndef MEMMAPCTL_HOST_PAGES_H
#define MEMMAPCTL_HOST_PAGES_H

#include <stdint.h>

#include "base/units.h"
#include "base/vocab.h"

enum {
	MAX_HUGEPAGE_SIZES = 4,
	MAX_ADDRESS_BITS = 52, /* the most that x86-64 and arm64 kernels can be built for */
};

#define MAX_PHYSICAL_BYTES (1ULL << MAX_ADDRESS_BITS)
#define SUBSECTION_BYTES   (2 * MIB)  /* include/linux/mmzone.h: SUBSECTION_SHIFT */
#define REGION_ALIGN_BYTES (16 * MIB) /* drivers/nvdimm/region_devs.c: default_align */

struct page_sizes {
	enum arch_id arch;
	uint64_t page_bytes;
	uint64_t pmd_bytes;     /* PMD leaf; ndctl's default align */
	uint64_t pud_bytes;     /* PUD-sized devdax (HAVE_ARCH_TRANSPARENT_HUGEPAGE_PUD); 0: none */
	uint64_t section_bytes; /* arch/.../include/asm/sparsemem.h: SECTION_SIZE_BITS */
	uint64_t hugepage_bytes[MAX_HUGEPAGE_SIZES]; /* HugeTLB hstates; ended by 0 when fewer */
};

/* The row, or NULL: the architecture has no such page size. */
const struct page_sizes *page_sizes_of(enum arch_id arch, uint64_t page_bytes);

/* The page sizes of an architecture, one after another from i = 0; 0 at the end. */
uint64_t page_size_nr(enum arch_id arch, unsigned int i);

#endif
