/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the static array: the hits of its page table, its events, and its counters.
 * static_counters_swap_test.c tests its records. May use static_fixture.h.
 */
#include "tests/unit/card/static_fixture.h"

#define PAGE 0x12345
#define ADDRESS (PAGE * 0x1000ULL)

static const unsigned int commands[] = {BLINK_READSB, BLINK_WRITESB, BLINK_LOCKSB};
static const uint32_t raise_type[] = {RAISE_READ, RAISE_WRITE, RAISE_LOCK};

/* Counter 0 counts the accesses to one whole page of node 7. */
static void watch_page(struct fixture *fx, uint32_t mode)
{
	set_page(fx, 0, PAGE, 7);
	set_event(fx, 0, 0, RAISE_ALL, 0, 1023);
	set_counter(fx, 0, 0, NONE, NONE);
	static_start(fx, mode);
}

/* Send a request and its response. */
static void transact(struct fixture *fx, unsigned int type, unsigned int requester,
		     unsigned int home, uint64_t address)
{
	fixture_packet(fx, commands[type], requester, home, 5, address);
	fixture_packet(fx, BLINK_RESPONSE00, home, requester, 5, 0);
}

/* ---- pages --------------------------------------------------------------------------------- */

static void static_page_request_hitsByTargetAndPage(void **state)
{
	struct fixture *fx = *state;

	watch_page(fx, 0);
	fixture_read(fx, 1, 7, ADDRESS);
	expect_counter(fx, 0, 1, true);
	fixture_read(fx, 7, 1, ADDRESS); /* another home */
	fixture_read(fx, 1, 0, ADDRESS);
	fixture_read(fx, 1, 0x107, ADDRESS);
	fixture_read(fx, 1, 7, ADDRESS - 1); /* another page */
	fixture_read(fx, 1, 7, ADDRESS + 0x1000);
	expect_counter(fx, 0, 1, true);
	fixture_read(fx, 7, 7, ADDRESS + 0xfff);
	expect_counter(fx, 0, 2, true);
	fixture_expect_counter(fx, SMILE_REG_COUNT_STATIC, 2);
}

static void static_page_response_hitsBySourceAndItsRequestsPage(void **state)
{
	struct fixture *fx = *state;

	set_page(fx, 0, PAGE, 7);
	set_event(fx, 0, 0, RAISE_ALL & ~RAISE_REQUEST, 16, 16);
	set_counter(fx, 0, 0, NONE, NONE);
	static_start(fx, 0);
	fixture_packet(fx, BLINK_NREAD64, 1, 7, 9, ADDRESS + 64);
	expect_counter(fx, 0, 0, true);
	fixture_packet(fx, BLINK_RESPONSE64, 7, 1, 9, 0);
	expect_counter(fx, 0, 1, true);
	/*
	 * The same packets with exchanged nodes. The source of the response is not the home node.
	 */
	fixture_packet(fx, BLINK_NREAD64, 7, 1, 9, ADDRESS + 64);
	fixture_packet(fx, BLINK_RESPONSE64, 1, 7, 9, 0);
	/* A request for another word, and its response. */
	fixture_packet(fx, BLINK_NREAD64, 1, 7, 9, ADDRESS + 68);
	fixture_packet(fx, BLINK_RESPONSE64, 7, 1, 9, 0);
	expect_counter(fx, 0, 1, true);
}

static void static_page_from2To20On_hitsNone(void **state)
{
	struct fixture *fx = *state;

	set_page(fx, 0, 0xfffff, 7);
	set_page(fx, 1, 0, 7);
	set_event(fx, 0, 0, RAISE_ALL, 0, 1023);
	set_event(fx, 1, 1, RAISE_ALL, 0, 1023);
	set_counter(fx, 0, 0, NONE, NONE);
	set_counter(fx, 1, 1, NONE, NONE);
	static_start(fx, 0);
	fixture_read(fx, 1, 7, 0xfffff000);
	fixture_read(fx, 1, 7, 0x100000000ULL);
	fixture_read(fx, 1, 7, 0x1fffff000ULL);
	fixture_read(fx, 1, 7, 0x800fffff000ULL); /* bit 31 of the page, where VALID is */
	fixture_read(fx, 1, 7, 0x800000000000ULL);
	fixture_read(fx, 1, 7, 0x8000fffff000ULL);
	expect_counter(fx, 0, 1, true);
	expect_counter(fx, 1, 0, true);
	fixture_expect_counter(fx, SMILE_REG_COUNT_ACCEPTED, 6);
}

