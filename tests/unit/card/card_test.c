/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the whole card: long random traffic, which is compared with the oracle, for hosts that
 * read often or rarely; and the reported losses if the host stops reading. May use card_fixture.h.
 */
#include <stdlib.h>

#include "tests/unit/card/card_fixture.h"

static const unsigned int commands[] = {BLINK_READSB, BLINK_WRITESB, BLINK_LOCKSB};

/* ---- readiness ----------------------------------------------------------------------------- */

static void card_ready_disabledOrEnabled_followsControl(void **state)
{
	struct fixture *fx = *state;

	assert_false(card_ready(&fx->card));
	fixture_set(fx, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	assert_true(card_ready(&fx->card));
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	assert_false(card_ready(&fx->card));
}

/* ---- the same stream at every pace --------------------------------------------------------- */

/**
 * struct pace - How often the host reads, and how much.
 * @every: number of packets between two reads of the ring
 * @records: highest number of records that the host reads at a time
 */
struct pace {
	unsigned int every;
	unsigned int records;
};

struct traffic {
	struct smile_config config;
	uint64_t seed;
	unsigned int packets;
	unsigned int nodes;
	unsigned int pages;
	unsigned int marks_in_1000;
};

/*
 * Send the same traffic to the card and to the oracle. Before each packet, the host reads until the
 * card is ready, so no packet is lost.
 */
static void run_against_oracle(struct fixture *fx, const struct traffic *traffic,
			       const struct pace *pace)
{
	struct oracle oracle;
	struct {
		uint64_t address;
		uint32_t type;
	} request[64][64] = {0};
	uint64_t seed = traffic->seed;

	card_reset(&fx->card);
	fx->drained.count = 0;
	fx->checked = 0;
	oracle_init(&oracle, &traffic->config);
	fixture_start(fx, &traffic->config);
	for (unsigned int i = 0; i < traffic->packets; i++) {
		unsigned int source = fixture_random(&seed, traffic->nodes);
		unsigned int target = fixture_random(&seed, traffic->nodes);
		unsigned int type = fixture_random(&seed, 3);
		unsigned int id = fixture_random(&seed, 64);
		uint64_t page = fixture_random(&seed, traffic->pages);
		/* Most accesses are close to one another, some are anywhere in the page. */
		uint64_t offset = fixture_random(&seed, fixture_random(&seed, 4) ? 96 : 4096);

		for (unsigned int tries = 0; !card_ready(&fx->card); tries++) {
			assert_true(tries < 10000);
			assert_true(fixture_take(fx, pace->records) > 0);
		}
		card_tick(&fx->card, i * 10);
		if (fixture_random(&seed, 1000) < traffic->marks_in_1000) {
			uint32_t event = fixture_random(&seed, 20);

			if (i % 2) {
				fixture_event00(fx, source, event);
				oracle_mark(&oracle, event, source, SMILE_RAISED_BLINK, i * 10);
			} else {
				fixture_set(fx, SMILE_REG_EVENT, event);
				oracle_mark(&oracle, event, traffic->config.node,
					    SMILE_RAISED_SOFTWARE, i * 10);
			}
		} else if (fixture_random(&seed, 3) == 0 && request[target][id].type) {
			fixture_packet(fx, BLINK_RESPONSE00 + id % 4, source, target, id, ~0ULL);
			if (traffic->config.filter & SMILE_FILTER_RESPONSE)
				oracle_event(&oracle, source, target, request[target][id].type, 1,
					     request[target][id].address);
			request[target][id].type = 0;
		} else {
			uint64_t address = page * 4096 + offset;

			fixture_packet(fx, commands[type] + i % 16, source, target, id, address);
			oracle_event(&oracle, source, target, type + 1, 0, address);
			request[source][id].type = type + 1;
			request[source][id].address = address;
		}
		if (i % pace->every == pace->every - 1)
			fixture_take(fx, pace->records);
	}
	fixture_swap(fx);
	oracle_swap(&oracle);
	fixture_drain(fx);
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, 0);
	fixture_expect_counter(fx, SMILE_REG_COUNT_MARKS_LOST, 0);
	fixture_expect_counter(fx, SMILE_REG_COUNT_EXTENSIONS, oracle.extensions);
	fixture_expect_stream(&fx->drained, &oracle.stream);
	fixture_expect_account(fx);
	stream_free(&oracle.stream);
}

