/* SPDX-License-Identifier: MIT */
/*
 * run/sample: reads a perf.data file.
 *
 * What lives here: functions that read the parts of the file that samples of memory accesses need:
 * the header, the events, the features that describe the machine, and the records, one by one.
 * Linux's documentation of perf, perf.data-file-format.txt, describes the format. Four kinds of
 * files are rejected, each with a message that has a remedy: files that were written to a pipe,
 * files with compressed records, files with packets of Arm SPE, and files with another byte order.
 * This code writes nothing and prints nothing. This file may use perf_sample.h and host.h.
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
 * @layout: layout of the event's samples
 * @name: name of the event in perf; "" if the file does not give it
 * @period: number of events per sample; 0 if it varies
 * @samples: number of the event's samples that were read
 * @periods: sum of the periods of the samples
 */
struct perf_file_event {
	struct perf_layout layout;
	char name[PERF_FILE_NAME_BYTES];
	uint64_t period;
	uint64_t samples;
	double periods;
};

/**
 * struct perf_file_build - The build of a file that the program had mapped.
 * @path: path of the file; owned
 * @build: build of the file, as in Monitor_object_build()
 */
struct perf_file_build {
	char *path;
	char build[MONITOR_BUILD_BYTES];
};

/**
 * struct perf_file_memory - The memory of a node.
 * @node: number of the node
 * @blocks: for each block of the machine's memory, a bit that is set if the block belongs to the
 *          node; shape [(@count + 63) / 64]; the struct owns it
 * @count: number of bits in @blocks
 */
struct perf_file_memory {
	uint32_t node;
	uint64_t *blocks;
	uint64_t count;
};

/**
 * struct perf_file - An open file. If the file does not have @hostname, @arch or @command_line, the
 * member is "".
 * @in: the file
 * @end: position after the last record
 * @at: position of the next record
 * @missing: number of bytes of records that are missing; UINT64_MAX: the number is not known
 * @events: the events; shape [@event_count]
 * @event_count: number of events
 * @ids: entries of struct perf_file_id, which map ids to events
 * @alike: all events have the same layout
 * @hostname: name of the machine
 * @arch: architecture of the machine
 * @command_line: command line of perf
 * @host: nodes and processors of the machine; it has no nodes if the file does not describe them
 * @socket_of: socket of each processor; shape [@socket_count]; the struct owns it
 * @socket_count: number of processors
 * @memory: memory of the nodes; shape [@memory_count]
 * @memory_count: number of entries of @memory
 * @block_bytes: size of a block of memory
 * @builds: builds of files; shape [@build_count], with space for @build_size
 * @build_count: number of builds
 * @build_size: number of builds for which @builds has room
 * @record: the record that was read last
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
	PERF_FILE_MAPPING, /* a mapping of memory */
	PERF_FILE_NAME, /* a process has a new name */
	PERF_FILE_EXECUTES, /* a process has executed a program, and has got its name */
	PERF_FILE_FORK, /* a process was forked */
	PERF_FILE_LOST, /* samples were lost */
	PERF_FILE_THROTTLED, /* the kernel stopped an event because it took too much time */
	PERF_FILE_OTHER,
};

/**
 * struct perf_file_record - A record. Members that do not apply to the kind of the record are 0.
 * @kind: kind of the record
 * @time_ns: time of the event
 * @sample: for PERF_FILE_SAMPLE, the sample
 * @event: the event to which the record belongs; NULL if the event is not known
 * @pid: the process; for PERF_FILE_FORK, the new process
 * @parent: for PERF_FILE_FORK, the parent
 * @address: for PERF_FILE_MAPPING, the first address
 * @bytes: for PERF_FILE_MAPPING, the length of the mapping
 * @offset: for PERF_FILE_MAPPING, the offset in the mapped file
 * @flags: for PERF_FILE_MAPPING, the flags as in /proc/PID/maps, such as "r-xp"
 * @name: name of the mapped file or of the process; valid until the next record is read
 * @lost: for PERF_FILE_LOST, the number of lost samples
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
 * @file: receives the file; the caller must call perf_file_close() even after an error
 * @in: the file, positioned at its beginning. It must be seekable. The caller must close it
 * @why: after an error, receives the reason and the remedy; it has @why_bytes bytes
 *
 * Return: 0 if the file can be read; otherwise an error. Errors: -EPROTO if the file is not a
 * perf.data file, or is damaged; -EOPNOTSUPP if this kind of file is rejected; -ENOMEM. All errors
 * set @why.
 */
int perf_file_open(struct perf_file *file, FILE *in, char *why, size_t why_bytes);

/**
 * perf_file_next() - Read the next record, in the order of the file, which is not the order of
 * time.
 *
 * Return: 1; 0 at the end of the file, or where the file was cut off (see file->missing). Errors:
 * the errors of perf_file_open().
 */
int perf_file_next(struct perf_file *file, struct perf_file_record *record, char *why,
		   size_t why_bytes);

/*
 * Find the node whose memory contains a physical address. Return: the node; UINT32_MAX if the file
 * has no information about this address.
 */
uint32_t perf_file_home(const struct perf_file *file, uint64_t physical);

void perf_file_close(struct perf_file *file);

/* ---- functions that perf_file.c and perf_features.c call in each other ---- */

/* The position and the size of a section of the file. */
struct perf_file_section {
	uint64_t offset;
	uint64_t size;
};

/*
 * Read exactly @bytes bytes from the file. Return: true; false if the file ends before the last of
 * these bytes.
 */
bool perf_file_read(struct perf_file *file, uint64_t offset, void *to, size_t bytes);

/**
 * perf_features_read() - Read the features, which follow the records in the file. The function
 * ignores damaged and unknown features.
 * @set: bits of the header, one for each feature in the file; shape [4]
 * @offset: position of the list that has the section of each feature
 *
 * Return: 0 or -ENOMEM.
 */
int perf_features_read(struct perf_file *file, const uint64_t set[4], uint64_t offset);

#endif /* RUN_SAMPLE_PERF_FILE_H */
