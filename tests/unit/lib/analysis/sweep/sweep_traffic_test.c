/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/analysis/sweep: sweep_file.c reads captures and recordings, and sweep_traffic.c
 * keeps the part that the caller chose.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/field.h>
#include <hw/blink.h>

#include "lib/analysis/sweep/sweep_file.h"
#include "tests/unit/lib_fixture.h"

/* ---- traffic ------------------------------------------------------------------------------- */

/**
 * struct frame - The parts of a request that a card reads.
 */
struct frame {
	unsigned int command;
	unsigned int source;
	unsigned int target;
	unsigned int page;
};

/*
 * Frames on the B-Link of node 0: three accesses to page 5, two to page 7, and one to page 6 of
 * node 2.
 */
static const struct frame node_0[] = {
	{BLINK_READSB, 1, 0, 5},  {BLINK_READSB, 2, 0, 7}, {BLINK_WRITESB, 2, 0, 5},
	{BLINK_WRITESB, 0, 2, 6}, {BLINK_LOCKSB, 1, 0, 7}, {BLINK_READSB, 2, 0, 5},
};

static struct sweep_event request(const struct frame *frame)
{
	return (struct sweep_event){
		.bd1 = htole64(SMILE_PUT(BLINK_BD1_SOURCE, (uint64_t)frame->source) |
			       SMILE_PUT(BLINK_BD1_TARGET, (uint64_t)frame->target) |
			       SMILE_PUT(BLINK_BD1_COMMAND, (uint64_t)frame->command + 3)),
		.bd2 = htole64(
			SMILE_PUT(BLINK_BD2_ADDRESS, (uint64_t)frame->page * SMILE_PAGE_BYTES)),
	};
}

/*
 * Write a capture of @frames, 1 us apart; the first is at 1 us. Return: the path; the caller must
 * free it.
 */
static char *captured(const char *name, const struct frame *frames, size_t count)
{
	char *path = strdup(scratch_path(name));
	struct Monitor_capture *capture;

	assert_int_equal(Monitor_capture_create(&capture, path), 0);
	for (size_t i = 0; i < count; i++) {
		struct sweep_event event = request(&frames[i]);

		assert_int_equal(
			Monitor_capture_write(capture, &event, sizeof(event), 1000 * (i + 1)), 0);
	}
	assert_int_equal(Monitor_capture_close(capture), 0);
	return path;
}

/* Write the records of @frames by the card of node 0. Return: the path; the caller must free it. */
static char *recorded(const char *name, const struct frame *frames, size_t count,
		      unsigned int entries, unsigned int mode)
{
	char *path = strdup(scratch_path(name));
	struct smile_config config;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	Monitor_config_default(&config);
	config.entries = entries;
	config.max_range_bytes = 4;
	config.mode = mode;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_save(mon, path, "test"), 0);
	assert_int_equal(Monitor_start(mon), 0);
	for (size_t i = 0; i < count; i++) {
		struct sweep_event event = request(&frames[i]);

		assert_int_equal(Monitor_packet(mon, &event, sizeof(event), 1000 * (i + 1)), 0);
	}
	assert_true(Monitor_swap(mon) >= 0);
	while (Monitor_poll(mon, 0) > 0)
		continue;
	assert_int_equal(Monitor_close(mon), 0);
	return path;
}

/* ---- the caller ---------------------------------------------------------------------------- */

static char warned[256];
static uint64_t frames_seen = UINT64_MAX;
static int stop;

static void warn(const char *path, const char *text)
{
	snprintf(warned, sizeof(warned), "%s", text);
}

static void progress(const char *path, const char *what, uint64_t count)
{
	assert_true(!strcmp(what, "frames") || !strcmp(what, "records"));
	frames_seen = count;
}

static int interrupted(void)
{
	return stop;
}

static const struct sweep_ops ops = {
	.interrupted = interrupted, .progress = progress, .warn = warn};

static const struct sweep_choice busiest = {.filter = SMILE_FILTER_TYPES};

static int setup(void **state)
{
	warned[0] = '\0';
	frames_seen = UINT64_MAX;
	stop = 0;
	return 0;
}

