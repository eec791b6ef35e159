/* SPDX-License-Identifier: MIT */
/* Merge the recordings of several nodes. Print the number of records of all recordings together,
 * and of each recording. */
#include <err.h>
#include <stdio.h>

#include <smile/monitor.h>

#define NODES_MAX 64

static void need(int result)
{
	if (result < 0)
		errx(2, "%s", Monitor_error_message());
}

int main(int argc, char **argv)
{
	struct Monitor *parts[NODES_MAX], *mon;
	int got, records = 0, count = argc - 1;
	struct Monitor_loss loss;

	if (argc < 2 || count > NODES_MAX)
		errx(2, "usage: source RECORDING...");
	for (int i = 0; i < count; i++)
		need(Monitor_open(&parts[i], argv[i + 1]));
	need(Monitor_merge(&mon, parts, (size_t)count));
	while ((got = Monitor_poll(mon, -1)) > 0)
		records += got;
	need(got);
	printf("%d records of %d nodes\n", records, Monitor_nodes(mon));
	need(Monitor_close(mon));
	for (int i = 0; i < count; i++) {
		need(Monitor_loss(parts[i], &loss));
		printf("%s: %llu records\n", argv[i + 1], (unsigned long long)loss.records);
		need(Monitor_close(parts[i]));
	}
	return 0;
}
