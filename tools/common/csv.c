// SPDX-License-Identifier: MIT
/*
 * CSV. See tools/common/csv.h.
 */
#include "tools/common/csv.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/output.h"
#include "tools/common/tool.h"

static size_t csv_columns, csv_cells;

void csv_begin(const char *columns)
{
	csv_columns = 1;
	for (const char *c = columns; *c; c++)
		csv_columns += *c == ',';
	csv_cells = 0;
	puts(columns);
}

static void csv_next(void)
{
	if (csv_cells++)
		putchar(',');
}

void csv_count(uint64_t count)
{
	csv_next();
	printf("%" PRIu64, count);
}

void csv_flag(int flag)
{
	csv_count(flag != 0);
}

void csv_real(double number)
{
	csv_next();
	if (isfinite(number))
		printf("%.17g", number);
}

void csv_file_text(FILE *file, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, file);
		return;
	}
	fputc('"', file);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', file);
		fputc(*text, file);
	}
	fputc('"', file);
}

void csv_file_known(FILE *file, double number, char end)
{
	if (isfinite(number))
		fprintf(file, "%.12g", number);
	fputc(end, file);
}

int csv_file_close(FILE *file, const char *path)
{
	int failed = ferror(file);

	if (fclose(file) || failed)
		return tool_error("cannot write %s: %s", path, strerror(errno));
	return TOOL_OK;
}

void csv_text(const char *text)
{
	csv_next();
	csv_file_text(stdout, text);
}

void csv_empty(unsigned int count)
{
	while (count--)
		csv_next();
}

int csv_end(void)
{
	if (csv_cells != csv_columns) {
		tool_error("a row of %zu cells below a header of %zu: a fault of this program",
			   csv_cells, csv_columns);
		exit(TOOL_ERROR);
	}
	csv_cells = 0;
	putchar('\n');
	return !output_stopped();
}
