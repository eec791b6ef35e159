/* SPDX-License-Identifier: MIT */
/*
 * Serve: what the parts of `smile serve` share.
 *
 * One thread takes in records, answers requests, and starts longer work. A child process makes a
 * document from the counts at its start, so that neither records nor readers wait.
 */
#ifndef TOOLS_SERVE_H
#define TOOLS_SERVE_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <jansson.h>

#include "lib/analysis/view/view_kept.h"
#include "tools/live/control.h"
#include "tools/live/live.h"
#include "tools/serve/mhd.h"
#include "tools/view/view.h"

#define SERVE_PORT 8340
#define SERVE_ADDRESSES_MAX 2
/* Of all addresses; more are refused at once. */
#define SERVE_CONNECTIONS_MAX 128
/* So many more are accepted by each address, to be refused. */
#define SERVE_REFUSALS_MAX 32
/* The latest tickets that were not used are kept, at most this many. */
#define SERVE_TICKETS_MAX 16
/* The first document waits at most this long for records from before recordings were opened. */
#define SERVE_FIRST_NS 1000000000ULL
/* Up to this many pages, each document has advice of its own. */
#define SERVE_ADVICE_PAGES 16384
/* With more pages, advice takes at most one in this many parts of a processor. */
#define SERVE_ADVICE_SHARE 50
/* Readers of recordings. */
#define SERVE_STREAMS_MAX 16
#define SERVE_LISTENERS_MAX 32
/* The longest head of a request. */
#define SERVE_REQUEST_BYTES 32768
/* A request must be complete, and a reader must read, within that time. */
#define SERVE_PATIENCE_S 10
/* With up to this many nodes, the history reports each node; with more, their sum. */
#define SERVE_NODES_MAX 128
#define SERVE_COLUMNS 120
/*
 * The texts of this many documents are kept: of the newest, and of earlier ones that were
 * requested.
 */
#define SERVE_PARTS_NEWEST 4
#define SERVE_PARTS_ASKED 4
/* And at most this many bytes of those that are not the newest. */
#define SERVE_PARTS_BYTES (128ULL << 20)

/**
 * struct serve_options - What the user asked for.
 * @live: the source
 * @listen: ADDRESS:PORT or unix:PATH; NULL: both loopback addresses, SERVE_PORT
 * @interval_ns: minimum time between two events, and between two documents
 * @top: pages in /metrics at most
 * @view: as of view_document()
 */
struct serve_options {
	struct live_options live;
	const char *listen;
	uint64_t interval_ns;
	size_t top;
	struct view_options view;
};

struct serve;

/**
 * struct serve_address - An address at which requests arrive.
 * @socket: listening; -1: none
 * @port: its port
 * @path: of a Unix socket, which is removed at the end; NULL
 * @inode: its inode
 * @daemon: the server there; owns @socket
 * @serve: the server
 */
struct serve_address {
	int socket;
	unsigned int port;
	const char *path;
	ino_t inode;
	struct MHD_Daemon *daemon;
	struct serve *serve;
};

/**
 * struct serve_product - A document that is made from time to time, and served in between.
 * @path: the path of its requests
 * @type: its content type
 * @policy: its Content-Security-Policy
 * @make: writes it, in the child process; TOOL_OK, or TOOL_ERROR after a message
 * @take: makes the answer from the file that @make wrote, and takes over the file; NULL if it
 *        cannot, and the file is still the caller's. No function: the file is the answer
 * @begun: called when a process has begun to make an answer; NULL: no call
 * @made: called when an answer was made; NULL: no call
 * @response: the last answer that was made; NULL: none yet
 * @serial: serve.serial of the counts from which it was made
 * @begun_serial: the same for the answer that is being made
 * @begun_ns: when that began
 * @begun_behind: serve.behind then
 * @took_ns: of a processor, for the last answer
 * @next_ns: the next answer is not begun before this time
 * @child: the process that makes one; 0: none
 * @file: the file that it writes
 * @timed: it contains times: each one is different
 * @wanted: a newer one was requested than there is
 * @failed: the last one could not be made
 * @killed_reported: a message has said that a signal ended a child
 */
struct serve_product {
	const char *path;
	const char *type;
	const char *policy;
	int (*make)(struct serve *serve, FILE *out);
	struct MHD_Response *(*take)(struct serve *serve, int file, uint64_t bytes);
	void (*begun)(struct serve *serve);
	void (*made)(struct serve *serve);
	struct MHD_Response *response;
	uint64_t serial;
	uint64_t begun_serial;
	uint64_t begun_ns;
	int begun_behind;
	uint64_t took_ns;
	uint64_t next_ns;
	pid_t child;
	int file;
	int timed;
	int wanted;
	int failed;
	int killed_reported;
};

