/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that runs out on demand. A test that includes this is linked with --wrap for these: tests/CMakeLists.txt. */
#ifndef MEMMAPCTL_TESTS_ALLOC_FAILURE_H
#define MEMMAPCTL_TESTS_ALLOC_FAILURE_H

#include <stdbool.h>
#include <stddef.h>

/* The n-th allocation from here on fails; 0: none does. The linker leads the library's calls here. */
static long fail_at, nr_allocations;

static bool fails(void)
{
	nr_allocations++;
	return fail_at && nr_allocations == fail_at;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t nr, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_reallocarray(void *p, size_t nr, size_t size);
char *__real_strdup(const char *s);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t nr, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_reallocarray(void *p, size_t nr, size_t size);
char *__wrap_strdup(const char *s);

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t nr, size_t size)
{
	return fails() ? NULL : __real_calloc(nr, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

void *__wrap_reallocarray(void *p, size_t nr, size_t size)
{
	return fails() ? NULL : __real_reallocarray(p, nr, size);
}

char *__wrap_strdup(const char *s)
{
	return fails() ? NULL : __real_strdup(s);
}

#endif
