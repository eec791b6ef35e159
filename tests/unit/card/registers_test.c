/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the registers: reset values, refused writes, the latch of the 64-bit counters, the
 * interrupt line. For the registers of the ring in host memory and of the static array, see also
 * host_ring_test.c and static_test.c. May use card_fixture.h.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/card/card_fixture.h"

static void registers_read_afterPowerOn_giveResetValues(void **state)
{
	struct fixture *fx = *state;

	assert_int_equal(fixture_get(fx, SMILE_REG_ID), 0x534d694c);
	assert_int_equal(fixture_get(fx, SMILE_REG_VERSION), 0x00010001);
	assert_int_equal(fixture_get(fx, SMILE_REG_CAPABILITY), 0x030c1040);
	assert_int_equal(fixture_get(fx, SMILE_REG_CONTROL), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_NODE), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_FILTER), 0x717);
	assert_int_equal(fixture_get(fx, SMILE_REG_MODE), SMILE_MODE_TYPED_TAGS);
	assert_int_equal(fixture_get(fx, SMILE_REG_MAX_RANGE), 4);
	assert_int_equal(fixture_get(fx, SMILE_REG_ENTRIES), 16);
	assert_int_equal(fixture_get(fx, SMILE_REG_PHASE_EVENTS), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_ENABLE), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_RING_READ), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_RING_WRITE), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_RING_AUX), 0);
	for (uint32_t offset = SMILE_REG_DMA_BASE_LOW; offset <= SMILE_REG_RING_LATENCY;
	     offset += 4)
		assert_int_equal(fixture_get(fx, offset), 0);
	for (uint32_t offset = SMILE_REG_STATIC_PAGE; offset < SMILE_REG_STATIC_VALUE; offset += 4)
		assert_int_equal(fixture_get(fx, offset), 0);
	for (uint32_t i = 0; i < 16; i++)
		assert_int_equal(fixture_get(fx, SMILE_REG_STATIC_VALUE + 4 * i), 0x80000000);
	assert_int_equal(fixture_get(fx, SMILE_REG_TIMER_PERIOD), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_TIMER_EVENT), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_TIME_PERIOD), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_CLOCK_STEP), 1);
	assert_int_equal(SMILE_COUNT_LAST, 0xe8);
	for (uint32_t offset = SMILE_COUNT_FIRST; offset <= SMILE_COUNT_LAST; offset += 8)
		fixture_expect_counter(fx, offset, 0);
	assert_false(card_ready(&fx->card));
	assert_int_equal(fx->edges, 0);
	assert_int_equal(fx->latency_calls, 0);
	assert_true(card_deadline(&fx->card) == UINT64_MAX);
}

static bool is_register(uint32_t offset)
{
	static const uint32_t single[] = {
		SMILE_REG_ID,		SMILE_REG_VERSION,     SMILE_REG_CAPABILITY,
		SMILE_REG_CONTROL,	SMILE_REG_STATUS,      SMILE_REG_COMMAND,
		SMILE_REG_EVENT,	SMILE_REG_NODE,	       SMILE_REG_FILTER,
		SMILE_REG_MODE,		SMILE_REG_MAX_RANGE,   SMILE_REG_ENTRIES,
		SMILE_REG_PHASE_EVENTS, SMILE_REG_INT_STATUS,  SMILE_REG_INT_ENABLE,
		SMILE_REG_RING_READ,	SMILE_REG_RING_WRITE,  SMILE_REG_RING_AUX,
		SMILE_REG_TIMER_PERIOD, SMILE_REG_TIMER_EVENT, SMILE_REG_TIME_PERIOD,
		SMILE_REG_CLOCK_STEP,
	};
	/* Offsets at which each word is a register. The end of a range is not included. */
	static const uint32_t runs[][2] = {
		{0x060, 0x07c}, /* the ring in host memory, watermark, latency */
		{0x080, 0x0f0}, /* counters */
		{0x100, 0x240}, /* page table and event table */
		{0x280, 0x300}, /* static counters */
	};

	for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++)
		if (offset == single[i])
			return true;
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		if (offset >= runs[i][0] && offset < runs[i][1])
			return true;
	return false;
}

