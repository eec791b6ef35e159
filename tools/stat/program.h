/* SPDX-License-Identifier: MIT */
/*
 * The program whose events are counted. Its process is created first, then its events are opened,
 * and then the program starts.
 */
#ifndef TOOLS_STAT_PROGRAM_H
#define TOOLS_STAT_PROGRAM_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct stat_program - The program. If there is no program, all members are zero.
 * @pid: id of the program's process; 0: there is no program, or it has ended
 * @go: write end of a pipe; the process waits for a byte from this pipe
 * @waits: the process exists, but the program has not started
 * @started: a process was created
 * @status: exit status of the program, in a shell's form
 */
struct stat_program {
	pid_t pid;
	int go;
	int waits;
	int started;
	int status;
};

/**
 * program_start() - Create the program's process, which then waits.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int program_start(struct stat_program *program, char **command);

/* Let the program start. */
void program_go(struct stat_program *program);

/*
 * Check whether the program has ended. If there is no program, check whether a signal has arrived.
 * If SIGTERM has arrived, pass it on to the program.
 */
int program_over(struct stat_program *program);

/**
 * program_wait() - Wait until a given time, or until program_over() returns 1.
 * @until_ns: the time, on the clock of tool_now_ns()
 * @before: the signal mask from before signals_hold(), which is set during the wait
 *
 * The caller must have blocked signals by signals_hold(). Otherwise a signal could arrive between
 * the check of the program and the wait.
 *
 * Return: 1 if program_over() has returned 1; otherwise 0.
 */
int program_wait(struct stat_program *program, uint64_t until_ns, const sigset_t *before);

/* Wait for the end of the program. If it has not started, it never starts. */
void program_end(struct stat_program *program);

#endif /* TOOLS_STAT_PROGRAM_H */
