/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * An emulated card and its environment: see bench.h. May use emu/card and the C library.
 */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/reference/bench.h"

#define RING_POINTERS (2 * SMILE_RING_WORDS)

static void *memory(void *old, size_t bytes)
{
	void *grown = realloc(old, bytes);

	if (!grown) {
		perror("bench");
		abort();
	}
	return grown;
}

struct card *bench_card(struct bench *bench)
{
	return &bench->place[bench->here];
}

uint32_t bench_get(struct bench *bench, uint32_t offset)
{
	return card_mmio_read(bench_card(bench), offset);
}

uint64_t bench_counter(struct bench *bench, uint32_t offset)
{
	uint64_t low = bench_get(bench, offset);

	return low | (uint64_t)bench_get(bench, offset + 4) << 32;
}

/* ---- environment --------------------------------------------------------------------------- */

static void keep(struct bench *bench, const struct bench_record *record)
{
	if (bench->records == bench->capacity) {
		bench->capacity = bench->capacity ? 2 * bench->capacity : 1024;
		bench->record = memory(bench->record, bench->capacity * sizeof(*bench->record));
	}
	bench->record[bench->records++] = *record;
}

static void interrupt(void *opaque, bool level)
{
	struct bench *bench = opaque;

	bench->strange += level == bench->line;
	bench->rises += level && !bench->line;
	bench->line = level;
}

static bool dma_write(void *opaque, uint64_t address, const void *data, size_t bytes)
{
	struct bench *bench = opaque;
	struct bench_record record = {.host = true, .place = address};

	if (bytes != SMILE_RECORD_BYTES) {
		bench->strange++;
		return false;
	}
	if (bench->bus_accepts == 0)
		return false;
	bench->bus_accepts--;
	memcpy(record.word, data, sizeof(record.word));
	for (unsigned int i = 0; i < SMILE_RECORD_WORDS; i++)
		record.word[i] = le32toh(record.word[i]);
	keep(bench, &record);
	return true;
}

static void latency(void *opaque, uint32_t us)
{
	struct bench *bench = opaque;

	bench->latency_running = us != 0;
	bench->latency_us = bench->machine_us + us;
}

static const struct card_ops ops = {
	.interrupt = interrupt,
	.dma_write = dma_write,
	.latency = latency,
};

void bench_gather(struct bench *bench)
{
	uint32_t write = bench_get(bench, SMILE_REG_RING_WRITE);

	if (write % SMILE_RECORD_WORDS != 0 || write >= RING_POINTERS ||
	    (write - bench->ram_seen) % RING_POINTERS > SMILE_RING_WORDS) {
		bench->strange++;
		return;
	}
	while (bench->ram_seen != write) {
		struct bench_record record = {.place = bench->ram_seen % SMILE_RING_WORDS};

		for (unsigned int i = 0; i < SMILE_RECORD_WORDS; i++)
			record.word[i] = le32toh(bench->ram[record.place + i]);
		keep(bench, &record);
		bench->ram_seen = (bench->ram_seen + SMILE_RECORD_WORDS) % RING_POINTERS;
	}
}

static bool host_ring(struct bench *bench)
{
	return bench_get(bench, SMILE_REG_MODE) & SMILE_MODE_HOST_RING;
}

uint32_t bench_unread(struct bench *bench)
{
	if (host_ring(bench))
		return bench_get(bench, SMILE_REG_DMA_WRITE) - bench_get(bench, SMILE_REG_DMA_READ);
	return (bench_get(bench, SMILE_REG_RING_WRITE) - bench_get(bench, SMILE_REG_RING_READ)) %
	       RING_POINTERS / SMILE_RECORD_WORDS;
}

/* ---- operations ---------------------------------------------------------------------------- */

