/* SPDX-License-Identifier: MIT */
/*
 * Phase: accesses over the program's phases.
 *
 * What lives here: the views that tell phases apart.
 */
#include <string.h>

#include "lib/error.h"
#include "lib/monitor.h"

/* An open last phase in which nothing was counted is no phase that anyone wants to see. */
static size_t phases_shown(const struct histogram *histogram)
{
	size_t count = histogram->phases_count;

	if (count && histogram->phases[count - 1].open && !histogram->phases[count - 1].accesses)
		count--;
	return count;
}

int Monitor_phases(struct Monitor *mon, struct Monitor_phase *phases, size_t capacity)
{
	size_t count = phases_shown(&mon->histogram);
	size_t copied = count < capacity ? count : capacity;

	if (copied)
		memcpy(phases, mon->histogram.phases, copied * sizeof(*phases));
	return (int)count;
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
	return (int)phases_shown(&mon->histogram);
}
