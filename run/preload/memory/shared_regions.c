/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Defines the functions of smile_trace(3) for programs under the tracer: named regions, phases and
 * placement. This file may use mmap(2).
 *
 * The regions follow one another from a fixed address, so that their addresses are the same in
 * every run. The fixed address is a multiple of 256 MB. A card with the historic field widths can
 * distinguish only the pages of a range of this size. For such a card, the pages of the first
 * region are pages 0, 1, 2 and so on, which are on nodes 0, 1, 2 and so on. The address of the next
 * region is in shared memory, so that two processes of the program never use the same address for
 * different memory.
 */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "run/preload/memory/addresses.h"
#include "run/preload/base/preload.h"
#include "run/preload/memory/shared_regions.h"
#include "smile/trace.h"

#define REGION_PAGE 4096UL
/* 16 TiB: Linux and qemu-user map no memory at this address */
#define REGION_ARENA 0x100000000000UL
#define REGION_ARENA_END 0x180000000000UL
#define REGION_TRIES 64

/*
 * A pointer to the address of the next region, which is stored in the page before the arena. The
 * pointer is NULL if that page could not be mapped.
 */
static _Atomic uint64_t *region_next;

static void *region_map(uint64_t at, size_t bytes)
{
	void *want = (void *)(uintptr_t)at;
	void *got = mmap(want, bytes, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (got == MAP_FAILED)
		return NULL;
	/* qemu-user 7.2 treats the requested address only as a hint, and can return another one. */
	if (got != want) {
		munmap(got, bytes);
		errno = EEXIST;
		return NULL;
	}
	return got;
}

void region_start(void)
{
	int saved = errno;

	region_next = region_map(REGION_ARENA - REGION_PAGE, REGION_PAGE);
	if (region_next)
		*region_next = REGION_ARENA;
	errno = saved;
}

/*
 * Copy a name into @count words. The name is truncated so that at least one zero byte follows it,
 * and the rest is filled with zeros.
 */
static void region_name(const char *name, uint64_t *words, size_t count)
{
	memset(words, 0, count * sizeof(*words));
	if (name)
		memcpy(words, name, strnlen(name, count * sizeof(*words) - 1));
}

static void *region_new(size_t bytes)
{
	int saved = errno;

	for (int i = 0; region_next && i < REGION_TRIES; i++) {
		uint64_t at = atomic_fetch_add(region_next, bytes);
		void *region;

		if (at > REGION_ARENA_END || bytes > REGION_ARENA_END - at)
			break;
		region = region_map(at, bytes);
		if (region) {
			errno = saved;
			return region;
		}
		if (errno != EEXIST)
			break;
	}
	errno = ENOMEM;
	return NULL;
}

EXPORT void *smile_alloc(size_t bytes, const char *name)
{
	uint64_t words[3];
	void *region;
	bool turn;

	if (!bytes || !name) {
		errno = EINVAL;
		return NULL;
	}
	if (bytes > REGION_ARENA_END - REGION_ARENA) {
		errno = ENOMEM;
		return NULL;
	}
	bytes = (bytes + REGION_PAGE - 1) & ~(REGION_PAGE - 1);
	if (!trace_on) {
		region = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
			      0);
		return region == MAP_FAILED ? NULL : region;
	}
	turn = addresses_turn();
	region = region_new(bytes);
	addresses_turn_end(turn);
	if (!region)
		return NULL;
	region_name(name, words, 3);
	trace_call(STREAM_CALL_NAME, trace_address(region), bytes, words[0], words[1], words[2]);
	return region;
}

/*
 * Report a phase. The tracer counts the accesses to the copy of the name on the stack, so the
 * address of the copy must not depend on whether stack frames are reported. For this reason, this
 * function is separate, and its caller calls it last.
 */
static __attribute__((noinline)) void region_phase(const char *name)
{
	uint64_t words[STREAM_NAME_WORDS];

	region_name(name, words, STREAM_NAME_WORDS);
	trace_call(STREAM_CALL_PHASE, words[0], words[1], words[2], words[3], words[4]);
}

EXPORT void smile_phase(const char *name)
{
	if (!trace_on)
		return;
	trace_frames_here();
	region_phase(name);
}

EXPORT int smile_place(const void *start, size_t bytes, unsigned int node)
{
	if (!start || !bytes || bytes > STREAM_ADDRESS ||
	    trace_address(start) > STREAM_ADDRESS - bytes) {
		errno = EINVAL;
		return -1;
	}
	if (trace_on)
		trace_call(STREAM_CALL_PLACE, trace_address(start), bytes, node, 0, 0);
	return 0;
}

EXPORT int smile_traced(void)
{
	return trace_on;
}

/* libsmile-trace.a looks up the functions by these names (lib/marks/marks.c). */
#define ALIAS(function) EXPORT __attribute__((alias(#function)))
ALIAS(smile_alloc) void *smile_tracer_alloc(size_t bytes, const char *name);
ALIAS(smile_phase) void smile_tracer_phase(const char *name);
ALIAS(smile_place) int smile_tracer_place(const void *start, size_t bytes, unsigned int node);
ALIAS(smile_traced) int smile_tracer_traced(void);
