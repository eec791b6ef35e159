/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fixture of the ring's tests: a ringlet under load, which the tests can check in each clock.
 *
 * What lives here: checks of conditions that must always be true. May use emu/ring and cmocka.
 */
#ifndef TESTS_UNIT_RING_RING_FIXTURE_H
#define TESTS_UNIT_RING_RING_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "emu/ring/load.h"
#include "emu/ring/ring_inside.h"

#define FIXTURE_PACKETS 65536U

/**
 * struct ringlet - A ringlet and its load.
 * @came: number of times that each packet of each node entered an input buffer
 * @tries: highest number of times that one packet was sent
 */
struct ringlet {
	struct ring ring;
	struct load load;
	uint8_t came[RING_NODES_MAX][FIXTURE_PACKETS];
	uint32_t tries;
};

/* Start a ringlet. All tests of a program use the same one, because it is too large for a stack. */
struct ringlet *ringlet_start(const struct ring_config *config, const struct load_source *source,
			      uint64_t seed);

void ringlet_run(struct ringlet *fx, uint64_t clocks);

/* Run the ringlet, and call ringlet_check() after each clock. */
void ringlet_run_checked(struct ringlet *fx, uint64_t clocks);

/* Check the conditions that must be true after each clock. */
void ringlet_check(const struct ringlet *fx);

/*
 * Stop the load, and run until no packet is left. Each offered packet must have arrived exactly
 * once.
 */
void ringlet_drain(struct ringlet *fx);

/* Make a load that sends requests of one command at fixed intervals. */
struct load_source ringlet_source(unsigned int command, uint32_t interval);

#endif /* TESTS_UNIT_RING_RING_FIXTURE_H */
