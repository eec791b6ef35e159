// SPDX-License-Identifier: MIT
/*
 * Import: writes all packets of a capture into a trace database, or none of them: see trace_db.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>
#include <smile/monitor.h>

#include "lib/trace-db/row_feed.h"
#include "lib/trace-db/pairing.h"
#include "lib/trace-db/trace_db_inside.h"

/* The number of packets between two calls of trace_import.stop. */
#define STOP_PACKETS 65536U

/* Sums over the packets of a chunk. */
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

/**
 * struct work - State of an import.
 * @link: link type of the capture
 * @chunks: the complete chunks, and after them the incomplete chunk: shape [@chunk_count]
 * @chunk_room: number of chunks for which there is memory
 */
struct work {
	struct trace_db *db;
	struct trace_import *import;
	struct Monitor_capture *capture;
	int link;
	struct pairing *pairing;
	struct row_feed feed;
	struct chunk *chunks;
	size_t chunk_count;
	size_t chunk_room;
	int64_t first_ns;
	int64_t last_ns;
	uint64_t digest;
};

static int chunk_put(struct work *work, sqlite3_stmt *row, const struct chunk *chunk)
{
	uint64_t last = chunk->first + TRACE_DB_CHUNK;
	const int64_t values[] = {
		(int64_t)work->import->trace,
		(int64_t)chunk->first,
		(int64_t)(last < work->import->packets ? last : work->import->packets) - 1,
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
		sqlite3_bind_int64(row, (int)i + 1, values[i]);
	sqlite3_step(row);
	return sqlite3_reset(row) == SQLITE_OK ? 0 : parts_failed(work->db);
}

static int chunks_put(struct work *work)
{
	sqlite3_stmt *row;
	int error = parts_prepare(
		work->db, "INSERT INTO chunks VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", &row);

	for (size_t i = 0; !error && i < work->chunk_count; i++)
		error = chunk_put(work, row, &work->chunks[i]);
	sqlite3_finalize(row);
	return error;
}

/* Begin the chunk that contains the next packet. */
static int chunk_begin(struct work *work)
{
	if (array_reserve(&work->chunks, &work->chunk_room, work->chunk_count,
			  sizeof(*work->chunks)) < 0)
		return -ENOMEM;
	work->chunks[work->chunk_count++] = (struct chunk){
		.first = work->import->packets,
		.first_ns = INT64_MAX,
		.last_ns = INT64_MIN,
		.low_address = INT64_MAX,
		.high_address = -1,
	};
	return 0;
}

static void chunk_add(struct chunk *chunk, const struct frame *frame, int64_t time_ns)
{
	uint64_t offset;
	bool has_address = frame_address(frame, &offset);
	int64_t address = (int64_t)offset;

	if (time_ns < chunk->first_ns)
		chunk->first_ns = time_ns;
	if (time_ns > chunk->last_ns)
		chunk->last_ns = time_ns;
	chunk->types |= 1ULL << frame->type;
	chunk->faults += frame->fault != FRAME_WHOLE;
	if (!frame_has_nodes(frame))
		return;
	chunk->sources |= 1ULL << frame_source(frame) % 64;
	chunk->targets |= 1ULL << frame_target(frame) % 64;
	if (!has_address)
		return;
	if (address < chunk->low_address)
		chunk->low_address = address;
	if (address > chunk->high_address)
		chunk->high_address = address;
}

/*
 * Add bytes to a digest. Captures with equal packets have equal digests. Captures with different
 * packets have equal digests only if someone constructs them deliberately.
 */
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

static int packet_take(struct work *work, const void *bytes, size_t count, int64_t time_ns)
{
	struct trace_import *import = work->import;
	struct row_feed *feed = &work->feed;
	struct frame *frame = &feed->frame;
	uint64_t other = import->packets;
	int paired;

	if (work->link == CABLE_LINKTYPE)
		frame_parse_cable(frame, bytes, count);
	else
		frame_parse(frame, bytes, count);
	paired = pairing_next(work->pairing, frame, import->packets, &other);
	if (paired < 0 || (import->packets % TRACE_DB_CHUNK == 0 && chunk_begin(work)))
		return parts_error(work->db, ENOMEM, "no memory to import %s", import->file);
	feed->packet = (int64_t)import->packets;
	feed->time_ns = time_ns;
	feed->pair = (int64_t)(import->packets - other);
	if (paired != PAIRING_REQUEST)
		feed->pair = -feed->pair;
	feed->body_bytes = import->no_data ? frame_extended_bytes(frame) : frame->body_bytes;
	if (!import->packets)
		work->first_ns = work->last_ns = time_ns;
	if (time_ns < work->first_ns)
		work->first_ns = time_ns;
	if (time_ns > work->last_ns)
		work->last_ns = time_ns;
	digest_add(&work->digest, bytes, count, (uint64_t)time_ns);
	chunk_add(&work->chunks[work->chunk_count - 1], frame, time_ns);
	import->faults += frame->fault != FRAME_WHOLE;
	import->packets++;
	return 1;
}

static int interrupted(struct work *work)
{
	return parts_error(work->db, EINTR,
			   "the import of %s was interrupted: nothing of it is in %s",
			   work->import->file, work->db->path);
}

/*
 * Read the next packet. At the end of the capture, or at damaged data, return that there is no
 * further packet.
 */
static int packet_next(void *opaque)
{
	struct work *work = opaque;
	struct trace_import *import = work->import;
	const void *bytes;
	uint64_t time_ns;
	size_t count;
	int got;

	if (import->stop && import->packets % STOP_PACKETS == 0 &&
	    import->stop(import->opaque, import->packets))
		return interrupted(work);
	got = Monitor_capture_read(work->capture, &bytes, &count, &time_ns);
	if (got > 0 && time_ns <= INT64_MAX)
		return packet_take(work, bytes, count, (int64_t)time_ns);
	/*
	 * A signal may have ended the program that writes the pipe, so check for a signal even at
	 * the end of the capture.
	 */
	if (got == -EINTR || (import->stop && import->stop(import->opaque, import->packets)))
		return interrupted(work);
	if (got == -ENOTSUP)
		return parts_error(work->db, ENOTSUP, "%s", Monitor_error_message());
	if (got > 0)
		snprintf(import->damage, sizeof(import->damage),
			 "packet %" PRIu64 " has a time stamp after the year 2262",
			 import->packets);
	else if (got < 0)
		snprintf(import->damage, sizeof(import->damage), "%s", Monitor_error_message());
	return 0;
}

static int packets_put(struct work *work)
{
	int result = row_feed_run(work->db->sqlite, &work->feed);

	if (work->feed.result < 0)
		return work->feed.result;
	if (result != SQLITE_OK)
		return parts_failed(work->db);
	/*
	 * If the file has a table with the same name as the virtual table of row_feed.c, SQLite has
	 * read that table instead.
	 */
	if ((uint64_t)sqlite3_changes64(work->db->sqlite) != work->import->packets)
		return parts_error(work->db, EPROTO,
				   "%s has a table named 'temp_feed': rename this table",
				   work->db->path);
	return chunks_put(work);
}

static void text_bind(sqlite3_stmt *statement, int at, const char *text)
{
	if (text && *text)
		sqlite3_bind_text(statement, at, text, -1, SQLITE_TRANSIENT);
	else
		sqlite3_bind_null(statement, at);
}

/*
 * Get the node from the name of an interface. `smile trace record` writes names such as "nodeN",
 * and `smile ring` writes names such as "ringlet R: node N". Return: the node; -1 if the name has
 * no node.
 */
static int64_t node_of(const char *interface)
{
	unsigned int ringlet, node = UINT16_MAX + 1;
	char more;

	if (sscanf(interface, "node%5u%c", &node, &more) != 1 &&
	    sscanf(interface, "ringlet %5u: node %5u%c", &ringlet, &node, &more) != 2)
		return -1;
	return node <= UINT16_MAX ? (int64_t)node : -1;
}

/*
 * Find the properties of the interface. They are known only after packets of the interface were
 * read.
 */
static void interface_find(struct work *work)
{
	struct trace_import *import = work->import;
	const char *name;
	int count = Monitor_capture_interface(work->capture, import->interface, &name);

	import->interfaces = count > 0 ? (unsigned int)count : 1;
	snprintf(import->interface_name, sizeof(import->interface_name), "%s", name ? name : "");
}

static void name_bind(sqlite3_stmt *row, int at, const struct trace_import *import)
{
	const char *name = import->name ? import->name : import->file;
	char *longer;

	if (import->interfaces == 1) {
		text_bind(row, at, name);
		return;
	}
	if (import->interface_name[0])
		longer = sqlite3_mprintf("%s:%s", name ? name : "", import->interface_name);
	else
		longer = sqlite3_mprintf("%s:%u", name ? name : "", import->interface);
	text_bind(row, at, longer);
	sqlite3_free(longer);
}

static int trace_put(struct work *work)
{
	const struct trace_import *import = work->import;
	int64_t node = import->node >= 0 ? import->node : node_of(import->interface_name);
	sqlite3_stmt *row;
	int error = parts_prepare(work->db,
				  "INSERT INTO traces VALUES(?, ifnull(?, ''), ifnull(?, ''), ?, "
				  "?, ?, ?, ?, ?, ?, ?)",
				  &row);

	if (error)
		return error;
	sqlite3_bind_int64(row, 1, (int64_t)import->trace);
	name_bind(row, 2, import);
	text_bind(row, 3, import->file);
	if (node >= 0)
		sqlite3_bind_int64(row, 4, node);
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

/* Find a trace that has the same packets. Return: 1; 0 if no trace has the same packets; -errno. */
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

/* Set the number of the next trace. */
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

	work->feed.next = packet_next;
	work->feed.opaque = work;
	work->feed.trace = (int64_t)work->import->trace;
	work->pairing = pairing_new();
	if (!error && !work->pairing)
		error = parts_error(work->db, ENOMEM, "no memory to import %s", work->import->file);
	return error;
}

static int work_do(struct work *work)
{
	uint64_t trace = 0;
	int error = work_begin(work), found;

	if (!error)
		error = packets_put(work);
	if (error)
		return error;
	interface_find(work);
	found = trace_find(work, &trace);
	if (found < 0)
		return found;
	work->import->already = found;
	if (!found)
		return trace_put(work);
	work->import->trace = trace;
	return 0;
}

int trace_db_begin(struct trace_db *db)
{
	return parts_run(db, "BEGIN IMMEDIATE");
}

int trace_db_end(struct trace_db *db, bool keep)
{
	int error = keep ? parts_run(db, "COMMIT") : 0;

	/*
	 * Ignore an error of the ROLLBACK, because some errors have already rolled back the
	 * transaction.
	 */
	if (!keep || error)
		sqlite3_exec(db->sqlite, "ROLLBACK", NULL, NULL, NULL);
	return error;
}

/* Undo the changes of this import, but not of earlier imports in the same transaction. */
static int import_take_back(struct trace_db *db)
{
	return parts_run(db, "ROLLBACK TO import; RELEASE import");
}

int trace_db_import(struct trace_db *db, struct Monitor_capture *capture,
		    struct trace_import *import)
{
	struct work work = {
		.db = db,
		.import = import,
		.capture = capture,
		.link = Monitor_capture_link(capture),
		.digest = import->no_data,
	};
	bool own = sqlite3_get_autocommit(db->sqlite);
	int error;

	import->packets = import->faults = 0;
	import->already = false;
	import->damage[0] = import->interface_name[0] = '\0';
	import->interfaces = 1;
	error = own ? trace_db_begin(db) : parts_run(db, "SAVEPOINT import");
	if (error)
		return error;
	error = work_do(&work);
	free(work.chunks);
	pairing_free(work.pairing);
	if (own && error)
		trace_db_end(db, false);
	else if (own)
		error = trace_db_end(db, !import->already);
	else if (!error)
		error = import->already ? import_take_back(db) : parts_run(db, "RELEASE import");
	return error;
}
