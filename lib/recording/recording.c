/* SPDX-License-Identifier: MIT */
/*
 * Recording: the writer.
 *
 * What lives here: the creation and the completion of a recording. The header has space for the
 * final statistics, which are written at the end, together with the number of records. A recording
 * is complete if and only if its header has this number.
 */
#include <endian.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/clock.h>
#include <base/file_lock.h>

#include "lib/base/error.h"
#include "lib/base/locked_file.h"
#include "lib/counts/groups.h"
#include "lib/recording/write_buffer.h"
#include "lib/recording/recording.h"
#include "lib/map/trailer.h"

/*
 * The longest time for which a record stays in the buffer while further records arrive. There is a
 * limit so that processes that follow the file get the records soon.
 */
#define FLUSH_NS 100000000ULL

/**
 * struct recording_writer - A recording that is being written.
 * @file: the file, for all data except the records
 * @fd: descriptor of the file
 * @end: the buffer for records, which are appended at the end of the file
 * @path: path of the file, for messages
 * @info_offset: offset of the card's properties in the header
 * @statistics_offset: offset of the space for the statistics
 * @static_offset: offset of the static tables; 0: the header has no static tables
 * @trailer_offset: offset of the header's field that has the offset of the trailer
 * @until_offset: offset of the field with the time up to which the file has all counts; 0: the
 *                header has no such field
 * @known_offset: offset of the data about the program that is known early; 0: the header has no
 *                space for it
 * @known_room: number of bytes at @known_offset that the header reserves
 * @known_used: number of used bytes at @known_offset
 * @records: number of records that were written
 * @flushed_ns: time at which all records were last in the file
 * @header: the header, until the recording begins; NULL: it has begun
 * @header_bytes: length of the header
 * @packer: COUNT records that were not written yet; NULL: this is not a counting recording
 * @units: memory for a group
 */
struct recording_writer {
	FILE *file;
	int fd;
	struct write_buffer end;
	char *path;
	long info_offset;
	long statistics_offset;
	long static_offset;
	long trailer_offset;
	long until_offset;
	long known_offset;
	size_t known_room;
	size_t known_used;
	uint64_t records;
	uint64_t flushed_ns;
	char *header;
	size_t header_bytes;
	struct group_packer *packer;
	struct smile_record *units;
};

static void swap_numbers(uint32_t *numbers, size_t bytes)
{
	for (size_t i = 0; i < bytes / sizeof(*numbers); i++)
		numbers[i] = htole32(numbers[i]);
}

void smile_recording_swap_info(struct smile_info *info)
{
	swap_numbers((uint32_t *)info, sizeof(*info));
}

void smile_recording_swap_static(struct smile_static *tables)
{
	swap_numbers((uint32_t *)tables, sizeof(*tables));
}

void smile_recording_swap_statistics(struct smile_statistics *statistics)
{
	__u64 *counts =
		(__u64 *)((char *)statistics + offsetof(struct smile_statistics, packets_seen));
	size_t count = (sizeof(*statistics) - offsetof(struct smile_statistics, packets_seen)) /
		       sizeof(*counts);

	statistics->size = htole32(statistics->size);
	statistics->status = htole32(statistics->status);
	for (size_t i = 0; i < count; i++)
		counts[i] = htole64(counts[i]);
}

static int write_error_of(const struct recording_writer *writer, int error)
{
	return smile_error(error,
			   "cannot write the recording %s: %s; its contents so far are readable",
			   writer->path, strerror(error));
}

int smile_recording_failed(const struct recording_writer *writer, int error)
{
	return write_error_of(writer, -error);
}

static int write_error(const struct recording_writer *writer)
{
	return write_error_of(writer, errno ? errno : EIO);
}

/* Write all records to the file. After an error, no further records are written. */
static int flush_records(struct recording_writer *writer)
{
	int error = smile_recording_begin(writer);

	if (error < 0)
		return error;
	error = smile_write_buffer_flush(&writer->end);
	return error < 0 ? write_error_of(writer, -error) : 0;
}

