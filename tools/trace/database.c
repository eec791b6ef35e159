// SPDX-License-Identifier: MIT
/*
 * Functions for the verbs that read a trace database: see database.h.
 */
#include "tools/trace/database.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/tool.h"

struct trace_db *database_open(const char *path)
{
	struct trace_db *db;

	if (!trace_db_open(&db, path))
		return db;
	database_error(NULL);
	return NULL;
}

int database_error(const struct trace_db *db)
{
	return tool_error("%s", trace_db_message(db));
}

static int number(const char *what, const char *text, uint64_t max, int64_t *out)
{
	uint64_t value;

	if (tool_number(what, text, 0, max, &value))
		return TOOL_ERROR;
	*out = (int64_t)value;
	return TOOL_OK;
}

/* Parse a range: A..B, A.. or ..B. A single number A is the range A..A. */
static int range(const char *what, const char *text, uint64_t max, int64_t *first, int64_t *last)
{
	const char *dots = strstr(text, "..");
	char *begin = strndup(text, dots ? (size_t)(dots - text) : strlen(text));
	int status = TOOL_OK;

	if (!begin)
		return tool_error("no memory");
	if (*begin || !dots)
		status = number(what, begin, max, first);
	free(begin);
	if (status == TOOL_OK && dots && dots[2])
		status = number(what, dots + 2, max, last);
	else if (!dots)
		*last = *first;
	if (status == TOOL_OK && *first >= 0 && *last >= 0 && *first > *last)
		return tool_usage("%s %s: the first number is above the last", what, text);
	return status;
}

static int packets_take(void *to, const char *text)
{
	struct trace_filter *filter = to;

	return range("--packets", text, INT64_MAX, &filter->packet_first, &filter->packet_last);
}

static int address_take(void *to, const char *text)
{
	struct trace_filter *filter = to;

	return range("--address", text, BLINK_BD2_ADDRESS, &filter->address_first,
		     &filter->address_last);
}

static int time_take(void *to, const char *text)
{
	struct trace_filter *filter = to;

	return range("--time", text, INT64_MAX, &filter->time_first, &filter->time_last);
}

static int command_take(void *to, const char *text)
{
	int64_t *out = to;

	if (*text >= '0' && *text <= '9')
		return number("--command", text, BLINK_COMMANDS - 1, out);
	for (unsigned int i = 0; i < BLINK_COMMANDS; i++) {
		if (!frame_commands[i].name || strcmp(frame_commands[i].name, text))
			continue;
		*out = i;
		return TOOL_OK;
	}
	return tool_usage("--command: there is no command '%s'; docs/registers.md has the list",
			  text);
}

static uint64_t types_between(unsigned int first, unsigned int last)
{
	return (~0ULL >> (63 - last)) & (~0ULL << first);
}

/* Get the types of requests, on the B-Link and on the cable. */
static uint64_t request_types(void)
{
	return types_between(BLINK_TYPE_REQUEST_EXTENDED, BLINK_TYPE_RESPONSE_EXTENDED - 1) |
	       types_between(CABLE_TYPE_REQUEST_EXTENDED, CABLE_TYPE_REQUEST_ECHO - 1);
}

static uint64_t response_types(void)
{
	return types_between(BLINK_TYPE_RESPONSE_EXTENDED, BLINK_TYPE_MAX) |
	       types_between(CABLE_TYPE_RESPONSE_EXTENDED, CABLE_TYPE_RESPONSE_ECHO - 1);
}

static uint64_t echo_types(void)
{
	return 1ULL << CABLE_TYPE_REQUEST_ECHO | 1ULL << CABLE_TYPE_RESPONSE_ECHO;
}

/* Parse a list of type numbers and of the words request, response and echo. */
static int types_take(void *to, const char *text)
{
	char *list = strdup(text), *rest = list, *word;
	int status = list ? TOOL_OK : TOOL_ERROR;
	uint64_t *types = to;

	while (status == TOOL_OK && (word = strsep(&rest, ","))) {
		int64_t type;

		if (!strcmp(word, "request")) {
			*types |= request_types();
		} else if (!strcmp(word, "response")) {
			*types |= response_types();
		} else if (!strcmp(word, "echo")) {
			*types |= echo_types();
		} else {
			status = number("--type", word, BLINK_TYPE_MAX, &type);
			if (status == TOOL_OK)
				*types |= 1ULL << type;
		}
	}
	free(list);
	return status;
}

