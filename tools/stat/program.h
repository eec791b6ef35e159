/* SPDX-License-Identifier: MIT */
/*
 * The program whose events are counted: its process is created before its events are opened, and
 * the program begins after that.
 */
#ifndef TOOLS_STAT_PROGRAM_H
#define TOOLS_STAT_PROGRAM_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct stat_program - A program; all members are zero without a program.
 * @pid: its process; 0: there is no program, or it has ended
 * @go: write end of the pipe from which the process waits for a byte
 * @waits: the program has not begun
 * @asked: SIGTERM was passed on
 * @started: a process was created
 * @status: its exit status, as a shell would report it
 */
struct stat_program {
	pid_t pid;
	int go;
	int waits;
	int asked;
	int started;
	int status;
};

/**
 * program_start() - Create the program's process, which waits.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int program_start(struct stat_program *program, char **command);

/* Let the program begin. */
void program_go(struct stat_program *program);

/*
 * Has the program ended, or, without a program, has a signal arrived? Also passes SIGTERM on to the
 * program.
 */
int program_over(struct stat_program *program);

/**
 * program_wait() - Wait until a time, or until program_over().
 * @until_ns: of tool_now_ns()
 * @before: the mask of signals without those that are held, from signals_hold()
 *
 * Signals are held, so that none arrives between the check of the program and the sleep.
 *
 * Return: 1 if the program is over; 0.
 */
int program_wait(struct stat_program *program, uint64_t until_ns, const sigset_t *before);

/* Wait for the end of the program; if it has not begun, it never begins. */
void program_end(struct stat_program *program);

#endif /* TOOLS_STAT_PROGRAM_H */
