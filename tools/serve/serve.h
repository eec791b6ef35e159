/* SPDX-License-Identifier: MIT */
/*
 * Serve: the types and functions that the parts of `smile serve` share.
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
/* Largest number of connections to all addresses; further ones are refused immediately. */
#define SERVE_CONNECTIONS_MAX 128
/* Each address accepts so many further connections, in order to refuse them. */
#define SERVE_REFUSALS_MAX 32
/* At most this many unused tickets are kept, the latest ones. */
#define SERVE_TICKETS_MAX 16
/* The first document waits at most this long for records from before recordings were opened. */
#define SERVE_FIRST_NS 1000000000ULL
/* Up to this many pages, each document has advice of its own. */
#define SERVE_ADVICE_PAGES 16384
/* With more pages, advice takes at most one in this many parts of a processor. */
#define SERVE_ADVICE_SHARE 50
/* Largest number of readers of recordings. */
#define SERVE_STREAMS_MAX 16
#define SERVE_LISTENERS_MAX 32
/* The longest head of a request. */
#define SERVE_REQUEST_BYTES 32768
/* A request must be complete, and a reader must read, within this time. */
#define SERVE_PATIENCE_S 10
/* With up to this many nodes, the history reports each node; with more, their sum. */
#define SERVE_NODES_MAX 128
#define SERVE_COLUMNS 120
/*
 * The texts of this many of the newest documents are kept, and the texts of earlier documents that
 * were requested.
 */
#define SERVE_PARTS_NEWEST 4
#define SERVE_PARTS_ASKED 4
/* Of all documents except the newest, at most this many bytes are kept. */
#define SERVE_PARTS_BYTES (128ULL << 20)

/**
 * struct serve_options - The user's options.
 * @live: the source
 * @listen: ADDRESS:PORT or unix:PATH; NULL: both loopback addresses, SERVE_PORT
 * @interval_ns: minimum time between two events, and between two documents
 * @top: largest number of pages in /metrics
 * @view: options of view_document()
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
 * @socket: the listening socket; -1: none
 * @port: its port
 * @path: path of a Unix socket, which is removed at the end; otherwise NULL
 * @inode: inode of @path
 * @daemon: MHD's server at this address; owns @socket
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
 * @make: writes it, in the child process; returns TOOL_OK, or TOOL_ERROR after a message
 * @take: makes the answer from the file that @make wrote, and takes over the file; returns NULL if
 *        it cannot, and the caller still owns the file. Without @take, the file is the answer
 * @begun: called when a process has begun to make an answer; NULL: no call
 * @made: called when an answer was made; NULL: no call
 * @response: the last answer that was made; NULL: none yet
 * @serial: serve.serial of the counts from which it was made
 * @begun_serial: serve.serial of the counts of the answer that is being made
 * @begun_ns: time at which the process that makes it was started
 * @begun_behind: serve.behind at this time
 * @took_ns: processor time that the last answer took
 * @next_ns: the next answer is not begun before this time
 * @child: the process that makes an answer; 0: none
 * @file: the file that @child writes
 * @timed: the document contains times, so that each answer is different
 * @wanted: a newer answer than @response was requested
 * @failed: the last answer could not be made
 * @killed_reported: a message has reported that a signal ended a child
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
 * @at: its offset in the file
 * @bytes: its length
 * @key: its key; equal texts have the same key in all documents
 */
struct serve_text {
	uint64_t at;
	uint64_t bytes;
	uint64_t key;
};

