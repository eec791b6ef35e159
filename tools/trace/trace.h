/* SPDX-License-Identifier: MIT */
/*
 * smile trace: the functions of its verbs, and the types and functions that the files of `record`
 * share.
 */
#ifndef TOOLS_TRACE_TRACE_H
#define TOOLS_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

#include "lib/pcapng/pcapng.h"

/*
 * The functions of the verbs. argv[0] is "smile trace VERB", so that getopt_long() prints it at the
 * beginning of messages.
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

/*
 * The largest number of sources that can be recorded together, which is enough for all nodes of a
 * cluster.
 */
#define RECORD_SOURCES_MAX 64U
#define RECORD_LABEL_BYTES 64

/**
 * struct record_source - A source of packets.
 * @name: name of the source, as the user gave it
 * @device: the source is an instrument of the driver; otherwise it is a capture
 * @selected: index of the interface whose packets are read from the file; -1: the file has only one
 *            interface
 * @label: name of this interface; "" if it has none
 * @capture: the open capture; NULL after its end
 * @instrument: the instrument that receives the packets
 * @node: id of the source's node; negative: not known
 * @frame: the next packet of @capture
 * @frame_bytes: length of @frame
 * @frame_ns: time stamp of @frame
 * @interface: number of the source's interface in the written file
 * @has_packet: @packet is valid
 * @packet: the next packet of @instrument to be written
 * @first_ns: time stamp of the first packet that was processed
 * @last_ns: time stamp of the last packet that was processed
 * @marked: a comment that marks the trigger was written
 * @status: status of the instrument at the end
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
 * @path: path of the file to write
 * @file: the open file
 * @config: configuration of the instruments
 * @levels: levels of the trigger, as the user gave them
 * @filter: the filter, as the user gave it; NULL: none
 * @streaming: write packets as they arrive
 * @limit_ns: longest time to wait for the driver's instruments; 0: wait until they have stopped
 * @link: link type of all sources
 * @sources: the sources
 * @count: number of sources
 * @nodes: number of node ids that the user gave
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
 * record_file_create() - Create the file, and describe its interfaces in it.
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
 * record_file_close() - Write the statistics, and close the file.
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int record_file_close(struct record *record);

/**
 * record_show() - Print the summary.
 * @json: print a JSON document on standard output; otherwise print messages
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int record_show(struct record *record, bool json);

#endif /* TOOLS_TRACE_TRACE_H */
