/* SPDX-License-Identifier: MIT */
/*
 * Local accesses, and accesses by interval: the public calls around the map's parts of them
 * (locals.c).
 */
#include <stdlib.h>

#include "lib/base/copy_out.h"
#include "lib/monitor/monitor.h"

/* @phase: a phase or an interval. */
static int counts_add(struct map_accesses *accesses, const struct Monitor_local *local)
{
	const uint64_t counts[] = {
		[SMILE_TYPE_READ] = local->reads,
		[SMILE_TYPE_WRITE] = local->writes,
		[SMILE_TYPE_LOCK] = local->locks,
	};
	int error = 0;

	for (uint32_t type = 1; type < SMILE_TYPE_COUNT && !error; type++)
		error = smile_map_local_add(accesses, local->page, local->phase, local->node, type,
					    counts[type]);
	return error;
}

int Monitor_local_add(struct Monitor *mon, const struct Monitor_local *local)
{
	return counts_add(&mon->map.locals, local);
}

int Monitor_local_node_add(struct Monitor *mon, unsigned int node)
{
	return smile_map_local_node_add(&mon->map.locals, node);
}

int Monitor_local_known(struct Monitor *mon, unsigned int node)
{
	return smile_map_local_known(&mon->map.locals, node);
}

int Monitor_interval_add(struct Monitor *mon, const struct Monitor_interval *accesses)
{
	return counts_add(&mon->map.intervals, &(struct Monitor_local){
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
	return smile_map_local_node_add(&mon->map.intervals, node);
}

int Monitor_interval_known(struct Monitor *mon, unsigned int node)
{
	return smile_map_local_known(&mon->map.intervals, node);
}

static int by_page(const void *left, const void *right)
{
	const struct Monitor_local *a = left, *b = right;

	if (a->page != b->page)
		return a->page < b->page ? -1 : 1;
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->phase > b->phase) - (a->phase < b->phase);
}

/* Rows of one page, node and phase become one. Return: how many are left. */
static size_t rows_join(struct Monitor_local *rows, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept && !by_page(&rows[kept - 1], &rows[i])) {
			rows[kept - 1].reads += rows[i].reads;
			rows[kept - 1].writes += rows[i].writes;
			rows[kept - 1].locks += rows[i].locks;
		} else {
			rows[kept++] = rows[i];
		}
	}
	return kept;
}

/* All rows, to be given to free(3). Return: how many; -ENOMEM. */
static int rows_load(const struct map_accesses *accesses, struct Monitor_local **out)
{
	struct Monitor_local *rows = malloc((accesses->counts.used + 1) * sizeof(*rows));
	struct map_local local;
	size_t position = 0, count = 0;

	if (!rows)
		return smile_map_no_memory();
	while (smile_map_local_next(accesses, &position, &local))
		rows[count++] = (struct Monitor_local){
			.page = local.page,
			.phase = local.phase,
			.node = local.node,
			.reads = local.type == SMILE_TYPE_READ ? local.count : 0,
			.writes = local.type == SMILE_TYPE_WRITE ? local.count : 0,
			.locks = local.type == SMILE_TYPE_LOCK ? local.count : 0,
		};
	qsort(rows, count, sizeof(*rows), by_page);
	*out = rows;
	return (int)rows_join(rows, count);
}

int Monitor_locals(struct Monitor *mon, struct Monitor_local *locals, size_t capacity)
{
	struct Monitor_local *rows;
	int count = rows_load(&mon->map.locals, &rows);

	if (count < 0)
		return count;
	smile_copy(locals, capacity, rows, (size_t)count, sizeof(*rows));
	free(rows);
	return count;
}

int Monitor_intervals(struct Monitor *mon, struct Monitor_interval *accesses, size_t capacity)
{
	struct Monitor_local *rows;
	int count = rows_load(&mon->map.intervals, &rows);

	for (int i = 0; i < count && (size_t)i < capacity; i++)
		accesses[i] = (struct Monitor_interval){
			.page = rows[i].page,
			.interval = rows[i].phase,
			.node = rows[i].node,
			.reads = rows[i].reads,
			.writes = rows[i].writes,
			.locks = rows[i].locks,
		};
	if (count >= 0)
		free(rows);
	return count;
}