static void registers_unknownOffset_readsZeroAndRefusesWrites(void **state)
{
	struct fixture *fx = *state;
	unsigned int tried = 0;

	for (uint32_t offset = 0; offset < SMILE_REGS_BYTES; offset += 4) {
		if (is_register(offset))
			continue;
		assert_int_equal(fixture_get(fx, offset), 0);
		fixture_expect_refused(fx, offset, 1);
		tried++;
	}
	assert_int_equal(tried, 1024 - 22 - 7 - 28 - 80 - 32);
	/* Offsets that are not a multiple of 4. */
	for (uint32_t offset = 0x101; offset < 0x320; offset += offset % 4 == 3 ? 2 : 1) {
		assert_int_equal(fixture_get(fx, offset), 0);
		fixture_expect_refused(fx, offset, 0);
	}
	assert_int_equal(fixture_get(fx, SMILE_REGS_BYTES), 0);
	fixture_expect_refused(fx, SMILE_REGS_BYTES, 1);
	assert_int_equal(fixture_get(fx, 0xfffffffc), 0);
	fixture_expect_refused(fx, 0xfffffffc, 1);
}

static void registers_readOnly_refuseWrites(void **state)
{
	struct fixture *fx = *state;
	static const uint32_t offsets[] = {
		SMILE_REG_ID,	      SMILE_REG_VERSION,  SMILE_REG_CAPABILITY,
		SMILE_REG_RING_WRITE, SMILE_REG_RING_AUX, SMILE_REG_CLOCK_STEP,
	};

	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		fixture_expect_refused(fx, offsets[i], 0);
		fixture_expect_refused(fx, offsets[i], fixture_get(fx, offsets[i]) + 4);
	}
	for (uint32_t offset = SMILE_COUNT_FIRST; offset < SMILE_COUNT_LAST + 8; offset += 4) {
		fixture_expect_refused(fx, offset, 0);
		fixture_expect_refused(fx, offset, 5);
	}
	for (uint32_t i = 0; i < 16; i++) {
		fixture_expect_refused(fx, SMILE_REG_STATIC_VALUE + 4 * i, 0);
		fixture_expect_refused(fx, SMILE_REG_STATIC_VALUE + 4 * i, 0x80000000);
	}
}

static void registers_undefinedBits_areRefused(void **state)
{
	struct fixture *fx = *state;
	static const struct {
		uint32_t offset;
		uint32_t defined;
	} cases[] = {
		{SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE},
		{SMILE_REG_NODE, 0xffff},
		{SMILE_REG_FILTER, 0x0737},
		{SMILE_REG_MODE, 0xbf}, /* this card has no ring in host memory */
		{SMILE_REG_PHASE_EVENTS, 0xffff},
		{SMILE_REG_INT_ENABLE, 0x1f},
		{SMILE_REG_TIMER_EVENT, 15},
		{SMILE_REG_TIMER_PERIOD, 0xffffffff},
		{SMILE_REG_TIME_PERIOD, 0xffffffff},
		{SMILE_REG_RING_LATENCY, 0xffffffff},
		{SMILE_REG_DMA_BASE_LOW, 0xfffff000},
		{SMILE_REG_DMA_BASE_HIGH, 0xffffffff},
		{SMILE_REG_DMA_READ, 0xffffffff},
		{SMILE_REG_DMA_WRITE, 0xffffffff},
		{SMILE_REG_STATIC_PAGE, 0x800fffff},
		{SMILE_REG_STATIC_PAGE + 31 * 8, 0x800fffff},
		{SMILE_REG_STATIC_NODE, 0xffff},
		{SMILE_REG_STATIC_NODE + 31 * 8, 0xffff},
		{SMILE_REG_STATIC_COUNTER, 0x003f3f3f},
		{SMILE_REG_STATIC_COUNTER + 15 * 4, 0x003f3f3f},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (unsigned int bit = 0; bit < 32; bit++) {
			uint32_t value = (uint32_t)1 << bit;

			if (!(cases[i].defined & value)) {
				fixture_expect_refused(fx, cases[i].offset, value);
				fixture_expect_refused(fx, cases[i].offset,
						       value | cases[i].defined);
			}
		}
	}
	/* Set each defined bit alone, and then all bits. */
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (unsigned int bit = 0; bit < 33; bit++) {
			uint32_t value = bit == 32 ? cases[i].defined : (uint32_t)1 << bit;

			if ((cases[i].defined & value) != value)
				continue;
			fixture_set(fx, SMILE_REG_CONTROL, 0);
			fixture_set(fx, cases[i].offset, value);
			assert_int_equal(fixture_get(fx, cases[i].offset), value);
			assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), 0);
		}
		card_reset(&fx->card);
	}
}

