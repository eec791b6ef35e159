/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Link: the B-Link of one node, as its watcher sees it.
 *
 * What lives here: frames for the call-backs, one by one or in batches, or requests in batches, and
 * the node's transaction ids. May use machine.h, traffic.h and the C library without <stdio.h>.
 */
#ifndef EMU_MACHINE_LINK_H
#define EMU_MACHINE_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine.h"
#include "traffic.h"

/**
 * struct link - A B-Link.
 * @ops: the observer; NULL: none
 * @opaque: passed to them
 * @node: whose link it is; also of one without an observer, of which there is nothing else
 * @first: [@batches * MACHINE_BATCH], or [@batches] if there are requests; their bytes always point
 *         into @bytes
 * @first_request: [@batches * 2 * MACHINE_REQUESTS], of each batch its requests, then their times;
 *                 NULL: requests come as frames
 * @batches: how many there are
 * @batch: index of the one that is being filled
 * @frames: those waiting, the first of that batch
 * @requests: the same, of requests
 * @request_next: one past the last of those that wait
 * @request_end: one past the last for which there is room
 * @count: how many frames wait
 * @limit: how many may: one, where they come one by one
 * @bytes: of the frames; behind BD1 and BD2 they are always zero
 * @id_next: transaction id to try next
 * @id_used: bit n: id n has a request and no response yet
 */
struct link {
	const struct machine_ops *ops;
	void *opaque;
	unsigned node;
	struct machine_frame *first;
	uint64_t *first_request;
	unsigned batches;
	unsigned batch;
	struct machine_frame *frames;
	uint64_t *requests;
	uint64_t *request_next;
	uint64_t *request_end;
	size_t count;
	size_t limit;
	uint8_t *bytes;
	unsigned id_next;
	uint64_t id_used;
};

/**
 * link_init() - A link that is watched.
 * @decoded: requests come by @ops->requests
 * @payload_bytes: of the longest frame
 * @batches: as struct machine_config
 *
 * Return: 0; -ENOMEM.
 */
int link_init(struct link *link, const struct machine_ops *ops, void *opaque, unsigned node,
	      bool decoded, size_t payload_bytes, unsigned batches);

void link_free(struct link *link);

/**
 * link_flush() - The frames or requests that wait come.
 */
void link_flush(struct link *link);

/**
 * link_ask() - A request appears; only where they come decoded.
 * @request: BLINK_REQUEST_*
 */
static inline void link_ask(struct link *link, uint64_t time_ns, uint64_t request)
{
	uint64_t *slot = link->request_next;

	slot[0] = request;
	slot[MACHINE_REQUESTS] = time_ns;
	link->request_next = slot + 1;
	if (slot + 1 == link->request_end)
		link_flush(link);
}

/**
 * link_event() - The frame of a global event appears, where requests come decoded.
 */
void link_event(struct link *link, uint64_t time_ns, const struct traffic_frame *frame);

/**
 * link_show() - A frame appears; not where requests come decoded.
 */
static inline void link_show(struct link *link, uint64_t time_ns, const struct traffic_frame *frame)
{
	struct machine_frame *slot = &link->frames[link->count];

	traffic_store((uint8_t *)slot->bytes, frame);
	slot->length = frame->length;
	slot->time_ns = time_ns;
	if (++link->count == link->limit)
		link_flush(link);
}

/**
 * link_id_take() - The next transaction id that is not in use; if all are, the next one.
 */
static inline unsigned link_id_take(struct link *link)
{
	unsigned next = link->id_next;
	uint64_t used = link->id_used;
	uint64_t free_ids;

	if (used >> next & 1) {
		free_ids = ~(next ? used >> next | used << (BLINK_TRANSACTIONS - next) : used);
		if (free_ids)
			next = (next + (unsigned)__builtin_ctzll(free_ids)) % BLINK_TRANSACTIONS;
	}
	link->id_next = (next + 1) % BLINK_TRANSACTIONS;
	return next;
}

_Static_assert(BLINK_TRANSACTIONS == 64, "a node's ids fit into a word");

#endif /* EMU_MACHINE_LINK_H */
