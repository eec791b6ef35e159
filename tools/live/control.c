// SPDX-License-Identifier: MIT
/*
 * Control: send requests to cards of this machine, and to cards of other machines through their
 * `smile serve`. See control.h.
 */
#include "tools/live/control.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/analysis/text.h"
#include "tools/common/tool.h"
#include "tools/live/address.h"
#include "tools/live/remote_recordings.h"

#define ANSWER_BYTES 1536

static const char *const names[CONTROL_ACTIONS] = {"mark", "start", "stop", "configure"};
static const char *const done[CONTROL_ACTIONS] = {"marked", "started", "stopped", "configured"};

const char *control_name(enum control_action action)
{
	return names[action];
}

/* ---- texts ---------------------------------------------------------------------------------- */

static int hex_get(const char *text, unsigned char *data, size_t bytes)
{
	if (strlen(text) != 2 * bytes || text[strspn(text, "0123456789abcdef")])
		return -EINVAL;
	for (size_t i = 0; i < bytes; i++) {
		unsigned int byte;

		sscanf(text + 2 * i, "%2x", &byte);
		data[i] = (unsigned char)byte;
	}
	return 0;
}

int control_parse(struct control *control, const char *action, const char *config)
{
	*control = (struct control){.action = CONTROL_MARK};
	for (unsigned int i = 0; action && i < CONTROL_ACTIONS; i++) {
		if (strcmp(action, names[i]))
			continue;
		control->action = (enum control_action)i;
		if (control->action != CONTROL_CONFIGURE)
			return config ? -EINVAL : 0;
		return config ? hex_get(config, (unsigned char *)&control->config,
					sizeof(control->config))
			      : -EINVAL;
	}
	return -EINVAL;
}

/*
 * Write the HTTP request. Return: the request, which the caller must free; NULL if memory ran out.
 */
static char *request_write(const struct control *control, const char *ticket)
{
	const unsigned char *config = (const unsigned char *)&control->config;
	size_t count = control->action == CONTROL_CONFIGURE ? sizeof(control->config) : 0;
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	fprintf(out, "POST /control?action=%s&ticket=%s%s", names[control->action], ticket,
		count ? "&config=" : "");
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%02x", config[i]);
	fprintf(out, " HTTP/1.0\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
	return fclose(out) ? NULL : text;
}

/* ---- an exchange ---------------------------------------------------------------------------- */

/**
 * struct peer - A machine to which a request is sent.
 * @fd: socket of the connection; -1: no request is sent, or the machine has answered
 * @request: the part of the request that was not sent yet; NULL: all was sent
 * @answer: the part of the answer that was received so far
 * @filled: length of @answer
 * @reply: receives the outcome
 */
struct peer {
	int fd;
	char *request;
	char answer[ANSWER_BYTES];
	size_t filled;
	struct control_answer *reply;
};

__attribute__((format(printf, 2, 3))) static void over(struct peer *peer, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(peer->reply->text, sizeof(peer->reply->text), format, arguments);
	va_end(arguments);
	text_printable(peer->reply->text);
	if (peer->fd >= 0)
		close(peer->fd);
	peer->fd = -1;
	free(peer->request);
	peer->request = NULL;
}

/*
 * When the answer is complete, copy the first line of its text into the reply, without the newline.
 */
static void answered(struct peer *peer)
{
	const char *body = strstr(peer->answer, "\r\n\r\n");
	int status = 0;

	if (!body || sscanf(peer->answer, "HTTP/1.%*1[01] %3d", &status) != 1) {
		over(peer, "the server there is no smile serve");
		return;
	}
	peer->reply->done = status == 200;
	body += 4;
	over(peer, "%.*s", (int)strcspn(body, "\r\n"), body);
}

static void peer_send(struct peer *peer)
{
	size_t bytes = strlen(peer->request);
	ssize_t sent = send(peer->fd, peer->request, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);

	if (sent < 0 && errno == EAGAIN)
		return;
	if (sent != (ssize_t)bytes) {
		over(peer, "cannot connect: %s",
		     sent < 0 ? strerror(errno) : "it accepts no request");
		return;
	}
	free(peer->request);
	peer->request = NULL;
}

static void peer_receive(struct peer *peer)
{
	ssize_t got = recv(peer->fd, peer->answer + peer->filled,
			   sizeof(peer->answer) - 1 - peer->filled, MSG_DONTWAIT);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got < 0) {
		over(peer, "the connection was lost: %s", strerror(errno));
		return;
	}
	peer->filled += (size_t)got;
	peer->answer[peer->filled] = '\0';
	if (!got || peer->filled == sizeof(peer->answer) - 1)
		answered(peer);
}

