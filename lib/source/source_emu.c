/* SPDX-License-Identifier: MIT */
/*
 * Source "emu:": an emulated card in this process.
 *
 * What lives here: the code that runs the model of the card, emu/card, in the library. It provides
 * the memory for the ring on the card and for the ring in host memory, and reads the capture that
 * feeds the card. It keeps records in a backlog, so that no record is lost if a caller passes
 * packets one by one and reads records later. May use emu/card/card.h. Like any driver, this source
 * drives the card through its registers. It passes packets and advances time only while the card is
 * ready. For this reason, the records are the same as those of a card whose ring is always drained
 * in time.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include <base/field.h>

#include "emu/card/card.h"
#include "lib/source/backlog.h"
#include "lib/source/capture.h"
#include "lib/base/deadline.h"
#include "lib/base/error.h"
#include "lib/source/registers.h"
#include "lib/source/source.h"

/* The ring in host memory: its bus address, and the number of its records. */
#define HOST_BASE 0x100000000ULL
#define HOST_RECORDS 4096U

/* The number of frames of a capture that are read together. */
#define FRAMES_MAX 256
/*
 * After this number of batches of frames from a pipe, a read returns to the caller. These batches
 * contain more frames than a pipe can hold, and take at most some milliseconds.
 */
#define PIPE_BATCHES 256

/**
 * struct emu_source - A card, its input, and its output.
 * @base: base of every source; it must be the first member
 * @card: the card
 * @registers: functions that access the card's registers
 * @ram: dual-ported RAM of the card
 * @host: the ring in host memory
 * @capture: source of packets; NULL: the caller passes packets by Monitor_packet()
 * @frames: frames that were read from the capture; frames @frames_first to @frames_count - 1 were
 *          not passed to the card yet
 * @frames_words: for each element of @frames, the words that the card reads
 * @frames_first: index of the next frame to pass
 * @frames_count: one past the index of the last frame
 * @capture_over: the capture was read to its end
 * @capture_error: the error that ended the capture
 * @ended: all frames of the capture were passed
 * @backlog: records that were taken from the ring and not delivered yet
 */
struct emu_source {
	struct smile_source base;
	struct card card;
	struct smile_registers registers;
	uint32_t ram[SMILE_RING_WORDS];
	struct smile_record host[HOST_RECORDS];
	struct Monitor_capture *capture;
	struct card_frame frames[FRAMES_MAX];
	unsigned char frames_words[FRAMES_MAX][BLINK_WORDS_MIN * BLINK_WORD_BYTES];
	size_t frames_first;
	size_t frames_count;
	int capture_over;
	int capture_error;
	int ended;
	struct backlog backlog;
};

static struct emu_source *emu_of(struct smile_source *source)
{
	return (struct emu_source *)source;
}

/* Write to host memory on behalf of the card. The only host memory that exists is the ring. */
static bool host_write(void *opaque, uint64_t address, const void *data, size_t bytes)
{
	struct emu_source *emu = opaque;
	uint64_t offset = address - HOST_BASE;

	if (offset >= sizeof(emu->host) || bytes > sizeof(emu->host) - offset)
		return false;
	memcpy((char *)emu->host + offset, data, bytes);
	return true;
}

static const struct card_ops host_ops = {.dma_write = host_write};

static uint32_t registers_read(void *opaque, uint32_t offset)
{
	return card_mmio_read(opaque, offset);
}

static void registers_write(void *opaque, uint32_t offset, uint32_t value)
{
	card_mmio_write(opaque, offset, value);
}

static int emu_open(struct smile_source **out, const char *rest)
{
	struct emu_source *emu = calloc(1, sizeof(*emu));
	int error;

	if (!emu)
		return smile_error(ENOMEM, "no memory for an emulated card");
	emu->base.ops = &smile_source_emu;
	emu->registers = (struct smile_registers){registers_read, registers_write, &emu->card};
	if (*rest) {
		error = Monitor_capture_open(&emu->capture, rest);
		if (error < 0) {
			free(emu);
			return error;
		}
	}
	card_init(&emu->card, emu->ram, &host_ops, emu);
	card_link(&emu->card, true);
	*out = &emu->base;
	return 0;
}

static void emu_close(struct smile_source *source)
{
	struct emu_source *emu = emu_of(source);

	Monitor_capture_close(emu->capture);
	free(emu->backlog.records);
	free(emu);
}

static bool is_enabled(struct emu_source *emu)
{
	return card_mmio_read(&emu->card, SMILE_REG_CONTROL) & SMILE_CONTROL_ENABLE;
}

static bool uses_host_ring(struct emu_source *emu)
{
	return card_mmio_read(&emu->card, SMILE_REG_MODE) & SMILE_MODE_HOST_RING;
}

