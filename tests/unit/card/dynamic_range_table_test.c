/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the dynamic array: which range an event matches, how ranges grow, which entries are
 * swapped out, and when. The tests compare the card's records. May use card_fixture.h.
 */
#include <base/field.h>

#include "tests/unit/card/card_fixture.h"

static void start(struct fixture *fx, unsigned int entries, unsigned int max_range_bytes,
		  unsigned int mode)
{
	struct smile_config config = fixture_defaults();

	config.entries = entries;
	config.max_range_bytes = max_range_bytes;
	config.mode = mode;
	fixture_start(fx, &config);
}

static unsigned int occupied(struct fixture *fx)
{
	return SMILE_GET(SMILE_STATUS_OCCUPIED, fixture_get(fx, SMILE_REG_STATUS));
}

/* ---- matching ------------------------------------------------------------------------------ */

static void dynamic_event_first_fillsEntryWithCountOne(void **state)
{
	struct fixture *fx = *state;

	start(fx, 16, 4, SMILE_MODE_DEFAULT);
	fixture_lock(fx, 3, 2, 0x28010);
	assert_int_equal(occupied(fx), 1);
	assert_int_equal(fixture_unread(fx), 0);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic lock swap [0] x1 3>2 0x28010+4");
	fixture_expect_none(fx);
	assert_int_equal(occupied(fx), 0);
}

static void dynamic_event_differingInOnePart_takesAnEntryOfItsOwn(void **state)
{
	struct fixture *fx = *state;

	start(fx, 16, 4, SMILE_MODE_DEFAULT);
	fixture_read(fx, 1, 2, 0x1000);
	fixture_read(fx, 0x101, 2, 0x1000);
	fixture_read(fx, 1, 0x102, 0x1000);
	fixture_write(fx, 1, 2, 0x1000);
	fixture_lock(fx, 1, 2, 0x1000);
	fixture_read(fx, 1, 2, 0x1004);
	fixture_read(fx, 1, 2, 0x2000);
	fixture_read(fx, 1, 2, 0x800000001000ULL);
	fixture_read(fx, 2, 1, 0x1000);
	assert_int_equal(occupied(fx), 9);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x1 1>2 0x1000+4");
	fixture_expect(fx, "dynamic read swap [1] x1 257>2 0x1000+4");
	fixture_expect(fx, "dynamic read swap [2] x1 1>258 0x1000+4");
	fixture_expect(fx, "dynamic write swap [3] x1 1>2 0x1000+4");
	fixture_expect(fx, "dynamic lock swap [4] x1 1>2 0x1000+4");
	fixture_expect(fx, "dynamic read swap [5] x1 1>2 0x1004+4");
	fixture_expect(fx, "dynamic read swap [6] x1 1>2 0x2000+4");
	fixture_expect(fx, "dynamic read swap [7] x1 1>2 0x800000001000+4");
	fixture_expect(fx, "dynamic read swap [8] x1 2>1 0x1000+4");
	fixture_expect_none(fx);
}

static void dynamic_event_untyped_countsAllTypesTogether(void **state)
{
	struct fixture *fx = *state;

	start(fx, 16, 4, 0);
	fixture_read(fx, 1, 2, 0x1000);
	fixture_write(fx, 1, 2, 0x1000);
	fixture_lock(fx, 1, 2, 0x1000);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic any swap [0] x3 1>2 0x1000+4");
	fixture_expect_none(fx);
}

/* Send a response and a request, both from node 1 to node 2, at the same address. */
static void request_and_response(struct fixture *fx, unsigned int mode)
{
	struct smile_config config = fixture_defaults();

	config.filter = SMILE_FILTER_ALL;
	config.mode = mode;
	fixture_start(fx, &config);
	fixture_packet(fx, BLINK_NREAD64, 2, 1, 5, 0x1000);
	fixture_packet(fx, BLINK_RESPONSE64, 1, 2, 5, 0);
	fixture_packet(fx, BLINK_NREAD64, 1, 2, 6, 0x1000);
	fixture_swap(fx);
}