/*
 * A null pointer. The lines of the group use the address of one of its members as the offset of the
 * member that they set.
 */
#define FILTER ((struct trace_filter *)0)

const struct tool_option database_lines[] = {
	OPTION_NUMBER("trace", 0, 0, TRACE_DB_TRACES, &FILTER->trace),
	OPTION_TAKE("packets", 0, packets_take, FILTER),
	OPTION_NUMBER("source", 0, 0, UINT16_MAX, &FILTER->source),
	OPTION_NUMBER("target", 0, 0, UINT16_MAX, &FILTER->target),
	OPTION_TAKE("command", 0, command_take, &FILTER->command),
	OPTION_NUMBER("transaction-id", 0, 0, BLINK_TRANSACTIONS - 1, &FILTER->transaction),
	OPTION_TAKE("address", 0, address_take, FILTER),
	OPTION_TAKE("type", 0, types_take, &FILTER->types),
	OPTION_TAKE("time", 0, time_take, FILTER),
	OPTION_FLAG("malformed", 0, &FILTER->faults),
	OPTION_END,
};

/* Get the types that packets with a given command can have, as one bit for each type. */
static uint64_t types_of(unsigned int command)
{
	uint8_t bytes[3 * BLINK_WORD_BYTES] = {[2] = (uint8_t)command};
	struct frame frame;
	uint64_t types;

	frame_parse(&frame, bytes, sizeof(bytes));
	types = 1ULL << frame.type;
	bytes[2] |= 0x80; /* Make the packet a packet with an extended header. */
	frame_parse(&frame, bytes, sizeof(bytes));
	types |= 1ULL << frame.type;
	/*
	 * On the cable, packets with this command have other types. Bit 0 is set if the cable does
	 * not have the command.
	 */
	return types | 1ULL << cable_send_type(command, false) |
	       1ULL << cable_send_type(command, true);
}

int database_traces_read(struct trace_db *db, struct trace_info **traces)
{
	int count = trace_db_traces(db, NULL, 0);

	if (count >= 0) {
		*traces = tool_memory((size_t)count + 1, sizeof(**traces));
		if (trace_db_traces(db, *traces, (size_t)count) >= 0)
			return count;
		free(*traces);
	}
	database_error(db);
	return -1;
}

static bool is_there(const struct trace_info *traces, int count, uint64_t trace)
{
	for (int i = 0; i < count; i++)
		if (traces[i].trace == trace)
			return true;
	return false;
}

int database_traces(struct trace_db *db, const struct trace_filter *filter)
{
	const char *next = filter->traces ? filter->traces + 1 : "";
	int64_t missing = TRACE_ANY;
	struct trace_info *traces;
	int count = database_traces_read(db, &traces), status = TOOL_OK;

	if (count < 0)
		return TOOL_ERROR;
	if (filter->trace >= 0 && !is_there(traces, count, (uint64_t)filter->trace))
		missing = filter->trace;
	for (; *next && missing < 0; next = strchr(next, ',') + 1)
		if (!is_there(traces, count, strtoull(next, NULL, 10)))
			missing = strtoll(next, NULL, 10);
	if (missing >= 0)
		status = tool_error("--trace %" PRId64 ": there is no such trace; "
				    "smile trace list --traces shows all traces",
				    missing);
	free(traces);
	return status;
}

/* Check that packets of at least one named type have the fields that all conditions need. */
static int type_possible(const struct trace_filter *filter)
{
	const uint64_t nodes = ~(1ULL << CABLE_TYPE_IDLES | 1ULL << CABLE_TYPE_SYNC),
		       commands = nodes & ~echo_types();
	const struct {
		const char *option;
		bool given;
		uint64_t types;
	} needs[] = {
		{"source", filter->source >= 0, nodes},
		{"target", filter->target >= 0, nodes},
		{"transaction-id", filter->transaction >= 0, nodes},
		{"command", filter->command >= 0, commands},
		/*
		 * Bit 0 is type 0, event00. Its field for the address contains the id of the event.
		 */
		{"address", filter->address_first >= 0 || filter->address_last >= 0,
		 request_types() | 1},
	};

	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		unsigned int type;

		if (!needs[i].given || !filter->types || filter->types & needs[i].types)
			continue;
		type = (unsigned int)__builtin_ctzll(filter->types);
		return tool_usage("no packet can match: packets of --type %u, %s, have no --%s",
				  type, frame_type_text(type), needs[i].option);
	}
	return TOOL_OK;
}

