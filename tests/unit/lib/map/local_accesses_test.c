/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of local accesses: lib/map/local_accesses.c, the trailer (lib/map/trailer.c), and merged
 * recordings (lib/map/map_merge.c). They also test accesses in intervals.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/packed_sequence.h"
#include "lib/map/intervals.h"
#include "lib/map/trailer.h"
#include "lib/monitor/monitor.h"
#include "tests/unit/lib_fixture.h"

static void add(struct Monitor *mon, uint64_t page, uint32_t phase, uint32_t node, uint64_t reads,
		uint64_t writes, uint64_t locks)
{
	const struct Monitor_local local = {page, phase, node, reads, writes, locks};

	assert_int_equal(Monitor_local_add(mon, &local), 0);
}

static void expect(struct Monitor *mon, const struct Monitor_local *wanted, int count)
{
	struct Monitor_local got[8];

	memset(got, 0xff, sizeof(got));
	assert_int_equal(Monitor_locals(mon, got, 8), count);
	assert_memory_equal(got, wanted, (size_t)count * sizeof(*wanted));
}

/* Write a recording of node @node that contains local accesses of node @of. */
static const char *recorded(unsigned int node, unsigned int of, uint64_t reads)
{
	static char paths[4][128];
	struct smile_config config;
	struct Monitor *mon;
	char name[32];

	snprintf(name, sizeof(name), "local%u.rec", node);
	snprintf(paths[node], sizeof(paths[node]), "%s", scratch_path(name));
	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	Monitor_config_default(&config);
	config.node = node;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_save(mon, paths[node], "test"), 0);
	add(mon, 100 + of, 1, of, reads, 2, 3);
	add(mon, 100 + of, 0, of, 1, 0, 0);
	assert_int_equal(Monitor_local_node_add(mon, of), 0);
	assert_int_equal(Monitor_close(mon), 0);
	return paths[node];
}

static void locals_of_one_page_and_phase_add_up(void **state)
{
	const struct Monitor_local wanted[] = {
		{5, 0, 1, 10, 0, 9}, {5, MONITOR_PHASE_UNKNOWN, 1, 0, 4, 0}, {7, 2, 0, 1, 1, 1}};
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	expect(mon, NULL, 0);
	add(mon, 7, 2, 0, 1, 1, 1);
	add(mon, 5, MONITOR_PHASE_UNKNOWN, 1, 0, 4, 0);
	add(mon, 5, 0, 1, 3, 0, 0);
	add(mon, 5, 0, 1, 7, 0, 9);
	add(mon, 6, 0, 1, 0, 0, 0);
	expect(mon, wanted, 3);
	assert_int_equal(Monitor_locals(mon, NULL, 0), 3);
	assert_int_equal(Monitor_local_known(mon, 1), 0);
	assert_int_equal(Monitor_local_node_add(mon, 1), 0);
	assert_int_equal(Monitor_local_node_add(mon, 1), 0);
	assert_int_equal(Monitor_local_known(mon, 1), 1);
	assert_int_equal(Monitor_local_known(mon, 0), 0);
	Monitor_close(mon);
}

static void locals_that_cannot_be_are_refused(void **state)
{
	const struct Monitor_local wrong[] = {
		{1ULL << 36, 0, 0, 1, 0, 0}, {1, 0, 65536, 1, 0, 0}, {3, 0, 0, UINT64_MAX, 0, 0}};
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	add(mon, 3, 0, 0, 1, 0, 0);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(Monitor_local_add(mon, &wrong[i]), -EINVAL);
	assert_int_equal(Monitor_local_node_add(mon, 65536), -EINVAL);
	expect(mon, (const struct Monitor_local[]){{3, 0, 0, 1, 0, 0}}, 1);
	Monitor_close(mon);
}

static void locals_are_kept_in_recordings_and_merged(void **state)
{
	const struct Monitor_local wanted[] = {{100, 0, 0, 1, 0, 0},
					       {100, 1, 0, 5, 2, 3},
					       {101, 0, 1, 1, 0, 0},
					       {101, 1, 1, 6, 2, 3}};
	const char *first = recorded(0, 0, 5), *second = recorded(1, 1, 6);
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, first), 0);
	expect(mon, wanted, 2);
	assert_int_equal(Monitor_local_known(mon, 0), 1);
	assert_int_equal(Monitor_local_known(mon, 1), 0);
	assert_int_equal(Monitor_attach(mon, second), 0);
	expect(mon, wanted, 4);
	assert_int_equal(Monitor_local_known(mon, 1), 1);
	/* A second recording of the same run with the same counts adds nothing. */
	assert_int_equal(Monitor_attach(mon, recorded(2, 1, 6)), 0);
	expect(mon, wanted, 4);
	/* A recording with different counts must be of another run. */
	assert_int_equal(Monitor_attach(mon, recorded(3, 1, 7)), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "their own memory"));
	expect(mon, wanted, 4);
	Monitor_close(mon);
}

