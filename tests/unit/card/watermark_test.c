/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the watermark and the latency timer, in both rings. May use card_fixture.h.
 */
#include "tests/unit/card/card_fixture.h"

#define BASE 0x7000
#define RECORDS 256

/* Start the card. Each test runs with both rings. */
static void start(struct fixture *fx, bool hosted, uint32_t watermark, uint32_t latency)
{
	struct smile_config config = fixture_defaults();

	card_reset(&fx->card);
	fx->latency_us = 0;
	fx->latency_calls = 0;
	fx->drained.count = 0;
	fx->checked = 0;
	config.watermark_records = watermark;
	config.latency_us = latency;
	if (hosted) {
		config.mode |= SMILE_MODE_HOST_RING;
		/* Let the pointers wrap during the test. */
		fixture_host_ring(fx, BASE, RECORDS, 0xfffffffe);
	}
	fixture_start(fx, &config);
}

static void put(struct fixture *fx, unsigned int records)
{
	while (records--)
		fixture_set(fx, SMILE_REG_EVENT, 1);
}

static uint32_t causes(struct fixture *fx)
{
	return fixture_get(fx, SMILE_REG_INT_STATUS);
}

static void clear(struct fixture *fx)
{
	fixture_set(fx, SMILE_REG_INT_STATUS, 0xffffffff);
	assert_int_equal(causes(fx), 0);
}

/*
 * Since the last check, the latency timer must have been set @calls times; @us is the last value.
 */
static void expect_latency(struct fixture *fx, unsigned int calls, uint32_t us)
{
	assert_int_equal(fx->latency_calls, calls);
	assert_int_equal(fx->latency_us, us);
	fx->latency_calls = 0;
}

/* Write the read pointer with its current value. */
static void touch(struct fixture *fx, bool hosted)
{
	uint32_t offset = hosted ? SMILE_REG_DMA_READ : SMILE_REG_RING_READ;

	fixture_set(fx, offset, fixture_get(fx, offset));
}

/* ---- watermark ----------------------------------------------------------------------------- */

static void watermark_crossed_interruptsOnce(void **state)
{
	struct fixture *fx = *state;

	for (unsigned int hosted = 0; hosted < 2; hosted++) {
		start(fx, hosted, 5, 0);
		fixture_set(fx, SMILE_REG_INT_ENABLE, SMILE_INT_WATERMARK);
		put(fx, 4);
		assert_int_equal(causes(fx), 0);
		assert_false(fx->level);
		put(fx, 1);
		assert_int_equal(causes(fx), SMILE_INT_WATERMARK);
		assert_true(fx->level);
		/*
		 * Only the record that reaches the watermark sets the cause; further records do
		 * not.
		 */
		clear(fx);
		put(fx, 20);
		assert_int_equal(causes(fx), 0);
		fixture_take(fx, 20);
		assert_int_equal(causes(fx), 0);
		touch(fx, hosted);
		put(fx, 1); /* from 5 to 6 */
		assert_int_equal(causes(fx), 0);
		fixture_take(fx, 2);
		put(fx, 1); /* from 4 to 5 */
		assert_int_equal(causes(fx), SMILE_INT_WATERMARK);
	}
}

static void watermark_zero_neverInterrupts(void **state)
{
	struct fixture *fx = *state;

	for (unsigned int hosted = 0; hosted < 2; hosted++) {
		start(fx, hosted, 0, 0);
		for (unsigned int i = 0; i < 3000; i++) {
			put(fx, 1);
			fixture_take(fx, i % 3 == 2 ? 3 : 0);
		}
		assert_int_equal(causes(fx), 0);
	}
}

static void watermark_one_interruptsForEachRecordIntoAnEmptyRing(void **state)
{
	struct fixture *fx = *state;

	for (unsigned int hosted = 0; hosted < 2; hosted++) {
		start(fx, hosted, 1, 0);
		for (unsigned int i = 0; i < 2500; i++) {
			put(fx, 1);
			assert_int_equal(causes(fx), SMILE_INT_WATERMARK);
			clear(fx);
			fixture_take(fx, 1);
		}
	}
}

static void watermark_atTheRingsSize_comesWithFull(void **state)
{
	struct fixture *fx = *state;

	for (unsigned int hosted = 0; hosted < 2; hosted++) {
		start(fx, hosted, hosted ? RECORDS : FIXTURE_RING_RECORDS, 0);
		put(fx, fixture_capacity(fx) - 1);
		assert_int_equal(causes(fx), 0);
		put(fx, 1);
		assert_int_equal(causes(fx), SMILE_INT_WATERMARK | SMILE_INT_RING_FULL);
		/* A waiting record fills the ring, and sets both causes a second time. */
		put(fx, 1);
		clear(fx);
		fixture_take(fx, 1);
		assert_int_equal(causes(fx), SMILE_INT_WATERMARK | SMILE_INT_RING_FULL);
		/* A watermark that is larger than the ring is never reached. */
		fixture_set(fx, SMILE_REG_RING_WATERMARK, fixture_capacity(fx) + 1);
		clear(fx);
		fixture_take(fx, 1);
		put(fx, 2);
		assert_int_equal(causes(fx), SMILE_INT_RING_FULL);
	}
}

