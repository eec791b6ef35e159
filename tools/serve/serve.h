/* SPDX-License-Identifier: MIT */
/*
 * Serve: the types and functions that the files of `smile serve` share.
 *
 * One thread reads records, answers requests, and starts longer work. To make a document, it starts
 * a child process, which has a copy of the counts at this moment. Meanwhile, the thread continues
 * to read records and to answer requests.
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
/*
 * The largest number of connections to all addresses. Further connections are refused immediately.
 */
#define SERVE_CONNECTIONS_MAX 128
/*
 * The number of connections beyond SERVE_CONNECTIONS_MAX that each address accepts, only in order
 * to refuse them.
 */
#define SERVE_REFUSALS_MAX 32
/* The largest number of unused tickets. If there are more, the oldest ones become invalid. */
#define SERVE_TICKETS_MAX 16
/*
 * The longest time that the first document waits for records from before the recordings were
 * opened.
 */
#define SERVE_FIRST_NS 1000000000ULL
/* The largest number of pages for which each document has new advice. */
#define SERVE_ADVICE_PAGES 16384
/*
 * If there are more pages, the computation of advice takes at most this part of a processor (one
 * fiftieth).
 */
#define SERVE_ADVICE_SHARE 50
/* The largest number of clients that receive recordings. */
#define SERVE_STREAMS_MAX 16
#define SERVE_LISTENERS_MAX 32
/* The largest size of the head of a request. */
#define SERVE_REQUEST_BYTES 32768
/*
 * The time within which a client must send its complete request. It is also the time within which a
 * client must read the data that is sent to it.
 */
#define SERVE_PATIENCE_S 10
/*
 * The largest number of nodes for which the history has the transactions of each node. With more
 * nodes it has only the sum.
 */
#define SERVE_NODES_MAX 128
#define SERVE_COLUMNS 120
/*
 * The number of newest documents whose texts are kept, and the number of earlier documents whose
 * texts are kept because clients have requested them.
 */
#define SERVE_PARTS_NEWEST 4
#define SERVE_PARTS_ASKED 4
/* The largest size of all kept documents except the newest. */
#define SERVE_PARTS_BYTES (128ULL << 20)

/**
 * struct serve_options - The user's options.
 * @live: options for the live source
 * @listen: ADDRESS:PORT or unix:PATH; NULL: both loopback addresses at SERVE_PORT
 * @interval_ns: minimum time between two events, and between two documents
 * @top: largest number of pages in /metrics
 * @view: options for view_document()
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
 * struct serve_address - An address on which the server listens.
 * @socket: the listening socket; -1: none
 * @port: port of the address
 * @path: path of a Unix socket, which is removed at the end; NULL: the address is a port
 * @inode: inode number of @path
 * @daemon: MHD's server for this address, which owns @socket
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
 * struct serve_product - A document that is made from time to time. Until the next document is
 * made, the server serves the last one.
 * @path: path of the requests for the document
 * @type: content type of the document
 * @policy: Content-Security-Policy of the document
 * @make: called in the child process to write the document; returns TOOL_OK, or TOOL_ERROR after a
 *        message
 * @take: makes a response from the file that @make has written, and takes over the file; returns
 *        NULL on failure, and the caller keeps the file. NULL: the response is the whole file
 * @begun: called when a child process has begun to make the document; NULL: no function is called
 * @made: called when the document was made; NULL: not called
 * @response: response with the last document; NULL: no document was made yet
 * @serial: value of serve.serial when the last document's counts were copied
 * @begun_serial: value of serve.serial when the counts were copied for the document that is being
 *                made
 * @begun_ns: time at which the child process was started
 * @begun_behind: value of serve.behind at this time
 * @took_ns: processor time that the last document took
 * @next_ns: earliest time to begin the next document
 * @child: the child process that makes a document; 0: none
 * @file: the file that @child writes
 * @timed: the document contains the present time, so the last document is never current
 * @wanted: a client has requested a newer document than @response
 * @failed: the last document could not be made
 * @killed_reported: a message has already reported that a signal has killed a child process
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
 * struct serve_text - One of the texts with the memory pages of a document.
 * @at: offset of the text in the file
 * @bytes: length of the text
 * @key: key of the text; the same text has the same key in all documents
 */
struct serve_text {
	uint64_t at;
	uint64_t bytes;
	uint64_t key;
};