static void registers_maxRange_takesMultiplesOfFourUpToAPage(void **state)
{
	struct fixture *fx = *state;

	for (uint32_t value = 0; value < 4200; value++) {
		if (value >= 4 && value <= 4096 && value % 4 == 0) {
			fixture_set(fx, SMILE_REG_MAX_RANGE, value);
			assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), 0);
			assert_int_equal(fixture_get(fx, SMILE_REG_MAX_RANGE), value);
		} else {
			fixture_expect_refused(fx, SMILE_REG_MAX_RANGE, value);
		}
	}
	fixture_expect_refused(fx, SMILE_REG_MAX_RANGE, 0x10004);
	fixture_expect_refused(fx, SMILE_REG_MAX_RANGE, 0xfffffffc);
}

static void registers_entries_takeOneToSixtyFour(void **state)
{
	struct fixture *fx = *state;

	for (uint32_t value = 0; value < 200; value++) {
		if (value >= 1 && value <= 64) {
			fixture_set(fx, SMILE_REG_ENTRIES, value);
			assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), 0);
			assert_int_equal(fixture_get(fx, SMILE_REG_ENTRIES), value);
		} else {
			fixture_expect_refused(fx, SMILE_REG_ENTRIES, value);
		}
	}
	fixture_expect_refused(fx, SMILE_REG_ENTRIES, 0x10001);
}

static void registers_commands_impossibleValue_isRefused(void **state)
{
	struct fixture *fx = *state;

	fixture_set(fx, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	fixture_read(fx, 1, 0, 0x1000); /* change state that a reset or a swap would change */
	fixture_expect_refused(fx, SMILE_REG_COMMAND, 0);
	fixture_expect_refused(fx, SMILE_REG_COMMAND, 3); /* RESET with another command */
	fixture_expect_refused(fx, SMILE_REG_COMMAND, 5);
	fixture_expect_refused(fx, SMILE_REG_COMMAND, 7);
	fixture_expect_refused(fx, SMILE_REG_COMMAND, 8);
	fixture_expect_refused(fx, SMILE_REG_COMMAND, 10);
	fixture_expect_refused(fx, SMILE_REG_COMMAND, 0x80000000);
	fixture_expect_refused(fx, SMILE_REG_EVENT, 0x10000);
	fixture_expect_refused(fx, SMILE_REG_EVENT, 0xffffffff);
	for (unsigned int bit = 0; bit < 32; bit++)
		if (bit != 3 && bit != 4) /* BAD_WRITE, DMA_ERROR */
			fixture_expect_refused(fx, SMILE_REG_STATUS, (uint32_t)1 << bit | 8);
	fixture_expect_refused(fx, SMILE_REG_STATUS, 0x80000000);
}

static void registers_watermark_takesNoMoreThanTheLargestRing(void **state)
{
	struct fixture *fx = *state;
	static const uint32_t good[] = {1, 1024, 0x00ffffff, 0x01000000, 0};

	/* The watermark can be set at any time. */
	fixture_set(fx, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		fixture_set(fx, SMILE_REG_RING_WATERMARK, good[i]);
		assert_int_equal(fixture_get(fx, SMILE_REG_RING_WATERMARK), good[i]);
	}
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), 0);
	fixture_expect_refused(fx, SMILE_REG_RING_WATERMARK, 0x01000001);
	fixture_expect_refused(fx, SMILE_REG_RING_WATERMARK, 0xffffffff);
}

