/* SPDX-License-Identifier: MIT */
/*
 * Control: start, stop, configure, or end a phase of cards, here and behind other `smile serve`.
 *
 * What lives here: a request, what a live source does with it, and how it is sent to all machines
 * at once. A request is accepted at a Unix socket alone, with a ticket that serves once: GET
 * /ticket, then POST /control.
 */
#ifndef TOOLS_LIVE_CONTROL_H
#define TOOLS_LIVE_CONTROL_H

#include <stddef.h>

#include "tools/live/live.h"

/* A ticket: hexadecimal digits. */
#define CONTROL_TICKET_DIGITS 32
/* How long an answer is awaited. */
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
 * @config: with CONTROL_CONFIGURE: for all cards; each keeps its node id
 */
struct control {
	enum control_action action;
	struct smile_config config;
};

/**
 * struct control_answer - The outcome of a request.
 * @done: the request was carried out
 * @text: "marked", or why not; without control characters
 */
struct control_answer {
	int done;
	char text[LIVE_TEXT_BYTES];
};

/**
 * control_name() - "mark", "start", "stop", "configure".
 */
const char *control_name(enum control_action action);

/**
 * control_parse() - A request from its texts, as they come from a peer.
 * @config: hexadecimal, or NULL
 *
 * Return: 0; -EINVAL: there is no such request, or this release cannot read it.
 */
int control_parse(struct control *control, const char *action, const char *config);

/**
 * control_send() - Send a request to several `smile serve`, at once, and await their answers.
 * @sources: unix:PATH, or http://localhost:PORT, which will refuse; shape [@count]
 * @answers: caller-owned, shape [@count]
 *
 * Return: how many have done it.
 */
size_t control_send(char *const *sources, size_t count, const struct control *control,
		    struct control_answer *answers);

/**
 * control_do() - Carry out a request with all cards of a live source, wherever they are.
 * @answer: names the cards that it did not reach
 */
void control_do(struct live *live, const struct control *control, struct control_answer *answer);

/**
 * control_mark() - The same as live_mark(), also of cards behind other `smile serve`.
 */
unsigned int control_mark(struct live *live);

#endif /* TOOLS_LIVE_CONTROL_H */
