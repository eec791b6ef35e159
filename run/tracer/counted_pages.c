/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The table of counted pages. See counted_pages.h. This file may use mmap(2) and messages. */
#include "run/tracer/counted_pages.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "run/tracer/message.h"

#define TABLE_BYTES (PAGES_LIMIT >> PAGE_SHIFT)

uint8_t *pages_states;

int pages_init(void)
{
	/*
	 * A read-only mapping commits no memory, so it can be created even if the kernel does not
	 * overcommit.
	 */
	void *table = mmap(NULL, TABLE_BYTES, PROT_READ,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (table == MAP_FAILED)
		return -errno;
	madvise(table, TABLE_BYTES, MADV_NOHUGEPAGE);
	pages_states = table;
	return 0;
}

/*
 * Make the states of all pages that overlap [@start, @end) writable. Return: the number of pages; 0
 * after an error.
 */
static uint64_t states_open(uint64_t start, uint64_t end, uint8_t **states)
{
	uint64_t first = start >> PAGE_SHIFT;
	uint64_t last = page_up(end) >> PAGE_SHIFT;
	uint64_t from = page_down(first);

	if (end > PAGES_LIMIT || first >= last)
		return 0;
	if (mprotect(pages_states + from, page_up(last) - from, PROT_READ | PROT_WRITE) < 0) {
		message("no memory for the table of pages: %s", strerror(errno));
		_exit(127);
	}
	*states = pages_states + first;
	return last - first;
}

void pages_set(uint64_t start, uint64_t end, enum pages_state state)
{
	uint8_t *states;
	uint64_t count = states_open(start, end, &states);

	if (count)
		memset(states, state, count);
}

void pages_alias(uint64_t start, uint64_t end)
{
	uint8_t *states;
	uint64_t count = states_open(start, end, &states);
	uint64_t i;

	for (i = 0; i < count; i++)
		if (states[i] == PAGES_COUNTED)
			__atomic_store_n(&states[i], PAGES_ALIASED, __ATOMIC_RELAXED);
}

void pages_split(uint64_t address)
{
	pages_set(address, address + 1, PAGES_PART + (address & (PAGE_BYTES - 1)) / PART_BYTES);
}
