/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The heap: reports blocks and their allocation sites. This file may use preload.h, early_memory.h,
 * operator_new.h, addresses.h and arena.h.
 *
 * The library reports all blocks. Under qemu-user, a report takes about 0.17 us, while malloc() and
 * free() of a block together take 0.1 us. If a program spends most of its time in malloc() and
 * free(), set SMILE_TRACE_ALLOC=0 to turn the reports off.
 *
 * The library reports FREE before the block can be allocated again, and ALLOCATE after the block
 * has been allocated to the caller.
 *
 * The program may allocate memory before the constructor of this library runs. dlsym(3), by which
 * the library finds the original functions, allocates memory too (see early_memory.h).
 */
#include <errno.h>
#include <malloc.h>
#include <string.h>

#include "run/preload/memory/addresses.h"
#include "run/preload/memory/arena.h"
#include "run/preload/base/early_memory.h"
#include "run/preload/base/operator_new.h"
#include "run/preload/base/preload.h"
#include "run/preload/base/registers.h"

#define HEAP_PAGE 4096U

/* The return address of the function that uses this macro. */
#define HEAP_SITE() __builtin_return_address(0)

bool allocation_site_wanted(size_t bytes)
{
	(void)bytes;
	return trace_heap;
}

static void *heap_emit(void *block, size_t bytes, const void *site)
{
	uint64_t from = 0;
#ifdef __x86_64__
	struct stream_registers registers;
#endif

	if (!trace_heap)
		return block;
	/* If operator new has called malloc(), the site is the caller of operator new. */
	if (allocation_site) {
		site = allocation_site;
		allocation_site = NULL;
	}
	if (!block)
		return NULL;
#ifdef __x86_64__
	registers_take(&registers);
	from = trace_address(&registers);
#endif
	trace_call(STREAM_CALL_ALLOCATE, trace_address(block), bytes, trace_address(site), from, 0);
	return block;
}

/* Call one of libc's heap functions. During the call, trace_self.in_allocator is set. */
#define HEAP_AMID(call)                                                                            \
	do {                                                                                       \
		trace_self.in_allocator = true;                                                    \
		call;                                                                              \
		trace_self.in_allocator = false;                                                   \
	} while (0)

/*
 * Handle a new block. If the thread had a turn for the allocation, end the turn. If it had no turn,
 * and the address of the block depends on the host, report this.
 */
static void *heap_got(void *block, bool turn)
{
	addresses_turn_end(turn);
	if (block && !turn && !trace_self.orders && addresses_ordered() && arena_by_chance(block))
		trace_chance(STREAM_CHANCE_MEMORY);
	return block;
}

static void heap_report_free(const void *block)
{
	if (trace_heap && block)
		trace_emit(STREAM_CALL_FREE, trace_address(block), 0);
}

EXPORT void *malloc(size_t bytes)
{
	void *block;
	bool turn;

	if (early_wanted())
		return early_new(bytes);
	turn = addresses_turn_block(bytes, HEAP_SITE());
	HEAP_AMID(block = NEXT(malloc)(bytes));
	return heap_emit(heap_got(block, turn), bytes, HEAP_SITE());
}

EXPORT void *calloc(size_t count, size_t bytes)
{
	void *block;
	bool turn;

	if (early_wanted())
		return bytes && count > SIZE_MAX / bytes ? NULL : early_new(count * bytes);
	turn = addresses_turn_block(count * bytes, HEAP_SITE());
	HEAP_AMID(block = NEXT(calloc)(count, bytes));
	return heap_emit(heap_got(block, turn), count * bytes, HEAP_SITE());
}

/* If a turn is needed to free the block, take the turn. Return: true if the thread has a turn. */
static bool heap_free_turn(void *block)
{
	return addresses_ordered() &&
	       (arena_mapping(block) || NEXT(malloc_usable_size)(block) >= ADDRESSES_LARGE) &&
	       addresses_turn();
}

static bool heap_foreign(const void *block)
{
	return block && addresses_ordered() && arena_foreign(block);
}

EXPORT void free(void *block)
{
	bool turn;

	if (!block || early_is(block))
		return;
	heap_report_free(block);
	if (heap_foreign(block)) {
		addresses_return(block, NEXT(malloc_usable_size)(block), HEAP_SITE());
		return;
	}
	turn = heap_free_turn(block);
	HEAP_AMID(NEXT(free)(block));
	addresses_turn_end(turn);
}

