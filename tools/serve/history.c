// SPDX-License-Identifier: MIT
/*
 * Serve: keep the numbers of transactions over time.
 *
 * What lives here: a sample of each recent interval, by requesting node. Therefore a web page that
 * is opened later can also show the past.
 */
#include "tools/serve/serve.h"

#include <string.h>

#include "tools/live/live.h"
#include "tools/common/tool.h"
#include "lib/analysis/view/view_pack.h"

/**
 * struct sums - Numbers of transactions so far.
 * @nodes: number of valid entries of @packets; 1: the only entry is the sum of all nodes
 * @packets: number of transactions by requesting node
 */
struct sums {
	unsigned int nodes;
	uint64_t packets[SERVE_NODES_MAX];
};

static int sums_add(const struct Monitor_count *count, void *opaque)
{
	struct sums *sums = opaque;

	sums->packets[count->source < sums->nodes ? count->source : 0] += count->accesses;
	return 0;
}

/*
 * Sum up the transactions of all pairs of nodes. No matrix is made, because its size would be the
 * square of the number of nodes. There might not be enough memory for it.
 */
static void sums_take(struct serve *serve, struct sums *sums)
{
	memset(sums, 0, sizeof(*sums));
	sums->nodes = serve->live->nodes > SERVE_NODES_MAX ? 1 : serve->live->nodes;
	Monitor_walk_pairs(serve->live->mon, sums_add, sums);
}

static void fold(uint64_t *packets)
{
	for (unsigned int node = 1; node < SERVE_NODES_MAX; node++) {
		packets[0] += packets[node];
		packets[node] = 0;
	}
}

/*
 * If there are now too many nodes, combine the nodes of the existing samples into one sum. The new
 * samples also have only this sum.
 */
static void history_fold(struct serve_history *history)
{
	for (size_t i = 0; i < SERVE_COLUMNS; i++)
		fold(history->columns[i].packets);
	fold(history->before);
}

int serve_history_sample(struct serve *serve)
{
	struct serve_history *history = &serve->history;
	struct serve_column *column = &history->columns[history->count % SERVE_COLUMNS];
	struct live_interval interval;
	int moving, was = history->moving;
	struct sums sums;

	/*
	 * Read all counts that the card keeps until they are requested. No other function of the
	 * server reads these counts.
	 */
	if (live_look(serve->live, &interval))
		serve->serial++;
	/* A recording of samples is written as a whole at the end, so it has no rates. */
	if (serve->sampled) {
		history->count = 0;
		return interval.records != 0;
	}
	sums_take(serve, &sums);
	if (sums.nodes < history->nodes)
		history_fold(history);
	*column = (struct serve_column){.ms = (uint64_t)(interval.seconds * 1000),
					.events = interval.events,
					.lost = interval.lost};
	for (unsigned int node = 0; node < sums.nodes; node++)
		column->packets[node] = sums.packets[node] > history->before[node]
						? sums.packets[node] - history->before[node]
						: 0;
	memcpy(history->before, sums.packets, sizeof(sums.packets));
	history->nodes = sums.nodes;
	history->count++;
	moving = interval.records || interval.events || interval.lost;
	history->moving = moving;
	/*
	 * Also report the first interval without new data, so that readers learn that no more
	 * records arrive.
	 */
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
