// SPDX-License-Identifier: MIT
/*
 * smile place: the preparations before the program runs. See tools/place/place.h.
 *
 * What lives here: the search for the nodes of this machine, and the plan for a program. `smile
 * sample --place` also uses these functions.
 */
#include "tools/place/place.h"

#include <linux/mempolicy.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/session/session.h"
#include "tools/common/tool.h"

/*
 * The largest number of nodes of a kernel. A kernel refuses to fill in a mask that has fewer bits
 * than it supports nodes.
 */
#define KERNEL_NODES_MAX 1024U
#define WORD_NODES (8U * sizeof(unsigned long))

void place_nodes_find(struct place_nodes *nodes)
{
	unsigned long permitted[KERNEL_NODES_MAX / WORD_NODES] = {0};

	*nodes = (struct place_nodes){0};
	/* A kernel without this system call has no NUMA nodes. */
	if (syscall(SYS_get_mempolicy, NULL, permitted, (unsigned long)KERNEL_NODES_MAX, NULL,
		    (unsigned long)MPOL_F_MEMS_ALLOWED))
		return;
	for (uint32_t n = 0; n < PLAN_NODES_MAX; n++)
		if (permitted[n / WORD_NODES] >> n % WORD_NODES & 1)
			nodes->node[nodes->count++] = n;
}

int place_plan_prepare(struct place_plan *plan, struct place_request *request,
		       const struct place_nodes *nodes, uint32_t threads_on, char **command)
{
	char *program = run_search(command[0]);
	char differs[1024];
	int status;

	if (place_request_differs(request, command, differs, sizeof(differs)))
		tool_message("warning: %s: %s; regions of another size are scaled if possible, and "
			     "regions that are not found are not placed",
			     request->file, differs);
	status = tool_result(place_builds_check(request, program ? program : command[0]));
	if (status == TOOL_OK)
		status = tool_result(place_plan_make(plan, request, nodes, threads_on));
	if (status == TOOL_OK)
		place_plan_notes(plan, request);
	free(program);
	return status;
}
