// SPDX-License-Identifier: MIT
/*
 * Advise: predicts the run time if the pages are on their advised nodes. See
 * lib/analysis/advise/advise.h.
 *
 * What lives here: a simple prediction of the duration of each part of the run (load.h). The
 * duration of a part is the time of its busiest node. A node's time is the sum of its work and its
 * accesses, divided among its threads, plus the time for which its threads wait for locks.
 *
 * It is not known which accesses threads make while they hold a lock. Most of these accesses are to
 * data that all nodes share. The prediction therefore assumes that the waits for locks do not
 * change. At best, the waits shrink in proportion to the time of the busiest node. At worst, they
 * grow by the same factor as the time of the node that slows down most. Other waits within a part,
 * such as waits at a barrier within a phase, change in proportion to the time of the busiest node,
 * or do not change. The duration of sleep does not change. A thread that sleeps while other threads
 * are busy may wait for them, or make them wait.
 *
 * 	then = now x busiest node then / busiest node now, including waits for locks
 * 	least = the same, without waits for locks
 * 	most = busiest node then + now - busiest node now
 *
 * If threads take work from a queue, the work can be distributed differently in the next run. At
 * best, each node finds all its pages in its own memory, and all nodes are busy for the same time.
 * At worst, all accesses are remote, except those to pages that first touch places. Parts of the
 * run in which no thread takes work from a queue keep their prediction.
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "lib/analysis/advise/load.h"
#include "lib/analysis/memory.h"

/*
 * Get the time if each page is on the node that accesses it, and all nodes are busy for the same
 * time.
 */
static double evenly(const struct load *load, const double *local, size_t part)
{
	double busy = 0, threads = 0;

	for (size_t n = 0; n < load->nodes; n++) {
		size_t at = part * load->nodes + n;

		busy += load->work[at] + local[at];
		threads += load->threads[at];
	}
	return busy / threads;
}

/*
 * Compute the cycles for two extreme cases. @remote: all accesses are remote, except accesses to
 * pages that only one node accesses. @local: all accesses are local.
 */
static void extremes(const struct Monitor_advise *advise, const struct load *load, double *remote,
		     double *local)
{
	for (size_t i = 0; i < load->cell_count; i++) {
		const struct load_cell *cell = &load->cells[i];
		const struct Monitor_advice *row = &advise->rows[cell->row];
		size_t at = cell->part * load->nodes + cell->source;

		remote[at] += advise_is_own(row) ? cell->local : cell->remote;
		local[at] += cell->local;
	}
}

/**
 * struct bounds - The predicted time of a part.
 * @then: the most likely time
 * @least: the shortest time
 * @most: the longest time
 */
struct bounds {
	double then;
	double least;
	double most;
};

/*
 * Get the factor by which waits for locks can grow. For each node, the cycles of its work and
 * accesses grow by some factor. The result is the largest of these factors.
 */
static double growth(const struct load *load, size_t part)
{
	double most = 1;

	for (size_t n = 0; n < load->nodes; n++) {
		size_t at = part * load->nodes + n;
		double now = load->work[at] + load->now[at];
		double then = load->work[at] + load->then[at];

		if (now > 0 && then / now > most)
			most = then / now;
	}
	return most;
}

static struct bounds bounds_of(const struct load *load, size_t part)
{
	double now = load_busiest(load, load->now, part);
	double then = load_busiest(load, load->then, part);
	double length = load->length[part], waits = 0, pauses = 0;
	double slept = load_slept(load, part);
	struct bounds bounds = {.then = load_length_then(load, part)};

	for (size_t n = 0; n < load->nodes; n++) {
		size_t at = part * load->nodes + n;

		waits = fmax(waits, load->waits[at] / load->threads[at]);
		pauses = fmax(pauses, load->pauses[at]);
	}
	bounds.least = now > 0 ? slept + (length - slept) * then / now : length;
	if (bounds.least > bounds.then || waits <= 0)
		bounds.least = bounds.then;
	bounds.most = then + (length > now ? length - now : 0);
	if (waits > 0)
		bounds.most = fmax(bounds.most, bounds.then);
	bounds.most += waits * (growth(load, part) - 1);
	bounds.most = fmax(bounds.most, fmin(length, then + pauses));
	return bounds;
}

/*
 * Compute the bounds of the run time of a program whose threads take work from a queue. Return: 0;
 * -ENOMEM.
 */
static int queue_bound(const struct Monitor_advise *advise, const struct load *load,
		       struct Monitor_advise_time *time)
{
	size_t size = load->parts * load->nodes;
	double *remote = analysis_memory(2 * size, sizeof(*remote)), *local = remote + size;
	double most = 0, least = 0;

	if (!remote)
		return -ENOMEM;
	extremes(advise, load, remote, local);
	for (size_t p = 0; p < load->parts; p++) {
		double now = load_busiest(load, load->now, p);
		double wait = load->length[p] > now ? load->length[p] - now : 0;

		if (!advise->phases[load->phase_of[p]])
			continue;
		if (!load->handed[p]) {
			struct bounds bounds = bounds_of(load, p);

			most += bounds.most;
			least += bounds.least;
			continue;
		}
		most += load_busiest(load, remote, p) + wait;
		least += evenly(load, local, p);
	}
	free(remote);
	if (most > (double)time->most)
		time->most = (uint64_t)llround(most);
	if (least < (double)time->least)
		time->least = (uint64_t)llround(least);
	return 0;
}

static void time_add(const struct Monitor_advise *advise, const struct load *load, size_t part,
		     struct Monitor_advise_time *time)
{
	struct bounds bounds = bounds_of(load, part);
	double single = 0;

	for (size_t n = 0; n < load->nodes; n++) {
		size_t at = part * load->nodes + n;

		single +=
			load->work[at] + load->accesses[at] * (double)advise->machine.weights.local;
		time->access_cycles += (uint64_t)llround(load->then[at] - load->then_waits[at]);
	}
	time->now += (uint64_t)llround(load->length[part]);
	time->then += (uint64_t)llround(bounds.then);
	time->least += (uint64_t)llround(bounds.least);
	time->most += (uint64_t)llround(bounds.most);
	time->single += (uint64_t)llround(single);
}

/*
 * The flag @handed of a variable is set if more than this share of the accesses to the variable is
 * in parts of the run in which threads take their work from a queue, or may do so.
 */
#define HANDED_SHARE 0.1

static void handed_find(const struct load *load, struct Monitor_advise_data *data)
{
	double all = 0, handed = 0;

	for (size_t i = 0; i < data->count; i++)
		for (size_t k = load->first[data->rows[i]]; k < load->first[data->rows[i] + 1];
		     k++) {
			const struct load_cell *cell = &load->cells[k];

			all += cell->remote;
			handed += load->handed[cell->part] ? cell->remote : 0;
		}
	data->handed = handed > HANDED_SHARE * all;
}

int advise_predict(struct Monitor_advise *advise, const struct load *load)
{
	struct Monitor_advise_time *time = &advise->time;

	for (size_t i = 0; i < advise->data_count; i++)
		handed_find(load, &advise->data[i]);

	/* Cards do not record a run time. */
	if (!advise->cycles)
		return 0;
	*time = (struct Monitor_advise_time){
		.known = 1, .estimated = load->estimated, .access_cycles = advise->cached};
	for (size_t p = 0; p < load->parts; p++)
		if (advise->phases[load->phase_of[p]])
			time_add(advise, load, p, time);
	if (!advise->options.phase && advise->single_cycles)
		time->single = advise->single_cycles;
	return advise_queue(advise) ? queue_bound(advise, load, time) : 0;
}
