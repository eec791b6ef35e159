/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the NUMA machine: the cost of accesses, their frames, and the order of frames. May use
 * machine_fixture.h and the C library.
 */
#include <errno.h>
#include <string.h>

#include "tests/unit/machine/machine_fixture.h"

#define PAGE SMILE_PAGE_BYTES

static int machine_setup(void **state)
{
	const struct machine_config config = {.watch = MACHINE_WATCH_ALL};

	*state = recorder_new(&config);
	return 0;
}

static int machine_teardown(void **state)
{
	recorder_free(*state);
	return 0;
}

/* ---- building a machine ------------------------------------------------------------------- */

static void machine_create_defaults_are_the_1998_cluster(void **state)
{
	struct recorder *recorder = *state;

	assert_int_equal(machine_nodes(recorder->machine), 4);
	assert_int_equal(machine_frequency(recorder->machine), 200000000);
}

static void machine_create_value_out_of_range_is_refused(void **state)
{
	const struct machine_config crowded = {.nodes = MACHINE_NODES_MAX + 1};
	const struct machine_config hasty = {.frequency_hz = 10000000001};
	const struct machine_config blind = {.watch = 1};
	struct machine *machine = NULL;

	assert_int_equal(machine_create(&machine, &crowded, NULL, NULL), -EINVAL);
	assert_int_equal(machine_create(&machine, &hasty, NULL, NULL), -EINVAL);
	assert_int_equal(machine_create(&machine, &blind, NULL, NULL), -EINVAL);
	assert_null(machine);
}

static void latency_find_unknown_name_is_null(void **state)
{
	assert_non_null(latency_find("smile1998"));
	assert_null(latency_find("smile"));
	assert_null(latency_find(""));
}

static void placement_find_unknown_name_is_null(void **state)
{
	assert_non_null(placement_find("round-robin"));
	assert_null(placement_find("nowhere"));
}

static void placement_home_round_robin_is_page_modulo_nodes(void **state)
{
	struct placement placement = {.policy = placement_find("round-robin"), .nodes = 3};

	assert_int_equal(pages_home(placement_entry(&placement, 0, 2)), 0);
	assert_int_equal(pages_home(placement_entry(&placement, 5, 0)), 2);
	assert_int_equal(pages_home(placement_entry(&placement, 1ULL << 35, 1)), (1ULL << 35) % 3);
	placement_free(&placement);
}

/* ---- accesses ------------------------------------------------------------------------------ */

static void machine_access_local_costs_a_cycle_and_makes_no_frame(void **state)
{
	struct recorder *recorder = *state;

	machine_read(recorder->machine, 2, 2 * PAGE, 4);
	machine_write(recorder->machine, 2, 6 * PAGE + 4092, 4);
	machine_lock(recorder->machine, 2, 2 * PAGE, 4);
	assert_int_equal(machine_clock(recorder->machine, 2), 3);
	recorder_expect(recorder, "");
	assert_int_equal(recorder_statistics(recorder, 2).local[SMILE_TYPE_WRITE], 1);
	assert_int_equal(recorder_statistics(recorder, 2).local_cycles, 3);
	assert_int_equal(recorder_statistics(recorder, 2).frames, 0);
}

static void machine_access_remote_read_is_seen_on_both_links(void **state)
{
	struct recorder *recorder = *state;

	machine_read(recorder->machine, 1, 0x4, 4);
	assert_int_equal(machine_clock(recorder->machine, 1), 1000);
	recorder_expect(recorder, "1: @0 07 1>0 #0 0x4 +24\n"
				  "0: @0 07 1>0 #0 0x4 +24\n"
				  "1: @5000 7d 0>1 #0 0 +40\n"
				  "0: @5000 7d 0>1 #0 0 +40\n");
}

static void machine_access_remote_write_carries_its_data_out(void **state)
{
	struct recorder *recorder = *state;

	machine_write(recorder->machine, 0, 3 * PAGE + 8, 8);
	assert_int_equal(machine_clock(recorder->machine, 0), 20);
	recorder_expect(recorder, "0: @0 1f 0>3 #0 0x3008 +40\n"
				  "3: @0 1f 0>3 #0 0x3008 +40\n"
				  "0: @100 7c 3>0 #0 0 +24\n"
				  "3: @100 7c 3>0 #0 0 +24\n");
}

