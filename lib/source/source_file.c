/* SPDX-License-Identifier: MIT */
/*
 * Source "file:": reads a recording.
 *
 * What lives here: the reader of the format in recording.h. It checks all data in the file. If a
 * part of the file is damaged, it first delivers the records before this part, and then reports the
 * damage.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/source/config_check.h"
#include "lib/base/error.h"
#include "lib/base/input_stream.h"
#include "lib/counts/groups.h"
#include "lib/recording/recording.h"
#include "lib/source/source.h"
#include "lib/source/static_tables.h"
#include "lib/recording/tail.h"
#include "lib/map/trailer.h"

/**
 * struct file_source - An open recording.
 * @base: base of every source; it must be the first member
 * @file: the file, positioned at the next record
 * @fd: descriptor of the file
 * @path: path of the file, for messages
 * @info: properties of the recorded card
 * @statistics: statistics at the end; valid only if the recording is complete
 * @tables: the static tables; their size is 0 if the recording has none
 * @host: name of the host on which the recording was made
 * @command_line: command line of the recorder
 * @parameters: parameters of the run from the header; NULL: no parameters
 * @start_ns: time of day at the beginning of the recording
 * @header_bytes: offset of the first record
 * @trailer_field: offset of the header's field that has the offset of the trailer; 0: the header
 *                 has no such field
 * @records: number of records according to the header, or RECORDING_INCOMPLETE
 * @records_end: number of records before the trailer
 * @trailer_at: offset of the trailer; 0: no trailer
 * @trailer_bytes: length of the trailer
 * @trailer_wrong: text that describes an error in the trailer, or NULL
 * @map: the map of the trailer; if there is no trailer, the map of the header
 * @known_at: offset of the data about the program that the header has; 0: the header has no such
 *            data
 * @known_room: number of bytes at @known_at that the header reserves
 * @known_used: number of bytes at @known_at that were already read into @map
 * @taken: number of records that were read from the file; for a counting recording, the number of
 *         units (recording.h)
 * @ended: the recording was read to its end
 * @tail: while the file is followed, the reader of its end; NULL: the file is not followed
 * @counts: this is a counting recording
 * @until_ns: time of the card's clock up to which all counts are in the file; 0: not known
 * @groups: the conversion of units into records
 * @units: units that were read; those from @units_first to @units_count - 1 were not converted yet;
 *                 [FILE_UNITS]
 * @units_first: index of the first unit that was not converted yet
 * @units_count: number of units in @units
 */
struct file_source {
	struct smile_source base;
	FILE *file;
	int fd;
	char *path;
	struct smile_info info;
	struct smile_statistics statistics;
	struct smile_static tables;
	char *host;
	char *command_line;
	char *parameters;
	uint64_t start_ns;
	uint64_t header_bytes;
	uint64_t trailer_field;
	uint64_t records;
	uint64_t records_end;
	uint64_t trailer_at;
	uint64_t trailer_bytes;
	const char *trailer_wrong;
	struct map map;
	uint64_t known_at;
	size_t known_room;
	size_t known_used;
	uint64_t taken;
	int ended;
	struct tail *tail;
	int counts;
	uint64_t until_ns;
	struct group_reader groups;
	struct smile_record *units;
	size_t units_first;
	size_t units_count;
};

/* The number of units of a counting recording that are read at a time. */
#define FILE_UNITS 4096U

static struct file_source *file_of(struct smile_source *source)
{
	return (struct file_source *)source;
}

static void file_close(struct smile_source *source)
{
	struct file_source *recording = file_of(source);

	smile_tail_free(recording->tail);
	if (recording->file)
		fclose(recording->file);
	smile_map_free(&recording->map);
	free(recording->units);
	free(recording->host);
	free(recording->command_line);
	free(recording->parameters);
	free(recording->path);
	free(recording);
}

static int damaged(const struct file_source *recording, const char *what)
{
	return smile_error(EPROTO, "%s: the recording's header is damaged (%s): record it again",
			   recording->path, what);
}

/*
 * Store a string, unless an earlier reading has stored it. The string is the same in all readings,
 * and the caller may have a pointer to it.
 */
static void get_string(char **string, const unsigned char *data, size_t bytes)
{
	if (!*string)
		*string = strndup((const char *)data, bytes);
}

/*
 * Copy a struct from the file, unless it is too short. Skip members that only later versions have.
 */