/*
 * Copy a block like libc's realloc(). memcpy() cannot be used here, because the tracer would count
 * the accesses of memcpy(). The usable size of a block is a whole number of words.
 */
static void heap_copy(void *to, const void *from, size_t bytes)
{
	volatile uint64_t *words = to;

	for (size_t i = 0; i < bytes / sizeof(*words); i++)
		words[i] = ((const uint64_t *)from)[i];
}

/*
 * Resize a block that belongs to another thread's arena. If the block is large enough, it stays.
 * Otherwise, it is copied to a new block of this thread's arena.
 */
static void *heap_foreign_grow(void *old, size_t bytes, const void *site)
{
	size_t had = NEXT(malloc_usable_size)(old);
	void *block;
	bool turn;

	if (bytes && bytes <= had)
		return old;
	turn = addresses_turn_block(bytes, site);
	HEAP_AMID(block = bytes ? NEXT(malloc)(bytes) : NULL);
	heap_got(block, turn);
	if (block)
		heap_copy(block, old, had);
	if (block || !bytes)
		addresses_return(old, had, site);
	return block;
}

/*
 * Complete a realloc() after the old block has been reported as freed. If realloc() has failed,
 * report that the old block is allocated again.
 */
static void *heap_grown(void *block, void *old, size_t bytes, const void *site)
{
	if (!block && old && bytes && trace_heap) {
		heap_emit(old, NEXT(malloc_usable_size)(old), site);
		return NULL;
	}
	return heap_emit(block, bytes, site);
}

EXPORT void *realloc(void *old, size_t bytes)
{
	void *block;
	bool turn;

	if (early_is(old))
		return heap_emit(early_grow(old, bytes), bytes, HEAP_SITE());
	if (early_wanted())
		return early_new(bytes);
	heap_report_free(old);
	if (heap_foreign(old))
		return heap_grown(heap_foreign_grow(old, bytes, HEAP_SITE()), old, bytes,
				  HEAP_SITE());
	turn = addresses_turn_block(bytes, HEAP_SITE()) || (old && heap_free_turn(old));
	HEAP_AMID(block = NEXT(realloc)(old, bytes));
	return heap_grown(heap_got(block, turn), old, bytes, HEAP_SITE());
}

/*
 * Like the reallocarray() of libc, this function calls realloc(), which may be a function of the
 * program. If it is the realloc() of this library, it reports the caller of reallocarray() as the
 * allocation site.
 */
EXPORT void *reallocarray(void *old, size_t count, size_t bytes)
{
	void *block;
	size_t all;

	if (__builtin_mul_overflow(count, bytes, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	allocation_site = HEAP_SITE();
	block = realloc(old, all);
	allocation_site = NULL;
	return block;
}

static bool heap_aligned_turn(size_t alignment, size_t bytes, const void *site)
{
	return addresses_turn_block(alignment > SIZE_MAX - bytes ? bytes : bytes + alignment, site);
}

#define HEAP_ALIGNED(function, alignment, bytes, ...)                                              \
	do {                                                                                       \
		bool turn = heap_aligned_turn(alignment, bytes, HEAP_SITE());                      \
		void *block;                                                                       \
                                                                                                   \
		HEAP_AMID(block = NEXT(function)(__VA_ARGS__));                                    \
		return heap_emit(heap_got(block, turn), bytes, HEAP_SITE());                       \
	} while (0)

EXPORT void *aligned_alloc(size_t alignment, size_t bytes)
{
	HEAP_ALIGNED(aligned_alloc, alignment, bytes, alignment, bytes);
}

EXPORT void *memalign(size_t alignment, size_t bytes)
{
	HEAP_ALIGNED(memalign, alignment, bytes, alignment, bytes);
}

EXPORT void *valloc(size_t bytes)
{
	HEAP_ALIGNED(valloc, HEAP_PAGE, bytes, bytes);
}

EXPORT void *pvalloc(size_t bytes)
{
	HEAP_ALIGNED(pvalloc, HEAP_PAGE, bytes, bytes);
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t bytes)
{
	bool turn = heap_aligned_turn(alignment, bytes, HEAP_SITE());
	int error;

	HEAP_AMID(error = NEXT(posix_memalign)(block, alignment, bytes));
	heap_emit(heap_got(error ? NULL : *block, turn), bytes, HEAP_SITE());
	return error;
}