static void do_write(struct bench *bench, uint32_t offset, uint32_t value)
{
	/* The card may immediately overwrite records that the host releases. */
	if (offset == SMILE_REG_RING_READ || offset == SMILE_REG_COMMAND)
		bench_gather(bench);
	card_mmio_write(bench_card(bench), offset, value);
	if (offset == SMILE_REG_COMMAND && value == SMILE_COMMAND_RESET) {
		bench->ram_seen = 0;
		bench->clock_ns = 0;
		dynamic_search_by(&bench_card(bench)->dynamic, bench->search);
	}
}

static void do_frame(struct bench *bench, const struct operation *operation)
{
	/* The buffer is exactly as long as the frame, so that a sanitizer finds reads beyond it. */
	uint8_t *frame = memory(NULL, operation->bytes ? operation->bytes : 1);

	memcpy(frame, operation->frame, operation->bytes);
	for (uint32_t i = 0; i < operation->repeat; i++)
		card_blink_packet(bench_card(bench), frame, operation->bytes);
	free(frame);
}

static void do_queue(struct bench *bench, const struct operation *operation)
{
	struct bench_queue *queue = &bench->queue;
	struct card_frame *frame = &queue->frame[queue->frames];
	uint64_t before = bench->clock_ns;

	if (queue->frames == BENCH_QUEUE)
		return;
	if (queue->frames > 0)
		before = frame[-1].time_ns;
	queue->memory[queue->frames] = memory(NULL, operation->bytes ? operation->bytes : 1);
	memcpy(queue->memory[queue->frames], operation->frame, operation->bytes);
	frame->frame = queue->memory[queue->frames];
	frame->bytes = operation->bytes;
	frame->time_ns = before + operation->value;
	queue->frames++;
}

static void unqueue(struct bench *bench, size_t frames)
{
	struct bench_queue *queue = &bench->queue;

	for (size_t i = 0; i < frames; i++)
		free(queue->memory[i]);
	queue->frames -= frames;
	for (size_t i = 0; i < queue->frames; i++) {
		queue->frame[i] = queue->frame[i + frames];
		queue->memory[i] = queue->memory[i + frames];
	}
}

void bench_forget(struct bench *bench)
{
	unqueue(bench, bench->queue.frames);
}

static void do_send(struct bench *bench)
{
	bench->sent =
		card_blink_packets(bench_card(bench), bench->queue.frame, bench->queue.frames);
	unqueue(bench, bench->sent);
	bench->clock_ns = bench_counter(bench, SMILE_REG_CLOCK);
}

static void do_machine(struct bench *bench, uint64_t us)
{
	bench->machine_us += us;
	if (bench->latency_running && bench->latency_us <= bench->machine_us) {
		bench->latency_running = false;
		card_expire(bench_card(bench));
	}
}

/* Move the card to another machine, whose processor may support other searches. */
static void do_copy(struct bench *bench, uint64_t search)
{
	struct card *old = bench_card(bench);

	bench->here = !bench->here;
	*bench_card(bench) = *old;
	memset(old, 0xa5, sizeof(*old));
	bench_search(bench, search);
}

void bench_resolve(struct bench *bench, struct operation *operation)
{
	uint32_t read, records;
	bool host;

	if (operation->kind != OPERATION_DRAIN)
		return;
	host = host_ring(bench);
	read = bench_get(bench, host ? SMILE_REG_DMA_READ : SMILE_REG_RING_READ);
	records = bench_unread(bench);
	if (records > operation->value)
		records = (uint32_t)operation->value;
	operation->kind = OPERATION_WRITE;
	operation->offset = host ? SMILE_REG_DMA_READ : SMILE_REG_RING_READ;
	operation->value =
		host ? read + records : (read + records * SMILE_RECORD_WORDS) % RING_POINTERS;
}