static void get_struct(void *to, size_t to_bytes, const unsigned char *data, size_t bytes)
{
	if (bytes >= to_bytes)
		memcpy(to, data, to_bytes);
}

static void get_info(struct smile_info *info, const unsigned char *data, size_t bytes)
{
	get_struct(info, sizeof(*info), data, bytes);
	smile_recording_swap_info(info);
	info->size = info->size ? sizeof(*info) : 0;
	if (info->config.size > sizeof(info->config))
		info->config.size = sizeof(info->config);
}

static void get_statistics(struct smile_statistics *statistics, const unsigned char *data,
			   size_t bytes)
{
	get_struct(statistics, sizeof(*statistics), data, bytes);
	smile_recording_swap_statistics(statistics);
	statistics->size = sizeof(*statistics);
}

static void get_static(struct smile_static *tables, const unsigned char *data, size_t bytes)
{
	get_struct(tables, sizeof(*tables), data, bytes);
	smile_recording_swap_static(tables);
	if (tables->size > sizeof(*tables))
		tables->size = sizeof(*tables);
}

static void take_field(struct file_source *recording, const struct field *field)
{
	switch (field->tag) {
	case RECORDING_TAG_INFO:
		get_info(&recording->info, field->data, field->length);
		break;
	case RECORDING_TAG_STATISTICS:
		get_statistics(&recording->statistics, field->data, field->length);
		break;
	case RECORDING_TAG_STATIC:
		get_static(&recording->tables, field->data, field->length);
		break;
	case RECORDING_TAG_HOST:
		get_string(&recording->host, field->data, field->length);
		break;
	case RECORDING_TAG_COMMAND:
		get_string(&recording->command_line, field->data, field->length);
		break;
	case RECORDING_TAG_PARAMETERS:
		get_string(&recording->parameters, field->data, field->length);
		break;
	case RECORDING_TAG_TRAILER:
		if (field->length < RECORDING_TRAILER_BYTES)
			break;
		recording->trailer_at = smile_field_number(field->data, 8);
		recording->trailer_bytes = smile_field_number(field->data + 8, 8);
		break;
	case RECORDING_TAG_UNTIL:
		if (field->length >= RECORDING_UNTIL_BYTES)
			recording->until_ns = smile_field_number(field->data, 8);
		break;
	default:
		break;
	}
}

static int parse_fields(struct file_source *recording, const unsigned char *at,
			const unsigned char *end)
{
	struct field field;

	do {
		const char *wrong = smile_field_next(&at, end, &field);

		if (wrong)
			return damaged(recording, wrong);
		if (field.tag == RECORDING_TAG_TRAILER)
			recording->trailer_field =
				recording->header_bytes - (uint64_t)(end - field.data);
		if (field.tag == RECORDING_TAG_KNOWN) {
			recording->known_at =
				recording->header_bytes - (uint64_t)(end - field.data);
			recording->known_room = field.length;
		}
		take_field(recording, &field);
	} while (field.tag != RECORDING_TAG_END);
	return 0;
}

/* ---- the trailer ---------------------------------------------------------------------------- */

static const char *read_trailer(struct file_source *recording)
{
	unsigned char *data = malloc(recording->trailer_bytes + 1);
	const char *wrong = "it is cut off";

	if (!data)
		return "there is no memory for it";
	if (fread(data, 1, recording->trailer_bytes, recording->file) == recording->trailer_bytes)
		wrong = smile_trailer_parse(&recording->map, data, recording->trailer_bytes);
	free(data);
	return wrong;
}

/*
 * Read the trailer, which follows the records, and then seek back to the records. An error in the
 * trailer is reported only after all records were read.
 */
static void parse_trailer(struct file_source *recording, uint64_t header_bytes)
{
	uint64_t records = recording->trailer_at - header_bytes;
	struct stat status;

	if (recording->trailer_at < header_bytes || records % SMILE_RECORD_BYTES ||
	    (recording->records != RECORDING_INCOMPLETE &&
	     records / SMILE_RECORD_BYTES != recording->records)) {
		recording->trailer_wrong = "it does not begin where the records end";
		recording->trailer_at = 0;
		return;
	}
	recording->records_end = records / SMILE_RECORD_BYTES;
	if (fstat(recording->fd, &status) || !S_ISREG(status.st_mode)) {
		recording->trailer_wrong = "it cannot be read from a pipe";
		return;
	}
	if (recording->trailer_at > (uint64_t)status.st_size ||
	    recording->trailer_bytes > (uint64_t)status.st_size - recording->trailer_at) {
		recording->trailer_wrong = "it is cut off";
		return;
	}
	if (fseeko(recording->file, (off_t)recording->trailer_at, SEEK_SET))
		recording->trailer_wrong = "it cannot be read";
	else
		recording->trailer_wrong = read_trailer(recording);
	if (fseeko(recording->file, (off_t)header_bytes, SEEK_SET))
		recording->trailer_wrong = "the bytes before it cannot be read";
}

