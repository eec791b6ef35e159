/* SPDX-License-Identifier: MIT */
/*
 * Bands: print bands of pages for `smile report`.
 */
#ifndef TOOLS_REPORT_BANDS_H
#define TOOLS_REPORT_BANDS_H

#include "tools/report/report.h"
#include "lib/analysis/bands.h"

/**
 * bands_report() - Print all bands of pages, sorted by home node and page.
 *
 * @accesses: accesses in front of the caches, as in bands_next()
 *
 * The rows of @histogram are reordered. Return: the exit status.
 */
int bands_report(struct rows *histogram, const struct rows *accesses, const struct report *report);

#endif /* TOOLS_REPORT_BANDS_H */
