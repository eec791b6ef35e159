// SPDX-License-Identifier: MIT
/*
 * run/sample: the program's process. See process.h.
 */
#include "run/sample/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sample/log.h>

#define FOLLOWED (PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT)

static void close_both(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

/* Without memory the library is not loaded. */
static void environment_set(const struct process_preload *preload)
{
	const char *others = getenv("LD_PRELOAD");
	char *list, *log, number[16];

	if (asprintf(&list, "%s%s%s", preload->library, others && *others ? ":" : "",
		     others ? others : "") < 0)
		return;
	if (asprintf(&log, "%d:/proc/%d/fd/%d", (int)getpid(), (int)getppid(), preload->fd) < 0)
		return;
	setenv(SAMPLE_LOG_VARIABLE, log, 1);
	setenv("LD_PRELOAD", list, 1);
	if (preload->plan >= 0) {
		snprintf(number, sizeof(number), "%d", preload->plan);
		setenv(PLAN_VARIABLE, number, 1);
		/* As under `smile place`, so that the same blocks are separate mappings. */
		setenv("MALLOC_MMAP_THRESHOLD_", "131072", 0);
	}
	free(list);
	free(log);
}

/* The child: waits, executes, and reports why it could not. */
static void child_run(char **command, const sigset_t *mask, const struct process_preload *preload,
		      const int go[2], const int report[2])
{
	char byte;
	int failure;

	/* The other process may end: then there is nothing to wait for. */
	close(go[1]);
	if (read(go[0], &byte, 1) != 1)
		_exit(126);
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (preload->library)
		environment_set(preload);
	/* It stays so across execve(2). */
	if (preload->small_pages)
		prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	/* Ignored signals stay ignored across execve(2); caught ones do not. */
	signal(SIGPIPE, SIG_DFL);
	execvp(command[0], command);
	failure = errno;
	if (write(report[1], &failure, sizeof(failure)) < 0)
		failure = 0;
	_exit(126);
}

int process_start(struct process *process, char **command, const sigset_t *signals,
		  const struct process_preload *preload)
{
	int go[2], report[2], failed = 0;
	sigset_t before;
	pid_t pid;

	*process = (struct process){.go = -1, .report = -1};
	if (pipe2(go, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(report, O_CLOEXEC) < 0) {
		failed = -errno;
		close_both(go);
		return failed;
	}
	/* While SIGCHLD is ignored, no child can be waited for. */
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, signals, &before);
	pid = fork();
	if (!pid)
		child_run(command, &before, preload, go, report);
	if (pid < 0 || ptrace(PTRACE_SEIZE, pid, NULL, (void *)(uintptr_t)FOLLOWED) < 0)
		failed = -errno;
	close(go[0]);
	close(report[1]);
	*process = (struct process){
		.pid = pid > 0 ? pid : 0,
		.go = go[1],
		.report = report[0],
	};
	if (failed)
		process_kill(process);
	return failed;
}

int process_go(struct process *process)
{
	int failure = 0;
	ssize_t got;

	got = write(process->go, "", 1);
	close(process->go);
	process->go = -1;
	/* Its end of the pipe is closed by a successful execve(2). */
	do
		got = read(process->report, &failure, sizeof(failure));
	while (got < 0 && errno == EINTR);
	close(process->report);
	process->report = -1;
	if (got != (ssize_t)sizeof(failure))
		return 0;
	process_kill(process);
	return failure;
}

static int shell_status(int state)
{
	return WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
}

/* It stands still: let it go on, with the signal that it was to get. */
static enum process_moment stop_take(struct process *process, int state)
{
	int event = state >> 16, number = WSTOPSIG(state);

	switch (event) {
	case PTRACE_EVENT_EXEC:
		return PROCESS_EXECUTES;
	case PTRACE_EVENT_EXIT:
		return PROCESS_ENDS;
	case PTRACE_EVENT_STOP:
		/* Job control has stopped it, and continues it. */
		ptrace(number == SIGTRAP ? PTRACE_CONT : PTRACE_LISTEN, process->pid, NULL, NULL);
		return PROCESS_RUNS;
	default:
		ptrace(PTRACE_CONT, process->pid, NULL, (void *)(uintptr_t)number);
		return PROCESS_RUNS;
	}
}

enum process_moment process_moment(struct process *process)
{
	enum process_moment moment = PROCESS_RUNS;
	int state;

	while (moment == PROCESS_RUNS && process->pid) {
		if (waitpid(process->pid, &state, WNOHANG | __WALL) != process->pid)
			return PROCESS_RUNS;
		if (WIFSTOPPED(state)) {
			moment = stop_take(process, state);
		} else {
			process->status = shell_status(state);
			process->pid = 0;
		}
	}
	return process->pid ? moment : PROCESS_ENDED;
}

void process_continue(struct process *process)
{
	ptrace(PTRACE_CONT, process->pid, NULL, NULL);
}

bool process_children_ns(pid_t pid, uint64_t *ns)
{
	uint64_t user = 0, kernel = 0;
	char path[64], text[1024] = "";
	const char *behind;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fgets(text, sizeof(text), file))
		*text = '\0';
	fclose(file);
	/* The name, field 2, may have anything in it; cutime and cstime are fields 16 and 17. */
	behind = strrchr(text, ')');
	if (!behind ||
	    sscanf(behind + 1, "%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%" SCNu64 "%" SCNu64, &user,
		   &kernel) != 2)
		return false;
	*ns = (user + kernel) * (1000000000U / (uint64_t)sysconf(_SC_CLK_TCK));
	return true;
}

void process_kill(struct process *process)
{
	int state;

	if (process->go >= 0)
		close(process->go);
	if (process->report >= 0)
		close(process->report);
	process->go = process->report = -1;
	if (!process->pid)
		return;
	kill(process->pid, SIGKILL);
	while (waitpid(process->pid, &state, __WALL) == process->pid && WIFSTOPPED(state))
		ptrace(PTRACE_CONT, process->pid, NULL, NULL);
	process->status = shell_status(state);
	process->pid = 0;
}
