/* SPDX-License-Identifier: MIT */
/*
 * Control: start, stop or configure cards, or end a phase. The cards are on this machine, or on
 * other machines that run `smile serve`.
 *
 * What lives here: a request, the code that carries it out on a live source, and the code that
 * sends it to all machines at the same time. A `smile serve` accepts a request only on a Unix
 * socket, and only with a ticket. A ticket is valid for one request: GET /ticket returns it, and
 * POST /control uses it.
 */
#ifndef TOOLS_LIVE_CONTROL_H
#define TOOLS_LIVE_CONTROL_H

#include <stddef.h>

#include "tools/live/live.h"

/* The number of hexadecimal digits of a ticket. */
#define CONTROL_TICKET_DIGITS 32
/* The longest time to wait for an answer. */
#define CONTROL_NS 3000000000ULL

enum control_action {
	CONTROL_MARK, /* end the phase, by raising event 0 */
	CONTROL_START,
	CONTROL_STOP,
	CONTROL_CONFIGURE, /* stop the cards, configure them, and start them if they were running */
	CONTROL_ACTIONS,
};

/**
 * struct control - A request.
 * @action: the requested action
 * @config: for CONTROL_CONFIGURE: the configuration for all cards, except the node id, which each
 *          card keeps
 */
struct control {
	enum control_action action;
	struct smile_config config;
};

/**
 * struct control_answer - The outcome of a request.
 * @done: the request was carried out
 * @text: a text such as "marked", or the reason of the failure; without control characters
 */
struct control_answer {
	int done;
	char text[LIVE_TEXT_BYTES];
};

/**
 * control_name() - Get the name of an action: "mark", "start", "stop" or "configure".
 */
const char *control_name(enum control_action action);

/**
 * control_parse() - Parse a request from the texts that a peer has sent.
 * @config: the configuration in hexadecimal, or NULL
 *
 * Return: 0; -EINVAL if there is no such action, or if this release cannot read the configuration.
 */
int control_parse(struct control *control, const char *action, const char *config);

/**
 * control_send() - Send a request to several `smile serve` processes at the same time, and wait for
 * their answers.
 * @sources: addresses, each unix:PATH or http://localhost:PORT; a server refuses a request that it
 *           receives over HTTP on a TCP port; shape [@count]
 * @answers: caller-owned, shape [@count]
 *
 * Return: the number of servers that carried out the request.
 */
size_t control_send(char *const *sources, size_t count, const struct control *control,
		    struct control_answer *answers);

/**
 * control_do() - Carry out a request for all cards of a live source, on this machine and on other
 * machines.
 * @answer: receives the result, with the names of the cards that were not reached
 */
void control_do(struct live *live, const struct control *control, struct control_answer *answer);

/**
 * control_mark() - Like live_mark(), but also end the phase of the cards of other machines.
 */
unsigned int control_mark(struct live *live);

#endif /* TOOLS_LIVE_CONTROL_H */
