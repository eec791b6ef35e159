/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the decoder's modes: the field widths of the historic card, and the responses that the
 * decoder looks up in the transaction table. May use static_fixture.h.
 */
#include "tests/unit/card/static_fixture.h"

static void start(struct fixture *fx, uint32_t mode, uint32_t filter, uint32_t node)
{
	struct smile_config config = fixture_defaults();

	config.mode |= mode;
	config.filter = filter;
	config.node = node;
	fixture_start(fx, &config);
}

static void set_mode(struct fixture *fx, uint32_t mode)
{
	fixture_swap(fx);
	fixture_swap_static(fx);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	fixture_set(fx, SMILE_REG_MODE, SMILE_MODE_DEFAULT | mode);
	fixture_set(fx, SMILE_REG_CONTROL, 1);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), 0);
}

/* ---- widths -------------------------------------------------------------------------------- */

static void narrow_frame_keepsFiveAnd28Bits(void **state)
{
	struct fixture *fx = *state;

	start(fx, SMILE_MODE_NARROW, SMILE_FILTER_DEFAULT, 0);
	fixture_read(fx, 0xffe1, 0xabdf, 0xfffff0001234ULL);
	fixture_read(fx, 0x21, 0x1f, 0x10001234);
	fixture_read(fx, 1, 31, 0x1234);
	fixture_write(fx, 0x20, 0x3f, 0xfffffffffff4ULL);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x3 1>31 0x1234+4");
	fixture_expect(fx, "dynamic write swap [1] x1 0>31 0xffffff4+4");
	fixture_expect_none(fx);
}

static void wide_frame_keepsAllBits(void **state)
{
	struct fixture *fx = *state;

	start(fx, 0, SMILE_FILTER_DEFAULT, 0);
	fixture_read(fx, 0xffe1, 0xabdf, 0xfffff0001234ULL);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x1 65505>43999 0xfffff0001234+4");
}

static void narrow_response_findsItsRequest(void **state)
{
	struct fixture *fx = *state;

	for (unsigned int faithful = 0; faithful < 2; faithful++) {
		card_reset(&fx->card);
		fx->drained.count = 0;
		fx->checked = 0;
		start(fx, SMILE_MODE_NARROW | (faithful ? SMILE_MODE_FAITHFUL_TABLE : 0),
		      SMILE_FILTER_ALL & ~SMILE_FILTER_REQUEST, 0);
		/* If node ids are cut to five bits, both frames have the same two nodes. */
		fixture_packet(fx, BLINK_NREAD64, 0x41, 0x1002, 7, 0x990003004ULL);
		fixture_packet(fx, BLINK_RESPONSE64, 0x22, 0xe1, 7, 0);
		fixture_expect_counter(fx, SMILE_REG_COUNT_UNMATCHED, 0);
		fixture_swap(fx);
		fixture_expect(fx, "dynamic read-response swap [0] x1 2>1 0x3004+4");
	}
}

static void narrow_direction_comparesFiveBitsOfNode(void **state)
{
	static const struct {
		uint32_t source, target, direction;
	} cases[] = {
		{1, 7, SMILE_FILTER_INCOMING},	    {1, 0x27, SMILE_FILTER_INCOMING},
		{1, 0x8007, SMILE_FILTER_INCOMING}, {7, 1, SMILE_FILTER_OUTGOING},
		{0x67, 1, SMILE_FILTER_OUTGOING},   {7, 7, SMILE_FILTER_INCOMING},
		{0x4321, 6, SMILE_FILTER_FOREIGN},  {6, 8, SMILE_FILTER_FOREIGN},
	};
	static const uint32_t directions[] = {SMILE_FILTER_INCOMING, SMILE_FILTER_OUTGOING,
					      SMILE_FILTER_FOREIGN};
	struct fixture *fx = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (unsigned int d = 0; d < 3; d++) {
			card_reset(&fx->card);
			start(fx, SMILE_MODE_NARROW,
			      SMILE_FILTER_TYPES | SMILE_FILTER_PACKETS | directions[d], 0x4347);
			assert_int_equal(fixture_get(fx, SMILE_REG_NODE), 0x4347);
			fixture_read(fx, cases[i].source, cases[i].target, 0x1000);
			fixture_expect_counter(fx, SMILE_REG_COUNT_ACCEPTED,
					       cases[i].direction == directions[d]);
		}
	}
}

