/* SPDX-License-Identifier: MIT */
/*
 * The program whose events are counted: it is there before its events are opened, and begins when
 * they are.
 */
#ifndef TOOLS_STAT_PROGRAM_H
#define TOOLS_STAT_PROGRAM_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct stat_program - A program, or none if all zero.
 * @pid: its process; 0: there is no program, or it has ended
 * @go: write end of the pipe that it waits for
 * @waits: it has not begun
 * @asked: SIGTERM was passed on
 * @started: there was one
 * @status: its exit status, as a shell would give it
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
 * program_start() - Make its process, which waits.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int program_start(struct stat_program *program, char **command);

/* It begins. */
void program_go(struct stat_program *program);

/* Has the program ended? Without a program: has a signal come? Passes SIGTERM on to the program. */
int program_over(struct stat_program *program);

/**
 * program_wait() - Wait until a time, or until it is over.
 * @until_ns: of tool_now_ns()
 * @before: the mask of signals without those that are held, from signals_hold()
 *
 * Signals are held, so that none comes between the look at the program and the sleep.
 *
 * Return: 1: it is over; 0.
 */
int program_wait(struct stat_program *program, uint64_t until_ns, const sigset_t *before);

/* Wait for its end; one that has not begun never does. */
void program_end(struct stat_program *program);

#endif /* TOOLS_STAT_PROGRAM_H */
