/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Address ranges: short lists of address ranges, which are read without a lock.
 *
 * What lives here: the type of these lists. They are used for code that is not counted, for
 * writable data of objects, and for memory that is reported at another address. A thread can read a
 * list without a lock, even while another thread adds a range.
 */
#ifndef RUN_TRACER_ADDRESS_RANGES_H
#define RUN_TRACER_ADDRESS_RANGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define ADDRESS_RANGES_MAX 1024U

/**
 * struct address_range - The addresses from @start to before @end. The range is empty if @start and
 * @end are equal.
 * @value: a number that belongs to the range; its meaning depends on the list
 */
struct address_range {
	_Atomic uint64_t start;
	_Atomic uint64_t end;
	_Atomic uint64_t value;
};

struct address_ranges {
	_Atomic uint32_t count;
	struct address_range range[ADDRESS_RANGES_MAX];
};

/* Get the lower, or the higher, of two addresses. */
static inline uint64_t lower(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t higher(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/**
 * address_ranges_add() - Add a range to a list. Only one thread at a time may change a list.
 *
 * Return: 0; -ENOSPC if the list is full.
 */
int address_ranges_add(struct address_ranges *list, uint64_t start, uint64_t end, uint64_t value);

/**
 * address_ranges_cut() - Remove the addresses from @start to before @end from all ranges of a list.
 * Only one thread at a time may change a list. During the change, readers can still find all other
 * addresses of each range. If a range must be divided, and the list has no room for one more range,
 * the addresses after @end are lost.
 */
void address_ranges_cut(struct address_ranges *list, uint64_t start, uint64_t end);

/**
 * address_ranges_find() - Find the range that contains an address.
 * @value: receives the value of the range; it is unchanged if no range contains the address; may be
 *         NULL
 *
 * Return: true if a range contains the address.
 */
bool address_ranges_find(struct address_ranges *list, uint64_t address, uint64_t *value);

#endif /* RUN_TRACER_ADDRESS_RANGES_H */
