/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small things every file needs: array sizes, scope guards, growth of arrays, checked arithmetic. */
#ifndef MEMMAPCTL_BASE_UTIL_H
#define MEMMAPCTL_BASE_UTIL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ARRAY_SIZE(a)  (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b)      ((a) < (b) ? (a) : (b))
#define MAX(a, b)      ((a) > (b) ? (a) : (b))
#define _cleanup_(fn)  __attribute__((cleanup(fn)))
#define _printf_(f, a) __attribute__((format(printf, f, a)))

static inline void free_ptr(void *p)
{
	free(*(void **)p);
}

static inline void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void close_file(FILE **f)
{
	if (*f)
		fclose(*f);
}

#define _cleanup_free_ _cleanup_(free_ptr)
#define _cleanup_fd_   _cleanup_(close_fd)
#define _cleanup_file_ _cleanup_(close_file)

/* Give up ownership of a guarded local: returns the pointer and leaves NULL behind. */
#define take_ptr(p)                                                                                          \
	({                                                                                                   \
		__typeof__(p) taken_ = (p);                                                                  \
		(p) = NULL;                                                                                  \
		taken_;                                                                                      \
	})

/* The formatted text, which the caller frees; NULL when out of memory. */
char *text_formatv(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

/*
 * Make room for one more element of an array of *nr elements and return a pointer to it, zeroed, with
 * *nr counted up; NULL when out of memory, with the array as it was. Capacity grows by doubling and is
 * not stored: the array is reallocated when nr is a power of two.
 */
void *array_grow(void *array_ptr, size_t *nr, size_t elem_size);

/* 0 and *out = a * b (or a + b), or -EOVERFLOW with *out untouched. */
int mul_u64(uint64_t a, uint64_t b, uint64_t *out);
int add_u64(uint64_t a, uint64_t b, uint64_t *out);

static inline uint64_t div_round_up(uint64_t n, uint64_t d)
{
	return n / d + (n % d != 0);
}

static inline bool is_pow2(uint64_t x)
{
	return x && !(x & (x - 1));
}

/* a is a power of two; round_up wraps to 0 past 2^64 - a, so callers check their sizes first. */
static inline uint64_t round_down_pow2(uint64_t x, uint64_t a)
{
	return x & ~(a - 1);
}

static inline uint64_t round_up_pow2(uint64_t x, uint64_t a)
{
	return (x + a - 1) & ~(a - 1);
}

/*
 * The candidate of a NULL-ended list nearest to word by edit distance, or NULL when none is near enough
 * to be a likely misspelling (a third of the word's length, at least one edit).
 */
const char *suggest(const char *word, const char *const *candidates);

#endif
