/* SPDX-License-Identifier: MIT */
/*
 * Transaction: finds the packets of a transaction, or the same packet, in all traces.
 *
 * What lives here: the rule that decides whether the packets of two traces are the same packet. The
 * time stamps of all traces must be times of the same clock. May use trace_db.h.
 */
#ifndef LIB_TRACE_DB_TRANSACTION_H
#define LIB_TRACE_DB_TRANSACTION_H

#include "lib/trace-db/trace_db.h"

/*
 * The default of the window, which is the largest difference between the time stamps of the same
 * packet in two traces.
 */
#define TRANSACTION_WINDOW_NS 100000

/**
 * struct trace_member - A packet of a transaction.
 */
struct trace_member {
	uint64_t trace;
	uint64_t packet;
	int64_t time_ns;
	bool response;
};

/**
 * trace_db_follow() - Find the packet @of in every trace. The result includes @of itself, and is in
 * the order of time.
 *
 * Return: the number of packets. At most @room packets are filled in.
 */
int trace_db_follow(struct trace_db *db, const struct trace_row *of, int64_t window_ns,
		    struct trace_member *members, size_t room);

/**
 * trace_db_transaction() - Find the request and the response of a transaction in every trace. The
 * result is in the order of time.
 * @of: the request or the response; if it is an event, there are no further packets
 *
 * In a trace that has the request, the response is the packet that the import has paired with it.
 * In a trace without the request, the response is the first packet from the target to the source
 * that has the same transaction id and is not earlier than the request. If another trace has a
 * paired response, the packet must not be later than this response by more than the window.
 *
 * Return: the number of packets. At most @room packets are filled in.
 */
int trace_db_transaction(struct trace_db *db, const struct trace_row *of, int64_t window_ns,
			 struct trace_member *members, size_t room);

#endif /* LIB_TRACE_DB_TRANSACTION_H */
