/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Random and hostile traffic: endless lists of operations; the same seed gives the same list.
 *
 * What lives here: the shapes of traffic, each with its own pages, nodes, frames and behaviour of
 * the host. The generator does not use the card's state. May use operation.h, include/ and the C
 * library.
 */
#ifndef TESTS_REFERENCE_TRAFFIC_H
#define TESTS_REFERENCE_TRAFFIC_H

#include <stdbool.h>

#include "tests/reference/operation.h"

enum traffic_shape {
	TRAFFIC_UNIFORM, /* any node, page and word */
	TRAFFIC_FEW, /* few pages and nodes: many matches and extensions */
	TRAFFIC_DENSE, /* one page, one window of it: entries that compete for the same words */
	TRAFFIC_BURST, /* one frame many thousand times: counters overflow */
	TRAFFIC_BOUNDARY, /* first and last words, of pages and of blocks; outermost pages */
	TRAFFIC_COLLIDING, /* few transaction ids, nodes of equal low bits, many responses */
	TRAFFIC_BROKEN, /* cut off, too long, unknown commands */
	TRAFFIC_EVENTS, /* storms of event00 frames and EVENT writes */
	TRAFFIC_FULL, /* a host that hardly reads */
	TRAFFIC_TIMER, /* timer events, TIME records, a clock that is set often */
	TRAFFIC_BUS, /* a ring in host memory, and a bus that refuses */
	TRAFFIC_REGISTERS, /* a host that writes any value to any register */
	TRAFFIC_SHAPES,
};

#define TRAFFIC_PAGES 8U
#define TRAFFIC_QUEUE 512U
#define TRAFFIC_RECENT 16U

/**
 * struct traffic - A generator.
 * @random: state of the random numbers
 * @shape: the shape of the traffic
 * @page: preferred pages
 * @node: preferred nodes
 * @nodes: number of preferred nodes
 * @max_range: the value last written to MAX_RANGE
 * @recent: requests that a response may answer: source, target, transaction id
 * @queue: operations that are generated and not yet returned
 * @head: number of operations returned from @queue
 * @tail: number of operations stored in @queue
 */
struct traffic {
	uint64_t random;
	enum traffic_shape shape;
	uint64_t page[TRAFFIC_PAGES];
	uint32_t node[TRAFFIC_PAGES];
	uint32_t nodes;
	uint32_t max_range;
	uint32_t recent[TRAFFIC_RECENT][3];
	struct operation queue[TRAFFIC_QUEUE];
	uint32_t head;
	uint32_t tail;
};

const char *traffic_name(enum traffic_shape shape);

/* Initialize; the first operations configure and start the card. */
void traffic_begin(struct traffic *traffic, enum traffic_shape shape, uint64_t seed);

/* The next operation, valid until the next call. */
const struct operation *traffic_next(struct traffic *traffic);

/* ---- for the generator's own files ---- */

/* A random number of records for the watermark interrupt. */
uint32_t traffic_watermark(struct traffic *traffic);

/* A random number below @below. */
uint32_t traffic_random(struct traffic *traffic, uint32_t below);

/* True in one of @of cases. */
bool traffic_one_in(struct traffic *traffic, uint32_t of);

/* Append an operation to the queue; traffic_write() appends a register write. */
struct operation *traffic_push(struct traffic *traffic, enum operation_kind kind, uint64_t value);
void traffic_write(struct traffic *traffic, uint32_t offset, uint64_t value);

uint64_t traffic_page(struct traffic *traffic);
uint32_t traffic_node(struct traffic *traffic);

/* frames.c: the next frame. */
void traffic_frame(struct traffic *traffic);

/* setup.c: stop, empty, configure and start the card; or write any value to any register. */
void traffic_configure(struct traffic *traffic);
void traffic_wild_write(struct traffic *traffic);

#endif /* TESTS_REFERENCE_TRAFFIC_H */
