/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the swap ring in host memory: the addresses of records, the pointers and registers, and
 * a bus that refuses writes. At every write, the fixture checks that the record is in the ring and
 * does not overwrite an unread record. May use card_fixture.h.
 */
#include <endian.h>
#include <string.h>

#include <base/field.h>

#include "tests/unit/card/card_fixture.h"

#define BASE 0x123456789000ULL
#define RECORDS 256

/* The default configuration with @mode and a ring in host memory. Its first record is @first. */
static struct smile_config start_at(struct fixture *fx, uint32_t first)
{
	struct smile_config config = fixture_defaults();

	config.mode |= SMILE_MODE_HOST_RING;
	fixture_host_ring(fx, BASE, RECORDS, first);
	fixture_start(fx, &config);
	return config;
}

static uint32_t status(struct fixture *fx)
{
	return fixture_get(fx, SMILE_REG_STATUS) & ~SMILE_STATUS_OCCUPIED;
}

static void event(struct fixture *fx, unsigned int id)
{
	fixture_set(fx, SMILE_REG_EVENT, id);
}

/* ---- records ------------------------------------------------------------------------------- */

static void host_record_any_isWrittenLittleEndianToItsPlace(void **state)
{
	struct fixture *fx = *state;
	uint32_t words[4];

	start_at(fx, 2);
	card_tick(&fx->card, 0x1122334455667788ULL);
	event(fx, 9);
	fixture_lock(fx, 0x1234, 0x5678, 0xa1b2c3d4e5c4ULL);
	fixture_swap(fx);
	memcpy(words, fx->memory + 2 * 16, 16);
	assert_int_equal(words[0], htole32(0x00090104));
	assert_int_equal(words[1], 0);
	assert_int_equal(words[2], htole32(0x55667788));
	assert_int_equal(words[3], htole32(0x11223344));
	memcpy(words, fx->memory + 3 * 16, 16);
	assert_int_equal(words[0], htole32(0x00010331));
	assert_int_equal(words[1], htole32(0x56781234));
	assert_int_equal(words[2], htole32(0xc3d4e5c4));
	assert_int_equal(words[3], htole32(0xa1b2));
	for (unsigned int i = 0; i < RECORDS * 16; i++)
		if (i / 16 != 2 && i / 16 != 3)
			assert_int_equal(fx->memory[i], 0xa5);
	assert_int_equal(fixture_get(fx, SMILE_REG_DMA_READ), 2);
	assert_int_equal(fixture_get(fx, SMILE_REG_DMA_WRITE), 4);
	assert_int_equal(fx->bus_tries, 2);
	/* The card has written nothing to the dual-ported RAM. */
	assert_int_equal(fixture_get(fx, SMILE_REG_RING_WRITE), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_RING_AUX), 0);
	assert_int_equal(fx->ram[0], 0xa5a5a5a5);
	fixture_expect_counter(fx, SMILE_REG_COUNT_RECORDS, 2);
	fixture_expect_counter(fx, SMILE_REG_COUNT_DELIVERED, 1);
}

static void host_pointers_wrapAt2To32(void **state)
{
	struct fixture *fx = *state;

	start_at(fx, 0xffffff80);
	for (uint32_t i = 0; i < 1000; i++) {
		event(fx, i);
		assert_int_equal(fixture_get(fx, SMILE_REG_DMA_WRITE), 0xffffff80 + i + 1);
		/* The host reads each record after 200 further records. */
		if (i >= 200)
			fixture_expect(fx, "event %u software node 0 at 0", i - 200);
	}
	assert_int_equal(fixture_get(fx, SMILE_REG_DMA_READ), 0xffffff80 + 800);
	assert_int_equal(status(fx), 0);
	for (uint32_t i = 800; i < 1000; i++)
		fixture_expect(fx, "event %u software node 0 at 0", i);
	fixture_expect_account(fx);
}

