// SPDX-License-Identifier: MIT
/*
 * Print packets of all traces that belong together: see members.h.
 */
#include "tools/trace/members.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/trace-db/packet_json.h"
#include "tools/common/option_table.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/trace/database.h"

/* The largest number of packets. It suffices for two packets of each of 2048 traces. */
#define MEMBERS_MAX 4096U

struct work {
	struct trace_db *db;
	const char *schema;
	members_find find;
	int64_t window_ns;
	int json;
	struct trace_member members[MEMBERS_MAX];
	struct trace_row row;
	uint8_t body[TRACE_DB_BODY_BYTES];
};

static int members_json(struct work *work, size_t count)
{
	json_t *packets = json_array();

	for (size_t i = 0; i < count; i++) {
		const struct trace_member *member = &work->members[i];

		if (trace_db_packet(work->db, member->trace, member->packet, &work->row,
				    work->body)) {
			json_decref(packets);
			return database_error(work->db);
		}
		json_array_append_new(packets, packet_json_row(&work->row));
	}
	return output_json(json_pack("{s:s, s:I, s:o}", "schema", work->schema, "window_ns",
				     (json_int_t)work->window_ns, "packets", packets));
}

static int members_text(struct work *work, size_t count)
{
	database_heading();
	for (size_t i = 0; i < count; i++) {
		const struct trace_member *member = &work->members[i];
		char note[48];

		if (trace_db_packet(work->db, member->trace, member->packet, &work->row,
				    work->body))
			return database_error(work->db);
		snprintf(note, sizeof(note), "%+" PRId64 " ns",
			 member->time_ns - work->members[0].time_ns);
		database_line(&work->row, note);
	}
	return TOOL_OK;
}

static int members_run(struct work *work, char *const *arguments)
{
	size_t count;
	int got;

	if (database_packet(work->db, arguments, &work->row, work->body) != TOOL_OK)
		return TOOL_ERROR;
	got = work->find(work->db, &work->row, work->window_ns, work->members, MEMBERS_MAX);
	if (got < 0)
		return database_error(work->db);
	count = (size_t)got < MEMBERS_MAX ? (size_t)got : MEMBERS_MAX;
	if ((size_t)got > count)
		tool_message("there are %d packets; the first %zu follow", got, count);
	return work->json ? members_json(work, count) : members_text(work, count);
}

int members_main(int argc, char **argv, const char *const *help, const char *schema,
		 members_find find)
{
	uint64_t window = TRANSACTION_WINDOW_NS;
	int json = 0, status;
	const struct tool_option options[] = {
		OPTION_NUMBER("window", 0, 0, INT64_MAX, &window),
		OPTION_FLAG("json", 0, &json),
		OPTION_HELP(help),
		OPTION_END,
	};
	struct work *work;

	if (!option_table_parse(argc, argv, "", options, &status))
		return status;
	if (optind + 3 != argc)
		return tool_usage("give a database, the number of a trace, and of a packet");
	work = tool_memory(1, sizeof(*work));
	work->json = json;
	work->schema = schema;
	work->find = find;
	work->window_ns = (int64_t)window;
	work->db = database_open(argv[optind]);
	status = work->db ? members_run(work, argv + optind + 1) : TOOL_ERROR;
	trace_db_close(work->db);
	free(work);
	return status;
}
