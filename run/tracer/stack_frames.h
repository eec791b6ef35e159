/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Stack frames: the functions on the stack of a thread.
 *
 * What lives here: reports of these functions. They are made only if accesses to stacks are
 * counted; readers use them to find the names of variables on the stack.
 */
#ifndef RUN_TRACER_STACK_FRAMES_H
#define RUN_TRACER_STACK_FRAMES_H

#include <stdint.h>

struct thread;

/**
 * frames_begin() - Set the range of a thread's stack, and forget which frames were reported.
 */
void frames_begin(struct thread *thread, uint64_t start, uint64_t end);

/**
 * frames_emit() - Report the functions on the thread's stack that were not reported before.
 * @registers: address of a struct stream_registers in the program's memory
 * @enters: address of the function that the caller of the function with these registers calls next;
 *          0: no such function
 */
void frames_emit(struct thread *thread, uint64_t registers, uint64_t enters);

#endif /* RUN_TRACER_STACK_FRAMES_H */
