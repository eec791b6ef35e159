/* SPDX-License-Identifier: MIT */
/* Check that a recording contains all events that its card counted. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(int argc, char **argv)
{
	struct Monitor_loss loss;
	struct Monitor *mon;
	int got;

	if (argc != 2 || Monitor_open(&mon, argv[1]) < 0)
		errx(2, "%s", argc == 2 ? Monitor_error_message() : "usage: statistics RECORDING");
	while ((got = Monitor_poll(mon, -1)) > 0)
		continue;
	if (got < 0)
		errx(2, "%s", Monitor_error_message());
	if (Monitor_loss(mon, &loss) < 0)
		errx(2, "%s", Monitor_error_message());
	printf("accepted %" PRIu64 ", delivered %" PRIu64 ", lost %" PRIu64 ": %s\n", loss.accepted,
	       loss.delivered, loss.lost, loss.balanced ? "balanced" : "not balanced");
	return Monitor_close(mon) < 0 || !loss.balanced;
}
