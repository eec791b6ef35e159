// SPDX-License-Identifier: MIT
/*
 * State file. See state_file.h.
 */
#include "lib/analysis/state/state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/array.h>

#include <smile/monitor.h>

#include "lib/analysis/csv_cells.h"

enum state_cell_index {
	CELL_INTERVAL,
	CELL_DT,
	CELL_EVENT,
	CELL_VALUE,
	CELL_ESTIMATE,
	CELL_SD,
	CELL_NEXT,
	CELL_NEXT_SD,
	CELL_DIFFERS,
	CELLS_MAX,
};

/* Cells of a rates file, after the cell CELL_DT. */
enum rate_cell_index {
	RATE_CELL_NAME = CELL_EVENT,
	RATE_CELL_UNIT,
	RATE_CELL_VALUE,
	RATE_CELL_SD,
	RATE_CELLS = RATE_CELL_SD + 4,
};

_Static_assert((int)RATE_CELLS <= (int)CELLS_MAX, "memory for the cells of a row");

/* Larger numbers are rejected. */
#define NUMBER_MAX 1e100

/**
 * struct state_file - A file that is being read.
 * @path: path of the file
 * @file: the open file
 * @line: number of the last line
 * @text: memory for a line
 * @text_bytes: size of the memory @text
 * @cells: number of cells of a row
 * @columns: the intervals that were read
 * @interval: number of the interval whose rows are being read; 0: no interval yet
 * @dt_s: length of the interval @interval
 * @rows: rows of the interval @interval; shape [@row_room]
 * @row_count: number of rows
 * @row_room: number of rows for which there is memory
 * @added: the interval @interval has been added to @columns
 * @partial: the file ends within a line
 * @ended: the file has no writer, and no further data
 */
struct state_file {
	char *path;
	FILE *file;
	uint64_t line;
	char *text;
	size_t text_bytes;
	int cells;
	struct state_columns columns;
	uint64_t interval;
	double dt_s;
	struct state_row *rows;
	size_t row_count;
	size_t row_room;
	int added;
	int partial;
	int ended;
};

/*
 * Return whether the file has a writer. If this cannot be determined, assume that it has a
 * writer.
 */
static int has_writer(const struct state_file *file)
{
	struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};

	return fcntl(fileno(file->file), F_OFD_GETLK, &lock) || lock.l_type != F_UNLCK;
}

static int begins(const char *text, size_t length, const char *header)
{
	return length >= strlen(header) && !memcmp(text, header, strlen(header));
}

int state_file_is(const char *path)
{
	char text[sizeof(RATES_FILE_HEADER) + 3] = "";
	struct stat status;
	FILE *file;
	size_t length;

	/* Accept only regular files. Reading the header from a pipe would consume the data. */
	if (stat(path, &status) || !S_ISREG(status.st_mode))
		return 0;
	file = fopen(path, "re");
	if (!file)
		return 0;
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	length = text_mark_cut(text);
	return begins(text, length, STATE_FILE_HEADER) || begins(text, length, RATES_FILE_HEADER);
}

