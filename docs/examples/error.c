/* SPDX-License-Identifier: MIT */
/* Report a failure: the errno value, and the message with the remedy. */
#include <stdio.h>
#include <string.h>

#include <smile/monitor.h>

int main(void)
{
	struct Monitor *mon;
	int error = Monitor_open(&mon, "file:missing.rec");

	printf("library %s\n", Monitor_version());
	if (error < 0)
		printf("%s: %s\n", strerror(-error), Monitor_error_message());
	else
		Monitor_close(mon);
	return 0;
}
