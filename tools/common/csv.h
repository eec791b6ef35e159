/* SPDX-License-Identifier: MIT */
/*
 * CSV: rows for other programs on standard output, in the format of RFC 4180.
 *
 * What lives here: the one writer of --csv, and cells of files. Lines end with LF, as in files of
 * Unix. Numbers are whole and exact, without separators; a cell without a value is empty. Names are
 * the bytes that the program uses; only the quotes that the format needs are added. May use
 * tools/common/output.h. Only one document can be written at a time.
 */
#ifndef TOOLS_COMMON_CSV_H
#define TOOLS_COMMON_CSV_H

#include <stdint.h>
#include <stdio.h>

/**
 * csv_begin() - Write the header.
 * @columns: their names, with commas between them
 */
void csv_begin(const char *columns);

/* The next cell of the row. A row with more or fewer cells than the header ends the program. */
void csv_count(uint64_t count);
void csv_flag(int flag); /* 1 or 0 */
/* As many digits as distinguish it from any other; the cell is empty if it is not finite. */
void csv_real(double number);
void csv_text(const char *text);
void csv_empty(unsigned int count); /* @count cells without a value */

/**
 * csv_file_text() - Write a text as a cell of a file, with the quotes that it needs.
 */
void csv_file_text(FILE *file, const char *text);

/**
 * csv_file_known() - Write a number as a cell of a file; the cell is empty if it is not finite.
 * @end: the character behind the cell: a comma, or the end of the line
 */
void csv_file_known(FILE *file, double number, char end);

/**
 * csv_file_close() - Close a file that was written. Return: TOOL_OK; TOOL_ERROR after a message if
 * a part of the file could not be written to @path.
 */
int csv_file_close(FILE *file, const char *path);

/**
 * csv_end() - End the row. Return: 1; 0 if further output is useless.
 */
int csv_end(void);

#endif /* TOOLS_COMMON_CSV_H */
