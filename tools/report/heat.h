/* SPDX-License-Identifier: MIT */
/*
 * smile report heat: the types and functions that its files share.
 *
 * Rows and their sums are in lib/analysis/heat_rows.h; heat.c prints them as JSON and CSV,
 * heat_map.c as a map, heat_bars.c as bars.
 */
#ifndef TOOLS_REPORT_HEAT_H
#define TOOLS_REPORT_HEAT_H

#include "lib/analysis/heat_rows.h"
#include "tools/report/report.h"
#include "lib/analysis/structures.h"

/* Width of maps without a terminal. */
#define HEAT_WIDTH 80U

/**
 * struct heat_layout - The parts of a line: page, home, drawn part, sum, name.
 * @width: width of the line
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

/* Set the widths. @home: the homes have a column. */
void heat_layout(const struct heat *heat, struct heat_layout *layout, int home);

/* Give the rest of the space to names if the drawn part is narrower than its space. */
void heat_layout_narrow(struct heat_layout *layout, size_t drawn);

/*
 * Print the start and the end of a row, or, if it is NULL, of the headings. @border: "|", or a
 * line.
 */
void heat_row_begin(const struct heat *heat, const struct heat_layout *layout,
		    const struct heat_row *row);
void heat_row_end(const struct heat *heat, const struct heat_layout *layout,
		  const struct heat_row *row);

/* Print the part of a legend about the rows. */
void heat_rows_explain(const struct heat *heat, const struct heat_layout *layout);

void heat_map(const struct heat *heat);
void heat_bars(const struct heat *heat);

#endif /* TOOLS_REPORT_HEAT_H */