/**
 * struct serve_text - One of the texts that hold the document's pages.
 * @at: offset in the file
 * @bytes: how long
 * @key: the same for the same text, in any document
 */
struct serve_text {
	uint64_t at;
	uint64_t bytes;
	uint64_t key;
};

/**
 * struct serve_parts - A document of serve.data, in parts.
 * @file: where they are
 * @bytes: its length
 * @head: the newest document without its texts; NULL for others, whose heads are not requested
 * @texts: shape [@text_count]
 * @advice_at: where its advice is in the file; the next document may have the same advice
 * @advice_bytes: its length
 * @asked: serve.texts_asked when one of its texts was last requested; 0: never
 */
struct serve_parts {
	int file;
	uint64_t bytes;
	struct MHD_Response *head;
	struct serve_text *texts;
	size_t text_count;
	uint64_t advice_at;
	uint64_t advice_bytes;
	uint64_t asked;
};

/**
 * struct serve_advice - Advice, which takes longer than the rest of a document.
 * @made: in a child: the document has advice of its own, not the last document's
 * @took_ns: in a child: of a processor, for this advice
 * @serial: serve.serial of the counts from which it was made
 * @of_ns: when these were the counts
 * @next_ns: no advice is made before this time
 */
struct serve_advice {
	int made;
	uint64_t took_ns;
	uint64_t serial;
	uint64_t of_ns;
	uint64_t next_ns;
};

/**
 * struct serve_column - A sample of the history: transactions by the node that asks.
 * @ms: how long it was
 * @events: events delivered in it
 * @lost: memory events lost in it
 * @packets: by node; with more than SERVE_NODES_MAX nodes, their sum in the first
 */
struct serve_column {
	uint64_t ms;
	uint64_t events;
	uint64_t lost;
	uint64_t packets[SERVE_NODES_MAX];
};

/**
 * struct serve_history - The last samples, a ring.
 * @columns: sample n is at n % SERVE_COLUMNS
 * @count: samples so far
 * @nodes: valid nodes of each column
 * @before: transactions by node at the last sample
 * @moving: records arrived during the last sample
 */
struct serve_history {
	struct serve_column columns[SERVE_COLUMNS];
	uint64_t count;
	unsigned int nodes;
	uint64_t before[SERVE_NODES_MAX];
	int moving;
};

struct serve_listener;
struct serve_recording;
struct serve_stream;
struct serve_waiter;
struct trace_db;
struct serve_peer;

/**
 * struct serve - The server.
 * @options: what the user asked for
 * @live: the source
 * @sampled: the mark of recordings of samples, whose counts are estimates; NULL: they are exact
 * @serial: grows whenever counts, or other contents of a document, have changed
 * @behind: recordings still have records from before they were opened
 * @began_ns: when the first of these were read
 * @quiet: members that were late at the last look: live_quiet()
 * @instance: distinguishes this run of the server from others
 * @addresses: addresses of requests; those with a daemon are in use
 * @packets: a trace database, in place of a live source; NULL: none
 * @page: the page
 * @data: /data.json
 * @parts: of this document and earlier ones, for the page: shape [@parts_count], the newest first
 * @texts_asked: number of requests for texts
 * @kept: model of the last document, from which the next one is made
 * @kept_of: the Monitor that it is of
 * @kept_anew: live_anew() when it was made
 * @advice: of the newest document
 * @metrics: /metrics
 * @history: transactions over time
 * @sample_ns: when the next sample is due
 * @unreported: there is news since the last event
 * @report_ns: when the next may be sent
 * @event: text of the last event; NULL: none yet
 * @event_count: events so far
 * @listeners: readers of /events
 * @listener_count: how many
 * @looked_ns: when they were last checked
 * @waiters: requests that wait for a product
 * @peers: all connections
 * @peer_count: how many
 * @recordings: what /recordings offers, shape [@recordings_count]; NULL: not known yet
 * @recordings_anew: live_anew() of them
 * @recordings_error: -errno: not all can be opened, and none is offered; 0
 * @recordings_ns: when they were last looked at
 * @streams: readers of /recordings
 * @stream_count: how many
 * @streamed_ns: when one of them last took something
 * @tickets: for requests that change something; "": none
 * @tickets_next: modulo SERVE_TICKETS_MAX, the number of the next ticket
 * @closing: the server ends
 * @slow_reported: a message has said that documents are made less often than requested
 */
