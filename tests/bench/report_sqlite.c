/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The reports of `smile report`, made with SQLite as fast as possible:
 *
 * 	virtual   a virtual table that reads the mapped recording, and GROUP BY over it
 * 	upsert    the same, but each record is added to its row of a table: no sorting
 * 	load      records are first copied to an ordinary table in memory; then GROUP BY over that.
 * 	          The time of the copy is reported separately.
 *
 * What lives here: SQLite, and its virtual table. A row's key is one number, made of page, home and
 * source (nodes below 2048), since SQLite sorts numbers fastest. SQLite writes nothing to a disk
 * and keeps no journal; sorting may use two threads and any amount of memory. Decoding a record
 * takes a few shifts in C, without checks.
 */
#include <endian.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#include <base/field.h>
#include <smile/monitor.h>

#include "tests/bench/report_digest.h"

#define KEY_NODE_BITS 11
#define KEY_NODE_MASK ((1U << KEY_NODE_BITS) - 1)
#define HEADER_BYTES_AT 12

/**
 * struct recording - The mapped file.
 * @records: the records
 * @count: number of records
 */
static struct recording {
	const struct smile_record *records;
	uint64_t count;
} recording;

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "report_sqlite: %s: %s\n", what, why);
	exit(2);
}

static void map_recording(const char *path)
{
	int file = open(path, O_RDONLY);
	struct stat status;
	const unsigned char *bytes;
	uint32_t header;

	if (file < 0 || fstat(file, &status))
		fail(path, "cannot be read");
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (bytes == MAP_FAILED)
		fail(path, "cannot be mapped");
	madvise((void *)bytes, (size_t)status.st_size, MADV_SEQUENTIAL);
	close(file);
	memcpy(&header, bytes + HEADER_BYTES_AT, sizeof(header));
	header = le32toh(header);
	recording.records = (const struct smile_record *)(bytes + header);
	recording.count = ((uint64_t)status.st_size - header) / SMILE_RECORD_BYTES;
}

/* ---- the virtual table --------------------------------------------------------------------- */

/**
 * struct cursor - A cursor of the virtual table.
 * @base: SQLite's part of the cursor
 * @at: index of the current record
 */
struct cursor {
	sqlite3_vtab_cursor base;
	uint64_t at;
};

enum column {
	COLUMN_KEY,
	COLUMN_TYPE,
	COLUMN_COUNT,
};

static int records_connect(sqlite3 *db, void *context, int argc, const char *const *argv,
			   sqlite3_vtab **out, char **error)
{
	sqlite3_vtab *table = sqlite3_malloc(sizeof(*table));

	if (!table)
		return SQLITE_NOMEM;
	memset(table, 0, sizeof(*table));
	*out = table;
	return sqlite3_declare_vtab(db, "CREATE TABLE x(key INTEGER, type INTEGER, n INTEGER)");
}

static int records_disconnect(sqlite3_vtab *table)
{
	sqlite3_free(table);
	return SQLITE_OK;
}

static int records_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	info->estimatedCost = (double)recording.count;
	info->estimatedRows = (sqlite3_int64)recording.count;
	return SQLITE_OK;
}

static int records_open(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
	struct cursor *cursor = sqlite3_malloc(sizeof(*cursor));

	if (!cursor)
		return SQLITE_NOMEM;
	memset(cursor, 0, sizeof(*cursor));
	*out = &cursor->base;
	return SQLITE_OK;
}

static int records_close(sqlite3_vtab_cursor *cursor)
{
	sqlite3_free(cursor);
	return SQLITE_OK;
}

/* Skip phase marks and other records that are not accesses. */
static void skip(struct cursor *cursor)
{
	while (cursor->at < recording.count &&
	       SMILE_GET(SMILE_RECORD_KIND, le32toh(recording.records[cursor->at].word[0])) !=
		       SMILE_KIND_DYNAMIC)
		cursor->at++;
}

static int records_filter(sqlite3_vtab_cursor *base, int number, const char *name, int argc,
			  sqlite3_value **argv)
{
	struct cursor *cursor = (struct cursor *)base;

	cursor->at = 0;
	skip(cursor);
	return SQLITE_OK;
}

static int records_next(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = (struct cursor *)base;

	cursor->at++;
	skip(cursor);
	return SQLITE_OK;
}

static int records_eof(sqlite3_vtab_cursor *base)
{
	return ((struct cursor *)base)->at >= recording.count;
}

static uint64_t key_of(const struct smile_record *record)
{
	uint32_t nodes = le32toh(record->word[1]), high = le32toh(record->word[3]);
	uint64_t page = ((uint64_t)SMILE_GET(SMILE_RECORD_ADDRESS_HIGH, high) << 32 |
			 le32toh(record->word[2])) /
			SMILE_PAGE_BYTES;

	return page << (2 * KEY_NODE_BITS) |
	       SMILE_GET(SMILE_RECORD_DESTINATION, nodes) << KEY_NODE_BITS |
	       SMILE_GET(SMILE_RECORD_SOURCE, nodes);
}

static int records_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	const struct smile_record *record = &recording.records[((struct cursor *)base)->at];
	uint32_t first = le32toh(record->word[0]);

	if (column == COLUMN_KEY)
		sqlite3_result_int64(context, (sqlite3_int64)key_of(record));
	else if (column == COLUMN_TYPE)
		sqlite3_result_int(context, (int)SMILE_GET(SMILE_RECORD_TYPE, first));
	else
		sqlite3_result_int(context, (int)SMILE_GET(SMILE_RECORD_COUNT, first));
	return SQLITE_OK;
}

