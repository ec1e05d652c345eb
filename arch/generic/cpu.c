// SPDX-License-Identifier: GPL-2.0-or-later
/* Nothing is known of this CPU. */
#include "arch/cpu.h"

const char *arch_cpu_name(char *buf, size_t size)
{
	(void)buf;
	(void)size;
	return NULL;
}
