/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Handlers: replace the signal handlers of the program by a function of the preload library.
 *
 * What lives here: the changes to the arguments and results of rt_sigaction(2). The function of the
 * preload library corrects the stack pointer that QEMU 7.2 passes to a handler, and then calls the
 * handler: see run/preload/threads/handlers.c. The program always sees its own handlers. Call all
 * functions with the thread's lock held, or before there are other threads.
 */
#ifndef RUN_TRACER_HANDLERS_H
#define RUN_TRACER_HANDLERS_H

#include <stdint.h>

struct thread;

/**
 * handlers_begin() - Replace all handlers that are set from now on.
 * @function: address of the function that QEMU calls instead of the handlers
 * @table: address of the array from which @function reads the handlers; shape [STREAM_SIGNALS]
 */
void handlers_begin(uint64_t function, uint64_t table);

/**
 * handlers_enter(), handlers_leave() - Call these functions before and after rt_sigaction(2), with
 * the arguments in @thread.
 */
void handlers_enter(struct thread *thread);
void handlers_leave(struct thread *thread, int64_t result);

#endif /* RUN_TRACER_HANDLERS_H */
