// SPDX-License-Identifier: MIT
/*
 * Rows: reads the packets that fulfil conditions, or a packet by its number. See trace_db.h.
 *
 * What lives here: the SQL statements. There is one statement for each set of conditions. The
 * numbers in the conditions are bound to the parameters of the statement. The statement first reads
 * the table of chunks, so that it skips chunks without a matching packet.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/trace-db/trace_db_inside.h"

#define COLUMNS                                                                                    \
	"f.trace, f.packet, f.time_ns, f.type, f.fault, f.bd1, f.bd2, f.pair, f.trailer, f.body"

/* The conditions. The number of a condition is the number of its bit in a set of conditions. */
enum condition {
	BY_TRACE,
	FROM_PACKET,
	TO_PACKET,
	BY_SOURCE,
	BY_TARGET,
	BY_COMMAND,
	BY_GROUP,
	BY_TRANSACTION,
	FROM_ADDRESS,
	TO_ADDRESS,
	BY_TYPES,
	FROM_TIME,
	TO_TIME,
	BY_FAULT,
	BACKWARDS,
	BY_TRACES,
	BY_TIME,
	CONDITIONS,
};

/* Exclude echoes, which have other data in the bits of the command. */
#define HAS_COMMAND "f.type NOT IN (9, 18)"
/* Fault 12 is a wrong CRC of the cable. Faults 0 to 5 are the faults of the B-Link. */
#define HAS_ADDRESS                                                                                \
	"(f.type BETWEEN 21 AND 28 OR (f.type BETWEEN 1 AND 8 AND f.fault IN (0, 12)) "            \
	"OR (f.type = 0 AND f.fault <= 5 AND f.bd1 >> 16 & 127 = 72))"

/*
 * The SQL text for each condition. The parameter of the condition with bit N is numbered N + 1. The
 * parameter for the bit of a node in a chunk is numbered N + 33.
 */
static const struct {
	const char *chunk;
	const char *frame;
} conditions[CONDITIONS] = {
	[BY_TRACE] = {"c.trace = ?1", NULL},
	[FROM_PACKET] = {"c.last >= ?2", "f.packet >= ?2"},
	[TO_PACKET] = {"c.first <= ?3", "f.packet <= ?3"},
	[BY_SOURCE] = {"c.sources & ?36", "f.bd1 & 65535 = ?4"},
	[BY_TARGET] = {"c.targets & ?37", "f.bd1 >> 32 & 65535 = ?5"},
	[BY_COMMAND] = {NULL, "f.bd1 >> 16 & 127 = ?6 AND " HAS_COMMAND},
	[BY_GROUP] = {NULL, "f.bd1 >> 16 & 112 = ?7 AND " HAS_COMMAND},
	[BY_TRANSACTION] = {NULL, "f.bd1 >> 48 & 63 = ?8"},
	[FROM_ADDRESS] = {"c.high_address >= ?9", "f.bd2 & 281474976710655 >= ?9"},
	[TO_ADDRESS] = {"c.low_address <= ?10", "f.bd2 & 281474976710655 <= ?10"},
	[BY_TYPES] = {"c.types & ?11", "(?11 >> f.type) & 1"},
	[FROM_TIME] = {"c.last_ns >= ?12", "f.time_ns >= ?12"},
	[TO_TIME] = {"c.first_ns <= ?13", "f.time_ns <= ?13"},
	[BY_FAULT] = {"c.faults", "f.fault"},
	[BY_TRACES] = {"instr(?16, ',' || c.trace || ',')", NULL},
};

void trace_filter_init(struct trace_filter *filter)
{
	*filter = (struct trace_filter){
		.trace = TRACE_ANY,
		.packet_first = TRACE_ANY,
		.packet_last = TRACE_ANY,
		.source = TRACE_ANY,
		.target = TRACE_ANY,
		.command = TRACE_ANY,
		.transaction = TRACE_ANY,
		.address_first = TRACE_ANY,
		.address_last = TRACE_ANY,
		.time_first = TRACE_ANY,
		.time_last = TRACE_ANY,
	};
}

