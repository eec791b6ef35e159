// SPDX-License-Identifier: MIT
/* Trace database: opens a database, and checks it. See trace_db.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/trace-db/trace_db_inside.h"
#include "lib/trace-db/schema.h"

#define PAGE_BYTES 8192
#define CACHE_KIB 16384
#define BUSY_MS 5000
/* The number of steps of SQLite's virtual machine between two calls of progress(). */
#define PROGRESS_STEPS 1000
#define VALUE_BYTES_MAX (1 << 20)

static _Thread_local char open_message[512];

int parts_error(struct trace_db *db, int error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(db->message, sizeof(db->message), format, arguments);
	va_end(arguments);
	return -error;
}

int parts_failed(struct trace_db *db)
{
	int error;

	switch (sqlite3_errcode(db->sqlite) & 0xff) {
	case SQLITE_NOMEM:
		error = ENOMEM;
		break;
	case SQLITE_FULL:
		error = ENOSPC;
		break;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return parts_error(db, EBUSY, "%s is being written by another program: try again",
				   db->path);
	case SQLITE_READONLY:
	case SQLITE_PERM:
		error = EACCES;
		break;
	case SQLITE_INTERRUPT:
		return parts_error(db, ETIME, "the query on %s was interrupted", db->path);
	case SQLITE_NOTADB:
		return parts_error(db, EPROTO,
				   "%s is no trace database: smile trace import CAPTURE -o FILE "
				   "makes one",
				   db->path);
	case SQLITE_CORRUPT:
		return parts_error(db, EPROTO,
				   "%s is damaged (%s): import the captures into a new one",
				   db->path, sqlite3_errmsg(db->sqlite));
	case SQLITE_IOERR:
		return parts_error(db, EIO,
				   "cannot read or write %s: is the disk full, or the length of "
				   "files limited (ulimit -f)?",
				   db->path);
	default:
		error = EIO;
		break;
	}
	return parts_error(db, error, "%s: %s", db->path, sqlite3_errmsg(db->sqlite));
}

int parts_run(struct trace_db *db, const char *sql)
{
	return sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : parts_failed(db);
}

int parts_prepare(struct trace_db *db, const char *sql, sqlite3_stmt **statement)
{
	return sqlite3_prepare_v3(db->sqlite, sql, -1, SQLITE_PREPARE_PERSISTENT, statement,
				  NULL) == SQLITE_OK
		       ? 0
		       : parts_failed(db);
}

/* Read an integer that a PRAGMA returns. Return: 0; -errno. */
static int number_of(struct trace_db *db, const char *sql, int64_t *number)
{
	sqlite3_stmt *statement;
	int error = parts_prepare(db, sql, &statement);

	if (error)
		return error;
	if (sqlite3_step(statement) == SQLITE_ROW)
		*number = sqlite3_column_int64(statement, 0);
	else
		error = parts_failed(db);
	sqlite3_finalize(statement);
	return error;
}

static int object_judge(struct trace_db *db, sqlite3_stmt *find, const struct schema_object *object)
{
	const char *sql;
	int good;

	sqlite3_reset(find);
	sqlite3_bind_text(find, 1, object->name, -1, SQLITE_STATIC);
	switch (sqlite3_step(find)) {
	case SQLITE_ROW:
		break;
	case SQLITE_DONE:
		return parts_error(db, EPROTO,
				   "%s is no trace database of this version: it has no table '%s'",
				   db->path, object->name);
	default:
		return parts_failed(db);
	}
	sql = (const char *)sqlite3_column_text(find, 0);
	/* A user may change this table, but it must not be a virtual table. */
	good = sql && (object->fixed ? !strcmp(sql, object->sql)
				     : !sqlite3_strnicmp(sql, "CREATE TABLE", 12));
	if (!good)
		return parts_error(db, EPROTO,
				   "%s is no trace database of this version: '%s' is different; "
				   "import the captures into a new database",
				   db->path, object->name);
	return 0;
}

/*
 * Check whether the file has all bytes of its last page. If bytes of the last page are missing,
 * SQLite reads them as zeros, without an error.
 */
static int length_judge(struct trace_db *db)
{
	int64_t pages, page_bytes;
	struct stat status;
	int error = number_of(db, "PRAGMA page_count", &pages);

	if (!error)
		error = number_of(db, "PRAGMA page_size", &page_bytes);
	if (error)
		return error;
	if (stat(db->path, &status) < 0)
		return parts_error(db, errno, "cannot open %s: %s", db->path, strerror(errno));
	if (status.st_size < pages * page_bytes)
		return parts_error(db, EPROTO,
				   "%s is cut off: it has %lld of %lld bytes; import the captures "
				   "into a new database",
				   db->path, (long long)status.st_size,
				   (long long)(pages * page_bytes));
	return 0;
}

