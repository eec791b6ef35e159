/* SPDX-License-Identifier: MIT */
/*
 * Control: start, stop, configure, or end a phase of cards, here and behind other `smile serve`.
 *
 * What lives here: a request, its execution by a live source, and its transmission to all machines
 * at the same time. A request is accepted only at a Unix socket, and only with a ticket, which is
 * valid once: GET /ticket, then POST /control.
 */
#ifndef TOOLS_LIVE_CONTROL_H
#define TOOLS_LIVE_CONTROL_H

#include <stddef.h>

#include "tools/live/live.h"

/* Number of hexadecimal digits of a ticket. */
#define CONTROL_TICKET_DIGITS 32
/* Longest wait for an answer. */
#define CONTROL_NS 3000000000ULL

enum control_action {
	CONTROL_MARK, /* end the phase: raise event 0 */
	CONTROL_START,
	CONTROL_STOP,
	CONTROL_CONFIGURE, /* stop, configure, and start if it was running */
	CONTROL_ACTIONS,
};

/**
 * struct control - A request.
 * @action: what to do
 * @config: with CONTROL_CONFIGURE: configuration of all cards; each card keeps its node id
 */
struct control {
	enum control_action action;
	struct smile_config config;
};

/**
 * struct control_answer - The outcome of a request.
 * @done: the request was carried out
 * @text: "marked", or the reason of the failure; without control characters
 */
struct control_answer {
	int done;
	char text[LIVE_TEXT_BYTES];
};

/**
 * control_name() - The name of an action: "mark", "start", "stop", "configure".
 */
const char *control_name(enum control_action action);

/**
 * control_parse() - Parse a request from the texts that a peer has sent.
 * @config: the configuration in hexadecimal, or NULL
 *
 * Return: 0; -EINVAL if there is no such request, or this release cannot read it.
 */
int control_parse(struct control *control, const char *action, const char *config);

/**
 * control_send() - Send a request to several `smile serve` at the same time, and wait for the
 * answers.
 * @sources: unix:PATH, or http://localhost:PORT, which will refuse; shape [@count]
 * @answers: caller-owned, shape [@count]
 *
 * Return: the number of servers that carried out the request.
 */
size_t control_send(char *const *sources, size_t count, const struct control *control,
		    struct control_answer *answers);

/**
 * control_do() - Carry out a request with all cards of a live source, here and on other machines.
 * @answer: names the cards that were not reached
 */
void control_do(struct live *live, const struct control *control, struct control_answer *answer);

/**
 * control_mark() - Like live_mark(), also for cards of other `smile serve`.
 */
unsigned int control_mark(struct live *live);

#endif /* TOOLS_LIVE_CONTROL_H */
