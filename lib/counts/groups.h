/* SPDX-License-Identifier: MIT */
/*
 * Groups: the exact counts of a counting recording, as its file holds them.
 *
 * What lives here: the format of a group, and the conversion from COUNT records and back.
 * docs/recording.md describes it in prose. It may use lib/base/ and exact.h.
 *
 * A group has the counts of one page, source, destination and packet, block by block. A block is
 * as long as the configuration's range: block b has the words from b times that length on. It
 * begins with 16 bytes, in the layout of a DYNAMIC record:
 *
 *	word 0   3-0 GROUP_KIND, 7 response, 8 untyped, 31-16 bytes of the sequence; the rest is
 *	         zero
 *	word 1   15-0 source node, 31-16 destination node
 *	word 2   31-0 address of the page, bits 31-0
 *	word 3   15-0 the same, bits 47-32; 25-16 words of a block less one; the rest is zero
 *
 * A sequence follows, in the code of lib/base/packed.h, to a multiple of 16 bytes with zeros. Its
 * positions are blocks, and its counts are reads, writes and locks. With untyped tags, all accesses
 * are stored as reads.
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
/* A larger count is split over several groups, so that each one becomes few records. */
#define GROUP_COUNT_MAX ((1ULL << 36) - 1)

/*
 * The most bytes of a sequence with all blocks of a page; and the most units of 16 bytes, with the
 * head.
 */
#define GROUP_BYTES_MAX (GROUP_BLOCKS * PACKED_CODE_MAX)
#define GROUP_UNITS_MAX (1U + (GROUP_BYTES_MAX + 15U) / 16U)

/**
 * struct group_packer - The conversion of COUNT records into groups.
 * @block_words: words of a block
 * @key: word 0 and 1, and the page's address, of the current group; without meaning if @used is 0
 * @page: the page's address
 * @used: blocks that have counts
 * @there: a bit for each block that has counts
 * @counts: by block, then reads, writes, locks
 * @entries: room for the sequence
 *
 * All zero but @block_words is an empty one.
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
 * Take in a record. Return: 1; 0 if the group must be written first; -EINVAL if it is no COUNT of
 * one block: it is stored as it is.
 */
int smile_group_add(struct group_packer *packer, const struct smile_record *record);

/*
 * Take in counts of neighbouring blocks, as smile_recording_row() has them. Return: 1; 0 if the
 * group must be written first.
 */
int smile_group_add_row(struct group_packer *packer, const struct Monitor_record *first,
			const uint32_t *counts, size_t count);

/*
 * Write the group, if there is one. @units: room for GROUP_UNITS_MAX. Return: how many were
 * filled; 0 if there is nothing left to write: call it until then.
 */
size_t smile_group_write(struct group_packer *packer, struct smile_record *units);

/**
 * struct group_reader - The conversion of a file's units into COUNT records; all zero at first.
 * @head: the first unit of the current group
 * @units: its units that were not read yet
 * @bytes: bytes of its sequence that are left in @window and in @units
 * @sequence: its place in the sequence
 * @window: bytes of the sequence that were read
 * @window_first: index of its first byte
 * @window_end: one past its last byte
 * @next: the block after the last one
 * @block: the block of the current entry; GROUP_BLOCKS: an invalid one
 * @counts: its counts that were not converted yet
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
 * Convert units into records. @units: from the file, *@taken of @count are used up. Return: records
 * filled in, at most @capacity. With fewer, all units were used up. A unit that is no group, or an
 * invalid group, is passed on as it is. For an invalid sequence, a record that a decoder refuses is
 * passed on, and the rest is skipped.
 */
size_t smile_group_read(struct group_reader *reader, const struct smile_record *units, size_t count,
			size_t *taken, struct smile_record *records, size_t capacity);

/**
 * struct group_sums - The counts of a whole group, added up.
 * @page: page number
 * @source: node
 * @destination: node
 * @response: they are of responses
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

/* The page number of a group, of which @unit is the first unit. Return: 0 if it is none. */
int smile_group_page(const struct smile_record *unit, uint64_t *page);

/* How many units a group has, of which @unit is the first unit. */
size_t smile_group_units(const struct smile_record *unit);

/*
 * Add up the first group of @units. Return: how many units it has; 0 if they do not begin with a
 * group that is complete and valid: smile_group_read() says what is wrong.
 */
size_t smile_group_sum(const struct smile_record *units, size_t count, struct group_sums *sums);

/* COUNT records of the whole page that have the same counts. Return: how many; 0 without room. */
size_t smile_group_records(const struct group_sums *sums, struct smile_record *records,
			   size_t capacity);

/* Is a group incomplete, or not fully converted? */
int smile_group_open(const struct group_reader *reader);

#endif /* LIB_COUNTS_GROUPS_H */
