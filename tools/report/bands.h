/* SPDX-License-Identifier: MIT */
/*
 * Bands: runs of pages of one home that the same nodes access; they show how a program divides its
 * data. Source: "Memory access behavior analysis of NUMA-based shared memory programs", section
 * 4.2.
 */
#ifndef TOOLS_REPORT_BANDS_H
#define TOOLS_REPORT_BANDS_H

#include "tools/report/report.h"
#include "lib/analysis/rows.h"

/**
 * bands_report() - Print them, by home and page.
 *
 * Reorders the rows of @histogram. Return: the exit status.
 */
int bands_report(struct rows *histogram, const struct report *report);

#endif /* TOOLS_REPORT_BANDS_H */
