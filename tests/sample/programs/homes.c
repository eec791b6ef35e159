// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Prints the homes of pages in a recording, as a JSON array of runs.
 *
 * usage: homes RECORDING
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <smile/monitor.h>

int main(int argc, char **argv)
{
	struct Monitor_home *homes;
	struct Monitor *mon;
	int count;

	if (argc != 2 || Monitor_open(&mon, argv[1]) < 0) {
		fprintf(stderr, "homes: %s\n", Monitor_error_message());
		return 1;
	}
	count = Monitor_homes(mon, NULL, 0);
	homes = calloc(count > 0 ? (size_t)count : 1, sizeof(*homes));
	if (count < 0 || !homes)
		return 1;
	Monitor_homes(mon, homes, (size_t)count);
	putchar('[');
	for (int i = 0; i < count; i++)
		printf("%s{\"page\":%" PRIu64 ",\"pages\":%" PRIu64 ",\"node\":%" PRIu32 "}",
		       i ? "," : "", homes[i].page, homes[i].pages, homes[i].node);
	puts("]");
	free(homes);
	Monitor_close(mon);
	return 0;
}
