/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* See card_fixture.h. May use cmocka, emu/card/card.h, include/ and the C library. */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/card/card_fixture.h"

#define FIXTURE_UNWRITTEN 0xa5

static void fixture_interrupt(void *opaque, bool level)
{
	struct fixture *fx = opaque;

	fx->edges++;
	fx->repeats += level == fx->level;
	fx->level = level;
}

/* The card must write a whole record at a time, and must not overwrite an unread record. */
static bool fixture_dma_write(void *opaque, uint64_t address, const void *data, size_t bytes)
{
	struct fixture *fx = opaque;
	uint64_t place = address - fx->memory_base;

	fx->bus_tries++;
	if (fx->bus_refuses && !fx->bus_passes)
		return false;
	fx->bus_passes -= fx->bus_refuses;
	assert_int_equal(bytes, SMILE_RECORD_BYTES);
	assert_int_equal(place % SMILE_RECORD_BYTES, 0);
	assert_true(place / SMILE_RECORD_BYTES < fx->memory_records);
	for (unsigned int i = 0; i < SMILE_RECORD_BYTES; i++)
		assert_int_equal(fx->memory[place + i], FIXTURE_UNWRITTEN);
	memcpy(&fx->memory[place], data, bytes);
	return true;
}

static void fixture_latency(void *opaque, uint32_t us)
{
	struct fixture *fx = opaque;

	fx->latency_us = us;
	fx->latency_calls++;
}

static const struct card_ops fixture_ops = {
	.interrupt = fixture_interrupt,
	.dma_write = fixture_dma_write,
	.latency = fixture_latency,
};

int fixture_setup(void **state)
{
	struct fixture *fx = calloc(1, sizeof(*fx));

	if (!fx)
		return -1;
	/* Fill the memory with a pattern: card_init() must not depend on its contents. */
	memset(&fx->card, 0xa5, sizeof(fx->card));
	memset(fx->ram, 0xa5, sizeof(fx->ram));
	card_init(&fx->card, fx->ram, &fixture_ops, fx);
	*state = fx;
	return 0;
}

int fixture_teardown(void **state)
{
	struct fixture *fx = *state;

	stream_free(&fx->drained);
	free(fx->memory);
	free(fx);
	return 0;
}

struct smile_config fixture_defaults(void)
{
	return (struct smile_config){
		.size = sizeof(struct smile_config),
		.filter = SMILE_FILTER_DEFAULT,
		.mode = SMILE_MODE_DEFAULT,
		.max_range_bytes = SMILE_MAX_RANGE_DEFAULT,
		.entries = SMILE_ENTRIES_DEFAULT,
	};
}

void fixture_configure(struct fixture *fx, const struct smile_config *config)
{
	fixture_set(fx, SMILE_REG_NODE, config->node);
	fixture_set(fx, SMILE_REG_FILTER, config->filter);
	fixture_set(fx, SMILE_REG_MODE, config->mode);
	fixture_set(fx, SMILE_REG_MAX_RANGE, config->max_range_bytes);
	fixture_set(fx, SMILE_REG_ENTRIES, config->entries);
	fixture_set(fx, SMILE_REG_PHASE_EVENTS, config->phase_events);
	fixture_set(fx, SMILE_REG_TIMER_PERIOD, config->timer_us);
	fixture_set(fx, SMILE_REG_TIMER_EVENT, config->timer_event);
	fixture_set(fx, SMILE_REG_TIME_PERIOD, config->time_us);
	fixture_set(fx, SMILE_REG_RING_WATERMARK, config->watermark_records);
	fixture_set(fx, SMILE_REG_RING_LATENCY, config->latency_us);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE, 0);
}

