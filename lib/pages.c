/* SPDX-License-Identifier: MIT */
/*
 * Pages: the counts of each page. See pages.h.
 *
 * What lives here: growth, at a load of three quarters, and the walks.
 */
#include <stdlib.h>

#include "lib/error.h"
#include "lib/pages.h"

#define PAGES_FIRST_BITS 8U

static int grow(struct pages *pages)
{
	struct pages larger = {.bits = pages->bits ? pages->bits + 1 : PAGES_FIRST_BITS};
	size_t position = 0;
	const struct pages_page *page;

	larger.size = (size_t)1 << larger.bits;
	larger.slots = calloc(larger.size, sizeof(*larger.slots));
	if (!larger.slots)
		return smile_error(ENOMEM, "no memory for a histogram of %zu pages", larger.size);
	while ((page = smile_pages_next(pages, &position)))
		*smile_pages_slot(&larger, page->key - 1) = *page;
	larger.used = pages->used;
	free(pages->slots);
	*pages = larger;
	return 0;
}

int smile_pages_reserve(struct pages *pages, size_t count)
{
	while (pages->used + count > pages->size - pages->size / 4) {
		int error = grow(pages);

		if (error < 0)
			return error;
	}
	return 0;
}

const struct pages_page *smile_pages_find(const struct pages *pages, uint64_t page, uint32_t home)
{
	const struct pages_page *slot;

	if (!pages->size || home > UINT16_MAX || page > UINT64_MAX >> 16)
		return NULL;
	slot = smile_pages_slot(pages, smile_pages_key(page, home));
	return slot->key ? slot : NULL;
}

const struct pages_page *smile_pages_next(const struct pages *pages, size_t *position)
{
	while (*position < pages->size) {
		const struct pages_page *page = &pages->slots[(*position)++];

		if (page->key)
			return page;
	}
	return NULL;
}

static int by_key(const void *left, const void *right)
{
	const struct pages_page *const *a = left, *const *b = right;

	return (*a)->key < (*b)->key ? -1 : (*a)->key > (*b)->key;
}

const struct pages_page **smile_pages_sorted(const struct pages *pages)
{
	const struct pages_page **sorted = calloc(pages->used + 1, sizeof(*sorted));
	size_t count = 0, position = 0;

	if (!sorted) {
		smile_error(ENOMEM, "no memory to sort %zu pages", pages->used);
		return NULL;
	}
	while ((sorted[count] = smile_pages_next(pages, &position)))
		count++;
	qsort(sorted, count, sizeof(*sorted), by_key);
	return sorted;
}

void smile_pages_free(struct pages *pages)
{
	for (size_t i = 0; i < pages->size; i++) {
		smile_counts_free(&pages->slots[i].accesses);
		smile_counts_free(&pages->slots[i].blocks);
	}
	free(pages->slots);
	*pages = (struct pages){0};
}
