/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fast path: many accesses of one processor, in the format of a trace stream.
 *
 * What lives here: the fast path for most accesses of a machine without caches for all
 * memory. An access can take the fast path if it is within one block, the processor has stored the
 * home of the page, and the queue has room. Every other access goes through machine_step(). The
 * result is the same. May use turns.h and the words of a stream.
 */
#include <errno.h>

#include <base/field.h>

#include "turns.h"

_Static_assert(STREAM_READ + KIND_TYPE == SMILE_TYPE_READ &&
		       STREAM_WRITE + KIND_TYPE == SMILE_TYPE_WRITE &&
		       STREAM_LOCK + KIND_TYPE == SMILE_TYPE_LOCK,
	       "kinds and types are in the same order");
_Static_assert(STREAM_ADDRESS + 1 == ADDRESS_END, "addresses have the same length");

void steps_init(struct machine *machine)
{
	for (uint64_t k = 0; k < STEP_KINDS; k++) {
		struct step_kind *kind = &machine->steps[k];
		unsigned type = word_kind(k << STREAM_KIND_SHIFT) + KIND_TYPE;

		kind->beyond = STEP_BEYOND_ALL;
		if (type == STREAM_CONTROL + KIND_TYPE || word_size(k << STREAM_KIND_SHIFT) > 6)
			continue;
		kind->what = (uint64_t)type << QUEUE_KIND_SHIFT;
		kind->one = 1ULL << (type - 1) * STEP_COUNT_BITS;
		kind->beyond = (1U << word_size(k << STREAM_KIND_SHIFT)) - 1;
	}
}

/*
 * Check whether a processor can use the fast path. The machine has no caches for all
 * memory.
 */
static bool short_open(const struct machine *machine, unsigned p)
{
	return machine->config.cache.bytes == 0 && machine->processors[p].clock >= machine->shown;
}

/* The possible effects of a remote access. The compiler compiles each case separately. */
enum short_how {
	SHORT_UNSEEN, /* No node is watched, and no transaction is queued. */
	SHORT_FRAMES, /* The transaction is sent as frames. */
	SHORT_COUNTED, /* The request is only counted. */
};

/**
 * struct walk - A processor on the fast path. At the end, walk_end() adds the sums to the
 * processor.
 * @next: the next word of the stream
 * @end: end of the words, one past the last one
 * @processor: the processor
 * @steps: receives the numbers of accesses and cycles
 * @item: first free item of the processor's queue
 * @full: end of the queue's array, one past the last item
 * @node: node of the processor
 * @local_cycles: cycles of an access to the node's own memory
 * @costs: cycles of an access from this node, by home and SMILE_TYPE_*
 * @sent: numbers of transactions of this node, by home and SMILE_TYPE_*
 * @source: if requests are only counted, their source field
 * @all: numbers of accesses by type, in the format of step_kind.one
 * @local: like @all, but only accesses to the node's own memory
 * @work: cycles of work
 * @remote_cycles: cycles of remote accesses, by SMILE_TYPE_*
 * @begin: first word of the walk
 */
struct walk {
	const uint64_t *next;
	const uint64_t *end;
	struct processor *processor;
	struct machine_steps *steps;
	struct queue_item *item;
	const struct queue_item *full;
	unsigned node;
	uint32_t local_cycles;
	uint32_t (*costs)[SMILE_TYPE_COUNT];
	uint64_t (*sent)[SMILE_TYPE_COUNT];
	uint64_t source;
	uint64_t all;
	uint64_t local;
	uint64_t work;
	uint64_t remote_cycles[SMILE_TYPE_COUNT];
	const uint64_t *begin;
};

static inline struct walk walk_begin(struct machine *machine, unsigned p, const uint64_t *words,
				     size_t count, struct machine_steps *steps)
{
	const size_t most = (1U << STEP_COUNT_BITS) - 1;
	struct processor *processor = &machine->processors[p];
	const struct queue *queue = &processor->queue;

	return (struct walk){
		.next = words,
		.end = words + (count < most ? count : most),
		.processor = processor,
		.steps = steps,
		.item = queue_at(queue, queue->tail),
		.full = queue_at(queue, queue->capacity),
		.node = processor->node,
		.local_cycles = machine->cost[processor->node][processor->node][SMILE_TYPE_READ],
		.costs = machine->cost[processor->node],
		.sent = machine->sent[processor->node],
		.source = SMILE_PUT(BLINK_REQUEST_SOURCE, (uint64_t)processor->node),
		.begin = words,
	};
}