/* Write a recording of node @node that contains accesses of node @of in intervals. */
static const char *recorded_intervals(unsigned int node, unsigned int of, uint64_t reads)
{
	const struct Monitor_interval accesses[] = {{200, 0, of, reads, 2, 3},
						    {200, 9, of, 0, 0, 1}};
	static char paths[4][128];
	struct smile_config config;
	struct Monitor *mon;
	char name[32];

	snprintf(name, sizeof(name), "interval%u.rec", node);
	snprintf(paths[node], sizeof(paths[node]), "%s", scratch_path(name));
	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	Monitor_config_default(&config);
	config.node = node;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_save(mon, paths[node], "test"), 0);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(Monitor_interval_add(mon, &accesses[i]), 0);
	assert_int_equal(Monitor_interval_node_add(mon, of), 0);
	assert_int_equal(Monitor_close(mon), 0);
	return paths[node];
}

static void intervals_are_kept_in_recordings_and_merged(void **state)
{
	const struct Monitor_interval wanted[] = {{200, 0, 0, 5, 2, 3},
						  {200, 9, 0, 0, 0, 1},
						  {200, 0, 1, 6, 2, 3},
						  {200, 9, 1, 0, 0, 1}};
	struct Monitor_interval got[8];
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, recorded_intervals(0, 0, 5)), 0);
	assert_int_equal(Monitor_interval_known(mon, 0), 1);
	assert_int_equal(Monitor_interval_known(mon, 1), 0);
	/* Accesses that are recorded in intervals do not count as local accesses. */
	assert_int_equal(Monitor_local_known(mon, 0), 0);
	assert_int_equal(Monitor_locals(mon, NULL, 0), 0);
	assert_int_equal(Monitor_attach(mon, recorded_intervals(1, 1, 6)), 0);
	assert_int_equal(Monitor_attach(mon, recorded_intervals(2, 1, 6)), 0);
	assert_int_equal(Monitor_attach(mon, recorded_intervals(3, 1, 7)), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "between meetings"));
	memset(got, 0xff, sizeof(got));
	assert_int_equal(Monitor_intervals(mon, got, 8), 4);
	assert_memory_equal(got, wanted, sizeof(wanted));
	assert_int_equal(Monitor_intervals(mon, NULL, 0), 4);
	Monitor_close(mon);
}

static void locals_of_many_pages_are_several_fields(void **state)
{
	const size_t many = ((size_t)1 << 20) + 5;
	struct map written = {0}, read = {0};
	char *data = NULL;
	size_t bytes = 0;
	FILE *file = open_memstream(&data, &bytes);

	assert_non_null(file);
	assert_int_equal(smile_locals_node_add(&written.locals, 3), 0);
	assert_int_equal(smile_locals_node_add(&written.locals, 4), 0);
	assert_int_equal(
		smile_locals_add(&written.locals, &(struct Monitor_local){1, 0, 4, 0, 0, 9}), 0);
	for (size_t i = 0; i < many; i++)
		assert_int_equal(smile_locals_add(&written.locals,
						  &(struct Monitor_local){i, 1, 3, i + 1, 0, 0}),
				 0);
	assert_int_equal(smile_map_settle(&written), 0);
	smile_trailer_write(file, &written);
	assert_int_equal(fclose(file), 0);
	assert_null(smile_trailer_parse(&read, (const unsigned char *)data, bytes));
	assert_int_equal(read.locals.count, 2);
	assert_int_equal(smile_locals_count(&read.locals), many + 1);
	assert_true(smile_locals_agree(&read.locals, &written.locals));
	smile_map_free(&written);
	smile_map_free(&read);
	free(data);
}

/* In a long run, the same few counters are reported many times, in any order. */
static void locals_in_no_order_take_the_room_of_one_each(void **state)
{
	struct Monitor_local wanted[8] = {0}, got[8];
	uint64_t random = 1, sum = 0;
	struct locals *locals;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	for (uint32_t i = 0; i < 8; i++)
		wanted[i] =
			(struct Monitor_local){.page = i / 4, .node = i / 2 % 2, .phase = i % 2};
	for (unsigned int i = 0; i < 100000; i++) {
		struct Monitor_local *row;

		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		row = &wanted[random >> 61];
		row->reads += random >> 40 & 1;
		row->writes += random >> 41 & 1;
		row->locks += 1;
		add(mon, row->page, row->phase, row->node, random >> 40 & 1, random >> 41 & 1, 1);
	}
	locals = &mon->map.locals;
	for (size_t i = 0; i < locals->count; i++) {
		assert_true(locals->nodes[i].size <= 64);
		sum += locals->nodes[i].sum;
	}
	expect(mon, wanted, 8);
	assert_int_equal(Monitor_locals(mon, got, 8), 8);
	for (size_t i = 0; i < 8; i++)
		sum -= got[i].reads + got[i].writes + got[i].locks;
	assert_int_equal(sum, 0);
	Monitor_close(mon);
}

