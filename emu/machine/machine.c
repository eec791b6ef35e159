/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The clocks, the cost of accesses and the merging of frames. It may use what machine.h names.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "queue.h"
#include "traffic.h"

#define NS_PER_SECOND 1000000000ULL
#define FREQUENCY_MAX (10 * NS_PER_SECOND)

/*
 * The place of a frame in the order, as one number: cycle, then responses before requests, then the
 * accessing node.
 */
#define KEY_NODE 0x3fULL
#define KEY_REQUEST 0x40ULL
#define KEY_CYCLE (~0x7fULL)
#define KEY_NONE (~0ULL)

/* The last cycle a clock may reach: the cycle of a response must still fit into a key. */
#define CLOCK_MAX ((1ULL << 56) - 1)

/**
 * struct machine_node - One node.
 * @queue: its transactions whose frames are to come out
 * @statistics: what it did; its clock is there
 * @transactions: transactions it started: the next one's id, modulo BLINK_TRANSACTIONS
 */
struct machine_node {
	struct queue queue;
	struct machine_statistics statistics;
	uint64_t transactions;
};

struct machine {
	struct machine_config config;
	const struct machine_ops *ops;
	void *opaque;
	struct placement placement;
	uint64_t ns_per_cycle; /* 0 if a cycle is no whole number of nanoseconds */
	int error; /* the first one; it stays */
	struct machine_node node[];
};

int machine_create(struct machine **out, const struct machine_config *config,
		   const struct machine_ops *ops, void *opaque)
{
	struct machine_config filled = *config;
	struct machine *machine;

	if (filled.nodes == 0)
		filled.nodes = MACHINE_NODES_DEFAULT;
	if (!filled.latency)
		filled.latency = latency_find(LATENCY_DEFAULT);
	if (!filled.placement)
		filled.placement = placement_find(PLACEMENT_DEFAULT);
	if (filled.frequency_hz == 0)
		filled.frequency_hz = filled.latency->frequency_hz;
	if (filled.nodes > MACHINE_NODES_MAX || filled.frequency_hz > FREQUENCY_MAX)
		return -EINVAL;
	if (filled.watch != 0 && (!ops || !ops->frame))
		return -EINVAL;

	machine = calloc(1, sizeof(*machine) + filled.nodes * sizeof(machine->node[0]));
	if (!machine)
		return -ENOMEM;
	machine->config = filled;
	machine->ops = ops;
	machine->opaque = opaque;
	machine->placement.policy = filled.placement;
	machine->placement.nodes = filled.nodes;
	if (NS_PER_SECOND % filled.frequency_hz == 0)
		machine->ns_per_cycle = NS_PER_SECOND / filled.frequency_hz;
	*out = machine;
	return 0;
}

void machine_destroy(struct machine *machine)
{
	if (!machine)
		return;
	for (unsigned n = 0; n < machine->config.nodes; n++)
		queue_free(&machine->node[n].queue);
	free(machine);
}

unsigned machine_nodes(const struct machine *machine)
{
	return machine->config.nodes;
}

uint64_t machine_frequency(const struct machine *machine)
{
	return machine->config.frequency_hz;
}

uint64_t machine_time_ns(const struct machine *machine, uint64_t cycles)
{
	uint64_t frequency = machine->config.frequency_hz;

	if (machine->ns_per_cycle != 0)
		return cycles * machine->ns_per_cycle;
	/* The remainder is less than FREQUENCY_MAX, so the product does not overflow. */
	return cycles / frequency * NS_PER_SECOND + cycles % frequency * NS_PER_SECOND / frequency;
}

static bool node_watched(const struct machine *machine, unsigned node)
{
	return machine->config.watch >> node & 1;
}

/* ---- frames coming out --------------------------------------------------------------------- */