/* Write the static tables, with space for larger tables. */
static void put_static(FILE *file, struct recording_writer *writer,
		       const struct smile_static *tables)
{
	struct smile_static ordered = *tables;

	smile_recording_swap_static(&ordered);
	writer->static_offset = ftell(file) + 8;
	smile_field_put(file, RECORDING_TAG_STATIC, &ordered, sizeof(ordered));
}

static void put_header(FILE *file, struct recording_writer *writer, const char *command_line,
		       const struct smile_info *info, const struct smile_static *tables,
		       const char *parameters)
{
	struct smile_statistics statistics = {.size = sizeof(statistics)};
	static const char nothing[RECORDING_TRAILER_BYTES];
	struct smile_info ordered = *info;
	char host[256] = "";
	long end;

	gethostname(host, sizeof(host) - 1);
	smile_recording_swap_info(&ordered);
	smile_recording_swap_statistics(&statistics);

	fwrite(RECORDING_MAGIC, 1, 8, file);
	smile_field_put_number(file, writer->packer ? RECORDING_VERSION_COUNTS : RECORDING_VERSION,
			       4);
	smile_field_put_number(file, 0, 4);
	smile_field_put_number(file, RECORDING_INCOMPLETE, 8);
	smile_field_put_number(file, clock_time_ns(CLOCK_REALTIME), 8);
	writer->info_offset = ftell(file) + 8;
	smile_field_put(file, RECORDING_TAG_INFO, &ordered, sizeof(ordered));
	writer->statistics_offset = ftell(file) + 8;
	smile_field_put(file, RECORDING_TAG_STATISTICS, &statistics, sizeof(statistics));
	smile_field_put(file, RECORDING_TAG_HOST, host, strlen(host));
	smile_field_put(file, RECORDING_TAG_COMMAND, command_line, strlen(command_line));
	if (tables)
		put_static(file, writer, tables);
	writer->trailer_offset = ftell(file) + 8;
	smile_field_put(file, RECORDING_TAG_TRAILER, nothing, sizeof(nothing));
	if (writer->packer) {
		writer->until_offset = ftell(file) + 8;
		smile_field_put(file, RECORDING_TAG_UNTIL, nothing, RECORDING_UNTIL_BYTES);
	}
	if (writer->known_room) {
		writer->known_offset = ftell(file) + 8;
		smile_field_begin(file, RECORDING_TAG_KNOWN, writer->known_room);
		for (size_t i = 0; i < writer->known_room; i++)
			fputc(0, file);
	}
	if (parameters && strlen(parameters) <= RECORDING_PARAMETERS_MAX)
		smile_field_put(file, RECORDING_TAG_PARAMETERS, parameters, strlen(parameters));
	smile_field_put(file, RECORDING_TAG_END, "", 0);
	while (ftell(file) % SMILE_RECORD_BYTES)
		fputc(0, file);

	end = ftell(file);
	fseek(file, RECORDING_OFFSET_HEADER, SEEK_SET);
	smile_field_put_number(file, (uint64_t)end, 4);
	fseek(file, end, SEEK_SET);
}

/* Make the header, which smile_recording_begin() writes. Return: 0; -ENOMEM. */
static int make_header(struct recording_writer *writer, const char *command_line,
		       const struct smile_info *info, const struct smile_static *tables,
		       const char *parameters)
{
	FILE *file = open_memstream(&writer->header, &writer->header_bytes);

	if (!file)
		return -ENOMEM;
	put_header(file, writer, command_line, info, tables, parameters);
	return fclose(file) ? -ENOMEM : 0;
}

/*
 * Write the whole header at once, so that a reader that finds the file also finds a header with its
 * own length. Return: 0; -errno.
 */
static int write_header(struct recording_writer *writer)
{
	size_t at = 0;
	ssize_t got;

	while (at < writer->header_bytes) {
		got = pwrite(writer->fd, writer->header + at, writer->header_bytes - at, (off_t)at);
		if (got < 0 && errno != EINTR)
			return -errno;
		at += got < 0 ? 0 : (size_t)got;
	}
	return 0;
}

