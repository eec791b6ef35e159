/* SPDX-License-Identifier: MIT */
/*
 * smile report heat: the types and functions that the files of heat maps share.
 *
 * The rows and their sums are computed in lib/analysis/heat_rows.h. heat.c prints them as JSON and
 * CSV, heat_map.c as a map, and heat_bars.c as bars.
 */
#ifndef TOOLS_REPORT_HEAT_H
#define TOOLS_REPORT_HEAT_H

#include "lib/analysis/heat_rows.h"
#include "tools/report/report.h"
#include "lib/analysis/structures.h"

/* The width of a map if there is no terminal. */
#define HEAT_WIDTH 80U

/**
 * struct heat_layout - Widths of the parts of a line, in characters: page, home, drawn part, sum,
 * name.
 * @width: width of the whole line
 * @page: width of page numbers
 * @home: width of home nodes; 0: not printed
 * @all: width of sums; 0: not printed
 * @name: width of names; 0: not printed
 * @drawn: width of the drawn part between the two borders
 */
struct heat_layout {
	size_t width;
	size_t page;
	size_t home;
	size_t all;
	size_t name;
	size_t drawn;
};

/* Choose the widths. @home: home nodes have a column. */
void heat_layout(const struct heat *heat, struct heat_layout *layout, int home);

/* If the drawn part does not need all its width, give the rest to the names. */
void heat_layout_narrow(struct heat_layout *layout, size_t drawn);

/*
 * Print the part of a line before the drawn part, and the part after it. If @row is NULL, print the
 * headings of these parts.
 */
void heat_row_begin(const struct heat *heat, const struct heat_layout *layout,
		    const struct heat_row *row);
void heat_row_end(const struct heat *heat, const struct heat_layout *layout,
		  const struct heat_row *row);

/* Print the part of a legend that explains the rows. */
void heat_rows_explain(const struct heat *heat, const struct heat_layout *layout);

void heat_map(const struct heat *heat);
void heat_bars(const struct heat *heat);

#endif /* TOOLS_REPORT_HEAT_H */