/* Legal values that differ from the reset values. */
static const struct {
	uint32_t offset;
	uint32_t value;
} configuration[] = {
	{SMILE_REG_NODE, 5},
	{SMILE_REG_FILTER, 0x0737},
	{SMILE_REG_MODE, 3},
	{SMILE_REG_MAX_RANGE, 64},
	{SMILE_REG_ENTRIES, 32},
	{SMILE_REG_PHASE_EVENTS, 1},
	{SMILE_REG_DMA_BASE_LOW, 0x7000},
	{SMILE_REG_DMA_BASE_HIGH, 1},
	{SMILE_REG_DMA_SIZE, 256},
	{SMILE_REG_TIMER_PERIOD, 9},
	{SMILE_REG_TIMER_EVENT, 9},
	{SMILE_REG_TIME_PERIOD, 9},
	{SMILE_REG_STATIC_PAGE, 0x80000001},
	{SMILE_REG_STATIC_NODE + 31 * 8, 7},
	{SMILE_REG_STATIC_EVENT, 0xbff00000},
	{SMILE_REG_STATIC_COUNTER + 15 * 4, 0x2020},
};
#define CONFIGURATION (sizeof(configuration) / sizeof(configuration[0]))

static void expect_configuration_refused(struct fixture *fx)
{
	for (size_t i = 0; i < CONFIGURATION; i++) {
		fixture_expect_refused(fx, configuration[i].offset, configuration[i].value);
		/* The card also refuses a write of the current value. */
		fixture_expect_refused(fx, configuration[i].offset,
				       fixture_get(fx, configuration[i].offset));
	}
}

static void registers_configuration_isRefusedWhileEnabled(void **state)
{
	struct fixture *fx = *state;

	fixture_set(fx, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	expect_configuration_refused(fx);
}

static void registers_configuration_isRefusedWhileEntriesAreValid(void **state)
{
	struct fixture *fx = *state;

	fixture_set(fx, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	fixture_read(fx, 1, 0, 0x1000);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	expect_configuration_refused(fx);
	fixture_swap(fx);
	for (size_t i = 0; i < CONFIGURATION; i++) {
		fixture_set(fx, configuration[i].offset, configuration[i].value);
		assert_int_equal(fixture_get(fx, configuration[i].offset), configuration[i].value);
	}
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), 0);
}

static void registers_configuration_isRefusedWhileAMarkWaits(void **state)
{
	struct fixture *fx = *state;

	/* Fill the ring with marks alone, so that the array stays empty. */
	for (unsigned int i = 0; i < FIXTURE_RING_RECORDS; i++)
		fixture_set(fx, SMILE_REG_EVENT, 1);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), SMILE_STATUS_FULL);
	fixture_set(fx, SMILE_REG_NODE, 3); /* a full ring locks no register */
	assert_int_equal(fixture_get(fx, SMILE_REG_NODE), 3);
	fixture_set(fx, SMILE_REG_EVENT, 1);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS),
			 SMILE_STATUS_FULL | SMILE_STATUS_SWAPPING);
	expect_configuration_refused(fx);
}

static void registers_configuration_isRefusedWhileASwapWaits(void **state)
{
	struct fixture *fx = *state;

	/*
	 * The last entry of a Swap_All fills the ring. The table is empty, but Swap_All has not
	 * ended.
	 */
	fixture_set(fx, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	fixture_read(fx, 1, 0, 0x1000);
	for (unsigned int i = 1; i < FIXTURE_RING_RECORDS; i++)
		fixture_event00(fx, 1, 1);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	fixture_swap(fx);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS),
			 SMILE_STATUS_FULL | SMILE_STATUS_SWAPPING);
	expect_configuration_refused(fx);
	fixture_take(fx, 1);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), 0);
	fixture_set(fx, SMILE_REG_NODE, 3);
	assert_int_equal(fixture_get(fx, SMILE_REG_NODE), 3);
}

static void registers_status_badWriteStaysUntilOneIsWritten(void **state)
{
	struct fixture *fx = *state;

	fixture_set(fx, SMILE_REG_ID, 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), SMILE_STATUS_BAD_WRITE);
	fixture_set(fx, SMILE_REG_NODE, 1); /* a legal write does not clear BAD_WRITE */
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), SMILE_STATUS_BAD_WRITE);
	fixture_set(fx, SMILE_REG_STATUS, 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), SMILE_STATUS_BAD_WRITE);
	fixture_set(fx, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), 0);
}