static void dynamic_event_typedResponse_isKeptFromRequests(void **state)
{
	struct fixture *fx = *state;

	request_and_response(fx, SMILE_MODE_TYPED_TAGS);
	fixture_expect(fx, "dynamic read swap [0] x1 2>1 0x1000+4");
	fixture_expect(fx, "dynamic read-response swap [1] x1 1>2 0x1000+4");
	fixture_expect(fx, "dynamic read swap [2] x1 1>2 0x1000+4");
	fixture_expect_none(fx);
}

static void dynamic_event_untypedResponse_isCountedWithRequests(void **state)
{
	struct fixture *fx = *state;

	request_and_response(fx, 0);
	fixture_expect(fx, "dynamic any swap [0] x1 2>1 0x1000+4");
	fixture_expect(fx, "dynamic any swap [1] x2 1>2 0x1000+4");
	fixture_expect_none(fx);
}

/* ---- ranges -------------------------------------------------------------------------------- */

static void dynamic_range_bothDirections_growsToMaxRangeAndNoFurther(void **state)
{
	struct fixture *fx = *state;

	start(fx, 16, 16, SMILE_MODE_DEFAULT);
	fixture_read(fx, 1, 0, 0x1020);
	fixture_expect_counter(fx, SMILE_REG_COUNT_EXTENSIONS, 0);
	fixture_read(fx, 1, 0, 0x1024); /* up */
	fixture_expect_counter(fx, SMILE_REG_COUNT_EXTENSIONS, 1);
	fixture_read(fx, 1, 0, 0x1018); /* grows down over a gap: 0x1018 to 0x1027 has 16 bytes */
	fixture_expect_counter(fx, SMILE_REG_COUNT_EXTENSIONS, 2);
	fixture_read(fx, 1, 0, 0x101c); /* inside */
	fixture_expect_counter(fx, SMILE_REG_COUNT_EXTENSIONS, 2);
	fixture_read(fx, 1, 0, 0x1028); /* one word too high */
	fixture_read(fx, 1, 0, 0x1014); /* too low: with 0x1028, also more than 16 bytes */
	fixture_expect_counter(fx, SMILE_REG_COUNT_EXTENSIONS, 2);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x4 1>0 0x1018+16");
	fixture_expect(fx, "dynamic read swap [1] x1 1>0 0x1028+4");
	fixture_expect(fx, "dynamic read swap [2] x1 1>0 0x1014+4");
	fixture_expect_none(fx);
}

static void dynamic_range_wholePage_growsByOneEvent(void **state)
{
	struct fixture *fx = *state;

	start(fx, 16, 4096, SMILE_MODE_DEFAULT);
	fixture_read(fx, 1, 0, 0x3ffc);
	fixture_read(fx, 1, 0, 0x3000);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x2 1>0 0x3000+4096");
	fixture_expect_counter(fx, SMILE_REG_COUNT_EXTENSIONS, 1);
}

static void dynamic_range_pageEdge_isNeverCrossed(void **state)
{
	struct fixture *fx = *state;

	start(fx, 16, 4096, SMILE_MODE_DEFAULT);
	fixture_read(fx, 1, 0, 0x1ffc);
	fixture_read(fx, 1, 0, 0x2000);
	fixture_read(fx, 1, 0, 0x1ff8);
	fixture_read(fx, 1, 0, 0x2004);
	/* The two pages have the same offset, and differ in the highest and the lowest bit. */
	fixture_read(fx, 1, 0, 0x800000001ff8ULL);
	fixture_read(fx, 1, 0, 0x0ff8);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x2 1>0 0x1ff8+8");
	fixture_expect(fx, "dynamic read swap [1] x2 1>0 0x2000+8");
	fixture_expect(fx, "dynamic read swap [2] x1 1>0 0x800000001ff8+4");
	fixture_expect(fx, "dynamic read swap [3] x1 1>0 0xff8+4");
	fixture_expect_none(fx);
}

