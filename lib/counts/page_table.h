/* SPDX-License-Identifier: MIT */
/*
 * Pages: the counts of each page.
 *
 * What lives here: the way from a page of a home node to its counts, an open-addressing hash table.
 * It may use counts.h and slab.h.
 */
#ifndef LIB_COUNTS_PAGE_TABLE_H
#define LIB_COUNTS_PAGE_TABLE_H

#include "lib/counts/counts.h"

/**
 * struct pages_page - A page of a home node.
 * @key: pages_key(), plus one; 0: the entry is free
 * @accesses: by phase, source and type
 * @blocks: by source, type and block
 */
struct pages_page {
	uint64_t key;
	struct counts accesses;
	struct counts blocks;
};

/**
 * struct pages - All pages.
 * @slots: shape [@size]
 * @bits: its size is two to the power of that; no slots: 0
 * @size: the same, as a number
 * @used: slots in use
 * @slab: what the counts of all pages lie in
 *
 * All zero is an empty table.
 */
struct pages {
	struct pages_page *slots;
	unsigned int bits;
	size_t size;
	size_t used;
	struct slab slab;
};

static inline uint64_t smile_pages_key(uint64_t page, uint32_t home)
{
	return page << 16 | home;
}

static inline uint64_t smile_pages_number(const struct pages_page *page)
{
	return (page->key - 1) >> 16;
}

static inline uint32_t smile_pages_home(const struct pages_page *page)
{
	return (page->key - 1) & 0xffff;
}

/* Where the search for a page begins; there are slots. */
static inline size_t smile_pages_start(const struct pages *pages, uint64_t key)
{
	return (size_t)((key + 1) * 0x9e3779b97f4a7c15ULL >> (64 - pages->bits));
}

/* The slot of a page, or the free one that it would get; there are slots. */
static inline struct pages_page *smile_pages_slot(const struct pages *pages, uint64_t key)
{
	size_t at = smile_pages_start(pages, key);

	while (pages->slots[at].key && pages->slots[at].key != key + 1)
		at = (at + 1) & (pages->size - 1);
	return &pages->slots[at];
}

/* Make room for @count more pages: until they are there, no page moves. Return: 0; -ENOMEM. */
int smile_pages_reserve(struct pages *pages, size_t count);

/* The page, made if it is not there; there is room for it. */
static inline struct pages_page *smile_pages_get(struct pages *pages, uint64_t key)
{
	struct pages_page *page = smile_pages_slot(pages, key);

	if (!page->key) {
		page->key = key + 1;
		pages->used++;
	}
	return page;
}

/* The page; NULL if it is not there. */
const struct pages_page *smile_pages_find(const struct pages *pages, uint64_t page, uint32_t home);

/* Walk, in no order: the next page from *@position on, which is 0 at first; NULL at the end. */
const struct pages_page *smile_pages_next(const struct pages *pages, size_t *position);

/*
 * All pages in ascending order of page number and home: shape [@used], to be freed. NULL without
 * memory, with a message.
 */
const struct pages_page **smile_pages_sorted(const struct pages *pages);

void smile_pages_free(struct pages *pages);

#endif /* LIB_COUNTS_PAGE_TABLE_H */
