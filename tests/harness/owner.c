/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Run a command and own every process that it creates: none of them outlives this program.
 *
 * What lives here: the start of the command, and its time limit. The command has a session of its
 * own, and this program is a subreaper, so that the descendants of the command stay below it even
 * after setsid() or a double fork. Processes that are left when the command ends are killed and
 * named, and the result is an error. On a signal, or when the parent of this program dies, all
 * processes are killed.
 *
 * usage: owner [-t SECONDS] [-g SECONDS] [-r FILE] COMMAND [ARGUMENT]...
 *
 *	-t SECONDS	time limit, after which the command has failed: all processes are
 *			terminated, then killed
 *	-g SECONDS	time in which processes that are terminated, or left behind, may end by
 *			themselves (5)
 *	-r FILE		receives one line: elapsed seconds, seconds of processor time
 *
 * Exit status: the command's, 128 + N for its signal N; 124 after the limit; 125 if processes were
 * left; 126 if this program failed; 128 + N after signal N.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STATUS_LIMIT 124
#define STATUS_LEFT 125
#define STATUS_FAILED 126
#define PROCESSES_MAX 65536

struct process {
	pid_t pid, parent;
	bool zombie, ours;
};

/* The command; 0 once it has been waited for. */
static pid_t command;
static int command_status;
static int signals;
static double grace = 5;

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "owner: %s: %s\n", what, strerror(errno));
	exit(STATUS_FAILED);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Reads a file of /proc as a string; zero bytes become spaces. */
static bool proc_read(pid_t pid, const char *file, char *text, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, size - 1);
	close(fd);
	if (n < 0)
		return false;
	for (ssize_t i = 0; i < n; i++)
		if (text[i] == '\0' || text[i] == '\n')
			text[i] = ' ';
	text[n] = '\0';
	return true;
}

/* All visible processes of the machine. */
static size_t processes_list(struct process *list)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	size_t n = 0;

	if (!proc)
		fail("/proc");
	while ((entry = readdir(proc)) && n < PROCESSES_MAX) {
		char text[512], state, *end;
		int parent;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		list[n].pid = (pid_t)atoi(entry->d_name);
		/* A command's name may contain parentheses: the last one ends the name. */
		if (!proc_read(list[n].pid, "stat", text, sizeof(text)) ||
		    !(end = strrchr(text, ')')) || sscanf(end + 1, " %c %d", &state, &parent) != 2)
			continue;
		list[n].parent = parent;
		list[n].zombie = state == 'Z' || state == 'X';
		list[n].ours = false;
		n++;
	}
	closedir(proc);
	return n;
}

/*
 * Finds the descendants of this process; calls @each for each living descendant, and returns their
 * number.
 */
static size_t descendants(void (*each)(pid_t pid, int value), int value)
{
	static struct process list[PROCESSES_MAX];
	size_t n = processes_list(list), living = 0;
	pid_t self = getpid();
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < n; i++) {
			for (size_t j = 0; j < n && !list[i].ours; j++)
				if (list[i].parent == self ||
				    (list[j].ours && list[i].parent == list[j].pid)) {
					list[i].ours = true;
					more = true;
				}
		}
	}
	for (size_t i = 0; i < n; i++)
		if (list[i].ours && !list[i].zombie) {
			living++;
			if (each)
				each(list[i].pid, value);
		}
	return living;
}

static void each_signal(pid_t pid, int value)
{
	kill(pid, value);
}

static void each_print(pid_t pid, int value)
{
	char line[256] = "";

	/*
	 * A kernel thread has no command line. A process that is about to end may have none either.
	 */
	if (!proc_read(pid, "cmdline", line, sizeof(line)) || !*line)
		proc_read(pid, "comm", line, sizeof(line));
	fprintf(stderr, "owner: left behind: %d %s\n", (int)pid, line);
}

/* Waits for ended children. Returns whether any other child exists. */
static bool reap(void)
{
	for (;;) {
		int status;
		pid_t pid = waitpid(-1, &status, WNOHANG);

		if (pid < 0)
			return false;
		if (pid == 0)
			return true;
		if (pid == command) {
			command = 0;
			command_status =
				WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		}
	}
}

/*
 * Waits until a child ends or @until, at most a second if @step: a signal may be lost while another
 * one is pending. Returns the signal that must end this program, or 0.
 */
