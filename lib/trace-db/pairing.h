/* SPDX-License-Identifier: MIT */
/*
 * Pairing: finds, while the frames of a trace are read, the request that a response answers, and
 * the packet that an echo acknowledges or a further try repeats.
 *
 * What lives here: a table of outstanding requests by requester and transaction id, at most 64 for
 * each node. Memory grows with the number of requesters, 1.5 KiB for each. It may use frame.h.
 */
#ifndef LIB_TRACE_DB_PAIRING_H
#define LIB_TRACE_DB_PAIRING_H

#include <stdint.h>

#include "lib/trace-db/frame.h"

struct pairing;

/**
 * pairing_new() - Create an empty table. Return: NULL without memory.
 */
struct pairing *pairing_new(void);
void pairing_free(struct pairing *pairing);

/* The relation between the packet passed to pairing_next() and the packet that it finds. */
enum pairing_found {
	PAIRING_NONE,
	PAIRING_REQUEST, /* the request that the packet answers */
	PAIRING_REFUSED, /* the rejected first try of the same request */
	PAIRING_ACKNOWLEDGED, /* the packet that the echo acknowledges */
};

/**
 * pairing_next() - Enter a request, or find the packet that a packet belongs to.
 * @packet: number of the frame
 * @other: receives the number of the packet that was found
 *
 * A request replaces an unanswered request with the same requester and id, except on the cable if
 * its phase shows that it is repeated. A response whose source is not the target of the request has
 * no request.
 *
 * A link of a ring carries the request or the response of a transaction, not both. If no response
 * has passed, the echo that accepts the response represents it: the echo answers the request.
 *
 * Return: enum pairing_found; -ENOMEM.
 */
int pairing_next(struct pairing *pairing, const struct frame *frame, uint64_t packet,
		 uint64_t *other);

#endif /* LIB_TRACE_DB_PAIRING_H */