static void host_size_any_placesModuloTheSize(void **state)
{
	static const uint32_t sizes[] = {256, 512, 4096, 65536};
	struct fixture *fx = *state;

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		struct smile_config config = fixture_defaults();

		card_reset(&fx->card);
		fx->drained.count = 0;
		fx->checked = 0;
		config.mode |= SMILE_MODE_HOST_RING;
		fixture_host_ring(fx, 0xfffff000, sizes[s], sizes[s] - 7);
		fixture_start(fx, &config);
		for (uint32_t i = 0; i < sizes[s]; i++)
			event(fx, i % 0x10000);
		assert_int_equal(status(fx), SMILE_STATUS_FULL);
		for (uint32_t i = 0; i < sizes[s]; i++)
			fixture_expect(fx, "event %u software node 0 at 0", i % 0x10000);
		fixture_expect_account(fx);
	}
}

/* ---- pointers ------------------------------------------------------------------------------ */

static void host_read_outsideUnread_isRefused(void **state)
{
	struct fixture *fx = *state;

	/* The pointers of the unread records wrap: they are -3 to 4. */
	start_at(fx, 0xfffffffd);
	for (unsigned int i = 0; i < 7; i++)
		event(fx, i);
	assert_int_equal(fixture_get(fx, SMILE_REG_DMA_WRITE), 4);
	fixture_expect_refused(fx, SMILE_REG_DMA_READ, 0xfffffffc);
	fixture_expect_refused(fx, SMILE_REG_DMA_READ, 5);
	fixture_expect_refused(fx, SMILE_REG_DMA_READ, 256);
	fixture_expect_refused(fx, SMILE_REG_DMA_READ, 0x80000000);
	fixture_expect_refused(fx, SMILE_REG_DMA_WRITE, 4);
	fixture_expect_refused(fx, SMILE_REG_DMA_WRITE, 5);
	for (uint32_t read = 0xfffffffd; read != 5; read++) {
		fixture_set(fx, SMILE_REG_DMA_READ, read);
		assert_int_equal(status(fx), 0);
		assert_int_equal(fixture_get(fx, SMILE_REG_DMA_READ), read);
	}
	fixture_expect_refused(fx, SMILE_REG_DMA_READ, 3);
}

static void host_pointers_notInUse_takeAnyValue(void **state)
{
	static const uint32_t values[] = {0, 1, 0xffffffff, 0x80000000, 77};
	struct fixture *fx = *state;

	fixture_set(fx, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE); /* at rest or not */
	fixture_read(fx, 1, 0, 0x1000);
	for (size_t i = 0; i < 5; i++) {
		fixture_set(fx, SMILE_REG_DMA_READ, values[i]);
		fixture_set(fx, SMILE_REG_DMA_WRITE, values[4 - i]);
		assert_int_equal(fixture_get(fx, SMILE_REG_DMA_READ), values[i]);
		assert_int_equal(fixture_get(fx, SMILE_REG_DMA_WRITE), values[4 - i]);
	}
	assert_int_equal(status(fx), 0);
}

static void host_full_lastRecord_setsStatusAndInterruptOnce(void **state)
{
	struct fixture *fx = *state;

	start_at(fx, 5);
	fixture_set(fx, SMILE_REG_INT_ENABLE, SMILE_INT_RING_FULL);
	fixture_fill(fx, 1);
	assert_int_equal(status(fx), 0);
	assert_true(card_ready(&fx->card));
	assert_int_equal(fx->edges, 0);
	fixture_fill(fx, 0);
	assert_int_equal(status(fx), SMILE_STATUS_FULL);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), SMILE_INT_RING_FULL);
	assert_int_equal(fx->edges, 1);
	assert_false(card_ready(&fx->card));
	fixture_set(fx, SMILE_REG_INT_STATUS, SMILE_INT_RING_FULL);
	event(fx, 1); /* the record waits */
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), 0);
	assert_int_equal(fx->bus_tries, RECORDS);
	fixture_take(fx, 1); /* the waiting record takes the room immediately */
	assert_int_equal(status(fx), SMILE_STATUS_FULL);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), SMILE_INT_RING_FULL);
	assert_int_equal(fx->bus_tries, RECORDS + 1);
	fixture_take(fx, 1);
	assert_int_equal(status(fx), 0);
	assert_true(card_ready(&fx->card));
}

