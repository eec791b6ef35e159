/* SPDX-License-Identifier: MIT */
/*
 * Child: the command that runs while `smile record` records.
 */
#ifndef TOOLS_COMMON_CHILD_H
#define TOOLS_COMMON_CHILD_H

#include <signal.h>
#include <sys/types.h>

/**
 * struct child - The command. Without a command all members are zero.
 * @pid: process id of the command
 * @started: the command was started
 * @running: the command has not ended yet
 * @status: exit status of the command, in a shell's form; valid when the command has ended
 */
struct child {
	pid_t pid;
	int started;
	int running;
	int status;
};

/**
 * child_check() - Check whether a command can be run, before files are written for it.
 *
 * Return: TOOL_OK; 126 or 127, the status for the caller, after a message.
 */
int child_check(char **command);

/**
 * child_start() - Run a command. If the command cannot be run, the child process ends with status
 * 126 or 127.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int child_start(struct child *child, char **command);

/**
 * child_ended() - Check whether the command has ended. If SIGTERM or SIGHUP has arrived,
 * pass it on to the command.
 */
int child_ended(struct child *child);

/**
 * child_wait() - Wait for the end of the command.
 */
void child_wait(struct child *child);

/**
 * child_status() - Wait for the end of a child process. Signals do not end the wait.
 *
 * Return: the exit status of the child process, in a shell's form; -1 with errno.
 */
int child_status(pid_t pid);

/**
 * child_signals() - Get the signals that a command must pass on to the program that it runs, if
 * another process has sent the signal. A signal from a terminal reaches the program directly.
 */
void child_signals(sigset_t *signals);

#endif /* TOOLS_COMMON_CHILD_H */
