// SPDX-License-Identifier: MIT
/*
 * Schema: generates the SQL text of a trace database. See schema.h and docs/trace-db.md. May use
 * frame.h and libc.
 */
#include "lib/trace-db/schema.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/trace-db/frame.h"

/*
 * The table `frames` stores the words of a frame unchanged. The fields are bits of these words, and
 * the view `packets` has the fields as columns. With this layout, a row is no longer than its
 * frame, and no bit of the frame is lost.
 */
static const char frames_sql[] = "CREATE TABLE frames(trace INTEGER NOT NULL, "
				 "packet INTEGER NOT NULL, type INTEGER NOT NULL, "
				 "fault INTEGER NOT NULL, time_ns INTEGER NOT NULL, bd1 INTEGER, "
				 "bd2 INTEGER, pair INTEGER, trailer INTEGER, body BLOB, "
				 "PRIMARY KEY(trace, packet)) WITHOUT ROWID";

static const char chunks_sql[] =
	"CREATE TABLE chunks(trace INTEGER NOT NULL, first INTEGER NOT NULL, "
	"last INTEGER NOT NULL, first_ns INTEGER NOT NULL, last_ns INTEGER NOT NULL, "
	"low_address INTEGER NOT NULL, high_address INTEGER NOT NULL, "
	"sources INTEGER NOT NULL, targets INTEGER NOT NULL, types INTEGER NOT NULL, "
	"faults INTEGER NOT NULL, PRIMARY KEY(trace, first)) WITHOUT ROWID";

static const char traces_sql[] =
	"CREATE TABLE traces(trace INTEGER PRIMARY KEY, name TEXT NOT NULL, file TEXT NOT NULL, "
	"node INTEGER, packets INTEGER NOT NULL, faults INTEGER NOT NULL, first_ns INTEGER, "
	"last_ns INTEGER, digest INTEGER NOT NULL, data INTEGER NOT NULL, damage TEXT)";

static const char transactions_sql[] =
	"CREATE VIEW transactions AS SELECT q.trace AS trace, q.packet AS request, "
	"r.packet AS response, q.time_ns AS time_ns, r.time_ns - q.time_ns AS response_ns, "
	"q.source AS source, q.target AS target, q.command AS command, "
	"q.transaction_id AS transaction_id, q.address AS address, r.status AS status "
	"FROM packets AS r CROSS JOIN packets AS q ON q.trace = r.trace AND q.packet = r.request "
	"WHERE r.request IS NOT NULL";

/* Frames of the B-Link have a fault from 0 to FRAME_CABLE, or a type of 21 or higher. */
#define IS_BLINK "(type > 20 OR type = 0 AND fault <= 5)"
/*
 * The condition for a request or response of the cable that could be decoded. Fault 12 is a wrong
 * CRC.
 */
#define IS_SEND "type BETWEEN 1 AND 17 AND type <> 9 AND fault IN (0, 12)"
#define IS_NO_ECHO "type NOT IN (9, 18)"
#define HAS_EXTENDED "(" IS_BLINK " OR " IS_SEND ") AND bd1 & 8388608 AND length(body) >= 16"

/*
 * Get the SQL condition for the packets that have a field of the B-Link. Return: the condition;
 * NULL if all packets that have the word of the field have the field.
 */
static const char *condition_of(const struct frame_field *field)
{
	static const struct {
		const char *name;
		const char *condition;
	} others[] = {
		{"command", IS_NO_ECHO},
		{"extended", IS_NO_ECHO},
		{"code", IS_BLINK},
		{"transaction_id_again", IS_BLINK},
		{"parity", IS_BLINK},
		{"reserved", IS_BLINK},
		{"post", IS_BLINK},
		{"tpr", "type <> 19"},
		{"tod_mantissa", "type <> 19"},
		{"tod_exponent", "type <> 19"},
		{"trace_bit", "type <> 19"},
		{"address", "type BETWEEN 21 AND 28 OR type BETWEEN 1 AND 8 AND fault IN (0, 12) "
			    "OR type = 0 AND fault <= 5 AND bd1 >> 16 & 127 = 72"},
		{"status_rest", "type BETWEEN 29 AND 36"},
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(others[i].name, field->name))
			return others[i].condition;
	return NULL;
}