static void host_full_readerStopped_countsTheLossExactly(void **state)
{
	struct fixture *fx = *state;
	uint64_t distinct = RECORDS + 16;

	start_at(fx, 0);
	for (uint64_t i = 0; i < 1000; i++) {
		fixture_read(fx, 1, 0, i * 4096);
		fixture_expect_counter(fx, SMILE_REG_COUNT_LOST,
				       i < distinct ? 0 : i + 1 - distinct);
	}
	fixture_skip(fx, RECORDS);
	fixture_expect(fx, "lost %u marks 0", (unsigned int)(1000 - distinct));
	fixture_expect_account(fx);
	fixture_expect_counter(fx, SMILE_REG_COUNT_DELIVERED, distinct);
}

/* ---- registers ----------------------------------------------------------------------------- */

static void host_size_takesPowersOfTwoOrNone(void **state)
{
	struct fixture *fx = *state;

	for (unsigned int bit = 0; bit < 32; bit++) {
		uint32_t size = (uint32_t)1 << bit;

		if (bit < 8 || bit > 24) {
			fixture_expect_refused(fx, SMILE_REG_DMA_SIZE, size);
		} else {
			fixture_set(fx, SMILE_REG_DMA_SIZE, size);
			assert_int_equal(fixture_get(fx, SMILE_REG_DMA_SIZE), size);
			assert_int_equal(status(fx), 0);
		}
		if (bit > 1)
			fixture_expect_refused(fx, SMILE_REG_DMA_SIZE, size - 1);
		fixture_expect_refused(fx, SMILE_REG_DMA_SIZE, size * 3);
	}
	fixture_expect_refused(fx, SMILE_REG_DMA_SIZE, 0xffffffff);
	fixture_set(fx, SMILE_REG_DMA_SIZE, 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_DMA_SIZE), 0);
	assert_int_equal(status(fx), 0);
}

static void host_mode_impossibleRing_isRefused(void **state)
{
	static const struct {
		uint64_t base;
		uint32_t size, read, write;
		bool good;
	} cases[] = {
		{0, 0, 0, 0, false}, /* no ring */
		{0x1000, 256, 0, 0, true},
		{0x1000, 256, 0, 256, true}, /* full from the start */
		{0x1000, 256, 0, 257, false},
		{0x1000, 256, 1, 0, false},
		{0x1000, 256, 0xffffff01, 1, true},
		{0x1000, 256, 0xffffff00, 1, false},
		{0xffffffff00000000ULL, 0x01000000, 0, 0, true}, /* 256 MB of the 4 GB remain */
		{0xfffffffffffff000ULL, 256, 0, 0, true}, /* to the last byte */
		{0xfffffffffffff000ULL, 512, 0, 0, false},
		{0xfffffffff0000000ULL, 0x01000000, 0, 0, true},
		{0xfffffffff0001000ULL, 0x01000000, 0, 0, false},
	};
	struct fixture *fx = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		card_reset(&fx->card);
		fixture_set(fx, SMILE_REG_DMA_BASE_LOW, (uint32_t)cases[i].base);
		fixture_set(fx, SMILE_REG_DMA_BASE_HIGH, (uint32_t)(cases[i].base >> 32));
		fixture_set(fx, SMILE_REG_DMA_SIZE, cases[i].size);
		fixture_set(fx, SMILE_REG_DMA_READ, cases[i].read);
		fixture_set(fx, SMILE_REG_DMA_WRITE, cases[i].write);
		assert_int_equal(status(fx), 0);
		if (!cases[i].good) {
			fixture_expect_refused(fx, SMILE_REG_MODE, SMILE_MODE_HOST_RING);
			fixture_expect_refused(fx, SMILE_REG_MODE, 0x41);
			continue;
		}
		fixture_set(fx, SMILE_REG_MODE, SMILE_MODE_HOST_RING);
		assert_int_equal(fixture_get(fx, SMILE_REG_MODE), SMILE_MODE_HOST_RING);
		assert_int_equal(status(fx), cases[i].write - cases[i].read == cases[i].size
						     ? SMILE_STATUS_FULL
						     : 0);
		/* RING_FULL is set only when a record fills the ring. */
		assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), 0);
	}
}

