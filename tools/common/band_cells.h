/* SPDX-License-Identifier: MIT */
/*
 * Band cells: estimates in tables, each followed by its 95 % band, as in "120 [99-144]".
 *
 * What lives here: the cells of counts of samples, and of shares of samples. May use output.h, and
 * lib/analysis/sampled.h for the bands.
 */
#ifndef TOOLS_COMMON_BAND_CELLS_H
#define TOOLS_COMMON_BAND_CELLS_H

#include <stdint.h>

#include "tools/common/output.h"

#define BAND_TEXT_BYTES (TEXT_COUNT_BYTES + 64)

/* "120 [99-144]". @text: BAND_TEXT_BYTES long. Return: @text. */
char *band_text(char *text, uint64_t count);

/* "33.3% [17-53]": the share of @part in @all samples. @text: as above. Return: @text. */
char *band_share_text(char *text, uint64_t part, uint64_t all);

/* A count of samples. */
void band_cell_count(struct output_table *table, enum output_style style, uint64_t count);

/* The share of @part in @all samples, in percent, behind the text @before. */
void band_cell_share(struct output_table *table, const char *before, uint64_t part, uint64_t all);

#endif /* TOOLS_COMMON_BAND_CELLS_H */
