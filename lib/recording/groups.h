/* SPDX-License-Identifier: MIT */
/*
 * Groups: the exact counts of a counting recording, as they stand in its file.
 *
 * What lives here: the format of a group and both ways through it, from COUNT records and back.
 * docs/recording.md describes it in prose. It may use lib/counts/.
 *
 * A group has the counts of one page, source, destination and packet, block by block. A block is as
 * long as the configuration's range: block b has the words from b times that length on. It begins
 * with 16 bytes, in the layout of a DYNAMIC record:
 *
 *	word 0   3-0 GROUP_KIND, 7 response, 8 wide, 9 untyped, 31-16 entries; the rest is zero
 *	word 1   15-0 source node, 31-16 destination node
 *	word 2   31-0 address of the page, bits 31-0
 *	word 3   15-0 the same, bits 47-32; 25-16 words of a block less one; the rest is zero
 *
 * Entries follow, 64-bit little-endian numbers, to a multiple of 16 bytes with zeros:
 *
 *	narrow   9-0 block, 27-10 reads, 45-28 writes, 63-46 locks
 *	wide     9-0 block, 63-10 reads; then 31-0 writes, 63-32 locks
 *
 * Of untyped tags, the accesses of any type stand for the reads, and there are no others.
 */
#ifndef LIB_RECORDING_GROUPS_H
#define LIB_RECORDING_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

#define GROUP_KIND 9U
#define GROUP_WIDE 0x100U
#define GROUP_UNTYPED 0x200U
#define GROUP_ENTRIES 0xffff0000U
#define GROUP_ZERO 0x0000fc70U
#define GROUP_BLOCK 0x3ffULL
#define GROUP_NARROW_BITS 18U
#define GROUP_NARROW_MAX ((1ULL << GROUP_NARROW_BITS) - 1)
#define GROUP_READS_MAX ((1ULL << 54) - 1)
#define GROUP_OTHERS_MAX UINT32_MAX

#define GROUP_BLOCKS (SMILE_PAGE_BYTES / SMILE_WORD_BYTES)
#define GROUP_TYPES 3U

/* 16 bytes each: what a group with all blocks of a page takes at most, narrow and wide together. */
#define GROUP_UNITS_MAX (2U + GROUP_BLOCKS + 1U)

/**
 * struct group_packer - COUNT records on their way into a file.
 * @block_words: words of a block
 * @key: word 0 and 1, and the page's address, of the group that is being made; @used is 0: of none
 * @page: the page's address
 * @used: blocks that have counts
 * @list: which
 * @counts: by block, then reads, writes, locks
 *
 * All zero but @block_words is an empty one.
 */
struct group_packer {
	uint32_t block_words;
	uint32_t key[2];
	uint64_t page;
	uint32_t used;
	uint16_t list[GROUP_BLOCKS];
	uint64_t counts[GROUP_BLOCKS][GROUP_TYPES];
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
 * Write the group, if there is one. @units: room for GROUP_UNITS_MAX. Return: how many were filled;
 * 0 if there is nothing left to write: call it until then.
 */
size_t smile_group_write(struct group_packer *packer, struct smile_record *units);

/**
 * struct group_reader - A file's units on their way to COUNT records; all zero at first.
 * @head: the first unit of the group that is being read
 * @left: entries of it to come
 * @wide: they are wide
 * @block: the block of the entry that is being handed out
 * @counts: what of it is still to be handed out
 */
struct group_reader {
	struct smile_record head;
	uint32_t left;
	int wide;
	uint32_t block;
	uint64_t counts[GROUP_TYPES];
	uint64_t second;
	int has_second;
};

/*
 * Hand out records. @units: from the file, *@taken of @count are used up. Return: records filled
 * in, at most @capacity. With fewer, all units were used up. What is no group is handed out as it
 * is, also a group that is invalid, whose entries are then skipped: a decoder refuses it.
 */
size_t smile_group_read(struct group_reader *reader, const struct smile_record *units, size_t count,
			size_t *taken, struct smile_record *records, size_t capacity);

/* Is a group not complete, or something of it not handed out yet? */
int smile_group_open(const struct group_reader *reader);

#endif /* LIB_RECORDING_GROUPS_H */