static void static_page_invalid_hitsNone(void **state)
{
	struct fixture *fx = *state;

	fixture_set(fx, 0x100, PAGE); /* all bits except VALID */
	fixture_set(fx, 0x104, 7);
	set_event(fx, 0, 0, RAISE_ALL, 0, 1023);
	set_event(fx, 1, 1, RAISE_ALL, 0, 1023); /* a page that was never set is not page 0 */
	set_counter(fx, 0, 0, NONE, NONE);
	set_counter(fx, 1, 1, NONE, NONE);
	static_start(fx, 0);
	fixture_read(fx, 1, 7, ADDRESS);
	fixture_read(fx, 1, 0, 0);
	fixture_expect_counter(fx, SMILE_REG_COUNT_STATIC, 0);
}

static void static_page_everyEntry_hits(void **state)
{
	struct fixture *fx = *state;

	for (uint32_t first = 0; first < 32; first += 16) {
		card_reset(&fx->card);
		for (uint32_t i = 0; i < 32; i++)
			set_page(fx, i, 0x100 + i, 0x8000 + i);
		for (uint32_t i = 0; i < 16; i++) {
			set_event(fx, i, first + i, RAISE_ALL, 0, 1023);
			set_counter(fx, i, (int)i, NONE, NONE);
		}
		static_start(fx, 0);
		for (uint32_t i = 0; i < 32; i++)
			for (uint32_t n = 0; n <= i; n++)
				fixture_write(fx, 1, 0x8000 + i, (0x100 + i) * 0x1000ULL);
		for (uint32_t i = 0; i < 16; i++)
			expect_counter(fx, i, first + i + 1, true);
	}
}

/* ---- events -------------------------------------------------------------------------------- */

static void static_event_range_holdsBothItsEnds(void **state)
{
	static const uint32_t ranges[][2] = {{0, 0}, {0, 1023}, {1023, 1023}, {17, 17}, {511, 513}};
	struct fixture *fx = *state;

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		uint32_t counted = 0;

		card_reset(&fx->card);
		set_page(fx, 0, PAGE, 7);
		set_event(fx, 15, 0, RAISE_ALL, ranges[i][0], ranges[i][1]);
		set_counter(fx, 3, 15, NONE, NONE);
		static_start(fx, 0);
		for (uint32_t byte = 0; byte < 4096; byte++) {
			fixture_read(fx, 1, 7, ADDRESS + byte);
			counted += byte / 4 >= ranges[i][0] && byte / 4 <= ranges[i][1];
			expect_counter(fx, 3, counted, true);
		}
	}
}

static void static_event_flags_tellTypeAndPacket(void **state)
{
	struct fixture *fx = *state;

	for (uint32_t flags = 0; flags < 32; flags++) {
		uint32_t counted = 0;

		card_reset(&fx->card);
		set_page(fx, 0, PAGE, 7);
		set_event(fx, 0, 0, flags << 5, 0, 1023);
		set_counter(fx, 0, 0, NONE, NONE);
		static_start(fx, 0);
		for (unsigned int type = 0; type < 3; type++) {
			bool typed = flags << 5 & raise_type[type];

			transact(fx, type, 1, 7, ADDRESS);
			counted += typed && flags << 5 & RAISE_REQUEST;
			counted += typed && flags << 5 & RAISE_RESPONSE;
			expect_counter(fx, 0, counted, true);
		}
	}
}

static void static_event_invalid_isNotRaised(void **state)
{
	struct fixture *fx = *state;

	set_page(fx, 0, PAGE, 7);
	fixture_set(fx, 0x200, 0x3ff003e0); /* all bits except VALID */
	set_counter(fx, 0, 0, NONE, NONE);
	static_start(fx, 0);
	fixture_read(fx, 1, 7, ADDRESS);
	expect_counter(fx, 0, 0, true);
}

