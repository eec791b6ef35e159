/* SPDX-License-Identifier: MIT */
/*
 * CSV cells: a line of CSV, split into cells according to RFC 4180.
 *
 * What lives here: the only code that removes quotes, and the only code that removes the byte order
 * mark. Spreadsheets and editors write this mark at the beginning of a file. A quoted cell must end
 * in the line in which it begins. May use libc.
 */
#ifndef LIB_ANALYSIS_CSV_CELLS_H
#define LIB_ANALYSIS_CSV_CELLS_H

#include <stddef.h>

/**
 * csv_cells_split() - Split a line into cells, in place.
 * @line: the line without its line feed
 * @cells: receives pointers into @line, one for each cell; shape [@most]
 *
 * Return: the number of cells, at least 1.
 * Errors: -EINVAL if a closing quote is missing, or if text follows a closing quote; -E2BIG if the
 * line has more than @most cells.
 */
int csv_cells_split(char *line, char **cells, size_t most);

/**
 * text_mark_cut() - Remove a byte order mark before the first line of a file.
 *
 * Return: the length of the line without the mark.
 */
size_t text_mark_cut(char *line);

#endif /* LIB_ANALYSIS_CSV_CELLS_H */
