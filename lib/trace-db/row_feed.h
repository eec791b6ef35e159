/* SPDX-License-Identifier: MIT */
/*
 * Row feed: rows for a table from a function, in one statement.
 *
 * What lives here: a virtual table of SQLite whose rows are made while it is read, so that `INSERT
 * INTO frames SELECT * FROM feed` writes them all. That takes half the time of a statement that is
 * bound and run for each row. The table exists only in this connection, never in a file. It may use
 * SQLite and frame.h.
 */
#ifndef LIB_TRACE_DB_ROW_FEED_H
#define LIB_TRACE_DB_ROW_FEED_H

#include <sqlite3.h>

#include "lib/trace-db/frame.h"

/**
 * struct row_feed - The source of rows, and the current row.
 * @next: makes the next row; returns 1, 0 at the end, or -errno to abort
 * @opaque: for @next
 * @result: the last result of @next
 * @trace: this and the following members are columns of `frames`
 * @pair: distance back to the packet that this packet belongs to, as defined in schema.c; 0: NULL
 * @body_bytes: bytes of the frame's body that are stored
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
 * Return: SQLite's result; if it is SQLITE_OK or SQLITE_ABORT, @feed->result is the result.
 */
int row_feed_run(sqlite3 *sqlite, struct row_feed *feed);

#endif /* LIB_TRACE_DB_ROW_FEED_H */
