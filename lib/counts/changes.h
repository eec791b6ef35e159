/* SPDX-License-Identifier: MIT */
/*
 * Changes: what has changed in a histogram since it was looked at.
 *
 * What lives here: the pages that were counted since then, and the sums by pair of nodes as they
 * are now, so that a view that is made again and again need not go through all counts each time.
 * May use page_table.h and count_table.h.
 */
#ifndef LIB_COUNTS_CHANGES_H
#define LIB_COUNTS_CHANGES_H

#include <stddef.h>
#include <stdint.h>

#include <base/hash_table.h>

#include "lib/base/count_table.h"

struct histogram;

/**
 * struct changes - What has changed.
 * @pages: keys of pages that have changed, plus one
 * @most: at most this many pages are kept; with more, a look at all pages is as quick
 * @many: more pages have changed, or there was no memory; @pages is empty
 * @pairs: by histogram_access_key() and home: sums over all pages
 * @pairs_lost: there was no memory for a pair
 */
struct changes {
	struct hash_table pages;
	size_t most;
	int many;
	struct count_table pairs;
	int pairs_lost;
};

/* Begin, or begin anew, to keep them. Return: 0; -ENOMEM with a message. */
int smile_changes_begin(struct histogram *histogram);

void smile_changes_free(struct changes *changes);

/* Something was added to a count. @page: smile_page_table_key() */
void smile_changes_note(struct changes *changes, uint64_t page, uint64_t access, uint64_t count);

/*
 * The pages that have changed, ascending: keys, to be freed. Return: how many; -ENODATA if that is
 * not known, -ENOMEM.
 */
int smile_changes_pages(const struct histogram *histogram, uint64_t **keys);

#endif /* LIB_COUNTS_CHANGES_H */
