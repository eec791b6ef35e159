/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Merge: sort the transactions of all processors, and send their frames in one order.
 *
 * What lives here: a tournament tree over the queues of the processors, whose inner nodes store the
 * loser of each game. Frames are sorted by a key, which is one number: the cycle, then whether the
 * frame is a request (responses come first), then the accessing processor. The tree stores only
 * keys, because a key contains the processor. May use machine_inside.h.
 */
#include <base/field.h>

#include "machine_inside.h"

#define KEY_PROCESSOR_BITS 10U
#define KEY_PROCESSOR ((1ULL << KEY_PROCESSOR_BITS) - 1)
#define KEY_REQUEST (1ULL << KEY_PROCESSOR_BITS)
#define KEY_CYCLE_SHIFT (KEY_PROCESSOR_BITS + 1)
#define KEY_NONE (~0ULL)

_Static_assert(MACHINE_PROCESSORS_MAX <= KEY_PROCESSOR + 1, "a processor's number fits into a key");
_Static_assert((CLOCK_MAX + UINT32_MAX) < UINT64_MAX >> KEY_CYCLE_SHIFT, "and so does a cycle");

/* Get the number of leaves of the tree. */
static size_t merge_leaves(unsigned processors)
{
	size_t leaves = 1;

	while (leaves < processors)
		leaves *= 2;
	return leaves;
}

size_t merge_words(unsigned processors)
{
	return 4 * merge_leaves(processors);
}

/* Get the number of cycles from the request of a transaction to its response. */
static inline uint32_t item_cost(const struct machine *machine, unsigned node, uint64_t what)
{
	if (what & QUEUE_BACK)
		return 0;
	return machine->cost[node][what >> QUEUE_HOME_SHIFT & QUEUE_HOME]
			    [what >> QUEUE_KIND_SHIFT & QUEUE_KIND];
}

/*
 * Compute the key of a processor's next frame. @responses: whether the machine generates responses.
 * In this function and in the functions below, @responses is an argument, so that the compiler
 * compiles each case separately.
 */
static inline uint64_t processor_key(const struct machine *machine, unsigned p, bool responses)
{
	const struct processor *processor = &machine->processors[p];
	const struct queue *queue = &processor->queue;
	const struct queue_item *item;

	if (queue_empty(queue))
		return KEY_NONE;
	item = queue->items + queue->head;
	if (responses && queue->requested)
		return (item->issue + item_cost(machine, processor->node, item->what))
			       << KEY_CYCLE_SHIFT |
		       p;
	return item->issue << KEY_CYCLE_SHIFT | KEY_REQUEST | p;
}

static inline uint64_t cycle_ns(const struct machine *machine, uint64_t cycle)
{
	if (machine->ns_per_cycle != 0)
		return cycle * machine->ns_per_cycle;
	if (machine->cycles_per_ns != 0)
		return cycle / machine->cycles_per_ns;
	return machine_time_ns(machine, cycle);
}

/* Send a processor's next frame on the B-Links of both nodes. */
static inline void processor_send(struct machine *machine, unsigned p, bool responses)
{
	struct processor *processor = &machine->processors[p];
	struct queue *queue = &processor->queue;
	const struct queue_item *item = queue->items + queue->head;
	uint64_t what = item->what;
	bool back = what & QUEUE_BACK;
	unsigned kind = back ? SHAPE_BACK : what >> QUEUE_KIND_SHIFT & QUEUE_KIND;
	unsigned home = what >> QUEUE_HOME_SHIFT & QUEUE_HOME;
	unsigned node = back ? what >> QUEUE_BACK_SHIFT & QUEUE_BACK_NODE : processor->node;
	unsigned last = back ? TRAFFIC_BLOCK_BYTES - 1 : what >> QUEUE_LAST_SHIFT & 0xf;
	struct link *link = &machine->link[node];
	struct traffic_frame frame;
	uint64_t cycle = item->issue;
	uint64_t time_ns;

	if (responses && queue->requested) {
		frame = traffic_response(&machine->shape[kind], node, home, queue->id);
		cycle += item_cost(machine, node, what);
		link->id_used &= ~(1ULL << queue->id);
		queue->requested = false;
		queue->head++;
	} else {
		unsigned id = link_id_take(link);

		frame = traffic_request(&machine->shape[kind], node, home, what & QUEUE_ADDRESS,
					last, id);
		if (responses) {
			queue->requested = true;
			queue->id = (uint8_t)id;
			link->id_used |= 1ULL << id;
		} else {
			queue->head++;
		}
	}
	time_ns = cycle_ns(machine, cycle);
	if (node_watched(machine, node))
		link_show(link, time_ns, &frame);
	if (node_watched(machine, home))
		link_show(&machine->link[home], time_ns, &frame);
}