int smile_recording_begin(struct recording_writer *writer)
{
	int error;

	if (!writer->header)
		return 0;
	error = file_lock_empty(writer->fd);
	if (!error)
		error = write_header(writer);
	free(writer->header);
	writer->header = NULL;
	return error < 0 ? write_error_of(writer, -error) : 0;
}

bool smile_recording_begun(const struct recording_writer *writer)
{
	return !writer->header;
}

/* Write all data, and close the file. Return: 0; EOF with errno. */
static int writer_close(struct recording_writer *writer)
{
	int failed = 0;

	if (writer->file)
		failed = fflush(writer->file);
	smile_write_buffer_end(&writer->end);
	if (writer->file && fclose(writer->file))
		failed = EOF;
	writer->file = NULL;
	return failed;
}

static void writer_free(struct recording_writer *writer)
{
	writer_close(writer);
	free(writer->header);
	free(writer->packer);
	free(writer->units);
	free(writer->path);
	free(writer);
}

void smile_recording_abandon(struct recording_writer *writer)
{
	writer_free(writer);
}

/* Check whether a file has older contents. */
static bool has_contents(int fd)
{
	struct stat status;

	return !fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size;
}

static struct recording_writer *writer_new(const char *path, const struct smile_info *info,
					   int counts)
{
	struct recording_writer *writer = calloc(1, sizeof(*writer));

	if (!writer)
		return NULL;
	writer->path = strdup(path);
	if (counts) {
		writer->packer = calloc(1, sizeof(*writer->packer));
		writer->units = calloc(GROUP_UNITS_MAX, sizeof(*writer->units));
	}
	if (!writer->path || (counts && (!writer->packer || !writer->units))) {
		writer_free(writer);
		return NULL;
	}
	if (counts)
		writer->packer->block_words = info->config.max_range_bytes / SMILE_WORD_BYTES;
	return writer;
}

static int create(struct recording_writer **out, const char *path, const char *command_line,
		  const struct smile_info *info, const struct smile_static *tables, size_t known,
		  const char *parameters, int counts)
{
	struct recording_writer *writer = writer_new(path, info, counts);
	int error;

	if (!writer)
		return smile_error(ENOMEM, "no memory to create the recording %s", path);
	if (command_line && strlen(command_line) > RECORDING_HEADER_MAX / 2)
		command_line = "(longer than a recording's header can hold)";
	writer->known_room = known;

	error = make_header(writer, command_line ? command_line : "", info, tables, parameters);
	if (!error)
		error = smile_write_buffer_begin(&writer->end, -1, writer->header_bytes);
	if (error < 0) {
		writer_free(writer);
		return smile_error(ENOMEM, "no memory to create the recording %s", path);
	}
	error = smile_locked_file(&writer->file, &writer->fd, path, "recording");
	if (error < 0) {
		writer_free(writer);
		return error;
	}
	if (fseek(writer->file, 0, SEEK_SET)) {
		writer_free(writer);
		return smile_error(ESPIPE,
				   "%s is a pipe: a recording needs a file, since its header is "
				   "completed last",
				   path);
	}
	writer->end.fd = writer->fd;
	error = has_contents(writer->fd) ? 0 : smile_recording_begin(writer);
	if (error < 0) {
		writer_free(writer);
		return error;
	}
	*out = writer;
	return 0;
}

int smile_recording_create(struct recording_writer **out, const char *path,
			   const char *command_line, const struct smile_info *info,
			   const struct smile_static *tables, size_t known, const char *parameters)
{
	return create(out, path, command_line, info, tables, known, parameters, 0);
}

int smile_recording_create_counts(struct recording_writer **out, const char *path,
				  const char *command_line, const struct smile_info *info,
				  const struct smile_static *tables, size_t known,
				  const char *parameters)
{
	return create(out, path, command_line, info, tables, known, parameters, 1);
}