static void static_event_severalRaised_allAreCounted(void **state)
{
	struct fixture *fx = *state;

	/* Ranges that overlap, two equal ranges, and one page in two entries of the table. */
	set_page(fx, 0, PAGE, 7);
	set_page(fx, 9, PAGE, 7);
	set_event(fx, 0, 0, RAISE_ALL, 0, 100);
	set_event(fx, 1, 0, RAISE_ALL, 100, 200);
	set_event(fx, 2, 9, RAISE_ALL, 50, 150);
	set_event(fx, 3, 9, RAISE_ALL, 50, 150);
	for (uint32_t i = 0; i < 4; i++)
		set_counter(fx, i, (int)i, NONE, NONE);
	set_counter(fx, 4, 2, NONE, NONE); /* two counters count the same event */
	static_start(fx, 0);
	fixture_read(fx, 1, 7, ADDRESS + 400);
	for (uint32_t i = 0; i < 5; i++)
		expect_counter(fx, i, 1, true);
	fixture_read(fx, 1, 7, ADDRESS + 404);
	expect_counter(fx, 0, 1, true);
	for (uint32_t i = 1; i < 5; i++)
		expect_counter(fx, i, 2, true);
	fixture_expect_counter(fx, SMILE_REG_COUNT_STATIC, 9);
	fixture_expect_counter(fx, SMILE_REG_COUNT_ACCEPTED, 2);
}

static void static_event_topBelowBottom_isRefused(void **state)
{
	struct fixture *fx = *state;

	for (uint32_t i = 0; i < 16; i++) {
		fixture_expect_refused(fx, 0x200 + 4 * i, 0x80000000 | 9 << 20 | 10 << 10);
		fixture_expect_refused(fx, 0x200 + 4 * i, 1 << 10); /* refused without VALID, too */
		fixture_expect_refused(fx, 0x200 + 4 * i, 1022U << 20 | 1023U << 10);
		fixture_expect_refused(fx, 0x200 + 4 * i, 0x40000000); /* an undefined bit */
		fixture_expect_refused(fx, 0x200 + 4 * i, 0xffffffff);
		fixture_set(fx, 0x200 + 4 * i, 0xbfffffff);
		assert_int_equal(fixture_get(fx, 0x200 + 4 * i), 0xbfffffff);
		fixture_set(fx, 0x200 + 4 * i, 10 << 20 | 10 << 10);
		assert_int_equal(fixture_get(fx, 0x200 + 4 * i), 10 << 20 | 10 << 10);
	}
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), 0);
}

/* ---- global events ------------------------------------------------------------------------- */

static void static_global_anySender_countsIds0To15(void **state)
{
	struct fixture *fx = *state;

	count_globals(fx);
	static_start(fx, 0);
	for (unsigned int event = 0; event < 40; event++) {
		for (unsigned int n = 0; n <= event; n++) {
			fixture_event00(fx, 3, event);
			fixture_set(fx, SMILE_REG_EVENT, event);
			fixture_take(fx, 2);
		}
	}
	fixture_event00(fx, 3, 0xfff0);
	for (uint32_t i = 0; i < 16; i++)
		expect_counter(fx, i, 2 * (i + 1), true);
	fixture_expect_account(fx);
}

static void static_global_higherId_isNoOtherEvent(void **state)
{
	struct fixture *fx = *state;

	/*
	 * The low bits of these ids are ids of the event table. The high bits must not be ignored.
	 */
	for (int i = 0; i < 16; i++)
		set_counter(fx, (uint32_t)i, i, NONE, NONE);
	static_start(fx, 0);
	for (unsigned int event = 16; event < 80; event++)
		fixture_event00(fx, 1, event);
	fixture_expect_counter(fx, SMILE_REG_COUNT_STATIC, 0);
	fixture_expect_counter(fx, SMILE_REG_COUNT_EVENT, 64);
}

