// SPDX-License-Identifier: MIT
/*
 * run/session: reads data about the program's processes, and ends them.
 *
 * What lives here: functions that read the data about a process in /proc, and functions that end
 * processes. The program can write to the memory in which process ids are stored. Therefore an id
 * is used only if the process is a descendant of this process. When the program ends, its remaining
 * processes become children of this process, because tracer.c has requested this from the system.
 */
#include "run/session/session_inside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * If the chain of parents changes while it is followed, it is followed again, up to this number of
 * times.
 */
#define CHAIN_TRIES 3
#define CHAIN_MAX 4096

/* The time to wait for killed processes to end, before the search for new processes. */
#define REAP_NS 1000000L

/*
 * Descriptors that are kept open for run_process_kill_all(), which needs one for /proc, one for a
 * process, and one for the state of a process; 0 or less: closed.
 */
#define SPARES 3
static int spares[SPARES];

/**
 * struct status - The state of a process, from /proc.
 * @state: letter of the state
 * @parent: id of its parent
 * @threads: number of its threads that have not ended, including the first thread
 */
struct status {
	char state;
	uint32_t parent;
	unsigned long threads;
};

/*
 * Read the state of a process. Return: 0; -ENOENT or -ESRCH if the process does not exist; another
 * -errno.
 */
static int status_read(uint32_t pid, struct status *status)
{
	char path[64], line[512], *rest;
	FILE *file;
	size_t got;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	got = fread(line, 1, sizeof(line) - 1, file);
	fclose(file);
	line[got] = '\0';
	/*
	 * The name of the process, in parentheses, can contain any characters; the state follows
	 * the last parenthesis.
	 */
	rest = strrchr(line, ')');
	if (!rest || sscanf(rest,
			    ") %c %" SCNu32 " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
			    "%*s %*s %lu",
			    &status->state, &status->parent, &status->threads) != 3)
		return -ESRCH;
	return 0;
}

int run_process_is_dead(uint32_t pid)
{
	struct status status;
	int err = status_read(pid, &status);

	if (err < 0)
		return err == -ENOENT || err == -ESRCH;
	if (status.state == 'X')
		return 1;
	/*
	 * If the first thread ends by pthread_exit(), the process has the state of a zombie, while
	 * its other threads continue.
	 */
	return status.state == 'Z' && status.threads <= 1;
}

int run_process_is_ours(uint32_t pid)
{
	uint32_t self = (uint32_t)getpid();

	for (int tries = 0; tries < CHAIN_TRIES; tries++) {
		uint32_t at = pid;
		struct status status;
		int err = 0;

		for (int i = 0; i < CHAIN_MAX && at > 1; i++) {
			err = status_read(at, &status);
			if (err < 0)
				break;
			if (status.parent == self)
				return 1;
			at = status.parent;
		}
		/* The chain has ended, or the process itself no longer exists. */
		if (err == 0 || at == pid)
			return 0;
	}
	return 0;
}

/*
 * Check whether the process has mapped the stream. If a process has mapped the stream, it is a
 * traced process, even if it has written nothing yet.
 */
static bool has_stream(const char *pid)
{
	char path[64], line[PATH_MAX];
	bool has = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%s/maps", pid);
	file = fopen(path, "re");
	while (file && !has && fgets(line, sizeof(line), file))
		has = strstr(line, "/memfd:" RUN_STREAM_NAME) != NULL;
	if (file)
		fclose(file);
	return has;
}

/* Call @what for each process of the system. Return: the number of calls that returned true. */
static size_t each_process(bool (*what)(const char *name, uint32_t pid))
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;
	size_t count = 0;
	char *end;

	while (processes && (entry = readdir(processes))) {
		unsigned long pid = strtoul(entry->d_name, &end, 10);

		if (!*end && pid > 1)
			count += what(entry->d_name, (uint32_t)pid);
	}
	if (processes)
		closedir(processes);
	return count;
}

static bool traced(const char *name, uint32_t pid)
{
	return run_process_is_ours(pid) && has_stream(name);
}

size_t run_process_traced(void)
{
	return each_process(traced);
}

static bool kill_if_ours(const char *name, uint32_t pid)
{
	/* From here on, the descriptor refers to this process, even if its id is reused. */
	int fd = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);

	if (fd < 0)
		return false;
	if (run_process_is_ours(pid))
		syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0);
	close(fd);
	return true;
}

int run_process_reserve(void)
{
	for (size_t i = 0; i < SPARES; i++) {
		spares[i] = open("/dev/null", O_RDONLY | O_CLOEXEC);
		if (spares[i] < 0)
			return -errno;
	}
	return 0;
}

void run_process_kill_all(void)
{
	for (size_t i = 0; i < SPARES; i++) {
		if (spares[i] > 0)
			close(spares[i]);
		spares[i] = 0;
	}
	each_process(kill_if_ours);
}

bool run_process_reap(void)
{
	struct timespec moment = {.tv_nsec = REAP_NS};
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		;
	if (!pid)
		nanosleep(&moment, NULL);
	return !pid;
}
