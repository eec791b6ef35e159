// SPDX-License-Identifier: MIT
/*
 * run/sample: import of samples of memory accesses from a perf.data file. See sample.h.
 *
 * The file is read once. From its records, a list of events is made: the samples, and the changes
 * of the program's memory. The events are sorted by time, because the file contains them by
 * processor. Then they are processed in this order for one process.
 */
#include "run/sample/sample_inside.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>
#include <base/hash_table.h>

#include "run/sample/data_source.h"
#include "run/sample/perf_file.h"
#include "run/sample/perf_maps.h"

#define ADDRESS_END (1ULL << SMILE_ADDRESS_BITS)

enum moment_kind {
	MOMENT_SAMPLE,
	MOMENT_MAPPING,
	MOMENT_EXECUTES,
	MOMENT_FORK,
	MOMENT_BECOMES, /* A fork in the chain that leads to the imported process. */
};

/**
 * struct moment - A sample or a change of the program's memory, with its time.
 * @time_ns: time of the event
 * @order: position of its record in the file
 * @value: for a sample, the address; for a mapping, an index into struct import.maps; for a fork,
 *         the parent
 * @pid: id of the process
 * @cpu: for a sample, the processor
 * @home: for a sample, the node of its physical address, or COUNTS_NODE_UNKNOWN
 * @cycles: for a sample, its weight, which is the latency; 0: not known
 * @kind: enum moment_kind
 * @source: for a sample, its data source
 */
struct moment {
	uint64_t time_ns;
	uint64_t order;
	uint64_t value;
	uint32_t pid;
	uint32_t cpu;
	uint32_t home;
	uint32_t cycles;
	enum moment_kind kind;
	struct data_source source;
};

/**
 * struct process_tally - The number of samples of a process.
 * @key: process id plus one
 * @samples: number of samples
 * @name: the last name of the process
 */
struct process_tally {
	uint64_t key;
	uint64_t samples;
	char name[16];
};

/**
 * struct import - The import of a file.
 * @config: the configuration
 * @result: receives the result
 * @file: the file
 * @host: the machine on which the file was recorded
 * @moments: the moments; shape [@count], with room for @size
 * @count: number of moments
 * @size: number of moments for which @moments has room
 * @maps: the mappings of all processes, whose names are owned; shape [@map_count], with room for
 *        @map_size
 * @map_count: number of mappings
 * @map_size: number of mappings for which @maps has room
 * @processes: entries of struct process_tally
 * @pid: the process whose samples are imported
 * @current: before the fork of @pid, the ancestor from which it will be forked; then @pid
 * @memory: the memory of @current
 * @counts: the samples
 * @mapped: the regions of the process
 * @first_ns: time of the first sample
 * @last_ns: time of the last sample
 * @alone: as far as the file shows, no socket has several nodes
 */
struct import {
	const struct sample_config *config;
	struct sample_result *result;
	struct perf_file *file;
	struct sample_host host;
	struct moment *moments;
	size_t count;
	size_t size;
	struct perf_map *maps;
	size_t map_count;
	size_t map_size;
	struct hash_table processes;
	uint32_t pid;
	uint32_t current;
	struct perf_maps memory;
	struct counts counts;
	struct mapped mapped;
	uint64_t first_ns;
	uint64_t last_ns;
	bool alone;
};

/* ---- the data that the file must contain ----------------------------------------------------- */

#define NEEDED (PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC)

static bool is_needed(const struct perf_file_event *event)
{
	return (event->layout.sample_type & NEEDED) == NEEDED;
}

/*
 * The names of perf's events for Arm SPE: SPE_EVENT has the packets, and SPE_SAMPLES has the
 * samples into which `perf inject` has converted them.
 */
#define SPE_EVENT "arm_spe"
#define SPE_SAMPLES "memory"

/*
 * Find the event of Arm SPE from whose packets the samples were made. Return: the event; NULL if
 * the file has no such event.
 */
