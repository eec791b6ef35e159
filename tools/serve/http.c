// SPDX-License-Identifier: MIT
/*
 * Serve: receive requests, and answer them.
 *
 * What lives here: the requests that are valid, the check of who sends them, and the limits. There
 * are a few resources, each at one path. All other requests are refused, and nothing can be
 * written.
 */
#include "tools/serve/serve.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/common/tool.h"
#include "tools/serve/packets.h"

/**
 * struct serve_peer - A connection of a client.
 * @fd: socket of the connection
 * @since_ns: the time since when the server has waited for a request, or for the rest of a request
 * @busy: a request is being answered
 * @stranger: the client is a process of another user, which receives no data
 */
struct serve_peer {
	struct serve_peer *next;
	int fd;
	uint64_t since_ns;
	int busy;
	int stranger;
};

/* The state of a request that does not wait for a document. */
static char seen;

void serve_headers(struct MHD_Response *response, const char *type, const char *policy)
{
	serve_mhd.add_response_header(response, "Content-Type", type);
	serve_mhd.add_response_header(response, "Content-Security-Policy",
				      policy ? policy
					     : "default-src 'none'; frame-ancestors 'none'");
	serve_mhd.add_response_header(response, "X-Content-Type-Options", "nosniff");
	serve_mhd.add_response_header(response, "Referrer-Policy", "no-referrer");
	serve_mhd.add_response_header(response, "Cache-Control", "no-store");
	serve_mhd.add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
}

/* ---- refusals ------------------------------------------------------------------------------ */

enum MHD_Result serve_refuse(struct MHD_Connection *connection, unsigned int status,
			     const char *text)
{
	struct MHD_Response *response = serve_mhd.create_response_from_buffer(
		strlen(text), (void *)text, MHD_RESPMEM_MUST_COPY);
	enum MHD_Result result;

	if (!response)
		return MHD_NO;
	serve_headers(response, "text/plain; charset=utf-8", NULL);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		serve_mhd.add_response_header(response, "Allow", "GET, HEAD");
	if (status == MHD_HTTP_SERVICE_UNAVAILABLE)
		serve_mhd.add_response_header(response, "Retry-After", "5");
	/* Close the connection, because the rest of the request is not read. */
	serve_mhd.add_response_header(response, "Connection", "close");
	result = serve_mhd.queue_response(connection, status, response);
	serve_mhd.destroy_response(response);
	return result;
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
	return serve_mhd.lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static int has_body(struct MHD_Connection *connection)
{
	const char *length = header(connection, "Content-Length");

	return header(connection, "Transfer-Encoding") || (length && strcmp(length, "0"));
}

/* Get the peer of a connection. Return: NULL if there was no memory for the peer. */
static struct serve_peer *peer_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		serve_mhd.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

/* Check whether the request is POST /control, the only request that may change something. */
static int is_control(const char *url, const char *method)
{
	return !strcmp(url, "/control") && !strcmp(method, "POST");
}

/*
 * Check whether a request may be answered. Return: 1; 0 if it was refused, with the result of the
 * refusal in @result.
 */
static int allowed(struct MHD_Connection *connection, const char *url, const char *method,
		   enum MHD_Result *result)
{
	const struct serve_peer *peer = peer_of(connection);

	if (!peer || peer->stranger)
		*result = serve_refuse(connection, MHD_HTTP_FORBIDDEN,
				       "Only the user of this smile serve may use its socket.\n");
	else if (strcmp(method, "GET") && strcmp(method, "HEAD") && !is_control(url, method))
		*result = serve_refuse(
			connection, MHD_HTTP_METHOD_NOT_ALLOWED,
			"Nothing can be written here: only GET and HEAD are possible.\n");
	else if (!serve_host_allowed(header(connection, "Host")))
		*result = serve_refuse(
			connection, MHD_HTTP_MISDIRECTED_REQUEST,
			"This server answers only to localhost, 127.0.0.1 and [::1].\n");
	else if (has_body(connection))
		*result = serve_refuse(connection, MHD_HTTP_CONTENT_TOO_LARGE,
				       "This server accepts no request with a body.\n");
	else
		return 1;
	return 0;
}

/* ---- answers ------------------------------------------------------------------------------- */

static void peer_busy(struct MHD_Connection *connection, int busy)
{
	struct serve_peer *peer = peer_of(connection);

	if (!peer)
		return;
	peer->busy = busy;
	peer->since_ns = tool_now_ns();
}

/* Answer with one text of a document's memory pages, selected by its key. */
static enum MHD_Result pages(struct serve *serve, struct MHD_Connection *connection)
{
	const char *key =
		serve_mhd.lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "key");
	struct MHD_Response *response;
	enum MHD_Result result;
	int error = serve_parts_text(serve, key, &response);

	if (error == -ENOENT)
		return serve_refuse(connection, MHD_HTTP_NOT_FOUND,
				    "There are no such pages now: /view.json has the keys.\n");
	if (error)
		return serve_refuse(
			connection, MHD_HTTP_SERVICE_UNAVAILABLE,
			"The server has no files or no memory left to send these pages: try "
			"again.\n");
	result = serve_mhd.queue_response(connection, MHD_HTTP_OK, response);
	serve_mhd.destroy_response(response);
	return result;
}

