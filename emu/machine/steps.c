/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Steps: many accesses of one processor, as a trace stream holds them.
 *
 * What lives here: the fast path for most accesses without caches in front of all memory: within
 * one block, to a page with a home that the processor remembers, and with room in the queue. Every
 * other access goes through machine_step(), with the same result. May use machine_inside.h and the
 * stream's words.
 */
#include <errno.h>

#include <base/field.h>

#include "machine_inside.h"

_Static_assert(STREAM_READ + KIND_TYPE == SMILE_TYPE_READ &&
		       STREAM_WRITE + KIND_TYPE == SMILE_TYPE_WRITE &&
		       STREAM_LOCK + KIND_TYPE == SMILE_TYPE_LOCK,
	       "kinds and types are in the same order");
_Static_assert(STREAM_ADDRESS + 1 == ADDRESS_END, "addresses are equally long");

void steps_init(struct machine *machine)
{
	for (uint64_t k = 0; k < STEP_KINDS; k++) {
		struct step_kind *kind = &machine->steps[k];
		unsigned type = word_kind(k << STREAM_KIND_SHIFT) + KIND_TYPE;

		/* A control record is no access. */
		kind->beyond = TRAFFIC_BLOCK_BYTES;
		if (type == STREAM_CONTROL + KIND_TYPE)
			continue;
		kind->what = (uint64_t)type << QUEUE_KIND_SHIFT;
		kind->one = 1ULL << (type - 1) * STEP_COUNT_BITS;
		kind->beyond = (1U << word_size(k << STREAM_KIND_SHIFT)) - 1;
	}
}

/* So many of @count words are counted at once; a clock beyond @limit, lowered here, is too late. */
static inline size_t steps_bound(size_t count, uint64_t *limit)
{
	if (*limit > CLOCK_SAFE)
		*limit = CLOCK_SAFE;
	return count >> STEP_COUNT_BITS ? (1U << STEP_COUNT_BITS) - 1 : count;
}

/* Can a processor take the short way, without caches in front of all memory? */
static bool short_open(const struct machine *machine, unsigned p)
{
	return machine->config.cache.bytes == 0 && machine->processors[p].clock >= machine->shown;
}

/* What becomes of a remote access: each is compiled by itself. */
enum short_how {
	SHORT_UNSEEN, /* no node is watched: nothing waits in a queue */
	SHORT_FRAMES, /* frames are made of it */
	SHORT_DECODED, /* it comes decoded */
};

/*
 * The short way, as far as it goes. Return: how many accesses.
 */
