/* SPDX-License-Identifier: MIT */
/*
 * Local accesses: the public functions for local accesses and for accesses by interval, which are
 * two parts of the map (lib/map/local_accesses.c).
 */
#include <stdlib.h>

#include "lib/monitor/monitor.h"

int Monitor_local_add(struct Monitor *mon, const struct Monitor_local *local)
{
	return smile_locals_add(&mon->map.locals, local);
}

int Monitor_local_node_add(struct Monitor *mon, unsigned int node)
{
	return smile_locals_node_add(&mon->map.locals, node);
}

int Monitor_local_known(struct Monitor *mon, unsigned int node)
{
	return smile_locals_known(&mon->map.locals, node);
}

int Monitor_interval_add(struct Monitor *mon, const struct Monitor_interval *accesses)
{
	return smile_locals_add(&mon->map.intervals, &(struct Monitor_local){
							     .page = accesses->page,
							     .phase = accesses->interval,
							     .node = accesses->node,
							     .reads = accesses->reads,
							     .writes = accesses->writes,
							     .locks = accesses->locks,
						     });
}

int Monitor_interval_node_add(struct Monitor *mon, unsigned int node)
{
	return smile_locals_node_add(&mon->map.intervals, node);
}

int Monitor_interval_known(struct Monitor *mon, unsigned int node)
{
	return smile_locals_known(&mon->map.intervals, node);
}

int Monitor_locals(struct Monitor *mon, struct Monitor_local *locals, size_t capacity)
{
	const struct Monitor_local *row;
	struct locals_walk walk;
	int error;

	smile_locals_settle(&mon->map.locals);
	error = smile_locals_walk(&mon->map.locals, &walk);
	for (size_t i = 0; !error && i < capacity && (row = smile_locals_next(&walk)); i++)
		locals[i] = *row;
	smile_locals_end(&walk);
	return error < 0 ? error : (int)smile_locals_count(&mon->map.locals);
}

int Monitor_intervals(struct Monitor *mon, struct Monitor_interval *accesses, size_t capacity)
{
	const struct Monitor_local *row;
	struct locals_walk walk;
	int error;

	smile_locals_settle(&mon->map.intervals);
	error = smile_locals_walk(&mon->map.intervals, &walk);
	for (size_t i = 0; !error && i < capacity && (row = smile_locals_next(&walk)); i++)
		accesses[i] = (struct Monitor_interval){
			.page = row->page,
			.interval = row->phase,
			.node = row->node,
			.reads = row->reads,
			.writes = row->writes,
			.locks = row->locks,
		};
	smile_locals_end(&walk);
	return error < 0 ? error : (int)smile_locals_count(&mon->map.intervals);
}
