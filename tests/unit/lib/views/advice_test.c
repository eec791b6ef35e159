/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/views/advice.c: costs and advice, compared with values that were computed by hand.
 * An access costs: local 1, read 1000, write 20, lock 1000 cycles.
 */
#include <errno.h>
#include <string.h>

#include "tests/unit/lib_fixture.h"

#define PAGE(number) ((uint64_t)(number)*SMILE_PAGE_BYTES)
#define READ SMILE_TYPE_READ
#define WRITE SMILE_TYPE_WRITE
#define LOCK SMILE_TYPE_LOCK

static const struct Monitor_weights weights = {1, 1000, 20, 1000};

static void local(struct Monitor *mon, uint64_t page, uint32_t phase, uint32_t node, uint64_t reads,
		  uint64_t writes, uint64_t locks)
{
	const struct Monitor_local added = {page, phase, node, reads, writes, locks};

	assert_int_equal(Monitor_local_add(mon, &added), 0);
	assert_int_equal(Monitor_local_node_add(mon, node), 0);
}

static struct Monitor_advice only(struct Monitor *mon, const unsigned char *phases, size_t count)
{
	struct Monitor_advice rows[2];

	memset(rows, 0xff, sizeof(rows));
	assert_int_equal(Monitor_advice(mon, &weights, phases, count, 0.5, rows, 2), 1);
	return rows[0];
}

static void advice_is_the_node_with_the_dearest_accesses(void **state)
{
	const struct smile_record records[] = {
		record_dynamic(READ, 1, 0, PAGE(40), 1, 100),
		record_dynamic(WRITE, 1, 0, PAGE(40) + 64, 1, 20),
		record_dynamic(LOCK, 2, 0, PAGE(40), 1, 5),
	};
	struct Monitor *mon = recording_opened(records, 3);
	struct Monitor_advice row;

	local(mon, 40, 0, 0, 3, 7, 0);
	row = only(mon, NULL, 0);
	assert_int_equal(row.page, 40);
	assert_int_equal(row.home, 0);
	assert_int_equal(row.node, 1);
	assert_int_equal(row.flags, 0);
	assert_int_equal(row.accesses, 135);
	assert_int_equal(row.reads, 103);
	assert_int_equal(row.writes, 27);
	assert_int_equal(row.locks, 5);
	assert_int_equal(row.own, 120);
	/* node 1: 100 x 1000 + 20 x 20; node 2: 5 x 1000; node 0: 10 local accesses */
	assert_int_equal(row.cycles, 100400 + 5000 + 10);
	/* node 1: 120 local accesses; node 2: unchanged; node 0: 3 x 1000 + 7 x 20 */
	assert_int_equal(row.advised_cycles, 120 + 5000 + 3140);
	assert_true(row.share > 0.92500 && row.share < 0.92501); /* 100400 / 108540 */
	Monitor_close(mon);
}

static void advice_reads_weigh_more_than_writes(void **state)
{
	/*
	 * Ten reads, for which a processor waits, cost 10000 cycles. 400 writes, for which it does
	 * not wait, cost 8000.
	 */
	const struct smile_record records[] = {
		record_dynamic(WRITE, 1, 0, PAGE(7), 1, 400),
		record_dynamic(READ, 2, 0, PAGE(7), 1, 10),
	};
	struct Monitor *mon = recording_opened(records, 2);
	struct Monitor_advice row = only(mon, NULL, 0);
	const struct Monitor_weights alike = {1, 20, 20, 20};

	assert_int_equal(row.node, 2);
	assert_int_equal(row.cycles - row.advised_cycles, 10 * 999);
	/* If all accesses have equal weights, the node with the most accesses is advised. */
	assert_int_equal(Monitor_advice(mon, &alike, NULL, 0, 0.5, &row, 1), 1);
	assert_int_equal(row.node, 1);
	Monitor_close(mon);
}