static void expect_place_locked(struct fixture *fx)
{
	fixture_expect_refused(fx, SMILE_REG_DMA_BASE_LOW, 0);
	fixture_expect_refused(fx, SMILE_REG_DMA_BASE_LOW, (uint32_t)BASE);
	fixture_expect_refused(fx, SMILE_REG_DMA_BASE_HIGH, 0);
	fixture_expect_refused(fx, SMILE_REG_DMA_SIZE, 512);
	fixture_expect_refused(fx, SMILE_REG_DMA_SIZE, 0);
}

static void host_place_isLockedWhileInUseOrNotAtRest(void **state)
{
	struct fixture *fx = *state;

	fixture_host_ring(fx, BASE, RECORDS, 0);
	fixture_set(fx, SMILE_REG_MODE, SMILE_MODE_HOST_RING);
	expect_place_locked(fx);
	fixture_set(fx, SMILE_REG_MODE, 0);
	fixture_set(fx, SMILE_REG_CONTROL, 1);
	expect_place_locked(fx);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	fixture_set(fx, SMILE_REG_DMA_SIZE, 512);
	assert_int_equal(fixture_get(fx, SMILE_REG_DMA_SIZE), 512);
	assert_int_equal(status(fx), 0);
}

static void host_mode_isLockedLikeTheRest(void **state)
{
	struct fixture *fx = *state;

	fixture_host_ring(fx, BASE, RECORDS, 0);
	fixture_set(fx, SMILE_REG_CONTROL, 1);
	fixture_expect_refused(fx, SMILE_REG_MODE, SMILE_MODE_HOST_RING);
	fixture_expect_refused(fx, SMILE_REG_MODE, 1);
}

/* ---- change between the rings -------------------------------------------------------------- */

static void host_mode_change_leavesUnreadWhereItIs(void **state)
{
	struct fixture *fx = *state;

	event(fx, 1);
	event(fx, 2);
	fixture_host_ring(fx, BASE, RECORDS, 100);
	fixture_set(fx, SMILE_REG_MODE, SMILE_MODE_HOST_RING);
	event(fx, 3);
	assert_int_equal(fixture_get(fx, SMILE_REG_DMA_WRITE), 101);
	assert_int_equal(fixture_get(fx, SMILE_REG_RING_WRITE), 8);
	/*
	 * The host can still advance the read pointer of the other ring, up to its write pointer.
	 */
	fixture_expect_refused(fx, SMILE_REG_RING_READ, 12);
	fixture_set(fx, SMILE_REG_RING_READ, 4);
	assert_int_equal(fixture_get(fx, SMILE_REG_RING_READ), 4);
	fixture_expect(fx, "event 3 software node 0 at 0");
	fixture_set(fx, SMILE_REG_MODE, 0);
	event(fx, 4);
	assert_int_equal(fixture_get(fx, SMILE_REG_DMA_WRITE), 101);
	assert_int_equal(fixture_get(fx, SMILE_REG_RING_WRITE), 12);
	fixture_expect(fx, "event 2 software node 0 at 0");
	fixture_expect(fx, "event 4 software node 0 at 0");
	fixture_set(fx, SMILE_REG_MODE, SMILE_MODE_HOST_RING); /* goes on at its last position */
	event(fx, 5);
	assert_int_equal(fixture_get(fx, SMILE_REG_DMA_WRITE), 102);
	fixture_expect(fx, "event 5 software node 0 at 0");
	fixture_expect_counter(fx, SMILE_REG_COUNT_RECORDS, 5);
}

/* If the card is at rest, only a TIME record can wait. The other ring has room for it. */
static void host_mode_change_waitingTimeRecordIsWritten(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = fixture_defaults();

	config.time_us = 1;
	fixture_host_ring(fx, BASE, RECORDS, 0);
	fixture_start(fx, &config);
	card_tick(&fx->card, 1);
	for (unsigned int i = 0; i < FIXTURE_RING_RECORDS; i++)
		event(fx, i);
	card_tick(&fx->card, 1001);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	assert_int_equal(fx->bus_tries, 0);
	fixture_set(fx, SMILE_REG_MODE, SMILE_MODE_HOST_RING);
	fixture_expect(fx, "time 1001");
	fixture_expect_none(fx);
}

