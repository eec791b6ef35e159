/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The table of counted pages: see pages.h. It may use mmap(2).
 */
#include "emu/tracer/pages.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

#define TABLE_BYTES (PAGES_LIMIT >> (PAGE_SHIFT + 3))

uint8_t *pages_bits;

int pages_init(void)
{
	/* Read-only memory costs nothing, even where the kernel allows no overcommitment. */
	void *table = mmap(NULL, TABLE_BYTES, PROT_READ,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (table == MAP_FAILED)
		return -errno;
	madvise(table, TABLE_BYTES, MADV_NOHUGEPAGE);
	pages_bits = table;
	return 0;
}

void pages_set(uint64_t start, uint64_t end, bool counted)
{
	uint64_t first = start >> PAGE_SHIFT;
	uint64_t last = page_up(end) >> PAGE_SHIFT;
	uint64_t page, from, to;
	uint8_t bit;

	if (end > PAGES_LIMIT || first >= last)
		return;
	from = page_down(first >> 3);
	to = page_up((last + 7) >> 3);
	mprotect(pages_bits + from, to - from, PROT_READ | PROT_WRITE);
	for (page = first; page < last; page++) {
		if (!(page & 7) && last - page >= 8) {
			__atomic_store_n(&pages_bits[page >> 3], counted ? 0xff : 0,
					 __ATOMIC_RELAXED);
			page += 7;
			continue;
		}
		bit = (uint8_t)(1 << (page & 7));
		if (counted)
			__atomic_fetch_or(&pages_bits[page >> 3], bit, __ATOMIC_RELAXED);
		else
			__atomic_fetch_and(&pages_bits[page >> 3], (uint8_t)~bit, __ATOMIC_RELAXED);
	}
}
