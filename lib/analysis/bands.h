/* SPDX-License-Identifier: MIT */
/*
 * Bands: runs of pages of one home that the same nodes access; they show how a program divides its
 * data. Source: "Memory access behavior analysis of NUMA-based shared memory programs", section
 * 4.2.
 *
 * What lives here: bands, one after the other. A band consists of accessed pages: if pages are
 * placed round-robin, every n-th page has the same home, and pages without accesses do not end a
 * band. May use rows.h.
 */
#ifndef LIB_ANALYSIS_BANDS_H
#define LIB_ANALYSIS_BANDS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/analysis/rows.h"

/**
 * struct band - A band.
 * @first: its first page; the nodes of its rows are the band's nodes
 * @last: number of its last page
 * @pages: number of pages in it
 * @accesses: accesses to all of them
 * @transactions: the counts of the pages' rows, if these are transactions behind caches
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
 * bands_next() - The next band.
 * @histogram: sorted
 * @accesses: the rows of accesses, in the order of rows_load(), if @histogram has transactions
 *            behind caches; else NULL
 * @at: row to start with, initially 0; advanced
 * @least: a page with fewer accesses is in no band, and ends a band
 * @cold: the number of these pages is added to it
 *
 * Return: 1; 0 at the end. */
int bands_next(const struct rows *histogram, const struct rows *accesses, size_t *at,
	       uint64_t least, struct band *band, uint64_t *cold);

#endif /* LIB_ANALYSIS_BANDS_H */
