// SPDX-License-Identifier: MIT
/*
 * run/session: data that the host supplied to the program. The host may supply other data in
 * another run.
 */
#include "run/session/session_inside.h"

uint64_t run_asked(const struct run *run, enum stream_asked what)
{
	const struct stream_header *header = run->stream;

	return atomic_load(&header->asked[what]);
}

const char *run_asked_key(enum stream_asked what)
{
	static const char *const keys[STREAM_ASKED_COUNT] = {
		[STREAM_ASKED_TIME] = "time",	    [STREAM_ASKED_RANDOM] = "random",
		[STREAM_ASKED_PROCESS] = "process", [STREAM_ASKED_FILE] = "file",
		[STREAM_ASKED_MEMORY] = "memory",
	};

	return keys[what];
}

const char *run_asked_text(enum stream_asked what)
{
	static const char *const texts[STREAM_ASKED_COUNT] = {
		[STREAM_ASKED_TIME] = "clocks",
		[STREAM_ASKED_RANDOM] = "random numbers",
		[STREAM_ASKED_PROCESS] = "process ids, load, or processor",
		[STREAM_ASKED_FILE] = "files of /proc or /sys",
		[STREAM_ASKED_MEMORY] = "how often threads read memory while they waited for "
					"another thread to change it",
	};

	return texts[what];
}