void fixture_start(struct fixture *fx, const struct smile_config *config)
{
	fixture_configure(fx, config);
	fixture_set(fx, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
}

void fixture_host_ring(struct fixture *fx, uint64_t base, uint32_t records, uint32_t first)
{
	size_t bytes = (size_t)records * SMILE_RECORD_BYTES;

	free(fx->memory);
	fx->memory = malloc(bytes);
	assert_non_null(fx->memory);
	memset(fx->memory, FIXTURE_UNWRITTEN, bytes);
	fx->memory_base = base;
	fx->memory_records = records;
	fixture_set(fx, SMILE_REG_DMA_BASE_LOW, (uint32_t)base);
	fixture_set(fx, SMILE_REG_DMA_BASE_HIGH, (uint32_t)(base >> 32));
	fixture_set(fx, SMILE_REG_DMA_SIZE, records);
	fixture_set(fx, SMILE_REG_DMA_READ, first);
	fixture_set(fx, SMILE_REG_DMA_WRITE, first);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE, 0);
}

uint32_t fixture_get(struct fixture *fx, uint32_t offset)
{
	return card_mmio_read(&fx->card, offset);
}

void fixture_set(struct fixture *fx, uint32_t offset, uint32_t value)
{
	card_mmio_write(&fx->card, offset, value);
}

uint64_t fixture_counter(struct fixture *fx, uint32_t offset)
{
	uint64_t low = fixture_get(fx, offset);

	return low | (uint64_t)fixture_get(fx, offset + 4) << 32;
}

size_t fixture_frame(uint64_t *words, unsigned int command, unsigned int source,
		     unsigned int target, unsigned int transaction, uint64_t bd2)
{
	words[0] = htole64((uint64_t)transaction << 48 | (uint64_t)target << 32 |
			   (uint64_t)command << 16 | source);
	words[1] = htole64(bd2);
	words[2] = 0;
	return 3 * BLINK_WORD_BYTES;
}

void fixture_packet(struct fixture *fx, unsigned int command, unsigned int source,
		    unsigned int target, unsigned int transaction, uint64_t bd2)
{
	uint64_t words[3];
	size_t bytes = fixture_frame(words, command, source, target, transaction, bd2);

	card_blink_packet(&fx->card, words, bytes);
}

void fixture_read(struct fixture *fx, unsigned int source, unsigned int target, uint64_t address)
{
	fixture_packet(fx, BLINK_READSB + 3, source, target, 0, address);
}

void fixture_write(struct fixture *fx, unsigned int source, unsigned int target, uint64_t address)
{
	fixture_packet(fx, BLINK_WRITESB + 3, source, target, 0, address);
}

void fixture_lock(struct fixture *fx, unsigned int source, unsigned int target, uint64_t address)
{
	fixture_packet(fx, BLINK_LOCKSB + 3, source, target, 0, address);
}

void fixture_event00(struct fixture *fx, unsigned int source, unsigned int event)
{
	fixture_packet(fx, BLINK_EVENT00, source, 0, 0, event);
}

static bool fixture_hosted(struct fixture *fx)
{
	return fixture_get(fx, SMILE_REG_MODE) & SMILE_MODE_HOST_RING;
}

unsigned int fixture_capacity(struct fixture *fx)
{
	return fixture_hosted(fx) ? fx->memory_records : FIXTURE_RING_RECORDS;
}

unsigned int fixture_unread(struct fixture *fx)
{
	uint32_t records;

	if (fixture_hosted(fx)) {
		records =
			fixture_get(fx, SMILE_REG_DMA_WRITE) - fixture_get(fx, SMILE_REG_DMA_READ);
	} else {
		uint32_t words = fixture_get(fx, SMILE_REG_RING_WRITE) -
				 fixture_get(fx, SMILE_REG_RING_READ);

		words %= 2 * SMILE_RING_WORDS;
		assert_int_equal(words % SMILE_RECORD_WORDS, 0);
		records = words / SMILE_RECORD_WORDS;
	}
	assert_true(records <= fixture_capacity(fx));
	return records;
}

