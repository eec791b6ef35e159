/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: process, qtest and monitor.
 */
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/qemu/qemu.h"

#define ARGUMENTS_MAX 64
#define BIOS_BYTES 65536
#define PATIENCE 100000 /* times 2 ms */
#define BIOS_RESET_VECTOR 0xfff0

static const char *qemu_binary, *qemu_plugin, *qemu_scratch;
static const char *volatile waited, *volatile waited_argument;

void qemu_waits(const char *what, const char *argument)
{
	waited = what;
	waited_argument = argument;
}

static void say(const char *words)
{
	if (words && write(STDERR_FILENO, words, strlen(words)) < 0)
		_exit(2);
}

void qemu_late(int signal)
{
	say("device_test: this has not come in time: ");
	say(waited);
	say(waited_argument ? " " : NULL);
	say(waited_argument);
	say("\n");
	_exit(1);
}

void qemu_end_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}

void expect(const char *what, uint64_t found, uint64_t expected)
{
	if (found != expected)
		errx(1, "%s: found 0x%" PRIx64 ", expected 0x%" PRIx64, what, found, expected);
}

char *qemu_path(const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", qemu_scratch, name) < 0)
		err(1, "%s", name);
	return path;
}

void qemu_set(const char *binary, const char *plugin, const char *scratch)
{
	static const uint8_t halt[] = {0xfa, 0xf4, 0xeb, 0xfd}; /* cli; hlt; again */
	static uint8_t image[BIOS_BYTES];
	FILE *file;

	qemu_binary = binary;
	qemu_plugin = plugin;
	qemu_scratch = scratch;
	memcpy(image + BIOS_RESET_VECTOR, halt, sizeof(halt));
	file = fopen(qemu_path("bios"), "wb");
	if (!file || fwrite(image, sizeof(image), 1, file) != 1 || fclose(file))
		err(1, "%s/bios", scratch);
}

static void qemu_exec(char **argv, int in, int out, pid_t parent)
{
	/* If a check fails, this process ends: QEMU must end with it. */
	qemu_end_with(parent);
	dup2(in, 0);
	dup2(out, 1);
	execvp(argv[0], argv);
	err(1, "%s", argv[0]);
}

static const char *machine_line(struct qemu *qemu)
{
	static char line[65536];
	size_t used = strlen(qemu->events);

	if (!fgets(line, sizeof(line), qemu->machine))
		errx(1, "QEMU has gone");
	if (strstr(line, "\"event\""))
		snprintf(qemu->events + used, sizeof(qemu->events) - used, "%s", line);
	return line;
}

void qemu_start(struct qemu *qemu, const char *type, ...)
{
	char *argv[ARGUMENTS_MAX] = {NULL}, *more, monitor[64], *plugin;
	int in[2], out[2], pair[2], argc = 0;
	pid_t parent = getpid();
	va_list args;

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, pair) || fcntl(pair[0], F_SETFD, FD_CLOEXEC) < 0 ||
	    asprintf(&plugin, "file=%s", qemu_plugin) < 0)
		err(1, "starting %s", qemu_binary);
	snprintf(monitor, sizeof(monitor), "socket,id=monitor,fd=%d", pair[1]);
	const char *fixed[] = {
		qemu_binary, "-M",	    type,	  "-accel",
		"tcg",	     "-m",	    "32",	  "-display",
		"none",	     "-nodefaults", "-bios",	  qemu_path("bios"),
		"-qtest",    "stdio",	    "-qtest-log", "none",
		"-chardev",  monitor,	    "-mon",	  "chardev=monitor,mode=control",
	};
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		argv[argc++] = strdup(fixed[i]);
	if (*qemu_plugin) {
		argv[argc++] = strdup("-plugin");
		argv[argc++] = plugin;
	}
	va_start(args, type);
	while ((more = va_arg(args, char *)) && argc < ARGUMENTS_MAX - 1)
		argv[argc++] = more;
	va_end(args);
	qemu->pid = fork();
	if (!qemu->pid)
		qemu_exec(argv, in[0], out[1], parent);
	close(in[0]);
	close(out[1]);
	close(pair[1]);
	qemu->to = fdopen(in[1], "w");
	qemu->from = fdopen(out[0], "r");
	qemu->monitor = pair[0];
	qemu->machine = fdopen(pair[0], "r");
	qemu->events[0] = 0;
	qemu_waits("the monitor's greeting", NULL);
	machine_line(qemu);
	qemu_monitor(qemu, "{\"execute\": \"qmp_capabilities\"}");
}

