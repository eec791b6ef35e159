// SPDX-License-Identifier: MIT
/*
 * smile trace record: write the packets of trace instruments to a pcapng file. The packets of a
 * capture are sent to an emulated instrument in this process. Other instruments are accessed
 * through the driver.
 *
 * What lives here: the options, and the run. record_file.c writes the file, and record_show.c
 * prints the summary.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <hw/blink.h>
#include <hw/cable.h>

#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/signals.h"
#include "tools/common/tool.h"
#include "tools/trace/trace.h"

/* The longest wait for an instrument before the next instrument is checked, in ms. */
#define WATCH_MS 200
/* The trace memory of an instrument, if packets are written as they arrive. */
#define STREAM_BYTES 65536U

static const char *const record_help[] = {
#include "tools/help/trace-record.h"
	NULL,
};

/*
 * Read the next packet of a source's capture. At the end of the capture, close it. Return: TOOL_OK;
 * TOOL_ERROR after a message.
 */
static int source_next(struct record_source *source)
{
	int got = Monitor_capture_read(source->capture, &source->frame, &source->frame_bytes,
				       &source->frame_ns);

	if (got > 0)
		return TOOL_OK;
	Monitor_capture_close(source->capture);
	source->capture = NULL;
	/* If a signal has interrupted the read, end the capture without an error. */
	return got < 0 && got != -EINTR ? tool_error("%s", Monitor_error_message()) : TOOL_OK;
}

/*
 * Find the source whose next packet is the earliest. If several packets are equally early, take the
 * first source. Return: NULL if all captures have ended.
 */
static struct record_source *source_earliest(struct record *record)
{
	struct record_source *earliest = NULL;

	for (size_t i = 0; i < record->count; i++) {
		struct record_source *source = &record->sources[i];

		if (source->capture && (!earliest || source->frame_ns < earliest->frame_ns))
			earliest = source;
	}
	return earliest;
}

/*
 * Send the packets of captures to the instruments, until all captures have ended or all instruments
 * have stopped.
 */
static int record_feed(struct record *record)
{
	struct record_source *source;
	int status = TOOL_OK;
	size_t running = 0;

	for (size_t i = 0; i < record->count; i++)
		if (source_next(&record->sources[i]) != TOOL_OK)
			status = TOOL_ERROR;
	running = record->count;
	while (running && !signals_count() && (source = source_earliest(record))) {
		if (!source->first_ns)
			source->first_ns = source->frame_ns;
		source->last_ns = source->frame_ns;
		if (!Monitor_instrument_packet(source->instrument, source->frame,
					       source->frame_bytes, source->frame_ns)) {
			Monitor_capture_close(source->capture);
			source->capture = NULL;
			running--;
			continue;
		}
		if (record->streaming && record_file_drain(record) != TOOL_OK)
			return TOOL_ERROR;
		/* If the capture is damaged, still write the packets before the damage. */
		if (source_next(source) != TOOL_OK)
			status = TOOL_ERROR;
	}
	for (size_t i = 0; i < record->count; i++)
		Monitor_instrument_stop(record->sources[i].instrument);
	return status;
}

/* Check whether all instruments have stopped. Return: 1; 0; negative on failure. */
static int record_stopped(struct record *record)
{
	for (size_t i = 0; i < record->count; i++) {
		struct smile_trace_status status;
		int error = Monitor_instrument_status(record->sources[i].instrument, &status);

		if (error < 0)
			return error;
		if (status.state != SMILE_TRACE_DONE)
			return 0;
	}
	return 1;
}

/* Wait until the driver's instruments have stopped by themselves, or until the user stops them. */
static int record_watch(struct record *record)
{
	uint64_t start_ns = tool_now_ns();
	int stopped = 0;

	for (size_t i = 0; i < record->count; i++)
		tool_message("%s is armed", record->sources[i].name);
	while (!stopped && !signals_count()) {
		if (record->limit_ns && tool_now_ns() - start_ns >= record->limit_ns)
			break;
		for (size_t i = 0; i < record->count && !signals_count(); i++) {
			int ready =
				Monitor_instrument_wait(record->sources[i].instrument, WATCH_MS);

			if (ready < 0 && ready != -EINTR)
				return tool_error("%s", Monitor_error_message());
		}
		if (record->streaming && record_file_drain(record) != TOOL_OK)
			return TOOL_ERROR;
		stopped = record_stopped(record);
		if (stopped < 0)
			return tool_error("%s", Monitor_error_message());
	}
	for (size_t i = 0; i < record->count; i++)
		if (Monitor_instrument_stop(record->sources[i].instrument) < 0)
			return tool_error("%s", Monitor_error_message());
	return TOOL_OK;
}

