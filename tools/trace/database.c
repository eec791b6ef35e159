// SPDX-License-Identifier: MIT
/*
 * What the verbs that read a trace database share: see database.h.
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
		return -1;
	*out = (int64_t)value;
	return 1;
}

/* A..B, A.. and ..B; A alone is A..A. */
static int range(const char *what, const char *text, uint64_t max, int64_t *first, int64_t *last)
{
	const char *dots = strstr(text, "..");
	char *begin = strndup(text, dots ? (size_t)(dots - text) : strlen(text));
	int good = 1;

	if (!begin)
		return tool_error("no memory"), -1;
	if (*begin || !dots)
		good = number(what, begin, max, first);
	free(begin);
	if (good > 0 && dots && dots[2])
		good = number(what, dots + 2, max, last);
	else if (good > 0 && !dots)
		*last = *first;
	if (good > 0 && *first >= 0 && *last >= 0 && *first > *last) {
		tool_usage("%s %s: the first is behind the last", what, text);
		return -1;
	}
	return good;
}

static int command_parse(const char *text, int64_t *out)
{
	if (*text >= '0' && *text <= '9')
		return number("--command", text, BLINK_COMMANDS - 1, out);
	for (unsigned int i = 0; i < BLINK_COMMANDS; i++) {
		if (!frame_commands[i].name || strcmp(frame_commands[i].name, text))
			continue;
		*out = i;
		return 1;
	}
	tool_usage("--command: there is no command '%s'; docs/registers.md has the list", text);
	return -1;
}

static uint64_t types_between(unsigned int first, unsigned int last)
{
	return (~0ULL >> (63 - last)) & (~0ULL << first);
}

/* A list of numbers and of the words request and response. */
static int types_parse(const char *text, uint64_t *types)
{
	char *list = strdup(text), *rest = list, *word;
	int good = list ? 1 : -1;

	while (good > 0 && (word = strsep(&rest, ","))) {
		int64_t type;

		if (!strcmp(word, "request")) {
			*types |= types_between(BLINK_TYPE_REQUEST_EXTENDED,
						BLINK_TYPE_RESPONSE_EXTENDED - 1);
		} else if (!strcmp(word, "response")) {
			*types |= types_between(BLINK_TYPE_RESPONSE_EXTENDED, BLINK_TYPE_MAX);
		} else {
			good = number("--type", word, BLINK_TYPE_MAX, &type);
			if (good > 0 && type && type < BLINK_TYPE_REQUEST_EXTENDED) {
				tool_usage("--type: %" PRId64 " is a type of a ring's packets; "
					   "those of a B-Link have %u to %u, or 0",
					   type, BLINK_TYPE_REQUEST_EXTENDED, BLINK_TYPE_MAX);
				good = -1;
			}
			if (good > 0)
				*types |= 1ULL << type;
		}
	}
	free(list);
	return good;
}

enum database_code {
	DATABASE_TRACE = 0x200,
	DATABASE_PACKETS,
	DATABASE_SOURCE,
	DATABASE_TARGET,
	DATABASE_COMMAND,
	DATABASE_TRANSACTION,
	DATABASE_ADDRESS,
	DATABASE_TYPE,
	DATABASE_TIME,
	DATABASE_FAULTS,
};

const struct option database_long_options[] = {
	{"trace", required_argument, NULL, DATABASE_TRACE},
	{"packets", required_argument, NULL, DATABASE_PACKETS},
	{"source", required_argument, NULL, DATABASE_SOURCE},
	{"target", required_argument, NULL, DATABASE_TARGET},
	{"command", required_argument, NULL, DATABASE_COMMAND},
	{"transaction-id", required_argument, NULL, DATABASE_TRANSACTION},
	{"address", required_argument, NULL, DATABASE_ADDRESS},
	{"type", required_argument, NULL, DATABASE_TYPE},
	{"time", required_argument, NULL, DATABASE_TIME},
	{"malformed", no_argument, NULL, DATABASE_FAULTS},
	{NULL, 0, NULL, 0},
};

