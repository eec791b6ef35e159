// SPDX-License-Identifier: MIT
/*
 * Row feed: fills a table with the rows that a function returns. See row_feed.h.
 */
#include "lib/trace-db/row_feed.h"

#include <stdlib.h>

/* A virtual table, and the feed that makes its rows. */
struct feed_vtab {
	sqlite3_vtab base;
	struct row_feed *feed;
};

static int connect_table(sqlite3 *sqlite, void *opaque, int count, const char *const *arguments,
			 sqlite3_vtab **out, char **message)
{
	struct feed_vtab *table = calloc(1, sizeof(*table));
	int result;

	if (!table)
		return SQLITE_NOMEM;
	table->feed = opaque;
	result = sqlite3_declare_vtab(sqlite, "CREATE TABLE feed(trace, packet, type, fault, "
					      "time_ns, bd1, bd2, pair, trailer, body)");
	if (result == SQLITE_OK)
		*out = &table->base;
	else
		free(table);
	return result;
}

static int disconnect_table(sqlite3_vtab *table)
{
	free(table);
	return SQLITE_OK;
}

static int best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	return SQLITE_OK;
}

static int cursor_open(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
	*out = calloc(1, sizeof(**out));
	return *out ? SQLITE_OK : SQLITE_NOMEM;
}

static int cursor_close(sqlite3_vtab_cursor *cursor)
{
	free(cursor);
	return SQLITE_OK;
}

static struct row_feed *feed_of(sqlite3_vtab_cursor *cursor)
{
	return ((struct feed_vtab *)cursor->pVtab)->feed;
}

static int cursor_next(sqlite3_vtab_cursor *cursor)
{
	struct row_feed *feed = feed_of(cursor);

	feed->result = feed->next(feed->opaque);
	return feed->result < 0 ? SQLITE_ABORT : SQLITE_OK;
}

static int cursor_filter(sqlite3_vtab_cursor *cursor, int index, const char *text, int count,
			 sqlite3_value **arguments)
{
	return cursor_next(cursor);
}

static int cursor_eof(sqlite3_vtab_cursor *cursor)
{
	return feed_of(cursor)->result <= 0;
}

static int cursor_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
	*rowid = feed_of(cursor)->packet;
	return SQLITE_OK;
}

/* Set the value of a column. If the row has no value for the column, the column stays NULL. */
static int cursor_column(sqlite3_vtab_cursor *cursor, sqlite3_context *to, int column)
{
	const struct row_feed *feed = feed_of(cursor);
	const struct frame *frame = &feed->frame;

	switch (column) {
	case 0:
		sqlite3_result_int64(to, feed->trace);
		break;
	case 1:
		sqlite3_result_int64(to, feed->packet);
		break;
	case 2:
		sqlite3_result_int(to, frame->type);
		break;
	case 3:
		sqlite3_result_int(to, frame->fault);
		break;
	case 4:
		sqlite3_result_int64(to, feed->time_ns);
		break;
	case 5:
		if (frame_has_nodes(frame))
			sqlite3_result_int64(to, (int64_t)frame->bd1);
		break;
	case 6:
		if (frame_has_bd2(frame))
			sqlite3_result_int64(to, (int64_t)frame->bd2);
		break;
	case 7:
		if (feed->pair)
			sqlite3_result_int64(to, feed->pair);
		break;
	case 8:
		if (frame_has_trailer(frame))
			sqlite3_result_int64(to, (int64_t)frame->trailer);
		break;
	default:
		if (feed->body_bytes)
			sqlite3_result_blob(to, frame->body, (int)feed->body_bytes, SQLITE_STATIC);
		break;
	}
	return SQLITE_OK;
}

int row_feed_run(sqlite3 *sqlite, struct row_feed *feed)
{
	/*
	 * The module has no function xCreate, so no file can contain a table of this module. The
	 * only such table has the name of the module.
	 */
	static const sqlite3_module module = {
		.xConnect = connect_table,
		.xBestIndex = best_index,
		.xDisconnect = disconnect_table,
		.xOpen = cursor_open,
		.xClose = cursor_close,
		.xFilter = cursor_filter,
		.xNext = cursor_next,
		.xEof = cursor_eof,
		.xColumn = cursor_column,
		.xRowid = cursor_rowid,
	};
	int result = sqlite3_create_module(sqlite, "temp_feed", &module, feed);

	feed->result = 0;
	if (result == SQLITE_OK)
		result = sqlite3_exec(sqlite, "INSERT INTO main.frames SELECT * FROM temp_feed",
				      NULL, NULL, NULL);
	sqlite3_create_module(sqlite, "temp_feed", NULL, NULL);
	return result;
}
