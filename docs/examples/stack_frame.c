/* SPDX-License-Identifier: MIT */
/* Add the frame of a function that a thread executed, and list all frames. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(void)
{
	const struct Monitor_stack_frame frame = {
		.ip = 0x401234, .cfa = 0x7fff0100, .sp = 0x7fff0000};
	struct Monitor_stack_frame frames[8];
	struct Monitor *mon;
	int count;

	if (Monitor_open(&mon, "emu:") < 0 || Monitor_stack_frame_add(mon, &frame) < 0)
		errx(2, "%s", Monitor_error_message());
	count = Monitor_stack_frames(mon, frames, 8);
	for (int i = 0; i < count && i < 8; i++)
		printf("thread %u at %#" PRIx64 ": %" PRIu64 " bytes\n", frames[i].thread,
		       frames[i].ip, frames[i].cfa - frames[i].sp);
	return Monitor_close(mon) < 0;
}
