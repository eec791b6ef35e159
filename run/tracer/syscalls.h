/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The program's system calls, before and after each call: their effects on memory, threads and
 * processes, and their waits. The program's marks arrive as system calls, too.
 */
#ifndef RUN_TRACER_SYSCALLS_H
#define RUN_TRACER_SYSCALLS_H

#include <stdint.h>

struct thread;

/**
 * syscalls_enter() - Handle a system call before it is made. @args: shape [6]
 */
void syscalls_enter(int64_t number, const uint64_t *args);

/**
 * syscalls_leave() - Handle a system call after it returned. @result: the kernel's result
 */
void syscalls_leave(int64_t number, int64_t result);

/**
 * waits_order() - Let the thread have its turn to check whether it must wait. Call this without the
 * thread's lock, before waits_enter().
 */
void waits_order(struct thread *thread, int64_t number, const uint64_t *args);

/**
 * waits_enter(), waits_leave() - Report which threads wait and which are woken.
 */
void waits_enter(struct thread *thread, int64_t number);
void waits_leave(struct thread *thread, int64_t number, int64_t result);

/**
 * memory_enter(), memory_leave() - Track changes of the program's memory.
 */
void memory_enter(struct thread *thread, int64_t number);
void memory_leave(struct thread *thread, int64_t number, int64_t result, const uint64_t *args);

/**
 * calls_mark() - Handle a mark: enum stream_call and its arguments.
 */
void calls_mark(struct thread *thread, const uint64_t *args);

#endif /* RUN_TRACER_SYSCALLS_H */
