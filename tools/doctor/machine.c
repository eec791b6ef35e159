// SPDX-License-Identifier: MIT
/*
 * smile doctor --machine and --latency: describe this machine in a file for the options --machine
 * and --latency of `smile run`, and print its latencies as a table.
 *
 * What lives here: the nodes, distances, caches and clock of the machine, as the system reports
 * them, and the output. A latency that latency_measurement.c cannot measure is computed from the
 * distance. May use: doctor.h, latency_measurement.h, the machine files.
 */
#include "tools/doctor/doctor.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/machine_file.h"
#include "tools/common/output.h"
#include "tools/common/output_file.h"
#include "tools/common/tool.h"
#include "tools/doctor/latency_measurement.h"

#define NODE_FOLDER "/sys/devices/system/node"
#define CPU_FOLDER "/sys/devices/system/cpu"
#define LOCAL_DISTANCE 10
/* The size of the measured memory: this multiple of the largest cache, within these limits. */
#define CHAIN_TIMES 4
#define CHAIN_LEAST (64ULL << 20)
#define CHAIN_MOST (256ULL << 20)
#define HZ_DEFAULT 2000
/*
 * The local latency in ns that is assumed if none can be measured: the local latency of the model
 * server2.
 */
#define LOCAL_NS 80

/**
 * struct host - Properties of this machine.
 * @latencies: measured latencies of the nodes with memory
 * @ns: latencies of reads by reading node and home node, complete: pairs that were not measured
 *      have computed latencies; shape [nodes][nodes]
 * @mhz: clock frequency of the processors in MHz
 * @caches: levels of the caches
 */
struct host {
	struct latencies latencies;
	double ns[LATENCY_NODES_MAX * LATENCY_NODES_MAX];
	unsigned mhz;
	struct caches_shape caches;
};

/* ---- nodes ----------------------------------------------------------------------------------- */

static void nodes_find(struct latencies *latencies)
{
	char text[256];

	if (doctor_line(text, sizeof(text), NODE_FOLDER "/has_memory"))
		latencies->nodes = latency_list(text, latencies->ids, LATENCY_NODES_MAX);
	/* A kernel without NUMA support does not list any node. In this case, assume one node. */
	if (!latencies->nodes)
		latencies->ids[latencies->nodes++] = 0;
}

/* Read the distance between two nodes, as the system reports it. */
static double distance(const struct latencies *latencies, unsigned node, unsigned home)
{
	char text[1024], *at = text;
	double value = 0;

	if (!doctor_line(text, sizeof(text), NODE_FOLDER "/node%u/distance", latencies->ids[node]))
		return node == home ? LOCAL_DISTANCE : 2 * LOCAL_DISTANCE;
	/* The file has a number for each online node, including nodes without memory. */
	for (unsigned i = 0; i <= latencies->ids[home]; i++)
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
	/* Round the size of the cache down to a whole number of sets. */
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

/*
 * If the system does not list the caches, get them from the C library, which reads them from the
 * processor.
 */
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
	/*
	 * If different sets of processors share the first level and the last level, assume that all
	 * processors of a node share the last level.
	 */
	if (host->caches.count > 1 && strcmp(first, last) != 0) {
		struct caches_level *level = &host->caches.levels[host->caches.count - 1];

		level->shared = true;
		strcpy(level->name, "llc");
	}
}

/* ---- measuring ------------------------------------------------------------------------------- */

static size_t chain_bytes(const struct host *host)
{
	uint64_t bytes = CHAIN_LEAST;

	for (unsigned i = 0; i < host->caches.count; i++)
		if (CHAIN_TIMES * host->caches.levels[i].bytes > bytes)
			bytes = CHAIN_TIMES * host->caches.levels[i].bytes;
	return bytes < CHAIN_MOST ? bytes : CHAIN_MOST;
}

/*
 * Complete the latencies. A measured latency that differs from the latency of the memory's own node
 * counts only if the difference is clear (latency_pair.differs). A latency that was not measured is
 * computed from the distance. No memory may be nearer to a node than the node's own memory.
 */
static void latencies_complete(struct host *host)
{
	const struct latencies *found = &host->latencies;
	const unsigned nodes = found->nodes;
	double local = LOCAL_NS;

	for (unsigned n = nodes; n-- > 0;)
		if (found->pairs[n * nodes + n].ns > 0)
			local = found->pairs[n * nodes + n].ns;
	for (unsigned n = 0; n < nodes; n++) {
		double *row = &host->ns[n * nodes];

		for (unsigned home = 0; home < nodes; home++) {
			const struct latency_pair *pair = &found->pairs[n * nodes + home];
			const double own = found->pairs[home * nodes + home].ns;

			row[home] = pair->ns <= 0
					    ? local * distance(found, n, home) / LOCAL_DISTANCE
				    : pair->differs || own <= 0 ? pair->ns
								: own;
		}
		for (unsigned home = 0; home < nodes; home++)
			if (row[home] < row[n])
				row[home] = row[n];
	}
}

/* ---- the file -------------------------------------------------------------------------------- */

static int file_write(json_t *document, const char *path)
{
	FILE *out = path ? output_file_create(path) : stdout;
	int failed;

	if (!out)
		return TOOL_ERROR;
	failed = json_dumpf(document, out, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) < 0;
	failed |= fputc('\n', out) == EOF;
	failed |= path ? fclose(out) : fflush(out);
	return failed ? tool_error("the machine file %s cannot be written: %s",
				   path ? path : "on standard output", strerror(errno))
		      : TOOL_OK;
}

