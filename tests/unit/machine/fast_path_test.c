/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the machine's fast paths. Requests without responses must give the same result as
 * requests with responses. machine_steps() and machine_turns() must give the same result as
 * machine_step(). May use machine_fixture.h, the stream's words and the C library.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/field.h>
#include <run/stream.h>

#include "tests/unit/machine/machine_fixture.h"

#define PAGE SMILE_PAGE_BYTES
#define NODES 6U
#define PROCESSORS 9U
#define STEPS 30000U

/**
 * struct view - What the machine has reported.
 * @sums: checksum of the frames of each link
 * @seen: number of frames of each link
 * @last_ns: time of the last frame of each link
 * @accessed: checksum of the accesses before any cache
 * @counted: checksum of the counted requests
 */
struct view {
	uint64_t sums[NODES];
	uint64_t seen[NODES];
	uint64_t last_ns[NODES];
	uint64_t accessed;
	uint64_t counted;
};

static void view_add(struct view *view, unsigned node, uint64_t time_ns, uint64_t nodes,
		     uint64_t type, uint64_t address)
{
	const uint64_t words[] = {time_ns, nodes, type, address};

	assert_true(time_ns >= view->last_ns[node]);
	view->last_ns[node] = time_ns;
	view->seen[node]++;
	for (unsigned i = 0; i < 4; i++)
		view->sums[node] = (view->sums[node] ^ words[i]) * 0x100000001b3ULL;
}

static unsigned command_type(unsigned command)
{
	if (command == BLINK_EVENT00)
		return 9;
	if (command >= BLINK_RESPONSE00)
		return 10;
	if (command == BLINK_NREAD64 || command == BLINK_NREAD256)
		return SMILE_TYPE_READ;
	if (command == BLINK_NWRITE64)
		return SMILE_TYPE_WRITE;
	assert_true(command < 0x30);
	return SMILE_TYPE_READ + command / 16;
}

static void view_frames(void *opaque, unsigned node, const struct machine_frame *frames,
			size_t count)
{
	assert_in_range(count, 1, MACHINE_BATCH);
	for (size_t i = 0; i < count; i++) {
		uint64_t word[2];

		memcpy(word, frames[i].bytes, sizeof(word));
		word[0] = le64toh(word[0]);
		word[1] = le64toh(word[1]);
		view_add(opaque, node, frames[i].time_ns,
			 SMILE_GET(BLINK_BD1_SOURCE, word[0]) | SMILE_GET(BLINK_BD1_TARGET, word[0])
									<< 16,
			 command_type((unsigned)SMILE_GET(BLINK_BD1_COMMAND, word[0])),
			 SMILE_GET(BLINK_BD2_ADDRESS, word[1]));
	}
}

/* Record all frames that are not responses. */
static void view_unanswered(void *opaque, unsigned node, const struct machine_frame *frames,
			    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t bd1;

		memcpy(&bd1, frames[i].bytes, sizeof(bd1));
		if (SMILE_GET(BLINK_BD1_COMMAND, le64toh(bd1)) < BLINK_RESPONSE00)
			view_frames(opaque, node, &frames[i], 1);
	}
}

/* Add accesses to a checksum that does not depend on the number of calls. */
static void view_accessed(void *opaque, unsigned node, uint64_t request, const uint32_t *counts,
			  size_t count)
{
	struct view *view = opaque;

	for (size_t i = 0; i < count; i++)
		view->accessed += (request + 4 * i + node) * 0x9e3779b97f4a7c15ULL * counts[i];
}

/* Add counted requests to a checksum that does not depend on the number of calls. */
static void view_counted(void *opaque, unsigned node, uint64_t request, const uint32_t *counts,
			 size_t count, uint64_t time_ns)
{
	struct view *view = opaque;

	for (size_t i = 0; i < count; i++)
		view->counted += (request + 4 * i + node) * 0x9e3779b97f4a7c15ULL * counts[i];
}

static const struct machine_ops frames_ops = {.frames = view_frames};
static const struct machine_ops unanswered_ops = {.frames = view_unanswered};
static const struct machine_ops counted_ops = {.frames = view_frames, .counted = view_counted};

