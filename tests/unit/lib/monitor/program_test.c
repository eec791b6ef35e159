/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/monitor/program.c, lib/map/map.c and lib/map/map_merge.c: the map of a program's
 * memory, and the combination of the maps of several recordings.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/monitor/monitor.h"
#include "tests/unit/lib_fixture.h"

static struct Monitor *open_emu(void)
{
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	return mon;
}

static void expect_homes(struct Monitor *mon, const struct Monitor_home *wanted, int count)
{
	struct Monitor_home homes[16];

	assert_int_equal(Monitor_homes(mon, homes, 16), count);
	for (int i = 0; i < count; i++) {
		assert_int_equal(homes[i].page, wanted[i].page);
		assert_int_equal(homes[i].pages, wanted[i].pages);
		assert_int_equal(homes[i].node, wanted[i].node);
	}
}

static void homes_neighbours_on_one_node_are_one_run(void **state)
{
	const struct Monitor_home wanted[] = {{1, 9, 3, 0}, {10, 1, 2, 0}, {12, 3, 2, 0}};
	struct Monitor *mon = open_emu();

	assert_int_equal(Monitor_homes(mon, NULL, 0), 0);
	assert_int_equal(Monitor_home_add(mon, 5, 2, 3), 0);
	assert_int_equal(Monitor_home_add(mon, 1, 2, 3), 0);
	assert_int_equal(Monitor_home_add(mon, 8, 2, 3), 0);
	assert_int_equal(Monitor_home_add(mon, 10, 1, 2), 0);
	assert_int_equal(Monitor_home_add(mon, 13, 1, 2), 0);
	assert_int_equal(Monitor_home_add(mon, 12, 3, 2), 0);
	assert_int_equal(Monitor_homes(mon, NULL, 0), 5);
	/* Add pages between those that have a home, and some that already have one. */
	assert_int_equal(Monitor_home_add(mon, 2, 8, 3), 0);
	expect_homes(mon, wanted, 3);
	Monitor_close(mon);
}

static void homes_of_a_page_on_two_nodes_are_refused(void **state)
{
	struct Monitor *mon = open_emu();

	assert_int_equal(Monitor_home_add(mon, 10, 10, 1), 0);
	assert_int_equal(Monitor_home_add(mon, 19, 3, 2), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "page 19 is on node 1"));
	assert_int_equal(Monitor_home_add(mon, 5, 6, 2), -EINVAL);
	assert_int_equal(Monitor_home_add(mon, 5, 5, 1), 0);
	assert_int_equal(Monitor_home_add(mon, 0, 0, 1), -EINVAL);
	assert_int_equal(Monitor_home_add(mon, 1ULL << 36, 1, 1), -EINVAL);
	assert_int_equal(Monitor_home_add(mon, 1, UINT64_MAX, 1), -EINVAL);
	assert_int_equal(Monitor_home_add(mon, 30, 1, 65536), -EINVAL);
	expect_homes(mon, (const struct Monitor_home[]){{5, 15, 1, 0}}, 1);
	Monitor_close(mon);
}

static void homes_answer_for_pages_without_records(void **state)
{
	struct Monitor *mon = open_emu();

	assert_int_equal(Monitor_home_add(mon, 10, 4, 7), 0);
	assert_int_equal(Monitor_page_home(mon, 9), -ENOENT);
	assert_int_equal(Monitor_page_home(mon, 10), 7);
	assert_int_equal(Monitor_page_home(mon, 13), 7);
	assert_int_equal(Monitor_page_home(mon, 14), -ENOENT);
	Monitor_close(mon);
}

