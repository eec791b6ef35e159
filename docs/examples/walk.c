/* SPDX-License-Identifier: MIT */
/* Sum up reads and writes over all pages and phases of a recording. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include <smile/monitor.h>

static int add(const struct Monitor_count *count, void *opaque)
{
	uint64_t *sums = opaque;

	sums[count->type] += count->accesses;
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t sums[SMILE_TYPE_COUNT] = {0};
	struct Monitor *mon;
	int got;

	if (argc != 2 || Monitor_open(&mon, argv[1]) < 0)
		errx(2, "%s", argc == 2 ? Monitor_error_message() : "usage: walk RECORDING");
	while ((got = Monitor_poll(mon, -1)) > 0)
		continue;
	if (got < 0)
		errx(2, "%s", Monitor_error_message());
	if (Monitor_walk_phases(mon, add, sums) < 0)
		errx(2, "%s", Monitor_error_message());
	printf("%" PRIu64 " reads, %" PRIu64 " writes\n", sums[SMILE_TYPE_READ],
	       sums[SMILE_TYPE_WRITE]);
	return Monitor_close(mon) < 0;
}
