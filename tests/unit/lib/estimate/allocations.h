/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Count the memory allocations of the library.
 *
 * What lives here: the counter, for tests that are linked with ALLOCATIONS of tests/unit/build.mk.
 * Each of these tests includes this file once.
 */
#ifndef TESTS_UNIT_LIB_ESTIMATE_ALLOCATIONS_H
#define TESTS_UNIT_LIB_ESTIMATE_ALLOCATIONS_H

#include <stddef.h>

static size_t allocations;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__real_reallocarray(void *items, size_t count, size_t bytes);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_reallocarray(void *items, size_t count, size_t bytes);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t bytes)
{
	allocations++;
	return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
	allocations++;
	return __real_calloc(count, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
	allocations++;
	return __real_aligned_alloc(alignment, bytes);
}

void *__wrap_reallocarray(void *items, size_t count, size_t bytes)
{
	allocations++;
	return __real_reallocarray(items, count, bytes);
}

char *__wrap_strdup(const char *text)
{
	allocations++;
	return __real_strdup(text);
}

#endif /* TESTS_UNIT_LIB_ESTIMATE_ALLOCATIONS_H */
