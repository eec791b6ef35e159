// SPDX-License-Identifier: MIT
/*
 * Transaction: finds packets in several traces. See transaction.h.
 */
#include "lib/trace-db/transaction.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/trace-db/trace_db_inside.h"

/* The default of the longest time from a request to its response, in ns. */
#define RESPONSE_NS 1000000000

static int64_t time_plus(int64_t time_ns, int64_t more)
{
	int64_t sum;

	if (__builtin_add_overflow(time_ns, more, &sum))
		return more > 0 ? INT64_MAX : 0;
	return sum < 0 ? 0 : sum;
}

static struct trace_member member_of(const struct trace_row *row)
{
	return (struct trace_member){row->trace, row->packet, row->time_ns,
				     frame_class_of(&row->frame) == FRAME_RESPONSE};
}

/*
 * Find the packet in a trace that is the same packet as @of. It must have the same type, the same
 * BD2, and the same BD1 except for the flow control bits. If several packets match, the packet that
 * is nearest in time is chosen.
 *
 * Return: 1; 0 if no such packet is within @window_ns; -errno.
 */
static int same_packet(struct trace_db *db, const struct trace_row *of, uint64_t trace,
		       int64_t window_ns, struct trace_member *same)
{
	const struct frame *frame = &of->frame;
	uint64_t best = UINT64_MAX, apart;
	struct trace_filter filter;
	struct trace_rows rows;
	struct trace_row row;
	int got;

	if (!frame_has_nodes(frame))
		return 0;
	trace_filter_init(&filter);
	filter.trace = (int64_t)trace;
	filter.source = frame_source(frame);
	filter.target = frame_target(frame);
	filter.transaction = frame_transaction(frame);
	filter.types = 1ULL << frame->type;
	filter.time_first = time_plus(of->time_ns, -window_ns);
	filter.time_last = time_plus(of->time_ns, window_ns);
	got = trace_rows_begin(&rows, db, &filter);
	while (got >= 0 && (got = trace_rows_next(&rows, &row)) > 0) {
		if (((row.frame.bd1 ^ frame->bd1) & ~BLINK_BD1_FLOW) ||
		    row.frame.bd2 != frame->bd2 || row.frame.fault != frame->fault)
			continue;
		apart = row.time_ns > of->time_ns ? (uint64_t)(row.time_ns - of->time_ns)
						  : (uint64_t)(of->time_ns - row.time_ns);
		if (apart >= best)
			continue;
		best = apart;
		*same = member_of(&row);
	}
	trace_rows_end(&rows);
	return got < 0 ? got : best != UINT64_MAX;
}

/* A list of members. It counts all members, even if there is no memory for them. */
struct members {
	struct trace_member *at;
	size_t room;
	size_t count;
};

static void member_add(struct members *members, const struct trace_member *member)
{
	if (members->count < members->room)
		members->at[members->count] = *member;
	members->count++;
}

static int by_time(const void *left, const void *right)
{
	const struct trace_member *a = left, *b = right;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	if (a->trace != b->trace)
		return a->trace < b->trace ? -1 : 1;
	return a->packet < b->packet ? -1 : a->packet > b->packet;
}

static int members_end(struct members *members)
{
	size_t filled = members->count < members->room ? members->count : members->room;

	qsort(members->at, filled, sizeof(*members->at), by_time);
	return (int)members->count;
}

/* Get all traces. The caller must free the array. Return: the number of traces; -errno. */
static int traces_all(struct trace_db *db, struct trace_info **traces)
{
	int count = trace_db_traces(db, NULL, 0);

	if (count < 0)
		return count;
	*traces = calloc((size_t)count + 1, sizeof(**traces));
	if (!*traces)
		return parts_error(db, ENOMEM, "no memory for the traces of %s", db->path);
	return trace_db_traces(db, *traces, (size_t)count);
}

int trace_db_follow(struct trace_db *db, const struct trace_row *of, int64_t window_ns,
		    struct trace_member *members, size_t room)
{
	struct members list = {members, room, 0};
	struct trace_member self = member_of(of), same;
	struct trace_info *traces = NULL;
	int count = traces_all(db, &traces), got = 0;

	member_add(&list, &self);
	for (int i = 0; i < count && got >= 0; i++) {
		if (traces[i].trace == of->trace)
			continue;
		got = same_packet(db, of, traces[i].trace, window_ns, &same);
		if (got > 0)
			member_add(&list, &same);
	}
	free(traces);
	if (count < 0 || got < 0)
		return count < 0 ? count : got;
	return members_end(&list);
}

/* Read the whole row of a packet. */
static int row_of(struct trace_db *db, uint64_t trace, uint64_t packet, struct trace_row *row)
{
	uint8_t *bytes = malloc(TRACE_DB_BODY_BYTES);
	int error;

	if (!bytes)
		return parts_error(db, ENOMEM, "no memory for a packet of %s", db->path);
	error = trace_db_packet(db, trace, packet, row, bytes);
	/* The callers use only the words of the frame. */
	row->frame.body = NULL;
	row->frame.body_bytes = 0;
	free(bytes);
	return error;
}

/*
 * Find the request of a response whose trace does not have the request. Search for it in other
 * traces. Return: 1; 0 if no trace has the request; -errno.
 */