/* The place of the node's next frame. */
static uint64_t node_key(const struct machine *machine, unsigned n)
{
	const struct queue *queue = &machine->node[n].queue;
	const struct queue_item *item = queue->items + queue->head;

	if (queue_empty(queue))
		return KEY_NONE;
	if (queue->requested)
		return (item->issue + item->latency) * (KEY_REQUEST << 1) | n;
	return item->issue * (KEY_REQUEST << 1) | KEY_REQUEST | n;
}

/* Build the node's next frame and show it on both B-Links. */
static void node_send(struct machine *machine, unsigned n)
{
	struct queue *queue = &machine->node[n].queue;
	const struct queue_item *item = queue->items + queue->head;
	const struct traffic_transaction transaction = {
		.address = item->address,
		.source = (uint16_t)n,
		.home = item->home,
		.bytes = item->bytes,
		.type = item->type,
		.id = item->id,
	};
	uint8_t frame[TRAFFIC_BYTES_MAX];
	uint64_t cycle = item->issue;
	unsigned home = item->home;
	uint64_t time_ns;
	size_t length;

	if (queue->requested) {
		length = traffic_response(frame, &transaction);
		cycle += item->latency;
		queue->head++;
	} else {
		length = traffic_request(frame, &transaction);
	}
	queue->requested = !queue->requested;

	time_ns = machine_time_ns(machine, cycle);
	if (node_watched(machine, n))
		machine->ops->frame(machine->opaque, n, time_ns, frame, length);
	if (node_watched(machine, home))
		machine->ops->frame(machine->opaque, home, time_ns, frame, length);
}

/*
 * Let out all frames before cycle @limit, in order. Those in the cycle itself stay: a node whose
 * clock stands there may still add one that goes first.
 */
static void machine_drain(struct machine *machine, uint64_t limit)
{
	uint64_t keys[MACHINE_NODES_MAX];
	unsigned nodes = machine->config.nodes;

	for (unsigned n = 0; n < nodes; n++)
		keys[n] = node_key(machine, n);
	for (;;) {
		uint64_t first = KEY_NONE;
		unsigned n;

		for (unsigned i = 0; i < nodes; i++)
			first = keys[i] < first ? keys[i] : first;
		if (first == KEY_NONE || (first & KEY_CYCLE) / (KEY_REQUEST << 1) >= limit)
			break;
		n = first & KEY_NODE;
		node_send(machine, n);
		keys[n] = node_key(machine, n);
	}
}

/* No access yet to come can start before this. */
static uint64_t machine_earliest(const struct machine *machine)
{
	uint64_t earliest = CLOCK_MAX;

	for (unsigned n = 0; n < machine->config.nodes; n++) {
		uint64_t cycles = machine->node[n].statistics.cycles;

		earliest = cycles < earliest ? cycles : earliest;
	}
	return earliest;
}

/* ---- clocks -------------------------------------------------------------------------------- */

void machine_fail(struct machine *machine, int error)
{
	if (machine->error == 0)
		machine->error = error;
}

/* Is there such a node, and may its clock move on by @cycles? */
static bool node_may(struct machine *machine, unsigned n, uint64_t cycles)
{
	if (n >= machine->config.nodes) {
		machine_fail(machine, -EINVAL);
		return false;
	}
	if (cycles > CLOCK_MAX - machine->node[n].statistics.cycles) {
		machine_fail(machine, -EOVERFLOW);
		return false;
	}
	return true;
}

void machine_work(struct machine *machine, unsigned node, uint64_t cycles)
{
	if (!node_may(machine, node, cycles))
		return;
	machine->node[node].statistics.cycles += cycles;
	machine->node[node].statistics.work_cycles += cycles;
}

uint64_t machine_clock(const struct machine *machine, unsigned node)
{
	return node < machine->config.nodes ? machine->node[node].statistics.cycles : 0;
}

void machine_wait(struct machine *machine, unsigned node, uint64_t cycle)
{
	uint64_t now = machine_clock(machine, node);
	uint64_t wait = cycle > now ? cycle - now : 0;

	if (!node_may(machine, node, wait))
		return;
	machine->node[node].statistics.cycles += wait;
	machine->node[node].statistics.wait_cycles += wait;
}

