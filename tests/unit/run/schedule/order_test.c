/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the order of the schedule: the result must not depend on the order in which threads
 * write. May use schedule_fixture.h and the C library.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/run/schedule/schedule_fixture.h"

#define PAGE SMILE_PAGE_BYTES
#define WORKERS 6U
#define SEEDS 12U
#define LOCKS 3U

/* The words of one thread: accesses that depend only on its number and the step. */
static void accesses_write(struct script *script, unsigned thread, unsigned phase, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		uint64_t number = ((uint64_t)thread << 40 | (uint64_t)phase << 32 | i) + 1;

		number *= 0x9e3779b97f4a7c15ULL;
		number ^= number >> 29;
		number *= 0xbf58476d1ce4e5b9ULL;
		number ^= number >> 32;
		script_access(script, (enum stream_kind)(number % 3),
			      0x400000 + number / 3 % (40 * PAGE), number / 128 % 5,
			      number / 1024 % 50);
	}
}

static void worker_write(struct script *script, unsigned worker)
{
	script_begin(script, STAGE_PID, 10 + worker);
	for (unsigned phase = 0; phase < 3; phase++) {
		accesses_write(script, worker, phase, 100 + 70 * worker);
		for (unsigned i = 0; i < 5; i++) {
			uint64_t lock = 0x7000 + (worker + i) % LOCKS * 64;

			script_control(script, STREAM_ACQUIRE, lock, 1, (uint64_t)(i == 3));
			accesses_write(script, worker, 10 * phase + i, 1 + 30 * (worker % 2));
			script_control(script, STREAM_RELEASE, lock, 0);
			script_control(script, STREAM_WORK, 17 * worker, 0);
		}
		script_control(script, STREAM_BARRIER, 0x8000, 1, (uint64_t)WORKERS);
		if (worker == 2 && phase == 1)
			script_text(script, STREAM_PHASE, "middle");
	}
	script_end(script);
}

static void program_write(struct stage *stage)
{
	struct script *first = &stage->scripts[0];

	stage->count = 1 + WORKERS;
	script_begin(first, STAGE_PID, 0);
	accesses_write(first, 99, 0, 200);
	script_text(first, STREAM_PHASE, "work");
	for (unsigned w = 0; w < WORKERS; w++) {
		script_control(first, STREAM_CREATE, 10 + w, 1, (uint64_t)0);
		accesses_write(first, 99, 1 + w, 3);
		worker_write(&stage->scripts[1 + w], w);
	}
	for (unsigned w = 0; w < WORKERS; w++)
		script_control(first, STREAM_JOIN, 10 + w, 0);
	script_text(first, STREAM_PHASE, "end");
	accesses_write(first, 99, 7, 50);
	script_end(first);
}

/*
 * Write a few words of each thread at a time. Usually, the thread whose turn it is has no words,
 * while other threads have some.
 */
static void stage_drip(struct stage *stage)
{
	for (unsigned i = 0; i < stage->count; i++) {
		stage_claim(stage, &stage->scripts[i], i);
		stage_write(stage, &stage->scripts[i], 3);
		assert_true(schedule_run(stage->schedule, 1) >= 0);
	}
	for (unsigned round = 0; !stage_ended(stage); round++) {
		struct script *script = &stage->scripts[round % stage->count];

		assert_true(round < 100000);
		if (script->written < script->count)
			stage_write(stage, script, 6 + round % 30);
		else if (!script->over)
			stage_write_all(stage, script);
		assert_true(schedule_run(stage->schedule, 3000) >= 0);
	}
	assert_int_equal(schedule_finish(stage->schedule), 0);
}

static void program_check_drip(const struct machine_config *config, uint64_t expected)
{
	struct stage *stage = stage_new(config, NULL);

	program_write(stage);
	stage_drip(stage);
	assert_int_equal(stage_digest(stage), expected);
	stage_free(stage);
}

/* Run the program with many seeds. All results must be equal and not empty. */
static void program_check(const struct machine_config *config)
{
	uint64_t expected = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct stage *stage = stage_new(config, NULL);
		struct schedule_statistics statistics;
		uint64_t accesses = 0, parts = 0, split = 0, words = 0;

		program_write(stage);
		for (size_t i = 0; i < stage->count; i++)
			words += stage->scripts[i].count;
		stage_play(stage, seed);
		statistics = stage_statistics(stage);
		for (unsigned n = 0; n < machine_nodes(stage->machine); n++) {
			struct machine_statistics node;

			machine_statistics(stage->machine, n, &node);
			accesses += node.accesses;
			split += node.split + node.backs;
			parts += node.hits;
			for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
				parts += node.local[type] + node.remote[type];
		}
		assert_int_equal(accesses, statistics.accesses[SMILE_TYPE_READ] +
						   statistics.accesses[SMILE_TYPE_WRITE] +
						   statistics.accesses[SMILE_TYPE_LOCK]);
		assert_true(accesses > 6000);
		assert_int_equal(parts, accesses + split);
		assert_int_equal(statistics.words, words);
		assert_int_equal(statistics.threads, 1 + WORKERS);
		assert_int_equal(statistics.barriers, 3);
		assert_int_equal(statistics.acquisitions, WORKERS * 15);
		assert_true(statistics.contended > 0);
		assert_int_equal(statistics.host_orders + statistics.host_waits +
					 statistics.deadlocks + statistics.unannounced +
					 statistics.unended,
				 0);
		if (seed == 1)
			expected = stage_digest(stage);
		assert_int_equal(stage_digest(stage), expected);
		stage_free(stage);
	}
	program_check_drip(config, expected);
}

