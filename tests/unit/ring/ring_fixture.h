/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fixture of the ring's tests: a ringlet under load that can be checked in each clock.
 *
 * What lives here: the identities that must always hold. May use emu/ring and cmocka.
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
 * @came: number of times that a packet entered an input buffer, by its node and number
 * @tries: the highest number of tries of a packet
 */
struct ringlet {
	struct ring ring;
	struct load load;
	uint8_t came[RING_NODES_MAX][FIXTURE_PACKETS];
	uint32_t tries;
};

/* All tests of a program share one ringlet, since it is too large for a stack. */
struct ringlet *ringlet_start(const struct ring_config *config, const struct load_source *source,
			      uint64_t seed);

/* Run the ringlet for some clocks. */
void ringlet_run(struct ringlet *fx, uint64_t clocks);

/* Run the ringlet, and call ringlet_check() after each clock. */
void ringlet_run_checked(struct ringlet *fx, uint64_t clocks);

/* Check the identities that must hold after each clock. */
void ringlet_check(const struct ringlet *fx);

/* Stop the load, and run until no packet is left. Each offered packet must have arrived once. */
void ringlet_drain(struct ringlet *fx);

/* A load of requests of one command at fixed intervals. */
struct load_source ringlet_source(unsigned int command, uint32_t interval);

#endif /* TESTS_UNIT_RING_RING_FIXTURE_H */
