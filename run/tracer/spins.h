/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Spins: detects threads that wait in a loop, by reading memory until another thread changes it.
 *
 * What lives here: the detection of such a loop, and the turns of a thread in it. The tracer writes
 * the accesses of a thread before the replay reaches them. Without turns, a thread in such a loop
 * would write as many accesses as its channel holds, although in simulated time the other thread
 * has changed the memory long before. The clock of the waiting thread would then be too high by
 * this number of accesses, and each following wait would last as long. These files may use the
 * channel and the atomics.
 */
#ifndef RUN_TRACER_SPINS_H
#define RUN_TRACER_SPINS_H

#include <stdint.h>

/**
 * spins_read() - Record that the thread has just reported a load at @address, of 1 << @size bytes,
 * at most 8. If the thread is in a loop that only waits, make the thread wait for its turn.
 *
 * Call this function for each load that may be part of such a loop, and not for other loads.
 */
void spins_read(uint64_t address, unsigned int size);

/**
 * spins_work() - Record that the thread has just reported CHANNEL_WORK instructions without a
 * counted access. The thread may wait by reading memory whose accesses are not counted, such as a
 * stack. For this reason, make the thread wait for its turn after several such reports.
 */
void spins_work(void);

/**
 * spins_call() - Record that the thread makes a system call. Only calls that yield or sleep can be
 * part of such a loop.
 */
void spins_call(int64_t number);

#endif /* RUN_TRACER_SPINS_H */
