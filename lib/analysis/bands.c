// SPDX-License-Identifier: MIT
/*
 * Bands. See lib/analysis/bands.h.
 */
#include "lib/analysis/bands.h"

#include <stdlib.h>

static int compare_by_home(const void *a, const void *b)
{
	const struct Monitor_histogram_row *x = a, *y = b;

	if (x->home != y->home)
		return x->home < y->home ? -1 : 1;
	if (x->page != y->page)
		return x->page < y->page ? -1 : 1;
	return x->source < y->source ? -1 : x->source > y->source;
}

static int band_takes(const struct band *band, const struct rows_page *page)
{
	size_t i;

	if (page->rows->home != band->first.rows->home || page->count != band->first.count)
		return 0;
	for (i = 0; i < page->count; i++)
		if (page->rows[i].source != band->first.rows[i].source)
			return 0;
	return 1;
}

void bands_sort(struct rows *histogram)
{
	if (histogram->count)
		qsort(histogram->rows, histogram->count, sizeof(*histogram->rows), compare_by_home);
}

int bands_next(const struct rows *histogram, const struct rows *accesses, size_t *at,
	       uint64_t least, struct band *band, uint64_t *cold)
{
	struct rows_page page, exact;
	size_t next = *at;

	*band = (struct band){.pages = 0};
	while (rows_next(histogram, &next, &page)) {
		if (accesses)
			rows_find(accesses, page.rows->page, page.rows->home, &exact);
		else
			exact = page;
		if (exact.accesses < least) {
			/*
			 * This page has too few accesses and ends the band, so its nodes need not
			 * be compared.
			 */
			if (band->pages)
				break;
			++*cold;
			*at = next;
			continue;
		}
		if (band->pages && !band_takes(band, &page))
			break;
		if (!band->pages)
			band->first = page;
		band->last = page.rows->page;
		band->pages++;
		band->accesses += exact.accesses;
		band->transactions += page.accesses;
		*at = next;
	}
	return band->pages != 0;
}