static int wrong(const struct state_file *file, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int wrong(const struct state_file *file, const char *format, ...)
{
	char text[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return Monitor_error_set(EPROTO, "%s:%" PRIu64 ": %s", file->path, file->line, text);
}

/*
 * Read the next line, without its line feed. Return: 1; 0: there is no further complete line;
 * -errno.
 */
static int line_read(struct state_file *file)
{
	ssize_t length = getline(&file->text, &file->text_bytes, file->file);

	if (length < 0 && ferror(file->file))
		return Monitor_error_set(EIO, "cannot read %s: %s", file->path, strerror(errno));
	file->partial = length > 0 && file->text[length - 1] != '\n';
	if (file->partial) {
		/* The writer has not written the rest of the line yet. */
		if (fseeko(file->file, -(off_t)length, SEEK_CUR))
			return Monitor_error_set(EIO, "cannot follow %s: %s", file->path,
						 strerror(errno));
		length = -1;
	}
	if (length < 0) {
		clearerr(file->file);
		return 0;
	}
	file->line++;
	if (strlen(file->text) != (size_t)length)
		return wrong(file, "a zero byte: this is not a text file");
	if (file->line == 1)
		length = (ssize_t)text_mark_cut(file->text);
	file->text[--length] = '\0';
	if (length && file->text[length - 1] == '\r')
		file->text[length - 1] = '\0';
	return 1;
}

int state_file_open(struct state_file **out, const char *path)
{
	struct state_file *file = calloc(1, sizeof(*file));
	int got;

	if (!file || !(file->path = strdup(path))) {
		free(file);
		return Monitor_error_set(ENOMEM, "no memory");
	}
	file->file = fopen(path, "re");
	if (!file->file) {
		got = Monitor_error_set(errno, "cannot open %s: %s", path, strerror(errno));
		state_file_close(file);
		return got;
	}
	got = line_read(file);
	if (got > 0 && !strcmp(file->text, STATE_FILE_HEADER))
		file->cells = CELL_NEXT;
	else if (got > 0 && !strcmp(file->text, STATE_FILE_HEADER STATE_FILE_NEXT))
		file->cells = CELL_DIFFERS;
	else if (got > 0 &&
		 !strcmp(file->text, STATE_FILE_HEADER STATE_FILE_NEXT STATE_FILE_DIFFERS))
		file->cells = CELLS_MAX;
	else if (got > 0 && !strcmp(file->text, RATES_FILE_HEADER))
		file->cells = RATE_CELLS, file->columns.rates = 1;
	else if (got >= 0)
		got = Monitor_error_set(EPROTO, "%s:1: the header must be %s", path,
					STATE_FILE_HEADER);
	if (got < 0) {
		state_file_close(file);
		return got;
	}
	*out = file;
	return 0;
}

void state_file_close(struct state_file *file)
{
	if (!file)
		return;
	if (file->file)
		fclose(file->file);
	state_columns_free(&file->columns);
	free(file->rows);
	free(file->text);
	free(file->path);
	free(file);
}

/* Parse a number; an empty cell is NAN. Return: 0 or -EPROTO. */
static int number(const struct state_file *file, const char *what, const char *text, double *out)
{
	char *end;

	*out = NAN;
	if (!*text)
		return 0;
	*out = strtod(text, &end);
	if (*end || !(fabs(*out) <= NUMBER_MAX))
		return wrong(file, "%s '%s' is no number up to 1e100", what, text);
	return 0;
}

/*
 * Read the cells of a row that describe its interval. If the row begins a new interval, add the
 * previous interval to the columns. Return: 1: an interval was added; 0: no interval was added;
 * -errno.
 */
static int interval_take(struct state_file *file, char **cells)
{
	char *end;
	uint64_t interval = strtoull(cells[CELL_INTERVAL], &end, 10);
	int taken = 0, error;
	double dt_s;

	if (*end || end == cells[CELL_INTERVAL] || !interval)
		return wrong(file, "interval '%s' is no number from 1 on", cells[CELL_INTERVAL]);
	error = number(file, "dt_s", cells[CELL_DT], &dt_s);
	if (error < 0)
		return error;
	if (!(dt_s > 0))
		return wrong(file, "dt_s '%s': an interval must be longer than 0", cells[CELL_DT]);
	if (interval == file->interval)
		return 0;
	if (interval < file->interval)
		return wrong(file,
			     "interval %" PRIu64 " comes after interval %" PRIu64
			     ": intervals must ascend",
			     interval, file->interval);
	if (file->interval && !file->added) {
		state_columns_add(&file->columns, file->dt_s, file->rows, file->row_count);
		taken = 1;
	}
	file->interval = interval;
	file->dt_s = dt_s;
	file->row_count = 0;
	file->added = 0;
	return taken;
}

/* Add a row to the current interval. */
static int row_add(struct state_file *file, const char *name, struct state_row row)
{
	int event = state_columns_event(&file->columns, name);

	if (event == -E2BIG)
		return wrong(file, "more than %d events", STATE_EVENTS_MAX);
	if (event < 0)
		return Monitor_error_set(ENOMEM, "no memory");
	for (size_t k = 0; k < file->row_count; k++)
		if (file->rows[k].event == (size_t)event)
			return wrong(file, "event %s is in this interval already", name);
	if (file->added)
		return wrong(file, "event %s is in no earlier interval, but follows all events",
			     name);
	if (array_reserve(&file->rows, &file->row_room, file->row_count, sizeof(*file->rows)) < 0)
		return Monitor_error_set(ENOMEM, "no memory");
	row.event = (size_t)event;
	file->rows[file->row_count++] = row;
	return 0;
}

static int deviation_take(const struct state_file *file, const char *cell, double *deviation)
{
	int error = number(file, "sd", cell, deviation);

	return error < 0 ? error : *deviation < 0 ? wrong(file, "sd '%s' is below 0", cell) : 0;
}

static int row_take(struct state_file *file, char **cells)
{
	const char *differs = file->cells == CELLS_MAX ? cells[CELL_DIFFERS] : NULL;
	double value, estimate, deviation;
	int error = number(file, "value", cells[CELL_VALUE], &value);

	if (!error)
		error = number(file, "estimate", cells[CELL_ESTIMATE], &estimate);
	if (!error)
		error = deviation_take(file, cells[CELL_SD], &deviation);
	if (error)
		return error;
	if (differs && strcmp(differs, "0") && strcmp(differs, "1"))
		return wrong(file, "differs '%s' is neither 0 nor 1", differs);
	if (!*cells[CELL_EVENT])
		return wrong(file, "a row without an event");
	return row_add(file, cells[CELL_EVENT],
		       (struct state_row){
			       .read = !isnan(value),
			       .estimate = estimate,
			       .deviation = deviation,
			       .differs = differs && *differs == '1',
		       });
}

/*
 * Read a row of a rates file. struct state_columns stores counts of events and converts them to
 * rates per second. For this reason, the rate is converted to a count, from which the same rate is
 * computed again.
 */
static int rate_take(struct state_file *file, char **cells)
{
	double value, deviation;
	int error = number(file, "value", cells[RATE_CELL_VALUE], &value);
	char name[512];

	if (!error)
		error = deviation_take(file, cells[RATE_CELL_SD], &deviation);
	if (error)
		return error;
	if (!*cells[RATE_CELL_NAME])
		return wrong(file, "a row without a rate");
	snprintf(name, sizeof(name), "%s%s%s", cells[RATE_CELL_NAME],
		 *cells[RATE_CELL_UNIT] ? ", " : "", cells[RATE_CELL_UNIT]);
	return row_add(file, name,
		       (struct state_row){
			       .read = deviation == 0,
			       .estimate = value * file->dt_s,
			       .deviation = deviation * file->dt_s,
		       });
}

/*
 * Return whether the interval is complete. It is complete if it has all events that earlier
 * intervals had.
 */
static int is_whole(const struct state_file *file)
{
	return !file->added && file->columns.intervals && file->row_count == file->columns.count;
}

int state_file_poll(struct state_file *file)
{
	int writer = has_writer(file), taken = 0, got, rows = 0;

	while ((got = line_read(file)) > 0) {
		char *cells[CELLS_MAX];
		int count;

		if (!*file->text)
			continue;
		count = csv_cells_split(file->text, cells, CELLS_MAX);
		if (count != file->cells)
			return wrong(file, "this is not a row of %d cells", file->cells);
		got = interval_take(file, cells);
		if (got < 0)
			return got;
		taken += got;
		got = file->columns.rates ? rate_take(file, cells) : row_take(file, cells);
		if (got < 0)
			return got;
		rows++;
		if (is_whole(file)) {
			state_columns_add(&file->columns, file->dt_s, file->rows, file->row_count);
			file->added = 1;
			taken++;
		}
	}
	if (got < 0)
		return got;
	if (!writer && !rows && !file->ended) {
		file->ended = 1;
		if (file->interval && !file->added) {
			state_columns_add(&file->columns, file->dt_s, file->rows, file->row_count);
			file->added = 1;
			taken++;
		}
		if (file->partial) {
			file->line++;
			return wrong(file, "the file is cut off within this line");
		}
	}
	return taken;
}

int state_file_ended(const struct state_file *file)
{
	return file->ended;
}

const struct state_columns *state_file_columns(const struct state_file *file)
{
	return &file->columns;
}

const char *state_file_path(const struct state_file *file)
{
	return file->path;
}
