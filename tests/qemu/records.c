/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: received records and expected records.
 */
#include <endian.h>
#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/field.h>

#include "emu/card/card.h"
#include "tests/qemu/qemu.h"
#include "tests/qemu/records.h"

#define HOST_BASE 0x100000ULL

void records_append(struct records *records, const struct smile_record *record)
{
	if (records->count == records->capacity) {
		records->capacity = records->capacity ? 2 * records->capacity : 4096;
		records->record =
			realloc(records->record, records->capacity * sizeof(*records->record));
		if (!records->record)
			err(1, "records");
	}
	records->record[records->count++] = *record;
}

uint32_t records_word(const struct records *records, size_t i, int word)
{
	return le32toh(records->record[i].word[word]);
}

uint32_t records_kind(const struct records *records, size_t i)
{
	return SMILE_GET(SMILE_RECORD_KIND, records_word(records, i, 0));
}

uint64_t records_clock(const struct records *records, size_t i)
{
	return records_word(records, i, 2) | (uint64_t)records_word(records, i, 3) << 32;
}

size_t records_of(const struct records *records, uint32_t kind)
{
	size_t i, found = 0;

	for (i = 0; i < records->count; i++)
		found += records_kind(records, i) == kind;
	return found;
}

static uint64_t counts_of(const struct records *records, uint32_t kind)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < records->count; i++) {
		if (records_kind(records, i) == kind)
			sum += SMILE_GET(SMILE_RECORD_COUNT, records_word(records, i, 0));
	}
	return sum;
}

uint64_t records_counted(const struct records *records)
{
	return counts_of(records, SMILE_KIND_DYNAMIC);
}

uint64_t records_static(const struct records *records)
{
	return counts_of(records, SMILE_KIND_STATIC) + counts_of(records, SMILE_KIND_OVERFLOW);
}

uint64_t records_lost(const struct records *records)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < records->count; i++) {
		if (records_kind(records, i) == SMILE_KIND_LOST)
			sum += records_word(records, i, 2) | (uint64_t)records_word(records, i, 3)
								     << 32;
	}
	return sum;
}

uint64_t records_marks_lost(const struct records *records)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < records->count; i++) {
		if (records_kind(records, i) == SMILE_KIND_LOST)
			sum += records_word(records, i, 1);
	}
	return sum;
}

void records_compare(const char *what, const struct records *found, const struct records *expected)
{
	size_t i;

	for (i = 0; i < found->count && i < expected->count; i++) {
		if (memcmp(&found->record[i], &expected->record[i], SMILE_RECORD_BYTES))
			errx(1,
			     "%s: record %zu of %zu is %08" PRIx32 " %08" PRIx32 " %08" PRIx32
			     " %08" PRIx32 ", expected %08" PRIx32 " %08" PRIx32 " %08" PRIx32
			     " %08" PRIx32,
			     what, i, found->count, records_word(found, i, 0),
			     records_word(found, i, 1), records_word(found, i, 2),
			     records_word(found, i, 3), records_word(expected, i, 0),
			     records_word(expected, i, 1), records_word(expected, i, 2),
			     records_word(expected, i, 3));
	}
	if (found->count != expected->count)
		errx(1, "%s: %zu records, expected %zu", what, found->count, expected->count);
}

/* ---- a card in this process ---- */

static uint32_t ram[SMILE_RING_WORDS];
static struct smile_record host[SMILE_DMA_RECORDS_MIN];
static struct card card;

static bool host_write(void *opaque, uint64_t address, const void *data, size_t bytes)
{
	expect("bytes of a record", bytes, SMILE_RECORD_BYTES);
	expect("alignment of a record", address % SMILE_RECORD_BYTES, 0);
	if (address < HOST_BASE || address >= HOST_BASE + sizeof(host))
		errx(1, "a record at 0x%" PRIx64, address);
	memcpy(&host[(address - HOST_BASE) / SMILE_RECORD_BYTES], data, bytes);
	return true;
}

static const struct card_ops ops = {.dma_write = host_write};

static void put(void *opaque, uint32_t offset, uint32_t value)
{
	card_mmio_write(&card, offset, value);
}

static void begin(const struct setup *setup)
{
	if (setup->host_records > SMILE_DMA_RECORDS_MIN)
		errx(1, "no ring of %" PRIu32 " records here", setup->host_records);
	card_init(&card, ram, &ops, NULL);
	put(NULL, SMILE_REG_NODE, NODE);
	setup_write(setup, HOST_BASE, put, NULL);
	expect("refused writes", card_mmio_read(&card, SMILE_REG_STATUS), 0);
	put(NULL, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
}

static void drain(const struct setup *setup, struct records *records)
{
	uint32_t read_reg = setup->host_records ? SMILE_REG_DMA_READ : SMILE_REG_RING_READ;
	uint32_t read = card_mmio_read(&card, read_reg), write;
	struct smile_record record;

	if (setup->host_records) {
		write = card_mmio_read(&card, SMILE_REG_DMA_WRITE);
		for (; read != write; read++)
			records_append(records, &host[read % setup->host_records]);
	} else {
		write = card_mmio_read(&card, SMILE_REG_RING_WRITE);
		for (; read != write; read = (read + SMILE_RECORD_WORDS) & SMILE_RING_POINTER) {
			memcpy(&record, ram + read % SMILE_RING_WORDS, sizeof(record));
			records_append(records, &record);
		}
	}
	put(NULL, read_reg, read);
}

/* Advance the card to @time_ns. Can it accept a frame then without any loss? */
static bool ready(uint64_t time_ns)
{
	return card_ready(&card) && card_advance(&card, time_ns) && card_ready(&card);
}

void records_expect(struct records *records, const struct setup *setup,
		    const struct traffic *traffic)
{
	uint64_t frame[TRAFFIC_FRAME_BYTES / 8];
	uint32_t i, full = 0;

	memset(records, 0, sizeof(*records));
	begin(setup);
	for (i = traffic->first; i < traffic->first + traffic->count; i++) {
		while (!ready(traffic_time(traffic, i))) {
			if (++full == setup->swap_when_full) {
				put(NULL, SMILE_REG_COMMAND,
				    SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC);
				put(NULL, SMILE_REG_EVENT, 9);
			}
			drain(setup, records);
		}
		traffic_frame(traffic, i, frame);
		card_blink_packet(&card, frame, sizeof(frame));
	}
	drain(setup, records);
	put(NULL, SMILE_REG_CONTROL, 0);
	put(NULL, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC);
	while (card_mmio_read(&card, SMILE_REG_STATUS) & SMILE_STATUS_SWAPPING)
		drain(setup, records);
	drain(setup, records);
}

void records_expect_quiet(struct records *records, const struct setup *setup, uint64_t start_ns,
			  uint64_t end_ns)
{
	memset(records, 0, sizeof(*records));
	begin(setup);
	card_tick(&card, start_ns);
	while (!ready(end_ns))
		drain(setup, records);
	drain(setup, records);
}
