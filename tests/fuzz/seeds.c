/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Seeds for the fuzzers.
 *
 * usage: seeds CARD-FOLDER CAPTURE-FOLDER
 *
 * What lives here: the inputs that fuzzing begins with: configured cards with random traffic, and a
 * good capture and a good recording for each of the readers. May use the public API,
 * lib/recording/recording.h and the C library.
 */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hw/blink.h>
#include <smile/monitor.h>

#include "lib/recording/recording.h"

#define PATH_BYTES 4096U
#define FILE_BYTES_MAX 65536U
#define CARDS 32U
#define CARD_BYTES 400U
#define FRAMES 40U

static const char *cards;
static const char *captures;

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "seeds: %s: %s\n", what, Monitor_error_message());
	exit(1);
}

static void put_file(const char *folder, const char *name, const char *prefix, const void *data,
		     size_t size)
{
	char path[PATH_BYTES];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "wb");
	must(file && fwrite(prefix, 1, strlen(prefix), file) == strlen(prefix) &&
		     fwrite(data, 1, size, file) == size && fclose(file) == 0,
	     path);
}

/* With an odd first byte, the card is configured. The other bytes are random. */
static void put_cards(void)
{
	uint8_t data[CARD_BYTES];
	uint64_t random = 1;
	char name[32];

	for (unsigned int n = 0; n < CARDS; n++) {
		for (unsigned int i = 0; i < CARD_BYTES; i++) {
			random = random * 6364136223846793005ULL + 1442695040888963407ULL;
			data[i] = (uint8_t)(random >> 56);
		}
		data[0] = 1;
		snprintf(name, sizeof(name), "random-%u", n);
		put_file(cards, name, "", data, sizeof(data));
	}
}

/* Reads, writes, locks, some responses, a phase mark and something malformed. */
static size_t make_frame(unsigned int n, uint64_t word[3])
{
	static const unsigned int commands[] = {
		BLINK_READSB,	BLINK_WRITESB, BLINK_LOCKSB,	 BLINK_RESPONSE16,
		BLINK_NWRITE64, BLINK_EVENT00, BLINK_RESPONSE00, 0x7b};
	uint64_t command = commands[n % 8];
	uint64_t source = n % 3, target = (n + 1) % 3;

	word[0] = htole64((uint64_t)(n % 4) << 48 | target << 32 | command << 16 | source);
	word[1] = htole64(command == BLINK_EVENT00 ? 0 : 40 * SMILE_PAGE_BYTES + n * 20);
	word[2] = 0;
	return n % 11 == 10 ? 7 : 24;
}

static void make_capture(const char *path)
{
	struct Monitor_capture *capture;
	uint64_t word[3];

	must(Monitor_capture_create(&capture, path) == 0, path);
	for (unsigned int n = 0; n < FRAMES; n++) {
		size_t bytes = make_frame(n, word);

		must(Monitor_capture_write(capture, word, bytes, 1000 + n * 700) == 0, path);
	}
	must(Monitor_capture_close(capture) == 0, path);
}

/* Add accesses in intervals, some of which are equal. */
static void add_intervals(struct Monitor *mon, unsigned int node, const char *path)
{
	for (uint32_t i = 0; i < 2 * FRAMES; i++) {
		const struct Monitor_interval accesses = {
			.page = 40 + i % 3,
			.interval = i < FRAMES ? i : i * i,
			.node = node,
			.reads = 7 + i % 2,
			.writes = i > FRAMES ? i : 0,
		};

		must(Monitor_interval_add(mon, &accesses) == 0, path);
	}
	must(Monitor_interval_node_add(mon, node) == 0, path);
}

/*
 * Write a recording of @node's card, which counts all accesses, also with static counters. @counts:
 * write a counting recording
 */
