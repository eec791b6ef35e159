// SPDX-License-Identifier: MIT
/*
 * Import: the packets of a capture into a trace database, all or none: see trace_db.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <smile/monitor.h>

#include "lib/trace-db/pairing.h"
#include "lib/trace-db/parts.h"

/* Ask so often whether to stop. */
#define STOP_PACKETS 65536U

/* What a chunk sums up. */
struct chunk {
	uint64_t first;
	int64_t first_ns;
	int64_t last_ns;
	int64_t low_address;
	int64_t high_address;
	uint64_t sources;
	uint64_t targets;
	uint64_t types;
	int64_t faults;
};

struct work {
	struct trace_db *db;
	struct trace_import *import;
	struct pairing *pairing;
	sqlite3_stmt *frame;
	sqlite3_stmt *chunk_row;
	struct chunk chunk;
	int64_t first_ns;
	int64_t last_ns;
	uint64_t digest;
};

static int chunk_put(struct work *work)
{
	const struct chunk *chunk = &work->chunk;
	const int64_t values[] = {
		(int64_t)work->import->trace,
		(int64_t)chunk->first,
		(int64_t)work->import->packets - 1,
		chunk->first_ns,
		chunk->last_ns,
		chunk->low_address,
		chunk->high_address,
		(int64_t)chunk->sources,
		(int64_t)chunk->targets,
		(int64_t)chunk->types,
		chunk->faults,
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		sqlite3_bind_int64(work->chunk_row, (int)i + 1, values[i]);
	sqlite3_step(work->chunk_row);
	return sqlite3_reset(work->chunk_row) == SQLITE_OK ? 0 : parts_failed(work->db);
}

static void chunk_begin(struct work *work)
{
	work->chunk = (struct chunk){
		.first = work->import->packets,
		.first_ns = INT64_MAX,
		.last_ns = INT64_MIN,
		.low_address = INT64_MAX,
		.high_address = -1,
	};
}

static void chunk_add(struct chunk *chunk, const struct frame *frame, int64_t time_ns)
{
	unsigned int class = frame_class_of(frame);
	int64_t address = (int64_t)(frame->bd2 & BLINK_BD2_ADDRESS);

	if (time_ns < chunk->first_ns)
		chunk->first_ns = time_ns;
	if (time_ns > chunk->last_ns)
		chunk->last_ns = time_ns;
	chunk->types |= 1ULL << frame->type;
	chunk->faults += frame->fault != FRAME_WHOLE;
	if (frame->fault == FRAME_SHORT)
		return;
	chunk->sources |= 1ULL << frame_source(frame) % 64;
	chunk->targets |= 1ULL << frame_target(frame) % 64;
	if (class != FRAME_REQUEST && class != FRAME_EVENT)
		return;
	if (address < chunk->low_address)
		chunk->low_address = address;
	if (address > chunk->high_address)
		chunk->high_address = address;
}

/* The same for the same packets, and for no others that are met by chance. */
static void digest_add(uint64_t *digest, const void *bytes, size_t count, uint64_t time_ns)
{
	const uint8_t *at = bytes;
	uint64_t value = *digest ^ (time_ns + count * 0x9e3779b97f4a7c15ULL), word;

	for (size_t i = 0; i < count; i += sizeof(word)) {
		word = 0;
		memcpy(&word, at + i, count - i < sizeof(word) ? count - i : sizeof(word));
		value = (value ^ word) * 0xff51afd7ed558ccdULL;
		value ^= value >> 32;
	}
	*digest = value * 0xc4ceb9fe1a85ec53ULL;
	*digest ^= *digest >> 29;
}

static int frame_put(struct work *work, const struct frame *frame, int64_t time_ns)
{
	sqlite3_stmt *row = work->frame;
	uint64_t packet = work->import->packets, request = 0;
	int paired = pairing_next(work->pairing, frame, packet, &request);
	size_t bytes = work->import->no_data ? frame_extended_bytes(frame) : frame->body_bytes;

	if (paired < 0)
		return parts_error(work->db, ENOMEM, "no memory for requests without response");
	sqlite3_bind_int64(row, 2, (int64_t)packet);
	sqlite3_bind_int(row, 3, frame->type);
	sqlite3_bind_int(row, 4, frame->fault);
	sqlite3_bind_int64(row, 5, time_ns);
	if (frame->fault == FRAME_SHORT) {
		sqlite3_bind_null(row, 6);
		sqlite3_bind_null(row, 7);
	} else {
		sqlite3_bind_int64(row, 6, (int64_t)frame->bd1);
		sqlite3_bind_int64(row, 7, (int64_t)frame->bd2);
	}
	if (paired)
		sqlite3_bind_int64(row, 8, (int64_t)(packet - request));
	else
		sqlite3_bind_null(row, 8);
	if (frame->fault == FRAME_WHOLE)
		sqlite3_bind_int64(row, 9, (int64_t)frame->trailer);
	else
		sqlite3_bind_null(row, 9);
	if (bytes)
		sqlite3_bind_blob(row, 10, frame->body, (int)bytes, SQLITE_STATIC);
	else
		sqlite3_bind_null(row, 10);
	sqlite3_step(row);
	return sqlite3_reset(row) == SQLITE_OK ? 0 : parts_failed(work->db);
}

static int packet_put(struct work *work, const void *bytes, size_t count, int64_t time_ns)
{
	struct trace_import *import = work->import;
	struct frame frame;
	int error;

	frame_parse(&frame, bytes, count);
	error = frame_put(work, &frame, time_ns);
	if (error)
		return error;
	if (!import->packets)
		work->first_ns = work->last_ns = time_ns;
	if (time_ns < work->first_ns)
		work->first_ns = time_ns;
	if (time_ns > work->last_ns)
		work->last_ns = time_ns;
	digest_add(&work->digest, bytes, count, (uint64_t)time_ns);
	chunk_add(&work->chunk, &frame, time_ns);
	import->faults += frame.fault != FRAME_WHOLE;
	import->packets++;
	if (import->packets % TRACE_DB_CHUNK)
		return 0;
	error = chunk_put(work);
	chunk_begin(work);
	return error;
}

/* The capture to its end, or to where it is damaged. */
static int packets_put(struct work *work, struct Monitor_capture *capture)
{
	struct trace_import *import = work->import;
	int stopped = 0;
	const void *bytes;
	uint64_t time_ns;
	size_t count;
	int got, error = 0;

	chunk_begin(work);
	while ((got = Monitor_capture_read(capture, &bytes, &count, &time_ns)) > 0) {
		if (time_ns > INT64_MAX) {
			snprintf(import->damage, sizeof(import->damage),
				 "packet %" PRIu64 " has a time stamp after the year 2262",
				 import->packets);
			break;
		}
		error = packet_put(work, bytes, count, (int64_t)time_ns);
		if (error)
			return error;
		if (import->packets % STOP_PACKETS == 0 && import->stop)
			stopped = import->stop(import->opaque, import->packets);
		if (stopped)
			break;
	}
	/* A signal may also have ended what writes a pipe. */
	if (import->stop && import->stop(import->opaque, import->packets))
		stopped = 1;
	if (stopped || got == -EINTR)
		return parts_error(work->db, EINTR,
				   "the import of %s was interrupted: nothing of it is in %s",
				   import->file, work->db->path);
	if (got < 0)
		snprintf(import->damage, sizeof(import->damage), "%s", Monitor_error_message());
	return work->chunk.first < import->packets ? chunk_put(work) : 0;
}

static void text_bind(sqlite3_stmt *statement, int at, const char *text)
{
	if (text && *text)
		sqlite3_bind_text(statement, at, text, -1, SQLITE_TRANSIENT);
	else
		sqlite3_bind_null(statement, at);
}

static int trace_put(struct work *work)
{
	const struct trace_import *import = work->import;
	sqlite3_stmt *row;
	int error = parts_prepare(work->db,
				  "INSERT INTO traces VALUES(?, ifnull(?, ''), ifnull(?, ''), ?, "
				  "?, ?, ?, ?, ?, ?, ?)",
				  &row);

	if (error)
		return error;
	sqlite3_bind_int64(row, 1, (int64_t)import->trace);
	text_bind(row, 2, import->name ? import->name : import->file);
	text_bind(row, 3, import->file);
	if (import->node >= 0)
		sqlite3_bind_int64(row, 4, import->node);
	sqlite3_bind_int64(row, 5, (int64_t)import->packets);
	sqlite3_bind_int64(row, 6, (int64_t)import->faults);
	if (import->packets) {
		sqlite3_bind_int64(row, 7, work->first_ns);
		sqlite3_bind_int64(row, 8, work->last_ns);
	}
	sqlite3_bind_int64(row, 9, (int64_t)work->digest);
	sqlite3_bind_int(row, 10, !import->no_data);
	text_bind(row, 11, import->damage);
	sqlite3_step(row);
	return sqlite3_finalize(row) == SQLITE_OK ? 0 : parts_failed(work->db);
}

/* The number of the trace with these packets. Return: 1, 0 if there is none, -errno. */
static int trace_find(struct work *work, uint64_t *trace)
{
	sqlite3_stmt *find;
	int found, error;

	error = parts_prepare(work->db, "SELECT trace FROM traces WHERE digest = ? AND packets = ?",
			      &find);
	if (error)
		return error;
	sqlite3_bind_int64(find, 1, (int64_t)work->digest);
	sqlite3_bind_int64(find, 2, (int64_t)work->import->packets);
	found = sqlite3_step(find) == SQLITE_ROW;
	if (found)
		*trace = (uint64_t)sqlite3_column_int64(find, 0);
	return sqlite3_finalize(find) == SQLITE_OK ? found : parts_failed(work->db);
}

/* The number of the next trace. */
static int trace_number(struct work *work)
{
	sqlite3_stmt *last;
	int64_t number = 0;
	int error = parts_prepare(work->db, "SELECT ifnull(max(trace), 0) FROM traces", &last);

	if (error)
		return error;
	if (sqlite3_step(last) == SQLITE_ROW)
		number = sqlite3_column_int64(last, 0);
	if (sqlite3_finalize(last) != SQLITE_OK)
		return parts_failed(work->db);
	if (number < 0 || number >= TRACE_DB_TRACES)
		return parts_error(work->db, EPROTO, "%s has a trace with the number %" PRId64,
				   work->db->path, number);
	work->import->trace = (uint64_t)number + 1;
	return 0;
}

static int work_begin(struct work *work)
{
	int error = trace_number(work);

	if (!error)
		error = parts_prepare(work->db,
				      "INSERT INTO frames VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
				      &work->frame);
	if (!error)
		error = parts_prepare(work->db,
				      "INSERT INTO chunks VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
				      &work->chunk_row);
	if (!error)
		sqlite3_bind_int64(work->frame, 1, (int64_t)work->import->trace);
	work->pairing = pairing_new();
	if (!error && !work->pairing)
		error = parts_error(work->db, ENOMEM, "no memory to import %s", work->import->file);
	return error;
}

static int work_do(struct work *work, struct Monitor_capture *capture)
{
	uint64_t trace = 0;
	int error = work_begin(work), found;

	if (!error)
		error = packets_put(work, capture);
	if (error)
		return error;
	found = trace_find(work, &trace);
	if (found < 0)
		return found;
	work->import->already = found;
	if (!found)
		return trace_put(work);
	work->import->trace = trace;
	return 0;
}

int trace_db_import(struct trace_db *db, struct Monitor_capture *capture,
		    struct trace_import *import)
{
	struct work work = {.db = db, .import = import, .digest = import->no_data};
	int error;

	import->packets = import->faults = 0;
	import->already = false;
	import->damage[0] = '\0';
	error = parts_run(db, "BEGIN IMMEDIATE");
	if (error)
		return error;
	error = work_do(&work, capture);
	sqlite3_finalize(work.frame);
	sqlite3_finalize(work.chunk_row);
	pairing_free(work.pairing);
	if (!error && !import->already)
		error = parts_run(db, "COMMIT");
	if (error || import->already)
		sqlite3_exec(db->sqlite, "ROLLBACK", NULL, NULL, NULL);
	return error;
}
