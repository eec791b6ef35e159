// SPDX-License-Identifier: MIT
/*
 * run/session: ends the program if the process of the run is killed.
 *
 * What lives here: the guard, which is the process that the user starts. The guard's child is the
 * worker, which does the work. The guard waits for the worker, and passes signals on to it. If one
 * of these two processes is killed, the other one kills the program and all its descendants: the
 * worker checks whether its parent still exists (replay.c), and the guard becomes the parent of the
 * worker's children.
 *
 * If a process sends a signal to the whole process group, both the guard and the worker receive it.
 * For this reason, the worker ignores signals that were sent by processes other than the guard, so
 * that each signal counts only once. A terminal sends its signals to both processes.
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
	 * The first of these signals gives the program some time to end. Further signals from the
	 * terminal have no effect.
	 */
	if (number != SIGINT && passed[number]++)
		return;
	kill(worker, number);
}

/*
 * Kill the children of the worker. The worker was killed, so they are now children of this process.
 */
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
	int error = run_process_reserve();
	sigset_t signals, before;
	pid_t worker;

	if (error < 0)
		return run_error(RUN_FAILED, "the run cannot begin: %s; %s", run_refusal(-error),
				 run_nothing);
	run->guard = getpid();
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGQUIT);
	sigaddset(&signals, SIGCHLD);
	/* While SIGCHLD is ignored, waitpid(2) would not return the status of a child. */
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
