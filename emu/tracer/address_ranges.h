/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Short lists of address ranges: code that is not counted, writable data of objects, memory that is
 * reported at another address. Readers take no lock, not even while a range is added.
 */
#ifndef TRACER_ADDRESS_RANGES_H
#define TRACER_ADDRESS_RANGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define RANGES_MAX 1024U

/**
 * struct range - Addresses from @start to before @end; none if they are equal.
 * @value: the list's value for this range
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
 * ranges_add() - Add a range; the caller holds a lock against other changes.
 *
 * Return: 0, or -ENOSPC.
 */
int ranges_add(struct ranges *list, uint64_t start, uint64_t end, uint64_t value);

/**
 * ranges_cut() - Remove addresses; the caller holds a lock as above. Readers find the rest of each
 * range all the time; the part behind @end is lost if the list has no room for one more range.
 */
void ranges_cut(struct ranges *list, uint64_t start, uint64_t end);

/**
 * ranges_find() - Is an address in the list? @value: its range's, untouched if not; may be NULL.
 */
bool ranges_find(struct ranges *list, uint64_t address, uint64_t *value);

#endif /* TRACER_ADDRESS_RANGES_H */