static void regions_last_one_at_an_address_is_found(void **state)
{
	const struct Monitor_region first = {.start = 0x1000, .end = 0x9000, .name = "first"};
	const struct Monitor_region second = {
		.start = 0x3000, .end = 0x4000, .kind = MONITOR_REGION_NAMED, .name = "second"};
	const struct Monitor_region unnamed = {.start = 0x9000, .end = 1ULL << 48};
	const struct Monitor_region wrong[] = {
		{.start = 5, .end = 5}, {.start = 6, .end = 5}, {.start = 0, .end = UINT64_MAX}};
	struct Monitor *mon = open_emu();
	struct Monitor_region found = {.kind = 99};

	assert_int_equal(Monitor_region_find(mon, 0x1000, &found), -ENOENT);
	assert_int_equal(found.kind, 99);
	assert_int_equal(Monitor_region_add(mon, &first), 0);
	assert_int_equal(Monitor_region_add(mon, &second), 0);
	assert_int_equal(Monitor_region_add(mon, &unnamed), 0);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(Monitor_region_add(mon, &wrong[i]), -EINVAL);
	assert_int_equal(Monitor_regions(mon, NULL, 0), 3);
	assert_int_equal(Monitor_region_find(mon, 0xfff, &found), -ENOENT);
	assert_int_equal(Monitor_region_find(mon, 0x2fff, &found), 0);
	assert_string_equal(found.name, "first");
	assert_int_equal(Monitor_region_find(mon, 0x3000, &found), 0);
	assert_string_equal(found.name, "second");
	assert_int_equal(found.kind, MONITOR_REGION_NAMED);
	assert_int_equal(Monitor_region_find(mon, 0x4000, &found), 0);
	assert_string_equal(found.name, "first");
	assert_int_equal(Monitor_region_find(mon, 0x9000, &found), 0);
	assert_string_equal(found.name, "");
	Monitor_close(mon);
}

static void regions_within_a_piece_of_memory_the_first_address_counts(void **state)
{
	enum { REGIONS = 3000 };
	struct Monitor *mon = open_emu();
	struct Monitor_region found = {.kind = 99};
	uint64_t address = 7, random = 1;
	static struct Monitor_region regions[REGIONS];

	assert_int_equal(Monitor_region_within(mon, 0, UINT64_MAX, &found, &address), 0);
	for (size_t i = 0; i < REGIONS; i++) {
		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		regions[i].start = 0x100 + (random >> 40) % 0x4000;
		regions[i].end = regions[i].start + 1 + (random >> 20) % (i % 7 ? 16 : 600);
		regions[i].offset = i;
		assert_int_equal(Monitor_region_add(mon, &regions[i]), 0);
		/* A new region makes the search index invalid, so that it is built anew. */
		if (i % 1000 == 1)
			assert_int_equal(Monitor_region_find(mon, regions[i].start, &found), 0);
	}
	for (uint64_t at = 0; at < 0x4400; at++) {
		size_t i = REGIONS;

		while (i > 0 && (at < regions[i - 1].start || at >= regions[i - 1].end))
			i--;
		assert_int_equal(Monitor_region_find(mon, at, &found), i ? 0 : -ENOENT);
		assert_int_equal(Monitor_region_within(mon, at, at + 1, &found, &address), i > 0);
		if (i == 0)
			continue;
		assert_int_equal(found.offset, i - 1);
		assert_int_equal(address, at);
	}
	assert_int_equal(Monitor_region_within(mon, 0, 0x100, &found, &address), 0);
	assert_int_equal(Monitor_region_within(mon, 0, 0x5000, &found, &address), 1);
	assert_int_equal(address, found.start);
	assert_int_equal(Monitor_region_within(mon, 0x5000, UINT64_MAX, &found, &address), 0);
	Monitor_close(mon);
}

static void phases_have_the_name_of_the_last_mark(void **state)
{
	/*
	 * The marks have the times 10, 20, 20 and 40. The phase from 10 has no name. A timer ended
	 * a phase at 40.
	 */
	const struct smile_record records[] = {record_mark(0, 1, 10), record_mark(0, 1, 20),
					       record_mark(0, 1, 20), record_mark(0, 1, 40),
					       record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 1)};
	struct Monitor *mon;

	write_recording(scratch_path("phases.rec"), 0, records, 5, 1);
	assert_int_equal(Monitor_open(&mon, scratch_path("phases.rec")), 0);
	while (!Monitor_ended(mon))
		assert_true(Monitor_poll(mon, 0) >= 0);
	assert_int_equal(Monitor_phases(mon, NULL, 0), 5);
	assert_string_equal(Monitor_phase_name(mon, 0), "");
	assert_int_equal(Monitor_phase_name_add(mon, 20, "first"), 0);
	assert_int_equal(Monitor_phase_name_add(mon, 20, "second"), 0);
	assert_int_equal(Monitor_phase_name_add(mon, 19, "early"), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "early"));
	assert_string_equal(Monitor_phase_name(mon, 0), "");
	assert_string_equal(Monitor_phase_name(mon, 1), "");
	assert_string_equal(Monitor_phase_name(mon, 2), "first");
	assert_string_equal(Monitor_phase_name(mon, 3), "second");
	assert_string_equal(Monitor_phase_name(mon, 4), "second");
	assert_string_equal(Monitor_phase_name(mon, 5), "");
	Monitor_close(mon);
}

