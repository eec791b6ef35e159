// SPDX-License-Identifier: MIT
/*
 * smile trace record: write the file. What lives here: the order of the packets, their flags,
 * losses and comments, and the statistics.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <hw/blink.h>
#include <hw/cable.h>

#include "lib/trace-db/frame.h"
#include "tools/common/output_file.h"
#include "tools/common/tool.h"
#include "tools/trace/trace.h"

#define COMMENT_BYTES 1024

static int file_failed(struct record *record, int error)
{
	return tool_error("cannot write %s: %s", record->path, strerror(-error));
}

int record_file_create(struct record *record)
{
	int error = pcapng_create(&record->file, record->path, "smile " SMILE_VERSION);
	char name[RECORD_LABEL_BYTES];

	if (error == -EBUSY)
		return output_file_failed(record->path, error);
	if (error)
		return tool_error("cannot create %s: %s", record->path, strerror(-error));
	for (size_t i = 0; i < record->count; i++) {
		struct record_source *source = &record->sources[i];

		if (*source->label)
			snprintf(name, sizeof(name), "%s", source->label);
		else if (source->node < 0)
			snprintf(name, sizeof(name), "%s%zu",
				 record->link == CABLE_LINKTYPE ? "cable" : "blink", i);
		else
			snprintf(name, sizeof(name), "node%ld", source->node);
		error = pcapng_interface(record->file, record->link, name, source->name,
					 record->filter);
		if (error < 0)
			return file_failed(record, error);
		source->interface = (uint32_t)error;
	}
	return TOOL_OK;
}

/*
 * Get the flags of a packet: errors in its length, and its direction, if the node of the source is
 * known.
 */
static uint32_t packet_flags(const struct record *record, const struct record_source *source)
{
	const struct Monitor_trace_packet *packet = &source->packet;
	bool cable = record->link == CABLE_LINKTYPE;
	const uint8_t *bytes = packet->frame;
	struct frame frame;
	uint32_t flags = 0;

	if (packet->original_bytes > (cable ? CABLE_BYTES_MAX : BLINK_BYTES_MAX))
		flags |= PCAPNG_TOO_LONG;
	if (packet->bytes < (cable ? CABLE_SYMBOL_BYTES : BLINK_WORDS_MIN * BLINK_WORD_BYTES))
		return flags | PCAPNG_TOO_SHORT;
	if (cable)
		frame_parse_cable(&frame, bytes, packet->bytes);
	else
		frame_parse(&frame, bytes, packet->bytes);
	if (source->node < 0 || !frame_has_nodes(&frame))
		return flags;
	if (frame_target(&frame) == source->node)
		return flags | PCAPNG_INBOUND;
	if (frame_source(&frame) == source->node)
		return flags | PCAPNG_OUTBOUND;
	return flags;
}

static const char *trigger_cause(uint32_t by)
{
	switch (by) {
	case SMILE_TRACE_BY_FRAME:
		return "this packet";
	case SMILE_TRACE_BY_TIMEOUT:
		return "time-out before this packet";
	case SMILE_TRACE_BY_LINE:
		return "trigger line, before this packet";
	default:
		return "host, before this packet";
	}
}

/*
 * Write a comment if a level or the trigger matched at this packet. Return: NULL if there is no
 * comment.
 */
static const char *packet_comment(const struct record *record, struct record_source *source,
				  char *text)
{
	const struct Monitor_trace_packet *packet = &source->packet;
	const struct smile_trace_status *status = &source->status;
	bool outside = status->trigger_by == SMILE_TRACE_BY_LINE ||
		       status->trigger_by == SMILE_TRACE_BY_HOST;

	if (packet->start && record->levels[packet->level]) {
		snprintf(text, COMMENT_BYTES, "start: level %u: %s", packet->level + 1,
			 record->levels[packet->level]);
		return text;
	}
	if (packet->trigger) {
		snprintf(text, COMMENT_BYTES, "trigger: %s: level %" PRIu32 ": %s",
			 trigger_cause(status->trigger_by), (uint32_t)status->trigger_level + 1,
			 record->levels[status->trigger_level]);
		return text;
	}
	if (outside && !source->marked && packet->time_ns >= status->trigger_time_ns) {
		source->marked = true;
		snprintf(text, COMMENT_BYTES, "trigger: %s, at %" PRIu64 " ns",
			 trigger_cause(status->trigger_by), (uint64_t)status->trigger_time_ns);
		return text;
	}
	return NULL;
}

