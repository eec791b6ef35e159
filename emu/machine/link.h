/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Link: the B-Link of a node, and its observer.
 *
 * What lives here: the frames that are passed to the observer, in batches, and the node's
 * transaction ids. May use machine.h, traffic.h and the C library except <stdio.h>.
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
 * @ops: functions of the observer; NULL: there is no observer
 * @opaque: first argument of its functions
 * @node: id of the node; set even if there is no observer, while all other members are then unused
 * @frames: the frames of a batch; shape [MACHINE_BATCH]. The bytes of the frames are always in
 *          @bytes
 * @count: number of frames in the batch
 * @limit: number of frames at which the batch is sent: MACHINE_BATCH, or the value that a test has
 *         set
 * @bytes: bytes of the frames; the bytes after BD1 and BD2 are always zero
 * @id_next: transaction id to try next
 * @id_used: bit n is set if a request with id n was sent and its response was not
 */
struct link {
	const struct machine_ops *ops;
	void *opaque;
	unsigned node;
	struct machine_frame *frames;
	size_t count;
	size_t limit;
	uint8_t *bytes;
	unsigned id_next;
	uint64_t id_used;
};

/**
 * link_init() - Initialise a link with an observer.
 * @payload_bytes: size of the largest payload of a frame
 *
 * Return: 0; -ENOMEM.
 */
int link_init(struct link *link, const struct machine_ops *ops, void *opaque, unsigned node,
	      size_t payload_bytes);

void link_free(struct link *link);

/**
 * link_flush() - Send the frames of the batch to the observer.
 */
void link_flush(struct link *link);

/**
 * link_show() - Add a frame to the batch; if the batch is then full, send it.
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
 * link_id_take() - Reserve the next transaction id that is not in use. If all ids are in use,
 * reserve the next one nevertheless.
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
