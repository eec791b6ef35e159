/* SPDX-License-Identifier: MIT */
/*
 * Bands: finds runs of pages that have the same home and that the same nodes access. Bands show how
 * a program divides its data. Source: "Memory access behavior analysis of NUMA-based shared memory
 * programs", section 4.2.
 *
 * What lives here: a walk over all bands. A band contains only accessed pages with one home. Pages
 * without accesses, and pages with another home, do not end a band. Otherwise each page would end a
 * band under round-robin placement on n nodes, because only every n-th page has the same home. May
 * use histogram_rows.h.
 */
#ifndef LIB_ANALYSIS_BANDS_H
#define LIB_ANALYSIS_BANDS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/analysis/histogram_rows.h"

/**
 * struct band - A band.
 * @first: the band's first page; the nodes in the rows of this page are the nodes of the whole band
 * @last: number of the band's last page
 * @pages: number of pages in the band
 * @accesses: number of accesses to all pages of the band
 * @transactions: number of transactions of the band's pages, if the recorded machine has caches and
 *                the rows count transactions
 */
struct band {
	struct rows_page first;
	uint64_t last;
	uint64_t pages;
	uint64_t accesses;
	uint64_t transactions;
};

/**
 * bands_sort() - Sort the rows of @histogram by home and page, as bands_next() needs them.
 */
void bands_sort(struct rows *histogram);

/**
 * bands_next() - Find the next band.
 * @histogram: rows, sorted by bands_sort()
 * @accesses: if @histogram counts the transactions that caches did not serve, the rows of the
 *            accesses, in the order of rows_load(); otherwise NULL
 * @at: index of the first row to read; 0 before the first call; the function advances it
 * @least: the lowest number of accesses that a page of a band has; a page with fewer accesses ends
 *         the band
 * @cold: the function adds the number of pages with fewer than @least accesses to this number
 *
 * Return: 1; 0 at the end.
 */
int bands_next(const struct rows *histogram, const struct rows *accesses, size_t *at,
	       uint64_t least, struct band *band, uint64_t *cold);

#endif /* LIB_ANALYSIS_BANDS_H */
