/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Conformance cases: accesses by page, and transfers by node.
 * May use fixture.h, traffic.h and the public API.
 */
#include <errno.h>
#include <string.h>

#include "tests/conformance/cases.h"
#include "tests/conformance/traffic.h"

static void histogram_case(struct conformance *c, unsigned int entries,
			   unsigned int max_range_bytes, unsigned int mode, unsigned int count)
{
	struct smile_config config = config_default();
	struct naive naive = {0};

	config.entries = entries;
	config.max_range_bytes = max_range_bytes;
	config.mode = mode;
	conformance_open(c, &config);
	traffic_add(c, &naive, entries + max_range_bytes, count, 0);
	conformance_feed(c);
	conformance_finish(c);
	expect_histogram(c, &naive, mode & SMILE_MODE_TYPED_TAGS);
	expect_balanced(c, naive.count);
	naive_free(&naive);
}

void Monitor_histogram_info_defaults_isExact(void **state)
{
	histogram_case(*state, 16, 4, SMILE_MODE_DEFAULT, 6000);
}

void Monitor_histogram_info_oneEntry_isExact(void **state)
{
	histogram_case(*state, 1, 64, SMILE_MODE_DEFAULT, 3000);
}

void Monitor_histogram_info_wholePageRanges_isExact(void **state)
{
	histogram_case(*state, 2, 4096, SMILE_MODE_DEFAULT, 4000);
}

void Monitor_histogram_info_alignedRanges_isExact(void **state)
{
	histogram_case(*state, 16, 256, SMILE_MODE_DEFAULT | SMILE_MODE_ALIGNED, 4000);
}

void Monitor_histogram_info_untypedTags_countsAccessesAlone(void **state)
{
	histogram_case(*state, 16, 16, 0, 4000);
}

void Monitor_histogram_info_smallCapacity_tellsHowManyRowsThereAre(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct naive naive = {0};
	struct Monitor_histogram_row all[4];
	struct Monitor_histogram_row rows[3];
	struct Monitor_histogram_row untouched;

	conformance_open(c, &config);
	access_add(c, &naive, 2, 1, SMILE_TYPE_READ, 0x3000, 0);
	access_add(c, &naive, 1, 1, SMILE_TYPE_READ, 0x3000, 0);
	access_add(c, &naive, 1, 0, SMILE_TYPE_READ, 0x3000, 0);
	access_add(c, &naive, 4, 1, SMILE_TYPE_READ, 0x2000, 0);
	conformance_feed(c);
	conformance_finish(c);
	assert_int_equal(Monitor_histogram_info(c->mon, NULL, 0), 4);
	assert_int_equal(Monitor_histogram_info(c->mon, all, 4), 4);
	memset(rows, 0x5a, sizeof(rows));
	untouched = rows[2];
	assert_int_equal(Monitor_histogram_info(c->mon, rows, 2), 4);
	assert_memory_equal(&rows[0], &all[0], sizeof(rows[0]));
	assert_memory_equal(&rows[1], &all[1], sizeof(rows[1]));
	assert_memory_equal(&rows[2], &untouched, sizeof(untouched));
	assert_int_equal(Monitor_page_home(c->mon, 2), 1);
	assert_int_equal(Monitor_page_home(c->mon, 3), -EMLINK);
	assert_int_equal(Monitor_page_home(c->mon, 4), -ENOENT);
	assert_int_equal(Monitor_nodes(c->mon), 5);
	naive_free(&naive);
}

void Monitor_histogram_info_filteredTypes_areNotCounted(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct naive naive = {0};
	struct naive rest = {0};

	config.node = 1;
	config.filter = SMILE_FILTER_WRITE | SMILE_FILTER_REQUEST | SMILE_FILTER_INCOMING;
	conformance_open(c, &config);
	for (unsigned int i = 0; i < 300; i++) {
		unsigned int type = 1 + i % 3;
		unsigned int home = i / 3 % 2;

		access_add(c, type == SMILE_TYPE_WRITE && home == 1 ? &naive : &rest, 2, home, type,
			   i * 64, 0);
	}
	conformance_feed(c);
	conformance_finish(c);
	assert_int_equal(naive.count, 50);
	expect_histogram(c, &naive, true);
	expect_balanced(c, naive.count);
	naive_free(&naive);
	naive_free(&rest);
}

void Monitor_histogram_info_responsesOnly_namesPagesByTheirHome(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct naive naive = {0};

	config.filter = SMILE_FILTER_ALL & ~SMILE_FILTER_REQUEST;
	conformance_open(c, &config);
	for (unsigned int i = 0; i < 200; i++) {
		unsigned int source = 1 + i % 3;
		unsigned int type = 1 + i % 2;
		uint64_t address = i % 5 * SMILE_PAGE_BYTES + i % 7 * 4;

		conformance_frame_add(c, type_command[type], source, 4, i % 64, address);
		conformance_frame_add(c, BLINK_RESPONSE16, 4, source, i % 64, 0);
		naive_add(&naive, source, 4, type, address, 0);
	}
	conformance_feed(c);
	conformance_finish(c);
	expect_histogram(c, &naive, true);
	expect_balanced(c, 200);
	assert_int_equal(Monitor_page_home(c->mon, 0), 4);
	naive_free(&naive);
}

void Monitor_histogram_info_requestsAndResponses_countEachTransactionOnce(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct naive naive = {0};

	config.filter = SMILE_FILTER_ALL;
	conformance_open(c, &config);
	for (unsigned int i = 0; i < 200; i++) {
		unsigned int source = 1 + i % 3;
		uint64_t address = i % 5 * SMILE_PAGE_BYTES;

		conformance_frame_add(c, BLINK_NREAD64, source, 4, i % 64, address);
		conformance_frame_add(c, BLINK_RESPONSE64, 4, source, i % 64, 0);
		naive_add(&naive, source, 4, SMILE_TYPE_READ, address, 0);
	}
	conformance_feed(c);
	conformance_finish(c);
	expect_histogram(c, &naive, true);
	expect_balanced(c, 400); /* the card counts events, two for each transaction */
	naive_free(&naive);
}
