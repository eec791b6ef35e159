/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * An emulated card with its surroundings, for the tests of the card.
 *
 * What lives here: a card with its RAM, interrupt line, bus and latency timer; builders of B-Link
 * frames; and a host that reads the current swap ring as a driver does. The fixture calls only the
 * card's public functions. May use cmocka, emu/card/card.h, include/, oracle.h and
 * decoded_record.h.
 */
#ifndef TESTS_UNIT_CARD_FIXTURE_H
#define TESTS_UNIT_CARD_FIXTURE_H

#include <emu/card/card.h>

#include "tests/unit/card/oracle.h"
#include "tests/unit/card/decoded_record.h"

#define FIXTURE_RING_RECORDS (SMILE_RING_WORDS / SMILE_RECORD_WORDS)
#define FIXTURE_FILL_PAGE 0x1000ULL /* first page of fixture_fill() */
#define FIXTURE_FILL_SOURCE 9

/**
 * struct fixture - A card, its RAM, its interrupt line, and the host that reads its records.
 * @level: level of the interrupt line
 * @edges: number of times that the line was reported
 * @repeats: number of times that the line was reported without a change
 * @memory: the ring in host memory; all bytes that are not of an unread record are 0xa5
 * @memory_base: bus address of @memory
 * @memory_records: number of records for which @memory has room
 * @bus_refuses: true if writes to @memory fail after @bus_passes more writes
 * @bus_tries: number of writes to @memory, including failed ones
 * @latency_us: the value to which the latency timer was last set
 * @latency_calls: number of times that the latency timer was set
 * @drained: all records that the host has read
 * @checked: number of records of @drained that fixture_expect() has compared
 * @filled: number of pages that fixture_fill() has used
 */
struct fixture {
	struct card card;
	uint32_t ram[SMILE_RING_WORDS];
	bool level;
	unsigned int edges;
	unsigned int repeats;
	uint8_t *memory;
	uint64_t memory_base;
	uint32_t memory_records;
	bool bus_refuses;
	unsigned int bus_passes;
	unsigned int bus_tries;
	uint32_t latency_us;
	unsigned int latency_calls;
	struct stream drained;
	size_t checked;
	uint64_t filled;
};

int fixture_setup(void **state);
int fixture_teardown(void **state);

struct smile_config fixture_defaults(void);
void fixture_configure(struct fixture *fx, const struct smile_config *config);
void fixture_start(struct fixture *fx, const struct smile_config *config);

/* Give the card a ring in host memory. To use it, the configuration must set MODE.HOST_RING. */
void fixture_host_ring(struct fixture *fx, uint64_t base, uint32_t records, uint32_t first);

uint32_t fixture_get(struct fixture *fx, uint32_t offset);
void fixture_set(struct fixture *fx, uint32_t offset, uint32_t value);
uint64_t fixture_counter(struct fixture *fx, uint32_t offset);

/* Build frames, and send them to the card. */
size_t fixture_frame(uint64_t *words, unsigned int command, unsigned int source,
		     unsigned int target, unsigned int transaction, uint64_t bd2);
void fixture_packet(struct fixture *fx, unsigned int command, unsigned int source,
		    unsigned int target, unsigned int transaction, uint64_t bd2);
void fixture_read(struct fixture *fx, unsigned int source, unsigned int target, uint64_t address);
void fixture_write(struct fixture *fx, unsigned int source, unsigned int target, uint64_t address);
void fixture_lock(struct fixture *fx, unsigned int source, unsigned int target, uint64_t address);
void fixture_event00(struct fixture *fx, unsigned int source, unsigned int event);

/* The operations of the host on the current ring. */
unsigned int fixture_capacity(struct fixture *fx);
unsigned int fixture_unread(struct fixture *fx);
unsigned int fixture_take(struct fixture *fx, unsigned int records);
void fixture_drain(struct fixture *fx);
void fixture_swap(struct fixture *fx);
void fixture_swap_static(struct fixture *fx);
void fixture_fill(struct fixture *fx, unsigned int room);

/* Each of these functions fails the test if the card behaves differently. */
void fixture_skip(struct fixture *fx, size_t records);
void fixture_expect(struct fixture *fx, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void fixture_expect_none(struct fixture *fx);
void fixture_expect_counter(struct fixture *fx, uint32_t offset, uint64_t value);
void fixture_expect_refused(struct fixture *fx, uint32_t offset, uint32_t value);
void fixture_expect_account(struct fixture *fx);
void fixture_expect_stream(const struct stream *actual, const struct stream *expected);

/* A small random generator with the same numbers on every machine. */
uint32_t fixture_random(uint64_t *seed, uint32_t below);

#endif /* TESTS_UNIT_CARD_FIXTURE_H */
