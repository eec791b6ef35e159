/* SPDX-License-Identifier: MIT */
/*
 * Groups: the exact counts of a counting recording, as they stand in its file.
 *
 * What lives here: the format of a group and both ways through it, from COUNT records and back.
 * docs/recording.md describes it in prose. It may use lib/base/ and lib/counts/.
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
 * positions are blocks, and its counts are reads, writes and locks. Of untyped tags, the accesses
 * of any type stand for the reads, and there are no others.
 */
#ifndef LIB_RECORDING_GROUPS_H
#define LIB_RECORDING_GROUPS_H

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
/* A larger count is in several groups, so that each comes in few records. */
#define GROUP_COUNT_MAX ((1ULL << 36) - 1)

/* Bytes that a sequence with all blocks of a page takes at most; and 16 each, with the head. */
#define GROUP_BYTES_MAX (GROUP_BLOCKS * PACKED_CODE_MAX)
#define GROUP_UNITS_MAX (1U + (GROUP_BYTES_MAX + 15U) / 16U)

/**
 * struct group_packer - COUNT records on their way into a file.
 * @block_words: words of a block
 * @key: word 0 and 1, and the page's address, of the group that is being made; @used is 0: of
 * none
 * @page: the page's address
 * @used: blocks that have counts
 * @there: which, a bit each
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
 * one block: it stands in the file as it is.
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
 * struct group_reader - A file's units on their way to COUNT records; all zero at first.
 * @head: the first unit of the group that is being read
 * @units: of it that are still to come
 * @bytes: of its sequence that are still to be taken out of @window or of @units
 * @sequence: its place in the sequence
 * @window: what of the sequence is there
 * @window_first: where it begins
 * @window_end: one past its last byte
 * @next: the block behind the last one
 * @block: the block of the entry that is being handed out; GROUP_BLOCKS: an invalid one
 * @counts: what of it is still to be handed out
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
 * Hand out records. @units: from the file, *@taken of @count are used up. Return: records filled
 * in, at most @capacity. With fewer, all units were used up. What is no group is handed out as it
 * is, also an invalid group. Of an invalid sequence, a record that a decoder refuses is handed out,
 * and the rest is skipped.
 */
size_t smile_group_read(struct group_reader *reader, const struct smile_record *units, size_t count,
			size_t *taken, struct smile_record *records, size_t capacity);

/* Is a group not complete, or something of it not handed out yet? */
int smile_group_open(const struct group_reader *reader);

#endif /* LIB_RECORDING_GROUPS_H */
