/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fixture of the library's tests: records and temporary files.
 *
 * What lives here: records built field by field, apart from the card's and the library's own code,
 * so that a test compares two independent readings of the format.
 */
#ifndef TESTS_UNIT_LIB_FIXTURE_H
#define TESTS_UNIT_LIB_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <smile/monitor.h>

/* A DYNAMIC record, cause "capacity", index 3. */
struct smile_record record_dynamic(unsigned int type, unsigned int source, unsigned int destination,
				   uint64_t address, unsigned int words, unsigned int count);
/* Of a static counter of node 9's card, watching words of node 8. */
struct smile_record record_static(unsigned int index, unsigned int type, uint64_t address,
				  unsigned int words, unsigned int count);
struct smile_record record_overflow(unsigned int index, unsigned int type, uint64_t address,
				    unsigned int words);
/* Of one that counts a global event. */
struct smile_record record_static_event(unsigned int index, unsigned int event, unsigned int count);
struct smile_record record_response(struct smile_record record);
struct smile_record record_mark(unsigned int event, int phase, uint64_t time_ns);
struct smile_record record_lost(uint64_t events, uint32_t marks);

/* A path in a directory of the test's own, removed when the test ends. */
const char *scratch_path(const char *name);

/* Write a recording of @count records; @accepted goes into its statistics, -1: leave incomplete. */
void write_recording(const char *path, unsigned int node, const struct smile_record *records,
		     size_t count, int64_t accepted);

/* The same of node 9's card, which has static tables; NULL for @statistics: incomplete. */
void write_recording_static(const char *path, const struct smile_static *tables,
			    const struct smile_record *records, size_t count,
			    const struct smile_statistics *statistics);

/*
 * A recording of node 0 that has them and is not complete, opened and read to its end. It is
 * scratch_path("opened.rec"), until the next one.
 */
struct Monitor *recording_opened(const struct smile_record *records, size_t count);

#endif /* TESTS_UNIT_LIB_FIXTURE_H */
