/* SPDX-License-Identifier: MIT */
/*
 * Packed sequence: encode a sequence of counts at ascending positions in few bytes.
 *
 * What lives here: the encoder and the decoder of a sequence. docs/recording.md describes the code.
 * This file may use the C library.
 *
 * An entry has a position and up to three counts. The gap of an entry is the distance from the
 * previous entry's position. The gap of the first entry is the distance from -1. A code is one of
 * these:
 *
 * 	bit 7 0   an entry. Bit 0 is set if the gap of the entry follows; bits 1 to 3 are set
 * 	          if its first, second and third count follow. Each of these numbers is a
 * 	          varint (LEB128). A gap that does not follow is 1. A count that does not
 * 	          follow is the count of the previous entry; before the first entry, all
 * 	          counts are 0. Bits 4 to 6 are 0
 * 	bit 7 1   several entries, each a copy of the gap and the counts of an earlier entry.
 * 	          The value of bits 4 to 6, plus one, is the distance to the earlier entry, in
 * 	          entries. The value of bits 0 to 3, plus one, is the number of copies. If
 * 	          bits 0 to 3 are 15, a varint follows, which is added to this number
 */
#ifndef LIB_BASE_PACKED_SEQUENCE_H
#define LIB_BASE_PACKED_SEQUENCE_H

#include <stddef.h>
#include <stdint.h>

#define PACKED_COUNTS 3U
/* The largest distance of a copy, in entries. */
#define PACKED_BACK 8U
/* The largest number of entries of one copy code. */
#define PACKED_COPY_MAX 1024U
/* The number of bytes of the longest code. */
#define PACKED_CODE_MAX (1U + 4 * 10)

/**
 * struct packed_entry - An entry of a sequence.
 * @gap: the gap, which is not 0
 * @counts: the counts
 */
struct packed_entry {
	uint64_t gap;
	uint64_t counts[PACKED_COUNTS];
};

/* Write a number as a varint. @bytes: memory for 10 bytes. Return: the number of bytes. */
size_t smile_varint_put(unsigned char *bytes, uint64_t number);

/*
 * Read a varint. Return: the number of its bytes; 0 if the varint is not complete in @count bytes;
 * -1 if it is invalid.
 */
int smile_varint_get(const unsigned char *bytes, size_t count, uint64_t *number);

/*
 * Encode a whole sequence. @bytes: memory for PACKED_CODE_MAX bytes per entry. Return: the number
 * of bytes.
 */
size_t smile_packed_write(const struct packed_entry *entries, size_t count, unsigned char *bytes);

/**
 * struct packed_reader - The decoder of one sequence; initially all zero.
 * @last: the last entries that were read; the newest entry is at index (@read - 1) % PACKED_BACK
 * @read: number of entries that were read
 * @copies: number of copies that the current code still stands for and that were not read yet
 * @back: distance from a copy to the entry that is copied, in entries
 */
struct packed_reader {
	struct packed_entry last[PACKED_BACK];
	size_t read;
	size_t copies;
	size_t back;
};

/*
 * Read the next entry. @bytes: @count bytes of the sequence, of which *@taken were already read;
 * the function advances *@taken. Return: 1; 0 if the bytes end before the end of the entry; -EINVAL
 * if the bytes are invalid.
 */
int smile_packed_read(struct packed_reader *reader, const unsigned char *bytes, size_t count,
		      size_t *taken, struct packed_entry *entry);

/*
 * Skip most copies that the current code stands for. The last few copies remain for
 * smile_packed_read(). The skipped copies repeat the same *@count entries several times. @entries:
 * receives these entries, in any order; shape [*@count]. Return: the number of skipped repetitions.
 */
size_t smile_packed_skip(struct packed_reader *reader, struct packed_entry entries[PACKED_BACK],
			 size_t *count);

#endif /* LIB_BASE_PACKED_SEQUENCE_H */