/**
 * struct serve_parts - A document of serve.data, divided into parts.
 * @file: descriptor of the file that contains the parts
 * @bytes: size of the file
 * @head: for the newest document, the response with its head, which is the document without the
 *        texts; NULL for earlier documents, whose heads cannot be requested
 * @texts: the texts of the document; shape [@text_count]
 * @advice_at: offset of the advice in the file; the next document may reuse this advice
 * @advice_bytes: length of the advice
 * @asked: value of serve.texts_asked when one of the texts was last requested; 0: never
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
 * struct serve_advice - The advice of a document, which may take longer than the rest of the
 * document.
 * @made: in the child process: new advice was made for the document; otherwise the last advice was
 *        reused
 * @took_ns: in the child process: the processor time that the new advice took
 * @serial: serve.serial of the counts from which the advice was made
 * @of_ns: time at which these counts were copied
 * @next_ns: earliest time to make new advice
 */
struct serve_advice {
	int made;
	uint64_t took_ns;
	uint64_t serial;
	uint64_t of_ns;
	uint64_t next_ns;
};

/**
 * struct serve_column - A sample of the history: the transactions of an interval by requesting
 * node.
 * @ms: length of the interval in ms
 * @events: number of events that were delivered in the interval
 * @lost: number of memory events that were lost in the interval
 * @packets: number of transactions by node; with more than SERVE_NODES_MAX nodes, the first entry
 *           is the sum
 */
struct serve_column {
	uint64_t ms;
	uint64_t events;
	uint64_t lost;
	uint64_t packets[SERVE_NODES_MAX];
};

/**
 * struct serve_history - The last samples of the history, in a ring.
 * @columns: the samples; sample n is at index n % SERVE_COLUMNS
 * @count: number of samples so far
 * @nodes: number of valid entries in the packets of each sample
 * @before: number of transactions by node at the last sample, since the start
 * @moving: records have arrived in the last sample's interval
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
 * struct serve - The state of the server.
 * @options: the user's options
 * @live: the live source
 * @sampled: facts about recordings of samples, whose counts are estimates; NULL: the counts are
 *           exact
 * @serial: incremented whenever counts, or other contents of documents, have changed
 * @behind: recordings still have unread records from before they were opened
 * @began_ns: time at which reading these records began
 * @quiet: number of late members at the last check: live_quiet()
 * @instance: a text that distinguishes this run of the server from other runs
 * @addresses: addresses on which the server listens; an address with a daemon is in use
 * @packets: a trace database that is served instead of a live source; NULL: none
 * @page: response with the web page
 * @data: the document /data.json
 * @parts: the parts of this document and of earlier documents, for the web page; the newest is
 *         first; shape [@parts_count]
 * @texts_asked: number of requests for texts so far
 * @kept: model of the last document; the next document is made from it and from the changes
 * @kept_of: the Monitor of whose counts this model was made
 * @kept_anew: value of live_anew() when the model was made
 * @advice: advice of the newest document
 * @metrics: the document /metrics
 * @history: transactions over time
 * @sample_ns: time at which the next sample is due
 * @unreported: there is news that no event has reported yet
 * @report_ns: earliest time to send the next event
 * @event: text of the last event; NULL: none yet
 * @event_count: number of events so far
 * @listeners: clients that receive events
 * @listener_count: number of @listeners
 * @looked_ns: time at which the listeners were last checked
 * @waiters: requests that wait for documents
 * @peers: all connections of clients
 * @peer_count: number of connections
 * @recordings: recordings that are offered to clients, shape [@recordings_count]; NULL: not opened
 *              yet
 * @recordings_anew: value of live_anew() when the recordings were opened
 * @recordings_error: -errno if a recording cannot be opened, so that no recording is offered;
 *                    otherwise 0
 * @recordings_ns: time at which the recordings were last checked
 * @streams: clients that receive recordings
 * @stream_count: number of @streams
 * @streamed_ns: time at which data was last sent to one of these clients
 * @tickets: valid tickets for control requests; "": no ticket
 * @tickets_next: number of the next ticket; its index is this number modulo SERVE_TICKETS_MAX
 * @closing: the server is about to end
 * @slow_reported: a message has already reported that documents are made less often than requested
 */
