/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * System calls: handles the system calls of the program.
 *
 * What lives here: the functions that the tracer calls before and after each system call of the
 * program. They track the effects of the calls on memory, threads and processes, and the waits of
 * threads. The program's marks are also system calls.
 */
#ifndef RUN_TRACER_SYSCALLS_H
#define RUN_TRACER_SYSCALLS_H

#include <stdint.h>

struct thread;

/**
 * syscalls_enter() - Handle a system call before QEMU executes it. @args: the arguments of the
 * call; shape [6]
 */
void syscalls_enter(int64_t number, const uint64_t *args);

/**
 * syscalls_leave() - Handle a system call after QEMU has executed it. @result: the kernel's result
 */
void syscalls_leave(int64_t number, int64_t result);

/**
 * waits_order() - Make the thread request a turn before it waits at a futex. In this turn, the
 * thread checks whether it must wait. Call this function before waits_enter(), without the thread's
 * lock.
 */
void waits_order(struct thread *thread, int64_t number, const uint64_t *args);

/**
 * waits_handler() - Handle rt_sigaction(2): remember whether a handler can end the wait for a
 * semaphore. A handler with SA_RESTART does not end this wait.
 */
void waits_handler(const uint64_t *args);

/**
 * waits_enter(), waits_leave() - Report that the thread waits, and which threads it wakes. Call
 * these functions before and after a system call.
 */
void waits_enter(struct thread *thread, int64_t number);
void waits_leave(struct thread *thread, int64_t number, int64_t result);

/**
 * memory_enter(), memory_leave() - Track changes of the program's memory. Call these functions
 * before and after a system call.
 */
void memory_enter(struct thread *thread, int64_t number);
void memory_leave(struct thread *thread, int64_t number, int64_t result, const uint64_t *args);

/**
 * calls_mark() - Handle a mark of the program.
 * @args: enum stream_call, and the arguments of the mark
 */
void calls_mark(struct thread *thread, const uint64_t *args);

#endif /* RUN_TRACER_SYSCALLS_H */
