/* SPDX-License-Identifier: MIT */
/* Add up the reads and writes of a recording. Then print the counts by pair of nodes, and those
 * of one page by phase and by block. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include <smile/monitor.h>

struct sums {
	uint64_t by_type[SMILE_TYPE_COUNT];
	struct Monitor_count last;
};

static int add(const struct Monitor_count *count, void *opaque)
{
	struct sums *sums = opaque;

	sums->by_type[count->type] += count->accesses;
	sums->last = *count;
	return 0;
}

static int print(const struct Monitor_count *count, void *opaque)
{
	printf("%s: %" PRIu64 " by node %u on node %u, phase %u, byte %u\n", (const char *)opaque,
	       count->accesses, count->source, count->home, count->phase, count->offset);
	return 0;
}

int main(int argc, char **argv)
{
	struct sums sums = {0};
	struct Monitor *mon;
	int got;

	if (argc != 2 || Monitor_open(&mon, argv[1]) < 0)
		errx(2, "%s", argc == 2 ? Monitor_error_message() : "usage: walk RECORDING");
	while ((got = Monitor_poll(mon, -1)) > 0)
		continue;
	if (got < 0)
		errx(2, "%s", Monitor_error_message());
	if (Monitor_walk_phases(mon, add, &sums) < 0)
		errx(2, "%s", Monitor_error_message());
	printf("%" PRIu64 " reads, %" PRIu64 " writes\n", sums.by_type[SMILE_TYPE_READ],
	       sums.by_type[SMILE_TYPE_WRITE]);
	Monitor_walk_pairs(mon, print, "a pair");
	Monitor_walk_page_phases(mon, sums.last.page, sums.last.home, print, "a page");
	Monitor_walk_page_ranges(mon, sums.last.page, sums.last.home, print, "a block of it");
	return Monitor_close(mon) < 0;
}
