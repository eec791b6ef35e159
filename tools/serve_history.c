// SPDX-License-Identifier: MIT
/*
 * Serve: transactions over time.
 *
 * What lives here: a sample of each interval, by the node that asks, of the last while, for the page
 * that is opened now to show what was before.
 */
#include "tools/serve.h"

#include <stdlib.h>
#include <string.h>

#include "tools/live.h"
#include "tools/smile.h"
#include "tools/view_pack.h"

/* A matrix of more would take longer than a sample should. */
#define HISTORY_MATRIX_MAX 1024U

/* Transactions so far by source. Return: TOOL_OK; TOOL_ERROR without memory. */
static int totals(struct serve *serve, uint64_t *sums, unsigned int *nodes)
{
	size_t side = serve->live->nodes;
	uint64_t *counts;

	memset(sums, 0, SERVE_NODES_MAX * sizeof(*sums));
	*nodes = side > SERVE_NODES_MAX ? 1 : (unsigned int)side;
	if (side > HISTORY_MATRIX_MAX) {
		sums[0] = live_totals(serve->live)->loss.delivered;
		return TOOL_OK;
	}
	counts = calloc(side * side + 1, sizeof(*counts));
	if (!counts)
		return TOOL_ERROR;
	Monitor_get_packets(serve->live->mon, counts, side);
	for (size_t source = 0; source < side; source++)
		for (size_t home = 0; home < side; home++)
			sums[*nodes == 1 ? 0 : source] += counts[source * side + home];
	free(counts);
	return TOOL_OK;
}

int serve_history_sample(struct serve *serve)
{
	struct serve_history *history = &serve->history;
	struct serve_column *column = &history->columns[history->count % SERVE_COLUMNS];
	uint64_t sums[SERVE_NODES_MAX];
	struct live_interval interval;
	int moving, was = history->moving;
	unsigned int nodes;

	live_look(serve->live, &interval);
	if (totals(serve, sums, &nodes) != TOOL_OK)
		return 0;
	*column = (struct serve_column){.ms = (uint64_t)(interval.seconds * 1000),
					.events = interval.events,
					.lost = interval.lost};
	/* Nodes that become too many are summed up from here on. */
	if (nodes < history->nodes)
		memset(history->before, 0, sizeof(history->before));
	else
		for (unsigned int node = 0; node < nodes; node++)
			column->packets[node] = sums[node] > history->before[node]
							? sums[node] - history->before[node]
							: 0;
	memcpy(history->before, sums, sizeof(sums));
	history->nodes = nodes;
	history->count++;
	moving = interval.records || interval.events || interval.lost;
	history->moving = moving;
	/* That it stands still is news once. */
	return moving || was;
}

json_t *serve_history_json(const struct serve_history *history)
{
	uint64_t first = history->count > SERVE_COLUMNS ? history->count - SERVE_COLUMNS : 0;
	struct view_pack ms = {0}, packets = {0};
	json_t *times, *counts;

	for (uint64_t n = first; n < history->count; n++) {
		const struct serve_column *column = &history->columns[n % SERVE_COLUMNS];

		view_pack_number(&ms, column->ms);
		for (unsigned int node = 0; node < history->nodes; node++)
			view_pack_number(&packets, column->packets[node]);
	}
	times = view_pack_text(&ms);
	counts = view_pack_text(&packets);
	return json_pack("{s:I, s:I, s:i, s:o, s:o}", "first", (json_int_t)first, "columns",
			 (json_int_t)(history->count - first), "nodes", (int)history->nodes, "ms",
			 times, "packets", counts);
}
