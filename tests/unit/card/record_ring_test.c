/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the swap ring: the layout of records, and the pointers. If the ring has no room, the
 * tests check which counters still count, which records are lost, and in which order the card later
 * writes the waiting records. May use card_fixture.h.
 *
 * With the default of 16 entries, fixture_fill() uses pages 0 to 1038 to fill the ring. Then pages
 * 1024 to 1038 are in entries [0] to [14]; [0] was used first. Entry [15] is free.
 */
#include <endian.h>

#include <base/field.h>

#include "tests/unit/card/card_fixture.h"

#define FILL_PAGES (FIXTURE_RING_RECORDS + 15)

static void start(struct fixture *fx, unsigned int phase_events)
{
	struct smile_config config = fixture_defaults();

	config.phase_events = phase_events;
	fixture_start(fx, &config);
}

static uint32_t status(struct fixture *fx)
{
	return fixture_get(fx, SMILE_REG_STATUS) & ~SMILE_STATUS_OCCUPIED;
}

static unsigned long long fill_address(unsigned int page)
{
	return (FIXTURE_FILL_PAGE + page) * SMILE_PAGE_BYTES;
}

static void fill_read(struct fixture *fx, unsigned int page)
{
	fixture_read(fx, FIXTURE_FILL_SOURCE, 0, fill_address(page));
}

static void expect_fill(struct fixture *fx, const char *cause, unsigned int index,
			unsigned int count, unsigned int page)
{
	fixture_expect(fx, "dynamic read %s [%u] x%u 9>0 0x%llx+4", cause, index, count,
		       fill_address(page));
}

/* ---- layout and pointers ------------------------------------------------------------------- */

static void ring_record_dynamic_hasTheLayoutOfTheDatasheet(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = fixture_defaults();

	config.max_range_bytes = 64;
	config.entries = 64;
	fixture_start(fx, &config);
	for (unsigned int i = 0; i < 37; i++)
		fixture_read(fx, 1, 0, 0x1000 * i);
	fixture_lock(fx, 0x1234, 0x5678, 0xa1b2c3d4e5c4ULL);
	fixture_lock(fx, 0x1234, 0x5678, 0xa1b2c3d4e5c0ULL);
	fixture_lock(fx, 0x1234, 0x5678, 0xa1b2c3d4e5fcULL);
	fixture_swap(fx);
	/*
	 * The bytes are little-endian on any host. Kind 1, type 3, cause 3, count 3; length 16
	 * words.
	 */
	assert_int_equal(fx->ram[37 * 4 + 0], htole32(0x00030331));
	assert_int_equal(fx->ram[37 * 4 + 1], htole32(0x56781234));
	assert_int_equal(fx->ram[37 * 4 + 2], htole32(0xc3d4e5c0));
	assert_int_equal(fx->ram[37 * 4 + 3], htole32(37U << 26 | 15U << 16 | 0xa1b2));
}

static void ring_record_response_hasItsBit(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = fixture_defaults();

	config.filter = SMILE_FILTER_ALL & ~SMILE_FILTER_REQUEST;
	config.entries = 1;
	fixture_start(fx, &config);
	fixture_packet(fx, BLINK_NWRITE16, 1, 2, 3, 0x1000);
	fixture_packet(fx, BLINK_RESPONSE00, 2, 1, 3, 0);
	assert_int_equal(fx->ram[0], htole32(0x000101a1)); /* type 2 with bit 8; cause 1 */
	assert_int_equal(fx->ram[1], htole32(0x00010002));
}

static void ring_record_event_hasTheLayoutOfTheDatasheet(void **state)
{
	struct fixture *fx = *state;

	start(fx, 1 << 9);
	card_tick(&fx->card, 0x1122334455667788ULL);
	fixture_event00(fx, 0xabcd, 9);
	assert_int_equal(fx->ram[0], htole32(0x00090314)); /* kind 4, phase, raised 3, id 9 */
	assert_int_equal(fx->ram[1], htole32(0x0000abcd));
	assert_int_equal(fx->ram[2], htole32(0x55667788));
	assert_int_equal(fx->ram[3], htole32(0x11223344));
}

