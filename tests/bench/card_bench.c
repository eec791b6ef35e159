/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Bench of the card model and the histogram, in one process.
 *
 * What lives here: two comparisons. The first compares each search in the range table that this
 * processor supports with the plain search. The second compares the whole card, from packets in
 * memory to records in memory, with the range table, and with a plain copy of the same packets. No
 * card can be faster than this copy. In each round all candidates are measured, by processor time;
 * the best round counts. The rates are valid only for this machine at this time, so compare the
 * ratios.
 *
 * usage: card_bench CAPTURE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <smile/monitor.h>

#include "emu/card/card_inside.h"
#include "lib/counts/histogram.h"
#include "tests/bench/traffic.h"

#define ROUNDS 7
#define MADE_UP_EVENTS 200000
#define SEARCHES_MAX 8
#define HOST_RECORDS 65536U /* 1 MB, the driver's */
#define HOST_BASE 0x100000U

static const uint32_t all_entries[] = {1, 2, 4, 6, 8, 16, 32, 64};
static const uint32_t all_ranges[] = {4, 64, 4096};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static struct smile_record *records;
static size_t record_count;

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- the range table alone ---- */

/* Convert decoded events in memory to records in memory. Return: a checksum of the records. */
static uint64_t run_table(const struct traffic *traffic, const struct search *search,
			  uint32_t entries, uint32_t range)
{
	static struct dynamic_array array;
	const struct smile_config config = {
		.mode = SMILE_MODE_DEFAULT, .entries = entries, .max_range_bytes = range};
	uint64_t extensions = 0, delivered = 0;
	uint32_t *word = (uint32_t *)records;
	int index;

	dynamic_reset(&array);
	dynamic_search_by(&array, search);
	for (size_t i = 0; i < traffic->event_count; i++) {
		if (!dynamic_count(&array, &config, &traffic->events[i], &extensions))
			fail("an event was lost");
		while ((index = dynamic_saturated(&array, entries)) >= 0) {
			delivered += dynamic_record(&array, index, SMILE_CAUSE_OVERFLOW, word);
			dynamic_free(&array, index);
			word += SMILE_RECORD_WORDS;
		}
		index = dynamic_victim(&array, entries);
		if (index >= 0) {
			delivered += dynamic_record(&array, index, SMILE_CAUSE_CAPACITY, word);
			dynamic_free(&array, index);
			word += SMILE_RECORD_WORDS;
		}
	}
	record_count = (size_t)(word - (uint32_t *)records) / SMILE_RECORD_WORDS;
	return (extensions << 32) + (record_count << 20) + delivered;
}

/* Measure all searches in turn. @seconds: receives the time of each search. */
static void measure_table(const struct traffic *traffic, uint32_t entries, uint32_t range,
			  double seconds[SEARCHES_MAX])
{
	uint64_t expected = run_table(traffic, &search_plain, entries, range);

	for (int i = 0; i < SEARCHES_MAX; i++)
		seconds[i] = 1e9;
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; search_all[i]; i++) {
			double start;

			if (!search_all[i]->available() || (i && entries < search_all[i]->fewest))
				continue;
			start = now_s();
			if (run_table(traffic, search_all[i], entries, range) != expected)
				fail("two searches do not agree");
			start = now_s() - start;
			if (start < seconds[i])
				seconds[i] = start;
		}
	}
}

static void print_table(const struct traffic *traffic)
{
	static double seconds[COUNT_OF(all_entries)][SEARCHES_MAX];

	for (size_t r = 0; r < COUNT_OF(all_ranges); r++) {
		for (size_t e = 0; e < COUNT_OF(all_entries); e++)
			measure_table(traffic, all_entries[e], all_ranges[r], seconds[e]);
		for (int i = 0; search_all[i]; i++) {
			if (!search_all[i]->available())
				continue; /* main() has reported it */
			printf("%-20s %5u  %-8s", i ? "" : traffic->name, all_ranges[r],
			       search_all[i]->name);
			for (size_t e = 0; e < COUNT_OF(all_entries); e++) {
				double ratio = seconds[e][0] / seconds[e][i];

				if (!i)
					printf("%8.1f ",
					       (double)traffic->event_count / seconds[e][0] / 1e6);
				else if (all_entries[e] < search_all[i]->fewest)
					printf("%8s ", "=");
				else
					printf("%8.2f%c", ratio, ratio < 1 ? '!' : ' ');
			}
			printf("\n");
		}
	}
}

/* ---- the whole card ---- */

