/* SPDX-License-Identifier: MIT */
/* Describe pages and their homes by calls, then by lines of a file, and look up an address. */
#include <err.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(void)
{
	const struct Monitor_region grid = {
		.start = 0x10000, .end = 0x20000, .kind = MONITOR_REGION_NAMED, .name = "grid"};
	const struct Monitor_failed none = {.node = 2, .accesses = 0};
	struct Monitor_failed failed;
	struct Monitor_region region;
	struct Monitor *mon;
	FILE *names = tmpfile();

	if (!names)
		err(2, "no file for names");
	fprintf(names, "region 20000 30000 400 rows\nhomes 20 0203\n");
	fflush(names);
	if (Monitor_open(&mon, "emu:") < 0 || Monitor_names_follow(mon, fileno(names)) < 0 ||
	    Monitor_names_end(mon) < 0 || Monitor_home_add(mon, 0x10, 16, 2) < 0 ||
	    Monitor_region_add(mon, &grid) < 0 || Monitor_phase_name_add(mon, 0, "solve") < 0 ||
	    Monitor_failed_add(mon, &none) < 0 || Monitor_failed(mon, &failed, 1) < 0)
		errx(2, "%s", Monitor_error_message());
	if (Monitor_region_find(mon, 0x12345, &region) < 0)
		errx(2, "%s", Monitor_error_message());
	printf("%s, on node %d\n", region.name, Monitor_page_home(mon, 0x12345 / SMILE_PAGE_BYTES));
	printf("%d accesses of node %u have failed\n", (int)failed.accesses, failed.node);
	return Monitor_close(mon) < 0;
}
