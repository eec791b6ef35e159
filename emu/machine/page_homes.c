/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Growing and listing the table of page homes. May use page_homes.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "page_homes.h"

#define PAGES_SHIFT_FIRST (64U - 10U) /* 1024 entries */

static void pages_put(struct pages *pages, uint64_t entry)
{
	size_t mask = pages_slots(pages) - 1;
	size_t slot = pages_slot(pages, pages_page(entry));

	while (pages->entries[slot] != 0)
		slot = (slot + 1) & mask;
	pages->entries[slot] = entry;
}

static int pages_grow(struct pages *pages)
{
	struct pages larger = {.count = pages->count};

	larger.shift = pages->entries ? pages->shift - 1 : PAGES_SHIFT_FIRST;
	larger.entries = calloc((size_t)1 << (64 - larger.shift), sizeof(larger.entries[0]));
	if (!larger.entries)
		return -ENOMEM;
	for (size_t i = 0; i < pages_slots(pages); i++) {
		if (pages->entries[i] != 0)
			pages_put(&larger, pages->entries[i]);
	}
	free(pages->entries);
	*pages = larger;
	return 0;
}

int pages_add(struct pages *pages, uint64_t page, unsigned home)
{
	/* Keep at least half of the table empty, so that a search for a missing page ends soon. */
	if (pages->count >= pages_slots(pages) / 2 && pages_grow(pages) < 0)
		return -ENOMEM;
	pages_put(pages, pages_entry(page, home));
	pages->count++;
	return 0;
}

static uint64_t *pages_there(struct pages *pages, uint64_t page)
{
	size_t mask = pages_slots(pages) - 1;
	size_t slot = pages_slot(pages, page);

	while (pages_page(pages->entries[slot]) != page)
		slot = (slot + 1) & mask;
	return &pages->entries[slot];
}

void pages_move(struct pages *pages, uint64_t page, unsigned home)
{
	*pages_there(pages, page) = pages_entry(page, home);
}

void pages_give_back(struct pages *pages, uint64_t page)
{
	*pages_there(pages, page) |= PAGES_GONE;
}

static int page_compare(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

int pages_list(const struct pages *pages, uint64_t first, uint64_t last, uint64_t **list,
	       size_t *count)
{
	*count = 0;
	*list = malloc((pages->count + 1) * sizeof(**list));
	if (!*list)
		return -ENOMEM;
	for (size_t i = 0; i < pages_slots(pages); i++) {
		uint64_t page = pages_page(pages->entries[i]);

		if (pages->entries[i] != 0 && page >= first && page <= last)
			(*list)[(*count)++] = page;
	}
	qsort(*list, *count, sizeof(**list), page_compare);
	return 0;
}

void pages_free(struct pages *pages)
{
	free(pages->entries);
	memset(pages, 0, sizeof(*pages));
}
