/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the records of the static array: OVERFLOW records, SWAP_STATIC and phase marks, also
 * while the ring has no room. May use static_fixture.h.
 */
#include <endian.h>
#include <string.h>

#include <base/field.h>

#include "tests/unit/card/static_fixture.h"

#define PAGE 0x12345
#define ADDRESS (PAGE * 0x1000U)
#define FILL_EVENT 100 /* no global event of the static array has this id */

/* Counter i counts the accesses to word i of a page of node 7. The dynamic array is off. */
static void watch_words(struct fixture *fx, uint32_t phase_events)
{
	struct smile_config config = static_config(SMILE_MODE_NO_DYNAMIC);

	config.phase_events = phase_events;
	config.node = 3;
	set_page(fx, 2, PAGE, 7);
	for (uint32_t i = 0; i < 16; i++) {
		set_event(fx, i, 2, RAISE_ALL, i, i);
		set_counter(fx, i, (int)i, NONE, NONE);
	}
	fixture_start(fx, &config);
}

static void hit(struct fixture *fx, uint32_t counter, uint32_t times)
{
	while (times--)
		fixture_read(fx, 1, 7, ADDRESS + 4 * counter);
}

/* Fill the ring with records that the test ignores. No record waits for room. */
static void fill(struct fixture *fx)
{
	while (fixture_unread(fx) < FIXTURE_RING_RECORDS)
		fixture_event00(fx, 1, FILL_EVENT);
}

static uint32_t status(struct fixture *fx)
{
	return fixture_get(fx, SMILE_REG_STATUS);
}

static void expect_swapped(struct fixture *fx, uint32_t counter, uint32_t count)
{
	fixture_expect(fx, "static any swap [%u] x%u 3>7 0x%x+4", counter, count,
		       ADDRESS + 4 * counter);
}

static void expect_overflow(struct fixture *fx, uint32_t counter)
{
	fixture_expect(fx, "overflow any overflow [%u] x65535 3>7 0x%x+4", counter,
		       ADDRESS + 4 * counter);
}

/* ---- layout -------------------------------------------------------------------------------- */

static void swap_record_static_hasTheLayoutOfTheDatasheet(void **state)
{
	struct fixture *fx = *state;

	fixture_set(fx, SMILE_REG_NODE, 0x4321);
	set_page(fx, 31, 0xfedcb, 0x8765);
	set_event(fx, 15, 31, RAISE_WRITE | RAISE_REQUEST, 3, 1023);
	set_counter(fx, 13, 15, NONE, NONE);
	set_counter(fx, 14, GLOBAL(11), NONE, NONE);
	fixture_set(fx, SMILE_REG_MODE, SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC);
	fixture_set(fx, SMILE_REG_CONTROL, 1);
	for (unsigned int i = 0; i < 0x102; i++)
		fixture_write(fx, 1, 0x8765, 0xfedcb00c);
	fixture_event00(fx, 1, 11);
	fixture_swap_static(fx);
	/* kind 2, type 2, cause 3; node, home; address; counter, length - 1 */
	assert_int_equal(fx->ram[4], htole32(0x01020322));
	assert_int_equal(fx->ram[5], htole32(0x87654321));
	assert_int_equal(fx->ram[6], htole32(0xfedcb00c));
	assert_int_equal(fx->ram[7], htole32(13U << 26 | 1020U << 16));
	/* kind 2, type 4; node; id; counter */
	assert_int_equal(fx->ram[8], htole32(0x00010342));
	assert_int_equal(fx->ram[9], htole32(0x00004321));
	assert_int_equal(fx->ram[10], htole32(11));
	assert_int_equal(fx->ram[11], htole32(14U << 26));
	fixture_expect_account(fx);
}

