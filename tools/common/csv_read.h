/* SPDX-License-Identifier: MIT */
/*
 * Reading CSV: read the rows of a file with a header. Error messages have the line number of the
 * row.
 *
 * What lives here: the only reader of CSV files. It reads the format of RFC 4180, with LF or CR LF
 * at the end of a line. A cell in quotes must end in the line in which it begins. Blank lines are
 * skipped.
 */
#ifndef TOOLS_COMMON_CSV_READ_H
#define TOOLS_COMMON_CSV_READ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CSV_CELLS_MAX 64

/**
 * struct csv_read - An open CSV file.
 * @name: name of the file, for messages
 * @file: the open file
 * @line: line number of the current row, from 1
 * @columns: number of cells of the header
 * @cells: cells of the current row; valid until the next row is read
 * @text: buffer for the text of the cells
 * @text_bytes: size of @text
 */
struct csv_read {
	const char *name;
	FILE *file;
	uint64_t line;
	size_t columns;
	char *cells[CSV_CELLS_MAX];
	char *text;
	size_t text_bytes;
};

/**
 * csv_read_open() - Open a file, and check its header.
 * @path: path of the file; "-" for standard input
 * @header: the names of the first columns, which the file must have
 * @more: the file may have further columns
 *
 * Return: TOOL_OK; TOOL_ERROR after a message, with the file closed.
 */
int csv_read_open(struct csv_read *csv, const char *path, const char *header, int more);

/**
 * csv_read_row() - Read the next row. The row must have as many cells as the header.
 *
 * Return: 1; 0 at the end of the file; -1 after a message.
 */
int csv_read_row(struct csv_read *csv);

/**
 * csv_read_error() - Print an error in the current row, after "FILE:LINE: ".
 *
 * Return: -1.
 */
int csv_read_error(const struct csv_read *csv, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * csv_read_real() - Convert a cell into a finite number.
 * @what: name of the column, for the message
 *
 * Return: 0; -1 after a message.
 */
int csv_read_real(const struct csv_read *csv, size_t cell, const char *what, double *out);

/**
 * csv_read_whole() - Convert a cell into an integer of at least 0.
 */
int csv_read_whole(const struct csv_read *csv, size_t cell, const char *what, uint64_t *out);

void csv_read_close(struct csv_read *csv);

#endif /* TOOLS_COMMON_CSV_READ_H */