static void dynamic_range_twoCandidates_theContainingOneWins(void **state)
{
	struct fixture *fx = *state;

	start(fx, 16, 16, SMILE_MODE_DEFAULT);
	fixture_read(fx, 1, 0, 0x1000); /* [0] */
	fixture_read(fx, 1, 0, 0x1010); /* [1]: with [0], there would be 20 bytes */
	fixture_read(fx, 1, 0, 0x1008); /* both could grow; [0] does, to 0x1000+12 */
	fixture_read(fx, 1, 0, 0x100c); /* [0] grows to its limit */
	fixture_read(fx, 1, 0, 0x1010); /* in [1], but not in [0] */
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x3 1>0 0x1000+16");
	fixture_expect(fx, "dynamic read swap [1] x2 1>0 0x1010+4");

	/*
	 * The word is in the entry of the higher index; the entry of the lower index could grow to
	 * it.
	 */
	fixture_read(fx, 1, 0, 0x2000); /* [0] */
	fixture_read(fx, 1, 0, 0x2010); /* [1] */
	fixture_read(fx, 1, 0, 0x200c); /* [0]: 0x2000+16 */
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x2 1>0 0x2000+16");
	fixture_expect(fx, "dynamic read swap [1] x1 1>0 0x2010+4");
	fixture_read(fx, 1, 0, 0x3000); /* [0] */
	fixture_read(fx, 1, 0, 0x3010); /* [1] */
	fixture_read(fx, 1, 0, 0x3018); /* [1]: 0x3010+12 */
	fixture_read(fx, 1, 0, 0x3004); /* [0]: 0x3000+8 */
	fixture_read(fx, 1, 0, 0x300c); /* the lower index grows: [0]: 0x3000+16 */
	fixture_read(fx, 1, 0, 0x3014); /* [1] contains it */
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x3 1>0 0x3000+16");
	fixture_expect(fx, "dynamic read swap [1] x3 1>0 0x3010+12");
	fixture_expect_none(fx);
}

/*
 * A lower entry can grow to a word of a higher entry only if the higher entry was filled first. In
 * this test, an overflow frees the lower entry, which is then filled with a new range.
 */
static void dynamic_range_containingAtHigherIndex_winsOverReachAtLower(void **state)
{
	struct fixture *fx = *state;

	start(fx, 16, 16, SMILE_MODE_DEFAULT);
	fixture_write(fx, 1, 0, 0x8000); /* occupies [0] */
	fixture_read(fx, 1, 0, 0x1010); /* [1] */
	fixture_read(fx, 1, 0, 0x1004); /* [1]: 0x1004+16 */
	for (unsigned int i = 1; i < SMILE_COUNT_MAX; i++)
		fixture_write(fx, 1, 0, 0x8000);
	fixture_expect(fx, "dynamic write overflow [0] x65535 1>0 0x8000+4");
	fixture_read(fx, 1, 0, 0x1000); /* a new range in [0]: with [1], 20 bytes */
	fixture_read(fx, 1, 0, 0x1008); /* [0] could grow, but [1] has the word */
	fixture_read(fx, 1, 0, 0x100c);
	fixture_expect_counter(fx, SMILE_REG_COUNT_EXTENSIONS, 1);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x1 1>0 0x1000+4");
	fixture_expect(fx, "dynamic read swap [1] x4 1>0 0x1004+16");
	fixture_expect_none(fx);
}

static void dynamic_range_growingTowardsEachOther_staysApart(void **state)
{
	struct fixture *fx = *state;

	/*
	 * Ranges with the same tag never overlap: if a word is in one range, no other range grows
	 * to it.
	 */
	start(fx, 16, 32, SMILE_MODE_DEFAULT);
	fixture_read(fx, 1, 0, 0x1010); /* [0] */
	fixture_read(fx, 1, 0, 0x1030); /* [1]: with [0], 36 bytes */
	fixture_read(fx, 1, 0, 0x102c); /* [0]: 0x1010+32 */
	fixture_read(fx, 1, 0, 0x1034); /* [1]: 0x1030+8 */
	fixture_read(fx, 1, 0, 0x1028); /* [0] contains it */
	fixture_read(fx, 1, 0, 0x1020); /* [0] contains it */
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x4 1>0 0x1010+32");
	fixture_expect(fx, "dynamic read swap [1] x2 1>0 0x1030+8");
	fixture_expect_none(fx);
}

