// SPDX-License-Identifier: MIT
/*
 * Perf. See tools/stat/perf.h. Events are named by libpfm4; each is open all the time, and
 * enabled while it is its turn. Software events need no counter: they are in every set.
 */
#include "tools/stat/perf.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <perfmon/pfmlib_perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/common/signals.h"
#include "tools/common/tool.h"
#include "tools/stat/rotation.h"

/* Hardware events at a time, unless --counters says otherwise: all processors have so many. */
#define AT_ONCE 4

/**
 * struct perf_event - An event.
 * @fd: open
 * @software: needs no counter
 * @last: what it read last: value, time enabled, time running
 */
struct perf_event {
	int fd;
	int software;
	uint64_t last[3];
};

/**
 * struct perf_counting - All of them.
 * @events: shape [@count]
 * @count: how many
 * @pid: of the program, stopped until @go is closed
 * @go: write end of the pipe that it waits for
 * @rotation: of hardware events
 * @hardware: indices of hardware events
 * @hardware_count: how many
 * @set: which are enabled
 * @order: of @rotation
 * @set_count: how many
 */
struct perf_counting {
	struct perf_event *events;
	size_t count;
	pid_t pid;
	int go;
	struct rotation rotation;
	size_t *hardware;
	size_t hardware_count;
	size_t *set;
	size_t *order;
	size_t set_count;
};

/* Why an event cannot be opened, and what helps. */
static int open_refused(const char *name, const struct perf_event_attr *attr, int error)
{
	if (error == EACCES || error == EPERM)
		return tool_error("event %s: not permitted: sysctl kernel.perf_event_paranoid=2, "
				  "or lower, permits a program's own events",
				  name);
	if ((error == ENOENT || error == EOPNOTSUPP) && attr->type != PERF_TYPE_SOFTWARE)
		return tool_error("event %s: this machine has no such counter (smile doctor); "
				  "software events are there: task-clock, page-faults, "
				  "context-switches, cpu-migrations",
				  name);
	return tool_error("event %s: %s", name, strerror(error));
}

static int event_open(struct perf_counting *counting, const char *name)
{
	struct perf_event *event = &counting->events[counting->count];
	struct perf_event_attr attr = {.size = sizeof(attr)};
	pfm_perf_encode_arg_t encode = {.attr = &attr, .size = sizeof(encode)};
	int error =
		pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &encode);

	if (error != PFM_SUCCESS)
		return tool_error("event %s: %s: libpfm4 has no such event for this machine", name,
				  pfm_strerror(error));
	attr.disabled = 1;
	attr.inherit = 1;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	event->software = attr.type == PERF_TYPE_SOFTWARE;
	event->fd = (int)syscall(SYS_perf_event_open, &attr, counting->pid, -1, -1,
				 PERF_FLAG_FD_CLOEXEC);
	if (event->fd < 0 && (errno == EACCES || errno == EPERM)) {
		/* Without the kernel's part more is permitted. */
		attr.exclude_kernel = 1;
		attr.exclude_hv = 1;
		event->fd = (int)syscall(SYS_perf_event_open, &attr, counting->pid, -1, -1,
					 PERF_FLAG_FD_CLOEXEC);
	}
	if (event->fd < 0)
		return open_refused(name, &attr, errno);
	counting->count++;
	return TOOL_OK;
}

/* The program, waiting to be let go. */
static int program_start(struct perf_counting *counting, char **program)
{
	int ends[2];
	char byte;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return tool_error("no pipe: %s", strerror(errno));
	counting->pid = fork();
	if (counting->pid < 0) {
		close(ends[0]);
		close(ends[1]);
		return tool_error("%s cannot be started: %s", program[0], strerror(errno));
	}
	if (!counting->pid) {
		close(ends[1]);
		/* A byte lets it go; without one the parent has failed. */
		if (read(ends[0], &byte, 1) != 1)
			_exit(126);
		signal(SIGPIPE, SIG_DFL);
		execvp(program[0], program);
		byte = errno == ENOENT ? 127 : 126;
		tool_error("%s cannot be run: %s", program[0], strerror(errno));
		_exit(byte);
	}
	close(ends[0]);
	counting->go = ends[1];
	return TOOL_OK;
}

static int events_open(struct perf_counting *counting, struct series *series, const char *list)
{
	char *copy = strdup(list), *rest = copy, *name;
	int status = TOOL_OK;

	if (!copy)
		return tool_error("no memory");
	while (status == TOOL_OK && (name = strsep(&rest, ",")) != NULL) {
		if (!*name)
			status = tool_usage("-e: an event has no name in '%s'", list);
		else if (series_find(series, name) < series->events)
			status = tool_usage("-e: %s is there twice", name);
		else
			status = event_open(counting, name);
		if (status == TOOL_OK)
			series_event(series, name);
	}
	free(copy);
	return status;
}