/* Get the path by which this process opens a source. */
static const char *source_path(const struct record_source *source)
{
	return source->name + (strncmp(source->name, "emu:", 4) ? 0 : 4);
}

/*
 * If a file has packets of several interfaces, divide it into one source for each interface, in the
 * order of the interfaces' first packets. If the file cannot be read, return TOOL_OK, because the
 * reason is reported when the file is read again. Return: TOOL_OK; TOOL_ERROR after a message.
 */
static int source_divide(struct record *record, size_t index)
{
	struct record_source *source = &record->sources[index];
	struct Monitor_capture *capture;
	const void *frame;
	const char *label;
	uint64_t time_ns;
	size_t bytes;
	int count;

	if (Monitor_capture_open_any(&capture, source_path(source)) < 0)
		return TOOL_OK;
	count = Monitor_capture_select(capture, 0) < 0 ? 1 : 0;
	while (!count && Monitor_capture_read(capture, &frame, &bytes, &time_ns) > 0)
		continue;
	if (!count)
		count = Monitor_capture_interface(capture, 0, &label);
	if (count > 1 && record->count + (size_t)count - 1 > RECORD_SOURCES_MAX) {
		Monitor_capture_close(capture);
		return tool_usage("%s has packets of %d interfaces: at most %u sources",
				  source->name, count, RECORD_SOURCES_MAX);
	}
	if (count > 1) {
		memmove(source + count, source + 1, (record->count - index - 1) * sizeof(*source));
		record->count += (size_t)count - 1;
	}
	for (int i = 0; count > 1 && i < count; i++) {
		source[i] = source[0];
		source[i].selected = i;
		Monitor_capture_interface(capture, (unsigned int)i, &label);
		snprintf(source[i].label, sizeof(source[i].label), "%s", label ? label : "");
	}
	Monitor_capture_close(capture);
	return TOOL_OK;
}

/* Divide all files into sources, before any packet is processed. */
static int sources_divide(struct record *record)
{
	for (size_t i = 0; i < record->count; i++) {
		size_t before = record->count;
		struct stat info;

		if (record->sources[i].device || stat(source_path(&record->sources[i]), &info) ||
		    !S_ISREG(info.st_mode))
			continue;
		if (source_divide(record, i) != TOOL_OK)
			return TOOL_ERROR;
		if (record->count > before && record->nodes)
			return tool_usage("%s has packets of several interfaces, which have names "
					  "of their own: leave --node out",
					  record->sources[i].name);
		i += record->count - before;
	}
	return TOOL_OK;
}

/*
 * Check the link type of a source. All sources must have the same link type, because the output
 * file has only one link type. Patterns of triggers and filters match only frames of the B-Link.
 */
static int source_link(struct record *record, const struct record_source *source)
{
	uint16_t link = (uint16_t)Monitor_capture_link(source->capture);

	if (source != record->sources && link != record->link)
		return tool_usage("%s has packets of %s, %s has not: record them separately",
				  source->name, link == CABLE_LINKTYPE ? "the cable" : "the B-Link",
				  record->sources[0].name);
	record->link = link;
	if (link == CABLE_LINKTYPE && (record->config.levels || record->filter))
		return tool_usage(
			"--%s matches frames of the B-Link, and %s has packets of the "
			"cable: record all, import them by smile trace import, and choose "
			"packets by smile trace list --type",
			record->config.levels ? "trigger" : "filter", source->name);
	return TOOL_OK;
}