/* Check the schema. Before this check, no statement that is stored in the file may be executed. */
static int schema_judge(struct trace_db *db)
{
	struct schema_object objects[SCHEMA_OBJECTS];
	int64_t application = 0, version = 0;
	sqlite3_stmt *find;
	int error;

	error = number_of(db, "PRAGMA application_id", &application);
	if (!error)
		error = number_of(db, "PRAGMA user_version", &version);
	if (error)
		return error;
	if (application != SCHEMA_APPLICATION)
		return parts_error(db, EPROTO,
				   "%s is an SQLite file, but no trace database: smile trace "
				   "import makes one",
				   db->path);
	db->version = version;
	if (version < SCHEMA_VERSION_FIRST || version > SCHEMA_VERSION)
		return parts_error(db, EPROTO,
				   "%s is a trace database of version %lld, this program has %d: "
				   "import the captures into a new one",
				   db->path, (long long)version, SCHEMA_VERSION);
	error = length_judge(db);
	if (error)
		return error;
	error = schema_make(objects);
	if (error)
		return parts_error(db, -error, "no memory to open %s", db->path);
	error = parts_prepare(db, "SELECT sql FROM sqlite_schema WHERE name = ?", &find);
	/* Views of an older version are not checked, because no code here reads a view. */
	for (size_t i = 0; !error && i < SCHEMA_OBJECTS; i++)
		if (objects[i].fixed <= version)
			error = object_judge(db, find, &objects[i]);
	sqlite3_finalize(find);
	schema_free(objects);
	return error;
}

static int schema_create(struct trace_db *db)
{
	struct schema_object objects[SCHEMA_OBJECTS];
	char *rows = schema_rows(), start[160];
	int error = rows ? schema_make(objects) : -ENOMEM;

	if (error) {
		free(rows);
		return parts_error(db, -error, "no memory to make %s", db->path);
	}
	snprintf(start, sizeof(start),
		 "PRAGMA page_size = %d; BEGIN IMMEDIATE; PRAGMA application_id = %d; "
		 "PRAGMA user_version = %d",
		 PAGE_BYTES, SCHEMA_APPLICATION, SCHEMA_VERSION);
	error = parts_run(db, start);
	for (size_t i = 0; !error && i < SCHEMA_OBJECTS; i++)
		error = parts_run(db, objects[i].sql);
	if (!error)
		error = parts_run(db, rows);
	if (!error)
		error = parts_run(db, "COMMIT");
	if (error)
		sqlite3_exec(db->sqlite, "ROLLBACK", NULL, NULL, NULL);
	schema_free(objects);
	free(rows);
	return error;
}

/* Convert a file of an older version to this version, so that it can be written. */
static int schema_raise(struct trace_db *db)
{
	char *upgrade, version[64];
	int error;

	if (db->version == SCHEMA_VERSION)
		return 0;
	upgrade = schema_upgrade();
	if (!upgrade)
		return parts_error(db, ENOMEM, "no memory to open %s", db->path);
	snprintf(version, sizeof(version), "PRAGMA user_version = %d; COMMIT", SCHEMA_VERSION);
	error = parts_run(db, "BEGIN IMMEDIATE");
	if (!error)
		error = parts_run(db, upgrade);
	if (!error)
		error = parts_run(db, version);
	if (error)
		sqlite3_exec(db->sqlite, "ROLLBACK", NULL, NULL, NULL);
	free(upgrade);
	return error;
}

static int progress(void *opaque)
{
	struct trace_db *db = opaque;

	if (!db->budget)
		return 0;
	if (db->budget <= PROGRESS_STEPS)
		return 1;
	db->budget -= PROGRESS_STEPS;
	return 0;
}

void trace_db_interrupt_after(struct trace_db *db, uint64_t steps)
{
	db->budget = steps;
	sqlite3_progress_handler(db->sqlite, steps ? PROGRESS_STEPS : 0, progress, db);
}