static void ring_record_lost_hasTheLayoutOfTheDatasheet(void **state)
{
	struct fixture *fx = *state;

	start(fx, 0);
	fixture_fill(fx, 0);
	for (unsigned int i = 0; i < 0x10203 + 1; i++)
		fill_read(fx, FILL_PAGES + i);
	fixture_event00(fx, 1, 1);
	fixture_event00(fx, 1, 2);
	fixture_take(fx, 1); /* the LOST record is the first record of the ring */
	assert_int_equal(fx->ram[0], htole32(0x00000006));
	assert_int_equal(fx->ram[1], htole32(1));
	assert_int_equal(fx->ram[2], htole32(0x10203));
	assert_int_equal(fx->ram[3], htole32(0));
}

static void ring_pointers_anyRecord_advanceByFourWords(void **state)
{
	struct fixture *fx = *state;

	start(fx, 0);
	for (unsigned int i = 0; i < 3000; i++) {
		uint32_t words = i * 4 % 8192;

		assert_int_equal(fixture_get(fx, SMILE_REG_RING_READ), words);
		assert_int_equal(fixture_get(fx, SMILE_REG_RING_WRITE), words);
		assert_int_equal(fixture_get(fx, SMILE_REG_RING_AUX), words);
		fixture_event00(fx, 1, i);
		assert_int_equal(fixture_get(fx, SMILE_REG_RING_READ), words);
		assert_int_equal(fixture_get(fx, SMILE_REG_RING_WRITE), (words + 4) % 8192);
		assert_int_equal(fixture_get(fx, SMILE_REG_RING_AUX), (words + 4) % 8192);
		fixture_expect(fx, "event %u blink node 1 at 0", i);
	}
}

static void ring_read_outsideUnread_isRefused(void **state)
{
	struct fixture *fx = *state;

	start(fx, 0);
	/* The pointers of the unread records wrap: they are 8184 to 8. */
	for (unsigned int i = 0; i < 2046; i++) {
		fixture_event00(fx, 1, i);
		fixture_take(fx, 1);
	}
	assert_int_equal(fixture_get(fx, SMILE_REG_RING_READ), 8184);
	for (unsigned int i = 0; i < 4; i++)
		fixture_event00(fx, 1, i);
	assert_int_equal(fixture_get(fx, SMILE_REG_RING_WRITE), 8);
	fixture_expect_refused(fx, SMILE_REG_RING_READ, 8180);
	fixture_expect_refused(fx, SMILE_REG_RING_READ, 12);
	fixture_expect_refused(fx, SMILE_REG_RING_READ, 4096);
	fixture_expect_refused(fx, SMILE_REG_RING_READ, 8186);
	fixture_expect_refused(fx, SMILE_REG_RING_READ, 8185);
	fixture_expect_refused(fx, SMILE_REG_RING_READ, 8192);
	fixture_expect_refused(fx, SMILE_REG_RING_READ, 8192 + 4);
	fixture_expect_refused(fx, SMILE_REG_RING_READ, 0xfffffffc);
	fixture_expect_refused(fx, SMILE_REG_RING_WRITE, 8);
	fixture_expect_refused(fx, SMILE_REG_RING_AUX, 8);
	/* The read pointer may be set to both ends, and to each value between them. */
	for (uint32_t read = 8184; read != 12; read = (read + 4) % 8192) {
		fixture_set(fx, SMILE_REG_RING_READ, read);
		assert_int_equal(status(fx), 0);
		assert_int_equal(fixture_get(fx, SMILE_REG_RING_READ), read);
	}
	fixture_expect_refused(fx, SMILE_REG_RING_READ, 4);
}

static void ring_room_freed_isUsedAtOnceForEveryPosition(void **state)
{
	struct fixture *fx = *state;

	/* While the ring is nearly full, the pointers wrap twice. */
	start(fx, 0);
	for (unsigned int i = 0; i < 1023; i++)
		fixture_event00(fx, 1, i);
	for (unsigned int i = 1023; i < 6000; i++) {
		fixture_event00(fx, 1, i);
		assert_int_equal(status(fx), SMILE_STATUS_FULL);
		fixture_expect(fx, "event %u blink node 1 at 0", i - 1023);
		assert_int_equal(status(fx), 0);
	}
	fixture_expect_counter(fx, SMILE_REG_COUNT_MARKS_LOST, 0);
}

