/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of epochs: the cycles at which they end, and the pause of all threads at these cycles. May
 * use schedule_fixture.h and the C library.
 */
#include <string.h>

#include "tests/unit/run/schedule/schedule_fixture.h"

#define PAGE SMILE_PAGE_BYTES

static struct stage *with_epochs(uint64_t cycles, bool phases)
{
	const struct schedule_config config = {.epoch_cycles = cycles, .epoch_phases = phases};

	return stage_new(NULL, &config);
}

/* Three threads on nodes 0 to 2. Each repeats 100 times: ten instructions and a local read. */
static void crew(struct stage *stage)
{
	stage_crew_begin(stage, 2);
	for (unsigned i = 0; i < 3; i++)
		for (unsigned k = 0; k < 100; k++) {
			script_work(&stage->scripts[i], 9);
			script_access(&stage->scripts[i], STREAM_READ, i * PAGE, 2, 0);
		}
	stage_crew_end(stage);
}

static void epochs_end_at_multiples_of_their_length(void **state)
{
	struct stage *stage = with_epochs(300, false);

	crew(stage);
	stage_play(stage, 9);
	assert_int_equal(stage->epoch_count, 3);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(stage->epochs[i], 300 * (i + 1));
	assert_int_equal(stage_thread(stage, 1).cycle, 1000);
	stage_free(stage);
}

static void threads_of_a_node_stand_still(void **state)
{
	struct stage *stage = with_epochs(400, false);

	stage->delays[1] = 7;
	crew(stage);
	stage_play(stage, 9);
	assert_int_equal(stage->epoch_count, 2);
	assert_int_equal(stage_thread(stage, 1).cycle, 1014);
	assert_int_equal(stage_thread(stage, 2).cycle, 1000);
	stage_free(stage);
}

static void an_epoch_in_which_nothing_happens_is_left_out(void **state)
{
	struct stage *stage = with_epochs(100, false);

	stage_crew_begin(stage, 0);
	script_work(&stage->scripts[0], 950);
	script_access(&stage->scripts[0], STREAM_READ, 0, 2, 0);
	stage_crew_end(stage);
	stage_play(stage, 9);
	assert_true(stage->epoch_count >= 1);
	assert_true(stage->epoch_count <= 2);
	stage_free(stage);
}

static void epochs_end_where_phases_begin(void **state)
{
	struct stage *stage = with_epochs(0, true);

	stage_crew_begin(stage, 0);
	script_work(&stage->scripts[0], 50);
	script_text(&stage->scripts[0], STREAM_PHASE, "one");
	script_work(&stage->scripts[0], 50);
	script_text(&stage->scripts[0], STREAM_PHASE, "two");
	stage_crew_end(stage);
	stage_play(stage, 9);
	assert_int_equal(stage->epoch_count, 2);
	assert_int_equal(stage->epochs[0], 50);
	assert_int_equal(stage->epochs[1], 100);
	stage_free(stage);
}

static void results_are_the_same_however_the_words_come(void **state)
{
	uint64_t digests[3];

	for (uint64_t seed = 0; seed < 3; seed++) {
		struct stage *stage = with_epochs(70, false);

		stage->delays[0] = 3;
		stage->delays[2] = 5;
		crew(stage);
		stage_play(stage, seed + 1);
		assert_true(stage->epoch_count > 10);
		digests[seed] = stage_digest(stage);
		stage_free(stage);
	}
	assert_int_equal(digests[0], digests[1]);
	assert_int_equal(digests[0], digests[2]);
}

/* There is one thread. Its clock passes the end of an epoch before its next word arrives. */
static void frames_after_an_epoch_do_not_precede_its_end(void **state)
{
	uint64_t digest = 0;

	for (uint64_t seed = 1; seed < 20; seed++) {
		struct stage *stage = with_epochs(100, false);

		stage_crew_begin(stage, 0);
		for (unsigned k = 0; k < 20; k++) {
			script_work(&stage->scripts[0], 130);
			script_access(&stage->scripts[0], STREAM_READ, PAGE, 2, 0);
		}
		stage_crew_end(stage);
		stage_play(stage, seed);
		assert_true(stage->epoch_count > 10);
		if (seed > 1)
			assert_int_equal(stage_digest(stage), digest);
		digest = stage_digest(stage);
		stage_free(stage);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(epochs_end_at_multiples_of_their_length),
		cmocka_unit_test(threads_of_a_node_stand_still),
		cmocka_unit_test(an_epoch_in_which_nothing_happens_is_left_out),
		cmocka_unit_test(epochs_end_where_phases_begin),
		cmocka_unit_test(results_are_the_same_however_the_words_come),
		cmocka_unit_test(frames_after_an_epoch_do_not_precede_its_end),
	};

	return cmocka_run_group_tests_name("schedule_epoch", tests, NULL, NULL);
}
