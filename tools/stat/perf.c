// SPDX-License-Identifier: MIT
/*
 * Perf. See tools/stat/perf.h. Events have the names of libpfm4. The events are opened in groups,
 * before the program starts. Events that are opened later do not count the processes that the
 * program has already started. Software events need no hardware counter, so their group is always
 * enabled. If there are more hardware events than counters, the hardware events are divided into
 * groups in several different ways, and another group is enabled in each interval.
 */
#include "tools/stat/perf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/tool.h"
#include "tools/stat/perf_group.h"
#include "tools/stat/pfm.h"
#include "tools/stat/rotation.h"

/*
 * The default of --counters: the number of hardware events that are counted at the same time. All
 * processors have at least this number of counters.
 */
#define AT_ONCE 4

/*
 * The largest number of different ways to divide the events into groups. With several ways, most
 * pairs of events share a group in at least one way. Each way needs an open file for each event,
 * and all processes of the program inherit these files.
 */
#define DEALS_MAX 8U
#define FILES_WANTED 256U

/* The largest number of processors of -C. */
#define PROCESSORS_MAX 256

/**
 * struct perf_counting - All events of perf that are counted.
 * @events: the events; shape [@count]
 * @count: number of events
 * @names: memory for the names of the events
 * @stay: number of consecutive intervals for which a set is counted
 * @ordered: the sets follow each other in the order of the list
 * @target: the process or the processors whose events are counted
 * @processors: processors of the target, if they are not all processors of the machine
 * @always: group of the events that are counted in each interval; it may be empty
 * @groups: groups of the events that are counted in rotation, shape [@deals][@sets]
 * @deals: number of different ways in which these events are divided into groups
 * @sets: number of groups in each way
 * @order: order in which the ways are used
 * @deal_order: memory for @order
 * @deal: the way that is used now
 * @next: index of the next group of this way
 * @group: the group that is enabled; NULL: none
 * @stayed: number of intervals for which @group has been enabled so far
 */
struct perf_counting {
	struct perf_event *events;
	size_t count;
	char *names;
	unsigned int stay;
	int ordered;
	struct perf_target target;
	int processors[PROCESSORS_MAX];
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

/* Parse a list such as "0-3,8": numbers and ranges, ascending. */
static int processors_take(struct perf_counting *counting, const char *list)
{
	size_t count = 0;
	int last = -1;

	for (const char *at = list; *at;) {
		int length = 0, from, to, fields = sscanf(at, "%d%n", &from, &length);

		at += fields == 1 ? length : 0;
		to = from;
		if (fields == 1 && *at == '-' && sscanf(at + 1, "%d%n", &to, &length) == 1)
			at += 1 + length;
		if (fields != 1 || from <= last || to < from || (*at && *at != ',') ||
		    (*at && !at[1]))
			return tool_usage("-C: '%s' is no list of processors, such as 0-3,8", list);
		if (count + (size_t)(to - from) >= PROCESSORS_MAX)
			return tool_usage("-C: more than %d processors are too many",
					  PROCESSORS_MAX);
		if (to >= sysconf(_SC_NPROCESSORS_CONF))
			return tool_usage("-C: there is no processor %d, or it is switched off",
					  to);
		for (last = to; from <= to; from++)
			counting->processors[count++] = from;
		at += *at == ',';
	}
	if (!count)
		return tool_usage("-C: a list of processors is empty");
	counting->target.processors = counting->processors;
	counting->target.count = count;
	return TOOL_OK;
}

/* Add the names of the events to the series. With -C, each event has a name for each processor. */
static void events_name(const struct perf_counting *counting, struct series *series)
{
	char name[256];

	for (size_t k = 0; k < counting->target.count; k++)
		for (size_t i = 0; i < counting->count; i++) {
			snprintf(name, sizeof(name), "cpu%d: %s", counting->processors[k],
				 counting->events[i].name);
			series_event(series, name);
		}
	for (size_t i = 0; i < counting->count && !counting->target.count; i++)
		series_event(series, counting->events[i].name);
}

/* Check whether the list already contains an event of this name. */
static int is_there(const struct perf_counting *counting, const char *name)
{
	for (size_t i = 0; i < counting->count; i++)
		if (!strcmp(counting->events[i].name, name))
			return 1;
	return 0;
}

/* Split the list into names, and encode each event. */
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
		else if (is_there(counting, name))
			status = tool_usage("-e: %s is given twice", name);
		else
			status = perf_event_encode(&counting->events[counting->count], name);
		counting->count += status == TOOL_OK;
	}
	if (counting->target.count)
		counting->target.apart = counting->count;
	events_name(counting, series);
	return status;
}

/* Open the groups of the events that are counted in rotation. */
static int groups_open(struct perf_counting *counting, const size_t *turning, size_t count,
		       size_t at_once)
{
	size_t *order = tool_memory(count, sizeof(*order)), *set = tool_memory(count, sizeof(*set));
	struct rotation rotation;
	int status = TOOL_OK;

	rotation_init(&rotation, count, at_once, order);
	counting->sets = (count + rotation.at_once - 1) / rotation.at_once;
	rotation.ordered = counting->ordered;
	counting->deals = counting->sets > 1 && !counting->ordered ? FILES_WANTED / count : 1;
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
					 &counting->target);
	}
	rotation_init(&counting->order, counting->deals, 1, counting->deal_order);
	counting->next = counting->sets;
	free(order);
	free(set);
	return status;
}

/*
 * Open all events. Software events are counted in each interval. If all hardware events fit into
 * the counters, they are counted in each interval, too. If there are only software events,
 * --counters limits their number.
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
					 &counting->target);
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

void perf_seek(struct perf_counting *counting, uint64_t interval)
{
	if (counting->groups)
		counting->next = (size_t)((interval - 1) % counting->sets);
}

void perf_begin(struct perf_counting *counting)
{
	perf_group_enable(&counting->always, 1);
	set_enable(counting);
}

uint64_t perf_turn(struct perf_counting *counting, double *values, int last)
{
	int change = ++counting->stayed >= counting->stay;
	uint64_t end_ns;

	if (counting->group && change)
		perf_group_enable(counting->group, 0);
	end_ns = tool_now_ns();
	set_read(counting, values);
	if (!last && change)
		set_enable(counting);
	return end_ns;
}

/*
 * Report the groups that got no counters. The kernel gives counters to all events of a group, or to
 * no event of the group.
 */
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

void perf_close(struct perf_counting *counting)
{
	if (!counting)
		return;
	starved_report(counting);
	perf_group_close(&counting->always);
	for (size_t g = 0; counting->groups && g < counting->deals * counting->sets; g++)
		perf_group_close(&counting->groups[g]);
	free(counting->groups);
	free(counting->events);
	free(counting->names);
	free(counting);
}

int perf_open(struct perf_counting **out, const struct perf_request *request, struct series *series)
{
	struct perf_counting *counting;
	int result;

	if (stat_pfm_load() != TOOL_OK)
		return TOOL_ERROR;
	*out = counting = tool_memory(1, sizeof(*counting));
	counting->stay = request->stay;
	counting->ordered = request->ordered;
	counting->target.pid = request->pid ? request->pid : PERF_MACHINE;
	result = request->processors ? processors_take(counting, request->processors) : TOOL_OK;
	if (result == TOOL_OK)
		result = events_encode(counting, series, request->events);
	return result == TOOL_OK ? events_open(counting, request->at_once) : result;
}
