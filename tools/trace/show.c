// SPDX-License-Identifier: MIT
/*
 * smile trace show: one packet, field by field, with its neighbours and its transaction.
 */
#include "tools/trace/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/trace-db/packet_json.h"
#include "tools/common/option_table.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/trace/database.h"

static const char *const show_help[] = {
#include "tools/help/trace-show.h"
	NULL,
};

/* A second of simulated time: no response of a living node comes later. */
#define SHOW_WINDOW_NS 1000000000
#define SHOW_DATA_COLUMNS 16U

struct show {
	struct trace_db *db;
	struct trace_row row;
	int64_t response;
	uint8_t body[TRACE_DB_BODY_BYTES];
	uint8_t other_body[TRACE_DB_BODY_BYTES];
};

static int64_t word_of(const struct frame *frame, unsigned int word)
{
	switch (word) {
	case BLINK_IN_BD1:
		return (int64_t)frame->bd1;
	case BLINK_IN_BD2:
		return (int64_t)frame->bd2;
	default:
		return (int64_t)frame->trailer;
	}
}

/* What the number means, where that is known. */
static void show_meaning(const struct show *show, const struct frame_field *field, uint64_t value)
{
	const struct frame *frame = &show->row.frame;
	const char *name = frame_commands[frame_command_of(frame)].name;
	char text[128] = "";

	if (field->word == BLINK_IN_BD1 && field->shift == 16)
		snprintf(text, sizeof(text), "%s", name ? name : "no such command");
	else if (field->word == BLINK_IN_BD1 && field->bits == 16)
		trace_db_node_name(show->db, (unsigned int)value, text, sizeof(text));
	else if (field->of == BLINK_OF_REQUEST)
		trace_db_segment_name(show->db, frame_target(frame), value, text, sizeof(text));
	if (text[0])
		printf("  %s", text_printable(text));
}

static void show_fields(const struct show *show)
{
	static const char *const words[BLINK_IN_COUNT] = {"BD1", "BD2", "extended header",
							  "extended header", "trailer"};
	const struct frame *frame = &show->row.frame;
	int last = -1;

	printf("\n%-22s %8s  %-16s %s\n", "field", "bits", "value", "meaning, confidence");
	for (size_t i = 0; i < frame_field_count; i++) {
		const struct frame_field *field = &frame_fields[i];
		char bits[16];
		uint64_t value;

		if (!frame_field_get(frame, field, &value))
			continue;
		if (field->word != last && field->word != BLINK_IN_EXTENDED_0 &&
		    field->word != BLINK_IN_EXTENDED_1)
			printf("%s 0x%016" PRIx64 "\n", words[field->word],
			       (uint64_t)word_of(frame, field->word));
		else if (field->word != last)
			printf("%s\n", words[field->word]);
		last = field->word;
		snprintf(bits, sizeof(bits), "%u-%u", field->shift + field->bits - 1U,
			 field->shift);
		printf("  %-20s %8s  ", field->name, field->bits > 1 ? bits : bits);
		if (field->bits > 16)
			printf("0x%-14" PRIx64, value);
		else
			printf("%-16" PRIu64, value);
		printf(" %s [%s]", field->title, field->mark);
		show_meaning(show, field, value);
		putchar('\n');
	}
}

static void show_data(const struct frame *frame)
{
	const uint8_t *data = frame->body;
	size_t bytes = frame->body_bytes;

	if (frame->fault != FRAME_SHORT)
		data = frame_payload(frame, &bytes);
	if (!bytes)
		return;
	printf("\n%s, %zu bytes\n", frame->fault ? "what stands there" : "data", bytes);
	for (size_t i = 0; i < bytes; i++)
		printf("%s%02x%s", i % SHOW_DATA_COLUMNS ? " " : "  ", data[i],
		       i % SHOW_DATA_COLUMNS == SHOW_DATA_COLUMNS - 1 || i + 1 == bytes ? "\n"
											: "");
}

/* A packet of the same trace on a line. */
static void show_other(struct show *show, uint64_t packet, const char *note)
{
	struct trace_row row;
	char text[96];

	if (trace_db_packet(show->db, show->row.trace, packet, &row, show->other_body))
		return;
	snprintf(text, sizeof(text), "%s, %+" PRId64 " ns", note, row.time_ns - show->row.time_ns);
	database_line(&row, text);
}

static void show_context(struct show *show)
{
	uint64_t packet = show->row.packet;

	putchar('\n');
	database_heading();
	if (packet)
		show_other(show, packet - 1, "previous");
	database_line(&show->row, "this");
	if (packet < INT64_MAX)
		show_other(show, packet + 1, "next");
	if (show->row.request >= 0)
		show_other(show, (uint64_t)show->row.request, "its request");
	if (show->response >= 0)
		show_other(show, (uint64_t)show->response, "its response");
	else if (frame_class_of(&show->row.frame) == FRAME_REQUEST)
		puts("  no response within a second in this trace");
}

static int show_text(struct show *show)
{
	const struct frame *frame = &show->row.frame;

	printf("trace %" PRIu64 ", packet %" PRIu64 ", %" PRId64 ".%09" PRId64 " s\n",
	       show->row.trace, show->row.packet, show->row.time_ns / 1000000000,
	       show->row.time_ns % 1000000000);
	printf("type %u: %s, %zu bytes in all\n", frame->type, frame_type_text(frame->type),
	       frame_build(frame, NULL, 0));
	if (frame->fault)
		printf("malformed: %s\n", frame_faults[frame->fault]);
	if (frame->fault != FRAME_SHORT)
		show_fields(show);
	show_data(frame);
	show_context(show);
	return TOOL_OK;
}

static int show_packet(struct show *show, char *const *arguments, int json)
{
	uint64_t response;
	int found;

	if (database_packet(show->db, arguments, &show->row, show->body) != TOOL_OK)
		return TOOL_ERROR;
	show->response = -1;
	if (frame_class_of(&show->row.frame) == FRAME_REQUEST) {
		found = trace_db_response(show->db, &show->row, SHOW_WINDOW_NS, &response);
		if (found == 0)
			show->response = (int64_t)response;
		else if (found != -ENOENT)
			return database_error(show->db);
	}
	return json ? output_json(packet_json(&show->row, show->response)) : show_text(show);
}

int trace_show(int argc, char **argv)
{
	int json = 0, status;
	const struct tool_option options[] = {
		OPTION_FLAG("json", 0, &json),
		OPTION_HELP(show_help),
		OPTION_END,
	};
	struct show *show;

	if (!option_table_parse(argc, argv, "", options, &status))
		return status;
	if (optind + 3 != argc)
		return tool_usage("give a database, the number of a trace, and of a packet");
	show = tool_memory(1, sizeof(*show));
	show->db = database_open(argv[optind]);
	status = show->db ? show_packet(show, argv + optind + 1, json) : TOOL_ERROR;
	trace_db_close(show->db);
	free(show);
	return status;
}
