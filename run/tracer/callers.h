/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Callers: the function calls in progress when a thread allocates memory.
 *
 * What lives here: the return addresses of these calls. If a program allocates all blocks through
 * one function of its own, or through a library, only the callers show which part of the program a
 * block belongs to.
 */
#ifndef RUN_TRACER_CALLERS_H
#define RUN_TRACER_CALLERS_H

#include <stdint.h>

struct callers;
struct thread;

/**
 * callers_emit() - Report the callers of the thread's next block, unless the thread's last block
 * had the same callers.
 * @site: return address of the call that allocates the block
 * @registers: address of a struct stream_registers in the program's memory, with the registers of a
 *             function that is still active in this call; 0: only @site is known
 */
void callers_emit(struct thread *thread, uint64_t site, uint64_t registers);

/**
 * callers_forget() - Clear the state, so that another thread can use it.
 */
void callers_forget(struct callers *callers);

#endif /* RUN_TRACER_CALLERS_H */