/*
 * Get the number of records in the ring that the card uses, which is on the card or in host memory.
 */
static size_t ring_waiting(struct emu_source *emu)
{
	struct card *card = &emu->card;

	if (uses_host_ring(emu))
		return card_mmio_read(card, SMILE_REG_DMA_WRITE) -
		       card_mmio_read(card, SMILE_REG_DMA_READ);
	return ((card_mmio_read(card, SMILE_REG_RING_WRITE) -
		 card_mmio_read(card, SMILE_REG_RING_READ)) &
		SMILE_RING_POINTER) /
	       SMILE_RECORD_WORDS;
}

/* Get the records in the ring that the card uses, up to the end of the ring's memory. */
static const struct smile_record *ring_span(struct emu_source *emu, size_t *count)
{
	struct card *card = &emu->card;
	const struct smile_record *ring = (const void *)emu->ram;
	size_t first = card_mmio_read(card, SMILE_REG_RING_READ) / SMILE_RECORD_WORDS;
	size_t size = SMILE_RING_WORDS / SMILE_RECORD_WORDS, behind;

	if (uses_host_ring(emu)) {
		ring = emu->host;
		first = card_mmio_read(card, SMILE_REG_DMA_READ);
		size = HOST_RECORDS;
	}
	first %= size;
	behind = size - first;
	*count = ring_waiting(emu);
	if (*count > behind)
		*count = behind;
	return ring + first;
}

/* Remove @count records from the ring. */
static void ring_done(struct emu_source *emu, size_t count)
{
	struct card *card = &emu->card;
	uint32_t read;

	if (uses_host_ring(emu)) {
		read = card_mmio_read(card, SMILE_REG_DMA_READ);
		card_mmio_write(card, SMILE_REG_DMA_READ, read + (uint32_t)count);
		return;
	}
	read = card_mmio_read(card, SMILE_REG_RING_READ);
	card_mmio_write(card, SMILE_REG_RING_READ,
			(read + (uint32_t)count * SMILE_RECORD_WORDS) & SMILE_RING_POINTER);
}

/*
 * Move up to @capacity records from the ring that the card uses to @records. Return: the number of
 * records.
 */
static size_t ring_take(struct emu_source *emu, struct smile_record *records, size_t capacity)
{
	size_t taken = 0, count;

	while (taken < capacity) {
		const struct smile_record *span = ring_span(emu, &count);

		if (!count)
			break;
		if (count > capacity - taken)
			count = capacity - taken;
		memcpy(records + taken, span, count * sizeof(*records));
		ring_done(emu, count);
		taken += count;
	}
	return taken;
}

/* Move all records from the ring that the card uses to the backlog. */
static int backlog_fill(struct emu_source *emu)
{
	size_t waiting = ring_waiting(emu);
	struct smile_record *room;

	if (!waiting)
		return 0;
	room = backlog_room(&emu->backlog, waiting);
	if (!room)
		return smile_error(ENOMEM,
				   "no memory to keep %zu records: take them in with "
				   "Monitor_poll() more often",
				   emu->backlog.count);
	emu->backlog.count += ring_take(emu, room, emu->backlog.size - emu->backlog.count);
	return 0;
}

/*
 * Empty the ring that the card uses: deliver its records immediately, or move them to the backlog.
 */
static int ring_clear(struct emu_source *emu)
{
	const struct smile_record *span;
	size_t count;

	/* If the backlog has records, they must be delivered before the records in the ring. */
	if (!emu->base.take || emu->backlog.count)
		return backlog_fill(emu);
	for (;;) {
		span = ring_span(emu, &count);
		if (!count)
			return 0;
		emu->base.take(emu->base.opaque, span, count);
		ring_done(emu, count);
	}
}

/*
 * Pass all frames to the card, unless memory for their records runs out. Return: the number of
 * passed frames.
 */
static size_t pass(struct emu_source *emu, const struct card_frame *frames, size_t count,
		   int *error)
{
	size_t passed = 0;

	for (;;) {
		passed += card_blink_packets(&emu->card, frames + passed, count - passed);
		if (passed == count)
			return passed;
		*error = ring_clear(emu);
		if (*error < 0)
			return passed;
	}
}

/* Check that the caller, and not a capture, feeds the card. */
static int emu_fed(const struct emu_source *emu)
{
	if (!emu->capture)
		return 0;
	return smile_error(EOPNOTSUPP, "this emulated card is fed from a capture: open \"emu:\" "
				       "to pass packets yourself");
}

