/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Page homes: the home node of each page that was ever accessed.
 *
 * What lives here: a hash table from pages to nodes, from which no page is ever removed. May use
 * include/, <stdlib.h> and <string.h>.
 */
#ifndef EMU_MACHINE_PAGE_HOMES_H
#define EMU_MACHINE_PAGE_HOMES_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/smile_monitor.h>

/*
 * An entry is one word, which contains a page and its home, and is never 0. If a page was given
 * back, its entry keeps the last home. PAGES_GONE is then set until the page is accessed again.
 */
#define PAGES_SHIFT 8U
#define PAGES_HOME 0x7fULL
#define PAGES_NODE 0x3fULL
#define PAGES_GONE 0x40ULL
#define PAGES_VALID 0x80ULL

/**
 * struct pages - A table of page homes; all members of an empty table are zero.
 * @entries: the entries; 0: an empty entry. The number of entries is a power of two
 * @shift: 64 - log2 of the number of entries, which is the shift of the hash
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

/* Get the index at which a search for @page starts. The table must have entries. */
static inline size_t pages_slot(const struct pages *pages, uint64_t page)
{
	return page * 0x9e3779b97f4a7c15ULL >> pages->shift;
}

/**
 * pages_find() - Get the entry of @page. Return: the entry; 0 if the page is not in the table.
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
 * pages_add() - Add a page and its home. The page must not be in the table.
 *
 * Return: 0; -ENOMEM.
 */
int pages_add(struct pages *pages, uint64_t page, unsigned home);

/**
 * pages_move() - Change the home of a page that is in the table.
 */
void pages_move(struct pages *pages, uint64_t page, unsigned home);

/**
 * pages_give_back() - Record that a page of the table was given back. The page has no home until
 * pages_move() is called.
 */
void pages_give_back(struct pages *pages, uint64_t page);

/**
 * pages_list() - Get the pages of the table from @first to @last, in ascending order.
 * @list: receives an array of the pages, which the caller frees; NULL after an error
 * @count: receives the number of its entries
 *
 * Return: 0; -ENOMEM.
 */
int pages_list(const struct pages *pages, uint64_t first, uint64_t last, uint64_t **list,
	       size_t *count);

void pages_free(struct pages *pages);

#endif /* EMU_MACHINE_PAGE_HOMES_H */
