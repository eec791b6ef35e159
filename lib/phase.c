/* SPDX-License-Identifier: MIT */
/*
 * Phase: accesses over the program's phases.
 *
 * What lives here: the views that tell phases apart.
 */
#include <string.h>

#include "lib/copy.h"
#include "lib/error.h"
#include "lib/monitor.h"

int Monitor_phases(struct Monitor *mon, struct Monitor_phase *phases, size_t capacity)
{
	return smile_copy(phases, capacity, mon->histogram.phases,
			  smile_histogram_phases(&mon->histogram), sizeof(*phases));
}

int Monitor_phase_info(struct Monitor *mon, unsigned int home, uint64_t page, uint64_t *counts,
		       size_t phases, size_t nodes)
{
	struct histogram_access access;
	size_t position = 0;
	int known = 0;

	while (smile_histogram_page_next(&mon->histogram, &position, page, &access)) {
		if (access.home != home)
			continue;
		if (!known++)
			memset(counts, 0, phases * nodes * sizeof(*counts));
		if (access.phase < phases && access.source < nodes)
			counts[access.phase * nodes + access.source] += access.count;
	}
	if (!known)
		return smile_error(ENOENT,
				   "page %llu of node %u was never accessed: smile report "
				   "pages lists those that were",
				   (unsigned long long)page, home);
	return (int)smile_histogram_phases(&mon->histogram);
}
