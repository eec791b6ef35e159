// SPDX-License-Identifier: MIT
/*
 * Captures: read the requests of a trace from captures of B-Links. For each node, the requests are
 * listed in their order. If a request was sent after the response to the node's previous request,
 * the list notes that it waited for this response.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/field.h>
#include <hw/blink.h>
#include <smile/monitor.h>

#include "emu/ring/prediction.h"
#include "tools/common/progress.h"
#include "tools/common/signals.h"
#include "tools/common/tool.h"
#include "tools/ring/ring.h"

#define READ_BETWEEN_LOOKS 65536U

/**
 * struct item - A request or response.
 */
struct item {
	uint64_t time_ns;
	uint64_t bd1;
	uint64_t bd2;
};

/**
 * struct items - All requests and responses of the captures.
 * @items: shape [@count]
 * @room: capacity of @items
 */
struct items {
	struct item *items;
	size_t count;
	size_t room;
};

/**
 * struct asker - State of a requesting node while its requests are added.
 * @room: capacity of the list of its requests
 * @time_ns: time of its last request
 * @end_ns: time of the response to the last request, if @ended
 * @transaction: id of the last request
 * @command: command of the last request
 */
struct asker {
	size_t room;
	uint64_t time_ns;
	uint64_t end_ns;
	unsigned int transaction;
	unsigned int command;
	bool ended;
};

static uint64_t word(const uint8_t *bytes)
{
	uint64_t value = 0;

	for (unsigned int i = BLINK_WORD_BYTES; i--;)
		value = value << 8 | bytes[i];
	return value;
}

static unsigned int command_of(const struct item *item)
{
	return (unsigned int)SMILE_GET(BLINK_BD1_COMMAND, item->bd1);
}

static unsigned int type_of(const struct item *item)
{
	return cable_send_type(command_of(item), false);
}

static int read_capture(const char *path, struct items *items)
{
	struct Monitor_capture *capture;
	const void *frame;
	uint64_t time_ns;
	size_t bytes;
	int got = Monitor_capture_open(&capture, path), status;

	if (got < 0)
		return tool_result(got);
	while ((got = Monitor_capture_read(capture, &frame, &bytes, &time_ns)) > 0) {
		struct item item = {.time_ns = time_ns};

		if (bytes < BLINK_WORDS_MIN * BLINK_WORD_BYTES)
			continue;
		item.bd1 = word(frame);
		item.bd2 = word((const uint8_t *)frame + BLINK_WORD_BYTES);
		/* Skip events, which are sent only on the B-Link and not on the ring. */
		if (!type_of(&item))
			continue;
		tool_reserve(&items->items, &items->room, items->count, sizeof(*items->items));
		items->items[items->count++] = item;
		if (items->count % READ_BETWEEN_LOOKS)
			continue;
		progress_show("%s: %zu packets", path, items->count);
		if (signals_count())
			break;
	}
	progress_clear();
	status = got > 0 ? tool_error("interrupted") : tool_result(got);
	Monitor_capture_close(capture);
	return status;
}

static int compare(const void *a, const void *b)
{
	const struct item *first = a, *second = b;

	if (first->time_ns != second->time_ns)
		return first->time_ns < second->time_ns ? -1 : 1;
	if (first->bd1 != second->bd1)
		return first->bd1 < second->bd1 ? -1 : 1;
	return first->bd2 < second->bd2 ? -1 : first->bd2 > second->bd2;
}

static uint64_t clocks_of(const struct ring_request *request, uint64_t ns)
{
	return (uint64_t)((double)ns * 1000 / request->symbol_ps);
}

/* Add a request to the statistics from which a load for the node is fitted. */
static void add_load(const struct replay_request *next, uint64_t between, bool first,
		     struct ring_trace_node *node)
{
	node->commands[next->command]++;
	node->targets[next->target / 64] |= 1ULL << next->target % 64;
	if (!first && time_distribution_add(&node->between, between))
		exit(tool_error("no memory"));
}