static void machine_access_remote_lock_carries_data_both_ways(void **state)
{
	struct recorder *recorder = *state;

	machine_lock(recorder->machine, 3, 12, 4);
	assert_int_equal(machine_clock(recorder->machine, 3), 1000);
	recorder_expect(recorder, "3: @0 2f 3>0 #0 0xc +40\n"
				  "0: @0 2f 3>0 #0 0xc +40\n"
				  "3: @5000 7d 0>3 #0 0 +40\n"
				  "0: @5000 7d 0>3 #0 0 +40\n");
}

static void machine_access_frames_have_the_bytes_of_a_capture(void **state)
{
	static const uint8_t request[24] = {
		0x02, 0, 0x0f, 0, 0x01, 0, 0x01, 0, 0x1c, 0x50, 0, 0, 0, 0, 0x01, 0,
	};
	static const uint8_t response[40] = {
		0x01, 0, 0x7d, 0, 0x02, 0, 0x01, 0, 0, 0, 0, 0, 0, 0, 0x01, 0,
	};
	struct recorder *recorder = *state;

	memset(recorder->request, 0xff, sizeof(recorder->request));
	memset(recorder->response, 0xff, sizeof(recorder->response));
	machine_read(recorder->machine, 2, PAGE, 4);
	machine_read(recorder->machine, 2, 5 * PAGE + 0x1c, 4);
	assert_int_equal(machine_barrier(recorder->machine), 0);
	assert_memory_equal(recorder->request, request, sizeof(request));
	assert_memory_equal(recorder->response, response, sizeof(response));
}

static void machine_access_crossing_a_block_is_split(void **state)
{
	struct recorder *recorder = *state;

	machine_write(recorder->machine, 1, 0x1c, 8);
	assert_int_equal(machine_clock(recorder->machine, 1), 40);
	assert_int_equal(recorder_statistics(recorder, 1).remote[SMILE_TYPE_WRITE], 2);
	machine_read(recorder->machine, 0, 2 * PAGE + 3, 40);
	assert_int_equal(recorder_statistics(recorder, 0).remote[SMILE_TYPE_READ], 3);
	assert_int_equal(machine_barrier(recorder->machine), 0);
	assert_non_null(strstr(recorder->text, "1: @0 1f 1>0 #0 0x1c +40\n"));
	assert_non_null(strstr(recorder->text, "1: @100 13 1>0 #1 0x20 +40\n"));
	assert_non_null(strstr(recorder->text, "0: @0 0f 0>2 #0 0x2003 +24\n"));
	assert_non_null(strstr(recorder->text, "0: @5000 0f 0>2 #1 0x2010 +24\n"));
	assert_non_null(strstr(recorder->text, "0: @10000 0a 0>2 #2 0x2020 +24\n"));
}

static void machine_access_crossing_a_page_goes_to_two_homes(void **state)
{
	struct recorder *recorder = *state;

	machine_write(recorder->machine, 0, 2 * PAGE - 4, 8);
	recorder_expect(recorder, "0: @0 1f 0>1 #0 0x1ffc +40\n"
				  "1: @0 1f 0>1 #0 0x1ffc +40\n"
				  "0: @100 7c 1>0 #0 0 +24\n"
				  "1: @100 7c 1>0 #0 0 +24\n"
				  "0: @100 13 0>2 #1 0x2000 +40\n"
				  "2: @100 13 0>2 #1 0x2000 +40\n"
				  "0: @200 7c 2>0 #1 0 +24\n"
				  "2: @200 7c 2>0 #1 0 +24\n");
}

static void machine_access_transaction_ids_cycle_by_source(void **state)
{
	struct recorder *recorder = *state;

	for (unsigned i = 0; i < 65; i++)
		machine_write(recorder->machine, 1, 0, 4);
	machine_write(recorder->machine, 2, 0, 4);
	assert_int_equal(machine_barrier(recorder->machine), 0);
	assert_non_null(strstr(recorder->text, "1: @6300 13 1>0 #63 0 +40\n"));
	assert_non_null(strstr(recorder->text, "1: @6400 13 1>0 #0 0 +40\n"));
	assert_non_null(strstr(recorder->text, "2: @0 13 2>0 #0 0 +40\n"));
}

