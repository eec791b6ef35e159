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
 * enum pages_state - Whether accesses to a page are counted.
 * @PAGES_UNKNOWN: accesses should be counted, but the tracer does not know the memory: it reports
 * the number of accesses
 * @PAGES_COUNTED: accesses are counted
 * @PAGES_ALIASED: accesses are counted; the page is or was a second mapping of reported memory
 * @PAGES_STACK: accesses are left out, since the page is part of a thread's stack
 * @PAGES_CONSTANT: accesses are left out, since the page has constants, or tables by which object
 *                  files are linked
 * @PAGES_EMULATOR: QEMU itself makes the accesses, such as when it enters a signal's handler
 * @PAGES_PART: this value and higher ones: accesses are counted from an offset in the page on,
 *              (state - PAGES_PART) * PART_BYTES, where a stack ends and thread-local data begins
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

/* With hidden visibility one instruction can read it. */
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
 * pages_split() - Accesses to a page count from @address on. Accesses below it are left out.
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
