/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Counted pages: one byte for each page of the 2^47 bytes of addresses, so that an access costs one
 * load and one comparison. Bytes are written under the lock of mappings.c and read without a lock.
 * Only the parts of the table that describe counted pages use memory: far less than QEMU 7.2 itself
 * keeps for each page that the program maps.
 */
#ifndef RUN_TRACER_COUNTED_PAGES_H
#define RUN_TRACER_COUNTED_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_SHIFT 12
#define PAGE_BYTES (1ULL << PAGE_SHIFT)
#define PAGES_LIMIT (1ULL << 47)

/**
 * enum pages_state - Whether accesses to a page count.
 * @PAGES_UNKNOWN: they should count, but the tracer does not know the memory: it reports their
 * number
 * @PAGES_COUNTED: they count
 * @PAGES_ALIASED: they count; the page is or was another name of reported memory
 * @PAGES_STACK: they are left out, since the page is of a thread's stack
 * @PAGES_CONSTANT: they are left out, since the page has constants, or tables by which objects are
 *                  linked
 * @PAGES_EMULATOR: QEMU makes them for itself, as when it enters a signal's handler
 * @PAGES_PART: and higher: they count from an offset in the page on,
 *              (state - PAGES_PART) * PART_BYTES: a stack ends there, and thread-local data begins
 */
enum pages_state {
	PAGES_UNKNOWN,
	PAGES_COUNTED,
	PAGES_ALIASED,
	PAGES_STACK,
	PAGES_CONSTANT,
	PAGES_EMULATOR,
	PAGES_PART = 128,
};

#define PART_BYTES 32U

/* Hidden visibility lets one instruction read it. */
extern __attribute__((visibility("hidden"))) uint8_t *pages_states;

static inline uint64_t page_down(uint64_t address)
{
	return address & ~(PAGE_BYTES - 1);
}

static inline uint64_t page_up(uint64_t address)
{
	return page_down(address + PAGE_BYTES - 1);
}

/**
 * pages_init() - Reserve the table. Return: 0 or -errno.
 */
int pages_init(void);

/**
 * pages_set() - Set the state of all pages that [@start, @end) touches.
 */
void pages_set(uint64_t start, uint64_t end, enum pages_state state);

/**
 * pages_alias() - Change the counted pages in [@start, @end) to PAGES_ALIASED.
 */
void pages_alias(uint64_t start, uint64_t end);

/**
 * pages_split() - Accesses to a page count from @address on. The rest is left out.
 */
void pages_split(uint64_t address);

static inline enum pages_state pages_state(uint64_t address)
{
	return pages_states[address >> PAGE_SHIFT];
}

static inline bool pages_counted(uint64_t address)
{
	unsigned int state = pages_state(address);

	if (state >= PAGES_PART)
		return (address & (PAGE_BYTES - 1)) >= (state - PAGES_PART) * PART_BYTES;
	return state == PAGES_COUNTED || state == PAGES_ALIASED;
}

#endif /* RUN_TRACER_COUNTED_PAGES_H */
