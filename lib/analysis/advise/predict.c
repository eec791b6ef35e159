// SPDX-License-Identifier: MIT
/*
 * Advise: the run time with pages as advised. See lib/analysis/advise/advise.h.
 *
 * What lives here: a simple prediction, part by part (load.h). A part takes as long as its busiest
 * node: its work and its accesses, divided among its threads. Waiting within a part, at locks, and
 * if a part is a phase, at barriers, is not predicted: it either scales with the busiest node or
 * stays.
 *
 *	then = now x busiest node then / busiest node now
 *	most = busiest node then + now - busiest node now
 */
#include "lib/analysis/advise/advise.h"

#include <math.h>

#include "lib/analysis/advise/load.h"

static void time_add(const struct advise *advise, const struct load *load, size_t part,
		     struct Monitor_advise_time *time)
{
	double now = load_busiest(load, load->now, part);
	double then = load_busiest(load, load->then, part);
	double length = load->length[part], single = 0;

	for (size_t n = 0; n < load->nodes; n++) {
		size_t at = part * load->nodes + n;

		single += load->work[at] +
			  load->accesses[at] * (double)advise->result.machine.weights.local;
		time->access_cycles += (uint64_t)llround(load->then[at]);
	}
	time->now += (uint64_t)llround(length);
	time->then += (uint64_t)llround(load_length_then(load, part));
	time->most += (uint64_t)llround(then + (length > now ? length - now : 0));
	time->single += (uint64_t)llround(single);
}

void advise_predict(struct advise *advise, const struct load *load)
{
	struct Monitor_advise_time *time = &advise->result.time;

	/* Cards record no run time. */
	if (!advise->cycles)
		return;
	*time = (struct Monitor_advise_time){
		.known = 1, .estimated = load->estimated, .access_cycles = advise->cached};
	for (size_t p = 0; p < load->parts; p++)
		if (advise->phases[load->phase_of[p]])
			time_add(advise, load, p, time);
	if (!advise->options.phase && advise->single_cycles)
		time->single = advise->single_cycles;
}
