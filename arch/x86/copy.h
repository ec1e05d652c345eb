/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-64: plain stores, rep movs, and the non-temporal stores of each vector width. */
#ifndef MEMMAPCTL_ARCH_X86_COPY_H
#define MEMMAPCTL_ARCH_X86_COPY_H

#include <stdbool.h>
#include <stddef.h>

#include "arch/words.h"

#define ARCH_NAME "x86_64"

#define ARCH_COPIES(X)                                                                                       \
	ARCH_MEMCPY(X)                                                                                       \
	X(stores, "stores", "64-bit stores", false, NULL)                                                    \
	X(rep_movs, "rep-movs", "REP MOVS, what a kernel's inlined 64-byte memcpy can become", false, NULL)  \
	X(movnti, "movnti", "64-bit non-temporal stores (MOVNTI)", true, NULL)                               \
	X(avx2_nt, "avx2-nt", "256-bit non-temporal stores (VMOVNTDQ)", true, arch_has_avx2)                 \
	X(avx512_nt, "avx512-nt", "512-bit non-temporal stores (VMOVNTDQ)", true, arch_has_avx512)           \
	X(movdir64b, "movdir64b", "64-byte direct stores (MOVDIR64B)", true, arch_has_movdir64b)

/* Whether this CPU has the instructions and the system saves their registers. */
bool arch_has_avx2(void);
bool arch_has_avx512(void);
bool arch_has_movdir64b(void);

ARCH_INLINE void arch_copy_rep_movs(void *dst, const void *src)
{
	unsigned long words = ARCH_BLOCK_BYTES / 8;

	asm volatile("rep movsq" : "+D"(dst), "+S"(src), "+c"(words) : : "memory");
}

/* Of a kernel's stack of 16 KiB it may only take a little. */
#ifdef __KERNEL__
enum { ARCH_X86_MOVS_BYTES = 1024 };
#else
enum { ARCH_X86_MOVS_BYTES = 4096 };
#endif

/* From a buffer that stays in L1: one REP MOVS a struct page would measure its start-up, not the memory. */
ARCH_INLINE void arch_fill_rep_movs(void *dst, size_t bytes, const void *pattern)
{
	char buffer[ARCH_X86_MOVS_BYTES] __attribute__((aligned(ARCH_BLOCK_BYTES)));
	size_t buffer_bytes = bytes < sizeof(buffer) ? bytes : sizeof(buffer);

	arch_fill_stores(buffer, buffer_bytes, pattern);
	while (bytes) {
		const void *from = buffer;
		size_t now = bytes < buffer_bytes ? bytes : buffer_bytes;
		size_t words = now / 8;

		asm volatile("rep movsq" : "+D"(dst), "+S"(from), "+c"(words) : : "memory");
		bytes -= now;
	}
}

ARCH_INLINE void arch_finish_rep_movs(void)
{
}

ARCH_INLINE void arch_movnti_words(void *dst, arch_word a, arch_word b, arch_word c, arch_word d, arch_word e,
				   arch_word f, arch_word g, arch_word h)
{
	asm volatile("movnti %1, 0(%0)\n\t"
		     "movnti %2, 8(%0)\n\t"
		     "movnti %3, 16(%0)\n\t"
		     "movnti %4, 24(%0)\n\t"
		     "movnti %5, 32(%0)\n\t"
		     "movnti %6, 40(%0)\n\t"
		     "movnti %7, 48(%0)\n\t"
		     "movnti %8, 56(%0)"
		     :
		     : "r"(dst), "r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f), "r"(g), "r"(h)
		     : "memory");
}

ARCH_INLINE void arch_copy_movnti(void *dst, const void *src)
{
	const arch_source_word *w = src;

	arch_movnti_words(dst, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]);
}

