/* SPDX-License-Identifier: MIT */
/*
 * Source "emu:": a card in this process.
 *
 * What lives here: the surroundings of emu/card in the library: its ring memory, a capture that
 * feeds it, and a backlog, so that a caller who passes packets one by one and takes records in
 * later loses nothing. May use emu/card/card.h. The card is driven through its registers like by
 * any driver, and packets are passed only while it is ready, so that the records are those of a
 * card whose ring is always drained in time.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "emu/card/card.h"
#include "lib/capture.h"
#include "lib/error.h"
#include "lib/source.h"

/**
 * struct emu_source - A card, what feeds it, and what came out.
 * @base: first
 * @card: the card
 * @ram: its dual-ported RAM
 * @capture: where packets come from, NULL if from Monitor_packet()
 * @capture_error: what reading the capture ended with
 * @ended: the capture is read to its end
 * @backlog: records taken from the ring and not yet handed out, [@backlog_size]
 * @backlog_first: next to hand out
 * @backlog_count: how many
 */
struct emu_source {
	struct smile_source base;
	struct card card;
	uint32_t ram[SMILE_RING_WORDS];
	struct Monitor_capture *capture;
	int capture_error;
	int ended;
	struct smile_record *backlog;
	size_t backlog_size;
	size_t backlog_first;
	size_t backlog_count;
};

static struct emu_source *emu_of(struct smile_source *source)
{
	return (struct emu_source *)source;
}

static int emu_open(struct smile_source **out, const char *rest)
{
	struct emu_source *emu = calloc(1, sizeof(*emu));
	int error;

	if (!emu)
		return smile_error(ENOMEM, "no memory for an emulated card");
	emu->base.ops = &smile_source_emu;
	if (*rest) {
		error = Monitor_capture_open(&emu->capture, rest);
		if (error < 0) {
			free(emu);
			return error;
		}
	}
	card_init(&emu->card, emu->ram, NULL, NULL);
	card_link(&emu->card, true);
	*out = &emu->base;
	return 0;
}

static void emu_close(struct smile_source *source)
{
	struct emu_source *emu = emu_of(source);

	Monitor_capture_close(emu->capture);
	free(emu->backlog);
	free(emu);
}

static uint64_t read_count(struct card *card, uint32_t offset)
{
	uint64_t low = card_mmio_read(card, offset);

	return low | (uint64_t)card_mmio_read(card, offset + 4) << 32;
}

/* Move up to @capacity records out of the card's ring. Return: how many. */
static size_t ring_take(struct emu_source *emu, struct smile_record *records, size_t capacity)
{
	struct card *card = &emu->card;
	uint32_t read = card_mmio_read(card, SMILE_REG_RING_READ);
	uint32_t write = card_mmio_read(card, SMILE_REG_RING_WRITE);
	size_t count = ((write - read) & SMILE_RING_POINTER) / SMILE_RECORD_WORDS;

	if (count > capacity)
		count = capacity;
	for (size_t i = 0; i < count; i++) {
		memcpy(&records[i], &emu->ram[read % SMILE_RING_WORDS], SMILE_RECORD_BYTES);
		read = (read + SMILE_RECORD_WORDS) & SMILE_RING_POINTER;
	}
	if (count)
		card_mmio_write(card, SMILE_REG_RING_READ, read);
	return count;
}

/* Move all that the card's ring holds into the backlog. */
static int backlog_fill(struct emu_source *emu)
{
	size_t need = emu->backlog_count + SMILE_RING_WORDS / SMILE_RECORD_WORDS;
	struct smile_record *larger;

	if (emu->backlog_first) {
		memmove(emu->backlog, emu->backlog + emu->backlog_first,
			emu->backlog_count * sizeof(*emu->backlog));
		emu->backlog_first = 0;
	}
	if (need > emu->backlog_size) {
		larger = realloc(emu->backlog, 2 * need * sizeof(*larger));
		if (!larger)
			return smile_error(ENOMEM,
					   "no memory to keep %zu records: take them in "
					   "with Monitor_poll() more often",
					   emu->backlog_count);
		emu->backlog = larger;
		emu->backlog_size = 2 * need;
	}
	emu->backlog_count += ring_take(emu, emu->backlog + emu->backlog_count,
					emu->backlog_size - emu->backlog_count);
	return 0;
}