static void parameters_are_kept_and_replaced(void **state)
{
	struct Monitor *mon = open_emu();

	assert_null(Monitor_parameters(mon));
	assert_int_equal(Monitor_parameters_set(mon, "{\"a\":1}"), 0);
	assert_int_equal(Monitor_parameters_set(mon, "{\"a\":2}"), 0);
	assert_string_equal(Monitor_parameters(mon), "{\"a\":2}");
	Monitor_close(mon);
}

static void record_only_counts_for_the_account_alone(void **state)
{
	const struct smile_record records[] = {record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 5),
					       record_mark(0, 1, 20), record_lost(2, 1),
					       record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 1)};
	char copy[128];
	struct Monitor_loss loss;
	struct Monitor *mon;

	write_recording(scratch_path("all.rec"), 0, records, 4, 8);
	snprintf(copy, sizeof(copy), "%s", scratch_path("copy.rec"));
	assert_int_equal(Monitor_open(&mon, scratch_path("all.rec")), 0);
	assert_int_equal(Monitor_record_only(mon), 0);
	assert_int_equal(Monitor_save(mon, copy, NULL), 0);
	assert_int_equal(Monitor_poll(mon, 0), 4);
	assert_int_equal(Monitor_record_only(mon), -EBUSY);
	assert_int_equal(Monitor_loss(mon, &loss), 0);
	assert_true(loss.balanced && loss.delivered == 6 && loss.lost == 2 && loss.marks_lost == 1);
	assert_int_equal(Monitor_histogram_info(mon, NULL, 0), 0);
	assert_int_equal(Monitor_phases(mon, NULL, 0), 0);
	assert_int_equal(Monitor_close(mon), 0);
	assert_int_equal(Monitor_open(&mon, copy), 0);
	assert_int_equal(Monitor_poll(mon, 0), 4);
	assert_int_equal(Monitor_histogram_info(mon, NULL, 0), 1);
	assert_int_equal(Monitor_phases(mon, NULL, 0), 2);
	Monitor_close(mon);
}

/* ---- merged recordings ----------------------------------------------------------------------- */

/*
 * Open the card of node @node, which is being recorded. @path receives the path of the recording.
 */
static struct Monitor *recorder(unsigned int node, char path[128])
{
	struct smile_config config;
	struct Monitor *mon = open_emu();
	char name[32];

	snprintf(name, sizeof(name), "node%u.rec", node);
	snprintf(path, 128, "%s", scratch_path(name));
	Monitor_config_default(&config);
	config.node = node;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_save(mon, path, "test"), 0);
	return mon;
}

/*
 * Write a recording of node @node: 10 pages from @page on @home, and each other argument that is
 * not NULL.
 */
static const char *mapped(unsigned int node, uint64_t page, unsigned int home, const char *region,
			  const char *phase, const char *parameters)
{
	static char paths[4][128];
	struct Monitor_region added = {.start = 0x1000, .end = 0x2000, .name = region};
	struct Monitor *mon = recorder(node, paths[node]);

	assert_int_equal(Monitor_home_add(mon, page, 10, home), 0);
	if (region)
		assert_int_equal(Monitor_region_add(mon, &added), 0);
	if (phase)
		assert_int_equal(Monitor_phase_name_add(mon, 5, phase), 0);
	if (parameters)
		assert_int_equal(Monitor_parameters_set(mon, parameters), 0);
	assert_int_equal(Monitor_close(mon), 0);
	return paths[node];
}