/* ---- data about the program that was known while the recording was written ------------------- */

/*
 * Read the data about the program that is in the header. The header has this data even after the
 * trailer was written. Return: 1 if data was added to the map.
 */
static int file_learn(struct smile_source *source)
{
	struct file_source *recording = (struct file_source *)source;
	size_t room = recording->known_room - recording->known_used, taken = 0;
	off_t at = (off_t)(recording->known_at + recording->known_used);
	unsigned char tag[FIELD_HEAD_BYTES] = {0}, *data;
	ssize_t got;

	if (room < sizeof(tag) ||
	    pread(recording->fd, tag, sizeof(tag), at) != (ssize_t)sizeof(tag) ||
	    smile_field_number(tag, 4) == FIELD_TAG_END)
		return 0;
	data = malloc(room);
	if (!data)
		return 0;
	got = pread(recording->fd, data, room, at);
	if (got > 0)
		taken = smile_trailer_known(&recording->map, data, (size_t)got);
	recording->known_used += taken;
	free(data);
	return taken > 0;
}

/*
 * Set the parameters of the map to those of the header, unless the trailer has parameters. Return:
 * 0; -errno.
 */
static int parameters_early(struct file_source *recording)
{
	int error;

	if (!recording->parameters || recording->map.parameters)
		return 0;
	error = smile_map_parameters_set(&recording->map, recording->parameters);
	recording->map.parameters_early = !error;
	return error;
}

/* ---- the header ----------------------------------------------------------------------------- */

/* Read bytes of the header. Signals do not interrupt this. Return: the number of bytes. */
static size_t header_read(struct file_source *recording, unsigned char *data, size_t bytes)
{
	size_t got = 0, some;

	do {
		some = smile_input_stream_read(recording->file, data + got, 1, bytes - got);
		got += some;
	} while (got < bytes && (some || errno == EINTR));
	return got;
}

static int parse_header(struct file_source *recording)
{
	unsigned char head[RECORDING_OFFSET_FIELDS];
	unsigned char *fields;
	uint64_t version, bytes;
	size_t got = header_read(recording, head, sizeof(head));
	int error;

	if (ferror(recording->file)) {
		error = errno;
		return smile_error(error, "cannot read the recording %s: %s", recording->path,
				   strerror(error));
	}
	if (got < 8 || memcmp(head, RECORDING_MAGIC, 8))
		return smile_error(EPROTO,
				   "%s is not a recording: smile record and smile replay make them "
				   "(a capture is read by smile replay)",
				   recording->path);
	if (got < sizeof(head))
		return damaged(recording, "it is cut off");
	version = smile_field_number(head + RECORDING_OFFSET_VERSION, 4);
	if (version < RECORDING_VERSION || version > RECORDING_VERSION_COUNTS)
		return smile_error(
			EPROTO,
			"%s is a recording of version %llu, this library reads versions %u to %u: "
			"use the release that made it, or a newer one",
			recording->path, (unsigned long long)version, RECORDING_VERSION,
			RECORDING_VERSION_COUNTS);
	recording->counts = version == RECORDING_VERSION_COUNTS;
	bytes = recording->header_bytes = smile_field_number(head + RECORDING_OFFSET_HEADER, 4);
	recording->records = smile_field_number(head + RECORDING_OFFSET_RECORDS, 8);
	recording->start_ns = smile_field_number(head + RECORDING_OFFSET_START, 8);
	if (bytes < sizeof(head) || bytes > RECORDING_HEADER_MAX || bytes % SMILE_RECORD_BYTES)
		return damaged(recording, "its length is invalid");

	bytes -= sizeof(head);
	fields = malloc(bytes + 1);
	if (!fields)
		return smile_error(ENOMEM, "no memory to read %s", recording->path);
	if (header_read(recording, fields, bytes) != bytes)
		error = damaged(recording, "it is cut off");
	else
		error = parse_fields(recording, fields, fields + bytes);
	free(fields);
	if (!error && recording->info.size == 0)
		error = damaged(recording, "it does not name the card that made it");
	if (!error && smile_config_check(&recording->info.config, SMILE_ENTRIES_MAX) < 0)
		error = damaged(recording, "its configuration of the card is impossible");
	if (!error && recording->tables.size && smile_static_check(&recording->tables) < 0)
		error = damaged(recording, "its static tables are invalid");
	recording->records_end = recording->records;
	if (version == RECORDING_VERSION)
		recording->trailer_at = 0;
	if (!error && recording->trailer_at)
		parse_trailer(recording, recording->header_bytes);
	if (!error)
		error = parameters_early(recording);
	recording->known_used = 0;
	if (!error && (!recording->trailer_at || recording->trailer_wrong))
		file_learn(&recording->base);
	return error;
}

