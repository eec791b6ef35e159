/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the schedule with a program that writes random data to the stream's memory. May use
 * schedule_fixture.h and the C library.
 */
#include <errno.h>
#include <string.h>

#include "tests/unit/run/schedule/schedule_fixture.h"

#define ROUNDS 300U

static int stage_setup(void **state)
{
	struct stage *stage = stage_new(NULL, NULL);

	stage->count = 1;
	script_begin(&stage->scripts[0], STAGE_PID, 0);
	*state = stage;
	return 0;
}

static int stage_teardown(void **state)
{
	stage_free(*state);
	return 0;
}

/* The words of the first thread must be refused. After that, the replay must always fail. */
static void stage_expect_refusal(struct stage *stage)
{
	stage_claim(stage, &stage->scripts[0], 0);
	stage_write(stage, &stage->scripts[0], 100);
	assert_int_equal(stage_run(stage), -EPROTO);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_PROTOCOL], 1);
	assert_int_equal(schedule_run(stage->schedule, 100), -EPROTO);
	assert_int_equal(schedule_finish(stage->schedule), -EPROTO);
}

static void schedule_run_unknown_record_is_refused(void **state)
{
	struct stage *stage = *state;

	script_word(&stage->scripts[0], (uint64_t)STREAM_CONTROL << STREAM_KIND_SHIFT |
						(uint64_t)STREAM_OP_COUNT << STREAM_OP_SHIFT);
	stage_expect_refusal(stage);
}

static void schedule_run_access_too_large_is_refused(void **state)
{
	struct stage *stage = *state;

	script_access(&stage->scripts[0], STREAM_READ, 0x1000, 7, 0);
	stage_expect_refusal(stage);
}

static void schedule_run_access_beyond_the_last_address_is_refused(void **state)
{
	struct stage *stage = *state;

	script_access(&stage->scripts[0], STREAM_WRITE, STREAM_ADDRESS - 6, 3, 0);
	stage_expect_refusal(stage);
}

static void schedule_run_second_beginning_is_refused(void **state)
{
	struct stage *stage = *state;

	script_begin(&stage->scripts[0], STAGE_PID, 0);
	stage_expect_refusal(stage);
}

static void schedule_run_region_beyond_the_table_is_refused(void **state)
{
	struct stage *stage = *state;

	script_control(&stage->scripts[0], STREAM_REGION, STREAM_REGIONS, 0);
	stage_expect_refusal(stage);
}

static void schedule_run_region_that_ends_before_it_starts_is_refused(void **state)
{
	struct stage *stage = *state;
	struct stream_region *region = (void *)((char *)stage->memory + STREAM_REGIONS_AT);

	region[7] = (struct stream_region){.start = 0x2000, .end = 0x1000};
	script_control(&stage->scripts[0], STREAM_REGION, 7, 0);
	stage_expect_refusal(stage);
}

static void schedule_run_barrier_for_nobody_is_refused(void **state)
{
	struct stage *stage = *state;

	script_control(&stage->scripts[0], STREAM_BARRIER, 0x1000, 1, (uint64_t)0);
	stage_expect_refusal(stage);
}

static void schedule_run_key_that_there_is_is_refused(void **state)
{
	struct stage *stage = *state;

	script_control(&stage->scripts[0], STREAM_CREATE, 5, 1, (uint64_t)0);
	script_control(&stage->scripts[0], STREAM_CREATE, 5, 1, (uint64_t)0);
	stage_expect_refusal(stage);
}

static void schedule_run_channel_that_does_not_begin_is_refused(void **state)
{
	struct stage *stage = *state;

	stage->scripts[0].count = 0;
	for (unsigned i = 0; i < 3; i++)
		script_access(&stage->scripts[0], STREAM_READ, 0x1000, 2, 0);
	stage_expect_refusal(stage);
}

static void schedule_run_head_that_leaps_is_refused(void **state)
{
	struct stage *stage = *state;
	struct stream_channel *channel = (void *)((char *)stage->memory + STREAM_CHANNELS_AT);

	stage_claim(stage, &stage->scripts[0], 0);
	atomic_store(&channel->head, STREAM_CHANNEL_WORDS + 1);
	assert_int_equal(stage_run(stage), -EPROTO);
}

static void schedule_run_head_that_goes_back_is_refused(void **state)
{
	struct stage *stage = *state;
	struct stream_channel *channel = (void *)((char *)stage->memory + STREAM_CHANNELS_AT);

	stage_claim(stage, &stage->scripts[0], 0);
	stage_write(stage, &stage->scripts[0], 3);
	assert_int_equal(stage_run(stage), 0);
	atomic_store(&channel->head, 1);
	assert_int_equal(stage_run(stage), -EPROTO);
}

static void schedule_run_process_that_cannot_be_is_refused(void **state)
{
	static const uint32_t pids[] = {0, 1, 4194305, UINT32_MAX};

	for (size_t i = 0; i < sizeof(pids) / sizeof(pids[0]); i++) {
		struct stage *stage = stage_new(NULL, NULL);

		stage->count = 1;
		script_begin(&stage->scripts[0], pids[i], 0);
		stage_expect_refusal(stage);
		assert_int_equal(schedule_pids(stage->schedule, NULL, 0), 0);
		stage_free(stage);
	}
}