static uint32_t draw(uint64_t *random, uint32_t below)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return (uint32_t)(*random >> 20) % below;
}

static struct machine *machine_new(const struct machine_config *config,
				   const struct machine_ops *ops, struct view *view)
{
	struct machine *machine;

	memset(view, 0, sizeof(*view));
	assert_int_equal(machine_create(&machine, config, ops, view), 0);
	for (unsigned p = 0; p < PROCESSORS; p++)
		assert_int_equal(machine_processor_add(machine, p % config->nodes), p);
	return machine;
}

static const struct caches_shape small_caches = {
	2, {{"l1", 2048, 64, 2, 1, false}, {"llc", 16384, 64, 4, 9, true}}};

/* ---- requests without responses ------------------------------------------------------------ */

static void requests_run(struct machine *machine)
{
	uint64_t random = 88172645463325252ULL;

	for (unsigned i = 0; i < STEPS; i++) {
		unsigned p = draw(&random, PROCESSORS);

		machine_step(machine, p, draw(&random, 9), 1 + draw(&random, 3),
			     draw(&random, 60) * PAGE + draw(&random, PAGE), 1 + draw(&random, 20));
		if (i % 5000 == 4999)
			assert_int_equal(machine_mark(machine, i % 16), 0);
		if (i % 7000 == 6999)
			machine_flush(machine);
		/* A barrier and a global event, as at a phase mark of a program. */
		if (i % 9000 == 8999) {
			assert_int_equal(machine_barrier(machine), 0);
			assert_int_equal(machine_event(machine, 3, machine_clock(machine, 0)), 0);
		}
	}
	assert_int_equal(machine_barrier(machine), 0);
}

static void machine_without_responses_has_the_same_requests(void **state)
{
	const struct machine_config configs[] = {
		{.nodes = NODES, .watch = MACHINE_WATCH_ALL},
		{.nodes = 4, .watch = MACHINE_WATCH_ALL},
		{.nodes = NODES, .watch = 1 << 2 | 1 << 5},
		{.nodes = NODES, .watch = 1 << 0 | 1 << 5},
		{.nodes = NODES,
		 .watch = MACHINE_WATCH_ALL,
		 .frequency_hz = 300000000,
		 .cache = {.bytes = 1024, .line_bytes = 256, .ways = 2}},
		{.nodes = NODES, .watch = MACHINE_WATCH_ALL, .caches = small_caches},
		{.nodes = NODES, .watch = 1 << 2 | 1 << 5, .caches = small_caches},
	};

	for (unsigned i = 0; i < sizeof(configs) / sizeof(configs[0]); i++) {
		struct machine_config config = configs[i];
		struct view answered, unanswered;
		struct machine *a, *b;

		config.processors = PROCESSORS;
		a = machine_new(&config, &unanswered_ops, &answered);
		config.no_responses = true;
		b = machine_new(&config, &frames_ops, &unanswered);
		requests_run(a);
		requests_run(b);
		assert_memory_equal(answered.sums, unanswered.sums, sizeof(answered.sums));
		assert_memory_equal(answered.seen, unanswered.seen, sizeof(answered.seen));
		assert_true(unanswered.seen[5 % config.nodes] > STEPS / 10);
		for (unsigned n = 0; n < config.nodes; n++) {
			struct machine_statistics of_a, of_b;

			assert_int_equal(machine_statistics(a, n, &of_a), 0);
			assert_int_equal(machine_statistics(b, n, &of_b), 0);
			if (config.watch >> n & 1)
				assert_true(of_b.frames == unanswered.seen[n]);
			of_a.frames = of_b.frames;
			assert_memory_equal(&of_a, &of_b, sizeof(of_a));
		}
		machine_destroy(a);
		machine_destroy(b);
	}
}

/* ---- many accesses at a time --------------------------------------------------------------- */

static uint64_t access_word(unsigned kind, unsigned size, uint64_t work, uint64_t address)
{
	return address | (uint64_t)kind << STREAM_KIND_SHIFT | (uint64_t)size << STREAM_SIZE_SHIFT |
	       work << STREAM_WORK_SHIFT;
}

