/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/counts/histogram_batch.c: a batch of records must give the same counts as single
 * records.
 */
#include <string.h>

#include "tests/unit/lib_fixture.h"
#include "lib/counts/histogram.h"
#include "tests/unit/lib/counts/counts_get.h"

#define RECORDS 20000

static struct smile_record records[RECORDS];
static struct smile_config merged[3];
static uint32_t state = 1;

static uint32_t any(uint32_t below)
{
	state = state * 1103515245 + 12345;
	return (state >> 8) % below;
}

/* Make records of all types, responses and ranges, with some marks between them. */
static void make_wide_records(unsigned int first_type, unsigned int types, unsigned int pages,
			      unsigned int nodes)
{
	for (size_t i = 0; i < RECORDS; i++) {
		unsigned int word = any(1024), words = 1 + any(1024 - word);

		if (any(2))
			words = 1;
		records[i] =
			record_dynamic(first_type + any(types), any(nodes), any(nodes),
				       (uint64_t)any(pages) * 4096 + word * 4, words, 1 + any(9));
		if (any(4) == 0)
			records[i] = record_response(records[i]);
		if (any(700) == 0)
			records[i] = record_mark(any(3), 1, i);
		if (any(900) == 0)
			records[i] = record_lost(any(9), 1);
		if (any(900) == 0)
			records[i] = record_static(any(16), SMILE_TYPE_READ, 4096, 1, 1);
	}
}

/* Make records of few pages and nodes, so that many of them have the same key. */
static void make_records(unsigned int first_type, unsigned int types)
{
	make_wide_records(first_type, types, 300, 5);
}

static void check_same(const struct histogram *one, const struct histogram *many)
{
	struct histogram_walk walk = {0};
	struct histogram_access access;
	size_t counts = 0;
	uint32_t block;

	assert_true(one->delivered == many->delivered && one->lost == many->lost);
	assert_true(one->static_delivered == many->static_delivered);
	assert_int_equal(one->nodes, many->nodes);
	assert_int_equal(one->phases_count, many->phases_count);
	assert_memory_equal(one->phases, many->phases, one->phases_count * sizeof(*one->phases));
	assert_int_equal(one->pages.table.used, many->pages.table.used);
	assert_int_equal(one->counts, many->counts);
	while (smile_histogram_next(one, &walk, &access)) {
		const struct page_counts *page =
			smile_page_counts_find(&many->pages, access.page, access.home);

		assert_non_null(page);
		assert_true(counts_get(&page->accesses,
				       histogram_access_key(access.phase, access.source,
							    access.type)) == access.count);
		counts++;
	}
	assert_true(counts > 100 && counts == one->counts);
	for (walk = (struct histogram_walk){0}, counts = 0;
	     smile_histogram_block_next(one, &walk, &access, &block); counts++)
		assert_true(
			counts_get(&smile_page_counts_find(&many->pages, access.page, access.home)
					    ->blocks,
				   histogram_block_key(access.source, access.type, block)) ==
			access.count);
	assert_true(counts > 100);
}

static void check(struct histogram_stream *stream)
{
	struct histogram one = {0}, many = {0};
	struct histogram_stream other;
	int error = 0;

	/* Continue with the last phase of the previous stream. */
	stream->phase = 0;
	other = *stream;
	for (size_t i = 0; i < RECORDS; i++)
		assert_int_equal(smile_histogram_add(&one, stream, &records[i]), 0);
	for (size_t i = 0; i < RECORDS; i++) {
		i += smile_histogram_add_many(&many, &other, records + i, RECORDS - i, &error);
		assert_int_equal(error, 0);
		if (i < RECORDS)
			assert_int_equal(smile_histogram_add(&many, &other, &records[i]), 0);
	}
	assert_int_equal(stream->phase, other.phase);
	check_same(&one, &many);
	/* If a view has several streams, the times of marks are kept for each stream. */
	if (stream->marks)
		assert_memory_equal(stream->marks, other.marks,
				    stream->phase * sizeof(*stream->marks));
	free(stream->marks);
	free(other.marks);
	stream->marks = NULL;
	stream->marks_size = 0;
	smile_histogram_stream_free(&other);
	smile_histogram_free(&one);
	smile_histogram_free(&many);
}