static void machine_access_that_makes_no_sense_changes_nothing(void **state)
{
	const struct {
		unsigned node, type;
		uint64_t address;
		size_t bytes;
	} bad[] = {
		{4, SMILE_TYPE_READ, 0, 4},
		{1, SMILE_TYPE_ANY, 0, 4},
		{1, SMILE_TYPE_COUNT, 0, 4},
		{1, SMILE_TYPE_READ, 0, 0},
		{1, SMILE_TYPE_READ, 1ULL << SMILE_ADDRESS_BITS, 1},
		{1, SMILE_TYPE_READ, (1ULL << SMILE_ADDRESS_BITS) - 2, 4},
		{1, SMILE_TYPE_READ, UINT64_MAX, 4},
		{1, SMILE_TYPE_READ, 4, SIZE_MAX},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct recorder *recorder;

		machine_setup((void **)&recorder);
		machine_access(recorder->machine, bad[i].node, bad[i].type, bad[i].address,
			       bad[i].bytes);
		assert_int_equal(machine_clock(recorder->machine, 1), 0);
		assert_int_equal(machine_barrier(recorder->machine), -EINVAL);
		assert_int_equal(machine_mark(recorder->machine, 0), -EINVAL);
		assert_int_equal(recorder->used, 0);
		recorder_free(recorder);
	}
}

/* ---- order --------------------------------------------------------------------------------- */

static void machine_frames_of_one_cycle_come_responses_first_then_by_node(void **state)
{
	struct recorder *recorder = *state;

	machine_write(recorder->machine, 2, 0, 4);
	machine_write(recorder->machine, 2, 0, 4);
	machine_write(recorder->machine, 1, 0, 4);
	machine_work(recorder->machine, 3, 20);
	machine_write(recorder->machine, 1, 0, 4);
	machine_write(recorder->machine, 3, 0, 4);
	assert_int_equal(machine_barrier(recorder->machine), 0);
	recorder->text[recorder->used] = '\0';
	assert_non_null(strstr(recorder->text, "0: @0 13 1>0 #0 0 +40\n"
					       "2: @0 13 2>0 #0 0 +40\n"
					       "0: @0 13 2>0 #0 0 +40\n"
					       "1: @100 7c 0>1 #0 0 +24\n"
					       "0: @100 7c 0>1 #0 0 +24\n"
					       "2: @100 7c 0>2 #0 0 +24\n"
					       "0: @100 7c 0>2 #0 0 +24\n"
					       "1: @100 13 1>0 #1 0 +40\n"
					       "0: @100 13 1>0 #1 0 +40\n"
					       "2: @100 13 2>0 #1 0 +40\n"
					       "0: @100 13 2>0 #1 0 +40\n"
					       "3: @100 13 3>0 #0 0 +40\n"));
}

/* One access of a program. It depends only on the node and the step. */
static void program_step(struct machine *machine, unsigned node, uint64_t step)
{
	uint64_t number = (step * 64 + node + 1) * 0x9e3779b97f4a7c15ULL;

	number ^= number >> 29;
	number *= 0xbf58476d1ce4e5b9ULL;
	number ^= number >> 32;
	machine_work(machine, node, number % 7);
	machine_access(machine, node, 1 + number / 7 % 3, number / 32 % (32 * PAGE),
		       1 + number / 1024 % 20);
}

#define PROGRAM_STEPS 3000

/* Run the programs on six nodes. Return: the recorder, with the frames of the watched nodes. */
static struct recorder *program_run(uint64_t watch, bool in_turn)
{
	const struct machine_config config = {.nodes = 6, .watch = watch};
	struct recorder *recorder = recorder_new(&config);

	for (unsigned phase = 0; phase < 2; phase++) {
		unsigned steps = PROGRAM_STEPS;

		for (unsigned i = 0; i < 6 * steps; i++) {
			unsigned node = in_turn ? i % 6 : 5 - i / steps;

			program_step(recorder->machine, node, in_turn ? i / 6 : i % steps);
		}
		assert_int_equal(machine_mark(recorder->machine, phase), 0);
	}
	return recorder;
}