/*
 * Build the tree from the next frames of all processors. tree[1] to tree[leaves - 1] receive the
 * losers of the games. Return: the winner, which is the lowest key.
 */
static inline uint64_t tree_build(const struct machine *machine, uint64_t *tree, size_t leaves,
				  bool responses)
{
	uint64_t *winner = tree + leaves;

	for (size_t i = 0; i < leaves; i++)
		winner[leaves + i] = i < machine->processors_count
					     ? processor_key(machine, (unsigned)i, responses)
					     : KEY_NONE;
	for (size_t i = leaves - 1; i > 0; i--) {
		uint64_t a = winner[2 * i], b = winner[2 * i + 1];

		winner[i] = a < b ? a : b;
		tree[i] = a < b ? b : a;
	}
	return winner[1];
}

/*
 * Update the tree after the next frame of processor @p has changed. @key: key of the new next
 * frame. Return: the winner, which is the lowest key.
 */
static inline uint64_t tree_replay(uint64_t *tree, size_t leaves, unsigned p, uint64_t key)
{
	size_t i = leaves + p;

	for (size_t left = leaves; left > 2; left /= 2) {
		uint64_t other = tree[i /= 2];

		tree[i] = other > key ? other : key;
		key = other > key ? key : other;
	}
	/* The last game is always at tree[1]. */
	if (leaves > 1) {
		uint64_t other = tree[1];

		tree[1] = other > key ? other : key;
		key = other > key ? key : other;
	}
	return key;
}

static void merge_all(struct machine *machine, uint64_t limit)
{
	size_t leaves = merge_leaves(machine->processors_count);
	uint64_t *tree = machine->merge;
	uint64_t first = tree_build(machine, tree, leaves, true);

	while (first < limit) {
		unsigned p = first & KEY_PROCESSOR;

		processor_send(machine, p, true);
		first = tree_replay(tree, leaves, p, processor_key(machine, p, true));
	}
}

/*
 * Compute the key of the frame after a processor's next frame, if the machine generates no
 * responses.
 */
static inline uint64_t processor_key_behind(const struct machine *machine, unsigned p)
{
	const struct queue *queue = &machine->processors[p].queue;

	if (queue->head + 1 >= queue->tail)
		return KEY_NONE;
	return queue->items[queue->head + 1].issue << KEY_CYCLE_SHIFT | KEY_REQUEST | p;
}

/*
 * Send frames as merge_all() does, if the machine generates no responses. After a processor's frame
 * was sent, its next frame enters the tree. Read this frame one iteration ahead, so that no
 * iteration waits for memory.
 */
static void merge_requests(struct machine *machine, uint64_t limit)
{
	size_t leaves = merge_leaves(machine->processors_count);
	uint64_t *tree = machine->merge;
	uint64_t *behind = tree + 3 * leaves;
	uint64_t first = tree_build(machine, tree, leaves, false);

	for (unsigned p = 0; p < machine->processors_count; p++)
		behind[p] = processor_key_behind(machine, p);
	while (first < limit) {
		unsigned p = first & KEY_PROCESSOR;

		first = tree_replay(tree, leaves, p, behind[p]);
		processor_send(machine, p, false);
		behind[p] = processor_key_behind(machine, p);
	}
}

void merge_drain(struct machine *machine, uint64_t limit, bool responses)
{
	if (machine->config.watch == 0 || machine->processors_count == 0)
		return;
	if (limit > machine->shown)
		machine->shown = limit;
	if (machine->tally) {
		counted_drain(machine, limit);
		return;
	}
	limit = limit << KEY_CYCLE_SHIFT | (responses ? KEY_REQUEST : 0);
	if (machine->config.no_responses)
		merge_requests(machine, limit);
	else
		merge_all(machine, limit);
}

void merge_drain_safe(struct machine *machine)
{
	/*
	 * If not all processors have been added, another processor may start in the cycle that
	 * machine_reached() reported.
	 */
	bool more = machine->processors_count < machine->config.processors;
	uint64_t earliest = more ? 0 : CLOCK_MAX;

	for (unsigned p = 0; p < machine->processors_count; p++) {
		uint64_t clock = machine->processors[p].clock;

		earliest = clock < earliest ? clock : earliest;
	}
	if (earliest < machine->reached)
		earliest = machine->reached;
	if (earliest > machine->held)
		earliest = machine->held;
	merge_drain(machine, earliest, false);
}