static uint32_t ram[SMILE_RING_WORDS];
static struct smile_record host[HOST_RECORDS];
static struct card card;

static bool dma_write(void *opaque, uint64_t address, const void *data, size_t bytes)
{
	memcpy((char *)host + (address - HOST_BASE), data, bytes);
	return true;
}

static const struct card_ops ops = {.dma_write = dma_write};

/* Read all records of a ring of @size records. @read: number of the next record to read. */
static void drain(const void *ring, uint32_t size, uint32_t read, uint32_t unread)
{
	const struct smile_record *from = ring;
	uint32_t first = read % size;
	uint32_t before_end = unread < size - first ? unread : size - first;

	memcpy(records + record_count, from + first, before_end * sizeof(*from));
	memcpy(records + record_count + before_end, from, (unread - before_end) * sizeof(*from));
	record_count += unread;
}

static void drain_ram(void)
{
	uint32_t read = card_mmio_read(&card, SMILE_REG_RING_READ);
	uint32_t write = card_mmio_read(&card, SMILE_REG_RING_WRITE);

	drain(ram, SMILE_RING_WORDS / SMILE_RECORD_WORDS, read / SMILE_RECORD_WORDS,
	      ((write - read) & SMILE_RING_POINTER) / SMILE_RECORD_WORDS);
	card_mmio_write(&card, SMILE_REG_RING_READ, write);
}

static void drain_host(void)
{
	uint32_t read = card_mmio_read(&card, SMILE_REG_DMA_READ);
	uint32_t write = card_mmio_read(&card, SMILE_REG_DMA_WRITE);

	drain(host, HOST_RECORDS, read, write - read);
	card_mmio_write(&card, SMILE_REG_DMA_READ, write);
}

static void start_card(uint32_t entries, uint32_t range, uint32_t mode)
{
	card_init(&card, ram, &ops, NULL);
	card_mmio_write(&card, SMILE_REG_ENTRIES, entries);
	card_mmio_write(&card, SMILE_REG_MAX_RANGE, range);
	card_mmio_write(&card, SMILE_REG_DMA_BASE_LOW, HOST_BASE);
	card_mmio_write(&card, SMILE_REG_DMA_SIZE, HOST_RECORDS);
	card_mmio_write(&card, SMILE_REG_MODE, mode);
	card_mmio_write(&card, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	record_count = 0;
}

static void stop_card(const struct traffic *traffic, void (*drain_it)(void))
{
	card_mmio_write(&card, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP);
	drain_it();
	if (card_mmio_read(&card, SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE ||
	    card_mmio_read(&card, SMILE_REG_COUNT_DELIVERED) != traffic->event_count)
		fail("the card has not delivered what it accepted");
}

/*
 * Convert packets in memory to records in memory, with decoder, filter, range table, ring and
 * reader.
 */
static void run_bunches(const struct traffic *traffic, uint32_t entries, uint32_t range)
{
	size_t i = 0;

	start_card(entries, range, SMILE_MODE_DEFAULT);
	for (; i < traffic->frame_count; drain_ram())
		i += card_blink_packets(&card, traffic->frames + i, traffic->frame_count - i);
	stop_card(traffic, drain_ram);
}

static void run_host(const struct traffic *traffic, uint32_t entries, uint32_t range)
{
	size_t i = 0;

	start_card(entries, range, SMILE_MODE_DEFAULT | SMILE_MODE_HOST_RING);
	for (; i < traffic->frame_count; drain_host())
		i += card_blink_packets(&card, traffic->frames + i, traffic->frame_count - i);
	stop_card(traffic, drain_host);
}

static void run_singly(const struct traffic *traffic, uint32_t entries, uint32_t range)
{
	start_card(entries, range, SMILE_MODE_DEFAULT);
	for (size_t i = 0; i < traffic->frame_count; i++) {
		const struct card_frame *frame = &traffic->frames[i];

		if (!card_ready(&card))
			drain_ram();
		card_tick(&card, frame->time_ns);
		card_blink_packet(&card, frame->frame, frame->bytes);
	}
	stop_card(traffic, drain_ram);
}

/* Copy the packets to memory, one after the other. */
static void run_copy(const struct traffic *traffic, uint32_t entries, uint32_t range)
{
	static uint8_t *copy;
	size_t at = 0;

	if (!copy)
		copy = malloc(traffic->bytes);
	if (!copy)
		fail("no memory for the copy");
	for (size_t i = 0; i < traffic->frame_count; i++) {
		memcpy(copy + at, traffic->frames[i].frame, traffic->frames[i].bytes);
		at += traffic->frames[i].bytes;
	}
}

static void run_fastest(const struct traffic *traffic, uint32_t entries, uint32_t range)
{
	run_table(traffic, search_fastest(), entries, range);
}

/* Count the records of the last run in a histogram. */
static void run_histogram(const struct traffic *traffic, uint32_t entries, uint32_t range)
{
	struct histogram_stream stream = {0};
	struct histogram histogram = {0};

	Monitor_config_default(&stream.config);
	for (size_t i = 0; i < record_count; i++) {
		if (smile_histogram_add(&histogram, &stream, &records[i]) < 0)
			fail(Monitor_error_message());
	}
	if (histogram.delivered != traffic->event_count)
		fail("the histogram does not hold what the card accepted");
	smile_histogram_free(&histogram);
}

/* The rows of the table. The first is the upper bound, the second is the reference. */
static const struct {
	const char *name;
	void (*run)(const struct traffic *traffic, uint32_t entries, uint32_t range);
} wholes[] = {
	{"plain copy of the packets", run_copy},
	{"range table alone", run_fastest},
	{"card", run_bunches},
	{"card, ring in host memory", run_host},
	{"card, packet by packet", run_singly},
	{"histogram of its records", run_histogram},
};

static void print_whole(const struct traffic *traffic, uint32_t entries, uint32_t range)
{
	double best[COUNT_OF(wholes)], seconds;
	size_t made[COUNT_OF(wholes)];

	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < COUNT_OF(wholes); i++) {
			seconds = now_s();
			wholes[i].run(traffic, entries, range);
			seconds = now_s() - seconds;
			if (!round || seconds < best[i])
				best[i] = seconds;
			made[i] = record_count;
		}
	}
	printf("%u entries, range %u:\n", entries, range);
	for (size_t i = 0; i < COUNT_OF(wholes); i++)
		printf("  %-28s %10.1f %10.1f %10.1f %10.3f %10.3f\n", wholes[i].name,
		       (double)traffic->frame_count / best[i] / 1e6,
		       (double)traffic->event_count / best[i] / 1e6,
		       i ? (double)made[i] / best[i] / 1e6 : 0, best[1] / best[i],
		       best[0] / best[i]);
}

