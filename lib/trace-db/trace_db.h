/* SPDX-License-Identifier: MIT */
/*
 * Trace database: every packet of captures in one plain SQLite file (docs/trace-db.md).
 *
 * What lives here: opening, importing, and reading rows. Every call returns >= 0, or -errno, and
 * trace_db_message() then describes the error. A database is for one thread at a time; several
 * databases may be open on one file. It may use the public API, SQLite and frame.h.
 */
#ifndef LIB_TRACE_DB_TRACE_DB_H
#define LIB_TRACE_DB_TRACE_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/trace-db/frame.h"

struct Monitor_capture;
struct sqlite3;
struct sqlite3_stmt;
struct trace_db;

/* Number of rows of `frames` that one row of `chunks` sums up. */
#define TRACE_DB_CHUNK 4096U
/* The largest number of traces in a file. */
#define TRACE_DB_TRACES 1000000U

/**
 * trace_db_open() - Open a database to read.
 * @path: a file that trace_db_create() made
 *
 * The file is not trusted: it must have the schema of this version, and no trigger, view or virtual
 * table of another schema is run. Errors: as open(2); -EPROTO if it is not a trace database.
 */
int trace_db_open(struct trace_db **out, const char *path);

/**
 * trace_db_create() - Open a database to import into; create it if it does not exist.
 */
int trace_db_create(struct trace_db **out, const char *path);

void trace_db_close(struct trace_db *db);

/**
 * trace_db_message() - The text of the last error. @db may be NULL: the error of opening.
 */
const char *trace_db_message(const struct trace_db *db);

/**
 * trace_db_interrupt_after() - Abort a query after this number of steps of SQLite's machine; 0:
 * never.
 *
 * An aborted query returns -ETIME. The count restarts with each call.
 */
void trace_db_interrupt_after(struct trace_db *db, uint64_t steps);

/*
 * ---- import ------------------------------------------------------------------------------------
 */

/**
 * struct trace_import - A capture to import, and the result.
 * @name: name of the trace; NULL: @file. If there are several interfaces, the interface's name is
 *        appended
 * @file: file of the capture
 * @interface: the selected interface of the capture, see Monitor_capture_select()
 * @node: node on whose B-Link it was taken; -1: node N of an interface "nodeN", or of the link
 *        after it, "ringlet R: node N"; else not known
 * @no_data: leave payloads out
 * @stop: called periodically, with the number of packets so far; a non-zero result aborts the
 *        import. NULL: not called
 * @opaque: for @stop
 * @trace: receives its number
 * @packets: receives the number of packets
 * @faults: receives the number of packets that are damaged or have no command
 * @already: receives whether the capture was imported before: then nothing is added
 * @interfaces: receives the number of interfaces with packets
 * @interface_name: receives the name of the interface that was read; empty: it has none
 * @damage: receives the damage that ends the capture early; empty: none
 */
struct trace_import {
	const char *name;
	const char *file;
	unsigned int interface;
	int64_t node;
	bool no_data;
	int (*stop)(void *opaque, uint64_t packets);
	void *opaque;
	uint64_t trace;
	uint64_t packets;
	uint64_t faults;
	bool already;
	unsigned int interfaces;
	char interface_name[64];
	char damage[256];
};

/**
 * trace_db_begin() - Begin a transaction for several imports: all of them or none.
 */
int trace_db_begin(struct trace_db *db);

/**
 * trace_db_end() - End the transaction.
 * @keep: false: undo all of its imports
 */
int trace_db_end(struct trace_db *db, bool keep);

/**
 * trace_db_import() - Read a capture to its end: all of it or nothing.
 *
 * Without trace_db_begin() the import is a separate transaction.
 *
 * A damaged capture is imported up to the damage. Errors: -EINTR if @stop was not 0 or on a
 * signal.
 */
int trace_db_import(struct trace_db *db, struct Monitor_capture *capture,
		    struct trace_import *import);

/*
 * ---- traces ------------------------------------------------------------------------------------
 */

/**
 * struct trace_info - A row of `traces`. Texts are cut to fit.
 */
struct trace_info {
	uint64_t trace;
	char name[128];
	char file[256];
	int64_t node;
	uint64_t packets;
	uint64_t faults;
	int64_t first_ns;
	int64_t last_ns;
	char damage[256];
};

