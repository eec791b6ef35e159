/* SPDX-License-Identifier: MIT */
/* Add an allocation site and one of its blocks, and list the sites and blocks. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(void)
{
	struct Monitor_site site = {
		.callers = {0x401000}, .blocks = 1, .bytes = 4096, .peak_bytes = 4096};
	struct Monitor_block block = {.address = 0x10000,
				      .bytes = 4096,
				      .count = 1,
				      .stride = 4096,
				      .uses = 1,
				      .end_ns = UINT64_MAX};
	struct Monitor_block blocks[8];
	struct Monitor *mon;
	int index, count;

	if (Monitor_open(&mon, "emu:") < 0)
		errx(2, "%s", Monitor_error_message());
	index = Monitor_site_add(mon, &site);
	if (index < 0)
		errx(2, "%s", Monitor_error_message());
	block.site = (uint32_t)index;
	if (Monitor_block_add(mon, &block) < 0)
		errx(2, "%s", Monitor_error_message());
	printf("%d site\n", Monitor_sites(mon, NULL, 0));
	count = Monitor_blocks(mon, blocks, 8);
	for (int i = 0; i < count && i < 8; i++)
		printf("%#" PRIx64 ": %" PRIu64 " bytes, site %u\n", blocks[i].address,
		       blocks[i].bytes, blocks[i].site);
	return Monitor_close(mon) < 0;
}
