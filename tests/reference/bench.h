/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * An emulated card and its surroundings: RAM, bus, latency timer, interrupt line.
 *
 * What lives here: carrying out operations on the card, and gathering every record that it writes
 * to either ring. It uses only the card's public calls, and the calls of dynamic_range_table.h for
 * a migration and for the choice among the range table's searches. May use emu/card and the C
 * library.
 */
#ifndef TESTS_REFERENCE_BENCH_H
#define TESTS_REFERENCE_BENCH_H

#include <emu/card/card.h>
#include <emu/card/dynamic_range_table.h>

#include "tests/reference/operation.h"

/* A record that the card wrote: to which ring, its bus address or first word there, and what. */
struct bench_record {
	bool host;
	uint64_t place;
	uint32_t word[SMILE_RECORD_WORDS];
};

#define BENCH_QUEUE 64U

/**
 * struct bench_queue - Frames for card_blink_packets().
 * @frame: their bytes, each in memory of its own length, and their times
 * @frames: how many; one too many is forgotten
 */
struct bench_queue {
	struct card_frame frame[BENCH_QUEUE];
	uint8_t *memory[BENCH_QUEUE];
	size_t frames;
};

/**
 * struct bench - A card and its surroundings.
 * @place: the card, at one of two places, so that it can be moved
 * @here: at which
 * @search: how its range table is searched
 * @ram: its dual-ported RAM
 * @ram_seen: how far its records were gathered
 * @bus_accepts: records that its bus still accepts
 * @machine_us: the board's own time
 * @latency_running: its latency timer runs
 * @latency_us: until then
 * @line: its interrupt line
 * @rises: how often it became active
 * @strange: what no card may do: the line reported without a change, a bus write that is no record,
 *	an impossible RING_WRITE
 * @clock_ns: the time it was reported last
 * @advanced: what card_advance() said last
 * @queue: frames queued and not yet passed
 * @sent: how many of them passed with the last OPERATION_SEND
 * @read: what the last OPERATION_READ gave
 * @record: the records gathered, until the user empties the list
 * @records: how many
 * @capacity: for how many there is memory
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

/* A bench after power on. Never NULL: without memory the program ends. */
struct bench *bench_new(void);
void bench_free(struct bench *bench);

/* Search the range table by the @which-th search that this processor can do, counted around. */
void bench_search(struct bench *bench, uint64_t which);

/*
 * A second bench whose card goes on from where this one's is, as after a migration. It has gathered
 * nothing yet.
 */
struct bench *bench_clone(struct bench *bench);

struct card *bench_card(struct bench *bench);
uint32_t bench_get(struct bench *bench, uint32_t offset);
uint64_t bench_counter(struct bench *bench, uint32_t offset);

/* Records unread in the ring in use. */
uint32_t bench_unread(struct bench *bench);

/*
 * Carry out an operation. COMPARE does nothing; DRAIN must be made a WRITE before with
 * bench_resolve(), which leaves all others as they are.
 */
void bench_resolve(struct bench *bench, struct operation *operation);
void bench_do(struct bench *bench, const struct operation *operation);

/* Shorthand for a write. */
void bench_write(struct bench *bench, uint32_t offset, uint32_t value);

/*
 * Stop the card, swap it out and read all, as section 14 of the datasheet reports it, with a bus
 * that accepts all. Return: false if something is left.
 */
bool bench_empty(struct bench *bench);

/* Forget the frames that are queued. */
void bench_forget(struct bench *bench);

/* Gather what is new in the RAM. */
void bench_gather(struct bench *bench);

#endif /* TESTS_REFERENCE_BENCH_H */
