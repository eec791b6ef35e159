/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The conformance suite's own static counters: the count of each counter is computed from the whole
 * list of sent frames and events.
 *
 * What lives here: simple code, so that it can be trusted. May use the public API's names, and
 * creates the tables of its counters only by the API.
 */
#ifndef TESTS_CONFORMANCE_NAIVE_STATIC_H
#define TESTS_CONFORMANCE_NAIVE_STATIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

/**
 * struct naive_step - A sent packet of a transaction, or a global event.
 * @global: a global event
 * @event: its id
 * @home: home node of the memory
 * @type: SMILE_TYPE_*
 * @response: a response
 * @address: byte address
 * @phase: the step's phase; for a phase mark, the phase that it ends
 */
struct naive_step {
	bool global;
	unsigned int event;
	unsigned int home;
	unsigned int type;
	bool response;
	uint64_t address;
	unsigned int phase;
};

/**
 * struct naive_steps - All sent steps, in order.
 */
struct naive_steps {
	struct naive_step *step;
	size_t count;
	size_t capacity;
};

void naive_steps_add(struct naive_steps *steps, const struct naive_step *step);
void naive_steps_free(struct naive_steps *steps);

/**
 * struct naive_watch - An event that a counter waits for; all zero: no event.
 * @global: wait for global event @event
 * @filter: SMILE_FILTER_*: wait for an access of this kind
 * @bytes: length of the accessed range
 * @address: start of the accessed range
 * @home: home node of the accessed range
 */
struct naive_watch {
	bool global;
	unsigned int event;
	unsigned int filter;
	unsigned int bytes;
	uint64_t address;
	unsigned int home;
};

/**
 * struct naive_counter - A static counter.
 */
struct naive_counter {
	struct naive_watch counts;
	struct naive_watch from;
	struct naive_watch until;
};

/* Return: the value that the counter must have in @phase. */
uint64_t naive_static_count(const struct naive_steps *steps, const struct naive_counter *counter,
			    unsigned int phase);

/* Create the tables of @count counters by Monitor_static_event() and Monitor_static_counter(). */
struct smile_static naive_static_tables(const struct naive_counter *counters, size_t count);

#endif /* TESTS_CONFORMANCE_NAIVE_STATIC_H */