struct serve {
	const struct serve_options *options;
	struct live *live;
	struct run_facts *sampled;
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
 * serve_listen() - Listen on the requested address, or on the default addresses.
 * @url: receives the URL of the web page; @bytes long
 *
 * Return: TOOL_OK; TOOL_ERROR after a message, with all sockets closed.
 */
int serve_listen(struct serve *serve, char *url, size_t bytes);

/**
 * serve_url_print() - Print the URL of the web page for the user who has started the server.
 *
 * Return: TOOL_OK, even if the reader of a pipe has closed it; TOOL_ERROR if the URL could not be
 *         written, which output_finish() reports.
 */
int serve_url_print(const char *url);

/**
 * serve_listen_end() - Remove the path of the Unix socket.
 */
void serve_listen_end(struct serve *serve);

/**
 * serve_host_allowed() - Check whether a request may name this host. Only names of the local
 * machine are allowed. Otherwise a foreign web page, whose name resolves to this machine, could
 * read data. The port is not checked, because a forwarded port may have another number.
 * @host: value of the header Host; NULL: the request has no such header
 */
int serve_host_allowed(const char *host);

/* ---- requests ------------------------------------------------------------------------------ */

/**
 * serve_http_begin() - Start to answer requests at all addresses.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int serve_http_begin(struct serve *serve);

/**
 * serve_http_run() - Wait for requests, and answer them.
 *
 * Return: 1 if a request has arrived or data was sent, so that more may follow immediately;
 * otherwise 0.
 */
int serve_http_run(struct serve *serve, int timeout_ms);

/**
 * serve_http_sweep() - Close connections whose requests were not complete in time.
 */
void serve_http_sweep(struct serve *serve);

/**
 * serve_http_abandon() - Close the descriptors of all connections in a child process. The
 * connections continue in the parent.
 */
void serve_http_abandon(struct serve *serve);

/**
 * serve_http_end() - Stop answering requests.
 */
void serve_http_end(struct serve *serve);

/**
 * serve_headers() - Add the content type, and the headers that all responses have, to a response.
 * @policy: the Content-Security-Policy; NULL: the strictest policy
 */
void serve_headers(struct MHD_Response *response, const char *type, const char *policy);

/**
 * serve_refuse() - Answer a request with an error status and a text, and close the connection.
 */
enum MHD_Result serve_refuse(struct MHD_Connection *connection, unsigned int status,
			     const char *text);

/**
 * serve_page_of() - Make a web page that requests its data, from the three parts that bundle.sh has
 * generated.
 *
 * Return: the response; NULL if memory ran out.
 */
struct MHD_Response *serve_page_of(const char *before, const char *between, const char *last);

/**
 * serve_page() - Make the report page, which requests its data. Return: the response; NULL if
 * memory ran out.
 */
struct MHD_Response *serve_page(void);

/* ---- products ------------------------------------------------------------------------------ */

/**
 * serve_product_serve() - Answer a request for a document. If the last document is current, or if
 * no newer document is due, the server answers immediately. Otherwise the request waits until a
 * newer document was made.
 * @response: the response to send, when the document exists: the document itself, or a part of it
 * @state: the state of the request, which MHD stores
 */
enum MHD_Result serve_product_serve(struct serve *serve, struct serve_product *product,
				    struct MHD_Response *const *response,
				    struct MHD_Connection *connection, void **state);

/**
 * serve_product_forget() - Forget the request with this @state, which has ended.
 */
void serve_product_forget(struct serve *serve, void **state);

/**
 * serve_product_run() - If a document was made, take it over. If a document is due, start to make
 * it.
 *
 * Return: 1 if a document was made; otherwise 0.
 */
int serve_product_run(struct serve *serve, struct serve_product *product);

/**
 * serve_pace() - Compute the interval in ns between two starts of a repeated task. With this
 * interval, the task takes at most a tenth of a processor.
 * @took_ns: processor time of the task
 */
uint64_t serve_pace(const struct serve *serve, uint64_t took_ns);

/**
 * serve_product_interval() - Get the time in ns from the start of one document to the start of the
 * next.
 */
uint64_t serve_product_interval(const struct serve *serve, const struct serve_product *product);

/**
 * serve_product_end() - Stop making a document.
 */
void serve_product_end(struct serve *serve, struct serve_product *product);

/* The functions that make the documents. */
int serve_data_make(struct serve *serve, FILE *out);
int serve_metrics_make(struct serve *serve, FILE *out);

/**
 * serve_data_begun() - Called when the child process that makes the document has its copy of the
 * counts. From now on, changes of the counts are remembered for the next document.
 */
void serve_data_begun(struct serve *serve);

/**
 * serve_data_made() - Called when the child process has made the document and has stored its model.
 */
void serve_data_made(struct serve *serve);

/**
 * serve_data_advised() - Check whether new advice is not needed. It is not needed if the newest
 * document has advice from its own counts, or if it is too early for new advice.
 */
int serve_data_advised(const struct serve *serve);

/* ---- the document in parts ----------------------------------------------------------------- */

/**
 * serve_parts_write() - In the child process: write the document and its parts to @out.
 * @document: the document smile.view/1 with its live data. The function removes the texts from it.
 *            Instead of a text, the document may contain the index of a text of the newest document
 *            in serve.parts
 *
 * Return: 0; -1 on a failure.
 */
int serve_parts_write(const struct serve *serve, json_t *document, FILE *out);

/**
 * serve_parts_advice() - Get the advice of the newest document in serve.parts.
 *
 * Return: a new reference; JSON null if there is no advice.
 */
json_t *serve_parts_advice(const struct serve *serve);

/**
 * serve_parts_take() - Implement serve_product.take for the document: insert the parts of the
 * document at the start of serve.parts. A client with a slow connection can request the texts of a
 * document long after newer documents were made. The parts of earlier documents are therefore kept,
 * up to the limits.
 */
struct MHD_Response *serve_parts_take(struct serve *serve, int file, uint64_t bytes);

/**
 * serve_parts_text() - Make a response with one of the texts.
 * @key: key of the text from the head, 16 hexadecimal digits; NULL: the request has no key
 * @response: receives the new response
 *
 * Return: 0; -ENOENT if no kept document has a text with this key; -EMFILE or -ENOMEM if there is
 *         no descriptor or no memory for the response.
 */
int serve_parts_text(struct serve *serve, const char *key, struct MHD_Response **response);

/**
 * serve_parts_end() - Free all parts.
 */
void serve_parts_end(struct serve *serve);

/* ---- history and events -------------------------------------------------------------------- */

/**
 * serve_history_sample() - Take a sample of the history. Return: 1 if the sample has new data;
 * otherwise 0.
 */
int serve_history_sample(struct serve *serve);

/**
 * serve_history_json() - Get the history in packed form. Return: a new reference; NULL if memory
 * ran out.
 */
json_t *serve_history_json(const struct serve_history *history);

/**
 * serve_state() - Get the state of the source: "running", "ended" or "failed".
 */
const char *serve_state(const struct serve *serve);

/**
 * serve_events_serve() - Answer a request for events. The answer continues until the client closes
 * the connection.
 */
enum MHD_Result serve_events_serve(struct serve *serve, struct MHD_Connection *connection);

/**
 * serve_events_report() - Send the current state to all listeners.
 */
void serve_events_report(struct serve *serve);

/**
 * serve_events_look() - Forget clients that have closed their connection. If nothing was sent to a
 * client for a long time, send it an empty message.
 */
void serve_events_look(struct serve *serve);

/**
 * serve_events_end() - End the connections of all listeners. Call this function before
 * serve_http_end().
 */
void serve_events_end(struct serve *serve);

/* ---- recordings ---------------------------------------------------------------------------- */

/**
 * serve_recordings_serve() - Answer a request for recordings. The answer continues until all
 * recordings have ended.
 */
enum MHD_Result serve_recordings_serve(struct serve *serve, struct MHD_Connection *connection);

/**
 * serve_recordings_look() - Check whether the recordings have grown, and send the new data.
 */
void serve_recordings_look(struct serve *serve);

/**
 * serve_recordings_end() - After the live source has ended, start to send the rest of its
 * recordings.
 */
void serve_recordings_end(struct serve *serve);

/**
 * serve_recordings_free() - Close the recordings, and end their streams.
 */
void serve_recordings_free(struct serve *serve);

/* ---- control ------------------------------------------------------------------------------- */

/**
 * serve_ticket_serve() - Answer a request for a ticket.
 */
enum MHD_Result serve_ticket_serve(struct serve *serve, const struct serve_address *address,
				   struct MHD_Connection *connection);

/**
 * serve_control_serve() - Carry out a control request on all cards.
 */
enum MHD_Result serve_control_serve(struct serve *serve, const struct serve_address *address,
				    struct MHD_Connection *connection);

#endif /* TOOLS_SERVE_H */
