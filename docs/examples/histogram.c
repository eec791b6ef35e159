/* SPDX-License-Identifier: MIT */
/* While a recording is read, print the pages that change. Then print the accesses by page, and
 * the accesses to the first page by section. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <smile/monitor.h>

static int page_print(const struct Monitor_histogram_row *rows, size_t count, void *opaque)
{
	printf("page %" PRIu64 " has %s: %zu nodes access it\n", rows->page, (char *)opaque, count);
	return 0;
}

int main(int argc, char **argv)
{
	struct Monitor_histogram_row rows[64];
	struct Monitor *mon;
	uint64_t *counts;
	int got, count, nodes, sections;

	if (argc != 2 || Monitor_open(&mon, argv[1]) < 0)
		errx(2, "%s", argc == 2 ? Monitor_error_message() : "usage: histogram RECORDING");
	do {
		if (Monitor_changes_begin(mon) < 0)
			errx(2, "%s", Monitor_error_message());
		got = Monitor_poll(mon, -1);
		if (Monitor_walk_changes(mon, page_print, "changed") < 0)
			puts("most pages have changed");
	} while (got > 0);
	if (got < 0)
		errx(2, "%s", Monitor_error_message());
	count = Monitor_histogram_info(mon, rows, 64);
	for (int i = 0; i < count && i < 64; i++)
		printf("page %" PRIu64 " of node %u: %" PRIu64 " accesses by node %u\n",
		       rows[i].page, rows[i].home, rows[i].accesses, rows[i].source);
	if (count <= 0)
		errx(1, "no accesses");
	printf("nodes that access the first one: %d\n",
	       Monitor_histogram_page(mon, rows[0].page, rows[0].home, NULL, 0));

	nodes = Monitor_nodes(mon);
	counts = calloc(SMILE_PAGE_BYTES / 1024 * (size_t)nodes, sizeof(*counts));
	if (!counts)
		err(2, "no memory for %d nodes", nodes);
	sections = Monitor_sections_info(mon, rows[0].home, rows[0].page, 1024, counts, NULL,
					 (size_t)nodes);
	for (int i = 0; i < sections * nodes; i++)
		printf("section %d, node %d: %" PRIu64 "\n", i / nodes, i % nodes, counts[i]);
	free(counts);
	return Monitor_close(mon) < 0;
}