static size_t backlog_take(struct emu_source *emu, struct smile_record *records, size_t capacity)
{
	size_t count = emu->backlog_count < capacity ? emu->backlog_count : capacity;

	if (count)
		memcpy(records, emu->backlog + emu->backlog_first, count * sizeof(*records));
	emu->backlog_first += count;
	emu->backlog_count -= count;
	return count;
}

static int emu_packet(struct smile_source *source, const void *frame, size_t bytes,
		      uint64_t time_ns)
{
	struct emu_source *emu = emu_of(source);
	int error;

	if (emu->capture)
		return smile_error(EOPNOTSUPP,
				   "this emulated card is fed from a capture: open \"emu:\" "
				   "to pass packets yourself");
	if (!card_ready(&emu->card) && (emu->card.control & SMILE_CONTROL_ENABLE)) {
		error = backlog_fill(emu);
		if (error < 0)
			return error;
	}
	card_tick(&emu->card, time_ns);
	card_blink_packet(&emu->card, frame, bytes);
	return 0;
}

/* Pass frames of the capture until the ring is full or the capture has ended. */
static void feed(struct emu_source *emu)
{
	const void *frame;
	uint64_t time_ns;
	size_t bytes;
	int got;

	while (card_ready(&emu->card)) {
		got = Monitor_capture_read(emu->capture, &frame, &bytes, &time_ns);
		if (got <= 0) {
			emu->ended = 1;
			emu->capture_error = got;
			card_link(&emu->card, false);
			return;
		}
		card_tick(&emu->card, time_ns);
		card_blink_packet(&emu->card, frame, bytes);
	}
}

static int emu_read(struct smile_source *source, struct smile_record *records, size_t capacity,
		    int timeout_ms)
{
	struct emu_source *emu = emu_of(source);
	size_t count = backlog_take(emu, records, capacity);
	int error = 0;

	count += ring_take(emu, records + count, capacity - count);
	while (count < capacity && emu->capture && !emu->ended && card_ready(&emu->card)) {
		feed(emu);
		count += ring_take(emu, records + count, capacity - count);
	}
	if (count == 0 && emu->capture_error) {
		error = emu->capture_error;
		emu->capture_error = 0;
		return error;
	}
	return (int)count;
}

static int emu_info(struct smile_source *source, struct smile_info *info)
{
	struct card *card = &emu_of(source)->card;
	uint32_t capability = card_mmio_read(card, SMILE_REG_CAPABILITY);
	uint32_t status = card_mmio_read(card, SMILE_REG_STATUS);

	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	info->abi = SMILE_ABI_VERSION;
	info->card_version = card_mmio_read(card, SMILE_REG_VERSION);
	info->entries_max = SMILE_GET(SMILE_CAPABILITY_ENTRIES, capability);
	info->static_counters = SMILE_GET(SMILE_CAPABILITY_STATIC, capability);
	info->card_ring_words = 1U << SMILE_GET(SMILE_CAPABILITY_RING, capability);
	info->status = SMILE_INFO_OWNED;
	if (card_mmio_read(card, SMILE_REG_CONTROL) & SMILE_CONTROL_ENABLE)
		info->status |= SMILE_INFO_RUNNING;
	if (status & SMILE_STATUS_LINK)
		info->status |= SMILE_INFO_LINK;
	info->config.size = sizeof(info->config);
	info->config.node = card_mmio_read(card, SMILE_REG_NODE);
	info->config.filter = card_mmio_read(card, SMILE_REG_FILTER);
	info->config.mode = card_mmio_read(card, SMILE_REG_MODE);
	info->config.max_range_bytes = card_mmio_read(card, SMILE_REG_MAX_RANGE);
	info->config.entries = card_mmio_read(card, SMILE_REG_ENTRIES);
	info->config.phase_events = card_mmio_read(card, SMILE_REG_PHASE_EVENTS);
	return 0;
}

/* SWAP_OUT to the end, whatever the ring's size: into the backlog. */
static int swap_all(struct emu_source *emu)
{
	int error;

	card_mmio_write(&emu->card, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP);
	do {
		error = backlog_fill(emu);
		if (error < 0)
			return error;
	} while (card_mmio_read(&emu->card, SMILE_REG_STATUS) & SMILE_STATUS_SWAPPING);
	return backlog_fill(emu);
}