static void registers_counter_lowHalfLatchesHighHalf(void **state)
{
	struct fixture *fx = *state;

	card_tick(&fx->card, 0x1ffffffffULL);
	assert_int_equal(fixture_get(fx, SMILE_REG_CLOCK), 0xffffffff);
	card_tick(&fx->card, 0x200000000ULL);
	assert_int_equal(fixture_get(fx, SMILE_REG_CLOCK + 4), 1);
	assert_int_equal(fixture_get(fx, SMILE_REG_CLOCK + 4), 1);
	assert_int_equal(fixture_get(fx, SMILE_REG_CLOCK), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_CLOCK + 4), 2);
	card_tick(&fx->card, 0xfedcba9876543210ULL);
	fixture_expect_counter(fx, SMILE_REG_CLOCK, 0xfedcba9876543210ULL);
}

static void registers_clock_disabled_stillRuns(void **state)
{
	struct fixture *fx = *state;

	card_tick(&fx->card, 77);
	fixture_expect_counter(fx, SMILE_REG_CLOCK, 77);
	fixture_set(fx, SMILE_REG_EVENT, 9);
	fixture_expect(fx, "event 9 software node 0 at 77");
}

static void registers_event_disabled_writesRecordOfOwnNode(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = fixture_defaults();

	config.node = 0x1234;
	config.phase_events = 0x8001;
	fixture_configure(fx, &config);
	fixture_set(fx, SMILE_REG_EVENT, 0);
	fixture_set(fx, SMILE_REG_EVENT, 1);
	fixture_set(fx, SMILE_REG_EVENT, 15);
	fixture_set(fx, SMILE_REG_EVENT, 16);
	fixture_set(fx, SMILE_REG_EVENT, 0xffff);
	fixture_expect(fx, "event 0 phase software node 4660 at 0");
	fixture_expect(fx, "event 1 software node 4660 at 0");
	fixture_expect(fx, "event 15 phase software node 4660 at 0");
	fixture_expect(fx, "event 16 software node 4660 at 0");
	fixture_expect(fx, "event 65535 software node 4660 at 0");
	fixture_expect_none(fx);
	fixture_expect_counter(fx, SMILE_REG_COUNT_EVENT, 0);
	fixture_expect_counter(fx, SMILE_REG_COUNT_SEEN, 0);
	fixture_expect_counter(fx, SMILE_REG_COUNT_RECORDS, 5);
}

static void registers_commandSwap_disabled_swapsOut(void **state)
{
	struct fixture *fx = *state;

	fixture_set(fx, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	fixture_read(fx, 1, 0, 0x1000);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x1 1>0 0x1000+4");
	assert_int_equal(fixture_get(fx, SMILE_REG_CONTROL), 0);
}

static void registers_interrupt_line_isStatusAndEnable(void **state)
{
	struct fixture *fx = *state;

	card_link(&fx->card, true);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), SMILE_INT_LINK);
	assert_false(fx->level);
	fixture_set(fx, SMILE_REG_INT_ENABLE, SMILE_INT_RING_FULL);
	assert_false(fx->level);
	fixture_set(fx, SMILE_REG_INT_ENABLE, SMILE_INT_ALL);
	assert_true(fx->level);
	fixture_set(fx, SMILE_REG_INT_ENABLE, 0);
	assert_false(fx->level);
	fixture_set(fx, SMILE_REG_INT_ENABLE, SMILE_INT_LINK);
	assert_true(fx->level);
	assert_int_equal(fx->edges, 3);
	fixture_set(fx, SMILE_REG_INT_STATUS, 0);
	fixture_set(fx, SMILE_REG_INT_STATUS, SMILE_INT_RING_FULL);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), SMILE_INT_LINK);
	assert_true(fx->level);
	fixture_set(fx, SMILE_REG_INT_STATUS, SMILE_INT_LINK);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), 0);
	assert_false(fx->level);
	assert_int_equal(fx->edges, 4);
	assert_int_equal(fx->repeats, 0);
}

