// SPDX-License-Identifier: MIT
/*
 * smile place: run the program on this machine. See tools/place/place.h.
 *
 * What lives here: the program's environment, its end, and signals. A signal that a process sends
 * to this command is passed on to the program. A signal from a terminal also reaches the program,
 * so it is not passed on.
 */
#include "tools/place/place.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/common/child.h"
#include "tools/common/tool.h"

#define NOT_EXECUTABLE 126
#define NOT_FOUND 127

int place_native_execute(char **command)
{
	int failure;

	/* exec keeps ignored signals ignored, so restore the default action of SIGPIPE. */
	signal(SIGPIPE, SIG_DFL);
	execvp(command[0], command);
	failure = errno;
	tool_error("%s cannot be run: %s", command[0], strerror(failure));
	return failure == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}

static int environment_set(const struct place_plan *plan, const char *library)
{
	const char *preloaded = getenv("LD_PRELOAD");
	char *list, number[16];
	int failed;

	if (asprintf(&list, "%s%s%s", library, preloaded && *preloaded ? ":" : "",
		     preloaded ? preloaded : "") < 0)
		return -1;
	snprintf(number, sizeof(number), "%d", plan->fd);
	failed = setenv("LD_PRELOAD", list, 1) || setenv(PLAN_VARIABLE, number, 1) ||
		 /*
		  * Use the same threshold as `smile run`, so that the same heap blocks become
		  * separate mappings.
		  */
		 setenv("MALLOC_MMAP_THRESHOLD_", "131072", 0);
	free(list);
	return failed ? -1 : 0;
}

static int wait_for(pid_t pid, const sigset_t *signals)
{
	siginfo_t info;
	int state;

	for (;;) {
		int number = sigwaitinfo(signals, &info);

		if (number == SIGCHLD && waitpid(pid, &state, WNOHANG) == pid)
			return WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
		if (number > 0 && number != SIGCHLD && info.si_code <= 0)
			kill(pid, number);
	}
}

struct place_run place_native_run(const struct place_plan *plan, const char *library,
				  char **command)
{
	struct place_run run = {.status = TOOL_ERROR};
	uint64_t began_ns;
	sigset_t signals, before;
	pid_t pid;

	child_signals(&signals);
	sigaddset(&signals, SIGCHLD);
	/* If SIGCHLD were ignored, this process could not wait for a child. */
	signal(SIGCHLD, SIG_DFL);
	fflush(NULL);
	began_ns = tool_now_ns();
	sigprocmask(SIG_BLOCK, &signals, &before);
	pid = fork();
	if (pid < 0)
		tool_error("%s cannot be started: %s", command[0], strerror(errno));
	if (!pid) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		if (environment_set(plan, library) < 0)
			_exit(tool_error("no memory"));
		_exit(place_native_execute(command));
	}
	if (pid > 0)
		run.status = wait_for(pid, &signals);
	run.elapsed_ns = tool_now_ns() - began_ns;
	return run;
}
