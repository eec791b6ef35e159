/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of card_fixture.h: each of its checks must fail if the card is wrong. A failed check ends
 * its test, so each test runs in a process of its own. May use card_fixture.h and POSIX.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/card/card_fixture.h"
#include "tests/harness/failing.h"

/* Run @function as the only test, with the fixture. Return: the number of failed tests, 0 or 1. */
static int failures(CMUnitTestFunction function)
{
	return failures_of(function, fixture_setup, fixture_teardown);
}

static void one_read(struct fixture *fx)
{
	fixture_set(fx, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	fixture_read(fx, 1, 0, 0x1000);
}

static void expect_right(void **state)
{
	one_read(*state);
	fixture_swap(*state);
	fixture_expect(*state, "dynamic read swap [0] x1 1>0 0x%x+4", 0x1000);
	fixture_expect_none(*state);
}

static void expect_wrong_count(void **state)
{
	one_read(*state);
	fixture_swap(*state);
	fixture_expect(*state, "dynamic read swap [0] x2 1>0 0x1000+4");
}

static void expect_missing(void **state)
{
	one_read(*state);
	fixture_expect(*state, "dynamic read swap [0] x1 1>0 0x1000+4");
}

static void expect_none_but_one(void **state)
{
	one_read(*state);
	fixture_swap(*state);
	fixture_expect_none(*state);
}

static void expect_none_but_read_ahead(void **state)
{
	one_read(*state);
	fixture_swap(*state);
	fixture_drain(*state);
	fixture_expect_none(*state);
}

static void skip_missing(void **state)
{
	one_read(*state);
	fixture_swap(*state);
	fixture_skip(*state, 2);
}

static void fixture_expect_unexpected_fails(void **state)
{
	assert_int_equal(failures(expect_right), 0);
	assert_int_equal(failures(expect_wrong_count), 1);
	assert_int_equal(failures(expect_missing), 1);
	assert_int_equal(failures(expect_none_but_one), 1);
	assert_int_equal(failures(expect_none_but_read_ahead), 1);
	assert_int_equal(failures(skip_missing), 1);
}

static void counter_right(void **state)
{
	one_read(*state);
	fixture_expect_counter(*state, SMILE_REG_COUNT_SEEN, 1);
}

static void counter_wrong(void **state)
{
	one_read(*state);
	fixture_expect_counter(*state, SMILE_REG_COUNT_SEEN, 2);
}

static void counter_wrong_high_half(void **state)
{
	struct fixture *fx = *state;

	card_tick(&fx->card, 0x100000001ULL);
	fixture_expect_counter(fx, SMILE_REG_CLOCK, 1);
}

static void fixture_expectCounter_otherValue_fails(void **state)
{
	assert_int_equal(failures(counter_right), 0);
	assert_int_equal(failures(counter_wrong), 1);
	assert_int_equal(failures(counter_wrong_high_half), 1);
}

static void refused_right(void **state)
{
	fixture_expect_refused(*state, SMILE_REG_ENTRIES, 0);
}

static void refused_accepted(void **state)
{
	fixture_expect_refused(*state, SMILE_REG_ENTRIES, 5);
}

static void refused_without_effect(void **state)
{
	fixture_expect_refused(*state, SMILE_REG_ENTRIES, SMILE_ENTRIES_DEFAULT);
}

static void refused_reported_before(void **state)
{
	fixture_set(*state, SMILE_REG_ID, 0);
	fixture_expect_refused(*state, SMILE_REG_ENTRIES, 0);
}

static void configure_impossible(void **state)
{
	struct smile_config config = fixture_defaults();

	config.max_range_bytes = 6;
	fixture_configure(*state, &config);
}

static void fixture_expectRefused_acceptedWrite_fails(void **state)
{
	assert_int_equal(failures(refused_right), 0);
	assert_int_equal(failures(refused_accepted), 1);
	assert_int_equal(failures(refused_without_effect), 1);
	assert_int_equal(failures(refused_reported_before), 1);
	assert_int_equal(failures(configure_impossible), 1);
}

static void account_right(void **state)
{
	one_read(*state);
	fixture_expect_account(*state);
}

static void account_record_missing(void **state)
{
	struct fixture *fx = *state;

	one_read(fx);
	fixture_swap(fx);
	fixture_drain(fx);
	fx->drained.count--;
	fixture_expect_account(fx);
}

static void account_count_changed(void **state)
{
	struct fixture *fx = *state;

	one_read(fx);
	fixture_swap(fx);
	fixture_drain(fx);
	fx->drained.records[0].count++;
	fixture_expect_account(fx);
}

static void account_loss_unreported(void **state)
{
	struct fixture *fx = *state;

	one_read(fx);
	fx->card.count.lost++;
	fx->card.count.accepted++;
	fixture_expect_account(fx);
}

static void account_packet_without_fate(void **state)
{
	struct fixture *fx = *state;

	one_read(fx);
	fx->card.count.seen++;
	fixture_expect_account(fx);
}

static void account_dirty_record(void **state)
{
	struct fixture *fx = *state;

	one_read(fx);
	fixture_swap(fx);
	fx->ram[0] |= SMILE_RECORD_ZERO; /* change the second byte, in either byte order */
	fixture_expect_account(fx);
}

static void fixture_expectAccount_anyGap_fails(void **state)
{
	assert_int_equal(failures(account_right), 0);
	assert_int_equal(failures(account_record_missing), 1);
	assert_int_equal(failures(account_count_changed), 1);
	assert_int_equal(failures(account_loss_unreported), 1);
	assert_int_equal(failures(account_packet_without_fate), 1);
	assert_int_equal(failures(account_dirty_record), 1);
}

/* Compare two streams of two records. @change is applied to the last member of the second one. */
static void compare_streams(size_t first, size_t second, uint32_t change)
{
	struct stream streams[2] = {0};
	struct decoded_record record;

	memset(&record, 0, sizeof(record));
	record.kind = SMILE_KIND_DYNAMIC;
	for (size_t i = 0; i < first; i++)
		stream_add(&streams[0], &record);
	for (size_t i = 0; i < second; i++)
		stream_add(&streams[1], &record);
	streams[1].records[1].length += change;
	fixture_expect_stream(&streams[0], &streams[1]);
	stream_free(&streams[0]);
	stream_free(&streams[1]);
}

static void stream_right(void **state)
{
	compare_streams(2, 2, 0);
}

static void stream_longer(void **state)
{
	compare_streams(3, 2, 0);
}

static void stream_shorter(void **state)
{
	compare_streams(2, 3, 0);
}

static void stream_different(void **state)
{
	compare_streams(2, 2, 4);
}

static void fixture_expectStream_difference_fails(void **state)
{
	assert_int_equal(failures(stream_right), 0);
	assert_int_equal(failures(stream_longer), 1);
	assert_int_equal(failures(stream_shorter), 1);
	assert_int_equal(failures(stream_different), 1);
}

/* Every significant bit of a record changes its text. */
static void decoded_record_print_anyBit_showsInTheText(void **state)
{
	static const uint32_t kinds[] = {
		SMILE_KIND_DYNAMIC, SMILE_KIND_STATIC, SMILE_KIND_OVERFLOW,
		SMILE_KIND_EVENT,   SMILE_KIND_TIME,   SMILE_KIND_LOST,
	};

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		uint32_t words[SMILE_RECORD_WORDS] = {kinds[k]};
		char before[DECODED_RECORD_TEXT_BYTES];
		struct decoded_record record;

		decoded_record_read(&record, words);
		decoded_record_print(&record, before);
		for (unsigned int bit = 0; bit < 128; bit++) {
			char after[DECODED_RECORD_TEXT_BYTES];

			words[bit / 32] ^= (uint32_t)1 << bit % 32;
			decoded_record_read(&record, words);
			decoded_record_print(&record, after);
			words[bit / 32] ^= (uint32_t)1 << bit % 32;
			/* Causes 8 and higher have the same text. */
			assert_string_not_equal(before, after);
		}
	}
}