static int records_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
	*rowid = (sqlite3_int64)((struct cursor *)base)->at;
	return SQLITE_OK;
}

static sqlite3_module records_module = {
	.xConnect = records_connect,
	.xBestIndex = records_best_index,
	.xDisconnect = records_disconnect,
	.xOpen = records_open,
	.xClose = records_close,
	.xFilter = records_filter,
	.xNext = records_next,
	.xEof = records_eof,
	.xColumn = records_column,
	.xRowid = records_rowid,
};

/* ---- statements for SQLite --------------------------------------------------------------- */

static sqlite3 *db;

static void run(const char *text)
{
	char *error = NULL;

	if (sqlite3_exec(db, text, NULL, NULL, &error) != SQLITE_OK)
		fail(text, error ? error : "failed");
}

static void begin(void)
{
	if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
	    sqlite3_create_module(db, "records", &records_module, NULL) != SQLITE_OK)
		fail("SQLite", "cannot begin");
	run("PRAGMA journal_mode=OFF");
	run("PRAGMA synchronous=OFF");
	run("PRAGMA temp_store=MEMORY");
	run("PRAGMA cache_size=-8000000");
	run("PRAGMA threads=2");
}

/**
 * struct moment - A time.
 * @elapsed_s: elapsed seconds
 * @cpu_s: seconds of processor time
 */
struct moment {
	double elapsed_s;
	double cpu_s;
};

static struct moment now(void)
{
	struct timespec time, cpu;

	clock_gettime(CLOCK_MONOTONIC, &time);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	return (struct moment){(double)time.tv_sec + (double)time.tv_nsec / 1e9,
			       (double)cpu.tv_sec + (double)cpu.tv_nsec / 1e9};
}

static struct moment query_began, query_ended;

void sqlite_print(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	if (query_ended.elapsed_s > 0)
		printf("query\t%.6f\t%.6f\t%ld\n", query_ended.elapsed_s - query_began.elapsed_s,
		       query_ended.cpu_s - query_began.cpu_s, usage.ru_maxrss);
}

static void load(void)
{
	run("CREATE TABLE loaded(key INTEGER, type INTEGER, n INTEGER)");
	run("BEGIN; INSERT INTO loaded SELECT key, type, n FROM records; COMMIT");
}

#define BY_TYPE                                                                                    \
	"sum(n) AS a, sum(CASE type WHEN 1 THEN n ELSE 0 END) AS r, "                              \
	"sum(CASE type WHEN 2 THEN n ELSE 0 END) AS w, "                                           \
	"sum(CASE type WHEN 3 THEN n ELSE 0 END) AS l"

/* Make a table of sums by @key. Each view is a part of this table. */
static void upsert(const char *key)
{
	char text[512];

	run("CREATE TABLE sums(key INTEGER PRIMARY KEY, a INTEGER, r INTEGER, w INTEGER, l "
	    "INTEGER)");
	snprintf(text, sizeof(text),
		 "BEGIN; INSERT INTO sums SELECT %s, n, n*(type=1), n*(type=2), n*(type=3) "
		 "FROM records WHERE true ON CONFLICT(key) DO UPDATE SET a=a+excluded.a, "
		 "r=r+excluded.r, w=w+excluded.w, l=l+excluded.l; COMMIT",
		 key);
	run(text);
}

int sqlite_report(const char *how, enum report_view view, const char *path, struct digest *digest)
{
	static const char *const keys[] = {"key", "key & ~2047", "key & 4194303"};
	int by_upsert = !strcmp(how, "upsert");
	char text[512];
	sqlite3_stmt *statement;
	int result;

	if (!by_upsert && strcmp(how, "virtual") && strcmp(how, "load"))
		return 2;
	map_recording(path);
	begin();
	if (!strcmp(how, "load"))
		load();
	query_began = now();
	if (by_upsert)
		upsert(keys[view]);
	snprintf(text, sizeof(text),
		 by_upsert ? "SELECT key AS k, a, r, w, l FROM sums%s%s%s"
			   : "SELECT %s AS k, %s FROM %s GROUP BY k",
		 by_upsert ? "" : keys[view],
		 by_upsert		  ? ""
		 : view == VIEW_TRANSFERS ? "sum(n) AS a, 0, 0, 0"
					  : BY_TYPE,
		 by_upsert		? ""
		 : !strcmp(how, "load") ? "loaded"
					: "records");
	if (view == VIEW_TOP)
		strcat(text, " ORDER BY a DESC, k LIMIT 10");
	if (sqlite3_prepare_v2(db, text, -1, &statement, NULL) != SQLITE_OK)
		fail(text, sqlite3_errmsg(db));
	while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
		uint64_t key = (uint64_t)sqlite3_column_int64(statement, 0);
		uint64_t row[DIGEST_NUMBERS] = {key >> (2 * KEY_NODE_BITS),
						key >> KEY_NODE_BITS & KEY_NODE_MASK,
						key & KEY_NODE_MASK};

		for (int i = 0; i < 4; i++)
			row[3 + i] = view == VIEW_TRANSFERS && i
					     ? 0
					     : (uint64_t)sqlite3_column_int64(statement, 1 + i);
		digest_row(digest, row);
	}
	if (result != SQLITE_DONE)
		fail(text, sqlite3_errmsg(db));
	query_ended = now();
	sqlite3_finalize(statement);
	sqlite3_close(db);
	return 0;
}
