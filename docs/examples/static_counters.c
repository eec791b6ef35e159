/* SPDX-License-Identifier: MIT */
/* Count the writes to 64 bytes of page 16 of node 1 with a static counter. Read and reset the
 * counter while the card runs. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(void)
{
	const uint64_t requests[] = {Monitor_request(0, 1, SMILE_TYPE_WRITE, 0x10010),
				     Monitor_request(0, 1, SMILE_TYPE_WRITE, 0x10040)};
	const uint64_t times_ns[] = {100, 200};
	uint64_t counts[SMILE_STATIC_COUNTERS] = {0}, count = 0;
	struct smile_static tables;
	struct Monitor *mon;
	int writes, counter;

	Monitor_static_default(&tables);
	writes = Monitor_static_event(&tables, 1, 0x10000, 64,
				      SMILE_FILTER_WRITE | SMILE_FILTER_REQUEST);
	counter = writes < 0 ? writes : Monitor_static_counter(&tables, writes, -1, -1);
	if (counter < 0 || Monitor_open(&mon, "emu:") < 0 || Monitor_static_set(mon, &tables) < 0 ||
	    Monitor_start(mon) < 0 || Monitor_requests(mon, requests, times_ns, 2) < 0 ||
	    Monitor_static_reset(mon, counter, &count) < 0 || Monitor_stop(mon) < 0 ||
	    Monitor_swap(mon) < 0)
		errx(2, "%s", Monitor_error_message());
	Monitor_static_counts(mon, counts, 1);
	printf("counter %d: %" PRIu64 ", of all %" PRIu64 "\n", counter, count, counts[counter]);
	return Monitor_close(mon) < 0;
}