static void static_global_disabled_isNotSeen(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = fixture_defaults();

	count_globals(fx);
	set_counter(fx, 1, NONE, GLOBAL(0), NONE);
	static_start(fx, 0);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	fixture_set(fx, SMILE_REG_EVENT, 0);
	expect_counter(fx, 0, 0, true);
	expect_counter(fx, 1, 0, false);
	fixture_expect(fx, "event 0 software node 0 at 0");

	/* MODE.STATIC is off. */
	fixture_start(fx, &config);
	fixture_set(fx, SMILE_REG_EVENT, 0);
	fixture_event00(fx, 1, 0);
	expect_counter(fx, 0, 0, true);
	expect_counter(fx, 1, 0, false);
	fixture_expect_counter(fx, SMILE_REG_COUNT_STATIC, 0);
}

/* ---- counters ------------------------------------------------------------------------------ */

static void static_counter_write_setsActive(void **state)
{
	struct fixture *fx = *state;

	set_counter(fx, 4, GLOBAL(1), GLOBAL(2), NONE);
	expect_counter(fx, 4, 0, false);
	set_counter(fx, 4, GLOBAL(1), NONE, GLOBAL(2));
	expect_counter(fx, 4, 0, true);
	set_counter(fx, 4, GLOBAL(1), GLOBAL(2), NONE);
	fixture_expect_refused(fx, 0x280 + 4 * 4, 0x80); /* refused: VALUE does not change */
	expect_counter(fx, 4, 0, false);
	expect_counter(fx, 3, 0, true);
	expect_counter(fx, 5, 0, true);
}

static void static_counter_noCountEvent_countsNothing(void **state)
{
	struct fixture *fx = *state;

	set_page(fx, 0, PAGE, 7);
	set_event(fx, 0, 0, RAISE_ALL, 0, 1023);
	fixture_set(fx, 0x280, 0); /* COUNT is 0, but COUNT_VALID is not set */
	static_start(fx, 0);
	fixture_read(fx, 1, 7, ADDRESS);
	expect_counter(fx, 0, 0, true);
}

/* Global event 0 activates the counter, and another global event deactivates it. */
static void static_counter_window_countsWhatIsInIt(void **state)
{
	struct fixture *fx = *state;

	set_counter(fx, 0, GLOBAL(0), GLOBAL(1), GLOBAL(2));
	set_counter(fx, 1, GLOBAL(0), NONE, GLOBAL(2));
	set_counter(fx, 2, GLOBAL(0), GLOBAL(1), NONE);
	static_start(fx, 0);
	fixture_event00(fx, 1, 0);
	expect_counter(fx, 0, 0, false);
	expect_counter(fx, 1, 1, true);
	expect_counter(fx, 2, 0, false);
	fixture_event00(fx, 1, 1);
	fixture_event00(fx, 1, 0);
	fixture_event00(fx, 1, 0);
	expect_counter(fx, 0, 2, true);
	expect_counter(fx, 1, 3, true);
	expect_counter(fx, 2, 2, true);
	fixture_event00(fx, 1, 2);
	fixture_event00(fx, 1, 0);
	expect_counter(fx, 0, 2, false);
	expect_counter(fx, 1, 3, false);
	expect_counter(fx, 2, 3, true);
	fixture_event00(fx, 1, 1); /* again */
	fixture_event00(fx, 1, 0);
	expect_counter(fx, 0, 3, true);
	expect_counter(fx, 1, 3, false);
	expect_counter(fx, 2, 4, true);
}

/* One event activates a counter, is counted, and deactivates the counter, in this order. */
static void static_counter_oneEventInSeveralRoles_isCounted(void **state)
{
	struct fixture *fx = *state;

	set_counter(fx, 0, GLOBAL(0), GLOBAL(0), NONE);
	set_counter(fx, 1, GLOBAL(0), NONE, GLOBAL(0));
	set_counter(fx, 2, GLOBAL(0), GLOBAL(0), GLOBAL(0));
	set_counter(fx, 3, GLOBAL(1), GLOBAL(0), GLOBAL(0));
	static_start(fx, 0);
	fixture_event00(fx, 1, 0);
	expect_counter(fx, 0, 1, true);
	expect_counter(fx, 1, 1, false);
	expect_counter(fx, 2, 1, false);
	expect_counter(fx, 3, 0, false);
	fixture_event00(fx, 1, 0);
	expect_counter(fx, 0, 2, true);
	expect_counter(fx, 1, 1, false);
	expect_counter(fx, 2, 2, false);
}

