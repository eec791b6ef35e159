/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Replay: the requests of a trace, offered to a network, each after the request that it depends on.
 *
 * What lives here: a row of requests for each node. docs/ring.md, section 7. Pure C11, no I/O, no
 * allocation, integers alone. It may use network.h.
 */
#ifndef EMU_RING_REPLAY_H
#define EMU_RING_REPLAY_H

#include "emu/ring/network.h"

/**
 * struct replay_request - A request.
 * @wait: clocks after the previous request was due, or, with @after_end, after it has ended
 * @address: byte address
 * @target: node
 * @command: BLINK_*
 * @after_end: it waits for the end of the previous request
 */
struct replay_request {
	uint64_t wait;
	uint64_t address;
	uint16_t target;
	uint8_t command;
	bool after_end;
};

/**
 * struct replay_node - The requests of a node.
 * @requests: shape [@count]; kept by reference
 * @next: the request that is due at @due
 * @blocked: the previous request has to end first
 * @transaction: id of the previous request
 */
struct replay_node {
	const struct replay_request *requests;
	uint64_t count;
	uint64_t next;
	uint64_t due;
	bool blocked;
	uint8_t transaction;
};

/**
 * struct replay - A trace. Zeroed at first; @requests and @count of each node are set.
 */
struct replay {
	struct replay_node node[LOAD_NODES_MAX];
};

/**
 * replay_begin() - The first requests of all nodes are due in their clocks from now on.
 */
void replay_begin(struct replay *replay);

/**
 * replay_step() - Offer what is due. Called in front of each network_step().
 */
void replay_step(struct replay *replay, struct network *network);

/**
 * replay_due() - The clock before which no request is due, if no transaction ends.
 */
uint64_t replay_due(const struct replay *replay, const struct network *network);

/**
 * replay_ended() - A transaction of @node has ended: called as network_watch.ended is.
 */
void replay_ended(struct replay *replay, const struct network *network, unsigned int node,
		  const struct ring_packet *packet);

/**
 * replay_done() - Have all requests been offered, and have they ended?
 */
bool replay_done(const struct replay *replay, const struct network *network);

#endif /* EMU_RING_REPLAY_H */
