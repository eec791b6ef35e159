/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The heap: blocks and their allocation sites. May use preload.h, early_memory.h, operator_new.h,
 * addresses.h and arena.h.
 *
 * A report takes about 0.17 us under qemu-user, where a malloc() and its free() take 0.1 us. All
 * blocks are reported. SMILE_TRACE_ALLOC=0 turns this off for programs that mostly allocate.
 *
 * FREE is reported before the block can be allocated again, and ALLOCATE when the caller owns it.
 *
 * The program allocates memory before this library's constructor runs, and so does dlsym(3), which
 * finds the originals: see early_memory.h.
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
	/* The site is the caller of operator new, not operator new itself. */
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

/* Call one of libc's heap functions. */
#define HEAP_AMID(call)                                                                            \
	do {                                                                                       \
		trace_self.in_allocator = true;                                                    \
		call;                                                                              \
		trace_self.in_allocator = false;                                                   \
	} while (0)

/*
 * End the turn of an allocation, if it had one, and report an allocation whose address depends on
 * the host.
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

/* Take a turn before a block is freed, if the block needs a turn. */
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
 * Copy as libc's realloc() does. The accesses must not count, so memcpy() cannot be used here. The
 * usable size is a whole number of words.
 */
static void heap_copy(void *to, const void *from, size_t bytes)
{
	volatile uint64_t *words = to;

	for (size_t i = 0; i < bytes / sizeof(*words); i++)
		words[i] = ((const uint64_t *)from)[i];
}

/*
 * realloc() of a block in another thread's arena: move it to this thread's arena unless the block
 * has enough room.
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
 * Complete a realloc() that has reported the old block as freed. If it failed, report the old block
 * as allocated.
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
 * As in libc, this calls the program's realloc() if it has its own. If that function reports
 * nothing, this function reports the block.
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
