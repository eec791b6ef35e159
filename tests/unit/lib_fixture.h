/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fixture of the library's tests: records and temporary files.
 *
 * What lives here: functions that make records field by field. They use no code of the card or the
 * library, so that the tests compare two independent implementations of the format.
 */
#ifndef TESTS_UNIT_LIB_FIXTURE_H
#define TESTS_UNIT_LIB_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <smile/monitor.h>

/* Make a DYNAMIC record, with cause "capacity" and index 3. */
struct smile_record record_dynamic(unsigned int type, unsigned int source, unsigned int destination,
				   uint64_t address, unsigned int words, unsigned int count);
/* Make a record of a static counter of node 9's card, which counts accesses to words of node 8. */
struct smile_record record_static(unsigned int index, unsigned int type, uint64_t address,
				  unsigned int words, unsigned int count);
struct smile_record record_overflow(unsigned int index, unsigned int type, uint64_t address,
				    unsigned int words);
/* Make a record of a static counter that counts a global event. */
struct smile_record record_static_event(unsigned int index, unsigned int event, unsigned int count);
struct smile_record record_response(struct smile_record record);
struct smile_record record_mark(unsigned int event, int phase, uint64_t time_ns);
struct smile_record record_lost(uint64_t events, uint32_t marks);

/* A path in a temporary directory of this test. */
const char *scratch_path(const char *name);

/*
 * Write a recording of @count records. @accepted: the number of accepted events in its statistics;
 * if -1, leave the recording incomplete.
 */
void write_recording(const char *path, unsigned int node, const struct smile_record *records,
		     size_t count, int64_t accepted);

/*
 * Write a recording of node 9's card, with static tables. If @statistics is NULL, leave it
 * incomplete.
 */
void write_recording_static(const char *path, const struct smile_static *tables,
			    const struct smile_record *records, size_t count,
			    const struct smile_statistics *statistics);

/*
 * Write an incomplete recording of node 0 with these records, open it, and read it to its end. Its
 * path is scratch_path("opened.rec"); the next call overwrites this file.
 */
struct Monitor *recording_opened(const struct smile_record *records, size_t count);

#endif /* TESTS_UNIT_LIB_FIXTURE_H */
