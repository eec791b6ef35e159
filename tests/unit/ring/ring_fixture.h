/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fixture of the ring's tests: a ringlet under load, checked in each clock.
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
 * @came: how often the packet with this number of this node came into an input buffer
 * @tries: the most that a packet needed
 */
struct ringlet {
	struct ring ring;
	struct load load;
	uint8_t came[RING_NODES_MAX][FIXTURE_PACKETS];
	uint32_t tries;
};

/* The same ringlet for all tests of a program: it is too large for a stack. */
struct ringlet *ringlet_start(const struct ring_config *config, const struct load_source *source,
			      uint64_t seed);

/* Some clocks. */
void ringlet_run(struct ringlet *fx, uint64_t clocks);

/* The same, with ringlet_check() after each. */
void ringlet_run_checked(struct ringlet *fx, uint64_t clocks);

/* What must hold after each clock. */
void ringlet_check(const struct ringlet *fx);

/* No more load; until nothing is left. All that was offered must have come once. */
void ringlet_drain(struct ringlet *fx);

/* Requests of one command at fixed intervals. */
struct load_source ringlet_source(unsigned int command, uint32_t interval);

#endif /* TESTS_UNIT_RING_RING_FIXTURE_H */
