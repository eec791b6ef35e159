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

#define RANGES_MAX 1024U

/**
 * struct range - Addresses from @start to before @end; empty if they are equal.
 * @value: meaning depends on the list
 */
struct range {
	_Atomic uint64_t start;
	_Atomic uint64_t end;
	_Atomic uint64_t value;
};

struct ranges {
	_Atomic uint32_t count;
	struct range range[RANGES_MAX];
};

/**
 * ranges_add() - Add a range. The caller serialises changes of a list.
 *
 * Return: 0, or -ENOSPC.
 */
int ranges_add(struct ranges *list, uint64_t start, uint64_t end, uint64_t value);

/**
 * ranges_cut() - Remove addresses. The caller serialises changes of a list. Readers find the rest
 * of each range at any time. The part after @end is lost if the list has no room for one more
 * range.
 */
void ranges_cut(struct ranges *list, uint64_t start, uint64_t end);

/**
 * ranges_find() - Look up an address. @value receives the value of its range, and is unchanged if
 * no range contains the address. It may be NULL.
 */
bool ranges_find(struct ranges *list, uint64_t address, uint64_t *value);

#endif /* RUN_TRACER_ADDRESS_RANGES_H */