static void locals_of_many_nodes_come_by_page_and_node(void **state)
{
	enum { NODES = 61, PAGES = 50, ALL = NODES * PAGES };
	struct Monitor_local *got = calloc(ALL, sizeof(*got));
	struct Monitor *mon;

	assert_non_null(got);
	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	for (uint32_t i = 0; i < ALL; i++)
		add(mon, i / NODES, 7, i * 13 % NODES, i + 1, 0, 0);
	/* If the array is too small, it receives the first entries. */
	assert_int_equal(Monitor_locals(mon, got, 5), ALL);
	assert_int_equal(got[5].reads, 0);
	assert_int_equal(Monitor_locals(mon, got, ALL), ALL);
	for (uint32_t i = 0; i < ALL; i++) {
		assert_int_equal(got[i].page, i / NODES);
		assert_int_equal(got[i].node, i % NODES);
		assert_int_equal((got[i].reads - 1) * 13 % NODES, i % NODES);
	}
	Monitor_close(mon);
	free(got);
}

/* A view has some of a node's accesses, and an attached recording has all of them. */
static void locals_that_are_not_all_are_added_to_those_of_a_recording(void **state)
{
	const struct Monitor_local wanted[] = {
		{100, 0, 0, 1, 0, 0}, {100, 1, 0, 9, 2, 3}, {300, 0, 0, 5, 0, 0}};
	const char *first = recorded(1, 1, 5), *second = recorded(0, 0, 5);
	struct Monitor_local got[8];
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, first), 0);
	add(mon, 300, 0, 0, 5, 0, 0);
	add(mon, 100, 1, 0, 4, 0, 0);
	assert_int_equal(Monitor_attach(mon, second), 0);
	assert_int_equal(Monitor_local_known(mon, 0), 1);
	assert_int_equal(Monitor_locals(mon, got, 8), 5);
	assert_memory_equal(got, wanted, 2 * sizeof(*got));
	assert_memory_equal(&got[4], &wanted[2], sizeof(*got));
	Monitor_close(mon);
}

static void intervals_come_back_from_a_third_of_the_bytes(void **state)
{
	struct map written = {0}, read = {0};
	char *data = NULL;
	size_t bytes = 0, plain = 0;
	uint64_t random = 1;
	FILE *file = open_memstream(&data, &bytes);

	assert_non_null(file);
	for (uint32_t node = 0; node < 3; node++)
		assert_int_equal(smile_locals_node_add(&written.intervals, 7 * node), 0);
	for (unsigned int i = 0; i < 40000; i++) {
		uint64_t count, type;

		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		count = 1 + random % 500;
		type = 1 + (random >> 50) % 3;
		assert_int_equal(
			smile_locals_add(&written.intervals,
					 &(struct Monitor_local){
						 .page = random % 10 ? random >> 60 : MAP_PAGES - 1,
						 .phase = random % 11 ? i % 9000 : UINT32_MAX,
						 .node = random >> 40 & 7 ? 7 : 0,
						 .reads = type == 1 ? count : 0,
						 .writes = type == 2 ? count : 0,
						 .locks = type == 3 ? count : 0,
					 }),
			0);
	}
	assert_int_equal(smile_map_settle(&written), 0);
	for (size_t n = 0; n < written.intervals.count; n++)
		for (size_t i = 0; i < written.intervals.nodes[n].count; i++) {
			const struct Monitor_local *row = &written.intervals.nodes[n].rows[i];

			plain += TRAILER_LOCAL_BYTES *
				 (size_t)((row->reads != 0) + (row->writes != 0) +
					  (row->locks != 0));
		}
	smile_trailer_write(file, &written);
	assert_int_equal(fclose(file), 0);
	assert_true(bytes < plain / 3);
	assert_null(smile_trailer_parse(&read, (const unsigned char *)data, bytes));
	assert_int_equal(read.intervals.count, 3);
	assert_true(smile_locals_agree(&read.intervals, &written.intervals));
	smile_map_free(&read);
	smile_map_free(&written);
	free(data);
}

