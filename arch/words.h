/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A 64-byte block as eight words: what every architecture's plain copy starts from. */
#ifndef MEMMAPCTL_ARCH_WORDS_H
#define MEMMAPCTL_ARCH_WORDS_H

/* May alias anything: blocks are struct pages to one caller and bytes to another. */
typedef unsigned long long __attribute__((may_alias)) arch_word;
typedef unsigned long long __attribute__((may_alias, aligned(1)))
arch_source_word; /* sources may lie anywhere */

/* Plain stores of one word each; volatile, so that they stay eight and never become a vector store or a memset. */
ARCH_INLINE void arch_store_words(void *dst, arch_word a, arch_word b, arch_word c, arch_word d, arch_word e,
				  arch_word f, arch_word g, arch_word h)
{
	volatile arch_word *to = dst;

	to[0] = a;
	to[1] = b;
	to[2] = c;
	to[3] = d;
	to[4] = e;
	to[5] = f;
	to[6] = g;
	to[7] = h;
}

ARCH_INLINE void arch_copy_stores(void *dst, const void *src)
{
	const arch_source_word *w = src;

	arch_store_words(dst, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]);
}

ARCH_INLINE void arch_fill_stores(void *dst, size_t bytes, const void *pattern)
{
	const arch_source_word *w = pattern;
	arch_word a = w[0], b = w[1], c = w[2], d = w[3], e = w[4], f = w[5], g = w[6], h = w[7];
	char *end = (char *)dst + bytes;

	for (char *to = dst; to < end; to += ARCH_BLOCK_BYTES)
		arch_store_words(to, a, b, c, d, e, f, g, h);
}

ARCH_INLINE void arch_finish_stores(void)
{
}

/*
 * A kernel's own copy of 64 bytes: what memcpy becomes is the compiler's choice and its flags'. User space has no such
 * routine: there memcpy becomes vector stores, which a kernel cannot use.
 */
#ifdef __KERNEL__
#define ARCH_MEMCPY(X)                                                                                       \
	X(memcpy, "memcpy", "memcpy, as this kernel's compiler and flags expand it", false, NULL)

ARCH_INLINE void arch_copy_memcpy(void *dst, const void *src)
{
	memcpy(dst, src, ARCH_BLOCK_BYTES);
}

ARCH_INLINE void arch_fill_memcpy(void *dst, size_t bytes, const void *pattern)
{
	char *end = (char *)dst + bytes;

	for (char *to = dst; to < end; to += ARCH_BLOCK_BYTES)
		arch_copy_memcpy(to, pattern);
}

ARCH_INLINE void arch_finish_memcpy(void)
{
}
#else
#define ARCH_MEMCPY(X)
#endif

#endif
