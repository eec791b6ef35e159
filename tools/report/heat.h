/* SPDX-License-Identifier: MIT */
/*
 * Heat: a map of pages, or groups of neighbours, by node or over the phases.
 *
 * What lives here: what its parts share. Rows and their sums in heat.c, the map in heat_map.c,
 * bars in heat_bars.c.
 */
#ifndef TOOLS_REPORT_HEAT_H
#define TOOLS_REPORT_HEAT_H

#include "tools/report/report.h"
#include "lib/analysis/structures.h"

/**
 * struct heat_row - A page, or neighbours that were accessed.
 * @first_page: number of the first
 * @last_page: of the last
 * @pages: how many
 * @counts: accesses, shape [columns]
 * @homes: pages by home, shape [nodes]
 * @all: sum of @counts
 */
struct heat_row {
	uint64_t first_page;
	uint64_t last_page;
	size_t pages;
	uint64_t *counts;
	uint64_t *homes;
	uint64_t all;
};

/**
 * struct heat - The map.
 * @mon: which knows names
 * @rows: ascending by page; [@row_count]
 * @row_count: how many
 * @pages: pages in all
 * @nodes: nodes
 * @columns: nodes or phases
 * @by_phase: they are phases
 * @named: regions are known
 * @memory: of the rows' arrays
 */
struct heat {
	struct Monitor *mon;
	struct heat_row *rows;
	size_t row_count;
	size_t pages;
	size_t nodes;
	size_t columns;
	int by_phase;
	int named;
	uint64_t *memory;
};

/* Width of maps where there is no terminal. */
#define HEAT_WIDTH 80U

#define HEAT_NAME_BYTES (MONITOR_NAME_BYTES + 8)

/* What the first page of a row is part of. Return: @text, HEAT_NAME_BYTES long. */
char *heat_name(const struct heat *heat, const struct heat_row *row, char *text);

/**
 * struct heat_layout - Where things stand in a line: page, home, what is drawn, sum, name.
 * @width: of the line
 * @page: width of pages
 * @home: width of homes; 0: none
 * @all: width of sums; 0: none
 * @name: width of names; 0: none
 * @drawn: what is left between the two lines
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

/* Where what is drawn is narrower than it could be, names get the rest. */
void heat_layout_narrow(struct heat_layout *layout, size_t drawn);

/* Beginning and end of a row; of NULL the headings. The border is "|", or a line. */
void heat_row_begin(const struct heat *heat, const struct heat_layout *layout,
		    const struct heat_row *row);
void heat_row_end(const struct heat *heat, const struct heat_layout *layout,
		  const struct heat_row *row);

/* The rows' part of a legend. */
void heat_rows_explain(const struct heat *heat, const struct heat_layout *layout);

void heat_map(const struct heat *heat);
void heat_bars(const struct heat *heat);

#endif /* TOOLS_REPORT_HEAT_H */