static void registers_link_change_setsStatusAndInterrupt(void **state)
{
	struct fixture *fx = *state;

	card_link(&fx->card, false); /* no change */
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), 0);
	card_link(&fx->card, true);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), SMILE_STATUS_LINK);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), SMILE_INT_LINK);
	fixture_set(fx, SMILE_REG_INT_STATUS, SMILE_INT_LINK);
	card_link(&fx->card, true); /* no change */
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), 0);
	card_link(&fx->card, false);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), SMILE_INT_LINK);
}

static void registers_interrupt_noCallback_isNoError(void **state)
{
	static const struct card_ops none = {.interrupt = NULL};
	struct fixture *fx = *state;

	card_init(&fx->card, fx->ram, &none, NULL);
	fixture_set(fx, SMILE_REG_INT_ENABLE, SMILE_INT_LINK);
	card_link(&fx->card, true);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), SMILE_INT_LINK);
}

static void registers_commandSwap_nothingToSwap_doesNothing(void **state)
{
	struct fixture *fx = *state;

	fixture_set(fx, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	for (unsigned int i = 0; i < FIXTURE_RING_RECORDS; i++)
		fixture_event00(fx, 1, 1);
	fixture_set(fx, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), SMILE_STATUS_FULL);
	/* No Swap_All is active, so the read is not lost. */
	fixture_read(fx, 1, 0, 0x1000);
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, 0);
	fixture_skip(fx, FIXTURE_RING_RECORDS);
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

/* Change all state that a reset must set back. */
static void disturb(struct fixture *fx)
{
	struct smile_config config = fixture_defaults();

	config.node = 3;
	config.filter = SMILE_FILTER_ALL;
	config.mode = SMILE_MODE_ALIGNED | SMILE_MODE_STATIC;
	config.max_range_bytes = 64;
	config.entries = 8;
	config.phase_events = 7;
	config.timer_us = 50;
	config.timer_event = 4;
	config.time_us = 70;
	config.watermark_records = 3;
	config.latency_us = 10;
	fixture_set(fx, SMILE_REG_STATIC_PAGE + 8, 0x80000001);
	fixture_set(fx, SMILE_REG_STATIC_EVENT + 4, 0xbff00121);
	for (uint32_t i = 0; i < 16; i++)
		fixture_set(fx, SMILE_REG_STATIC_COUNTER + 4 * i, i % 2 ? 0x31 : 0x2120);
	fixture_host_ring(fx, 0x5000, 256, 5);
	fixture_start(fx, &config);
	fixture_set(fx, SMILE_REG_INT_ENABLE, SMILE_INT_ALL);
	card_link(&fx->card, false);
	card_link(&fx->card, true);
	card_tick(&fx->card, 0x123456789aULL);
	fixture_fill(fx, 0);
	card_tick(&fx->card, 0x123456789aULL + 1000000); /* a TIME record and a mark wait */
	for (unsigned int i = 0; i < 70000; i++)
		fixture_event00(fx, 1, 1); /* lost as a mark, but counted by the static array */
	fixture_set(fx, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP_STATIC);
	fixture_event00(fx, 1, 1);
	for (unsigned int i = 0; i < 5; i++)
		fixture_read(fx, 4, 0, 0x1000 * i);
	fixture_event00(fx, 1, 1);
	fixture_event00(fx, 1, 2);
	fixture_read(fx, 4, 0, 0x1000); /* lost during Swap_All; others were lost earlier */
	fixture_packet(fx, BLINK_NREAD64, 1, 2, 6, 0x7000);
	fixture_packet(fx, BLINK_RESPONSE00, 1, 2, 6, 0);
	fixture_packet(fx, 0x7b, 1, 2, 6, 0x7000);
	fixture_set(fx, SMILE_REG_ID, 1);
	fixture_get(fx, SMILE_REG_CLOCK); /* latches a high half that is not zero */
	assert_true(fx->level);
}

static void expect_reset(struct fixture *fx, const uint32_t *fresh)
{
	assert_int_equal(fixture_get(fx, SMILE_REG_CLOCK + 4), 0); /* the latched value */
	for (uint32_t i = 0; i < SMILE_REGS_BYTES / 4; i++)
		assert_int_equal(fixture_get(fx, i * 4), fresh[i]);
	assert_false(fx->level);
	assert_int_equal(fx->repeats, 0);
	assert_false(card_ready(&fx->card));
	assert_int_equal(fx->latency_us, 0);
	assert_true(card_deadline(&fx->card) == UINT64_MAX);
}

