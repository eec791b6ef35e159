/* SPDX-License-Identifier: MIT */
/*
 * Transaction: the packets of a transaction in all traces, and one packet in all traces.
 *
 * What lives here: the rule that decides whether two traces hold the same packet. The time stamps
 * of all traces must be of one clock. It may use trace_db.h.
 */
#ifndef LIB_TRACE_DB_TRANSACTION_H
#define LIB_TRACE_DB_TRANSACTION_H

#include "lib/trace-db/trace_db.h"

/* The default for the largest distance between the stamps of one packet. */
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
 * trace_db_follow() - The same packet in every trace, by time; @of is one of them.
 *
 * Return: the number of packets; at most @room are filled in.
 */
int trace_db_follow(struct trace_db *db, const struct trace_row *of, int64_t window_ns,
		    struct trace_member *members, size_t room);

/**
 * trace_db_transaction() - The request and the response in every trace, by time.
 * @of: one of these packets; an event alone is a transaction
 *
 * In a trace with the request, the response is the packet that the import has paired with it. In a
 * trace without the request, the response is the first packet from the target to the source with
 * the id. It must not be earlier than the request, and not later than the paired response in
 * another trace, plus the window.
 *
 * Return: as trace_db_follow().
 */
int trace_db_transaction(struct trace_db *db, const struct trace_row *of, int64_t window_ns,
			 struct trace_member *members, size_t room);

#endif /* LIB_TRACE_DB_TRANSACTION_H */