/* UINT64_MAX + 1 is 0, which is no valid key of a table. */
static void schedule_run_key_that_no_record_can_hold_is_refused(void **state)
{
	static const uint64_t keys[] = {STREAM_ADDRESS + 1, UINT64_MAX};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct stage *stage = stage_new(NULL, NULL);

		stage->count = 1;
		script_begin(&stage->scripts[0], STAGE_PID, keys[i]);
		stage_expect_refusal(stage);
		stage_free(stage);
	}
}

/* Write a record that is valid if one ignores the other records. */
static void record_write(struct stage *stage, struct script *script)
{
	uint64_t number = stage_random(stage);
	enum stream_op op = number % STREAM_OP_COUNT;
	static const uint8_t words[STREAM_OP_COUNT] = STREAM_OP_WORDS;
	uint64_t value = number >> 8 & (op == STREAM_CREATE ? STREAM_ADDRESS : 0xf);

	if (number >> 41 & 1) {
		script_access(script, (enum stream_kind)(number % 3), number >> 8 & 0xffffff,
			      number >> 44 & 3, number >> 50 & 0x7ff);
		return;
	}
	/* Let only a few records begin or end a thread, so that the others have an effect. */
	if ((op == STREAM_BEGIN || op == STREAM_END) && number >> 42 & 7)
		op = STREAM_WORK;
	script_word(script, value | (uint64_t)STREAM_CONTROL << STREAM_KIND_SHIFT |
				    (uint64_t)op << STREAM_OP_SHIFT);
	for (unsigned i = 1; i < words[op]; i++)
		script_word(script, 1 + (stage_random(stage) >> (40 + stage_random(stage) % 24)));
}

/* Replay random words of independent threads, which all end. Return: 0 or the error. */
static int nonsense_play(struct stage *stage, uint64_t seed)
{
	struct stream_region *regions = (void *)((char *)stage->memory + STREAM_REGIONS_AT);
	int err = 0;

	stage->random = seed;
	for (unsigned i = 0; i < 16; i++)
		regions[i] = (struct stream_region){.start = i << 20,
						    .end = (i << 20) + 1 +
							   stage_random(stage) % (1 << 20),
						    .kind = i % (seed % 4 ? 7 : 8)};
	stage->count = 4;
	for (unsigned i = 0; i < 4; i++) {
		struct script *script = &stage->scripts[i];

		if (i > 0)
			script_begin(script, STAGE_PID + i % 2, stage_random(stage) % 8);
		while (script->count < 200)
			record_write(stage, script);
		if (seed % 3 == 0)
			script->words[stage_random(stage) % 200] = stage_random(stage);
		stage_claim(stage, script, i);
	}
	for (unsigned i = 0; i < 40 && err == 0; i++) {
		struct script *script = &stage->scripts[stage_random(stage) % 4];

		if (!script->over)
			stage_write(stage, script, 30);
		err = schedule_run(stage->schedule, 50) < 0 ? -1 : 0;
		if (i == 30)
			schedule_dead(stage->schedule, STAGE_PID + 1);
	}
	return schedule_finish(stage->schedule);
}

static void schedule_run_nonsense_ends(void **state)
{
	unsigned refused = 0, accepted = 0, replayed = 0;

	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		struct stage *stage = stage_new(NULL, NULL);
		int err;

		script_begin(&stage->scripts[0], STAGE_PID, 0);
		err = nonsense_play(stage, seed);
		assert_true(err == 0 || err == -EPROTO || err == -ENOSPC || err == -EOVERFLOW);
		refused += err < 0;
		accepted += err == 0;
		replayed += stage_statistics(stage).words > 100;
		stage_free(stage);
	}
	assert_true(refused > ROUNDS / 20);
	assert_true(accepted > ROUNDS / 20);
	assert_true(replayed > ROUNDS / 20);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, stage_setup, stage_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(schedule_run_unknown_record_is_refused),
		TEST(schedule_run_access_too_large_is_refused),
		TEST(schedule_run_access_beyond_the_last_address_is_refused),
		TEST(schedule_run_second_beginning_is_refused),
		TEST(schedule_run_region_beyond_the_table_is_refused),
		TEST(schedule_run_region_that_ends_before_it_starts_is_refused),
		TEST(schedule_run_barrier_for_nobody_is_refused),
		TEST(schedule_run_key_that_there_is_is_refused),
		TEST(schedule_run_channel_that_does_not_begin_is_refused),
		TEST(schedule_run_head_that_leaps_is_refused),
		TEST(schedule_run_head_that_goes_back_is_refused),
		cmocka_unit_test(schedule_run_process_that_cannot_be_is_refused),
		cmocka_unit_test(schedule_run_key_that_no_record_can_hold_is_refused),
		cmocka_unit_test(schedule_run_nonsense_ends),
	};

	return cmocka_run_group_tests_name("schedule_hostile", tests, NULL, NULL);
}
