// SPDX-License-Identifier: MIT
/*
 * smile stat --cluster. See tools/stat/cluster.h. What lives here: the sequence of steps, which
 * follows [2006] 8.1. Each node counts its events in rotation. At the end of an interval it writes
 * its readings into its segment. Half an interval later it reads the readings that the other nodes
 * have written by then.
 */
#include "tools/stat/cluster.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/exchange/interval_timer.h"
#include "tools/common/csv.h"
#include "tools/common/signals.h"
#include "tools/common/output_file.h"
#include "tools/common/tool.h"
#include "tools/stat/cluster_link.h"
#include "tools/stat/cluster_show.h"
#include "tools/stat/parameters.h"
#include "tools/stat/readings.h"
#include "tools/stat/rotation.h"
#include "tools/stat/sources.h"

/* The time between two checks while this node waits for other nodes. */
#define PAUSE_NS 2000000

/**
 * struct cluster_run - The state of this node.
 * @request: the options
 * @nodes: number of nodes of the cluster
 * @series: names of this node's events; with --readings, also their readings
 * @processes: processes of these events
 * @link: link to the memory of all nodes
 * @members: the nodes
 * @show: the output
 * @turns: rotation of the events whose readings are passed to the other nodes, if this node counts
 *         more events than it passes on
 * @order: memory for the order of @turns
 * @truth: file for the readings of all events; NULL: none
 * @values: readings of the current interval
 */
struct cluster_run {
	const struct stat_cluster *request;
	unsigned int nodes;
	struct series series;
	struct Estimate_process *processes;
	struct cluster_link *link;
	struct members members;
	struct cluster_show show;
	struct rotation turns;
	size_t *order;
	FILE *truth;
	double *values;
};

/* ---- options that are equal on all nodes ----------------------------------------------------- */

static int nodes_count(const struct stat_cluster *request, unsigned int *nodes)
{
	const char *text = getenv("SMILE_NODES");
	uint64_t number = request->nodes;

	if (!number && !text)
		return tool_usage("--cluster: how many nodes are there? Give --nodes N");
	if (!number && tool_number("SMILE_NODES", text, 1, CLUSTER_NODES_MAX, &number) != TOOL_OK)
		return TOOL_ERROR;
	*nodes = (unsigned int)number;
	return TOOL_OK;
}

/* Find the processes of the events in the parameters, by the names of the events. */
static int processes_take(struct cluster_run *run, const struct parameters *parameters)
{
	size_t events = run->series.events;

	if (events > EXCHANGE_COUNTERS_MAX)
		return tool_usage("--cluster: %zu events are too many: at most %d on a node",
				  events, EXCHANGE_COUNTERS_MAX);
	run->processes = tool_memory(events, sizeof(*run->processes));
	for (size_t i = 0; i < events; i++) {
		size_t at = parameters_find(parameters, run->series.names[i]);

		if (at == parameters->count)
			return tool_error("event %s is not in %s: --fit finds its process in "
					  "samples of it",
					  run->series.names[i], run->request->parameters);
		run->processes[i] = parameters->processes[at];
	}
	return TOOL_OK;
}

static uint64_t agreement_of(const struct cluster_run *run)
{
	uint64_t digest = exchange_digest(0, &run->request->count->interval_ns, sizeof(uint64_t));

	digest = exchange_digest(digest, &run->nodes, sizeof(run->nodes));
	for (size_t i = 0; i < run->series.events; i++) {
		const struct Estimate_process *process = &run->processes[i];
		const double numbers[] = {process->sigma, process->beta, process->mean, process->r};

		digest =
			exchange_digest(digest, run->series.names[i], strlen(run->series.names[i]));
		digest = exchange_digest(digest, numbers, sizeof(numbers));
	}
	return digest;
}

/*
 * After the names of the events are known, prepare the other data of the node, and join the
 * cluster.
 */