static int file_open(struct smile_source **out, const char *rest)
{
	struct file_source *recording = calloc(1, sizeof(*recording));
	int error;

	if (recording) {
		recording->base.ops = &smile_source_file;
		recording->path = strdup(rest);
	}
	if (!recording || !recording->path) {
		free(recording);
		return smile_error(ENOMEM, "no memory to open %s", rest);
	}
	recording->file = smile_input_stream_open(rest, &recording->fd);
	if (!recording->file) {
		error = errno;
		error = smile_error(error, "cannot open the recording %s: %s", rest,
				    strerror(error));
		goto failed;
	}
	error = parse_header(recording);
	if (error < 0)
		goto failed;
	*out = &recording->base;
	return 0;

failed:
	file_close(&recording->base);
	return error;
}

static int file_info(struct smile_source *source, struct smile_info *info)
{
	*info = file_of(source)->info;
	return 0;
}

static int file_static_info(struct smile_source *source, struct smile_static *tables)
{
	const struct file_source *recording = file_of(source);

	if (!recording->tables.size)
		return smile_error(EOPNOTSUPP,
				   "%s holds no static tables: its card had no static array",
				   recording->path);
	*tables = recording->tables;
	return 0;
}

/*
 * Return whether the file continues after the records or, if it has a trailer, after the trailer.
 */
static int goes_on(const struct file_source *recording)
{
	if (recording->trailer_at &&
	    fseeko(recording->file, (off_t)(recording->trailer_at + recording->trailer_bytes),
		   SEEK_SET))
		return 0;
	return fgetc(recording->file) != EOF;
}

/* After the end of the file was reached, check that the records end where the header says. */
static int check_end(const struct file_source *recording)
{
	unsigned long long taken = recording->taken;

	if (ferror(recording->file))
		return smile_error(EIO, "cannot read %s: %s", recording->path, strerror(errno));
	/*
	 * If the writer was killed, the file can have any number of records, and a part of another
	 * record.
	 */
	if (recording->records == RECORDING_INCOMPLETE && !recording->trailer_at)
		return 0;
	if (recording->taken < recording->records_end)
		return smile_error(EPROTO,
				   "%s is cut off: only %llu of its %llu records exist, and they "
				   "were read",
				   recording->path, taken,
				   (unsigned long long)recording->records_end);
	if (recording->trailer_wrong)
		return smile_error(EPROTO,
				   "%s: its %llu records were read, but not the map of the "
				   "program that follows them: %s",
				   recording->path, taken, recording->trailer_wrong);
	if (goes_on(recording))
		return smile_error(
			EPROTO,
			"%s continues behind its %llu records%s: the bytes behind them were not "
			"read",
			recording->path, taken, recording->trailer_at ? " and its trailer" : "");
	return 0;
}

static void file_follow(struct smile_source *source)
{
	struct file_source *recording = file_of(source);
	struct stat status;

	/* A pipe need not be followed, because it ends when its last writer closes it. */
	if (recording->records != RECORDING_INCOMPLETE || recording->ended ||
	    fstat(recording->fd, &status) || !S_ISREG(status.st_mode))
		return;
	recording->tail = smile_tail_new(recording->fd, recording->path, recording->header_bytes,
					 recording->trailer_field, recording->start_ns);
}

/*
 * After the writer has ended, read the header again, and seek to the position after the last
 * record.
 */
