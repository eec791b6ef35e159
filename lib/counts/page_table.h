/* SPDX-License-Identifier: MIT */
/*
 * Page table: the counts of each page.
 *
 * What lives here: the table that maps a page and its home node to the counts of the page. May use
 * counts.h, slab.h and the hash table of include/base.
 */
#ifndef LIB_COUNTS_PAGE_TABLE_H
#define LIB_COUNTS_PAGE_TABLE_H

#include <base/hash_table.h>

#include "lib/counts/counts.h"

/**
 * struct page_counts - A page with one home node.
 * @key: smile_page_table_key(), plus one
 * @accesses: counts by phase, source and type
 * @blocks: counts by source, type and block
 */
struct page_counts {
	uint64_t key;
	struct counts accesses;
	struct counts blocks;
};

/**
 * struct page_table - All pages. If all members are 0, the table is empty.
 * @table: hash table of struct page_counts
 * @slab: memory of the counts of all pages
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

/*
 * Allocate memory for @count more pages. Until these pages are added, no page moves in memory.
 * Return: 0; -ENOMEM.
 */
int smile_page_table_reserve(struct page_table *pages, size_t count);

/* Find or add a page. The table must have room for the page. */
static inline struct page_counts *smile_page_table_get(struct page_table *pages, uint64_t key)
{
	return hash_table_put(&pages->table, key + 1, sizeof(struct page_counts));
}

/* Get the address that a search for a page reads first. The table must have room for a page. */
static inline const void *smile_page_table_first(const struct page_table *pages, uint64_t key)
{
	return hash_table_at(&pages->table, hash_table_start(&pages->table, key + 1),
			     sizeof(struct page_counts));
}

/* Find a page. Return: the page; NULL if the table does not have the page. */
const struct page_counts *smile_page_table_find(const struct page_table *pages, uint64_t page,
						uint32_t home);

/*
 * Walk over all pages, in no particular order. *@position must be 0 before the first call; the
 * function advances it. Return: the next page; NULL at the end.
 */
const struct page_counts *smile_page_table_next(const struct page_table *pages, size_t *position);

/*
 * Get all pages, in ascending order of page number and home. The caller must free the array.
 * Return: the array; NULL if memory is missing, with Monitor_error_message() set.
 */
const struct page_counts **smile_page_table_sorted(const struct page_table *pages);

void smile_page_table_free(struct page_table *pages);

#endif /* LIB_COUNTS_PAGE_TABLE_H */
