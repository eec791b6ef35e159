/* SPDX-License-Identifier: MIT */
/*
 * CSV cells: a line of CSV, split into cells according to RFC 4180.
 *
 * What lives here: the only code that removes quotes, and the byte order mark that spreadsheets and
 * editors write at the beginning of a file. A cell in quotes stays within its line. May use libc.
 */
#ifndef LIB_ANALYSIS_CSV_CELLS_H
#define LIB_ANALYSIS_CSV_CELLS_H

#include <stddef.h>

/**
 * csv_cells_split() - Split a line into cells, in place.
 * @line: the line without its end
 * @cells: receives the cells, shape [@most]; valid as long as @line
 *
 * Return: the number of cells, at least 1.
 * Errors: -EINVAL: a quote has no end, or text follows it; -E2BIG: more than @most cells.
 */
int csv_cells_split(char *line, char **cells, size_t most);

/**
 * text_mark_cut() - Remove a byte order mark before the first line of a file.
 *
 * Return: the line's length without it.
 */
size_t text_mark_cut(char *line);

#endif /* LIB_ANALYSIS_CSV_CELLS_H */
