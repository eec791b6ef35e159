// SPDX-License-Identifier: MIT
/*
 * Child. See tools/common/child.h. Ctrl-C at a terminal also reaches the child process; SIGTERM and
 * SIGHUP are passed on to it.
 */
#include "tools/common/child.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/common/signals.h"
#include "tools/common/tool.h"

/*
 * Check whether execvp(3) finds a program. Return: 0; the error that execvp(3) would have, which is
 * EACCES if any file of the name may not be executed.
 */
static int program_find(const char *name)
{
	const char *path = getenv("PATH"), *end;
	char file[PATH_MAX];
	int error = ENOENT;

	if (strchr(name, '/'))
		return access(name, X_OK) ? errno : 0;
	for (path = path ? path : "/bin:/usr/bin";; path = end + 1) {
		end = strchrnul(path, ':');
		if (snprintf(file, sizeof(file), "%.*s%s%s", (int)(end - path), path,
			     end > path ? "/" : "", name) < (int)sizeof(file)) {
			if (!access(file, X_OK))
				return 0;
			if (errno == EACCES && !access(file, F_OK))
				error = EACCES;
		}
		if (!*end)
			return error;
	}
}

int child_check(char **command)
{
	int error = program_find(command[0]);

	if (!error)
		return TOOL_OK;
	tool_error("%s cannot be run: %s", command[0], strerror(error));
	return error == ENOENT ? 127 : 126;
}

int child_start(struct child *child, char **command)
{
	int failure;

	fflush(stdout);
	child->pid = fork();
	if (child->pid < 0)
		return tool_error("%s cannot be started: %s", command[0], strerror(errno));
	if (!child->pid) {
		/* exec keeps ignored signals ignored, so restore the default action of SIGPIPE. */
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
	int state;

	while (waitpid(pid, &state, 0) < 0)
		if (errno != EINTR)
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
