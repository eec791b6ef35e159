/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the card's clock: timer events, TIME records, and a clock that waits for room in the
 * ring. May use static_fixture.h.
 */
#include <string.h>

#include "tests/unit/card/static_fixture.h"

static struct smile_config periods(uint32_t timer_us, uint32_t time_us)
{
	struct smile_config config = fixture_defaults();

	config.timer_us = timer_us;
	config.timer_event = 5;
	config.time_us = time_us;
	config.node = 77;
	return config;
}

static void start(struct fixture *fx, uint32_t timer_us, uint32_t time_us)
{
	struct smile_config config = periods(timer_us, time_us);

	fixture_start(fx, &config);
}

static void expect_timer(struct fixture *fx, uint64_t time_ns)
{
	fixture_expect(fx, "event 5 timer node 77 at %llu", (unsigned long long)time_ns);
}

static void expect_time(struct fixture *fx, uint64_t time_ns)
{
	fixture_expect(fx, "time %llu", (unsigned long long)time_ns);
}

static uint64_t clock_of(struct fixture *fx)
{
	return fixture_counter(fx, SMILE_REG_CLOCK);
}

/* Write records that the test ignores, until there is room for @room records. */
static void fill(struct fixture *fx, unsigned int room)
{
	while (fixture_unread(fx) < fixture_capacity(fx) - room)
		fixture_event00(fx, 1, 100);
}

/* ---- when timer events are due --------------------------------------------------------------- */

static void timer_firstStep_beginsThePeriods(void **state)
{
	struct fixture *fx = *state;
	uint64_t first = 1700000000000000000ULL; /* the time stamps of a capture count from 1970 */

	start(fx, 10, 25);
	card_tick(&fx->card, first);
	fixture_expect_none(fx);
	card_tick(&fx->card, first + 9999);
	fixture_expect_none(fx);
	card_tick(&fx->card, first + 10000);
	expect_timer(fx, first + 10000);
	fixture_expect_none(fx);
	card_tick(&fx->card, first + 51000); /* a jump of the clock: each event has its own time */
	expect_timer(fx, first + 20000);
	expect_time(fx, first + 25000);
	expect_timer(fx, first + 30000);
	expect_timer(fx, first + 40000);
	expect_time(fx, first + 50000); /* if both have the same time, TIME is first */
	expect_timer(fx, first + 50000);
	fixture_expect_none(fx);
	assert_true(clock_of(fx) == first + 51000);
}

static void timer_sameTimeAgain_isNoStep(void **state)
{
	struct fixture *fx = *state;

	card_tick(&fx->card, 400);
	start(fx, 1, 0);
	card_tick(&fx->card, 400);
	card_tick(&fx->card, 300);
	assert_true(card_advance(&fx->card, 400));
	card_tick(&fx->card, 450);
	card_tick(&fx->card, 1449);
	fixture_expect_none(fx);
	card_tick(&fx->card, 1450);
	expect_timer(fx, 1450);
}

static void timer_enabledAnew_beginsAnew(void **state)
{
	struct fixture *fx = *state;

	start(fx, 10, 15);
	card_tick(&fx->card, 1);
	fixture_set(fx, SMILE_REG_CONTROL, 1); /* this bit is already set */
	card_tick(&fx->card, 10001);
	expect_timer(fx, 10001);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	card_tick(&fx->card, 100000);
	fixture_expect_none(fx);
	fixture_set(fx, SMILE_REG_CONTROL, 1);
	card_tick(&fx->card, 100500);
	card_tick(&fx->card, 110499);
	fixture_expect_none(fx);
	card_tick(&fx->card, 115500);
	expect_timer(fx, 110500);
	expect_time(fx, 115500);
	fixture_expect_none(fx);
}

static void timer_periodZero_isNone(void **state)
{
	struct fixture *fx = *state;

	start(fx, 0, 0);
	card_tick(&fx->card, 1);
	card_tick(&fx->card, UINT64_MAX);
	fixture_expect_none(fx);
	card_reset(&fx->card);
	start(fx, 0, 7);
	card_tick(&fx->card, 1);
	card_tick(&fx->card, 7001);
	expect_time(fx, 7001);
	fixture_expect_none(fx);
	card_reset(&fx->card);
	start(fx, 7, 0);
	card_tick(&fx->card, 1);
	card_tick(&fx->card, 7001);
	expect_timer(fx, 7001);
	fixture_expect_none(fx);
}