static void swap_record_overflow_hasTheLayoutOfTheDatasheet(void **state)
{
	struct fixture *fx = *state;

	set_page(fx, 0, 1, 5);
	set_event(fx, 4, 0, RAISE_LOCK | RAISE_RESPONSE, 9, 9);
	set_counter(fx, 1, 4, NONE, NONE);
	static_start(fx, SMILE_MODE_NO_DYNAMIC);
	for (unsigned int i = 0; i < 65534; i++) {
		fixture_packet(fx, BLINK_LOCKSB, 2, 5, 1, 0x1024);
		fixture_packet(fx, BLINK_RESPONSE16, 5, 2, 1, 0);
	}
	assert_int_equal(fixture_unread(fx), 0);
	expect_counter(fx, 1, 65534, true);
	fixture_packet(fx, BLINK_LOCKSB, 2, 5, 1, 0x1024);
	fixture_packet(fx, BLINK_RESPONSE16, 5, 2, 1, 0);
	expect_counter(fx, 1, 0, true);
	/* kind 3, type 3, response, cause 2 */
	assert_int_equal(fx->ram[0], htole32(0xffff02b3));
	assert_int_equal(fx->ram[1], htole32(0x00050000));
	assert_int_equal(fx->ram[2], htole32(0x00001024));
	assert_int_equal(fx->ram[3], htole32(1U << 26));
	fixture_expect_counter(fx, SMILE_REG_COUNT_STATIC, 65535);
	fixture_expect_counter(fx, SMILE_REG_COUNT_STATIC_DELIVERED, 65535);
	fixture_expect_counter(fx, SMILE_REG_COUNT_RECORDS, 1);
}

static void swap_record_tag_tellsTypeIfThereIsOne(void **state)
{
	static const struct {
		uint32_t flags;
		const char *type;
	} cases[] = {
		{RAISE_READ | RAISE_REQUEST, "read"},
		{RAISE_READ | RAISE_RESPONSE, "read-response"},
		{RAISE_READ | RAISE_REQUEST | RAISE_RESPONSE, "read"},
		{RAISE_WRITE | RAISE_RESPONSE, "write-response"},
		{RAISE_LOCK | RAISE_REQUEST, "lock"},
		{RAISE_READ | RAISE_WRITE | RAISE_REQUEST, "any"},
		{RAISE_READ | RAISE_LOCK | RAISE_RESPONSE, "any-response"},
		{RAISE_WRITE | RAISE_LOCK | RAISE_REQUEST, "any"},
		{RAISE_ALL & ~RAISE_REQUEST, "any-response"},
		{RAISE_ALL, "any"},
	};
	struct fixture *fx = *state;
	const size_t count = sizeof(cases) / sizeof(cases[0]);

	set_page(fx, 0, PAGE, 7);
	for (uint32_t i = 0; i < count; i++) {
		set_event(fx, i, 0, cases[i].flags, i, i + 1);
		set_counter(fx, i, (int)i, NONE, NONE);
	}
	/* This mode has no typed tags; only the dynamic array uses tags. */
	fixture_set(fx, SMILE_REG_MODE, SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC);
	fixture_set(fx, SMILE_REG_CONTROL, 1);
	for (uint32_t word = 0; word < 16; word++) {
		for (unsigned int type = 0; type < 3; type++) {
			fixture_packet(fx, 0x10 * type, 1, 7, 9, ADDRESS + 4 * word);
			fixture_packet(fx, BLINK_RESPONSE00, 7, 1, 9, 0);
		}
	}
	fixture_swap_static(fx);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t flags = cases[i].flags;
		uint32_t types =
			!!(flags & RAISE_READ) + !!(flags & RAISE_WRITE) + !!(flags & RAISE_LOCK);
		uint32_t packets = !!(flags & RAISE_REQUEST) + !!(flags & RAISE_RESPONSE);

		fixture_expect(fx, "static %s swap [%u] x%u 0>7 0x%x+8", cases[i].type, i,
			       2 * types * packets, ADDRESS + 4 * i);
	}
	fixture_expect_none(fx);
}

/* ---- with room ----------------------------------------------------------------------------- */

