/* SPDX-License-Identifier: MIT */
/*
 * Band cells: table cells with an estimate and its 95 % confidence interval, as in "120 [99-144]".
 *
 * What lives here: cells for counts of samples, and for shares of samples. May use output.h, and
 * lib/analysis/sampled.h for the confidence intervals.
 */
#ifndef TOOLS_COMMON_BAND_CELLS_H
#define TOOLS_COMMON_BAND_CELLS_H

#include <stdint.h>

#include "tools/common/output.h"

#define BAND_TEXT_BYTES (TEXT_COUNT_BYTES + 64)

/*
 * Format a count with its confidence interval, such as "120 [99-144]". @text: a buffer of
 * BAND_TEXT_BYTES. Return: @text.
 */
char *band_text(char *text, uint64_t count);

/*
 * Format the share of @part in @all samples with its confidence interval, such as "33.3% [17-53]".
 * @text: a buffer of BAND_TEXT_BYTES. Return: @text.
 */
char *band_share_text(char *text, uint64_t part, uint64_t all);

/* Add a cell with a count of samples. */
void band_cell_count(struct output_table *table, enum output_style style, uint64_t count);

/* Add a cell with the text @before and the share of @part in @all samples, in percent. */
void band_cell_share(struct output_table *table, const char *before, uint64_t part, uint64_t all);

#endif /* TOOLS_COMMON_BAND_CELLS_H */
