/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Bench: the card model and the histogram, in one process.
 *
 * What lives here: one table of rates over the packets of a capture, held in memory. Every row is
 * given as a ratio to the first, a plain copy of the same packets, which is the bound; the rates
 * themselves hold for the machine and the moment only. Each row is the best of several rounds.
 *
 * usage: card_bench CAPTURE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <smile/monitor.h>

#include "emu/card/card.h"
#include "lib/histogram.h"

#define ROUNDS 5
/**
 * struct frame - One frame in memory.
 */
struct frame {
	size_t offset;
	size_t bytes;
	uint64_t time_ns;
};

static unsigned char *data;
static unsigned char *copy;
static struct frame *frames;
static size_t data_bytes, frame_count;
static struct smile_record *records;
static size_t record_count;
static uint64_t accepted;

static void fail(const char *what)
{
	fprintf(stderr, "card_bench: %s\n", what);
	exit(2);
}

static void load(const char *path)
{
	struct Monitor_capture *capture;
	size_t data_size = 0, frames_size = 0, bytes;
	const void *frame;
	uint64_t time_ns;

	if (Monitor_capture_open(&capture, path) < 0)
		fail(Monitor_error_message());
	while (Monitor_capture_read(capture, &frame, &bytes, &time_ns) > 0) {
		if (frame_count == frames_size) {
			frames_size = frames_size ? 2 * frames_size : 4096;
			frames = realloc(frames, frames_size * sizeof(*frames));
		}
		if (data_bytes + bytes > data_size) {
			data_size = 2 * data_size + 65536;
			data = realloc(data, data_size);
		}
		if (!frames || !data)
			fail("no memory for the capture");
		memcpy(data + data_bytes, frame, bytes);
		frames[frame_count++] = (struct frame){data_bytes, bytes, time_ns};
		data_bytes += bytes;
	}
	Monitor_capture_close(capture);
	copy = malloc(data_bytes + 1);
	records = malloc((frame_count + SMILE_ENTRIES_MAX) * sizeof(*records));
	if (!frame_count || !copy || !records)
		fail("an empty capture, or no memory for it");
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void run_copy(uint32_t entries, uint32_t range)
{
	for (size_t i = 0; i < frame_count; i++)
		memcpy(copy + frames[i].offset, data + frames[i].offset, frames[i].bytes);
}

static void drain(struct card *card, const uint32_t *ram)
{
	uint32_t read = card_mmio_read(card, SMILE_REG_RING_READ);
	uint32_t write = card_mmio_read(card, SMILE_REG_RING_WRITE);

	for (; read != write; read = (read + SMILE_RECORD_WORDS) & SMILE_RING_POINTER)
		memcpy(&records[record_count++], &ram[read % SMILE_RING_WORDS], SMILE_RECORD_BYTES);
	card_mmio_write(card, SMILE_REG_RING_READ, read);
}

/* Packets in memory to records in memory: decoder, filter, range table, ring. */
static void run_card(uint32_t entries, uint32_t range)
{
	static uint32_t ram[SMILE_RING_WORDS];
	static struct card card;

	card_init(&card, ram, NULL, NULL);
	card_mmio_write(&card, SMILE_REG_ENTRIES, entries);
	card_mmio_write(&card, SMILE_REG_MAX_RANGE, range);
	card_mmio_write(&card, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	record_count = 0;
	for (size_t i = 0; i < frame_count; i++) {
		if (!card_ready(&card))
			drain(&card, ram);
		card_tick(&card, frames[i].time_ns);
		card_blink_packet(&card, data + frames[i].offset, frames[i].bytes);
	}
	card_mmio_write(&card, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP);
	drain(&card, ram);
	accepted = card_mmio_read(&card, SMILE_REG_COUNT_ACCEPTED);
}

static void run_histogram(uint32_t entries, uint32_t range)
{
	struct histogram_stream stream = {0};

	struct histogram histogram = {0};

	Monitor_config_default(&stream.config);
	for (size_t i = 0; i < record_count; i++) {
		if (smile_histogram_add(&histogram, &stream, &records[i]) < 0)
			fail(Monitor_error_message());
	}
	if (histogram.delivered != accepted)
		fail("the histogram does not hold what the card accepted");
	smile_histogram_free(&histogram);
}

static double best_of(void (*run)(uint32_t, uint32_t), uint32_t entries, uint32_t range)
{
	double best = 1e9;

	for (int round = 0; round < ROUNDS; round++) {
		double start = now_s(), seconds;

		run(entries, range);
		seconds = now_s() - start;
		if (seconds < best)
			best = seconds;
	}
	return best;
}

int main(int argc, char **argv)
{
	static const struct {
		uint32_t entries, range;
	} cards[] = {{1, 4}, {16, 4}, {16, 64}, {64, 4}, {64, 4096}};
	double bound, seconds;

	if (argc != 2)
		fail("usage: card_bench CAPTURE");
	load(argv[1]);
	best_of(run_copy, 0, 0);
	bound = best_of(run_copy, 0, 0);
	printf("%zu packets, %zu bytes\n\n", frame_count, data_bytes);
	printf("%-34s %12s %12s %12s %8s\n", "", "Mpackets/s", "Mevents/s", "Mrecords/s", "ratio");
	printf("%-34s %12.1f %12s %12s %8.3f\n", "plain copy of the packets",
	       (double)frame_count / bound / 1e6, "", "", 1.0);
	for (size_t i = 0; i < sizeof(cards) / sizeof(cards[0]); i++) {
		char name[64];

		seconds = best_of(run_card, cards[i].entries, cards[i].range);
		snprintf(name, sizeof(name), "card, %u counters, range %u", cards[i].entries,
			 cards[i].range);
		printf("%-34s %12.1f %12.1f %12.1f %8.3f\n", name,
		       (double)frame_count / seconds / 1e6, (double)accepted / seconds / 1e6,
		       (double)record_count / seconds / 1e6, bound / seconds);
		seconds = best_of(run_histogram, 0, 0);
		printf("%-34s %12s %12.1f %12.1f\n", "  histogram of its records", "",
		       (double)accepted / seconds / 1e6, (double)record_count / seconds / 1e6);
	}
	printf("\nratio: packets per second against the plain copy. Best of %d rounds each.\n",
	       ROUNDS);
	return 0;
}
