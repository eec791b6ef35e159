/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Steps: many accesses of one processor, as a trace stream holds them.
 *
 * What lives here: the fast paths for most accesses. Without caches: within one block, to a page
 * with a home that the processor remembers, and with room in the queue. With caches in front of all
 * memory: within one line that the first level has. Every other access goes through machine_step(),
 * with the same result. May use machine_inside.h and the stream's words.
 */
#include <errno.h>

#include <base/field.h>

#include "machine_inside.h"

#define KIND_TYPE 1U /* of an access: its type less its kind */

_Static_assert(STREAM_READ + KIND_TYPE == SMILE_TYPE_READ &&
		       STREAM_WRITE + KIND_TYPE == SMILE_TYPE_WRITE &&
		       STREAM_LOCK + KIND_TYPE == SMILE_TYPE_LOCK,
	       "kinds and types are in the same order");
_Static_assert(STREAM_ADDRESS + 1 == ADDRESS_END, "addresses are equally long");

/* A clock up to here can do any access. */
#define CLOCK_SAFE (CLOCK_MAX - UINT32_MAX - STREAM_WORK_MAX)

static inline unsigned word_kind(uint64_t word)
{
	return word >> STREAM_KIND_SHIFT & STREAM_KIND;
}

static inline unsigned word_size(uint64_t word)
{
	return word >> STREAM_SIZE_SHIFT & STREAM_SIZE;
}

/* Another process may write it: what was looked at is what is replayed. */
static inline uint64_t word_load(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

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

static uint64_t step_count(uint64_t counts, unsigned type)
{
	return counts >> (type - 1) * STEP_COUNT_BITS & ((1U << STEP_COUNT_BITS) - 1);
}

/* So many of @count words are counted at once; a clock beyond @limit, lowered here, is too late. */
static inline size_t steps_bound(size_t count, uint64_t *limit)
{
	if (*limit > CLOCK_SAFE)
		*limit = CLOCK_SAFE;
	return count >> STEP_COUNT_BITS ? (1U << STEP_COUNT_BITS) - 1 : count;
}

/* Can a processor take the short way? */
static bool short_open(const struct machine *machine, unsigned p)
{
	return p < machine->processors_count && machine->config.cache.bytes == 0 &&
	       machine->config.caches.count == 0 && machine->processors[p].clock >= machine->shown;
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

/* Can a processor take the short way of the caches? */
static bool hits_open(const struct machine *machine, unsigned p)
{
	return p < machine->processors_count && machine->config.caches.count != 0;
}

/*
 * The short way of the caches, as far as it goes: to an access that the first level does not have.
 * @front: accesses are counted in front of the caches. Return: how many accesses.
 */
static inline __attribute__((always_inline)) size_t
hits_run(struct machine *machine, unsigned p, const uint64_t *words, size_t count, uint64_t limit,
	 struct machine_steps *steps, bool front, struct tally_shape shape)
{
	struct processor *processor = &machine->processors[p];
	const struct caches_processor *mine = &machine->caches.processors[p];
	const uint32_t cycles = level_cycles(machine, 0);
	const unsigned shift = machine->caches.shift;
	uint64_t clock = processor->clock, work = 0, all = 0;
	const uint64_t *word, *end;
	size_t hits;

	end = words + steps_bound(count, &limit);
	for (word = words; word < end && clock <= limit; word++) {
		uint64_t what = word_load(word), address = what & STREAM_ADDRESS;
		const struct step_kind *kind =
			&machine->steps[what >> STREAM_KIND_SHIFT & (STEP_KINDS - 1)];
		uint64_t line = address >> shift, passed = what >> STREAM_WORK_SHIFT;
		bool write = word_kind(what) != STREAM_READ;

		if (kind->beyond >= TRAFFIC_BLOCK_BYTES ||
		    (address + kind->beyond) >> shift != line)
			break;
		if (!caches_last(mine, line, write) &&
		    !caches_first(&machine->caches, p, line, write))
			break;
		if (front)
			front_count(machine, shape, processor->node, word_kind(what) + KIND_TYPE,
				    address);
		all += kind->one;
		clock += passed + cycles;
		work += passed;
	}
	hits = (size_t)(word - words);
	processor->clock = clock;
	processor->work += work;
	processor->cached += hits * cycles;
	processor->hits += hits;
	processor->accesses += hits;
	steps->cycles += work;
	for (unsigned type = 1; type < SMILE_TYPE_COUNT; type++) {
		processor->level_hits[0][type] += step_count(all, type);
		steps->accesses[type] += step_count(all, type);
	}
	return hits;
}

static size_t hits_choose(struct machine *machine, unsigned p, const uint64_t *words, size_t count,
			  uint64_t limit, struct machine_steps *steps)
{
	const struct tally_shape words_shape = {2, TALLY_CHUNK_BITS};

	if (!machine->front)
		return hits_run(machine, p, words, count, limit, steps, false, words_shape);
	if (machine->front->shift == words_shape.shift)
		return hits_run(machine, p, words, count, limit, steps, true, words_shape);
	return hits_run(machine, p, words, count, limit, steps, true, tally_shape(machine->front));
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
	while (i < count && p->clock <= limit) {
		unsigned kind, size;
		uint64_t word, address;

		if (short_open(machine, processor)) {
			i += short_choose(machine, p, words + i, count - i, limit, steps);
			if (i == count || p->clock > limit)
				break;
		} else if (hits_open(machine, processor)) {
			i += hits_choose(machine, processor, words + i, count - i, limit, steps);
			if (i == count || p->clock > limit)
				break;
		}
		word = word_load(&words[i]);
		address = word & STREAM_ADDRESS;
		kind = word_kind(word);
		size = word_size(word);
		if (kind == STREAM_CONTROL)
			break;
		if (size > 6 || address > ADDRESS_END - (1ULL << size)) {
			steps->wrong = true;
			break;
		}
		machine_step(machine, processor, word >> STREAM_WORK_SHIFT, kind + KIND_TYPE,
			     address, (size_t)1 << size);
		steps->accesses[kind + KIND_TYPE]++;
		steps->cycles += word >> STREAM_WORK_SHIFT;
		i++;
	}
	steps->clock = p->clock;
	return i;
}