static enum MHD_Result route(const struct serve_address *address, struct MHD_Connection *connection,
			     const char *url, const char *method, void **waiter)
{
	struct serve *serve = address->serve;
	struct serve_product *data = &serve->data, *metrics = &serve->metrics;

	if (serve->packets)
		return packets_route(serve, connection, url);
	if (!serve->live)
		return serve_refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
				    "This server ends.\n");
	if (is_control(url, method))
		return serve_control_serve(serve, address, connection);
	if (!strcmp(url, "/ticket") && !strcmp(method, "GET"))
		return serve_ticket_serve(serve, address, connection);
	if (!strcmp(url, "/"))
		return serve_mhd.queue_response(connection, MHD_HTTP_OK, serve->page);
	if (!strcmp(url, "/data.json"))
		return serve_product_serve(serve, data, &data->response, connection, waiter);
	if (!strcmp(url, "/view.json"))
		return serve_product_serve(serve, data, &serve->parts[0].head, connection, waiter);
	if (!strcmp(url, "/pages"))
		return pages(serve, connection);
	if (!strcmp(url, "/metrics"))
		return serve_product_serve(serve, metrics, &metrics->response, connection, waiter);
	if (!strcmp(url, "/events"))
		return serve_events_serve(serve, connection);
	if (!strcmp(url, "/recordings"))
		return serve_recordings_serve(serve, connection);
	return serve_refuse(
		connection, MHD_HTTP_NOT_FOUND,
		"This path does not exist; there are /, /data.json, /view.json, /pages, "
		"/events, /metrics and /recordings.\n");
}

static enum MHD_Result request(void *opaque, struct MHD_Connection *connection, const char *url,
			       const char *method, const char *version, const char *upload,
			       size_t *upload_bytes, void **state)
{
	struct serve_address *address = opaque;
	enum MHD_Result result;
	void *waiter;

	if (!*state) {
		*state = &seen;
		peer_busy(connection, 1);
		/* If the request must be refused, refuse it now, before its body arrives. */
		return allowed(connection, url, method, &result) ? MHD_YES : result;
	}
	waiter = *state == &seen ? NULL : *state;
	result = route(address, connection, url, method, &waiter);
	if (waiter)
		*state = waiter;
	return result;
}

static void completed(void *opaque, struct MHD_Connection *connection, void **state,
		      enum MHD_RequestTerminationCode code)
{
	struct serve *serve = ((struct serve_address *)opaque)->serve;

	if (*state && *state != &seen)
		serve_product_forget(serve, state);
	*state = NULL;
	peer_busy(connection, 0);
}

/*
 * Check whether the process at the other end of a Unix socket belongs to another user. The system
 * reports which user owns the process.
 */
static int is_stranger(const struct serve_address *address, int fd)
{
	struct ucred peer;
	socklen_t bytes = sizeof(peer);

	if (!address->path)
		return 0;
	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) ||
	       (peer.uid && peer.uid != geteuid());
}

/*
 * Refuse a connection that exceeds the limit. Its request is not read. The answer fits in the
 * buffer of the socket, so sending it does not block.
 */
static void turn_away(int fd)
{
	static const char text[] = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\n"
				   "Connection: close\r\nContent-Type: text/plain\r\n\r\n"
				   "Too many connections: close some of them.\n";

	send(fd, text, sizeof(text) - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
	shutdown(fd, SHUT_RDWR);
}

static void connected(void *opaque, struct MHD_Connection *connection, void **context,
		      enum MHD_ConnectionNotificationCode code)
{
	const struct serve_address *address = opaque;
	struct serve *serve = address->serve;
	struct serve_peer **at = &serve->peers, *peer = *context;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		int fd = serve_mhd
				 .get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
				 ->connect_fd;

		if (serve->peer_count >= SERVE_CONNECTIONS_MAX) {
			turn_away(fd);
			return;
		}
		peer = calloc(1, sizeof(*peer));
		if (!peer)
			return;
		*peer = (struct serve_peer){
			.next = serve->peers,
			.fd = fd,
			.since_ns = tool_now_ns(),
			.stranger = is_stranger(address, fd),
		};
		serve->peers = peer;
		serve->peer_count++;
		*context = peer;
		return;
	}
	while (*at && *at != peer)
		at = &(*at)->next;
	if (*at) {
		*at = peer->next;
		serve->peer_count--;
	}
	free(peer);
	*context = NULL;
}

