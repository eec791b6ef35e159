// SPDX-License-Identifier: MIT
/*
 * smile-node: the guest's side of smile cluster. The guest's script runs it twice:
 *
 *	smile-node run MARK [-i] COMMAND...	COMMAND is the program, or `smile record` with it
 *	smile-node watch PROGRAM...		COMMAND runs this, with the user's environment
 *	smile-node with COMMAND...		becomes COMMAND, with the user's environment
 *
 * What lives here: "run" gives COMMAND a terminal as standard output, so that the C library writes
 * each line immediately, and passes on its bytes unchanged. Standard error and, with -i, standard
 * input have their own ports. "watch" reports the end of the program immediately. Both write
 * their reports to the port of the result, one per line:
 *
 *	begun				COMMAND begins
 *	running				the program begins: its recorder takes SIGUSR1
 *	ended exit STATUS		the program has ended
 *	ended signal NUMBER
 *	memory				the kernel has ended a process, since memory ran out
 *	failed ACCESSES			so many accesses of this node's adapter have failed
 *
 * Both also accept two requests from this port: "end" ends the program, and "mark" sends SIGUSR1 to
 * COMMAND. At its end, "run" writes MARK to the ports of output and error, and waits for "taken",
 * which means that the host has read both marks. A port buffers bytes that the host has not read
 * yet, and they are lost when the guest ends. May use: libc.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define PORTS "/dev/virtio-ports/org.smile."
/* The file of the user's variables; a zero byte follows each variable. */
#define VARIABLES "/smile/variables"
#define FAILED "/sys/class/smile_adapter/smile_adapter0/failed"
/* The descriptor of the result port in "watch". In "run" this port is standard output. */
#define RESULT_FD 3
#define STATUS_FAILED 2
#define LOG_BYTES (1 << 20)
#define COLUMNS 80
#define ROWS 24

/* The program that "watch" has started. It leads its own process group. */
static pid_t watched;

/* The handler does nothing: a wait is interrupted because a handler is called. */
static void on_child(int number)
{
	(void)number;
}

static void on_terminate(int number)
{
	(void)number;
	kill(-watched, SIGTERM);
}

static void catch (int number, void (*handler)(int))
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	sigaction(number, &action, NULL);
}

static void report(int fd, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void report(int fd, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vdprintf(fd, format, arguments);
	va_end(arguments);
}

static int status_of(int state)
{
	return WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
}

/* ---- run ---- */

static bool write_all(int fd, const char *data, size_t bytes)
{
	while (bytes) {
		ssize_t wrote = write(fd, data, bytes);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return false;
		data += wrote;
		bytes -= (size_t)wrote;
	}
	return true;
}

static unsigned long long failed_accesses(void)
{
	unsigned long long count = 0;
	FILE *file = fopen(FAILED, "re");

	if (!file)
		return 0;
	if (fscanf(file, "%llu", &count) != 1)
		count = 0;
	fclose(file);
	return count;
}

/*
 * Pass on the bytes that can be read now. Return: 1 if there were bytes; 0 if there are none yet;
 * -1 if the output has ended.
 */
static int pass_on(int terminal, int output)
{
	char buffer[16384];
	ssize_t got = read(terminal, buffer, sizeof(buffer));

	if (got < 0 && errno == EINTR)
		return 1;
	if (got < 0 && errno == EAGAIN)
		return 0;
	/*
	 * read() fails with EIO after the last process that had opened the terminal has closed it.
	 */
	return got > 0 && write_all(output, buffer, (size_t)got) ? 1 : -1;
}

/* Read a request of the host, and carry it out. Return: false if no more requests can arrive. */
static bool take_order(pid_t child)
{
	char order[64];
	ssize_t got = read(STDOUT_FILENO, order, sizeof(order) - 1);

	if (got <= 0)
		return got < 0 && (errno == EINTR || errno == EAGAIN);
	order[got] = '\0';
	if (strstr(order, "mark\n"))
		kill(child, SIGUSR1);
	if (strstr(order, "end\n"))
		kill(child, SIGTERM);
	return true;
}

/* Send the mark on both ports. Wait until the host has read all output. */
static void settle(int output, int error, const char *mark)
{
	const size_t bytes = strlen(mark);
	struct pollfd file = {.fd = STDOUT_FILENO, .events = POLLIN};
	char orders[256];
	size_t count = 0;

	if (!write_all(output, mark, bytes) || !write_all(output, "\n", 1) ||
	    !write_all(error, mark, bytes) || !write_all(error, "\n", 1))
		return;
	while (count < sizeof(orders) - 1) {
		ssize_t got;

		poll(&file, 1, -1);
		got = read(STDOUT_FILENO, orders + count, sizeof(orders) - 1 - count);
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got <= 0)
			return;
		count += (size_t)got;
		orders[count] = '\0';
		if (strstr(orders, "taken\n"))
			return;
	}
}

static int attend(pid_t child, int terminal, int output)
{
	struct pollfd files[2] = {{.fd = terminal, .events = POLLIN},
				  {.fd = STDOUT_FILENO, .events = POLLIN}};
	sigset_t blocked, before;
	int state = 0;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCHLD);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	while (waitpid(child, &state, WNOHANG) == 0) {
		if (ppoll(files, 2, NULL, &before) < 0)
			continue;
		if (files[0].revents && pass_on(terminal, output) < 0)
			files[0].fd = -1;
		if (files[1].revents && !take_order(child))
			files[1].fd = -1;
	}
	/*
	 * The program has ended. Pass on all output that it has left in the terminal, even if its
	 * child processes still have the terminal open.
	 */
	while (files[0].fd >= 0 && pass_on(terminal, output) > 0)
		;
	return state;
}

