/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the B-Link decoder: frames, commands, the filter and the transaction table. They compare
 * the card's counters and records. May use card_fixture.h.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/card/card_fixture.h"

enum row_class { ROW_REQUEST, ROW_RESPONSE, ROW_EVENT };

struct row {
	unsigned int first;
	unsigned int last;
	const char *name;
	enum row_class class;
	unsigned int type;
};

#define ROW(first, count, name, class, type, payload, confidence)                                  \
	{first, (first) + (count)-1, name, ROW_##class, SMILE_TYPE_##type},
static const struct row rows[] = {BLINK_COMMAND_TABLE(ROW)};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static const struct row *row_of(unsigned int command)
{
	for (size_t i = 0; i < ROWS; i++)
		if (command >= rows[i].first && command <= rows[i].last)
			return &rows[i];
	return NULL;
}

/* Compare the counters of packets. */
static void expect_fates(struct fixture *fx, uint64_t malformed, uint64_t unmatched,
			 uint64_t filtered, uint64_t event, uint64_t accepted)
{
	fixture_expect_counter(fx, SMILE_REG_COUNT_MALFORMED, malformed);
	fixture_expect_counter(fx, SMILE_REG_COUNT_UNMATCHED, unmatched);
	fixture_expect_counter(fx, SMILE_REG_COUNT_FILTERED, filtered);
	fixture_expect_counter(fx, SMILE_REG_COUNT_EVENT, event);
	fixture_expect_counter(fx, SMILE_REG_COUNT_ACCEPTED, accepted);
	fixture_expect_counter(fx, SMILE_REG_COUNT_SEEN,
			       malformed + unmatched + filtered + event + accepted);
}

static void start_with_filter(struct fixture *fx, unsigned int node, unsigned int filter)
{
	struct smile_config config = fixture_defaults();

	config.node = node;
	config.filter = filter;
	fixture_start(fx, &config);
}

static void start_with_responses(struct fixture *fx, unsigned int mode)
{
	struct smile_config config = fixture_defaults();

	config.filter = SMILE_FILTER_ALL;
	config.mode = mode;
	fixture_start(fx, &config);
}

/* ---- frames -------------------------------------------------------------------------------- */

static void blink_packet_disabled_isNotSeen(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = fixture_defaults();

	config.filter = SMILE_FILTER_ALL;
	fixture_configure(fx, &config);
	fixture_read(fx, 1, 0, 0x1000);
	fixture_event00(fx, 1, 0);
	card_blink_packet(&fx->card, "", 1);
	expect_fates(fx, 0, 0, 0, 0, 0);

	/* The transaction table is still empty. */
	fixture_set(fx, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	fixture_packet(fx, BLINK_RESPONSE00, 0, 1, 0, 0);
	expect_fates(fx, 0, 1, 0, 0, 0);

	fixture_read(fx, 1, 0, 0x1000);
	expect_fates(fx, 0, 1, 0, 0, 1);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	fixture_read(fx, 1, 0, 0x1000);
	expect_fates(fx, 0, 1, 0, 0, 1);
}

static void blink_packet_anyLength_isMalformedUnlessWholeWordsInRange(void **state)
{
	struct fixture *fx = *state;
	uint64_t *words;
	uint64_t malformed = 0;
	uint64_t accepted = 0;
	struct smile_config config = fixture_defaults();

	fixture_start(fx, &config);
	for (size_t bytes = 0; bytes <= BLINK_BYTES_MAX + 24; bytes++) {
		/*
		 * Allocate exactly the bytes of the frame, so that a sanitizer detects a read
		 * beyond its end.
		 */
		char *frame = malloc(bytes ? bytes : 1);

		words = calloc(1, BLINK_BYTES_MAX + 64);
		assert_non_null(frame);
		assert_non_null(words);
		fixture_frame(words, BLINK_READSB, 1, 0, 0, 0x1000);
		memcpy(frame, words, bytes);
		card_blink_packet(&fx->card, frame, bytes);
		if (bytes % 8 || bytes < 16 || bytes > 37 * 8)
			malformed++;
		else
			accepted++;
		expect_fates(fx, malformed, 0, 0, 0, accepted);
		free(words);
		free(frame);
	}
	assert_int_equal(accepted, 36);
}

static void blink_packet_unalignedFrame_isDecoded(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = fixture_defaults();
	uint64_t words[3];
	char bytes[sizeof(words) + 1];

	fixture_start(fx, &config);
	fixture_frame(words, BLINK_WRITESB, 0x1234, 0x5678, 0, 0xabcdef123454);
	memcpy(bytes + 1, words, sizeof(words));
	card_blink_packet(&fx->card, bytes + 1, sizeof(words));
	fixture_swap(fx);
	fixture_expect(fx, "dynamic write swap [0] x1 4660>22136 0xabcdef123454+4");
}

static void blink_packet_byteOrder_isLittleEndianBd1First(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = fixture_defaults();
	/*
	 * In this frame, the source is 0x0102, the command 0x13, the target 0x0304, and the address
	 * 0x0a0b0c0d0e10.
	 */
	static const uint8_t frame[16] = {
		0x02, 0x01, 0x13, 0x00, 0x04, 0x03, 0x00, 0x00,
		0x10, 0x0e, 0x0d, 0x0c, 0x0b, 0x0a, 0x00, 0x00,
	};

	fixture_start(fx, &config);
	card_blink_packet(&fx->card, frame, sizeof(frame));
	fixture_swap(fx);
	fixture_expect(fx, "dynamic write swap [0] x1 258>772 0xa0b0c0d0e10+4");
}

static void blink_packet_eachCommand_isClassedByTheTable(void **state)
{
	struct fixture *fx = *state;
	uint64_t malformed = 0;
	uint64_t unmatched = 0;
	uint64_t event = 0;
	uint64_t accepted = 0;

	start_with_responses(fx, SMILE_MODE_DEFAULT);
	for (unsigned int command = 0; command < BLINK_COMMANDS; command++) {
		const struct row *row = row_of(command);

		/* Send each command, whether or not it is assigned. */
		fixture_packet(fx, command, 1, 2, 7, 0x4000 + command * 8);
		if (!row)
			malformed++;
		else if (row->class == ROW_REQUEST)
			accepted++;
		else if (row->class == ROW_EVENT)
			event++;
		else
			unmatched++;
		expect_fates(fx, malformed, unmatched, 0, event, accepted);
		fixture_swap(fx);
		if (row && row->class == ROW_REQUEST)
			fixture_expect(fx, "dynamic %s swap [0] x1 1>2 0x%x+4",
				       row->type == SMILE_TYPE_READ    ? "read"
				       : row->type == SMILE_TYPE_WRITE ? "write"
								       : "lock",
				       0x4000 + command * 8);
		if (row && row->class == ROW_EVENT)
			fixture_expect(fx, "event %u blink node 1 at 0", 0x4000 + command * 8);
		fixture_expect_none(fx);
	}
	/* The assigned commands are 3 x 16 + 8 requests, one event and four responses. */
	expect_fates(fx, 128 - 61, 4, 0, 1, 56);
}

static void blink_packet_eachResponse_isTypedByItsRequest(void **state)
{
	struct fixture *fx = *state;

	start_with_responses(fx, SMILE_MODE_DEFAULT);
	for (unsigned int command = BLINK_RESPONSE00; command <= BLINK_RESPONSE256; command++) {
		fixture_packet(fx, BLINK_LOCKSB, 1, 2, 9, 0x5004);
		fixture_packet(fx, command, 2, 1, 9, 0xf00000001000ULL);
		fixture_swap(fx);
		fixture_expect(fx, "dynamic lock swap [0] x1 1>2 0x5004+4");
		fixture_expect(fx, "dynamic lock-response swap [1] x1 2>1 0x5004+4");
	}
	fixture_expect_none(fx);
	expect_fates(fx, 0, 0, 0, 0, 8);
}

static void blink_packet_ignoredBits_changeNothing(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = fixture_defaults();
	uint64_t words[3];

	fixture_start(fx, &config);
	fixture_frame(words, BLINK_READSB, 1, 2, 3, 0x1000);
	words[0] |= htole64(BLINK_BD1_EXTENDED | BLINK_BD1_FLOW | BLINK_BD1_CODE);
	words[1] |= htole64(BLINK_BD2_CONTROL);
	words[2] = ~0ULL;
	card_blink_packet(&fx->card, words, sizeof(words));
	fixture_read(fx, 1, 2, 0x1000);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x2 1>2 0x1000+4");
	fixture_expect_none(fx);
}

static void blink_packet_byteAddress_isCountedByWord(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = fixture_defaults();

	fixture_start(fx, &config);
	for (uint64_t address = 0x1ffc; address < 0x2004; address++)
		fixture_read(fx, 1, 0, address);
	fixture_read(fx, 1, 0, 0xffffffffffffULL);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read swap [0] x4 1>0 0x1ffc+4");
	fixture_expect(fx, "dynamic read swap [1] x4 1>0 0x2000+4");
	fixture_expect(fx, "dynamic read swap [2] x1 1>0 0xfffffffffffc+4");
	fixture_expect_none(fx);
}

/* ---- filter -------------------------------------------------------------------------------- */

static void blink_filter_typeBits_selectTypes(void **state)
{
	struct fixture *fx = *state;
	unsigned int commands[] = {BLINK_READSB, BLINK_WRITESB, BLINK_LOCKSB};

	for (unsigned int types = 0; types <= SMILE_FILTER_TYPES; types++) {
		unsigned int accepted = 0;

		card_reset(&fx->card);
		start_with_filter(fx, 0, types | SMILE_FILTER_REQUEST | SMILE_FILTER_DIRECTIONS);
		for (unsigned int i = 0; i < 3; i++) {
			fixture_packet(fx, commands[i], 1, 0, 0, 0x1000);
			accepted += types >> i & 1;
		}
		expect_fates(fx, 0, 0, 3 - accepted, 0, accepted);
	}
}

static void blink_filter_directionBits_compareWithOwnNode(void **state)
{
	struct fixture *fx = *state;
	static const struct {
		unsigned int source;
		unsigned int target;
		unsigned int direction;
	} packets[] = {
		{5, 7, SMILE_FILTER_INCOMING},	   {7, 5, SMILE_FILTER_OUTGOING},
		{5, 6, SMILE_FILTER_FOREIGN},	   {7, 7, SMILE_FILTER_INCOMING},
		{6, 6, SMILE_FILTER_FOREIGN},	   {0x107, 5, SMILE_FILTER_FOREIGN},
		{5, 0x8007, SMILE_FILTER_FOREIGN},
	};

	for (unsigned int bits = 0; bits < 8; bits++) {
		unsigned int directions = bits * SMILE_FILTER_INCOMING;
		uint64_t accepted = 0;
		uint64_t filtered = 0;

		card_reset(&fx->card);
		start_with_filter(fx, 7, SMILE_FILTER_TYPES | SMILE_FILTER_REQUEST | directions);
		for (size_t i = 0; i < sizeof(packets) / sizeof(packets[0]); i++) {
			fixture_read(fx, packets[i].source, packets[i].target, 0x1000);
			if (directions & packets[i].direction)
				accepted++;
			else
				filtered++;
			expect_fates(fx, 0, 0, filtered, 0, accepted);
		}
	}
}

static void blink_filter_requestsOff_countsResponsesAlone(void **state)
{
	struct fixture *fx = *state;

	start_with_filter(fx, 0, SMILE_FILTER_ALL & ~SMILE_FILTER_REQUEST);
	fixture_packet(fx, BLINK_NREAD64, 1, 2, 4, 0x3000);
	fixture_packet(fx, BLINK_RESPONSE64, 2, 1, 4, 0);
	expect_fates(fx, 0, 0, 1, 0, 1);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic read-response swap [0] x1 2>1 0x3000+4");
}

static void blink_filter_responsesOff_countsResponsesAsFiltered(void **state)
{
	struct fixture *fx = *state;

	start_with_filter(fx, 0, SMILE_FILTER_DEFAULT);
	fixture_packet(fx, BLINK_RESPONSE00, 2, 1, 4, 0);
	expect_fates(fx, 0, 0, 1, 0, 0);
	fixture_packet(fx, BLINK_NREAD64, 1, 2, 4, 0x3000);
	fixture_packet(fx, BLINK_RESPONSE64, 2, 1, 4, 0);
	expect_fates(fx, 0, 0, 2, 0, 1);
}

static void blink_filter_responseOfOtherDirection_isFilteredNotUnmatched(void **state)
{
	struct fixture *fx = *state;

	start_with_filter(fx, 7, SMILE_FILTER_ALL & ~SMILE_FILTER_FOREIGN);
	fixture_packet(fx, BLINK_RESPONSE00, 2, 1, 4, 0);
	expect_fates(fx, 0, 0, 1, 0, 0);
	fixture_packet(fx, BLINK_RESPONSE00, 2, 7, 4, 0);
	expect_fates(fx, 0, 1, 1, 0, 0);
}

static void blink_filter_responseOfFilteredRequest_isTypedAndFilteredByType(void **state)
{
	struct fixture *fx = *state;

	/*
	 * Only reads pass the filter. The write and its response are filtered, but use the table.
	 */
	start_with_filter(fx, 0, SMILE_FILTER_ALL & ~(SMILE_FILTER_WRITE | SMILE_FILTER_LOCK));
	fixture_packet(fx, BLINK_NWRITE64, 1, 2, 4, 0x3000);
	fixture_packet(fx, BLINK_RESPONSE00, 2, 1, 4, 0);
	expect_fates(fx, 0, 0, 2, 0, 0);
	/* The first response has removed the request from the table. */
	fixture_packet(fx, BLINK_RESPONSE00, 2, 1, 4, 0);
	expect_fates(fx, 0, 1, 2, 0, 0);
}

static void blink_filter_event00_isNotFiltered(void **state)
{
	struct fixture *fx = *state;

	start_with_filter(fx, 7, 0);
	fixture_event00(fx, 3, 2);
	expect_fates(fx, 0, 0, 0, 1, 0);
	fixture_expect(fx, "event 2 blink node 3 at 0");
}

/* ---- the source-keyed table ---------------------------------------------------------------- */

static void blink_response_withoutRequest_isUnmatched(void **state)
{
	struct fixture *fx = *state;

	start_with_responses(fx, SMILE_MODE_DEFAULT);
	for (unsigned int transaction = 0; transaction < BLINK_TRANSACTIONS; transaction++)
		fixture_packet(fx, BLINK_RESPONSE16, 0, 0, transaction, 0);
	expect_fates(fx, 0, 64, 0, 0, 0);
}

static void blink_response_second_isUnmatched(void **state)
{
	struct fixture *fx = *state;

	start_with_responses(fx, SMILE_MODE_DEFAULT);
	fixture_packet(fx, BLINK_NREAD64, 1, 2, 4, 0x3000);
	fixture_packet(fx, BLINK_RESPONSE64, 2, 1, 4, 0);
	fixture_packet(fx, BLINK_RESPONSE64, 2, 1, 4, 0);
	expect_fates(fx, 0, 1, 0, 0, 2);
}

static void blink_response_newerRequest_takesItsAddress(void **state)
{
	struct fixture *fx = *state;

	start_with_responses(fx, SMILE_MODE_DEFAULT);
	fixture_packet(fx, BLINK_NREAD64, 1, 2, 4, 0x3000);
	fixture_packet(fx, BLINK_NWRITE64, 1, 2, 4, 0x5000);
	fixture_packet(fx, BLINK_RESPONSE00, 2, 1, 4, 0);
	fixture_swap(fx);
	fixture_skip(fx, 2);
	fixture_expect(fx, "dynamic write-response swap [2] x1 2>1 0x5000+4");
}

static void blink_response_sameIdOfTwoSources_keepsThemApart(void **state)
{
	struct fixture *fx = *state;

	start_with_responses(fx, SMILE_MODE_DEFAULT);
	fixture_packet(fx, BLINK_NREAD64, 0, 1, 4, 0x10003000);
	fixture_packet(fx, BLINK_LOCKSB, 1, 0, 4, 0x5000);
	fixture_packet(fx, BLINK_RESPONSE64, 1, 0, 4, 0);
	fixture_packet(fx, BLINK_RESPONSE16, 0, 1, 4, 0);
	fixture_swap(fx);
	fixture_skip(fx, 2);
	fixture_expect(fx, "dynamic read-response swap [2] x1 1>0 0x10003000+4");
	fixture_expect(fx, "dynamic lock-response swap [3] x1 0>1 0x5000+4");
}

static void blink_response_everySlot_findsItsOwnRequest(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = fixture_defaults();

	config.filter = SMILE_FILTER_ALL & ~SMILE_FILTER_REQUEST;
	config.entries = 1;
	fixture_start(fx, &config);
	for (unsigned int source = 0; source < 64; source++)
		for (unsigned int id = 0; id < BLINK_TRANSACTIONS; id++)
			fixture_packet(fx, BLINK_NREAD64, source, 99, id,
				       (uint64_t)source << 40 | id << 4);
	for (unsigned int source = 64; source-- > 0;) {
		for (unsigned int id = 0; id < BLINK_TRANSACTIONS; id++) {
			fixture_packet(fx, BLINK_RESPONSE64, 99, source, id, 0);
			fixture_expect(fx, "dynamic read-response capacity [0] x1 99>%u 0x%llx+4",
				       source, (unsigned long long)source << 40 | id << 4);
		}
	}
	expect_fates(fx, 0, 0, 4096, 0, 4096);
}

static void blink_response_sourcesSharingASlot_areToldApartByTheirWholeId(void **state)
{
	struct fixture *fx = *state;

	start_with_responses(fx, SMILE_MODE_DEFAULT);
	/*
	 * Sources 1, 65 and 0x8001 use the same slot. A response to a node other than the requester
	 * finds no request ...
	 */
	fixture_packet(fx, BLINK_NREAD64, 1, 2, 4, 0x3000);
	fixture_packet(fx, BLINK_RESPONSE64, 2, 65, 4, 0);
	fixture_packet(fx, BLINK_RESPONSE64, 2, 0x8001, 4, 0);
	expect_fates(fx, 0, 2, 0, 0, 1);
	/* ... and does not change the slot. */
	fixture_packet(fx, BLINK_RESPONSE64, 2, 1, 4, 0);
	expect_fates(fx, 0, 2, 0, 0, 2);
	/* The newer request has replaced the older request in the slot. */
	fixture_packet(fx, BLINK_NREAD64, 1, 2, 4, 0x3000);
	fixture_packet(fx, BLINK_NREAD64, 65, 2, 4, 0x4000);
	fixture_packet(fx, BLINK_RESPONSE64, 2, 1, 4, 0);
	expect_fates(fx, 0, 3, 0, 0, 4);
	fixture_packet(fx, BLINK_RESPONSE64, 2, 65, 4, 0);
	expect_fates(fx, 0, 3, 0, 0, 5);
	fixture_swap(fx);
	fixture_skip(fx, 3);
	fixture_expect(fx, "dynamic read-response swap [3] x1 2>65 0x4000+4");
}

static void blink_response_afterEvent00OfSameId_isUnmatched(void **state)
{
	struct fixture *fx = *state;

	start_with_responses(fx, SMILE_MODE_DEFAULT);
	fixture_packet(fx, BLINK_EVENT00, 1, 2, 4, 0x3000);
	fixture_packet(fx, BLINK_RESPONSE64, 2, 1, 4, 0);
	expect_fates(fx, 0, 1, 0, 1, 0);
}

/* ---- the faithful table -------------------------------------------------------------------- */

static void blink_faithful_noRequest_countsAWriteToAddressZero(void **state)
{
	struct fixture *fx = *state;

	start_with_responses(fx, SMILE_MODE_DEFAULT | SMILE_MODE_FAITHFUL_TABLE);
	fixture_packet(fx, BLINK_RESPONSE00, 2, 1, 63, 0);
	expect_fates(fx, 0, 0, 0, 0, 1);
	fixture_swap(fx);
	fixture_expect(fx, "dynamic write-response swap [0] x1 2>1 0x0+4");
}

static void blink_faithful_sameIdOfTwoSources_collides(void **state)
{
	struct fixture *fx = *state;

	start_with_responses(fx, SMILE_MODE_DEFAULT | SMILE_MODE_FAITHFUL_TABLE);
	fixture_packet(fx, BLINK_NREAD64, 0, 1, 4, 0x3000);
	fixture_packet(fx, BLINK_NWRITE64, 1, 0, 4, 0x5000);
	fixture_packet(fx, BLINK_RESPONSE64, 1, 0, 4, 0);
	fixture_swap(fx);
	fixture_skip(fx, 2);
	fixture_expect(fx, "dynamic write-response swap [2] x1 1>0 0x5000+4");
}

static void blink_faithful_request_keepsReadOrLockAndTwentyEightBits(void **state)
{
	struct fixture *fx = *state;
	static const struct {
		unsigned int command;
		const char *type;
	} cases[] = {
		{BLINK_READSB, "read"}, {BLINK_NREAD256, "read"},  {BLINK_WRITESB, "write"},
		{BLINK_LOCKSB, "read"}, {BLINK_DMOVE256, "write"},
	};

	start_with_filter(fx, 0, SMILE_FILTER_ALL & ~SMILE_FILTER_REQUEST);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	fixture_set(fx, SMILE_REG_MODE, SMILE_MODE_DEFAULT | SMILE_MODE_FAITHFUL_TABLE);
	fixture_set(fx, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	for (unsigned int i = 0; i < 5; i++) {
		fixture_packet(fx, cases[i].command, 1, 2, i, 0xfedca123456fULL - 8 * i);
		fixture_packet(fx, BLINK_RESPONSE64, 2, 1, i, 0);
		fixture_swap(fx);
		fixture_expect(fx, "dynamic %s-response swap [0] x1 2>1 0x%x+4", cases[i].type,
			       0x123456c - 8 * i);
	}
	fixture_expect_none(fx);
}

static void blink_faithful_secondResponse_isCountedAgain(void **state)
{
	struct fixture *fx = *state;

	start_with_responses(fx, SMILE_MODE_DEFAULT | SMILE_MODE_FAITHFUL_TABLE);
	fixture_packet(fx, BLINK_NREAD64, 1, 2, 4, 0x3000);
	fixture_packet(fx, BLINK_RESPONSE64, 2, 1, 4, 0);
	fixture_packet(fx, BLINK_RESPONSE64, 2, 1, 4, 0);
	expect_fates(fx, 0, 0, 0, 0, 3);
	fixture_swap(fx);
	fixture_skip(fx, 1);
	fixture_expect(fx, "dynamic read-response swap [1] x2 2>1 0x3000+4");
}

static void blink_faithful_typeFilter_takesTheTablesType(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = fixture_defaults();

	/*
	 * Only locks pass the filter. In the mode "faithful", the table does not distinguish a lock
	 * from a read, so the record says "read".
	 */
	config.filter = SMILE_FILTER_ALL & ~(SMILE_FILTER_READ | SMILE_FILTER_WRITE);
	config.mode |= SMILE_MODE_FAITHFUL_TABLE;
	fixture_start(fx, &config);
	fixture_packet(fx, BLINK_LOCKSB, 1, 2, 4, 0x3000);
	fixture_packet(fx, BLINK_RESPONSE16, 2, 1, 4, 0);
	expect_fates(fx, 0, 0, 1, 0, 1);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(blink_packet_disabled_isNotSeen),
		TEST(blink_packet_anyLength_isMalformedUnlessWholeWordsInRange),
		TEST(blink_packet_unalignedFrame_isDecoded),
		TEST(blink_packet_byteOrder_isLittleEndianBd1First),
		TEST(blink_packet_eachCommand_isClassedByTheTable),
		TEST(blink_packet_eachResponse_isTypedByItsRequest),
		TEST(blink_packet_ignoredBits_changeNothing),
		TEST(blink_packet_byteAddress_isCountedByWord),
		TEST(blink_filter_typeBits_selectTypes),
		TEST(blink_filter_directionBits_compareWithOwnNode),
		TEST(blink_filter_requestsOff_countsResponsesAlone),
		TEST(blink_filter_responsesOff_countsResponsesAsFiltered),
		TEST(blink_filter_responseOfOtherDirection_isFilteredNotUnmatched),
		TEST(blink_filter_responseOfFilteredRequest_isTypedAndFilteredByType),
		TEST(blink_filter_event00_isNotFiltered),
		TEST(blink_response_withoutRequest_isUnmatched),
		TEST(blink_response_second_isUnmatched),
		TEST(blink_response_newerRequest_takesItsAddress),
		TEST(blink_response_sameIdOfTwoSources_keepsThemApart),
		TEST(blink_response_everySlot_findsItsOwnRequest),
		TEST(blink_response_sourcesSharingASlot_areToldApartByTheirWholeId),
		TEST(blink_response_afterEvent00OfSameId_isUnmatched),
		TEST(blink_faithful_noRequest_countsAWriteToAddressZero),
		TEST(blink_faithful_sameIdOfTwoSources_collides),
		TEST(blink_faithful_request_keepsReadOrLockAndTwentyEightBits),
		TEST(blink_faithful_secondResponse_isCountedAgain),
		TEST(blink_faithful_typeFilter_takesTheTablesType),
	};

	return cmocka_run_group_tests_name("blink_decoder", tests, NULL, NULL);
}
