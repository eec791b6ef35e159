/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Shared by the conformance suite's cases: traffic that is recorded while it is sent, and the
 * checks of a whole view. May use fixture.h and naive.h.
 */
#ifndef TESTS_CONFORMANCE_TRAFFIC_H
#define TESTS_CONFORMANCE_TRAFFIC_H

#include "tests/conformance/fixture.h"
#include "tests/conformance/naive.h"
#include "tests/conformance/naive_static.h"

#define NODES 5 /* nodes 0 to 4; pages are on nodes 0 to 2 */
#define PAGES 7

extern const uint64_t pages[PAGES];
extern const unsigned int type_command[SMILE_TYPE_COUNT]; /* a request of each type */

struct smile_config config_default(void);

/* Add a request to the frames to be sent, and to @naive. */
void access_add(struct conformance *c, struct naive *naive, unsigned int source, unsigned int home,
		unsigned int type, uint64_t address, unsigned int phase);

/* Add random accesses of all nodes to all pages, most of them near one another. */
void traffic_add(struct conformance *c, struct naive *naive, uint64_t seed, unsigned int count,
		 unsigned int phase);

/* As access_add(), but also adds the request to @steps; if @answered, also its response. */
void step_access(struct conformance *c, struct naive *naive, struct naive_steps *steps,
		 unsigned int source, const struct naive_step *access, bool answered);

/* Add a global event on the B-Link. */
void step_event(struct conformance *c, struct naive_steps *steps, unsigned int event,
		unsigned int phase);

/* As traffic_add(), with responses to some of the requests. */
void step_traffic(struct conformance *c, struct naive *naive, struct naive_steps *steps,
		  uint64_t seed, unsigned int count, unsigned int phase);

struct naive_access any_at(uint64_t home, uint64_t page);

/*
 * Check that every row of the histogram and every number of the transfer matrix agree with the sent
 * accesses.
 */
void expect_histogram(struct conformance *c, const struct naive *naive, bool typed);

/*
 * Check that the counters agree with the naive counters in each of @phases phases, and in the
 * account.
 */
void expect_static(struct conformance *c, const struct naive_steps *steps,
		   const struct naive_counter *counters, size_t count, unsigned int phases);

/* Check that the card accepted @accepted events, and that all of them were delivered. */
void expect_balanced(struct conformance *c, uint64_t accepted);

#endif /* TESTS_CONFORMANCE_TRAFFIC_H */