static void timer_longestPeriod_isMoreThanAnHour(void **state)
{
	struct fixture *fx = *state;
	uint64_t due = 9 + 0xffffffffULL * 1000;

	start(fx, 0xffffffff, 0xffffffff);
	card_tick(&fx->card, 9);
	card_tick(&fx->card, due - 1);
	fixture_expect_none(fx);
	card_tick(&fx->card, due);
	expect_time(fx, due);
	expect_timer(fx, due);
}

static void timer_endOfTheClock_isTheEnd(void **state)
{
	struct fixture *fx = *state;

	/* The next event is due exactly at the largest value of the clock. No event follows it. */
	start(fx, 1, 0);
	card_tick(&fx->card, UINT64_MAX - 2000);
	card_tick(&fx->card, UINT64_MAX - 1);
	assert_true(card_deadline(&fx->card) == UINT64_MAX);
	expect_timer(fx, UINT64_MAX - 1000);
	fixture_expect_none(fx);
	card_tick(&fx->card, UINT64_MAX);
	expect_timer(fx, UINT64_MAX);
	card_tick(&fx->card, UINT64_MAX);
	assert_true(card_advance(&fx->card, UINT64_MAX));
	fixture_expect_none(fx);
	/* An event that would be due after the largest value of the clock never happens. */
	card_reset(&fx->card);
	start(fx, 1, 1);
	card_tick(&fx->card, UINT64_MAX - 999);
	assert_true(card_deadline(&fx->card) == UINT64_MAX);
	card_tick(&fx->card, UINT64_MAX);
	fixture_expect_none(fx);
}

static void timer_deadline_isWhatIsDueNext(void **state)
{
	struct fixture *fx = *state;

	assert_true(card_deadline(&fx->card) == UINT64_MAX);
	start(fx, 10, 25);
	/* The first step of the clock starts the periods, whatever its size. */
	assert_true(card_deadline(&fx->card) == 1);
	card_tick(&fx->card, 500);
	assert_true(card_deadline(&fx->card) == 10500);
	card_tick(&fx->card, 20500);
	assert_true(card_deadline(&fx->card) == 25500);
	card_tick(&fx->card, 25500);
	assert_true(card_deadline(&fx->card) == 30500);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	assert_true(card_deadline(&fx->card) == UINT64_MAX);
	fixture_set(fx, SMILE_REG_CONTROL, 1);
	assert_true(card_deadline(&fx->card) == 25501);
	card_reset(&fx->card);
	assert_true(card_deadline(&fx->card) == UINT64_MAX);
	start(fx, 0, 0);
	assert_true(card_deadline(&fx->card) == UINT64_MAX);
}

/* ---- what timer events do -------------------------------------------------------------------- */

static void timer_record_hasTheLayoutOfTheDatasheet(void **state)
{
	struct fixture *fx = *state;
	static const uint8_t expected[32] = {
		5, 0, 0, 0, 0,	  0, 0, 0, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
		4, 2, 5, 0, 0x4d, 0, 0, 0, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
	};

	start(fx, 1, 1);
	card_tick(&fx->card, 0x1122334455667788ULL - 1000);
	card_tick(&fx->card, 0x1122334455667788ULL);
	assert_memory_equal(fx->ram, expected, sizeof(expected));
}

static void timer_event_canBeAPhaseMark(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = periods(1, 0);

	config.phase_events = 1 << 5;
	fixture_start(fx, &config);
	card_tick(&fx->card, 100);
	fixture_read(fx, 1, 0, 0x1000);
	card_tick(&fx->card, 1200); /* the mark has the time 1100, from before this step */
	fixture_read(fx, 1, 0, 0x1000);
	card_tick(&fx->card, 2100);
	fixture_expect(fx, "dynamic read swap [0] x1 1>0 0x1000+4");
	fixture_expect(fx, "event 5 phase timer node 77 at 1100");
	fixture_expect(fx, "dynamic read swap [0] x1 1>0 0x1000+4");
	fixture_expect(fx, "event 5 phase timer node 77 at 2100");
	fixture_expect_none(fx);
	fixture_expect_counter(fx, SMILE_REG_COUNT_EVENT, 0); /* that counter counts frames only */
}