static void swap_command_writesWhatIsNotZeroLowestFirst(void **state)
{
	struct fixture *fx = *state;

	watch_words(fx, 0);
	hit(fx, 9, 3);
	hit(fx, 0, 1);
	hit(fx, 15, 65534);
	fixture_swap_static(fx);
	for (uint32_t i = 0; i < 16; i++)
		expect_counter(fx, i, 0, true);
	assert_int_equal(status(fx), 0);
	expect_swapped(fx, 0, 1);
	expect_swapped(fx, 9, 3);
	expect_swapped(fx, 15, 65534);
	fixture_expect_none(fx);
	fixture_swap_static(fx); /* no count is left */
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

static void swap_one(struct fixture *fx, uint32_t counter)
{
	fixture_set(fx, SMILE_REG_COMMAND,
		    SMILE_COMMAND_SWAP_STATIC | SMILE_COMMAND_ONE |
			    SMILE_PUT(SMILE_COMMAND_COUNTER, counter));
}

static void swap_one_running_takes_one_counter(void **state)
{
	struct fixture *fx = *state;

	watch_words(fx, 0);
	hit(fx, 3, 7);
	hit(fx, 4, 5);
	swap_one(fx, 3);
	expect_counter(fx, 3, 0, true);
	expect_counter(fx, 4, 5, true);
	expect_swapped(fx, 3, 7);
	fixture_expect_none(fx);
	/* A swap sets the counter to 0. */
	hit(fx, 3, 2);
	swap_one(fx, 3);
	expect_swapped(fx, 3, 2);
	swap_one(fx, 3);
	fixture_expect_none(fx);
	fixture_swap_static(fx);
	expect_swapped(fx, 4, 5);
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

static void swap_one_with_others_refused(void **state)
{
	static const uint32_t commands[] = {
		SMILE_COMMAND_ONE,
		SMILE_COMMAND_ONE | SMILE_COMMAND_SWAP,
		SMILE_COMMAND_ONE | SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC,
		SMILE_COMMAND_ONE | SMILE_COMMAND_RESET,
		SMILE_COMMAND_SWAP_STATIC | SMILE_PUT(SMILE_COMMAND_COUNTER, 3U),
		SMILE_COMMAND_SWAP_STATIC | SMILE_COMMAND_ONE | 0x1000U,
	};
	struct fixture *fx = *state;

	watch_words(fx, 0);
	hit(fx, 3, 7);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		card_mmio_write(&fx->card, SMILE_REG_COMMAND, commands[i]);
		assert_true(status(fx) & SMILE_STATUS_BAD_WRITE);
		fixture_set(fx, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	}
	expect_counter(fx, 3, 7, true);
	fixture_expect_none(fx);
}

static void swap_command_disabled_works(void **state)
{
	struct fixture *fx = *state;

	watch_words(fx, 0);
	hit(fx, 1, 2);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	hit(fx, 1, 2); /* not counted */
	fixture_swap_static(fx);
	expect_swapped(fx, 1, 2);
	fixture_expect_none(fx);
}

static void swap_command_swapsTheArraysThatItNames(void **state)
{
	struct fixture *fx = *state;

	set_page(fx, 0, PAGE, 7);
	set_event(fx, 0, 0, RAISE_ALL, 0, 1023);
	set_counter(fx, 0, 0, NONE, NONE);
	static_start(fx, 0);
	for (unsigned int commands = 2; commands <= 6; commands += 2) {
		fixture_read(fx, 1, 7, ADDRESS);
		fixture_set(fx, SMILE_REG_COMMAND, commands);
		if (commands & 2)
			fixture_expect(fx, "dynamic read swap [0] x1 1>7 0x%x+4", ADDRESS);
		if (commands & 4)
			fixture_expect(fx, "static any swap [0] x%u 0>7 0x%x+4096",
				       commands == 4 ? 2 : 1, ADDRESS);
		fixture_expect_none(fx);
		/*
		 * SWAP_STATIC alone does not swap the dynamic array. Swap it out, and skip its
		 * record.
		 */
		if (commands == 4)
			fixture_swap(fx);
		if (commands == 4)
			fixture_skip(fx, 1);
	}
	fixture_expect_account(fx);
}

static void swap_overflow_severalTimes_losesNoCount(void **state)
{
	struct fixture *fx = *state;

	watch_words(fx, 0);
	hit(fx, 6, 3 * 65535 + 17);
	for (unsigned int i = 0; i < 3; i++)
		expect_overflow(fx, 6);
	fixture_expect_none(fx);
	expect_counter(fx, 6, 17, true);
	fixture_swap_static(fx);
	expect_swapped(fx, 6, 17);
	fixture_expect_account(fx);
}

static void swap_phaseMark_writesBothArraysBeforeIt(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = static_config(0);

	config.phase_events = 1 << 5;
	set_counter(fx, 0, GLOBAL(5), NONE, NONE);
	set_counter(fx, 1, GLOBAL(6), NONE, NONE);
	set_counter(fx, 2, GLOBAL(7), NONE, NONE);
	set_counter(fx, 3, GLOBAL(0), NONE, NONE);
	fixture_start(fx, &config);
	fixture_read(fx, 1, 7, 0x1000);
	fixture_event00(fx, 1, 6); /* not a phase mark: causes no swap */
	fixture_event00(fx, 1, 0);
	fixture_expect(fx, "event 6 blink node 1 at 0");
	fixture_expect(fx, "event 0 blink node 1 at 0");
	fixture_expect_none(fx);
	fixture_event00(fx, 1, 5); /* counted before the swap: in the phase that it ends */
	fixture_expect(fx, "dynamic read swap [0] x1 1>7 0x1000+4");
	fixture_expect(fx, "static event swap [0] x1 node 0 id 5");
	fixture_expect(fx, "static event swap [1] x1 node 0 id 6");
	fixture_expect(fx, "static event swap [3] x1 node 0 id 0");
	fixture_expect(fx, "event 5 phase blink node 1 at 0");
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

/* ---- when the ring has no room -------------------------------------------------------------- */

static void swap_full_overflows_areOwed(void **state)
{
	struct fixture *fx = *state;

	watch_words(fx, 0);
	fill(fx);
	hit(fx, 4, 2 * 65535 + 1);
	hit(fx, 2, 65535);
	expect_counter(fx, 4, 1, true);
	expect_counter(fx, 2, 0, true);
	assert_int_equal(status(fx), SMILE_STATUS_FULL);
	assert_false(card_ready(&fx->card));
	fixture_expect_counter(fx, SMILE_REG_COUNT_STATIC, 3 * 65535 + 1);
	fixture_expect_counter(fx, SMILE_REG_COUNT_STATIC_DELIVERED, 0);
	fixture_take(fx, 1); /* room for one record */
	fixture_expect_counter(fx, SMILE_REG_COUNT_STATIC_DELIVERED, 65535);
	assert_false(card_ready(&fx->card));
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	expect_overflow(fx, 2);
	expect_overflow(fx, 4);
	expect_overflow(fx, 4);
	fixture_expect_none(fx);
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, 0);
	fixture_expect_account(fx);
}

static void swap_full_taken_waitsWhileCountersGoOn(void **state)
{
	struct fixture *fx = *state;

	watch_words(fx, 0);
	hit(fx, 3, 10);
	hit(fx, 1, 65534);
	fill(fx);
	fixture_swap_static(fx);
	assert_int_equal(status(fx), SMILE_STATUS_FULL | SMILE_STATUS_SWAPPING);
	expect_counter(fx, 1, 0, true);
	expect_counter(fx, 3, 0, true);
	hit(fx, 3, 5);
	hit(fx, 2, 1);
	expect_counter(fx, 3, 5, true);
	fixture_take(fx, 1);
	assert_int_equal(status(fx), SMILE_STATUS_FULL | SMILE_STATUS_SWAPPING);
	fixture_take(fx, 1);
	/* The record of the last count has filled the ring. */
	assert_int_equal(status(fx), SMILE_STATUS_FULL);
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	expect_swapped(fx, 1, 65534);
	expect_swapped(fx, 3, 10);
	fixture_expect_none(fx);
	fixture_swap_static(fx);
	expect_swapped(fx, 2, 1);
	expect_swapped(fx, 3, 5);
	fixture_expect_account(fx);
}

static void swap_full_secondSwap_isAddedToWhatWasTaken(void **state)
{
	struct fixture *fx = *state;

	watch_words(fx, 0);
	fill(fx);
	hit(fx, 0, 40000);
	hit(fx, 1, 40000);
	hit(fx, 2, 40000);
	hit(fx, 3, 65534);
	fixture_swap_static(fx);
	hit(fx, 0, 25534); /* one less than the counter's maximum */
	hit(fx, 1, 25535); /* exactly a full count */
	hit(fx, 2, 40000);
	hit(fx, 3, 65534);
	hit(fx, 4, 7);
	fixture_swap_static(fx);
	for (uint32_t i = 0; i < 16; i++)
		expect_counter(fx, i, 0, true);
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	expect_swapped(fx, 0, 65534);
	expect_overflow(fx, 1); /* there is no second record of this counter */
	expect_overflow(fx, 2);
	expect_swapped(fx, 2, 80000 - 65535);
	expect_overflow(fx, 3);
	expect_swapped(fx, 3, 65533);
	expect_swapped(fx, 4, 7);
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

static void swap_full_owed_areTakenWithTheCounts(void **state)
{
	struct fixture *fx = *state;

	watch_words(fx, 0);
	fill(fx);
	hit(fx, 8, 65535 + 3);
	hit(fx, 5, 2);
	hit(fx, 6, 65535);
	fixture_swap_static(fx);
	hit(fx, 5, 65535 + 9); /* another OVERFLOW record, after the counts that wait */
	hit(fx, 8, 1);
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	expect_swapped(fx, 5, 2);
	expect_overflow(fx, 6);
	expect_overflow(fx, 8);
	expect_swapped(fx, 8, 3);
	expect_overflow(fx, 5);
	fixture_expect_none(fx);
	expect_counter(fx, 5, 9, true);
	expect_counter(fx, 8, 1, true);
	fixture_expect_account(fx);
}

static void swap_full_phaseMark_takesAtItsInstant(void **state)
{
	struct fixture *fx = *state;

	watch_words(fx, 1 << 3);
	fill(fx);
	hit(fx, 0, 5);
	card_tick(&fx->card, 1000);
	fixture_event00(fx, 2, 3);
	hit(fx, 0, 65535 + 2); /* in the next phase */
	hit(fx, 1, 1);
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	expect_swapped(fx, 0, 5);
	fixture_expect(fx, "event 3 phase blink node 2 at 1000");
	expect_overflow(fx, 0);
	fixture_expect_none(fx);
	fixture_swap_static(fx);
	expect_swapped(fx, 0, 2);
	expect_swapped(fx, 1, 1);
	fixture_expect_account(fx);
}

static void swap_full_lostMark_swapsNothingButIsCounted(void **state)
{
	struct fixture *fx = *state;

	watch_words(fx, 1 << 3);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	set_counter(fx, 15, GLOBAL(3), NONE, NONE);
	fixture_set(fx, SMILE_REG_CONTROL, 1);
	fill(fx);
	fixture_event00(fx, 1, FILL_EVENT); /* waits */
	hit(fx, 0, 5);
	fixture_event00(fx, 2, 3);
	fixture_set(fx, SMILE_REG_EVENT, 3);
	expect_counter(fx, 0, 5, true);
	expect_counter(fx, 15, 2, true);
	fixture_expect_counter(fx, SMILE_REG_COUNT_MARKS_LOST, 2);
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	fixture_expect(fx, "lost 0 marks 2");
	fixture_expect(fx, "event 100 blink node 1 at 0");
	fixture_expect_none(fx);
	expect_counter(fx, 0, 5, true);
	expect_counter(fx, 15, 2, true);
	fixture_expect_account(fx);
}

/* A phase mark waits. If a swap is commanded now, the mark is written before the swap's records. */
static void swap_full_commandBehindPhaseMark_waitsForIt(void **state)
{
	struct fixture *fx = *state;

	watch_words(fx, 1 << 3);
	fill(fx);
	hit(fx, 0, 5);
	fixture_event00(fx, 2, 3);
	hit(fx, 0, 2);
	hit(fx, 1, 65535);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	fixture_set(fx, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC);
	assert_int_equal(status(fx), SMILE_STATUS_FULL | SMILE_STATUS_SWAPPING);
	fixture_take(fx, 2);
	assert_int_equal(status(fx), SMILE_STATUS_FULL | SMILE_STATUS_SWAPPING);
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	expect_swapped(fx, 0, 5);
	fixture_expect(fx, "event 3 phase blink node 2 at 0");
	expect_swapped(fx, 0, 2);
	expect_overflow(fx, 1);
	fixture_expect_none(fx);
	assert_int_equal(status(fx), 0);
	fixture_set(fx, SMILE_REG_NODE, 9); /* the card is at rest */
	assert_int_equal(status(fx), 0);
}

/* A mark that does not end a phase waits. A commanded swap takes the counts immediately. */
static void swap_full_commandBehindOtherMark_takesAtOnce(void **state)
{
	struct fixture *fx = *state;

	watch_words(fx, 1 << 3);
	fill(fx);
	fixture_event00(fx, 2, 4);
	hit(fx, 0, 2);
	fixture_swap_static(fx);
	expect_counter(fx, 0, 0, true);
	hit(fx, 0, 1);
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	expect_swapped(fx, 0, 2);
	fixture_expect(fx, "event 4 blink node 2 at 0");
	fixture_expect_none(fx);
	expect_counter(fx, 0, 1, true);
}

/* The clock advances by decades, and the timer's period is 1 us. More than 2^32 records wait. */
static void swap_full_owedBeyond32Bits_losesNothing(void **state)
{
	const struct static_counter *counter;
	struct fixture *fx = *state;
	struct smile_config config = static_config(0);
	const uint64_t last_ns = 1ULL << 62, events = (last_ns - 1) / 1000;

	config.timer_us = 1;
	config.timer_event = 2;
	set_counter(fx, 0, GLOBAL(2), NONE, NONE);
	fixture_start(fx, &config);
	counter = &fx->card.statics.counter[0];
	card_tick(&fx->card, 1);
	fill(fx);
	card_tick(&fx->card, last_ns);
	fixture_expect_counter(fx, SMILE_REG_COUNT_STATIC, events);
	assert_true(counter->owed > UINT32_MAX);
	assert_int_equal(counter->owed * 65535 + counter->count, events);
	fixture_swap_static(fx);
	assert_int_equal(counter->owed, 0);
	assert_int_equal(counter->taken_owed * 65535 + counter->taken, events);
	fixture_skip(fx, FIXTURE_RING_RECORDS + 1); /* and the LOST record of marks */
	assert_int_equal(fx->drained.records[FIXTURE_RING_RECORDS].kind, SMILE_KIND_LOST);
	fixture_take(fx, FIXTURE_RING_RECORDS);
	assert_int_equal(counter->taken_owed * 65535 + counter->taken +
				 fixture_counter(fx, SMILE_REG_COUNT_STATIC_DELIVERED),
			 events);
}

/* All kinds of work wait. The card does them in the order of section 10 of the datasheet. */
static void swap_full_everythingWaiting_isWrittenInOrder(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = static_config(0);

	config.entries = 4;
	config.time_us = 1;
	config.phase_events = 1 << 3;
	set_page(fx, 0, 0x50, 7);
	set_event(fx, 0, 0, RAISE_WRITE | RAISE_REQUEST, 0, 1023);
	set_counter(fx, 2, 0, NONE, NONE);
	set_counter(fx, 1, 0, NONE, NONE);
	fixture_start(fx, &config);
	card_tick(&fx->card, 500); /* TIME records from 1500 on */
	fill(fx);
	for (unsigned int i = 0; i < 65535; i++) { /* [1] is full; both counters owe one record */
		if (i == 0)
			fixture_read(fx, 1, 7, 0x60000);
		fixture_write(fx, 1, 7, 0x50000);
	}
	fixture_write(fx, 1, 7, 0x50000); /* lost */
	card_tick(&fx->card, 1600);
	fixture_event00(fx, 2, 3); /* a phase mark */
	fixture_event00(fx, 2, 4); /* lost */
	for (unsigned int i = 0; i < 65535;
	     i++) /* lost during Swap_All; both owe a second record */
		fixture_write(fx, 1, 7, 0x50000);

	fixture_skip(fx, FIXTURE_RING_RECORDS);
	fixture_expect(fx, "lost 1 marks 0");
	fixture_expect(fx, "time 1500");
	fixture_expect(fx, "dynamic write overflow [1] x65535 1>7 0x50000+4");
	fixture_expect(fx, "dynamic read swap [0] x1 1>7 0x60000+4");
	for (unsigned int counter = 1; counter <= 2; counter++) {
		fixture_expect(fx, "overflow write overflow [%u] x65535 0>7 0x50000+4096", counter);
		fixture_expect(fx, "static write swap [%u] x1 0>7 0x50000+4096", counter);
	}
	fixture_expect(fx, "event 3 phase blink node 2 at 1600");
	fixture_expect(fx, "lost 65535 marks 1");
	for (unsigned int counter = 1; counter <= 2; counter++)
		fixture_expect(fx, "overflow write overflow [%u] x65535 0>7 0x50000+4096", counter);
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

static void swap_full_owed_goesBeforeTheCapacitySwap(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = static_config(0);

	config.entries = 2;
	config.max_range_bytes = 4096;
	set_page(fx, 0, 0x50, 7);
	set_event(fx, 0, 0, RAISE_ALL, 0, 1023);
	set_counter(fx, 0, 0, NONE, NONE);
	fixture_start(fx, &config);
	fill(fx);
	for (unsigned int i = 0; i < 65534; i++)
		fixture_write(fx, 1, 7, 0x50000);
	fixture_write(fx, 2, 7, 0x50000); /* the second entry */
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	fixture_expect(fx, "overflow any overflow [0] x65535 0>7 0x50000+4096");
	fixture_expect(fx, "dynamic write capacity [0] x65534 1>7 0x50000+4");
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

/* ---- at rest ------------------------------------------------------------------------------- */

static void expect_locked(struct fixture *fx)
{
	static const uint32_t offsets[] = {
		SMILE_REG_NODE,		SMILE_REG_MODE,		 SMILE_REG_STATIC_PAGE + 8,
		SMILE_REG_STATIC_NODE,	SMILE_REG_STATIC_EVENT,	 SMILE_REG_STATIC_COUNTER + 60,
		SMILE_REG_TIMER_PERIOD, SMILE_REG_DMA_BASE_HIGH,
	};

	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++)
		fixture_expect_refused(fx, offsets[i], 0);
}

static void swap_configuration_isLockedUntilEveryCountIsWritten(void **state)
{
	struct fixture *fx = *state;

	/* A count that is not zero. */
	watch_words(fx, 0);
	hit(fx, 15, 1);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	expect_locked(fx);
	/* A count that was taken, and waits for room. */
	fixture_set(fx, SMILE_REG_CONTROL, 1);
	fill(fx);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	fixture_swap_static(fx);
	expect_counter(fx, 15, 0, true);
	expect_locked(fx);
	fixture_take(fx, 1);
	fixture_set(fx, SMILE_REG_NODE, 5);
	assert_int_equal(fixture_get(fx, SMILE_REG_NODE), 5);
	/* An OVERFLOW record waits for room. */
	fixture_set(fx, SMILE_REG_CONTROL, 1);
	hit(fx, 0, 65535);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	expect_counter(fx, 0, 0, true);
	assert_int_equal(status(fx), SMILE_STATUS_FULL);
	expect_locked(fx);
	fixture_take(fx, 1);
	fixture_set(fx, SMILE_REG_NODE, 6);
	assert_int_equal(fixture_get(fx, SMILE_REG_NODE), 6);
	/* The ring is full, but no record waits, so the card is at rest. */
	assert_int_equal(status(fx), SMILE_STATUS_FULL);
}

/*
 * ---- any pause of the reader ------------------------------------------------------------------
 */

/*
 * For random hits, swaps, phase marks and pauses of the reader, the sum of each counter's records
 * of a phase is exactly the number of events in that phase.
 */
static void swap_randomStalls_everyPhaseIsExact(void **state)
{
	struct fixture *fx = *state;
	uint64_t marks_lost = 0, overflows = 0;

	for (uint64_t round = 1; round <= 30; round++) {
		enum { PHASES = 400 };
		static uint64_t expected[PHASES][16];
		uint64_t seed = round, phases = 0, phase = 0;

		memset(expected, 0, sizeof(expected));
		card_reset(&fx->card);
		fx->drained.count = 0;
		watch_words(fx, 1 << 3);
		for (unsigned int i = 0; i < 300; i++) {
			uint32_t counter = fixture_random(&seed, 16);
			uint32_t times = fixture_random(&seed, 10) ? 30 : 70000 / (1 + round % 5);

			hit(fx, counter, times);
			expected[phases][counter] += times;
			if (fixture_random(&seed, 4) == 0) {
				uint64_t lost = fixture_counter(fx, SMILE_REG_COUNT_MARKS_LOST);

				fixture_event00(fx, 1, 3);
				if (fixture_counter(fx, SMILE_REG_COUNT_MARKS_LOST) == lost)
					phases++;
			}
			if (fixture_random(&seed, 4) == 0)
				fixture_swap_static(fx);
			if (fixture_random(&seed, 30) == 0)
				fill(fx);
			if (fixture_random(&seed, 10) == 0)
				fixture_take(fx, fixture_random(&seed, 12));
			if (fixture_random(&seed, 60) == 0)
				fixture_drain(fx);
		}
		fixture_expect_account(fx);
		for (size_t i = 0; i < fx->drained.count; i++) {
			const struct decoded_record *record = &fx->drained.records[i];

			if (record->kind == SMILE_KIND_EVENT && record->phase) {
				for (uint32_t c = 0; c < 16; c++)
					assert_int_equal(expected[phase][c], 0);
				phase++;
			}
			if (record->kind == SMILE_KIND_STATIC ||
			    record->kind == SMILE_KIND_OVERFLOW) {
				assert_true(expected[phase][record->index] >= record->count);
				expected[phase][record->index] -= record->count;
				overflows += record->kind == SMILE_KIND_OVERFLOW;
			}
		}
		assert_int_equal(phase, phases);
		for (uint32_t c = 0; c < 16; c++)
			assert_int_equal(expected[phase][c], 0);
		marks_lost += fixture_counter(fx, SMILE_REG_COUNT_MARKS_LOST);
	}
	/* Check that the pauses have caused enough lost marks and overflows. */
	assert_true(marks_lost > 100);
	assert_true(overflows > 100);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(swap_record_static_hasTheLayoutOfTheDatasheet),
		TEST(swap_record_overflow_hasTheLayoutOfTheDatasheet),
		TEST(swap_record_tag_tellsTypeIfThereIsOne),
		TEST(swap_command_writesWhatIsNotZeroLowestFirst),
		TEST(swap_one_running_takes_one_counter),
		TEST(swap_one_with_others_refused),
		TEST(swap_command_disabled_works),
		TEST(swap_command_swapsTheArraysThatItNames),
		TEST(swap_overflow_severalTimes_losesNoCount),
		TEST(swap_phaseMark_writesBothArraysBeforeIt),
		TEST(swap_full_overflows_areOwed),
		TEST(swap_full_taken_waitsWhileCountersGoOn),
		TEST(swap_full_secondSwap_isAddedToWhatWasTaken),
		TEST(swap_full_owed_areTakenWithTheCounts),
		TEST(swap_full_phaseMark_takesAtItsInstant),
		TEST(swap_full_lostMark_swapsNothingButIsCounted),
		TEST(swap_full_commandBehindPhaseMark_waitsForIt),
		TEST(swap_full_commandBehindOtherMark_takesAtOnce),
		TEST(swap_full_owedBeyond32Bits_losesNothing),
		TEST(swap_full_everythingWaiting_isWrittenInOrder),
		TEST(swap_full_owed_goesBeforeTheCapacitySwap),
		TEST(swap_configuration_isLockedUntilEveryCountIsWritten),
		TEST(swap_randomStalls_everyPhaseIsExact),
	};

	return cmocka_run_group_tests_name("static_counters_swap", tests, NULL, NULL);
}