static void machine_frames_do_not_depend_on_the_order_of_calls(void **state)
{
	struct recorder *in_turn = program_run(MACHINE_WATCH_ALL, true);
	struct recorder *in_sequence = program_run(MACHINE_WATCH_ALL, false);

	assert_true(in_turn->used > 0);
	assert_int_equal(in_turn->used, in_sequence->used);
	assert_memory_equal(in_turn->text, in_sequence->text, in_turn->used);
	recorder_free(in_turn);
	recorder_free(in_sequence);
}

static void machine_frames_of_nodes_run_in_turn_do_not_pile_up(void **state)
{
	struct recorder *recorder = *state;

	for (unsigned i = 0; i < 10000; i++) {
		for (unsigned n = 0; n < 4; n++)
			machine_write(recorder->machine, n, (n + 1) % 4 * PAGE, 4);
	}
	/* Node 0 makes 10000 transactions; so does node 3. */
	assert_in_range(recorder->frames[0], 20000, 40000 - 1);
	assert_int_equal(machine_barrier(recorder->machine), 0);
	assert_int_equal(recorder->frames[0], 40000);
}

static void machine_frames_of_a_node_do_not_depend_on_who_else_is_watched(void **state)
{
	struct recorder *all = program_run(MACHINE_WATCH_ALL, true);
	struct recorder *one = program_run(1 << 2, true);
	const char *at = all->text, *end = all->text + all->used;
	size_t compared = 0;

	while (at < end) {
		const char *next = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;

		if (at[0] == '2') {
			assert_true(one->used - compared >= (size_t)(next - at));
			assert_memory_equal(one->text + compared, at, (size_t)(next - at));
			compared += (size_t)(next - at);
		}
		at = next;
	}
	assert_int_equal(compared, one->used);
	assert_true(compared > 0);
	assert_int_equal(one->frames[1], 0);
	recorder_free(all);
	recorder_free(one);
}

static void machine_statistics_agree_with_clock_and_frames(void **state)
{
	struct recorder *recorder = program_run(MACHINE_WATCH_ALL, false);

	for (unsigned n = 0; n < 6; n++) {
		struct machine_statistics node = recorder_statistics(recorder, n);

		assert_int_equal(node.frames, recorder->frames[n]);
		assert_int_equal(node.cycles, node.work_cycles + node.local_cycles +
						      node.remote_cycles[SMILE_TYPE_READ] +
						      node.remote_cycles[SMILE_TYPE_WRITE] +
						      node.remote_cycles[SMILE_TYPE_LOCK] +
						      node.wait_cycles);
		assert_int_equal(node.remote_cycles[SMILE_TYPE_READ],
				 1000 * node.remote[SMILE_TYPE_READ]);
		assert_int_equal(node.remote_cycles[SMILE_TYPE_WRITE],
				 20 * node.remote[SMILE_TYPE_WRITE]);
		assert_true(node.remote[SMILE_TYPE_LOCK] > 0);
	}
	assert_int_equal(machine_statistics(recorder->machine, 6, &(struct machine_statistics){0}),
			 -EINVAL);
	recorder_free(recorder);
}

/* ---- barriers, marks, clocks --------------------------------------------------------------- */

static void machine_barrier_advances_all_clocks_to_the_latest(void **state)
{
	struct recorder *recorder = *state;

	machine_work(recorder->machine, 1, 70);
	machine_work(recorder->machine, 3, 100);
	assert_int_equal(machine_barrier(recorder->machine), 0);
	for (unsigned n = 0; n < 4; n++)
		assert_int_equal(machine_clock(recorder->machine, n), 100);
	assert_int_equal(recorder_statistics(recorder, 1).work_cycles, 70);
	assert_int_equal(recorder_statistics(recorder, 1).wait_cycles, 30);
	assert_int_equal(recorder_statistics(recorder, 3).wait_cycles, 0);
}

