/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The emulated card and the reference side by side.
 *
 * What lives here: executing the same steps on both, and comparing everything visible: every record
 * byte for byte and its destination, every register, the interrupt line, the latency timer, and the
 * results of card_ready(), card_advance() and card_deadline(). May use bench.h, reference.h and
 * the C library.
 */
#ifndef TESTS_REFERENCE_PAIR_H
#define TESTS_REFERENCE_PAIR_H

#include "tests/reference/bench.h"
#include "tests/reference/reference.h"

#define PAIR_LOG 24U
#define PAIR_DIFFERENCE_BYTES 256U

/**
 * struct pair - A card and its reference.
 * @bench: the card
 * @ref: the reference
 * @steps: number of executed operations
 * @frames: number of frames among these operations
 * @compared: number of compared records
 * @reported: compared records by kind and cause
 * @log: the last operations
 * @flip: bit of a record that a test of this comparison flips before the record is compared; -1:
 *	none
 * @difference: the first difference that was found; empty if there is none
 */
struct pair {
	struct bench *bench;
	struct reference ref;
	uint64_t steps;
	uint64_t frames;
	uint64_t compared;
	uint64_t reported[16][16];
	struct operation log[PAIR_LOG];
	int flip;
	char difference[PAIR_DIFFERENCE_BYTES];
};

/* A pair after power on. Never NULL: if memory is missing, the program ends. */
struct pair *pair_new(void);
void pair_free(struct pair *pair);

/* Execute an operation on both. Return: false if a difference was found, now or before. */
bool pair_do(struct pair *pair, const struct operation *operation);

/* Shorthand for a write. */
bool pair_write(struct pair *pair, uint32_t offset, uint64_t value);

/* Compare everything visible. Return: false if there is a difference, or was one before. */
bool pair_compare(struct pair *pair);

/* Compare only the records. */
bool pair_compare_records(struct pair *pair);

/* Print the difference and the last operations to standard error. */
void pair_print(const struct pair *pair);

#endif /* TESTS_REFERENCE_PAIR_H */