/* ---- full ---------------------------------------------------------------------------------- */

static void ring_full_lastRecord_setsStatusAndInterruptOnce(void **state)
{
	struct fixture *fx = *state;

	start(fx, 0);
	fixture_set(fx, SMILE_REG_INT_ENABLE, SMILE_INT_RING_FULL);
	fixture_fill(fx, 1);
	assert_int_equal(status(fx), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), 0);
	assert_int_equal(fx->edges, 0);
	assert_true(card_ready(&fx->card));

	fixture_fill(fx, 0);
	assert_int_equal(status(fx), SMILE_STATUS_FULL);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), SMILE_INT_RING_FULL);
	assert_true(fx->level);
	assert_int_equal(fx->edges, 1);
	assert_false(card_ready(&fx->card));

	/* If RING_FULL is cleared while the ring is full, it stays cleared. */
	fixture_set(fx, SMILE_REG_INT_STATUS, SMILE_INT_RING_FULL);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), 0);
	assert_false(fx->level);
	fill_read(fx, FILL_PAGES);
	fill_read(fx, FILL_PAGES + 1);
	fixture_swap(fx);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), 0);
	assert_int_equal(fx->edges, 2);

	/* The host has read one record. A waiting record takes its place, so the ring is full. */
	fixture_take(fx, 1);
	assert_int_equal(status(fx) & SMILE_STATUS_FULL, SMILE_STATUS_FULL);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), SMILE_INT_RING_FULL);
	assert_true(fx->level);
	assert_int_equal(fx->edges, 3);
}

static void ring_full_readAdvanced_clearsStatusNotInterrupt(void **state)
{
	struct fixture *fx = *state;

	start(fx, 0);
	fixture_fill(fx, 0);
	fixture_take(fx, 1);
	assert_int_equal(status(fx), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), SMILE_INT_RING_FULL);
	assert_true(card_ready(&fx->card));
}

static void ring_full_matchingEvents_goOnBeingCounted(void **state)
{
	struct fixture *fx = *state;

	start(fx, 0);
	fixture_fill(fx, 0);
	for (unsigned int i = 0; i < 15; i++)
		for (unsigned int n = 0; n < 1000; n++)
			fill_read(fx, FIXTURE_RING_RECORDS + i);
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, 0);
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	fixture_swap(fx);
	for (unsigned int i = 0; i < 15; i++)
		expect_fill(fx, "swap", i, 1001, FIXTURE_RING_RECORDS + i);
	fixture_expect_account(fx);
}

static void ring_full_newRange_takesTheFreeEntryAndThenIsLost(void **state)
{
	struct fixture *fx = *state;

	start(fx, 0);
	fixture_fill(fx, 0);
	fill_read(fx, FILL_PAGES); /* fills [15]; the resulting swap waits */
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, 0);
	assert_int_equal(SMILE_GET(SMILE_STATUS_OCCUPIED, fixture_get(fx, SMILE_REG_STATUS)), 16);
	for (unsigned int i = 1; i <= 77; i++) {
		fill_read(fx, FILL_PAGES + i);
		fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, i);
	}
	fill_read(fx, FILL_PAGES); /* its entry still counts */
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, 77);

	/* Make room for one record at a time. The LOST record is first, then the waiting swap. */
	expect_fill(fx, "capacity", 0, 1, 0);
	assert_int_equal(fixture_unread(fx), FIXTURE_RING_RECORDS);
	expect_fill(fx, "capacity", 1, 1, 1);
	assert_int_equal(fixture_unread(fx), FIXTURE_RING_RECORDS);
	assert_false(card_ready(&fx->card));
	expect_fill(fx, "capacity", 2, 1, 2);
	assert_int_equal(fixture_unread(fx), FIXTURE_RING_RECORDS - 1);
	assert_true(card_ready(&fx->card));
	fixture_skip(fx, FIXTURE_RING_RECORDS - 3);
	fixture_expect(fx, "lost 77 marks 0");
	expect_fill(fx, "capacity", 0, 1, FIXTURE_RING_RECORDS);
	fixture_swap(fx);
	for (unsigned int i = 1; i < 15; i++)
		expect_fill(fx, "swap", i, 1, FIXTURE_RING_RECORDS + i);
	expect_fill(fx, "swap", 15, 2, FILL_PAGES);
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