static void advice_locks_weigh_as_reads(void **state)
{
	const struct smile_record records[] = {
		record_dynamic(LOCK, 3, 0, PAGE(7), 1, 3),
		record_dynamic(READ, 1, 0, PAGE(7), 1, 2),
	};
	struct Monitor *mon = recording_opened(records, 2);
	struct Monitor_advice row = only(mon, NULL, 0);

	assert_int_equal(row.node, 3);
	assert_int_equal(row.locks, 3);
	assert_int_equal(row.cycles, 5000);
	assert_int_equal(row.advised_cycles, 3 + 2000);
	Monitor_close(mon);
}

static void advice_of_two_alike_is_the_home_or_the_lowest(void **state)
{
	const struct smile_record records[] = {
		record_dynamic(READ, 2, 0, PAGE(1), 1, 4),
		record_dynamic(READ, 1, 0, PAGE(1), 1, 4),
		record_dynamic(READ, 1, 0, PAGE(2), 1, 4),
	};
	struct Monitor *mon = recording_opened(records, 3);
	struct Monitor_advice rows[2];

	local(mon, 2, 0, 0, 4, 0, 0);
	assert_int_equal(Monitor_advice(mon, &weights, NULL, 0, 0.5, rows, 2), 2);
	assert_int_equal(rows[0].page, 1);
	assert_int_equal(rows[0].node, 1);
	assert_int_equal(rows[0].advised_cycles, 4004);
	assert_int_equal(rows[1].page, 2);
	assert_int_equal(rows[1].node, 0);
	assert_int_equal(rows[1].cycles, 4004);
	assert_int_equal(rows[1].advised_cycles, 4004);
	assert_int_equal(rows[1].own, 4);
	Monitor_close(mon);
}

static void advice_reports_truly_shared_pages(void **state)
{
	const struct smile_record records[] = {
		record_dynamic(READ, 1, 0, PAGE(1), 1, 10),
		record_dynamic(READ, 2, 0, PAGE(1), 1, 11),
		record_dynamic(READ, 3, 0, PAGE(1), 1, 10),
	};
	struct Monitor *mon = recording_opened(records, 3);
	struct Monitor_advice row;

	local(mon, 1, 0, 0, 9, 0, 0);
	row = only(mon, NULL, 0);
	assert_int_equal(row.flags, MONITOR_ADVICE_SHARED);
	/* The node is still the best one for the page, but saves little. */
	assert_int_equal(row.node, 2);
	assert_int_equal(row.cycles - row.advised_cycles, (11 - 9) * 999);
	assert_true(row.share == 11.0 / 40);
	assert_int_equal(Monitor_advice(mon, &weights, NULL, 0, 0.275, &row, 1), 1);
	assert_int_equal(row.flags, 0);
	Monitor_close(mon);
}

static void advice_without_local_accesses_is_a_bound(void **state)
{
	const struct smile_record records[] = {
		record_dynamic(READ, 1, 0, PAGE(1), 1, 10),
		record_dynamic(READ, 0, 3, PAGE(2), 1, 10),
	};
	struct Monitor *mon = recording_opened(records, 2);
	struct Monitor_advice rows[2];

	assert_int_equal(Monitor_advice(mon, &weights, NULL, 0, 0.5, rows, 2), 2);
	assert_int_equal(rows[0].flags, MONITOR_ADVICE_LOCAL_UNKNOWN);
	assert_int_equal(rows[0].cycles - rows[0].advised_cycles, 9990);
	/*
	 * This recording is of node 0's card, which does not count transactions of other nodes with
	 * node 3.
	 */
	assert_int_equal(rows[1].flags, MONITOR_ADVICE_LOCAL_UNKNOWN | MONITOR_ADVICE_PARTLY_SEEN);
	Monitor_close(mon);
}

