/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Shared by the tests of the tracer: runs of the test programs, and queries about the reports. All
 * of them fail the test by cmocka if a result is wrong.
 */
#ifndef TESTS_TRACER_CHECK_H
#define TESTS_TRACER_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "tests/tracer/reader.h"

/* Any kind or any size. */
#define ANY 0xffU

/* Above the addresses where QEMU loads the program, and below its stack if it is not randomised. */
#define STACKS 0x4000000000ULL

/* The last run. */
extern struct reader check_reader;
extern const char *check_plugin, *check_preload, *check_guests;

/*
 * Run test case @name of a program; check_run() runs the program with libraries and without marks.
 */
void check_run_of(const char *program, const char *name);
void check_run(const char *name);

/* Teardown: free the results of the run. */
int check_clean(void **state);

/* Parts of a word, and the number of words from this word to the next record. */
unsigned int check_kind(uint64_t word);
unsigned int check_op(uint64_t word);
size_t check_step(uint64_t word);

/*
 * Count accesses of a thread to [start, end), or of all threads to a page of the arena or to all of
 * it.
 */
unsigned int check_count(const struct reader_thread *t, unsigned int kind, unsigned int bytes,
			 uint64_t start, uint64_t end);
unsigned int check_page(unsigned int number, unsigned int kind, unsigned int bytes);
unsigned int check_arena(void);

/* The n-th record of a kind in a thread's words, or NULL; and its value. */
const uint64_t *check_record(const struct reader_thread *t, enum stream_op op, unsigned int n);
uint64_t check_value(const uint64_t *word);

/* BEGIN must be first, END last, and no record may be torn. */
void check_whole(void);

/* The program must have ended with this status. */
void check_exit(int status);

/* The last region that was entered for an address, among the removed or the present regions. */
const struct stream_region *check_region(uint64_t start, bool gone);

extern const struct CMUnitTest access_cases[], memory_cases[], process_cases[];
extern const size_t access_cases_count, memory_cases_count, process_cases_count;

#endif /* TESTS_TRACER_CHECK_H */
