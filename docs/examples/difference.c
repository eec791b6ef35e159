/* SPDX-License-Identifier: MIT */
/* Compare the accesses of two recordings, page by page. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include <smile/monitor.h>

static struct Monitor *view(const char *path)
{
	struct Monitor *mon;
	int got;

	if (Monitor_open(&mon, path) < 0)
		errx(2, "%s", Monitor_error_message());
	while ((got = Monitor_poll(mon, -1)) > 0)
		continue;
	if (got < 0)
		errx(2, "%s", Monitor_error_message());
	return mon;
}

int main(int argc, char **argv)
{
	struct Monitor_difference rows[64];
	struct Monitor *first, *second;
	int count;

	if (argc != 3)
		errx(2, "usage: difference RECORDING RECORDING");
	first = view(argv[1]);
	second = view(argv[2]);
	count = Monitor_difference(first, second, rows, 64);
	if (count < 0)
		errx(2, "%s", Monitor_error_message());
	for (int i = 0; i < count && i < 64; i++)
		printf("page %" PRIu64 ", node %u: %" PRIu64 ", then %" PRIu64 "\n", rows[i].page,
		       rows[i].source, rows[i].accesses[0], rows[i].accesses[1]);
	Monitor_close(second);
	Monitor_close(first);
	return 0;
}
