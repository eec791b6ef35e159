/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/histogram.c: how a record becomes counts.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib_fixture.h"
#include "lib/histogram.h"

static struct histogram histogram;
static struct histogram_stream stream;

static void empty(void *unused)
{
	smile_histogram_free(&histogram);
	memset(&histogram, 0, sizeof(histogram));
	memset(&stream, 0, sizeof(stream));
}

static int add(struct smile_record record)
{
	return smile_histogram_add(&histogram, &stream, &record);
}

/* Sum of the page table's counts of one source and home. */
static uint64_t sum(uint32_t source, uint32_t home)
{
	struct histogram_access access;
	uint64_t total = 0;
	size_t position = 0;

	while (smile_histogram_next(&histogram, &position, &access)) {
		if (access.source == source && access.home == home)
			total += access.count;
	}
	return total;
}

static void histogram_add_largest_ids_and_address_are_kept_apart(void **state)
{
	struct histogram_access access;
	size_t position = 0;

	empty(NULL);
	assert_int_equal(add(record_dynamic(SMILE_TYPE_LOCK, 65535, 65534, 0xfffffffffffc, 1, 9)),
			 0);
	assert_int_equal(smile_histogram_next(&histogram, &position, &access), 1);
	assert_true(access.page == 0xfffffffffULL && access.type == SMILE_TYPE_LOCK);
	assert_true(access.source == 65535 && access.home == 65534 && access.count == 9);
	assert_int_equal(smile_histogram_next(&histogram, &position, &access), 0);
	assert_int_equal(histogram.nodes, 65536);
	assert_true(smile_histogram_block(&histogram, 0xfffffffffULL, 65534, 65535, SMILE_TYPE_LOCK,
					  2047) == 9);
}

static void histogram_add_responses_do_not_count_beside_requests(void **state)
{
	empty(NULL);
	add(record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 5));
	add(record_response(record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 5)));
	assert_true(sum(1, 0) == 5 && sum(0, 1) == 0);
	assert_true(histogram.delivered == 10);
}

static void histogram_add_responses_alone_count_as_the_requesters(void **state)
{
	empty(NULL);
	stream.responses = 1;
	add(record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 5));
	add(record_response(record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 7)));
	assert_true(sum(1, 0) == 7 && sum(0, 1) == 0);
}

static void histogram_add_merged_counts_a_transaction_once(void **state)
{
	static const uint32_t covered[] = {0, 1};

	empty(NULL);
	stream.covered = covered;
	stream.covered_count = 2;
	for (stream.node = 0; stream.node < 2; stream.node++) {
		add(record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 1)); /* seen by both */
		add(record_dynamic(SMILE_TYPE_READ, stream.node, 2, 0, 1,
				   1)); /* by its source alone */
		add(record_dynamic(SMILE_TYPE_READ, 3, stream.node, 0, 1,
				   1)); /* by its target alone */
	}
	assert_true(sum(0, 1) == 1);
	assert_true(sum(0, 2) == 1 && sum(1, 2) == 1);
	assert_true(sum(3, 0) == 1 && sum(3, 1) == 1);
}

static void histogram_add_lost_is_summed(void **state)
{
	empty(NULL);
	add(record_lost(UINT32_MAX, 1));
	add(record_lost(2, 3));
	assert_true(histogram.lost == 0x100000001 && histogram.marks_lost == 4);
	assert_true(histogram.delivered == 0);
}

static void histogram_add_senseless_changes_nothing(void **state)
{
	empty(NULL);
	assert_int_equal(add((struct smile_record){{0}}), -EPROTO);
	assert_int_equal(histogram.nodes, 0);
	assert_true(histogram.delivered == 0 && histogram.pages.used == 0);
	empty(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(histogram_add_largest_ids_and_address_are_kept_apart),
		cmocka_unit_test(histogram_add_responses_do_not_count_beside_requests),
		cmocka_unit_test(histogram_add_responses_alone_count_as_the_requesters),
		cmocka_unit_test(histogram_add_merged_counts_a_transaction_once),
		cmocka_unit_test(histogram_add_lost_is_summed),
		cmocka_unit_test(histogram_add_senseless_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
