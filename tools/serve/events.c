// SPDX-License-Identifier: MIT
/*
 * Serve: send events, which notify web pages of new data.
 *
 * What lives here: the stream of server-sent events (HTML Living Standard, 9.2), and its listeners.
 * If a listener is slow, it misses intermediate events. No data is lost, because each event
 * contains the complete state.
 */
#include "tools/serve/serve.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "tools/common/output.h"
#include "tools/common/tool.h"

#define EVENTS_LOOK_NS 500000000ULL
#define EVENTS_BEAT_NS 15000000000ULL
#define EVENTS_BLOCK 4096
/* The time after which a browser reconnects if the connection is lost. */
#define EVENTS_RETRY_MS 2000

/**
 * struct serve_listener - A client that receives events.
 * @connection: connection of the client in MHD
 * @seen: value of serve.event_count at the last event that was sent
 * @text: the text that is being sent; NULL: no text
 * @at: number of bytes of @text that were sent
 * @sent_ns: time at which data was sent last
 * @asleep: the connection is suspended
 * @gone: the client has closed the connection
 */
struct serve_listener {
	struct serve_listener *next;
	struct serve *serve;
	struct MHD_Connection *connection;
	uint64_t seen;
	char *text;
	size_t at;
	uint64_t sent_ns;
	int asleep;
	int gone;
};

const char *serve_state(const struct serve *serve)
{
	return live_state_name(serve->live->state);
}

static void wake(struct serve_listener *listener)
{
	if (listener->asleep)
		serve_mhd.resume_connection(listener->connection);
	listener->asleep = 0;
}

/* ---- the contents of an event -------------------------------------------------------------- */

static json_t *sample_json(const struct serve_history *history)
{
	const struct serve_column *last;
	json_t *packets;

	if (!history->count)
		return json_null();
	last = &history->columns[(history->count - 1) % SERVE_COLUMNS];
	packets = document_counts(last->packets, history->nodes);
	return json_pack("{s:I, s:I, s:I, s:I, s:o}", "n", (json_int_t)(history->count - 1), "ms",
			 document_int(last->ms), "events", document_int(last->events), "lost",
			 document_int(last->lost), "packets", packets);
}

static char *event_text(struct serve *serve)
{
	json_t *event =
		json_pack("{s:s, s:I, s:s, s:o, s:I, s:o}", "instance", serve->instance, "document",
			  (json_int_t)serve->data.serial, "state", serve_state(serve), "message",
			  document_text(serve->live->trouble), "interval_ms",
			  (json_int_t)(serve_product_interval(serve, &serve->data) / 1000000),
			  "sample", sample_json(&serve->history));
	char *json = json_dumps(event, JSON_COMPACT), *text = NULL;

	/* The JSON text contains no line breaks, so it is a valid data line of an event. */
	if (json && asprintf(&text, "id: %llu\nevent: news\ndata: %s\n\n",
			     (unsigned long long)serve->event_count, json) < 0)
		text = NULL;
	free(json);
	json_decref(event);
	return text;
}

void serve_events_report(struct serve *serve)
{
	char *text;

	serve->event_count++;
	text = serve->listeners ? event_text(serve) : NULL;
	free(serve->event);
	serve->event = text;
	for (struct serve_listener *one = serve->listeners; text && one; one = one->next)
		wake(one);
}

/*
 * Check whether the client has closed the connection. MHD does not detect this while the connection
 * is suspended.
 */
