/* SPDX-License-Identifier: MIT */
/*
 * Trace database: stores every packet of captures in an ordinary SQLite file (docs/trace-db.md).
 *
 * What lives here: functions that open a database, import captures, and read rows. Every function
 * returns a number >= 0, or -errno after an error. trace_db_message() describes the error. Only one
 * thread at a time may use a database. Several databases may be open on one file. May use the
 * public API, SQLite and frame.h.
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

/* The number of rows of `frames` that one row of `chunks` summarises. */
#define TRACE_DB_CHUNK 4096U
/* The largest number of traces in a file. */
#define TRACE_DB_TRACES 1000000U

/**
 * trace_db_open() - Open a database for reading.
 * @path: a file that trace_db_create() has made
 *
 * The file can be from an untrusted person. It must have the schema of this version, and triggers,
 * views and virtual tables that are not in the schema are never executed.
 *
 * Errors: the errors of open(2); -EPROTO if the file is not a trace database.
 */
int trace_db_open(struct trace_db **out, const char *path);

/**
 * trace_db_create() - Open a database for imports. If the file does not exist, create it.
 */
int trace_db_create(struct trace_db **out, const char *path);

void trace_db_close(struct trace_db *db);

/**
 * trace_db_message() - Get the text of the last error. If @db is NULL, get the error of the last
 * attempt to open a database.
 */
const char *trace_db_message(const struct trace_db *db);

/**
 * trace_db_interrupt_after() - Limit the duration of a query. @steps: number of steps of SQLite's
 * virtual machine after which a query is aborted; 0: no limit
 *
 * An aborted query returns -ETIME. The steps are counted separately for each call of a function.
 */
void trace_db_interrupt_after(struct trace_db *db, uint64_t steps);

/*
 * ---- import ------------------------------------------------------------------------------------
 */

/**
 * struct trace_import - A capture to import, and the result.
 * @name: name of the trace; NULL: the name is @file. If the capture has several interfaces, the
 *        name of the interface is appended
 * @file: file of the capture
 * @interface: the selected interface of the capture; see Monitor_capture_select()
 * @node: node on whose B-Link the capture was taken; -1: not given. If the node is not given, it is
 *        N if the name of the interface is "nodeN" or "ringlet R: node N"; otherwise it is not
 *        known
 * @no_data: leave out payloads
 * @stop: called periodically with the number of packets that were imported so far. If the result is
 *        not 0, the import is aborted; NULL: not called
 * @opaque: passed to @stop
 * @trace: receives the number of the trace
 * @packets: receives the number of packets
 * @faults: receives the number of packets that are damaged or have no command
 * @already: receives true if the capture was already imported before, so that nothing was added
 * @interfaces: receives the number of interfaces that have packets
 * @interface_name: receives the name of the interface that was read; empty: the interface has no
 *                  name
 * @damage: receives a text that describes the damage at which the import has ended; empty: no
 *        damage
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
 * trace_db_begin() - Begin a transaction for several imports. Either all imports of the transaction
 * take effect, or none.
 */
int trace_db_begin(struct trace_db *db);

/**
 * trace_db_end() - End the transaction.
 * @keep: true: keep the imports; false: undo all imports of the transaction
 */
int trace_db_end(struct trace_db *db, bool keep);

/**
 * trace_db_import() - Import a capture. If the capture is damaged, import the packets before the
 * damage.
 *
 * If trace_db_begin() was not called, the import is a separate transaction. After an error, no
 * packet of the capture is in the database.
 *
 * Errors: -EINTR if @stop did not return 0, or after a signal.
 */
int trace_db_import(struct trace_db *db, struct Monitor_capture *capture,
		    struct trace_import *import);

/*
 * ---- traces ------------------------------------------------------------------------------------
 */

/**
 * struct trace_info - A row of `traces`. Long texts are cut off.
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
 * trace_db_traces() - Get all traces. If @traces is too small, get as many traces as it has room
 * for.
 *
 * Return: the number of traces.
 */
int trace_db_traces(struct trace_db *db, struct trace_info *traces, size_t room);

/**
 * trace_db_node_name() gets the name of a node, and trace_db_segment_name() gets the name of the
 * segment that contains an address. If the database does not have a name, the text is empty.
 */
void trace_db_node_name(struct trace_db *db, unsigned int node, char *name, size_t room);
void trace_db_segment_name(struct trace_db *db, unsigned int node, uint64_t address, char *name,
			   size_t room);

/*
 * ---- rows --------------------------------------------------------------------------------------
 */

/**
 * struct trace_row - A packet. The parts of the frame are valid until the next row is read. The
 * packet numbers below are numbers of packets in the same trace.
 * @request: number of the request that the packet answers; -1: the packet answers no request
 * @acknowledges: for an echo, number of the packet that it acknowledges; -1: no such packet
 * @repeats: for a packet that repeats a rejected packet, number of the first try; -1: the packet is
 *           a first try
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
 * struct trace_filter - Conditions that packets must fulfil. A member with a negative value is not
 * a condition; trace_filter_init() sets all numbers to negative values.
 * @trace: packets of this trace
 * @traces: packets of these traces, such as ",1,3,"; NULL: packets of any trace
 * @packet_first: packets with this number or a higher one
 * @packet_last: packets with this number or a lower one
 * @source: packets from this node
 * @target: packets to this node
 * @command: packets with this command; a command of readsb, writesb or locksb matches all 16
 *           commands of its group
 * @transaction: packets with this transaction id
 * @address_first: packets with this address or a higher one
 * @address_last: packets with this address or a lower one
 * @types: if bit n is set, packets of type n; 0: packets of any type
 * @time_first: packets at this time or later, ns
 * @time_last: packets at this time or earlier, ns
 * @faults: only damaged packets
 * @backwards: return the packets in reverse order
 * @merge: return the packets in the order of time, trace and number; otherwise in the order of
 *         trace and number
 * @limit: largest number of rows; 0: no limit
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
 * struct trace_rows - A running query. Only trace_rows_*() functions use its members.
 */
struct trace_rows {
	struct trace_db *db;
	struct sqlite3_stmt *statement;
	uint32_t conditions;
};

/**
 * trace_rows_begin() - Begin a query for packets. If filter->merge is set, the rows are in the
 * order of time; otherwise they are in the order of traces and packets.
 *
 * If filter->merge is set, SQLite sorts all rows before it returns the first row. Rows that do not
 * fit in SQLite's cache are stored in temporary files.
 *
 * For each set of conditions, the SQL statement is prepared once and kept for later queries.
 */
int trace_rows_begin(struct trace_rows *rows, struct trace_db *db,
		     const struct trace_filter *filter);

/**
 * trace_rows_next() - Get the next packet. Return: 1; 0 at the end.
 */
int trace_rows_next(struct trace_rows *rows, struct trace_row *row);
void trace_rows_end(struct trace_rows *rows);

/**
 * trace_db_packet() - Get one packet by its trace and number.
 * @bytes: receives the body of the packet, [TRACE_DB_BODY_BYTES]
 *
 * Errors: -ENOENT.
 */
#define TRACE_DB_BODY_BYTES 65536U
int trace_db_packet(struct trace_db *db, uint64_t trace, uint64_t packet, struct trace_row *row,
		    uint8_t *bytes);

/**
 * trace_db_response() - Find the response to a request in the same trace.
 * @window_ns: the longest time from the request to the response
 * @response: receives the number of the response
 *
 * Errors: -ENOENT.
 */
int trace_db_response(struct trace_db *db, const struct trace_row *request, int64_t window_ns,
		      uint64_t *response);

#endif /* LIB_TRACE_DB_TRACE_DB_H */