static uint64_t draw_word(uint64_t *random)
{
	static const unsigned sizes[] = {0, 1, 2, 3, 3, 3, 4, 6};
	uint64_t page = draw(random, 4) ? draw(random, 20) : draw(random, 300);

	return access_word(draw(random, 3), sizes[draw(random, 8)],
			   draw(random, 30) ? draw(random, 20) : STREAM_WORK_MAX,
			   page * PAGE + draw(random, PAGE));
}

/* Call machine_step() for each word, instead of machine_steps() once. */
static size_t one_by_one(struct machine *machine, unsigned p, const uint64_t *words, size_t count,
			 uint64_t limit)
{
	size_t i = 0;

	for (; i < count && machine_clock(machine, p) <= limit; i++) {
		unsigned kind = words[i] >> STREAM_KIND_SHIFT & STREAM_KIND;

		if (kind == STREAM_CONTROL)
			break;
		machine_step(machine, p, words[i] >> STREAM_WORK_SHIFT, kind + 1,
			     words[i] & STREAM_ADDRESS,
			     1U << (words[i] >> STREAM_SIZE_SHIFT & STREAM_SIZE));
	}
	return i;
}

static void check_alike(const struct machine *a, const struct machine *b)
{
	for (unsigned p = 0; p < PROCESSORS; p++) {
		struct machine_statistics of_a, of_b;

		assert_int_equal(machine_processor_statistics(a, p, &of_a), 0);
		assert_int_equal(machine_processor_statistics(b, p, &of_b), 0);
		assert_memory_equal(&of_a, &of_b, sizeof(of_a));
	}
	for (unsigned n = 0; n < machine_nodes(a); n++) {
		struct machine_statistics of_a, of_b;

		assert_int_equal(machine_statistics(a, n, &of_a), 0);
		assert_int_equal(machine_statistics(b, n, &of_b), 0);
		assert_memory_equal(&of_a, &of_b, sizeof(of_a));
	}
}

static void check_locals_alike(struct machine *a, struct machine *b)
{
	struct machine_local *of_a, *of_b;
	int64_t count = machine_locals(a, &of_a);

	assert_true(count > 10);
	assert_true(machine_locals(b, &of_b) == count);
	assert_memory_equal(of_a, of_b, (size_t)count * sizeof(*of_a));
	free(of_a);
	free(of_b);
}

static void steps_run(const struct machine_config *config)
{
	struct view of_a, of_b;
	struct machine *a = machine_new(config, &counted_ops, &of_a);
	struct machine *b = machine_new(config, &counted_ops, &of_b);
	uint64_t random = 88172645463325252ULL, words[64], accesses = 0, reported = 0;

	while (accesses < STEPS) {
		unsigned p = draw(&random, PROCESSORS), count = 1 + draw(&random, 64);
		uint64_t limit = machine_clock(a, p) + draw(&random, 50000);
		struct machine_steps steps;
		size_t done;

		for (unsigned i = 0; i < count; i++)
			words[i] = draw_word(&random);
		if (!draw(&random, 10))
			words[draw(&random, count)] = access_word(STREAM_CONTROL, 3, 0, 77);
		done = one_by_one(a, p, words, count, limit);
		assert_int_equal(machine_steps(b, p, words, count, limit, &steps), done);
		assert_false(steps.wrong);
		for (unsigned type = 1; type < SMILE_TYPE_COUNT; type++)
			reported += steps.accesses[type];
		accesses += done;
		assert_true(reported == accesses);
		check_alike(a, b);
		if (!draw(&random, 100)) {
			assert_int_equal(machine_barrier(a), 0);
			assert_int_equal(machine_barrier(b), 0);
		}
	}
	assert_int_equal(machine_barrier(a), 0);
	assert_int_equal(machine_barrier(b), 0);
	check_alike(a, b);
	check_locals_alike(a, b);
	assert_memory_equal(&of_a, &of_b, sizeof(of_a));
	machine_destroy(a);
	machine_destroy(b);
}

