/* SPDX-License-Identifier: MIT */
/*
 * Changes: the changes of a histogram since the last view was made.
 *
 * What lives here: the pages that were counted since the last view, and the present sums by pair of
 * nodes, so that a view that is updated repeatedly need not visit all counts each time. May use
 * page_table.h and count_table.h.
 */
#ifndef LIB_COUNTS_CHANGES_H
#define LIB_COUNTS_CHANGES_H

#include <stddef.h>
#include <stdint.h>

#include <base/hash_table.h>

#include "lib/base/count_table.h"

struct histogram;

/**
 * struct changes - The changes.
 * @pages: keys of pages that have changed, plus one
 * @most: the largest number of pages that are kept; with more pages, a walk over all pages is as
 *        fast
 * @many: more pages have changed, or memory was missing; @pages is empty
 * @pairs: by histogram_access_key() and home: sums over all pages
 * @pairs_lost: memory for a pair was missing
 */
struct changes {
	struct hash_table pages;
	size_t most;
	int many;
	struct count_table pairs;
	int pairs_lost;
};

/* Start, or restart, to keep changes. Return: 0; -ENOMEM with a message. */
int smile_changes_begin(struct histogram *histogram);

void smile_changes_free(struct changes *changes);

/* Something was added to a count. @page: smile_page_table_key() */
void smile_changes_note(struct changes *changes, uint64_t page, uint64_t access, uint64_t count);

/*
 * The keys of the pages that have changed, ascending; the caller must free them. Return: the number
 * of pages; -ENODATA if they are not known; -ENOMEM.
 */
int smile_changes_pages(const struct histogram *histogram, uint64_t **keys);

#endif /* LIB_COUNTS_CHANGES_H */