struct serve {
	const struct serve_options *options;
	struct live *live;
	json_t *sampled;
	uint64_t serial;
	int behind;
	uint64_t began_ns;
	size_t quiet;
	char instance[32];
	struct serve_address addresses[SERVE_ADDRESSES_MAX];
	struct trace_db *packets;
	struct MHD_Response *page;
	struct serve_product data;
	struct serve_parts parts[SERVE_PARTS_NEWEST + SERVE_PARTS_ASKED];
	size_t parts_count;
	uint64_t texts_asked;
	struct view_kept kept;
	const struct Monitor *kept_of;
	uint64_t kept_anew;
	struct serve_advice advice;
	struct serve_product metrics;
	struct serve_history history;
	uint64_t sample_ns;
	int unreported;
	uint64_t report_ns;
	char *event;
	uint64_t event_count;
	struct serve_listener *listeners;
	unsigned int listener_count;
	uint64_t looked_ns;
	struct serve_waiter *waiters;
	struct serve_peer *peers;
	unsigned int peer_count;
	struct serve_recording *recordings;
	size_t recordings_count;
	uint64_t recordings_anew;
	int recordings_error;
	uint64_t recordings_ns;
	struct serve_stream *streams;
	unsigned int stream_count;
	uint64_t streamed_ns;
	char tickets[SERVE_TICKETS_MAX][CONTROL_TICKET_DIGITS + 1];
	size_t tickets_next;
	int closing;
	int slow_reported;
};

/* ---- addresses ----------------------------------------------------------------------------- */

/**
 * serve_listen() - Open the sockets.
 * @url: receives where the page is; @bytes long
 *
 * Return: TOOL_OK; TOOL_ERROR after a message, with none open.
 */
int serve_listen(struct serve *serve, char *url, size_t bytes);

/**
 * serve_url_print() - Print where the page is, for who has started the server.
 *
 * Return: TOOL_OK, also if the reader is gone; TOOL_ERROR: it could not be written, which
 * output_finish() reports.
 */
int serve_url_print(const char *url);

/**
 * serve_listen_end() - Remove the socket's path.
 */
void serve_listen_end(struct serve *serve);

/**
 * serve_host_allowed() - May a request name this host? Only this machine's
 * own names are allowed, so that a foreign page whose name resolves to this machine cannot read
 * anything. The port does not matter: a forwarded port may have another number.
 * @host: the header's value; NULL: no header
 */
int serve_host_allowed(const char *host);

/* ---- requests ------------------------------------------------------------------------------ */

/**
 * serve_http_begin() - Begin to answer at all addresses.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int serve_http_begin(struct serve *serve);

/**
 * serve_http_run() - Wait for requests, and answer them.
 *
 * Return: 1 if a request came in or something was sent, so that there may be more; 0.
 */
int serve_http_run(struct serve *serve, int timeout_ms);

/**
 * serve_http_sweep() - Close connections whose request does not end.
 */
void serve_http_sweep(struct serve *serve);

/**
 * serve_http_abandon() - In a child process: close all connections without using them.
 */
void serve_http_abandon(struct serve *serve);

/**
 * serve_http_end() - Answer no more requests.
 */
void serve_http_end(struct serve *serve);

/**
 * serve_headers() - Add the type, and the headers of all responses.
 * @policy: Content-Security-Policy; NULL: the strictest
 */
void serve_headers(struct MHD_Response *response, const char *type, const char *policy);

/**
 * serve_refuse() - Answer a request with a status and a text, and close the connection.
 */
enum MHD_Result serve_refuse(struct MHD_Connection *connection, unsigned int status,
			     const char *text);

/**
 * serve_page_of() - Make a page that requests its data from the three parts that bundle.sh makes.
 *
 * Return: NULL without memory.
 */
struct MHD_Response *serve_page_of(const char *before, const char *between, const char *last);

/**
 * serve_page() - The page, which requests its data. Return: NULL without memory.
 */
struct MHD_Response *serve_page(void);

/* ---- products ------------------------------------------------------------------------------ */

/**
 * serve_product_serve() - Answer a request for a product: with the last one, if it is new enough or
 * no newer one is due; otherwise once a newer one is made.
 * @response: the part to send: the product's response, or another one that exists with it
 * @state: the request's, as MHD keeps it
 */
enum MHD_Result serve_product_serve(struct serve *serve, struct serve_product *product,
				    struct MHD_Response *const *response,
				    struct MHD_Connection *connection, void **state);

/**
 * serve_product_forget() - The request that @state belongs to is over.
 */
void serve_product_forget(struct serve *serve, void **state);

/**
 * serve_product_run() - Take over products that are made, and begin those that are due.
 *
 * Return: 1 if one was made; 0.
 */
int serve_product_run(struct serve *serve, struct serve_product *product);

/**
 * serve_pace() - Interval between two beginnings of a repeated task, so that it takes at most a
 * tenth of a processor; ns.
 * @took_ns: of a processor, for one
 */
