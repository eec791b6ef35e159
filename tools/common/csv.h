/* SPDX-License-Identifier: MIT */
/*
 * CSV: print rows for other programs on standard output, in the format of RFC 4180.
 *
 * What lives here: the only writer for --csv, and the functions that write cells of CSV files. A
 * line always ends with LF, although RFC 4180 specifies CR LF. Numbers are integers without
 * separators. A cell without a value is empty. A name is written as the bytes that the program
 * uses; only the quotes that the format needs are added. Only one document can be written at a
 * time. May use tools/common/output.h.
 */
#ifndef TOOLS_COMMON_CSV_H
#define TOOLS_COMMON_CSV_H

#include <stdint.h>
#include <stdio.h>

/**
 * csv_begin() - Print the header line.
 * @columns: the names of the columns, separated by commas
 */
void csv_begin(const char *columns);

/*
 * Fill the next cell of the row. If a row has more or fewer cells than the header, the program ends
 * with a message.
 */
void csv_count(uint64_t count);
void csv_flag(int flag); /* writes 1 or 0 */
/*
 * Write a number with enough digits to distinguish it from all other numbers. If the number is not
 * finite, the cell is empty.
 */
void csv_real(double number);
void csv_text(const char *text);
void csv_empty(unsigned int count); /* @count cells without a value */

/**
 * csv_file_text() - Write a text into a cell of a file. If the format needs quotes, they are added.
 */
void csv_file_text(FILE *file, const char *text);

/**
 * csv_file_known() - Write a number into a cell of a file. If the number is not finite, the cell is
 * empty.
 * @end: the character that follows the cell: a comma, or a newline at the end of the row
 */
void csv_file_known(FILE *file, double number, char end);

/**
 * csv_file_close() - Close a file to which rows were written. Return: TOOL_OK; TOOL_ERROR after a
 * message if a part of the file could not be written to @path.
 */
int csv_file_close(FILE *file, const char *path);

/**
 * csv_end() - End the row. Return: 1; 0 if the output can no longer be written.
 */
int csv_end(void);

#endif /* TOOLS_COMMON_CSV_H */
