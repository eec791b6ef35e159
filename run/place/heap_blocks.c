/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Heap blocks: the library's own malloc(), free() and the related functions, which report large
 * blocks and their callers. May use place.h, and early_memory.h and operator_new.h of the preload
 * library.
 *
 * For a small block, the library's function makes only one comparison more than the original
 * function.
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "run/place/place.h"
#include "run/preload/base/early_memory.h"
#include "run/preload/base/operator_new.h"

/*
 * The return address in the caller of the function that uses this macro. If operator new called
 * that function, it is the return address in the caller of operator new.
 */
#define CALLER() (allocation_site ? site_take() : __builtin_return_address(0))

static const void *site_take(void)
{
	const void *caller = allocation_site;

	allocation_site = NULL;
	return caller;
}

bool allocation_site_wanted(size_t bytes)
{
	return (place_on || log_on) && bytes >= PLACE_LARGE;
}

static void *got(void *block, size_t bytes, const void *caller)
{
	int saved = errno;

	if (place_on && block)
		regions_block(caller, block, bytes);
	if (log_on && block)
		log_block(caller, block, bytes);
	errno = saved;
	return block;
}

static void going(const void *block)
{
	if (place_on)
		regions_free(block);
	if (log_on)
		log_free(block);
}

EXPORT void *malloc(size_t bytes)
{
	if (early_wanted())
		return early_new(bytes);
	if (bytes < PLACE_LARGE)
		return NEXT(malloc)(bytes);
	return got(NEXT(malloc)(bytes), bytes, CALLER());
}

EXPORT void *calloc(size_t count, size_t bytes)
{
	size_t all;

	if (__builtin_mul_overflow(count, bytes, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	if (early_wanted())
		return early_new(all);
	if (all < PLACE_LARGE)
		return NEXT(calloc)(count, bytes);
	return got(NEXT(calloc)(count, bytes), all, CALLER());
}

EXPORT void free(void *block)
{
	if (!block || early_is(block))
		return;
	going(block);
	NEXT(free)(block);
}

static void *resized(void *old, size_t bytes, const void *caller)
{
	if (early_is(old))
		return early_grow(old, bytes);
	/*
	 * The end of the old block is reported even if realloc() fails. The block then stays at its
	 * address, but its pages are no longer placed.
	 */
	if (old)
		going(old);
	if (bytes < PLACE_LARGE)
		return NEXT(realloc)(old, bytes);
	return got(NEXT(realloc)(old, bytes), bytes, caller);
}

EXPORT void *realloc(void *old, size_t bytes)
{
	if (early_wanted())
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
	if (bytes < PLACE_LARGE)
		return NEXT(aligned_alloc)(alignment, bytes);
	return got(NEXT(aligned_alloc)(alignment, bytes), bytes, CALLER());
}

EXPORT void *memalign(size_t alignment, size_t bytes)
{
	if (bytes < PLACE_LARGE)
		return NEXT(memalign)(alignment, bytes);
	return got(NEXT(memalign)(alignment, bytes), bytes, CALLER());
}

EXPORT void *valloc(size_t bytes)
{
	if (bytes < PLACE_LARGE)
		return NEXT(valloc)(bytes);
	return got(NEXT(valloc)(bytes), bytes, CALLER());
}

EXPORT void *pvalloc(size_t bytes)
{
	if (bytes < PLACE_LARGE)
		return NEXT(pvalloc)(bytes);
	return got(NEXT(pvalloc)(bytes), bytes, CALLER());
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t bytes)
{
	int error = NEXT(posix_memalign)(block, alignment, bytes);

	if (!error && bytes >= PLACE_LARGE)
		got(*block, bytes, CALLER());
	return error;
}
