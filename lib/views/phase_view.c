/* SPDX-License-Identifier: MIT */
/*
 * Phase: gets the accesses by phase of the program.
 *
 * What lives here: the public functions that distinguish phases.
 */
#include <string.h>

#include "lib/base/copy_out.h"
#include "lib/base/error.h"
#include "lib/monitor/monitor.h"

int Monitor_phases(struct Monitor *mon, struct Monitor_phase *phases, size_t capacity)
{
	int count = smile_copy(phases, capacity, mon->histogram.phases,
			       smile_histogram_phases(&mon->histogram), sizeof(*phases));

	/*
	 * The records of the cards determine the number of phases and the ends of phases, even if
	 * the view shows the processors' accesses.
	 */
	for (int i = 0; mon->accesses_shown && i < count && (size_t)i < capacity; i++)
		phases[i].accesses = (size_t)i < mon->accesses.phases_count
					     ? mon->accesses.phases[i].accesses
					     : 0;
	return count;
}

int Monitor_phase_info(struct Monitor *mon, unsigned int home, uint64_t page, uint64_t *counts,
		       size_t phases, size_t nodes)
{
	const struct page_counts *slot =
		smile_page_table_find(&smile_shown(mon)->pages, page, home);
	struct histogram_access access;
	size_t position = 0;
	int error = smile_page_table_known(mon);

	if (error < 0)
		return error;
	if (!slot || !slot->accesses.used)
		return smile_error(ENOENT,
				   "page %llu of node %u was never accessed: smile report pages "
				   "lists the accessed pages",
				   (unsigned long long)page, home);
	memset(counts, 0, phases * nodes * sizeof(*counts));
	while (smile_histogram_page_next(slot, &position, &access)) {
		if (access.phase < phases && access.source < nodes)
			counts[access.phase * nodes + access.source] += access.count;
	}
	return (int)smile_histogram_phases(&mon->histogram);
}
