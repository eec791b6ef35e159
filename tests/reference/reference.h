/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A second implementation of the card, written only from docs/registers.md, as plainly as possible
 * and without regard to speed.
 *
 * What lives here: its state and its calls, which mirror those of emu/card/card.h. Its data
 * structures differ from those of the card: tables are lists in the order of their use, rings are
 * numbers that only grow, records are decoded members that are encoded at the very end, registers
 * are a list of descriptions. Section numbers are those of the datasheet. May use include/ and the
 * C library, nothing of emu/card.
 */
#ifndef TESTS_REFERENCE_REFERENCE_H
#define TESTS_REFERENCE_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hw/blink.h>
#include <hw/smile_regs.h>

/**
 * struct reference_record - A record, decoded (section 12). Members that its kind lacks are zero.
 * @address: byte address; for a counter of a global event, the event's id
 * @words: length of the range in words
 */
struct reference_record {
	uint32_t kind;
	uint32_t type;
	uint32_t response;
	uint32_t cause;
	uint32_t count;
	uint32_t source;
	uint32_t destination;
	uint64_t address;
	uint32_t words;
	uint32_t index;
	uint32_t event;
	uint32_t phase;
	uint64_t time_ns;
	uint64_t lost;
	uint32_t marks_lost;
};

/**
 * struct reference_written - A record that was written to a ring.
 * @host: whether the ring is in host memory
 * @place: bus address of the record, or its first word in the dual-ported RAM
 */
struct reference_written {
	struct reference_record record;
	bool host;
	uint64_t place;
};

/* The contents of a decoded frame (section 4). Home is the node that owns the accessed memory. */
struct reference_transaction {
	bool response;
	uint32_t type;
	uint32_t source;
	uint32_t target;
	uint32_t id;
	uint64_t address;
};

/* A request that waits for its response; there is one list for each transaction id. */
struct reference_request {
	uint32_t requester;
	uint32_t type;
	uint64_t address;
};

struct reference_requests {
	struct reference_request request[BLINK_TRANSACTIONS];
	unsigned int number;
};

/*
 * The members of a request that the faithful table stores: page and word together, "read or lock".
 */
struct reference_faithful {
	uint64_t address;
	bool read_or_lock;
};

/* A valid entry of the range table (section 6). */
struct reference_range {
	uint32_t index;
	uint32_t source;
	uint32_t destination;
	uint32_t type;
	uint32_t response;
	uint64_t page;
	uint32_t first;
	uint32_t last;
	uint32_t count;
};

/* A static counter (section 7). */
struct reference_counter {
	uint32_t count;
	bool active;
	uint64_t owed;
	uint64_t taken_overflows;
	uint64_t taken_rest;
};

/* A global event on its way to the ring (section 8). */
struct reference_mark {
	bool kept;
	bool phase;
	uint32_t id;
	uint32_t node;
	uint32_t cause;
	uint64_t time_ns;
};

/* A periodic timer (section 8). */
struct reference_timer {
	bool running;
	uint64_t due_ns;
};

/**
 * struct reference - The whole card.
 * @plain: registers that hold the value written to them, by offset / 4
 * @bad_write: STATUS.BAD_WRITE
 * @dma_error: STATUS.DMA_ERROR
 * @link: STATUS.LINK
 * @latch: high half of the 64-bit register that was read last
 * @seen: the first of the 64-bit registers; @clock_ns is the last
 * @pending: source-keyed transaction table: requests without a response, by transaction id
 * @faithful: the historic transaction table
 * @range: valid entries of the range table, the least recently used first
 * @ranges: number of valid entries
 * @counter: static counters
 * @swapping: a Swap_All has started and not ended
 * @mark: the mark that is stored
 * @take_later: SWAP_STATIC was written while a phase mark waited, and must follow the mark
 * @time_waits: a TIME record waits
 * @time_ns: the time of this TIME record
 * @lost_pending: number of lost memory events that the next LOST record reports
 * @lost_in_swap: the same for the LOST record after the end of the Swap_All
 * @marks_pending: number of lost EVENT records that the next LOST record reports
 * @marks_in_swap: the same for the LOST record after the end of the Swap_All
 * @timers_started: the clock has made a step with CONTROL.ENABLE set
 * @time_record: when the next TIME record is due
 * @timer_event: when the next timer event is due
 * @ram_read: number of records that the host has read from the dual-ported RAM since reset
 * @ram_written: number of records written to the dual-ported RAM since reset
 * @machine_us: the board's own time; set by the test
 * @latency_running: the latency timer runs
 * @latency_us: when the latency timer expires
 * @bus_accepts: number of writes that the bus will still accept; set by the test
 * @line: the interrupt line
 * @rises: number of times that the line became active
 * @written: the written records that have not yet been compared
 * @records: number of records in @written
 * @capacity: number of records for which @written has memory
 */
struct reference {
	uint32_t plain[SMILE_REGS_BYTES / 4];
	bool bad_write;
	bool dma_error;
	bool link;
	uint32_t latch;

	uint64_t seen;
	uint64_t malformed;
	uint64_t unmatched;
	uint64_t filtered;
	uint64_t event;
	uint64_t accepted;
	uint64_t lost;
	uint64_t delivered;
	uint64_t marks_lost;
	uint64_t extensions;
	uint64_t records_written;
	uint64_t static_counted;
	uint64_t static_delivered;
	uint64_t clock_ns;

	struct reference_requests pending[BLINK_TRANSACTIONS];
	struct reference_faithful faithful[BLINK_TRANSACTIONS];
	struct reference_range range[SMILE_ENTRIES_MAX];
	unsigned int ranges;
	struct reference_counter counter[SMILE_STATIC_COUNTERS];