/* Disable all actions that an untrusted file must not cause. */
static int guard(struct trace_db *db)
{
	sqlite3_limit(db->sqlite, SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX);
	sqlite3_limit(db->sqlite, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(db->sqlite, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
	sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_busy_timeout(db->sqlite, BUSY_MS);
	return parts_run(db, "PRAGMA cell_size_check = ON");
}

/*
 * Check whether a path can be a database. If it cannot, report the reason: SQLite itself reports
 * only that it cannot open the file, even if the file is missing or is a directory. Return: 0; 1 if
 * the file is missing or empty; -errno.
 */
static int path_judge(struct trace_db *db, const char *path)
{
	struct stat status;

	if (stat(path, &status) < 0) {
		if (errno == ENOENT)
			return 1;
		return parts_error(db, errno, "cannot open %s: %s", path, strerror(errno));
	}
	if (!S_ISREG(status.st_mode))
		return parts_error(db, EINVAL, "%s is no file, and thus no trace database", path);
	return status.st_size == 0;
}

static struct trace_db *db_new(const char *path)
{
	struct trace_db *db = calloc(1, sizeof(*db));

	if (db)
		db->path = strdup(path);
	if (!db || !db->path) {
		free(db);
		snprintf(open_message, sizeof(open_message), "no memory to open %s", path);
		return NULL;
	}
	return db;
}

static int db_open(struct trace_db *db, int flags, int fresh)
{
	/*
	 * Make SQLite treat the path as a path. Otherwise, it would treat a path such as ":memory:"
	 * as a special name.
	 */
	char *name;
	int error, opened;

	if (asprintf(&name, "%s%s", db->path[0] == '/' ? "" : "./", db->path) < 0)
		return parts_error(db, ENOMEM, "no memory to open %s", db->path);
	opened = sqlite3_open_v2(name, &db->sqlite, flags | SQLITE_OPEN_NOMUTEX, NULL);
	free(name);
	if (!db->sqlite)
		return parts_error(db, ENOMEM, "no memory to open %s", db->path);
	if (opened != SQLITE_OK)
		return parts_error(db, EACCES, "cannot open %s: %s", db->path,
				   strerror(sqlite3_system_errno(db->sqlite)));
	error = guard(db);
	if (!error && fresh)
		error = schema_create(db);
	return error ? error : schema_judge(db);
}

/*
 * Undo an import that was killed. Such an import leaves a journal. SQLite undoes the changes in the
 * journal when a process that may write to the file opens it. Return: 0; -errno.
 */
static int recover(struct trace_db *db)
{
	int64_t version;
	int error;

	sqlite3_close(db->sqlite);
	db->sqlite = NULL;
	error = db_open(db, SQLITE_OPEN_READWRITE, 0);
	if (error && sqlite3_extended_errcode(db->sqlite) == SQLITE_READONLY_ROLLBACK)
		return parts_error(db, EACCES,
				   "an import into %s was killed: run any smile trace command as "
				   "a user that may write it, which undoes that import",
				   db->path);
	if (!error)
		error = number_of(db, "PRAGMA user_version", &version);
	sqlite3_close(db->sqlite);
	db->sqlite = NULL;
	return error ? error : db_open(db, SQLITE_OPEN_READONLY, 0);
}

static int opened(struct trace_db **out, struct trace_db *db, int error)
{
	if (!error) {
		*out = db;
		return 0;
	}
	memcpy(open_message, db->message, sizeof(open_message));
	trace_db_close(db);
	return error;
}

int trace_db_open(struct trace_db **out, const char *path)
{
	struct trace_db *db = db_new(path);
	int error;

	if (!db)
		return -ENOMEM;
	error = path_judge(db, path);
	if (error > 0)
		error = access(path, F_OK) ? parts_error(db, ENOENT, "there is no file %s", path)
					   : parts_error(db, EPROTO, "%s is empty", path);
	if (!error)
		error = db_open(db, SQLITE_OPEN_READONLY, 0);
	if (error && db->sqlite && sqlite3_extended_errcode(db->sqlite) == SQLITE_READONLY_ROLLBACK)
		error = recover(db);
	if (!error)
		error = parts_run(db, "PRAGMA query_only = ON");
	return opened(out, db, error);
}

int trace_db_create(struct trace_db **out, const char *path)
{
	struct trace_db *db = db_new(path);
	char cache[64];
	int error;

	if (!db)
		return -ENOMEM;
	error = path_judge(db, path);
	if (error >= 0)
		error = db_open(db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
	if (!error)
		error = schema_raise(db);
	if (!error) {
		snprintf(cache, sizeof(cache), "PRAGMA cache_size = -%d", CACHE_KIB);
		error = parts_run(db, cache);
	}
	return opened(out, db, error);
}

void trace_db_close(struct trace_db *db)
{
	if (!db)
		return;
	for (size_t i = 0; i < PARTS_KEPT; i++)
		sqlite3_finalize(db->kept[i].statement);
	sqlite3_close(db->sqlite);
	free(db->path);
	free(db);
}

const char *trace_db_message(const struct trace_db *db)
{
	return db ? db->message : open_message;
}
