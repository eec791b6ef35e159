/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: received records and expected records.
 *
 * What lives here: a stream of records, its sums, and the stream that a card in this process makes
 * from the same traffic. May use emu/card, tests/qemu/setup.h and traffic.h.
 */
#ifndef TESTS_QEMU_RECORDS_H
#define TESTS_QEMU_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#include "tests/qemu/setup.h"
#include "tests/qemu/traffic.h"

/**
 * struct records - A stream of records.
 * @record: the records
 * @count: the number of records
 * @capacity: the number of records that fit in @record
 */
struct records {
	struct smile_record *record;
	size_t count;
	size_t capacity;
};

void records_append(struct records *records, const struct smile_record *record);

/* One word of a record, in this host's byte order. */
uint32_t records_word(const struct records *records, size_t i, int word);

/* The kind of a record, and the time of an EVENT or TIME record. */
uint32_t records_kind(const struct records *records, size_t i);
uint64_t records_clock(const struct records *records, size_t i);

/* The number of records of one kind. */
size_t records_of(const struct records *records, uint32_t kind);

/*
 * Sums of the counts of DYNAMIC records, of STATIC and OVERFLOW records, and of the losses that
 * LOST records report: memory events and EVENT records.
 */
uint64_t records_counted(const struct records *records);
uint64_t records_static(const struct records *records);
uint64_t records_lost(const struct records *records);
uint64_t records_marks_lost(const struct records *records);

/* End the test unless both streams are the same. */
void records_compare(const char *what, const struct records *found, const struct records *expected);

/*
 * The records that a card with @setup makes of @traffic, if it is drained whenever its ring is full
 * and swapped out at the end.
 */
void records_expect(struct records *records, const struct setup *setup,
		    const struct traffic *traffic);

/*
 * The records that a card with @setup, but without traffic, has made at @end_ns, if its clock took
 * its first step at @start_ns.
 */
void records_expect_quiet(struct records *records, const struct setup *setup, uint64_t start_ns,
			  uint64_t end_ns);

#endif /* TESTS_QEMU_RECORDS_H */