static void intervals_that_are_damaged_are_reported(void **state)
{
	/*
	 * After the node and a zero: the distance of a page, its number of entries, and the
	 * entries. Each of these fields is invalid.
	 */
	static const unsigned char wrong[][8] = {
		{0, 1, 2, 5}, /* no distance */
		{1, 0}, /* no entry */
		{1, 2, 2, 5}, /* too few entries */
		{1, 1, 2, 5, 1}, /* half a page */
		{1, 1, 0x83, 0}, /* copies of nothing */
		{1, 2, 2, 5, 0x81}, /* more copies than entries */
		{0x82, 0x80, 0x80, 0x80, 0x80, 2, 1, 2}, /* a page after the last page */
	};
	static const unsigned char lengths[] = {4, 2, 4, 5, 4, 5, 8};
	static const unsigned char good[32] = {
		INTERVALS_TAG, 0, 0, 0, 12, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 9};
	struct map map;

	assert_null(smile_trailer_parse(&map, good, sizeof(good)));
	assert_int_equal(map.intervals.count, 1);
	assert_int_equal(map.intervals.nodes[0].count, 1);
	assert_memory_equal(map.intervals.nodes[0].rows,
			    &((const struct Monitor_local){1, 0, 3, 9, 0, 0}),
			    sizeof(struct Monitor_local));
	smile_map_free(&map);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		unsigned char data[32] = {0};

		memcpy(data, good, 16);
		data[4] = (unsigned char)(8 + lengths[i]);
		memcpy(data + 16, wrong[i], lengths[i]);
		assert_non_null(smile_trailer_parse(&map, data, sizeof(data)));
		assert_true(smile_map_is_empty(&map));
	}
}

static void locals_that_are_damaged_are_reported(void **state)
{
	/*
	 * A field has: tag, length, node, zero; then page, count, phase, type. Each of these fields
	 * is invalid.
	 */
	const struct {
		uint32_t length;
		uint64_t page, count;
		uint32_t node, type;
	} wrong[] = {
		{4, 1, 1, 0, 1},  {31, 1, 1, 0, 1}, {32, 1ULL << 36, 1, 0, 1}, {32, 1, 0, 0, 1},
		{32, 1, 1, 0, 0}, {32, 1, 1, 0, 4}, {32, 1, 1, 65536, 1},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct map map;
		unsigned char data[48] = {TRAILER_TAG_LOCALS, 0, 0, 0,
					  (unsigned char)wrong[i].length};

		memcpy(data + 8, &wrong[i].node, 4);
		memcpy(data + 16, &wrong[i].page, 8);
		memcpy(data + 24, &wrong[i].count, 8);
		memcpy(data + 36, &wrong[i].type, 4);
		assert_non_null(smile_trailer_parse(&map, data, sizeof(data)));
		assert_true(smile_map_is_empty(&map));
	}
}

/* Return: the error for a field whose page declares @entries entries, but has none. */
static const char *entries_wrong(uint64_t entries)
{
	unsigned char data[INTERVALS_HEAD_BYTES + 32] = {0};
	struct field field = {INTERVALS_TAG, INTERVALS_HEAD_BYTES, data};
	struct locals intervals = {0};
	const char *wrong;

	field.length += (uint32_t)smile_varint_put(data + field.length, 1);
	field.length += (uint32_t)smile_varint_put(data + field.length, entries);
	wrong = smile_intervals_field(&intervals, &field);
	smile_locals_free(&intervals);
	return wrong;
}

/* Without this limit, a few bytes could stand for any number of accesses. */
static void intervals_more_than_memory_should_hold_are_refused(void **state)
{
	assert_string_equal(entries_wrong(INTERVALS_ENTRIES_MAX),
			    "accesses of a node by interval are invalid");
	assert_string_equal(entries_wrong(INTERVALS_ENTRIES_MAX + 1ULL),
			    "accesses of nodes by interval are too many");
	assert_string_equal(entries_wrong(UINT64_MAX),
			    "accesses of nodes by interval are too many");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(locals_of_one_page_and_phase_add_up),
		cmocka_unit_test(locals_that_cannot_be_are_refused),
		cmocka_unit_test(locals_are_kept_in_recordings_and_merged),
		cmocka_unit_test(intervals_are_kept_in_recordings_and_merged),
		cmocka_unit_test(locals_of_many_pages_are_several_fields),
		cmocka_unit_test(locals_in_no_order_take_the_room_of_one_each),
		cmocka_unit_test(locals_of_many_nodes_come_by_page_and_node),
		cmocka_unit_test(locals_that_are_not_all_are_added_to_those_of_a_recording),
		cmocka_unit_test(intervals_come_back_from_a_third_of_the_bytes),
		cmocka_unit_test(intervals_that_are_damaged_are_reported),
		cmocka_unit_test(intervals_more_than_memory_should_hold_are_refused),
		cmocka_unit_test(locals_that_are_damaged_are_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