static void column(FILE *out, const struct frame_field *field)
{
	static const char *const words[] = {
		[BLINK_IN_BD1] = "bd1", [BLINK_IN_BD2] = "bd2", [BLINK_IN_TRAILER] = "trailer"};
	const unsigned long long mask = ~0ULL >> (64 - field->bits);
	const char *condition = condition_of(field);

	if (!strcmp(field->name, "status")) {
		/* On the cable, the status is a whole symbol. */
		fputs("CASE WHEN type BETWEEN 29 AND 36 THEN bd2 >> 44 & 15 "
		      "WHEN type BETWEEN 10 AND 17 AND fault IN (0, 12) THEN bd2 >> 32 & 65535 END "
		      "AS status",
		      out);
		return;
	}
	if (condition)
		fprintf(out, "CASE WHEN %s THEN ", condition);
	if (field->shift)
		fprintf(out, "%s >> %u & %llu", words[field->word], field->shift, mask);
	else
		fprintf(out, "%s & %llu", words[field->word], mask);
	if (condition)
		fputs(" END", out);
	fprintf(out, " AS %s", field->name);
}

static const struct frame_field *field_named(const char *name)
{
	for (size_t i = 0; i < frame_field_count; i++)
		if (!strcmp(frame_fields[i].name, name))
			return &frame_fields[i];
	return NULL;
}

static int is_among(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name))
		names++;
	return *names != NULL;
}

/*
 * Write the view `packets`. Its first columns are those on which other statements depend, in the
 * order that these statements need.
 */
static void packets_write(FILE *out)
{
	static const char *const first[] = {"target",	      "source",	 "command",
					    "transaction_id", "address", NULL};
	static const char *const last[] = {"extended", NULL};

	fputs("CREATE VIEW packets AS SELECT trace, packet, type, time_ns", out);
	for (size_t i = 0; first[i]; i++) {
		fputs(", ", out);
		column(out, field_named(first[i]));
	}
	fputs(", CASE WHEN bd1 IS NOT NULL AND (" IS_BLINK " OR " IS_SEND ") "
	      "THEN ifnull(length(body), 0) - CASE WHEN " HAS_EXTENDED " THEN 16 ELSE 0 END END "
	      "AS payload_bytes, ",
	      out);
	column(out, field_named("extended"));
	fputs(", fault, CASE WHEN pair > 0 THEN packet - pair END AS request", out);
	for (size_t i = 0; i < frame_field_count; i++) {
		const struct frame_field *field = &frame_fields[i];

		if (is_among(field->name, first) || is_among(field->name, last) ||
		    field->of == BLINK_OF_EXTENDED)
			continue;
		fputs(", ", out);
		column(out, field);
	}
	fputs(", CASE WHEN " HAS_EXTENDED " THEN substr(body, 1, 16) END AS extended_header, "
	      "CASE WHEN " HAS_EXTENDED
	      " THEN nullif(substr(body, 17), x'') ELSE body END AS data, "
	      /* Columns that only packets of the cable have. */
	      "CASE WHEN type IN (9, 18) THEN bd1 >> 23 & 1 END AS busy, "
	      "CASE WHEN pair < 0 AND type IN (9, 18) THEN packet + pair END AS acknowledges, "
	      "CASE WHEN pair < 0 AND " IS_NO_ECHO " THEN packet + pair END AS repeats, "
	      "CASE WHEN type = 19 THEN bd2 >> 15 & 1 END AS go_low, "
	      "CASE WHEN type = 19 THEN bd2 >> 14 & 1 END AS go_high, "
	      "CASE WHEN type = 19 THEN bd2 >> 8 & 63 END AS circulation, "
	      "CASE WHEN type = 19 THEN bd2 & 255 END AS idle_check, "
	      "CASE WHEN type = 19 THEN bd2 >> 16 & 4294967295 END AS idles FROM frames",
	      out);
}

