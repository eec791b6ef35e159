/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Stack frames: reports the functions that are active on the stack of a thread.
 *
 * What lives here: functions that report the active functions. Readers need these reports to find
 * the names of variables on the stack. The reports are written only if accesses to stacks are
 * counted.
 */
#ifndef RUN_TRACER_STACK_FRAMES_H
#define RUN_TRACER_STACK_FRAMES_H

#include <stdint.h>

struct thread;

/**
 * frames_begin() - Set the range of addresses of a thread's stack, and forget which frames were
 * reported.
 */
void frames_begin(struct thread *thread, uint64_t start, uint64_t end);

/**
 * frames_emit() - Report the functions on the thread's stack that were not reported yet.
 * @registers: address of a struct stream_registers in the program's memory
 * @enters: address of the function that the thread is about to enter, from the caller of the
 *          function with these registers; 0: no function
 */
void frames_emit(struct thread *thread, uint64_t registers, uint64_t enters);

#endif /* RUN_TRACER_STACK_FRAMES_H */
