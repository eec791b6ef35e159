/* SPDX-License-Identifier: MIT */
/*
 * Groups: converts the exact counts of a counting recording to their form in the file, and back.
 *
 * What lives here: the format of a group, and the conversions from COUNT records to groups and from
 * groups to COUNT records. docs/recording.md describes the format. May use lib/base/ and
 * exact_counts.h.
 *
 * A group has the counts for one page, source, destination and packet, with a count for each block
 * of the page. The size of a block is the range of the card's counters. Block b begins at b times
 * this size. A group begins with 16 bytes, in the layout of a DYNAMIC record:
 *
 * 	word 0   3-0 GROUP_KIND, 7 response, 8 untyped, 31-16 number of bytes of the sequence;
 * 	         all other bits are zero
 * 	word 1   15-0 source node, 31-16 destination node
 * 	word 2   31-0 address of the page, bits 31-0
 * 	word 3   15-0 address of the page, bits 47-32; 25-16 number of words in a block, minus
 * 	         one; all other bits are zero
 *
 * The sequence of the counts follows, in the code of lib/base/packed_sequence.h. It is padded with
 * zeros to a multiple of 16 bytes. The positions in the sequence are blocks, and the counts are
 * reads, writes and locks. If the tags have no types, all accesses are stored as reads.
 */
#ifndef LIB_COUNTS_GROUPS_H
#define LIB_COUNTS_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

#include "lib/base/packed_sequence.h"

#define GROUP_KIND 9U
#define GROUP_UNTYPED 0x100U
#define GROUP_BYTES 0xffff0000U
#define GROUP_ZERO 0x0000fe70U

#define GROUP_BLOCKS (SMILE_PAGE_BYTES / SMILE_WORD_BYTES)
#define GROUP_TYPES PACKED_COUNTS
/*
 * The largest count in a group. A larger count is divided among several groups. This limits the
 * number of records to which one count of a group is converted.
 */
#define GROUP_COUNT_MAX ((1ULL << 36) - 1)

/*
 * The largest number of bytes of a sequence, which a page needs if all its blocks have counts; and
 * the largest number of units of 16 bytes in a group, including the first unit.
 */
#define GROUP_BYTES_MAX (GROUP_BLOCKS * PACKED_CODE_MAX)
#define GROUP_UNITS_MAX (1U + (GROUP_BYTES_MAX + 15U) / 16U)

/**
 * struct group_packer - The conversion of COUNT records into groups.
 * @block_words: number of words in a block
 * @key: words 0 and 1 of the current group; they have no meaning if @used is 0
 * @page: address of the page of the group
 * @used: number of blocks that have counts
 * @there: a bit for each block that has counts
 * @counts: reads, writes and locks of each block
 * @entries: memory for the sequence
 *
 * If all members except @block_words are 0, the packer is empty.
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
 * Add a record to the group. Return: 1; 0 if the caller must first write the group; -EINVAL if the
 * record is not a COUNT record of one block. In this case, the caller must store the record
 * unchanged.
 */
int smile_group_add(struct group_packer *packer, const struct smile_record *record);

/*
 * Add counts of neighbouring blocks, as passed to smile_recording_row(). Return: 1; 0 if the caller
 * must first write the group.
 */
int smile_group_add_row(struct group_packer *packer, const struct Monitor_record *first,
			const uint32_t *counts, size_t count);

/*
 * Write the present group, if there is one. @units: memory for GROUP_UNITS_MAX units. Return: the
 * number of units; 0 if nothing is left to write. The caller must repeat the call until the result
 * is 0.
 */
size_t smile_group_write(struct group_packer *packer, struct smile_record *units);

/**
 * struct group_reader - The conversion of the units of a file into COUNT records; initially all
 * zero.
 * @head: the first unit of the current group
 * @units: number of units of the group that were not read yet
 * @bytes: number of bytes of the group's sequence that are left in @window and in @units
 * @sequence: the decoder of the sequence
 * @window: bytes of the sequence that were read
 * @window_first: index of the first byte in @window
 * @window_end: one past the index of the last byte
 * @next: number of the block after the last decoded block
 * @block: the block of the current entry; GROUP_BLOCKS: the entry is invalid
 * @counts: counts of @block that were not converted yet
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
 * Convert units of 16 bytes into records. @units: @count units of the file, of which *@taken were
 * already used; the function advances *@taken. Return: the number of records, at most @capacity. If
 * the number is less than @capacity, all units were used.
 *
 * If a unit is in no group, or in an invalid group, the function returns the unit unchanged. If a
 * sequence is invalid, the function returns a record that a decoder rejects, and skips the rest of
 * the sequence.
 */
size_t smile_group_read(struct group_reader *reader, const struct smile_record *units, size_t count,
			size_t *taken, struct smile_record *records, size_t capacity);

/**
 * struct group_sums - The sums of the counts of a whole group.
 * @page: page number
 * @source: source node
 * @destination: destination node
 * @response: the counts are counts of responses
 * @untyped: types are not known; @counts[0] has all accesses
 * @counts: numbers of reads, writes and locks
 * @records: number of records into which smile_group_read() converts the group
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
 * Get the page number of the group that begins with @unit. Return: 1; 0 if @unit is not the first
 * unit of a group.
 */
int smile_group_page(const struct smile_record *unit, uint64_t *page);

/* Get the number of units of the group that begins with @unit. */
size_t smile_group_units(const struct smile_record *unit);

/*
 * Sum up the counts of the first group in @units. Return: the number of units of the group; 0 if
 * @units do not begin with a complete and valid group. In that case, smile_group_read() returns the
 * invalid parts.
 */
size_t smile_group_sum(const struct smile_record *units, size_t count, struct group_sums *sums);

/*
 * Make COUNT records with the counts in @sums. The range of each record is the whole page. Return:
 * the number of records; 0 if @records does not have enough room.
 */
size_t smile_group_records(const struct group_sums *sums, struct smile_record *records,
			   size_t capacity);

/* Return whether the reader is within a group. */
int smile_group_open(const struct group_reader *reader);

#endif /* LIB_COUNTS_GROUPS_H */