/* The node ids of frames are cut; the id in the register NODE is not. */
static void narrow_event_nodeIsCutInFramesAlone(void **state)
{
	struct fixture *fx = *state;

	start(fx, SMILE_MODE_NARROW, SMILE_FILTER_DEFAULT, 0x4347);
	fixture_event00(fx, 0xffe3, 0xabcd);
	fixture_set(fx, SMILE_REG_EVENT, 0xabcd);
	fixture_expect(fx, "event 43981 blink node 3 at 0");
	fixture_expect(fx, "event 43981 software node 17223 at 0");
}

/* ---- which responses are looked up --------------------------------------------------------- */

/* Send a request and @responses responses to it, and check the counters of packets. */
static void expect_fates(struct fixture *fx, unsigned int command, unsigned int responses,
			 uint64_t filtered, uint64_t unmatched, uint64_t accepted)
{
	uint64_t before[3] = {
		fixture_counter(fx, SMILE_REG_COUNT_FILTERED),
		fixture_counter(fx, SMILE_REG_COUNT_UNMATCHED),
		fixture_counter(fx, SMILE_REG_COUNT_ACCEPTED),
	};

	if (command)
		fixture_packet(fx, command, 1, 2, 7, 0x3000);
	while (responses--)
		fixture_packet(fx, BLINK_RESPONSE64, 2, 1, 7, 0);
	fixture_expect_counter(fx, SMILE_REG_COUNT_FILTERED, before[0] + filtered);
	fixture_expect_counter(fx, SMILE_REG_COUNT_UNMATCHED, before[1] + unmatched);
	fixture_expect_counter(fx, SMILE_REG_COUNT_ACCEPTED, before[2] + accepted);
}

/* Send a request to node 2, a response from node 3 and one from node 2; check the counters. */
static void expect_foreign_first(struct fixture *fx, uint64_t filtered, uint64_t unmatched,
				 uint64_t accepted)
{
	fixture_packet(fx, BLINK_NREAD64, 1, 2, 7, 0x3000);
	fixture_packet(fx, BLINK_RESPONSE64, 3, 1, 7, 0);
	fixture_packet(fx, BLINK_RESPONSE64, 2, 1, 7, 0);
	fixture_expect_counter(fx, SMILE_REG_COUNT_FILTERED, filtered);
	fixture_expect_counter(fx, SMILE_REG_COUNT_UNMATCHED, unmatched);
	fixture_expect_counter(fx, SMILE_REG_COUNT_ACCEPTED, accepted);
}

/* The response from node 3 is not looked up, so the one from node 2 still finds its request. */
static void lookup_rejectedDirection_slotStays(void **state)
{
	struct fixture *fx = *state;

	start(fx, 0, SMILE_FILTER_ALL & ~SMILE_FILTER_FOREIGN, 2);
	expect_foreign_first(fx, 1, 0, 2);
}

/* With the static array, the response from node 3 is looked up, and frees the slot. */
static void lookup_rejectedDirectionButStatic_slotIsFreed(void **state)
{
	struct fixture *fx = *state;

	start(fx, SMILE_MODE_STATIC, SMILE_FILTER_ALL & ~SMILE_FILTER_FOREIGN, 2);
	expect_foreign_first(fx, 1, 1, 1);
}

static void lookup_enabledAnew_allSlotsAreFree(void **state)
{
	static const uint32_t modes[] = {0, SMILE_MODE_FAITHFUL_TABLE};
	struct fixture *fx = *state;

	for (unsigned int i = 0; i < 2; i++) {
		card_reset(&fx->card);
		start(fx, modes[i], SMILE_FILTER_ALL, 100);
		for (unsigned int source = 0; source < 64; source++)
			for (unsigned int id = 0; id < BLINK_TRANSACTIONS; id++)
				fixture_packet(fx, BLINK_LOCKSB, source, 2, id, 0x3000);
		/* The card is already enabled, so the write changes nothing. */
		fixture_set(fx, SMILE_REG_CONTROL, 1);
		fixture_packet(fx, BLINK_RESPONSE64, 2, 63, 63, 0);
		fixture_expect_counter(fx, SMILE_REG_COUNT_UNMATCHED, 0);
		fixture_set(fx, SMILE_REG_CONTROL, 0);
		fixture_set(fx, SMILE_REG_CONTROL, 1);
		fixture_swap(fx);
		fixture_drain(fx);
		fx->checked = fx->drained.count;
		for (unsigned int source = 0; source < 63; source++)
			for (unsigned int id = 0; id < BLINK_TRANSACTIONS; id++)
				fixture_packet(fx, BLINK_RESPONSE64, 2, source, id, 0);
		fixture_expect_counter(fx, SMILE_REG_COUNT_UNMATCHED,
				       i ? 0 : 63 * BLINK_TRANSACTIONS);
	}
	/*
	 * The table of the mode "faithful" starts with zeros, and a slot of zeros is a write at
	 * address 0.
	 */
	fixture_swap(fx);
	fixture_drain(fx);
	assert_int_equal(fx->drained.count - fx->checked, 63);
	for (size_t i = fx->checked; i < fx->drained.count; i++) {
		assert_int_equal(fx->drained.records[i].type, SMILE_TYPE_WRITE);
		assert_int_equal(fx->drained.records[i].address, 0);
		assert_int_equal(fx->drained.records[i].count, BLINK_TRANSACTIONS);
	}
}

