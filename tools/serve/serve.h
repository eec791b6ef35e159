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

#include "tools/live/live.h"
#include "tools/serve/mhd.h"
#include "tools/view/view.h"

#define SERVE_PORT 8340
#define SERVE_ADDRESSES_MAX 2
/* Of each address; more wait to be accepted. */
#define SERVE_CONNECTIONS_MAX 64
#define SERVE_LISTENERS_MAX 32
/* All that a request's head may take. */
#define SERVE_REQUEST_BYTES 32768
/* A request must be complete, and a reader must read, within that time. */
#define SERVE_PATIENCE_S 10
/* Of that many nodes at most the history reports each; of more their sum. */
#define SERVE_NODES_MAX 128
#define SERVE_COLUMNS 120
/*
 * Of so many documents the texts are kept: of the newest, and of those before that were asked for.
 */
#define SERVE_PARTS_NEWEST 4
#define SERVE_PARTS_ASKED 4
/* And so many bytes of those that are not the newest. */
#define SERVE_PARTS_BYTES (128ULL << 20)

/**
 * struct serve_options - What the user asked for.
 * @live: the source
 * @listen: ADDRESS:PORT; NULL: both loopback addresses, SERVE_PORT
 * @interval_ns: least time from one event to the next, and from one document to the next
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
 * struct serve_address - Where requests come in.
 * @socket: listening; -1: none
 * @port: its port
 * @loopback: only this machine reaches it
 * @daemon: the server there; owns @socket
 * @serve: whose it is
 */
struct serve_address {
	int socket;
	unsigned int port;
	int loopback;
	struct MHD_Daemon *daemon;
	struct serve *serve;
};

/**
 * struct serve_product - A document that is made from time to time, and served in between.
 * @path: where it is asked for
 * @type: its content type
 * @policy: its Content-Security-Policy
 * @make: writes it, in the child process; TOOL_OK, or TOOL_ERROR after a message
 * @take: what is answered from the file that it wrote, which is taken; NULL if nothing can be, and
 *        the file is still the caller's. No function: the file is the answer
 * @response: the last one that was made; NULL: none yet
 * @serial: serve.serial of the counts that it was made of
 * @begun_serial: of those that one is being made of
 * @begun_ns: when that began
 * @took_ns: how long the last one took
 * @next_ns: not before this is the next one begun
 * @child: the process that makes one; 0: none
 * @file: where to
 * @timed: it reports time, too: each is new
 * @wanted: a newer one was requested than there is
 * @failed: the last one could not be made
 * @killed_reported: the user knows that a signal ended a child
 */