static void add_request(const struct ring_request *request, const struct item *item,
			struct asker *asker, struct replay_node *node, struct ring_trace_node *load)
{
	bool after_end = node->count && asker->ended && asker->end_ns <= item->time_ns;
	struct replay_request next = {
		.wait = clocks_of(request,
				  item->time_ns - (after_end ? asker->end_ns : asker->time_ns)),
		.address = SMILE_GET(BLINK_BD2_ADDRESS, item->bd2),
		.target = (uint16_t)SMILE_GET(BLINK_BD1_TARGET, item->bd1),
		.command = (uint8_t)command_of(item),
		.after_end = after_end,
	};
	struct replay_request *requests = (struct replay_request *)node->requests;

	add_load(&next, clocks_of(request, item->time_ns - asker->time_ns), !node->count, load);
	tool_reserve(&requests, &asker->room, node->count, sizeof(*requests));
	requests[node->count++] = next;
	node->requests = requests;
	asker->time_ns = item->time_ns;
	asker->transaction = (unsigned int)SMILE_GET(BLINK_BD1_TRANSACTION, item->bd1);
	asker->command = next.command;
	asker->ended = false;
}

/* Add a response of @target, if it is the response to the last request of @source. */
static void add_response(const struct ring_request *request, const struct item *item,
			 unsigned int source, unsigned int target, struct asker *asker,
			 struct ring_trace *trace)
{
	uint64_t clocks, idle, own;

	if (SMILE_GET(BLINK_BD1_TRANSACTION, item->bd1) != asker->transaction)
		return;
	asker->ended = true;
	asker->end_ns = item->time_ns;
	clocks = clocks_of(request, item->time_ns - asker->time_ns);
	idle = prediction_idle(&request->config, source, target, asker->command);
	own = clocks > idle ? clocks - idle : 0;
	if (own < trace->own[asker->command])
		trace->own[asker->command] = own;
}

/*
 * Sort all packets by time, and add them to the trace. A packet passes the B-Links of two nodes, so
 * the captures may contain it twice. It is added once.
 */
static int sort_in(const struct ring_request *request, struct items *items,
		   struct ring_trace *trace)
{
	struct asker askers[LOAD_NODES_MAX] = {0};

	if (!items->count)
		return tool_error("the captures have no packets between nodes");
	qsort(items->items, items->count, sizeof(*items->items), compare);
	for (unsigned int at = 0; at < LOAD_NODES_MAX; at++)
		askers[at].time_ns = items->items[0].time_ns;
	memset(trace->own, 0xff, sizeof(trace->own));
	trace->ns = items->items[items->count - 1].time_ns - items->items[0].time_ns;
	for (size_t i = 0; i < items->count; i++) {
		const struct item *item = &items->items[i];
		unsigned int source = (unsigned int)SMILE_GET(BLINK_BD1_SOURCE, item->bd1);
		unsigned int target = (unsigned int)SMILE_GET(BLINK_BD1_TARGET, item->bd1);

		if (source >= request->nodes || target >= request->nodes)
			return tool_error(
				"the captures have a packet from node %u to node %u: give "
				"the number of nodes with --nodes",
				source, target);
		if (source == target || (i && !compare(item, item - 1)))
			continue;
		trace->bytes += CABLE_SYMBOL_BYTES * cable_data_symbols(type_of(item));
		if (type_of(item) >= CABLE_TYPE_REQUEST_ECHO) {
			add_response(request, item, target, source, &askers[target], trace);
			continue;
		}
		trace->requests++;
		add_request(request, item, &askers[source], &trace->replay.node[source],
			    &trace->nodes[source]);
	}
	for (unsigned int node = 0; node < request->nodes; node++)
		if (time_distribution_sort(&trace->nodes[node].between))
			return tool_error("no memory");
	return TOOL_OK;
}

int ring_captures_read(const struct ring_request *request, char **paths, int count,
		       struct ring_trace *trace)
{
	struct items items = {0};
	int status = TOOL_OK;

	for (int i = 0; status == TOOL_OK && i < count; i++)
		status = read_capture(paths[i], &items);
	if (status == TOOL_OK)
		status = sort_in(request, &items, trace);
	free(items.items);
	return status;
}

void ring_captures_free(struct ring_trace *trace)
{
	for (unsigned int at = 0; at < LOAD_NODES_MAX; at++) {
		free((void *)trace->replay.node[at].requests);
		time_distribution_free(&trace->nodes[at].between);
	}
}
