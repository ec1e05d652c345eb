/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arm64: store pairs, store pairs with a non-temporal hint, and lines zeroed without being read. */
#ifndef MEMMAPCTL_ARCH_ARM64_COPY_H
#define MEMMAPCTL_ARCH_ARM64_COPY_H

#include <stdbool.h>
#include <stddef.h>

#include "arch/words.h"

#define ARCH_NAME "aarch64"

#define ARCH_COPIES(X)                                                                                       \
	ARCH_MEMCPY(X)                                                                                       \
	X(stores, "stores", "64-bit stores", false, NULL)                                                    \
	X(stp, "stp", "128-bit store pairs (STP)", false, NULL)                                              \
	X(dc_zva, "dc-zva", "line zeroed (DC ZVA), then pairs that are not zero", false, arch_has_dc_zva_64) \
	X(stnp, "stnp", "128-bit store pairs with a non-temporal hint (STNP)", true, NULL)

/* DC ZVA is allowed here and zeroes 64 bytes: a larger block would reach past the struct page. */
bool arch_has_dc_zva_64(void);

#define ARCH_ARM64_PAIR(instruction, dst, offset, lo, hi)                                                    \
	asm volatile(instruction " %0, %1, [%2, " #offset "]" : : "r"(lo), "r"(hi), "r"(dst) : "memory")

ARCH_INLINE void arch_copy_stp(void *dst, const void *src)
{
	const arch_source_word *w = src;

	ARCH_ARM64_PAIR("stp", dst, 0, w[0], w[1]);
	ARCH_ARM64_PAIR("stp", dst, 16, w[2], w[3]);
	ARCH_ARM64_PAIR("stp", dst, 32, w[4], w[5]);
	ARCH_ARM64_PAIR("stp", dst, 48, w[6], w[7]);
}

ARCH_INLINE void arch_copy_stnp(void *dst, const void *src)
{
	const arch_source_word *w = src;

	ARCH_ARM64_PAIR("stnp", dst, 0, w[0], w[1]);
	ARCH_ARM64_PAIR("stnp", dst, 16, w[2], w[3]);
	ARCH_ARM64_PAIR("stnp", dst, 32, w[4], w[5]);
	ARCH_ARM64_PAIR("stnp", dst, 48, w[6], w[7]);
}

/* A struct page is mostly zeroes: the branches go the same way for every page of a kind. */
ARCH_INLINE void arch_copy_dc_zva(void *dst, const void *src)
{
	const arch_source_word *w = src;

	asm volatile("dc zva, %0" : : "r"(dst) : "memory");
	if (w[0] | w[1])
		ARCH_ARM64_PAIR("stp", dst, 0, w[0], w[1]);
	if (w[2] | w[3])
		ARCH_ARM64_PAIR("stp", dst, 16, w[2], w[3]);
	if (w[4] | w[5])
		ARCH_ARM64_PAIR("stp", dst, 32, w[4], w[5]);
	if (w[6] | w[7])
		ARCH_ARM64_PAIR("stp", dst, 48, w[6], w[7]);
}

/* The pattern is copied to a local whose address stays here: its words are then kept in registers over the loop. */
#define ARCH_ARM64_FILL(name)                                                                                \
	ARCH_INLINE void arch_fill_##name(void *dst, size_t bytes, const void *pattern)                      \
	{                                                                                                    \
		const arch_source_word *w = pattern;                                                         \
		arch_word words[8] = {w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]};                       \
		char *end = (char *)dst + bytes;                                                             \
                                                                                                             \
		for (char *to = dst; to < end; to += ARCH_BLOCK_BYTES)                                       \
			arch_copy_##name(to, words);                                                         \
	}

ARCH_ARM64_FILL(stp)
ARCH_ARM64_FILL(stnp)
ARCH_ARM64_FILL(dc_zva)

ARCH_INLINE void arch_finish_stp(void)
{
}

ARCH_INLINE void arch_finish_dc_zva(void)
{
}

/* Waits until the stores are complete, as SFENCE does on x86: a hint may have left them in a write buffer. */
ARCH_INLINE void arch_finish_stnp(void)
{
	asm volatile("dsb ishst" : : : "memory");
}

#endif
