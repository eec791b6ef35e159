/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Atomics: determines the order in which threads execute an atomic instruction that returns a
 * value.
 *
 * What lives here: turns at atomic instructions. Many programs assign thread numbers or parts of
 * the work by an atomic instruction, for example next++ without a lock. Without turns, the host's
 * scheduler would decide which thread gets which value. For this reason, the schedule gives the
 * thread a turn for each execution of such an instruction, as for a lock. A turn takes about 5
 * microseconds, so the number of turns is limited. After the limit is reached, the host decides the
 * order.
 *
 * The limit depends on the instruction. An addition that is executed very often usually changes a
 * reference count. The order of such additions has no effect, so the limit for an addition is low.
 * An exchange usually belongs to a spin lock, and needs turns as long as the program uses the lock.
 * If threads spin without turns, the number of spins depends on the host. This file may use the
 * channel and the process.
 */
#ifndef RUN_TRACER_ATOMICS_H
#define RUN_TRACER_ATOMICS_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/*
 * Limits on the number of turns of a thread: at one addition, at one exchange, and at all atomic
 * instructions together.
 */
#define ATOMICS_ADDITION_TURNS 256U
#define ATOMICS_EXCHANGE_TURNS 65535U
#define ATOMICS_ALL_TURNS 65536U
/*
 * The size of the table of sites. When the table is full, instructions that are translated later
 * get no turns.
 */
#define ATOMICS_SITES 4096U

/**
 * struct atomic_site - An atomic instruction, as part of one translated block.
 * @address: address of the instruction
 * @behind: number of instructions that follow this instruction in the block
 * @number: index of the site
 * @turns: the largest number of turns that a thread can have at this site
 */
struct atomic_site {
	uint64_t address;
	uint64_t behind;
	uint32_t number;
	uint32_t turns;
};

/* The turns of one thread (see atomics.c). */
struct atomics;

/**
 * atomics_take_turns() - Check whether the thread currently takes turns at atomic instructions.
 */
bool atomics_take_turns(const struct thread *thread);

/**
 * atomics_await() - Wait for the turn that the thread has just requested. The caller must not hold
 * the thread's lock. If the schedule does not give the turn in time, the thread continues in the
 * order of the host, and the function counts this case.
 * @optional: if a thread of the process forks, continue without the turn
 *
 * Return: true if the schedule has given the turn.
 */
bool atomics_await(struct thread *thread, bool optional);

/**
 * atomics_order() - Request a turn that orders the calling thread by its clock. The caller must
 * then call atomics_await(), and end the turn by a RELEASE record.
 * @name: the word of memory that the thread is about to read
 */
void atomics_order(struct thread *thread, uint64_t name);

/**
 * atomics_forget() - Clear the state, so that another thread can use it.
 */
void atomics_forget(struct atomics *atomics);

/**
 * atomics_site() - Find the site of an instruction that is being translated. If the site does not
 * exist, create it.
 * @adds: the instruction is an addition
 *
 * Return: the site, which is the same at each call for the instruction; NULL if the table is full.
 */
struct atomic_site *atomics_site(uint64_t address, uint64_t behind, bool adds);

/**
 * atomics_before() - Wait for the turn of the calling thread, which is about to execute the
 * instruction. If the thread has reached its limit of turns, do not wait.
 */
void atomics_before(const struct atomic_site *site);

/**
 * atomics_after() - End the turn of the calling thread, which has executed the instruction.
 * @behind: see struct atomic_site
 */
void atomics_after(uint64_t behind);

/**
 * atomics_poll() - Make the calling thread wait until the replay has reached the thread's clock.
 * The thread waits in a loop until another thread changes the memory.
 * @name: the word of memory, or another number that is no address of the program
 */
void atomics_poll(struct thread *thread, uint64_t name);

#endif /* RUN_TRACER_ATOMICS_H */