int main(int argc, char **argv)
{
	static const struct {
		uint32_t entries, range;
	} cards[] = {
		{SMILE_ENTRIES_DEFAULT, SMILE_MAX_RANGE_DEFAULT},
		{1, 4},
		{4, 4},
		{64, 4},
		{16, 64},
		{64, 64},
		{64, 4096},
	};
	struct traffic capture, made_up;

	if (argc != 2)
		fail("usage: card_bench CAPTURE");
	traffic_load(&capture, argv[1]);
	records = malloc((capture.event_count + MADE_UP_EVENTS) * sizeof(*records));
	if (!records)
		fail("no memory for the records");
	printf("%zu packets, %zu bytes, %zu events\n", capture.frame_count, capture.bytes,
	       capture.event_count);

	printf("\nRange table alone. Plain: million events a second. Others: ratio to plain;\n"
	       "=: the plain one is used, with so few entries; !: below 1.\n");
	for (int i = 0; search_all[i]; i++) {
		if (!search_all[i]->available())
			printf("%s: this processor does not have it.\n", search_all[i]->name);
	}
	printf("\n");
	printf("%-20s %5s  %-8s", "traffic", "range", "search");
	for (size_t e = 0; e < COUNT_OF(all_entries); e++)
		printf("%6u en ", all_entries[e]);
	printf("\n");
	print_table(&capture);
	for (unsigned int i = 0; traffic_make(&made_up, i, MADE_UP_EVENTS); i++) {
		print_table(&made_up);
		traffic_free(&made_up);
	}

	printf("\nThe whole card, on the capture: packets in memory to records in memory.\n"
	       "Range table and card search by %s.\n\n",
	       search_fastest()->name);
	printf("%-30s %10s %10s %10s %10s %10s\n", "", "Mpackets/s", "Mevents/s", "Mrecords/s",
	       "to table", "to copy");
	for (size_t i = 0; i < COUNT_OF(cards); i++)
		print_whole(&capture, cards[i].entries, cards[i].range);
	printf("\nBest of %d rounds each, measured in turn.\n", ROUNDS);
	traffic_free(&capture);
	free(records);
	return 0;
}
