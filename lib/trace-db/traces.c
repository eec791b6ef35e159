// SPDX-License-Identifier: MIT
/*
 * Traces: reads the small tables of a trace database, which have the traces, and the names of nodes
 * and segments. See trace_db.h.
 */
#include <stdio.h>

#include "lib/trace-db/trace_db_inside.h"

static void text_take(sqlite3_stmt *from, int column, char *text, size_t room)
{
	const unsigned char *got = sqlite3_column_text(from, column);

	snprintf(text, room, "%s", got ? (const char *)got : "");
}

int trace_db_traces(struct trace_db *db, struct trace_info *traces, size_t room)
{
	sqlite3_stmt *rows;
	int count = 0, error;

	error = parts_prepare(db,
			      "SELECT trace, name, file, node, packets, faults, first_ns, last_ns, "
			      "damage FROM traces ORDER BY trace",
			      &rows);
	if (error)
		return error;
	while (sqlite3_step(rows) == SQLITE_ROW) {
		struct trace_info *info;

		if ((size_t)count++ >= room)
			continue;
		info = &traces[count - 1];
		info->trace = (uint64_t)sqlite3_column_int64(rows, 0);
		text_take(rows, 1, info->name, sizeof(info->name));
		text_take(rows, 2, info->file, sizeof(info->file));
		info->node = sqlite3_column_type(rows, 3) == SQLITE_NULL
				     ? -1
				     : sqlite3_column_int64(rows, 3);
		info->packets = (uint64_t)sqlite3_column_int64(rows, 4);
		info->faults = (uint64_t)sqlite3_column_int64(rows, 5);
		info->first_ns = sqlite3_column_int64(rows, 6);
		info->last_ns = sqlite3_column_int64(rows, 7);
		text_take(rows, 8, info->damage, sizeof(info->damage));
	}
	return sqlite3_finalize(rows) == SQLITE_OK ? count : parts_failed(db);
}

/* Get the text in the first row of a query. If the query fails or has no row, get an empty text. */
static void name_find(struct trace_db *db, const char *sql, int64_t first, int64_t second,
		      char *name, size_t room)
{
	sqlite3_stmt *find;

	name[0] = '\0';
	if (parts_prepare(db, sql, &find))
		return;
	sqlite3_bind_int64(find, 1, first);
	sqlite3_bind_int64(find, 2, second);
	if (sqlite3_step(find) == SQLITE_ROW)
		text_take(find, 0, name, room);
	sqlite3_finalize(find);
}

void trace_db_node_name(struct trace_db *db, unsigned int node, char *name, size_t room)
{
	name_find(db, "SELECT name FROM nodes WHERE node = ?1", node, 0, name, room);
}

void trace_db_segment_name(struct trace_db *db, unsigned int node, uint64_t address, char *name,
			   size_t room)
{
	name_find(db,
		  "SELECT name FROM segments WHERE node = ?1 AND ?2 BETWEEN first AND last "
		  "ORDER BY last - first LIMIT 1",
		  node, (int64_t)address, name, room);
}