static int source_open(struct record *record, struct record_source *source)
{
	int error = 0;

	if (!source->device) {
		error = Monitor_capture_open_any(&source->capture, source_path(source));
		if (!error && source->selected >= 0)
			error = Monitor_capture_select(source->capture,
						       (unsigned int)source->selected);
		if (!error && source_link(record, source) != TOOL_OK)
			return TOOL_ERROR;
	}
	if (!error)
		error = Monitor_instrument_open(
			&source->instrument,
			source->device ? source->name : "emu:", &record->config);
	if (!error && !source->device && source != record->sources)
		error = Monitor_instrument_connect(record->sources[0].instrument,
						   source->instrument);
	return error ? tool_error("%s", Monitor_error_message()) : TOOL_OK;
}

static int record_open(struct record *record)
{
	int status = sources_divide(record);

	for (size_t i = 0; i < record->count && status == TOOL_OK; i++)
		status = source_open(record, &record->sources[i]);
	/*
	 * Arm the instruments only when all of them are open, because an instrument that triggers
	 * also triggers the others.
	 */
	for (size_t i = 0; i < record->count && status == TOOL_OK; i++)
		if (Monitor_instrument_arm(record->sources[i].instrument) < 0)
			status = tool_error("%s", Monitor_error_message());
	return status;
}

static int record_run(struct record *record, bool json)
{
	bool device = record->sources[0].device;
	int status, result;

	/*
	 * Catch signals, so that the packets in an instrument are written even if a signal ends the
	 * recording.
	 */
	signals_catch();
	status = record_open(record);
	if (status == TOOL_OK)
		status = record_file_create(record);
	if (status == TOOL_OK) {
		status = device ? record_watch(record) : record_feed(record);
		/*
		 * For the driver's instruments, a signal is a normal way to stop the recording. For
		 * captures, a signal is an error.
		 */
		if (signals_count() && !device)
			status = tool_error("interrupted; %s holds what was stored so far",
					    record->path);
		result = record_file_drain(record);
		if (result == TOOL_OK)
			result = record_file_close(record);
		if (result == TOOL_OK)
			result = record_show(record, json);
		if (result != TOOL_OK)
			status = result;
	}
	pcapng_close(record->file);
	for (size_t i = 0; i < record->count; i++) {
		Monitor_capture_close(record->sources[i].capture);
		Monitor_instrument_close(record->sources[i].instrument);
	}
	return status;
}

static int memory_take(void *bytes, const char *text)
{
	uint64_t factor = 1, number;
	char digits[24];
	size_t length = strlen(text);

	if (length && length < sizeof(digits) && strchr("kMG", text[length - 1])) {
		factor = text[length - 1] == 'k'   ? 1U << 10
			 : text[length - 1] == 'M' ? 1U << 20
						   : 1U << 30;
		length--;
	}
	snprintf(digits, sizeof(digits), "%.*s", (int)length, text);
	if (tool_number("--memory", digits, 1, UINT32_MAX / factor, &number) < 0)
		return TOOL_ERROR;
	number *= factor;
	if (number % SMILE_TRACE_MEMORY_ALIGN)
		return tool_usage("--memory %s: a multiple of %u bytes is needed; k, M and G can "
				  "follow the number",
				  text, SMILE_TRACE_MEMORY_ALIGN);
	*(uint32_t *)bytes = (uint32_t)number;
	return TOOL_OK;
}

static int filter_take(void *to, const char *text)
{
	struct record *record = to;
	char *joined;

	if (Monitor_trace_filter(&record->config, text) < 0)
		return tool_usage("%s", Monitor_error_message());
	if (asprintf(&joined, "%s%s%s", record->filter ? record->filter : "",
		     record->filter ? " or " : "", text) < 0)
		return tool_error("no memory");
	free(record->filter);
	record->filter = joined;
	return TOOL_OK;
}

static int trigger_take(void *to, const char *text)
{
	struct record *record = to;

	if (Monitor_trace_level(&record->config, text) < 0)
		return tool_usage("%s", Monitor_error_message());
	record->levels[record->config.levels - 1] = text;
	return TOOL_OK;
}

static int full_take(void *to, const char *text)
{
	struct record *record = to;

	if (!strcmp(text, "wrap"))
		record->config.mode |= SMILE_TRACE_MODE_WRAP;
	else if (!strcmp(text, "stop"))
		record->config.mode &= ~SMILE_TRACE_MODE_WRAP;
	else
		return tool_usage("--full %s: wrap or stop is needed", text);
	return TOOL_OK;
}

