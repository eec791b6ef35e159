// SPDX-License-Identifier: MIT
/*
 * Sweep: reads one file. Like a card in its default configuration, the reader selects the requests
 * of a capture. A sweep needs the order of the accesses. A recording has this order only if each of
 * its records is a single access.
 */
#include "lib/analysis/sweep/sweep_file.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <base/field.h>
#include <hw/blink.h>

#include "lib/analysis/memory.h"
#include "lib/analysis/text.h"

/* The first bytes of a recording (docs/recording.md). */
#define RECORDING_MAGIC "SMILEREC"

#define FILE_RECORDS 4096
#define FILE_LOOK 4096 /* The number of frames between two checks of signals and progress. */

/* ---- commands -------------------------------------------------------------------------------- */

/* The ways in which a sweep treats a command. */
enum command_class { COMMAND_UNKNOWN, COMMAND_REQUEST, COMMAND_RESPONSE, COMMAND_EVENT };

struct command_row {
	unsigned int first;
	unsigned int count;
	enum command_class class;
	unsigned int filter;
};

#define COMMAND_ROW(first, count, name, class, type, payload, mark)                                \
	{first, count, COMMAND_##class, SMILE_TYPE_##type ? 1U << (SMILE_TYPE_##type - 1) : 0},

/* SMILE_FILTER_READ, _WRITE and _LOCK are bits 0, 1 and 2, in the order of the types. */
_Static_assert(SMILE_FILTER_READ == 1U << (SMILE_TYPE_READ - 1), "filter bit of reads");
_Static_assert(SMILE_FILTER_WRITE == 1U << (SMILE_TYPE_WRITE - 1), "filter bit of writes");
_Static_assert(SMILE_FILTER_LOCK == 1U << (SMILE_TYPE_LOCK - 1), "filter bit of locks");

static const struct command_row *command_find(uint64_t bd1)
{
	static const struct command_row rows[] = {BLINK_COMMAND_TABLE(COMMAND_ROW)};
	unsigned int command = (unsigned int)SMILE_GET(BLINK_BD1_COMMAND, bd1);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (command >= rows[i].first && command < rows[i].first + rows[i].count)
			return &rows[i];
	return NULL;
}

/* ---- captures -------------------------------------------------------------------------------- */

/*
 * Every transaction on a node's B-Link has this node as its source or its target. Remove the nodes
 * from @file->end that are neither the source nor the target of this transaction.
 */
static void ends_narrow(struct sweep_file *file, uint64_t bd1)
{
	unsigned int source = (unsigned int)SMILE_GET(BLINK_BD1_SOURCE, bd1);
	unsigned int target = (unsigned int)SMILE_GET(BLINK_BD1_TARGET, bd1);

	if (!file->seen) {
		file->end[0] = source;
		file->end[1] = target;
		file->is_end[0] = 1;
		file->is_end[1] = source != target;
		file->seen = 1;
	}
	for (int i = 0; i < 2; i++)
		if (file->end[i] != source && file->end[i] != target)
			file->is_end[i] = 0;
}

static int frame_add(struct sweep_file *file, struct sweep_traffic *traffic,
		     const struct sweep_choice *choice, const void *frame, size_t bytes)
{
	const struct command_row *command;
	struct sweep_event event;

	if (bytes < sizeof(event))
		return 0;
	memcpy(&event, frame, sizeof(event));
	command = command_find(le64toh(event.bd1));
	if (!command || (command->class != COMMAND_REQUEST && command->class != COMMAND_RESPONSE))
		return 0;
	ends_narrow(file, le64toh(event.bd1));
	if (command->class != COMMAND_REQUEST || !(command->filter & choice->filter))
		return 0;
	return sweep_traffic_add(traffic, &event, choice);
}

/*
 * Handle a failed read. It can fail because a signal interrupted it while it waited for data in a
 * pipe.
 */
static int capture_failed(const struct sweep_ops *ops, int error)
{
	int interrupted = sweep_interrupted(ops);

	return interrupted ? interrupted : error;
}

static int frames_read(struct sweep_file *file, struct sweep_traffic *traffic,
		       const struct sweep_choice *choice, const struct sweep_ops *ops,
		       struct Monitor_capture *capture)
{
	uint64_t time_ns, frames;
	const void *frame;
	int got, failed = 0;
	size_t bytes;

	for (frames = 0; !failed; frames++) {
		if (frames % FILE_LOOK == 0) {
			failed = sweep_interrupted(ops);
			if (failed)
				break;
			if (ops->progress)
				ops->progress(file->path, "frames", frames);
		}
		got = Monitor_capture_read(capture, &frame, &bytes, &time_ns);
		if (got < 0)
			failed = capture_failed(ops, got);
		if (got <= 0)
			break;
		if (!frames)
			file->first_ns = time_ns;
		if (time_ns > file->last_ns)
			file->last_ns = time_ns;
		failed = frame_add(file, traffic, choice, frame, bytes);
	}
	if (!failed && frames && !file->seen && ops->warn)
		ops->warn(file->path, "holds no frame that is a request or a response: a capture "
				      "of a B-Link has words in little-endian byte order, BD1 "
				      "first");
	return failed;
}

static int capture_read(struct sweep_file *file, struct sweep_traffic *traffic,
			const struct sweep_choice *choice, const struct sweep_ops *ops)
{
	struct Monitor_capture *capture;
	int failed = Monitor_capture_open(&capture, file->path);

	if (failed < 0)
		return capture_failed(ops, failed);
	failed = frames_read(file, traffic, choice, ops, capture);
	Monitor_capture_close(capture);
	return failed;
}

/* ---- recordings ------------------------------------------------------------------------------ */

/* Make the request that a record stands for. */
static struct sweep_event record_event(const struct Monitor_record *record)
{
	uint64_t command = record->type == SMILE_TYPE_WRITE  ? BLINK_WRITESB
			   : record->type == SMILE_TYPE_LOCK ? BLINK_LOCKSB
							     : BLINK_READSB;

	/*
	 * The low four bits of the address are the offset of the word's last byte in its block of
	 * 16 bytes.
	 */
	command += (record->address & 12) | 3;
	return (struct sweep_event){
		.bd1 = htole64(SMILE_PUT(BLINK_BD1_SOURCE, (uint64_t)record->source) |
			       SMILE_PUT(BLINK_BD1_TARGET, (uint64_t)record->destination) |
			       SMILE_PUT(BLINK_BD1_COMMAND, command)),
		.bd2 = htole64(SMILE_PUT(BLINK_BD2_ADDRESS, record->address)),
	};
}

static int record_add(struct sweep_file *file, struct sweep_traffic *traffic,
		      const struct sweep_choice *choice, const struct Monitor_record *record)
{
	struct sweep_event event = record_event(record);

	file->seen = 1;
	if (record->count != 1 || record->response)
		return Monitor_error_set(
			EINVAL,
			"%s has a record of %s, but a sweep needs one record for each request: "
			"record with --counters 1 --range 4 --packets requests",
			file->path, record->response ? "responses" : "more than one access");
	if (record->type == SMILE_TYPE_ANY) {
		traffic->untyped = 1;
		if (choice->filter != SMILE_FILTER_TYPES)
			return Monitor_error_set(
				EINVAL,
				"%s was recorded with untyped tags: --types cannot distinguish "
				"its accesses",
				file->path);
	} else if (!(choice->filter & 1U << (record->type - 1))) {
		return 0;
	}
	return sweep_traffic_add(traffic, &event, choice);
}

/* Add the name of the file to the message of a record that cannot be decoded. */
static int record_failed(const struct sweep_file *file, int error)
{
	char *message = strdup(Monitor_error_message());

	if (message)
		Monitor_error_set(-error, "%s: %s", file->path, message);
	free(message);
	return error;
}

/* Add a batch of records. @lost: receives the number of missing accesses */
static int batch_add(struct sweep_file *file, struct sweep_traffic *traffic,
		     const struct sweep_choice *choice, const struct smile_record *records,
		     int count, uint64_t *lost)
{
	struct Monitor_record record;
	int failed = 0;

	for (int i = 0; i < count && !failed; i++) {
		failed = Monitor_record_decode(&records[i], &record);
		if (failed < 0)
			return record_failed(file, failed);
		*lost += record.lost;
		failed = record.kind == SMILE_KIND_DYNAMIC
				 ? record_add(file, traffic, choice, &record)
				 : 0;
	}
	return failed;
}

static int records_read(struct sweep_file *file, struct sweep_traffic *traffic,
			const struct sweep_choice *choice, const struct sweep_ops *ops,
			struct Monitor *mon, struct smile_record *records)
{
	uint64_t lost = 0, total = 0;
	char text[TEXT_COUNT_BYTES], warning[128];
	int got, failed;

	for (;;) {
		failed = sweep_interrupted(ops);
		if (failed)
			return failed;
		got = Monitor_records_read(mon, records, FILE_RECORDS, 0);
		if (got < 0)
			return got;
		if (!got)
			break;
		failed = batch_add(file, traffic, choice, records, got, &lost);
		if (failed)
			return failed;
		total += (uint64_t)got;
		if (ops->progress)
			ops->progress(file->path, "records", total);
	}
	if (lost && ops->warn) {
		snprintf(warning, sizeof(warning),
			 "lost %s accesses: the sweep does not include them",
			 text_count(text, lost));
		ops->warn(file->path, warning);
	}
	return 0;
}

/* Open a recording. Its records must be in the order of the accesses. */
static int recording_open(struct sweep_file *file, struct Monitor **mon, struct smile_info *info)
{
	char *source;
	int failed;

	if (asprintf(&source, "file:%s", file->path) < 0)
		return Monitor_error_set(ENOMEM, "no memory");
	failed = Monitor_open(mon, source);
	free(source);
	if (failed >= 0)
		failed = Monitor_info(*mon, info);
	if (failed < 0)
		return failed;
	if (Monitor_counting(*mon))
		return Monitor_error_set(EINVAL,
					 "%s has counts, but not the order of the accesses: "
					 "record with --records --counters 1 --range 4, or give "
					 "the capture",
					 file->path);
	if (info->config.entries != 1)
		return Monitor_error_set(
			EINVAL,
			"%s was recorded with %u counters, which do not keep the order "
			"of the accesses: record with --counters 1 --range 4, or give "
			"the capture",
			file->path, info->config.entries);
	return 0;
}

static int recording_read(struct sweep_file *file, struct sweep_traffic *traffic,
			  const struct sweep_choice *choice, const struct sweep_ops *ops)
{
	struct smile_record *records = analysis_memory(FILE_RECORDS, sizeof(*records));
	struct smile_statistics statistics;
	struct Monitor *mon = NULL;
	struct smile_info info;
	int failed;

	if (!records)
		return -ENOMEM;
	failed = recording_open(file, &mon, &info);
	if (!failed)
		failed = records_read(file, traffic, choice, ops, mon, records);
	if (!failed) {
		file->end[0] = info.config.node;
		file->is_end[0] = 1;
		file->timed = Monitor_statistics(mon, &statistics) == 0;
		file->last_ns = file->timed ? statistics.clock_ns : 0;
	}
	Monitor_close(mon);
	free(records);
	return failed;
}

/* ---- captures and recordings ----------------------------------------------------------------- */

/* A pipe counts as a capture, because reading its first bytes here would consume them. */
static int is_recording(const char *path)
{
	char magic[sizeof(RECORDING_MAGIC) - 1];
	struct stat status;
	FILE *file;
	int is = 0;

	if (!strcmp(path, "-") || stat(path, &status) < 0 || !S_ISREG(status.st_mode))
		return 0;
	file = fopen(path, "re");
	if (!file)
		return 0;
	is = fread(magic, 1, sizeof(magic), file) == sizeof(magic) &&
	     !memcmp(magic, RECORDING_MAGIC, sizeof(magic));
	fclose(file);
	return is;
}

int sweep_file_read(struct sweep_file *file, struct sweep_traffic *traffic,
		    const struct sweep_choice *choice, const struct sweep_ops *ops)
{
	file->recording = is_recording(file->path);
	return file->recording ? recording_read(file, traffic, choice, ops)
			       : capture_read(file, traffic, choice, ops);
}
