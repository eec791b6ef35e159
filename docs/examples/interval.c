/* SPDX-License-Identifier: MIT */
/* Add accesses of node 1 in two intervals, and list all accesses by interval. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(void)
{
	const struct Monitor_interval first = {.page = 40, .interval = 0, .node = 1, .reads = 1000};
	const struct Monitor_interval second = {.page = 40, .interval = 1, .node = 1, .writes = 10};
	struct Monitor_interval accesses[8];
	struct Monitor *mon;
	int count;

	if (Monitor_open(&mon, "emu:") < 0 || Monitor_interval_add(mon, &first) < 0 ||
	    Monitor_interval_add(mon, &second) < 0 || Monitor_interval_node_add(mon, 1) < 0)
		errx(2, "%s", Monitor_error_message());
	count = Monitor_intervals(mon, accesses, 8);
	for (int i = 0; i < count && i < 8; i++)
		printf("page %" PRIu64 ", interval %u, node %u: %" PRIu64 " reads%s\n",
		       accesses[i].page, accesses[i].interval, accesses[i].node, accesses[i].reads,
		       Monitor_interval_known(mon, accesses[i].node) ? "" : " or more");
	return Monitor_close(mon) < 0;
}