/* Read a recording. It must have the parameters @early at its beginning, and @late at its end. */
static void expect_parameters(struct Monitor *mon, const char *path, const char *early,
			      const char *late)
{
	struct Monitor *reader, *merged, *parts[2];

	assert_int_equal(Monitor_open(&reader, path), 0);
	assert_string_equal(Monitor_parameters(reader), early);
	assert_int_equal(Monitor_follow(reader), 0);
	assert_int_equal(Monitor_open(&parts[0], path), 0);
	assert_int_equal(Monitor_open(&parts[1], mapped(1, 95, 1, NULL, NULL, late)), 0);
	assert_int_equal(Monitor_merge(&merged, parts, 2), 0);
	assert_string_equal(Monitor_parameters(merged), late);
	Monitor_close(merged);
	Monitor_close(parts[0]);
	Monitor_close(parts[1]);
	assert_int_equal(Monitor_parameters_set(mon, late), 0);
	assert_int_equal(Monitor_close(mon), 0);
	while (!Monitor_ended(reader))
		assert_true(Monitor_poll(reader, 0) >= 0);
	assert_string_equal(Monitor_parameters(reader), late);
	Monitor_close(reader);
	assert_int_equal(Monitor_open(&reader, path), 0);
	assert_string_equal(Monitor_parameters(reader), late);
	Monitor_close(reader);
}

static void parameters_at_the_beginning_are_in_the_header(void **state)
{
	static const char early[] = "{\"schema\":\"test/1\"}";
	static const char late[] = "{\"schema\":\"test/1\",\"result\":1}";
	static char path[128], longest[RECORDING_PARAMETERS_MAX + 2];
	struct Monitor *mon = open_emu(), *reader;

	snprintf(path, sizeof(path), "%s", scratch_path("early.rec"));
	assert_int_equal(Monitor_parameters_set(mon, early), 0);
	assert_int_equal(Monitor_save(mon, path, "test"), 0);
	expect_parameters(mon, path, early, late);
	mon = open_emu();
	assert_int_equal(Monitor_parameters_set(mon, early), 0);
	assert_int_equal(Monitor_save_counts(mon, path, "test"), 0);
	assert_int_equal(Monitor_start(mon), 0);
	expect_parameters(mon, path, early, late);
	memset(longest, '1', sizeof(longest) - 1);
	for (int more = 1; more >= 0; more--) {
		longest[RECORDING_PARAMETERS_MAX + more] = '\0';
		mon = open_emu();
		assert_int_equal(Monitor_parameters_set(mon, longest), 0);
		assert_int_equal(Monitor_save(mon, path, "test"), 0);
		assert_int_equal(Monitor_start(mon), 0);
		assert_int_equal(Monitor_open(&reader, path), 0);
		assert_int_equal(!Monitor_parameters(reader), more);
		Monitor_close(reader);
		Monitor_close(mon);
	}
}

static void merged_maps_are_one(void **state)
{
	const struct Monitor_home wanted[] = {{95, 15, 1, 0}, {120, 10, 2, 0}};
	const char *a = mapped(0, 100, 1, NULL, "phase", NULL);
	const char *b = mapped(1, 95, 1, "region", NULL, "{}");
	const char *c = mapped(2, 120, 2, "region", "phase", "{}");
	struct Monitor_region region;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, a), 0);
	assert_int_equal(Monitor_attach(mon, b), 0);
	assert_int_equal(Monitor_attach(mon, c), 0);
	expect_homes(mon, wanted, 2);
	assert_int_equal(Monitor_regions(mon, &region, 1), 1);
	assert_string_equal(region.name, "region");
	assert_string_equal(Monitor_parameters(mon), "{}");
	while (!Monitor_ended(mon))
		assert_true(Monitor_poll(mon, 0) >= 0);
	Monitor_close(mon);
}

