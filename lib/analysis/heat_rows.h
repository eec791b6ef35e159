/* SPDX-License-Identifier: MIT */
/*
 * Heat rows: accesses to pages, or to groups of neighbouring pages, by node or by phase.
 *
 * What lives here: the rows of a heat map, and the names of their pages. May use the public API,
 * histogram_rows.h and regions.h.
 */
#ifndef LIB_ANALYSIS_HEAT_ROWS_H
#define LIB_ANALYSIS_HEAT_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

/**
 * struct heat_row - A row of a heat map. It is one page, or several neighbouring accessed pages.
 * @first_page: number of the row's first page
 * @last_page: number of the row's last page
 * @pages: number of accessed pages in the row
 * @counts: number of accesses by column; shape [columns]
 * @homes: for each node, the number of the row's pages that have it as their home; shape [nodes]
 * @all: sum of all elements of @counts
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
 * struct heat - The rows of a heat map.
 * @mon: the Monitor, from which names are read
 * @rows: rows, ascending by page; [@row_count]
 * @row_count: number of rows
 * @pages: number of accessed pages
 * @nodes: number of nodes
 * @columns: number of columns, which are nodes or phases
 * @by_phase: the columns are phases
 * @named: the recording has regions, so pages have names
 * @memory: memory of the arrays in the rows
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

#define HEAT_NAME_BYTES (MONITOR_NAME_BYTES + 8)

/**
 * heat_load() - Count accesses by row and column.
 * @by_phase: columns are phases instead of nodes
 * @most: the largest number of rows. If more pages were accessed, neighbouring pages of a region
 *        share a row
 *
 * Return: 0; -errno, with Monitor_error_message(). The caller must call heat_free() even after an
 * error.
 */
int heat_load(struct heat *heat, struct Monitor *mon, int by_phase, size_t most);

void heat_free(struct heat *heat);

/**
 * heat_name() - Get the name of the variable or region that contains the first page of a row; "" if
 * no name is known.
 * @text: caller-owned, HEAT_NAME_BYTES long
 *
 * Return: @text.
 */
char *heat_name(const struct heat *heat, const struct heat_row *row, char *text);

#endif /* LIB_ANALYSIS_HEAT_ROWS_H */
