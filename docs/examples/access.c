/* SPDX-License-Identifier: MIT */
/* Add the accesses that node 1 made in front of its caches, and print them. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(void)
{
	const uint32_t counts[2] = {1000, 10};
	struct Monitor_histogram_row rows[4];
	struct Monitor *mon;
	int count;

	if (Monitor_open(&mon, "emu:") < 0 ||
	    Monitor_accesses_add(mon, 0, Monitor_request(1, 0, SMILE_TYPE_READ, 40 * 4096), 4,
				 counts, 2) < 0 ||
	    Monitor_accesses_node_add(mon, 1) < 0 || Monitor_accesses_show(mon, 1) < 0)
		errx(2, "%s", Monitor_error_message());
	count = Monitor_histogram_info(mon, rows, 4);
	for (int i = 0; i < count && i < 4; i++)
		printf("page %" PRIu64 ", node %u: %" PRIu64 " accesses%s\n", rows[i].page,
		       rows[i].source, rows[i].accesses,
		       Monitor_accesses_known(mon, rows[i].source) ? "" : " or more");
	return Monitor_close(mon) < 0;
}