/* One transaction raises three events: one activates, one is counted, and one deactivates. */
static void static_counter_severalEventsAtOnce_activateCountDeactivate(void **state)
{
	struct fixture *fx = *state;

	set_page(fx, 0, PAGE, 7);
	set_event(fx, 0, 0, RAISE_ALL, 0, 1023);
	set_event(fx, 1, 0, RAISE_ALL, 10, 10);
	set_event(fx, 2, 0, RAISE_ALL, 10, 20);
	/* The order of the ids does not matter. */
	set_counter(fx, 0, 0, 1, 2);
	set_counter(fx, 1, 2, 1, 0);
	set_counter(fx, 2, 1, 2, 0);
	static_start(fx, 0);
	fixture_read(fx, 1, 7, ADDRESS + 40); /* raises all three */
	for (uint32_t i = 0; i < 3; i++)
		expect_counter(fx, i, 1, false);
	fixture_read(fx, 1, 7, ADDRESS + 44); /* raises 0 and 2 */
	expect_counter(fx, 0, 1, false);
	expect_counter(fx, 1, 1, false);
	expect_counter(fx, 2, 1, false); /* event 2 activates, event 0 deactivates */
	fixture_read(fx, 1, 7, ADDRESS);
	fixture_expect_counter(fx, SMILE_REG_COUNT_STATIC, 3);
}

static void static_counter_activity_survivesSwapAndDisable(void **state)
{
	struct fixture *fx = *state;

	set_counter(fx, 0, GLOBAL(0), GLOBAL(1), NONE);
	set_counter(fx, 1, GLOBAL(0), NONE, GLOBAL(1));
	static_start(fx, 0);
	fixture_event00(fx, 1, 1);
	fixture_event00(fx, 1, 0);
	fixture_swap_static(fx);
	expect_counter(fx, 0, 0, true);
	expect_counter(fx, 1, 0, false);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	fixture_set(fx, SMILE_REG_CONTROL, 1);
	fixture_event00(fx, 1, 0);
	expect_counter(fx, 0, 1, true);
	expect_counter(fx, 1, 0, false);
}

/* ---- with the filter of the dynamic array --------------------------------------------------- */

static void static_filter_rejected_isCountedAllTheSame(void **state)
{
	struct fixture *fx = *state;

	watch_page(fx, SMILE_MODE_NO_DYNAMIC);
	for (unsigned int type = 0; type < 3; type++)
		transact(fx, type, 1, 7, ADDRESS);
	expect_counter(fx, 0, 6, true);
	fixture_expect_counter(fx, SMILE_REG_COUNT_SEEN, 6);
	fixture_expect_counter(fx, SMILE_REG_COUNT_FILTERED, 6);
	fixture_expect_counter(fx, SMILE_REG_COUNT_ACCEPTED, 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS) & SMILE_STATUS_OCCUPIED, 0);
	fixture_expect_account(fx);
}

static void static_filter_eachOfItsThreeBits_doesNotMatter(void **state)
{
	static const uint32_t filters[] = {
		SMILE_FILTER_ALL & ~SMILE_FILTER_TYPES,
		SMILE_FILTER_ALL & ~SMILE_FILTER_PACKETS,
		SMILE_FILTER_ALL & ~SMILE_FILTER_DIRECTIONS,
		0,
	};
	struct fixture *fx = *state;

	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		card_reset(&fx->card);
		fixture_set(fx, SMILE_REG_FILTER, filters[i]);
		set_page(fx, 0, PAGE, 7);
		set_event(fx, 0, 0, RAISE_ALL, 0, 1023);
		set_counter(fx, 0, 0, NONE, NONE);
		fixture_set(fx, SMILE_REG_MODE, SMILE_MODE_STATIC);
		fixture_set(fx, SMILE_REG_CONTROL, 1);
		transact(fx, 0, 1, 7, ADDRESS);
		expect_counter(fx, 0, 2, true);
		fixture_expect_counter(fx, SMILE_REG_COUNT_FILTERED, 2);
	}
}