ARCH_INLINE void arch_fill_movnti(void *dst, size_t bytes, const void *pattern)
{
	const arch_source_word *w = pattern;
	arch_word a = w[0], b = w[1], c = w[2], d = w[3], e = w[4], f = w[5], g = w[6], h = w[7];
	char *end = (char *)dst + bytes;

	for (char *to = dst; to < end; to += ARCH_BLOCK_BYTES)
		arch_movnti_words(to, a, b, c, d, e, f, g, h);
}

/* Non-temporal stores are weakly ordered: the fence also waits until they have left the CPU. */
ARCH_INLINE void arch_finish_movnti(void)
{
	asm volatile("sfence" : : : "memory");
}

/* A compiler that may use vector registers must know that these are overwritten; a kernel's must not hear of them. */
#ifdef __SSE__
#define ARCH_X86_CLOBBERS(...) "memory", __VA_ARGS__
#else
#define ARCH_X86_CLOBBERS(...) "memory"
#endif

ARCH_INLINE void arch_copy_avx2_nt(void *dst, const void *src)
{
	asm volatile("vmovdqu 0(%1), %%ymm0\n\t"
		     "vmovdqu 32(%1), %%ymm1\n\t"
		     "vmovntdq %%ymm0, 0(%0)\n\t"
		     "vmovntdq %%ymm1, 32(%0)"
		     :
		     : "r"(dst), "r"(src)
		     : ARCH_X86_CLOBBERS("xmm0", "xmm1"));
}

ARCH_INLINE void arch_fill_avx2_nt(void *dst, size_t bytes, const void *pattern)
{
	char *end = (char *)dst + bytes;

	if (!bytes)
		return;
	asm volatile("vmovdqu 0(%2), %%ymm0\n\t"
		     "vmovdqu 32(%2), %%ymm1\n"
		     "1:\n\t"
		     "vmovntdq %%ymm0, 0(%0)\n\t"
		     "vmovntdq %%ymm1, 32(%0)\n\t"
		     "addq $64, %0\n\t"
		     "cmpq %1, %0\n\t"
		     "jb 1b"
		     : "+r"(dst)
		     : "r"(end), "r"(pattern)
		     : "cc", ARCH_X86_CLOBBERS("xmm0", "xmm1"));
}

/* Upper halves left behind would slow down SSE code that follows. */
ARCH_INLINE void arch_finish_avx2_nt(void)
{
	asm volatile("sfence\n\t"
		     "vzeroupper"
		     :
		     :
		     : "memory");
}

ARCH_INLINE void arch_copy_avx512_nt(void *dst, const void *src)
{
	asm volatile("vmovdqu64 (%1), %%zmm0\n\t"
		     "vmovntdq %%zmm0, (%0)"
		     :
		     : "r"(dst), "r"(src)
		     : ARCH_X86_CLOBBERS("xmm0"));
}

ARCH_INLINE void arch_fill_avx512_nt(void *dst, size_t bytes, const void *pattern)
{
	char *end = (char *)dst + bytes;

	if (!bytes)
		return;
	asm volatile("vmovdqu64 (%2), %%zmm0\n"
		     "1:\n\t"
		     "vmovntdq %%zmm0, (%0)\n\t"
		     "addq $64, %0\n\t"
		     "cmpq %1, %0\n\t"
		     "jb 1b"
		     : "+r"(dst)
		     : "r"(end), "r"(pattern)
		     : "cc", ARCH_X86_CLOBBERS("xmm0"));
}

ARCH_INLINE void arch_finish_avx512_nt(void)
{
	arch_finish_avx2_nt();
}

ARCH_INLINE void arch_copy_movdir64b(void *dst, const void *src)
{
	asm volatile("movdir64b (%1), %0" : : "r"(dst), "r"(src) : "memory");
}

ARCH_INLINE void arch_fill_movdir64b(void *dst, size_t bytes, const void *pattern)
{
	char *end = (char *)dst + bytes;

	for (char *to = dst; to < end; to += ARCH_BLOCK_BYTES)
		arch_copy_movdir64b(to, pattern);
}

ARCH_INLINE void arch_finish_movdir64b(void)
{
	arch_finish_movnti();
}

#endif