static void schedule_run_of_any_interleaving_gives_one_result(void **state)
{
	const struct machine_config config = {.nodes = 4, .watch = MACHINE_WATCH_ALL};

	program_check(&config);
}

static void schedule_run_without_responses_gives_one_result(void **state)
{
	const struct machine_config config = {
		.nodes = 5, .watch = MACHINE_WATCH_ALL, .no_responses = true};

	program_check(&config);
}

static void schedule_run_with_first_touch_gives_one_result(void **state)
{
	const struct machine_config config = {
		.nodes = 3, .watch = MACHINE_WATCH_ALL, .placement = placement_find("first-touch")};

	program_check(&config);
}

static void schedule_run_with_caches_gives_one_result(void **state)
{
	const struct machine_config config = {
		.nodes = 2,
		.watch = MACHINE_WATCH_ALL,
		.cache = {.bytes = 4096, .line_bytes = 64, .ways = 4}};

	program_check(&config);
}

/* If the caches hold all lines, the result changes as soon as a thread runs too early. */
static void schedule_run_with_caches_of_all_memory_gives_one_result(void **state)
{
	const struct machine_config config = {
		.nodes = 2,
		.watch = MACHINE_WATCH_ALL,
		.placement = placement_find("first-touch"),
		.caches = {2,
			   {{"l1", 1 << 18, 64, 8, 1, false}, {"llc", 1 << 20, 64, 8, 9, true}}}};

	program_check(&config);
}

/*
 * Three threads leave a barrier at the same cycle. The last two access one page; its home is the
 * node of the thread with the lower number. @late: write the words of this thread after those of
 * the others.
 */
static void page_check(bool late)
{
	const struct machine_config config = {.nodes = 3,
					      .placement = placement_find("first-touch")};
	struct stage *stage = stage_new(&config, NULL);
	struct machine_statistics nodes[3];
	size_t before;

	stage->count = 3;
	for (unsigned i = 0; i < 3; i++) {
		struct script *script = &stage->scripts[i];

		script_begin(script, STAGE_PID, i ? 9 + i : 0);
		for (unsigned w = 1; i == 0 && w < 3; w++)
			script_control(script, STREAM_CREATE, 9 + w, 1, (uint64_t)0);
		script_control(script, STREAM_BARRIER, 0x8000, 1, (uint64_t)3);
		script_access(script, STREAM_WRITE, i ? 50 * PAGE : 60 * PAGE, 3, 0);
		script_end(script);
	}
	before = stage->scripts[1].count - 2;
	for (unsigned i = 0; i < 3; i++) {
		stage_claim(stage, &stage->scripts[i], i);
		if (i == 1 && late)
			stage_write(stage, &stage->scripts[i], before);
		else
			stage_write_all(stage, &stage->scripts[i]);
	}
	for (unsigned i = 0; late && i < 20; i++)
		assert_true(schedule_run(stage->schedule, 1000) >= 0);
	if (late)
		stage_write_all(stage, &stage->scripts[1]);
	assert_int_equal(stage_run(stage), 0);
	assert_true(stage_ended(stage));
	for (unsigned n = 0; n < 3; n++)
		machine_statistics(stage->machine, n, &nodes[n]);
	assert_int_equal(nodes[0].local[SMILE_TYPE_WRITE], 1);
	assert_int_equal(nodes[1].local[SMILE_TYPE_WRITE], 1);
	assert_int_equal(nodes[2].remote[SMILE_TYPE_WRITE], 1);
	stage_free(stage);
}

static void schedule_run_gives_a_page_to_the_lower_number(void **state)
{
	page_check(false);
	page_check(true);
}

/* Phases that different threads mark must be reported in order, each with its own name. */
static void schedule_run_phases_are_reported_in_order(void **state)
{
	struct stage *stage = stage_new(NULL, NULL);
	uint64_t times[3];
	int end = 0;

	program_write(stage);
	stage_play(stage, 7);
	assert_int_equal(stage_statistics(stage).phases, 3);
	assert_int_equal(sscanf(stage->phases,
				"1 work @%" SCNu64 " 2 middle @%" SCNu64 " 3 end @%" SCNu64 " %n",
				&times[0], &times[1], &times[2], &end),
			 3);
	assert_int_equal(end, strlen(stage->phases));
	assert_true(times[0] < times[1] && times[1] < times[2]);
	stage_free(stage);
}

/* A different program must have a different digest. Otherwise, the tests above could never fail. */
static void stage_digest_of_another_program_is_another(void **state)
{
	struct stage *one = stage_new(NULL, NULL), *other = stage_new(NULL, NULL);

	program_write(one);
	program_write(other);
	/* Add one instruction. */
	other->scripts[3].words[10] += 1ULL << STREAM_WORK_SHIFT;
	stage_play(one, 1);
	stage_play(other, 1);
	assert_int_not_equal(stage_digest(one), stage_digest(other));
	stage_free(one);
	stage_free(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(schedule_run_of_any_interleaving_gives_one_result),
		cmocka_unit_test(schedule_run_without_responses_gives_one_result),
		cmocka_unit_test(schedule_run_with_first_touch_gives_one_result),
		cmocka_unit_test(schedule_run_with_caches_gives_one_result),
		cmocka_unit_test(schedule_run_with_caches_of_all_memory_gives_one_result),
		cmocka_unit_test(schedule_run_gives_a_page_to_the_lower_number),
		cmocka_unit_test(schedule_run_phases_are_reported_in_order),
		cmocka_unit_test(stage_digest_of_another_program_is_another),
	};

	return cmocka_run_group_tests_name("schedule_order", tests, NULL, NULL);
}
