// SPDX-License-Identifier: MIT
/*
 * Formula: the time that a trace takes by emu/ring/predict.h, instead of by a simulation of clocks.
 *
 * What lives here: the computation of run/session/network.c for a program's transactions, applied
 * to the transactions of a trace, so that its error can be compared with a simulation.
 */
#include <stdlib.h>

#include "emu/ring/predict.h"
#include "tools/common/tool.h"
#include "tools/ring/ring.h"

/* Simulated time after which the waits of nodes are added to their clocks. */
#define EPOCH_PS 100000000ULL

/**
 * struct course - The position of a node in its requests.
 * @next: index of the next request
 * @clock: time at which it has finished all requests before
 */
struct course {
	uint64_t next;
	double clock;
};

/* Process the requests of a node before @end. Return: the time in which they are sent. */
static double course_go(struct course *course, unsigned int node, const struct replay_node *row,
			struct predict *predict, double begin, double end)
{
	if (course->clock > begin)
		begin = course->clock;
	while (course->next < row->count && course->clock < end) {
		const struct replay_request *request = &row->requests[course->next];
		bool waits = ++course->next == row->count || row->requests[course->next].after_end;

		predict_add(predict, node, request->target, request->command, 1);
		course->clock += (double)request->wait;
		if (waits)
			course->clock += (double)predict_idle(&predict->config, node,
							      request->target, request->command);
	}
	return end - begin > 1 ? end - begin : 1;
}

double ring_formula(const struct ring_request *request)
{
	struct predict *predict = tool_memory(1, sizeof(*predict));
	struct course courses[PREDICT_NODES_MAX] = {0};
	double clocks[PREDICT_NODES_MAX], waits[PREDICT_NODES_MAX], last = 0;
	double epoch = (double)EPOCH_PS / request->symbol_ps;
	unsigned int each[PREDICT_NODES_MAX];
	bool going = predict_init(predict, &request->config) == 0;

	if (!going)
		last = -1;
	for (double end = epoch; going; end += epoch) {
		going = false;
		predict_clear(predict);
		for (unsigned int node = 0; node < request->nodes; node++) {
			const struct replay_node *row = &request->trace->replay.node[node];

			clocks[node] =
				course_go(&courses[node], node, row, predict, end - epoch, end);
			going |= courses[node].next < row->count;
			each[node] = 1;
		}
		predict_time(predict, each, clocks, waits);
		for (unsigned int node = 0; node < request->nodes; node++) {
			courses[node].clock += waits[node];
			if (courses[node].clock > last)
				last = courses[node].clock;
		}
	}
	free(predict);
	return last;
}
