// SPDX-License-Identifier: MIT
/*
 * smile place: before the program runs. See tools/place/place.h.
 *
 * What lives here: the nodes of this machine, and the plan for a program, also of
 * `smile sample --place`.
 */
#include "tools/place/place.h"

#include <numa.h>
#include <stdlib.h>

#include "run/session/session.h"
#include "tools/common/tool.h"

void place_nodes_find(struct place_nodes *nodes)
{
	*nodes = (struct place_nodes){0};
	if (numa_available() < 0)
		return;
	for (uint32_t n = 0; n < PLAN_NODES_MAX && n < numa_all_nodes_ptr->size; n++)
		if (numa_bitmask_isbitset(numa_all_nodes_ptr, n))
			nodes->node[nodes->count++] = n;
}

int place_plan_prepare(struct place_plan *plan, struct place_request *request,
		       const struct place_nodes *nodes, uint32_t threads_on, char **command)
{
	char *program = run_search(command[0]);
	char differs[1024];
	int status;

	if (place_request_differs(request, command, differs, sizeof(differs)))
		tool_message("warning: %s: %s; regions of another size are scaled where that can "
			     "be, and what is not found is not placed",
			     request->file, differs);
	status = tool_result(place_builds_check(request, program ? program : command[0]));
	if (status == TOOL_OK)
		status = tool_result(place_plan_make(plan, request, nodes, threads_on));
	if (status == TOOL_OK)
		place_plan_notes(plan, request);
	free(program);
	return status;
}