static int packet_write(struct record *record, struct record_source *source)
{
	const struct Monitor_trace_packet *packet = &source->packet;
	char text[COMMENT_BYTES];
	struct pcapng_packet written = {
		.interface = source->interface,
		.time_ns = packet->time_ns,
		.frame = packet->frame,
		.bytes = (uint32_t)packet->bytes,
		.original_bytes = (uint32_t)packet->original_bytes,
		.flags = packet_flags(record, source),
		.dropped = packet->missed,
		.comment = packet_comment(record, source, text),
	};
	int error = pcapng_packet(record->file, &written);

	/*
	 * For the driver's instruments, only the packets that were read are known. Note the times
	 * of these packets in this function.
	 */
	if (source->device) {
		if (!source->first_ns)
			source->first_ns = packet->time_ns;
		source->last_ns = packet->time_ns;
	}
	return error ? file_failed(record, error) : TOOL_OK;
}

int record_file_drain(struct record *record)
{
	for (size_t i = 0; i < record->count; i++)
		Monitor_instrument_status(record->sources[i].instrument,
					  &record->sources[i].status);
	for (;;) {
		struct record_source *earliest = NULL;

		for (size_t i = 0; i < record->count; i++) {
			struct record_source *source = &record->sources[i];
			int got = source->has_packet ? 1
						     : Monitor_instrument_read(source->instrument,
									       &source->packet);

			if (got < 0)
				return tool_error("%s", Monitor_error_message());
			source->has_packet = got > 0;
			if (got && (!earliest || source->packet.time_ns < earliest->packet.time_ns))
				earliest = source;
		}
		if (!earliest)
			return TOOL_OK;
		if (packet_write(record, earliest) != TOOL_OK)
			return TOOL_ERROR;
		earliest->has_packet = false;
	}
}

static int statistics_write(struct record *record, const struct record_source *source)
{
	const struct smile_trace_status *status = &source->status;
	char text[COMMENT_BYTES];
	struct pcapng_statistics statistics = {
		.interface = source->interface,
		.time_ns = source->last_ns,
		.start_ns = source->first_ns ? source->first_ns : PCAPNG_UNKNOWN,
		.end_ns = source->first_ns ? source->last_ns : PCAPNG_UNKNOWN,
		.received = status->seen,
		.dropped = status->missed,
		.accepted = status->seen - status->filtered - status->outside,
		.delivered = status->stored,
		.comment = text,
	};

	snprintf(text, sizeof(text),
		 "seen %" PRIu64 " = stored %" PRIu64 " + filtered %" PRIu64 " + outside %" PRIu64
		 " + overwritten %" PRIu64 " + missed %" PRIu64,
		 (uint64_t)status->seen, (uint64_t)status->stored, (uint64_t)status->filtered,
		 (uint64_t)status->outside, (uint64_t)status->overwritten,
		 (uint64_t)status->missed);
	return pcapng_statistics(record->file, &statistics);
}

int record_file_close(struct record *record)
{
	int error = 0;

	for (size_t i = 0; i < record->count && !error; i++) {
		Monitor_instrument_status(record->sources[i].instrument,
					  &record->sources[i].status);
		error = statistics_write(record, &record->sources[i]);
	}
	if (!error)
		error = pcapng_close(record->file);
	else
		pcapng_close(record->file);
	record->file = NULL;
	return error ? file_failed(record, error) : TOOL_OK;
}
