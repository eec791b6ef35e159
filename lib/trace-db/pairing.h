/* SPDX-License-Identifier: MIT */
/*
 * Pairing: finds related packets while the frames of a trace are read. A response is related to the
 * request that it answers. An echo is related to the packet that it acknowledges. If a packet was
 * rejected and is sent again, it is related to its first try.
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

/*
 * The relation of the packet that was passed to pairing_next() to the packet that the function
 * found.
 */
enum pairing_found {
	PAIRING_NONE,
	PAIRING_REQUEST, /* the request that the packet answers */
	PAIRING_REFUSED, /* the rejected first try of the same request */
	PAIRING_ACKNOWLEDGED, /* the packet that the echo acknowledges */
};

/**
 * pairing_next() - Process the next packet. If it is a request, enter it in the table. Otherwise,
 * find the related packet.
 * @packet: number of the frame
 * @other: receives the number of the related packet
 *
 * A request replaces an unanswered request with the same requester and transaction id. On the
 * cable, however, a request whose phase shows that it is sent again does not replace its first try.
 * A response is related to a request only if the source of the response is the target of the
 * request.
 *
 * A link of a ring carries either the request or the response of a transaction, but not both. If
 * the link carries only the request, it carries the echo of the response. In this case, the echo
 * counts as the answer to the request.
 *
 * Return: enum pairing_found; -ENOMEM.
 */
int pairing_next(struct pairing *pairing, const struct frame *frame, uint64_t packet,
		 uint64_t *other);

#endif /* LIB_TRACE_DB_PAIRING_H */
