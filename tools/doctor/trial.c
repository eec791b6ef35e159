// SPDX-License-Identifier: MIT
/*
 * smile doctor: run a program, to find out whether it works.
 *
 * What lives here: a run with a time limit, and the collection of the program's output. May use:
 * doctor.h.
 */
#include "tools/doctor/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/child.h"
#include "tools/common/signals.h"
#include "tools/common/tool.h"

/* The time limit of a program. The programs need two seconds on a slow machine. */
#define TRIAL_SECONDS 60
#define NOT_STARTED 127

/*
 * Read the output until the program closes it, until a signal arrives, or until the time limit.
 * Return: whether the program has closed the output.
 */
static bool output_read(int fd, char *text, size_t size)
{
	uint64_t end_ns = tool_now_ns() + TRIAL_SECONDS * (uint64_t)TOOL_SECOND_NS, now_ns;
	struct pollfd output = {.fd = fd, .events = POLLIN};
	char rest[512];
	size_t used = 0;
	ssize_t got = 1;

	while (got && !signals_count() && (now_ns = tool_now_ns()) < end_ns) {
		if (poll(&output, 1, (int)((end_ns - now_ns) / 1000000) + 1) <= 0)
			continue;
		if (used + 1 < size)
			got = read(fd, text + used, size - 1 - used);
		else
			got = read(fd, rest, sizeof(rest));
		if (got < 0 && errno != EINTR)
			break;
		if (got > 0 && used + 1 < size)
			used += (size_t)got;
		got = got < 0 ? 1 : got;
	}
	text[used] = '\0';
	return got == 0;
}

static int trial_start(pid_t *pid, int output, const char *input, const char *const *arguments)
{
	posix_spawn_file_actions_t actions;
	int ends[2], failed;

	if (pipe2(ends, O_CLOEXEC))
		return errno;
	/* This write does not block, because the input fits in the buffer of the pipe. */
	if (write(ends[1], input, strlen(input)) < 0)
		failed = errno;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
	failed = posix_spawnp(pid, arguments[0], &actions, NULL, (char *const *)arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[0]);
	close(ends[1]);
	return failed;
}

int doctor_try(const char *const *arguments, const char *input, char *text, size_t size)
{
	int ends[2];
	pid_t pid;

	*text = '\0';
	if (pipe2(ends, O_CLOEXEC))
		return NOT_STARTED;
	if (trial_start(&pid, ends[1], input, arguments)) {
		close(ends[0]);
		close(ends[1]);
		return NOT_STARTED;
	}
	close(ends[1]);
	/* child_status() passes a signal on, so that the program can end in an orderly way. */
	if (!output_read(ends[0], text, size) && !signals_count())
		kill(pid, SIGKILL);
	close(ends[0]);
	return child_status(pid);
}

void doctor_pick(char *text, const char *prefix)
{
	char *line, *end, *picked = NULL;

	for (line = text; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (!strncmp(line, prefix, strlen(prefix))) {
			picked = line;
			break;
		}
		if (end > line)
			picked = line;
	}
	if (picked)
		memmove(text, picked, strlen(picked) + 1);
	text[strcspn(text, "\n")] = '\0';
}
