/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Let allocations fail: if a test requests it, the library's calls of calloc(), aligned_alloc() and
 * reallocarray() return NULL.
 *
 * What lives here: the switch, for tests that are linked with NO_MEMORY of build.mk. Each of these
 * tests includes this file once.
 */
#ifndef TESTS_UNIT_NO_MEMORY_H
#define TESTS_UNIT_NO_MEMORY_H

#include <stddef.h>

static int no_memory;

void *__real_calloc(size_t count, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__real_reallocarray(void *items, size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_reallocarray(void *items, size_t count, size_t bytes);

void *__wrap_calloc(size_t count, size_t bytes)
{
	return no_memory ? NULL : __real_calloc(count, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
	return no_memory ? NULL : __real_aligned_alloc(alignment, bytes);
}

void *__wrap_reallocarray(void *items, size_t count, size_t bytes)
{
	return no_memory ? NULL : __real_reallocarray(items, count, bytes);
}

#endif /* TESTS_UNIT_NO_MEMORY_H */
