/* SPDX-License-Identifier: MIT */
/*
 * CSV, read: rows of a file with a header, with the line number of each row for messages.
 *
 * What lives here: the one reader of CSV. It reads the format of RFC 4180, with LF or CR LF; a cell
 * in quotes must end within its line. Blank lines are skipped.
 */
#ifndef TOOLS_COMMON_CSV_READ_H
#define TOOLS_COMMON_CSV_READ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CSV_CELLS_MAX 64

/**
 * struct csv_read - A file.
 * @name: its name, for messages
 * @file: the open file
 * @line: number of the row's line, from 1
 * @columns: cells of the header
 * @cells: cells of the row; valid until the next row is read
 * @text: memory of the cells
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
 * csv_read_open() - Open a file and check its header.
 * @path: "-": standard input
 * @header: the columns that it must begin with
 * @more: further columns may follow
 *
 * Return: TOOL_OK; TOOL_ERROR after a message, with nothing left open.
 */
int csv_read_open(struct csv_read *csv, const char *path, const char *header, int more);

/**
 * csv_read_row() - Read the next row, which must have as many cells as the header.
 *
 * Return: 1; 0 at the end; -1 after a message.
 */
int csv_read_row(struct csv_read *csv);

/**
 * csv_read_error() - Print an error in the row, after "FILE:LINE: ".
 *
 * Return: -1.
 */
int csv_read_error(const struct csv_read *csv, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * csv_read_real() - Read a cell as a finite number.
 * @what: name of the column, for the message
 *
 * Return: 0; -1 after a message.
 */
int csv_read_real(const struct csv_read *csv, size_t cell, const char *what, double *out);

/**
 * csv_read_whole() - Read a cell as a whole number from 0 on.
 */
int csv_read_whole(const struct csv_read *csv, size_t cell, const char *what, uint64_t *out);

void csv_read_close(struct csv_read *csv);

#endif /* TOOLS_COMMON_CSV_READ_H */