static int follow_end(struct file_source *recording)
{
	int error;

	smile_tail_free(recording->tail);
	recording->tail = NULL;
	recording->trailer_at = 0;
	recording->trailer_wrong = NULL;
	smile_map_free(&recording->map);
	memset(&recording->map, 0, sizeof(recording->map));
	/* Otherwise, the stream could take the header from its buffer. */
	error = fseeko(recording->file, 0, SEEK_END) || fseeko(recording->file, 0, SEEK_SET)
			? -EIO
			: parse_header(recording);
	if (!error &&
	    fseeko(recording->file,
		   (off_t)(recording->header_bytes + recording->taken * SMILE_RECORD_BYTES),
		   SEEK_SET))
		error = -EIO;
	return error == -EIO
		       ? smile_error(EIO, "cannot read %s: %s", recording->path, strerror(errno))
		       : error;
}

static int follow_read(struct file_source *recording, struct smile_record *records, size_t capacity)
{
	int over, error;
	int count = smile_tail_read(recording->tail, recording->taken, records, capacity, &over);

	if (count > 0)
		recording->taken += (uint64_t)count;
	if (count > 0 || !over)
		return count;
	/* Report an error at the end in the same way as for a recording that was not followed. */
	error = count ? count : follow_end(recording);
	recording->ended = 1;
	return error < 0 ? error : check_end(recording);
}

/* Read the next units of the file without converting them. */
static int units_read(struct file_source *recording, struct smile_record *records, size_t capacity)
{
	size_t count;

	if (recording->ended)
		return 0;
	if (recording->tail)
		return follow_read(recording, records, capacity);
	if (capacity > recording->records_end - recording->taken)
		capacity = (size_t)(recording->records_end - recording->taken);
	count = smile_input_stream_read(recording->file, records, sizeof(*records), capacity);
	recording->taken += count;
	if (count)
		return (int)count;
	if (errno == EINTR)
		return smile_error(EINTR, "reading %s was interrupted", recording->path);
	recording->ended = 1;
	return check_end(recording);
}

/*
 * Check for an incomplete group, which a killed writer may leave. The existing part of the group
 * was already returned.
 */
static int check_group(struct file_source *recording)
{
	int open = smile_group_open(&recording->groups);

	memset(&recording->groups, 0, sizeof(recording->groups));
	if (!open || recording->records == RECORDING_INCOMPLETE)
		return 0;
	return smile_error(EPROTO,
			   "%s ends within a group of counts: the groups before it were read",
			   recording->path);
}

/* Read units until the whole next group is in memory, or the file ends. */
static void units_gather(struct file_source *recording)
{
	size_t left = recording->units_count - recording->units_first;
	size_t more = FILE_UNITS - left;

	if (left >= GROUP_UNITS_MAX)
		return;
	if (more > recording->records_end - recording->taken)
		more = (size_t)(recording->records_end - recording->taken);
	memmove(recording->units, recording->units + recording->units_first,
		left * sizeof(*recording->units));
	more = smile_input_stream_read(recording->file, recording->units + left,
				       sizeof(*recording->units), more);
	recording->taken += more;
	recording->units_first = 0;
	recording->units_count = left + more;
}

/*
 * Sum up the next group, and make records of the sums if @records has space for all of them.
 * Return: the number of records, or 0.
 */
static size_t sum_read(struct file_source *recording, struct smile_record *records, size_t capacity)
{
	const struct smile_record *units = recording->units + recording->units_first;
	struct group_sums sums;
	size_t used =
		smile_group_sum(units, recording->units_count - recording->units_first, &sums);
	size_t some = used ? smile_group_records(&sums, records, capacity) : 0;

	if (!some)
		return 0;
	recording->base.added_up += sums.records - some;
	recording->units_first += used;
	return some;
}

/* Skip the next group. Return: the number of its units; 0 if the group is not complete. */
static size_t group_skip(struct file_source *recording)
{
	size_t used = smile_group_units(&recording->units[recording->units_first]);

	if (used > recording->units_count - recording->units_first)
		return 0;
	recording->units_first += used;
	return used;
}

/*
 * Sum up or skip the next groups, up to the first group whose records are all needed. Return: the
 * number of records.
 */
