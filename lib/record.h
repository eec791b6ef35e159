/* SPDX-License-Identifier: MIT */
/*
 * Record: many at once.
 *
 * What lives here: what record.c, which alone takes records apart, can do with many of them without
 * decoding each.
 */
#ifndef LIB_RECORD_H
#define LIB_RECORD_H

#include <smile/monitor.h>

/*
 * Add up the counts of leading DYNAMIC records of transactions, all as Monitor_record_decode() would
 * have them. Return: how many there are before the first that is something else, or nothing valid.
 */
size_t smile_records_count(const struct smile_record *records, size_t count, uint64_t *sum);

#endif /* LIB_RECORD_H */