static void make_recording(const char *path, unsigned int node, int counts)
{
	struct smile_static tables;
	struct smile_config config;
	struct Monitor *mon;
	uint64_t word[3];

	Monitor_config_default(&config);
	config.node = node;
	config.mode |= SMILE_MODE_STATIC;
	config.max_range_bytes = 64;
	if (counts) {
		config.mode |= SMILE_MODE_ALIGNED;
		config.phase_events = 1;
	}
	config.timer_us = 5;
	config.timer_event = 3;
	config.time_us = 7;
	Monitor_static_default(&tables);
	must(Monitor_static_event(&tables, 1, 40 * SMILE_PAGE_BYTES, 256,
				  SMILE_FILTER_READ | SMILE_FILTER_REQUEST) == 0,
	     path);
	must(Monitor_static_counter(&tables, 0, -1, -1) == 0, path);
	must(Monitor_open(&mon, "emu:") == 0, path);
	must(Monitor_config_set(mon, &config) == 0, path);
	must(Monitor_static_set(mon, &tables) == 0, path);
	must((counts ? Monitor_save_counts(mon, path, "seeds")
		     : Monitor_save(mon, path, "seeds")) == 0,
	     path);
	must(Monitor_start(mon) == 0, path);
	for (unsigned int n = 0; n < FRAMES; n++) {
		size_t bytes = make_frame(n, word);

		must(Monitor_packet(mon, word, bytes, 1000 + n * 700) == 0, path);
	}
	add_intervals(mon, node, path);
	must(Monitor_stop(mon) == 0, path);
	must(Monitor_swap(mon) >= 0, path);
	must(Monitor_close(mon) == 0, path);
}

static size_t get_file(const char *path, uint8_t data[FILE_BYTES_MAX])
{
	FILE *file = fopen(path, "rb");
	size_t size;

	must(file != NULL, path);
	size = fread(data, 1, FILE_BYTES_MAX, file);
	fclose(file);
	return size;
}

static uint32_t number_at(const uint8_t *data)
{
	uint32_t number;

	memcpy(&number, data, sizeof(number));
	return le32toh(number);
}

/*
 * A recording contains the time and the machine of its creation. A seed must always be the same, so
 * these are replaced.
 */
static size_t get_recording(const char *path, uint8_t data[FILE_BYTES_MAX])
{
	size_t size = get_file(path, data);
	size_t at = RECORDING_OFFSET_FIELDS;

	memset(data + RECORDING_OFFSET_START, 0, 8);
	while (at + 8 <= size && number_at(data + at) != RECORDING_TAG_END) {
		uint32_t bytes = number_at(data + at + 4);

		must(bytes <= size - at - 8, path);
		if (number_at(data + at) == RECORDING_TAG_HOST)
			memset(data + at + 8, 'h', bytes);
		at += 8 + (bytes + 7) / 8 * 8;
	}
	return size;
}

static void put_captures(void)
{
	static uint8_t data[2 + 2 * FILE_BYTES_MAX];
	char path[PATH_BYTES];
	size_t first, size;

	snprintf(path, sizeof(path), "%s/temporary", captures);
	make_capture(path);
	size = get_file(path, data);
	put_file(captures, "emu", "e", data, size);
	put_file(captures, "capture", "c", data, size);
	/*
	 * Behind the capture follow node, filter, mode, range, entries, and a static event and
	 * counter.
	 */
	memcpy(data + size,
	       "\1\x37\7\x4b\4\20\1\0\200\2\0\0\1\x37\377\377\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32);
	put_file(captures, "configured", "E", data, size + 32);
	put_file(captures, "stream", "s\x20", data, size);
	make_recording(path, 1, 1);
	size = get_recording(path, data);
	put_file(captures, "counts", "r", data, size);
	put_file(captures, "counts-saved", "w", data, size);
	make_recording(path, 1, 0);
	first = get_recording(path, data + 2);
	put_file(captures, "recording", "r", data + 2, first);
	put_file(captures, "saved", "w", data + 2, first);
	make_recording(path, 2, 0);
	size = get_recording(path, data + 2 + first);
	data[0] = (uint8_t)first;
	data[1] = (uint8_t)(first >> 8);
	put_file(captures, "merged", "m", data, 2 + first + size);
	remove(path);
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: %s CARD-FOLDER CAPTURE-FOLDER\n", argv[0]);
		return 2;
	}
	cards = argv[1];
	captures = argv[2];
	put_cards();
	put_captures();
	return 0;
}
