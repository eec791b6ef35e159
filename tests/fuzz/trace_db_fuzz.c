/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fuzzing the trace database: captures that are imported, and databases that were changed.
 *
 * What lives here: the first byte selects the meaning of the rest of the input. After 'c' the rest
 * is a capture: all packets that the library reads from it must be in the database, bit for bit.
 * After 'd' the rest is a list of edits of a database. An edit has four bytes of position, one byte
 * of length, and this number of bytes. With the edited file, no query may crash or run without end,
 * and each refusal has a message. It may use fuzz.h, the public API and lib/trace-db.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <smile/monitor.h>

#include "lib/trace-db/response_time.h"
#include "lib/trace-db/packet_json.h"
#include "lib/trace-db/trace_db.h"
#include "lib/trace-db/transaction.h"
#include "tests/fuzz/fuzz.h"

#define STEPS 2000000U
#define MEMBERS 16U
#define FRAMES 40U

static char database[64];

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "trace_db_fuzz: %s\n", what);
	abort();
}

static int refused(const struct trace_db *db, int ret)
{
	if (ret >= 0)
		return 0;
	must(ret > -4096, "an error that is no errno");
	must(trace_db_message(db)[0] != '\0', "an error without a message");
	return 1;
}

static void database_remove(void)
{
	char journal[80];

	unlink(database);
	snprintf(journal, sizeof(journal), "%s-journal", database);
	unlink(journal);
}

static void database_new(void)
{
	int fd;

	if (!database[0]) {
		strcpy(database, "/tmp/trace_db_fuzz.XXXXXX");
		fd = mkstemp(database);
		must(fd >= 0, "no temporary file");
		close(fd);
		atexit(database_remove);
	}
	database_remove();
}

/*
 * ---- queries of any file ----------------------------------------------------------------------
 */

static void ask(struct trace_db *db)
{
	static uint8_t body[TRACE_DB_BODY_BYTES];
	struct trace_member members[MEMBERS];
	struct trace_info traces[MEMBERS];
	struct trace_filter filter;
	struct time_distribution times = {0};
	struct trace_row row;
	struct trace_rows rows;
	uint64_t left_out = 0;
	FILE *null = fopen("/dev/null", "w");
	int got;

	must(null != NULL, "no /dev/null");
	trace_db_interrupt_after(db, STEPS);
	refused(db, trace_db_traces(db, traces, MEMBERS));
	trace_filter_init(&filter);
	got = trace_rows_begin(&rows, db, &filter);
	while (!refused(db, got) && (got = trace_rows_next(&rows, &row)) > 0) {
		must(frame_build(&row.frame, body, sizeof(body)) <= sizeof(body), "a long frame");
		packet_json_row_write(null, &row);
	}
	trace_rows_end(&rows);
	for (uint64_t packet = 0; packet < FRAMES; packet++) {
		trace_db_interrupt_after(db, STEPS);
		if (refused(db, trace_db_packet(db, 1, packet, &row, body)))
			continue;
		json_decref(packet_json(&row, -1));
		refused(db, trace_db_transaction(db, &row, 1000, members, MEMBERS));
		refused(db, trace_db_follow(db, &row, 1000, members, MEMBERS));
	}
	trace_db_interrupt_after(db, STEPS);
	refused(db, trace_db_latencies(db, &filter, &times, &left_out));
	time_distribution_free(&times);
	fclose(null);
}

/* ---- captures -------------------------------------------------------------------------------- */

/* Open a capture; if it has several interfaces, only the first one. */
static struct Monitor_capture *capture_of(const uint8_t *data, size_t size, int *fd)
{
	struct Monitor_capture *capture;
	char path[64];
	int error;

	*fd = memfd_create("fuzz", 0);
	must(*fd >= 0 && write(*fd, data, size) == (ssize_t)size && !lseek(*fd, 0, SEEK_SET),
	     "no memory for a file");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", *fd);
	error = Monitor_capture_open_any(&capture, path);
	must(error < 0 || Monitor_capture_select(capture, 0) == 0, "no interface 0");
	return error < 0 ? NULL : capture;
}

