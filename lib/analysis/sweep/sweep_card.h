/* SPDX-License-Identifier: MIT */
/*
 * Sweep: the cards that receive the traffic of a sweep.
 *
 * What lives here: a card with one configuration, and the result of passing the traffic to it. May
 * use the public API. The cards are the emulated cards of the source "emu:".
 */
#ifndef LIB_ANALYSIS_SWEEP_SWEEP_CARD_H
#define LIB_ANALYSIS_SWEEP_SWEEP_CARD_H

#include <stdint.h>

#include <smile/monitor.h>

#include "lib/analysis/sweep/sweep_ops.h"
#include "lib/analysis/sweep/sweep_traffic.h"

/**
 * struct sweep_point - A configuration of a card, and the result of the sweep with this
 * configuration.
 * @counters: number of counters of the dynamic array
 * @range_bytes: the largest range of a counter (MAX_RANGE)
 * @flushes: number of all records that the card wrote
 * @drained: number of the records in @flushes that were swapped out at the end
 * @extensions: number of times that a counter's range grew
 */
struct sweep_point {
	unsigned int counters;
	unsigned int range_bytes;
	uint64_t flushes;
	uint64_t drained;
	uint64_t extensions;
};

/**
 * sweep_card_new() - Create a card in this process that counts requests.
 * @out: receives the Monitor of the card, which is started
 * @node: node id of the card
 * @mode: SMILE_MODE_TYPED_TAGS, SMILE_MODE_ALIGNED
 *
 * Return: 0; -errno.
 */
int sweep_card_new(struct Monitor **out, unsigned int node, unsigned int mode,
		   unsigned int counters, unsigned int range_bytes);

/**
 * sweep_card_pass() - Pass the whole traffic to a card, and read all its counts.
 * @point: receives the result; may be NULL
 *
 * The function checks that the sum of the counts equals the number of events. Return: 0; -errno;
 * -EINTR if @ops->interrupted() ends the sweep.
 */
int sweep_card_pass(struct Monitor *mon, const struct sweep_traffic *traffic,
		    const struct sweep_ops *ops, struct sweep_point *point);

/**
 * sweep_bytes_per_second() - Get the data rate of a card; 0 if the time is not known.
 * @seconds: duration of the traffic; 0: unknown
 */
double sweep_bytes_per_second(const struct sweep_point *point, double seconds);

#endif /* LIB_ANALYSIS_SWEEP_SWEEP_CARD_H */
