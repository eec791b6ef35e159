/* SPDX-License-Identifier: MIT */
/*
 * run/sample: a perf.data file, as far as samples of memory accesses need it.
 *
 * What lives here: its header, its events, the features that name the machine, and its records one
 * by one. May use perf_sample.h and host.h. It writes nothing and prints nothing. The format is in
 * Linux's documentation of perf, perf.data-file-format.txt. Pipes' form, compressed records,
 * packets of Arm SPE, and files of another byte order are refused, each with the remedy.
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

#define PERF_FILE_RECORD_BYTES 65536U /* the size of a record has 16 bits */
#define PERF_FILE_NAME_BYTES 64U

/**
 * struct perf_file_event - An event that was recorded.
 * @layout: of its samples
 * @name: as perf calls it; "" if the file does not say
 * @period: events per sample; 0 if it varies
 * @samples: its samples that were read
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
 * @path: of the file; owned
 * @build: as Monitor_object_build() has it
 */
struct perf_file_build {
	char *path;
	char build[MONITOR_BUILD_BYTES];
};

/**
 * struct perf_file_memory - Which memory a node has.
 * @node: the node
 * @blocks: bits: the machine's blocks of memory that are its own; shape [(@count + 63) / 64]; owned
 * @count: bits
 */
struct perf_file_memory {
	uint32_t node;
	uint64_t *blocks;
	uint64_t count;
};

/**
 * struct perf_file - An open file.
 * @in: it
 * @end: of its records
 * @at: position of the next record
 * @missing: bytes of records that it should have, and has not; UINT64_MAX: not known how many
 * @events: shape [@event_count]
 * @event_count: how many
 * @ids: of the events: struct perf_file_id
 * @alike: all have one layout
 * @hostname: of the machine; "" if the file does not say, as all that follows
 * @arch: its processors
 * @command_line: perf's
 * @host: nodes and processors; no nodes if the file does not say
 * @socket_of: of each processor; shape [@socket_count]; owned
 * @socket_count: processors
 * @memory: of the nodes; shape [@memory_count]
 * @memory_count: how many
 * @block_bytes: of a block of memory
 * @builds: shape [@build_count], room @build_size
 * @build_count: how many
 * @build_size: room
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
	PERF_FILE_EXECUTES, /* it executes a program, and has this name */
	PERF_FILE_FORK, /* a process begins */
	PERF_FILE_LOST, /* samples are lost */
	PERF_FILE_THROTTLED, /* the kernel stopped an event because it took too much time */
	PERF_FILE_OTHER,
};

/**
 * struct perf_file_record - A record.
 * @kind: its kind; members that the kind does not use are 0
 * @time_ns: when
 * @sample: PERF_FILE_SAMPLE
 * @event: its event, if that is known; else NULL
 * @pid: process: of a fork, the new one
 * @parent: of a fork
 * @address: PERF_FILE_MAPPING: the first
 * @bytes: how long it is
 * @offset: in its file
 * @flags: as in /proc/PID/maps, such as "r-xp"
 * @name: of the file, or the process; until the next record is read
 * @lost: how many
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
 * perf_file_open() - Read the header of a file, its events, and what it says of its machine.
 * @file: receives it; to be closed in any case
 * @in: at the beginning of the file, which can be sought in; stays the caller's
 * @why: receives what is wrong with it, and the remedy, @why_bytes long
 *
 * Return: 0.
 * Errors: -EPROTO if it is not a perf.data file, or damaged; -EOPNOTSUPP for a kind of file that is
 * not read here; -ENOMEM; all with @why.
 */
int perf_file_open(struct perf_file *file, FILE *in, char *why, size_t why_bytes);

/**
 * perf_file_next() - Read the next record, in the order of the file, not in the order of time.
 *
 * Return: 1; 0 at the end, also if the file was cut off there: see @file->missing.
 * Errors: as perf_file_open().
 */
int perf_file_next(struct perf_file *file, struct perf_file_record *record, char *why,
		   size_t why_bytes);

/* The node that has a physical address; UINT32_MAX: the file does not say. */
uint32_t perf_file_home(const struct perf_file *file, uint64_t physical);

void perf_file_close(struct perf_file *file);

/* ---- between perf_file.c and perf_features.c ------------------------------------------------- */

/* A section of the file. */
struct perf_file_section {
	uint64_t offset;
	uint64_t size;
};

/* Read bytes of the file, exactly. Return: whether they are there. */
bool perf_file_read(struct perf_file *file, uint64_t offset, void *to, size_t bytes);

/**
 * perf_features_read() - Read what is behind the records.
 * @set: bits of the header: which features there are; shape [4]
 * @offset: where their sections are listed
 *
 * A feature that is damaged, or is not known, is not used.
 *
 * Return: 0; -ENOMEM.
 */
int perf_features_read(struct perf_file *file, const uint64_t set[4], uint64_t offset);

#endif /* RUN_SAMPLE_PERF_FILE_H */