/* Write all records to the file, and seek to a part of the header. */
static int go_to(struct recording_writer *writer, long offset)
{
	int error = flush_records(writer);

	if (error < 0)
		return error;
	errno = 0;
	return fseek(writer->file, offset, SEEK_SET) || ferror(writer->file) ? write_error(writer)
									     : 0;
}

/* Write a part of the header again. */
static int rewrite(struct recording_writer *writer, long offset, const void *data, size_t bytes)
{
	int error = go_to(writer, offset);

	if (error < 0)
		return error;
	errno = 0;
	fwrite(data, bytes, 1, writer->file);
	return fflush(writer->file) || ferror(writer->file) ? write_error(writer) : 0;
}

int smile_recording_configure(struct recording_writer *writer, const struct smile_info *info)
{
	struct smile_info ordered = *info;

	smile_recording_swap_info(&ordered);
	return rewrite(writer, writer->info_offset, &ordered, sizeof(ordered));
}

int smile_recording_static(struct recording_writer *writer, const struct smile_static *tables)
{
	struct smile_static ordered = *tables;

	smile_recording_swap_static(&ordered);
	return rewrite(writer, writer->static_offset, &ordered, sizeof(ordered));
}

/*
 * Write new fields after the old fields. The tag of the first new field is written last, so that a
 * reader that finds this tag also finds all data after it.
 */
int smile_recording_known(struct recording_writer *writer, const struct map *map)
{
	size_t used = writer->known_used, bytes = 0;
	long at = writer->known_offset + (long)used;
	char *text = NULL;
	FILE *file;
	int error = 0;

	if (!writer->known_room)
		return 0;
	file = open_memstream(&text, &bytes);
	if (!file)
		return smile_error(ENOMEM, "no memory to write the recording %s", writer->path);
	smile_trailer_write_known(file, map, writer->known_room - FIELD_HEAD_BYTES);
	if (fclose(file))
		error = smile_error(ENOMEM, "no memory to write the recording %s", writer->path);
	if (!error && bytes > used) {
		error = rewrite(writer, at + (long)FIELD_HEAD_BYTES, text + used + FIELD_HEAD_BYTES,
				bytes - used - FIELD_HEAD_BYTES);
		if (error >= 0)
			error = rewrite(writer, at, text + used, FIELD_HEAD_BYTES);
		writer->known_used = bytes;
	}
	free(text);
	return error;
}

/* Append units in the format of the file. */
static int put_units(struct recording_writer *writer, const struct smile_record *units,
		     size_t count)
{
	int error = smile_recording_begin(writer);

	if (error < 0)
		return error;
	error = smile_write_buffer_put(&writer->end, units, count * sizeof(*units));
	if (error < 0)
		return write_error_of(writer, -error);
	writer->records += count;
	return 0;
}

static int put_group(struct recording_writer *writer)
{
	int error = 0;
	size_t count;

	while (writer->packer && error >= 0 &&
	       (count = smile_group_write(writer->packer, writer->units)))
		error = put_units(writer, writer->units, count);
	return error;
}

/* Append counts in groups, and all other records unchanged, without changing their order. */
static int put_counts(struct recording_writer *writer, const struct smile_record *records,
		      size_t count)
{
	int error = 0;

	for (size_t i = 0; i < count && error >= 0; i++) {
		int taken = smile_group_add(writer->packer, &records[i]);

		if (taken == 1)
			continue;
		error = put_group(writer);
		if (error >= 0 && taken == 0)
			smile_group_add(writer->packer, &records[i]);
		else if (error >= 0)
			error = put_units(writer, &records[i], 1);
	}
	return error;
}

int smile_recording_append(struct recording_writer *writer, const struct smile_record *records,
			   size_t count)
{
	int error = writer->packer ? put_counts(writer, records, count)
				   : put_units(writer, records, count);

	if (error < 0)
		return error;
	return clock_now_ns() - writer->flushed_ns < FLUSH_NS ? 0 : smile_recording_flush(writer);
}