static int run_join(struct cluster_run *run)
{
	const struct stat_count *count = run->request->count;
	size_t events = run->series.events, bytes = exchange_bytes(events);
	struct members_setup setup = {
		.nodes = run->nodes,
		.counters = events,
		.processes = run->processes,
		.interval_ns = count->interval_ns,
		.agreement = agreement_of(run),
		.incarnation = tool_now_ns() ^ (uint64_t)getpid() << 32,
	};
	int error;

	if (cluster_link_open(&run->link, (unsigned int)run->request->segment, bytes) != TOOL_OK)
		return TOOL_ERROR;
	setup.self = cluster_link_node(run->link);
	if (setup.self >= setup.nodes)
		return tool_usage("--nodes %u: this is node %zu, and they count from 0", run->nodes,
				  setup.self);
	error = members_init(&run->members, &setup, cluster_link_memory(run->link));
	if (error < 0)
		return tool_error("no state of %u nodes: %s", run->nodes, strerror(-error));
	run->values = tool_memory(events, sizeof(*run->values));
	run->order = tool_memory(events, sizeof(*run->order));
	rotation_init(&run->turns, events,
		      run->request->truth && count->at_once ? count->at_once : events, run->order);
	run->turns.ordered = 1;
	run->show = (struct cluster_show){
		.request = count,
		.members = &run->members,
		.series = &run->series,
		.processes = run->processes,
		.events = events,
	};
	if (cluster_show_begin(&run->show) != TOOL_OK)
		return TOOL_ERROR;
	return cluster_link_join(run->link, run->nodes);
}

/* ---- an interval ----------------------------------------------------------------------------- */

static int truth_open(struct cluster_run *run)
{
	const char *path = run->request->truth;

	run->truth = path ? output_file_create(path) : NULL;
	if (path && !run->truth)
		return TOOL_ERROR;
	if (path)
		fputs("interval,dt_s,event,value,read\n", run->truth);
	return TOOL_OK;
}

/*
 * Choose the events whose readings are passed to the other nodes: all events, or the events whose
 * turn it is.
 */
static void turns_take(struct cluster_run *run, uint64_t interval, char *chosen)
{
	size_t *set = tool_memory(run->turns.at_once, sizeof(*set)), count;

	rotation_seek(&run->turns, interval);
	count = rotation_next(&run->turns, set);
	memset(chosen, 0, run->series.events);
	for (size_t k = 0; k < count; k++)
		chosen[set[k]] = 1;
	free(set);
}

/* Publish this node's readings of an interval to the other nodes. */
static void values_publish(struct cluster_run *run, uint64_t interval, uint64_t begin_ns,
			   uint64_t end_ns, const double *values)
{
	struct exchange_record record = {
		.interval = interval, .begin_ns = begin_ns, .end_ns = end_ns};
	char chosen[EXCHANGE_COUNTERS_MAX];

	turns_take(run, interval, chosen);
	for (size_t i = 0; i < run->series.events; i++) {
		if (run->truth && !isnan(values[i])) {
			fprintf(run->truth, "%" PRIu64 ",%.12g,", interval,
				(double)(end_ns - begin_ns) / 1e9);
			csv_file_text(run->truth, run->series.names[i]);
			fprintf(run->truth, ",%.17g,%d\n", values[i], chosen[i]);
		}
		if (!chosen[i] || isnan(values[i]))
			continue;
		record.counters[record.count] = (uint16_t)i;
		record.values[record.count++] = values[i];
	}
	members_publish(&run->members, &record);
}

static void look_at_all(struct cluster_run *run)
{
	struct members *members = &run->members;

	for (size_t node = 0; node < run->nodes; node++)
		if (members->member[node].look <= members->number + 1)
			members_look(members, node);
}

/* Estimate the state for an interval from the readings that are available. */
static int interval_step(struct cluster_run *run, uint64_t interval)
{
	cluster_link_update(run->link, &run->members);
	if (!interval)
		return TOOL_OK;
	members_step(&run->members, interval);
	return cluster_show_interval(&run->show);
}

/* ---- counters -------------------------------------------------------------------------------- */

/**
 * struct counting - The state of a node that counts, interval by interval.
 * @run: the state of the node
 * @sources: the sources of the counted events
 * @timer: the times at which intervals begin
 * @begin_ns: start of the current interval
 * @before: the signal mask from before signals were blocked
 */
struct counting {
	struct cluster_run *run;
	struct sources *sources;
	struct interval_timer timer;
	uint64_t begin_ns;
	sigset_t before;
};

/*
 * Wait for the end of the interval. Return: 1 if this was the last interval; 0. The memory of other
 * nodes is read after each wait, and not continuously, because each load takes microseconds.
 */
