// SPDX-License-Identifier: MIT
/*
 * Serve: packets of a trace database: see packets.h.
 *
 * What lives here: the answers. A reader sends numbers for statements that are prepared once, never
 * SQL. A list is read from where the reader stands, by key, and not by offset; a search that takes
 * longer than a moment answers with where to go on.
 */
#include "tools/serve/packets.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/trace-db/packet_json.h"
#include "lib/trace-db/transaction.h"
#include "tools/common/output.h"
#include "tools/common/signals.h"
#include "tools/common/tool.h"

/* The page; made by tools/view/html/bundle.sh. */
extern const char packets_page_before[];
extern const char packets_page_between[];
extern const char packets_page_after[];

#define ROWS_MAX 1000U
/* So many packets of a trace are looked at in one query, and more as long as time is left. */
#define SEARCH_PACKETS 65536
#define SEARCH_NS 20000000ULL
/* Steps of SQLite's machine for one query: seconds, which no honest file takes. */
#define STEPS_MAX 20000000ULL
#define IDLE_MS 200
#define MEMBERS_MAX 256U
#define RESPONSE_WINDOW_NS 1000000000

int packets_is_database(const char *path)
{
	static const char magic[] = "SQLite format 3";
	char head[sizeof(magic)] = "";
	FILE *file = fopen(path, "re");

	if (!file)
		return 0;
	if (fread(head, 1, sizeof(head), file) != sizeof(head))
		head[0] = '\0';
	fclose(file);
	return !memcmp(head, magic, sizeof(magic));
}

/* ---- arguments ----------------------------------------------------------------------------- */

/* A number of the query. Return: 1, 0 if there is none, -1 if it is no number. */
static int argument(struct MHD_Connection *connection, const char *name, uint64_t max, int64_t *out)
{
	const char *text = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
	uint64_t value = 0;

	if (!text)
		return 0;
	if (!*text)
		return -1;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || value > (INT64_MAX - 9) / 10)
			return -1;
		value = 10 * value + (uint64_t)(*text - '0');
	}
	if (value > max)
		return -1;
	*out = (int64_t)value;
	return 1;
}

static int filter_take(struct MHD_Connection *connection, struct trace_filter *filter)
{
	int64_t types = 0, faults = 0, backwards = 0, limit = ROWS_MAX;
	const struct {
		const char *name;
		uint64_t max;
		int64_t *to;
	} known[] = {
		{"trace", TRACE_DB_TRACES, &filter->trace},
		{"first", INT64_MAX, &filter->packet_first},
		{"source", UINT16_MAX, &filter->source},
		{"target", UINT16_MAX, &filter->target},
		{"command", BLINK_COMMANDS - 1, &filter->command},
		{"transaction_id", BLINK_TRANSACTIONS - 1, &filter->transaction},
		{"address_first", BLINK_BD2_ADDRESS, &filter->address_first},
		{"address_last", BLINK_BD2_ADDRESS, &filter->address_last},
		{"time_first", INT64_MAX, &filter->time_first},
		{"time_last", INT64_MAX, &filter->time_last},
		{"types", (2ULL << BLINK_TYPE_MAX) - 1, &types},
		{"malformed", 1, &faults},
		{"backwards", 1, &backwards},
		{"count", ROWS_MAX, &limit},
	};

	trace_filter_init(filter);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (argument(connection, known[i].name, known[i].max, known[i].to) < 0)
			return -EINVAL;
	filter->types = (uint64_t)types;
	filter->faults = faults;
	filter->backwards = backwards;
	filter->limit = (uint64_t)limit;
	return filter->trace > 0 && filter->limit ? 0 : -EINVAL;
}

/* ---- answers ------------------------------------------------------------------------------- */

static enum MHD_Result answer(struct MHD_Connection *connection, json_t *document)
{
	char *text = document ? json_dumps(document, JSON_COMPACT) : NULL;
	struct MHD_Response *response = NULL;
	enum MHD_Result result;

