/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fast path with caches: many accesses of processors with caches for all memory.
 *
 * What lives here: the fast paths for accesses within one line that the first level has. Most
 * accesses are of this kind. There is one path for a single processor, and one for several in the
 * order of their clocks. All work that does not depend on the order is done in a second pass over
 * the same words (lane_settle()), which adds up numbers, and passes requests to the backlog
 * (backlog.h). May use turns.h and the stream's words.
 */
#include "turns.h"

/*
 * Memory for a line that the first level may not have is prefetched when the access is this number
 * of words ahead.
 */
#define PREFETCH_LINES 12
/* Prefetching saves time if at least one in this number of accesses misses the first level. */
#define PREFETCH_MISSES 32
/*
 * The second pass follows after this number of words, which are then still in the host's first
 * level of caches.
 */
#define PASS_WORDS 2048

_Static_assert(PASS_WORDS < 1U << STEP_COUNT_BITS, "accesses are added up in one word");

/**
 * struct lane - The words of a processor.
 * @first: the first word that was not counted yet
 * @next: the next word to replay
 * @end: one past the last word before the second pass
 * @last: one past the last of all words
 * @limit: the clock up to which the lane may run
 * @processor: the processor
 * @mine: its caches
 * @beyond: accesses from @first on that the first level did not serve by itself, by SMILE_TYPE_*
 * @steps: receives the sums of the accesses
 * @asked: the line that was prefetched last
 * @ahead: whether enough of its accesses miss the first level that prefetching saves time
 */
struct lane {
	const uint64_t *first;
	const uint64_t *next;
	const uint64_t *end;
	const uint64_t *last;
	uint64_t limit;
	struct processor *processor;
	struct caches_processor *mine;
	uint64_t beyond[SMILE_TYPE_COUNT];
	struct machine_steps *steps;
	uint64_t asked;
	bool ahead;
};

static struct lane lane_begin(struct machine *machine, unsigned p, const uint64_t *words,
			      size_t count, uint64_t limit, struct machine_steps *steps)
{
	*steps = (struct machine_steps){0};
	return (struct lane){
		.first = words,
		.next = words,
		.end = words,
		.last = words + count,
		.limit = limit < CLOCK_SAFE ? limit : CLOCK_SAFE,
		.processor = &machine->processors[p],
		.mine = &machine->caches.processors[p],
		.steps = steps,
		.ahead = machine->processors[p].misses_often,
	};
}

/* ---- counting -------------------------------------------------------------------------------- */

/*
 * Add up the numbers that do not depend on the order of the accesses. @requests: receives the
 * accesses that are counted before the caches; NULL: they are not counted. Return: the number
 * of accesses.
 */
static inline __attribute__((always_inline)) size_t words_sum(struct machine *machine,
							      const struct lane *lane,
							      const uint64_t *words, size_t count,
							      uint64_t *requests)
{
	struct processor *processor = lane->processor;
	uint64_t all = 0, work = 0, front = front_request(processor->node, 0, 0);
	size_t made = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t what = word_load(&words[i]);

		/*
		 * The word was an access when it was replayed, but is a control record now, because
		 * the program has overwritten it.
		 */
		if (word_kind(what) == STREAM_CONTROL)
			continue;
		if (requests)
			requests[made++] = front | front_request(0, word_kind(what) + KIND_TYPE,
								 what & STREAM_ADDRESS);
		all += word_step(machine, what)->one;
		work += what >> STREAM_WORK_SHIFT;
	}
	processor->work += work;
	processor->accesses += count;
	lane->steps->cycles += work;
	for (unsigned type = 1; type < SMILE_TYPE_COUNT; type++) {
		processor->level_hits[0][type] += step_count(all, type);
		lane->steps->accesses[type] += step_count(all, type);
	}
	return made;
}

/*
 * Count at most @count words, and at most as many as fit into a batch. Return: the number of words.
 */
static size_t words_take(struct machine *machine, const struct lane *lane, const uint64_t *words,
			 size_t count)
{
	struct backlog_batch *batch = backlog_batch(&machine->backlog);

	if (!machine->front) {
		words_sum(machine, lane, words, count, NULL);
		return count;
	}
	count = count < BACKLOG_WORDS - batch->count ? count : BACKLOG_WORDS - batch->count;
	batch->ahead |= lane->ahead;
	backlog_added(&machine->backlog,
		      words_sum(machine, lane, words, count, batch->words + batch->count));
	return count;
}

/* Count the accesses that were made since the last call. */
static void lane_settle(struct machine *machine, struct lane *lane)
{
	struct processor *processor = lane->processor;
	uint64_t all = (uint64_t)(lane->next - lane->first), beyond = 0;

	while (lane->first < lane->next)
		lane->first +=
			words_take(machine, lane, lane->first, (size_t)(lane->next - lane->first));
	for (unsigned type = 1; type < SMILE_TYPE_COUNT; type++) {
		beyond += lane->beyond[type];
		processor->level_hits[0][type] -= lane->beyond[type];
		lane->beyond[type] = 0;
	}
	processor->hits += all - beyond;
	processor->cached += (all - beyond) * level_cycles(machine, 0);
	/* Assume that the next accesses are similar to these. */
	processor->misses_often = beyond * PREFETCH_MISSES > all;
}