/* ---- a bus that refuses writes ------------------------------------------------------------- */

static void host_bus_refuses_nothingIsForgotten(void **state)
{
	struct fixture *fx = *state;

	start_at(fx, 0);
	fixture_set(fx, SMILE_REG_INT_ENABLE, SMILE_INT_DMA_ERROR);
	fixture_read(fx, 1, 0, 0x1000);
	fixture_read(fx, 1, 0, 0x2000);
	fx->bus_refuses = true;
	fixture_swap(fx);
	assert_int_equal(fx->bus_tries, 1);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS),
			 SMILE_STATUS_DMA_ERROR | SMILE_STATUS_SWAPPING |
				 SMILE_PUT(SMILE_STATUS_OCCUPIED, 2));
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), SMILE_INT_DMA_ERROR);
	assert_true(fx->level);
	assert_false(card_ready(&fx->card));
	assert_int_equal(fixture_get(fx, SMILE_REG_DMA_WRITE), 0);
	fixture_expect_counter(fx, SMILE_REG_COUNT_RECORDS, 0);
	fixture_expect_counter(fx, SMILE_REG_COUNT_DELIVERED, 0);

	/* The card does not repeat the write, and behaves as if the ring were full. */
	fx->bus_refuses = false;
	fixture_set(fx, SMILE_REG_INT_STATUS, SMILE_INT_DMA_ERROR);
	fixture_read(fx, 1, 0, 0x1000); /* during Swap_All: lost */
	fixture_set(fx, SMILE_REG_DMA_READ, 0);
	fixture_set(fx, SMILE_REG_STATUS, 0);
	fixture_set(fx, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	fixture_swap(fx);
	assert_int_equal(fx->bus_tries, 1);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), 0);

	/* The bus refuses the write again. */
	fx->bus_refuses = true;
	fixture_set(fx, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
	assert_int_equal(fx->bus_tries, 2);
	assert_int_equal(status(fx), SMILE_STATUS_DMA_ERROR | SMILE_STATUS_SWAPPING);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), SMILE_INT_DMA_ERROR);

	fx->bus_refuses = false;
	fixture_set(fx, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR | SMILE_STATUS_BAD_WRITE);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), 0);
	assert_true(card_ready(&fx->card));
	fixture_expect(fx, "dynamic read swap [0] x1 1>0 0x1000+4");
	fixture_expect(fx, "dynamic read swap [1] x1 1>0 0x2000+4");
	fixture_expect(fx, "lost 1 marks 0");
	fixture_expect_account(fx);
}

/* All kinds of records wait. The bus refuses each of them once, and accepts it the second time. */
static void host_bus_refusesEveryRecordOnce_allComeInOrder(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = fixture_defaults();
	unsigned int refusals = 0;

	config.mode |= SMILE_MODE_HOST_RING | SMILE_MODE_STATIC;
	config.phase_events = 1 << 3;
	config.time_us = 1;
	config.entries = 2;
	fixture_set(fx, SMILE_REG_STATIC_COUNTER, 0x20 | (16 + 3));
	fixture_set(fx, SMILE_REG_STATIC_COUNTER + 4, 0x20 | (16 + 5));
	fixture_host_ring(fx, BASE, RECORDS, 0);
	fixture_start(fx, &config);
	card_tick(&fx->card, 1);
	fx->bus_refuses = true;
	fixture_read(fx, 1, 0, 0x1000);
	fixture_read(fx, 1, 0, 0x2000); /* to be swapped out for a new range: refused */
	fixture_read(fx, 1, 0, 0x3000); /* lost */
	fixture_event00(fx, 4, 3); /* a phase mark */
	for (unsigned int i = 0; i < 65535 + 2; i++)
		fixture_event00(fx, 4, 5); /* lost marks */
	fixture_read(fx, 1, 0, 0x3000); /* lost after the mark */
	card_tick(&fx->card, 1001);
	while (fixture_get(fx, SMILE_REG_STATUS) & SMILE_STATUS_DMA_ERROR) {
		uint32_t before = fixture_get(fx, SMILE_REG_STATUS);

		fixture_expect_counter(fx, SMILE_REG_COUNT_RECORDS, refusals);
		fixture_set(fx, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
		assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), before);
		fixture_expect_counter(fx, SMILE_REG_COUNT_RECORDS, refusals);
		/* The bus accepts one write, and refuses the next write. */
		fx->bus_passes = 1;
		fixture_set(fx, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
		assert_true(++refusals < 100);
	}
	assert_int_equal(refusals, 8);
	fx->bus_refuses = false;
	fixture_expect(fx, "lost 1 marks 0");
	fixture_expect(fx, "time 1001");
	fixture_expect(fx, "dynamic read swap [0] x1 1>0 0x1000+4");
	fixture_expect(fx, "dynamic read swap [1] x1 1>0 0x2000+4");
	fixture_expect(fx, "static event swap [0] x1 node 0 id 3");
	fixture_expect(fx, "event 3 phase blink node 4 at 1");
	fixture_expect(fx, "lost 1 marks 65537");
	fixture_expect(fx, "overflow event overflow [1] x65535 node 0 id 5");
	fixture_expect_none(fx);
	fixture_expect_account(fx);
}

