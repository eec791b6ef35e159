/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Counted pages: stores how the tracer treats accesses to each page.
 *
 * What lives here: a table with one byte for each page of the address space of 2^47 bytes, so that
 * checking an access costs one load and one comparison. Bytes are written under the lock of
 * mappings.c, and read without a lock. Memory is used only for those parts of the table that
 * describe counted pages. QEMU 7.2 itself uses far more memory for each page that the program maps.
 */
#ifndef RUN_TRACER_COUNTED_PAGES_H
#define RUN_TRACER_COUNTED_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_SHIFT 12
#define PAGE_BYTES (1ULL << PAGE_SHIFT)
#define PAGES_LIMIT (1ULL << 47)

/**
 * enum pages_state - How the tracer treats accesses to a page.
 * @PAGES_UNKNOWN: the page is not part of any memory that the tracer knows. Accesses are not
 *                 counted, but their number is reported
 * @PAGES_COUNTED: accesses are counted
 * @PAGES_ALIASED: accesses are counted, but may be reported at another address, because the page is
 *                 or was a second mapping of memory that is also reported
 * @PAGES_STACK: accesses are left out, because the page belongs to the stack of a thread
 * @PAGES_CONSTANT: accesses are left out, because the page has constants, or tables by which object
 *                  files are linked
 * @PAGES_EMULATOR: accesses are ignored, because QEMU itself makes them, for example when it enters
 *                  a signal handler
 * @PAGES_PART: in this state and in all higher states, a stack ends in the page, and thread-local
 *              data follows the stack. An access is counted if its offset in the page is at least
 *              (state - PAGES_PART) * PART_BYTES
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

/* With hidden visibility, one instruction can read this pointer. */
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
 * pages_init() - Reserve the address space of the table. Return: 0 or -errno.
 */
int pages_init(void);

/**
 * pages_set() - Set the state of all pages that overlap [@start, @end).
 */
void pages_set(uint64_t start, uint64_t end, enum pages_state state);

/**
 * pages_alias() - Set the state of all counted pages in [@start, @end) to PAGES_ALIASED.
 */
void pages_alias(uint64_t start, uint64_t end);

/**
 * pages_split() - In the page of @address, count accesses from @address on, and exclude accesses
 * below @address.
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
