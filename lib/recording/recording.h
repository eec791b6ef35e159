/* SPDX-License-Identifier: MIT */
/*
 * Recording: a header and the records, in a file.
 *
 * What lives here: the file format, for the writer (recording.c) and the reader (source_file.c).
 * docs/recording.md describes it. All numbers are little-endian.
 *
 *	offset 0   "SMILEREC"
 *	       8   u32 version: 1; 2 if there is a trailer; 3 if counts are in groups (groups.h)
 *	      12   u32 bytes of the header, a multiple of 16
 *	      16   u64 records, once the recording is complete; all ones until then
 *	      24   u64 time of day at the beginning, ns since 1970
 *	      32   fields: u32 tag, u32 length, then length bytes, padded to a multiple of 8;
 *	           tag 0 ends them
 *	   header  records to the end of the file, or to the trailer
 *	           trailer (trailer.h): fields as in the header, if the header has its offset
 *
 * Readers ignore unknown tags, so that later versions can add fields without a new version number.
 * If the writer was killed, the recording is incomplete, and its records are valid.
 */
#ifndef LIB_RECORDING_RECORDING_H
#define LIB_RECORDING_RECORDING_H

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
#define RECORDING_TAG_INFO 1 /* struct smile_info: the card and its last configuration */
#define RECORDING_TAG_STATISTICS 2 /* struct smile_statistics at the end */
#define RECORDING_TAG_HOST 3 /* host name */
#define RECORDING_TAG_COMMAND 4 /* command line */
#define RECORDING_TAG_STATIC 5 /* struct smile_static: the last static tables, if any */
#define RECORDING_TAG_TRAILER                                                                      \
	6 /* u64 offset and u64 bytes of the trailer; both 0 before it is written */
#define RECORDING_TRAILER_BYTES 16U
#define RECORDING_TAG_UNTIL 7 /* u64 card's clock up to which counts are in the file, ns; or 0 */
#define RECORDING_UNTIL_BYTES 8U
/*
 * Regions, and a clock without pairs, as in the trailer; then zeros. They are known while the
 * recording is written.
 */
#define RECORDING_TAG_KNOWN 8
#define RECORDING_KNOWN_BYTES 16384U
#define RECORDING_TAG_PARAMETERS 9 /* of the run, as known at its beginning: JSON */
#define RECORDING_PARAMETERS_MAX 65536U

/*
 * A struct in a field may be longer than the struct of this version: structs grow at their ends.
 * Structs are arrays of little-endian numbers. These functions convert them in place, in both
 * directions.
 */
void smile_recording_swap_info(struct smile_info *info);
void smile_recording_swap_statistics(struct smile_statistics *statistics);
void smile_recording_swap_static(struct smile_static *tables);

struct recording_writer;

/*
 * @tables: NULL if the card has no static array
 * @known: size of the room in the header for smile_recording_known(): RECORDING_KNOWN_BYTES, or 0
 * @parameters: parameters of the run, for the header; a longer text is only in the trailer.
 *              NULL: no parameters
 */
int smile_recording_create(struct recording_writer **out, const char *path,
			   const char *command_line, const struct smile_info *info,
			   const struct smile_static *tables, size_t known, const char *parameters);

/* The same for a counting recording: COUNT records are written in groups. */
int smile_recording_create_counts(struct recording_writer **out, const char *path,
				  const char *command_line, const struct smile_info *info,
				  const struct smile_static *tables, size_t known,
				  const char *parameters);

/* The card was reconfigured: the header reports the configuration in force at the end. */
int smile_recording_configure(struct recording_writer *writer, const struct smile_info *info);
/* The same for its static tables. */
int smile_recording_static(struct recording_writer *writer, const struct smile_static *tables);

int smile_recording_append(struct recording_writer *writer, const struct smile_record *records,
			   size_t count);

/*
 * For a counting recording: write counts of neighbouring blocks in one page. @first: the
 * MONITOR_KIND_COUNT record of the first block; its count and length are ignored.
 */
int smile_recording_row(struct recording_writer *writer, const struct Monitor_record *first,
			const uint32_t *counts, size_t count);

/*
 * Write into the header as much of @map as the header has room for. No part of the header is
 * removed.
 */
int smile_recording_known(struct recording_writer *writer, const struct map *map);

/* For a counting recording: note that the file has all counts up to a time of the card's clock. */
int smile_recording_until(struct recording_writer *writer, uint64_t time_ns);

/* The number of bytes of all records so far. */
uint64_t smile_recording_bytes(const struct recording_writer *writer);

/* Write the buffer to the file, for a follower of the file. */
int smile_recording_flush(struct recording_writer *writer);

/*
 * Write @map after the records. Nothing may be appended after this call. An empty map leaves the
 * file unchanged.
 */
int smile_recording_map(struct recording_writer *writer, const struct map *map);

/*
 * Complete the recording with @statistics, or leave it incomplete if they are NULL, and free
 * @writer.
 */
int smile_recording_finish(struct recording_writer *writer,
			   const struct smile_statistics *statistics);

#endif /* LIB_RECORDING_RECORDING_H */
