// SPDX-License-Identifier: MIT
/*
 * run/session: the guard.
 *
 * What lives here: the process that the user starts. A second process, its child, does the work;
 * the guard waits for it and passes signals on. If one of the two is killed, the other kills the
 * program and all its descendants: the worker checks its parent (replay.c), and the guard becomes
 * the parent of the worker's children. A signal that a process sends counts only as the copy that
 * the guard passes on, so a signal to the whole process group counts once. A terminal sends its
 * signals to both.
 */
#include "run/session/session_inside.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void guard_pass(pid_t worker, int number)
{
	static int passed[NSIG];

	/*
	 * After the first of these signals, the program has some time to end; a second signal has
	 * no effect.
	 */
	if (number != SIGINT && passed[number]++)
		return;
	kill(worker, number);
}

/* The worker was killed: its children are now those of this process. */
static void guard_end_program(void)
{
	do
		run_process_kill_all();
	while (run_process_reap());
}

static int guard_wait(pid_t worker, const sigset_t *signals)
{
	siginfo_t info;
	int state = 0;

	for (;;) {
		int number = sigwaitinfo(signals, &info);

		if (number == SIGCHLD && waitpid(worker, &state, WNOHANG) == worker)
			break;
		if (number > 0 && number != SIGCHLD && info.si_code <= 0)
			guard_pass(worker, number);
	}
	if (WIFEXITED(state))
		return WEXITSTATUS(state);
	guard_end_program();
	return run_error(RUN_FAILED,
			 "ended by signal %d, and the program with it; records written before that "
			 "are valid",
			 WTERMSIG(state));
}

int run_guard(struct run *run, const struct run_program *program, run_work *work)
{
	sigset_t signals, before;
	pid_t worker;

	run->guard = getpid();
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGQUIT);
	sigaddset(&signals, SIGCHLD);
	/* While SIGCHLD is ignored, no child can be waited for. */
	signal(SIGCHLD, SIG_DFL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	fflush(NULL);
	sigprocmask(SIG_BLOCK, &signals, &before);
	worker = fork();
	if (worker > 0)
		return guard_wait(worker, &signals);
	if (worker < 0) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		return run_error(RUN_FAILED, "no process for the replay: %s; %s",
				 run_refusal(errno), run_nothing);
	}
	if (run->config.ops->catch)
		run->config.ops->catch (run->config.opaque, run->guard);
	sigprocmask(SIG_SETMASK, &before, NULL);
	run->works = true;
	return work(run, program);
}
