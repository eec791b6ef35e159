/* SPDX-License-Identifier: MIT */
/*
 * Packed: a sequence of counts at ascending positions, in few bytes.
 *
 * What lives here: the code of a sequence, its encoder and its decoder. docs/recording.md describes
 * the code. It may use the C library.
 *
 * An entry has a position and up to three counts. Its gap is the distance from the previous entry's
 * position; for the first entry, from -1. A code is one of:
 *
 *	bit 7 0   an entry. Bits 0 to 3 say which of its gap, first, second and third count
 *	          follow, each a varint (LEB128). A gap that does not follow is 1; a count that
 *	          does not follow equals the previous entry's, initially 0. Bits 4 to 6 are 0
 *	bit 7 1   several entries, each a copy of the gap and the counts of an earlier entry:
 *	          bits 4 to 6, plus one, are the distance in entries. Bits 0 to 3: how many, less
 *	          one; at 15 a varint follows, which is added to that
 */
#ifndef LIB_BASE_PACKED_H
#define LIB_BASE_PACKED_H

#include <stddef.h>
#include <stdint.h>

#define PACKED_COUNTS 3U
/* The largest distance of a copy, in entries. */
#define PACKED_BACK 8U
/* The largest number of entries of one copy code. */
#define PACKED_COPY_MAX 1024U
/* Bytes of the longest code. */
#define PACKED_CODE_MAX (1U + 4 * 10)

/**
 * struct packed_entry - An entry of a sequence.
 * @gap: not 0
 * @counts: the counts
 */
struct packed_entry {
	uint64_t gap;
	uint64_t counts[PACKED_COUNTS];
};

/* Write a number as a varint. @bytes: room for 10. Return: the number of bytes. */
size_t smile_varint_put(unsigned char *bytes, uint64_t number);

/*
 * Read a varint. Return: the number of its bytes; 0 if the bytes end within it; -1 if it is
 * invalid.
 */
int smile_varint_get(const unsigned char *bytes, size_t count, uint64_t *number);

/*
 * Encode a whole sequence. @bytes: room for PACKED_CODE_MAX per entry. Return: the number of bytes.
 */
size_t smile_packed_write(const struct packed_entry *entries, size_t count, unsigned char *bytes);

/**
 * struct packed_reader - The decoder of one sequence; initially all zero.
 * @last: the entries read last, the newest at (@read - 1) % PACKED_BACK
 * @read: number of entries read
 * @copies: number of entries of the present copy code that were not read yet
 * @back: distance of the copies
 */
struct packed_reader {
	struct packed_entry last[PACKED_BACK];
	size_t read;
	size_t copies;
	size_t back;
};

/*
 * Read the next entry. @bytes: of the sequence; *@taken of @count bytes were used. Return: 1; 0 if
 * the bytes end before the entry; -EINVAL if they are invalid.
 */
int smile_packed_read(struct packed_reader *reader, const unsigned char *bytes, size_t count,
		      size_t *taken, struct packed_entry *entry);

/*
 * Skip copies, except the last few, which smile_packed_read() still reads. @entries: receives the
 * entries that repeat, shape [*@count], in any order. Return: the number of times that all of these
 * entries are skipped.
 */
size_t smile_packed_skip(struct packed_reader *reader, struct packed_entry entries[PACKED_BACK],
			 size_t *count);

#endif /* LIB_BASE_PACKED_H */