static void host_bus_refusesFullCounter_staysUntilItCanBeWritten(void **state)
{
	struct fixture *fx = *state;

	start_at(fx, 0);
	fx->bus_refuses = true;
	for (unsigned int i = 0; i < 65535 + 3; i++)
		fixture_read(fx, 1, 0, 0x1000);
	assert_int_equal(fx->bus_tries, 1);
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, 3);
	fx->bus_refuses = false;
	fixture_set(fx, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
	fixture_expect(fx, "lost 3 marks 0");
	fixture_expect(fx, "dynamic read overflow [0] x65535 1>0 0x1000+4");
	fixture_expect_account(fx);
}

/* A card without a bus behaves like a card whose bus refuses all writes. */
static void host_bus_absent_refuses(void **state)
{
	static const struct card_ops none = {.interrupt = NULL};
	struct fixture *fx = *state;

	for (unsigned int i = 0; i < 2; i++) {
		card_init(&fx->card, fx->ram, i ? &none : NULL, NULL);
		start_at(fx, 0);
		fixture_set(fx, SMILE_REG_RING_LATENCY, 1);
		event(fx, 1);
		assert_int_equal(status(fx), SMILE_STATUS_DMA_ERROR | SMILE_STATUS_SWAPPING);
		assert_int_equal(fixture_get(fx, SMILE_REG_DMA_WRITE), 0);
	}
}

