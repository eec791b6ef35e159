// SPDX-License-Identifier: MIT
/*
 * Response times: see response_time.h.
 *
 * What lives here: a loop that reads two lists in parallel, both in the order of the trace: the
 * requests that fulfil the conditions, and all responses. A hash table, with packet numbers as
 * keys, has the requests whose responses were not read yet.
 */
#include "lib/trace-db/response_time.h"

#include <errno.h>

#include <base/hash_table.h>

#include "lib/trace-db/trace_db_inside.h"

/**
 * struct waiting - A request whose response was not read yet.
 * @key: number of the request, plus one
 * @time_ns: time of the request
 */
struct waiting {
	uint64_t key;
	int64_t time_ns;
};

static int waiting_add(struct hash_table *table, uint64_t packet, int64_t time_ns)
{
	struct waiting *waiting = hash_table_add(table, packet + 1, sizeof(*waiting));

	if (!waiting)
		return -ENOMEM;
	waiting->time_ns = time_ns;
	return 0;
}

/* If the request is in the table, remove it. Return: 1 if it was in the table. */
static int waiting_take(struct hash_table *table, uint64_t packet, int64_t *time_ns)
{
	struct waiting *waiting = hash_table_find(table, packet + 1, sizeof(*waiting));

	if (!waiting)
		return 0;
	*time_ns = waiting->time_ns;
	hash_table_remove(table, waiting, sizeof(*waiting));
	return 1;
}

/*
 * One of the two lists of packets. It has the next row of the list, and the result of reading this
 * row.
 */
struct side {
	struct trace_rows rows;
	struct trace_row row;
	int got;
};

static void side_begin(struct side *side, struct trace_db *db, const struct trace_filter *filter)
{
	side->got = trace_rows_begin(&side->rows, db, filter);
	if (side->got >= 0)
		side->got = trace_rows_next(&side->rows, &side->row);
}

static bool comes_first(const struct side *left, const struct side *right)
{
	if (right->got <= 0 || left->got <= 0)
		return left->got > 0;
	return left->row.trace != right->row.trace ? left->row.trace < right->row.trace
						   : left->row.packet < right->row.packet;
}

static int response_take(const struct trace_row *row, struct hash_table *table,
			 struct time_distribution *times, uint64_t *unanswered)
{
	int64_t asked;

	if (row->request < 0 || !waiting_take(table, (uint64_t)row->request, &asked))
		return 0;
	if (row->time_ns < asked) {
		++*unanswered;
		return 0;
	}
	return time_distribution_add(times, (uint64_t)row->time_ns - (uint64_t)asked);
}

/* At the end of a trace, count the remaining requests as requests without a response. */
static void waiting_end(struct hash_table *table, uint64_t *unanswered)
{
	*unanswered += table->used;
	hash_table_free(table);
}

int trace_db_latencies(struct trace_db *db, const struct trace_filter *filter,
		       struct time_distribution *times, uint64_t *unanswered)
{
	const uint64_t all_requests =
		0xffULL << BLINK_TYPE_REQUEST_EXTENDED | 0xffULL << CABLE_TYPE_REQUEST_EXTENDED;
	struct trace_filter requests = *filter, responses;
	struct side asking, answering;
	struct hash_table table = {0};
	uint64_t trace = 0;
	int error = 0;

	requests.types = requests.types ? requests.types & all_requests : all_requests;
	if (!requests.types)
		return 0;
	trace_filter_init(&responses);
	responses.trace = filter->trace;
	responses.packet_first = filter->packet_first;
	/*
	 * Include echoes, because on some links only the echo of a response passes. In this case,
	 * the echo stands for the response.
	 */
	responses.types =
		0xffULL << BLINK_TYPE_RESPONSE_EXTENDED | 0x1ffULL << CABLE_TYPE_RESPONSE_EXTENDED;
	side_begin(&asking, db, &requests);
	side_begin(&answering, db, &responses);
	while (!error && asking.got >= 0 && answering.got >= 0 && asking.got + answering.got > 0) {
		struct side *next = comes_first(&asking, &answering) ? &asking : &answering;

		if (next->row.trace != trace)
			waiting_end(&table, unanswered);
		trace = next->row.trace;
		/* The response time of a repeated request is measured from its first try. */
		if (next == &asking && next->row.repeats < 0)
			error = waiting_add(&table, next->row.packet, next->row.time_ns);
		else if (next == &answering)
			error = response_take(&next->row, &table, times, unanswered);
		next->got = error ? error : trace_rows_next(&next->rows, &next->row);
	}
	waiting_end(&table, unanswered);
	trace_rows_end(&asking.rows);
	trace_rows_end(&answering.rows);
	if (error)
		return error;
	return asking.got < 0 ? asking.got : answering.got < 0 ? answering.got : 0;
}
