// SPDX-License-Identifier: MIT
/*
 * Perf. See tools/stat/perf.h. Events are named by libpfm4 and opened in groups, before the program
 * begins, since what a process has started already cannot be joined later. Software events need no
 * counter: their group is enabled all the time. Of hardware events there are more than counters:
 * they are dealt out to groups in several ways, and in each interval another group is enabled.
 */
#include "tools/stat/perf.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/signals.h"
#include "tools/common/tool.h"
#include "tools/stat/perf_group.h"
#include "tools/stat/pfm.h"
#include "tools/stat/rotation.h"

/* Hardware events at a time, unless --counters says otherwise: all processors have so many. */
#define AT_ONCE 4

/*
 * Ways to deal the events out, so that most pairs are in one group in one of them. Each needs a
 * file for each event, and what the program starts inherits all of them.
 */
#define DEALS_MAX 8U
#define FILES_WANTED 256U

/**
 * struct perf_counting - All of them.
 * @events: shape [@count]
 * @count: how many
 * @names: memory of their names
 * @pid: of the program, stopped until @go is closed; 0: none
 * @target: whose events these are: @pid, or PERF_MACHINE
 * @go: write end of the pipe that it waits for
 * @always: group of the events that are read in each interval; may have none
 * @groups: of those that are read in rotation, shape [@deals][@sets]
 * @deals: ways in which they are dealt out
 * @sets: groups of each
 * @order: of the deals
 * @deal_order: memory of it
 * @deal: the one in use
 * @next: its group that is next
 * @group: enabled; NULL: none
 * @stayed: intervals for which it has been
 */
struct perf_counting {
	struct perf_event *events;
	size_t count;
	char *names;
	pid_t pid;
	pid_t target;
	int go;
	struct perf_group always;
	struct perf_group *groups;
	size_t deals;
	size_t sets;
	struct rotation order;
	size_t deal_order[DEALS_MAX];
	size_t deal;
	size_t next;
	struct perf_group *group;
	unsigned int stayed;
};

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
		/* A byte lets the child go; an end without one says that the parent has failed. */
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

/* Names of the list, encoded. */
static int events_encode(struct perf_counting *counting, struct series *series, const char *list)
{
	char *rest, *name;
	size_t most = 1;
	int status = TOOL_OK;

	for (const char *c = list; *c; c++)
		most += *c == ',';
	counting->events = tool_memory(most, sizeof(*counting->events));
	counting->names = rest = strdup(list);
	if (!rest)
		return tool_error("no memory");
	while (status == TOOL_OK && (name = strsep(&rest, ",")) != NULL) {
		if (!*name)
			status = tool_usage("-e: an event has no name in '%s'", list);
		else if (series_find(series, name) < series->events)
			status = tool_usage("-e: %s is there twice", name);
		else
			status = perf_event_encode(&counting->events[counting->count], name);
		if (status == TOOL_OK) {
			series_event(series, name);
			counting->count++;
		}
	}
	return status;
}

/* The groups of those that are read in rotation. */
static int groups_open(struct perf_counting *counting, const size_t *turning, size_t count,
		       size_t at_once)
{
	size_t *order = tool_memory(count, sizeof(*order)), *set = tool_memory(count, sizeof(*set));
	struct rotation rotation;
	int status = TOOL_OK;

	rotation_init(&rotation, count, at_once, order);
	counting->sets = (count + rotation.at_once - 1) / rotation.at_once;
	counting->deals = counting->sets > 1 ? FILES_WANTED / count : 1;
	if (counting->deals > DEALS_MAX)
		counting->deals = DEALS_MAX;
	if (counting->deals < 1)
		counting->deals = 1;
	counting->groups = tool_memory(counting->deals * counting->sets, sizeof(*counting->groups));
	for (size_t g = 0; g < counting->deals * counting->sets && status == TOOL_OK; g++) {
		size_t length = rotation_next(&rotation, set);

		for (size_t k = 0; k < length; k++)
			set[k] = turning[set[k]];
		status = perf_group_open(&counting->groups[g], counting->events, set, length,
					 counting->target);
	}
	rotation_init(&counting->order, counting->deals, 1, counting->deal_order);
	counting->next = counting->sets;
	free(order);
	free(set);
	return status;
}

/*
 * Software events are always read, and hardware events that fit into the counters. If there are
 * software events alone, --counters is for them.
 */