/* Add the sums of a walk to the processor. Return: the number of accesses. */
static inline size_t walk_end(struct walk *walk, uint64_t clock)
{
	struct processor *processor = walk->processor;
	size_t done = (size_t)(walk->next - walk->begin);

	processor->queue.tail = (size_t)(walk->item - processor->queue.items);
	processor->clock = clock;
	processor->work += walk->work;
	walk->steps->cycles += walk->work;
	processor->accesses += done;
	for (unsigned type = 1; type < SMILE_TYPE_COUNT; type++) {
		uint64_t all = step_count(walk->all, type), local = step_count(walk->local, type);

		processor->local[type] += local;
		processor->remote[type] += all - local;
		processor->remote_cycles[type] += walk->remote_cycles[type];
		walk->steps->accesses[type] += all;
	}
	return done;
}

/*
 * Try to make the next access at @clock on the fast path, and advance the clock. Return: false if
 * the access cannot take the fast path. In this case, the function changes nothing.
 */
static inline __attribute__((always_inline)) bool
walk_step(struct machine *machine, struct walk *walk, uint64_t *clock, enum short_how how)
{
	struct processor *processor = walk->processor;
	uint64_t what = word_load(walk->next), address = what & STREAM_ADDRESS;
	const struct step_kind *kind = word_step(machine, what);
	unsigned slot = address / SMILE_PAGE_BYTES % PROCESSOR_HOMES;
	unsigned type = word_kind(what) + KIND_TYPE;
	uint64_t last = address % TRAFFIC_BLOCK_BYTES + kind->beyond;
	/*
	 * If the entry is for this page, this number is the home node. Otherwise it is a number
	 * above PAGES_HOME. See pages_entry().
	 */
	uint64_t home = processor->homes[slot] ^ pages_entry(address / SMILE_PAGE_BYTES, 0);
	uint64_t passed = what >> STREAM_WORK_SHIFT;

	/* Both conditions are rare, so test them with a single branch. */
	if (last / TRAFFIC_BLOCK_BYTES | home / (PAGES_HOME + 1))
		return false;
	if (home == walk->node) {
		walk->local += kind->one;
		*clock += walk->local_cycles;
	} else {
		uint32_t cost = walk->costs[home][type];

		if (how != SHORT_UNSEEN) {
			if (walk->item == walk->full)
				return false;
			walk->item->issue = *clock + passed;
			walk->item->what =
				address | home << QUEUE_HOME_SHIFT | kind->what |
				(how == SHORT_COUNTED ? walk->source : last << QUEUE_LAST_SHIFT);
			walk->item++;
		}
		walk->sent[home][type]++;
		walk->remote_cycles[type] += cost;
		*clock += cost;
	}
	processor->counts[slot][type]++;
	walk->all += kind->one;
	*clock += passed;
	walk->work += passed;
	walk->next++;
	return true;
}

static enum short_how short_how(const struct machine *machine)
{
	if (machine->config.watch == 0)
		return SHORT_UNSEEN;
	return machine->tally ? SHORT_COUNTED : SHORT_FRAMES;
}

/*
 * Make accesses until there are no more words, the clock is beyond @limit, or an access cannot take
 * the fast path. Return: the number of accesses.
 */
static inline __attribute__((always_inline)) size_t
short_run(struct machine *machine, unsigned p, const uint64_t *words, size_t count, uint64_t limit,
	  struct machine_steps *steps, enum short_how how)
{
	struct walk walk = walk_begin(machine, p, words, count, steps);
	uint64_t clock = walk.processor->clock;

	if (limit > CLOCK_SAFE)
		limit = CLOCK_SAFE;
	while (walk.next < walk.end && clock <= limit && walk_step(machine, &walk, &clock, how))
		;
	return walk_end(&walk, clock);
}

static size_t short_choose(struct machine *machine, unsigned p, const uint64_t *words, size_t count,
			   uint64_t limit, struct machine_steps *steps)
{
	switch (short_how(machine)) {
	case SHORT_UNSEEN:
		return short_run(machine, p, words, count, limit, steps, SHORT_UNSEEN);
	case SHORT_COUNTED:
		return short_run(machine, p, words, count, limit, steps, SHORT_COUNTED);
	default:
		return short_run(machine, p, words, count, limit, steps, SHORT_FRAMES);
	}
}

