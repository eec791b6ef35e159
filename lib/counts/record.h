/* SPDX-License-Identifier: MIT */
/*
 * Record: processes many records together.
 *
 * What lives here: functions that process an array of records without decoding each record
 * completely.
 */
#ifndef LIB_COUNTS_RECORD_H
#define LIB_COUNTS_RECORD_H

#include <base/field.h>
#include <smile/monitor.h>

/*
 * Sum up the counts of the DYNAMIC records of transactions at the beginning of @records. The result
 * is the same as with Monitor_record_decode(). Return: the number of records before the first
 * record that is invalid or of another kind.
 */
size_t smile_records_count(const struct smile_record *records, size_t count, uint64_t *sum);

/**
 * struct record_plain - A DYNAMIC or COUNT record of a transaction, in a compact form.
 * @page: page number
 * @count: as in struct Monitor_record
 * @source: as in struct Monitor_record
 * @destination: as in struct Monitor_record
 * @first: first word of the range, within the page
 * @last: last word of the range
 * @type: SMILE_TYPE_*
 * @response: the card has counted the transactions by their responses
 */
struct record_plain {
	uint64_t page;
	uint32_t count;
	uint16_t source;
	uint16_t destination;
	uint16_t first;
	uint16_t last;
	uint8_t type;
	uint8_t response;
};

/*
 * Get the count of a COUNT record. The record divides it among three fields. @word: the words of
 * the record in host byte order.
 */
static inline uint32_t smile_record_exact(const uint32_t word[SMILE_RECORD_WORDS])
{
	return SMILE_GET(MONITOR_COUNT_LOW, word[0]) |
	       SMILE_GET(MONITOR_COUNT_MIDDLE, word[0]) << 16 |
	       SMILE_GET(MONITOR_COUNT_HIGH, word[3]) << 24;
}

/*
 * Decode the plain records at the beginning of @records. Return: the number of records before the
 * first record that is invalid or of another kind.
 */
size_t smile_records_plain(const struct smile_record *records, size_t count,
			   struct record_plain *plain);

#endif /* LIB_COUNTS_RECORD_H */