int smile_recording_row(struct recording_writer *writer, const struct Monitor_record *first,
			const uint32_t *counts, size_t count)
{
	int error;

	if (smile_group_add_row(writer->packer, first, counts, count))
		return 0;
	error = put_group(writer);
	if (error >= 0)
		smile_group_add_row(writer->packer, first, counts, count);
	return error;
}

int smile_recording_until(struct recording_writer *writer, uint64_t time_ns)
{
	uint64_t until = htole64(time_ns);
	int error = put_group(writer);

	return error < 0 ? error : rewrite(writer, writer->until_offset, &until, sizeof(until));
}

uint64_t smile_recording_bytes(const struct recording_writer *writer)
{
	return writer->records * SMILE_RECORD_BYTES;
}

int smile_recording_flush(struct recording_writer *writer)
{
	int error = put_group(writer);

	if (error < 0 || !writer->end.used)
		return error;
	writer->flushed_ns = clock_now_ns();
	return flush_records(writer);
}

/* Write the offset and the length of the trailer to the header. */
static int put_place(struct recording_writer *writer, uint64_t at, uint64_t bytes)
{
	int error = go_to(writer, writer->trailer_offset);

	if (error < 0)
		return error;
	smile_field_put_number(writer->file, at, 8);
	smile_field_put_number(writer->file, bytes, 8);
	return 0;
}

/*
 * Write the offset of the trailer to the header before the trailer is written. The length of the
 * trailer is set to RECORDING_INCOMPLETE. From this length, readers know that the trailer is not
 * complete.
 */
static int announce(struct recording_writer *writer)
{
	int error = put_place(writer, writer->end.at, RECORDING_INCOMPLETE);

	if (error >= 0)
		error = go_to(writer, RECORDING_OFFSET_VERSION);
	if (error < 0)
		return error;
	smile_field_put_number(
		writer->file, writer->packer ? RECORDING_VERSION_COUNTS : RECORDING_VERSION_TRAILER,
		4);
	return go_to(writer, (long)writer->end.at);
}

/*
 * Write the trailer. Before that, its offset is written to the header. If the process is killed in
 * between, readers know that the records end at this offset. They do not mistake a part of the
 * trailer for a record.
 */
int smile_recording_map(struct recording_writer *writer, const struct map *map)
{
	long end;
	int error;

	if (smile_map_is_empty(map))
		return 0;
	error = put_group(writer);
	if (error >= 0)
		error = announce(writer);
	if (error < 0)
		return error;
	errno = 0;
	smile_trailer_write(writer->file, map);
	end = ftell(writer->file);
	if (end < 0 || fflush(writer->file) || ferror(writer->file))
		return write_error(writer);
	error = put_place(writer, writer->end.at, (uint64_t)end - writer->end.at);
	if (error < 0)
		return error;
	return fflush(writer->file) || ferror(writer->file) ? write_error(writer) : 0;
}

/*
 * Write the statistics, and after them the number of records. The number is written last, so if it
 * is in the file, all other data is too.
 */
static int complete(struct recording_writer *writer, const struct smile_statistics *statistics)
{
	struct smile_statistics ordered = *statistics;
	int error = go_to(writer, writer->statistics_offset);

	if (error < 0)
		return error;
	smile_recording_swap_statistics(&ordered);
	fwrite(&ordered, sizeof(ordered), 1, writer->file);
	error = go_to(writer, RECORDING_OFFSET_RECORDS);
	if (error < 0)
		return error;
	smile_field_put_number(writer->file, writer->records, 8);
	return ferror(writer->file) ? write_error(writer) : 0;
}

int smile_recording_finish(struct recording_writer *writer,
			   const struct smile_statistics *statistics)
{
	int error = put_group(writer);

	if (error >= 0)
		error = statistics ? complete(writer, statistics) : flush_records(writer);
	errno = 0;
	if (writer_close(writer) && !error)
		error = write_error(writer);
	writer_free(writer);
	return error;
}