static void ring_full_eagerSwapWaiting_choosesWhenRoomComes(void **state)
{
	struct fixture *fx = *state;

	start(fx, 0);
	fixture_fill(fx, 0);
	fill_read(fx, FILL_PAGES); /* [15] */
	/* Use all other entries, and [3] last. The newest range is now the least recently used. */
	for (unsigned int i = 0; i < 15; i++)
		if (i != 3)
			fill_read(fx, FIXTURE_RING_RECORDS + i);
	fill_read(fx, FIXTURE_RING_RECORDS + 3);
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	expect_fill(fx, "capacity", 15, 1, FILL_PAGES);
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

static void ring_full_moreLossBeforeRoom_isToldInOneRecord(void **state)
{
	struct fixture *fx = *state;

	start(fx, 0);
	fixture_fill(fx, 0);
	for (unsigned int i = 0; i < 6; i++)
		fill_read(fx, FILL_PAGES + i); /* 5 lost */
	fixture_take(fx, 1); /* LOST 5 is written, and fills the ring */
	for (unsigned int i = 6; i < 9; i++)
		fill_read(fx, FILL_PAGES + i); /* 3 more lost */
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	fixture_expect(fx, "lost 5 marks 0");
	fixture_expect(fx, "lost 3 marks 0");
	expect_fill(fx, "capacity", 0, 1, FIXTURE_RING_RECORDS);
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

static void ring_full_counterMaximum_staysUntilItCanBeWritten(void **state)
{
	struct fixture *fx = *state;

	start(fx, 0);
	fixture_fill(fx, 0);
	/* Entry [4] and then entry [2] become full. Later events of both are lost. */
	for (unsigned int i = 0; i < SMILE_COUNT_MAX - 1; i++)
		fill_read(fx, FIXTURE_RING_RECORDS + 4);
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, 0);
	assert_int_equal(SMILE_GET(SMILE_STATUS_OCCUPIED, fixture_get(fx, SMILE_REG_STATUS)), 15);
	fill_read(fx, FIXTURE_RING_RECORDS + 4);
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, 1);
	for (unsigned int i = 0; i < SMILE_COUNT_MAX - 1 + 2; i++)
		fill_read(fx, FIXTURE_RING_RECORDS + 2);
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, 3);
	fill_read(fx, FILL_PAGES); /* [15]: the resulting swap waits, too */

	for (unsigned int i = 0; i < 3; i++) {
		fixture_take(fx, 1);
		assert_int_equal(fixture_unread(fx), FIXTURE_RING_RECORDS);
		assert_false(card_ready(&fx->card));
	}
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	fixture_expect(fx, "lost 3 marks 0");
	expect_fill(fx, "overflow", 2, 65535, FIXTURE_RING_RECORDS + 2);
	expect_fill(fx, "overflow", 4, 65535, FIXTURE_RING_RECORDS + 4);
	fixture_expect_account(fx);
}

/* ---- Swap_All and marks when the ring has no room ------------------------------------------ */

static void ring_swapAll_roomRunsOut_goesOnAsReadAdvances(void **state)
{
	struct fixture *fx = *state;

	start(fx, 0);
	fixture_fill(fx, 5);
	fixture_swap(fx);
	assert_int_equal(status(fx), SMILE_STATUS_FULL | SMILE_STATUS_SWAPPING);
	assert_false(card_ready(&fx->card));
	/* Until there is room, events are lost, even if they match an entry. */
	for (unsigned int i = 0; i < 4; i++)
		fill_read(fx, FILL_PAGES - 6);
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, 4);
	for (unsigned int i = 0; i < 9; i++) {
		fixture_take(fx, 1);
		assert_int_equal(status(fx), SMILE_STATUS_FULL | SMILE_STATUS_SWAPPING);
	}
	fixture_take(fx, 1); /* the 15th entry; the loss is reported later */
	fixture_take(fx, 1);
	fixture_take(fx, 1);
	assert_int_equal(status(fx), 0);
	assert_int_equal(SMILE_GET(SMILE_STATUS_OCCUPIED, fixture_get(fx, SMILE_REG_STATUS)), 0);
	assert_true(card_ready(&fx->card));
	fixture_skip(fx, FIXTURE_RING_RECORDS - 5);
	/*
	 * Pages 1019 to 1033 were in the table, each at the index (page modulo 16); [10] was free.
	 */
	for (unsigned int index = 0; index < 16; index++)
		if (index != 10)
			expect_fill(fx, "swap", index, 1, index + (index < 10 ? 1024 : 1008));
	fixture_expect(fx, "lost 4 marks 0");
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

