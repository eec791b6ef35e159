/* SPDX-License-Identifier: MIT */
/*
 * Pairing: finds related packets while the frames of a trace are read: the request that a response
 * answers, the packet that an echo acknowledges, and the first try that a further try repeats.
 *
 * What lives here: a table of outstanding requests by requester and transaction id, with at most 64
 * requests for each node. Each requester needs 1.5 KiB of memory. May use frame.h.
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
 * pairing_next() - Process the next packet: enter a request in the table, or find the related
 * packet.
 * @packet: number of the frame
 * @other: receives the number of the related packet
 *
 * A request replaces an unanswered request with the same requester and id. On the cable, it does
 * not if its phase shows that it is repeated. If the source of a response is not the target of the
 * request, the response has no request.
 *
 * A link of a ring carries either the request or the response of a transaction, but not both. If no
 * response has passed, the echo that accepts the response stands for it, and answers the request.
 * Return: enum pairing_found; -ENOMEM.
 */
int pairing_next(struct pairing *pairing, const struct frame *frame, uint64_t packet,
		 uint64_t *other);

#endif /* LIB_TRACE_DB_PAIRING_H */