/**
 * struct serve_parts - A document of serve.data, in parts.
 * @file: the file that holds the parts
 * @bytes: length of the file
 * @head: the newest document without its texts; NULL for others, whose heads are not requested
 * @texts: its texts; shape [@text_count]
 * @advice_at: offset of its advice in the file; the next document may have the same advice
 * @advice_bytes: length of the advice
 * @asked: serve.texts_asked when one of its texts was requested last; 0: never
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
 * @made: in a child: the document has its own advice, not that of the last document
 * @took_ns: in a child: processor time that this advice took
 * @serial: serve.serial of the counts from which the advice was made
 * @of_ns: time of these counts
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
 * struct serve_column - A sample of the history: transactions by the requesting node.
 * @ms: length of the sample
 * @events: events delivered in this time
 * @lost: memory events lost in this time
 * @packets: by node; with more than SERVE_NODES_MAX nodes, the first entry is their sum
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
 * @count: number of samples so far
 * @nodes: number of valid nodes of each column
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
 * @options: the user's options
 * @live: the source
 * @sampled: the mark of recordings of samples, whose counts are estimates; NULL: counts are exact
 * @serial: grows whenever counts, or other contents of a document, have changed
 * @behind: recordings still have unread records from before they were opened
 * @began_ns: time at which the first of these records were read
 * @quiet: number of members that were late at the last check: live_quiet()
 * @instance: distinguishes this run of the server from others
 * @addresses: addresses of requests; addresses with a daemon are in use
 * @packets: a trace database, in place of a live source; NULL: none
 * @page: the web page
 * @data: /data.json
 * @parts: parts of this document and of earlier ones, for the page: shape [@parts_count], the
 *         newest first
 * @texts_asked: number of requests for texts
 * @kept: model of the last document, from which the next one is made
 * @kept_of: the Monitor of this model
 * @kept_anew: live_anew() when the model was made
 * @advice: advice of the newest document
 * @metrics: /metrics
 * @history: transactions over time
 * @sample_ns: time at which the next sample is due
 * @unreported: there is news since the last event
 * @report_ns: time from which on the next event may be sent
 * @event: text of the last event; NULL: none yet
 * @event_count: number of events so far
 * @listeners: readers of /events
 * @listener_count: number of @listeners
 * @looked_ns: time at which they were checked last
 * @waiters: requests that wait for a product
 * @peers: all connections
 * @peer_count: number of connections
 * @recordings: recordings that /recordings offers, shape [@recordings_count]; NULL: not known yet
 * @recordings_anew: live_anew() of these recordings
 * @recordings_error: -errno: not all recordings can be opened, and none is offered; 0
 * @recordings_ns: time at which they were checked last
 * @streams: readers of /recordings
 * @stream_count: number of @streams
 * @streamed_ns: time at which one of them got data last
 * @tickets: valid tickets of requests that change something; "": no ticket
 * @tickets_next: number of the next ticket; its index is this modulo SERVE_TICKETS_MAX
 * @closing: the server ends
 * @slow_reported: a message has reported that documents are made less often than requested
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
 * @url: receives the address of the page; @bytes long
 *
 * Return: TOOL_OK; TOOL_ERROR after a message, with no socket open.
 */
int serve_listen(struct serve *serve, char *url, size_t bytes);

/**
 * serve_url_print() - Print the address of the page for the user who has started the server.
 *
 * Return: TOOL_OK, also if the reader has closed the pipe; TOOL_ERROR: it could not be written;
 * output_finish() reports the error.
 */
int serve_url_print(const char *url);

/**
 * serve_listen_end() - Remove the path of the Unix socket.
 */
void serve_listen_end(struct serve *serve);

/**
 * serve_host_allowed() - May a request name this host? Only this machine's own names are allowed,
 * so that a foreign page whose name resolves to this machine cannot read any data. The port does
 * not matter: a forwarded port may have another number.
 * @host: the header's value; NULL: no header
 */
int serve_host_allowed(const char *host);

/* ---- requests ------------------------------------------------------------------------------ */

/**
 * serve_http_begin() - Begin to answer requests at all addresses.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int serve_http_begin(struct serve *serve);

/**
 * serve_http_run() - Wait for requests, and answer them.
 *
 * Return: 1 if a request arrived or data was sent, so that there may be more to do; 0.
 */
int serve_http_run(struct serve *serve, int timeout_ms);

/**
 * serve_http_sweep() - Close connections whose request was not complete in time.
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
 * serve_headers() - Add the content type, and the headers that all responses have.
 * @policy: Content-Security-Policy; NULL: the strictest policy
 */
void serve_headers(struct MHD_Response *response, const char *type, const char *policy);

/**
 * serve_refuse() - Answer a request with a status and a text, and close the connection.
 */
enum MHD_Result serve_refuse(struct MHD_Connection *connection, unsigned int status,
			     const char *text);

/**
 * serve_page_of() - Make a page, which requests its data, from the three parts of bundle.sh.
 *
 * Return: NULL without memory.
 */
struct MHD_Response *serve_page_of(const char *before, const char *between, const char *last);

/**
 * serve_page() - Make the report page, which requests its data. Return: NULL without memory.
 */
struct MHD_Response *serve_page(void);

/* ---- products ------------------------------------------------------------------------------ */

/**
 * serve_product_serve() - Answer a request for a product: with the last answer, if it is new enough
 * or no newer one is due; otherwise when a newer answer was made.
 * @response: the part to send: the product's response, or another response that exists with it
 * @state: state of the request, which MHD keeps
 */
