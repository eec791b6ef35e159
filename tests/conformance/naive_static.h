/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The conformance suite's own static counters: the count of each is computed by going through
 * everything that was sent.
 *
 * What lives here: simple code, so that it can be trusted. May use the public API's names, and
 * makes the tables of its counters by the API alone.
 */
#ifndef TESTS_CONFORMANCE_NAIVE_STATIC_H
#define TESTS_CONFORMANCE_NAIVE_STATIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

/**
 * struct naive_step - Something sent: a transaction's packet, or a global event.
 * @global: a global event
 * @event: its id
 * @home: home node of the memory
 * @type: SMILE_TYPE_*
 * @response: a response
 * @address: byte address
 * @phase: phase that it belongs to; of a phase mark, the one that it ends
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
 * struct naive_steps - All of them, in order.
 */
struct naive_steps {
	struct naive_step *step;
	size_t count;
	size_t capacity;
};

void naive_steps_add(struct naive_steps *steps, const struct naive_step *step);
void naive_steps_free(struct naive_steps *steps);

/**
 * struct naive_watch - An event to wait for; all zero: none.
 * @global: it is global event @event
 * @filter: SMILE_FILTER_*: or it is an access, and of this kind, to
 * @bytes: so many bytes
 * @address: from here on
 * @home: of this node
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

/* What the counter counts in @phase. */
uint64_t naive_static_count(const struct naive_steps *steps, const struct naive_counter *counter,
			    unsigned int phase);

/* The tables of @count counters, by Monitor_static_event() and Monitor_static_counter(). */
struct smile_static naive_static_tables(const struct naive_counter *counters, size_t count);

#endif /* TESTS_CONFORMANCE_NAIVE_STATIC_H */
