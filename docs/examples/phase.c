/* SPDX-License-Identifier: MIT */
/* Print the phases of a recording. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(int argc, char **argv)
{
	struct Monitor_phase phases[64];
	struct Monitor *mon;
	int got, count;

	if (argc != 2 || Monitor_open(&mon, argv[1]) < 0)
		errx(2, "%s", argc == 2 ? Monitor_error_message() : "usage: phase RECORDING");
	while ((got = Monitor_poll(mon, -1)) > 0)
		continue;
	if (got < 0)
		errx(2, "%s", Monitor_error_message());
	count = Monitor_phases(mon, phases, 64);
	for (int i = 0; i < count && i < 64; i++)
		printf("phase %d \"%s\": %" PRIu64 " accesses\n", i,
		       Monitor_phase_name(mon, (size_t)i), phases[i].accesses);
	return Monitor_close(mon) < 0;
}