enum MHD_Result serve_product_serve(struct serve *serve, struct serve_product *product,
				    struct MHD_Response *const *response,
				    struct MHD_Connection *connection, void **state);

/**
 * serve_product_forget() - The request with this @state has ended.
 */
void serve_product_forget(struct serve *serve, void **state);

/**
 * serve_product_run() - Take over an answer that was made, and start to make one that is due.
 *
 * Return: 1 if an answer was made; 0.
 */
int serve_product_run(struct serve *serve, struct serve_product *product);

/**
 * serve_pace() - Interval between two starts of a repeated task, so that it takes at most a tenth
 * of a processor; ns.
 * @took_ns: processor time of one task
 */
uint64_t serve_pace(const struct serve *serve, uint64_t took_ns);

/**
 * serve_product_interval() - Time from the start of an answer to the start of the next, ns.
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
 * serve_data_begun() - The process that makes the document has its copy of the counts: changes from
 * here on are kept for the next document.
 */
void serve_data_begun(struct serve *serve);

/**
 * serve_data_made() - The process has made the document, and left a model.
 */
void serve_data_made(struct serve *serve);

/**
 * serve_data_advised() - Does the newest document have advice from its own counts, or is it too
 * early for other advice?
 */
int serve_data_advised(const struct serve *serve);

/* ---- the document in parts ----------------------------------------------------------------- */

/**
 * serve_parts_write() - In the child: write the document and its parts to @out.
 * @document: smile.view/1, with its live data; its texts are removed. In place of a text it may
 *            have the number of a text of the newest document in serve.parts
 *
 * Return: 0; -1 without memory.
 */
int serve_parts_write(const struct serve *serve, json_t *document, FILE *out);

/**
 * serve_parts_advice() - The advice of the newest document in serve.parts.
 *
 * Return: a new reference; JSON null if there is no advice.
 */
json_t *serve_parts_advice(const struct serve *serve);

/**
 * serve_parts_take() - serve_product.take of the document: its parts are the first in serve.parts
 * from now on. Parts of earlier documents are kept within the limits: a client on a slow line
 * requests the texts of a document long after newer documents were made.
 */
struct MHD_Response *serve_parts_take(struct serve *serve, int file, uint64_t bytes);

/**
 * serve_parts_text() - Make a response of one of the texts.
 * @key: as in the head, 16 hexadecimal digits; NULL: no key was given
 * @response: receives a new response
 *
 * Return: 0; -ENOENT if no kept document has such a text; -EMFILE or -ENOMEM if no file or memory
 * is left to send it.
 */
int serve_parts_text(struct serve *serve, const char *key, struct MHD_Response **response);

/**
 * serve_parts_end() - Free all parts.
 */
void serve_parts_end(struct serve *serve);

/* ---- history and events -------------------------------------------------------------------- */

/**
 * serve_history_sample() - Take a sample. Return: 1 if there is news in it; 0.
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
 * serve_events_look() - Close the connections of clients that are gone, and send an empty message
 * to clients to which nothing was sent for a long time.
 */
void serve_events_look(struct serve *serve);

/**
 * serve_events_end() - End all connections of listeners; before serve_http_end().
 */
void serve_events_end(struct serve *serve);

/* ---- recordings ---------------------------------------------------------------------------- */

/**
 * serve_recordings_serve() - Answer a request for recordings: the answer continues until all
 * recordings have ended.
 */
enum MHD_Result serve_recordings_serve(struct serve *serve, struct MHD_Connection *connection);

/**
 * serve_recordings_look() - Send the data by which the recordings have grown.
 */
void serve_recordings_look(struct serve *serve);

/**
 * serve_recordings_end() - The live source has ended; the rest of its recordings must be sent.
 */
void serve_recordings_end(struct serve *serve);

/**
 * serve_recordings_free() - Stop offering recordings.
 */
void serve_recordings_free(struct serve *serve);

/* ---- control ------------------------------------------------------------------------------- */

/**
 * serve_ticket_serve() - Answer a request for a ticket.
 */
enum MHD_Result serve_ticket_serve(struct serve *serve, const struct serve_address *address,
				   struct MHD_Connection *connection);

/**
 * serve_control_serve() - Carry out a control request with all cards.
 */
enum MHD_Result serve_control_serve(struct serve *serve, const struct serve_address *address,
				    struct MHD_Connection *connection);

#endif /* TOOLS_SERVE_H */
