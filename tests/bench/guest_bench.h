/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Bench in the guest: the ways by which a consumer gets records from the card, and the work of
 * every consumer.
 *
 * What lives here: the operations of a way (struct way), and the work on each record, which is the
 * same for all. May use: the record's layout.
 */
#ifndef TESTS_BENCH_GUEST_BENCH_H
#define TESTS_BENCH_GUEST_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/field.h>
#include <uapi/smile_monitor.h>

#include "tests/bench/guest_wire.h"

#define LATENCY_SAMPLES_MAX 4096

/* The options of a run. A way uses those that it supports. */
struct options {
	int card; /* number of the card, in the order of their PCI addresses */
	uint32_t watermark_records; /* 0: the driver's default */
	uint32_t latency_us;
};

/*
 * The times of an EVENT record: when the event was raised, by the card's clock, and when the record
 * was read, by the guest's clock.
 */
struct arrival {
	uint64_t card_ns;
	uint64_t at_ns;
};

struct consumer {
	uint64_t counts[WIRE_PAGES]; /* by page */
	uint64_t counted; /* their sum */
	uint64_t records;
	uint64_t lost; /* packets, by LOST records */
	uint64_t events;
	uint64_t events_lost;
	uint64_t looking_ns; /* in consume(), where a way takes that time; 0 elsewhere */
	bool bad; /* a record that no sent packet can have caused, or an event out of order */
	struct arrival arrivals[LATENCY_SAMPLES_MAX];
};

struct way {
	const char *name;
	/* Open the card, with one counter, so that each packet becomes a record. Start the card. */
	void (*open)(const struct options *options);
	/* Wait for records, and consume all available records. */
	void (*take)(struct consumer *consumer);
	void (*close)(void);
	/* The number of the card's interrupts since it was opened. */
	uint64_t (*interrupts)(void);
	/* The time of the card's clock and the time of the guest's clock, at the same moment. */
	struct arrival (*clock)(void);
};

extern const struct way driver_ways[]; /* each list ends with a way without a name */
extern const struct way peer_ways[];

void fail(const char *what);
uint64_t now_ns(void);
/* PCI address of a card; @file: a file in its directory in sysfs. */
void card_path(int card, const char *file, char path[128]);
/*
 * Open the card's device file of a class, "uio" or "smile_monitor". Return: the file descriptor, or
 * -1.
 */
int card_open(int card, const char *class);
/* Consume a record of a rare kind: fewer than one in a thousand. */
void consume_rare(struct consumer *consumer, const struct smile_record *record);

static inline void consume(struct consumer *consumer, const struct smile_record *records,
			   size_t count)
{
	consumer->records += count;
	for (size_t i = 0; i < count; i++) {
		const struct smile_record *record = &records[i];
		uint32_t n = SMILE_GET(SMILE_RECORD_COUNT, record->word[0]);

		if (SMILE_GET(SMILE_RECORD_KIND, record->word[0]) != SMILE_KIND_DYNAMIC) {
			consume_rare(consumer, record);
			continue;
		}
		consumer->counts[record->word[2] / SMILE_PAGE_BYTES % WIRE_PAGES] += n;
		consumer->counted += n;
	}
}

#endif /* TESTS_BENCH_GUEST_BENCH_H */