static int emu_packets(struct smile_source *source, const struct Monitor_frame *frames,
		       size_t count)
{
	struct emu_source *emu = emu_of(source);
	size_t passed = 0, ready, some;
	int error = emu_fed(emu);

	if (error < 0)
		return error;
	/* A stopped card counts nothing, so it loses nothing either. */
	if (!is_enabled(emu)) {
		if (count)
			card_tick(&emu->card, frames[count - 1].time_ns);
		return (int)count;
	}
	while (passed < count && !error) {
		for (some = 0; some < FRAMES_MAX && passed + some < count; some++)
			emu->frames[some] = (struct card_frame){
				.frame = frames[passed + some].frame,
				.bytes = frames[passed + some].bytes,
				.time_ns = frames[passed + some].time_ns,
			};
		ready = pass(emu, emu->frames, some, &error);
		passed += ready;
	}
	return passed ? (int)passed : error;
}

static int emu_requests(struct smile_source *source, const uint64_t *requests,
			const uint64_t *times_ns, size_t count)
{
	struct emu_source *emu = emu_of(source);
	size_t passed = 0;
	int error = emu_fed(emu);

	if (error < 0)
		return error;
	if (!is_enabled(emu)) {
		if (count)
			card_tick(&emu->card, times_ns[count - 1]);
		return (int)count;
	}
	for (;;) {
		passed += card_blink_requests(&emu->card, requests + passed, times_ns + passed,
					      count - passed);
		if (passed == count)
			break;
		error = ring_clear(emu);
		if (error < 0)
			break;
	}
	return passed ? (int)passed : error;
}

static int emu_counted(struct smile_source *source, uint64_t request, uint64_t count,
		       uint64_t time_ns, struct Monitor_record *event)
{
	struct emu_source *emu = emu_of(source);
	struct blink_event passed;

	if (!emu->base.take)
		return smile_error(EOPNOTSUPP, "requests are counted only for a recording: "
					       "call Monitor_record_only() first");
	/* The records that the card has already written must be delivered before the new count. */
	if (emu->backlog.count) {
		emu->base.take(emu->base.opaque, emu->backlog.records + emu->backlog.first,
			       emu->backlog.count);
		emu->backlog.count = 0;
	}
	if (ring_waiting(emu) && ring_clear(emu) < 0)
		return -ENOMEM;
	card_tick(&emu->card, time_ns);
	if (!card_blink_counted(&emu->card, request, count, &passed))
		return 0;
	*event = (struct Monitor_record){
		.kind = MONITOR_KIND_COUNT,
		.type = passed.type,
		.source = passed.source,
		.destination = passed.target,
		.address = passed.address,
	};
	return 1;
}

/* Read the next available frames of the capture. */
static void frames_read(struct emu_source *emu)
{
	emu->frames_first = 0;
	emu->frames_count = 0;
	while (!emu->capture_over && emu->frames_count < FRAMES_MAX &&
	       smile_capture_ready(emu->capture, 0) > 0) {
		unsigned char *words = emu->frames_words[emu->frames_count];
		struct card_frame *frame = &emu->frames[emu->frames_count];
		const void *bytes;
		int got;

		got = Monitor_capture_read(emu->capture, &bytes, &frame->bytes, &frame->time_ns);
		if (got <= 0) {
			emu->capture_over = 1;
			emu->capture_error = got;
			return;
		}
		memcpy(words, bytes,
		       frame->bytes < sizeof(emu->frames_words[0]) ? frame->bytes
								   : sizeof(emu->frames_words[0]));
		frame->frame = words;
		emu->frames_count++;
	}
}

/*
 * Pass frames of the capture until the ring is full or the capture has ended. If the capture is a
 * pipe, pass only a limited number of frames. Return: 1 if further frames can be passed
 * immediately; 0 if the next frames have not arrived yet, or no frames are left.
 */
static int feed(struct emu_source *emu)
{
	unsigned int batches = 0;

	for (;;) {
		emu->frames_first += card_blink_packets(&emu->card, emu->frames + emu->frames_first,
							emu->frames_count - emu->frames_first);
		if (emu->frames_first < emu->frames_count)
			return 1;
		if (emu->capture_over)
			break;
		frames_read(emu);
		if (!emu->frames_count && !emu->capture_over)
			return 0;
		/*
		 * The writer of a pipe may be faster than this loop. Return after some batches of
		 * frames, so that the caller can check the time.
		 */
		if (smile_capture_is_pipe(emu->capture) && ++batches == PIPE_BATCHES)
			return 1;
	}
	emu->ended = 1;
	card_link(&emu->card, false);
	return 0;
}