static void merged_maps_keep_the_names_that_were_given_out(void **state)
{
	const char *a = mapped(0, 100, 1, "region", "phase", NULL);
	const char *b = mapped(1, 95, 1, "region", "phase", "{}");
	struct Monitor_region before, after;
	struct Monitor *mon;
	const char *phase;

	assert_int_equal(Monitor_open(&mon, a), 0);
	assert_int_equal(Monitor_regions(mon, &before, 1), 1);
	phase = mon->map.phases[0].name;
	assert_int_equal(Monitor_attach(mon, b), 0);
	assert_int_equal(Monitor_regions(mon, &after, 1), 1);
	assert_ptr_equal(after.name, before.name);
	assert_string_equal(before.name, "region");
	assert_ptr_equal(mon->map.phases[0].name, phase);
	assert_string_equal(phase, "phase");
	Monitor_close(mon);
}

/*
 * Write a recording of node @node with segments. @ids: the ids of the segments, which all have the
 * same place.
 */
static const char *segmented(unsigned int node, const unsigned int *ids, size_t count,
			     uint64_t failed)
{
	const struct Monitor_failed accesses = {.node = node, .accesses = failed};
	struct Monitor_region added = {
		.start = 0x1000, .end = 0x3000, .kind = MONITOR_REGION_SEGMENT};
	static char paths[4][128];
	struct Monitor *mon = open_emu();
	struct smile_config config;
	char name[32];

	Monitor_config_default(&config);
	config.node = node;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	snprintf(name, sizeof(name), "segments%u.rec", node);
	snprintf(paths[node], sizeof(paths[node]), "%s", scratch_path(name));
	assert_int_equal(Monitor_save(mon, paths[node], "test"), 0);
	for (size_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "segment %u", ids[i]);
		added.name = name;
		assert_int_equal(Monitor_region_add(mon, &added), 0);
	}
	assert_int_equal(Monitor_failed_add(mon, &accesses), 0);
	assert_int_equal(Monitor_close(mon), 0);
	return paths[node];
}

static void merged_segments_are_those_that_any_node_knows(void **state)
{
	const char *const wanted[] = {"segment 1", "segment 2", "segment 3"};
	const char *a = segmented(0, (const unsigned int[]){1, 2}, 2, 0);
	const char *b = segmented(1, (const unsigned int[]){2, 3}, 2, 5);
	struct Monitor_region before[2], after[4];
	struct Monitor_failed failed[3];
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, a), 0);
	assert_int_equal(Monitor_regions(mon, before, 2), 2);
	assert_int_equal(Monitor_failed(mon, failed, 3), 1);
	assert_int_equal(failed[0].accesses, 0);
	assert_int_equal(Monitor_attach(mon, b), 0);
	assert_int_equal(Monitor_regions(mon, after, 4), 3);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(after[i].name, wanted[i]);
		assert_int_equal(after[i].kind, MONITOR_REGION_SEGMENT);
	}
	/* The names that the caller got earlier are still valid. */
	assert_ptr_equal(after[0].name, before[0].name);
	assert_ptr_equal(after[1].name, before[1].name);
	assert_int_equal(Monitor_failed(mon, failed, 3), 2);
	assert_true(failed[1].node == 1 && failed[1].accesses == 5);
	Monitor_close(mon);
}

static void failed_accesses_are_said_once_of_a_node(void **state)
{
	const struct Monitor_failed none = {.node = 1}, some = {.node = 1, .accesses = 2};
	const struct Monitor_failed nowhere = {.node = 65536};
	struct Monitor *mon = open_emu();

	assert_int_equal(Monitor_failed(mon, NULL, 0), 0);
	assert_int_equal(Monitor_failed_add(mon, &none), 0);
	assert_int_equal(Monitor_failed_add(mon, &none), 0);
	assert_int_equal(Monitor_failed_add(mon, &some), -EINVAL);
	assert_int_equal(Monitor_failed_add(mon, &nowhere), -EINVAL);
	assert_int_equal(Monitor_failed(mon, NULL, 0), 1);
	Monitor_close(mon);
}

