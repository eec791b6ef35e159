/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Stack frames: the functions on a thread's stack. They are reported if stacks are counted, so that
 * data on the stack can be named.
 */
#ifndef RUN_TRACER_STACK_FRAMES_H
#define RUN_TRACER_STACK_FRAMES_H

#include <stdint.h>

struct thread;

/**
 * frames_begin() - Set the bounds of a thread's stack and forget its reported frames.
 */
void frames_begin(struct thread *thread, uint64_t start, uint64_t end);

/**
 * frames_emit() - Report the functions on the thread's stack that have not been reported.
 * @registers: address of struct stream_registers in the program's memory
 * @enters: the function that the caller of the function with these registers calls next; 0: none
 */
void frames_emit(struct thread *thread, uint64_t registers, uint64_t enters);

#endif /* RUN_TRACER_STACK_FRAMES_H */
