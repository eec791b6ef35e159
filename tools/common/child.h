/* SPDX-License-Identifier: MIT */
/*
 * Child: the command that runs while `smile record` records.
 */
#ifndef TOOLS_COMMON_CHILD_H
#define TOOLS_COMMON_CHILD_H

#include <signal.h>
#include <sys/types.h>

/**
 * struct child - A command; all members are zero without a command.
 * @pid: the command's process
 * @started: the command was started
 * @running: the command has not ended yet
 * @status: its exit status, as a shell would report it; valid once the command has ended
 */
struct child {
	pid_t pid;
	int started;
	int running;
	int status;
};

/**
 * child_start() - Run a command; if it cannot be run, it ends with status 126 or 127.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int child_start(struct child *child, char **command);

/**
 * child_ended() - Check whether the command has ended. Also passes SIGTERM on to the command.
 */
int child_ended(struct child *child);

/**
 * child_wait() - Wait for the end of the command.
 */
void child_wait(struct child *child);

/**
 * child_status() - Wait for the end of a child process; signals do not end the wait.
 *
 * Return: its exit status, as a shell would report it; -1 with errno.
 */
int child_status(pid_t pid);

/**
 * child_signals() - The signals that a command passes on to the program that it runs, if a process
 * has sent them. Signals from a terminal reach the program anyway.
 */
void child_signals(sigset_t *signals);

#endif /* TOOLS_COMMON_CHILD_H */
