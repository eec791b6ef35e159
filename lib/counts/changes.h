/* SPDX-License-Identifier: MIT */
/*
 * Changes: finds the pages whose counts have changed since the last view was made.
 *
 * What lives here: the pages that were counted since the last view, and the present sums for each
 * pair of nodes. With this data, a view that is updated repeatedly need not visit all counts each
 * time.
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
 * @pages: keys of changed pages, plus one
 * @most: the largest number of pages in @pages. If more pages have changed, a walk over all pages
 *        is as fast as a walk over the changed pages
 * @many: more than @most pages have changed, or memory ran out; @pages is empty
 * @pairs: sums over all pages, by histogram_access_key() and home
 * @pairs_lost: memory ran out, and a pair is missing
 */
struct changes {
	struct hash_table pages;
	size_t most;
	int many;
	struct count_table pairs;
	int pairs_lost;
};

/*
 * Begin to note changes, and discard earlier changes. Return: 0; -ENOMEM, with
 * Monitor_error_message() set.
 */
int smile_changes_begin(struct histogram *histogram);

void smile_changes_free(struct changes *changes);

/*
 * Note that @count was added to the count of @access in a page. @page: the page's
 * smile_page_table_key().
 */
void smile_changes_note(struct changes *changes, uint64_t page, uint64_t access, uint64_t count);

/*
 * Get the keys of the changed pages, in ascending order. The caller must free the array. Return:
 * the number of pages; -ENODATA if the changed pages are not known; -ENOMEM.
 */
int smile_changes_pages(const struct histogram *histogram, uint64_t **keys);

#endif /* LIB_COUNTS_CHANGES_H */
