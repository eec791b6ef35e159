/* SPDX-License-Identifier: MIT */
/*
 * smile dump: collect exact counts until they are printed.
 *
 * What lives here: the exact counts of a phase. A recording may contain one count in several parts,
 * and the sizes of the parts depend on the host. The sums do not depend on the host. The parts are
 * therefore summed up, and the sums are printed at the end of the phase.
 */
#ifndef TOOLS_DUMP_COUNTS_H
#define TOOLS_DUMP_COUNTS_H

#include <stdint.h>

#include <smile/monitor.h>

/**
 * struct dump_counts - The counts of one phase. All members are zero at first.
 */
struct dump_counts {
	struct dump_count *list;
	size_t count;
	size_t capacity;
};

/* Add a count. Return: 0; -ENOMEM. */
int dump_counts_add(struct dump_counts *counts, const struct Monitor_record *record);

/* Print all counts, sorted by address, and remove them. @phase: number of the phase, from 0. */
void dump_counts_print(struct dump_counts *counts, uint64_t phase);

void dump_counts_free(struct dump_counts *counts);

#endif /* TOOLS_DUMP_COUNTS_H */
