/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Shared by the conformance suite's cases: traffic that is recorded while it is sent, and the
 * checks that go through a whole view. May use fixture.h and naive.h.
 */
#ifndef TESTS_CONFORMANCE_TRAFFIC_H
#define TESTS_CONFORMANCE_TRAFFIC_H

#include "tests/conformance/fixture.h"
#include "tests/conformance/naive.h"
#include "tests/conformance/naive_static.h"

#define NODES 5 /* 0 to 4; pages lie at 0 to 2 */
#define PAGES 7

extern const uint64_t pages[PAGES];
extern const unsigned int type_command[SMILE_TYPE_COUNT]; /* a request of each type */

struct smile_config config_default(void);

/* Send a request, later, and write it down now. */
void access_add(struct conformance *c, struct naive *naive, unsigned int source, unsigned int home,
		unsigned int type, uint64_t address, unsigned int phase);

/* Random accesses of all nodes to all pages, most of them near one another. */
void traffic_add(struct conformance *c, struct naive *naive, uint64_t seed, unsigned int count,
		 unsigned int phase);

/* As access_add(), but written down in @steps, too; if @answered, with its response. */
void step_access(struct conformance *c, struct naive *naive, struct naive_steps *steps,
		 unsigned int source, const struct naive_step *access, bool answered);

/* A global event on the B-Link. */
void step_event(struct conformance *c, struct naive_steps *steps, unsigned int event,
		unsigned int phase);

/* As traffic_add(), some of it answered. */
void step_traffic(struct conformance *c, struct naive *naive, struct naive_steps *steps,
		  uint64_t seed, unsigned int count, unsigned int phase);

struct naive_access any_at(uint64_t home, uint64_t page);

/* Every row of the histogram and every number of the transfer matrix is what was sent. */
void expect_histogram(struct conformance *c, const struct naive *naive, bool typed);

/* The counters are what the naive ones count, in each of @phases phases, and in the account. */
void expect_static(struct conformance *c, const struct naive_steps *steps,
		   const struct naive_counter *counters, size_t count, unsigned int phases);

/* The card accepted so much, and all of it was delivered. */
void expect_balanced(struct conformance *c, uint64_t accepted);

#endif /* TESTS_CONFORMANCE_TRAFFIC_H */
