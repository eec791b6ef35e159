/* SPDX-License-Identifier: MIT */
/* Record two requests, and print the origin of the recording. */
#include <err.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(int argc, char **argv)
{
	const uint64_t requests[] = {Monitor_request(0, 1, SMILE_TYPE_READ, 0x10000),
				     Monitor_request(0, 1, SMILE_TYPE_WRITE, 0x10000)};
	const uint64_t times_ns[] = {100, 200};
	struct Monitor_origin origin;
	struct Monitor *mon;

	if (argc != 2)
		errx(2, "usage: recording FILE");
	if (Monitor_open(&mon, "emu:") < 0 || Monitor_save(mon, argv[1], "an example") < 0 ||
	    Monitor_record_only(mon) < 0 || Monitor_start(mon) < 0 ||
	    Monitor_requests(mon, requests, times_ns, 2) < 0 || Monitor_stop(mon) < 0 ||
	    Monitor_swap(mon) < 0 || Monitor_close(mon) < 0)
		errx(2, "%s", Monitor_error_message());

	if (Monitor_open(&mon, argv[1]) < 0 || Monitor_origin(mon, &origin) < 0)
		errx(2, "%s", Monitor_error_message());
	printf("%s, %s\n", origin.command_line, origin.complete ? "complete" : "not closed");
	return Monitor_close(mon) < 0;
}
