/* SPDX-License-Identifier: MIT */
/*
 * Response time: computes the times from requests to their responses. May use trace_db.h and
 * time_distribution.h.
 */
#ifndef LIB_TRACE_DB_RESPONSE_TIME_H
#define LIB_TRACE_DB_RESPONSE_TIME_H

#include "lib/trace-db/time_distribution.h"
#include "lib/trace-db/trace_db.h"

/**
 * trace_db_latencies() - Add the response time of each request that fulfils the conditions to
 * @times.
 * @unanswered: receives the number of requests that fulfil the conditions but have no response
 *              time, because their trace has no response, or a response with an earlier time stamp
 */
int trace_db_latencies(struct trace_db *db, const struct trace_filter *filter,
		       struct time_distribution *times, uint64_t *unanswered);

#endif /* LIB_TRACE_DB_RESPONSE_TIME_H */
