/* SPDX-License-Identifier: MIT */
/*
 * Page table: the counts of each page.
 *
 * What lives here: the table from a page of a home node to its counts. May use counts.h, slab.h and
 * the hash table of include/base.
 */
#ifndef LIB_COUNTS_PAGE_TABLE_H
#define LIB_COUNTS_PAGE_TABLE_H

#include <base/hash_table.h>

#include "lib/counts/counts.h"

/**
 * struct pages_page - A page of a home node.
 * @key: smile_pages_key(), plus one
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
 * @table: of struct pages_page
 * @slab: memory of the counts of all pages
 *
 * All zero is an empty table.
 */
struct pages {
	struct hash_table table;
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

/* Make room for @count more pages: until they are there, no page moves. Return: 0; -ENOMEM. */
int smile_pages_reserve(struct pages *pages, size_t count);

/* The page, added if it is not there; there must be room for it. */
static inline struct pages_page *smile_pages_get(struct pages *pages, uint64_t key)
{
	return hash_table_put(&pages->table, key + 1, sizeof(struct pages_page));
}

/* The memory that a search for a page reads first; there must be room. */
static inline const void *smile_pages_first(const struct pages *pages, uint64_t key)
{
	return hash_table_at(&pages->table, hash_table_start(&pages->table, key + 1),
			     sizeof(struct pages_page));
}

/* The page; NULL if it is not there. */
const struct pages_page *smile_pages_find(const struct pages *pages, uint64_t page, uint32_t home);

/* Walk, in no order: the next page from *@position on, which is 0 at first; NULL at the end. */
const struct pages_page *smile_pages_next(const struct pages *pages, size_t *position);

/*
 * All pages in ascending order of page number and home: to be freed. NULL without
 * memory, with a message.
 */
const struct pages_page **smile_pages_sorted(const struct pages *pages);

void smile_pages_free(struct pages *pages);

#endif /* LIB_COUNTS_PAGE_TABLE_H */
