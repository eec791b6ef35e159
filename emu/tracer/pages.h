/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Which pages of the program are counted: one bit a page, over all 2^47 bytes of addresses, so that
 * an access costs one load and one test. Bits are set and cleared under the lock of mappings.c and
 * read without one. Memory is used only where bits are.
 */
#ifndef TRACER_PAGES_H
#define TRACER_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_SHIFT 12
#define PAGE_BYTES (1ULL << PAGE_SHIFT)
#define PAGES_LIMIT (1ULL << 47)

extern uint8_t *pages_bits;

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
 * pages_set() - Count, or count no more, all pages that [@start, @end) touches.
 */
void pages_set(uint64_t start, uint64_t end, bool counted);

static inline bool pages_counted(uint64_t address)
{
	return pages_bits[address >> (PAGE_SHIFT + 3)] >> (address >> PAGE_SHIFT & 7) & 1;
}

#endif /* TRACER_PAGES_H */
