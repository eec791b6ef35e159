/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/counts/histogram.c: which counts a record increases. */
#include <endian.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib_fixture.h"
#include "lib/counts/histogram.h"

static struct histogram histogram;
static struct histogram_stream stream;

static void empty(void)
{
	smile_histogram_free(&histogram);
	memset(&histogram, 0, sizeof(histogram));
	memset(&stream, 0, sizeof(stream));
	Monitor_config_default(&stream.config);
}

/* The view has the cards of nodes 0 and 1. The stream is from node 0's card. */
static struct smile_config merged[2];

static void merge(void)
{
	merged[0] = merged[1] = stream.config;
	merged[1].node = 1;
	stream.merged = merged;
	stream.merged_count = 2;
}

static int add(struct smile_record record)
{
	return smile_histogram_add(&histogram, &stream, &record);
}

/* The sum of all counts of the page table for one source and one home. */
static uint64_t sum(uint32_t source, uint32_t home)
{
	struct histogram_access access;
	uint64_t total = 0;
	struct histogram_walk walk = {0};

	while (smile_histogram_next(&histogram, &walk, &access)) {
		if (access.source == source && access.home == home)
			total += access.count;
	}
	return total;
}

static void histogram_add_largest_ids_and_address_are_kept_apart(void **state)
{
	struct histogram_access access;
	struct histogram_walk walk = {0};
	uint32_t block;

	empty();
	assert_int_equal(add(record_dynamic(SMILE_TYPE_LOCK, 65535, 65534, 0xfffffffffffc, 1, 9)),
			 0);
	assert_int_equal(smile_histogram_next(&histogram, &walk, &access), 1);
	assert_true(access.page == 0xfffffffffULL && access.type == SMILE_TYPE_LOCK);
	assert_true(access.source == 65535 && access.home == 65534 && access.count == 9);
	assert_int_equal(smile_histogram_next(&histogram, &walk, &access), 0);
	assert_int_equal(histogram.nodes, 65536);
	walk = (struct histogram_walk){0};
	assert_int_equal(smile_histogram_block_next(&histogram, &walk, &access, &block), 1);
	assert_true(access.page == 0xfffffffffULL && access.type == SMILE_TYPE_LOCK);
	assert_true(access.source == 65535 && access.home == 65534 && access.count == 9);
	assert_int_equal(block, 2047);
}

static void histogram_add_responses_do_not_count_beside_requests(void **state)
{
	empty();
	add(record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 5));
	add(record_response(record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 5)));
	assert_true(sum(1, 0) == 5 && sum(0, 1) == 0);
	assert_true(histogram.delivered == 10);
}

static void histogram_add_responses_alone_count_as_the_requesters(void **state)
{
	empty();
	stream.config.filter ^= SMILE_FILTER_PACKETS;
	add(record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 5));
	add(record_response(record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 7)));
	assert_true(sum(1, 0) == 7 && sum(0, 1) == 0);
	/* The record does not say whether it is of responses; the card's filter decides. */
	stream.config.mode = 0;
	add(record_dynamic(SMILE_TYPE_ANY, 0, 1, 0, 1, 3));
	assert_true(sum(1, 0) == 10 && sum(0, 1) == 0);
}

static void histogram_add_merged_counts_a_transaction_once(void **state)
{
	empty();
	merge();
	for (uint32_t node = 0; node < 2; node++) {
		stream.config.node = node;
		add(record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 1)); /* both count it */
		add(record_dynamic(SMILE_TYPE_READ, node, 2, 0, 1, 1)); /* the source counts it */
		add(record_dynamic(SMILE_TYPE_READ, 3, node, 0, 1, 1)); /* the target counts it */
	}
	assert_true(sum(0, 1) == 1);
	assert_true(sum(0, 2) == 1 && sum(1, 2) == 1);
	assert_true(sum(3, 0) == 1 && sum(3, 1) == 1);
}

/* A count must not be ignored because of another card that did not count the transaction. */
static void histogram_add_merged_looks_at_the_other_cards_filter(void **state)
{
	empty();
	merge();
	merged[1].filter &= ~SMILE_FILTER_INCOMING;
	add(record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 1));
	assert_true(sum(0, 1) == 1);
	merged[1].filter = SMILE_FILTER_DEFAULT & ~SMILE_FILTER_WRITE;
	add(record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 1));
	assert_true(sum(0, 1) == 1);
	add(record_dynamic(SMILE_TYPE_WRITE, 0, 1, 0, 1, 1));
	assert_true(sum(0, 1) == 2);
	merged[1].filter = SMILE_FILTER_DEFAULT ^ SMILE_FILTER_PACKETS;
	add(record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 1));
	assert_true(sum(0, 1) == 3);
	/* A card whose dynamic array is off counts none of these transactions. */
	merged[1].filter = SMILE_FILTER_DEFAULT;
	merged[1].mode |= SMILE_MODE_STATIC;
	add(record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 1));
	assert_true(sum(0, 1) == 3);
	merged[1].mode |= SMILE_MODE_NO_DYNAMIC;
	add(record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 1));
	assert_true(sum(0, 1) == 4);
}