static uint32_t conditions_of(const struct trace_filter *filter)
{
	int group = filter->command >= 0 && filter->command < BLINK_NREAD64;
	uint32_t set = 0;

	set |= (uint32_t)(filter->trace >= 0) << BY_TRACE;
	set |= (uint32_t)(filter->packet_first >= 0) << FROM_PACKET;
	set |= (uint32_t)(filter->packet_last >= 0) << TO_PACKET;
	set |= (uint32_t)(filter->source >= 0) << BY_SOURCE;
	set |= (uint32_t)(filter->target >= 0) << BY_TARGET;
	set |= (uint32_t)(filter->command >= 0) << (group ? BY_GROUP : BY_COMMAND);
	set |= (uint32_t)(filter->transaction >= 0) << BY_TRANSACTION;
	set |= (uint32_t)(filter->address_first >= 0) << FROM_ADDRESS;
	set |= (uint32_t)(filter->address_last >= 0) << TO_ADDRESS;
	set |= (uint32_t)(filter->types != 0) << BY_TYPES;
	set |= (uint32_t)(filter->time_first >= 0) << FROM_TIME;
	set |= (uint32_t)(filter->time_last >= 0) << TO_TIME;
	set |= (uint32_t)filter->faults << BY_FAULT;
	set |= (uint32_t)filter->backwards << BACKWARDS;
	set |= (uint32_t)(filter->traces != NULL) << BY_TRACES;
	set |= (uint32_t)filter->merge << BY_TIME;
	return set;
}

/* Make the statement for a set of conditions. Return: 0; -errno. */
static int statement_make(struct trace_db *db, uint32_t set, sqlite3_stmt **statement)
{
	const uint32_t addresses = 1U << FROM_ADDRESS | 1U << TO_ADDRESS;
	const char *down = set >> BACKWARDS & 1 ? " DESC" : "";
	char sql[2048], *at = sql, *end = sql + sizeof(sql);

	/* CROSS JOIN makes SQLite's planner use chunks as the outer table. */
	at += snprintf(at, (size_t)(end - at),
		       "SELECT " COLUMNS " FROM chunks AS c CROSS JOIN frames AS f "
		       "ON f.trace = c.trace AND f.packet BETWEEN c.first AND c.last WHERE 1");
	for (unsigned int i = 0; i < CONDITIONS; i++) {
		if (!(set >> i & 1))
			continue;
		if (conditions[i].chunk)
			at += snprintf(at, (size_t)(end - at), " AND %s", conditions[i].chunk);
		if (conditions[i].frame)
			at += snprintf(at, (size_t)(end - at), " AND %s", conditions[i].frame);
	}
	if (set & addresses)
		at += snprintf(at, (size_t)(end - at), " AND " HAS_ADDRESS);
	/*
	 * Time stamps can decrease, so that SQLite must sort the rows. If they exceed its cache, it
	 * sorts them in temporary files.
	 */
	snprintf(at, (size_t)(end - at), " ORDER BY %s%s, %s%s, f.packet%s LIMIT ?32",
		 set >> BY_TIME & 1 ? "f.time_ns" : "c.trace", down,
		 set >> BY_TIME & 1 ? "f.trace" : "c.first", down, down);
	return parts_prepare(db, sql, statement);
}

/*
 * Find a statement for the set of conditions that no other query is using, or make a new one.
 * Return: 0; -errno.
 */
static int statement_take(struct trace_db *db, uint32_t set, sqlite3_stmt **statement)
{
	for (size_t i = 0; i < PARTS_KEPT; i++) {
		if (!db->kept[i].statement || db->kept[i].conditions != set ||
		    sqlite3_stmt_busy(db->kept[i].statement))
			continue;
		*statement = db->kept[i].statement;
		db->kept[i].statement = NULL;
		return 0;
	}
	return statement_make(db, set, statement);
}

