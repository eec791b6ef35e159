/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Run a command and append its cost to a file:
 *
 * 	spend [-s STATUS] FILE NAME COMMAND [ARGUMENTS]
 *
 * The line has NAME, the elapsed seconds, the processor seconds of the command and its children,
 * and the kilobytes of the largest of these processes. The command's output is dropped. If the exit
 * status of the command is not STATUS (default: 0), spend fails.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static void execute(char **command)
{
	int nothing = open("/dev/null", O_RDWR);

	dup2(nothing, STDIN_FILENO);
	dup2(nothing, STDOUT_FILENO);
	dup2(nothing, STDERR_FILENO);
	execvp(command[0], command);
	_exit(127);
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double start = now();
	int status, wanted = 0;
	FILE *file;
	pid_t pid;

	if (getopt(argc, argv, "+s:") == 's') {
		wanted = atoi(optarg);
		argc -= optind - 1;
		argv += optind - 1;
	}
	if (argc < 4)
		return 2;
	pid = fork();
	if (pid == 0)
		execute(argv + 3);
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0) {
		perror("spend");
		return 1;
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status) != wanted) {
		fprintf(stderr, "spend: %s: %s failed: wait status 0x%x\n", argv[2], argv[3],
			(unsigned)status);
		return 1;
	}
	file = fopen(argv[1], "a");
	if (!file) {
		perror(argv[1]);
		return 1;
	}
	fprintf(file, "%s\t%.6f\t%.6f\t%ld\n", argv[2], now() - start,
		seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
	return fclose(file) ? 1 : 0;
}
