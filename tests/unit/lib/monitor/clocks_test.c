/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/monitor/clocks.c: merged recordings, and the range of times in which a phase has
 * begun on their nodes. The tests in the guest read pairs of times from a card's driver.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/monitor/monitor.h"
#include "tests/unit/lib_fixture.h"

/*
 * struct times - The contents of a recording: host, first pair of times, phase mark, and two flags.
 * One flag means that `smile run` wrote it. The other means that the card uses its host's clock,
 * without pairs of times.
 */
struct times {
	const char *boot;
	struct clock_pair pair;
	uint64_t mark_ns;
	int simulated;
	int is_host;
};

static void write_one(const char *path, unsigned int node, const struct times *times)
{
	struct smile_info info = {.size = sizeof(info)};
	struct smile_statistics statistics = {.size = sizeof(statistics)};
	const struct smile_record record = record_mark(1, 1, times->mark_ns);
	struct recording_writer *writer;
	struct map map = {0};

	Monitor_config_default(&info.config);
	info.config.node = node;
	assert_int_equal(smile_recording_create(&writer, path, "test", &info, NULL, 0, NULL), 0);
	assert_int_equal(smile_recording_append(writer, &record, times->mark_ns ? 1 : 0), 0);
	if (times->is_host)
		assert_int_equal(
			smile_clocks_host(&map.clocks, node, (const unsigned char *)times->boot),
			0);
	for (int i = 0; times->boot && !times->is_host && i < 2; i++) {
		struct clock_pair pair = times->pair;

		/* The second pair is one minute later. */
		pair.card_ns += (uint64_t)i * 60000000000;
		pair.raw_ns += (uint64_t)i * 60000000000;
		pair.real_ns += (uint64_t)i * 60000000000;
		assert_int_equal(smile_clocks_add(&map.clocks, node,
						  (const unsigned char *)times->boot, &pair),
				 0);
	}
	if (times->simulated)
		assert_int_equal(smile_map_parameters_set(&map, "{\"schema\":\"smile.run/2\"}"), 0);
	assert_int_equal(smile_recording_map(writer, &map), 0);
	assert_int_equal(smile_recording_finish(writer, &statistics), 0);
	smile_map_free(&map);
}

static struct Monitor *merged(const struct times *left, const struct times *right)
{
	struct Monitor *mon;
	char path[128];

	write_one(scratch_path("left.rec"), 0, left);
	write_one(scratch_path("right.rec"), 1, right);
	snprintf(path, sizeof(path), "file:%s", scratch_path("left.rec"));
	assert_int_equal(Monitor_open(&mon, path), 0);
	snprintf(path, sizeof(path), "file:%s", scratch_path("right.rec"));
	assert_int_equal(Monitor_attach(mon, path), 0);
	while (Monitor_poll(mon, 0) > 0)
		;
	return mon;
}

static void expect_unknown(const struct times *left, const struct times *right, const char *why)
{
	struct Monitor *mon = merged(left, right);
	uint64_t spread_ns = 7;

	assert_int_equal(Monitor_phase_spread(mon, 1, &spread_ns), -ENODATA);
	assert_non_null(strstr(Monitor_error_message(), why));
	assert_int_equal(spread_ns, 7);
	Monitor_close(mon);
}

#define HOST_A "0123456789abcdef"
#define HOST_B "0123456789abcdeX"

/* The clocks of the cards started at different times: 5000 on one card is 1000 on the other. */
static void cards_of_one_host_have_its_clock(void **state)
{
	const struct times left = {HOST_A, {5000, 100000, 10, 0, CLOCKS_UNKNOWN}, 5000, 0, 0};
	const struct times right = {HOST_A, {1000, 100000, 20, 0, CLOCKS_UNKNOWN}, 1300, 0, 0};
	struct Monitor *mon = merged(&left, &right);
	uint64_t spread_ns;

	assert_int_equal(Monitor_phase_spread(mon, 1, &spread_ns), 0);
	/* The marks are 300 ns apart. The errors of both readings and of the rounding are added. */
	assert_int_equal(spread_ns, 300 + 11 + 21);
	assert_int_equal(Monitor_phase_spread(mon, 0, &spread_ns), -EINVAL);
	assert_int_equal(Monitor_phase_spread(mon, 9, &spread_ns), -EINVAL);
	Monitor_close(mon);
}

