/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* See lib_fixture.h. */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/source/config_check.h"
#include "lib/recording/recording.h"
#include "tests/unit/lib_fixture.h"

static struct smile_record words(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	return (struct smile_record){{htole32(a), htole32(b), htole32(c), htole32(d)}};
}

struct smile_record record_dynamic(unsigned int type, unsigned int source, unsigned int destination,
				   uint64_t address, unsigned int length, unsigned int count)
{
	return words(1 | type << 4 | 1 << 8 | count << 16, source | destination << 16,
		     (uint32_t)address, (uint32_t)(address >> 32) | (length - 1) << 16 | 3U << 26);
}

struct smile_record record_static(unsigned int index, unsigned int type, uint64_t address,
				  unsigned int length, unsigned int count)
{
	return words(2 | type << 4 | 3 << 8 | count << 16, 9 | 8U << 16, (uint32_t)address,
		     (uint32_t)(address >> 32) | (length - 1) << 16 | index << 26);
}

struct smile_record record_overflow(unsigned int index, unsigned int type, uint64_t address,
				    unsigned int length)
{
	return words(3 | type << 4 | 2 << 8 | 65535U << 16, 9 | 8U << 16, (uint32_t)address,
		     (uint32_t)(address >> 32) | (length - 1) << 16 | index << 26);
}

struct smile_record record_static_event(unsigned int index, unsigned int event, unsigned int count)
{
	return words(2 | 4 << 4 | 3 << 8 | count << 16, 9, event, index << 26);
}

struct smile_record record_response(struct smile_record record)
{
	record.word[0] |= htole32(0x80);
	return record;
}

struct smile_record record_mark(unsigned int event, int phase, uint64_t time_ns)
{
	return words(4 | (phase ? 1 << 4 : 0) | 3 << 8 | event << 16, 0, (uint32_t)time_ns,
		     (uint32_t)(time_ns >> 32));
}

struct smile_record record_lost(uint64_t events, uint32_t marks)
{
	return words(6, marks, (uint32_t)events, (uint32_t)(events >> 32));
}

static char directory[64];

static void remove_directory(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	if (system(command))
		fprintf(stderr, "cannot remove %s\n", directory);
}

const char *scratch_path(const char *name)
{
	static char path[128];

	if (!*directory) {
		const char *parent = getenv("TMPDIR");

		snprintf(directory, sizeof(directory), "%.40s/smile-test-XXXXXX",
			 parent ? parent : "/tmp");
		assert_non_null(mkdtemp(directory));
		atexit(remove_directory);
	}
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static void write_all(const char *path, unsigned int node, const struct smile_static *tables,
		      const struct smile_record *records, size_t count,
		      const struct smile_statistics *statistics)
{
	struct smile_info info = {
		.size = sizeof(info),
		.abi = SMILE_ABI_VERSION,
		.static_counters = tables ? 16 : 0,
	};
	struct recording_writer *writer;

	Monitor_config_default(&info.config);
	info.config.node = node;
	assert_int_equal(smile_recording_create(&writer, path, "test", &info, tables, 0, NULL), 0);
	assert_int_equal(smile_recording_append(writer, records, count), 0);
	assert_int_equal(smile_recording_finish(writer, statistics), 0);
}

void write_recording(const char *path, unsigned int node, const struct smile_record *records,
		     size_t count, int64_t accepted)
{
	struct smile_statistics statistics = {
		.size = sizeof(statistics),
		.events_accepted = (uint64_t)accepted,
		.records_written = count,
	};

	write_all(path, node, NULL, records, count, accepted < 0 ? NULL : &statistics);
}

void write_recording_static(const char *path, const struct smile_static *tables,
			    const struct smile_record *records, size_t count,
			    const struct smile_statistics *statistics)
{
	write_all(path, 9, tables, records, count, statistics);
}

struct Monitor *recording_opened(const struct smile_record *records, size_t count)
{
	struct Monitor *mon;

	write_recording(scratch_path("opened.rec"), 0, records, count, -1);
	assert_int_equal(Monitor_open(&mon, scratch_path("opened.rec")), 0);
	while (Monitor_poll(mon, 0) > 0)
		continue;
	return mon;
}
