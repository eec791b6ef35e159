// SPDX-License-Identifier: MIT
/*
 * Serve: answer requests that control the cards.
 *
 * What lives here: tickets, and POST /control. These requests are accepted only on a Unix socket.
 * The ticket prevents two attacks: a web page of another site cannot read a ticket, and a request
 * that is sent a second time contains a ticket that is no longer valid.
 */
#include "tools/serve/serve.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "tools/common/tool.h"
#include "tools/live/control.h"

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned int status,
			      const char *text)
{
	struct MHD_Response *response;
	enum MHD_Result result;
	char *line;

	if (asprintf(&line, "%s\n", text) < 0)
		return MHD_NO;
	response = serve_mhd.create_response_from_buffer(strlen(line), line, MHD_RESPMEM_MUST_FREE);
	if (!response) {
		free(line);
		return MHD_NO;
	}
	serve_headers(response, "text/plain; charset=utf-8", NULL);
	result = serve_mhd.queue_response(connection, status, response);
	serve_mhd.destroy_response(response);
	return result;
}

static enum MHD_Result not_here(struct MHD_Connection *connection)
{
	return serve_refuse(connection, MHD_HTTP_FORBIDDEN,
			    "A port does not show which user sends a request: start this smile "
			    "serve with --listen unix:PATH, and use that address.\n");
}

enum MHD_Result serve_ticket_serve(struct serve *serve, const struct serve_address *address,
				   struct MHD_Connection *connection)
{
	char *ticket = serve->tickets[serve->tickets_next++ % SERVE_TICKETS_MAX];
	unsigned char random[CONTROL_TICKET_DIGITS / 2];

	if (!address->path)
		return not_here(connection);
	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return serve_refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
				    "The system has no random numbers now.\n");
	for (size_t i = 0; i < sizeof(random); i++)
		snprintf(ticket + 2 * i, 3, "%02x", random[i]);
	return answer(connection, MHD_HTTP_OK, ticket);
}

/* Use up a ticket. Return: 1 if @given was a valid ticket; otherwise 0. */
static int ticket_take(struct serve *serve, const char *given)
{
	for (size_t i = 0; given && i < SERVE_TICKETS_MAX; i++)
		if (*serve->tickets[i] && !strcmp(serve->tickets[i], given)) {
			*serve->tickets[i] = '\0';
			return 1;
		}
	return 0;
}

static const char *argument(struct MHD_Connection *connection, const char *name)
{
	return serve_mhd.lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

enum MHD_Result serve_control_serve(struct serve *serve, const struct serve_address *address,
				    struct MHD_Connection *connection)
{
	struct control_answer outcome;
	struct control control;

	if (!address->path)
		return not_here(connection);
	if (!ticket_take(serve, argument(connection, "ticket")))
		return serve_refuse(connection, MHD_HTTP_FORBIDDEN,
				    "This needs a ticket, which is valid once: request /ticket.\n");
	if (control_parse(&control, argument(connection, "action"),
			  argument(connection, "config")) < 0)
		return serve_refuse(
			connection, MHD_HTTP_BAD_REQUEST,
			"This release does not have this request: install the same release "
			"on both machines.\n");
	control_do(serve->live, &control, &outcome);
	serve->serial++;
	return answer(connection, outcome.done ? MHD_HTTP_OK : MHD_HTTP_CONFLICT, outcome.text);
}