static const struct perf_file_event *spe_find(const struct perf_file *file)
{
	for (size_t i = 0; i < file->event_count; i++)
		if (!strncmp(file->events[i].name, SPE_EVENT, strlen(SPE_EVENT)))
			return &file->events[i];
	return NULL;
}

/*
 * Check whether the file has several samples of the same access, for example one sample of the
 * access and one of its cache miss.
 */
static bool spe_repeats(const struct perf_file *file)
{
	for (size_t i = 0; spe_find(file) && i < file->event_count; i++)
		if (is_needed(&file->events[i]) && file->events[i].samples &&
		    strcmp(file->events[i].name, SPE_SAMPLES) != 0)
			return true;
	return false;
}

/*
 * Check that the file has all data that samples of memory accesses need. Return: the missing data
 * and the remedy; NULL if nothing is missing.
 */
static const char *events_miss(const struct perf_file *file)
{
	uint64_t any = 0, all = UINT64_MAX;
	bool found = false;

	for (size_t i = 0; i < file->event_count; i++) {
		const struct perf_file_event *event = &file->events[i];

		any |= event->layout.sample_type;
		found = found || is_needed(event);
		all &= is_needed(event) ? event->layout.sample_type : UINT64_MAX;
	}
	if (!(any & PERF_SAMPLE_ADDR))
		return "its samples have no addresses: record with `perf mem record`, which gives "
		       "`perf record` the option -d";
	if (!found)
		return "its samples do not report what served an access: record with `perf mem "
		       "record`";
	if (!(all & PERF_SAMPLE_CPU))
		return "its samples do not give their processor: record with the option "
		       "--sample-cpu, as in `perf mem record --sample-cpu PROGRAM`";
	if (!(all & PERF_SAMPLE_TIME) || !(all & PERF_SAMPLE_TID))
		return "its samples do not give their time and their process: record without the "
		       "option -n, and with -T";
	if (spe_repeats(file))
		return "for each access that Arm SPE has sampled, it has several samples, as "
		       "events of different kinds: create it with `perf inject --itrace=M`";
	return NULL;
}

/* Find the nodes of the machine. If the file was cut off, it does not describe the machine. */
static int host_find(struct import *import, char *why, size_t why_bytes)
{
	const struct perf_file *file = import->file;

	if (*file->arch && strcmp(file->arch, "x86_64") != 0 &&
	    strcmp(file->arch, "aarch64") != 0) {
		snprintf(why, why_bytes,
			 "it was recorded on a machine with %s processors: only files of x86-64 "
			 "and aarch64 are read",
			 file->arch);
		return -EOPNOTSUPP;
	}
	import->host = file->host;
	if (!file->host.count) {
		if (sample_host_nodes(&import->host, why, why_bytes) < 0) {
			snprintf(why, why_bytes,
				 "it does not list the processors of each node, and this is not "
				 "the machine: record on the NUMA machine itself, and let perf end "
				 "by itself or by Ctrl-C");
			return -ENODEV;
		}
		sample_message(import->config, "warning: the file does not list the processors of "
					       "each node: those of this machine are used");
	}
	if (import->host.count < 2) {
		snprintf(why, why_bytes,
			 "it was recorded on a machine with one node: no data can be on a wrong "
			 "node");
		return -ENODEV;
	}
	return 0;
}

/*
 * Check whether each node is the only node of its socket, as far as the file shows. A data source
 * distinguishes only the local socket from remote sockets, so it identifies a node only in this
 * case.
 */