static void histogram_add_static_is_no_access(void **state)
{
	struct histogram_access access;
	struct histogram_walk walk = {0};

	empty();
	assert_int_equal(add(record_static(4, SMILE_TYPE_READ, 0x1000, 1, 9)), 0);
	assert_int_equal(add(record_overflow(4, SMILE_TYPE_READ, 0x1000, 1)), 0);
	assert_int_equal(add(record_static_event(0, 3, 2)), 0);
	assert_true(histogram.delivered == 0);
	assert_int_equal(smile_histogram_next(&histogram, &walk, &access), 0);
	assert_int_equal(histogram.nodes, 10);
	assert_true(histogram.phases[0].accesses == 0);
}

static void histogram_add_static_counts_by_counter_and_phase(void **state)
{
	empty();
	add(record_overflow(4, SMILE_TYPE_READ, 0x1000, 1));
	add(record_overflow(4, SMILE_TYPE_READ, 0x1000, 1));
	add(record_static(4, SMILE_TYPE_READ, 0x1000, 1, 9));
	add(record_static(15, SMILE_TYPE_READ, 0x1000, 1, 1));
	add(record_mark(0, 1, 100));
	add(record_static_event(0, 3, 2));
	add(record_static(4, SMILE_TYPE_READ, 0x1000, 1, 3));
	assert_true(smile_histogram_static(&histogram, 0, 4) == 2 * 65535 + 9);
	assert_true(smile_histogram_static(&histogram, 0, 15) == 1);
	assert_true(smile_histogram_static(&histogram, 0, 0) == 0);
	assert_true(smile_histogram_static(&histogram, 1, 0) == 2);
	assert_true(smile_histogram_static(&histogram, 1, 4) == 3);
	assert_true(smile_histogram_static(&histogram, 2, 4) == 0);
	assert_true(histogram.static_delivered == 2 * 65535 + 15);
}

static void histogram_phases_open_one_with_static_counts_is_shown(void **state)
{
	empty();
	add(record_mark(0, 1, 100));
	assert_int_equal(smile_histogram_phases(&histogram), 1);
	add(record_static(15, SMILE_TYPE_READ, 0x1000, 1, 1));
	assert_int_equal(smile_histogram_phases(&histogram), 2);
	add(record_mark(0, 1, 200));
	assert_int_equal(smile_histogram_phases(&histogram), 2);
}

/*
 * Merged recordings show the static counters of one card only. The sum of delivered counts includes
 * all cards.
 */
static void histogram_add_static_of_another_stream_is_only_delivered(void **state)
{
	empty();
	add(record_static(4, SMILE_TYPE_READ, 0x1000, 1, 9));
	stream.other = 1;
	add(record_static(4, SMILE_TYPE_READ, 0x1000, 1, 100));
	assert_true(smile_histogram_static(&histogram, 0, 4) == 9);
	assert_true(histogram.static_delivered == 109);
}

static void histogram_add_lost_is_summed(void **state)
{
	empty();
	add(record_lost(UINT32_MAX, 1));
	add(record_lost(2, 3));
	assert_true(histogram.lost == 0x100000001 && histogram.marks_lost == 4);
	assert_true(histogram.delivered == 0);
}

static void histogram_add_senseless_changes_nothing(void **state)
{
	empty();
	assert_int_equal(add((struct smile_record){{0}}), -EPROTO);
	assert_int_equal(histogram.nodes, 0);
	assert_true(histogram.delivered == 0 && histogram.pages.table.used == 0);
	empty();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(histogram_add_largest_ids_and_address_are_kept_apart),
		cmocka_unit_test(histogram_add_responses_do_not_count_beside_requests),
		cmocka_unit_test(histogram_add_responses_alone_count_as_the_requesters),
		cmocka_unit_test(histogram_add_merged_counts_a_transaction_once),
		cmocka_unit_test(histogram_add_merged_looks_at_the_other_cards_filter),
		cmocka_unit_test(histogram_add_static_is_no_access),
		cmocka_unit_test(histogram_add_static_counts_by_counter_and_phase),
		cmocka_unit_test(histogram_phases_open_one_with_static_counts_is_shown),
		cmocka_unit_test(histogram_add_static_of_another_stream_is_only_delivered),
		cmocka_unit_test(histogram_add_lost_is_summed),
		cmocka_unit_test(histogram_add_senseless_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