/* The dynamic and the static array count at the same time, independently of each other. */
static void static_dynamic_bothCount(void **state)
{
	struct fixture *fx = *state;

	watch_page(fx, 0);
	for (unsigned int i = 0; i < 5; i++)
		fixture_write(fx, 1, 7, ADDRESS);
	fixture_write(fx, 1, 7, ADDRESS + 0x1000);
	expect_counter(fx, 0, 5, true);
	fixture_expect_counter(fx, SMILE_REG_COUNT_ACCEPTED, 6);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic write swap [0] x5 1>7 0x%llx+4", ADDRESS);
	fixture_expect(fx, "dynamic write swap [1] x1 1>7 0x%llx+4", ADDRESS + 0x1000);
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

/* A transaction that the dynamic array loses is still counted by the static array. */
static void static_dynamic_lost_isCountedAllTheSame(void **state)
{
	struct fixture *fx = *state;

	watch_page(fx, 0);
	fixture_fill(fx, 0);
	for (unsigned int i = 0; i < 20; i++)
		fixture_read(fx, 100 + i, 7, ADDRESS); /* new ranges; room for one record */
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, 19);
	expect_counter(fx, 0, 20, true);
	fixture_expect_account(fx);
}

static void static_narrow_home_hasFiveBits(void **state)
{
	struct fixture *fx = *state;

	watch_page(fx, SMILE_MODE_NARROW);
	fixture_read(fx, 1, 7, 0x2345000); /* addresses have 28 bits: page 0x2345 */
	expect_counter(fx, 0, 0, true);
	card_reset(&fx->card);
	set_page(fx, 0, 0x2345, 7);
	set_page(fx, 1, 0x2345, 7 + 32); /* never matches, since ids have five bits */
	set_event(fx, 0, 0, RAISE_ALL, 0, 1023);
	set_event(fx, 1, 1, RAISE_ALL, 0, 1023);
	set_counter(fx, 0, 0, NONE, NONE);
	set_counter(fx, 1, 1, NONE, NONE);
	static_start(fx, SMILE_MODE_NARROW);
	fixture_read(fx, 1, 7, 0x2345000);
	fixture_read(fx, 1, 7 + 32, ADDRESS);
	fixture_read(fx, 1, 0xffe7, 0xabcdf2345ffcULL);
	fixture_read(fx, 1, 8, 0x2345000);
	expect_counter(fx, 0, 3, true);
	expect_counter(fx, 1, 0, true);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(static_page_request_hitsByTargetAndPage),
		TEST(static_page_response_hitsBySourceAndItsRequestsPage),
		TEST(static_page_from2To20On_hitsNone),
		TEST(static_page_invalid_hitsNone),
		TEST(static_page_everyEntry_hits),
		TEST(static_event_range_holdsBothItsEnds),
		TEST(static_event_flags_tellTypeAndPacket),
		TEST(static_event_invalid_isNotRaised),
		TEST(static_event_severalRaised_allAreCounted),
		TEST(static_event_topBelowBottom_isRefused),
		TEST(static_global_anySender_countsIds0To15),
		TEST(static_global_higherId_isNoOtherEvent),
		TEST(static_global_disabled_isNotSeen),
		TEST(static_counter_write_setsActive),
		TEST(static_counter_noCountEvent_countsNothing),
		TEST(static_counter_window_countsWhatIsInIt),
		TEST(static_counter_oneEventInSeveralRoles_isCounted),
		TEST(static_counter_severalEventsAtOnce_activateCountDeactivate),
		TEST(static_counter_activity_survivesSwapAndDisable),
		TEST(static_filter_rejected_isCountedAllTheSame),
		TEST(static_filter_eachOfItsThreeBits_doesNotMatter),
		TEST(static_dynamic_bothCount),
		TEST(static_dynamic_lost_isCountedAllTheSame),
		TEST(static_narrow_home_hasFiveBits),
	};

	return cmocka_run_group_tests_name("static_counters", tests, NULL, NULL);
}
