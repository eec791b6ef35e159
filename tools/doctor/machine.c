// SPDX-License-Identifier: MIT
/*
 * smile doctor --machine: this machine as a file for `smile run --machine`.
 *
 * What lives here: nodes, distances, caches and clock as the system shows them, and the time of
 * reads of each node's memory from each node, measured by a chain of reads of which each has the
 * address of the next. What cannot be measured is taken from the distances. May use: doctor.h, the
 * machine files, libnuma.
 */
#include "tools/doctor/doctor.h"

#include <errno.h>
#include <math.h>
#include <numaif.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/machine_file.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

#define NODE_FOLDER "/sys/devices/system/node"
#define CPU_FOLDER "/sys/devices/system/cpu"
#define NODES_MAX 64
#define LOCAL_DISTANCE 10
/* A chain is this much larger than the caches, within these limits. */
#define CHAIN_TIMES 4
#define CHAIN_LEAST (64ULL << 20)
#define CHAIN_MOST (256ULL << 20)
#define CHAIN_LINE 64
/* The shortest of many short tries is that in which nothing else ran. */
#define CHAIN_READS 100000
#define CHAIN_TRIES 20
#define HZ_DEFAULT 2000
/* In ns, if nothing can be measured: of the model server2. */
#define LOCAL_NS 80

/**
 * struct host - What is found.
 * @ids: the system's numbers of the nodes, in ascending order; shape [@nodes]
 * @nodes: nodes with memory
 * @ns: of reads, by node and home; shape [@nodes][@nodes]
 * @measured: of them, those that were measured
 * @mhz: clock
 * @caches: levels
 */
struct host {
	unsigned ids[NODES_MAX];
	unsigned nodes;
	double ns[NODES_MAX * NODES_MAX];
	unsigned measured;
	unsigned mhz;
	struct caches_shape caches;
};

/* ---- nodes ----------------------------------------------------------------------------------- */