static void dynamic_range_aligned_staysInsideItsBlock(void **state)
{
	struct fixture *fx = *state;

	start(fx, 16, 16, SMILE_MODE_DEFAULT | SMILE_MODE_ALIGNED);
	fixture_read(fx, 1, 0, 0x1008);
	fixture_read(fx, 1, 0, 0x1010); /* within 12 bytes of the first, but in the next block */
	fixture_read(fx, 1, 0, 0x100c);
	fixture_read(fx, 1, 0, 0x101c);
	fixture_read(fx, 1, 0, 0x1000);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x3 1>0 0x1000+16");
	fixture_expect(fx, "dynamic read swap [1] x2 1>0 0x1010+16");
	fixture_expect_none(fx);
}

static void dynamic_range_alignedOddSize_countsBlocksFromThePageStart(void **state)
{
	struct fixture *fx = *state;

	/*
	 * 12 does not divide 4096: each page begins with a new block, and its last block has 4
	 * bytes.
	 */
	start(fx, 16, 12, SMILE_MODE_DEFAULT | SMILE_MODE_ALIGNED);
	fixture_read(fx, 1, 0, 0x1000);
	fixture_read(fx, 1, 0, 0x1008);
	fixture_read(fx, 1, 0, 0x100c);
	fixture_read(fx, 1, 0, 0x1ff0);
	fixture_read(fx, 1, 0, 0x1ff8);
	fixture_read(fx, 1, 0, 0x1ffc);
	fixture_read(fx, 1, 0, 0x2000);
	fixture_read(fx, 1, 0, 0x2008);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x2 1>0 0x1000+12");
	fixture_expect(fx, "dynamic read swap [1] x1 1>0 0x100c+4");
	fixture_expect(fx, "dynamic read swap [2] x2 1>0 0x1ff0+12");
	fixture_expect(fx, "dynamic read swap [3] x1 1>0 0x1ffc+4");
	fixture_expect(fx, "dynamic read swap [4] x2 1>0 0x2000+12");
	fixture_expect_none(fx);
}

static void dynamic_range_notAligned_crossesBlocks(void **state)
{
	struct fixture *fx = *state;

	start(fx, 16, 16, SMILE_MODE_DEFAULT);
	fixture_read(fx, 1, 0, 0x1008);
	fixture_read(fx, 1, 0, 0x1010);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x2 1>0 0x1008+12");
	fixture_expect_none(fx);
}

/* ---- swapping ------------------------------------------------------------------------------ */

static void dynamic_swap_lastFreeEntryFilled_swapsOutTheLeastRecentlyUsed(void **state)
{
	struct fixture *fx = *state;

	start(fx, 4, 4, SMILE_MODE_DEFAULT);
	fixture_read(fx, 1, 0, 0x1000); /* [0] */
	fixture_read(fx, 1, 0, 0x2000); /* [1] */
	fixture_read(fx, 1, 0, 0x3000); /* [2] */
	fixture_read(fx, 1, 0, 0x1000); /* [0] is used again */
	assert_int_equal(occupied(fx), 3);
	assert_int_equal(fixture_unread(fx), 0);

	fixture_read(fx, 1, 0, 0x4000); /* fills [3], and swaps [1] out */
	assert_int_equal(occupied(fx), 3);
	fixture_expect(fx, "dynamic read capacity [1] x1 1>0 0x2000+4");
	fixture_read(fx, 1, 0, 0x5000); /* fills [1], and swaps [2] out */
	fixture_expect(fx, "dynamic read capacity [2] x1 1>0 0x3000+4");
	fixture_read(fx, 1, 0, 0x6000); /* fills [2], and swaps [0] out */
	fixture_expect(fx, "dynamic read capacity [0] x2 1>0 0x1000+4");
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [1] x1 1>0 0x5000+4");
	fixture_expect(fx, "dynamic read swap [2] x1 1>0 0x6000+4");
	fixture_expect(fx, "dynamic read swap [3] x1 1>0 0x4000+4");
	fixture_expect_none(fx);
}

static void dynamic_swap_growth_makesMostRecentlyUsed(void **state)
{
	struct fixture *fx = *state;

	start(fx, 3, 8, SMILE_MODE_DEFAULT);
	fixture_read(fx, 1, 0, 0x1000);
	fixture_read(fx, 1, 0, 0x2000);
	fixture_read(fx, 1, 0, 0x1004);
	fixture_read(fx, 1, 0, 0x3000);
	fixture_expect(fx, "dynamic read capacity [1] x1 1>0 0x2000+4");
	fixture_expect_none(fx);
}