static void advice_looks_at_the_phases_asked_for(void **state)
{
	const struct smile_record records[] = {
		record_dynamic(READ, 1, 0, PAGE(1), 1, 50),
		record_mark(0, 1, 100),
		record_dynamic(READ, 2, 0, PAGE(1), 1, 10),
	};
	struct Monitor *mon = recording_opened(records, 3);
	const unsigned char second[] = {0, 1}, neither[] = {0, 0};
	struct Monitor_advice row;

	local(mon, 1, 0, 0, 60, 0, 0);
	local(mon, 1, 1, 0, 2, 0, 0);
	assert_int_equal(only(mon, NULL, 0).node, 0);
	row = only(mon, second, 2);
	assert_int_equal(row.node, 2);
	assert_int_equal(row.accesses, 12);
	assert_int_equal(row.cycles, 10002);
	assert_int_equal(row.advised_cycles, 2010);
	assert_int_equal(Monitor_advice(mon, &weights, neither, 2, 0.5, &row, 1), 0);
	Monitor_close(mon);
}

static void advice_is_given_on_pages_that_no_card_has_seen(void **state)
{
	struct Monitor *mon = recording_opened(NULL, 0);
	struct Monitor_advice row;

	local(mon, 9, 0, 5, 1, 2, 3);
	row = only(mon, NULL, 0);
	assert_int_equal(row.home, 5);
	assert_int_equal(row.node, 5);
	assert_int_equal(row.cycles, 6);
	assert_int_equal(row.advised_cycles, 6);
	assert_true(row.share == 1);
	Monitor_close(mon);
}

/*
 * An access to own memory costs 160, a write to another node costs 40. A node that only writes a
 * page should not be its home.
 */
static void advice_knows_that_posted_writes_can_be_cheaper(void **state)
{
	const struct Monitor_weights posted = {160, 280, 40, 280};
	const struct smile_record records[] = {
		record_dynamic(WRITE, 1, 0, PAGE(40), 1, 10),
		record_dynamic(WRITE, 1, 0, PAGE(41), 1, 10),
		record_dynamic(READ, 2, 0, PAGE(41), 1, 1),
	};
	struct Monitor *mon = recording_opened(records, 3);
	struct Monitor_advice rows[2];

	local(mon, 41, 0, 0, 0, 10, 0);
	assert_int_equal(Monitor_advice(mon, &posted, NULL, 0, 0.5, rows, 2), 2);
	assert_int_equal(rows[0].node, 0);
	assert_int_equal(rows[0].cycles, 400);
	assert_int_equal(rows[0].advised_cycles, 400);
	assert_int_equal(rows[1].node, 2);
	assert_int_equal(rows[1].own, 1);
	/*
	 * The writes of node 1 cost 400, the reads of node 2 280, and the writes of node 0 to its
	 * own page 1600.
	 */
	assert_int_equal(rows[1].cycles, 400 + 280 + 1600);
	assert_int_equal(rows[1].advised_cycles, 400 + 160 + 400);
	Monitor_close(mon);
}

static void advice_by_senseless_weights_is_refused(void **state)
{
	const struct Monitor_weights wrong[] = {
		{1001, 1000, 2000, 1000}, {30, 20, 40, 40}, {30, 40, 40, 20}};
	struct Monitor *mon = recording_opened(NULL, 0);

	for (size_t i = 0; i < 3; i++)
		assert_int_equal(Monitor_advice(mon, &wrong[i], NULL, 0, 0.5, NULL, 0), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "30 cycles"));
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(advice_is_the_node_with_the_dearest_accesses),
		cmocka_unit_test(advice_reads_weigh_more_than_writes),
		cmocka_unit_test(advice_locks_weigh_as_reads),
		cmocka_unit_test(advice_of_two_alike_is_the_home_or_the_lowest),
		cmocka_unit_test(advice_reports_truly_shared_pages),
		cmocka_unit_test(advice_without_local_accesses_is_a_bound),
		cmocka_unit_test(advice_looks_at_the_phases_asked_for),
		cmocka_unit_test(advice_is_given_on_pages_that_no_card_has_seen),
		cmocka_unit_test(advice_knows_that_posted_writes_can_be_cheaper),
		cmocka_unit_test(advice_by_senseless_weights_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
