/* SPDX-License-Identifier: MIT */
/*
 * smile dump: exact counts, collected before they are printed.
 *
 * What lives here: the counts of a phase, kept until it ends and summed up. A recording can hold a
 * count in several parts. The parts depend on the host, but their sums do not.
 */
#ifndef TOOLS_DUMP_COUNTS_H
#define TOOLS_DUMP_COUNTS_H

#include <stdint.h>

#include <smile/monitor.h>

/**
 * struct dump_counts - Counts of one phase; all zero at first.
 */
struct dump_counts {
	struct dump_count *list;
	size_t count;
	size_t capacity;
};

/* Add a count. Return: 0; -ENOMEM. */
int dump_counts_add(struct dump_counts *counts, const struct Monitor_record *record);

/* Print all counts by address, and remove them. @phase: its number, from 0. */
void dump_counts_print(struct dump_counts *counts, uint64_t phase);

void dump_counts_free(struct dump_counts *counts);

#endif /* TOOLS_DUMP_COUNTS_H */
