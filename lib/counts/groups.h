/* SPDX-License-Identifier: MIT */
/*
 * Groups: the exact counts of a counting recording, as its file holds them.
 *
 * What lives here: the format of a group, and the conversion from COUNT records and back.
 * docs/recording.md describes the format. It may use lib/base/ and exact.h.
 *
 * A group has the counts of one page, source, destination and packet, block by block. A block is as
 * long as the configuration's range: block b starts at b times that length. A group starts with 16
 * bytes, in the layout of a DYNAMIC record:
 *
 *	word 0   3-0 GROUP_KIND, 7 response, 8 untyped, 31-16 bytes of the sequence; the rest is
 *	         zero
 *	word 1   15-0 source node, 31-16 destination node
 *	word 2   31-0 address of the page, bits 31-0
 *	word 3   15-0 the same, bits 47-32; 25-16 words of a block less one; the rest is zero
 *
 * A sequence follows, in the code of lib/base/packed.h, padded with zeros to a multiple of 16
 * bytes. Its positions are blocks, and its counts are reads, writes and locks. With untyped tags,
 * all accesses are stored as reads.
 */
#ifndef LIB_COUNTS_GROUPS_H
#define LIB_COUNTS_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

#include "lib/base/packed.h"

#define GROUP_KIND 9U
#define GROUP_UNTYPED 0x100U
#define GROUP_BYTES 0xffff0000U
#define GROUP_ZERO 0x0000fe70U

#define GROUP_BLOCKS (SMILE_PAGE_BYTES / SMILE_WORD_BYTES)
#define GROUP_TYPES PACKED_COUNTS
/* A larger count is split over several groups, so that each count becomes few records. */
#define GROUP_COUNT_MAX ((1ULL << 36) - 1)

/*
 * The largest number of bytes of a sequence with all blocks of a page, and of units of 16 bytes,
 * including the head.
 */
#define GROUP_BYTES_MAX (GROUP_BLOCKS * PACKED_CODE_MAX)
#define GROUP_UNITS_MAX (1U + (GROUP_BYTES_MAX + 15U) / 16U)

/**
 * struct group_packer - The conversion of COUNT records into groups.
 * @block_words: words of a block
 * @key: word 0 and 1 of the current group, and its page's address; has no meaning if @used is 0
 * @page: the page's address
 * @used: number of blocks that have counts
 * @there: a bit for each block that has counts
 * @counts: by block, then reads, writes, locks
 * @entries: room for the sequence
 *
 * All zero except @block_words is an empty packer.
 */
struct group_packer {
	uint32_t block_words;
	uint32_t key[2];
	uint64_t page;
	uint32_t used;
	uint64_t there[GROUP_BLOCKS / 64];
	uint64_t counts[GROUP_BLOCKS][GROUP_TYPES];
	struct packed_entry entries[GROUP_BLOCKS];
};

/*
 * Take in a record. Return: 1; 0 if the group must be written first; -EINVAL if the record is not a
 * COUNT of one block: the caller stores it unchanged.
 */
int smile_group_add(struct group_packer *packer, const struct smile_record *record);

/*
 * Take in counts of neighbouring blocks, as passed to smile_recording_row(). Return: 1; 0 if the
 * group must be written first.
 */
int smile_group_add_row(struct group_packer *packer, const struct Monitor_record *first,
			const uint32_t *counts, size_t count);

/*
 * Write the group, if there is one. @units: room for GROUP_UNITS_MAX. Return: the number of units
 * filled in; 0 if nothing is left to write. Call it until it returns 0.
 */
size_t smile_group_write(struct group_packer *packer, struct smile_record *units);

/**
 * struct group_reader - The conversion of a file's units into COUNT records; initially all zero.
 * @head: the first unit of the current group
 * @units: number of units of the group that were not read yet
 * @bytes: number of bytes of its sequence that are left in @window and in @units
 * @sequence: the decoder of its sequence
 * @window: bytes of the sequence that were read
 * @window_first: index of its first byte
 * @window_end: one past its last byte
 * @next: the block after the last one
 * @block: the block of the current entry; GROUP_BLOCKS: invalid
 * @counts: counts of the block that were not converted yet
 */
struct group_reader {
	struct smile_record head;
	uint32_t units;
	uint32_t bytes;
	struct packed_reader sequence;
	unsigned char window[64];
	uint32_t window_first;
	uint32_t window_end;
	uint32_t next;
	uint32_t block;
	uint64_t counts[GROUP_TYPES];
};

/*
 * Convert units into records. @units: from the file; *@taken of @count units were used. Return: the
 * number of records filled in, at most @capacity. If it is less, all units were used. A unit
 * outside any group, or an invalid group, is returned unchanged. For an invalid sequence, a record
 * that a decoder rejects is returned, and the rest is skipped.
 */
size_t smile_group_read(struct group_reader *reader, const struct smile_record *units, size_t count,
			size_t *taken, struct smile_record *records, size_t capacity);

/**
 * struct group_sums - The sums of the counts of a whole group.
 * @page: page number
 * @source: source node
 * @destination: destination node
 * @response: the counts are of responses
 * @untyped: all accesses are @counts[0]
 * @counts: reads, writes, locks
 * @records: the number of records that smile_group_read() makes of the group
 */
struct group_sums {
	uint64_t page;
	uint32_t source;
	uint32_t destination;
	int response;
	int untyped;
	uint64_t counts[GROUP_TYPES];
	uint64_t records;
};

/*
 * The page number of the group whose first unit is @unit. Return: 0 if @unit is not the first unit
 * of a group.
 */
int smile_group_page(const struct smile_record *unit, uint64_t *page);

/* The number of units of the group whose first unit is @unit. */
size_t smile_group_units(const struct smile_record *unit);

/*
 * Add up the first group of @units. Return: the number of its units; 0 if @units do not begin with
 * a complete and valid group: smile_group_read() then returns the invalid parts.
 */
size_t smile_group_sum(const struct smile_record *units, size_t count, struct group_sums *sums);

/*
 * Make COUNT records of the whole page with the same counts. Return: the number of records; 0
 * without room.
 */
size_t smile_group_records(const struct group_sums *sums, struct smile_record *records,
			   size_t capacity);

/* Whether a group is incomplete, or not fully converted. */
int smile_group_open(const struct group_reader *reader);

#endif /* LIB_COUNTS_GROUPS_H */