static int request_elsewhere(struct trace_db *db, const struct trace_row *response,
			     struct trace_row *request)
{
	struct trace_filter filter;
	struct trace_rows rows;
	struct trace_row row;
	int got, found = 0;

	trace_filter_init(&filter);
	filter.source = frame_target(&response->frame);
	filter.target = frame_source(&response->frame);
	filter.transaction = frame_transaction(&response->frame);
	filter.time_first = time_plus(response->time_ns, -RESPONSE_NS);
	filter.time_last = response->time_ns;
	got = trace_rows_begin(&rows, db, &filter);
	while (got >= 0 && (got = trace_rows_next(&rows, &row)) > 0) {
		if (frame_class_of(&row.frame) != FRAME_REQUEST ||
		    (found && row.time_ns < request->time_ns))
			continue;
		found = 1;
		*request = row;
		request->frame.body = NULL;
		request->frame.body_bytes = 0;
	}
	trace_rows_end(&rows);
	return got < 0 ? got : found;
}

/*
 * In a trace that does not have the request, find the first possible response. Return: 1; 0 if
 * there is no response; -errno.
 */
static int response_elsewhere(struct trace_db *db, const struct trace_row *request, uint64_t trace,
			      int64_t last_ns, struct trace_member *response)
{
	struct trace_filter filter;
	struct trace_rows rows;
	struct trace_row row;
	int got, found = 0;

	trace_filter_init(&filter);
	filter.trace = (int64_t)trace;
	filter.source = frame_target(&request->frame);
	filter.target = frame_source(&request->frame);
	filter.transaction = frame_transaction(&request->frame);
	filter.time_first = request->time_ns;
	filter.time_last = last_ns;
	got = trace_rows_begin(&rows, db, &filter);
	while (!found && got >= 0 && (got = trace_rows_next(&rows, &row)) > 0) {
		if (frame_class_of(&row.frame) != FRAME_RESPONSE || row.request >= 0)
			continue;
		found = 1;
		*response = member_of(&row);
	}
	trace_rows_end(&rows);
	return got < 0 ? got : found;
}

/*
 * For each request in the list, add the response with which the import has paired it. @last_ns:
 * receives the time of the last response.
 */
static int paired_add(struct trace_db *db, struct members *list, int64_t *last_ns)
{
	size_t requests = list->count < list->room ? list->count : list->room;
	struct trace_row row;
	uint64_t packet;
	int error;

	for (size_t i = 0; i < requests; i++) {
		error = row_of(db, list->at[i].trace, list->at[i].packet, &row);
		if (!error)
			error = trace_db_response(db, &row, RESPONSE_NS, &packet);
		if (error == -ENOENT)
			continue;
		if (!error)
			error = row_of(db, row.trace, packet, &row);
		if (error)
			return error;
		if (row.time_ns > *last_ns)
			*last_ns = row.time_ns;
		member_add(list, &(struct trace_member){row.trace, packet, row.time_ns, true});
	}
	return 0;
}

static bool has_trace(const struct members *list, uint64_t trace)
{
	size_t filled = list->count < list->room ? list->count : list->room;

	for (size_t i = 0; i < filled; i++)
		if (list->at[i].trace == trace)
			return true;
	return false;
}

/* For each trace that does not have the request, add the response in this trace. */
static int unpaired_add(struct trace_db *db, struct members *list, const struct trace_row *request,
			int64_t last_ns)
{
	struct trace_info *traces = NULL;
	struct trace_member response;
	int count = traces_all(db, &traces), got = 0;

	for (int i = 0; i < count && got >= 0; i++) {
		if (has_trace(list, traces[i].trace))
			continue;
		got = response_elsewhere(db, request, traces[i].trace, last_ns, &response);
		if (got > 0)
			member_add(list, &response);
	}
	free(traces);
	return count < 0 ? count : got < 0 ? got : 0;
}

int trace_db_transaction(struct trace_db *db, const struct trace_row *of, int64_t window_ns,
			 struct trace_member *members, size_t room)
{
	struct members list = {members, room, 0};
	struct trace_row request = *of;
	int64_t last_ns = INT64_MIN;
	int got = 1;

	if (frame_class_of(&of->frame) == FRAME_RESPONSE) {
		if (of->request >= 0) {
			got = row_of(db, of->trace, (uint64_t)of->request, &request);
			got = got ? got : 1;
		} else {
			got = request_elsewhere(db, of, &request);
		}
	}
	if (got < 0)
		return got;
	/* If no trace has the request, list the response in all traces that have it. */
	if (!got || frame_class_of(&request.frame) != FRAME_REQUEST)
		return trace_db_follow(db, of, window_ns, members, room);
	got = trace_db_follow(db, &request, window_ns, members, room);
	if (got < 0)
		return got;
	list.count = (size_t)got;
	got = paired_add(db, &list, &last_ns);
	last_ns = last_ns == INT64_MIN ? time_plus(request.time_ns, RESPONSE_NS)
				       : time_plus(last_ns, window_ns);
	if (!got)
		got = unpaired_add(db, &list, &request, last_ns);
	return got ? got : members_end(&list);
}