int database_possible(const struct trace_filter *filter, bool requests)
{
	bool address = filter->address_first >= 0 || filter->address_last >= 0;
	const char *name;
	unsigned int class;

	if (type_possible(filter) != TOOL_OK)
		return TOOL_ERROR;
	if (requests && filter->types && !(filter->types & request_types()))
		return tool_usage("no packet can match: --type names no request");
	if (filter->command < 0)
		return TOOL_OK;
	class = frame_commands[filter->command].class;
	name = frame_commands[filter->command].name;
	if (requests && class != FRAME_REQUEST)
		return tool_usage("no packet can match: packets of --command %s are no requests",
				  name ? name : "that does not exist");
	if (address && class != FRAME_REQUEST && class != FRAME_EVENT)
		return tool_usage("no packet can match: packets of --command %s have no --address",
				  name ? name : "that does not exist");
	if (filter->types && !(filter->types & types_of((unsigned int)filter->command)))
		return tool_usage(
			"no packet can match: packets of --command %s have another --type",
			name ? name : "that does not exist");
	return TOOL_OK;
}

int database_packet(struct trace_db *db, char *const *arguments, struct trace_row *row,
		    uint8_t *bytes)
{
	uint64_t trace, packet;

	if (tool_number("TRACE", arguments[0], 1, TRACE_DB_TRACES, &trace) ||
	    tool_number("PACKET", arguments[1], 0, INT64_MAX, &packet))
		return TOOL_ERROR;
	return trace_db_packet(db, trace, packet, row, bytes) ? database_error(db) : TOOL_OK;
}

void database_heading(void)
{
	printf("%5s %10s %22s %4s  %-13s %6s %6s %3s %14s %5s\n", "trace", "packet", "time ns",
	       "type", "command", "source", "target", "id", "address", "bytes");
}

/* Get the text for the column of commands. */
static const char *command_text(const struct frame *frame)
{
	const char *name = frame_command_name(frame);

	if (name)
		return name;
	if (frame_has_command(frame))
		return "unknown";
	switch (frame->type) {
	case CABLE_TYPE_REQUEST_ECHO:
	case CABLE_TYPE_RESPONSE_ECHO:
		return frame->bd1 & BLINK_BD1_EXTENDED ? "echo, busy" : "echo";
	case CABLE_TYPE_IDLES:
		return "idles";
	case CABLE_TYPE_SYNC:
		return "sync";
	default:
		return "-";
	}
}

void database_line(const struct trace_row *row, const char *note)
{
	const struct frame *frame = &row->frame;
	char address[24] = "-", payload[24] = "-";
	uint64_t offset;
	size_t bytes;

	frame_payload(frame, &bytes);
	if (frame_address(frame, &offset))
		snprintf(address, sizeof(address), "0x%" PRIx64, offset);
	if (frame_has_payload(frame) || frame->fault)
		snprintf(payload, sizeof(payload), "%zu",
			 frame_has_nodes(frame) ? bytes : frame->body_bytes);
	printf("%5" PRIu64 " %10" PRIu64 " %22" PRId64 " %4u  %-13s ", row->trace, row->packet,
	       row->time_ns, frame->type, command_text(frame));
	if (frame_has_nodes(frame))
		printf("%6u %6u %3u", frame_source(frame), frame_target(frame),
		       frame_transaction(frame));
	else
		printf("%6s %6s %3s", "-", "-", "-");
	printf(" %14s %5s", address, payload);
	if (frame->fault != FRAME_WHOLE)
		printf("  malformed: %s", frame_fault_text(frame->fault));
	else if (row->request >= 0)
		printf("  answers %" PRId64, row->request);
	else if (row->acknowledges >= 0)
		printf("  acknowledges %" PRId64, row->acknowledges);
	else if (row->repeats >= 0)
		printf("  repeats %" PRId64, row->repeats);
	printf("%s%s\n", note ? "  " : "", note ? note : "");
}