static inline __attribute__((always_inline)) size_t
short_run(struct machine *machine, struct processor *processor, const uint64_t *words, size_t count,
	  uint64_t limit, struct machine_steps *steps, enum short_how how)
{
	struct queue *queue = &processor->queue;
	struct queue_item *item = queue->items + queue->tail;
	const struct queue_item *full = queue->items + queue->capacity;
	uint64_t clock = processor->clock, work = 0, all = 0, local = 0;
	uint64_t remote_cycles[SMILE_TYPE_COUNT] = {0};
	const unsigned node = processor->node;
	uint32_t(*costs)[SMILE_TYPE_COUNT] = machine->cost[node];
	uint64_t(*sent)[SMILE_TYPE_COUNT] = machine->sent[node];
	const uint32_t local_cycles = costs[node][SMILE_TYPE_READ];
	const uint64_t source = SMILE_PUT(BLINK_REQUEST_SOURCE, (uint64_t)node);
	const uint64_t *word, *end;

	end = words + steps_bound(count, &limit);
	for (word = words; word < end && clock <= limit; word++) {
		uint64_t what = word_load(word), address = what & STREAM_ADDRESS;
		const struct step_kind *kind =
			&machine->steps[what >> STREAM_KIND_SHIFT & (STEP_KINDS - 1)];
		uint64_t last = address % TRAFFIC_BLOCK_BYTES + kind->beyond;
		unsigned slot = address / SMILE_PAGE_BYTES % PROCESSOR_HOMES;
		/* The node, if it is this page's entry: pages_entry(). */
		uint64_t home = processor->homes[slot] ^ pages_entry(address / SMILE_PAGE_BYTES, 0);
		uint64_t passed = what >> STREAM_WORK_SHIFT;

		/* One branch: both are seldom. */
		if (last / TRAFFIC_BLOCK_BYTES | home / (PAGES_HOME + 1))
			break;
		if (home == node) {
			local += kind->one;
			clock += local_cycles;
		} else {
			uint32_t cost = costs[home][word_kind(what) + KIND_TYPE];

			if (how != SHORT_UNSEEN) {
				if (item == full)
					break;
				item->issue = clock + passed;
				item->what =
					address | home << QUEUE_HOME_SHIFT | kind->what |
					(how == SHORT_DECODED ? source : last << QUEUE_LAST_SHIFT);
				item++;
			}
			sent[home][word_kind(what) + KIND_TYPE]++;
			remote_cycles[word_kind(what) + KIND_TYPE] += cost;
			clock += cost;
		}
		processor->counts[slot][word_kind(what) + KIND_TYPE]++;
		all += kind->one;
		clock += passed;
		work += passed;
	}
	queue->tail = (size_t)(item - queue->items);
	processor->clock = clock;
	processor->work += work;
	steps->cycles += work;
	processor->accesses += (size_t)(word - words);
	for (unsigned type = 1; type < SMILE_TYPE_COUNT; type++) {
		processor->local[type] += step_count(local, type);
		processor->remote[type] += step_count(all, type) - step_count(local, type);
		processor->remote_cycles[type] += remote_cycles[type];
		steps->accesses[type] += step_count(all, type);
	}
	return (size_t)(word - words);
}

static size_t short_choose(struct machine *machine, struct processor *processor,
			   const uint64_t *words, size_t count, uint64_t limit,
			   struct machine_steps *steps)
{
	if (machine->config.watch == 0)
		return short_run(machine, processor, words, count, limit, steps, SHORT_UNSEEN);
	if (machine->decoded)
		return short_run(machine, processor, words, count, limit, steps, SHORT_DECODED);
	return short_run(machine, processor, words, count, limit, steps, SHORT_FRAMES);
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
			i += short_choose(machine, p, words + i, count - i, limit, steps);
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

/* The first in the order of those that are under way. @second: receives the one behind it. */
static struct machine_turn *turn_first(struct machine_turn *turns, size_t count,
				       struct machine_turn **second)
{
	struct machine_turn *first = &turns[0];

	*second = NULL;
	for (size_t i = 1; i < count; i++) {
		if (turns[i].steps.clock < first->steps.clock) {
			*second = first;
			first = &turns[i];
		} else if (!*second || turns[i].steps.clock < (*second)->steps.clock) {
			*second = &turns[i];
		}
	}
	return first;
}

/* Replay accesses of one processor, and add them to what it has done. Return: how many. */
static size_t turn_take(struct machine *machine, struct machine_turn *turn, uint64_t limit)
{
	struct machine_steps steps;
	size_t done = machine_steps(machine, turn->processor, turn->words + turn->done,
				    turn->count - turn->done, limit, &steps);

	for (unsigned type = 1; type < SMILE_TYPE_COUNT; type++)
		turn->steps.accesses[type] += steps.accesses[type];
	turn->steps.cycles += steps.cycles;
	turn->steps.clock = steps.clock;
	turn->done += done;
	return done;
}

size_t machine_turns(struct machine *machine, struct machine_turn *turns, size_t count)
{
	size_t total = 0, done;

	if (machine->config.caches.count)
		return lane_turns(machine, turns, count);
	for (size_t i = 0; i < count; i++) {
		turns[i].done = 0;
		turns[i].steps =
			(struct machine_steps){.clock = machine_clock(machine, turns[i].processor)};
	}
	do {
		struct machine_turn *second, *turn = turn_first(turns, count, &second);
		uint64_t limit = turn->limit;

		if (second && second->steps.clock - (turn > second) < limit)
			limit = second->steps.clock - (turn > second);
		done = turn_take(machine, turn, limit);
		total += done;
	} while (done > 0);
	return total;
}
