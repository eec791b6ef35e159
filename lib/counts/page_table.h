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
 * struct page_counts - A page of a home node.
 * @key: smile_page_table_key(), plus one
 * @accesses: by phase, source and type
 * @blocks: by source, type and block
 */
struct page_counts {
	uint64_t key;
	struct counts accesses;
	struct counts blocks;
};

/**
 * struct page_table - All pages.
 * @table: of struct page_counts
 * @slab: memory of the counts of all pages
 *
 * All zero is an empty table.
 */
struct page_table {
	struct hash_table table;
	struct slab slab;
};

static inline uint64_t smile_page_table_key(uint64_t page, uint32_t home)
{
	return page << 16 | home;
}

static inline uint64_t smile_page_table_number(const struct page_counts *page)
{
	return (page->key - 1) >> 16;
}

static inline uint32_t smile_page_table_home(const struct page_counts *page)
{
	return (page->key - 1) & 0xffff;
}

/* Make room for @count more pages. No page moves until they are added. Return: 0; -ENOMEM. */
int smile_page_table_reserve(struct page_table *pages, size_t count);

/* The page, added if it does not exist; the table must have room for it. */
static inline struct page_counts *smile_page_table_get(struct page_table *pages, uint64_t key)
{
	return hash_table_put(&pages->table, key + 1, sizeof(struct page_counts));
}

/* The memory that a search for a page reads first; the table must have room. */
static inline const void *smile_page_table_first(const struct page_table *pages, uint64_t key)
{
	return hash_table_at(&pages->table, hash_table_start(&pages->table, key + 1),
			     sizeof(struct page_counts));
}

/* The page; NULL if it does not exist. */
const struct page_counts *smile_page_table_find(const struct page_table *pages, uint64_t page,
						uint32_t home);

/*
 * Walk, in no particular order: the next page from *@position on, which is initially 0; NULL at the
 * end.
 */
const struct page_counts *smile_page_table_next(const struct page_table *pages, size_t *position);

/*
 * All pages in ascending order of page number and home; the caller must free the array. NULL
 * without memory, with a message.
 */
const struct page_counts **smile_page_table_sorted(const struct page_table *pages);

void smile_page_table_free(struct page_table *pages);

#endif /* LIB_COUNTS_PAGE_TABLE_H */
