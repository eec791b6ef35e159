/* SPDX-License-Identifier: MIT */
/*
 * Tests of accesses in front of the caches. Monitor_accesses_add() receives them, recordings store
 * them, and views show them.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib_fixture.h"

#include "lib/monitor/monitor.h"

#define NODES 2
#define PAGE 40U
#define ADDRESS (PAGE * SMILE_PAGE_BYTES)

/*
 * Write a recording of each node, with accesses of its processors and one transaction of the card.
 */
static void recording_write(const char *path, unsigned node)
{
	const uint32_t counts[] = {5 + node, 0, 7}, one = 1;
	struct smile_config config;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	Monitor_config_default(&config);
	config.node = node;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_record_only(mon), 0);
	assert_int_equal(Monitor_save_counts(mon, path, "test"), 0);
	assert_int_equal(Monitor_start(mon), 0);
	assert_int_equal(
		Monitor_counted(mon, Monitor_request(1, 0, SMILE_TYPE_READ, ADDRESS), &one, 1, 10),
		0);
	assert_int_equal(Monitor_accesses_add(mon, 0,
					      Monitor_request(node, 0, SMILE_TYPE_READ, ADDRESS), 4,
					      counts, 3),
			 0);
	assert_int_equal(Monitor_accesses_add(mon, 0,
					      Monitor_request(node, 1, SMILE_TYPE_WRITE,
							      ADDRESS + SMILE_PAGE_BYTES + 64),
					      4, counts, 1),
			 0);
	assert_int_equal(Monitor_accesses_node_add(mon, node), 0);
	assert_int_equal(Monitor_stop(mon), 0);
	assert_int_equal(Monitor_close(mon), 0);
}

static const char *const names[NODES] = {"accesses0.rec", "accesses1.rec"};

/* Open both recordings as one view, and read all records. */
static struct Monitor *merged_open(void)
{
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, scratch_path(names[0])), 0);
	assert_int_equal(Monitor_attach(mon, scratch_path(names[1])), 0);
	while (Monitor_poll(mon, 0) > 0)
		;
	return mon;
}

static void recordings_have_both_apart(void **state)
{
	struct Monitor_histogram_row rows[8];
	uint64_t sections[64 * NODES], all[NODES];
	struct Monitor_phase phase;
	struct Monitor *mon;

	for (unsigned n = 0; n < NODES; n++)
		recording_write(scratch_path(names[n]), n);
	mon = merged_open();
	assert_true(Monitor_accesses_known(mon, 0) && Monitor_accesses_known(mon, 1));
	assert_false(Monitor_accesses_known(mon, 2));
	assert_int_equal(Monitor_histogram_info(mon, rows, 8), 1);
	assert_int_equal(rows[0].accesses, 1);

	assert_int_equal(Monitor_accesses_show(mon, 1), 0);
	assert_int_equal(Monitor_histogram_info(mon, rows, 8), 4);
	assert_int_equal(rows[0].reads, 12);
	assert_int_equal(rows[1].reads, 13);
	assert_int_equal(rows[1].source, 1);
	assert_int_equal(rows[2].page, PAGE + 1);
	assert_int_equal(rows[2].home, 1);
	assert_int_equal(rows[3].writes, 6);
	assert_int_equal(Monitor_sections_info(mon, 0, PAGE, 64, sections, all, NODES), 64);
	assert_int_equal(sections[0], 12);
	assert_int_equal(sections[1], 13);
	assert_int_equal(Monitor_sections_write(mon, 1, PAGE + 1, 64, sections, all, NODES), 64);
	assert_int_equal(sections[NODES + 1], 6);
	assert_int_equal(Monitor_phases(mon, &phase, 1), 1);
	assert_int_equal(phase.accesses, 12 + 13 + 5 + 6);

	assert_int_equal(Monitor_accesses_show(mon, 0), 0);
	assert_int_equal(Monitor_histogram_info(mon, rows, 8), 1);
	assert_int_equal(Monitor_phases(mon, &phase, 1), 1);
	assert_int_equal(phase.accesses, 1);
	assert_int_equal(Monitor_close(mon), 0);
}

/*
 * A view without ranges, or with the ranges of one page, must have equal sums. The sums come from
 * whole groups.
 */