static int interval_wait(struct counting *counting)
{
	struct cluster_run *run = counting->run;
	struct members *members = &run->members;
	int leads = members_lead(members);

	while (!sources_over(counting->sources)) {
		uint64_t wake_ns = interval_timer_wake_ns(&counting->timer, leads);
		int called = 0;

		if (leads)
			sources_wait(counting->sources, wake_ns, &counting->before);
		else
			called = cluster_link_wait(run->link, wake_ns);
		look_at_all(run);
		leads = members_lead(members);
		if (interval_timer_next(&counting->timer, tool_now_ns(), leads, called,
					members_begun(members)))
			return 0;
	}
	return 1;
}

/*
 * End the interval, publish its readings, and begin the next interval, unless this interval was the
 * last.
 */
static int interval_turn(struct counting *counting, uint64_t interval, uint64_t next)
{
	struct cluster_run *run = counting->run;
	uint64_t end_ns;

	if (next) {
		members_begin(&run->members, next);
		if (members_lead(&run->members))
			cluster_link_call(run->link, &run->members);
	}
	if (sources_turn(counting->sources, next, run->values, &end_ns) != TOOL_OK)
		return TOOL_ERROR;
	if (end_ns <= counting->begin_ns)
		end_ns = counting->begin_ns + 1;
	values_publish(run, interval, counting->begin_ns, end_ns, run->values);
	counting->begin_ns = end_ns;
	return TOOL_OK;
}

static int intervals_count(struct counting *counting)
{
	struct cluster_run *run = counting->run;
	uint64_t interval_ns = run->request->count->interval_ns, interval = 1, ended = 0;
	int result = sources_begin(counting->sources, interval, &counting->begin_ns), over = 0;

	counting->timer = (struct interval_timer){.number = interval,
						  .due_ns = counting->begin_ns + interval_ns,
						  .interval_ns = interval_ns};
	members_begin(&run->members, interval);
	while (result == TOOL_OK && !over) {
		/*
		 * Half an interval after its start, the other nodes have written their readings of
		 * the previous interval.
		 */
		sources_wait(counting->sources, counting->begin_ns + interval_ns / 2,
			     &counting->before);
		result = interval_step(run, ended);
		if (result != TOOL_OK)
			break;
		over = interval_wait(counting);
		result = interval_turn(counting, interval, over ? 0 : counting->timer.number);
		ended = interval;
		interval = counting->timer.number;
	}
	/*
	 * The last interval was cut off, so it is not estimated. Estimate the interval before it
	 * again, because further readings of that interval may have arrived.
	 */
	cluster_link_update(run->link, &run->members);
	members_step(&run->members, run->members.number ? run->members.number : ended);
	return result;
}

static int counters_run(struct cluster_run *run, const struct parameters *parameters, int *status)
{
	struct stat_count counted = *run->request->count;
	struct counting counting = {.run = run};
	int result;

	if (run->request->truth)
		counted.at_once = STAT_EVENTS_MAX;
	result = sources_open(&counting.sources, &counted, 1, &run->series);
	/* Block signals before threads are created, because new threads inherit the signal mask. */
	signals_hold(&counting.before);
	if (result == TOOL_OK)
		result = processes_take(run, parameters);
	if (result == TOOL_OK)
		result = run_join(run);
	if (result == TOOL_OK) {
		result = intervals_count(&counting);
		exchange_end(run->members.own, EXCHANGE_LEAVES);
		cluster_link_leave(run->link);
	}
	signals_release(&counting.before);
	*status = sources_close(counting.sources);
	return result;
}

/* ---- readings of a file ---------------------------------------------------------------------- */

static void pause_and_look(struct cluster_run *run)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};

	nanosleep(&pause, NULL);
	cluster_link_update(run->link, &run->members);
	for (size_t node = 0; node < run->nodes; node++)
		members_look(&run->members, node);
}

/*
 * Wait for all other nodes. If @ended is 0, wait until each of them has joined. Otherwise wait
 * until each of them has reported this state of its end. Do not wait for nodes that are gone.
 */
static int others_wait(struct cluster_run *run, int ended)
{
	const struct members *members = &run->members;
	size_t missing;

	do {
		if (signals_count())
			return tool_error("interrupted");
		pause_and_look(run);
		missing = 0;
		for (size_t node = 0; node < run->nodes; node++) {
			const struct member *member = &members->member[node];

			missing +=
				node != members->setup.self && member->state != MEMBER_GONE &&
				(member->state == MEMBER_ABSENT || member->progress.ended < ended);
		}
	} while (missing);
	return TOOL_OK;
}