static void watermark_changed_countsFromTheNextRecordOn(void **state)
{
	struct fixture *fx = *state;

	for (unsigned int hosted = 0; hosted < 2; hosted++) {
		start(fx, hosted, 0, 0);
		put(fx, 7);
		fixture_set(fx, SMILE_REG_RING_WATERMARK, 7); /* reached, but not crossed */
		assert_int_equal(causes(fx), 0);
		put(fx, 1);
		assert_int_equal(causes(fx), 0);
		fixture_set(fx, SMILE_REG_RING_WATERMARK, 9);
		put(fx, 1);
		assert_int_equal(causes(fx), SMILE_INT_WATERMARK);
	}
}

/* A swap of many records crosses the watermark. */
static void watermark_passedBySwap_interrupts(void **state)
{
	struct fixture *fx = *state;

	for (unsigned int hosted = 0; hosted < 2; hosted++) {
		start(fx, hosted, 3, 0);
		for (unsigned int i = 0; i < 10; i++)
			fixture_read(fx, 1, 0, 0x1000 * i);
		assert_int_equal(causes(fx), 0);
		fixture_swap(fx);
		assert_int_equal(fixture_unread(fx), 10);
		assert_int_equal(causes(fx), SMILE_INT_WATERMARK);
	}
}

/* ---- latency ------------------------------------------------------------------------------- */

static void latency_firstRecord_startsTheTimer(void **state)
{
	struct fixture *fx = *state;

	for (unsigned int hosted = 0; hosted < 2; hosted++) {
		start(fx, hosted, 0, 1000);
		fixture_set(fx, SMILE_REG_INT_ENABLE, SMILE_INT_LATENCY);
		expect_latency(fx, 0, 0);
		put(fx, 1);
		expect_latency(fx, 1, 1000);
		put(fx, 3); /* the time counts from the first record */
		expect_latency(fx, 0, 1000);
		assert_int_equal(causes(fx), 0);
		card_expire(&fx->card);
		assert_int_equal(causes(fx), SMILE_INT_LATENCY);
		assert_true(fx->level);
		/* The timer has stopped. Only a read by the host starts it. */
		clear(fx);
		card_expire(&fx->card);
		assert_int_equal(causes(fx), 0);
		put(fx, 3);
		expect_latency(fx, 0, 1000);
	}
}

static void latency_readPointer_startsAnewOrStops(void **state)
{
	struct fixture *fx = *state;

	for (unsigned int hosted = 0; hosted < 2; hosted++) {
		start(fx, hosted, 0, 500);
		put(fx, 4);
		expect_latency(fx, 1, 500);
		fixture_take(fx, 1);
		expect_latency(fx, 1, 500);
		touch(fx, hosted); /* even if the pointer does not change */
		expect_latency(fx, 1, 500);
		card_expire(&fx->card);
		fixture_take(fx, 1); /* expired, and started again */
		expect_latency(fx, 1, 500);
		fixture_take(fx, 2);
		expect_latency(fx, 1, 0);
		card_expire(&fx->card); /* too late */
		assert_int_equal(causes(fx), SMILE_INT_LATENCY);
		clear(fx);
		card_expire(&fx->card);
		assert_int_equal(causes(fx), 0);
		put(fx, 1); /* into the empty ring */
		expect_latency(fx, 1, 500);
	}
}

static void latency_refusedReadPointer_changesNothing(void **state)
{
	struct fixture *fx = *state;

	for (unsigned int hosted = 0; hosted < 2; hosted++) {
		start(fx, hosted, 0, 500);
		put(fx, 4);
		fx->latency_calls = 0;
		fixture_expect_refused(fx, hosted ? SMILE_REG_DMA_READ : SMILE_REG_RING_READ, 400);
		expect_latency(fx, 0, 500);
	}
}

/* The host empties the ring, and the card writes a waiting record to it. */
static void latency_ringRefilled_startsAnew(void **state)
{
	struct fixture *fx = *state;

	for (unsigned int hosted = 0; hosted < 2; hosted++) {
		start(fx, hosted, 0, 500);
		put(fx, fixture_capacity(fx) + 1);
		expect_latency(fx, 1, 500);
		fixture_take(fx, fixture_capacity(fx));
		assert_int_equal(fixture_unread(fx), 1);
		/* The host has stopped the timer, and the waiting record has started it. */
		expect_latency(fx, 2, 500);
		card_expire(&fx->card);
		assert_int_equal(causes(fx) & SMILE_INT_LATENCY, SMILE_INT_LATENCY);
	}
}