static bool nodes_alone(const struct import *import)
{
	const struct perf_file *file = import->file;

	for (size_t a = 0; a < file->socket_count; a++)
		for (size_t b = 0; b < a; b++)
			if (file->socket_of[a] == file->socket_of[b] &&
			    import->host.of_cpu[a] != import->host.of_cpu[b] &&
			    import->host.of_cpu[a] != SAMPLE_NODE_NONE &&
			    import->host.of_cpu[b] != SAMPLE_NODE_NONE)
				return false;
	return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

static struct moment *moment_add(struct import *import, const struct perf_file_record *record,
				 enum moment_kind kind)
{
	struct moment *moment;

	if (array_reserve(&import->moments, &import->size, import->count, sizeof(*moment)) < 0)
		return NULL;
	moment = &import->moments[import->count];
	*moment = (struct moment){
		.time_ns = record->time_ns,
		.order = import->count++,
		.pid = record->pid,
		.kind = kind,
	};
	return moment;
}

static struct process_tally *process_at(struct import *import, uint32_t pid)
{
	return hash_table_add(&import->processes, (uint64_t)pid + 1, sizeof(struct process_tally));
}

static int sample_take_in(struct import *import, const struct perf_file_record *record)
{
	struct sample_result *result = import->result;
	const struct sample *sample = &record->sample;
	struct process_tally *process;
	struct data_source source;
	struct moment *moment;

	result->all++;
	if (!sample->address) {
		result->no_address++;
		return 0;
	}
	if (!data_source_read(sample->data_source, &source)) {
		result->no_source++;
		return 0;
	}
	if (sample->address >= SAMPLE_KERNEL_BEGIN) {
		result->kernel++;
		return 0;
	}
	process = process_at(import, sample->pid);
	moment = process ? moment_add(import, record, MOMENT_SAMPLE) : NULL;
	if (!moment)
		return -ENOMEM;
	process->samples++;
	moment->value = sample->address;
	moment->cpu = sample->cpu;
	moment->home = perf_file_home(import->file, sample->physical);
	moment->source = source;
	moment->cycles = sample->weight < UINT32_MAX ? (uint32_t)sample->weight : UINT32_MAX;
	return 0;
}

static int mapping_take_in(struct import *import, const struct perf_file_record *record)
{
	struct moment *moment;
	struct perf_map *map;

	if (record->bytes > UINT64_MAX - record->address)
		return 0;
	if (array_reserve(&import->maps, &import->map_size, import->map_count, sizeof(*map)) < 0)
		return -ENOMEM;
	map = &import->maps[import->map_count];
	*map = (struct perf_map){
		.start = record->address,
		.end = record->address + record->bytes,
		.offset = record->offset,
		.name = strdup(record->name),
	};
	memcpy(map->flags, record->flags, sizeof(map->flags));
	if (!map->name)
		return -ENOMEM;
	moment = moment_add(import, record, MOMENT_MAPPING);
	if (!moment) {
		free(map->name);
		return -ENOMEM;
	}
	moment->value = import->map_count++;
	return 0;
}

static int name_take_in(struct import *import, const struct perf_file_record *record)
{
	struct process_tally *process = process_at(import, record->pid);

	if (!process)
		return -ENOMEM;
	snprintf(process->name, sizeof(process->name), "%s", record->name);
	if (record->kind == PERF_FILE_EXECUTES && !moment_add(import, record, MOMENT_EXECUTES))
		return -ENOMEM;
	return 0;
}

/* Record a fork. The new process has the name of its parent. */
static int fork_take_in(struct import *import, const struct perf_file_record *record)
{
	const struct process_tally *parent;
	struct process_tally *process;
	struct moment *moment;

	if (record->pid == record->parent)
		return 0;
	process = process_at(import, record->pid);
	if (!process)
		return -ENOMEM;
	parent = hash_table_find(&import->processes, (uint64_t)record->parent + 1, sizeof(*parent));
	if (parent)
		memcpy(process->name, parent->name, sizeof(process->name));
	moment = moment_add(import, record, MOMENT_FORK);
	if (!moment)
		return -ENOMEM;
	moment->value = record->parent;
	return 0;
}

static int record_take_in(struct import *import, const struct perf_file_record *record)
{
	struct sample_result *result = import->result;

	switch (record->kind) {
	case PERF_FILE_SAMPLE:
		return sample_take_in(import, record);
	case PERF_FILE_MALFORMED:
		result->all++;
		result->malformed++;
		return 0;
	case PERF_FILE_MAPPING:
		return mapping_take_in(import, record);
	case PERF_FILE_NAME:
	case PERF_FILE_EXECUTES:
		return name_take_in(import, record);
	case PERF_FILE_FORK:
		return fork_take_in(import, record);
	case PERF_FILE_LOST:
		result->all += record->lost;
		result->lost += record->lost;
		return 0;
	case PERF_FILE_THROTTLED:
		result->throttled++;
		return 0;
	default:
		return 0;
	}
}

static int records_read(struct import *import, char *why, size_t why_bytes)
{
	struct perf_file_record record;
	int got;

	while ((got = perf_file_next(import->file, &record, why, why_bytes)) > 0)
		if (record_take_in(import, &record) < 0) {
			snprintf(why, why_bytes, "no memory for its records");
			return -ENOMEM;
		}
	return got;
}

/* ---- one process ----------------------------------------------------------------------------- */

/*
 * Choose the process to import: the configured one, or the process with the most samples. If
 * several processes have equally many samples, choose the one with the lowest id. Return: 0;
 * -ENODATA.
 */
static int process_choose(struct import *import, char *why, size_t why_bytes)
{
	const struct process_tally *process, *most = NULL;
	size_t position = 0;

	while ((process = hash_table_next(&import->processes, &position, sizeof(*process))))
		if (import->config->pid ? process->key == (uint64_t)import->config->pid + 1
		    : !most		? process->samples > 0
					: process->samples > most->samples ||
				      (process->samples == most->samples &&
				       process->key < most->key))
			most = process;
	if (most && most->samples) {
		import->pid = (uint32_t)(most->key - 1);
		snprintf(import->result->process_name, sizeof(import->result->process_name), "%s",
			 *most->name ? most->name : "process");
		return 0;
	}
	if (!import->result->all)
		snprintf(why, why_bytes,
			 "it has no samples: the program ended before the first one, or none of "
			 "its accesses took as long as the event asks for (ldlat)");
	else if (import->config->pid)
		snprintf(why, why_bytes, "it has no samples of process %d",
			 (int)import->config->pid);
	else
		snprintf(why, why_bytes,
			 "its %" PRIu64 " samples of event %s are not of memory accesses: record "
			 "with `perf mem record`",
			 import->result->all,
			 *import->file->events->name ? import->file->events->name : "?");
	return -ENODATA;
}

static int by_time(const void *left, const void *right)
{
	const struct moment *a = left, *b = right;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

/*
 * Find the oldest ancestor of the imported process, and mark the forks that lead from it to this
 * process.
 */
static uint32_t ancestor(struct import *import)
{
	uint32_t pid = import->pid;

	for (size_t i = import->count; i-- > 0;)
		if (import->moments[i].kind == MOMENT_FORK && import->moments[i].pid == pid) {
			import->moments[i].kind = MOMENT_BECOMES;
			pid = (uint32_t)import->moments[i].value;
		}
	return pid;
}

/* Get the home of the page, as far as the sample itself shows it. */
static uint32_t home_said(const struct import *import, const struct moment *moment, uint32_t node)
{
	const struct sample_host *host = &import->host;
	const enum data_served served = moment->source.served;

	if (moment->home != COUNTS_NODE_UNKNOWN)
		return moment->home;
	if (!import->alone)
		return COUNTS_NODE_UNKNOWN;
	if (served == DATA_LOCAL)
		return node;
	if (served == DATA_REMOTE && host->count == 2)
		return node == host->nodes[0] ? host->nodes[1] : host->nodes[0];
	return COUNTS_NODE_UNKNOWN;
}

static int sample_count(struct import *import, const struct moment *moment)
{
	struct sample_result *result = import->result;
	struct counts_access access = {
		.address = moment->value,
		.time_ns = moment->time_ns,
		.node = moment->cpu < SAMPLE_CPUS_MAX ? import->host.of_cpu[moment->cpu]
						      : SAMPLE_NODE_NONE,
		.type = moment->source.type,
		.behind = data_source_behind(&moment->source),
	};

	import->first_ns = import->first_ns ? import->first_ns : moment->time_ns;
	import->last_ns = moment->time_ns;
	if (moment->pid != import->pid) {
		result->others++;
	} else if (access.node == SAMPLE_NODE_NONE) {
		result->nowhere++;
	} else if (moment->value >= ADDRESS_END) {
		result->outside++;
	} else {
		access.home = home_said(import, moment, access.node);
		access.not_own = import->alone && moment->source.served == DATA_REMOTE;
		if (counts_latency_add(&import->counts, access.address, moment->source.served,
				       moment->cycles) < 0)
			return -ENOMEM;
		return counts_access(&import->counts, &access);
	}
	return 0;
}

/* The process has executed another program, so discard the samples of the previous one. */
static void executes(struct import *import)
{
	struct counts *counts = &import->counts;

	import->result->before += counts->samples + counts_waiting(counts);
	counts_free(counts);
	perf_maps_free(&import->memory);
}

static int moments_go(struct import *import)
{
	int failed = 0;

	import->current = ancestor(import);
	for (size_t i = 0; i < import->count && !failed; i++) {
		const struct moment *moment = &import->moments[i];

		if (moment->kind == MOMENT_SAMPLE)
			failed = sample_count(import, moment);
		else if (moment->kind == MOMENT_BECOMES)
			import->current = moment->pid;
		else if (moment->kind == MOMENT_MAPPING && moment->pid == import->current)
			failed = perf_maps_add(&import->memory, &import->maps[moment->value]);
		else if (moment->kind == MOMENT_EXECUTES && moment->pid == import->current)
			executes(import);
	}
	if (!failed)
		failed = counts_settle(&import->counts, import->host.count > 2 && import->alone);
	return failed ? failed : perf_maps_regions(&import->memory, &import->mapped);
}

/* ---- the result ------------------------------------------------------------------------------ */

/*
 * Add an event to the result. @spe: the event of Arm SPE that the processor has sampled; NULL:
 * @event itself was sampled.
 */
static void kind_add(struct sample_result *result, const struct perf_file_event *event,
		     const struct perf_file_event *spe)
{
	struct sample_kind *kind = &result->kinds[result->kind_count];

	if (!event->samples)
		return;
	if (result->kind_count == SAMPLE_EVENTS_MAX) {
		kind--;
		snprintf(kind->name, sizeof(kind->name), "others");
		kind->period = (kind->period * (double)kind->samples + event->periods) /
			       (double)(kind->samples + event->samples);
		kind->samples += event->samples;
		return;
	}
	snprintf(kind->name, sizeof(kind->name), "%s", event->name);
	kind->samples = event->samples;
	kind->period = event->periods / (double)event->samples;
	/*
	 * The period of a sample that was made from a packet is always 1. Use the period of the
	 * sampled event.
	 */
	if (spe) {
		snprintf(kind->name, sizeof(kind->name), "%.*s//", (int)strcspn(spe->name, "/"),
			 spe->name);
		kind->period = (double)spe->period;
	}
	result->kind_count++;
}

static void result_make(struct import *import)
{
	struct sample_result *result = import->result;
	const struct perf_file *file = import->file;

	sample_result_counts(result, &import->counts);
	result->nodes = import->host.count;
	result->elapsed_ns = import->last_ns - import->first_ns;
	result->process = import->pid;
	for (size_t i = 0; i < file->event_count; i++)
		kind_add(result, &file->events[i], spe_find(file));
	result->spe = spe_find(file) != NULL;
	result->cut_off = file->missing != 0;
	snprintf(result->hostname, sizeof(result->hostname), "%s", file->hostname);
	snprintf(result->recorded_by, sizeof(result->recorded_by), "%s", file->command_line);
}

/* Make the prefix of the recordings from the name of the process. */
static void prefix_make(struct sample_result *result)
{
	snprintf(result->prefix, sizeof(result->prefix), "%s", result->process_name);
	for (char *c = result->prefix; (c = strchr(c, '/'));)
		*c = '_';
}

static int recordings_make(struct import *import)
{
	struct sample_result *result = import->result;
	struct sample_config config = *import->config;
	struct program_log log = {.phase_count = 1};
	json_t *document;
	int failed;

	if (!config.prefix) {
		prefix_make(result);
		config.prefix = result->prefix;
	}
	log.phases[0].elapsed_ns = result->elapsed_ns;
	document = sample_report_json(result);
	failed = write_recordings(&config, &import->host, SAMPLE_MEMORY, &import->counts,
				  &import->mapped, &log, document);
	json_decref(document);
	return failed;
}

static void missing_say(const struct import *import)
{
	uint64_t missing = import->file->missing;

	if (missing == UINT64_MAX)
		sample_message(import->config,
			       "warning: the file was not completed: perf was ended, or still "
			       "runs; the samples in the file are used");
	else if (missing)
		sample_message(import->config,
			       "warning: the file is cut off: %" PRIu64
			       " bytes of records are missing, and with them an unknown number of "
			       "samples",
			       missing);
}

/* Import a file. Return: 0; -errno with @why; -errno with an empty @why if a message was sent. */
static int import_run(struct import *import, FILE *in, char *why, size_t why_bytes)
{
	const char *missing;
	int failed = perf_file_open(import->file, in, why, why_bytes);

	if (failed)
		return failed;
	/*
	 * Read the records first, because one of them may show that the file must be converted
	 * before it can be imported.
	 */
	failed = records_read(import, why, why_bytes);
	if (failed)
		return failed;
	missing = events_miss(import->file);
	if (missing) {
		snprintf(why, why_bytes, "%s", missing);
		return -EOPNOTSUPP;
	}
	failed = host_find(import, why, why_bytes);
	if (!failed)
		failed = process_choose(import, why, why_bytes);
	if (failed)
		return failed;
	missing_say(import);
	import->alone = nodes_alone(import);
	qsort(import->moments, import->count, sizeof(*import->moments), by_time);
	failed = moments_go(import);
	if (failed) {
		snprintf(why, why_bytes, "no memory for its samples");
		return failed;
	}
	for (size_t i = 0; i < import->file->build_count && !failed; i++)
		failed = mapped_build_add(&import->mapped, import->file->builds[i].path,
					  import->file->builds[i].build);
	result_make(import);
	return failed ? failed : recordings_make(import);
}

int sample_import(const struct sample_config *config, const char *path,
		  struct sample_result *result)
{
	struct import import = {.config = config, .result = result};
	FILE *in = fopen(path, "re");
	char why[1024] = "";
	int failed = -ENOMEM;

	*result = (struct sample_result){.source = SAMPLE_MEMORY, .imported = true};
	if (!in) {
		sample_message(config, "%s cannot be read: %s", path, strerror(errno));
		return SAMPLE_FAILED;
	}
	import.file = calloc(1, sizeof(*import.file));
	if (import.file)
		failed = import_run(&import, in, why, sizeof(why));
	if (failed && (*why || !import.file))
		sample_message(config, "%s: %s", path, *why ? why : "no memory");
	result->recorded = !failed;
	if (import.file)
		perf_file_close(import.file);
	free(import.file);
	for (size_t i = 0; i < import.map_count; i++)
		free(import.maps[i].name);
	free(import.maps);
	free(import.moments);
	hash_table_free(&import.processes);
	perf_maps_free(&import.memory);
	counts_free(&import.counts);
	mapped_free(&import.mapped);
	fclose(in);
	return failed ? SAMPLE_FAILED : 0;
}