static void machine_steps_are_as_step_by_step(void **state)
{
	struct machine_config config = {.nodes = 4, .processors = PROCESSORS, .locals = true};

	config.no_responses = true;
	config.watch = MACHINE_WATCH_ALL;
	steps_run(&config);
	config.tally_bytes = 4;
	steps_run(&config);
	config.tally_bytes = 0;
	config.watch = 0;
	steps_run(&config);
	config.watch = 2;
	config.no_responses = false;
	config.cache = (struct machine_cache){.bytes = 1024, .line_bytes = 64, .ways = 2};
	steps_run(&config);
	config.cache = (struct machine_cache){0};
	config.caches = small_caches;
	steps_run(&config);
	config.watch = MACHINE_WATCH_ALL;
	config.no_responses = true;
	steps_run(&config);
	config.tally_bytes = 4;
	steps_run(&config);
}

/* ---- several processors in the order of their clocks --------------------------------------- */

#define TURN_WORDS 300U

/* The processor that is next: the first of those with the lowest clock. */
static unsigned turn_next(const struct machine *machine, const unsigned *processors, unsigned count)
{
	unsigned first = 0;

	for (unsigned i = 1; i < count; i++)
		if (machine_clock(machine, processors[i]) <
		    machine_clock(machine, processors[first]))
			first = i;
	return first;
}

/* Call machine_step() for each word, instead of machine_turns() once. */
static void turns_one_by_one(struct machine *machine, struct machine_turn *turns, unsigned count)
{
	unsigned processors[PROCESSORS];

	for (unsigned i = 0; i < count; i++) {
		processors[i] = turns[i].processor;
		turns[i].done = 0;
	}
	for (;;) {
		struct machine_turn *turn = &turns[turn_next(machine, processors, count)];
		const uint64_t *word = turn->words + turn->done;

		if (turn->done == turn->count ||
		    machine_clock(machine, turn->processor) > turn->limit ||
		    !one_by_one(machine, turn->processor, word, 1, UINT64_MAX))
			return;
		turn->done++;
	}
}

/* Choose the processors of a round, from @first on, and their words. */
static void turns_draw(uint64_t *random, struct machine_turn *turns, unsigned count,
		       uint64_t (*words)[TURN_WORDS], uint64_t clock)
{
	unsigned first = draw(random, PROCESSORS - count + 1);

	for (unsigned i = 0; i < count; i++) {
		turns[i] = (struct machine_turn){
			.processor = first + i,
			.words = words[i],
			.count = draw(random, 8) ? TURN_WORDS : draw(random, TURN_WORDS),
			.limit = draw(random, 8) ? UINT64_MAX : clock + draw(random, 20000),
		};
		for (unsigned w = 0; w < TURN_WORDS; w++)
			words[i][w] = draw_word(random);
		if (!draw(random, 10))
			words[i][draw(random, TURN_WORDS)] = access_word(STREAM_CONTROL, 3, 0, 77);
	}
}

/* Discard memory that is accessed soon, so that homes change during a round. */
static void turns_discard(uint64_t *random, struct machine *a, struct machine *b)
{
	uint64_t page = draw(random, 20);

	assert_int_equal(machine_discard(a, page * PAGE, 3 * PAGE, 0), 0);
	assert_int_equal(machine_discard(b, page * PAGE, 3 * PAGE, 0), 0);
}

