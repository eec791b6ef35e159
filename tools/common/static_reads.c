// SPDX-License-Identifier: MIT
/*
 * Static reads: the options --read-static and --reset-static. Uses the public API.
 */
#include "tools/common/static_reads.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/tool.h"

static int take(struct static_reads *reads, int print, const char *text)
{
	const char *option = print ? "--read-static" : "--reset-static";
	size_t length = strcspn(text, ":");
	char number[16];
	uint64_t counter;
	uint32_t us;

	if (reads->count == STATIC_READS_MAX)
		return tool_usage("%s: at most %u are possible", option, STATIC_READS_MAX);
	if (!text[length] || length >= sizeof(number))
		return tool_usage("%s: '%s' is no counter and time, such as 3:100ms", option, text);
	snprintf(number, sizeof(number), "%.*s", (int)length, text);
	if (tool_number(option, number, 0, SMILE_STATIC_COUNTERS - 1, &counter) ||
	    tool_period(option, text + length + 1, &us))
		return TOOL_ERROR;
	reads->list[reads->count++] = (struct static_read){
		.counter = (unsigned int)counter,
		.print = print,
		.ns = us * 1000ULL,
		.due_ns = UINT64_MAX,
	};
	return TOOL_OK;
}

int static_reads_take(void *reads, const char *text)
{
	return take(reads, 1, text);
}

int static_resets_take(void *reads, const char *text)
{
	return take(reads, 0, text);
}

int static_reads_check(const struct static_reads *reads, unsigned int counters)
{
	for (unsigned int i = 0; i < reads->count; i++)
		if (reads->list[i].counter >= counters)
			return tool_usage("%s: there is no static counter %u: --static makes them, "
					  "numbered from 0",
					  reads->list[i].print ? "--read-static" : "--reset-static",
					  reads->list[i].counter);
	return TOOL_OK;
}

void static_reads_begin(struct static_reads *reads)
{
	int print = 0;

	reads->start_ns = tool_now_ns();
	for (unsigned int i = 0; i < reads->count; i++) {
		reads->list[i].due_ns = reads->start_ns + reads->list[i].ns;
		print |= reads->list[i].print;
	}
	if (print && !reads->json)
		printf("seconds,counter,count\n");
}

int static_reads_wait_ms(const struct static_reads *reads, int most_ms)
{
	uint64_t now_ns = tool_now_ns();

	for (unsigned int i = 0; i < reads->count; i++) {
		uint64_t due_ns = reads->list[i].due_ns;

		if (due_ns <= now_ns)
			return 0;
		if ((due_ns - now_ns) / 1000000 < (uint64_t)most_ms)
			most_ms = (int)((due_ns - now_ns + 999999) / 1000000);
	}
	return most_ms;
}

static int read_one(struct static_reads *reads, struct static_read *read, struct Monitor *mon)
{
	uint64_t count;
	int error = Monitor_static_reset(mon, read->counter, &count);
	double seconds = (double)(tool_now_ns() - reads->start_ns) / 1e9;

	if (error < 0 || !read->print)
		return error;
	if (reads->json)
		printf("{\"schema\":\"smile.static-read/1\",\"seconds\":%.6f,\"counter\":%u,"
		       "\"count\":%" PRIu64 "}\n",
		       seconds, read->counter, count);
	else
		printf("%.6f,%u,%" PRIu64 "\n", seconds, read->counter, count);
	/*
	 * Flush, so that the reader of a pipe receives each line immediately. A write error is
	 * reported at the end of the command.
	 */
	fflush(stdout);
	return 0;
}

int static_reads_run(struct static_reads *reads, struct Monitor *mon)
{
	for (unsigned int i = 0; i < reads->count; i++) {
		struct static_read *read = &reads->list[i];
		uint64_t now_ns = tool_now_ns();
		int error;

		if (now_ns < read->due_ns)
			continue;
		error = read_one(reads, read, mon);
		/*
		 * If a signal has interrupted the read, the counter must still be read. The caller
		 * handles the signal first.
		 */
		if (error < 0)
			return error == -EINTR ? 0 : error;
		/*
		 * If this read was so late that the next read is already due, schedule the next
		 * read a whole period from now.
		 */
		read->due_ns = !read->print			  ? UINT64_MAX
			       : read->due_ns + read->ns > now_ns ? read->due_ns + read->ns
								  : now_ns + read->ns;
	}
	return 0;
}

int static_reads_end(struct static_reads *reads, struct Monitor *mon)
{
	int error = 0;

	for (unsigned int i = 0; i < reads->count && error >= 0; i++)
		if (reads->list[i].print)
			error = read_one(reads, &reads->list[i], mon);
	return error;
}
