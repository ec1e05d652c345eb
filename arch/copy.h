/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The copy routines an architecture has, inline, for loops that must not pay a call for 64 bytes.
 *
 * For each NAME in ARCH_COPIES(X):
 *   arch_copy_NAME(dst, src)             one block of 64 bytes; dst 64-byte aligned
 *   arch_fill_NAME(dst, bytes, pattern)  the 64-byte pattern over and over; dst 64-byte aligned, bytes a multiple of 64
 *   arch_finish_NAME()                   after the last of them: stores drained, register state as compilers expect
 * and a row X(NAME, "name", "what it is", nontemporal, usable), usable a function or NULL. Inline assembly, so that
 * the compiler puts none of these instructions anywhere else: only a routine whose usable() said yes meets them,
 * and the same source compiles in a kernel, where floating point and vector registers are off limits to C.
 */
#ifndef MEMMAPCTL_ARCH_COPY_H
#define MEMMAPCTL_ARCH_COPY_H

#define ARCH_INLINE static inline __attribute__((always_inline, unused))

enum { ARCH_BLOCK_BYTES = 64 };

#if defined(ARCH_GENERIC)
#include "arch/generic/copy.h"
#elif defined(__x86_64__)
#include "arch/x86/copy.h"
#elif defined(__aarch64__)
#include "arch/arm64/copy.h"
#else
#include "arch/generic/copy.h"
#endif

#endif