static void numbers_bind(sqlite3_stmt *statement, const struct trace_filter *filter)
{
	const int64_t numbers[] = {
		[BY_TRACE] = filter->trace,
		[FROM_PACKET] = filter->packet_first,
		[TO_PACKET] = filter->packet_last,
		[BY_SOURCE] = filter->source,
		[BY_TARGET] = filter->target,
		[BY_COMMAND] = filter->command,
		[BY_GROUP] = filter->command & 0x70,
		[BY_TRANSACTION] = filter->transaction,
		[FROM_ADDRESS] = filter->address_first,
		[TO_ADDRESS] = filter->address_last,
		[BY_TYPES] = (int64_t)filter->types,
		[FROM_TIME] = filter->time_first,
		[TO_TIME] = filter->time_last,
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sqlite3_bind_int64(statement, (int)i + 1, numbers[i]);
	if (filter->traces)
		sqlite3_bind_text(statement, BY_TRACES + 1, filter->traces, -1, SQLITE_TRANSIENT);
	sqlite3_bind_int64(statement, 32, filter->limit ? (int64_t)filter->limit : -1);
	sqlite3_bind_int64(statement, 32 + BY_SOURCE + 1, (int64_t)(1ULL << (filter->source & 63)));
	sqlite3_bind_int64(statement, 32 + BY_TARGET + 1, (int64_t)(1ULL << (filter->target & 63)));
}

int trace_rows_begin(struct trace_rows *rows, struct trace_db *db,
		     const struct trace_filter *filter)
{
	int error;

	*rows = (struct trace_rows){.db = db, .conditions = conditions_of(filter)};
	error = statement_take(db, rows->conditions, &rows->statement);
	if (error)
		return error;
	numbers_bind(rows->statement, filter);
	return 0;
}

/* Fill in a row, and check that its values are possible for a frame. Return: 1; -errno. */
static int row_take(struct trace_db *db, sqlite3_stmt *from, struct trace_row *row)
{
	struct frame *frame = &row->frame;
	int64_t fault = sqlite3_column_int64(from, 4), type = sqlite3_column_int64(from, 3);

	row->trace = (uint64_t)sqlite3_column_int64(from, 0);
	row->packet = (uint64_t)sqlite3_column_int64(from, 1);
	row->time_ns = sqlite3_column_int64(from, 2);
	row->request = row->acknowledges = row->repeats = -1;
	frame->bd1 = (uint64_t)sqlite3_column_int64(from, 5);
	frame->bd2 = (uint64_t)sqlite3_column_int64(from, 6);
	frame->trailer = (uint64_t)sqlite3_column_int64(from, 8);
	frame->body = sqlite3_column_blob(from, 9);
	frame->body_bytes = (size_t)sqlite3_column_bytes(from, 9);
	if (fault < 0 || fault >= FRAME_FAULTS || type < 0 || type > BLINK_TYPE_MAX ||
	    (!frame->body && frame->body_bytes) || frame->body_bytes > TRACE_DB_BODY_BYTES)
		return parts_error(db, EPROTO,
				   "%s is damaged: packet %" PRIu64 " of trace %" PRIu64, db->path,
				   row->packet, row->trace);
	frame->fault = (uint8_t)fault;
	frame->type = (uint8_t)type;
	if (sqlite3_column_type(from, 7) != SQLITE_NULL) {
		int64_t distance = sqlite3_column_int64(from, 7);

		if (distance > 0 && (uint64_t)distance <= row->packet)
			row->request = (int64_t)row->packet - distance;
		else if (distance < 0 && distance >= -(int64_t)row->packet)
			*(frame_class_of(frame) == FRAME_ECHO ? &row->acknowledges
							      : &row->repeats) =
				(int64_t)row->packet + distance;
	}
	return 1;
}

int trace_rows_next(struct trace_rows *rows, struct trace_row *row)
{
	switch (sqlite3_step(rows->statement)) {
	case SQLITE_ROW:
		return row_take(rows->db, rows->statement, row);
	case SQLITE_DONE:
		return 0;
	default:
		return parts_failed(rows->db);
	}
}

void trace_rows_end(struct trace_rows *rows)
{
	struct trace_db *db = rows->db;
	unsigned int place = db->kept_next;

	if (!rows->statement)
		return;
	sqlite3_reset(rows->statement);
	sqlite3_finalize(db->kept[place].statement);
	db->kept[place].statement = rows->statement;
	db->kept[place].conditions = rows->conditions;
	db->kept_next = (place + 1) % PARTS_KEPT;
	rows->statement = NULL;
}

int trace_db_packet(struct trace_db *db, uint64_t trace, uint64_t packet, struct trace_row *row,
		    uint8_t *bytes)
{
	static const char sql[] =
		"SELECT " COLUMNS " FROM frames AS f WHERE trace = ?1 AND packet = ?2";
	sqlite3_stmt *statement;
	int error, got;

	if (trace > INT64_MAX || packet > INT64_MAX)
		return parts_error(db, ENOENT, "the packet does not exist in %s", db->path);
	error = parts_prepare(db, sql, &statement);
	if (error)
		return error;
	sqlite3_bind_int64(statement, 1, (int64_t)trace);
	sqlite3_bind_int64(statement, 2, (int64_t)packet);
	switch (sqlite3_step(statement)) {
	case SQLITE_ROW:
		got = row_take(db, statement, row);
		if (got > 0) {
			if (row->frame.body_bytes)
				memcpy(bytes, row->frame.body, row->frame.body_bytes);
			row->frame.body = bytes;
			got = 0;
		}
		break;
	case SQLITE_DONE:
		got = parts_error(db, ENOENT,
				  "%s has no packet %" PRIu64 " in a trace %" PRIu64
				  ": `smile trace list` lists the traces and packets",
				  db->path, packet, trace);
		break;
	default:
		got = parts_failed(db);
		break;
	}
	sqlite3_finalize(statement);
	return got;
}

/*
 * Find the first packet that fulfils the filter and answers a request. Return: 1; 0 if there is no
 * such packet; -errno.
 */
static int answer_find(struct trace_db *db, const struct trace_filter *filter, int64_t request,
		       uint64_t *response)
{
	struct trace_rows rows;
	struct trace_row row;
	int got = trace_rows_begin(&rows, db, filter);

	while (got >= 0 && (got = trace_rows_next(&rows, &row)) > 0) {
		if (row.request < 0)
			continue;
		got = 0;
		/* This response answers a later request, so the given request has no response. */
		if (row.request == request) {
			*response = row.packet;
			got = 1;
		}
		break;
	}
	trace_rows_end(&rows);
	return got;
}

int trace_db_response(struct trace_db *db, const struct trace_row *request, int64_t window_ns,
		      uint64_t *response)
{
	struct trace_filter filter;
	int got;

	trace_filter_init(&filter);
	filter.trace = (int64_t)request->trace;
	filter.packet_first = (int64_t)request->packet + 1;
	filter.source = frame_target(&request->frame);
	filter.target = frame_source(&request->frame);
	filter.transaction = frame_transaction(&request->frame);
	filter.time_last =
		request->time_ns > INT64_MAX - window_ns ? INT64_MAX : request->time_ns + window_ns;
	got = answer_find(db, &filter, (int64_t)request->packet, response);
	/* If an echo stands for the response, it has the direction of the request. */
	if (!got && frame_is_cable(&request->frame)) {
		filter.source = frame_source(&request->frame);
		filter.target = frame_target(&request->frame);
		filter.types = 1ULL << CABLE_TYPE_RESPONSE_ECHO;
		got = answer_find(db, &filter, (int64_t)request->packet, response);
	}
	if (got < 0)
		return got;
	return got ? 0 : parts_error(db, ENOENT, "the request has no response in its trace");
}
