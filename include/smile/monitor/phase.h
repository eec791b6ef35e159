/* SPDX-License-Identifier: MIT */
/*
 * Phases of the program. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_PHASE_H
#define SMILE_MONITOR_PHASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/**
 * struct Monitor_phase - A program phase: all that was counted up to and including a mark.
 * @event: event id of the mark that ended it; meaningless if @open
 * @open: no mark has ended it yet
 * @end_ns: the card's clock at the mark; 0 if @open
 * @accesses: all accesses of the phase
 */
struct Monitor_phase {
	uint32_t event;
	uint32_t open;
	uint64_t end_ns;
	uint64_t accesses;
};

/**
 * Monitor_phases() - The phases, in order.
 * @phases: caller-owned, shape [@capacity]; may be NULL if @capacity is 0
 *
 * An open last phase in which nothing was counted is left out.
 *
 * Return: the number of phases; min(that, @capacity) of them were filled in.
 */
int Monitor_phases(struct Monitor *mon, struct Monitor_phase *phases, size_t capacity);

/**
 * Monitor_phase_info() - Accesses to one page over the program phases.
 * @home: the page's home node
 * @page: the page's number
 * @counts: caller-owned, shape [@phases][@nodes], accesses by [phase][node]
 * @phases: Monitor_phases() at least; later phases are left out
 * @nodes: Monitor_nodes() at least; accesses of other nodes are left out
 *
 * Return: phases there are.
 * Errors: -ENOENT if the page was never accessed.
 * Source: [2002a] "phase" diagram.
 */
int Monitor_phase_info(struct Monitor *mon, unsigned int home, uint64_t page, uint64_t *counts,
		       size_t phases, size_t nodes);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_PHASE_H */