static void set_enable(struct perf_counting *counting)
{
	if (!counting->hardware_count)
		return;
	counting->set_count = rotation_next(&counting->rotation, counting->set);
	for (size_t k = 0; k < counting->set_count; k++)
		ioctl(counting->events[counting->hardware[counting->set[k]]].fd,
		      PERF_EVENT_IOC_ENABLE, 0);
}

static void set_disable(struct perf_counting *counting)
{
	for (size_t k = 0; k < counting->set_count; k++)
		ioctl(counting->events[counting->hardware[counting->set[k]]].fd,
		      PERF_EVENT_IOC_DISABLE, 0);
}

/*
 * What an event counted since it was read last. The kernel shares its counters with other users:
 * what ran for a part of the time that it was enabled is scaled, what did not run was not read.
 */
static void event_read(struct perf_event *event, double *value)
{
	uint64_t now[3], enabled, running, count;

	if (read(event->fd, now, sizeof(now)) != sizeof(now))
		return;
	count = now[0] - event->last[0];
	enabled = now[1] - event->last[1];
	running = now[2] - event->last[2];
	memcpy(event->last, now, sizeof(now));
	/* Nothing of the program ran: nothing happened, and that is known. */
	if (!enabled)
		*value = 0;
	else if (running)
		*value = (double)count * (double)enabled / (double)running;
}

static void set_read(struct perf_counting *counting, double *values)
{
	for (size_t i = 0; i < counting->count; i++)
		if (counting->events[i].software)
			event_read(&counting->events[i], &values[i]);
	for (size_t k = 0; k < counting->set_count; k++) {
		size_t i = counting->hardware[counting->set[k]];

		event_read(&counting->events[i], &values[i]);
	}
}

/* Wait until the interval is over or the program has ended. Return: it has. */
static int interval_wait(struct perf_counting *counting, uint64_t end_ns, int *status)
{
	int state, passed_on = 0;

	for (;;) {
		uint64_t now = tool_now_ns();

		if (waitpid(counting->pid, &state, WNOHANG) == counting->pid) {
			*status = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
			counting->pid = 0;
			return 1;
		}
		if (signals_terminate() && !passed_on++)
			kill(counting->pid, SIGTERM);
		if (now >= end_ns)
			return 0;
		/* SIGCHLD ends it. */
		poll(NULL, 0, (int)((end_ns - now + 999999) / 1000000));
	}
}

static void program_count(struct perf_counting *counting, const struct perf_request *request,
			  struct series *series, int *status)
{
	uint64_t begin = tool_now_ns(), end;
	int over = 0;

	for (size_t i = 0; i < counting->count; i++)
		if (counting->events[i].software)
			ioctl(counting->events[i].fd, PERF_EVENT_IOC_ENABLE, 0);
	set_enable(counting);
	over = write(counting->go, "", 1) != 1;
	while (!over) {
		over = interval_wait(counting, begin + request->interval_ns, status);
		set_disable(counting);
		end = tool_now_ns();
		set_read(counting, series_interval(series, (double)(end - begin) / 1e9));
		begin = end;
		if (!over)
			set_enable(counting);
		series_end(series);
	}
}

int perf_count(const struct perf_request *request, struct series *series, int *status)
{
	struct perf_counting counting = {.go = -1};
	size_t most = 1;
	int result;

	for (const char *c = request->events; *c; c++)
		most += *c == ',';
	if (pfm_initialize() != PFM_SUCCESS)
		return tool_error("libpfm4 does not know this processor");
	counting.events = tool_memory(most, sizeof(*counting.events));
	counting.hardware = tool_memory(most, sizeof(*counting.hardware));
	counting.order = tool_memory(most, sizeof(*counting.order));
	counting.set = tool_memory(most, sizeof(*counting.set));
	signals_catch();
	result = program_start(&counting, request->program);
	if (result == TOOL_OK)
		result = events_open(&counting, series, request->events);
	for (size_t i = 0; i < counting.count; i++)
		if (!counting.events[i].software)
			counting.hardware[counting.hardware_count++] = i;
	if (counting.hardware_count)
		rotation_init(&counting.rotation, counting.hardware_count,
			      request->at_once ? request->at_once : AT_ONCE, counting.order);
	if (result == TOOL_OK)
		program_count(&counting, request, series, status);
	if (counting.go >= 0)
		close(counting.go);
	if (counting.pid > 0)
		waitpid(counting.pid, status, 0);
	for (size_t i = 0; i < counting.count; i++)
		close(counting.events[i].fd);
	free(counting.order);
	free(counting.events);
	free(counting.hardware);
	free(counting.set);
	return result;
}
