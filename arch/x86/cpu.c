// SPDX-License-Identifier: GPL-2.0-or-later
/* CPUID: what this CPU has and what it is called. */
#include <cpuid.h>
#include <string.h>

#include "arch/copy.h"
#include "arch/cpu.h"

/* These two also ask the operating system (XGETBV) whether it saves the registers. */
bool arch_has_avx2(void)
{
	return __builtin_cpu_supports("avx2");
}

bool arch_has_avx512(void)
{
	return __builtin_cpu_supports("avx512f");
}

bool arch_has_movdir64b(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ecx & (1u << 28));
}

/* The brand string: three leaves of 16 characters each. */
const char *arch_cpu_name(char *buf, size_t size)
{
	unsigned int regs[3][4];
	char name[sizeof(regs) + 1] = "";
	const char *start = name;

	for (unsigned int i = 0; i < 3; i++) {
		unsigned int *r = regs[i];

		if (!__get_cpuid(0x80000002 + i, &r[0], &r[1], &r[2], &r[3]))
			return NULL;
	}
	memcpy(name, regs, sizeof(regs));
	while (*start == ' ')
		start++;
	if (!*start || strlen(start) >= size)
		return NULL;
	return strcpy(buf, start);
}
