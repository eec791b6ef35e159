/* SPDX-License-Identifier: MIT */
/* Add accesses of node 1 to its own memory, and list all local accesses. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include <smile/monitor.h>

int main(void)
{
	const struct Monitor_local local = {.page = 40, .node = 1, .reads = 1000, .writes = 10};
	struct Monitor_local locals[8];
	struct Monitor *mon;
	int count;

	if (Monitor_open(&mon, "emu:") < 0 || Monitor_local_add(mon, &local) < 0 ||
	    Monitor_local_node_add(mon, 1) < 0)
		errx(2, "%s", Monitor_error_message());
	count = Monitor_locals(mon, locals, 8);
	for (int i = 0; i < count && i < 8; i++)
		printf("page %" PRIu64 " of node %u: %" PRIu64 " reads%s\n", locals[i].page,
		       locals[i].node, locals[i].reads,
		       Monitor_local_known(mon, locals[i].node) ? "" : " or more");
	return Monitor_close(mon) < 0;
}
