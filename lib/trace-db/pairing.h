/* SPDX-License-Identifier: MIT */
/*
 * Pairing: find related packets while the frames of a trace are read. A response is related to the
 * request that it answers, an echo to the packet that it acknowledges, and a further try to the
 * first try that it repeats.
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
 * pairing_new() - Create an empty table. Return: the table; NULL if memory is missing.
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
 * A request replaces an unanswered request with the same requester and transaction id. However, a
 * request on the cable does not replace it if its phase shows that it is a further try. A response
 * is related to a request only if its source is the target of the request.
 *
 * A link of a ring carries either the request or the response of a transaction, but not both. If
 * the link does not carry the response, the echo that accepts the response takes its place, and
 * answers the request.
 * Return: enum pairing_found; -ENOMEM.
 */
int pairing_next(struct pairing *pairing, const struct frame *frame, uint64_t packet,
		 uint64_t *other);

#endif /* LIB_TRACE_DB_PAIRING_H */
