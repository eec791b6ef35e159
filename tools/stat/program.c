// SPDX-License-Identifier: MIT
/*
 * Program. See tools/stat/program.h.
 */
#include "tools/stat/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/signals.h"
#include "tools/common/tool.h"

int program_start(struct stat_program *program, char **command)
{
	int ends[2];
	char byte;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return tool_error("no pipe: %s", strerror(errno));
	program->pid = fork();
	if (program->pid < 0) {
		program->pid = 0;
		close(ends[0]);
		close(ends[1]);
		return tool_error("%s cannot be started: %s", command[0], strerror(errno));
	}
	if (!program->pid) {
		close(ends[1]);
		/*
		 * Wait for a byte before the program starts. If the pipe ends without a byte, the
		 * parent has failed.
		 */
		if (read(ends[0], &byte, 1) != 1)
			_exit(126);
		signal(SIGPIPE, SIG_DFL);
		execvp(command[0], command);
		byte = errno == ENOENT ? 127 : 126;
		tool_error("%s cannot be run: %s", command[0], strerror(errno));
		_exit(byte);
	}
	close(ends[0]);
	program->go = ends[1];
	program->waits = program->started = 1;
	return TOOL_OK;
}

void program_go(struct stat_program *program)
{
	ssize_t written;

	if (!program->waits)
		return;
	/*
	 * The child may have been killed. In this case, the byte has no reader, and the failure of
	 * the write does not matter.
	 */
	written = write(program->go, "", 1);
	(void)written;
	close(program->go);
	program->waits = 0;
}

int program_over(struct stat_program *program)
{
	int state;

	if (!program->started)
		return signals_count() > 0;
	if (program->pid && waitpid(program->pid, &state, WNOHANG) == program->pid) {
		program->status = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
		program->pid = 0;
	}
	if (program->pid)
		signals_pass_on(program->pid);
	return !program->pid;
}

int program_wait(struct stat_program *program, uint64_t until_ns, const sigset_t *before)
{
	while (!program_over(program)) {
		uint64_t now = tool_now_ns();
		struct timespec left;

		if (now >= until_ns)
			return 0;
		left.tv_sec = (time_t)((until_ns - now) / TOOL_SECOND_NS);
		left.tv_nsec = (long)((until_ns - now) % TOOL_SECOND_NS);
		/* SIGCHLD interrupts this wait. */
		ppoll(NULL, 0, &left, before);
	}
	return 1;
}

void program_end(struct stat_program *program)
{
	int state;

	if (program->waits)
		close(program->go);
	program->waits = 0;
	while (program->pid && waitpid(program->pid, &state, 0) != program->pid) {
		if (errno != EINTR)
			return;
		signals_pass_on(program->pid);
	}
	if (program->pid)
		program->status = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
	program->pid = 0;
}