/*
 * Handle the end of a lane's words: the lane has reached @end, at @clock. Return: whether the lane
 * continues.
 */
static bool lane_extend(struct machine *machine, struct lane *lane, uint64_t clock)
{
	if (lane->next < lane->end || lane->next == lane->last || clock > lane->limit)
		return false;
	lane_settle(machine, lane);
	lane->end = lane->last - lane->next > PASS_WORDS ? lane->next + PASS_WORDS : lane->last;
	return true;
}

void lanes_settle(struct machine *machine)
{
	for (unsigned i = 0; i < machine->lanes_count; i++)
		lane_settle(machine, &machine->lanes[i]);
}

/* ---- an access ------------------------------------------------------------------------------- */

/*
 * Make an access that the first level does not serve, at @clock. Return: the clock after the
 * access.
 */
static __attribute__((noinline)) uint64_t lane_fetch(struct machine *machine, struct lane *lane,
						     uint64_t what, uint64_t clock)
{
	uint64_t address = what & STREAM_ADDRESS;
	unsigned type = word_kind(what) + KIND_TYPE;
	uint64_t last = address % TRAFFIC_BLOCK_BYTES + word_step(machine, what)->beyond;

	lane->processor->clock = clock;
	access_beyond(machine, lane->processor, type, address >> machine->caches.shift, address,
		      last < TRAFFIC_BLOCK_BYTES ? (unsigned)last : TRAFFIC_BLOCK_BYTES - 1);
	lane->beyond[type]++;
	return lane->processor->clock;
}

/**
 * struct lane_shape - Values that are the same for all accesses, to be kept in registers.
 * @shift: log2 of the bytes of a line
 * @cycles: duration of a hit in the first level
 * @first: the first level of a processor; only its lines differ between processors
 */
struct lane_shape {
	unsigned shift;
	uint32_t cycles;
	struct caches_array first;
};

static struct lane_shape lane_shape(const struct machine *machine, const struct lane *lane)
{
	return (struct lane_shape){
		.shift = machine->caches.shift,
		.cycles = level_cycles(machine, 0),
		.first = lane->mine->level[0],
	};
}

/* Check whether the word is an access within one line. */
static inline bool word_short(const struct machine *machine, uint64_t what, unsigned shift)
{
	uint64_t address = what & STREAM_ADDRESS;

	return (address ^ (address + word_step(machine, what)->beyond)) >> shift == 0;
}

/* Make an access within one line. Return: the clock after the access. */
static inline __attribute__((always_inline)) uint64_t lane_access(struct machine *machine,
								  struct lane *lane,
								  const struct lane_shape *shape,
								  uint64_t what, uint64_t clock)
{
	uint64_t line = (what & STREAM_ADDRESS) >> shape->shift;
	bool write = word_kind(what) != STREAM_READ;

	clock += what >> STREAM_WORK_SHIFT;
	if (!caches_first(&machine->caches, lane->mine, &shape->first, line, write))
		return lane_fetch(machine, lane, what, clock);
	return clock + shape->cycles;
}

/* Prefetch the data that a later word needs. @asked: the line that was prefetched last. */
static inline __attribute__((always_inline)) void lane_prefetch(const struct machine *machine,
								const struct caches_processor *mine,
								const struct lane_shape *shape,
								uint64_t what, uint64_t *asked)
{
	uint64_t line = (what & STREAM_ADDRESS) >> shape->shift;

	/*
	 * The most frequent case is checked first, so that the processor predicts this branch well.
	 */
	if (caches_recent(&shape->first, line) || line == *asked)
		return;
	*asked = line;
	caches_prefetch(&machine->caches, mine, line);
}

/* Replay any word. Return: false if it is not a possible access. */
static bool lane_any(struct machine *machine, struct lane *lane)
{
	uint64_t what = word_load(lane->next);
	unsigned type = word_kind(what) + KIND_TYPE;

	if (word_kind(what) == STREAM_CONTROL)
		return false;
	if (!word_possible(what)) {
		lane->steps->wrong = true;
		return false;
	}
	if (processor_pass(machine, (unsigned)(lane->processor - machine->processors),
			   what >> STREAM_WORK_SHIFT))
		access_make(machine, lane->processor, type, what & STREAM_ADDRESS,
			    (size_t)1 << word_size(what));
	lane->beyond[type]++;
	lane->next++;
	return true;
}

/* ---- a single processor ---------------------------------------------------------------------- */

/*
 * Replay up to the first access that is not within one line, or up to the limit. @ahead: as in
 * struct lane.
 */
