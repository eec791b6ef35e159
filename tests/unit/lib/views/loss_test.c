/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/views/loss.c, and of the balance of counts that Monitor_close() checks. */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/field.h>

#include "lib/monitor/monitor.h"
#include "tests/unit/lib_fixture.h"

/* A card that counts every event twice, after three frames. */
static struct Monitor *counting(void)
{
	struct smile_config config;
	struct smile_static tables;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	Monitor_config_default(&config);
	config.mode |= SMILE_MODE_STATIC;
	Monitor_static_default(&tables);
	assert_int_equal(
		Monitor_static_event(&tables, 0, 0, 4096, SMILE_FILTER_READ | SMILE_FILTER_REQUEST),
		0);
	assert_int_equal(Monitor_static_counter(&tables, 0, -1, -1), 0);
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_static_set(mon, &tables), 0);
	assert_int_equal(Monitor_start(mon), 0);
	for (uint64_t i = 0; i < 3; i++) {
		uint64_t words[3] = {htole64(1ULL | 3ULL << 16), htole64(4 * i), 0};

		assert_int_equal(Monitor_packet(mon, words, sizeof(words), i), 0);
	}
	return mon;
}

static struct Monitor_loss loss_of(struct Monitor *mon)
{
	struct Monitor_loss loss = {0};

	assert_int_equal(Monitor_loss(mon, &loss), 0);
	return loss;
}

static void loss_has_two_accounts(void **state)
{
	struct Monitor *mon = counting();
	struct Monitor_loss loss = loss_of(mon);

	assert_true(loss.known && !loss.balanced);
	assert_true(loss.accepted == 3 && loss.pending == 3 && loss.delivered == 0);
	assert_true(loss.static_counted == 3 && loss.static_delivered == 0);
	assert_int_equal(Monitor_swap(mon), 4);
	loss = loss_of(mon);
	assert_true(loss.known && loss.balanced && loss.pending == 0);
	assert_true(loss.delivered == 3 && loss.static_delivered == 3);
	assert_int_equal(Monitor_close(mon), 0);
}

static void loss_either_difference_is_no_balance(void **state)
{
	struct Monitor *mon = counting();

	assert_int_equal(Monitor_swap(mon), 4);
	mon->histogram.static_delivered--;
	assert_int_equal(loss_of(mon).balanced, 0);
	mon->histogram.static_delivered += 2;
	assert_int_equal(loss_of(mon).balanced, 0);
	mon->histogram.static_delivered--;
	assert_int_equal(loss_of(mon).balanced, 1);
	mon->histogram.lost++;
	assert_int_equal(loss_of(mon).balanced, 0);
	Monitor_close(mon);
}

/* EVENT and TIME records have no count. If one is missing, only the number of records shows it. */
static void loss_missing_record_is_no_balance(void **state)
{
	struct Monitor *mon = counting();

	assert_int_equal(Monitor_swap(mon), 4);
	assert_true(loss_of(mon).records == 4 && loss_of(mon).records_written == 4);
	assert_int_equal(Monitor_event(mon, 77), 0);
	assert_true(loss_of(mon).records == 4 && loss_of(mon).records_written == 5);
	assert_int_equal(loss_of(mon).balanced, 0);
	assert_int_equal(Monitor_poll(mon, 0), 1);
	assert_int_equal(loss_of(mon).balanced, 1);
	mon->records--;
	assert_int_equal(loss_of(mon).balanced, 0);
	mon->records += 2;
	assert_int_equal(loss_of(mon).balanced, 0);
	Monitor_close(mon);
}