/* A reset must discard losses and marks that were not yet reported. */
static void expect_nothing_pending(struct fixture *fx)
{
	fx->drained.count = 0;
	fx->checked = 0;
	fixture_set(fx, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	fixture_read(fx, 1, 0, 0x1000);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x1 1>0 0x1000+4");
	fixture_expect_none(fx);
	card_reset(&fx->card);
}

static void registers_reset_any_isAsAfterPowerOnButForTheLink(void **state)
{
	struct fixture *fx = *state;
	uint32_t fresh[SMILE_REGS_BYTES / 4];

	for (uint32_t i = 0; i < SMILE_REGS_BYTES / 4; i++)
		fresh[i] = fixture_get(fx, i * 4);
	fresh[SMILE_REG_STATUS / 4] |= SMILE_STATUS_LINK;

	disturb(fx);
	card_reset(&fx->card);
	expect_reset(fx, fresh);
	card_reset(&fx->card); /* a second reset changes nothing */
	expect_reset(fx, fresh);
	expect_nothing_pending(fx);
	disturb(fx);
	fixture_set(fx, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	expect_reset(fx, fresh);
}

static void registers_reset_transactionTables_areForgotten(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = fixture_defaults();

	for (unsigned int faithful = 0; faithful < 2; faithful++) {
		config.filter = SMILE_FILTER_ALL;
		config.mode = faithful ? SMILE_MODE_FAITHFUL_TABLE | SMILE_MODE_DEFAULT
				       : SMILE_MODE_DEFAULT;
		fixture_start(fx, &config);
		for (unsigned int id = 0; id < BLINK_TRANSACTIONS; id++)
			fixture_packet(fx, BLINK_NREAD64, 1, 2, id, 0x7000);
		card_reset(&fx->card);
		fixture_start(fx, &config);
		for (unsigned int id = 0; id < BLINK_TRANSACTIONS; id++)
			fixture_packet(fx, BLINK_RESPONSE64, 2, 1, id, 0);
		fixture_expect_counter(fx, SMILE_REG_COUNT_UNMATCHED, faithful ? 0 : 64);
		fixture_swap(fx);
		if (faithful)
			fixture_expect(fx, "dynamic write-response swap [0] x64 2>1 0x0+4");
		fixture_expect_none(fx);
		card_reset(&fx->card);
	}
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(registers_read_afterPowerOn_giveResetValues),
		TEST(registers_unknownOffset_readsZeroAndRefusesWrites),
		TEST(registers_readOnly_refuseWrites),
		TEST(registers_undefinedBits_areRefused),
		TEST(registers_maxRange_takesMultiplesOfFourUpToAPage),
		TEST(registers_entries_takeOneToSixtyFour),
		TEST(registers_commands_impossibleValue_isRefused),
		TEST(registers_watermark_takesNoMoreThanTheLargestRing),
		TEST(registers_configuration_isRefusedWhileEnabled),
		TEST(registers_configuration_isRefusedWhileEntriesAreValid),
		TEST(registers_configuration_isRefusedWhileAMarkWaits),
		TEST(registers_configuration_isRefusedWhileASwapWaits),
		TEST(registers_status_badWriteStaysUntilOneIsWritten),
		TEST(registers_counter_lowHalfLatchesHighHalf),
		TEST(registers_clock_disabled_stillRuns),
		TEST(registers_event_disabled_writesRecordOfOwnNode),
		TEST(registers_commandSwap_disabled_swapsOut),
		TEST(registers_commandSwap_nothingToSwap_doesNothing),
		TEST(registers_interrupt_line_isStatusAndEnable),
		TEST(registers_link_change_setsStatusAndInterrupt),
		TEST(registers_interrupt_noCallback_isNoError),
		TEST(registers_reset_any_isAsAfterPowerOnButForTheLink),
		TEST(registers_reset_transactionTables_areForgotten),
	};

	return cmocka_run_group_tests_name("registers", tests, NULL, NULL);
}