	json_decref(document);
	if (text)
		response =
			MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE);
	if (!response) {
		free(text);
		return serve_refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
				    "The server has no memory left: try again.\n");
	}
	serve_headers(response, "application/json", NULL);
	result = MHD_queue_response(connection, MHD_HTTP_OK, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result fail(struct serve *serve, struct MHD_Connection *connection, int error)
{
	if (error == -EINVAL)
		return serve_refuse(connection, MHD_HTTP_BAD_REQUEST,
				    "An argument is missing, or is no number that it can be.\n");
	if (error == -ENOENT)
		return serve_refuse(connection, MHD_HTTP_NOT_FOUND, "There is no such packet.\n");
	tool_message("%s", trace_db_message(serve->packets));
	return serve_refuse(connection, MHD_HTTP_INTERNAL_SERVER_ERROR,
			    "The database cannot be read: the server says why.\n");
}

static json_t *trace_json(struct serve *serve, const struct trace_info *info)
{
	char name[128] = "";

	if (info->node >= 0)
		trace_db_node_name(serve->packets, (unsigned int)info->node, name, sizeof(name));
	return json_pack("{s:I, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:o}", "trace",
			 (json_int_t)info->trace, "name", document_text(info->name), "node",
			 info->node < 0 ? json_null() : json_integer(info->node), "node_name",
			 document_text(name), "packets", document_int(info->packets), "malformed",
			 document_int(info->faults), "first_ns", (json_int_t)info->first_ns,
			 "last_ns", (json_int_t)info->last_ns, "damage",
			 info->damage[0] ? document_text(info->damage) : json_null());
}

static json_t *commands_json(void)
{
	json_t *commands = json_object();
	char number[16];

	for (unsigned int i = 0; i < BLINK_COMMANDS; i++) {
		if (!frame_commands[i].name)
			continue;
		snprintf(number, sizeof(number), "%u", i);
		json_object_set_new(commands, number, json_string(frame_commands[i].name));
	}
	return commands;
}

static enum MHD_Result traces(struct serve *serve, struct MHD_Connection *connection)
{
	int count = trace_db_traces(serve->packets, NULL, 0);
	struct trace_info *infos;
	json_t *list;

	if (count < 0)
		return fail(serve, connection, count);
	infos = calloc((size_t)count + 1, sizeof(*infos));
	list = json_array();
	if (infos && trace_db_traces(serve->packets, infos, (size_t)count) == count)
		for (int i = 0; i < count; i++)
			json_array_append_new(list, trace_json(serve, &infos[i]));
	free(infos);
	return answer(connection, json_pack("{s:s, s:o, s:o}", "schema", "smile.traces/1",
					    "commands", commands_json(), "traces", list));
}

/* One query's rows into the list. Return: 0, -errno. */
static int rows_take(struct serve *serve, const struct trace_filter *filter, json_t *list)
{
	struct trace_rows rows;
	struct trace_row row;
	int got;

	trace_db_interrupt_after(serve->packets, STEPS_MAX);
	got = trace_rows_begin(&rows, serve->packets, filter);
	while (got >= 0 && (got = trace_rows_next(&rows, &row)) > 0)
		json_array_append_new(list, packet_json_row(&row));
	trace_rows_end(&rows);
	trace_db_interrupt_after(serve->packets, 0);
	return got < 0 ? got : 0;
}

/* How many packets a trace has; 0 if there is none. */
static int64_t packets_of(struct serve *serve, int64_t trace)
{
	int count = trace_db_traces(serve->packets, NULL, 0);
	struct trace_info *infos = count > 0 ? calloc((size_t)count, sizeof(*infos)) : NULL;
	int64_t packets = 0;

	if (infos && trace_db_traces(serve->packets, infos, (size_t)count) == count)
		for (int i = 0; i < count; i++)
			if ((int64_t)infos[i].trace == trace)
				packets = (int64_t)infos[i].packets;
	free(infos);
	return packets;
}

/*
 * From a packet on, or back from it, stretch by stretch. @next: receives where to go on; -1: the
 * list is full, or all was looked at.
 */
static int search(struct serve *serve, struct trace_filter *filter, json_t *list, int64_t *next)
{
	int64_t last = packets_of(serve, filter->trace) - 1, at = filter->packet_first;
	uint64_t until = tool_now_ns() + SEARCH_NS, limit = filter->limit;
	int error = 0;

	*next = -1;
	if (at < 0)
		at = filter->backwards ? last : 0;
	if (filter->backwards && at > last)
		at = last;
	while (at >= 0 && at <= last) {
		if (filter->backwards) {
			filter->packet_last = at;
			filter->packet_first = at >= SEARCH_PACKETS ? at - SEARCH_PACKETS + 1 : 0;
		} else {
			filter->packet_first = at;
			filter->packet_last =
				last - at >= SEARCH_PACKETS ? at + SEARCH_PACKETS - 1 : last;
		}
		filter->limit = limit - json_array_size(list);
		error = rows_take(serve, filter, list);
		if (error || json_array_size(list) >= limit)
			break;
		at = filter->backwards ? filter->packet_first - 1 : filter->packet_last + 1;
		if (tool_now_ns() < until)
			continue;
		*next = at <= last ? at : -1;
		break;
	}
	return error;
}

static enum MHD_Result packets(struct serve *serve, struct MHD_Connection *connection)
{
	struct trace_filter filter;
	json_t *list = json_array();
	int64_t next;
	int error = filter_take(connection, &filter);

	if (!error)
		error = search(serve, &filter, list, &next);
	if (error) {
		json_decref(list);
		return fail(serve, connection, error);
	}
	return answer(connection, json_pack("{s:s, s:I, s:o}", "schema", "smile.packets/1", "next",
					    (json_int_t)next, "packets", list));
}

/* What one packet needs, by `trace` and `packet`. */
struct one {
	struct trace_row row;
	uint8_t body[TRACE_DB_BODY_BYTES];
};

static int one_read(struct serve *serve, struct MHD_Connection *connection, struct one *one)
{
	int64_t trace, packet;

	if (argument(connection, "trace", TRACE_DB_TRACES, &trace) < 1 ||
	    argument(connection, "packet", INT64_MAX, &packet) < 1)
		return -EINVAL;
	return trace_db_packet(serve->packets, (uint64_t)trace, (uint64_t)packet, &one->row,
			       one->body);
}

static json_t *name_json(const char *name)
{
	return name[0] ? document_text(name) : json_null();
}

/* Names of a packet's nodes and of the segment at its address. */
static void names_add(struct serve *serve, json_t *document, const struct frame *frame)
{
	char name[128];

	trace_db_node_name(serve->packets, frame_source(frame), name, sizeof(name));
	json_object_set_new(document, "source_name", name_json(name));
	trace_db_node_name(serve->packets, frame_target(frame), name, sizeof(name));
	json_object_set_new(document, "target_name", name_json(name));
	if (frame_class_of(frame) != FRAME_REQUEST)
		return;
	trace_db_segment_name(serve->packets, frame_target(frame), frame->bd2 & BLINK_BD2_ADDRESS,
			      name, sizeof(name));
	json_object_set_new(document, "segment_name", name_json(name));
}

static json_t *packet_document(struct serve *serve, struct one *one)
{
	uint64_t response;
	int64_t answered = -1;
	json_t *document;

	if (frame_class_of(&one->row.frame) == FRAME_REQUEST &&
	    !trace_db_response(serve->packets, &one->row, RESPONSE_WINDOW_NS, &response))
		answered = (int64_t)response;
	document = packet_json(&one->row, answered);
	if (document)
		names_add(serve, document, &one->row.frame);
	return document;
}

static int members_document(struct serve *serve, struct one *one, json_t **document)
{
	struct trace_member members[MEMBERS_MAX];
	json_t *list = json_array();
	int count = trace_db_transaction(serve->packets, &one->row, TRANSACTION_WINDOW_NS, members,
					 MEMBERS_MAX);

	for (int i = 0; i < count && i < (int)MEMBERS_MAX; i++)
		if (!trace_db_packet(serve->packets, members[i].trace, members[i].packet, &one->row,
				     one->body))
			json_array_append_new(list, packet_json_row(&one->row));
	*document = json_pack("{s:s, s:i, s:o}", "schema", "smile.trace.transaction/1", "window_ns",
			      TRANSACTION_WINDOW_NS, "packets", list);
	return count < 0 ? count : 0;
}

static enum MHD_Result one(struct serve *serve, struct MHD_Connection *connection, int members)
{
	struct one *one = calloc(1, sizeof(*one));
	json_t *document = NULL;
	int error = one ? 0 : -ENOMEM;

	trace_db_interrupt_after(serve->packets, STEPS_MAX);
	if (!error)
		error = one_read(serve, connection, one);
	if (!error && members)
		error = members_document(serve, one, &document);
	else if (!error)
		document = packet_document(serve, one);
	trace_db_interrupt_after(serve->packets, 0);
	free(one);
	if (!error)
		return answer(connection, document);
	json_decref(document);
	return fail(serve, connection, error);
}

enum MHD_Result packets_route(struct serve *serve, struct MHD_Connection *connection,
			      const char *url)
{
	if (!strcmp(url, "/"))
		return MHD_queue_response(connection, MHD_HTTP_OK, serve->page);
	if (!strcmp(url, "/traces.json"))
		return traces(serve, connection);
	if (!strcmp(url, "/packets.json"))
		return packets(serve, connection);
	if (!strcmp(url, "/packet.json"))
		return one(serve, connection, 0);
	if (!strcmp(url, "/transaction.json"))
		return one(serve, connection, 1);
	return serve_refuse(connection, MHD_HTTP_NOT_FOUND,
			    "There is no such thing here; there are /, /traces.json, "
			    "/packets.json, /packet.json and /transaction.json.\n");
}

/* ---- the server ---------------------------------------------------------------------------- */

static int packets_run(struct serve *serve, const char *url)
{
	serve->page = serve_page_of(packets_page_before, packets_page_between, packets_page_after);
	if (!serve->page)
		return tool_error("no memory");
	if (serve_http_begin(serve) != TOOL_OK)
		return TOOL_ERROR;
	printf("%s\n", url);
	fflush(stdout);
	while (!signals_count()) {
		serve_http_run(serve, IDLE_MS);
		serve_http_sweep(serve);
	}
	return TOOL_OK;
}

int packets_serve(const char *path, const struct serve_options *options)
{
	struct serve *serve = tool_memory(1, sizeof(*serve));
	char url[512];
	int status = TOOL_OK;

	serve->options = options;
	for (size_t i = 0; i < SERVE_ADDRESSES_MAX; i++)
		serve->addresses[i].socket = -1;
	if (trace_db_open(&serve->packets, path))
		status = tool_error("%s", trace_db_message(NULL));
	if (status == TOOL_OK)
		status = serve_listen(serve, url, sizeof(url));
	signals_catch();
	if (status == TOOL_OK)
		status = packets_run(serve, url);
	serve_http_end(serve);
	if (serve->page)
		MHD_destroy_response(serve->page);
	trace_db_close(serve->packets);
	free(serve);
	return status;
}