void bench_do(struct bench *bench, const struct operation *operation)
{
	struct card *card = bench_card(bench);

	switch (operation->kind) {
	case OPERATION_WRITE:
		do_write(bench, operation->offset, (uint32_t)operation->value);
		break;
	case OPERATION_READ:
		bench->read = bench_get(bench, operation->offset);
		break;
	case OPERATION_FRAME:
		do_frame(bench, operation);
		break;
	case OPERATION_QUEUE:
		do_queue(bench, operation);
		break;
	case OPERATION_SEND:
		do_send(bench);
		break;
	case OPERATION_TICK:
		bench->clock_ns += operation->value;
		card_tick(card, bench->clock_ns);
		break;
	case OPERATION_ADVANCE:
		bench->advanced = card_advance(card, bench->clock_ns + operation->value);
		bench->clock_ns = bench_counter(bench, SMILE_REG_CLOCK);
		break;
	case OPERATION_MACHINE:
		do_machine(bench, operation->value);
		break;
	case OPERATION_EXPIRE:
		if (!bench->latency_running)
			card_expire(card);
		break;
	case OPERATION_LINK:
		card_link(card, operation->value & 1);
		break;
	case OPERATION_BUS:
		bench->bus_accepts = operation->value;
		break;
	case OPERATION_COPY:
		do_copy(bench, operation->value);
		break;
	case OPERATION_DRAIN:
	case OPERATION_COMPARE:
		break;
	}
}

void bench_write(struct bench *bench, uint32_t offset, uint32_t value)
{
	do_write(bench, offset, value);
}

bool bench_empty(struct bench *bench)
{
	struct operation drain;
	uint32_t left = SMILE_STATUS_SWAPPING | SMILE_STATUS_OCCUPIED | SMILE_STATUS_FULL;

	bench->bus_accepts = UINT64_MAX;
	bench_write(bench, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR | SMILE_STATUS_BAD_WRITE);
	bench_write(bench, SMILE_REG_CONTROL, 0);
	/* A swap commanded while another one waits may be merged with it: command it again. */
	for (unsigned int again = 0, times = 0; again < 2; times++) {
		bench_write(bench, SMILE_REG_COMMAND,
			    SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC);
		drain = (struct operation){.kind = OPERATION_DRAIN, .value = UINT32_MAX};
		bench_resolve(bench, &drain);
		bench_do(bench, &drain);
		again = bench_get(bench, SMILE_REG_STATUS) & left ? 0 : again + 1;
		if (times == 100)
			return false;
	}
	bench_gather(bench);
	return true;
}

void bench_search(struct bench *bench, uint64_t which)
{
	const struct search *available[8];
	size_t searches = 0;

	for (size_t i = 0; search_all[i] && searches < 8; i++)
		if (search_all[i]->available())
			available[searches++] = search_all[i];
	bench->search = available[which % searches];
	dynamic_search_by(&bench_card(bench)->dynamic, bench->search);
}

struct bench *bench_new(void)
{
	struct bench *bench = memory(NULL, sizeof(*bench));

	/* card_init() must accept a card of any contents. */
	memset(bench, 0, sizeof(*bench));
	memset(bench->place, 0xa5, sizeof(bench->place));
	bench->bus_accepts = UINT64_MAX;
	card_init(bench_card(bench), bench->ram, &ops, bench);
	bench->search = search_fastest();
	return bench;
}

struct bench *bench_clone(struct bench *bench)
{
	struct bench *clone = memory(NULL, sizeof(*clone));
	struct card *card = &clone->place[0];

	bench_gather(bench);
	*clone = *bench;
	*card = *bench_card(bench);
	memset(&clone->place[1], 0xa5, sizeof(clone->place[1]));
	clone->here = 0;
	clone->record = NULL;
	clone->records = clone->capacity = 0;
	clone->queue.frames = 0;
	/*
	 * These members belong to the environment; all other members are state that a migration
	 * copies.
	 */
	card->opaque = clone;
	card->ring.ram = clone->ram;
	clone->search = search_fastest();
	dynamic_restore(&card->dynamic);
	return clone;
}

void bench_free(struct bench *bench)
{
	bench_forget(bench);
	free(bench->record);
	free(bench);
}