/* "0-2,5" */
static unsigned list_parse(const char *text, unsigned *numbers, unsigned most)
{
	unsigned count = 0;

	while (*text >= '0' && *text <= '9') {
		char *end;
		unsigned long first = strtoul(text, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (; first <= last && count < most; first++)
			numbers[count++] = (unsigned)first;
		text = *end == ',' ? end + 1 : end;
	}
	return count;
}

static void nodes_find(struct host *host)
{
	char text[256];

	if (doctor_line(text, sizeof(text), NODE_FOLDER "/has_memory"))
		host->nodes = list_parse(text, host->ids, NODES_MAX);
	/* A kernel without NUMA has one node. */
	if (!host->nodes)
		host->ids[host->nodes++] = 0;
}

/* The system's distance between two of the nodes. */
static double distance(const struct host *host, unsigned node, unsigned home)
{
	char text[1024], *at = text;
	double value = 0;

	if (!doctor_line(text, sizeof(text), NODE_FOLDER "/node%u/distance", host->ids[node]))
		return node == home ? LOCAL_DISTANCE : 2 * LOCAL_DISTANCE;
	/* A number for each node that is online, also for those without memory. */
	for (unsigned i = 0; i <= host->ids[home]; i++)
		value = strtod(at, &at);
	return value >= LOCAL_DISTANCE ? value : 2 * LOCAL_DISTANCE;
}

/* ---- clock and caches ------------------------------------------------------------------------ */

static void clock_find(struct host *host)
{
	char text[64], path[PATH_MAX], line[256];
	double mhz = 0;
	FILE *file;

	host->mhz = HZ_DEFAULT;
	if (doctor_line(text, sizeof(text), CPU_FOLDER "/cpu0/cpufreq/base_frequency")) {
		mhz = strtod(text, NULL) / 1000;
	} else {
		doctor_path(path, "/proc/cpuinfo");
		file = fopen(path, "re");
		while (file && mhz <= 0 && fgets(line, sizeof(line), file))
			if (!strncmp(line, "cpu MHz", 7) && strchr(line, ':'))
				mhz = strtod(strchr(line, ':') + 1, NULL);
		if (file)
			fclose(file);
	}
	if (mhz >= 1 && mhz <= 10000)
		host->mhz = (unsigned)lround(mhz);
}

static uint64_t cache_number(unsigned index, const char *what)
{
	char text[64], *end;
	uint64_t number;

	if (!doctor_line(text, sizeof(text), CPU_FOLDER "/cpu0/cache/index%u/%s", index, what))
		return 0;
	number = strtoull(text, &end, 10);
	return number << (*end == 'K' ? 10 : *end == 'M' ? 20 : 0);
}

static void level_add(struct host *host, unsigned number, uint64_t bytes, uint64_t line,
		      uint64_t ways)
{
	static const uint32_t cycles[] = {1, 14, 50, 50};
	struct caches_level *level = &host->caches.levels[host->caches.count];
	uint64_t set;

	if (host->caches.count == CACHES_LEVELS_MAX || !bytes || !line)
		return;
	if (!ways || ways > CACHES_WAYS_MAX)
		ways = 16;
	/* What is no whole number of sets is cut off. */
	set = line * ways;
	*level = (struct caches_level){
		.bytes = bytes / set * set,
		.line_bytes = (unsigned)line,
		.ways = (unsigned)ways,
		.cycles = cycles[host->caches.count],
	};
	snprintf(level->name, sizeof(level->name), "l%u", number % 10);
	if (level->bytes)
		host->caches.count++;
}

/* What the system does not show, the C library may know from the processor. */
static void caches_ask(struct host *host)
{
	static const int names[][3] = {
		{_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL1_DCACHE_LINESIZE, _SC_LEVEL1_DCACHE_ASSOC},
		{_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL2_CACHE_LINESIZE, _SC_LEVEL2_CACHE_ASSOC},
		{_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL3_CACHE_LINESIZE, _SC_LEVEL3_CACHE_ASSOC},
	};

	for (unsigned i = 0; i < 3; i++) {
		long bytes = sysconf(names[i][0]), line = sysconf(names[i][1]);
		long ways = sysconf(names[i][2]);

		if (bytes > 0 && line > 0)
			level_add(host, i + 1, (uint64_t)bytes, (uint64_t)line,
				  ways > 0 ? (uint64_t)ways : 0);
	}
}

static void caches_find(struct host *host)
{
	char type[32], first[256] = "", last[256] = "";

	for (unsigned i = 0;
	     doctor_line(type, sizeof(type), CPU_FOLDER "/cpu0/cache/index%u/type", i); i++) {
		if (strcmp(type, "Data") != 0 && strcmp(type, "Unified") != 0)
			continue;
		level_add(host, (unsigned)cache_number(i, "level"), cache_number(i, "size"),
			  cache_number(i, "coherency_line_size"),
			  cache_number(i, "ways_of_associativity"));
		doctor_line(last, sizeof(last), CPU_FOLDER "/cpu0/cache/index%u/shared_cpu_list",
			    i);
		if (!*first)
			memcpy(first, last, sizeof(first));
	}
	if (!host->caches.count) {
		caches_ask(host);
		strcpy(last, host->caches.count > 2 ? "shared" : "");
	}
	/* The last level is the node's if more processors share it than the first. */
	if (host->caches.count > 1 && strcmp(first, last) != 0) {
		struct caches_level *level = &host->caches.levels[host->caches.count - 1];

		level->shared = true;
		strcpy(level->name, "llc");
	}
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* A chain through all lines of @memory, in an order that no prefetcher knows. */
static void chain_make(char *memory, size_t lines)
{
	uint32_t *order = tool_memory(lines, sizeof(*order));
	uint64_t random = 88172645463325252ULL;

	for (size_t i = 0; i < lines; i++)
		order[i] = (uint32_t)i;
	for (size_t i = lines - 1; i > 0; i--) {
		size_t other;
		uint32_t line = order[i];

		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		other = (size_t)(random % (i + 1));
		order[i] = order[other];
		order[other] = line;
	}
	for (size_t i = 0; i < lines; i++)
		*(char **)(memory + (size_t)order[i] * CHAIN_LINE) =
			memory + (size_t)order[(i + 1) % lines] * CHAIN_LINE;
	free(order);
}

/* Return: ns of a read. */
static double chain_time(char *memory)
{
	double best = 0;

	for (int try = 0; try < CHAIN_TRIES; try++) {
		char *volatile *at = (char *volatile *)memory;
		struct timespec from, to;
		double ns;

		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
		for (unsigned i = 0; i < CHAIN_READS; i++)
			at = (char *volatile *)*at;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
		ns = ((double)(to.tv_sec - from.tv_sec) * 1e9 +
		      (double)(to.tv_nsec - from.tv_nsec)) /
		     CHAIN_READS;
		if (try == 0 || ns < best)
			best = ns;
	}
	return best;
}

/* This process runs on a node's processors. Return: 0; -1 if it has none, or they are not ours. */
static int node_enter(const struct host *host, unsigned node)
{
	unsigned processors[CPU_SETSIZE], count;
	char text[1024];
	cpu_set_t set;

	if (!doctor_line(text, sizeof(text), NODE_FOLDER "/node%u/cpulist", host->ids[node]))
		return host->nodes == 1 ? 0 : -1;
	count = list_parse(text, processors, CPU_SETSIZE);
	CPU_ZERO(&set);
	for (unsigned i = 0; i < count; i++)
		CPU_SET(processors[i], &set);
	return count ? sched_setaffinity(0, sizeof(set), &set) : -1;
}

/* Return: ns of a read of @home's memory on the node that this process is on; 0: unknown. */
static double home_time(const struct host *host, unsigned home, size_t bytes)
{
	unsigned long mask[NODES_MAX / 8 / sizeof(long) + 1] = {0};
	unsigned id = host->ids[home];
	double ns = 0;
	char *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return 0;
	mask[0] = id < NODES_MAX ? 1UL << id : 0;
	/* Without huge pages it is the time of looking up pages, too. */
	(void)madvise(memory, bytes, MADV_HUGEPAGE);
	if (mbind(memory, bytes, MPOL_BIND, mask, 8 * sizeof(mask), 0) == 0 || host->nodes == 1) {
		chain_make(memory, bytes / CHAIN_LINE);
		ns = chain_time(memory);
	}
	munmap(memory, bytes);
	return ns;
}

static size_t chain_bytes(const struct host *host)
{
	uint64_t bytes = CHAIN_LEAST;

	for (unsigned i = 0; i < host->caches.count; i++)
		if (CHAIN_TIMES * host->caches.levels[i].bytes > bytes)
			bytes = CHAIN_TIMES * host->caches.levels[i].bytes;
	return bytes < CHAIN_MOST ? bytes : CHAIN_MOST;
}

static void latencies_measure(struct host *host)
{
	size_t bytes = chain_bytes(host);
	cpu_set_t before;
	int known = sched_getaffinity(0, sizeof(before), &before) == 0;

	for (unsigned n = 0; n < host->nodes; n++) {
		if (node_enter(host, n) < 0)
			continue;
		for (unsigned home = 0; home < host->nodes; home++) {
			double *ns = &host->ns[n * host->nodes + home];

			*ns = home_time(host, home, bytes);
			host->measured += *ns > 0;
		}
	}
	if (known)
		sched_setaffinity(0, sizeof(before), &before);
}

/* What was not measured, from the distances; and no memory is nearer than the own. */
static void latencies_complete(struct host *host)
{
	double local = LOCAL_NS;

	for (unsigned n = 0; n < host->nodes; n++)
		if (host->ns[n * host->nodes + n] > 0) {
			local = host->ns[n * host->nodes + n];
			break;
		}
	for (unsigned n = 0; n < host->nodes; n++) {
		double *row = &host->ns[n * host->nodes], own;

		for (unsigned home = 0; home < host->nodes; home++)
			if (row[home] <= 0)
				row[home] = local * distance(host, n, home) / LOCAL_DISTANCE;
		own = row[n];
		for (unsigned home = 0; home < host->nodes; home++)
			if (row[home] < own)
				row[home] = own;
	}
}

/* ---- the file -------------------------------------------------------------------------------- */

static int file_write(json_t *document, const char *path)
{
	FILE *out = path ? fopen(path, "we") : stdout;
	int failed;

	if (!out)
		return tool_error("the machine file %s cannot be written: %s", path,
				  strerror(errno));
	failed = json_dumpf(document, out, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) < 0;
	failed |= fputc('\n', out) == EOF;
	failed |= path ? fclose(out) : fflush(out);
	return failed ? tool_error("the machine file %s cannot be written: %s",
				   path ? path : "on standard output", strerror(errno))
		      : TOOL_OK;
}

int doctor_machine(const char *path)
{
	struct host *host = tool_memory(1, sizeof(*host));
	char source[MACHINE_FILE_TEXT], name[64] = "";
	json_t *document;
	int status;

	nodes_find(host);
	clock_find(host);
	caches_find(host);
	latencies_measure(host);
	latencies_complete(host);
	if (gethostname(name, sizeof(name) - 1) < 0 || !*name)
		strcpy(name, "host");
	snprintf(source, sizeof(source), "smile doctor: %u of %u latencies measured%s",
		 host->measured, host->nodes * host->nodes,
		 host->measured < host->nodes * host->nodes ? ", the others from distances" : "");
	if (host->measured < host->nodes * host->nodes)
		tool_message("note: not all latencies could be measured: those of nodes without "
			     "processors, or that this process may not use, are from the system's "
			     "distances");
	if (!host->caches.count)
		tool_message("note: the system shows no caches: add them to the file, or give "
			     "--caches to smile run");
	document = machine_file_json(name, source, host->nodes, host->mhz, host->ns, &host->caches);
	status = document ? file_write(document, path) : tool_error("no memory");
	json_decref(document);
	free(host);
	return status;
}
