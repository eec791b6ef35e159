/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Callers: the function calls that a thread was in when it allocated memory. They distinguish
 * blocks that the program allocates through one allocation function of its own, or through a
 * library.
 */
#ifndef RUN_TRACER_CALLERS_H
#define RUN_TRACER_CALLERS_H

#include <stdint.h>

struct callers;
struct thread;

/**
 * callers_emit() - Report the callers of the thread's next block, unless its last block had the
 * same.
 * @site: return address of the call that allocates the block
 * @registers: address, in the program's memory, of the struct stream_registers of a function that
 *             has not returned from this call; 0: only @site is known
 */
void callers_emit(struct thread *thread, uint64_t site, uint64_t registers);

/**
 * callers_forget() - Clear the state: the next block is the first one of another thread.
 */
void callers_forget(struct callers *callers);

#endif /* RUN_TRACER_CALLERS_H */