static void ranges_are_left_out_of_accesses_too(void **state)
{
	struct Monitor_histogram_row rows[8], all[8];
	uint64_t sections[64 * NODES];
	struct Monitor_phase phase;
	struct Monitor *mon;

	for (unsigned n = 0; n < NODES; n++)
		recording_write(scratch_path(names[n]), n);
	mon = merged_open();
	assert_int_equal(Monitor_accesses_show(mon, 1), 0);
	assert_int_equal(Monitor_histogram_info(mon, all, 8), 4);
	assert_int_equal(Monitor_close(mon), 0);
	for (unsigned pages = 0; pages < 2; pages++) {
		assert_int_equal(Monitor_open(&mon, scratch_path(names[0])), 0);
		assert_int_equal(Monitor_attach(mon, scratch_path(names[1])), 0);
		assert_int_equal(Monitor_ranges_only(mon, PAGE, pages), 0);
		while (Monitor_poll(mon, 0) > 0)
			;
		assert_int_equal(Monitor_accesses_show(mon, 1), 0);
		assert_int_equal(Monitor_histogram_info(mon, rows, 8), 4);
		assert_memory_equal(rows, all, 4 * sizeof(*rows));
		assert_int_equal(Monitor_sections_info(mon, 0, PAGE, 64, sections, NULL, NODES),
				 pages ? 64 : -ENODATA);
		assert_true(!pages || (sections[0] == 12 && sections[1] == 13));
		assert_int_equal(Monitor_sections_info(mon, 1, PAGE + 1, 64, sections, NULL, NODES),
				 -ENODATA);
		assert_int_equal(Monitor_close(mon), 0);
	}
	assert_int_equal(Monitor_open(&mon, scratch_path(names[0])), 0);
	assert_int_equal(Monitor_nodes_only(mon), 0);
	while (Monitor_poll(mon, 0) > 0)
		;
	assert_int_equal(Monitor_accesses_show(mon, 1), 0);
	assert_int_equal(Monitor_phases(mon, &phase, 1), 1);
	assert_int_equal(phase.accesses, 12 + 5);
	assert_int_equal(Monitor_close(mon), 0);
}

static void accesses_that_cannot_be_are_refused(void **state)
{
	const uint32_t counts[2] = {1, 1};
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	assert_int_equal(Monitor_accesses_show(mon, 1), -ENODATA);
	assert_int_equal(Monitor_accesses_show(mon, 0), 0);
	assert_int_equal(Monitor_accesses_add(mon, 0, Monitor_request(1, 0, SMILE_TYPE_READ, 4092),
					      4, counts, 2),
			 -EINVAL);
	assert_int_equal(Monitor_accesses_add(mon, 0, Monitor_request(1, 0, SMILE_TYPE_READ, 0), 12,
					      counts, 1),
			 -EINVAL);
	assert_int_equal(Monitor_accesses_add(mon, 0, Monitor_request(1, 0, SMILE_TYPE_READ, 0), 4,
					      counts, 0),
			 -EINVAL);
	assert_int_equal(Monitor_accesses_node_add(mon, 65536), -EINVAL);
	assert_int_equal(Monitor_close(mon), 0);
}

/*
 * The accesses are in a phase that no mark can have ended. Then damage a unit that starts a group.
 */
static void damaged_accesses_are_refused(void **state)
{
	const uint32_t count = 1;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	assert_int_equal(Monitor_accesses_add(mon, 7, Monitor_request(1, 0, SMILE_TYPE_READ, 0), 4,
					      &count, 1),
			 0);
	assert_int_equal(Monitor_accesses_show(mon, 1), -EPROTO);
	mon->map.accesses.items[0].phase = 0;
	memset(mon->map.accesses.items[0].units, 0xff, sizeof(struct smile_record));
	assert_int_equal(Monitor_accesses_show(mon, 1), -EPROTO);
	assert_int_equal(Monitor_close(mon), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recordings_have_both_apart),
		cmocka_unit_test(ranges_are_left_out_of_accesses_too),
		cmocka_unit_test(accesses_that_cannot_be_are_refused),
		cmocka_unit_test(damaged_accesses_are_refused),
	};

	return cmocka_run_group_tests_name("accesses", tests, NULL, NULL);
}
