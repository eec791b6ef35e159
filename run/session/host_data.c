// SPDX-License-Identifier: MIT
/*
 * run/session: counts data that the host supplied to the program. In another run, the host may
 * supply other data.
 */
#include "run/session/session_inside.h"

uint64_t run_host_data(const struct run *run, enum stream_host_data what)
{
	const struct stream_header *header = run->stream;

	return atomic_load(&header->host_data[what]);
}

const char *run_host_data_key(enum stream_host_data what)
{
	static const char *const keys[STREAM_HOST_DATA_COUNT] = {
		[STREAM_HOST_DATA_TIME] = "time",	[STREAM_HOST_DATA_RANDOM] = "random",
		[STREAM_HOST_DATA_PROCESS] = "process", [STREAM_HOST_DATA_FILE] = "file",
		[STREAM_HOST_DATA_MEMORY] = "memory",
	};

	return keys[what];
}

const char *run_host_data_text(enum stream_host_data what)
{
	static const char *const texts[STREAM_HOST_DATA_COUNT] = {
		[STREAM_HOST_DATA_TIME] = "clocks",
		[STREAM_HOST_DATA_RANDOM] = "random numbers",
		[STREAM_HOST_DATA_PROCESS] = "process ids, load, or processor",
		[STREAM_HOST_DATA_FILE] = "files of /proc or /sys",
		[STREAM_HOST_DATA_MEMORY] = "how often threads read memory while they waited for "
					    "another thread to change it",
	};

	return texts[what];
}