static int emu_configure(struct smile_source *source, const struct smile_config *config)
{
	struct card *card = &emu_of(source)->card;
	int error;

	if (card_mmio_read(card, SMILE_REG_CONTROL) & SMILE_CONTROL_ENABLE)
		return smile_error(EBUSY, "the card is running: stop it before it is configured");
	error = swap_all(emu_of(source));
	if (error < 0)
		return error;
	card_mmio_write(card, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	card_mmio_write(card, SMILE_REG_NODE, config->node);
	card_mmio_write(card, SMILE_REG_FILTER, config->filter);
	card_mmio_write(card, SMILE_REG_MODE, config->mode);
	card_mmio_write(card, SMILE_REG_MAX_RANGE, config->max_range_bytes);
	card_mmio_write(card, SMILE_REG_ENTRIES, config->entries);
	card_mmio_write(card, SMILE_REG_PHASE_EVENTS, config->phase_events);
	if (card_mmio_read(card, SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE)
		return smile_error(EIO,
				   "the emulated card refused a configuration that was checked");
	return 0;
}

static int emu_start(struct smile_source *source)
{
	card_mmio_write(&emu_of(source)->card, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	return 0;
}

static int emu_stop(struct smile_source *source)
{
	card_mmio_write(&emu_of(source)->card, SMILE_REG_CONTROL, 0);
	return 0;
}

static int emu_swap(struct smile_source *source)
{
	return swap_all(emu_of(source));
}

static int emu_event(struct smile_source *source, unsigned int event)
{
	struct emu_source *emu = emu_of(source);
	int error = backlog_fill(emu);

	if (error < 0)
		return error;
	card_mmio_write(&emu->card, SMILE_REG_EVENT, event);
	return backlog_fill(emu);
}

static int emu_ended(struct smile_source *source)
{
	struct emu_source *emu = emu_of(source);

	return emu->ended && !emu->backlog_count && !emu->capture_error &&
	       card_mmio_read(&emu->card, SMILE_REG_RING_READ) ==
		       card_mmio_read(&emu->card, SMILE_REG_RING_WRITE);
}

static int emu_statistics(struct smile_source *source, struct smile_statistics *statistics)
{
	struct card *card = &emu_of(source)->card;
	struct smile_info info;

	emu_info(source, &info);
	*statistics = (struct smile_statistics){
		.size = sizeof(*statistics),
		.status = info.status,
		.packets_seen = read_count(card, SMILE_REG_COUNT_SEEN),
		.packets_malformed = read_count(card, SMILE_REG_COUNT_MALFORMED),
		.packets_unmatched = read_count(card, SMILE_REG_COUNT_UNMATCHED),
		.packets_filtered = read_count(card, SMILE_REG_COUNT_FILTERED),
		.packets_event = read_count(card, SMILE_REG_COUNT_EVENT),
		.events_accepted = read_count(card, SMILE_REG_COUNT_ACCEPTED),
		.events_lost = read_count(card, SMILE_REG_COUNT_LOST),
		.events_delivered = read_count(card, SMILE_REG_COUNT_DELIVERED),
		.marks_lost = read_count(card, SMILE_REG_COUNT_MARKS_LOST),
		.extensions = read_count(card, SMILE_REG_COUNT_EXTENSIONS),
		.records_written = read_count(card, SMILE_REG_COUNT_RECORDS),
		.clock_ns = read_count(card, SMILE_REG_CLOCK),
	};
	return 0;
}

static int emu_fd(struct smile_source *source)
{
	struct emu_source *emu = emu_of(source);

	return emu->capture ? smile_capture_fd(emu->capture) : -1;
}

const struct smile_source_ops smile_source_emu = {
	.prefix = "emu",
	.open = emu_open,
	.close = emu_close,
	.info = emu_info,
	.configure = emu_configure,
	.start = emu_start,
	.stop = emu_stop,
	.swap = emu_swap,
	.event = emu_event,
	.packet = emu_packet,
	.read = emu_read,
	.ended = emu_ended,
	.statistics = emu_statistics,
	.fd = emu_fd,
};
