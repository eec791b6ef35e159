/* SPDX-License-Identifier: MIT */
/*
 * Child: the command that runs while `smile record` records.
 */
#ifndef TOOLS_COMMON_CHILD_H
#define TOOLS_COMMON_CHILD_H

#include <signal.h>
#include <sys/types.h>

/**
 * struct child - A command, or none if all zero.
 * @pid: its process
 * @started: there was one
 * @running: it has not ended yet
 * @status: its exit status, as a shell would give it; valid once it has ended
 */
struct child {
	pid_t pid;
	int started;
	int running;
	int status;
};

/**
 * child_start() - Run a command; one that cannot be run ends with status 126 or 127.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int child_start(struct child *child, char **command);

/**
 * child_ended() - Check whether the command has ended. Also passes SIGTERM on to it.
 */
int child_ended(struct child *child);

/**
 * child_wait() - Wait for its end.
 */
void child_wait(struct child *child);

/**
 * child_status() - Wait for a process of this one's, whatever signals come.
 *
 * Return: its exit status, as a shell would give it; -1 with errno.
 */
int child_status(pid_t pid);

/**
 * child_signals() - Signals that a command passes on to a program that it runs in its place, if a
 * process has sent them. Those of a terminal also reach the program.
 */
void child_signals(sigset_t *signals);

#endif /* TOOLS_COMMON_CHILD_H */
