/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The peers of `smile trace import`.
 *
 *	read CAPTURE         read it to its end
 *	insert CAPTURE DB    the columns that other programs rely on, as plain SQLite inserts in
 *	                     one transaction
 *	enlarge DB PACKETS   enlarge trace 1 to PACKETS packets, by copies of its packets
 *	find DB PACKETS      read 10,000 random packets of trace 1 by number; print the
 *	                     microseconds per packet
 *
 * Uses the public API, SQLite and the frame format.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sqlite3.h>

#include <hw/blink.h>
#include <smile/monitor.h>

#define FINDS 10000

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "trace_db_peer: %s\n", what);
	exit(2);
}

static uint64_t word(const void *frame, size_t at)
{
	uint64_t value;

	memcpy(&value, (const char *)frame + at, sizeof(value));
	return value;
}

static sqlite3 *database_open(const char *path)
{
	sqlite3 *database;

	must(sqlite3_open(path, &database) == SQLITE_OK, path);
	return database;
}

static void run(sqlite3 *database, const char *sql)
{
	must(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK, sqlite3_errmsg(database));
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql)
{
	sqlite3_stmt *statement;

	must(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK,
	     sqlite3_errmsg(database));
	return statement;
}

static void row_bind(sqlite3_stmt *row, uint64_t packet, const void *frame, size_t bytes,
		     uint64_t time_ns)
{
	uint64_t bd1 = word(frame, 0), bd2 = word(frame, BLINK_WORD_BYTES);

	sqlite3_bind_int(row, 1, 1);
	sqlite3_bind_int64(row, 2, (int64_t)packet);
	sqlite3_bind_int(row, 3, 25);
	sqlite3_bind_int64(row, 4, (int64_t)time_ns);
	sqlite3_bind_int(row, 5, (int)(bd1 >> 32 & 0xffff));
	sqlite3_bind_int(row, 6, (int)(bd1 & 0xffff));
	sqlite3_bind_int(row, 7, (int)(bd1 >> 16 & 0x7f));
	sqlite3_bind_int(row, 8, (int)(bd1 >> 48 & 0x3f));
	sqlite3_bind_int64(row, 9, (int64_t)(bd2 & BLINK_BD2_ADDRESS));
	sqlite3_bind_int(row, 10, (int)bytes - 24);
	sqlite3_bind_int(row, 11, (int)(bd1 >> 23 & 1));
}

static uint64_t read_all(const char *path, sqlite3_stmt *row)
{
	struct Monitor_capture *capture;
	const void *frame;
	uint64_t time_ns, packets = 0;
	size_t bytes;
	int got;

	must(Monitor_capture_open(&capture, path) == 0, Monitor_error_message());
	while ((got = Monitor_capture_read(capture, &frame, &bytes, &time_ns)) > 0) {
		if (row) {
			row_bind(row, packets, frame, bytes, time_ns);
			must(sqlite3_step(row) == SQLITE_DONE && sqlite3_reset(row) == SQLITE_OK,
			     "an insert failed");
		}
		packets++;
	}
	must(got == 0, Monitor_error_message());
	Monitor_capture_close(capture);
	return packets;
}

static void insert(const char *path, const char *database_path)
{
	sqlite3 *database = database_open(database_path);
	sqlite3_stmt *row;

	run(database, "CREATE TABLE packets(trace INTEGER, packet INTEGER, type INTEGER, time_ns "
		      "INTEGER, target INTEGER, source INTEGER, command INTEGER, transaction_id "
		      "INTEGER, address INTEGER, payload_bytes INTEGER, extended INTEGER, "
		      "PRIMARY KEY(trace, packet)); BEGIN");
	row = prepare(database, "INSERT INTO packets VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	printf("%llu\n", (unsigned long long)read_all(path, row));
	sqlite3_finalize(row);
	run(database, "COMMIT");
	sqlite3_close(database);
}

/* Insert the first @there packets again until there are @wanted. Finalizes @insert. */
static void repeat(sqlite3 *database, sqlite3_stmt *insert, long long there, long long wanted)
{
	for (long long at = there; at < wanted; at += there) {
		sqlite3_bind_int64(insert, 1, at);
		sqlite3_bind_int64(insert, 2, there);
		sqlite3_bind_int64(insert, 3, wanted);
		must(sqlite3_step(insert) == SQLITE_DONE, sqlite3_errmsg(database));
		sqlite3_reset(insert);
	}
	sqlite3_finalize(insert);
}

/* Update the rows of chunks, so that they include the new packets. */
static void chunks_enlarge(sqlite3 *database, long long there, long long wanted)
{
	sqlite3_stmt *more = prepare(
		database, "INSERT INTO chunks SELECT trace, first + ?1, min(last + ?1, ?3 - 1), "
			  "first_ns, last_ns, low_address, high_address, sources, targets, types, "
			  "faults FROM chunks WHERE trace = 1 AND first < ?2 AND first + ?1 < ?3");

	repeat(database, more, there, wanted);
	run(database, "UPDATE traces SET packets = (SELECT max(packet) + 1 FROM frames WHERE trace "
		      "= 1) WHERE trace = 1");
}

static void enlarge(const char *path, const char *packets)
{
	sqlite3 *database = database_open(path);
	sqlite3_stmt *more;
	long long there = 0, wanted = atoll(packets);

	more = prepare(database, "SELECT max(packet) + 1 FROM frames WHERE trace = 1");
	must(sqlite3_step(more) == SQLITE_ROW, "no trace");
	there = sqlite3_column_int64(more, 0);
	sqlite3_finalize(more);
	run(database, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
	more = prepare(database, "INSERT INTO frames SELECT trace, packet + ?1, type, fault, "
				 "time_ns, bd1, bd2, pair, trailer, body FROM frames "
				 "WHERE trace = 1 AND packet < ?2 AND packet + ?1 < ?3");
	repeat(database, more, there, wanted);
	chunks_enlarge(database, there, wanted);
	run(database, "COMMIT");
	sqlite3_close(database);
}

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int ascending(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static void find(const char *path, const char *packets)
{
	sqlite3 *database = database_open(path);
	sqlite3_stmt *one =
		prepare(database, "SELECT * FROM packets WHERE trace = 1 AND packet = ?");
	uint64_t state = 1, wanted = strtoull(packets, NULL, 10);
	static double took[FINDS];
	double begin;

	for (int i = 0; i < FINDS; i++) {
		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		begin = now_us();
		sqlite3_bind_int64(one, 1, (int64_t)((state >> 20) % wanted));
		must(sqlite3_step(one) == SQLITE_ROW, "a packet that is not there");
		sqlite3_reset(one);
		took[i] = now_us() - begin;
	}
	qsort(took, FINDS, sizeof(took[0]), ascending);
	printf("median %.1f us, 99 %% %.0f us, most %.0f us\n", took[FINDS / 2],
	       took[FINDS * 99 / 100], took[FINDS - 1]);
	sqlite3_finalize(one);
	sqlite3_close(database);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "read"))
		printf("%llu\n", (unsigned long long)read_all(argv[2], NULL));
	else if (argc == 4 && !strcmp(argv[1], "insert"))
		insert(argv[2], argv[3]);
	else if (argc == 4 && !strcmp(argv[1], "enlarge"))
		enlarge(argv[2], argv[3]);
	else if (argc == 4 && !strcmp(argv[1], "find"))
		find(argv[2], argv[3]);
	else
		must(0, "read CAPTURE | insert CAPTURE DB | enlarge DB PACKETS | find DB PACKETS");
	return 0;
}
