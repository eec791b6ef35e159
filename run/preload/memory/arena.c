/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Passes freed blocks from the threads that free them to the arenas that the blocks belong to. See
 * arena.h.
 *
 * This file relies on two facts about glibc's malloc on x86-64, which hold since version 2.10.
 * First, the word before a block is the size of the block. The lowest bits of this word show
 * whether the block is a separate mapping, and whether it belongs to an arena other than the first
 * one. Second, the heaps of such an arena begin at multiples of 64 MB, and the first word of a heap
 * is the address of the arena. If the program uses another malloc, this file does nothing.
 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/auxv.h>

#include "run/preload/memory/arena.h"
#include "run/preload/base/preload.h"

#define ARENA_HEAP (64UL << 20)
#define ARENA_MAPPED 2U
#define ARENA_OTHER 4U
#define ARENA_COUNT 1024U

/*
 * After this number of freed or allocated blocks or bytes, a thread requests a turn in order to
 * exchange blocks with other threads.
 */
#define ARENA_RETURNED 64U
#define ARENA_RETURNED_BYTES (256UL << 10)
#define ARENA_GOT 1024U
#define ARENA_GOT_BYTES (8UL << 20)
#define ARENA_LATE 4U

/* The header that the library writes into a freed block. */
struct returned {
	struct returned *next;
};

/**
 * struct arena - An arena of glibc's malloc.
 *
 * @name: address of the arena; for the first arena, the address of the variable arena_first
 * @used: whether a thread uses the arena
 * @inbox: blocks of this arena that other threads have freed, newest first
 */
struct arena {
	const void *name;
	bool used;
	struct returned *inbox;
};

/**
 * struct code_range - A range of addresses that contains code.
 *
 * @start: the first address
 * @end: one past the last address
 */
struct code_range {
	uint64_t start;
	uint64_t end;
};

/*
 * While threads take turns, they exchange blocks one after the other. This mutex is needed after
 * they have stopped taking turns.
 */
static pthread_mutex_t arena_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct arena arenas[ARENA_COUNT];
static char arena_first;
static bool arena_known; /* whether malloc is glibc's */
static struct code_range arena_libc, arena_linker;

/*
 * The state of the calling thread since its last turn: the blocks that it has freed but not passed
 * on, and the number of its allocations.
 */
static _Thread_local struct {
	const void *own; /* name of the thread's arena; NULL: the thread has no arena */
	uint64_t heaps[4]; /* start addresses of the arena's known heaps; 0: unused */
	struct returned *first;
	unsigned count;
	size_t bytes;
	unsigned got;
	size_t got_bytes;
} self;

static bool range_has(const struct code_range *range, const void *address)
{
	return trace_address(address) >= range->start && trace_address(address) < range->end;
}

static size_t arena_flags(const void *block)
{
	return *(const size_t *)(trace_address(block) - sizeof(size_t));
}

bool arena_mapping(const void *block)
{
	return arena_flags(block) & ARENA_MAPPED;
}

static uint64_t arena_heap(const void *block)
{
	return trace_address(block) & ~(ARENA_HEAP - 1);
}

static const void *arena_name(const void *block)
{
	size_t flags = arena_flags(block);

	if (flags & ARENA_MAPPED)
		return NULL;
	if (!(flags & ARENA_OTHER))
		return &arena_first;
	return *(const void *const *)arena_heap(block);
}

/* Find or add the entry of an arena. Return: the entry; NULL if the table is full. */
static struct arena *arena_find(const void *name)
{
	size_t at = (size_t)((trace_address(name) * 0x9e3779b97f4a7c15ULL) >> 40);

	for (unsigned i = 0; i < ARENA_COUNT; i++) {
		struct arena *arena = &arenas[(at + i) % ARENA_COUNT];

		if (!arena->name)
			arena->name = name;
		if (arena->name == name)
			return arena;
	}
	return NULL;
}

static int arena_object(struct dl_phdr_info *object, size_t bytes, void *unused)
{
	const void *libc = *(void *const *)&next_libc.free;
	uint64_t linker = getauxval(AT_BASE);

	(void)bytes;
	(void)unused;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];
		struct code_range code = {object->dlpi_addr + part->p_vaddr,
					  object->dlpi_addr + part->p_vaddr + part->p_memsz};

		if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
			continue;
		if (range_has(&code, libc))
			arena_libc = code;
		if (object->dlpi_addr == linker)
			arena_linker = code;
	}
	return 0;
}

bool arena_glibc(void)
{
	return arena_known;
}

static bool arena_same_object(const void *one, const void *other)
{
	Dl_info first, second;

	return one && other && dladdr(one, &first) && dladdr(other, &second) &&
	       first.dli_fbase == second.dli_fbase;
}

