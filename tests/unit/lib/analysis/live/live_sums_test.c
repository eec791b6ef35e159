/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/analysis/live: the sums of live_sums.c, and the hottest pages of hot_pages.c. The
 * card runs in this process.
 */
#include <errno.h>
#include <string.h>

#include "lib/analysis/live/live_sums.h"
#include "tests/unit/lib_fixture.h"
#include "tests/unit/no_memory.h"
#include "tests/unit/request_packets.h"

static struct Monitor *card_of_mode(uint32_t mode)
{
	struct smile_config config;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	Monitor_config_default(&config);
	config.mode = mode;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_start(mon), 0);
	return mon;
}

static struct Monitor *card(void)
{
	return card_of_mode(SMILE_MODE_TYPED_TAGS);
}

static const struct Monitor_weights weights = {.local = 1, .read = 1000, .write = 20, .lock = 500};

static void closed(struct live_sums *sums, struct Monitor *mon)
{
	live_sums_free(sums);
	Monitor_close(mon);
}

static void sums_report_interval_and_total(void **state)
{
	struct live_sums *sums = live_sums_new(&weights);
	struct Monitor *mon = card();
	struct live_page pages[4];
	const uint64_t *transfers;
	size_t nodes;

	request_packets(mon, 10, 1, 0, BLINK_READSB, 5);
	request_packets(mon, 4, 2, 0, BLINK_WRITESB, 6);
	assert_true(Monitor_swap(mon) > 0);
	assert_int_equal(live_sums_look(sums, mon), 0);
	assert_int_equal(live_sums_pages(sums), 2);
	request_packets(mon, 1, 2, 0, BLINK_READSB, 5);
	request_packets(mon, 30, 2, 0, BLINK_WRITESB, 6);
	request_packets(mon, 2, 3, 1, BLINK_LOCKSB, 5);
	assert_true(Monitor_swap(mon) > 0);
	assert_int_equal(live_sums_look(sums, mon), 0);
	assert_int_equal(live_sums_pages(sums), 3);
	assert_int_equal(live_sums_active(sums), 3);

	/* Page 5 of node 1 and page 5 of node 0 are different pages. */
	assert_int_equal(live_sums_top(sums, mon, LIVE_BY_RATE, pages, 4), 3);
	assert_true(pages[0].page == 6 && pages[0].now.accesses == 30 &&
		    pages[0].total.accesses == 34 && pages[0].now.writes == 30);
	assert_true(pages[1].page == 5 && pages[1].home == 1 && pages[1].now.locks == 2);
	assert_true(pages[2].page == 5 && pages[2].home == 0 && pages[2].now.reads == 1 &&
		    pages[2].total.reads == 11);
	assert_true(pages[2].dominant == 1 && pages[0].dominant == 2 && pages[1].dominant == 3);
	assert_true(live_page_share(&pages[2]) > 0.90 && live_page_share(&pages[2]) < 0.92);
	assert_true(pages[1].cost == 1000 && pages[0].cost_now == 600 && pages[2].cost == 11000);

	assert_int_equal(live_sums_top(sums, mon, LIVE_BY_COST, pages, 4), 3);
	/*
	 * If two pages have equal cost in the interval, the page with the higher total comes first.
	 */
	assert_true(pages[0].page == 5 && pages[0].home == 0);
	assert_true(pages[1].page == 5 && pages[1].home == 1 && pages[2].page == 6);
	assert_int_equal(live_sums_top(sums, mon, LIVE_BY_TOTAL_COST, pages, 1), 1);
	assert_true(pages[0].page == 5 && pages[0].home == 0);
	assert_int_equal(live_sums_top(sums, mon, LIVE_BY_TOTAL, pages, 2), 2);
	assert_true(pages[0].page == 6 && pages[1].home == 0);

	transfers = live_sums_transfers(sums, 1, &nodes);
	assert_int_equal(nodes, 4);
	assert_true(transfers[2 * 4 + 0] == 31 && transfers[1 * 4 + 0] == 0 &&
		    transfers[3 * 4 + 1] == 2);
	transfers = live_sums_transfers(sums, 0, &nodes);
	assert_true(transfers[2 * 4 + 0] == 35 && transfers[1 * 4 + 0] == 10);
	closed(sums, mon);
}

/* The heap must find the same pages as a complete sort. */
static void sums_find_the_hottest_of_many(void **state)
{
	struct live_sums *sums = live_sums_new(&weights);
	struct Monitor *mon = card();
	static unsigned int counts[5000];
	struct live_page pages[40];

	for (unsigned int i = 0; i < 5000; i++) {
		counts[i] = 1 + i * 7919 % 97;
		request_packets(mon, counts[i], 1, 0, BLINK_READSB, 100 + i);
	}
	assert_true(Monitor_swap(mon) > 0);
	assert_int_equal(live_sums_look(sums, mon), 0);
	assert_int_equal(live_sums_top(sums, mon, LIVE_BY_TOTAL, pages, 40), 40);
	for (unsigned int i = 0; i < 40; i++) {
		unsigned int best = 0;

		for (unsigned int j = 1; j < 5000; j++)
			if (counts[j] > counts[best])
				best = j;
		assert_int_equal(pages[i].page, 100 + best);
		assert_int_equal(pages[i].total.accesses, counts[best]);
		counts[best] = 0;
	}
	closed(sums, mon);
}