static void machine_wait_for_the_past_returns_at_once(void **state)
{
	struct recorder *recorder = *state;

	machine_work(recorder->machine, 0, 50);
	machine_wait(recorder->machine, 0, 20);
	assert_int_equal(machine_clock(recorder->machine, 0), 50);
	machine_wait(recorder->machine, 0, 60);
	assert_int_equal(machine_clock(recorder->machine, 0), 60);
	assert_int_equal(recorder_statistics(recorder, 0).wait_cycles, 10);
}

static void machine_mark_is_seen_by_every_node_on_its_own_link(void **state)
{
	struct recorder *recorder = *state;

	machine_write(recorder->machine, 1, 0, 4);
	assert_int_equal(machine_mark(recorder->machine, 5), 0);
	recorder_expect(recorder, "1: @0 13 1>0 #0 0 +40\n"
				  "0: @0 13 1>0 #0 0 +40\n"
				  "1: @100 7c 0>1 #0 0 +24\n"
				  "0: @100 7c 0>1 #0 0 +24\n"
				  "0: @100 48 0>0 #0 0x5 +24\n"
				  "1: @100 48 1>1 #0 0x5 +24\n"
				  "2: @100 48 2>2 #0 0x5 +24\n"
				  "3: @100 48 3>3 #0 0x5 +24\n");
}

static void machine_time_ns_of_a_broken_period_is_rounded_down(void **state)
{
	const struct machine_config config = {.frequency_hz = 300000000};
	struct machine *machine;

	assert_int_equal(machine_create(&machine, &config, NULL, NULL), 0);
	assert_int_equal(machine_time_ns(machine, 1), 3);
	assert_int_equal(machine_time_ns(machine, 2), 6);
	assert_int_equal(machine_time_ns(machine, 3), 10);
	assert_int_equal(machine_time_ns(machine, 300000000ULL * 86400 * 365),
			 1000000000ULL * 86400 * 365);
	machine_destroy(machine);
}

static void machine_work_beyond_the_clock_is_an_error(void **state)
{
	struct recorder *recorder = *state;

	machine_work(recorder->machine, 0, UINT64_MAX);
	assert_int_equal(machine_clock(recorder->machine, 0), 0);
	assert_int_equal(machine_barrier(recorder->machine), -EOVERFLOW);
}

static void machine_fail_first_error_stays(void **state)
{
	struct recorder *recorder = *state;

	machine_fail(recorder->machine, -EIO);
	machine_fail(recorder->machine, -ENOSPC);
	assert_int_equal(machine_barrier(recorder->machine), -EIO);
	assert_int_equal(machine_barrier(recorder->machine), -EIO);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, machine_setup, machine_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(machine_create_defaults_are_the_1998_cluster),
		TEST(machine_create_value_out_of_range_is_refused),
		TEST(latency_find_unknown_name_is_null),
		TEST(placement_find_unknown_name_is_null),
		TEST(placement_home_round_robin_is_page_modulo_nodes),
		TEST(machine_access_local_costs_a_cycle_and_makes_no_frame),
		TEST(machine_access_remote_read_is_seen_on_both_links),
		TEST(machine_access_remote_write_carries_its_data_out),
		TEST(machine_access_remote_lock_carries_data_both_ways),
		TEST(machine_access_frames_have_the_bytes_of_a_capture),
		TEST(machine_access_crossing_a_block_is_split),
		TEST(machine_access_crossing_a_page_goes_to_two_homes),
		TEST(machine_access_transaction_ids_cycle_by_source),
		TEST(machine_access_that_makes_no_sense_changes_nothing),
		TEST(machine_frames_of_one_cycle_come_responses_first_then_by_node),
		TEST(machine_frames_do_not_depend_on_the_order_of_calls),
		TEST(machine_frames_of_nodes_run_in_turn_do_not_pile_up),
		TEST(machine_frames_of_a_node_do_not_depend_on_who_else_is_watched),
		TEST(machine_statistics_agree_with_clock_and_frames),
		TEST(machine_barrier_advances_all_clocks_to_the_latest),
		TEST(machine_wait_for_the_past_returns_at_once),
		TEST(machine_mark_is_seen_by_every_node_on_its_own_link),
		TEST(machine_time_ns_of_a_broken_period_is_rounded_down),
		TEST(machine_work_beyond_the_clock_is_an_error),
		TEST(machine_fail_first_error_stays),
	};

	return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
