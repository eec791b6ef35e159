// SPDX-License-Identifier: MIT
/*
 * Load: computes how long accesses wait in the network. See load.h and network.h.
 *
 * What lives here: functions that compute the traffic of one part of the run for any placement of
 * the pages, and the load that the traffic of the whole run causes on each link.
 */
#include "lib/analysis/advise/load.h"

static uint32_t home_of(const struct load_cell *cell, const uint32_t *homes)
{
	uint32_t home = homes[cell->row];

	return home == LOAD_COPIES ? cell->source : home;
}

void load_wait(const struct load *load, size_t part, const uint32_t *homes, const double *cycles,
	       double *waits)
{
	const double *threads = load->threads + part * load->nodes;
	const double *work = load->work + part * load->nodes;

	for (size_t n = 0; n < load->nodes; n++)
		load->busy[n] = (work[n] + cycles[n]) / threads[n];
	advise_network_clear(load->network);
	for (size_t i = load->part_first[part]; i < load->part_first[part + 1]; i++) {
		const struct load_cell *cell = &load->cells[load->by_part[i]];

		advise_network_add(load->network, cell->source, home_of(cell, homes), cell->sent);
	}
	advise_network_waits(load->network, load->busy, threads, waits);
}

/*
 * Get the cycles of the parts that have recorded accesses. The traffic of a part without recorded
 * accesses is not known.
 */
static double recorded_cycles(const struct load *load, int advised)
{
	double cycles = 0;

	for (size_t p = 0; p < load->parts; p++)
		if (load->part_first[p] < load->part_first[p + 1])
			cycles += advised ? load_length_then(load, p) : load->length[p];
	return cycles;
}

static struct advise_link busiest(const struct Monitor_advise *advise, const struct load *load,
				  int advised)
{
	advise_network_clear(load->network);
	for (size_t i = 0; i < load->cell_count; i++) {
		const struct load_cell *cell = &load->cells[i];
		const struct Monitor_advice *row = &advise->rows[cell->row];

		advise_network_add(load->network, cell->source, advised ? row->node : row->home,
				   cell->sent);
	}
	return advise_network_busiest(load->network, recorded_cycles(load, advised));
}

void load_links(struct Monitor_advise *advise, const struct load *load)
{
	if (!load->network || !advise->time.known)
		return;
	advise->topology = advise->run.network.topology;
	advise->link_now = busiest(advise, load, 0);
	advise->link_then = busiest(advise, load, 1);
}