size_t machine_steps(struct machine *machine, unsigned processor, const uint64_t *words,
		     size_t count, uint64_t limit, struct machine_steps *steps)
{
	struct processor *p = &machine->processors[processor];
	size_t i = 0;

	*steps = (struct machine_steps){0};
	if (processor >= machine->processors_count) {
		machine_fail(machine, -EINVAL);
		return count;
	}
	if (machine->config.caches.count)
		return lane_steps(machine, processor, words, count, limit, steps);
	while (i < count && p->clock <= limit) {
		unsigned kind;
		uint64_t word;

		if (short_open(machine, processor)) {
			i += short_choose(machine, processor, words + i, count - i, limit, steps);
			if (i == count || p->clock > limit)
				break;
		}
		word = word_load(&words[i]);
		kind = word_kind(word);
		if (kind == STREAM_CONTROL)
			break;
		if (!word_possible(word)) {
			steps->wrong = true;
			break;
		}
		machine_step(machine, processor, word >> STREAM_WORK_SHIFT, kind + KIND_TYPE,
			     word & STREAM_ADDRESS, (size_t)1 << word_size(word));
		steps->accesses[kind + KIND_TYPE]++;
		steps->cycles += word >> STREAM_WORK_SHIFT;
		i++;
	}
	steps->clock = p->clock;
	return i;
}

/* ---- several processors ---------------------------------------------------------------------- */

/*
 * Make accesses of several processors in the order of their clocks. Stop if the next processor has
 * no more words, has a clock beyond its limit, or cannot take the fast path. @rows is the member of
 * @order. @rows and @how are arguments, so that the compiler compiles the usual cases separately.
 */
static inline __attribute__((always_inline)) void
walks_run(struct machine *machine, struct walk *walks, const struct machine_turn *turns,
	  struct turns *order, unsigned rows, enum short_how how)
{
	for (;;) {
		uint64_t clock;
		unsigned turn = turns_next(order, &clock);
		struct walk *walk = &walks[turn];

		if (walk->next == walk->end || clock > turns[turn].limit || clock > CLOCK_SAFE ||
		    !walk_step(machine, walk, &clock, how))
			return;
		turns_moved(order, rows, turn, clock);
	}
}

static void walks_choose(struct machine *machine, struct walk *walks,
			 const struct machine_turn *turns, struct turns *order)
{
	enum short_how how = short_how(machine);

	if (order->rows == 2 && how == SHORT_COUNTED)
		walks_run(machine, walks, turns, order, 2, SHORT_COUNTED);
	else if (order->rows == 1 && how == SHORT_COUNTED)
		walks_run(machine, walks, turns, order, 1, SHORT_COUNTED);
	else
		walks_run(machine, walks, turns, order, order->rows, how);
}

/* Check whether all processors can use the fast path. */
static bool turns_open(const struct machine *machine, const struct machine_turn *turns,
		       size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!short_open(machine, turns[i].processor))
			return false;
	return true;
}

/* Make accesses on the fast path, and add them to the results of the turns. */
static void turns_short(struct machine *machine, struct machine_turn *turns, size_t count,
			struct turns *order)
{
	struct walk walks[MACHINE_TURNS];

	for (size_t i = 0; i < count; i++)
		walks[i] = walk_begin(machine, turns[i].processor, turns[i].words + turns[i].done,
				      turns[i].count - turns[i].done, &turns[i].steps);
	walks_choose(machine, walks, turns, order);
	for (size_t i = 0; i < count; i++)
		turns[i].done += walk_end(&walks[i], turns_clock(order, i));
}

/* Make one access of the processor with the lowest clock. Return: false if no access was left. */
static bool turn_any(struct machine *machine, struct machine_turn *turns, struct turns *order)
{
	struct machine_steps steps;
	uint64_t clock;
	unsigned i = turns_next(order, &clock);
	struct machine_turn *turn = &turns[i];

	if (turn->done == turn->count || clock > turn->limit ||
	    !machine_steps(machine, turn->processor, turn->words + turn->done, 1, clock, &steps))
		return false;
	for (unsigned type = 1; type < SMILE_TYPE_COUNT; type++)
		turn->steps.accesses[type] += steps.accesses[type];
	turn->steps.cycles += steps.cycles;
	turn->done++;
	turns_moved(order, order->rows, i, steps.clock);
	return true;
}

size_t machine_turns(struct machine *machine, struct machine_turn *turns, size_t count)
{
	struct turns order;
	size_t total = 0;

	if (machine->config.caches.count)
		return lane_turns(machine, turns, count);
	turns_begin(&order, machine, turns, count);
	for (size_t i = 0; i < count; i++) {
		turns[i].done = 0;
		turns[i].steps = (struct machine_steps){0};
	}
	do
		if (turns_open(machine, turns, count))
			turns_short(machine, turns, count, &order);
	while (turn_any(machine, turns, &order));
	for (size_t i = 0; i < count; i++) {
		turns[i].steps.clock = turns_clock(&order, i);
		total += turns[i].done;
	}
	return total;
}
