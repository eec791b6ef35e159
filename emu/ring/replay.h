/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Replay: the requests of a trace, offered to a network, each after the request that it depends on.
 *
 * What lives here: a sequence of requests for each node. docs/ring.md, section 7. Pure C11, no I/O,
 * no allocation, only integers. It may use network.h.
 */
#ifndef EMU_RING_REPLAY_H
#define EMU_RING_REPLAY_H

#include "emu/ring/network.h"

/**
 * struct replay_request - A request.
 * @wait: clocks after the previous request was due, or, with @after_end, after it ended
 * @address: byte address
 * @target: target node
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
 * @requests: the requests; shape [@count]; kept by reference
 * @next: the request that is due at @due
 * @blocked: the next request waits for the end of the previous one
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
 * struct replay - A trace. Set it to zero at first, then set @requests and @count of each node.
 */
struct replay {
	struct replay_node node[LOAD_NODES_MAX];
};

/**
 * replay_begin() - Start the trace: the first requests of all nodes are due in their clocks from
 * now on.
 */
void replay_begin(struct replay *replay);

/**
 * replay_step() - Offer the requests that are due. It is called in front of each network_step().
 */
void replay_step(struct replay *replay, struct network *network);

/**
 * replay_due() - Get the clock before which no request is due, if no transaction ends.
 */
uint64_t replay_due(const struct replay *replay, const struct network *network);

/**
 * replay_ended() - Handle the end of a transaction of @node: call it when network_watch.ended is
 * called.
 */
void replay_ended(struct replay *replay, const struct network *network, unsigned int node,
		  const struct ring_packet *packet);

/**
 * replay_done() - Have all requests been offered, and have all of them ended?
 */
bool replay_done(const struct replay *replay, const struct network *network);

#endif /* EMU_RING_REPLAY_H */