/* Check that the database has the packets that the library reads. */
static void compare(struct trace_db *db, const uint8_t *data, size_t size,
		    const struct trace_import *import)
{
	static uint8_t body[TRACE_DB_BODY_BYTES], built[TRACE_DB_BODY_BYTES];
	struct Monitor_capture *capture;
	struct trace_row row;
	const void *frame;
	uint64_t time_ns, packet = 0;
	size_t bytes;
	int fd;

	capture = capture_of(data, size, &fd);
	must(capture != NULL, "a capture that cannot be read twice");
	while (packet < import->packets &&
	       Monitor_capture_read(capture, &frame, &bytes, &time_ns) > 0) {
		must(trace_db_packet(db, import->trace, packet++, &row, body) == 0,
		     "a packet that is missing");
		must((uint64_t)row.time_ns == time_ns, "another time");
		must(frame_build(&row.frame, built, sizeof(built)) == bytes &&
			     !memcmp(built, frame, bytes),
		     "another frame");
	}
	must(packet == import->packets, "a packet that was not there");
	Monitor_capture_close(capture);
	close(fd);
}

static void fuzz_capture(const uint8_t *data, size_t size)
{
	struct trace_import import = {.file = "fuzz", .node = -1}, again = import;
	struct Monitor_capture *capture;
	struct trace_db *db;
	int fd;

	capture = capture_of(data, size, &fd);
	if (!capture) {
		close(fd);
		return;
	}
	database_new();
	must(trace_db_create(&db, database) == 0, trace_db_message(NULL));
	must(trace_db_import(db, capture, &import) == 0, trace_db_message(db));
	Monitor_capture_close(capture);
	close(fd);
	compare(db, data, size, &import);
	capture = capture_of(data, size, &fd);
	must(capture && trace_db_import(db, capture, &again) == 0 && again.already,
	     "the same capture twice");
	Monitor_capture_close(capture);
	close(fd);
	ask(db);
	trace_db_close(db);
}

/* ---- databases ------------------------------------------------------------------------------- */

/* Create a capture of reads and their responses. */
static size_t capture_make(uint8_t *to)
{
	static const uint8_t head[24] = {0x4d, 0x3c, 0xb2, 0xa1, 2, 0, 4, 0, [17] = 1, [20] = 147};
	uint8_t *at = to;

	memcpy(at, head, sizeof(head));
	at += sizeof(head);
	for (unsigned int i = 0; i < FRAMES; i++) {
		memset(at, 0, 16 + 24);
		at[4] = (uint8_t)i;
		at[8] = at[12] = 24;
		/* Source, command, target, transaction id; address. */
		at[16] = i % 2 ? 1 : 2;
		at[18] = i % 2 ? BLINK_RESPONSE00 : BLINK_READSB;
		at[20] = i % 2 ? 2 : 1;
		at[22] = (uint8_t)(i / 2);
		at[25] = i % 2 ? 0 : 16;
		at += 16 + 24;
	}
	return (size_t)(at - to);
}

static void fuzz_database(struct fuzz_input *input)
{
	static uint8_t bytes[24 + FRAMES * 40];
	struct trace_import import = {.file = "fuzz", .node = -1};
	struct Monitor_capture *capture;
	struct trace_db *db;
	FILE *file;
	int fd;

	database_new();
	capture = capture_of(bytes, capture_make(bytes), &fd);
	must(capture && trace_db_create(&db, database) == 0, "no database");
	must(trace_db_import(db, capture, &import) == 0 && import.packets == FRAMES, "no trace");
	trace_db_close(db);
	Monitor_capture_close(capture);
	close(fd);
	file = fopen(database, "r+");
	must(file != NULL, "no database");
	while (input->left) {
		long place = (long)(fuzz_number(input, 4) % (1U << 18));
		unsigned int length = fuzz_byte(input);

		fseek(file, place, SEEK_SET);
		while (length-- && input->left)
			fputc(fuzz_byte(input), file);
	}
	fclose(file);
	if (!refused(NULL, trace_db_open(&db, database))) {
		ask(db);
		trace_db_close(db);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = {.data = data, .left = size};

	switch (fuzz_byte(&input)) {
	case 'c':
		fuzz_capture(input.data, input.left);
		break;
	case 'd':
		fuzz_database(&input);
		break;
	}
	return 0;
}