	bool swapping;
	struct reference_mark mark;
	bool take_later;
	bool time_waits;
	uint64_t time_ns;
	uint64_t lost_pending;
	uint64_t lost_in_swap;
	uint64_t marks_pending;
	uint64_t marks_in_swap;

	bool timers_started;
	struct reference_timer time_record;
	struct reference_timer timer_event;

	uint64_t ram_read;
	uint64_t ram_written;
	uint64_t machine_us;
	bool latency_running;
	uint64_t latency_us;
	uint64_t bus_accepts;
	bool line;
	unsigned int rises;

	struct reference_written *written;
	size_t records;
	size_t capacity;
};

/* ---- reference.c: the calls of card.h ---- */

void reference_init(struct reference *ref);
void reference_free(struct reference *ref);
void reference_reset(struct reference *ref);
void reference_packet(struct reference *ref, const void *frame, size_t bytes);
void reference_expire(struct reference *ref);
void reference_link(struct reference *ref, bool up);
bool reference_ready(const struct reference *ref);

/* Raise a global event. */
void reference_raise(struct reference *ref, uint32_t id, uint32_t node, uint32_t cause);

/* Return: CONTROL.ENABLE; a bit of MODE. */
bool reference_enabled(const struct reference *ref);
bool reference_mode(const struct reference *ref, uint32_t bit);

/* Set the line according to the interrupt registers; called at the end of every call. */
void reference_interrupt(struct reference *ref);

/* ---- registers.c: section 3 ---- */

uint32_t reference_read(struct reference *ref, uint32_t offset);
void reference_write(struct reference *ref, uint32_t offset, uint32_t value);

/* Read and write a register that holds the value written to it, or entry @i of a table of these. */
uint32_t reference_get(const struct reference *ref, uint32_t offset);
void reference_set(struct reference *ref, uint32_t offset, uint32_t value);

/* Set every plain register to its reset value. */
void reference_registers_reset(struct reference *ref);

/* ---- decoder.c: section 4 ---- */

enum reference_class {
	REFERENCE_MALFORMED,
	REFERENCE_REQUEST,
	REFERENCE_RESPONSE,
	REFERENCE_EVENT,
};

/* Decode a frame. A decoded response has neither type nor address yet. */
enum reference_class reference_decode(const struct reference *ref, const void *frame, size_t bytes,
				      struct reference_transaction *out);

/* Store a request in both tables. */
void reference_remember(struct reference *ref, const struct reference_transaction *request);

/* Remove all requests from both tables. */
void reference_forget(struct reference *ref);

/* Copy the type and address of its request to a response. Return: false if there is no request. */
bool reference_answer(struct reference *ref, struct reference_transaction *response);

/* ---- dynamic.c: section 6 ---- */

/* Count an event. Return: false if it is lost. */
bool reference_dynamic_count(struct reference *ref, const struct reference_transaction *event);

/* Positions in the list of ranges, or -1. */
int reference_dynamic_saturated(const struct reference *ref);
int reference_dynamic_lowest(const struct reference *ref);
int reference_dynamic_demanded(const struct reference *ref);

/* Return the record of the range at a position of the list; remove the range from the list. */
struct reference_record reference_dynamic_record(const struct reference *ref, int place,
						 uint32_t cause);
void reference_dynamic_remove(struct reference *ref, int place);

/* ---- static_counters.c: section 7 ---- */

void reference_static_reset(struct reference *ref);

/* A write to STATIC_COUNTER @i. */
void reference_static_begin(struct reference *ref, uint32_t i);

/* Apply a transaction or a global event to the static array. */
void reference_static_transaction(struct reference *ref, const struct reference_transaction *event);
void reference_static_global(struct reference *ref, uint32_t id);

/* SWAP_OUT: move the counts of all counters to the records that wait. */
void reference_static_take(struct reference *ref);

/* The same for counter @i only. */
void reference_static_take_one(struct reference *ref, uint32_t i);

/* The record of counter @i; a record of the kind STATIC has @count events. */
struct reference_record reference_static_record(const struct reference *ref, uint32_t i,
						uint32_t kind, uint32_t count);

/* ---- timer.c: sections 8 and 13 ---- */

void reference_tick(struct reference *ref, uint64_t now_ns);
bool reference_advance(struct reference *ref, uint64_t now_ns);
uint64_t reference_deadline(const struct reference *ref);
void reference_timer_stop(struct reference *ref);

/* ---- ring.c: section 9 ---- */

uint32_t reference_ring_unread(const struct reference *ref);
bool reference_ring_full(const struct reference *ref);

/* Return: whether the ring in use is not full and the bus has not refused it. */
bool reference_ring_room(const struct reference *ref);

/* Write a record. Return: false if there was no room, or the bus refused it. */
bool reference_ring_put(struct reference *ref, const struct reference_record *record);

/* Called after a write to RING_LATENCY or to the read pointer of the ring in use. */
void reference_ring_latency(struct reference *ref);

/* ---- work.c: section 10 ---- */

/* Write the waiting records, as many as there is room for. */
void reference_work(struct reference *ref);

/* From now on, report the losses during a Swap_All. */
void reference_work_losses(struct reference *ref);

/* Does something wait for room and keep the card from being at rest (section 3)? */
bool reference_work_busy(const struct reference *ref);

/* Return: STATUS.SWAPPING. */
bool reference_work_swapping(const struct reference *ref);

/* ---- record.c: section 12 ---- */

void reference_encode(const struct reference_record *record, uint32_t word[SMILE_RECORD_WORDS]);

/* Store a record for the comparison. */
void reference_keep(struct reference *ref, const struct reference_written *written);

#endif /* TESTS_REFERENCE_REFERENCE_H */
