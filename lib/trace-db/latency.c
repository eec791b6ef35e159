// SPDX-License-Identifier: MIT
/*
 * Response times: see latency.h.
 *
 * Requests by conditions and all responses are read side by side, both in the order of the trace:
 * the requests that wait are in a table by their number.
 */
#include "lib/trace-db/latency.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/trace-db/trace_db_inside.h"

/* A request whose time is wanted, in a hash table by its number. */
struct waiting {
	uint64_t packet; /* plus 1; 0: free */
	int64_t time_ns;
};

struct waiting_table {
	struct waiting *slots;
	size_t room;
	size_t count;
};

static size_t slot_of(const struct waiting_table *table, uint64_t packet)
{
	size_t at = (size_t)(packet * 0x9e3779b97f4a7c15ULL >> 32) & (table->room - 1);

	while (table->slots[at].packet && table->slots[at].packet != packet + 1)
		at = (at + 1) & (table->room - 1);
	return at;
}

static int table_add(struct waiting_table *table, uint64_t packet, int64_t time_ns)
{
	struct waiting_table larger;

	if (2 * table->count >= table->room) {
		larger.room = table->room ? 2 * table->room : 1024;
		larger.count = table->count;
		larger.slots = calloc(larger.room, sizeof(*larger.slots));
		if (!larger.slots)
			return -ENOMEM;
		for (size_t i = 0; i < table->room; i++)
			if (table->slots[i].packet)
				larger.slots[slot_of(&larger, table->slots[i].packet - 1)] =
					table->slots[i];
		free(table->slots);
		*table = larger;
	}
	table->slots[slot_of(table, packet)] = (struct waiting){packet + 1, time_ns};
	table->count++;
	return 0;
}

/* Return: 1 if it was there, and is no more. */
static int table_take(struct waiting_table *table, uint64_t packet, int64_t *time_ns)
{
	size_t mask = table->room - 1, hole, at;

	if (!table->count)
		return 0;
	hole = slot_of(table, packet);
	if (!table->slots[hole].packet)
		return 0;
	*time_ns = table->slots[hole].time_ns;
	table->count--;
	/* What lies behind it must still be found. */
	for (at = (hole + 1) & mask; table->slots[at].packet; at = (at + 1) & mask) {
		size_t home =
			(size_t)((table->slots[at].packet - 1) * 0x9e3779b97f4a7c15ULL >> 32) &
			mask;

		if (((at - home) & mask) < ((at - hole) & mask))
			continue;
		table->slots[hole] = table->slots[at];
		hole = at;
	}
	table->slots[hole].packet = 0;
	return 1;
}

/* The next row, and the result of asking for it. */
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

static int response_take(const struct trace_row *row, struct waiting_table *table,
			 struct spread *spread, uint64_t *unanswered)
{
	int64_t asked;

	if (row->request < 0 || !table_take(table, (uint64_t)row->request, &asked))
		return 0;
	if (row->time_ns < asked) {
		++*unanswered;
		return 0;
	}
	return spread_add(spread, (uint64_t)row->time_ns - (uint64_t)asked);
}

/* A trace ends: what still waits has no response. */
static void table_clear(struct waiting_table *table, uint64_t *unanswered)
{
	*unanswered += table->count;
	for (size_t i = 0; i < table->room; i++)
		table->slots[i].packet = 0;
	table->count = 0;
}

int trace_db_latencies(struct trace_db *db, const struct trace_filter *filter,
		       struct spread *spread, uint64_t *unanswered)
{
	const uint64_t all_requests = 0xffULL << BLINK_TYPE_REQUEST_EXTENDED;
	struct trace_filter requests = *filter, responses;
	struct side asking, answering;
	struct waiting_table table = {NULL, 0, 0};
	uint64_t trace = 0;
	int error = 0;

	requests.types = requests.types ? requests.types & all_requests : all_requests;
	if (!requests.types)
		return 0;
	trace_filter_init(&responses);
	responses.trace = filter->trace;
	responses.packet_first = filter->packet_first;
	responses.types = 0xffULL << BLINK_TYPE_RESPONSE_EXTENDED;
	side_begin(&asking, db, &requests);
	side_begin(&answering, db, &responses);
	while (!error && asking.got >= 0 && answering.got >= 0 && asking.got + answering.got > 0) {
		struct side *next = comes_first(&asking, &answering) ? &asking : &answering;

		if (next->row.trace != trace)
			table_clear(&table, unanswered);
		trace = next->row.trace;
		if (next == &asking)
			error = table_add(&table, next->row.packet, next->row.time_ns);
		else
			error = response_take(&next->row, &table, spread, unanswered);
		next->got = error ? error : trace_rows_next(&next->rows, &next->row);
	}
	table_clear(&table, unanswered);
	free(table.slots);
	trace_rows_end(&asking.rows);
	trace_rows_end(&answering.rows);
	if (error)
		return error;
	return asking.got < 0 ? asking.got : answering.got < 0 ? answering.got : 0;
}