static void oracle_event_knownTraffic_writesKnownRecords(void **state)
{
	struct smile_config config = fixture_defaults();
	struct oracle oracle;
	char text[DECODED_RECORD_TEXT_BYTES];

	/*
	 * The expected records are written by hand: an oracle with the same error as the card would
	 * pass.
	 */
	config.entries = 2;
	config.max_range_bytes = 16;
	config.phase_events = 4;
	oracle_init(&oracle, &config);
	oracle_event(&oracle, 1, 2, SMILE_TYPE_READ, 0, 0x100e);
	oracle_event(&oracle, 1, 2, SMILE_TYPE_READ, 0, 0x1000);
	assert_int_equal(oracle.extensions, 1);
	oracle_event(&oracle, 1, 2, SMILE_TYPE_READ, 0, 0x1010);
	oracle_mark(&oracle, 2, 7, SMILE_RAISED_BLINK, 55);
	assert_int_equal(oracle.stream.count, 3);
	decoded_record_print(&oracle.stream.records[0], text);
	assert_string_equal(text, "dynamic read capacity [0] x2 1>2 0x1000+16");
	decoded_record_print(&oracle.stream.records[1], text);
	assert_string_equal(text, "dynamic read swap [1] x1 1>2 0x1010+4");
	decoded_record_print(&oracle.stream.records[2], text);
	assert_string_equal(text, "event 2 phase blink node 7 at 55");
	stream_free(&oracle.stream);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixture_expect_unexpected_fails),
		cmocka_unit_test(fixture_expectCounter_otherValue_fails),
		cmocka_unit_test(fixture_expectRefused_acceptedWrite_fails),
		cmocka_unit_test(fixture_expectAccount_anyGap_fails),
		cmocka_unit_test(fixture_expectStream_difference_fails),
		cmocka_unit_test(decoded_record_print_anyBit_showsInTheText),
		cmocka_unit_test(oracle_event_knownTraffic_writesKnownRecords),
	};

	return cmocka_run_group_tests_name("fixture", tests, NULL, NULL);
}
