/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Page homes: the home node of each page that was ever accessed.
 *
 * What lives here: a hash table from page to node, which only grows. May use include/, <stdlib.h>
 * and <string.h>.
 */
#ifndef EMU_MACHINE_PAGE_HOMES_H
#define EMU_MACHINE_PAGE_HOMES_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/smile_monitor.h>

/*
 * An entry is a page and its home in one word, and never 0. A page that was given back keeps its
 * last home, with PAGES_GONE, until it is accessed again.
 */
#define PAGES_SHIFT 8U
#define PAGES_HOME 0x7fULL
#define PAGES_NODE 0x3fULL
#define PAGES_GONE 0x40ULL
#define PAGES_VALID 0x80ULL

/**
 * struct pages - The table; an empty table is all zero.
 * @entries: words as above, 0: an empty entry; their number is a power of two
 * @shift: shift of the hash: 64 less the logarithm of the number of entries
 * @count: number of entries in use
 */
struct pages {
	uint64_t *entries;
	unsigned shift;
	size_t count;
};

static inline uint64_t pages_entry(uint64_t page, unsigned home)
{
	return page << PAGES_SHIFT | PAGES_VALID | home;
}

static inline uint64_t pages_page(uint64_t entry)
{
	return entry >> PAGES_SHIFT;
}

static inline unsigned pages_home(uint64_t entry)
{
	return (unsigned)(entry & PAGES_NODE);
}

static inline size_t pages_slots(const struct pages *pages)
{
	return pages->entries ? (size_t)1 << (64 - pages->shift) : 0;
}

/* Get the index at which a search for @page starts; call it only if there are entries. */
static inline size_t pages_slot(const struct pages *pages, uint64_t page)
{
	return page * 0x9e3779b97f4a7c15ULL >> pages->shift;
}

/**
 * pages_find() - Find the entry of @page, or 0.
 */
static inline uint64_t pages_find(const struct pages *pages, uint64_t page)
{
	size_t mask = pages_slots(pages) - 1;
	size_t slot;

	if (!pages->entries)
		return 0;
	for (slot = pages_slot(pages, page); pages->entries[slot] != 0; slot = (slot + 1) & mask) {
		if (pages_page(pages->entries[slot]) == page)
			return pages->entries[slot];
	}
	return 0;
}

/**
 * pages_add() - Add a page, which is not in the table, with its home.
 *
 * Return: 0; -ENOMEM.
 */
int pages_add(struct pages *pages, uint64_t page, unsigned home);

/**
 * pages_move() - Change the home of a page in the table.
 */
void pages_move(struct pages *pages, uint64_t page, unsigned home);

/**
 * pages_give_back() - Remove the home of a page in the table, until pages_move().
 */
void pages_give_back(struct pages *pages, uint64_t page);

void pages_free(struct pages *pages);

#endif /* EMU_MACHINE_PAGE_HOMES_H */