/* Read record number @record of the current ring. */
static void fixture_take_one(struct fixture *fx, bool hosted, uint32_t record)
{
	uint32_t words[SMILE_RECORD_WORDS];
	struct decoded_record decoded;

	if (hosted) {
		uint8_t *slot =
			&fx->memory[(size_t)(record % fx->memory_records) * SMILE_RECORD_BYTES];

		memcpy(words, slot, sizeof(words));
		memset(slot, FIXTURE_UNWRITTEN, SMILE_RECORD_BYTES);
	} else {
		memcpy(words, &fx->ram[record % FIXTURE_RING_RECORDS * SMILE_RECORD_WORDS],
		       sizeof(words));
	}
	for (unsigned int i = 0; i < SMILE_RECORD_WORDS; i++)
		words[i] = le32toh(words[i]);
	decoded_record_read(&decoded, words);
	stream_add(&fx->drained, &decoded);
}

/* Read up to @records records from the current ring, and then advance the read pointer once. */
unsigned int fixture_take(struct fixture *fx, unsigned int records)
{
	bool hosted = fixture_hosted(fx);
	unsigned int unread = fixture_unread(fx);
	unsigned int taken = records < unread ? records : unread;
	uint32_t first = hosted ? fixture_get(fx, SMILE_REG_DMA_READ)
				: fixture_get(fx, SMILE_REG_RING_READ) / SMILE_RECORD_WORDS;

	for (unsigned int i = 0; i < taken; i++)
		fixture_take_one(fx, hosted, first + i);
	first += taken;
	if (hosted)
		fixture_set(fx, SMILE_REG_DMA_READ, first);
	else
		fixture_set(fx, SMILE_REG_RING_READ,
			    first * SMILE_RECORD_WORDS % (2 * SMILE_RING_WORDS));
	return taken;
}

/* Read until the ring is empty. Meanwhile, the card writes the records that waited for room. */
void fixture_drain(struct fixture *fx)
{
	while (fixture_take(fx, fixture_capacity(fx)) > 0)
		;
}

void fixture_swap(struct fixture *fx)
{
	fixture_set(fx, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP);
}

void fixture_swap_static(struct fixture *fx)
{
	fixture_set(fx, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP_STATIC);
}

/*
 * Fill the ring with records, until there is room for @room more records. Each event is on a new
 * page. If the table was empty, the n-th page is at index n modulo ENTRIES, since the entry that
 * was freed last is filled next.
 */
void fixture_fill(struct fixture *fx, unsigned int room)
{
	while (fixture_unread(fx) < fixture_capacity(fx) - room)
		fixture_read(fx, FIXTURE_FILL_SOURCE, 0,
			     (FIXTURE_FILL_PAGE + fx->filled++) * SMILE_PAGE_BYTES);
}

/* Skip @records records. The test fails if there are fewer. */
void fixture_skip(struct fixture *fx, size_t records)
{
	while (fx->drained.count - fx->checked < records)
		assert_int_equal(fixture_take(fx, 1), 1);
	fx->checked += records;
}

/* The next record must have this text. It is read from the ring if it was not read before. */
void fixture_expect(struct fixture *fx, const char *format, ...)
{
	char expected[DECODED_RECORD_TEXT_BYTES];
	char actual[DECODED_RECORD_TEXT_BYTES] = "no record";
	va_list args;

	va_start(args, format);
	vsnprintf(expected, sizeof(expected), format, args);
	va_end(args);

	if (fx->checked == fx->drained.count)
		fixture_take(fx, 1);
	if (fx->checked < fx->drained.count)
		decoded_record_print(&fx->drained.records[fx->checked++], actual);
	assert_string_equal(actual, expected);
}

/* No further record arrives. */
void fixture_expect_none(struct fixture *fx)
{
	char actual[DECODED_RECORD_TEXT_BYTES] = "no record";

	fixture_drain(fx);
	if (fx->checked < fx->drained.count)
		decoded_record_print(&fx->drained.records[fx->checked], actual);
	assert_string_equal(actual, "no record");
}

void fixture_expect_counter(struct fixture *fx, uint32_t offset, uint64_t value)
{
	assert_int_equal(fixture_counter(fx, offset), value);
}