static void card_packet_anyPace_writesTheOraclesStream(void **state)
{
	static const struct pace paces[] = {
		{1, 1},	     {1, 1024},	   {2, 1},    {3, 7},	       {5, 2},	     {64, 1024},
		{1000, 100}, {1024, 1024}, {7777, 3}, {1 << 30, 1024}, {1 << 30, 1},
	};
	struct traffic traffic = {
		.config = fixture_defaults(),
		.seed = 1,
		.packets = 20000,
		.nodes = 3,
		.pages = 5,
		.marks_in_1000 = 10,
	};

	traffic.config.filter = SMILE_FILTER_ALL;
	traffic.config.node = 1;
	traffic.config.max_range_bytes = 32;
	traffic.config.phase_events = 0x5555;
	for (size_t i = 0; i < sizeof(paces) / sizeof(paces[0]); i++)
		run_against_oracle(*state, &traffic, &paces[i]);
}

static void card_packet_everyConfiguration_writesTheOraclesStream(void **state)
{
	static const unsigned int entries[] = {1, 2, 3, 16, 17, 63, 64};
	static const unsigned int ranges[] = {4, 8, 12, 16, 64, 100, 1024, 4096};
	static const struct pace pace = {.every = 50, .records = 30};

	for (size_t e = 0; e < sizeof(entries) / sizeof(entries[0]); e++) {
		for (size_t r = 0; r < sizeof(ranges) / sizeof(ranges[0]); r++) {
			for (unsigned int mode = 0; mode < 4; mode++) {
				struct traffic traffic = {
					.config = fixture_defaults(),
					.seed = 1 + e * 1000 + r * 10 + mode,
					.packets = 2000,
					.nodes = 2 + r % 3,
					.pages = 1 + e,
					.marks_in_1000 = 5,
				};

				traffic.config.entries = entries[e];
				traffic.config.max_range_bytes = ranges[r];
				traffic.config.mode = mode;
				traffic.config.phase_events = 0xff;
				if (r % 2)
					traffic.config.filter = SMILE_FILTER_ALL;
				run_against_oracle(*state, &traffic, &pace);
			}
		}
	}
}

static void card_packet_counterMaximum_writesTheOraclesStream(void **state)
{
	static const struct pace pace = {.every = 100, .records = 1024};
	struct traffic traffic = {
		.config = fixture_defaults(),
		.seed = 4,
		.packets = 1200000,
		.nodes = 1,
		.pages = 1,
	};

	/* Few ranges are possible, so that counters become full. */
	traffic.config.max_range_bytes = 4096;
	run_against_oracle(*state, &traffic, &pace);
	assert_true(traffic.packets > 3 * 65536);
}

/* ---- losses -------------------------------------------------------------------------------- */

static void card_packet_readerStopped_countsTheLossExactly(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = fixture_defaults();
	uint64_t distinct = FIXTURE_RING_RECORDS + 16; /* the ring and the table are full */

	fixture_start(fx, &config);
	for (uint64_t i = 0; i < 5000; i++) {
		fixture_read(fx, 1, 0, i * 4096);
		fixture_expect_counter(fx, SMILE_REG_COUNT_LOST,
				       i < distinct ? 0 : i + 1 - distinct);
	}
	fixture_expect_account(fx);
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, 5000 - distinct);
	fixture_expect_counter(fx, SMILE_REG_COUNT_DELIVERED, distinct);
}