void qemu_end(struct qemu *qemu)
{
	int status;

	qemu_waits("QEMU's end", NULL);
	kill(qemu->pid, SIGTERM);
	if (waitpid(qemu->pid, &status, 0) != qemu->pid || !WIFEXITED(status) ||
	    WEXITSTATUS(status))
		errx(1, "QEMU ended with status 0x%x", (unsigned int)status);
	fclose(qemu->to);
	fclose(qemu->from);
	fclose(qemu->machine);
}

void qemu_end_refusing(struct qemu *qemu)
{
	const struct timespec pause = {0, 2000000};
	int status = 0, tries;

	for (tries = 0; waitpid(qemu->pid, &status, WNOHANG) != qemu->pid; tries++) {
		if (tries == PATIENCE)
			errx(1, "QEMU did not refuse: it goes on");
		nanosleep(&pause, NULL);
	}
	if (!WIFEXITED(status) || !WEXITSTATUS(status))
		errx(1, "QEMU did not refuse but ended with status 0x%x", (unsigned int)status);
	fclose(qemu->to);
	fclose(qemu->from);
	fclose(qemu->machine);
}

const char *qemu_ask(struct qemu *qemu, const char *format, ...)
{
	static char answer[65536];
	va_list args;

	qemu_waits("qtest's answer to", format);
	va_start(args, format);
	vfprintf(qemu->to, format, args);
	va_end(args);
	fputc('\n', qemu->to);
	fflush(qemu->to);
	do {
		if (!fgets(answer, sizeof(answer), qemu->from))
			errx(1, "QEMU has gone");
	} while (!strncmp(answer, "IRQ", 3));
	if (strncmp(answer, "OK", 2))
		errx(1, "qtest: %s", answer);
	return answer[2] ? answer + 3 : answer + 2;
}

const char *qemu_monitor(struct qemu *qemu, const char *format, ...)
{
	const char *line;
	va_list args;

	qemu_waits("the monitor's answer to", format);
	qemu->events[0] = 0;
	va_start(args, format);
	vdprintf(qemu->monitor, format, args);
	va_end(args);
	do {
		line = machine_line(qemu);
	} while (strncmp(line, "{\"return\"", 9) && strncmp(line, "{\"error\"", 8));
	if (!strncmp(line, "{\"error\"", 8))
		errx(1, "%s: %s", format, line);
	return line;
}

void qemu_await(struct qemu *qemu, const char *event)
{
	qemu_waits("the event", event);
	while (!strstr(qemu->events, event))
		machine_line(qemu);
}

uint32_t qemu_load(struct qemu *qemu, uint32_t address)
{
	return (uint32_t)strtoul(qemu_ask(qemu, "readl 0x%x", address), NULL, 0);
}

void qemu_store(struct qemu *qemu, uint32_t address, uint32_t value)
{
	qemu_ask(qemu, "writel 0x%x 0x%x", address, value);
}

uint32_t qemu_pci_get(struct qemu *qemu, unsigned int slot, unsigned int offset)
{
	qemu_ask(qemu, "outl 0xcf8 0x%x", 0x80000000U | slot << 11 | offset);
	return (uint32_t)strtoul(qemu_ask(qemu, "inl 0xcfc"), NULL, 0);
}

void qemu_pci_put(struct qemu *qemu, unsigned int slot, unsigned int offset, uint32_t value)
{
	qemu_ask(qemu, "outl 0xcf8 0x%x", 0x80000000U | slot << 11 | offset);
	qemu_ask(qemu, "outl 0xcfc 0x%x", value);
}
