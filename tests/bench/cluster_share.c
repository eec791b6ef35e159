// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Bench of the state of a cluster with five nodes, in one run: 30 counters, intervals of 20 ms. The
 * nodes are processes of this machine. Each process counts six software events of all processors,
 * two at a time, writes its readings, and enters the readings of all nodes into the state of the
 * cluster. The processes share memory. Each load from another node's memory takes as long as on the
 * thesis's PCI cards; the processor waits for it.
 *
 * usage: cluster_share [SECONDS]
 */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/exchange/members.h"
#include "tools/common/signals.h"
#include "tools/common/tool.h"
#include "tools/stat/sources.h"

#define NODES 5
#define COUNTERS 6
#define AT_ONCE 2
#define INTERVAL_NS 20000000
#define LOAD_NS 1460

/*
 * The number of loads for one check of a record, and for a record without its values: see
 * exchange.c.
 */
#define LOOK_LOADS 3
#define LOOKS 2
#define RECORD_LOADS 6
#define LOADS ((NODES - 1) * (LOOKS * LOOK_LOADS + RECORD_LOADS + AT_ONCE))

/* The prefix of the tools' messages. */
const char *tool_name(void)
{
	return "cluster_share";
}

static const struct stat_count counted = {
	.events = "page-faults,context-switches,task-clock,cpu-clock,minor-faults,major-faults",
	.machine = 1,
	.at_once = AT_ONCE,
	.interval_ns = INTERVAL_NS,
};

static double used_s(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static uint64_t processor_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void loads_take(void)
{
	uint64_t until_ns = processor_ns() + LOADS * LOAD_NS;

	while (processor_ns() < until_ns)
		;
}

static void publish(struct members *members, uint64_t interval, uint64_t begin_ns, uint64_t end_ns,
		    const double *values)
{
	struct exchange_record record = {
		.interval = interval, .begin_ns = begin_ns, .end_ns = end_ns};

	for (size_t i = 0; i < COUNTERS; i++) {
		if (isnan(values[i]))
			continue;
		record.counters[record.count] = (uint16_t)i;
		record.values[record.count++] = values[i];
	}
	members_publish(members, &record);
}

/* Return: the exit status. */
static int node_run(size_t self, volatile uint64_t *const *memory, uint64_t intervals)
{
	static struct Estimate_process processes[COUNTERS];
	struct members_setup setup = {.nodes = NODES,
				      .self = self,
				      .counters = COUNTERS,
				      .processes = processes,
				      .interval_ns = INTERVAL_NS,
				      .incarnation = 1};
	double values[COUNTERS], begun_s;
	struct sources *sources;
	struct members members;
	struct series series;
	uint64_t begin_ns;
	sigset_t before;

	for (size_t i = 0; i < COUNTERS; i++)
		processes[i] =
			(struct Estimate_process){.sigma = 100, .beta = 5 + (double)i, .mean = 100};
	series_init(&series);
	if (sources_open(&sources, &counted, 1, &series) != TOOL_OK)
		return 2;
	signals_hold(&before);
	if (members_init(&members, &setup, memory[self]) < 0)
		return 2;
	for (size_t node = 0; node < NODES; node++)
		while (node != self &&
		       members_connect(&members, node, memory[node], exchange_bytes(COUNTERS)) < 0)
			usleep(1000);
	sources_begin(sources, 1);
	begin_ns = tool_now_ns();
	begun_s = used_s();
	for (uint64_t interval = 1; interval <= intervals; interval++) {
		uint64_t end_ns, due_ns = begin_ns + INTERVAL_NS;

		members_begin(&members, interval);
		sources_wait(sources, begin_ns + INTERVAL_NS / 2, &before);
		for (size_t node = 0; node < NODES; node++)
			members_look(&members, node);
		if (interval > 1)
			members_step(&members, interval - 1);
		loads_take();
		sources_wait(sources, due_ns, &before);
		if (sources_turn(sources, interval + 1, values, &end_ns) != TOOL_OK)
			return 2;
		publish(&members, interval, begin_ns, end_ns, values);
		begin_ns = end_ns;
	}
	printf("%6zu %10" PRIu64 " %9.2f%%", self, intervals,
	       100 * (used_s() - begun_s) / ((double)intervals * INTERVAL_NS / 1e9));
	for (size_t node = 0; node < NODES; node++)
		printf("%8" PRIu64, members.member[node].taken);
	putchar('\n');
	/* Other nodes may still read this node's memory. */
	members_free(&members);
	sources_close(sources);
	series_free(&series);
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t intervals =
		(argc > 1 ? strtoull(argv[1], NULL, 10) : 20) * 1000000000 / INTERVAL_NS;
	volatile uint64_t *memory[NODES];
	int failed = 0, status;

	for (size_t node = 0; node < NODES; node++) {
		memory[node] = mmap(NULL, exchange_bytes(COUNTERS), PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (memory[node] == MAP_FAILED)
			return 2;
	}
	printf("%d nodes, %d counters, intervals of %d ms; each node waits %d us an interval for "
	       "loads\n%6s %10s %10s  intervals taken of each node\n",
	       NODES, NODES * COUNTERS, INTERVAL_NS / 1000000, LOADS * LOAD_NS / 1000, "node",
	       "intervals", "processor");
	fflush(stdout);
	for (size_t node = 0; node < NODES; node++)
		if (!fork()) {
			status = node_run(node, memory, intervals);
			fflush(stdout);
			_exit(status);
		}
	for (size_t node = 0; node < NODES; node++)
		failed |= wait(&status) < 0 || status;
	return failed ? 2 : 0;
}
