// SPDX-License-Identifier: MIT
/*
 * emu/run: the placement file.
 *
 * What lives here: its pages, passed to the machine, and its orders, passed to the schedule.
 * Programs run at the recorded addresses, so the names of regions are not used. If two lines name a
 * page, the later one applies. Pages that no line names are placed by the program or the policy.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include <base/array.h>

#include "emu/run/parts.h"
#include "lib/analysis/placement_lines.h"

_Static_assert(PLACEMENT_THREADS_MAX == SCHEDULE_THREADS_MAX,
	       "a placement file can name each thread of a run, and no other");

/**
 * struct place - The lines' destination.
 * @file: for messages
 * @machine: takes the pages
 * @orders: receives the orders
 */
struct place {
	const char *file;
	struct machine *machine;
	struct run_orders *orders;
};

void run_orders_free(struct run_orders *orders)
{
	for (size_t i = 0; i < orders->count; i++)
		free((unsigned *)orders->list[i].threads);
	free(orders->list);
	*orders = (struct run_orders){0};
}

static int no_memory(const struct place *place, const struct placement_line *line)
{
	return Monitor_error_set(ENOMEM, "%s: line %zu: no memory for it", place->file,
				 line->number);
}

static int order_take(const struct place *place, const struct placement_line *line)
{
	struct run_orders *orders = place->orders;
	unsigned *threads = calloc(line->thread_count, sizeof(*threads));

	if (!threads || array_reserve(&orders->list, &orders->capacity, orders->count,
				      sizeof(*orders->list)) < 0) {
		free(threads);
		return no_memory(place, line);
	}
	for (size_t i = 0; i < line->thread_count; i++)
		threads[i] = line->threads[i];
	orders->list[orders->count++] = (struct schedule_order){
		.lock = line->start,
		.threads = threads,
		.count = line->thread_count,
	};
	return 0;
}

static int line_take(void *opaque, const struct placement_line *line)
{
	const struct place *place = opaque;
	unsigned nodes = machine_nodes(place->machine);

	if (line->kind == PLACEMENT_LINE_ORDER)
		return order_take(place, line);
	if (line->kind != PLACEMENT_LINE_PLACE)
		return 0;
	if (line->node >= nodes)
		return Monitor_error_set(EINVAL,
					 "%s: line %zu: there is no node %" PRIu64
					 ": the machine has %u, see --nodes",
					 place->file, line->number, line->node, nodes);
	if (machine_place(place->machine, line->start, line->bytes, (unsigned)line->node,
			  PLACEMENT_USER) < 0)
		return no_memory(place, line);
	return 0;
}

int run_place_apply(const char *file, struct machine *machine, struct run_orders *orders)
{
	struct place place = {file, machine, orders};
	int err = placement_lines_read(file, line_take, &place);

	return err < 0 ? run_error(err, "%s", Monitor_error_message()) : 0;
}
