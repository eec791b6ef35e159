/* SPDX-License-Identifier: MIT */
/*
 * Exact counts: add up the records of a card for a counting recording.
 *
 * What lives here: exact counts of a phase by block, source, destination, type and packet; and the
 * conversion of these counts into COUNT records. May use the library's base and record.h.
 */
#ifndef LIB_COUNTS_EXACT_COUNTS_H
#define LIB_COUNTS_EXACT_COUNTS_H

#include <base/checkpoint.h>

#include "lib/base/count_table.h"
#include "lib/counts/record.h"

/**
 * struct exact - The counts.
 * @block_words: number of words in a block; the range of each record must be within one block
 * @table: the counts
 * @checkpoint: decides when counts are written before the end of the phase
 */
struct exact {
	uint32_t block_words;
	struct count_table table;
	struct checkpoint checkpoint;
};

/* Add a record to the counts. Return: 0; -ENOMEM, in which case nothing was added. */
int smile_exact_add(struct exact *exact, const struct record_plain *record);

/* Make a COUNT record. @count is not 0, and at most MONITOR_COUNT_MAX. */
struct smile_record smile_count_record(uint32_t type, uint32_t response, uint32_t source,
				       uint32_t destination, uint64_t address, uint32_t words,
				       uint32_t count);

/*
 * Pass all counts to @put as COUNT records, ordered by page, source and destination. Then clear the
 * counts.
 * @put: called several times, each time with some of the records. Return: 0; the result of @put if
 *       it is negative.
 */
int smile_exact_take(struct exact *exact,
		     int (*put)(void *opaque, const struct smile_record *records, size_t count),
		     void *opaque);

void smile_exact_free(struct exact *exact);

#endif /* LIB_COUNTS_EXACT_COUNTS_H */
