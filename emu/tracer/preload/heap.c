/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The heap: blocks and who asked for them. It may use what preload.h names.
 *
 * Telling costs about 0.17 us a call under qemu-user, which takes 0.1 us for a malloc() with its
 * free(); so all blocks are told, and a program that does little else can do without, by
 * SMILE_TRACE_ALLOC=0.
 *
 * FREE is told before a block can be another's, ALLOCATE when it is the caller's.
 *
 * The program allocates before this library's constructor runs, and dlsym(3), by which the real
 * functions are found, may allocate as well: what comes while they are being looked for is from a
 * small piece of memory here, and is never given back.
 */
#include <errno.h>
#include <string.h>

#include "emu/tracer/preload/preload.h"

#define HEAP_EARLY 16384U
#define HEAP_ALIGN 16U

/* The caller of the function that this is used in. */
#define HEAP_SITE() __builtin_return_address(0)

static _Alignas(HEAP_ALIGN) char heap_early[HEAP_EARLY];
static size_t heap_early_used;

static void *heap_early_new(size_t bytes)
{
	size_t used, at;

	if (bytes > HEAP_EARLY - 2 * HEAP_ALIGN)
		return NULL;
	used = HEAP_ALIGN + ((bytes + HEAP_ALIGN - 1) & ~(size_t)(HEAP_ALIGN - 1));
	at = __atomic_fetch_add(&heap_early_used, used, __ATOMIC_RELAXED);
	if (at + used > HEAP_EARLY)
		return NULL;
	/* For realloc() to know. */
	memcpy(heap_early + at, &bytes, sizeof(bytes));
	return heap_early + at + HEAP_ALIGN;
}

static bool heap_is_early(const void *block)
{
	return (const char *)block >= heap_early && (const char *)block < heap_early + HEAP_EARLY;
}

static void *heap_tell(void *block, size_t bytes, const void *site)
{
	if (!trace_heap)
		return block;
	/* operator new's caller, not operator new. */
	if (trace_self.site) {
		site = trace_self.site;
		trace_self.site = NULL;
	}
	if (block)
		trace_call(STREAM_CALL_ALLOCATE, trace_address(block), bytes, trace_address(site),
			   0, 0);
	return block;
}

static void heap_tell_free(const void *block)
{
	if (trace_heap && block)
		trace_tell(STREAM_CALL_FREE, trace_address(block), 0);
}

EXPORT void *malloc(size_t bytes)
{
	if (next_searching && !next_found)
		return heap_early_new(bytes);
	return heap_tell(NEXT(malloc)(bytes), bytes, HEAP_SITE());
}

EXPORT void *calloc(size_t count, size_t bytes)
{
	if (next_searching && !next_found)
		return bytes && count > HEAP_EARLY / bytes ? NULL : heap_early_new(count * bytes);
	return heap_tell(NEXT(calloc)(count, bytes), count * bytes, HEAP_SITE());
}

EXPORT void free(void *block)
{
	if (!block || heap_is_early(block))
		return;
	heap_tell_free(block);
	NEXT(free)(block);
}

static void *heap_early_grow(const void *old, size_t bytes)
{
	size_t had;
	void *block = next_searching && !next_found ? heap_early_new(bytes) : NEXT(malloc)(bytes);

	memcpy(&had, (const char *)old - HEAP_ALIGN, sizeof(had));
	if (block)
		memcpy(block, old, had < bytes ? had : bytes);
	return block;
}

/* realloc(): the old block is told as freed; if it is not, it is there again. */
static void *heap_grown(void *block, void *old, size_t bytes, const void *site)
{
	if (!block && old && bytes && trace_heap) {
		heap_tell(old, NEXT(malloc_usable_size)(old), site);
		return NULL;
	}
	return heap_tell(block, bytes, site);
}

EXPORT void *realloc(void *old, size_t bytes)
{
	if (heap_is_early(old))
		return heap_tell(heap_early_grow(old, bytes), bytes, HEAP_SITE());
	if (next_searching && !next_found)
		return heap_early_new(bytes);
	heap_tell_free(old);
	return heap_grown(NEXT(realloc)(old, bytes), old, bytes, HEAP_SITE());
}

/* As libc's: it is the program's realloc(), if that has its own, and tells of the block if not. */
EXPORT void *reallocarray(void *old, size_t count, size_t bytes)
{
	void *block;
	size_t all;

	if (__builtin_mul_overflow(count, bytes, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	trace_self.site = HEAP_SITE();
	block = realloc(old, all);
	trace_self.site = NULL;
	return block;
}

EXPORT void *aligned_alloc(size_t alignment, size_t bytes)
{
	return heap_tell(NEXT(aligned_alloc)(alignment, bytes), bytes, HEAP_SITE());
}

EXPORT void *memalign(size_t alignment, size_t bytes)
{
	return heap_tell(NEXT(memalign)(alignment, bytes), bytes, HEAP_SITE());
}

EXPORT void *valloc(size_t bytes)
{
	return heap_tell(NEXT(valloc)(bytes), bytes, HEAP_SITE());
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t bytes)
{
	int error = NEXT(posix_memalign)(block, alignment, bytes);

	heap_tell(error ? NULL : *block, bytes, HEAP_SITE());
	return error;
}