/* An error of the ring in host memory does not affect the dual-ported RAM. */
static void host_bus_refused_otherRingWorks(void **state)
{
	struct fixture *fx = *state;
	struct smile_config config = fixture_defaults();

	config.time_us = 1;
	config.mode |= SMILE_MODE_HOST_RING;
	fixture_host_ring(fx, BASE, RECORDS, 0);
	fixture_start(fx, &config);
	card_tick(&fx->card, 1);
	fx->bus_refuses = true;
	card_tick(&fx->card, 1001);
	assert_int_equal(status(fx), SMILE_STATUS_DMA_ERROR);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	fixture_set(fx, SMILE_REG_MODE, 0);
	assert_int_equal(status(fx), SMILE_STATUS_DMA_ERROR);
	event(fx, 7);
	fixture_set(fx, SMILE_REG_CONTROL, 1);
	assert_true(card_ready(&fx->card));
	fixture_expect(fx, "time 1001");
	fixture_expect(fx, "event 7 software node 0 at 1001");
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	fixture_set(fx, SMILE_REG_MODE, SMILE_MODE_HOST_RING);
	event(fx, 8);
	assert_int_equal(status(fx), SMILE_STATUS_DMA_ERROR | SMILE_STATUS_SWAPPING);
	fx->bus_refuses = false;
	fixture_set(fx, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
	fixture_expect(fx, "event 8 software node 0 at 1001");
}

static void host_reset_forgetsRingAndError(void **state)
{
	struct fixture *fx = *state;

	start_at(fx, 9);
	event(fx, 1);
	fx->bus_refuses = true;
	event(fx, 2);
	fixture_set(fx, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	for (uint32_t offset = SMILE_REG_DMA_BASE_LOW; offset <= SMILE_REG_RING_LATENCY;
	     offset += 4)
		assert_int_equal(fixture_get(fx, offset), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), 0);
	assert_int_equal(fixture_get(fx, SMILE_REG_MODE), 1);
	event(fx, 3);
	fixture_expect(fx, "event 3 software node 0 at 0");
	fixture_expect_none(fx);
}

/* ---- any pace of the host ------------------------------------------------------------------ */

/*
 * If no event is lost, the card writes the same records as the oracle, however the host reads and
 * however many writes the bus refuses.
 */
static void host_anyPaceAnyBus_writesTheOraclesStream(void **state)
{
	struct fixture *fx = *state;

	for (uint64_t round = 1; round <= 20; round++) {
		struct smile_config config = fixture_defaults();
		struct oracle oracle;
		uint64_t seed = round, refused = 0;

		card_reset(&fx->card);
		fx->drained.count = 0;
		fx->checked = 0;
		config.mode |= SMILE_MODE_HOST_RING;
		config.entries = 1 + fixture_random(&seed, 20);
		config.max_range_bytes = 64;
		config.phase_events = 0x0f;
		oracle_init(&oracle, &config);
		fixture_host_ring(fx, BASE, RECORDS, (uint32_t)-fixture_random(&seed, 3000));
		fixture_start(fx, &config);
		fx->bus_refuses = true;
		for (unsigned int i = 0; i < 5000; i++) {
			unsigned int source = fixture_random(&seed, 3);
			uint64_t address = fixture_random(&seed, 1 << 15);

			while (!card_ready(&fx->card)) {
				refused += !!(fixture_get(fx, SMILE_REG_STATUS) &
					      SMILE_STATUS_DMA_ERROR);
				fx->bus_passes = fixture_random(&seed, 30);
				fixture_set(fx, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
				fixture_take(fx, fixture_random(&seed, 200));
			}
			if (fixture_random(&seed, 50)) {
				fixture_read(fx, source, 1, address);
				oracle_event(&oracle, source, 1, SMILE_TYPE_READ, 0, address);
			} else {
				fixture_event00(fx, source, i % 8);
				oracle_mark(&oracle, i % 8, source, SMILE_RAISED_BLINK, 0);
			}
		}
		fx->bus_refuses = false;
		fixture_set(fx, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
		fixture_swap(fx);
		oracle_swap(&oracle);
		fixture_drain(fx);
		fixture_expect_stream(&fx->drained, &oracle.stream);
		fixture_expect_account(fx);
		assert_true(refused > 10);
		stream_free(&oracle.stream);
	}
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(host_record_any_isWrittenLittleEndianToItsPlace),
		TEST(host_pointers_wrapAt2To32),
		TEST(host_size_any_placesModuloTheSize),
		TEST(host_read_outsideUnread_isRefused),
		TEST(host_pointers_notInUse_takeAnyValue),
		TEST(host_full_lastRecord_setsStatusAndInterruptOnce),
		TEST(host_full_readerStopped_countsTheLossExactly),
		TEST(host_size_takesPowersOfTwoOrNone),
		TEST(host_mode_impossibleRing_isRefused),
		TEST(host_place_isLockedWhileInUseOrNotAtRest),
		TEST(host_mode_isLockedLikeTheRest),
		TEST(host_mode_change_leavesUnreadWhereItIs),
		TEST(host_mode_change_waitingTimeRecordIsWritten),
		TEST(host_bus_refuses_nothingIsForgotten),
		TEST(host_bus_refusesEveryRecordOnce_allComeInOrder),
		TEST(host_bus_refusesFullCounter_staysUntilItCanBeWritten),
		TEST(host_bus_absent_refuses),
		TEST(host_bus_refused_otherRingWorks),
		TEST(host_reset_forgetsRingAndError),
		TEST(host_anyPaceAnyBus_writesTheOraclesStream),
	};

	return cmocka_run_group_tests_name("host_ring", tests, NULL, NULL);
}
