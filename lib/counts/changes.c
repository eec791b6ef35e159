/* SPDX-License-Identifier: MIT */
/*
 * Changes. See changes.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/counts/changes.h"
#include "lib/counts/histogram.h"

/*
 * If more than one page in this number of pages has changed, the table no longer lists the changed
 * pages.
 */
#define CHANGES_SHARE 8
#define CHANGES_LEAST 4096

static void pages_forget(struct changes *changes)
{
	hash_table_free(&changes->pages);
	changes->many = 1;
}

/* When the sums are kept for the first time, add all counts that already exist. */
static int pairs_take(struct changes *changes, const struct histogram *histogram)
{
	struct histogram_access access;
	struct histogram_walk walk = {0};

	while (smile_histogram_next(histogram, &walk, &access)) {
		uint64_t key = histogram_access_key(access.phase, access.source, access.type);

		if (smile_count_table_add(&changes->pairs, key, access.home, access.count) < 0)
			return -ENOMEM;
	}
	return 0;
}

int smile_changes_begin(struct histogram *histogram)
{
	struct changes *changes = histogram->changes;

	if (!changes) {
		changes = calloc(1, sizeof(*changes));
		if (!changes || pairs_take(changes, histogram) < 0) {
			smile_changes_free(changes);
			return smile_error(ENOMEM, "no memory for what changes");
		}
		histogram->changes = changes;
	}
	hash_table_free(&changes->pages);
	changes->many = 0;
	changes->most = histogram->pages.table.used / CHANGES_SHARE + CHANGES_LEAST;
	return 0;
}

void smile_changes_free(struct changes *changes)
{
	if (!changes)
		return;
	hash_table_free(&changes->pages);
	smile_count_table_free(&changes->pairs);
	free(changes);
}

void smile_changes_note(struct changes *changes, uint64_t page, uint64_t access, uint64_t count)
{
	/* The home node is the lower part of the key of a page. */
	if (!changes->pairs_lost &&
	    smile_count_table_add(&changes->pairs, access, page & UINT16_MAX, count) < 0)
		changes->pairs_lost = 1;
	if (changes->many)
		return;
	if (!hash_table_add(&changes->pages, page + 1, sizeof(uint64_t)) ||
	    changes->pages.used > changes->most)
		pages_forget(changes);
}

static int by_key(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

int smile_changes_pages(const struct histogram *histogram, uint64_t **keys)
{
	const struct changes *changes = histogram->changes;
	size_t position = 0, count = 0;
	const uint64_t *page;

	if (!changes || changes->many)
		return smile_error(ENODATA, "the pages that have changed are not known");
	*keys = calloc(changes->pages.used + 1, sizeof(**keys));
	if (!*keys)
		return smile_error(ENOMEM, "no memory for %zu pages", changes->pages.used);
	while ((page = hash_table_next(&changes->pages, &position, sizeof(*page))))
		(*keys)[count++] = *page - 1;
	qsort(*keys, count, sizeof(**keys), by_key);
	return (int)count;
}
