/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * An emulated card and its environment: RAM, bus, latency timer, interrupt line.
 *
 * What lives here: executing operations on the card, and collecting every record that it writes to
 * either ring. It uses only the card's public calls, and the calls of dynamic_range_table.h for a
 * migration and for the choice among the range table's searches. May use emu/card and the C
 * library.
 */
#ifndef TESTS_REFERENCE_BENCH_H
#define TESTS_REFERENCE_BENCH_H

#include <emu/card/card.h>
#include <emu/card/dynamic_range_table.h>

#include "tests/reference/operation.h"

/*
 * A record that the card wrote: its ring, its bus address or first word in the RAM, its contents.
 */
struct bench_record {
	bool host;
	uint64_t place;
	uint32_t word[SMILE_RECORD_WORDS];
};

#define BENCH_QUEUE 64U

/**
 * struct bench_queue - Frames for card_blink_packets().
 * @frame: their bytes, each frame in memory of exactly its length, and their times
 * @frames: the number of frames; a frame that does not fit is discarded
 */
struct bench_queue {
	struct card_frame frame[BENCH_QUEUE];
	uint8_t *memory[BENCH_QUEUE];
	size_t frames;
};

/**
 * struct bench - A card and its environment.
 * @place: two places for the card, so that it can be moved
 * @here: the place that contains the card
 * @search: how its range table is searched
 * @ram: its dual-ported RAM
 * @ram_seen: position in the RAM up to which its records were collected
 * @bus_accepts: number of records that its bus still accepts
 * @machine_us: the board's own time
 * @latency_running: its latency timer runs
 * @latency_us: when the latency timer expires
 * @line: its interrupt line
 * @rises: number of times that the line became active
 * @strange: an error of the card: it reported the line without a change, wrote something to the bus
 *	that is no record, or had an impossible RING_WRITE
 * @clock_ns: the last time that was passed to the card
 * @advanced: the last result of card_advance()
 * @queue: frames that are queued and have not yet passed
 * @sent: number of frames that passed with the last OPERATION_SEND
 * @read: the result of the last OPERATION_READ
 * @record: the collected records, until the user empties the list
 * @records: number of collected records
 * @capacity: number of records for which memory is allocated
 */
struct bench {
	struct card place[2];
	unsigned int here;
	const struct search *search;
	uint32_t ram[SMILE_RING_WORDS];
	uint32_t ram_seen;
	uint64_t bus_accepts;
	uint64_t machine_us;
	bool latency_running;
	uint64_t latency_us;
	bool line;
	unsigned int rises;
	unsigned int strange;
	uint64_t clock_ns;
	bool advanced;
	struct bench_queue queue;
	size_t sent;
	uint32_t read;
	struct bench_record *record;
	size_t records;
	size_t capacity;
};

/* A bench after power on. Never NULL: if memory is missing, the program ends. */
struct bench *bench_new(void);
void bench_free(struct bench *bench);

/* Use the @which-th search of the range table that this processor supports; @which wraps. */
void bench_search(struct bench *bench, uint64_t which);

/*
 * A second bench, whose card continues from the state of this one's, as after a migration. The
 * second bench has collected no records yet.
 */
struct bench *bench_clone(struct bench *bench);

struct card *bench_card(struct bench *bench);
uint32_t bench_get(struct bench *bench, uint32_t offset);
uint64_t bench_counter(struct bench *bench, uint32_t offset);

/* The number of unread records in the ring in use. */
uint32_t bench_unread(struct bench *bench);

/*
 * bench_do() executes an operation. COMPARE does nothing. bench_resolve() must convert a DRAIN to a
 * WRITE before; it leaves all other operations unchanged.
 */
void bench_resolve(struct bench *bench, struct operation *operation);
void bench_do(struct bench *bench, const struct operation *operation);

/* Shorthand for a write. */
void bench_write(struct bench *bench, uint32_t offset, uint32_t value);

/*
 * Stop the card, swap it out and read all records, as section 14 of the datasheet describes, with a
 * bus that accepts all writes. Return: false if a record or a count is left in the card.
 */
bool bench_empty(struct bench *bench);

/* Discard the queued frames. */
void bench_forget(struct bench *bench);

/* Collect the new records in the RAM. */
void bench_gather(struct bench *bench);

#endif /* TESTS_REFERENCE_BENCH_H */