int machine_barrier(struct machine *machine)
{
	uint64_t latest = 0;

	for (unsigned n = 0; n < machine->config.nodes; n++) {
		uint64_t cycles = machine->node[n].statistics.cycles;

		latest = cycles > latest ? cycles : latest;
	}
	for (unsigned n = 0; n < machine->config.nodes; n++)
		machine_wait(machine, n, latest);
	/* All that was started is done by now, so nothing stays behind. */
	machine_drain(machine, UINT64_MAX);
	return machine->error;
}

int machine_mark(struct machine *machine, unsigned event)
{
	int err = machine_barrier(machine);
	uint8_t frame[TRAFFIC_BYTES_MAX];

	if (err < 0)
		return err;
	for (unsigned n = 0; n < machine->config.nodes; n++) {
		uint64_t time_ns = machine_time_ns(machine, machine->node[n].statistics.cycles);

		machine->node[n].statistics.frames++;
		if (node_watched(machine, n))
			machine->ops->frame(machine->opaque, n, time_ns, frame,
					    traffic_event(frame, n, event));
	}
	return 0;
}

/* ---- accesses ------------------------------------------------------------------------------ */

/* Room for one more transaction of @node; the frames that are due come out first. */
static int node_make_room(struct machine *machine, struct machine_node *node)
{
	if (!queue_full(&node->queue))
		return 0;
	machine_drain(machine, machine_earliest(machine));
	return queue_make_room(&node->queue);
}

/* An access to bytes of one block. */
static void node_access(struct machine *machine, unsigned n, unsigned type, uint64_t address,
			unsigned bytes)
{
	struct machine_node *node = &machine->node[n];
	struct machine_statistics *statistics = &node->statistics;
	unsigned home = placement_home(&machine->placement, address / SMILE_PAGE_BYTES, n);
	uint32_t cycles = machine->config.latency->local_cycles;

	if (home == n) {
		if (!node_may(machine, n, cycles))
			return;
		statistics->local[type]++;
		statistics->local_cycles += cycles;
		statistics->cycles += cycles;
		return;
	}

	cycles = machine->config.latency->remote_cycles[type];
	if (!node_may(machine, n, cycles))
		return;
	if (node_watched(machine, n) || node_watched(machine, home)) {
		int err = node_make_room(machine, node);

		if (err < 0) {
			machine_fail(machine, err);
			return;
		}
		node->queue.items[node->queue.tail++] = (struct queue_item){
			.issue = statistics->cycles,
			.address = address,
			.latency = cycles,
			.home = (uint8_t)home,
			.bytes = (uint8_t)bytes,
			.type = (uint8_t)type,
			.id = node->transactions % BLINK_TRANSACTIONS,
		};
	}
	node->transactions++;
	statistics->remote[type]++;
	statistics->remote_cycles[type] += cycles;
	statistics->cycles += cycles;
	statistics->frames += 2;
	machine->node[home].statistics.frames += 2;
}

void machine_access(struct machine *machine, unsigned node, unsigned type, uint64_t address,
		    size_t bytes)
{
	const uint64_t end = 1ULL << SMILE_ADDRESS_BITS;

	if (node >= machine->config.nodes || type == SMILE_TYPE_ANY || type >= SMILE_TYPE_COUNT ||
	    bytes == 0 || address >= end || bytes > end - address) {
		machine_fail(machine, -EINVAL);
		return;
	}
	while (bytes > 0) {
		unsigned room = TRAFFIC_BLOCK_BYTES - address % TRAFFIC_BLOCK_BYTES;
		unsigned part = bytes < room ? (unsigned)bytes : room;

		node_access(machine, node, type, address, part);
		address += part;
		bytes -= part;
	}
}

int machine_statistics(const struct machine *machine, unsigned node,
		       struct machine_statistics *statistics)
{
	if (node >= machine->config.nodes)
		return -EINVAL;
	*statistics = machine->node[node].statistics;
	return 0;
}
