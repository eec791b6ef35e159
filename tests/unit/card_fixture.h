/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A card on the test bench: what the tests of the emulated card share.
 *
 * What lives here: a card with its RAM and interrupt line, builders of B-Link frames, a host that
 * reads the swap ring as a driver would, and an oracle: the range table once more, written from the
 * specification in the plainest way, for a ring that is never full. Only the card's public calls
 * are used. It may use cmocka, emu/card/card.h and include/.
 *
 * Records are compared as text, so that a failing test says what it saw:
 *
 *	dynamic read capacity [3] x17 2>0 0x28000+16
 *	dynamic write-response swap [0] x1 1>0 0x1000+4
 *	event 5 phase blink node 2 at 1000
 *	lost 3 marks 0
 */
#ifndef TESTS_UNIT_CARD_FIXTURE_H
#define TESTS_UNIT_CARD_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <emu/card/card.h>

#define FIXTURE_RING_RECORDS (SMILE_RING_WORDS / SMILE_RECORD_WORDS)
#define FIXTURE_FILL_PAGE 0x1000ULL /* fixture_fill() uses pages from here on */
#define FIXTURE_FILL_SOURCE 9
#define FIXTURE_TEXT_BYTES 128

/**
 * struct told - A record, decoded; members that its kind lacks are zero.
 */
struct told {
	uint64_t address;
	uint64_t time_ns;
	uint64_t lost;
	uint32_t marks_lost;
	uint32_t kind;
	uint32_t type;
	uint32_t response;
	uint32_t cause;
	uint32_t index;
	uint32_t count;
	uint32_t source;
	uint32_t destination;
	uint32_t length;
	uint32_t phase;
	uint32_t dirty; /* a bit that must be zero is not */
};

/**
 * struct stream - Records in order, growing.
 */
struct stream {
	struct told *told;
	size_t count;
	size_t capacity;
};

/**
 * struct fixture - A card, its RAM, its interrupt line and the host that drains it.
 * @level: interrupt line
 * @edges: how often it was told
 * @repeats: how often it was told without having changed
 * @drained: what the host has read so far
 * @checked: records of @drained that fixture_expect() has compared
 * @filled: pages that fixture_fill() has used
 */
struct fixture {
	struct card card;
	uint32_t ram[SMILE_RING_WORDS];
	bool level;
	unsigned int edges;
	unsigned int repeats;
	struct stream drained;
	size_t checked;
	uint64_t filled;
};

int fixture_setup(void **state);
int fixture_teardown(void **state);

struct smile_config fixture_defaults(void);
void fixture_configure(struct fixture *fx, const struct smile_config *config);
void fixture_start(struct fixture *fx, const struct smile_config *config);

uint32_t fixture_get(struct fixture *fx, uint32_t offset);
void fixture_set(struct fixture *fx, uint32_t offset, uint32_t value);
uint64_t fixture_counter(struct fixture *fx, uint32_t offset);

/* Frames. */
size_t fixture_frame(uint64_t *words, unsigned int command, unsigned int source,
		     unsigned int target, unsigned int transaction, uint64_t bd2);
void fixture_packet(struct fixture *fx, unsigned int command, unsigned int source,
		    unsigned int target, unsigned int transaction, uint64_t bd2);
void fixture_read(struct fixture *fx, unsigned int source, unsigned int target, uint64_t address);
void fixture_write(struct fixture *fx, unsigned int source, unsigned int target, uint64_t address);
void fixture_lock(struct fixture *fx, unsigned int source, unsigned int target, uint64_t address);
void fixture_event00(struct fixture *fx, unsigned int source, unsigned int event);

/* The host. */
unsigned int fixture_unread(struct fixture *fx);
unsigned int fixture_take(struct fixture *fx, unsigned int records);
void fixture_drain(struct fixture *fx);
void fixture_swap(struct fixture *fx);
void fixture_fill(struct fixture *fx, unsigned int room);

/* What is expected; each of these fails the test if it is not so. */
void fixture_skip(struct fixture *fx, size_t records);
void fixture_expect(struct fixture *fx, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void fixture_expect_none(struct fixture *fx);
void fixture_expect_counter(struct fixture *fx, uint32_t offset, uint64_t value);
void fixture_expect_refused(struct fixture *fx, uint32_t offset, uint32_t value);
void fixture_expect_account(struct fixture *fx);
void fixture_expect_stream(const struct stream *actual, const struct stream *expected);

void told_decode(struct told *told, const uint32_t words[SMILE_RECORD_WORDS]);
void told_print(const struct told *told, char text[FIXTURE_TEXT_BYTES]);
void stream_add(struct stream *stream, const struct told *told);
void stream_free(struct stream *stream);

/**
 * struct oracle - The range table by specification, for a ring without end.
 */
struct oracle {
	struct smile_config config;
	struct oracle_entry {
		bool valid;
		uint64_t low;
		uint64_t high;
		uint64_t used;
		uint32_t source;
		uint32_t destination;
		uint32_t type;
		uint32_t response;
		uint32_t count;
	} entry[SMILE_ENTRIES_MAX];
	uint64_t clock;
	uint64_t extensions;
	struct stream stream;
};

void oracle_init(struct oracle *oracle, const struct smile_config *config);
void oracle_event(struct oracle *oracle, uint32_t source, uint32_t destination, uint32_t type,
		  uint32_t response, uint64_t address);
void oracle_swap(struct oracle *oracle);
void oracle_mark(struct oracle *oracle, uint32_t event, uint32_t node, uint32_t raised,
		 uint64_t time_ns);

/* A small generator: the same numbers on every machine. */
uint32_t fixture_random(uint64_t *seed, uint32_t below);

#endif /* TESTS_UNIT_CARD_FIXTURE_H */