void arena_start(void)
{
	dl_iterate_phdr(arena_object, NULL);
	/*
	 * The program must call this library's malloc(), and the real malloc() must be that of
	 * glibc. This is the case if it is in the same object as a function that only glibc has.
	 */
	arena_known = arena_same_object(dlsym(RTLD_DEFAULT, "malloc"), &arena_first) &&
		      arena_same_object(*(void *const *)&next_libc.free,
					dlsym(RTLD_NEXT, "gnu_get_libc_version"));
	if (!arena_known)
		return;
	self.own = &arena_first;
	arena_find(self.own)->used = true;
}

bool arena_enter(void)
{
	void *block = NEXT(malloc)(1);
	struct arena *arena;
	bool alone = true;

	if (block) {
		self.own = arena_name(block);
		self.heaps[0] = arena_heap(block);
		arena = self.own ? arena_find(self.own) : NULL;
		alone = arena && !arena->used;
		if (arena)
			arena->used = true;
	}
	NEXT(free)(block);
	arena_exchange();
	return alone;
}

void arena_leave(void)
{
	struct arena *arena = self.own ? arena_find(self.own) : NULL;

	if (arena)
		arena->used = false;
	self.own = NULL;
}

void arena_forked(void)
{
	for (unsigned i = 0; i < ARENA_COUNT; i++) {
		arenas[i].used = arenas[i].name && arenas[i].name == self.own;
		/*
		 * The blocks that other threads were passing on at the time of the fork are lost in
		 * the child.
		 */
		arenas[i].inbox = NULL;
	}
	self.got = 0;
	self.got_bytes = 0;
	arena_mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

/*
 * Check whether a thread has reached a limit. If @site is in libc or in the dynamic linker, the
 * caller may hold a lock for which other threads wait. In this case, the limit is ARENA_LATE times
 * higher. Without a limit, a thread that allocates all its blocks inside libc, for example with
 * strdup(3), would never reuse freed blocks.
 */
static bool arena_time(size_t done, size_t limit, const void *site)
{
	if (done < limit)
		return false;
	return done >= ARENA_LATE * limit ||
	       !(range_has(&arena_libc, site) || range_has(&arena_linker, site));
}

bool arena_due(size_t bytes, const void *site)
{
	if (!self.own)
		return false;
	self.got++;
	self.got_bytes += bytes;
	return arena_time(self.got, ARENA_GOT, site) ||
	       arena_time(self.got_bytes, ARENA_GOT_BYTES, site);
}

bool arena_by_chance(const void *block)
{
	uint64_t heap = arena_heap(block);
	const void *name;

	if (!self.own)
		return false;
	name = arena_name(block);
	/*
	 * If the block belongs to another thread's arena, or to the first arena, its arena needed
	 * no memory from the system.
	 */
	if (name != self.own || name == &arena_first)
		return !name;
	for (size_t i = 0; i < sizeof(self.heaps) / sizeof(*self.heaps); i++) {
		if (self.heaps[i] == heap)
			return false;
		if (!self.heaps[i]) {
			self.heaps[i] = heap;
			return true;
		}
	}
	return true;
}

bool arena_foreign(const void *block)
{
	const void *name = self.own ? arena_name(block) : NULL;

	return name && name != self.own;
}

bool arena_return(void *block, size_t bytes, const void *site)
{
	struct returned *returned = block;

	returned->next = self.first;
	self.first = returned;
	self.count++;
	self.bytes += bytes;
	return arena_time(self.count, ARENA_RETURNED, site) ||
	       arena_time(self.bytes, ARENA_RETURNED_BYTES, site);
}

/*
 * Pass the blocks that this thread has freed to the inboxes of their arenas. If no thread uses an
 * arena, the blocks remain in its inbox until a thread uses it again.
 */
static void arena_pass(void)
{
	struct returned *block;

	while ((block = self.first)) {
		struct arena *arena = arena_find(arena_name(block));

		self.first = block->next;
		/* If the table of arenas is full, the block is lost. */
		if (!arena)
			continue;
		block->next = arena->inbox;
		arena->inbox = block;
	}
	self.count = 0;
	self.bytes = 0;
}

static void arena_free(struct returned *blocks)
{
	while (blocks) {
		struct returned *block = blocks;

		blocks = block->next;
		NEXT(free)(block);
	}
}

void arena_exchange(void)
{
	struct returned *mine = NULL;
	struct arena *arena;

	self.got = 0;
	self.got_bytes = 0;
	NEXT(pthread_mutex_lock)(&arena_mutex);
	arena_pass();
	arena = self.own ? arena_find(self.own) : NULL;
	if (arena) {
		mine = arena->inbox;
		arena->inbox = NULL;
	}
	NEXT(pthread_mutex_unlock)(&arena_mutex);
	arena_free(mine);
}
