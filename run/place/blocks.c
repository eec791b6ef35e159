/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Heap blocks: malloc() and the like, and their callers. May use place.h.
 *
 * A small block costs one comparison. dlsym(3), which finds the originals, may allocate: that
 * memory comes from a small buffer in this file and is never freed.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "run/place/place.h"

#define EARLY_BYTES 16384U
#define EARLY_ALIGN 16U

/* The caller of the function that this is used in, or of operator new that has called it. */
#define CALLER() (operator_caller ? operator_take() : __builtin_return_address(0))

#define NEXT_FUNCTIONS(do)                                                                         \
	do                                                                                         \
	(malloc) do(calloc) do(realloc) do(free) do(aligned_alloc) do(memalign) do(valloc) do(     \
		pvalloc) do(posix_memalign)

static struct {
#define MEMBER(function) __typeof__(&function) function;
	NEXT_FUNCTIONS(MEMBER)
#undef MEMBER
} next;

static bool next_found, next_searching;
static _Alignas(EARLY_ALIGN) char early[EARLY_BYTES];
static size_t early_used;

static void next_find(void)
{
	if (__atomic_load_n(&next_found, __ATOMIC_ACQUIRE))
		return;
	next_searching = true;
#define FIND(function) *(void **)&next.function = dlsym(RTLD_NEXT, #function);
	NEXT_FUNCTIONS(FIND)
#undef FIND
	next_searching = false;
	__atomic_store_n(&next_found, true, __ATOMIC_RELEASE);
}

/* Is this call one of dlsym()? The first call comes before there are threads. */
static bool is_early_call(void)
{
	return !next_found && next_searching;
}

static bool is_early(const void *block)
{
	return (const char *)block >= early && (const char *)block < early + EARLY_BYTES;
}

static void *early_new(size_t bytes)
{
	size_t used = EARLY_ALIGN + ((bytes + EARLY_ALIGN - 1) & ~(size_t)(EARLY_ALIGN - 1));
	char *block = early + early_used;

	if (bytes > EARLY_BYTES || early_used + used > EARLY_BYTES)
		return NULL;
	early_used += used;
	/* For realloc() to know. */
	memcpy(block, &bytes, sizeof(bytes));
	return block + EARLY_ALIGN;
}

static const void *operator_take(void)
{
	const void *caller = operator_caller;

	operator_caller = NULL;
	return caller;
}

static void *got(void *block, size_t bytes, const void *caller)
{
	int saved = errno;

	if (place_on && block)
		regions_block(caller, block, bytes);
	errno = saved;
	return block;
}

EXPORT void *malloc(size_t bytes)
{
	if (is_early_call())
		return early_new(bytes);
	next_find();
	if (bytes < PLACE_LARGE)
		return next.malloc(bytes);
	return got(next.malloc(bytes), bytes, CALLER());
}

EXPORT void *calloc(size_t count, size_t bytes)
{
	size_t all;

	if (__builtin_mul_overflow(count, bytes, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	if (is_early_call())
		return early_new(all);
	next_find();
	if (all < PLACE_LARGE)
		return next.calloc(count, bytes);
	return got(next.calloc(count, bytes), all, CALLER());
}

EXPORT void free(void *block)
{
	if (!block || is_early(block))
		return;
	next_find();
	if (place_on)
		regions_free(block);
	next.free(block);
}

static void *early_grow(const void *old, size_t bytes)
{
	size_t had;
	void *block = malloc(bytes);

	memcpy(&had, (const char *)old - EARLY_ALIGN, sizeof(had));
	if (block)
		memcpy(block, old, had < bytes ? had : bytes);
	return block;
}

static void *resized(void *old, size_t bytes, const void *caller)
{
	if (is_early(old))
		return early_grow(old, bytes);
	next_find();
	/* If it cannot grow, it stays, and is not placed again. */
	if (place_on && old)
		regions_free(old);
	if (bytes < PLACE_LARGE)
		return next.realloc(old, bytes);
	return got(next.realloc(old, bytes), bytes, caller);
}

EXPORT void *realloc(void *old, size_t bytes)
{
	if (is_early_call())
		return early_new(bytes);
	return resized(old, bytes, __builtin_return_address(0));
}

EXPORT void *reallocarray(void *old, size_t count, size_t bytes)
{
	size_t all;

	if (__builtin_mul_overflow(count, bytes, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return resized(old, all, __builtin_return_address(0));
}

EXPORT void *aligned_alloc(size_t alignment, size_t bytes)
{
	next_find();
	if (bytes < PLACE_LARGE)
		return next.aligned_alloc(alignment, bytes);
	return got(next.aligned_alloc(alignment, bytes), bytes, CALLER());
}

EXPORT void *memalign(size_t alignment, size_t bytes)
{
	next_find();
	if (bytes < PLACE_LARGE)
		return next.memalign(alignment, bytes);
	return got(next.memalign(alignment, bytes), bytes, CALLER());
}

EXPORT void *valloc(size_t bytes)
{
	next_find();
	if (bytes < PLACE_LARGE)
		return next.valloc(bytes);
	return got(next.valloc(bytes), bytes, CALLER());
}

EXPORT void *pvalloc(size_t bytes)
{
	next_find();
	if (bytes < PLACE_LARGE)
		return next.pvalloc(bytes);
	return got(next.pvalloc(bytes), bytes, CALLER());
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t bytes)
{
	int error;

	next_find();
	error = next.posix_memalign(block, alignment, bytes);
	if (!error && bytes >= PLACE_LARGE)
		got(*block, bytes, CALLER());
	return error;
}
