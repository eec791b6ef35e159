/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Atomics: the order in which threads execute an atomic instruction that returns a value.
 *
 * What lives here: many programs give a thread its number, or a piece of work, by such an
 * instruction: next++ without a lock. Which thread gets which would be the host's making, so each
 * execution by each thread is a turn, as for a lock, up to a number: a turn takes some 50
 * microseconds. Beyond it the host decides. An addition that is executed very often is mostly a
 * count of references, which decides nothing, and has fewer turns. An exchange is mostly a spin
 * lock, which must have them to its end: where threads spin without turns, how often they do is the
 * host's making. It may use the channel and the process.
 */
#ifndef TRACER_ATOMICS_H
#define TRACER_ATOMICS_H

#include <stdbool.h>
#include <stdint.h>

/* Executions of one addition, of one exchange, and of all, by one thread, that are turns. */
#define ATOMICS_ADDITION_TURNS 256U
#define ATOMICS_EXCHANGE_TURNS 65535U
#define ATOMICS_ALL_TURNS 65536U
/* Instructions that are known apart; what is translated later has no turns. */
#define ATOMICS_SITES 4096U

/**
 * struct atomic_site - An atomic instruction.
 * @address: of the instruction
 * @behind: instructions of its block that come after it
 * @number: index among the sites
 * @turns: of each thread at it
 */
struct atomic_site {
	uint64_t address;
	uint64_t behind;
	uint32_t number;
	uint32_t turns;
};

/* What a thread has of its own: see atomics.c. */
struct atomics;

/**
 * atomics_forget() - Another thread has it now.
 */
void atomics_forget(struct atomics *atomics);

/**
 * atomics_site() - An instruction that is being translated.
 * @adds: it is an addition
 *
 * Return: its site, the same each time; NULL if there are too many.
 */
struct atomic_site *atomics_site(uint64_t address, uint64_t behind, bool adds);

/**
 * atomics_before() - The calling thread is about to execute it: wait for its turn, if it has one.
 */
void atomics_before(const struct atomic_site *site);

/**
 * atomics_after() - It has executed one: others may. @behind: as of the site
 */
void atomics_after(uint64_t behind);

#endif /* TRACER_ATOMICS_H */
