/* SPDX-License-Identifier: MIT */
/*
 * smile report heat: what its files share.
 *
 * Rows and their sums are in lib/analysis/heat_rows.h; heat.c prints them as JSON and CSV,
 * heat_map.c as a map, heat_bars.c as bars.
 */
#ifndef TOOLS_REPORT_HEAT_H
#define TOOLS_REPORT_HEAT_H

#include "lib/analysis/heat_rows.h"
#include "tools/report/report.h"
#include "lib/analysis/structures.h"

/* Width of maps where there is no terminal. */
#define HEAT_WIDTH 80U

/**
 * struct heat_layout - The parts of a line: page, home, drawn part, sum, name.
 * @width: of the line
 * @page: width of pages
 * @home: width of homes; 0: none
 * @all: width of sums; 0: none
 * @name: width of names; 0: none
 * @drawn: width between the two borders
 */
struct heat_layout {
	size_t width;
	size_t page;
	size_t home;
	size_t all;
	size_t name;
	size_t drawn;
};

/* @home: the homes have a column. */
void heat_layout(const struct heat *heat, struct heat_layout *layout, int home);

/* If the drawn part is narrower than its space, names get the rest. */
void heat_layout_narrow(struct heat_layout *layout, size_t drawn);

/* Beginning and end of a row; if it is NULL, the headings. The border is "|", or a line. */
void heat_row_begin(const struct heat *heat, const struct heat_layout *layout,
		    const struct heat_row *row);
void heat_row_end(const struct heat *heat, const struct heat_layout *layout,
		  const struct heat_row *row);

/* The rows' part of a legend. */
void heat_rows_explain(const struct heat *heat, const struct heat_layout *layout);

void heat_map(const struct heat *heat);
void heat_bars(const struct heat *heat);

#endif /* TOOLS_REPORT_HEAT_H */
