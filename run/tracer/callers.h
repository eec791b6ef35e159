/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Callers: reports the function calls that are in progress when a thread allocates memory.
 *
 * What lives here: the return addresses of these calls. A program may allocate all of its blocks
 * through one function, or through a library. In this case, only the callers show which part of the
 * program a block belongs to.
 */
#ifndef RUN_TRACER_CALLERS_H
#define RUN_TRACER_CALLERS_H

#include <stdint.h>

struct callers;
struct thread;

/**
 * callers_emit() - Report the callers of the thread's next block, unless they are the same as those
 * of the thread's last block.
 * @site: return address of the call that allocates the block
 * @registers: address of a struct stream_registers in the program's memory, which has the registers
 *             of a function that is still active during this call; 0: only @site is known
 */
void callers_emit(struct thread *thread, uint64_t site, uint64_t registers);

/**
 * callers_forget() - Clear the state, so that another thread can use it.
 */
void callers_forget(struct callers *callers);

#endif /* RUN_TRACER_CALLERS_H */