/* Do not decode escapes, because paths are compared byte by byte. */
static size_t as_it_is(void *opaque, struct MHD_Connection *connection, char *text)
{
	return strlen(text);
}

/* ---- the server ---------------------------------------------------------------------------- */

int serve_http_begin(struct serve *serve)
{
	for (size_t i = 0; i < SERVE_ADDRESSES_MAX; i++) {
		struct serve_address *address = &serve->addresses[i];

		if (address->socket < 0)
			continue;
		address->serve = serve;
		address->daemon = serve_mhd.start_daemon(
			MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, request, address,
			MHD_OPTION_LISTEN_SOCKET, address->socket, MHD_OPTION_CONNECTION_LIMIT,
			SERVE_CONNECTIONS_MAX + SERVE_REFUSALS_MAX,
			MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)SERVE_REQUEST_BYTES,
			MHD_OPTION_CONNECTION_TIMEOUT, SERVE_PATIENCE_S,
			MHD_OPTION_NOTIFY_COMPLETED, completed, address,
			MHD_OPTION_NOTIFY_CONNECTION, connected, address,
			MHD_OPTION_UNESCAPE_CALLBACK, as_it_is, NULL, MHD_OPTION_STRICT_FOR_CLIENT,
			1, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
		if (!address->daemon)
			return tool_error("no memory for the server");
	}
	return TOOL_OK;
}

int serve_http_run(struct serve *serve, int timeout_ms)
{
	struct pollfd wait[SERVE_ADDRESSES_MAX];
	MHD_UNSIGNED_LONG_LONG due;
	nfds_t count = 0;
	int ready, pending = 0;

	for (size_t i = 0; i < SERVE_ADDRESSES_MAX; i++) {
		struct MHD_Daemon *daemon = serve->addresses[i].daemon;

		if (!daemon)
			continue;
		wait[count++] = (struct pollfd){
			.fd = serve_mhd.get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd,
			.events = POLLIN};
		if (serve_mhd.get_timeout(daemon, &due) != MHD_YES)
			continue;
		/*
		 * MHD can continue without waiting, because data is available and the socket has
		 * room for it.
		 */
		pending |= !due;
		if (due < (unsigned int)timeout_ms)
			timeout_ms = (int)due;
	}
	ready = poll(wait, count, timeout_ms);
	for (size_t i = 0; i < SERVE_ADDRESSES_MAX; i++)
		if (serve->addresses[i].daemon)
			serve_mhd.run(serve->addresses[i].daemon);
	return ready > 0 || pending;
}

void serve_http_sweep(struct serve *serve)
{
	uint64_t now = tool_now_ns();

	/* MHD's own time-out is not used, because each received byte restarts it. */
	for (struct serve_peer *peer = serve->peers; peer; peer = peer->next)
		if (!peer->busy && now > peer->since_ns + SERVE_PATIENCE_S * 1000000000ULL)
			shutdown(peer->fd, SHUT_RDWR);
}

void serve_http_abandon(struct serve *serve)
{
	for (struct serve_peer *peer = serve->peers; peer; peer = peer->next)
		close(peer->fd);
	for (size_t i = 0; i < SERVE_ADDRESSES_MAX; i++) {
		struct serve_address *address = &serve->addresses[i];

		if (!address->daemon)
			continue;
		close(address->socket);
		close(serve_mhd.get_daemon_info(address->daemon, MHD_DAEMON_INFO_EPOLL_FD)
			      ->epoll_fd);
	}
}

void serve_http_end(struct serve *serve)
{
	for (size_t i = 0; i < SERVE_ADDRESSES_MAX; i++) {
		struct serve_address *address = &serve->addresses[i];

		if (address->daemon)
			serve_mhd.stop_daemon(address->daemon);
		else if (address->socket >= 0)
			close(address->socket);
		address->daemon = NULL;
		address->socket = -1;
	}
}