static void dynamic_swap_oneEntry_writesEachEvent(void **state)
{
	struct fixture *fx = *state;

	start(fx, 1, 4096, SMILE_MODE_DEFAULT);
	for (unsigned int i = 0; i < 3; i++) {
		fixture_write(fx, 1, 0, 0x1000 + 4 * i);
		assert_int_equal(occupied(fx), 0);
		fixture_expect(fx, "dynamic write capacity [0] x1 1>0 0x%x+4", 0x1000 + 4 * i);
	}
	fixture_write(fx, 1, 0, 0x1000);
	fixture_write(fx, 1, 0, 0x1000);
	fixture_expect(fx, "dynamic write capacity [0] x1 1>0 0x1000+4");
	fixture_expect(fx, "dynamic write capacity [0] x1 1>0 0x1000+4");
	fixture_expect_none(fx);
	fixture_expect_counter(fx, SMILE_REG_COUNT_EXTENSIONS, 0);
}

static void dynamic_swap_twoEntries_keepsTheNewer(void **state)
{
	struct fixture *fx = *state;

	start(fx, 2, 4, SMILE_MODE_DEFAULT);
	fixture_read(fx, 1, 0, 0x1000); /* [0] */
	fixture_read(fx, 1, 0, 0x1000);
	assert_int_equal(fixture_unread(fx), 0);
	fixture_read(fx, 1, 0, 0x2000); /* fills [1], and swaps [0] out */
	fixture_expect(fx, "dynamic read capacity [0] x2 1>0 0x1000+4");
	fixture_read(fx, 1, 0, 0x3000); /* fills [0], and swaps [1] out */
	fixture_expect(fx, "dynamic read capacity [1] x1 1>0 0x2000+4");
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x1 1>0 0x3000+4");
	fixture_expect_none(fx);
}

static void dynamic_swap_everySize_keepsAllButOne(void **state)
{
	struct fixture *fx = *state;

	for (unsigned int entries = 1; entries <= SMILE_ENTRIES_MAX; entries++) {
		card_reset(&fx->card);
		fx->drained.count = 0;
		fx->checked = 0;
		start(fx, entries, 4, SMILE_MODE_DEFAULT);
		for (unsigned int i = 0; i + 1 < entries; i++)
			fixture_read(fx, 1, 0, 0x1000 * i);
		assert_int_equal(occupied(fx), entries - 1);
		assert_int_equal(fixture_unread(fx), 0);
		/*
		 * If the last free entry is filled, the card swaps entry 0 out, even if it is the
		 * only entry.
		 */
		fixture_read(fx, 1, 0, 0x1000 * (entries - 1));
		fixture_expect(fx, "dynamic read capacity [0] x1 1>0 0x0+4");
		for (unsigned int i = 1; i < entries; i++) {
			if (i == 1)
				fixture_swap(fx);
			fixture_expect(fx, "dynamic read swap [%u] x1 1>0 0x%x+4", i, 0x1000 * i);
		}
		fixture_expect_none(fx);
	}
}

static void dynamic_swap_freedEntries_areFilledLowestIndexFirst(void **state)
{
	struct fixture *fx = *state;

	start(fx, 8, 4, SMILE_MODE_DEFAULT);
	for (unsigned int i = 0; i < 5; i++)
		fixture_read(fx, 1, 0, 0x1000 * i);
	/* Overflows free entry [3], then entry [1]. */
	for (unsigned int i = 1; i < SMILE_COUNT_MAX; i++)
		fixture_read(fx, 1, 0, 0x3000);
	for (unsigned int i = 1; i < SMILE_COUNT_MAX; i++)
		fixture_read(fx, 1, 0, 0x1000);
	fixture_expect(fx, "dynamic read overflow [3] x65535 1>0 0x3000+4");
	fixture_expect(fx, "dynamic read overflow [1] x65535 1>0 0x1000+4");
	assert_int_equal(occupied(fx), 3);
	fixture_read(fx, 1, 0, 0xa000);
	fixture_read(fx, 1, 0, 0xb000);
	fixture_read(fx, 1, 0, 0xc000);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x1 1>0 0x0+4");
	fixture_expect(fx, "dynamic read swap [1] x1 1>0 0xa000+4");
	fixture_expect(fx, "dynamic read swap [2] x1 1>0 0x2000+4");
	fixture_expect(fx, "dynamic read swap [3] x1 1>0 0xb000+4");
	fixture_expect(fx, "dynamic read swap [4] x1 1>0 0x4000+4");
	fixture_expect(fx, "dynamic read swap [5] x1 1>0 0xc000+4");
	fixture_expect_none(fx);
}

