/* SPDX-License-Identifier: MIT */
/*
 * Packed: a sequence of counts at ascending positions, in few bytes.
 *
 * What lives here: the code of a sequence, its encoder and its decoder. docs/recording.md describes
 * it in prose. It may use the C library.
 *
 * An entry has a position and up to three counts; its gap is the distance from the position before
 * it, for the first entry from -1. A code is one of:
 *
 *	bit 7 0   an entry. Bits 0 to 3 say which of its gap, first, second and third count
 *	          follow, each a varint (LEB128). A gap that does not follow is 1; a count that
 *	          does not follow equals the previous entry's, 0 at first. Bits 4 to 6 are 0
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
/* Entries of one copy, at most. */
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

/* Put a number as a varint. @bytes: room for 10. Return: how many there are. */
size_t smile_varint_put(unsigned char *bytes, uint64_t number);

/* Return: bytes of the number; 0 if the bytes end before it; -1 if it is invalid. */
int smile_varint_get(const unsigned char *bytes, size_t count, uint64_t *number);

/*
 * Code a whole sequence. @bytes: room for PACKED_CODE_MAX each. Return: bytes.
 */
size_t smile_packed_write(const struct packed_entry *entries, size_t count, unsigned char *bytes);

/**
 * struct packed_reader - Of one sequence; all zero at its beginning.
 * @last: entries read last, the newest at (@read - 1) % PACKED_BACK
 * @read: entries read
 * @copies: how many are still to be copied
 * @back: distance from which they are copied
 */
struct packed_reader {
	struct packed_entry last[PACKED_BACK];
	size_t read;
	size_t copies;
	size_t back;
};

/*
 * The next entry. @bytes: of the sequence, *@taken of @count are used up. Return: 1; 0 if the bytes
 * end before it; -EINVAL if they are invalid.
 */
int smile_packed_read(struct packed_reader *reader, const unsigned char *bytes, size_t count,
		      size_t *taken, struct packed_entry *entry);

/*
 * Pass over copies, but for the last few, which smile_packed_read() still reads. @entries: receives
 * those that repeat, shape [*@count], in any order. Return: how often all of them are passed over.
 */
size_t smile_packed_skip(struct packed_reader *reader, struct packed_entry entries[PACKED_BACK],
			 size_t *count);

#endif /* LIB_BASE_PACKED_H */