static void lookup_rejectedType_slotIsFreed(void **state)
{
	struct fixture *fx = *state;

	start(fx, 0, SMILE_FILTER_ALL & ~SMILE_FILTER_READ, 100);
	/* The request and the first response have a filtered type; the second finds no request. */
	expect_fates(fx, BLINK_NREAD64, 2, 2, 1, 0);
}

static void lookup_static_looksUpWhatTheFilterRejects(void **state)
{
	struct fixture *fx = *state;

	set_page(fx, 0, 3, 2);
	set_event(fx, 0, 0, RAISE_READ | RAISE_RESPONSE, 0, 1023);
	set_counter(fx, 0, 0, NONE, NONE);
	start(fx, SMILE_MODE_STATIC, SMILE_FILTER_ALL & ~SMILE_FILTER_RESPONSE, 100);
	/* All three responses are filtered, although two find no request. */
	expect_fates(fx, BLINK_NREAD64, 3, 3, 0, 1);
	expect_counter(fx, 0, 1, true);
}

static void lookup_noDynamic_rejectsEverything(void **state)
{
	struct fixture *fx = *state;

	start(fx, SMILE_MODE_NO_DYNAMIC, SMILE_FILTER_ALL, 100);
	expect_fates(fx, BLINK_NREAD64, 2, 3, 0, 0); /* not looked up */
	set_mode(fx, SMILE_MODE_NO_DYNAMIC | SMILE_MODE_STATIC);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	set_page(fx, 0, 3, 2);
	set_event(fx, 0, 0, RAISE_READ | RAISE_RESPONSE, 0, 1023);
	set_counter(fx, 0, 0, NONE, NONE);
	fixture_set(fx, SMILE_REG_CONTROL, 1);
	expect_fates(fx, BLINK_NREAD64, 2, 3, 0, 0); /* the first finds its request */
	expect_counter(fx, 0, 1, true);
}

/* In the mode "faithful", every response finds an entry of the table. */
static void lookup_faithful_isNeverUnmatched(void **state)
{
	struct fixture *fx = *state;

	set_page(fx, 0, 3, 2);
	set_event(fx, 0, 0, RAISE_READ | RAISE_RESPONSE, 0, 1023);
	set_counter(fx, 0, 0, NONE, NONE);
	start(fx, SMILE_MODE_STATIC | SMILE_MODE_FAITHFUL_TABLE, SMILE_FILTER_ALL, 100);
	expect_fates(fx, BLINK_NREAD64, 5, 0, 0, 6);
	expect_counter(fx, 0, 5, true);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(narrow_frame_keepsFiveAnd28Bits),
		TEST(wide_frame_keepsAllBits),
		TEST(narrow_response_findsItsRequest),
		TEST(narrow_direction_comparesFiveBitsOfNode),
		TEST(narrow_event_nodeIsCutInFramesAlone),
		TEST(lookup_rejectedDirection_slotStays),
		TEST(lookup_rejectedDirectionButStatic_slotIsFreed),
		TEST(lookup_enabledAnew_allSlotsAreFree),
		TEST(lookup_rejectedType_slotIsFreed),
		TEST(lookup_static_looksUpWhatTheFilterRejects),
		TEST(lookup_noDynamic_rejectsEverything),
		TEST(lookup_faithful_isNeverUnmatched),
	};

	return cmocka_run_group_tests_name("blink_decoder_mode", tests, NULL, NULL);
}
