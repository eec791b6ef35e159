// SPDX-License-Identifier: MIT
/*
 * run/session: applies the placement file.
 *
 * What lives here: the reader of the placement file. The file's pages are passed to the machine,
 * and its lock orders are passed to the schedule. The program runs at the recorded addresses,
 * unless it is another build or has other arguments (see place_names.c). If two lines name the same
 * page, the later line applies. Pages that no line names are placed by the program or by the
 * policy; the file can replace the policy.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include <base/array.h>

#include "run/session/session_inside.h"
#include "lib/analysis/placement_lines.h"

_Static_assert(PLACEMENT_THREADS_MAX == SCHEDULE_THREADS_MAX,
	       "a placement file can name each thread of a run, and no other thread");

/**
 * struct place - The receiver of the file's lines.
 * @file: name of the file, for messages
 * @run: the run, which receives the orders; the run's machine receives the pages
 * @first_touch: the policy is first touch, and lines for pages that only one node has accessed are
 *               ignored
 */
struct place {
	const char *file;
	struct run *run;
	int first_touch;
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

_Static_assert(PLACEMENT_LOCK_END == (uint64_t)SCHEDULE_PROCESSES_MAX << SMILE_ADDRESS_BITS,
	       "placement files can name exactly the locks that the schedule can name");

static int order_take(const struct place *place, const struct placement_line *line)
{
	struct run_orders *orders = &place->run->orders;
	unsigned *threads;

	if (!run_names_keep_order(place->run, line->start)) {
		run_message(
			"%s: line %zu: in this build, the lock may have another address, so its "
			"order is not kept: threads may do other work than in the recorded run",
			place->file, line->number);
		return 0;
	}
	threads = calloc(line->thread_count, sizeof(*threads));

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

static void default_take(struct place *place)
{
	struct run *run = place->run;

	place->first_touch = 1;
	run->config.place = PLACEMENT_FIRST_TOUCH;
	run->config.placement = placement_find(PLACEMENT_FIRST_TOUCH);
	machine_policy(run->machine, run->config.placement);
}

static int line_take(void *opaque, const struct placement_line *line)
{
	struct place *place = opaque;
	unsigned nodes = machine_nodes(place->run->machine);

	if (line->kind == PLACEMENT_LINE_ORDER)
		return order_take(place, line);
	if (line->kind == PLACEMENT_LINE_DEFAULT)
		default_take(place);
	if (line->kind != PLACEMENT_LINE_PLACE)
		return 0;
	if (line->node >= nodes)
		return Monitor_error_set(EINVAL,
					 "%s: line %zu: there is no node %" PRIu64
					 ": the machine has %u, see --nodes",
					 place->file, line->number, line->node, nodes);
	if (line->own && place->first_touch)
		return 0;
	if (line->file ? !run_names_stay(place->run) : run_names_follow(place->run))
		return 0;
	if (machine_place(place->run->machine, line->start, line->bytes, (unsigned)line->node,
			  PLACEMENT_USER) < 0)
		return no_memory(place, line);
	return 0;
}

int run_place_apply(const char *file, struct run *run)
{
	struct place place = {.file = file, .run = run};
	int err = run_names_begin(run, file);

	if (err < 0)
		return err;
	err = placement_lines_read(file, line_take, &place);

	return err < 0 ? run_error(err, "%s", Monitor_error_message()) : 0;
}