static void dynamic_swap_counterMaximum_swapsOutAtOnceAndFreesTheEntry(void **state)
{
	struct fixture *fx = *state;

	start(fx, 16, 8, SMILE_MODE_DEFAULT);
	fixture_write(fx, 1, 0, 0x1004);
	for (unsigned int i = 1; i < SMILE_COUNT_MAX - 1; i++)
		fixture_write(fx, 1, 0, 0x1004);
	assert_int_equal(fixture_unread(fx), 0);
	fixture_write(fx, 1, 0, 0x1000); /* the last write also extends the range */
	assert_int_equal(occupied(fx), 0);
	fixture_expect(fx, "dynamic write overflow [0] x65535 1>0 0x1000+8");
	fixture_write(fx, 1, 0, 0x1000);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic write swap [0] x1 1>0 0x1000+4");
	fixture_expect_none(fx);
	fixture_expect_counter(fx, SMILE_REG_COUNT_DELIVERED, 65536);
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, 0);
}

static void dynamic_swap_all_writesLowestIndexFirstAndEmptiesTheTable(void **state)
{
	struct fixture *fx = *state;

	start(fx, 64, 4, SMILE_MODE_DEFAULT);
	for (unsigned int i = 0; i < 63; i++)
		fixture_read(fx, 1, 0, 0x1000 * (63 - i));
	for (unsigned int i = 0; i < 63; i += 2) /* the order of use must not have an effect */
		fixture_read(fx, 1, 0, 0x1000 * (63 - i));
	fixture_swap(fx);
	assert_int_equal(occupied(fx), 0);
	for (unsigned int i = 0; i < 63; i++)
		fixture_expect(fx, "dynamic read swap [%u] x%u 1>0 0x%x+4", i, 2 - i % 2,
			       0x1000 * (63 - i));
	fixture_expect_none(fx);
	fixture_swap(fx);
	fixture_expect_none(fx);
	fixture_expect_counter(fx, SMILE_REG_COUNT_RECORDS, 63);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(dynamic_event_first_fillsEntryWithCountOne),
		TEST(dynamic_event_differingInOnePart_takesAnEntryOfItsOwn),
		TEST(dynamic_event_untyped_countsAllTypesTogether),
		TEST(dynamic_event_typedResponse_isKeptFromRequests),
		TEST(dynamic_event_untypedResponse_isCountedWithRequests),
		TEST(dynamic_range_bothDirections_growsToMaxRangeAndNoFurther),
		TEST(dynamic_range_wholePage_growsByOneEvent),
		TEST(dynamic_range_pageEdge_isNeverCrossed),
		TEST(dynamic_range_twoCandidates_theContainingOneWins),
		TEST(dynamic_range_containingAtHigherIndex_winsOverReachAtLower),
		TEST(dynamic_range_growingTowardsEachOther_staysApart),
		TEST(dynamic_range_aligned_staysInsideItsBlock),
		TEST(dynamic_range_alignedOddSize_countsBlocksFromThePageStart),
		TEST(dynamic_range_notAligned_crossesBlocks),
		TEST(dynamic_swap_lastFreeEntryFilled_swapsOutTheLeastRecentlyUsed),
		TEST(dynamic_swap_growth_makesMostRecentlyUsed),
		TEST(dynamic_swap_oneEntry_writesEachEvent),
		TEST(dynamic_swap_twoEntries_keepsTheNewer),
		TEST(dynamic_swap_everySize_keepsAllButOne),
		TEST(dynamic_swap_freedEntries_areFilledLowestIndexFirst),
		TEST(dynamic_swap_counterMaximum_swapsOutAtOnceAndFreesTheEntry),
		TEST(dynamic_swap_all_writesLowestIndexFirstAndEmptiesTheTable),
	};

	return cmocka_run_group_tests_name("dynamic", tests, NULL, NULL);
}