/*
 * Send the requests to all peers, and receive their answers, until the time limit. @wait: an array
 * with room for @count entries
 */
static void exchange(struct peer *peers, size_t count, struct pollfd *wait)
{
	uint64_t until = tool_now_ns() + CONTROL_NS, now;
	size_t open;

	do {
		open = 0;
		for (size_t i = 0; i < count; i++) {
			wait[i] = (struct pollfd){.fd = peers[i].fd,
						  .events = peers[i].request ? POLLOUT : POLLIN};
			open += peers[i].fd >= 0;
		}
		now = tool_now_ns();
		if (open && now < until)
			poll(wait, count, (int)((until - now) / 1000000) + 1);
		for (size_t i = 0; i < count; i++)
			if (peers[i].fd >= 0 && wait[i].revents) {
				if (peers[i].request)
					peer_send(&peers[i]);
				else
					peer_receive(&peers[i]);
			}
	} while (open && now < until);
	for (size_t i = 0; i < count; i++)
		if (peers[i].fd >= 0)
			over(&peers[i], "no answer within %llu s: is its machine stopped?",
			     (unsigned long long)(CONTROL_NS / 1000000000));
}

/* Start to connect to a peer. @request: the request, which this file frees; NULL: memory ran out */
static void peer_begin(struct peer *peer, const char *source, char *request)
{
	struct address address;

	peer->fd = -1;
	peer->filled = 0;
	peer->reply->done = 0;
	peer->request = request;
	if (!request) {
		over(peer, "no memory");
		return;
	}
	if (address_parse(&address, source) != TOOL_OK) {
		over(peer, "that is no address of a smile serve");
		return;
	}
	peer->fd = address_connect(&address);
	if (peer->fd < 0)
		over(peer, "cannot connect: %s; is its smile serve running, and forwarded?",
		     strerror(-peer->fd));
}

static void ticket_use(struct peer *peer, const char *source, const struct control *control)
{
	const char *ticket = peer->reply->text;

	if (!peer->reply->done)
		return;
	if (strlen(ticket) != CONTROL_TICKET_DIGITS || ticket[strspn(ticket, "0123456789abcdef")]) {
		peer->reply->done = 0;
		over(peer, "the server there is no smile serve");
		return;
	}
	peer_begin(peer, source, request_write(control, ticket));
}

size_t control_send(char *const *sources, size_t count, const struct control *control,
		    struct control_answer *answers)
{
	struct peer *peers = tool_memory(count, sizeof(*peers));
	struct pollfd *wait = tool_memory(count, sizeof(*wait));
	size_t reached = 0;

	memset(answers, 0, count * sizeof(*answers));
	for (size_t i = 0; i < count; i++) {
		peers[i].reply = &answers[i];
		peer_begin(&peers[i], sources[i],
			   strdup("GET /ticket HTTP/1.0\r\nHost: localhost\r\n\r\n"));
	}
	exchange(peers, count, wait);
	for (size_t i = 0; i < count; i++)
		ticket_use(&peers[i], sources[i], control);
	exchange(peers, count, wait);
	for (size_t i = 0; i < count; i++)
		reached += (size_t)answers[i].done;
	free(wait);
	free(peers);
	return reached;
}

/* ---- a live source -------------------------------------------------------------------------- */

static int is_counting(struct live *live)
{
	struct smile_info info;

	for (size_t i = 0; i < live->members_count; i++)
		if (live->members[i].state == LIVE_RUNNING &&
		    Monitor_info(live->members[i].mon, &info) >= 0 &&
		    info.status & SMILE_INFO_RUNNING)
			return 1;
	return 0;
}