static void timer_event_reachesTheStaticArray(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = periods(1, 0);

	config.mode |= SMILE_MODE_STATIC;
	set_counter(fx, 0, GLOBAL(5), NONE, NONE);
	set_counter(fx, 1, GLOBAL(6), GLOBAL(5), NONE); /* the timer event activates the counter */
	fixture_start(fx, &config);
	card_tick(&fx->card, 100);
	fixture_event00(fx, 1, 6);
	card_tick(&fx->card, 5100);
	fixture_event00(fx, 1, 6);
	expect_counter(fx, 0, 5, true);
	expect_counter(fx, 1, 1, true);
	fixture_expect_account(fx);
}

/* ---- when the ring has no room --------------------------------------------------------------- */

static void timer_full_oneTimeAndOneEventAreKept(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = periods(10, 3);

	config.mode |= SMILE_MODE_STATIC;
	set_counter(fx, 0, GLOBAL(5), NONE, NONE);
	fixture_start(fx, &config);
	card_tick(&fx->card, 1000);
	fill(fx, 0);
	card_tick(&fx->card, 5000); /* TIME at 4000 */
	card_tick(&fx->card, 8000); /* TIME at 7000, instead of the first TIME */
	card_tick(&fx->card, 62000); /* at 61000; events at 11000 to 61000 */
	fixture_expect_counter(fx, SMILE_REG_COUNT_MARKS_LOST, 5);
	expect_counter(fx, 0, 6, true);
	assert_true(card_deadline(&fx->card) == 64000);
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	fixture_expect(fx, "lost 0 marks 5");
	expect_time(fx, 61000);
	expect_timer(fx, 11000);
	fixture_expect_none(fx);
	card_tick(&fx->card, 71000);
	expect_time(fx, 64000);
	expect_time(fx, 67000);
	expect_time(fx, 70000);
	expect_timer(fx, 71000);
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

/* During the jump of the clock, the ring becomes full. */
static void timer_leap_fillsTheRingFirst(void **state)
{
	struct fixture *fx = *state;

	start(fx, 1, 0);
	card_tick(&fx->card, 1000);
	card_tick(&fx->card, 1000 + 2000 * 1000);
	assert_int_equal(fixture_unread(fx), FIXTURE_RING_RECORDS);
	fixture_expect_counter(fx, SMILE_REG_COUNT_MARKS_LOST, 2000 - FIXTURE_RING_RECORDS - 1);
	for (unsigned int i = 1; i <= FIXTURE_RING_RECORDS; i++)
		expect_timer(fx, 1000 + i * 1000);
	fixture_expect(fx, "lost 0 marks %u", 2000 - FIXTURE_RING_RECORDS - 1);
	expect_timer(fx, 1000 + (FIXTURE_RING_RECORDS + 1) * 1000);
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

/*
 * A jump of any length takes the same processor time. Every event is reported or counted as lost.
 */
static void timer_leap_ofYears_isExact(void **state)
{
	struct fixture *fx = *state;
	uint64_t leap = 600000000000000000ULL, events = leap / 3000, reported = 0;

	start(fx, 3, 1);
	card_tick(&fx->card, 1);
	card_tick(&fx->card, 1 + leap);
	assert_true(clock_of(fx) == 1 + leap);
	/*
	 * Each event has three TIME records, so the ring has 768 of them and 256 events. One
	 * further event waits.
	 */
	fixture_expect_counter(fx, SMILE_REG_COUNT_MARKS_LOST, events - 257);
	fixture_skip(fx, FIXTURE_RING_RECORDS - 2);
	expect_time(fx, 768001);
	expect_timer(fx, 768001);
	/* One LOST record reports at most 2^32 - 1 marks. */
	while (reported < events - 257) {
		uint64_t left = events - 257 - reported;
		uint32_t part = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;

		fixture_expect(fx, "lost 0 marks %u", part);
		reported += part;
	}
	expect_time(fx, 1 + leap);
	expect_timer(fx, 771001);
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

static void timer_leap_ofYears_countersAreExact(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = periods(3, 0);
	uint64_t leap = 600000000000000000ULL, events = leap / 3000;

	config.mode |= SMILE_MODE_STATIC;
	set_counter(fx, 0, GLOBAL(5), GLOBAL(5), GLOBAL(5));
	set_counter(fx, 1, GLOBAL(5), NONE, GLOBAL(5)); /* counts only the first event */
	set_counter(fx, 2, GLOBAL(5), GLOBAL(5), NONE);
	set_counter(fx, 3, GLOBAL(5), GLOBAL(6), NONE);
	fixture_start(fx, &config);
	card_tick(&fx->card, 1);
	card_tick(&fx->card, 1 + leap);
	fixture_expect_counter(fx, SMILE_REG_COUNT_STATIC, 2 * events + 1);
	expect_counter(fx, 0, (uint32_t)(events % 65535), false);
	expect_counter(fx, 1, 1, false);
	expect_counter(fx, 2, (uint32_t)(events % 65535), true);
	expect_counter(fx, 3, 0, false);
}

/* ---- a clock that waits -------------------------------------------------------------------- */

static void timer_advance_stopsWhereTheRingIsFull(void **state)
{
	struct fixture *fx = *state;

	start(fx, 2, 2);
	assert_true(card_advance(&fx->card, 1000));
	fill(fx, 3);
	/*
	 * The ring has room for TIME and the event at 3000, and for TIME at 5000, but for no more.
	 */
	assert_false(card_advance(&fx->card, 100000));
	assert_true(clock_of(fx) == 5000);
	assert_int_equal(fixture_unread(fx), FIXTURE_RING_RECORDS);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), SMILE_STATUS_FULL); /* nothing waits */
	assert_false(card_advance(&fx->card, 100000));
	assert_true(clock_of(fx) == 5000);
	fixture_take(fx, 1);
	assert_false(card_advance(&fx->card, 100000)); /* the event at 5000; TIME at 7000 waits */
	assert_true(clock_of(fx) == 7000);
	fixture_skip(fx, FIXTURE_RING_RECORDS - 3);
	assert_true(card_advance(&fx->card, 8999));
	assert_true(clock_of(fx) == 8999);
	expect_time(fx, 3000);
	expect_timer(fx, 3000);
	expect_time(fx, 5000);
	expect_timer(fx, 5000);
	expect_time(fx, 7000);
	expect_timer(fx, 7000);
	fixture_expect_none(fx);
	fixture_expect_counter(fx, SMILE_REG_COUNT_MARKS_LOST, 0);
}

static void timer_advance_nothingDue_needsNoRoom(void **state)
{
	struct fixture *fx = *state;

	start(fx, 10, 0);
	assert_true(card_advance(&fx->card, 1000));
	fill(fx, 0);
	assert_true(card_advance(&fx->card, 10999));
	assert_true(clock_of(fx) == 10999);
	assert_false(card_advance(&fx->card, 11000));
	assert_true(clock_of(fx) == 11000);
	/* card_tick() does not wait for room. */
	card_tick(&fx->card, 11000);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS),
			 SMILE_STATUS_FULL | SMILE_STATUS_SWAPPING);
	assert_true(card_advance(&fx->card, 20999));
	assert_true(card_advance(&fx->card, 300)); /* the clock never goes back */
	assert_true(clock_of(fx) == 20999);
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	expect_timer(fx, 11000);
	fixture_expect_none(fx);
}

