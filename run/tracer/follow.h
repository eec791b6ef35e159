/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Follow: traces the programs that the traced program executes.
 *
 * What lives here: the function that replaces execve(2). This function starts QEMU again, with the
 * tracer and the new program.
 */
#ifndef RUN_TRACER_FOLLOW_H
#define RUN_TRACER_FOLLOW_H

#include <stdint.h>

struct thread;

/**
 * follow_init() - Store the command line with which QEMU was started.
 */
void follow_init(void);

/**
 * follow_execute() - Execute a program under QEMU. The new program is traced as the continuation of
 * the calling thread.
 * @args: arguments of execve(2), which are addresses in the program's memory
 *
 * The function returns only after a failure: the program cannot be executed, the program cannot be
 * traced, or too many programs were executed.
 */
void follow_execute(struct thread *thread, const uint64_t *args);

/**
 * follow_execute_file() - Execute the program @path as follow_execute() does, for execveat(2).
 */
void follow_execute_file(struct thread *thread, const char *path, const uint64_t *args);

#endif /* RUN_TRACER_FOLLOW_H */