/* The sum of LOST records is too large for its type, and the card reports as many losses. */
static void loss_sums_do_not_wrap(void **state)
{
	const struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 7),
		record_lost(INT64_MAX, 1),
		record_lost(INT64_MAX, 1),
		record_lost(INT64_MAX, 1),
	};
	struct smile_statistics statistics = {
		.size = sizeof(statistics),
		.events_accepted = 7 + 3 * (uint64_t)INT64_MAX,
		.records_written = 4,
	};
	struct smile_static tables;
	struct Monitor *mon;

	Monitor_static_default(&tables);
	for (int i = 0; i < 2; i++) {
		write_recording_static(scratch_path("wrap.rec"), &tables, records, 4, &statistics);
		assert_int_equal(Monitor_open(&mon, scratch_path("wrap.rec")), 0);
		assert_int_equal(Monitor_poll(mon, 0), 4);
		assert_true(loss_of(mon).lost == UINT64_MAX && loss_of(mon).marks_lost == 3);
		assert_int_equal(loss_of(mon).balanced, 0);
		assert_int_equal(Monitor_close(mon), 0);
		statistics.events_accepted = UINT64_MAX;
	}
	/* The sum of merged recordings must not wrap either. */
	write_recording(scratch_path("one.rec"), 1, NULL, 0, 5);
	assert_int_equal(Monitor_open(&mon, scratch_path("wrap.rec")), 0);
	assert_int_equal(Monitor_attach(mon, scratch_path("one.rec")), 0);
	assert_true(loss_of(mon).accepted == UINT64_MAX);
	assert_int_equal(Monitor_close(mon), 0);
}

static void loss_of_merged_recordings_is_the_sum(void **state)
{
	struct smile_record record = record_static(0, SMILE_TYPE_READ, 0, 1, 5);
	struct smile_statistics statistics = {
		.size = sizeof(statistics),
		.static_counted = 5,
		.static_delivered = 5,
		.marks_lost = 1,
	};
	uint64_t counts[SMILE_STATIC_COUNTERS];
	struct smile_static tables;
	struct Monitor *mon;

	Monitor_static_default(&tables);
	write_recording_static(scratch_path("nine.rec"), &tables, &record, 1, &statistics);
	write_recording(scratch_path("one.rec"), 1, &record, 1, 0);
	assert_int_equal(Monitor_open(&mon, scratch_path("nine.rec")), 0);
	assert_int_equal(Monitor_attach(mon, scratch_path("one.rec")), 0);
	while (Monitor_poll(mon, 0) > 0)
		continue;
	assert_true(loss_of(mon).static_counted == 5 && loss_of(mon).static_delivered == 10);
	/* The counters shown are those of the first recording. */
	assert_int_equal(Monitor_static_counts(mon, counts, 1), 1);
	assert_true(counts[0] == 5);
	assert_int_equal(Monitor_static_info(mon, &tables), 0);
	assert_int_equal(loss_of(mon).balanced, 0);
	assert_int_equal(Monitor_statistics(mon, &statistics), 0);
	assert_true(statistics.static_delivered == 5 && statistics.marks_lost == 1);
	/* It is no error to close a recording whose counts do not balance. */
	assert_int_equal(Monitor_close(mon), 0);
}

/* A mark that the driver records by software. */
static struct smile_record record_gap(unsigned int event)
{
	struct smile_record record = record_mark(event, 0, 5);

	record.word[0] &= htole32(~SMILE_RECORD_CAUSE);
	record.word[0] |= htole32(SMILE_PUT(SMILE_RECORD_CAUSE, SMILE_RAISED_SOFTWARE));
	return record;
}

/*
 * The marks of the driver show where a stream was interrupted. After a sleep, the counts are still
 * checked. After a reset they are not, even if they seem to balance. Other events with these ids
 * are not marks of the driver.
 */
static void loss_reports_of_interruptions(void **state)
{
	struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 7),
		record_gap(SMILE_EVENT_ASLEEP),
		record_mark(SMILE_EVENT_ASLEEP, 0, 6), /* from the B-Link, like the next one */
		record_mark(SMILE_EVENT_RESET, 0, 7),
	};
	struct smile_statistics statistics = {
		.size = sizeof(statistics), .events_accepted = 7, .records_written = 4};
	struct smile_static tables;
	struct Monitor_loss loss;
	struct Monitor *mon;

	Monitor_static_default(&tables);
	for (uint64_t resets = 0; resets < 2; resets++) {
		write_recording_static(scratch_path("gap.rec"), &tables, records, 4, &statistics);
		assert_int_equal(Monitor_open(&mon, scratch_path("gap.rec")), 0);
		assert_int_equal(Monitor_poll(mon, 0), 4);
		loss = loss_of(mon);
		assert_true(loss.sleeps == 1 && loss.resets == resets);
		assert_true(loss.known == !resets && loss.balanced == !resets);
		assert_true(loss.delivered == 7 && loss.accepted == (resets ? 0 : 7));
		assert_int_equal(Monitor_close(mon), 0);
		records[3] = record_gap(SMILE_EVENT_RESET);
	}
}

