/* SPDX-License-Identifier: MIT */
/* Print the pages of a recording that should lie on another node. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(int argc, char **argv)
{
	const struct Monitor_weights weights = {
		.local = 20, .read = 300, .write = 100, .lock = 300};
	struct Monitor_advice advice[64];
	struct Monitor *mon;
	int got, pages;

	if (argc != 2 || Monitor_open(&mon, argv[1]) < 0)
		errx(2, "%s", argc == 2 ? Monitor_error_message() : "usage: advice RECORDING");
	while ((got = Monitor_poll(mon, -1)) > 0)
		continue;
	if (got < 0)
		errx(2, "%s", Monitor_error_message());
	pages = Monitor_advice(mon, &weights, NULL, 0, 0.5, advice, 64);
	for (int i = 0; i < pages && i < 64; i++)
		if (advice[i].node != advice[i].home)
			printf("page %" PRIu64 ": from node %u to node %u\n", advice[i].page,
			       advice[i].home, advice[i].node);
	return Monitor_close(mon) < 0;
}