int database_option_take(void *to, int code, const char *argument)
{
	struct trace_filter *filter = to;

	switch (code) {
	case DATABASE_TRACE:
		return number("--trace", argument, TRACE_DB_TRACES, &filter->trace);
	case DATABASE_PACKETS:
		return range("--packets", argument, INT64_MAX, &filter->packet_first,
			     &filter->packet_last);
	case DATABASE_SOURCE:
		return number("--source", argument, UINT16_MAX, &filter->source);
	case DATABASE_TARGET:
		return number("--target", argument, UINT16_MAX, &filter->target);
	case DATABASE_COMMAND:
		return command_parse(argument, &filter->command);
	case DATABASE_TRANSACTION:
		return number("--transaction-id", argument, BLINK_TRANSACTIONS - 1,
			      &filter->transaction);
	case DATABASE_ADDRESS:
		return range("--address", argument, BLINK_BD2_ADDRESS, &filter->address_first,
			     &filter->address_last);
	case DATABASE_TYPE:
		return types_parse(argument, &filter->types);
	case DATABASE_TIME:
		return range("--time", argument, INT64_MAX, &filter->time_first,
			     &filter->time_last);
	case DATABASE_FAULTS:
		filter->faults = true;
		return 1;
	default:
		return 0;
	}
}

/* The types that packets of a command have, a bit each. */
static uint64_t types_of(unsigned int command)
{
	uint8_t bytes[3 * BLINK_WORD_BYTES] = {[2] = (uint8_t)command};
	struct frame frame;
	uint64_t types;

	frame_parse(&frame, bytes, sizeof(bytes));
	types = 1ULL << frame.type;
	bytes[2] |= 0x80; /* with an extended header */
	frame_parse(&frame, bytes, sizeof(bytes));
	return types | 1ULL << frame.type;
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
				    "smile trace list --traces shows which there are",
				    missing);
	free(traces);
	return status;
}

int database_possible(const struct trace_filter *filter, bool requests)
{
	const uint64_t request_types =
		types_between(BLINK_TYPE_REQUEST_EXTENDED, BLINK_TYPE_RESPONSE_EXTENDED - 1);
	bool address = filter->address_first >= 0 || filter->address_last >= 0;
	const char *name;
	unsigned int class;

	/* Bit 0 is type 0, event00: its address is the event's id. */
	if (address && filter->types && !(filter->types & (request_types | 1)))
		return tool_usage("no packet can match: --type names responses only, which have no "
				  "--address; list the requests, or smile trace transaction");
	if (requests && filter->types && !(filter->types & request_types))
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

void database_line(const struct trace_row *row, const char *note)
{
	const struct frame *frame = &row->frame;
	const char *name = frame_commands[frame_command_of(frame)].name;
	unsigned int class = frame_class_of(frame);
	char address[24] = "-";
	size_t bytes;

	frame_payload(frame, &bytes);
	if (class == FRAME_REQUEST || class == FRAME_EVENT)
		snprintf(address, sizeof(address), "0x%" PRIx64,
			 (uint64_t)(frame->bd2 & BLINK_BD2_ADDRESS));
	printf("%5" PRIu64 " %10" PRIu64 " %22" PRId64 " %4u  ", row->trace, row->packet,
	       row->time_ns, frame->type);
	if (frame->fault == FRAME_SHORT)
		printf("%-13s %6s %6s %3s %14s %5zu", "-", "-", "-", "-", "-", frame->body_bytes);
	else
		printf("%-13s %6u %6u %3u %14s %5zu", name ? name : "unknown", frame_source(frame),
		       frame_target(frame), frame_transaction(frame), address, bytes);
	if (frame->fault != FRAME_WHOLE)
		printf("  malformed: %s", frame_faults[frame->fault]);
	else if (row->request >= 0)
		printf("  answers %" PRId64, row->request);
	printf("%s%s\n", note ? "  " : "", note ? note : "");
}
