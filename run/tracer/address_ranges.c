/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Short lists of address ranges. See address_ranges.h. This file uses no other file of the tracer.
 */
#include "run/tracer/address_ranges.h"

#include <errno.h>
#include <stddef.h>

int address_ranges_add(struct address_ranges *list, uint64_t start, uint64_t end, uint64_t value)
{
	uint32_t count = list->count;
	uint32_t at;

	for (at = 0; at < count; at++) {
		if (list->range[at].end == list->range[at].start)
			break;
	}
	if (at == ADDRESS_RANGES_MAX)
		return -ENOSPC;
	/* Until the range is complete, a concurrent reader sees an empty range. */
	list->range[at].value = value;
	list->range[at].end = 0;
	list->range[at].start = start;
	list->range[at].end = end;
	if (at == count)
		list->count = count + 1;
	return 0;
}

void address_ranges_cut(struct address_ranges *list, uint64_t start, uint64_t end)
{
	uint32_t count = list->count;
	uint32_t at;
	struct address_range *r;

	for (at = 0; at < count; at++) {
		r = &list->range[at];
		if (r->start >= end || r->end <= start)
			continue;
		if (r->start >= start) {
			r->start = r->end > end ? end : (uint64_t)r->end;
			continue;
		}
		/*
		 * First add the part after the removed addresses, so that a concurrent reader
		 * always finds it.
		 */
		if (r->end > end)
			address_ranges_add(list, end, r->end, r->value);
		r->end = start;
	}
}

bool address_ranges_find(struct address_ranges *list, uint64_t address, uint64_t *value)
{
	uint32_t count = list->count;
	uint32_t at;

	for (at = 0; at < count; at++) {
		if (address >= list->range[at].start && address < list->range[at].end) {
			if (value)
				*value = list->range[at].value;
			return true;
		}
	}
	return false;
}
