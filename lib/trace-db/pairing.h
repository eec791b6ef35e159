/* SPDX-License-Identifier: MIT */
/*
 * Pairing: the request that a response answers, found while the frames of a trace are read.
 *
 * What lives here: a table of outstanding requests by requester and transaction id, at most 64 of a
 * node. Memory grows with the requesters, 1 KiB each. It may use frame.h.
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

/**
 * pairing_next() - Enter a request, or find the request of a response.
 * @packet: number of the frame
 * @request: receives the number of the request
 *
 * A request replaces an unanswered one with the same requester and id. A response whose source is
 * not the target of the request has no request.
 *
 * Return: 1 for a response with a request; 0; -ENOMEM.
 */
int pairing_next(struct pairing *pairing, const struct frame *frame, uint64_t packet,
		 uint64_t *request);

#endif /* LIB_TRACE_DB_PAIRING_H */