static inline __attribute__((always_inline)) void lane_run(struct machine *machine,
							   struct lane *lane, bool ahead)
{
	const struct lane_shape shape = lane_shape(machine, lane);
	uint64_t clock = lane->processor->clock, limit = lane->limit, asked = 0;
	const uint64_t *word = lane->next, *end = lane->end;

	for (; word < end && clock <= limit; word++) {
		uint64_t what = word_load(word);

		if (ahead && lane->last - word > PREFETCH_LINES)
			lane_prefetch(machine, lane->mine, &shape, word_load(word + PREFETCH_LINES),
				      &asked);
		if (!word_short(machine, what, shape.shift))
			break;
		lane->next = word;
		clock = lane_access(machine, lane, &shape, what, clock);
	}
	lane->next = word;
	lane->processor->clock = clock;
}

size_t lane_steps(struct machine *machine, unsigned p, const uint64_t *words, size_t count,
		  uint64_t limit, struct machine_steps *steps)
{
	struct lane lane = lane_begin(machine, p, words, count, limit, steps);

	machine->lanes = &lane;
	machine->lanes_count = 1;
	while (lane_extend(machine, &lane, lane.processor->clock))
		do
			if (lane.ahead)
				lane_run(machine, &lane, true);
			else
				lane_run(machine, &lane, false);
		while (lane.next < lane.end && lane.processor->clock <= lane.limit &&
		       lane_any(machine, &lane));
	lane_settle(machine, &lane);
	machine->lanes_count = 0;
	steps->clock = lane.processor->clock;
	return (size_t)(lane.next - words);
}

/* ---- several processors ---------------------------------------------------------------------- */

/*
 * Get the next word of the lane. At the end of the lane, the result can be any word, and is not
 * used.
 */
static inline uint64_t lane_word(const struct lane *lane)
{
	return word_load(lane->next - (lane->next == lane->end));
}

/*
 * @rows: the number of rows of @order. It is an argument, so that the compiler generates separate
 * code for each number. Each decision about the next turn depends on the previous access. For this
 * reason, the function loads the next words of all lanes, and the first entry of the order, in
 * advance.
 */
static inline __attribute__((always_inline)) void
turns_run(struct machine *machine, struct lane *lanes, struct turns *order, unsigned rows)
{
	struct lane_shape shape = lane_shape(machine, &lanes[0]);
	uint64_t *lines[MACHINE_TURNS], words[MACHINE_TURNS], first = order->tree[1];

	for (unsigned i = 0; i < machine->lanes_count; i++) {
		lines[i] = lanes[i].mine->level[0].lines;
		words[i] = lanes[i].next < lanes[i].end ? word_load(lanes[i].next) : 0;
	}
	for (;;) {
		uint64_t clock, what;
		unsigned turn = turns_of(first, &clock);
		struct lane *lane = &lanes[turn];

		if (lane->next == lane->end || clock > lane->limit)
			return;
		what = words[turn];
		shape.first.lines = lines[turn];
		if (lane->ahead && lane->last - lane->next > PREFETCH_LINES)
			lane_prefetch(machine, lane->mine, &shape,
				      word_load(lane->next + PREFETCH_LINES), &lane->asked);
		if (word_short(machine, what, shape.shift)) {
			clock = lane_access(machine, lane, &shape, what, clock);
			lane->next++;
		} else {
			lane->processor->clock = clock;
			if (!lane_any(machine, lane))
				return;
			clock = lane->processor->clock;
		}
		words[turn] = lane_word(lane);
		first = turns_moved(order, rows, turn, clock);
	}
}

/* Check whether the lane whose turn it is continues after its end. */
static bool turns_extend(struct machine *machine, struct lane *lanes, const struct turns *order)
{
	uint64_t clock;
	unsigned turn = turns_next(order, &clock);

	return lane_extend(machine, &lanes[turn], clock);
}

size_t lane_turns(struct machine *machine, struct machine_turn *turns, size_t count)
{
	struct lane lanes[MACHINE_TURNS];
	struct turns order;
	size_t done = 0;

	turns_begin(&order, machine, turns, count);
	for (unsigned i = 0; i < count; i++)
		lanes[i] = lane_begin(machine, turns[i].processor, turns[i].words, turns[i].count,
				      turns[i].limit, &turns[i].steps);
	machine->lanes = lanes;
	machine->lanes_count = (unsigned)count;
	while (turns_extend(machine, lanes, &order))
		if (order.rows == 1)
			turns_run(machine, lanes, &order, 1);
		else if (order.rows == 2)
			turns_run(machine, lanes, &order, 2);
		else if (order.rows == 4)
			turns_run(machine, lanes, &order, 4);
		else
			turns_run(machine, lanes, &order, TURN_BITS);
	lanes_settle(machine);
	machine->lanes_count = 0;
	for (unsigned i = 0; i < count; i++) {
		lanes[i].processor->clock = turns_clock(&order, i);
		turns[i].steps.clock = lanes[i].processor->clock;
		turns[i].done = (size_t)(lanes[i].next - turns[i].words);
		done += turns[i].done;
	}
	return done;
}