static int wait_signal(double until, bool step)
{
	struct pollfd ready = {.fd = signals, .events = POLLIN};
	double left = until - now();
	struct signalfd_siginfo info;

	if (step && left > 0.05)
		left = 0.05;
	if (left > 1000)
		left = 1000;
	if (poll(&ready, 1, left > 0 ? (int)(left * 1000) + 1 : 0) > 0 &&
	    read(signals, &info, sizeof(info)) == sizeof(info) && info.ssi_signo != SIGCHLD) {
		char line[256] = "";

		proc_read((pid_t)info.ssi_pid, "cmdline", line, sizeof(line));
		fprintf(stderr, "owner: ended by %s from %d %s\n", strsignal((int)info.ssi_signo),
			(int)info.ssi_pid, line);
		return (int)info.ssi_signo;
	}
	return 0;
}

/* Terminates all descendants, and kills those that still exist after the grace period. */
static void end_all(bool terminate)
{
	double until = now() + grace;

	if (terminate) {
		descendants(each_signal, SIGTERM);
		descendants(each_signal, SIGCONT);
		while (reap() && now() < until)
			wait_signal(until, true);
	}
	/*
	 * The next pass finds processes that have started since this one. Processes that the kernel
	 * cannot end remain.
	 */
	for (until = now() + 60; reap() && now() < until;) {
		descendants(each_signal, SIGKILL);
		wait_signal(until, true);
	}
}

static void begin(char **arguments, const sigset_t *mask)
{
	pid_t self = getpid();

	command = fork();
	if (command < 0)
		fail("fork");
	if (command > 0)
		return;
	sigprocmask(SIG_SETMASK, mask, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != self)
		_exit(STATUS_FAILED);
	setsid();
	execvp(arguments[0], arguments);
	fprintf(stderr, "owner: %s: %s\n", arguments[0], strerror(errno));
	_exit(127);
}

/* Waits for the command. Returns the exit status, before the check for processes that are left. */
static int attend(double seconds)
{
	double limit = now() + seconds;

	while (reap() && command) {
		int number = wait_signal(limit, false);

		if (number) {
			end_all(true);
			return 128 + number;
		}
		if (now() >= limit && command) {
			fprintf(stderr, "owner: no end after %.0f seconds\n", seconds);
			end_all(true);
			return STATUS_LIMIT;
		}
	}
	return command_status;
}

/* A process that ends by itself within the grace period is no error. */
static int look_behind(int status)
{
	double until = now() + grace;

	while (reap() && now() < until) {
		int number = wait_signal(until, true);

		if (number) {
			end_all(true);
			return 128 + number;
		}
	}
	if (descendants(each_print, 0) > 0)
		status = STATUS_LEFT;
	end_all(false);
	return status;
}

static void times_write(const char *file, double begun)
{
	struct rusage used;
	FILE *out = fopen(file, "w");

	if (!out || getrusage(RUSAGE_CHILDREN, &used))
		fail(file);
	fprintf(out, "%.1f %.1f\n", now() - begun,
		(double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
			(double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6);
	if (fclose(out))
		fail(file);
}

int main(int argc, char **argv)
{
	static const int handled[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	const char *file = NULL;
	double seconds = 1e9, begun = now();
	sigset_t mask, before;
	int option, status;

	while ((option = getopt(argc, argv, "+t:g:r:")) != -1) {
		if (option == 't' && atof(optarg) > 0)
			seconds = atof(optarg);
		else if (option == 'g' && atof(optarg) > 0)
			grace = atof(optarg);
		else if (option == 'r')
			file = optarg;
		else
			argc = 0;
	}
	if (optind >= argc) {
		fprintf(stderr,
			"usage: owner [-t SECONDS] [-g SECONDS] [-r FILE] COMMAND [ARGUMENT]...\n");
		return STATUS_FAILED;
	}
	/*
	 * A shell starts background processes with some signals ignored, which then never arrive.
	 */
	sigemptyset(&mask);
	for (size_t i = 0; i < sizeof(handled) / sizeof(*handled); i++) {
		signal(handled[i], SIG_DFL);
		sigaddset(&mask, handled[i]);
	}
	sigprocmask(SIG_BLOCK, &mask, &before);
	signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) || prctl(PR_SET_PDEATHSIG, SIGTERM))
		fail("owner");
	begin(argv + optind, &before);
	status = attend(seconds);
	status = look_behind(status);
	if (file)
		times_write(file, begun);
	return status;
}
