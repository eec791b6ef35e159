/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Programs that the traced one executes: execve(2) goes to QEMU again, with the tracer.
 */
#ifndef RUN_TRACER_FOLLOW_H
#define RUN_TRACER_FOLLOW_H

#include <stdint.h>

struct thread;

/**
 * follow_init() - Remember how this QEMU was called.
 */
void follow_init(void);

/**
 * follow_execute() - Execute a program under QEMU, so that it is traced in the calling thread's
 * place.
 * @args: arguments of execve(2), addresses in the program's memory
 *
 * Returns only if that cannot be done: the program cannot be executed or not be traced, or there
 * are too many of them.
 */
void follow_execute(struct thread *thread, const uint64_t *args);

/**
 * follow_execute_file() - The same for a file that execveat(2) names.
 */
void follow_execute_file(struct thread *thread, const char *path, const uint64_t *args);

#endif /* RUN_TRACER_FOLLOW_H */
