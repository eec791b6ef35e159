/* SPDX-License-Identifier: MIT */
/* Merge the recordings of several nodes, and count their records. */
#include <err.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(int argc, char **argv)
{
	struct Monitor *mon;
	int got, records = 0;

	if (argc < 2)
		errx(2, "usage: source RECORDING...");
	if (Monitor_open(&mon, argv[1]) < 0)
		errx(2, "%s", Monitor_error_message());
	for (int i = 2; i < argc; i++)
		if (Monitor_attach(mon, argv[i]) < 0)
			errx(2, "%s", Monitor_error_message());
	while ((got = Monitor_poll(mon, -1)) > 0)
		records += got;
	if (got < 0)
		errx(2, "%s", Monitor_error_message());
	printf("%d records of %d nodes\n", records, Monitor_nodes(mon));
	return Monitor_close(mon) < 0;
}