/* The first step does not need room either, at any time. */
static void timer_advance_firstStep_needsNoRoom(void **state)
{
	struct fixture *fx = *state;

	start(fx, 10, 0);
	fill(fx, 0);
	assert_true(card_advance(&fx->card, 1ULL << 60));
	assert_true(card_deadline(&fx->card) == (1ULL << 60) + 10000);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	assert_true(card_advance(&fx->card, 1ULL << 61));
	assert_true(clock_of(fx) == 1ULL << 61);
}

static void timer_advance_busRefuses_waits(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = periods(1, 0);

	config.mode |= SMILE_MODE_HOST_RING;
	fixture_host_ring(fx, 0x1000, 256, 0);
	fixture_start(fx, &config);
	assert_true(card_advance(&fx->card, 1000));
	fx->bus_refuses = true;
	fx->bus_passes = 2;
	assert_false(card_advance(&fx->card, 10000)); /* the third event, at 4000, waits */
	assert_true(clock_of(fx) == 5000);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS),
			 SMILE_STATUS_DMA_ERROR | SMILE_STATUS_SWAPPING);
	fx->bus_refuses = false;
	fixture_set(fx, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
	assert_true(card_advance(&fx->card, 10000));
	for (uint64_t i = 2; i <= 10; i++)
		expect_timer(fx, i * 1000);
	fixture_expect_none(fx);
	fixture_expect_counter(fx, SMILE_REG_COUNT_MARKS_LOST, 0);
}

