/* SPDX-License-Identifier: MIT */
/*
 * CSV cells: one line of CSV, cut into its cells as RFC 4180 has them.
 *
 * What lives here: the one place that removes quotes, and the byte order mark with which
 * spreadsheets and editors begin a file. A cell in quotes stays within its line. May use libc.
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

/**
 * text_mark_cut() - Cut off a byte order mark in front of the first line of a file.
 *
 * Return: the line's length without it.
 */
size_t text_mark_cut(char *line);

#endif /* LIB_ANALYSIS_CSV_CELLS_H */
