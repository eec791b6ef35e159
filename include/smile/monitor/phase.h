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
 * struct Monitor_phase - A phase of the program: the counts from one phase mark to the next.
 * @event: event id of the mark that ended the phase; meaningless if @open is 1
 * @open: 1: no mark has ended the phase yet
 * @end_ns: the card's clock at the mark that ended the phase; 0 if @open is 1
 * @accesses: all accesses of the phase
 */
struct Monitor_phase {
	uint32_t event;
	uint32_t open;
	uint64_t end_ns;
	uint64_t accesses;
};

/**
 * Monitor_phases() - Get the phases, in order.
 * @phases: receives the phases; caller-owned array of @capacity elements; may be NULL if @capacity
 *          is 0
 *
 * If the last phase is open and nothing was counted in it, it is left out.
 *
 * Return: the number of phases, of which at most @capacity were filled in.
 */
int Monitor_phases(struct Monitor *mon, struct Monitor_phase *phases, size_t capacity);

/**
 * Monitor_phase_info() - Get the accesses to one page, by phase of the program and by node.
 * @home: the page's home node
 * @page: the page's number
 * @counts: receives the accesses by [phase][node]; caller-owned, shape [@phases][@nodes]
 * @phases: at least Monitor_phases(); later phases are left out
 * @nodes: at least Monitor_nodes(); accesses of other nodes are left out
 *
 * Return: the number of existing phases.
 * Errors: -ENOENT if the page was never accessed.
 * Source: [2002a] "phase" diagram.
 */
int Monitor_phase_info(struct Monitor *mon, unsigned int home, uint64_t page, uint64_t *counts,
		       size_t phases, size_t nodes);

/**
 * Monitor_phase_spread() - Get the time within which a phase began on all nodes.
 * @phase: 1 or later: a phase begins with the mark that ends the previous phase
 * @spread_ns: receives an upper bound of the nanoseconds between the first node's mark and the last
 *             node's mark
 *
 * If @mon is a view of several recordings, call this function after all records are read. If it is
 * a view of several cards, call this function while the cards count. The cards of one `smile run`
 * or one `smile cluster` share a clock, so the bound is exact. Each card behind a driver has its
 * own clock. While the library saves a recording or counts in a merged view, it reads the card's
 * clock together with the host's clock: when the card is started, after phase marks, and at the
 * end. A recording holds these pairs of times at its end. Recordings that were made on one host,
 * since one boot, share the host's clock. For all other recordings, the time of day of all hosts
 * must be synchronised (NTP, PTP). The bound then includes the error that each kernel assumes for
 * its time.
 *
 * Return: 0.
 * Errors: -ENODATA if the time is not known; Monitor_error_message() names the node and the reason;
 * -EINVAL if the phase does not exist.
 */
int Monitor_phase_spread(struct Monitor *mon, size_t phase, uint64_t *spread_ns);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_PHASE_H */
