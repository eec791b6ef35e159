/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Barrier: how a workload's nodes meet, made of accesses to shared memory.
 *
 * What lives here: a counting barrier of three shared words, a lock, a counter and a flag. A node
 * that arrives takes the lock (one lock transaction), counts itself (a read and a write) and
 * releases the lock (a write); the last one also sets the counter back and writes the flag; then
 * each node reads the flag once. It may use emu/machine.
 *
 * Idealised: nodes get the lock in the order of their clocks (then of their numbers), one after
 * another, and none polls the lock or the flag while it waits, since the number of polls would say
 * more about the poll loop than about the program.
 */
#ifndef EMU_WORKLOAD_BARRIER_H
#define EMU_WORKLOAD_BARRIER_H

#include <stdint.h>

struct machine;

/**
 * struct barrier_words - The barrier in shared memory.
 * @lock: 1 while some node holds it
 * @counter: nodes that have arrived
 * @flag: times the barrier was passed
 */
struct barrier_words {
	uint32_t lock;
	uint32_t counter;
	uint32_t flag;
};

/**
 * barrier_pass() - All nodes arrive, and leave.
 * @words: the words
 * @address: where they are in the shared region
 *
 * Return: as machine_barrier().
 */
int barrier_pass(struct machine *machine, struct barrier_words *words, uint64_t address);

#endif /* EMU_WORKLOAD_BARRIER_H */