static int emu_read(struct smile_source *source, struct smile_record *records, size_t capacity,
		    int timeout_ms)
{
	struct emu_source *emu = emu_of(source);
	size_t count = backlog_take(&emu->backlog, records, capacity);
	int64_t deadline = timeout_ms >= 0 ? smile_now_ms() + timeout_ms : 0;
	int error = 0, more;

	count += ring_take(emu, records + count, capacity - count);
	/*
	 * If the card is enabled but not ready, its ring is full. For this reason, each iteration
	 * either takes records or waits.
	 */
	while (count < capacity && emu->capture && !emu->ended && is_enabled(emu)) {
		more = feed(emu);
		count += ring_take(emu, records + count, capacity - count);
		if (more && !count && timeout_ms >= 0 && smile_capture_is_pipe(emu->capture) &&
		    smile_now_ms() > deadline)
			return 0;
		if (more || emu->ended)
			continue;
		if (count)
			break;
		more = smile_capture_ready(emu->capture,
					   timeout_ms > 0 ? smile_left_ms(deadline) : timeout_ms);
		if (more <= 0)
			return more;
	}
	if (count == 0 && emu->ended && emu->capture_error) {
		error = emu->capture_error;
		emu->capture_error = 0;
		return error;
	}
	return (int)count;
}

static int emu_info(struct smile_source *source, struct smile_info *info)
{
	smile_registers_info(&emu_of(source)->registers, info);
	return 0;
}

/* Complete a SWAP_OUT. Records are moved to the backlog, so the ring can have any size. */
static int swap_out(struct emu_source *emu, uint32_t command)
{
	int error;

	card_mmio_write(&emu->card, SMILE_REG_COMMAND, command);
	do {
		error = backlog_fill(emu);
		if (error < 0)
			return error;
	} while (card_mmio_read(&emu->card, SMILE_REG_STATUS) & SMILE_STATUS_SWAPPING);
	return backlog_fill(emu);
}

static int swap_all(struct emu_source *emu)
{
	return swap_out(emu, SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC);
}

/*
 * Swap out all counts of the card. The card must be stopped, because configuration registers can be
 * written only while it is stopped.
 */
static int rest(struct emu_source *emu)
{
	int error;

	if (is_enabled(emu))
		return smile_error(EBUSY, "the card is running: stop it before it is configured");
	error = swap_all(emu);
	if (error < 0)
		return error;
	card_mmio_write(&emu->card, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	return 0;
}

/* Set up an empty ring in host memory. Its first record is the next record of the card. */
static void host_ring_begin(struct card *card, uint32_t mode)
{
	card_mmio_write(card, SMILE_REG_DMA_BASE_LOW, (uint32_t)HOST_BASE);
	card_mmio_write(card, SMILE_REG_DMA_BASE_HIGH, (uint32_t)(HOST_BASE >> 32));
	card_mmio_write(card, SMILE_REG_DMA_SIZE, HOST_RECORDS);
	card_mmio_write(card, SMILE_REG_DMA_READ, card_mmio_read(card, SMILE_REG_DMA_WRITE));
	card_mmio_write(card, SMILE_REG_MODE, mode);
}

static int emu_configure(struct smile_source *source, const struct smile_config *config)
{
	struct card *card = &emu_of(source)->card;
	int error = rest(emu_of(source));

	if (error < 0)
		return error;
	smile_registers_configure(&emu_of(source)->registers, config);
	if (config->mode & SMILE_MODE_HOST_RING)
		host_ring_begin(card, config->mode);
	return smile_registers_refused(&emu_of(source)->registers);
}

static int emu_static_set(struct smile_source *source, const struct smile_static *tables)
{
	const struct smile_registers *registers = &emu_of(source)->registers;
	int error = rest(emu_of(source));

	if (error < 0)
		return error;
	smile_registers_static_set(registers, tables);
	return smile_registers_refused(registers);
}

static int emu_static_info(struct smile_source *source, struct smile_static *tables)
{
	smile_registers_static_info(&emu_of(source)->registers, tables);
	return 0;
}

static int emu_static_swap(struct smile_source *source, unsigned int counter)
{
	return swap_out(emu_of(source), SMILE_COMMAND_SWAP_STATIC | SMILE_COMMAND_ONE |
						SMILE_PUT(SMILE_COMMAND_COUNTER, counter));
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

	return emu->ended && !emu->backlog.count && !emu->capture_error && !ring_waiting(emu);
}

static int emu_statistics(struct smile_source *source, struct smile_statistics *statistics)
{
	struct smile_info info;

	emu_info(source, &info);
	smile_registers_statistics(&emu_of(source)->registers, info.status, statistics);
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
	.static_set = emu_static_set,
	.static_info = emu_static_info,
	.static_swap = emu_static_swap,
	.start = emu_start,
	.stop = emu_stop,
	.swap = emu_swap,
	.event = emu_event,
	.packets = emu_packets,
	.requests = emu_requests,
	.counted = emu_counted,
	.read = emu_read,
	.ended = emu_ended,
	.statistics = emu_statistics,
	.fd = emu_fd,
};