static void card_packet_randomStalls_keepTheAccount(void **state)
{
	struct fixture *fx = *state;
	uint64_t lost = 0;
	uint64_t marks_lost = 0;

	for (uint64_t round = 1; round <= 150; round++) {
		uint64_t seed = round;
		struct smile_config config = fixture_defaults();
		uint64_t events = 0;
		uint64_t reported = 0;
		uint64_t time_ns = 0;

		card_reset(&fx->card);
		fx->drained.count = 0;
		fx->repeats = 0;
		config.entries = 1 + fixture_random(&seed, 64);
		config.max_range_bytes = 4 + 4 * fixture_random(&seed, 64);
		config.mode = fixture_random(&seed, 8);
		config.filter = SMILE_FILTER_ALL;
		if (fixture_random(&seed, 4) == 0)
			config.filter = fixture_random(&seed, 0x800) & SMILE_FILTER_ALL;
		config.phase_events = fixture_random(&seed, 0x10000);
		fixture_start(fx, &config);
		fixture_set(fx, SMILE_REG_INT_ENABLE, SMILE_INT_RING_FULL);
		for (unsigned int i = 0; i < 6000; i++) {
			unsigned int hot = fixture_random(&seed, 3) == 0;
			unsigned int dice = fixture_random(&seed, 1000);

			if (dice < 4) {
				fixture_event00(fx, 1, fixture_random(&seed, 20));
				events++;
			} else if (dice < 8) {
				fixture_set(fx, SMILE_REG_EVENT, fixture_random(&seed, 20));
				events++;
			} else if (dice < 10) {
				fixture_swap(fx);
			} else if (dice < 100) {
				/*
				 * Send any command, including invalid ones, and responses without a
				 * request.
				 */
				unsigned int command = fixture_random(&seed, BLINK_COMMANDS);

				events += command == BLINK_EVENT00;
				fixture_packet(fx, command, 1, 2, fixture_random(&seed, 64), 9);
			} else {
				fixture_packet(fx, commands[fixture_random(&seed, 3)],
					       fixture_random(&seed, 4), fixture_random(&seed, 4),
					       fixture_random(&seed, 64),
					       fixture_random(&seed, hot ? 64 : 1 << 24));
			}
			/* Sometimes, the host reads some records after a long pause. */
			if (fixture_random(&seed, 700) == 0)
				fixture_take(fx, fixture_random(&seed, 1025));
			if (fixture_random(&seed, 100) == 0)
				fixture_take(fx, fixture_random(&seed, 5));
			if (fixture_random(&seed, 50) == 0)
				fixture_set(fx, SMILE_REG_INT_STATUS, SMILE_INT_RING_FULL);
			card_tick(&fx->card, time_ns += fixture_random(&seed, 100));
			assert_int_equal(fx->level, (fixture_get(fx, SMILE_REG_INT_STATUS) &
						     fixture_get(fx, SMILE_REG_INT_ENABLE)) != 0);
		}
		fixture_expect_account(fx);
		time_ns = 0;
		for (size_t i = 0; i < fx->drained.count; i++) {
			if (fx->drained.records[i].kind != SMILE_KIND_EVENT)
				continue;
			reported++;
			assert_true(fx->drained.records[i].time_ns >= time_ns);
			time_ns = fx->drained.records[i].time_ns;
		}
		fixture_expect_counter(fx, SMILE_REG_COUNT_MARKS_LOST, events - reported);
		assert_int_equal(fx->repeats, 0);
		lost += fixture_counter(fx, SMILE_REG_COUNT_LOST);
		marks_lost += fixture_counter(fx, SMILE_REG_COUNT_MARKS_LOST);
	}
	/* Check that the test has caused enough lost events and lost marks. */
	assert_true(lost > 10000);
	assert_true(marks_lost > 10);
}

/* If the ring is full, the card loses events, but counts no event in a wrong record. */
static void card_packet_stalls_neverCountWhatDidNotHappen(void **state)
{
	enum { NODES = 4, PAGES = 8, TYPES = 4 };
	struct fixture *fx = *state;
	struct smile_config config = fixture_defaults();
	uint64_t happened[NODES][NODES][TYPES][PAGES] = {0};
	uint64_t seed = 99;
	uint64_t missing = 0;

	config.max_range_bytes = 16;
	fixture_start(fx, &config);
	for (unsigned int i = 0; i < 100000; i++) {
		unsigned int source = fixture_random(&seed, NODES);
		unsigned int target = fixture_random(&seed, NODES);
		unsigned int type = fixture_random(&seed, 3);
		unsigned int page = fixture_random(&seed, PAGES);

		fixture_packet(fx, commands[type], source, target, 0,
			       page * 4096 + fixture_random(&seed, 64));
		happened[source][target][type + 1][page]++;
		if (fixture_random(&seed, 1500) == 0)
			fixture_take(fx, FIXTURE_RING_RECORDS);
	}
	fixture_expect_account(fx);
	for (size_t i = 0; i < fx->drained.count; i++) {
		const struct decoded_record *record = &fx->drained.records[i];
		uint64_t *left;

		if (record->kind != SMILE_KIND_DYNAMIC)
			continue;
		assert_true(record->length <= 16);
		assert_int_equal(record->address / 4096,
				 (record->address + record->length - 1) / 4096);
		left = &happened[record->source][record->destination][record->type]
				[record->address / 4096];
		assert_true(*left >= record->count);
		*left -= record->count;
	}
	for (size_t i = 0; i < sizeof(happened) / sizeof(uint64_t); i++)
		missing += (&happened[0][0][0][0])[i];
	assert_true(missing > 0);
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, missing);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(card_ready_disabledOrEnabled_followsControl),
		TEST(card_packet_anyPace_writesTheOraclesStream),
		TEST(card_packet_everyConfiguration_writesTheOraclesStream),
		TEST(card_packet_counterMaximum_writesTheOraclesStream),
		TEST(card_packet_readerStopped_countsTheLossExactly),
		TEST(card_packet_randomStalls_keepTheAccount),
		TEST(card_packet_stalls_neverCountWhatDidNotHappen),
	};

	return cmocka_run_group_tests_name("card", tests, NULL, NULL);
}
