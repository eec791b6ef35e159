/* SPDX-License-Identifier: MIT */
/* Configure a card to count only writes, by ranges of at most 64 bytes. */
#include <err.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(void)
{
	struct smile_config config;
	struct smile_info info;
	struct Monitor *mon;

	if (Monitor_open(&mon, "emu:") < 0)
		errx(2, "%s", Monitor_error_message());
	Monitor_config_default(&config);
	config.filter &= ~(SMILE_FILTER_READ | SMILE_FILTER_LOCK);
	config.max_range_bytes = 64;
	if (Monitor_config_set(mon, &config) < 0 || Monitor_info(mon, &info) < 0)
		errx(2, "%s", Monitor_error_message());
	printf("filter %#x, ranges of %u bytes\n", info.config.filter, info.config.max_range_bytes);
	return Monitor_close(mon) < 0;
}
