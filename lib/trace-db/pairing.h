/* SPDX-License-Identifier: MIT */
/*
 * Pairing: the request that a response answers, and the packet that an echo acknowledges or a
 * further try repeats, found while the frames of a trace are read.
 *
 * What lives here: a table of outstanding requests by requester and transaction id, at most 64 of a
 * node. Memory grows with the requesters, 1.5 KiB each. It may use frame.h.
 */
#ifndef LIB_TRACE_DB_PAIRING_H
#define LIB_TRACE_DB_PAIRING_H

#include <stdint.h>

#include "lib/trace-db/frame.h"

struct pairing;

/**
 * pairing_new() - An empty table. Return: NULL without memory.
 */
struct pairing *pairing_new(void);
void pairing_free(struct pairing *pairing);

/* The relation between the packet that pairing_next() was given and the packet that it finds. */
enum pairing_found {
	PAIRING_NONE,
	PAIRING_REQUEST, /* the request that it answers */
	PAIRING_REFUSED, /* the first try of the same request, which was refused */
	PAIRING_ACKNOWLEDGED, /* the packet whose echo it is */
};

/**
 * pairing_next() - Enter a request, or find the packet that another one belongs to.
 * @packet: number of the frame
 * @other: receives the number of the packet that was found
 *
 * A request replaces an unanswered one with the same requester and id; on the cable not if its
 * phase says that it comes again. A response whose source is not the target of the request has no
 * request.
 *
 * A link of a ring carries the request or the response of a transaction, not both. Where no
 * response has passed, the echo that accepts it stands for it: it answers the request.
 *
 * Return: enum pairing_found; -ENOMEM.
 */
int pairing_next(struct pairing *pairing, const struct frame *frame, uint64_t packet,
		 uint64_t *other);

#endif /* LIB_TRACE_DB_PAIRING_H */
