// SPDX-License-Identifier: MIT
/*
 * Formula: predict the time of a trace by emu/ring/prediction.h, without simulating single clocks.
 *
 * What lives here: the same computation that run/session/network.c makes for the transactions of a
 * program, applied to a trace. The comparison of the result with a simulation shows the error of
 * the formula.
 */
#include <stdlib.h>

#include "emu/ring/prediction.h"
#include "tools/common/tool.h"
#include "tools/ring/ring.h"

/*
 * The length of an epoch in simulated time. At its end, the computed waits are added to the clocks
 * of the nodes.
 */
#define EPOCH_PS 100000000ULL

/**
 * struct course - The progress of a node in its requests.
 * @next: index of the next request
 * @clock: time at which the node has finished all requests before @next
 */
struct course {
	uint64_t next;
	double clock;
};

/*
 * Process the requests of a node that are sent before @end. Return: the time in which they are
 * sent.
 */
static double course_go(struct course *course, unsigned int node, const struct replay_node *row,
			struct prediction *predict, double begin, double end)
{
	if (course->clock > begin)
		begin = course->clock;
	while (course->next < row->count && course->clock < end) {
		const struct replay_request *request = &row->requests[course->next];
		bool waits = ++course->next == row->count || row->requests[course->next].after_end;

		prediction_add(predict, node, request->target, request->command, 1);
		course->clock += (double)request->wait;
		if (waits)
			course->clock += (double)prediction_idle(&predict->config, node,
								 request->target, request->command);
	}
	return end - begin > 1 ? end - begin : 1;
}

double ring_formula(const struct ring_request *request)
{
	struct prediction *predict = tool_memory(1, sizeof(*predict));
	struct course courses[PREDICTION_NODES_MAX] = {0};
	double clocks[PREDICTION_NODES_MAX], waits[PREDICTION_NODES_MAX], last = 0;
	double epoch = (double)EPOCH_PS / request->symbol_ps;
	unsigned int each[PREDICTION_NODES_MAX];
	bool going = prediction_init(predict, &request->config) == 0;

	if (!going)
		last = -1;
	for (double end = epoch; going; end += epoch) {
		going = false;
		prediction_clear(predict);
		for (unsigned int node = 0; node < request->nodes; node++) {
			const struct replay_node *row = &request->trace->replay.node[node];

			clocks[node] =
				course_go(&courses[node], node, row, predict, end - epoch, end);
			going |= courses[node].next < row->count;
			each[node] = 1;
		}
		prediction_time(predict, each, clocks, waits);
		for (unsigned int node = 0; node < request->nodes; node++) {
			courses[node].clock += waits[node];
			if (courses[node].clock > last)
				last = courses[node].clock;
		}
	}
	free(predict);
	return last;
}