static void turns_run(const struct machine_config *config)
{
	const struct machine_ops ops = {.frames = view_frames,
					.counted = view_counted,
					.accessed = config->caches.count ? view_accessed : NULL};
	static uint64_t words[PROCESSORS][TURN_WORDS];
	struct view of_a, of_b;
	struct machine *a = machine_new(config, &ops, &of_a);
	struct machine *b = machine_new(config, &ops, &of_b);
	uint64_t random = 88172645463325252ULL, accesses = 0;

	while (accesses < 2 * STEPS) {
		struct machine_turn turns[PROCESSORS], expected[PROCESSORS];
		unsigned count = 1 + draw(&random, PROCESSORS);
		size_t done = 0, returned;

		turns_draw(&random, turns, count, words, machine_clock(a, 0));
		memcpy(expected, turns, sizeof(turns));
		turns_one_by_one(a, expected, count);
		returned = machine_turns(b, turns, count);
		for (unsigned i = 0; i < count; i++) {
			uint64_t reported = 0;

			for (unsigned type = 1; type < SMILE_TYPE_COUNT; type++)
				reported += turns[i].steps.accesses[type];
			assert_int_equal(turns[i].done, expected[i].done);
			assert_true(reported == turns[i].done);
			assert_true(turns[i].steps.clock == machine_clock(a, turns[i].processor));
			done += turns[i].done;
		}
		assert_int_equal(returned, done);
		accesses += done;
		check_alike(a, b);
		if (!draw(&random, 5))
			turns_discard(&random, a, b);
		/* Barriers keep the clocks close to each other. */
		if (!draw(&random, 3)) {
			assert_int_equal(machine_barrier(a), 0);
			assert_int_equal(machine_barrier(b), 0);
		}
	}
	machine_accessed(a);
	machine_accessed(b);
	check_alike(a, b);
	check_locals_alike(a, b);
	assert_memory_equal(&of_a, &of_b, sizeof(of_a));
	machine_destroy(a);
	machine_destroy(b);
}

static void machine_turns_are_in_the_order_of_the_clocks(void **state)
{
	struct machine_config config = {.nodes = 4, .processors = PROCESSORS, .locals = true};

	config.placement = placement_find("first-touch");
	config.no_responses = true;
	config.watch = MACHINE_WATCH_ALL;
	turns_run(&config);
	config.tally_bytes = 4;
	turns_run(&config);
	config.tally_bytes = 0;
	config.watch = 0;
	turns_run(&config);
	config.cache = (struct machine_cache){.bytes = 1024, .line_bytes = 64, .ways = 2};
	turns_run(&config);
	config.cache = (struct machine_cache){0};
	config.caches = small_caches;
	turns_run(&config);
	config.watch = MACHINE_WATCH_ALL;
	config.accessed_bytes = 4;
	turns_run(&config);
	config.tally_bytes = 4;
	turns_run(&config);
	config.tally_bytes = 0;
	config.accessed_bytes = 64;
	config.no_responses = false;
	turns_run(&config);
}

static void machine_steps_stop_at_what_cannot_be(void **state)
{
	const struct machine_config config = {.nodes = 4};
	const uint64_t words[] = {
		access_word(STREAM_WRITE, 3, 5, PAGE),
		access_word(STREAM_READ, 3, 0, STREAM_ADDRESS - 6),
	};
	const uint64_t large = access_word(STREAM_READ, 7, 0, PAGE);
	struct machine_steps steps;
	struct machine *machine;

	assert_int_equal(machine_create(&machine, &config, NULL, NULL), 0);
	assert_int_equal(machine_steps(machine, 0, words, 2, UINT64_MAX, &steps), 1);
	assert_true(steps.wrong);
	assert_int_equal(steps.accesses[SMILE_TYPE_WRITE], 1);
	assert_int_equal(steps.accesses[SMILE_TYPE_READ], 0);
	assert_int_equal(steps.cycles, 5);
	assert_int_equal(machine_steps(machine, 0, &large, 1, UINT64_MAX, &steps), 0);
	assert_true(steps.wrong);
	assert_int_equal(machine_error(machine), 0);
	/* An access by a processor that does not exist is an error, and has no effect. */
	assert_int_equal(machine_steps(machine, 4, words, 1, UINT64_MAX, &steps), 1);
	assert_int_equal(machine_error(machine), -EINVAL);
	machine_destroy(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machine_without_responses_has_the_same_requests),
		cmocka_unit_test(machine_steps_are_as_step_by_step),
		cmocka_unit_test(machine_turns_are_in_the_order_of_the_clocks),
		cmocka_unit_test(machine_steps_stop_at_what_cannot_be),
	};

	return cmocka_run_group_tests_name("machine_steps", tests, NULL, NULL);
}