static void many_typed_say_what_each_says(void **unused)
{
	struct histogram_stream stream = {0};

	Monitor_config_default(&stream.config);
	make_records(SMILE_TYPE_READ, 3);
	check(&stream);
	stream.config.filter ^= SMILE_FILTER_PACKETS;
	check(&stream);
}

/* First, pages with one or two counts each; later, pages with counts of many nodes. */
static void many_far_apart_say_what_each_says(void **unused)
{
	struct histogram_stream stream = {0};

	Monitor_config_default(&stream.config);
	make_wide_records(SMILE_TYPE_READ, 3, 1U << 20, 64);
	check(&stream);
	make_wide_records(SMILE_TYPE_READ, 3, 40, 60000);
	check(&stream);
}

static void many_untyped_say_what_each_says(void **unused)
{
	struct histogram_stream stream = {0};

	Monitor_config_default(&stream.config);
	stream.config.mode &= ~SMILE_MODE_TYPED_TAGS;
	make_records(SMILE_TYPE_ANY, 1);
	check(&stream);
}

static void many_merged_say_what_each_says(void **unused)
{
	static const uint32_t filters[] = {SMILE_FILTER_INCOMING, SMILE_FILTER_OUTGOING,
					   SMILE_FILTER_WRITE, SMILE_FILTER_PACKETS, 0};
	struct histogram_stream stream = {.merged = merged, .merged_count = 3};

	make_records(SMILE_TYPE_READ, 3);
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		for (uint32_t node = 0; node < 3; node++) {
			Monitor_config_default(&merged[node]);
			/* Node 1 has no card. The filter of node 3's card is different. */
			merged[node].node = node ? node + 1 : 0;
		}
		merged[2].filter ^= filters[i];
		if (!filters[i])
			merged[1].mode |= SMILE_MODE_NO_DYNAMIC | SMILE_MODE_STATIC;
		for (uint32_t node = 0; node < 3; node++) {
			stream.config = merged[node];
			check(&stream);
		}
	}
}

static void many_count_ranges_where_they_are_asked_for(void **unused)
{
	struct histogram histogram = {.ranges_limited = 1, .ranges_page = 7, .ranges_pages = 2};
	struct histogram_stream stream = {0};
	struct histogram_access access;
	struct histogram_walk walk = {0};
	uint64_t blocks = 0, all = 0;
	int error = 0;
	uint32_t block;

	Monitor_config_default(&stream.config);
	for (size_t i = 0; i < 100; i++)
		records[i] = record_dynamic(SMILE_TYPE_READ, 1, 0, i % 10 * 4096, 1, 1);
	assert_int_equal(smile_histogram_add_many(&histogram, &stream, records, 90, &error), 90);
	for (size_t i = 90; i < 100; i++)
		assert_int_equal(smile_histogram_add(&histogram, &stream, &records[i]), 0);
	while (smile_histogram_next(&histogram, &walk, &access))
		all += access.count;
	for (walk = (struct histogram_walk){0};
	     smile_histogram_block_next(&histogram, &walk, &access, &block);) {
		assert_true(access.page == 7 || access.page == 8);
		blocks += access.count;
	}
	assert_true(all == 100 && blocks == 20);
	smile_histogram_free(&histogram);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_typed_say_what_each_says),
		cmocka_unit_test(many_far_apart_say_what_each_says),
		cmocka_unit_test(many_untyped_say_what_each_says),
		cmocka_unit_test(many_merged_say_what_each_says),
		cmocka_unit_test(many_count_ranges_where_they_are_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
