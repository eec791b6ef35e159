/* SPDX-License-Identifier: MIT */
/*
 * run/sample: the parts of a perf.data file that samples of memory accesses need.
 *
 * What lives here: its header, its events, the features that describe the machine, and its records
 * one by one. May use perf_sample.h and host.h. It writes nothing and prints nothing. The format is
 * in Linux's documentation of perf, perf.data-file-format.txt. Files written to pipes, compressed
 * records, packets of Arm SPE, and files with another byte order are refused, each with the remedy.
 */
#ifndef RUN_SAMPLE_PERF_FILE_H
#define RUN_SAMPLE_PERF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <base/hash_table.h>
#include <smile/monitor.h>

#include "run/sample/host.h"
#include "run/sample/perf_sample.h"

#define PERF_FILE_RECORD_BYTES 65536U /* the size field of a record has 16 bits */
#define PERF_FILE_NAME_BYTES 64U

/**
 * struct perf_file_event - An event that was recorded.
 * @layout: layout of its samples
 * @name: its name in perf; "" if the file does not give it
 * @period: events per sample; 0 if it varies
 * @samples: number of its samples that were read
 * @periods: sum of the periods of these samples
 */
struct perf_file_event {
	struct perf_layout layout;
	char name[PERF_FILE_NAME_BYTES];
	uint64_t period;
	uint64_t samples;
	double periods;
};

/**
 * struct perf_file_build - The build of a file that the program had in its memory.
 * @path: path of the file; owned
 * @build: its build, as in Monitor_object_build()
 */
struct perf_file_build {
	char *path;
	char build[MONITOR_BUILD_BYTES];
};

/**
 * struct perf_file_memory - The memory of a node.
 * @node: the node
 * @blocks: one bit for each block of the machine's memory: whether it is the node's; shape [(@count
 *          + 63) / 64]; owned
 * @count: number of bits
 */
struct perf_file_memory {
	uint32_t node;
	uint64_t *blocks;
	uint64_t count;
};

/**
 * struct perf_file - An open file.
 * @in: the file
 * @end: position behind the last record
 * @at: position of the next record
 * @missing: bytes of records that are missing; UINT64_MAX: their number is not known
 * @events: the events; shape [@event_count]
 * @event_count: number of events
 * @ids: ids of the events: entries of struct perf_file_id
 * @alike: all events have one layout
 * @hostname: name of the machine; "" if the file does not give it, like each of the following
 *            members
 * @arch: the machine's architecture
 * @command_line: command line of perf
 * @host: nodes and processors; no nodes if the file does not describe them
 * @socket_of: socket of each processor; shape [@socket_count]; owned
 * @socket_count: number of processors
 * @memory: memory of the nodes; shape [@memory_count]
 * @memory_count: number of entries of @memory
 * @block_bytes: size of a block of memory
 * @builds: builds of files; shape [@build_count], room for @build_size
 * @build_count: number of builds
 * @build_size: number of builds for which @builds has room
 * @record: the last record
 */
struct perf_file {
	FILE *in;
	uint64_t end;
	uint64_t at;
	uint64_t missing;
	struct perf_file_event *events;
	size_t event_count;
	struct hash_table ids;
	bool alike;
	char hostname[256];
	char arch[64];
	char command_line[1024];
	struct sample_host host;
	uint32_t *socket_of;
	size_t socket_count;
	struct perf_file_memory memory[SAMPLE_NODES_MAX];
	size_t memory_count;
	uint64_t block_bytes;
	struct perf_file_build *builds;
	size_t build_count;
	size_t build_size;
	unsigned char record[PERF_FILE_RECORD_BYTES];
};

enum perf_file_kind {
	PERF_FILE_SAMPLE,
	PERF_FILE_MALFORMED, /* a sample that could not be read */
	PERF_FILE_MAPPING, /* memory is mapped */
	PERF_FILE_NAME, /* a process has a name */
	PERF_FILE_EXECUTES, /* a process executes a program, and has this name */
	PERF_FILE_FORK, /* a process begins */
	PERF_FILE_LOST, /* samples are lost */
	PERF_FILE_THROTTLED, /* the kernel stopped an event because it took too much time */
	PERF_FILE_OTHER,
};

/**
 * struct perf_file_record - A record.
 * @kind: its kind; members that the kind does not use are 0
 * @time_ns: when it happened
 * @sample: for PERF_FILE_SAMPLE, the sample
 * @event: its event, if known; otherwise NULL
 * @pid: its process; of a fork, the new process
 * @parent: of a fork, the parent
 * @address: for PERF_FILE_MAPPING, the first address
 * @bytes: length of the mapping
 * @offset: the mapping's offset in its file
 * @flags: the mapping's flags as in /proc/PID/maps, such as "r-xp"
 * @name: name of the file, or of the process; valid until the next record is read
 * @lost: number of samples that were lost
 */
struct perf_file_record {
	enum perf_file_kind kind;
	uint64_t time_ns;
	struct sample sample;
	struct perf_file_event *event;
	uint32_t pid;
	uint32_t parent;
	uint64_t address;
	uint64_t bytes;
	uint64_t offset;
	char flags[5];
	const char *name;
	uint64_t lost;
};

/**
 * perf_file_open() - Read the header of a file, its events, and its description of the machine.
 * @file: receives it; close it in any case
 * @in: at the beginning of the file, which must be seekable; owned by the caller
 * @why: receives the error, and the remedy, @why_bytes long
 *
 * Return: 0.
 * Errors: -EPROTO if it is not a perf.data file, or damaged; -EOPNOTSUPP for a kind of file that
 * cannot be read here; -ENOMEM; all with @why.
 */
int perf_file_open(struct perf_file *file, FILE *in, char *why, size_t why_bytes);

/**
 * perf_file_next() - Read the next record, in the order of the file, not in the order of time.
 *
 * Return: 1; 0 at the end, or where the file was cut off: see @file->missing.
 * Errors: see perf_file_open().
 */
int perf_file_next(struct perf_file *file, struct perf_file_record *record, char *why,
		   size_t why_bytes);

/* Find the node that has a physical address; UINT32_MAX: not known from the file. */
uint32_t perf_file_home(const struct perf_file *file, uint64_t physical);

void perf_file_close(struct perf_file *file);

/* ---- between perf_file.c and perf_features.c ------------------------------------------------- */

/* A section of the file. */
struct perf_file_section {
	uint64_t offset;
	uint64_t size;
};

/* Read exactly @bytes bytes of the file. Return: whether the file has them. */
bool perf_file_read(struct perf_file *file, uint64_t offset, void *to, size_t bytes);

/**
 * perf_features_read() - Read the features, which are behind the records.
 * @set: bits of the header, one for each feature in the file; shape [4]
 * @offset: position of the list of their sections
 *
 * A feature that is damaged or unknown is not used.
 *
 * Return: 0; -ENOMEM.
 */
int perf_features_read(struct perf_file *file, const uint64_t set[4], uint64_t offset);

#endif /* RUN_SAMPLE_PERF_FILE_H */