/* Load the traffic of one capture of node_0. */
static int loaded(struct sweep_traffic *traffic, const struct sweep_choice *choice)
{
	char *path = captured("node0.pcap", node_0, 6);
	int result;

	*traffic = (struct sweep_traffic){0};
	result = sweep_traffic_load(traffic, &path, 1, choice, &ops);
	free(path);
	return result;
}

/* ---- the traffic that is kept ---------------------------------------------------------------- */

static void the_busiest_page_is_kept(void **state)
{
	const struct sweep_event second = request(&node_0[2]);
	struct sweep_traffic traffic;

	assert_int_equal(loaded(&traffic, &busiest), 0);
	assert_int_equal(traffic.count, 3);
	assert_int_equal(traffic.page, 5);
	assert_int_equal(traffic.node, 0);
	assert_memory_equal(&traffic.events[1], &second, sizeof(second));
	/* The duration is the time between the first frame and the last frame. */
	assert_true(traffic.timed && traffic.duration_ns == 5000 && !traffic.untyped);
	assert_int_equal(frames_seen, 0);
	assert_string_equal(warned, "");
	free(traffic.events);
}

static void a_page_is_kept_at_its_home(void **state)
{
	const struct sweep_choice page = {.page_given = 1, .page = 7, .filter = SMILE_FILTER_TYPES};
	const struct sweep_choice away = {.page_given = 1, .page = 6, .filter = SMILE_FILTER_TYPES};
	struct sweep_traffic traffic;

	assert_int_equal(loaded(&traffic, &page), 0);
	assert_int_equal(traffic.count, 2);
	free(traffic.events);
	/* Page 6 is on node 2, but this is the capture of node 0. */
	assert_int_equal(loaded(&traffic, &away), -ENODATA);
	assert_non_null(strstr(Monitor_error_message(), "no access to page 6 at its home"));
	free(traffic.events);
}

static void a_whole_node_is_both_ways(void **state)
{
	const struct sweep_choice whole = {
		.whole = 1, .node_given = 1, .filter = SMILE_FILTER_TYPES};
	struct sweep_traffic traffic;

	assert_int_equal(loaded(&traffic, &whole), 0);
	assert_int_equal(traffic.count, 6);
	free(traffic.events);
}

static void types_are_chosen(void **state)
{
	const struct sweep_choice writes = {
		.page_given = 1, .page = 5, .filter = SMILE_FILTER_WRITE};
	struct sweep_traffic traffic;

	assert_int_equal(loaded(&traffic, &writes), 0);
	assert_int_equal(traffic.count, 1);
	free(traffic.events);
}

static void nothing_left_is_an_error(void **state)
{
	const struct sweep_choice other = {
		.whole = 1, .node_given = 1, .node = 3, .filter = SMILE_FILTER_TYPES};
	struct sweep_traffic traffic;

	assert_int_equal(loaded(&traffic, &other), -ENODATA);
	assert_non_null(strstr(Monitor_error_message(), "of node 3; see --types"));
	free(traffic.events);
}

static void a_caller_ends_it(void **state)
{
	struct sweep_traffic traffic;

	stop = 1;
	assert_int_equal(loaded(&traffic, &busiest), -EINTR);
	assert_string_equal(Monitor_error_message(), "interrupted");
	free(traffic.events);
}

/* ---- the node of a B-Link -------------------------------------------------------------------- */

static int frames_loaded(const struct frame *frames, size_t count)
{
	char *path = captured("some.pcap", frames, count);
	struct sweep_traffic traffic = {0};
	int result = sweep_traffic_load(&traffic, &path, 1, &busiest, &ops);

	free(traffic.events);
	free(path);
	return result;
}

static void a_b_link_of_one_node_is_needed(void **state)
{
	static const struct frame two[] = {{BLINK_READSB, 1, 0, 5}, {BLINK_READSB, 0, 1, 6}};
	static const struct frame none[] = {{BLINK_READSB, 1, 0, 5}, {BLINK_READSB, 2, 3, 6}};

	assert_int_equal(frames_loaded(two, 2), -ENODATA);
	assert_non_null(strstr(Monitor_error_message(), "between nodes 1 and 0: which node"));
	assert_int_equal(frames_loaded(none, 2), -ENODATA);
	assert_non_null(strstr(Monitor_error_message(), "is not from one node's B-Link"));
}