static size_t sums_read(struct file_source *recording, struct smile_record *records,
			size_t capacity)
{
	size_t filled = 0, some;
	uint64_t page;

	if (!recording->base.wanted || recording->tail || smile_group_open(&recording->groups))
		return 0;
	for (;;) {
		units_gather(recording);
		if (recording->units_first == recording->units_count ||
		    !smile_group_page(&recording->units[recording->units_first], &page))
			return filled;
		switch (recording->base.wanted(recording->base.opaque, page)) {
		case SOURCE_NOTHING:
			if (!group_skip(recording))
				return filled;
			break;
		case SOURCE_SUMS:
			some = sum_read(recording, records + filled, capacity - filled);
			if (!some)
				return filled;
			filled += some;
			break;
		default:
			return filled;
		}
	}
}

/*
 * Get the number of units to convert next. If groups may be summed up or skipped, convert only the
 * units of one group.
 */
static size_t units_next(const struct file_source *recording)
{
	size_t left = recording->units_count - recording->units_first;
	size_t most = smile_group_open(&recording->groups) ? recording->groups.units : 1;

	return recording->base.wanted && most < left ? most : left;
}

static int counts_read(struct file_source *recording, struct smile_record *records, size_t capacity)
{
	size_t used, filled;
	int got;

	if (!recording->units)
		recording->units = malloc(FILE_UNITS * sizeof(*recording->units));
	if (!recording->units)
		return smile_error(ENOMEM, "no memory to read %s", recording->path);
	for (;;) {
		filled = sums_read(recording, records, capacity);
		if (filled)
			return (int)filled;
		filled = smile_group_read(&recording->groups,
					  recording->units + recording->units_first,
					  units_next(recording), &used, records, capacity);
		recording->units_first += used;
		if (filled)
			return (int)filled;
		if (recording->units_first < recording->units_count)
			continue;
		got = units_read(recording, recording->units, FILE_UNITS);
		if (got <= 0)
			return got || !recording->ended ? got : check_group(recording);
		recording->units_first = 0;
		recording->units_count = (size_t)got;
	}
}

static int file_read(struct smile_source *source, struct smile_record *records, size_t capacity,
		     int timeout_ms)
{
	struct file_source *recording = file_of(source);

	return recording->counts ? counts_read(recording, records, capacity)
				 : units_read(recording, records, capacity);
}

static int file_counting(struct smile_source *source)
{
	return file_of(source)->counts;
}

static int file_ended(struct smile_source *source)
{
	return file_of(source)->ended;
}

static int file_rewind(struct smile_source *source)
{
	struct file_source *recording = file_of(source);

	if (recording->tail)
		return smile_error(EBUSY, "%s is still being written: it cannot be read again",
				   recording->path);
	if (fseeko(recording->file, (off_t)recording->header_bytes, SEEK_SET)) {
		int error = errno;

		return smile_error(error, "%s cannot be read again: %s", recording->path,
				   strerror(error));
	}
	recording->taken = 0;
	recording->ended = 0;
	recording->units_first = recording->units_count = 0;
	memset(&recording->groups, 0, sizeof(recording->groups));
	return 0;
}

static int file_statistics(struct smile_source *source, struct smile_statistics *statistics)
{
	const struct file_source *recording = file_of(source);

	if (recording->records == RECORDING_INCOMPLETE)
		return smile_error(
			ENODATA, "%s was not closed: the card's counters at its end are not known",
			recording->path);
	*statistics = recording->statistics;
	return 0;
}

static int file_origin(struct smile_source *source, struct Monitor_origin *origin)
{
	const struct file_source *recording = file_of(source);

	origin->host = recording->host ? recording->host : "";
	origin->command_line = recording->command_line ? recording->command_line : "";
	origin->start_ns = recording->start_ns;
	origin->complete = recording->records != RECORDING_INCOMPLETE;
	origin->until_ns = recording->until_ns;
	return 0;
}

static const struct map *file_map(struct smile_source *source)
{
	return &file_of(source)->map;
}

static int file_fd(struct smile_source *source)
{
	return file_of(source)->fd;
}

const struct smile_source_ops smile_source_file = {
	.prefix = "file",
	.open = file_open,
	.close = file_close,
	.info = file_info,
	.static_info = file_static_info,
	.read = file_read,
	.counting = file_counting,
	.ended = file_ended,
	.rewind = file_rewind,
	.follow = file_follow,
	.learn = file_learn,
	.statistics = file_statistics,
	.origin = file_origin,
	.map = file_map,
	.fd = file_fd,
};
