/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of tools/common/signals.h: calls that the end of a child process interrupts. One child
 * waits until this program sleeps in the call, and then lets another child end.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tools/common/signals.h"

#define PIPE_BYTES 4096

/* The state of a process, as in ps(1). */
static char state_of(pid_t pid)
{
	char path[64], state = '?';
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		_exit(2);
	fclose(file);
	return state;
}

static void await(pid_t pid, char state)
{
	while (state_of(pid) != state)
		usleep(1000);
}

/* Return: whether a signal is pending for the process. */
static int pending(pid_t pid)
{
	unsigned long signals = 0;
	char path[64], line[128];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	if (!file)
		_exit(2);
	while (fgets(line, sizeof(line), file) && sscanf(line, "ShdPnd: %lx", &signals) != 1)
		continue;
	fclose(file);
	return signals != 0;
}

/* Start a process that ends when this process ends. */
static pid_t child_start(void)
{
	pid_t pid = fork();

	if (pid == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

/* Start a process that ends when a byte arrives. @tell: receives the descriptor for this byte. */
static pid_t idle_start(int *tell)
{
	int ends[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = child_start();
	if (pid == 0) {
		close(ends[1]);
		_exit(read(ends[0], &byte, 1) != 1);
	}
	close(ends[0]);
	*tell = ends[1];
	return pid;
}

/*
 * Start a process that ends @idle while its parent sleeps, and then reads @bytes bytes from @from.
 * Return: its number. If it has read all bytes, its exit status is 0.
 */
static pid_t watcher_start(pid_t idle, int tell, int from, size_t bytes)
{
	char buffer[PIPE_BYTES];
	size_t all = 0;
	ssize_t got;
	pid_t pid = child_start();

	if (pid)
		return pid;
	await(getppid(), 'S');
	if (write(tell, "", 1) != 1)
		_exit(2);
	await(idle, 'Z');
	/*
	 * When the parent has handled the signal, it sleeps a second time, unless the signal has
	 * ended its call.
	 */
	while (pending(getppid()))
		usleep(1000);
	await(getppid(), 'S');
	while (all < bytes && (got = read(from, buffer, sizeof(buffer))) > 0)
		all += (size_t)got;
	_exit(all != bytes);
}

static int ends_well(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void end_of_a_child_ends_no_write(void **state)
{
	static char page[PIPE_BYTES];
	int ends[2], tell;
	pid_t idle, watcher;
	FILE *out;

	signals_catch();
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES), PIPE_BYTES);
	assert_int_equal(write(ends[1], page, sizeof(page)), sizeof(page));
	idle = idle_start(&tell);
	watcher = watcher_start(idle, tell, ends[0], sizeof(page) + 4);
	out = fdopen(ends[1], "w");
	fputs("text", out);
	assert_int_equal(fflush(out), 0);
	assert_false(ferror(out));
	assert_true(ends_well(watcher));
	assert_true(ends_well(idle));
	fclose(out);
	close(ends[0]);
	close(tell);
}

static void end_of_a_child_ends_a_wait(void **state)
{
	pid_t idle, watcher;
	int tell;

	signals_catch();
	idle = idle_start(&tell);
	watcher = watcher_start(idle, tell, -1, 0);
	assert_int_equal(poll(NULL, 0, -1), -1);
	assert_int_equal(errno, EINTR);
	assert_true(ends_well(watcher));
	assert_true(ends_well(idle));
	close(tell);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(end_of_a_child_ends_no_write),
		cmocka_unit_test(end_of_a_child_ends_a_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
