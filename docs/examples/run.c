/* SPDX-License-Identifier: MIT */
/* Pass three requests to an emulated card, and print the transactions between nodes. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(void)
{
	const uint64_t requests[] = {Monitor_request(0, 1, SMILE_TYPE_READ, 0x10000),
				     Monitor_request(0, 1, SMILE_TYPE_READ, 0x10000),
				     Monitor_request(1, 0, SMILE_TYPE_WRITE, 0x20000)};
	const uint64_t times_ns[] = {100, 200, 300};
	uint64_t counts[2][2];
	struct Monitor *mon;

	if (Monitor_open(&mon, "emu:") < 0 || Monitor_start(mon) < 0 ||
	    Monitor_requests(mon, requests, times_ns, 3) < 0 || Monitor_stop(mon) < 0 ||
	    Monitor_swap(mon) < 0)
		errx(2, "%s", Monitor_error_message());
	Monitor_get_packets(mon, &counts[0][0], 2);
	printf("0 to 1: %" PRIu64 ", 1 to 0: %" PRIu64 "\n", counts[0][1], counts[1][0]);
	return Monitor_close(mon) < 0;
}