/* Advance the oracle to a time, and do the same as the card. */
static void oracle_advance(struct oracle *oracle, uint64_t due[2], uint64_t now_ns)
{
	const struct smile_config *config = &oracle->config;

	for (;;) {
		uint64_t next = due[0] < due[1] ? due[0] : due[1];

		if (next > now_ns)
			return;
		if (due[1] == next) {
			struct decoded_record record;

			memset(&record, 0, sizeof(record));
			record.kind = SMILE_KIND_TIME;
			record.time_ns = next;
			stream_add(&oracle->stream, &record);
			due[1] += config->time_us * 1000ULL;
		} else {
			oracle_mark(oracle, config->timer_event, config->node, SMILE_RAISED_TIMER,
				    next);
			due[0] += config->timer_us * 1000ULL;
		}
	}
}

/* The card writes the same records, however fast the host reads. */
static void timer_advance_anyPace_writesTheOraclesStream(void **state)
{
	struct fixture *fx = *state;

	for (uint64_t round = 0; round < 24; round++) {
		struct smile_config config = periods(1 + round % 5, 1 + round % 3);
		uint64_t seed = 1 + round / 6, now = 1 + round % 2 * 1000000000;
		uint64_t due[2] = {now + config.timer_us * 1000ULL, now + config.time_us * 1000ULL};
		unsigned int pace = 1 + round * round * 20;
		struct oracle oracle;

		card_reset(&fx->card);
		fx->drained.count = 0;
		fx->checked = 0;
		config.phase_events = round % 2 ? 0xffff : 0;
		config.entries = 4;
		if (round % 4 < 2) {
			config.mode |= SMILE_MODE_HOST_RING;
			fixture_host_ring(fx, 0x1000, 256, 0);
		}
		oracle_init(&oracle, &config);
		fixture_start(fx, &config);
		for (unsigned int i = 0; i < 3000; i++) {
			uint64_t address = fixture_random(&seed, 64) * 64;

			while (!card_advance(&fx->card, now) || !card_ready(&fx->card))
				assert_true(fixture_take(fx, pace) > 0);
			oracle_advance(&oracle, due, now);
			assert_true(clock_of(fx) == now);
			fixture_read(fx, i % 3, 0, address);
			oracle_event(&oracle, i % 3, 0, SMILE_TYPE_READ, 0, address);
			now += fixture_random(&seed, i % 50 ? 400 : 300000);
		}
		fixture_swap(fx);
		oracle_swap(&oracle);
		fixture_drain(fx);
		fixture_expect_stream(&fx->drained, &oracle.stream);
		fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, 0);
		fixture_expect_counter(fx, SMILE_REG_COUNT_MARKS_LOST, 0);
		fixture_expect_account(fx);
		stream_free(&oracle.stream);
	}
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(timer_firstStep_beginsThePeriods),
		TEST(timer_sameTimeAgain_isNoStep),
		TEST(timer_enabledAnew_beginsAnew),
		TEST(timer_periodZero_isNone),
		TEST(timer_longestPeriod_isMoreThanAnHour),
		TEST(timer_endOfTheClock_isTheEnd),
		TEST(timer_deadline_isWhatIsDueNext),
		TEST(timer_record_hasTheLayoutOfTheDatasheet),
		TEST(timer_event_canBeAPhaseMark),
		TEST(timer_event_reachesTheStaticArray),
		TEST(timer_full_oneTimeAndOneEventAreKept),
		TEST(timer_leap_fillsTheRingFirst),
		TEST(timer_leap_ofYears_isExact),
		TEST(timer_leap_ofYears_countersAreExact),
		TEST(timer_advance_stopsWhereTheRingIsFull),
		TEST(timer_advance_nothingDue_needsNoRoom),
		TEST(timer_advance_firstStep_needsNoRoom),
		TEST(timer_advance_busRefuses_waits),
		TEST(timer_advance_anyPace_writesTheOraclesStream),
	};

	return cmocka_run_group_tests_name("timer", tests, NULL, NULL);
}