static int node_take(void *to, const char *text)
{
	struct record *record = to;
	uint64_t number;

	if (record->nodes == RECORD_SOURCES_MAX)
		return tool_usage("--node is given too often");
	if (tool_number("--node", text, 0, 65535, &number) < 0)
		return TOOL_ERROR;
	record->sources[record->nodes++].node = (long)number;
	return TOOL_OK;
}

static int check_options(struct record *record, bool json, int argc, char **argv)
{
	if (!argc)
		return tool_usage("which capture? Give a file, or - for standard input");
	if ((size_t)argc > RECORD_SOURCES_MAX)
		return tool_usage("at most %u sources", RECORD_SOURCES_MAX);
	if (record->nodes > (size_t)argc)
		return tool_usage("--node is given %zu times for %d sources: once for each source, "
				  "in their order",
				  record->nodes, argc);
	record->count = (size_t)argc;
	for (size_t i = 0; i < record->count; i++) {
		record->sources[i].name = argv[i];
		if (!*argv[i] || !strcmp(argv[i], "emu:"))
			return tool_usage("which capture? The name given is empty");
	}
	for (size_t i = 0; i < record->count; i++) {
		record->sources[i].device = !strncmp(argv[i], "dev:", 4);
		if (record->sources[i].device != record->sources[0].device)
			return tool_usage("'%s' and '%s': captures and instruments cannot be "
					  "recorded together",
					  argv[0], argv[i]);
	}
	if (option_given("seconds") && !record->sources[0].device)
		return tool_usage("--seconds is for instruments: a capture is read to its end");
	if (option_given("seconds") && !record->limit_ns)
		return tool_usage("--seconds: 0 seconds record nothing");
	if (option_given("position") && !record->config.levels)
		return tool_usage("--position needs a trigger: give --trigger LEVEL");
	if (json && !strcmp(record->path, "-"))
		return tool_usage("--json and -o - cannot both use standard output");
	/* Only the hardware shows whether several instruments are connected by a trigger line. */
	if (record->count > 1 || record->sources[0].device)
		record->config.mode |= SMILE_TRACE_MODE_LINE_IN | SMILE_TRACE_MODE_LINE_OUT;
	record->streaming = !record->config.levels && !option_given("memory");
	if (record->streaming) {
		if (option_form_idle("packets written when they arrive: give --trigger or --memory",
				     "full") != TOOL_OK)
			return TOOL_ERROR;
		record->config.memory_bytes = record->sources[0].device ? 0 : STREAM_BYTES;
		record->config.mode &= ~SMILE_TRACE_MODE_WRAP;
	}
	return TOOL_OK;
}

int trace_record(int argc, char **argv)
{
	struct record *record = tool_memory(1, sizeof(*record));
	bool json = false;
	int status;
	const struct tool_option options[] = {
		OPTION_OUTPUT("output", 'o', &record->path),
		OPTION_TAKE("trigger", 0, trigger_take, record),
		OPTION_TAKE("filter", 0, filter_take, record),
		OPTION_NUMBER("position", 0, 0, 100, &record->config.position_percent),
		OPTION_TAKE("memory", 0, memory_take, &record->config.memory_bytes),
		OPTION_TAKE("full", 0, full_take, record),
		OPTION_TAKE("node", 0, node_take, record),
		OPTION_SECONDS("seconds", 0, &record->limit_ns),
		OPTION_FLAG("json", 0, &json),
		OPTION_HELP(record_help),
		OPTION_END,
	};

	record->path = "smile.pcapng";
	record->link = BLINK_LINKTYPE;
	for (size_t i = 0; i < RECORD_SOURCES_MAX; i++)
		record->sources[i].node = record->sources[i].selected = -1;
	Monitor_trace_config_default(&record->config);
	if (option_table_parse(argc, argv, "", options, &status)) {
		status = check_options(record, json, argc - optind, argv + optind);
		if (status == TOOL_OK)
			status = record_run(record, json);
	}
	free(record->filter);
	free(record);
	return status;
}