/* The write must set STATUS.BAD_WRITE, and change nothing else. Then clear this bit. */
void fixture_expect_refused(struct fixture *fx, uint32_t offset, uint32_t value)
{
	uint32_t before[SMILE_REGS_BYTES / 4];

	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE, 0);
	for (uint32_t i = 0; i < SMILE_REGS_BYTES / 4; i++)
		before[i] = fixture_get(fx, i * 4);
	before[SMILE_REG_STATUS / 4] |= SMILE_STATUS_BAD_WRITE;

	fixture_set(fx, offset, value);
	for (uint32_t i = 0; i < SMILE_REGS_BYTES / 4; i++)
		assert_int_equal(fixture_get(fx, i * 4), before[i]);

	fixture_set(fx, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE, 0);
}

/*
 * Swap all entries out, read all records, and check the sums. Each frame is counted by one counter.
 * The number of accepted frames is the sum of the records' counts and the losses. The reported
 * losses equal the counted losses.
 */
void fixture_expect_account(struct fixture *fx)
{
	uint64_t delivered = 0, counted = 0, lost = 0, marks_lost = 0;

	/*
	 * Swap twice: if an earlier swap has not ended, the card combines the first swap with it.
	 */
	for (unsigned int i = 0; i < 2; i++) {
		fixture_set(fx, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC);
		fixture_drain(fx);
	}
	assert_int_equal(
		fixture_get(fx, SMILE_REG_STATUS) &
			(SMILE_STATUS_SWAPPING | SMILE_STATUS_OCCUPIED | SMILE_STATUS_FULL),
		0);

	for (size_t i = 0; i < fx->drained.count; i++) {
		const struct decoded_record *record = &fx->drained.records[i];

		assert_int_equal(record->dirty, 0);
		if (record->kind == SMILE_KIND_DYNAMIC)
			delivered += record->count;
		if (record->kind == SMILE_KIND_STATIC || record->kind == SMILE_KIND_OVERFLOW)
			counted += record->count;
		lost += record->lost;
		marks_lost += record->marks_lost;
	}
	fixture_expect_counter(fx, SMILE_REG_COUNT_RECORDS, fx->drained.count);
	fixture_expect_counter(fx, SMILE_REG_COUNT_DELIVERED, delivered);
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, lost);
	fixture_expect_counter(fx, SMILE_REG_COUNT_MARKS_LOST, marks_lost);
	fixture_expect_counter(fx, SMILE_REG_COUNT_ACCEPTED, delivered + lost);
	fixture_expect_counter(fx, SMILE_REG_COUNT_STATIC_DELIVERED, counted);
	fixture_expect_counter(fx, SMILE_REG_COUNT_STATIC, counted);
	fixture_expect_counter(fx, SMILE_REG_COUNT_SEEN,
			       fixture_counter(fx, SMILE_REG_COUNT_MALFORMED) +
				       fixture_counter(fx, SMILE_REG_COUNT_UNMATCHED) +
				       fixture_counter(fx, SMILE_REG_COUNT_FILTERED) +
				       fixture_counter(fx, SMILE_REG_COUNT_EVENT) +
				       fixture_counter(fx, SMILE_REG_COUNT_ACCEPTED));
}

void fixture_expect_stream(const struct stream *actual, const struct stream *expected)
{
	for (size_t i = 0; i < actual->count && i < expected->count; i++) {
		char is[DECODED_RECORD_TEXT_BYTES];
		char should[DECODED_RECORD_TEXT_BYTES];

		if (memcmp(&actual->records[i], &expected->records[i],
			   sizeof(struct decoded_record)) == 0)
			continue;
		decoded_record_print(&actual->records[i], is);
		decoded_record_print(&expected->records[i], should);
		print_error("record %zu:\n", i);
		assert_string_equal(is, should);
		fail_msg("records differ in what is not printed");
	}
	assert_int_equal(actual->count, expected->count);
}

uint32_t fixture_random(uint64_t *seed, uint32_t below)
{
	/* Generator xorshift64*. The state must not be zero. */
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return (*seed * 2685821657736338717ULL >> 32) % below;
}
