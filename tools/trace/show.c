// SPDX-License-Identifier: MIT
/*
 * smile trace show: print one packet field by field, followed by its neighbours and by its
 * transaction.
 */
#include "tools/trace/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/trace-db/packet_json.h"
#include "tools/common/option_table.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/trace/database.h"

static const char *const show_help[] = {
#include "tools/help/trace-show.h"
	NULL,
};

/*
 * A second of simulated time. While a node is running, its response is never later than this after
 * the request.
 */
#define SHOW_WINDOW_NS 1000000000
#define SHOW_DATA_COLUMNS 16U

struct show {
	struct trace_db *db;
	struct trace_row row;
	int64_t response;
	uint8_t body[TRACE_DB_BODY_BYTES];
	uint8_t other_body[TRACE_DB_BODY_BYTES];
};

/* Print the meaning of a field's value, if it is known. */
static void show_meaning(const struct show *show, const struct frame_field *field, uint64_t value)
{
	const struct frame *frame = &show->row.frame;
	const char *name = frame_command_name(frame);
	char text[128] = "";

	if (!strcmp(field->name, "command"))
		snprintf(text, sizeof(text), "%s", name ? name : "no such command");
	else if (!strcmp(field->name, "source") || !strcmp(field->name, "target"))
		trace_db_node_name(show->db, (unsigned int)value, text, sizeof(text));
	else if (!strcmp(field->name, "address"))
		trace_db_segment_name(show->db, frame_target(frame), value, text, sizeof(text));
	if (text[0])
		printf("  %s", text_printable(text));
}

/* Print the word or symbol of the packet to which the following fields belong. */
static void show_word(const struct frame *frame, const struct frame_field *field)
{
	const char *word = frame_field_word(frame, field);

	if (frame_is_cable(frame) || field->word == BLINK_IN_EXTENDED_0 ||
	    field->word == BLINK_IN_EXTENDED_1)
		puts(word);
	else
		printf("%s 0x%016" PRIx64 "\n", word,
		       field->word == BLINK_IN_BD1   ? frame->bd1
		       : field->word == BLINK_IN_BD2 ? frame->bd2
						     : frame->trailer);
}

static void show_fields(const struct show *show)
{
	const struct frame *frame = &show->row.frame;
	size_t count;
	const struct frame_field *field = frame_fields_of(frame, &count);
	int last = -1;

	printf("\n%-22s %8s  %-16s %s\n", "field", "bits", "value", "meaning, confidence");
	for (const struct frame_field *end = field + count; field < end; field++) {
		unsigned int bit = frame_field_bit(frame, field);
		char bits[16];
		uint64_t value;

		if (!frame_field_get(frame, field, &value))
			continue;
		if (field->word != last)
			show_word(frame, field);
		last = field->word;
		snprintf(bits, sizeof(bits), "%u-%u", bit + field->bits - 1U, bit);
		printf("  %-20s %8s  ", field->name, bits);
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

	if (frame_has_nodes(frame))
		data = frame_payload(frame, &bytes);
	if (!bytes)
		return;
	printf("\n%s, %zu bytes\n",
	       frame->fault && frame->fault != FRAME_CABLE_CRC ? "what stands there" : "data",
	       bytes);
	for (size_t i = 0; i < bytes; i++)
		printf("%s%02x%s", i % SHOW_DATA_COLUMNS ? " " : "  ", data[i],
		       i % SHOW_DATA_COLUMNS == SHOW_DATA_COLUMNS - 1 || i + 1 == bytes ? "\n"
											: "");
}

/* Print another packet of the same trace as a line. */
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
	if (show->row.acknowledges >= 0)
		show_other(show, (uint64_t)show->row.acknowledges, "which it acknowledges");
	if (show->row.repeats >= 0)
		show_other(show, (uint64_t)show->row.repeats, "its first try");
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
		printf("malformed: %s\n", frame_fault_text(frame->fault));
	if (frame_has_nodes(frame) || frame_has_bd2(frame))
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
