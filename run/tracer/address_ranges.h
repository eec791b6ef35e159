/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Short lists of address ranges: code that is not counted, writable data of objects, and memory
 * that is reported at another address. Readers take no lock, even while a range is added.
 */
#ifndef RUN_TRACER_ADDRESS_RANGES_H
#define RUN_TRACER_ADDRESS_RANGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define ADDRESS_RANGES_MAX 1024U

/**
 * struct address_range - Addresses from @start to before @end; empty if they are equal.
 * @value: value of the range, whose meaning depends on the list
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

/**
 * address_ranges_add() - Add a range. The caller serialises changes of a list.
 *
 * Return: 0, or -ENOSPC.
 */
int address_ranges_add(struct address_ranges *list, uint64_t start, uint64_t end, uint64_t value);

/**
 * address_ranges_cut() - Remove addresses. The caller serialises changes of a list. Readers
 * find the rest of each range at any time. The part after @end is lost if the list has no room for
 * one more range.
 */
void address_ranges_cut(struct address_ranges *list, uint64_t start, uint64_t end);

/**
 * address_ranges_find() - Look up an address. @value receives the value of its range, and is
 * unchanged if no range contains the address. It may be NULL.
 */
bool address_ranges_find(struct address_ranges *list, uint64_t address, uint64_t *value);

#endif /* RUN_TRACER_ADDRESS_RANGES_H */