static int reconfigure(struct live *live, const struct smile_config *wanted)
{
	struct smile_config config = *wanted;
	struct smile_info info;
	int counting = is_counting(live), error, begun;

	/* If a view has several cards, each card keeps its own node id. */
	if (Monitor_info(live->members[0].mon, &info) >= 0)
		config.node = info.config.node;
	error = counting ? Monitor_stop(live->mon) : 0;
	if (error >= 0)
		error = Monitor_config_set(live->mon, &config);
	if (!counting)
		return error;
	/* If a card refuses the configuration, the cards continue to count as before. */
	if (error < 0) {
		char text[LIVE_TEXT_BYTES];

		snprintf(text, sizeof(text), "%s", Monitor_error_message());
		Monitor_start(live->mon);
		return Monitor_error_set(-error, "%s", text);
	}
	begun = Monitor_start(live->mon);
	return begun < 0 ? begun : error;
}

static void cards_do(struct live *live, const struct control *control,
		     struct control_answer *answer)
{
	int error;

	if (live->state != LIVE_RUNNING)
		error = Monitor_error_set(ENODEV, "%s has ended", live->name);
	else if (control->action == CONTROL_MARK)
		error = Monitor_event(live->mon, 0);
	else if (control->action == CONTROL_START)
		error = Monitor_start(live->mon);
	else if (control->action == CONTROL_STOP)
		error = Monitor_stop(live->mon);
	else
		error = reconfigure(live, &control->config);
	answer->done = error >= 0;
	snprintf(answer->text, sizeof(answer->text), "%s",
		 error < 0 ? Monitor_error_message() : done[control->action]);
	text_printable(answer->text);
}

/* List the cards that were not reached, with the reasons. */
static void failures_write(char *const *sources, size_t count, const struct control_answer *each,
			   const struct control *control, struct control_answer *answer)
{
	size_t used = (size_t)snprintf(answer->text, sizeof(answer->text),
				       "not %s: ", done[control->action]);

	for (size_t i = 0, failed = 0; i < count && used < sizeof(answer->text); i++)
		if (!each[i].done)
			used += (size_t)snprintf(answer->text + used, sizeof(answer->text) - used,
						 "%s%.100s: %.200s", failed++ ? "; " : "",
						 sources[i], each[i].text);
	text_printable(answer->text);
}

static void recordings_do(struct live *live, const struct control *control,
			  struct control_answer *answer)
{
	const struct live_options *options = live_options_of(live);
	size_t count = (size_t)options->sources_count;
	struct control_answer *each = tool_memory(count, sizeof(*each));
	char **remotes = tool_memory(count, sizeof(char *));
	struct control_answer *replies = tool_memory(count, sizeof(*replies));
	size_t asked = 0, reached;

	for (size_t i = 0; i < count; i++)
		if (remote_is(options->sources[i]))
			remotes[asked++] = options->sources[i];
	reached = control_send(remotes, asked, control, replies);
	for (size_t i = 0, next = 0; i < count; i++) {
		if (remote_is(options->sources[i]))
			each[i] = replies[next++];
		else
			snprintf(each[i].text, sizeof(each[i].text),
				 "it is a recording, which only its recorder controls");
	}
	answer->done = reached == count;
	snprintf(answer->text, sizeof(answer->text), "%s", done[control->action]);
	if (!answer->done)
		failures_write(options->sources, count, each, control, answer);
	free(each);
	free(remotes);
	free(replies);
}

void control_do(struct live *live, const struct control *control, struct control_answer *answer)
{
	*answer = (struct control_answer){0};
	if (live->kind == LIVE_STATES)
		snprintf(answer->text, sizeof(answer->text), "%.400s has no cards", live->name);
	else if (live->kind == LIVE_RECORDINGS)
		recordings_do(live, control, answer);
	else
		cards_do(live, control, answer);
}

static int has_remotes(const struct live *live)
{
	const struct live_options *options = live_options_of(live);

	for (int i = 0; live->kind == LIVE_RECORDINGS && i < options->sources_count; i++)
		if (remote_is(options->sources[i]))
			return 1;
	return 0;
}

unsigned int control_mark(struct live *live)
{
	const struct control control = {.action = CONTROL_MARK};
	struct control_answer answer;

	if (!has_remotes(live))
		return live_mark(live);
	control_do(live, &control, &answer);
	if (answer.done)
		return 0;
	memcpy(live->trouble, answer.text, sizeof(live->trouble));
	live->troubles++;
	return LIVE_TROUBLE;
}