static int is_gone(const struct serve_listener *listener)
{
	const union MHD_ConnectionInfo *info = serve_mhd.get_connection_info(
		listener->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	char byte;

	return info && recv(info->connect_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void serve_events_look(struct serve *serve)
{
	uint64_t now = tool_now_ns();

	if (now < serve->looked_ns + EVENTS_LOOK_NS)
		return;
	serve->looked_ns = now;
	for (struct serve_listener *one = serve->listeners; one; one = one->next)
		if (one->asleep && is_gone(one)) {
			one->gone = 1;
			wake(one);
		} else if (one->asleep && now > one->sent_ns + EVENTS_BEAT_NS && !one->text) {
			one->text = strdup(":\n\n");
			one->at = 0;
			wake(one);
		}
}

/* ---- listeners ----------------------------------------------------------------------------- */

static ssize_t read_events(void *opaque, uint64_t position, char *to, size_t room)
{
	struct serve_listener *listener = opaque;
	struct serve *serve = listener->serve;
	size_t left;

	if (serve->closing || listener->gone)
		return MHD_CONTENT_READER_END_OF_STREAM;
	if (!listener->text && serve->event && listener->seen != serve->event_count) {
		listener->text = strdup(serve->event);
		listener->at = 0;
		listener->seen = serve->event_count;
	}
	if (!listener->text) {
		listener->asleep = 1;
		serve_mhd.suspend_connection(listener->connection);
		return 0;
	}
	left = strlen(listener->text + listener->at);
	if (left > room)
		left = room;
	memcpy(to, listener->text + listener->at, left);
	listener->at += left;
	listener->sent_ns = tool_now_ns();
	if (!listener->text[listener->at]) {
		free(listener->text);
		listener->text = NULL;
	}
	return (ssize_t)left;
}

static void listener_free(void *opaque)
{
	struct serve_listener *listener = opaque;
	struct serve_listener **at = &listener->serve->listeners;

	while (*at && *at != listener)
		at = &(*at)->next;
	if (*at) {
		*at = listener->next;
		listener->serve->listener_count--;
	}
	free(listener->text);
	free(listener);
}

static struct MHD_Response *refusal(void)
{
	static const char text[] = "Too many readers listen already: close some of their pages.\n";
	struct MHD_Response *response = serve_mhd.create_response_from_buffer(
		strlen(text), (void *)text, MHD_RESPMEM_PERSISTENT);

	if (response)
		serve_headers(response, "text/plain; charset=utf-8", NULL);
	if (response)
		serve_mhd.add_response_header(response, "Retry-After", "10");
	return response;
}

/* The first event that a listener receives is the current state. */
static struct MHD_Response *listener_new(struct serve *serve, struct MHD_Connection *connection)
{
	struct serve_listener *listener = calloc(1, sizeof(*listener));
	struct MHD_Response *response = NULL;
	char *now = NULL;

	if (listener && (now = event_text(serve)) &&
	    asprintf(&listener->text, "retry: %d\n%s", EVENTS_RETRY_MS, now) >= 0) {
		listener->serve = serve;
		listener->connection = connection;
		listener->seen = serve->event_count;
		listener->sent_ns = tool_now_ns();
		response = serve_mhd.create_response_from_callback(
			MHD_SIZE_UNKNOWN, EVENTS_BLOCK, read_events, listener, listener_free);
	}
	free(now);
	if (!response) {
		free(listener ? listener->text : NULL);
		free(listener);
		return NULL;
	}
	listener->next = serve->listeners;
	serve->listeners = listener;
	serve->listener_count++;
	serve_headers(response, "text/event-stream", NULL);
	return response;
}

enum MHD_Result serve_events_serve(struct serve *serve, struct MHD_Connection *connection)
{
	int full = serve->listener_count >= SERVE_LISTENERS_MAX;
	struct MHD_Response *response = full ? refusal() : listener_new(serve, connection);
	enum MHD_Result result;

	if (!response)
		return MHD_NO;
	result = serve_mhd.queue_response(
		connection, full ? MHD_HTTP_SERVICE_UNAVAILABLE : MHD_HTTP_OK, response);
	serve_mhd.destroy_response(response);
	return result;
}

void serve_events_end(struct serve *serve)
{
	serve->closing = 1;
	for (struct serve_listener *one = serve->listeners; one; one = one->next)
		wake(one);
	free(serve->event);
	serve->event = NULL;
}
