/* SPDX-License-Identifier: MIT */
/*
 * CSV cells: one line of CSV, cut into its cells as RFC 4180 has them.
 *
 * What lives here: the one place that takes quotes away. A cell in quotes stays within its line.
 * May use libc.
 */
#ifndef LIB_ANALYSIS_CSV_CELLS_H
#define LIB_ANALYSIS_CSV_CELLS_H

#include <stddef.h>

/**
 * csv_cells_split() - Cut a line into cells, in its place.
 * @line: without its end
 * @cells: receives them, shape [@most]; valid as long as @line
 *
 * Return: how many, 1 at least.
 * Errors: -EINVAL: a quote has no end, or text follows it; -E2BIG: more than @most.
 */
int csv_cells_split(char *line, char **cells, size_t most);

#endif /* LIB_ANALYSIS_CSV_CELLS_H */