static struct host *host_measure(void)
{
	struct host *host = tool_memory(1, sizeof(*host));

	nodes_find(&host->latencies);
	clock_find(host);
	caches_find(host);
	host->latencies.bytes = chain_bytes(host);
	latencies_measure(&host->latencies);
	latencies_complete(host);
	if (host->latencies.measured < host->latencies.nodes * host->latencies.nodes)
		tool_message(
			"note: not all latencies could be measured: latencies of nodes without "
			"processors, or with processors that this process may not use, are from "
			"the system's distances");
	return host;
}

static int host_write(const struct host *host, const char *path)
{
	const unsigned all = host->latencies.nodes * host->latencies.nodes;
	char source[MACHINE_FILE_TEXT], name[64] = "";
	json_t *document;
	int status;

	if (gethostname(name, sizeof(name) - 1) < 0 || !*name)
		strcpy(name, "host");
	snprintf(source, sizeof(source), "smile doctor: %u of %u latencies measured%s",
		 host->latencies.measured, all,
		 host->latencies.measured < all ? ", the others from distances" : "");
	document = machine_file_json(name, source, host->latencies.nodes, host->mhz, host->ns,
				     &host->caches);
	status = document ? file_write(document, path) : tool_error("no memory");
	json_decref(document);
	return status;
}

int doctor_machine(const char *path)
{
	struct host *host = host_measure();
	int status;

	if (!host->caches.count)
		tool_message("note: the system reports no caches: add them to the file, or give "
			     "--caches to smile run");
	status = host_write(host, path);
	free(host);
	return status;
}

/* ---- latencies ------------------------------------------------------------------------------- */

static void latency_table(const struct latencies *found)
{
	struct output_table *table = output_table_new();
	char heading[32];

	output_table_column(table, "FROM", 'l');
	for (unsigned home = 0; home < found->nodes; home++) {
		snprintf(heading, sizeof(heading), "memory of node %u", found->ids[home]);
		output_table_column(table, heading, 'r');
	}
	for (unsigned n = 0; n < found->nodes; n++) {
		output_table_cell(table, OUTPUT_STRONG, "node %u", found->ids[n]);
		for (unsigned home = 0; home < found->nodes; home++) {
			const struct latency_pair *pair = &found->pairs[n * found->nodes + home];

			if (pair->ns > 0)
				output_table_cell(table,
						  pair->differs ? OUTPUT_STRONG : OUTPUT_PLAIN,
						  "%.0f [%.0f-%.0f]%s", pair->ns, floor(pair->low),
						  ceil(pair->high), pair->differs ? " *" : "");
			else
				output_table_none(table);
		}
	}
	output_table_print(table);
}

static void latency_print(const struct latencies *found)
{
	latency_table(found);
	putchar('\n');
	if (found->nodes == 1)
		output_text("This machine has one node: there is no other memory.");
	else if (found->measured < 2)
		output_text("Nothing can be compared: this process may not use the processors of "
			    "several nodes.");
	else if (!found->differ)
		output_text("No difference between the nodes was measured: reading another node's "
			    "memory takes no longer than reading one's own. A placement saves "
			    "no time here.");
	else
		output_text("%u of %u pairs differ from the memory's own node (*).", found->differ,
			    found->nodes * (found->nodes - 1));
	output_text("legend: ns of a read of memory that is in no cache, the median of 15 rounds, "
		    "with its 95%% band [A-B]; * = it took longer, or shorter, in each round than "
		    "the memory's own node took, by a tenth or more.");
}

static json_t *latency_json(const struct latencies *found)
{
	static const char *const keys[] = {"ns", "ns_low_95", "ns_high_95", "differs"};
	json_t *document = json_pack("{s:s, s:i, s:b}", "schema", "smile.latency/1", "nodes",
				     (int)found->nodes, "equal", found->differ == 0);
	json_t *ids = json_array();

	for (unsigned n = 0; n < found->nodes; n++)
		json_array_append_new(ids, json_integer(found->ids[n]));
	json_object_set_new(document, "ids", ids);
	for (unsigned key = 0; key < sizeof(keys) / sizeof(keys[0]); key++) {
		json_t *rows = json_array();

		for (unsigned n = 0; n < found->nodes; n++) {
			json_t *row = json_array();

			for (unsigned home = 0; home < found->nodes; home++) {
				const struct latency_pair *pair =
					&found->pairs[n * found->nodes + home];
				const double values[] = {pair->ns, pair->low, pair->high};

				json_array_append_new(row, pair->ns <= 0 ? json_null()
							   : key < 3	 ? json_real(values[key])
								     : json_boolean(pair->differs));
			}
			json_array_append_new(rows, row);
		}
		json_object_set_new(document, keys[key], rows);
	}
	return document;
}

int doctor_latency(const char *path, bool json)
{
	struct host *host = host_measure();
	int status = path ? host_write(host, path) : TOOL_OK;

	if (status == TOOL_OK && json)
		status = output_json(latency_json(&host->latencies));
	else if (status == TOOL_OK)
		latency_print(&host->latencies);
	free(host);
	return status;
}