/* Sort the events by their order in the parameters, which is the same on all nodes. */
static int readings_order(struct cluster_run *run, const struct parameters *parameters,
			  struct series *read)
{
	const char *path = run->request->count->readings;

	if (readings_series(path, read) != TOOL_OK)
		return TOOL_ERROR;
	for (size_t i = 0; i < parameters->count; i++)
		series_event(&run->series, parameters->names[i]);
	for (size_t i = 0; i < read->events; i++)
		if (series_find(&run->series, read->names[i]) == run->series.events)
			return tool_error("event %s of %s is not in %s", read->names[i], path,
					  run->request->parameters);
	if (read->intervals > EXCHANGE_RECORDS)
		return tool_error("%s has %zu intervals: at most %d can be passed to other nodes",
				  path, read->intervals, EXCHANGE_RECORDS);
	return TOOL_OK;
}

/*
 * Exchange the readings of all intervals first, and then estimate all intervals. The result is then
 * the same in each run and on each node.
 */
static int readings_exchange(struct cluster_run *run, const struct series *read)
{
	uint64_t interval_ns = run->request->count->interval_ns;
	int result = others_wait(run, 0);

	for (uint64_t t = 1; t <= read->intervals && result == TOOL_OK; t++) {
		const double *values = read->values + (t - 1) * read->events;

		for (size_t i = 0; i < run->series.events; i++) {
			size_t at = series_find(read, run->series.names[i]);

			run->values[i] = at < read->events ? values[at] : NAN;
		}
		members_begin(&run->members, t);
		values_publish(run, t, t * interval_ns, (t + 1) * interval_ns, run->values);
	}
	exchange_end(run->members.own, EXCHANGE_ENDED);
	if (result == TOOL_OK)
		result = others_wait(run, EXCHANGE_ENDED);
	for (uint64_t t = 1; t <= read->intervals && result == TOOL_OK; t++) {
		members_step(&run->members, t);
		result = cluster_show_interval(&run->show);
	}
	exchange_end(run->members.own, EXCHANGE_LEAVES);
	/* Leave only when all other nodes have finished reading this node's memory. */
	if (result == TOOL_OK)
		result = others_wait(run, EXCHANGE_LEAVES);
	if (result == TOOL_OK)
		cluster_link_leave(run->link);
	return result;
}

static int readings_run(struct cluster_run *run, const struct parameters *parameters)
{
	struct series read;
	int result;

	series_init(&read);
	signals_catch();
	result = readings_order(run, parameters, &read);
	if (result == TOOL_OK)
		result = processes_take(run, parameters);
	if (result == TOOL_OK)
		result = run_join(run);
	if (result == TOOL_OK)
		result = readings_exchange(run, &read);
	series_free(&read);
	return result;
}

/* ---- the whole command ----------------------------------------------------------------------- */

static int request_check(const struct stat_cluster *request)
{
	const struct stat_count *count = request->count;

	if (!request->parameters)
		return tool_usage("--cluster needs the processes of its events, the same on all "
				  "nodes: --parameters FILE, as --fit writes it");
	if (count->source && strncmp(count->source, "dev:", 4) != 0)
		return tool_usage("--cluster: the card must be a device, -d dev:0: a capture has a "
				  "time of its own");
	if (request->truth && count->spec_count > SMILE_STATIC_COUNTERS)
		return tool_usage("--truth needs all events at once: a card has %u static counters",
				  SMILE_STATIC_COUNTERS);
	return stat_count_check(count);
}

int stat_cluster(const struct stat_cluster *request)
{
	struct cluster_run run = {.request = request};
	struct parameters parameters;
	int status = 0, result = request_check(request);

	if (result != TOOL_OK || nodes_count(request, &run.nodes) != TOOL_OK ||
	    parameters_read(&parameters, request->parameters) != TOOL_OK)
		return TOOL_ERROR;
	series_init(&run.series);
	result = truth_open(&run);
	if (result == TOOL_OK)
		result = request->count->readings ? readings_run(&run, &parameters)
						  : counters_run(&run, &parameters, &status);
	if (cluster_show_end(&run.show) != TOOL_OK)
		result = TOOL_ERROR;
	if (run.truth && csv_file_close(run.truth, request->truth) != TOOL_OK)
		result = TOOL_ERROR;
	members_free(&run.members);
	cluster_link_close(run.link);
	free(run.processes);
	free(run.values);
	free(run.order);
	series_free(&run.series);
	parameters_free(&parameters);
	return result == TOOL_OK ? status : result;
}
