// SPDX-License-Identifier: GPL-2.0-or-later
/* System registers that user space may read. */
#include <stdint.h>

#include "arch/copy.h"
#include "arch/cpu.h"

bool arch_has_dc_zva_64(void)
{
	uint64_t dczid;

	asm("mrs %0, dczid_el0" : "=r"(dczid));
	return (dczid & 0x1f) == 4; /* bit 4: forbidden; bits 3-0: log2 of the block in 4-byte words */
}

/* MIDR_EL1 holds part numbers; the names belong to whoever reads /proc/cpuinfo. */
const char *arch_cpu_name(char *buf, size_t size)
{
	(void)buf;
	(void)size;
	return NULL;
}
