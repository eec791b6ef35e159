// SPDX-License-Identifier: MIT
/*
 * smile trace record: packets with their time stamps, from a capture into a pcapng file.
 */
#include "tools/trace/trace.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <smile/monitor.h>

#include "lib/pcapng/pcapng.h"
#include "tools/common/tool.h"

static const char *const record_help[] = {
#include "tools/help/trace-record.h"
	NULL,
};

static const struct option record_options[] = {
	{"output", required_argument, NULL, 'o'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static int record_copy(struct Monitor_capture *capture, struct pcapng *file)
{
	struct pcapng_statistics statistics = {
		.start_ns = PCAPNG_UNKNOWN,
		.end_ns = PCAPNG_UNKNOWN,
		.accepted = PCAPNG_UNKNOWN,
	};
	struct pcapng_packet packet = {0};
	size_t bytes;
	int got, error;

	got = pcapng_interface(file, "blink0", "B-Link", NULL);
	if (got < 0)
		return got;
	while ((got = Monitor_capture_read(capture, &packet.frame, &bytes, &packet.time_ns)) > 0) {
		packet.bytes =
			bytes < PCAPNG_FRAME_BYTES_MAX ? (uint32_t)bytes : PCAPNG_FRAME_BYTES_MAX;
		packet.original_bytes = (uint32_t)bytes;
		error = pcapng_packet(file, &packet);
		if (error)
			return error;
		if (statistics.start_ns == PCAPNG_UNKNOWN)
			statistics.start_ns = packet.time_ns;
		statistics.end_ns = packet.time_ns;
		statistics.received++;
	}
	if (got < 0)
		tool_error("%s", Monitor_error_message());
	statistics.time_ns = packet.time_ns;
	statistics.delivered = statistics.received;
	error = pcapng_statistics(file, &statistics);
	return error ? error : got;
}

static int record_run(const char *source, const char *path)
{
	struct Monitor_capture *capture;
	struct pcapng *file;
	int error, closed;

	if (Monitor_capture_open(&capture, source) < 0)
		return tool_error("%s", Monitor_error_message());
	error = pcapng_create(&file, path, "smile " SMILE_VERSION, NULL);
	if (error) {
		Monitor_capture_close(capture);
		return tool_error("cannot create %s: %s", path, strerror(-error));
	}
	error = record_copy(capture, file);
	closed = pcapng_close(file);
	Monitor_capture_close(capture);
	if (closed)
		return tool_error("cannot write %s: %s", path, strerror(-closed));
	return error ? TOOL_ERROR : TOOL_OK;
}

int trace_record(int argc, char **argv)
{
	const char *path = "smile.pcapng", *source;
	int option;

	while ((option = getopt_long(argc, argv, "o:h", record_options, NULL)) != -1) {
		switch (option) {
		case 'o':
			path = optarg;
			break;
		case 'h':
			tool_help(record_help);
			return TOOL_OK;
		default:
			return tool_unknown_option();
		}
	}
	if (optind == argc)
		return tool_usage("which capture? Give a file, or - for standard input");
	if (optind + 1 < argc)
		return tool_usage("'%s' is one argument too many", argv[optind + 1]);
	source = argv[optind];
	return record_run(strncmp(source, "emu:", 4) ? source : source + 4, path);
}
