/* SPDX-License-Identifier: MIT */
/* Decode the records of a recording, and print them. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(int argc, char **argv)
{
	struct smile_record records[256];
	struct Monitor_record record;
	struct Monitor *mon;
	int got;

	if (argc != 2 || Monitor_open(&mon, argv[1]) < 0)
		errx(2, "%s", argc == 2 ? Monitor_error_message() : "usage: record RECORDING");
	while ((got = Monitor_records_read(mon, records, 256, -1)) > 0)
		for (int i = 0; i < got; i++)
			if (!Monitor_record_decode(&records[i], &record) && record.count)
				printf("%u times node %u to node %u at %#" PRIx64 "\n",
				       record.count, record.source, record.destination,
				       record.address);
	if (got < 0)
		errx(2, "%s", Monitor_error_message());
	return Monitor_close(mon) < 0;
}