/**
 * trace_db_traces() - All traces, or as many as fit.
 *
 * Return: the number of traces.
 */
int trace_db_traces(struct trace_db *db, struct trace_info *traces, size_t room);

/**
 * trace_db_node_name() - The name of a node or, with an address, of a segment. Empty if it has
 * none.
 */
void trace_db_node_name(struct trace_db *db, unsigned int node, char *name, size_t room);
void trace_db_segment_name(struct trace_db *db, unsigned int node, uint64_t address, char *name,
			   size_t room);

/*
 * ---- rows --------------------------------------------------------------------------------------
 */

/**
 * struct trace_row - A packet. The frame's parts are valid until the next row. Numbers are of
 * packets in the same trace.
 * @request: number of the request that it answers; -1: none
 * @acknowledges: of an echo: number of the packet that it acknowledges; -1: none
 * @repeats: of a packet that was rejected and is repeated: number of its first try; -1: none
 */
struct trace_row {
	uint64_t trace;
	uint64_t packet;
	int64_t time_ns;
	int64_t request;
	int64_t acknowledges;
	int64_t repeats;
	struct frame frame;
};

#define TRACE_ANY (-1)

/**
 * struct trace_filter - Conditions on packets. A number below 0 matches all; trace_filter_init()
 * sets that.
 * @trace: packets of this trace
 * @traces: packets of these traces, as ",1,3,"; NULL: of any trace
 * @packet_first: from this number on
 * @packet_last: up to this number
 * @source: from this node
 * @target: to this node
 * @command: with this command; a command of readsb, writesb or locksb matches all 16 of its group
 * @transaction: with this transaction id
 * @address_first: with an address from this address on
 * @address_last: up to this address
 * @types: bit n: packets of type n; 0: of any type
 * @time_first: from this time on, ns
 * @time_last: up to this time
 * @faults: only damaged packets
 * @backwards: in reverse order
 * @merge: in the order of time, trace and number, instead of trace and number
 * @limit: largest number of rows; 0: all
 */
struct trace_filter {
	int64_t trace;
	const char *traces;
	int64_t packet_first;
	int64_t packet_last;
	int64_t source;
	int64_t target;
	int64_t command;
	int64_t transaction;
	int64_t address_first;
	int64_t address_last;
	uint64_t types;
	int64_t time_first;
	int64_t time_last;
	bool faults;
	bool backwards;
	bool merge;
	uint64_t limit;
};

void trace_filter_init(struct trace_filter *filter);

/**
 * struct trace_rows - A running query. Its members are private.
 */
struct trace_rows {
	struct trace_db *db;
	struct sqlite3_stmt *statement;
	uint32_t conditions;
};

/**
 * trace_rows_begin() - Query packets in the order of traces and packets, or of time.
 *
 * With @filter->merge, rows are sorted before the first row is returned: memory is limited to
 * SQLite's cache, and the other rows are stored in temporary files.
 *
 * Statements are prepared once for each set of conditions, and kept.
 */
int trace_rows_begin(struct trace_rows *rows, struct trace_db *db,
		     const struct trace_filter *filter);

/**
 * trace_rows_next() - Next packet. Return: 1, 0 at the end.
 */
int trace_rows_next(struct trace_rows *rows, struct trace_row *row);
void trace_rows_end(struct trace_rows *rows);

/**
 * trace_db_packet() - One packet by trace and number.
 * @bytes: receives its body, [TRACE_DB_BODY_BYTES]
 *
 * Errors: -ENOENT.
 */
#define TRACE_DB_BODY_BYTES 65536U
int trace_db_packet(struct trace_db *db, uint64_t trace, uint64_t packet, struct trace_row *row,
		    uint8_t *bytes);

/**
 * trace_db_response() - The response to a request in the same trace.
 * @window_ns: search at most this time after the request
 * @response: receives the number of the response
 *
 * Errors: -ENOENT.
 */
int trace_db_response(struct trace_db *db, const struct trace_row *request, int64_t window_ns,
		      uint64_t *response);

#endif /* LIB_TRACE_DB_TRACE_DB_H */