static void latency_registerWritten_startsAnewOrStops(void **state)
{
	struct fixture *fx = *state;

	for (unsigned int hosted = 0; hosted < 2; hosted++) {
		start(fx, hosted, 0, 0);
		fixture_set(fx, SMILE_REG_RING_LATENCY, 7); /* no record is unread */
		assert_int_equal(fx->latency_us, 0);
		fixture_set(fx, SMILE_REG_RING_LATENCY, 0);
		put(fx, 2);
		fx->latency_calls = 0;
		card_expire(&fx->card); /* latency 0: never */
		assert_int_equal(causes(fx), 0);
		fixture_set(fx, SMILE_REG_RING_LATENCY, 0xffffffff);
		expect_latency(fx, 1, 0xffffffff);
		fixture_set(fx, SMILE_REG_RING_LATENCY, 300);
		expect_latency(fx, 1, 300);
		card_expire(&fx->card);
		assert_int_equal(causes(fx), SMILE_INT_LATENCY);
		clear(fx);
		fixture_set(fx, SMILE_REG_RING_LATENCY, 200);
		expect_latency(fx, 1, 200);
		fixture_set(fx, SMILE_REG_RING_LATENCY, 0);
		expect_latency(fx, 1, 0);
		card_expire(&fx->card);
		assert_int_equal(causes(fx), 0);
	}
}

static void latency_otherRingsReadPointer_doesNotMatter(void **state)
{
	struct fixture *fx = *state;

	start(fx, false, 0, 500);
	put(fx, 3);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	fixture_host_ring(fx, BASE, RECORDS, 0);
	fixture_set(fx, SMILE_REG_DMA_READ, 0);
	expect_latency(fx, 1, 500);
	fixture_set(fx, SMILE_REG_MODE, SMILE_MODE_HOST_RING);
	put(fx, 2);
	fx->latency_calls = 0;
	fixture_set(fx, SMILE_REG_RING_READ, 4);
	fixture_set(fx, SMILE_REG_RING_READ, 12);
	expect_latency(fx, 0, 500);
}

static void latency_ringChanged_stops(void **state)
{
	struct fixture *fx = *state;

	start(fx, false, 0, 500);
	put(fx, 3);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	fixture_host_ring(fx, BASE, RECORDS, 0);
	fx->latency_calls = 0;
	fixture_set(fx, SMILE_REG_MODE, SMILE_MODE_TYPED_TAGS | SMILE_MODE_ALIGNED);
	expect_latency(fx, 0, 500); /* the ring in use does not change */
	fixture_set(fx, SMILE_REG_MODE, SMILE_MODE_HOST_RING);
	expect_latency(fx, 1, 0);
	put(fx, 1);
	expect_latency(fx, 1, 500);
	fixture_set(fx, SMILE_REG_MODE, 0); /* three records are unread, but the timer stops */
	expect_latency(fx, 1, 0);
	card_expire(&fx->card);
	assert_int_equal(causes(fx), 0);
	put(fx, 1); /* to a ring that is not empty */
	assert_int_equal(fx->latency_calls, 0);
	fixture_take(fx, 1);
	expect_latency(fx, 1, 500);
}

static void latency_reset_stops(void **state)
{
	struct fixture *fx = *state;

	start(fx, false, 0, 500);
	put(fx, 3);
	fx->latency_calls = 0;
	fixture_set(fx, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	expect_latency(fx, 1, 0);
	card_expire(&fx->card);
	assert_int_equal(causes(fx), 0);
}

/* The latency timer has no effect on the records and their times. */
static void latency_clock_isAnother(void **state)
{
	struct fixture *fx = *state;

	start(fx, false, 0, 1);
	put(fx, 1);
	fx->latency_calls = 0;
	card_tick(&fx->card, 1000000000);
	assert_int_equal(causes(fx), 0);
	expect_latency(fx, 0, 1);
	assert_true(card_deadline(&fx->card) == UINT64_MAX);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(watermark_crossed_interruptsOnce),
		TEST(watermark_zero_neverInterrupts),
		TEST(watermark_one_interruptsForEachRecordIntoAnEmptyRing),
		TEST(watermark_atTheRingsSize_comesWithFull),
		TEST(watermark_changed_countsFromTheNextRecordOn),
		TEST(watermark_passedBySwap_interrupts),
		TEST(latency_firstRecord_startsTheTimer),
		TEST(latency_readPointer_startsAnewOrStops),
		TEST(latency_refusedReadPointer_changesNothing),
		TEST(latency_ringRefilled_startsAnew),
		TEST(latency_registerWritten_startsAnewOrStops),
		TEST(latency_otherRingsReadPointer_doesNotMatter),
		TEST(latency_ringChanged_stops),
		TEST(latency_reset_stops),
		TEST(latency_clock_isAnother),
	};

	return cmocka_run_group_tests_name("watermark", tests, NULL, NULL);
}
