// SPDX-License-Identifier: MIT
/*
 * Child. See tools/common/child.h. Ctrl-C at a terminal also reaches the child process; SIGTERM and
 * SIGHUP are passed on to it.
 */
#include "tools/common/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/common/signals.h"
#include "tools/common/tool.h"

int child_start(struct child *child, char **command)
{
	int failure;

	fflush(stdout);
	child->pid = fork();
	if (child->pid < 0)
		return tool_error("%s cannot be started: %s", command[0], strerror(errno));
	if (!child->pid) {
		/*
		 * exec keeps the setting of an ignored signal, but resets the setting of a caught
		 * signal.
		 */
		signal(SIGPIPE, SIG_DFL);
		execvp(command[0], command);
		failure = errno;
		tool_error("%s cannot be run: %s", command[0], strerror(failure));
		_exit(failure == ENOENT ? 127 : 126);
	}
	child->started = 1;
	child->running = 1;
	return TOOL_OK;
}

static int child_reap(struct child *child, int flags)
{
	int state;

	if (!child->running || waitpid(child->pid, &state, flags) != child->pid)
		return 0;
	child->running = 0;
	child->status = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
	return 1;
}

static void child_pass_on(struct child *child)
{
	if (child->running)
		signals_pass_on(child->pid);
}

int child_ended(struct child *child)
{
	child_pass_on(child);
	return child_reap(child, WNOHANG);
}

void child_wait(struct child *child)
{
	while (child->running && !child_reap(child, 0))
		child_pass_on(child);
}

int child_status(pid_t pid)
{
	pid_t ended;
	int state;

	do {
		signals_pass_on(pid);
		/* Ctrl-C at a terminal has also reached the child process. */
		if (signals_interrupt_sent())
			kill(pid, SIGINT);
		ended = waitpid(pid, &state, 0);
	} while (ended < 0 && errno == EINTR);
	if (ended < 0)
		return -1;
	return WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
}

void child_signals(sigset_t *signals)
{
	static const int passed_on[] = {SIGHUP,	 SIGINT,  SIGQUIT, SIGTERM,
					SIGUSR1, SIGUSR2, SIGALRM, SIGCONT};

	sigemptyset(signals);
	for (size_t i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++)
		sigaddset(signals, passed_on[i]);
}