static int events_open(struct perf_counting *counting, size_t at_once)
{
	size_t *always = tool_memory(counting->count, sizeof(*always)), always_count = 0;
	size_t *turning = tool_memory(counting->count, sizeof(*turning)), count = 0;
	int status = TOOL_OK;

	for (size_t i = 0; i < counting->count; i++) {
		if (counting->events[i].attr.type == PERF_TYPE_SOFTWARE)
			always[always_count++] = i;
		else
			turning[count++] = i;
	}
	if (!count && at_once && at_once < always_count) {
		size_t *software = always;

		always = turning;
		turning = software;
		count = always_count;
		always_count = 0;
	}
	if (always_count)
		status = perf_group_open(&counting->always, counting->events, always, always_count,
					 counting->target);
	if (status == TOOL_OK && count)
		status = groups_open(counting, turning, count, at_once ? at_once : AT_ONCE);
	free(always);
	free(turning);
	return status;
}

static void set_enable(struct perf_counting *counting)
{
	if (!counting->groups)
		return;
	if (counting->next == counting->sets) {
		rotation_next(&counting->order, &counting->deal);
		counting->next = 0;
	}
	counting->stayed = 0;
	counting->group = &counting->groups[counting->deal * counting->sets + counting->next++];
	perf_group_enable(counting->group, 1);
}

static void set_read(struct perf_counting *counting, double *values)
{
	perf_group_read(&counting->always, values);
	if (counting->group)
		perf_group_read(counting->group, values);
}

/*
 * Wait until the interval is over or the program has ended, or without a program a signal has
 * come. Signals are held, so that none comes
 * between the look at the program and the sleep. @before: the mask without them. Return: it has.
 */
static int interval_wait(struct perf_counting *counting, uint64_t end_ns, const sigset_t *before,
			 int *status)
{
	int state, passed_on = 0;

	for (;;) {
		uint64_t now = tool_now_ns();
		struct timespec left;

		if (counting->pid && waitpid(counting->pid, &state, WNOHANG) == counting->pid) {
			*status = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
			counting->pid = 0;
			return 1;
		}
		if (!counting->pid && signals_count())
			return 1;
		if (counting->pid && signals_terminate() && !passed_on++)
			kill(counting->pid, SIGTERM);
		if (now >= end_ns)
			return 0;
		left.tv_sec = (time_t)((end_ns - now) / TOOL_SECOND_NS);
		left.tv_nsec = (long)((end_ns - now) % TOOL_SECOND_NS);
		/* SIGCHLD ends it. */
		ppoll(NULL, 0, &left, before);
	}
}

static void program_count(struct perf_counting *counting, const struct perf_request *request,
			  struct series *series, int *status)
{
	uint64_t begin = tool_now_ns(), end;
	sigset_t before;
	int over = 0;

	signals_hold(&before);
	perf_group_enable(&counting->always, 1);
	set_enable(counting);
	over = counting->pid && write(counting->go, "", 1) != 1;
	while (!over) {
		int change;

		over = interval_wait(counting, begin + request->interval_ns, &before, status);
		change = ++counting->stayed >= request->stay;
		if (counting->group && change)
			perf_group_enable(counting->group, 0);
		end = tool_now_ns();
		set_read(counting, series_interval(series, (double)(end - begin) / 1e9));
		begin = end;
		if (!over && change)
			set_enable(counting);
		series_end(series);
	}
	signals_release(&before);
}

/* A group gets counters for all of its events, or none. */
static void starved_report(const struct perf_counting *counting)
{
	size_t starved = 0, all = counting->groups ? counting->deals * counting->sets : 0;

	for (size_t g = 0; g < all; g++)
		starved += (size_t)perf_group_starved(&counting->groups[g]);
	if (starved)
		tool_message("%zu of %zu groups of events got no counters: another program or the "
			     "kernel's watchdog may have some; give a smaller --counters",
			     starved, all);
}

static void counting_free(struct perf_counting *counting)
{
	perf_group_close(&counting->always);
	for (size_t g = 0; counting->groups && g < counting->deals * counting->sets; g++)
		perf_group_close(&counting->groups[g]);
	free(counting->groups);
	free(counting->events);
	free(counting->names);
}

int perf_count(const struct perf_request *request, struct series *series, int *status)
{
	struct perf_counting counting = {.go = -1};
	int result;

	if (stat_pfm_load() != TOOL_OK)
		return TOOL_ERROR;
	signals_catch();
	result = request->program ? program_start(&counting, request->program) : TOOL_OK;
	counting.target = request->machine ? PERF_MACHINE : counting.pid;
	if (result == TOOL_OK)
		result = events_encode(&counting, series, request->events);
	if (result == TOOL_OK)
		result = events_open(&counting, request->at_once);
	if (result == TOOL_OK)
		program_count(&counting, request, series, status);
	starved_report(&counting);
	if (counting.go >= 0)
		close(counting.go);
	if (counting.pid > 0)
		waitpid(counting.pid, status, 0);
	counting_free(&counting);
	return result;
}