static void ring_mark_roomRunsOut_followsItsSwapAll(void **state)
{
	struct fixture *fx = *state;

	start(fx, 1 << 3);
	fixture_fill(fx, 0);
	card_tick(&fx->card, 1000);
	fixture_event00(fx, 2, 3);
	card_tick(&fx->card, 2000);
	assert_int_equal(status(fx), SMILE_STATUS_FULL | SMILE_STATUS_SWAPPING);
	fill_read(fx, FIXTURE_RING_RECORDS); /* lost */
	fixture_event00(fx, 2, 3); /* a second mark is lost, too */
	fixture_set(fx, SMILE_REG_EVENT, 1);
	fixture_expect_counter(fx, SMILE_REG_COUNT_MARKS_LOST, 2);
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, 1);
	fixture_expect_counter(fx, SMILE_REG_COUNT_EVENT, 2);
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	/* The counts of the phase come first. The later loss follows; it includes the marks. */
	for (unsigned int i = 0; i < 15; i++)
		expect_fill(fx, "swap", i, 1, FIXTURE_RING_RECORDS + i);
	fixture_expect(fx, "event 3 phase blink node 2 at 1000");
	fixture_expect(fx, "lost 1 marks 2");
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

static void ring_mark_lossUntold_isToldBeforeTheSwapAll(void **state)
{
	struct fixture *fx = *state;

	start(fx, 1 << 3);
	fixture_fill(fx, 0);
	fill_read(fx, FILL_PAGES);
	for (unsigned int i = 0; i < 6; i++)
		fill_read(fx, FILL_PAGES + 1 + i); /* lost before the mark */
	fixture_event00(fx, 2, 3);
	fill_read(fx, FILL_PAGES); /* lost after the mark */
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	fixture_expect(fx, "lost 6 marks 0");
	for (unsigned int i = 0; i < 16; i++)
		expect_fill(fx, "swap", i, 1, FIXTURE_RING_RECORDS + i);
	fixture_expect(fx, "event 3 phase blink node 2 at 0");
	fixture_expect(fx, "lost 1 marks 0");
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

static void ring_mark_duringSwapAll_partsLossesAtTheMark(void **state)
{
	struct fixture *fx = *state;

	start(fx, 1 << 3);
	fixture_fill(fx, 0);
	fixture_swap(fx);
	for (unsigned int i = 0; i < 5; i++)
		fill_read(fx, FIXTURE_RING_RECORDS); /* lost before the mark: in its phase */
	fixture_event00(fx, 2, 3);
	for (unsigned int i = 0; i < 2; i++)
		fill_read(fx, FIXTURE_RING_RECORDS); /* lost after the mark: in the next phase */
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	fixture_expect(fx, "lost 5 marks 0");
	for (unsigned int i = 0; i < 15; i++)
		expect_fill(fx, "swap", i, 1, FIXTURE_RING_RECORDS + i);
	fixture_expect(fx, "event 3 phase blink node 2 at 0");
	fixture_expect(fx, "lost 2 marks 0");
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

/* Lost marks are also reported on the side of the phase mark on which they were lost. */
static void ring_mark_marksLost_areToldOnTheirSideOfThePhase(void **state)
{
	struct fixture *fx = *state;

	start(fx, 1 << 3);
	fixture_fill(fx, 0);
	fixture_event00(fx, 2, 5); /* waits: it is not a phase mark */
	fixture_event00(fx, 2, 3); /* lost, before any Swap_All */
	fixture_take(fx, 2); /* LOST and the mark are written; the ring is full */
	fixture_event00(fx, 2, 3);
	for (unsigned int i = 0; i < 7; i++)
		fixture_event00(fx, 2, 3); /* lost during the Swap_All */
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	fixture_expect(fx, "lost 0 marks 1");
	fixture_expect(fx, "event 5 blink node 2 at 0");
	for (unsigned int i = 0; i < 15; i++)
		expect_fill(fx, "swap", i, 1, FIXTURE_RING_RECORDS + i);
	fixture_expect(fx, "event 3 phase blink node 2 at 0");
	fixture_expect(fx, "lost 0 marks 7");
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

/*
 * The card has written a mark, but its Swap_All has not ended. The LOST record of this Swap_All
 * must precede the next mark.
 */
static void ring_mark_betweenMarkAndEndOfSwapAll_isBeforeTheNext(void **state)
{
	struct fixture *fx = *state;

	start(fx, 1 << 3);
	fixture_fill(fx, 0);
	fixture_event00(fx, 2, 3);
	for (unsigned int i = 0; i < 3; i++)
		fixture_event00(fx, 2, 4); /* lost */
	fill_read(fx, FIXTURE_RING_RECORDS); /* lost */
	fixture_take(fx, 16); /* fifteen ranges, and the mark */
	assert_int_equal(status(fx), SMILE_STATUS_FULL | SMILE_STATUS_SWAPPING);
	fixture_event00(fx, 2, 3);
	fixture_event00(fx, 2, 4); /* lost after it */
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	for (unsigned int i = 0; i < 15; i++)
		expect_fill(fx, "swap", i, 1, FIXTURE_RING_RECORDS + i);
	fixture_expect(fx, "event 3 phase blink node 2 at 0");
	fixture_expect(fx, "lost 1 marks 3");
	fixture_expect(fx, "event 3 phase blink node 2 at 0");
	fixture_expect(fx, "lost 0 marks 1");
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

static void ring_mark_noPhase_waitsForRoom(void **state)
{
	struct fixture *fx = *state;

	start(fx, 1 << 3);
	fixture_fill(fx, 0);
	card_tick(&fx->card, 500);
	fixture_event00(fx, 2, 4);
	assert_int_equal(status(fx), SMILE_STATUS_FULL | SMILE_STATUS_SWAPPING);
	assert_false(card_ready(&fx->card));
	card_tick(&fx->card, 700);
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	fixture_expect(fx, "event 4 blink node 2 at 500");
	fixture_expect_none(fx);
	assert_int_equal(SMILE_GET(SMILE_STATUS_OCCUPIED, fixture_get(fx, SMILE_REG_STATUS)), 15);
	fixture_expect_account(fx);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(ring_record_dynamic_hasTheLayoutOfTheDatasheet),
		TEST(ring_record_response_hasItsBit),
		TEST(ring_record_event_hasTheLayoutOfTheDatasheet),
		TEST(ring_record_lost_hasTheLayoutOfTheDatasheet),
		TEST(ring_pointers_anyRecord_advanceByFourWords),
		TEST(ring_read_outsideUnread_isRefused),
		TEST(ring_room_freed_isUsedAtOnceForEveryPosition),
		TEST(ring_full_lastRecord_setsStatusAndInterruptOnce),
		TEST(ring_full_readAdvanced_clearsStatusNotInterrupt),
		TEST(ring_full_matchingEvents_goOnBeingCounted),
		TEST(ring_full_newRange_takesTheFreeEntryAndThenIsLost),
		TEST(ring_full_eagerSwapWaiting_choosesWhenRoomComes),
		TEST(ring_full_moreLossBeforeRoom_isToldInOneRecord),
		TEST(ring_full_counterMaximum_staysUntilItCanBeWritten),
		TEST(ring_swapAll_roomRunsOut_goesOnAsReadAdvances),
		TEST(ring_mark_roomRunsOut_followsItsSwapAll),
		TEST(ring_mark_lossUntold_isToldBeforeTheSwapAll),
		TEST(ring_mark_duringSwapAll_partsLossesAtTheMark),
		TEST(ring_mark_marksLost_areToldOnTheirSideOfThePhase),
		TEST(ring_mark_betweenMarkAndEndOfSwapAll_isBeforeTheNext),
		TEST(ring_mark_noPhase_waitsForRoom),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