static void each_node_is_given_once(void **state)
{
	char *path = captured("node0.pcap", node_0, 6);
	char *paths[] = {path, path};
	struct sweep_traffic traffic = {0};

	assert_int_equal(sweep_traffic_load(&traffic, paths, 2, &busiest, &ops), -EEXIST);
	assert_non_null(strstr(Monitor_error_message(), "is of node 0, like an earlier file"));
	free(traffic.events);
	free(path);
}

static void frames_of_something_else_are_warned_of(void **state)
{
	static const struct frame strange[] = {{0xf0, 1, 0, 5}};

	assert_int_equal(frames_loaded(strange, 1), -ENODATA);
	assert_non_null(strstr(warned, "holds no frame that is a request"));
}

/* ---- recordings ---------------------------------------------------------------------------- */

static int recording_loaded(struct sweep_traffic *traffic, const struct sweep_choice *choice,
			    unsigned int entries, unsigned int mode)
{
	char *path = recorded("trace.rec", node_0, 6, entries, mode);
	int result;

	*traffic = (struct sweep_traffic){0};
	result = sweep_traffic_load(traffic, &path, 1, choice, &ops);
	free(path);
	return result;
}

static void a_trace_reports_the_requests_of_its_capture(void **state)
{
	struct sweep_traffic traffic;

	assert_int_equal(recording_loaded(&traffic, &busiest, 1, SMILE_MODE_TYPED_TAGS), 0);
	assert_int_equal(traffic.count, 3);
	assert_int_equal(traffic.page, 5);
	for (size_t i = 0; i < 3; i++) {
		const struct sweep_event event = request(&node_0[i == 2 ? 5 : 2 * i]);

		assert_memory_equal(&traffic.events[i], &event, sizeof(event));
	}
	assert_false(traffic.untyped);
	assert_true(frames_seen >= 6);
	free(traffic.events);
}

static void untyped_records_are_noted(void **state)
{
	const struct sweep_choice reads = {.filter = SMILE_FILTER_READ};
	struct sweep_traffic traffic;

	assert_int_equal(recording_loaded(&traffic, &busiest, 1, 0), 0);
	assert_true(traffic.untyped && traffic.count == 3);
	free(traffic.events);
	assert_int_equal(recording_loaded(&traffic, &reads, 1, 0), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "untyped tags"));
	free(traffic.events);
}

static void a_recording_of_counts_has_no_order(void **state)
{
	struct sweep_traffic traffic;

	assert_int_equal(recording_loaded(&traffic, &busiest, 16, SMILE_MODE_TYPED_TAGS), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "with 16 counters"));
	free(traffic.events);
}

static void a_missing_file_is_named(void **state)
{
	char path[] = "/nonexistent.pcap", *paths[] = {path};
	struct sweep_traffic traffic = {0};

	assert_int_equal(sweep_traffic_load(&traffic, paths, 1, &busiest, &ops), -ENOENT);
	assert_non_null(strstr(Monitor_error_message(), "/nonexistent.pcap"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_busiest_page_is_kept, setup),
		cmocka_unit_test_setup(a_page_is_kept_at_its_home, setup),
		cmocka_unit_test_setup(a_whole_node_is_both_ways, setup),
		cmocka_unit_test_setup(types_are_chosen, setup),
		cmocka_unit_test_setup(nothing_left_is_an_error, setup),
		cmocka_unit_test_setup(a_caller_ends_it, setup),
		cmocka_unit_test_setup(a_b_link_of_one_node_is_needed, setup),
		cmocka_unit_test_setup(each_node_is_given_once, setup),
		cmocka_unit_test_setup(frames_of_something_else_are_warned_of, setup),
		cmocka_unit_test_setup(a_trace_reports_the_requests_of_its_capture, setup),
		cmocka_unit_test_setup(untyped_records_are_noted, setup),
		cmocka_unit_test_setup(a_recording_of_counts_has_no_order, setup),
		cmocka_unit_test_setup(a_missing_file_is_named, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