uint64_t serve_pace(const struct serve *serve, uint64_t took_ns);

/**
 * serve_product_interval() - Time from one to the next, ns.
 */
uint64_t serve_product_interval(const struct serve *serve, const struct serve_product *product);

/**
 * serve_product_end() - Stop making products.
 */
void serve_product_end(struct serve *serve, struct serve_product *product);

/* The functions of the products. */
int serve_data_make(struct serve *serve, FILE *out);
int serve_metrics_make(struct serve *serve, FILE *out);

/**
 * serve_data_begun() - The process that makes the document has its copy of the counts: from here on
 * it is the next one's changes that are kept.
 */
void serve_data_begun(struct serve *serve);

/**
 * serve_data_made() - It has made it, and left a model.
 */
void serve_data_made(struct serve *serve);

/**
 * serve_data_advised() - Has the newest document advice of its own counts, or is it too early for
 * another?
 */
int serve_data_advised(const struct serve *serve);

/* ---- the document in parts ----------------------------------------------------------------- */

/**
 * serve_parts_write() - In the child: leave the document and its parts in @out.
 * @document: smile.view/1, with its live data; its texts are taken out. In place of a text may be
 *            the number of one of the newest document that there is
 *
 * Return: 0; -1 without memory.
 */
int serve_parts_write(const struct serve *serve, json_t *document, FILE *out);

/**
 * serve_parts_advice() - The advice of the newest document that there is.
 *
 * Return: a new reference; null if there is no such value.
 */
json_t *serve_parts_advice(const struct serve *serve);

/**
 * serve_parts_take() - serve_product.take of the document: its parts are the first of serve.parts
 * from now on. Earlier ones are kept within the limits: a client on a slow line requests the texts
 * of a document long after there are newer ones.
 */
struct MHD_Response *serve_parts_take(struct serve *serve, int file, uint64_t bytes);

/**
 * serve_parts_text() - One of the texts.
 * @key: as in the head, 16 hexadecimal digits; NULL: none was given
 * @response: receives a new response
 *
 * Return: 0; -ENOENT if no document that is kept has such a text; -EMFILE or -ENOMEM if it has, and
 * there is no file or memory left to send it.
 */
int serve_parts_text(struct serve *serve, const char *key, struct MHD_Response **response);

/**
 * serve_parts_end() - Free all of them.
 */
void serve_parts_end(struct serve *serve);

/* ---- history and events -------------------------------------------------------------------- */

/**
 * serve_history_sample() - Take a sample. Return: 1 if it contains anything new; 0.
 */
int serve_history_sample(struct serve *serve);

/**
 * serve_history_json() - The history, packed. Return: a new reference, NULL without memory.
 */
json_t *serve_history_json(const struct serve_history *history);

/**
 * serve_state() - "running", "ended" or "failed".
 */
const char *serve_state(const struct serve *serve);

/**
 * serve_events_serve() - Answer a request for events: the answer continues until the client leaves.
 */
enum MHD_Result serve_events_serve(struct serve *serve, struct MHD_Connection *connection);

/**
 * serve_events_report() - Send all listeners the current state.
 */
void serve_events_report(struct serve *serve);

/**
 * serve_events_look() - Close the connections of clients that are gone, and send something to
 * clients to which nothing was sent for long.
 */
void serve_events_look(struct serve *serve);

/**
 * serve_events_end() - End all connections of listeners; before serve_http_end().
 */
void serve_events_end(struct serve *serve);

/* ---- recordings ---------------------------------------------------------------------------- */

/**
 * serve_recordings_serve() - Answer a request for recordings: the answer continues until they are
 * over.
 */
enum MHD_Result serve_recordings_serve(struct serve *serve, struct MHD_Connection *connection);

/**
 * serve_recordings_look() - Send what they have grown by.
 */
void serve_recordings_look(struct serve *serve);

/**
 * serve_recordings_end() - The live source has ended; what is left is to be sent.
 */
void serve_recordings_end(struct serve *serve);

/**
 * serve_recordings_free() - Offer nothing any more.
 */
void serve_recordings_free(struct serve *serve);

/* ---- control ------------------------------------------------------------------------------- */

/**
 * serve_ticket_serve() - Answer a request for a ticket.
 */
enum MHD_Result serve_ticket_serve(struct serve *serve, const struct serve_address *address,
				   struct MHD_Connection *connection);

/**
 * serve_control_serve() - Carry out a request with all cards.
 */
enum MHD_Result serve_control_serve(struct serve *serve, const struct serve_address *address,
				    struct MHD_Connection *connection);

#endif /* TOOLS_SERVE_H */
