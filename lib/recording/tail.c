/* SPDX-License-Identifier: MIT */
/*
 * Tail: reads the end of a recording that is being written.
 *
 * What lives here: the code that detects where the records end and the trailer begins, and that
 * distinguishes a writer that pauses from a writer that has ended. Both depend on the order in
 * which the writer (recording.c) works. The writer writes the offset of the trailer to the header
 * before it writes the trailer. It writes the number of records last, and locks the file as long as
 * it is open. Because the writer never removes data, a file that has become shorter was truncated
 * by another process.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/recording/recording.h"
#include "lib/recording/tail.h"

/**
 * struct tail - A file that is being followed.
 * @fd: descriptor of the file
 * @path: path of the file, for messages
 * @header_bytes: offset of the first record
 * @trailer_field: offset of the header's field that has the offset of the trailer; 0: the header
 *                 has no such field
 * @start_ns: time at which the recording began; if it changes, the file has another recording
 */
struct tail {
	int fd;
	const char *path;
	uint64_t header_bytes;
	uint64_t trailer_field;
	uint64_t start_ns;
};

struct tail *smile_tail_new(int fd, const char *path, uint64_t header_bytes, uint64_t trailer_field,
			    uint64_t start_ns)
{
	struct tail *tail = malloc(sizeof(*tail));

	if (tail)
		*tail = (struct tail){fd, path, header_bytes, trailer_field, start_ns};
	return tail;
}

void smile_tail_free(struct tail *tail)
{
	free(tail);
}

/*
 * Return whether the file has a writer. If the file system has no locks, this is not known. In this
 * case, return 1.
 */
static int has_writer(const struct tail *tail)
{
	struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};

	return fcntl(tail->fd, F_OFD_GETLK, &lock) || lock.l_type != F_UNLCK;
}

static int was_cut_off(const struct tail *tail)
{
	return smile_error(EPROTO, "%s was cut off while it was followed", tail->path);
}

/*
 * Read a part of the header that was in the file before. Return: 0; -EIO; -EPROTO if the file has
 * become too short.
 */
static int get(const struct tail *tail, uint64_t offset, unsigned char *data, size_t bytes)
{
	ssize_t got = pread(tail->fd, data, bytes, (off_t)offset);

	if (got < 0)
		return smile_error(EIO, "cannot read %s: %s", tail->path, strerror(errno));
	return (size_t)got < bytes ? was_cut_off(tail) : 0;
}

/*
 * Read the offset at which the records end from the header. If the header does not have this offset
 * yet, *@end is UINT64_MAX.
 */
static int records_end(const struct tail *tail, uint64_t *end, int *closed)
{
	unsigned char head[RECORDING_OFFSET_FIELDS], trailer[RECORDING_TRAILER_BYTES];
	uint64_t records, version, at;
	int error = get(tail, 0, head, sizeof(head));

	if (error < 0)
		return error;
	if (smile_field_number(head + RECORDING_OFFSET_START, 8) != tail->start_ns ||
	    smile_field_number(head + RECORDING_OFFSET_HEADER, 4) != tail->header_bytes)
		return smile_error(EPROTO,
				   "%s was overwritten while it was followed: open it again",
				   tail->path);
	version = smile_field_number(head + RECORDING_OFFSET_VERSION, 4);
	records = smile_field_number(head + RECORDING_OFFSET_RECORDS, 8);
	*closed = records != RECORDING_INCOMPLETE;
	*end = *closed ? records : UINT64_MAX;
	if (!tail->trailer_field || version == RECORDING_VERSION)
		return 0;
	error = get(tail, tail->trailer_field, trailer, sizeof(trailer));
	at = error ? 0 : smile_field_number(trailer, 8);
	/* If a record is invalid, report it only after all records were read. */
	if (at >= tail->header_bytes && (at - tail->header_bytes) / SMILE_RECORD_BYTES < *end)
		*end = (at - tail->header_bytes) / SMILE_RECORD_BYTES;
	return error;
}

/*
 * If there are no new records, check that the file still has the records before @at, and that the
 * path still names this file. A file that was removed but not replaced can still be read to its
 * end. Return: 0; -EIO; -EPROTO.
 */
static int check_there(const struct tail *tail, uint64_t at)
{
	struct stat here, named;

	if (fstat(tail->fd, &here))
		return smile_error(EIO, "cannot read %s: %s", tail->path, strerror(errno));
	if ((uint64_t)here.st_size < tail->header_bytes + at * SMILE_RECORD_BYTES)
		return was_cut_off(tail);
	if (!stat(tail->path, &named) &&
	    (named.st_dev != here.st_dev || named.st_ino != here.st_ino))
		return smile_error(EPROTO,
				   "%s was replaced by another file while it was followed: open it "
				   "again",
				   tail->path);
	return 0;
}

int smile_tail_read(const struct tail *tail, uint64_t at, struct smile_record *records,
		    size_t capacity, int *over)
{
	/*
	 * Check for a writer before reading. If the writer has ended at this time, all its data is
	 * in the file, so the read gets all of it.
	 */
	int alive = has_writer(tail), closed = 0, error;
	ssize_t got = pread(tail->fd, records, capacity * sizeof(*records),
			    (off_t)(tail->header_bytes + at * SMILE_RECORD_BYTES));
	uint64_t count, end = 0;

	*over = 1;
	if (got < 0)
		return smile_error(EIO, "cannot read %s: %s", tail->path, strerror(errno));
	/*
	 * Read the header after the records. If the header has no offset of a trailer even now, all
	 * data that was read before consists of records.
	 */
	error = records_end(tail, &end, &closed);
	if (error < 0)
		return error;
	count = (uint64_t)got / sizeof(*records);
	if (at >= end)
		count = 0;
	else if (count > end - at)
		count = end - at;
	/* A recording that was closed is complete, even if the file has changed since then. */
	if (!count && !(closed && at >= end)) {
		error = check_there(tail, at);
		if (error < 0)
			return error;
	}
	*over = !count && (!alive || (closed && at >= end));
	return (int)count;
}
