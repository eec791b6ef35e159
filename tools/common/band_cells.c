// SPDX-License-Identifier: MIT
/*
 * Cells of tables with estimates. See tools/common/band_cells.h. The ends of a confidence interval
 * are rounded outwards.
 */
#include "tools/common/band_cells.h"

#include <math.h>
#include <stdio.h>

#include "lib/analysis/sampled.h"
#include "tools/common/tool.h"

char *band_text(char *text, uint64_t count)
{
	struct sampled_band band = sampled_count(count);
	char number[TEXT_COUNT_BYTES];

	snprintf(text, BAND_TEXT_BYTES, "%s [%.0f-%.0f]", text_count(number, count),
		 floor(band.low), ceil(band.high));
	return text;
}

char *band_share_text(char *text, uint64_t part, uint64_t all)
{
	struct sampled_share share = sampled_share(part, all);

	snprintf(text, BAND_TEXT_BYTES, "%.1f%% [%.0f-%.0f]", 100 * share.share,
		 floor(100 * share.low), ceil(100 * share.high));
	return text;
}

void band_cell_count(struct output_table *table, enum output_style style, uint64_t count)
{
	char text[BAND_TEXT_BYTES];

	output_table_cell(table, style, "%s", band_text(text, count));
}

void band_cell_share(struct output_table *table, const char *before, uint64_t part, uint64_t all)
{
	char text[BAND_TEXT_BYTES];

	output_table_cell(table, OUTPUT_PLAIN, "%s%s", before, band_share_text(text, part, all));
}
