/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Replay: offer the requests of a trace to a network. A request may depend on the end of the node's
 * previous request.
 *
 * What lives here: the sequence of requests of each node. docs/ring.md, section 7, describes the
 * replay. Pure C11, no I/O, no allocation, only integers. May use network.h.
 */
#ifndef EMU_RING_REPLAY_H
#define EMU_RING_REPLAY_H

#include "emu/ring/network.h"

/**
 * struct replay_request - A request of a trace.
 * @wait: number of clocks between the time at which the previous request was due and the time at
 *        which this request is due. If @after_end is set, the wait starts when the previous
 *        request's transaction has ended
 * @address: byte address
 * @target: target node
 * @command: BLINK_*
 * @after_end: the request waits for the end of the previous request's transaction
 */
struct replay_request {
	uint64_t wait;
	uint64_t address;
	uint16_t target;
	uint8_t command;
	bool after_end;
};

/**
 * struct replay_node - The requests of a node, and the state of their replay.
 * @requests: the requests, which must exist as long as the replay; shape [@count]
 * @next: index of the request that is due at @due
 * @blocked: the next request waits for the end of the previous request's transaction
 * @transaction: transaction id of the previous request
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
 * struct replay - A trace, and the state of its replay. Initialize all members to zero, then set
 * @requests and @count of each node.
 */
struct replay {
	struct replay_node node[LOAD_NODES_MAX];
};

/**
 * replay_begin() - Start the replay. The first request of each node is due after its @wait.
 */
void replay_begin(struct replay *replay);

/**
 * replay_step() - Offer the requests that are due. Call this function before each network_step().
 */
void replay_step(struct replay *replay, struct network *network);

/**
 * replay_due() - Get the clock at which the next request is due, if no transaction ends before this
 * clock.
 */
uint64_t replay_due(const struct replay *replay, const struct network *network);

/**
 * replay_ended() - Process the end of a transaction of @node. Call this function from
 * network_watch.ended.
 */
void replay_ended(struct replay *replay, const struct network *network, unsigned int node,
		  const struct ring_packet *packet);

/**
 * replay_done() - Check whether all requests were offered, and all their transactions have ended.
 */
bool replay_done(const struct replay *replay, const struct network *network);

#endif /* EMU_RING_REPLAY_H */
