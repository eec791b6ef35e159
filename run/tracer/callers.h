/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Callers: the calls that a thread was in when it allocated memory. They tell apart blocks that the
 * program gets through one allocation function of its own, or through a library.
 */
#ifndef RUN_TRACER_CALLERS_H
#define RUN_TRACER_CALLERS_H

#include <stdint.h>

struct callers;
struct thread;

/**
 * callers_emit() - Report the callers of the thread's next block, unless its last block had the
 * same.
 * @site: return address of the call that allocates
 * @registers: struct stream_registers of a function that this call is still in, address in the
 *             program's memory; 0: nothing more is known
 */
void callers_emit(struct thread *thread, uint64_t site, uint64_t registers);

/**
 * callers_forget() - The next block is the first of another thread.
 */
void callers_forget(struct callers *callers);

#endif /* RUN_TRACER_CALLERS_H */
