/* SPDX-License-Identifier: MIT */
/*
 * smile trace: its verbs, and the types and functions that the files of `record` share.
 */
#ifndef TOOLS_TRACE_TRACE_H
#define TOOLS_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

#include "lib/pcapng/pcapng.h"

/*
 * The verbs. argv[0] is "smile trace VERB", so that getopt_long() and messages begin with it.
 * Return: the exit status.
 */
int trace_record(int argc, char **argv);
int trace_import(int argc, char **argv);
int trace_list(int argc, char **argv);
int trace_show(int argc, char **argv);
int trace_transaction(int argc, char **argv);
int trace_follow(int argc, char **argv);
int trace_latency(int argc, char **argv);
int trace_interarrival(int argc, char **argv);

/* Largest number of sources that are recorded together: the nodes of a cluster. */
#define RECORD_SOURCES_MAX 64U
#define RECORD_LABEL_BYTES 64

/**
 * struct record_source - A source whose packets are recorded.
 * @name: its name, as the user gave it
 * @device: it is an instrument of the driver, not a capture
 * @selected: index of the interface of the file that is read; -1: the file has only one
 * @label: the name of this interface; "": it has none
 * @capture: the capture that is read; NULL at its end
 * @instrument: the instrument that gets its packets
 * @node: id of its node; negative: not known
 * @frame: the next packet of @capture
 * @frame_bytes: length of @frame
 * @frame_ns: time stamp of @frame
 * @interface: number of its interface in the written file
 * @has_packet: @packet is valid
 * @packet: the packet of @instrument that is written next
 * @first_ns: time stamp of the first packet seen
 * @last_ns: time stamp of the last packet seen
 * @marked: the trigger was written as a comment
 * @status: final status of the instrument
 */
struct record_source {
	const char *name;
	bool device;
	int selected;
	char label[RECORD_LABEL_BYTES];
	struct Monitor_capture *capture;
	struct Monitor_instrument *instrument;
	long node;
	const void *frame;
	size_t frame_bytes;
	uint64_t frame_ns;
	uint32_t interface;
	bool has_packet;
	struct Monitor_trace_packet packet;
	uint64_t first_ns;
	uint64_t last_ns;
	bool marked;
	struct smile_trace_status status;
};

/**
 * struct record - A run of `smile trace record`.
 * @path: path of the file that is written
 * @file: the open file
 * @config: configuration of the instruments
 * @levels: the trigger's levels as the user gave them
 * @filter: text of the filter; NULL: none
 * @streaming: packets are written when they arrive
 * @limit_ns: longest wait for instruments of the driver; 0: until they have stopped
 * @link: link type of all sources
 * @sources: the sources
 * @count: number of sources
 * @nodes: number of nodes that the user gave for them
 */
struct record {
	const char *path;
	struct pcapng *file;
	struct smile_trace_config config;
	const char *levels[SMILE_TRACE_LEVELS];
	char *filter;
	bool streaming;
	uint64_t limit_ns;
	uint16_t link;
	struct record_source sources[RECORD_SOURCES_MAX];
	size_t count;
	size_t nodes;
};

/**
 * record_file_create() - Create the file and describe its interfaces.
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int record_file_create(struct record *record);

/**
 * record_file_drain() - Write the packets that the instruments hold, in the order of their time
 * stamps.
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int record_file_drain(struct record *record);

/**
 * record_file_close() - Write the statistics and close the file.
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int record_file_close(struct record *record);

/**
 * record_show() - Print the account.
 * @json: print a JSON document on standard output; otherwise print messages
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int record_show(struct record *record, bool json);

#endif /* TOOLS_TRACE_TRACE_H */