static void nothing_counted_has_no_pages(void **state)
{
	struct live_sums *sums = live_sums_new(&weights);
	struct Monitor *mon = card();
	struct live_page page;

	assert_int_equal(live_sums_look(sums, mon), 0);
	assert_int_equal(live_sums_pages(sums), 0);
	assert_int_equal(live_sums_active(sums), 0);
	assert_int_equal(live_sums_top(sums, mon, LIVE_BY_TOTAL, &page, 1), 0);
	closed(sums, mon);
}

static void an_interval_without_accesses_has_no_active_page(void **state)
{
	struct live_sums *sums = live_sums_new(&weights);
	struct Monitor *mon = card();
	struct live_page page;
	const uint64_t *transfers;
	size_t nodes;

	request_packets(mon, 3, 1, 0, BLINK_READSB, 5);
	assert_true(Monitor_swap(mon) > 0);
	assert_int_equal(live_sums_look(sums, mon), 0);
	assert_int_equal(live_sums_active(sums), 1);
	assert_int_equal(live_sums_look(sums, mon), 0);
	assert_int_equal(live_sums_pages(sums), 1);
	assert_int_equal(live_sums_active(sums), 0);
	assert_int_equal(live_sums_top(sums, mon, LIVE_BY_RATE, &page, 1), 1);
	assert_true(page.now.accesses == 0 && page.total.accesses == 3 && page.cost_now == 0);
	transfers = live_sums_transfers(sums, 1, &nodes);
	assert_true(transfers[1 * nodes + 0] == 0);
	closed(sums, mon);
}

static void untyped_accesses_cost_as_reads(void **state)
{
	struct live_sums *sums = live_sums_new(&weights);
	struct Monitor *mon = card_of_mode(0);
	struct live_page page;

	request_packets(mon, 7, 1, 0, BLINK_WRITESB, 5);
	assert_true(Monitor_swap(mon) > 0);
	assert_int_equal(live_sums_look(sums, mon), 0);
	assert_int_equal(live_sums_top(sums, mon, LIVE_BY_TOTAL, &page, 1), 1);
	assert_true(page.total.accesses == 7 && page.total.writes == 0 && page.cost == 7000);
	closed(sums, mon);
}

static void of_nodes_with_equal_counts_the_lowest_dominates(void **state)
{
	struct live_sums *sums = live_sums_new(&weights);
	struct Monitor *mon = card();
	struct live_page page;

	request_packets(mon, 6, 3, 0, BLINK_READSB, 5);
	request_packets(mon, 6, 2, 0, BLINK_READSB, 5);
	assert_true(Monitor_swap(mon) > 0);
	assert_int_equal(live_sums_look(sums, mon), 0);
	assert_int_equal(live_sums_top(sums, mon, LIVE_BY_TOTAL, &page, 1), 1);
	assert_int_equal(page.dominant, 2);
	assert_true(live_page_share(&page) == 0.5);
	closed(sums, mon);
}

static void too_many_nodes_have_no_matrix(void **state)
{
	struct live_sums *sums = live_sums_new(&weights);
	struct Monitor *mon = card();
	size_t nodes = 1;

	request_packets(mon, 1, LIVE_NODES_MAX, 0, BLINK_READSB, 5);
	assert_true(Monitor_swap(mon) > 0);
	assert_int_equal(live_sums_look(sums, mon), 0);
	assert_int_equal(live_sums_pages(sums), 1);
	assert_null(live_sums_transfers(sums, 1, &nodes));
	assert_int_equal(nodes, 0);
	closed(sums, mon);
}

static void a_look_without_memory_leaves_the_sums(void **state)
{
	struct live_sums *sums = live_sums_new(&weights);
	struct Monitor *mon = card();
	int result;

	request_packets(mon, 3, 1, 0, BLINK_READSB, 5);
	assert_true(Monitor_swap(mon) > 0);
	no_memory = 1;
	result = live_sums_look(sums, mon);
	no_memory = 0;
	assert_int_equal(result, -ENOMEM);
	assert_non_null(strstr(Monitor_error_message(), "no memory for"));
	assert_int_equal(live_sums_pages(sums), 0);
	assert_int_equal(live_sums_look(sums, mon), 0);
	assert_int_equal(live_sums_active(sums), 1);
	closed(sums, mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_report_interval_and_total),
		cmocka_unit_test(sums_find_the_hottest_of_many),
		cmocka_unit_test(nothing_counted_has_no_pages),
		cmocka_unit_test(an_interval_without_accesses_has_no_active_page),
		cmocka_unit_test(untyped_accesses_cost_as_reads),
		cmocka_unit_test(of_nodes_with_equal_counts_the_lowest_dominates),
		cmocka_unit_test(too_many_nodes_have_no_matrix),
		cmocka_unit_test(a_look_without_memory_leaves_the_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
