// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Lists the samples of a perf.data file as `perf script -F tid,cpu,time,event,addr,weight,data_src`
 * does, in the order of the file, so that a test can compare the two lists.
 *
 * usage: list_samples FILE
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "run/sample/perf_file.h"

int main(int argc, char **argv)
{
	struct perf_file *file = calloc(1, sizeof(*file));
	FILE *in = argc == 2 ? fopen(argv[1], "re") : NULL;
	struct perf_file_record record;
	char why[1024];
	int got;

	if (!in || !file || perf_file_open(file, in, why, sizeof(why)) < 0)
		return 2;
	while ((got = perf_file_next(file, &record, why, sizeof(why))) > 0)
		if (record.kind == PERF_FILE_SAMPLE && record.sample.data_source)
			printf("%" PRIu32 " [%03" PRIu32 "] %" PRIu64 ".%06" PRIu64 ": %s: %" PRIx64
			       " %" PRIx64 " %" PRIu64 "\n",
			       record.sample.tid, record.sample.cpu, record.time_ns / 1000000000,
			       record.time_ns / 1000 % 1000000,
			       record.event ? record.event->name : "?", record.sample.address,
			       record.sample.data_source, record.sample.weight);
	perf_file_close(file);
	free(file);
	fclose(in);
	return got < 0 ? 2 : 0;
}
