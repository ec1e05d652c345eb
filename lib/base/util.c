// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/util.h"

#include <errno.h>
#include <string.h>

char *text_formatv(const char *fmt, va_list ap)
{
	char *text;

	return vasprintf(&text, fmt, ap) < 0 ? NULL : text;
}

void *array_grow(void *array_ptr, size_t *nr, size_t elem_size)
{
	void **array = array_ptr;
	size_t n = *nr;

	if ((n & (n - 1)) == 0) {
		void *bigger = reallocarray(*array, n ? n * 2 : 1, elem_size);

		if (!bigger)
			return NULL;
		*array = bigger;
	}
	*nr = n + 1;
	return memset((char *)*array + n * elem_size, 0, elem_size);
}

int mul_u64(uint64_t a, uint64_t b, uint64_t *out)
{
	uint64_t product;

	if (__builtin_mul_overflow(a, b, &product))
		return -EOVERFLOW;
	*out = product;
	return 0;
}

int add_u64(uint64_t a, uint64_t b, uint64_t *out)
{
	uint64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		return -EOVERFLOW;
	*out = sum;
	return 0;
}

enum { SUGGEST_MAX = 63 };

/* Optimal string alignment: insertions, deletions, substitutions and swapped neighbours each cost one. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b);
	size_t rows[3][SUGGEST_MAX + 1];
	size_t *before = rows[0], *prev = rows[1], *cur = rows[2];

	if (la > SUGGEST_MAX || lb > SUGGEST_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= lb; j++)
		prev[j] = j;
	for (size_t i = 1; i <= la; i++) {
		cur[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			size_t best = prev[j - 1] + (a[i - 1] != b[j - 1]);

			best = MIN(best, MIN(prev[j], cur[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				best = MIN(best, before[j - 2] + 1);
			cur[j] = best;
		}
		size_t *oldest = before;

		before = prev;
		prev = cur;
		cur = oldest;
	}
	return prev[lb];
}

const char *suggest(const char *word, const char *const *candidates)
{
	size_t limit = MAX(strlen(word) / 3, 1), best = limit + 1;
	const char *nearest = NULL;

	for (; *candidates; candidates++) {
		size_t distance = edit_distance(word, *candidates);

		if (distance < best) {
			best = distance;
			nearest = *candidates;
		}
	}
	return nearest;
}
