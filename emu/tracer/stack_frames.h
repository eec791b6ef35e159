/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Stack frames: the functions that a thread is in, if stacks count, so that data on its stack can
 * be named.
 */
#ifndef TRACER_STACK_FRAMES_H
#define TRACER_STACK_FRAMES_H

#include <stdint.h>

struct thread;

/**
 * frames_begin() - A thread's stack is known, and nothing of it is reported yet.
 */
void frames_begin(struct thread *thread, uint64_t start, uint64_t end);

/**
 * frames_emit() - The thread is in these functions: those that were not reported before are
 * reported now.
 * @registers: struct stream_registers, in the program's memory
 * @enters: the function that the caller of the one with these registers is about to call; 0: none
 */
void frames_emit(struct thread *thread, uint64_t registers, uint64_t enters);

#endif /* TRACER_STACK_FRAMES_H */
