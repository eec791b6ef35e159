/* SPDX-License-Identifier: MIT */
/* Trace database: declarations that those files of lib/trace-db share which use SQLite. */
#ifndef LIB_TRACE_DB_TRACE_DB_INSIDE_H
#define LIB_TRACE_DB_TRACE_DB_INSIDE_H

#include <sqlite3.h>

#include "lib/trace-db/trace_db.h"

/* The SQL statements in this directory contain these numbers as literals. */
_Static_assert(FRAME_CABLE == 5 && FRAME_CABLE_CRC == 12 && CABLE_TYPE_REQUEST_ECHO == 9 &&
		       CABLE_TYPE_RESPONSE_EXTENDED == 10 && CABLE_TYPE_RESPONSE_ECHO == 18 &&
		       CABLE_TYPE_IDLES == 19 && BLINK_TYPE_REQUEST_EXTENDED == 21 &&
		       BLINK_TYPE_RESPONSE_EXTENDED == 29 && BLINK_TYPE_MAX == 36 &&
		       BLINK_EVENT00 == 72,
	       "types and faults are as in the views and conditions");

/* The largest number of sets of conditions whose statements are kept. */
#define PARTS_KEPT 16U

/**
 * struct trace_db - An open database.
 * @sqlite: SQLite's handle
 * @path: path of the file, for messages
 * @version: version of the file's schema
 * @message: text of the last error
 * @kept: prepared statements and their sets of conditions; a new statement replaces the oldest one
 * @kept_next: index of the oldest statement
 * @budget: number of steps that the present query may still take; see trace_db_interrupt_after()
 */
struct trace_db {
	sqlite3 *sqlite;
	char *path;
	int64_t version;
	char message[512];
	struct {
		uint32_t conditions;
		sqlite3_stmt *statement;
	} kept[PARTS_KEPT];
	unsigned int kept_next;
	uint64_t budget;
};

/**
 * parts_error() - Store a message. Return: -@error.
 */
int parts_error(struct trace_db *db, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * parts_failed() - Store SQLite's text of its last error. Return: -errno.
 */
int parts_failed(struct trace_db *db);

/**
 * parts_run() - Run statements that have no results. Return: 0; -errno.
 */
int parts_run(struct trace_db *db, const char *sql);

/**
 * parts_prepare() - Prepare a statement that will be used several times. Return: 0; -errno.
 */
int parts_prepare(struct trace_db *db, const char *sql, sqlite3_stmt **statement);

#endif /* LIB_TRACE_DB_TRACE_DB_INSIDE_H */