/* In the child: set up the standard files, then execute COMMAND. */
static void become(char **command, int terminal, int error, bool input)
{
	int in = open(input ? PORTS "input" : "/dev/null", O_RDONLY);

	dup2(STDOUT_FILENO, RESULT_FD);
	dup2(in, STDIN_FILENO);
	dup2(terminal, STDOUT_FILENO);
	dup2(error, STDERR_FILENO);
	if (in > RESULT_FD)
		close(in);
	execvp(command[0], command);
	dprintf(STDERR_FILENO, "smile-node: cannot run %s: %s\n", command[0], strerror(errno));
	_exit(STATUS_FAILED);
}

static int run(char **command, bool input, const char *mark)
{
	struct winsize size = {.ws_row = ROWS, .ws_col = COLUMNS};
	int output, error, master, slave, state;
	unsigned long long failed;
	struct termios raw;
	pid_t child;

	/*
	 * Make sure that no other file gets the descriptor RESULT_FD, on which the child reports
	 * its result.
	 */
	while ((state = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0 && state < RESULT_FD)
		;
	output = open(PORTS "output", O_WRONLY | O_CLOEXEC);
	error = open(PORTS "error", O_WRONLY | O_CLOEXEC);
	failed = failed_accesses();
	memset(&raw, 0, sizeof(raw));
	cfmakeraw(&raw);
	if (output < 0 || error < 0 || openpty(&master, &slave, NULL, &raw, &size) < 0) {
		report(STDOUT_FILENO, "smile-node: no ports or no terminal: %s\n", strerror(errno));
		return STATUS_FAILED;
	}
	fcntl(master, F_SETFD, FD_CLOEXEC);
	fcntl(slave, F_SETFD, FD_CLOEXEC);
	fcntl(master, F_SETFL, O_NONBLOCK);
	catch (SIGCHLD, on_child);
	report(STDOUT_FILENO, "begun\n");
	child = fork();
	if (child == 0)
		become(command, slave, error, input);
	close(slave);
	if (child < 0) {
		report(STDOUT_FILENO, "smile-node: cannot fork: %s\n", strerror(errno));
		return STATUS_FAILED;
	}
	state = attend(child, master, output);
	failed = failed_accesses() - failed;
	if (failed)
		report(STDOUT_FILENO, "failed %llu\n", failed);
	settle(output, error, mark);
	return status_of(state);
}

/* ---- watch ---- */

/* Check whether the kernel has killed a process because no memory was left. */
static bool memory_ran_out(void)
{
	char *log = calloc(1, LOG_BYTES);
	int bytes = log ? klogctl(3 /* SYSLOG_ACTION_READ_ALL */, log, LOG_BYTES - 1) : -1;
	bool out = bytes > 0 && memmem(log, (size_t)bytes, "Out of memory: Killed process", 29);

	free(log);
	return out;
}

/*
 * Report that a program cannot be run. If the program's file exists, the program's interpreter or
 * loader is missing.
 */
static int cannot_run(const char *program)
{
	int error = errno;
	struct stat info;

	if (error == ENOENT && !stat(program, &info))
		dprintf(STDERR_FILENO,
			"smile cluster: %s: the interpreter or loader that it names is not in the "
			"guests: name it with --copy, or link the program statically\n",
			program);
	else
		dprintf(STDERR_FILENO, "smile cluster: %s cannot be run: %s\n", program,
			strerror(error));
	return error == ENOENT ? 127 : 126;
}

/* Set the user's variables in the environment. If a variable cannot be read, leave it out. */
static void environment_take(void)
{
	FILE *from = fopen(VARIABLES, "re");
	char *variable = NULL;
	size_t size = 0;

	while (from && getdelim(&variable, &size, '\0', from) > 0) {
		putenv(variable);
		/*
		 * putenv() has made this memory a part of the environment, so it must not be freed.
		 */
		variable = NULL;
		size = 0;
	}
	free(variable);
	if (from)
		fclose(from);
}

static int watch(char **program)
{
	sigset_t blocked, before;
	int state = 0;

	fcntl(RESULT_FD, F_SETFD, FD_CLOEXEC);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	watched = fork();
	if (watched < 0)
		return cannot_run(program[0]);
	if (watched == 0) {
		setpgid(0, 0);
		sigprocmask(SIG_SETMASK, &before, NULL);
		execvp(program[0], program);
		_exit(cannot_run(program[0]));
	}
	setpgid(watched, watched);
	catch (SIGTERM, on_terminate);
	report(RESULT_FD, "running\n");
	sigprocmask(SIG_SETMASK, &before, NULL);
	while (waitpid(watched, &state, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(state))
		report(RESULT_FD, "ended signal %d\n", WTERMSIG(state));
	else
		report(RESULT_FD, "ended exit %d\n", WEXITSTATUS(state));
	if (state && memory_ran_out())
		report(RESULT_FD, "memory\n");
	return status_of(state);
}

int main(int argc, char **argv)
{
	bool input = argc > 3 && !strcmp(argv[3], "-i");
	char **command = argv + 3 + input;

	if (argc > 3 && *command && !strcmp(argv[1], "run"))
		return run(command, input, argv[2]);
	if (argc > 2 && !strcmp(argv[1], "watch")) {
		environment_take();
		return watch(argv + 2);
	}
	if (argc > 2 && !strcmp(argv[1], "with")) {
		environment_take();
		execvp(argv[2], argv + 2);
		return cannot_run(argv[2]);
	}
	fprintf(stderr, "usage: smile-node run MARK [-i] COMMAND... | smile-node watch PROGRAM... "
			"| smile-node with COMMAND...\n");
	return STATUS_FAILED;
}
