/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Atomics: the order in which threads execute an atomic instruction that returns a value.
 *
 * What lives here: turns at atomic instructions. Many programs assign thread numbers or parts of
 * the work by an atomic instruction, for example next++ without a lock. The host's scheduler would
 * decide which thread gets which value. Each execution by a thread is therefore a turn, like taking
 * a lock, up to a limit, because a turn takes some 5 microseconds. Beyond the limit the host
 * decides. An addition that is executed very often is usually a reference count, whose order has no
 * effect, so it has fewer turns. An exchange is usually a spin lock, which needs turns as long as
 * it is used: if threads spin without turns, the number of spins depends on the host. May use the
 * channel and the process.
 */
#ifndef RUN_TRACER_ATOMICS_H
#define RUN_TRACER_ATOMICS_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* Limits on the turns of a thread: at one addition, at one exchange, and in all. */
#define ATOMICS_ADDITION_TURNS 256U
#define ATOMICS_EXCHANGE_TURNS 65535U
#define ATOMICS_ALL_TURNS 65536U
/* The table's size. An instruction that is translated when the table is full gets no turns. */
#define ATOMICS_SITES 4096U

/**
 * struct atomic_site - An atomic instruction.
 * @address: address of the instruction
 * @behind: number of instructions after it in its block
 * @number: index among the sites
 * @turns: limit on the turns of each thread
 */
struct atomic_site {
	uint64_t address;
	uint64_t behind;
	uint32_t number;
	uint32_t turns;
};

/* A thread's own state: see atomics.c. */
struct atomics;

/**
 * atomics_take_turns() - Does the thread take turns at atomic instructions?
 */
bool atomics_take_turns(const struct thread *thread);

/**
 * atomics_await() - Wait for the turn that the thread has just requested, without its lock. If the
 * turn is not granted in time, the thread continues in the host's order, and that is counted.
 *
 * Return: whether the turn was granted.
 */
bool atomics_await(struct thread *thread);

/**
 * atomics_forget() - Clear the state before another thread reuses it.
 */
void atomics_forget(struct atomics *atomics);

/**
 * atomics_site() - Find or create the site of an instruction that is being translated.
 * @adds: the instruction is an addition
 *
 * Return: the site, the same one at each call; NULL if the table is full.
 */
struct atomic_site *atomics_site(uint64_t address, uint64_t behind, bool adds);

/**
 * atomics_before() - Wait for the calling thread's turn before it executes the instruction, unless
 * its turns are used up.
 */
void atomics_before(const struct atomic_site *site);

/**
 * atomics_after() - End the calling thread's turn after the instruction. @behind: as in the site
 */
void atomics_after(uint64_t behind);

#endif /* RUN_TRACER_ATOMICS_H */
