/* SPDX-License-Identifier: MIT */
/*
 * smile trace: its verbs, and what record's files share.
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

/* Sources that are recorded together: nodes of a cluster. */
#define RECORD_SOURCES_MAX 64U
#define RECORD_LABEL_BYTES 64

/**
 * struct record_source - A place whose packets are recorded.
 * @name: as the user gave it
 * @device: it is an instrument behind the driver, not a capture
 * @selected: which interface of the file is read; -1: it has one alone
 * @label: the name of that interface; "": it has none
 * @capture: the capture that is read; NULL at its end
 * @instrument: the instrument that sees its packets
 * @node: id of its node; negative: not known
 * @frame: the packet of @capture that comes next
 * @frame_bytes: its length
 * @frame_ns: its time stamp
 * @interface: number in the file
 * @has_packet: @packet is there
 * @packet: the packet of @instrument that is written next
 * @first_ns: time stamp of the first packet seen
 * @last_ns: of the last one
 * @marked: the trigger was written as a comment
 * @status: of the instrument, at its end
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
 * @path: file that is written
 * @file: the same, open
 * @config: what the instruments do
 * @levels: the trigger's levels as the user gave them
 * @filter: text of the filter; NULL: none
 * @streaming: packets are written as they come
 * @limit_ns: how long instruments behind the driver are waited for; 0: until they are done
 * @link: link type of all sources
 * @sources: the sources
 * @count: how many
 * @nodes: how many of them the user gave a node
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
 * @json: as a JSON document to standard output; else as messages
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int record_show(struct record *record, bool json);

#endif /* TOOLS_TRACE_TRACE_H */
