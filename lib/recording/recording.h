/* SPDX-License-Identifier: MIT */
/*
 * Recording: writes and reads recordings, which are files with a header and records.
 *
 * What lives here: the file format. The writer is in recording.c, and the reader is in
 * source_file.c. docs/recording.md describes the format. All numbers are little-endian.
 *
 * 	offset 0   "SMILEREC"
 * 	       8   u32 version: 1; 2 if there is a trailer; 3 if counts are in groups (groups.h)
 * 	      12   u32 number of bytes of the header, a multiple of 16
 * 	      16   u64 number of records; all ones until the recording is complete
 * 	      24   u64 time of day at the beginning, ns since 1970
 * 	      32   fields: u32 tag, u32 length, then length bytes, padded to a multiple of 8;
 * 	           a field with tag 0 is the last
 * 	   header  records to the end of the file, or to the trailer
 * 	           trailer (trailer.h): fields as in the header, if the header has its offset
 *
 * Readers ignore unknown tags, so that later versions can add fields without a new version number.
 * If the writer is killed, the recording remains incomplete, but its records are valid.
 */
#ifndef LIB_RECORDING_RECORDING_H
#define LIB_RECORDING_RECORDING_H

#include <stdbool.h>
#include <stdio.h>

#include <base/recording_head.h>
#include <smile/monitor.h>

#include "lib/map/field.h"
#include "lib/map/map.h"

#define RECORDING_MAGIC "SMILEREC"
#define RECORDING_VERSION 1
#define RECORDING_VERSION_TRAILER 2
#define RECORDING_VERSION_COUNTS 3 /* with or without a trailer */

#define RECORDING_TAG_END FIELD_TAG_END
/* struct smile_info: the properties of the card, and its last configuration */
#define RECORDING_TAG_INFO 1
#define RECORDING_TAG_STATISTICS 2 /* struct smile_statistics: the statistics at the end */
#define RECORDING_TAG_HOST 3 /* host name */
#define RECORDING_TAG_COMMAND 4 /* the command line */
/* struct smile_static: the last static tables, if the card has any */
#define RECORDING_TAG_STATIC 5
/* u64 offset of the trailer, and u64 number of its bytes; both are 0 before it is written */
#define RECORDING_TAG_TRAILER 6
#define RECORDING_TRAILER_BYTES 16U
/* u64 time of the card's clock, ns, up to which the file has all counts; 0: not known */
#define RECORDING_TAG_UNTIL 7
#define RECORDING_UNTIL_BYTES 8U
/*
 * A field for those fields of the trailer that are known while the recording is being written:
 * regions, and clocks without pairs. Unused bytes of the field are zeros.
 */
#define RECORDING_TAG_KNOWN 8
#define RECORDING_KNOWN_BYTES 16384U
/* JSON: the parameters of the run that are known when the run begins */
#define RECORDING_TAG_PARAMETERS 9
#define RECORDING_PARAMETERS_MAX 65536U

/*
 * Structs in fields are arrays of little-endian numbers. A struct in a file can be longer than the
 * struct of this version, because later versions add members at the end. The following functions
 * convert a struct in place from little-endian to host byte order, or back.
 */
void smile_recording_swap_info(struct smile_info *info);
void smile_recording_swap_statistics(struct smile_statistics *statistics);
void smile_recording_swap_static(struct smile_static *tables);

struct recording_writer;

/*
 * Create a recording, and lock its file. If the file has older contents, it keeps them until
 * smile_recording_begin() or the first other call that writes.
 * @tables: NULL if the card has no static array
 * @known: number of bytes that the header reserves for smile_recording_known():
 *         RECORDING_KNOWN_BYTES, or 0
 * @parameters: parameters of the run, for the header; NULL: no parameters. A text that is too long
 *              for the header is left out, and is only in the trailer
 */
int smile_recording_create(struct recording_writer **out, const char *path,
			   const char *command_line, const struct smile_info *info,
			   const struct smile_static *tables, size_t known, const char *parameters);

/* Create a counting recording, in which COUNT records are written in groups. */
int smile_recording_create_counts(struct recording_writer **out, const char *path,
				  const char *command_line, const struct smile_info *info,
				  const struct smile_static *tables, size_t known,
				  const char *parameters);

/*
 * If the recording has not begun, empty the file, and write the header, so that the file is
 * readable even if the writer is killed. Return: 0; -errno.
 */
int smile_recording_begin(struct recording_writer *writer);

/* Check whether the recording has begun. */
bool smile_recording_begun(const struct recording_writer *writer);

/* Free the writer of a recording that has not begun. The older file is unchanged. */
void smile_recording_abandon(struct recording_writer *writer);

/*
 * Store a new configuration of the card. When the recording is complete, the header has the last
 * configuration.
 */
int smile_recording_configure(struct recording_writer *writer, const struct smile_info *info);
/* Store new static tables of the card. */
int smile_recording_static(struct recording_writer *writer, const struct smile_static *tables);

int smile_recording_append(struct recording_writer *writer, const struct smile_record *records,
			   size_t count);

/*
 * Write the counts of neighbouring blocks of one page to a counting recording. @first: a
 * MONITOR_KIND_COUNT record for the first block; the function ignores the count and the length of
 * this record.
 */
int smile_recording_row(struct recording_writer *writer, const struct Monitor_record *first,
			const uint32_t *counts, size_t count);

/*
 * Write the fields of @map that are known so far to the header, as far as the header has space for
 * them. Fields that are already in the header stay there.
 */
int smile_recording_known(struct recording_writer *writer, const struct map *map);

/*
 * Note in the header of a counting recording that the file has all counts up to a time of the
 * card's clock.
 */
int smile_recording_until(struct recording_writer *writer, uint64_t time_ns);

/*
 * Set Monitor_error_message() again after an earlier function has failed with @error, which is
 * negative. Return: @error.
 */
int smile_recording_failed(const struct recording_writer *writer, int error);

/* Get the number of bytes of all records so far. */
uint64_t smile_recording_bytes(const struct recording_writer *writer);

/* Write the buffered records to the file, so that a process that follows the file can read them. */
int smile_recording_flush(struct recording_writer *writer);

/*
 * Write @map after the records. If @map is empty, the file stays unchanged. After this call, no
 * records can be appended.
 */
int smile_recording_map(struct recording_writer *writer, const struct map *map);

/*
 * Complete the recording with @statistics, and free @writer. If @statistics is NULL, leave the
 * recording incomplete.
 */
int smile_recording_finish(struct recording_writer *writer,
			   const struct smile_statistics *statistics);

#endif /* LIB_RECORDING_RECORDING_H */