/* ---- close ---------------------------------------------------------------------------------- */

static void close_swapped_out_and_wrong_is_reported(void **state)
{
	struct Monitor *mon = counting();

	assert_int_equal(Monitor_stop(mon), 0);
	assert_int_equal(Monitor_swap(mon), 4);
	mon->histogram.delivered--;
	assert_int_equal(Monitor_close(mon), -EBADMSG);
	assert_non_null(strstr(Monitor_error_message(), "3 events accepted, but 2 delivered"));

	mon = counting();
	assert_int_equal(Monitor_stop(mon), 0);
	assert_int_equal(Monitor_swap(mon), 4);
	mon->histogram.static_delivered++;
	assert_int_equal(Monitor_close(mon), -EBADMSG);
	assert_non_null(strstr(Monitor_error_message(), "3 events by static counters"));

	mon = counting();
	assert_int_equal(Monitor_stop(mon), 0);
	assert_int_equal(Monitor_swap(mon), 4);
	mon->records--;
	assert_int_equal(Monitor_close(mon), -EBADMSG);
	assert_non_null(strstr(Monitor_error_message(), "4 records, but 3 were read"));
}

/* A stopped card still records the events that software raises. */
static void close_with_an_event_in_the_card_is_no_failure(void **state)
{
	struct Monitor *mon = counting();

	assert_int_equal(Monitor_stop(mon), 0);
	assert_int_equal(Monitor_swap(mon), 4);
	assert_int_equal(Monitor_event(mon, 5), 0);
	assert_int_equal(Monitor_close(mon), 0);
}

static void close_with_counts_in_the_card_is_no_failure(void **state)
{
	struct Monitor *mon = counting();

	/*
	 * In each of these states, the counts are not complete: running, stopped, swapped, started
	 * a second time.
	 */
	assert_int_equal(Monitor_close(mon), 0);
	mon = counting();
	assert_int_equal(Monitor_stop(mon), 0);
	assert_int_equal(Monitor_close(mon), 0);
	mon = counting();
	assert_int_equal(Monitor_swap(mon), 4);
	mon->histogram.delivered--;
	assert_int_equal(Monitor_close(mon), 0);
	mon = counting();
	assert_int_equal(Monitor_stop(mon), 0);
	assert_int_equal(Monitor_swap(mon), 4);
	assert_int_equal(Monitor_start(mon), 0);
	mon->histogram.delivered--;
	assert_int_equal(Monitor_close(mon), 0);
}

static void close_wrong_leaves_a_complete_recording(void **state)
{
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	assert_int_equal(Monitor_save(mon, scratch_path("wrong.rec"), NULL), 0);
	assert_int_equal(Monitor_swap(mon), 0);
	mon->histogram.lost++;
	assert_int_equal(Monitor_close(mon), -EBADMSG);
	assert_int_equal(Monitor_open(&mon, scratch_path("wrong.rec")), 0);
	assert_int_equal(loss_of(mon).known, 1);
	assert_int_equal(Monitor_close(mon), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loss_has_two_accounts),
		cmocka_unit_test(loss_either_difference_is_no_balance),
		cmocka_unit_test(loss_missing_record_is_no_balance),
		cmocka_unit_test(loss_sums_do_not_wrap),
		cmocka_unit_test(loss_of_merged_recordings_is_the_sum),
		cmocka_unit_test(loss_reports_of_interruptions),
		cmocka_unit_test(close_swapped_out_and_wrong_is_reported),
		cmocka_unit_test(close_with_an_event_in_the_card_is_no_failure),
		cmocka_unit_test(close_with_counts_in_the_card_is_no_failure),
		cmocka_unit_test(close_wrong_leaves_a_complete_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
