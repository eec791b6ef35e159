/* SPDX-License-Identifier: MIT */
/*
 * Bands: print bands of pages for `smile report`. A band consists of pages that have the same home
 * and that the same nodes access.
 */
#ifndef TOOLS_REPORT_BANDS_H
#define TOOLS_REPORT_BANDS_H

#include "tools/report/report.h"
#include "lib/analysis/bands.h"

/**
 * bands_report() - Print all bands of pages, sorted by home node and page.
 *
 * @accesses: accesses of the processors, including accesses that caches serve, as in bands_next()
 *
 * The rows of @histogram are reordered. Return: the exit status.
 */
int bands_report(struct rows *histogram, const struct rows *accesses, const struct report *report);

#endif /* TOOLS_REPORT_BANDS_H */