/* Get the text that a function writes. */
static char *written(void (*write)(FILE *out))
{
	size_t bytes;
	char *text = NULL;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	write(out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

int schema_make(struct schema_object objects[SCHEMA_OBJECTS])
{
	static const struct {
		const char *name;
		int fixed;
		const char *sql;
	} known[SCHEMA_OBJECTS] = {
		{"frames", 1, frames_sql},
		{"chunks", 1, chunks_sql},
		{"traces", 1, traces_sql},
		{"packets", 2, NULL},
		{"transactions", 1, transactions_sql},
		{"nodes", 0, "CREATE TABLE nodes(node INTEGER PRIMARY KEY, name TEXT NOT NULL)"},
		{"segments", 0,
		 "CREATE TABLE segments(segment INTEGER PRIMARY KEY, node INTEGER NOT NULL, "
		 "first INTEGER NOT NULL, last INTEGER NOT NULL, name TEXT NOT NULL)"},
		{"commands", 0,
		 "CREATE TABLE commands(command INTEGER PRIMARY KEY, name TEXT NOT NULL, "
		 "class TEXT NOT NULL, payload_bytes INTEGER NOT NULL, mark TEXT NOT NULL)"},
		{"packet_types", 0,
		 "CREATE TABLE packet_types(type INTEGER PRIMARY KEY, description TEXT NOT NULL)"},
		{"faults", 0,
		 "CREATE TABLE faults(fault INTEGER PRIMARY KEY, description TEXT NOT NULL)"},
	};
	int failed = 0;

	for (size_t i = 0; i < SCHEMA_OBJECTS; i++) {
		objects[i].name = known[i].name;
		objects[i].fixed = known[i].fixed;
		objects[i].sql = known[i].sql ? strdup(known[i].sql) : written(packets_write);
		failed |= !objects[i].sql;
	}
	if (failed)
		schema_free(objects);
	return failed ? -ENOMEM : 0;
}

void schema_free(struct schema_object objects[SCHEMA_OBJECTS])
{
	for (size_t i = 0; i < SCHEMA_OBJECTS; i++) {
		free(objects[i].sql);
		objects[i].sql = NULL;
	}
}

/*
 * Write statements that add faults. The statements use OR IGNORE, because a user may have added the
 * same rows.
 */
static void faults_write(FILE *out, unsigned int first)
{
	for (unsigned int i = first; i < FRAME_FAULTS; i++)
		fprintf(out, "INSERT OR IGNORE INTO faults(fault, description) VALUES(%u, '%s');",
			i, frame_fault_text(i));
}

static void rows_write(FILE *out)
{
	static const char *const classes[] = {[FRAME_REQUEST] = "request",
					      [FRAME_RESPONSE] = "response",
					      [FRAME_EVENT] = "event"};

	for (unsigned int i = 0; i < BLINK_COMMANDS; i++)
		if (frame_commands[i].name)
			fprintf(out, "INSERT INTO commands VALUES(%u, '%s', '%s', %u, '%s');", i,
				frame_commands[i].name, classes[frame_commands[i].class],
				frame_commands[i].payload, frame_commands[i].mark);
	for (unsigned int i = 0; i <= BLINK_TYPE_MAX; i++)
		fprintf(out, "INSERT INTO packet_types VALUES(%u, '%s');", i, frame_type_text(i));
	faults_write(out, 0);
}

/*
 * Write the statements for an upgrade from version 1. In version 2, the views include packets of
 * the cable. The tables are the same as in version 1.
 */
static void upgrade_write(FILE *out)
{
	fputs("DROP VIEW packets;", out);
	packets_write(out);
	fputs(";", out);
	faults_write(out, FRAME_CABLE + 1);
}

char *schema_upgrade(void)
{
	return written(upgrade_write);
}

char *schema_rows(void)
{
	return written(rows_write);
}
