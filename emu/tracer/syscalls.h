/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The program's system calls, before and after: their effects on memory, threads and processes, and
 * where they wait. The program's marks come the same way.
 */
#ifndef TRACER_SYSCALLS_H
#define TRACER_SYSCALLS_H

#include <stdint.h>

struct thread;

/**
 * syscalls_enter() - Is about to be made. @args: six.
 */
void syscalls_enter(int64_t number, const uint64_t *args);

/**
 * syscalls_leave() - After the call. @result: as the kernel returned it.
 */
void syscalls_leave(int64_t number, int64_t result);

/**
 * waits_enter(), waits_leave() - The part of it that says what waits and what wakes.
 */
void waits_enter(struct thread *thread, int64_t number);
void waits_leave(struct thread *thread, int64_t number, int64_t result);

/**
 * memory_enter(), memory_leave() - The part of it that follows memory; @args: the call's.
 */
void memory_enter(struct thread *thread, int64_t number);
void memory_leave(struct thread *thread, int64_t number, int64_t result, const uint64_t *args);

/**
 * calls_mark() - A mark: enum stream_call and its arguments.
 */
void calls_mark(struct thread *thread, const uint64_t *args);

#endif /* TRACER_SYSCALLS_H */
