/* SPDX-License-Identifier: MIT */
/*
 * Row feed: fills a table by one SQL statement with the rows that a function returns.
 *
 * What lives here: a virtual table of SQLite whose rows are made while they are read. The statement
 * `INSERT INTO frames SELECT * FROM feed` reads this virtual table, and writes all rows. This takes
 * half the time of a statement that is bound and executed for each row. The virtual table exists
 * only in this connection, and never in a file. May use SQLite and frame.h.
 */
#ifndef LIB_TRACE_DB_ROW_FEED_H
#define LIB_TRACE_DB_ROW_FEED_H

#include <sqlite3.h>

#include "lib/trace-db/frame.h"

/**
 * struct row_feed - The source of the rows, and the current row.
 * @next: makes the next row; returns 1, 0 at the end, or -errno to abort
 * @opaque: passed to @next
 * @result: the last result of @next
 * @trace: this member and all members below are columns of `frames`
 * @pair: distance from this packet back to the related packet, as defined in schema.c; 0: the
 *        column is NULL
 * @body_bytes: number of bytes of the frame's body to store
 */
struct row_feed {
	int (*next)(void *opaque);
	void *opaque;
	int result;
	int64_t trace;
	int64_t packet;
	int64_t time_ns;
	int64_t pair;
	struct frame frame;
	size_t body_bytes;
};

/**
 * row_feed_run() - Write all rows into `frames`.
 *
 * Return: the result of SQLite. If the result is SQLITE_OK or SQLITE_ABORT, feed->result has the
 * last result of feed->next().
 */
int row_feed_run(sqlite3 *sqlite, struct row_feed *feed);

#endif /* LIB_TRACE_DB_ROW_FEED_H */