static void hosts_have_the_time_of_day(void **state)
{
	const struct times left = {HOST_A, {5000, 100000, 10, 900000, 500}, 5000, 0, 0};
	const struct times right = {HOST_B, {1000, 777, 20, 900000, 2000}, 1300, 0, 0};
	struct Monitor *mon = merged(&left, &right);
	uint64_t spread_ns;

	assert_int_equal(Monitor_phase_spread(mon, 1, &spread_ns), 0);
	/* The bounds of the right recording are farther apart on both sides. */
	assert_int_equal(spread_ns, 2 * 2001);
	Monitor_close(mon);
}

/* As with `smile cluster`, no error is added, however far the mark is from other times. */
static void cards_with_their_hosts_clock_are_exact(void **state)
{
	struct times left = {.boot = HOST_A, .mark_ns = 5000, .is_host = 1};
	struct times right = {.boot = HOST_A, .mark_ns = 45000, .is_host = 1};
	const struct times real = {HOST_A, {5000, 100000, 10, 900000, 500}, 5000, 0, 0};
	struct Monitor *mon = merged(&left, &right);
	uint64_t spread_ns;

	assert_int_equal(Monitor_phase_spread(mon, 1, &spread_ns), 0);
	assert_int_equal(spread_ns, 40000);
	Monitor_close(mon);
	right.boot = HOST_B;
	expect_unknown(&left, &right, "node 0: its card has its host's clock");
	/*
	 * One card uses its host's clock. The other card's clock is compared with another clock of
	 * that host.
	 */
	expect_unknown(&left, &real, "node 0: its card has its host's clock");
}

static void a_simulation_has_one_clock(void **state)
{
	const struct times left = {.mark_ns = 5000, .simulated = 1};
	struct times right = {.mark_ns = 5200, .simulated = 1};
	struct Monitor *mon = merged(&left, &right);
	uint64_t spread_ns;

	assert_int_equal(Monitor_phase_spread(mon, 1, &spread_ns), 0);
	assert_int_equal(spread_ns, 200);
	Monitor_close(mon);
	right.simulated = 0;
	expect_unknown(&left, &right, "has no times of its host");
}

static void what_is_missing_is_named(void **state)
{
	const struct times left = {HOST_A, {5000, 100000, 10, 900000, 500}, 5000, 0, 0};
	struct times right = {HOST_B, {1000, 777, 20, 900000, CLOCKS_UNKNOWN}, 1300, 0, 0};

	expect_unknown(&left, &right, "node 1: its time of day is not synchronised");
	right.boot = NULL;
	expect_unknown(&left, &right, "the recording of node 1 has no times of its host");
	right = left;
	right.mark_ns = 0;
	expect_unknown(&left, &right, "node 1 has no phase 1");
}

static void one_recording_has_no_spread(void **state)
{
	const struct times left = {HOST_A, {5000, 100000, 10, 900000, 500}, 5000, 0, 0};
	struct Monitor *mon;
	uint64_t spread_ns;

	write_one(scratch_path("left.rec"), 0, &left);
	assert_int_equal(Monitor_open(&mon, scratch_path("left.rec")), 0);
	assert_int_equal(Monitor_poll(mon, 0), 1);
	assert_int_equal(Monitor_phase_spread(mon, 1, &spread_ns), -ENODATA);
	assert_non_null(strstr(Monitor_error_message(), "only several cards or recordings"));
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cards_of_one_host_have_its_clock),
		cmocka_unit_test(hosts_have_the_time_of_day),
		cmocka_unit_test(cards_with_their_hosts_clock_are_exact),
		cmocka_unit_test(a_simulation_has_one_clock),
		cmocka_unit_test(what_is_missing_is_named),
		cmocka_unit_test(one_recording_has_no_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
