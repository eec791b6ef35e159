/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Programs that the traced one executes: execve(2) starts QEMU again, with the tracer.
 */
#ifndef RUN_TRACER_FOLLOW_H
#define RUN_TRACER_FOLLOW_H

#include <stdint.h>

struct thread;

/**
 * follow_init() - Store the command line of this QEMU.
 */
void follow_init(void);

/**
 * follow_execute() - Execute a program under QEMU, so that it is traced in the calling thread's
 * place.
 * @args: arguments of execve(2), which are addresses in the program's memory
 *
 * The function returns only if that is not possible: the program cannot be executed or traced, or
 * there are too many programs.
 */
void follow_execute(struct thread *thread, const uint64_t *args);

/**
 * follow_execute_file() - The same for a file that execveat(2) names.
 */
void follow_execute_file(struct thread *thread, const char *path, const uint64_t *args);

#endif /* RUN_TRACER_FOLLOW_H */