struct serve_product {
	const char *path;
	const char *type;
	const char *policy;
	int (*make)(struct serve *serve, FILE *out);
	struct MHD_Response *(*take)(struct serve *serve, int file, uint64_t bytes);
	struct MHD_Response *response;
	uint64_t serial;
	uint64_t begun_serial;
	uint64_t begun_ns;
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
 * struct serve_text - The pages of the document in a text, of many.
 * @at: where in the file
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
 * @bytes: how long that is
 * @head: all but the texts, of the newest document; NULL of others, which are not requested
 * @texts: shape [@text_count]
 * @asked: serve.texts_asked when one of them was asked for last; 0: never
 */
struct serve_parts {
	int file;
	uint64_t bytes;
	struct MHD_Response *head;
	struct serve_text *texts;
	size_t text_count;
	uint64_t asked;
};

/**
 * struct serve_column - A sample of the history: transactions by the node that asks.
 * @ms: how long it was
 * @events: events delivered in it
 * @lost: memory events lost in it
 * @packets: by node; of more than SERVE_NODES_MAX nodes, the sum of all in the first
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
 * @nodes: of each column that mean something
 * @before: transactions by node at the last sample
 * @moving: something came in during the last sample
 */
struct serve_history {
	struct serve_column columns[SERVE_COLUMNS];
	uint64_t count;
	unsigned int nodes;
	uint64_t before[SERVE_NODES_MAX];
	int moving;
};

struct serve_listener;
struct serve_waiter;
struct trace_db;
struct serve_peer;

/**
 * struct serve - The server.
 * @options: what the user asked for
 * @live: the source
 * @serial: grows whenever counts, or what else a document reports, have changed
 * @instance: reports this run of the server from others
 * @addresses: where requests come in; those with a daemon
 * @packets: a trace database, in the place of all that is live; NULL: none
 * @page: the page
 * @data: /data.json
 * @parts: of it and of those before, for the page: shape [@parts_count], the newest first
 * @texts_asked: how many texts were asked for
 * @metrics: /metrics
 * @history: transactions over time
 * @sample_ns: when the next sample is due
 * @unreported: something is new since the last event
 * @report_ns: when the next may be sent
 * @event: text of the last event; NULL: none yet
 * @event_count: events so far
 * @listeners: readers of /events
 * @listener_count: how many
 * @looked_ns: when they were last looked after
 * @waiters: requests that wait for a product
 * @peers: all connections
 * @closing: the server ends
 * @slow_reported: the user knows that documents come less often than asked for
 */
struct serve {
	const struct serve_options *options;
	struct live *live;
	uint64_t serial;
	char instance[32];
	struct serve_address addresses[SERVE_ADDRESSES_MAX];
	struct trace_db *packets;
	struct MHD_Response *page;
	struct serve_product data;
	struct serve_parts parts[SERVE_PARTS_NEWEST + SERVE_PARTS_ASKED];
	size_t parts_count;
	uint64_t texts_asked;
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
 * serve_host_allowed() - May a request to a loopback address name this host? Only this machine's
 * own names may, so that no page of elsewhere, whose name was made to lead here, can read anything.
 * The port does not matter: a forwarded port may have another number.
 * @host: the header's value; NULL: there is none
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
 * serve_http_run() - Answer what came in, waiting for it.
 *
 * Return: 1 if anything did, or if there was something to send, after which there may be more; 0.
 */
int serve_http_run(struct serve *serve, int timeout_ms);

/**
 * serve_http_sweep() - Close connections that have begun a request and do not end it.
 */
void serve_http_sweep(struct serve *serve);

/**
 * serve_http_abandon() - In a child process: let go of all connections.
 */
void serve_http_abandon(struct serve *serve);

/**
 * serve_http_end() - Answer no more requests.
 */
void serve_http_end(struct serve *serve);

/**
 * serve_headers() - Give a response its type, and the headers that all have.
 * @policy: Content-Security-Policy; NULL: the strictest
 */
void serve_headers(struct MHD_Response *response, const char *type, const char *policy);

/**
 * serve_refuse() - Answer a request with a status and a text, and close the connection.
 */
enum MHD_Result serve_refuse(struct MHD_Connection *connection, unsigned int status,
			     const char *text);

/**
 * serve_page_of() - A page that asks for its data, of the three parts that bundle.sh makes.
 *
 * Return: NULL without memory.
 */
struct MHD_Response *serve_page_of(const char *before, const char *between, const char *last);

/**
 * serve_page() - The page, which asks for its data. Return: NULL without memory.
 */
struct MHD_Response *serve_page(void);

/* ---- products ------------------------------------------------------------------------------ */

/**
 * serve_product_serve() - Answer a request for a product: with the one there is, if that is new
 * enough or a newer one is not due; else once that is made.
 * @response: which part of it: the product's own, or another that is there if that is
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
 * serve_product_run() - Take what is made, and begin what is due.
 *
 * Return: 1 if one was made; 0.
 */
int serve_product_run(struct serve *serve, struct serve_product *product);

/**
 * serve_pace() - Time from the beginning of something that is done again and again to its next, so
 * that it takes a twentieth of the time at most; ns.
 * @took_ns: how long it took
 */
uint64_t serve_pace(const struct serve *serve, uint64_t took_ns);

/**
 * serve_product_interval() - Time from one to the next, ns.
 */
uint64_t serve_product_interval(const struct serve *serve, const struct serve_product *product);

/**
 * serve_product_end() - Make no more.
 */
void serve_product_end(struct serve *serve, struct serve_product *product);

/* What the products are. */
int serve_data_make(struct serve *serve, FILE *out);
int serve_metrics_make(struct serve *serve, FILE *out);

/* ---- the document in parts ----------------------------------------------------------------- */

/**
 * serve_parts_write() - In the child: leave the document and its parts in @out.
 * @document: smile.view/1, with what is live about it; its texts are taken out
 *
 * Return: 0; -1 without memory.
 */
int serve_parts_write(json_t *document, FILE *out);

/**
 * serve_parts_take() - serve_product.take of the document: its parts are the first of serve.parts
 * from now on. Those before are kept as far as the limits go: a reader on a slow line asks for the
 * texts of a document long after there are newer ones.
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
 * serve_parts_end() - Let go of them all.
 */
void serve_parts_end(struct serve *serve);

/* ---- history and events -------------------------------------------------------------------- */

/**
 * serve_history_sample() - Take a sample. Return: 1 if it reports anything new; 0.
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
 * serve_events_serve() - Answer a request for events: it goes on until the reader goes away.
 */
enum MHD_Result serve_events_serve(struct serve *serve, struct MHD_Connection *connection);

/**
 * serve_events_report() - Report all listeners what there is.
 */
void serve_events_report(struct serve *serve);

/**
 * serve_events_look() - Close the connections of clients that are gone, and send something to those
 * that have heard nothing for long.
 */
void serve_events_look(struct serve *serve);

/**
 * serve_events_end() - Send all listeners home; before serve_http_end().
 */
void serve_events_end(struct serve *serve);

#endif /* TOOLS_SERVE_H */