static void program_calls_without_a_text_are_refused(void **state)
{
	struct Monitor *mon = open_emu();

	assert_int_equal(Monitor_phase_name_add(mon, 0, NULL), -EINVAL);
	assert_int_equal(Monitor_parameters_set(mon, NULL), -EINVAL);
	assert_null(Monitor_parameters(mon));
	Monitor_close(mon);
}

static void merged_recordings_that_contradict_are_refused(void **state)
{
	const struct {
		uint64_t page;
		unsigned int home;
		const char *region, *phase, *parameters, *message;
	} others[] = {
		{109, 2, "region", "phase", "{}", "page 109 is on node 2 there, and on node 1"},
		{100, 1, "other", "phase", "{}", "regions"},
		{100, 1, "region", "other", "{}", "phases"},
		{100, 1, "region", "phase", "{ }", "parameters"},
	};
	const char *a = mapped(0, 100, 1, "region", "phase", "{}");

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		const char *b = mapped(1, others[i].page, others[i].home, others[i].region,
				       others[i].phase, others[i].parameters);
		struct Monitor *mon;

		assert_int_equal(Monitor_open(&mon, a), 0);
		assert_int_equal(Monitor_attach(mon, b), -EINVAL);
		assert_non_null(strstr(Monitor_error_message(), others[i].message));
		assert_non_null(strstr(Monitor_error_message(), "node1.rec"));
		/* No data of a refused recording is in the view. */
		expect_homes(mon, (const struct Monitor_home[]){{100, 10, 1, 0}}, 1);
		assert_int_equal(Monitor_nodes(mon), 1);
		assert_int_equal(Monitor_attach(mon, mapped(2, 100, 1, "region", "phase", "{}")),
				 0);
		Monitor_close(mon);
	}
}

/* Write a recording with @count regions. */
static const char *regions_recorded(unsigned int node, size_t count)
{
	static char paths[4][128];
	const struct Monitor_region regions[] = {{.start = 0x1000, .end = 0x2000, .name = "first"},
						 {.start = 0x2000, .end = 0x3000, .name = "next"}};
	struct Monitor *mon = recorder(node, paths[node]);

	for (size_t i = 0; i < count; i++)
		assert_int_equal(Monitor_region_add(mon, &regions[i]), 0);
	assert_int_equal(Monitor_close(mon), 0);
	return paths[node];
}

static void the_regions_of_one_recording_may_end_first(void **state)
{
	for (size_t first = 1; first <= 2; first++) {
		struct Monitor_region regions[3];
		struct Monitor *mon;

		assert_int_equal(Monitor_open(&mon, regions_recorded(0, first)), 0);
		assert_int_equal(Monitor_attach(mon, regions_recorded(1, 3 - first)), 0);
		assert_int_equal(Monitor_attach(mon, regions_recorded(2, 2)), 0);
		assert_int_equal(Monitor_regions(mon, regions, 3), 2);
		assert_string_equal(regions[0].name, "first");
		assert_string_equal(regions[1].name, "next");
		Monitor_close(mon);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(homes_neighbours_on_one_node_are_one_run),
		cmocka_unit_test(homes_of_a_page_on_two_nodes_are_refused),
		cmocka_unit_test(homes_answer_for_pages_without_records),
		cmocka_unit_test(regions_last_one_at_an_address_is_found),
		cmocka_unit_test(regions_within_a_piece_of_memory_the_first_address_counts),
		cmocka_unit_test(phases_have_the_name_of_the_last_mark),
		cmocka_unit_test(parameters_are_kept_and_replaced),
		cmocka_unit_test(parameters_at_the_beginning_are_in_the_header),
		cmocka_unit_test(record_only_counts_for_the_account_alone),
		cmocka_unit_test(merged_maps_are_one),
		cmocka_unit_test(merged_maps_keep_the_names_that_were_given_out),
		cmocka_unit_test(merged_segments_are_those_that_any_node_knows),
		cmocka_unit_test(failed_accesses_are_said_once_of_a_node),
		cmocka_unit_test(program_calls_without_a_text_are_refused),
		cmocka_unit_test(merged_recordings_that_contradict_are_refused),
		cmocka_unit_test(the_regions_of_one_recording_may_end_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
